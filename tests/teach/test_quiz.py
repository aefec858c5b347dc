"""Quizzes for learning platforms: what is right there is right here, pictures are with them, labels
are no markup.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from hiermeasures.cli import main
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach.cards import CardEntry
from hiermeasures.teach.exercises import Exercise, ExerciseRequest
from hiermeasures.teach.library import own_lesson
from hiermeasures.teach.quiz import Quiz, QuizItem, moodle_xml, quiz_of_lesson, quiz_of_sheets
from hiermeasures.teach.sheets import Sheet, sheets
from tests.latex import NASTY
from tests.teach.test_sheets import Markup, hostile

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
    yield from ((item, exercises[item.title]) for item in quiz.items)


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
    for item, question in zip(quiz.items, questions, strict=True):
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
    categories = [
        q.findtext("category/text")
        for q in fromstring(moodle_xml(quiz)).iter("question")
        if q.find("category")
    ]
    assert len(categories) == len(quiz.groups)
    assert categories[0] == "$course$/A & B/Exercise 1"


def test_labels_are_text() -> None:
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
    pages = [Markup(text) for text in written]
    assert set().union(*(page.elements for page in pages)) <= {"p", "b", "img"}
    assert set().union(*(page.attributes for page in pages)) <= {"src", "alt", "width", "height"}
    said = " ".join(page.text for page in pages)
    for label in (r"\input{/etc/passwd}", "50% & more_or#less", *tags, "a^b~c{d}$e$"):
        assert label in said
    assert "\u202e" not in said


def test_what_no_quiz_can_ask_is_left_out_and_told() -> None:
    quiz = quiz_of_lesson(own_lesson("03-pairing"))
    assert any("instance is to be made" in words for words in quiz.told)
    assert any("several answers" in words for words in quiz.told)
    with pytest.raises(InputError, match="no question fits into a quiz"):
        quiz_of_sheets(sheets(ExerciseRequest(kinds=("make",)), 1, 1))


def test_the_command_writes_quizzes_of_exercises_and_of_a_lesson(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exercises = ["sheet", "--number", "2", "--format", "moodle,html", "--out", str(tmp_path / "a")]
    assert main(exercises) == 0
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == [
        *("moodle.xml", "solutions.html", "worksheets.html")
    ]
    lesson = ["sheet", "--lesson", "01-accuracy", "--out", str(tmp_path / "b")]
    assert main(lesson) == 0
    assert [file.name for file in (tmp_path / "b").iterdir()] == ["moodle.xml"]
    assert "'Your turn'" in capsys.readouterr().err  # left out of the quiz
    assert main([*lesson[:-1], str(tmp_path / "c"), "--format", "tex"]) == 2
    assert main([*exercises[:-1], str(tmp_path / "c"), "--format", "canvas"]) == 2
    assert not (tmp_path / "c").exists()
    assert "canvas" in capsys.readouterr().err
