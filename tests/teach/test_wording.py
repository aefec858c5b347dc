"""Words for what lessons compute: names of quantities, of the instances of a card, and hints."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from hiermeasures.explore.outbox import Receiver
from hiermeasures.teach import Lesson
from hiermeasures.teach.player.model import Player, PlayerHost
from hiermeasures.teach.player.screen import draw_player, screen
from hiermeasures.teach.quiz import moodle_xml, quiz_of_lesson
from tests.teach import FIGURE_11A, TWO, asked, card

NOT_SEEN = {"key", "scripts", "src", "session", "address", "picture", "image"}


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


def player_of(lesson: Lesson) -> Player:
    return Player(PlayerHost(lambda key: lesson)).going(lesson.key)


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
    texts = list(strings(draw_player(at, Receiver("token"), screen(at))))
    assert all(caption in texts for caption in captions)


def test_a_question_for_the_reason_does_not_name_the_option_that_is_the_reason() -> None:
    made = card(
        *(FIGURE_11A, "second: {options: {count_root: no}}", "measures: hF"),
        "question: {kind: why, reasons: The root counts once | The answers differ}",
    )
    at = player_of(Lesson("some", "Some", "", 1, (made,)))
    texts = list(strings(draw_player(at, Receiver("token"), screen(at))))
    assert "First value" in texts
    assert not any(text.startswith("First: ") for text in texts)
    assert made.question is not None
    shown = at.revealing(made.question, "some/0")
    assert "First: the root counted" in list(
        strings(draw_player(shown, Receiver("token"), screen(shown)))
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
    texts = list(strings(draw_player(at, Receiver("token"), screen(at))))
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
