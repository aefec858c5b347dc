"""Words for what lessons compute: no text that a student sees shows how a quantity is written, in any
state of any card, of an exercise, on a sheet or in a quiz; and names for the instances of a card.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from hiermeasures.explore.outbox import Receiver
from hiermeasures.explore.present import Presenting
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import Instance
from hiermeasures.teach import KINDS, Card, Lesson, load_lessons
from hiermeasures.teach.exercises import ExerciseRequest, exercise, left_out
from hiermeasures.teach.player.model import Player, PlayerHost
from hiermeasures.teach.player.screen import drawn, screen
from hiermeasures.teach.questions import Given, Question
from hiermeasures.teach.quiz import moodle_xml, quiz_of_lesson, quiz_of_sheets
from hiermeasures.teach.random_instances import MEASURES, Difficulty
from hiermeasures.teach.sheets import sheet_files, sheets
from tests.teach import FIGURE_11A, TWO, asked, card

CALL = re.compile(r"\b[A-Za-z_]\w*\((?!s\))[^()]*\)")  # class(es) is a word
NAME = re.compile(r"\b\w+_second\b|(?<![\w.])[a-z_]+\.(?:shared|true|predicted|TP|FP|FN|union)\b")
NOT_SEEN = {"key", "scripts", "src", "session", "address", "picture", "image"}


def written(text: str) -> list[str]:
    """The parts of a text that show how something is written in a lesson file."""
    return [match[0] for match in (*CALL.finditer(text), *NAME.finditer(text))]


def strings(data: Any) -> Iterator[str]:
    """What a person can read of the data that a browser gets."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from (
            text for name, part in data.items() if name not in NOT_SEEN for text in strings(part)
        )
    elif isinstance(data, list | tuple):
        yield from (text for part in data for text in strings(part))


def wrong_answers(question: Question) -> Iterator[Given]:
    """Two wrong answers, where some are known without knowing the question."""
    offered: dict[str, list[Given]] = {
        "choice": [key for key, _ in question.choices()],
        "number": ["-17", "0.123"],
        "classes": [frozenset({label}) for label in question.instances[0].hierarchy.nodes],
        "pairs": [frozenset({pair}) for pair, _ in question.options()],  # type: ignore[list-item]
        "instance": [question.instances[0]],
    }
    found: set[Any] = set()
    for given in offered[question.input]:
        try:
            verdict = question.judge(given)
        except InputError:
            continue
        said = verdict.given if not isinstance(verdict.given, Instance) else None
        if not verdict.right and said not in found and len(found) < 2:
            found.add(said)
            yield given


def states(at: Player, key: str, question: Question | None) -> Iterator[Player]:
    """A card as it is asked, missed, answered wrongly, answered right, shown, and presented."""
    yield at
    yield replace(at, presenting=Presenting())
    if question is None:
        return
    yield at.revealing(question, key)
    yield at.entering(key, question.answer()).checking(question, key)
    missed = at
    for given in wrong_answers(question):
        missed = missed.entering(key, given).checking(question, key)
        yield missed


def player_of(lesson: Lesson) -> Player:
    return Player(PlayerHost(lambda key: lesson)).going(lesson.key)


@cache
def course() -> tuple[Lesson, ...]:
    return load_lessons().lessons


def seen(lesson: Lesson, k: int, one: Card) -> Iterator[str]:
    for sides in (0, 1):
        shown = one.exchanged if sides and one.draws_sides else one
        shown = replace(shown, source="")  # the label of a figure in its paper
        at = player_of(replace(lesson, cards=(shown,)))
        for state in states(at, f"{lesson.key}/0", shown.question):
            yield from strings(drawn(state, Receiver("token"), screen(state)))


@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.key)
def test_no_card_shows_a_student_how_a_quantity_is_written(lesson: Lesson) -> None:
    shown = [
        (k, part)
        for k, one in enumerate(lesson.cards, 1)
        for text in seen(lesson, k, one)
        for part in written(text)
    ]
    assert sorted(set(shown)) == []


@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.key)
def test_no_quiz_of_a_lesson_does(lesson: Lesson) -> None:
    text = re.sub(
        r"<file .*?</file>", "", moodle_xml(quiz_of_lesson(lesson)).decode(), flags=re.DOTALL
    )
    assert sorted({part for part in written(text) if not part.startswith("rgb")}) == []


@pytest.mark.parametrize("dag", [False, True])
def test_no_exercise_does_nor_its_sheet_nor_its_quiz(dag: bool) -> None:
    wanted = Difficulty(classes=8, dag=dag, measures=MEASURES)
    impossible = left_out(KINDS, wanted)
    request = ExerciseRequest(
        kinds=tuple(k for k in KINDS if k not in impossible), classes=8, dag=dag
    )
    lesson = Lesson("drawn", "Drawn", "", 1, [exercise(request, 5, k).card for k in range(1, 22)])
    texts = [text for k, one in enumerate(lesson.cards, 1) for text in seen(lesson, k, one)]
    made = sheets(request, 5, number=14)
    pages = [
        re.sub(r"<(svg|style).*?</\1>", "", page, flags=re.DOTALL)
        for _, page in sheet_files(made, ("html",))
    ]
    quiz = re.sub(
        r"<file .*?</file>", "", moodle_xml(quiz_of_sheets(made)).decode(), flags=re.DOTALL
    )
    assert sorted({part for text in (*texts, *pages, quiz) for part in written(text)}) == []


@pytest.mark.parametrize(
    ("instance", "question", "words"),
    [
        (TWO, "kind: value, value: samples(hR), answer: 1/2", "the mean hR over both predictions"),
        (TWO, "kind: value, value: hF_second, answer: 0.4", "hF of the second prediction"),
        (
            FIGURE_11A,
            "kind: value, value: 'FP(counts, 1)', answer: 1",
            "the number of false positives at level 1",
        ),
        (
            FIGURE_11A,
            "kind: value, value: 'distance(P1, C)', answer: 3",
            "the distance from P1 to C",
        ),
        (
            *(FIGURE_11A, "kind: value, value: 'sign(hF, {T1}, {T1}, {B})', answer: 1/2"),
            "the sign test's p-value for hF over T1",
        ),
        (
            FIGURE_11A,
            "kind: value, value: 'hF({T1}, {P1})', answer: 2/3",
            "hF of the answer P1 for the truth T1",
        ),
        (FIGURE_11A, "kind: value, value: 'min(hP, hR)', answer: 1/2", "the smallest of hP, hR"),
    ],
)
def test_a_quantity_has_a_name_in_the_question_and_in_its_explanation(
    instance: str, question: str, words: str
) -> None:
    found = asked(instance, question)
    assert found.words.startswith(f"What is {words}?")
    why = found.judge(found.answer()).why
    assert words.lower() in why.lower() or "It is " in why


@pytest.mark.parametrize(
    ("second", "captions"),
    [
        ("{predicted: C}", ("First prediction", "Second prediction")),
        ("{options: {dmax: 50}}", ("First: D_max = 5", "Second: D_max = 50")),
        (
            "{options: {count_root: no}}",
            ("First: the root counted", "Second: the root not counted"),
        ),
        ("{options: {graphs: extended}}", ("First: minimal graphs", "Second: extended graphs")),
        ("{true: P1, predicted: T1}", ("First: T1 is true", "Second: P1 is true")),
        ("{hierarchy: A>B A>C B>T1 B>P1 B>P2 C>D}", ("First hierarchy", "Second hierarchy")),
    ],
)
def test_two_drawings_are_headed_by_what_differs(second: str, captions: tuple[str, str]) -> None:
    made = card(FIGURE_11A, f"second: {second}")
    at = player_of(Lesson("some", "Some", "", 1, (made,)))
    texts = list(strings(drawn(at, Receiver("token"), screen(at))))
    assert all(caption in texts for caption in captions)


def test_a_question_for_the_reason_does_not_name_the_option_that_is_the_reason() -> None:
    made = card(
        *(FIGURE_11A, "second: {options: {count_root: no}}", "measures: hF"),
        "question: {kind: why, reasons: The root counts once | The answers differ}",
    )
    at = player_of(Lesson("some", "Some", "", 1, (made,)))
    texts = list(strings(drawn(at, Receiver("token"), screen(at))))
    assert "First value" in texts
    assert not any(text.startswith("First: ") for text in texts)
    assert made.question is not None
    shown = at.revealing(made.question, "some/0")
    assert "First: the root counted" in list(
        strings(drawn(shown, Receiver("token"), screen(shown)))
    )


@pytest.mark.parametrize(
    ("instance", "question", "hint"),
    [
        (
            FIGURE_11A,
            "kind: click, set: augmented(predicted), answer: A B P1 P2",
            "the predicted classes",
        ),
        (FIGURE_11A, "kind: click, set: augmented(true), answer: A B T1", "the true classes"),
        (FIGURE_11A, "kind: which, choices: f1 accuracy, says: X = 0, hint: Look", "Look"),
    ],
)
def test_a_hint_is_about_what_is_asked(instance: str, question: str, hint: str) -> None:
    if "which" in question:
        question = question.replace("f1 accuracy", "f1 hF") + ", answer: f1"
    found = asked(instance, question).hint()
    assert hint in found
    assert "both sides" not in found


def test_hints_of_several_measures_name_the_measure_of_each() -> None:
    of = asked(
        FIGURE_11A, "kind: which, choices: f1 hP hF F_LCA, says: X < 1/2, answer: f1 F_LCA"
    ).hint()
    parts = re.split(r"(?:^|(?<=\. ))([A-Za-z_0-9, ]+): ", of)[1::2]
    assert parts == ["f1", "hP and hF", "F_LCA"]
    assert (
        ":"
        not in asked(FIGURE_11A, "kind: which, choices: hP hF, says: X = 1/2, answer: hP").hint()
    )


@pytest.mark.parametrize(
    ("instance", "question", "form"),
    [
        (FIGURE_11A, "kind: value, value: 'FP(counts, 1)', answer: 1", "count"),
        (FIGURE_11A, "kind: value, value: SDL, answer: 3", "count"),
        (FIGURE_11A, "kind: value, value: HCM_FP, answer: 3", "count"),
        (FIGURE_11A, "kind: value, value: GIE, answer: 7", "number"),
        (FIGURE_11A, "kind: value, value: 'P(counts, 0)', answer: 1/2", "share"),
        (FIGURE_11A, "kind: value, value: hF, answer: 4/7", "share"),
        (TWO, "kind: value, value: samples(hR), answer: 1/2", "share"),
        (TWO, "kind: value, value: samples(TIE), answer: 2.5", "number"),
    ],
)
def test_a_question_for_a_number_of_things_asks_for_no_fraction(
    instance: str, question: str, form: str
) -> None:
    made = card(instance, f"question: {{{question}}}")
    assert made.question is not None
    at = player_of(Lesson("some", "Some", "", 1, (made,)))
    texts = list(strings(drawn(at, Receiver("token"), screen(at))))
    assert made.question.form == form
    assert any("2/3" in text for text in texts) is (form == "share")
    assert any("whole number" in text for text in texts) is (form == "count")
    sent = moodle_xml(quiz_of_lesson(Lesson("some", "Some", "", 1, (made,)))).decode()
    assert ("Enter a whole number" in sent, "Enter a decimal" in sent) == (
        form == "count",
        form != "count",
    )


@pytest.mark.parametrize(
    ("entries", "hidden"),
    [
        ("question: {kind: value, value: hF, answer: 4/7}", {"values"}),
        ("question: {kind: which, choices: hF f1, says: X = 0, answer: f1}", {"values"}),
        ("question: {kind: why, reasons: a | b}", {"values"}),
        ("question: {kind: make, condition: hF > 0.9, answer: T1}", set()),
        ("question: {kind: click, set: augmented(true), answer: A B T1}", set()),
        ("hidden: []\nquestion: {kind: value, value: hF, answer: 4/7}", set()),
        ("hidden: view\nquestion: {kind: value, value: hF, answer: 4/7}", {"view"}),
        ("text: Nothing is asked.", set()),
    ],
)
def test_values_are_hidden_where_the_question_asks_about_them_unless_the_author_says_otherwise(
    entries: str, hidden: set[str]
) -> None:
    assert card(FIGURE_11A, "measures: hF", entries).hidden == hidden
