"""Quizzes for learning platforms: what is right there is right here, pictures are with them, labels
are no markup.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from qti_package_maker.common.package_integrity import check_package

from hiermeasures.cli import main
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach.cards import CardEntry
from hiermeasures.teach.exercises import Exercise, ExerciseRequest
from hiermeasures.teach.library import own_lesson
from hiermeasures.teach.quiz import (
    Quiz,
    QuizItem,
    canvas_package,
    moodle_xml,
    quiz_of_lesson,
    quiz_of_sheets,
)
from hiermeasures.teach.sheets import Sheet, sheets
from tests.latex import NASTY
from tests.teach.test_sheets import Markup, hostile

Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
KINDS = ("prefers", "click", "pair", "value", "which")
# The shares of a mark that Moodle's import takes (question/engine/bank.php lists them).
MOODLE = "100 90 83.33333 80 75 70 66.66667 60 50 40 33.33333 30 25 20 16.66667 14.28571 12.5 11.11111 10 5 0".split()


@pytest.fixture(scope="module")
def made() -> tuple[Sheet, ...]:
    return sheets(ExerciseRequest(kinds=KINDS), 7, 10, 2, title="A & B")


@pytest.fixture(scope="module")
def quiz(made: tuple[Sheet, ...]) -> Quiz:
    return quiz_of_sheets(made)


def asked(made: tuple[Sheet, ...], quiz: Quiz) -> Iterator[tuple[QuizItem, Exercise]]:
    """The questions of a quiz with the exercises that they were made of."""
    exercises = {
        f"{one.entry.title}, variant {sheet.variant}": one
        for sheet in made
        for one in sheet.exercises
    }
    yield from ((item, exercises[item.title]) for _, _, item in quiz.numbered())


def opened(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def items_of(package: bytes) -> list[Element]:
    return list(fromstring(opened(package)["quiz/hiermeasures_quiz.xml"]).iter(f"{Q}item"))


def holds(condition: Element, given: dict[str, set[str]]) -> bool:
    """Return True if a condition of QTI 1.2 holds for the given answers, by its specification."""
    name, parts = condition.tag.removeprefix(Q), list(condition)
    if name in ("conditionvar", "and"):
        return all(holds(part, given) for part in parts)
    if name in ("or", "not"):
        return any(holds(part, given) for part in parts) is (name == "or")
    answers, value = given[condition.attrib["respident"]], condition.text or ""
    if name == "varequal":
        return value in answers
    number = float(next(iter(answers)))
    return number >= float(value) if name == "vargte" else number <= float(value)


def score(item: Element, given: dict[str, set[str]]) -> float:
    points = 0.0
    for condition in item.iter(f"{Q}respcondition"):
        variable, earned = condition.find(f"{Q}conditionvar"), condition.find(f"{Q}setvar")
        if variable is not None and earned is not None and holds(variable, given):
            points += float(earned.text or 0)
    return points


def answers(item: QuizItem) -> Iterator[tuple[dict[str, set[str]], bool]]:
    """Answers as Canvas takes them, and whether they are right: all choices that are, and those but
    one.
    """
    keys = {f"choice_{k}": option.right for k, option in enumerate(item.options, 1)}
    right = {key for key in keys if keys[key]}
    if item.type == "number":
        yield from (
            ({"response1": {repr(item.value + by)}}, abs(by) < 0.005)
            for by in (0, 0.0049, -0.0049, 0.0051)
        )
    elif item.type == "one":
        yield from (({"response1": {key}}, keys[key]) for key in keys)
    else:
        yield from (({"response1": right ^ {key}}, False) for key in keys)
        yield {"response1": right}, True


def test_canvas_gives_all_points_to_right_answers_and_to_no_others(quiz: Quiz) -> None:
    for (_, _, item), found in zip(quiz.numbered(), items_of(canvas_package(quiz)), strict=True):
        for given, right in answers(item):
            assert (score(found, given) > 99.9) == right, (item.title, given)


def test_what_a_quiz_calls_right_the_question_judges_right(
    made: tuple[Sheet, ...], quiz: Quiz
) -> None:
    types = set()
    for item, exercise in asked(made, quiz):
        question, right = exercise.question, [o.words for o in item.options if o.right]
        types.add((question.kind, item.type))
        if item.type == "number":
            assert question.judge(f"{item.value:.9f}").right
        elif question.kind == "click":
            assert question.judge(frozenset(right)).right
        elif question.kind == "pair":
            assert question.judge(
                frozenset(pair for pair, words in question.options() if words in right)
            ).right
        elif question.input == "choice":
            assert {words: question.judge(key).right for key, words in question.choices()} == {
                o.words: o.right for o in item.options
            }
    expected = {
        ("prefers", "one"),
        ("click", "several"),
        ("pair", "several"),
        ("value", "number"),
        ("which", "one"),
    }
    assert expected <= types


def test_moodle_shares_are_its_own_and_add_up_to_the_whole_mark(quiz: Quiz) -> None:
    questions = [
        q for q in fromstring(moodle_xml(quiz)).iter("question") if q.get("type") != "category"
    ]
    for (_, _, item), question in zip(quiz.numbered(), questions, strict=True):
        shares = [answer.attrib["fraction"] for answer in question.findall("answer")]
        assert all(share.removeprefix("-") in MOODLE for share in shares)
        assert sum(float(share) for share in shares if float(share) > 0) == pytest.approx(
            100, abs=1e-3
        )
        if item.type != "number":
            assert [float(share) > 0 for share in shares] == [
                option.right for option in item.options
            ]


def test_moodle_meets_the_value_of_a_mistake_with_what_was_thought() -> None:
    (sheet,) = sheets(ExerciseRequest(kinds=("value",), measures=("hP",)), 1, 1)
    question, root = sheet.exercises[0].question, fromstring(moodle_xml(quiz_of_sheets([sheet])))
    right, *wrong = root.findall("question/answer")
    assert question.judge(f"{float(right.findtext('text') or 0):.9f}").right
    assert wrong
    for answer in wrong:
        verdict = question.judge(answer.findtext("text") or "")
        assert not verdict.right
        assert Markup(answer.findtext("feedback/text") or "").text.strip() == verdict.thought


def test_variants_of_an_exercise_stand_for_each_other(quiz: Quiz) -> None:
    root = fromstring(opened(canvas_package(quiz))["quiz/hiermeasures_quiz.xml"])
    groups = [s for s in root.iter(f"{Q}section") if s.get("ident") != "root_section"]
    assert len(groups) == sum(len(group) > 1 for group in quiz.groups)
    assert all(section.findtext(f".//{Q}selection_number") == "1" for section in groups)
    categories = [
        q.findtext("category/text")
        for q in fromstring(moodle_xml(quiz)).iter("question")
        if q.find("category")
    ]
    assert len(categories) == len(quiz.groups)
    assert categories[0] == "$course$/A & B/Exercise 1"


def test_an_independent_reader_finds_no_fault_in_any_package(quiz: Quiz, tmp_path: Path) -> None:
    lessons = [
        quiz_of_lesson(own_lesson(key)) for key in ("01-accuracy", "03-pairing", "06-confusion")
    ]
    for k, one in enumerate([quiz, *lessons]):
        file = tmp_path / f"{k}.zip"
        file.write_bytes(canvas_package(one))
        assert check_package(str(file)) == []


def test_labels_are_text_in_both_formats() -> None:
    tags = ["<img src=x onerror=f()", "</p", "<script", "a]]"]
    question = {"kind": "click", "set": "augmented(true)"}
    entry = {
        "title": "x",
        "hierarchy": [f"root>{tag}" for tag in tags],
        "true": tags[:2],
        "predicted": tags[2:],
    }
    worst = Exercise(CardEntry.model_validate({**entry, "measures": ["hF"], "question": question}))
    quiz = quiz_of_sheets([Sheet(" ".join(NASTY), 1, 1, 1, (worst, *hostile()))])
    root = fromstring(moodle_xml(quiz))
    written = [e.findtext("text") or "" for e in root.iter() if e.get("format") == "html"]
    texts = [
        e
        for item in items_of(canvas_package(quiz))
        for e in item.iter(f"{Q}mattext")
        if e.get("texttype") == "text/html"
    ]
    pages = [Markup(text) for text in (*written, *(e.text or "" for e in texts))]
    assert set().union(*(page.elements for page in pages)) <= {"p", "b", "img"}
    assert set().union(*(page.attributes for page in pages)) <= {"src", "alt", "width", "height"}
    said = " ".join(page.text for page in pages)
    for label in (r"\input{/etc/passwd}", "50% & more_or#less", *tags, "a^b~c{d}$e$"):
        assert label in said
    assert "\u202e" not in said


def test_what_no_quiz_can_ask_is_left_out_and_told() -> None:
    quiz = quiz_of_lesson(own_lesson("03-pairing"))
    assert any("instance is to be made" in words for words in quiz.told)
    assert any("several answers are right" in words for words in quiz.told)
    with pytest.raises(InputError, match="nothing to ask in a quiz"):
        quiz_of_sheets(sheets(ExerciseRequest(kinds=("make",)), 1, 1))


def test_the_command_writes_quizzes_of_exercises_and_of_a_lesson(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "sheet",
                "--number",
                "2",
                "--format",
                "moodle,canvas,html",
                "--out",
                str(tmp_path / "a"),
            ]
        )
        == 0
    )
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == [
        *("canvas.zip", "moodle.xml", "solutions.html", "worksheets.html")
    ]
    assert main(["sheet", "--lesson", "01-accuracy", "--out", str(tmp_path / "b")]) == 0
    assert sorted(file.name for file in (tmp_path / "b").iterdir()) == ["canvas.zip", "moodle.xml"]
    said = capsys.readouterr()
    assert "questions (moodle, canvas)" in said.out
    assert "not in the quiz: 'Your turn'" in said.err
    assert (
        main(["sheet", "--lesson", "01-accuracy", "--format", "tex", "--out", str(tmp_path / "c")])
        == 2
    )
    assert "not as tex" in capsys.readouterr().err
