"""Words for what lessons compute: names of quantities, of the instances of a card, and hints."""

from collections.abc import Iterator
from typing import Any

import pytest

from hiermeasures.explore.outbox import Inbox
from hiermeasures.teach import Lesson
from hiermeasures.teach.player.model import Player, PlayerHost
from hiermeasures.teach.player.screen import draw_player, screen
from hiermeasures.teach.quiz import moodle_xml, quiz_of_lesson
from tests.teach import FIGURE_11A, TWO, card

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


def test_a_question_for_the_reason_does_not_name_the_option_that_is_the_reason() -> None:
    made = card(
        *(FIGURE_11A, "second: {options: {count_root: no}}", "measures: hF"),
        "question: {kind: why, reasons: The root counts once | The answers differ}",
    )
    at = player_of(Lesson("some", "Some", "", 1, (made,)))
    texts = list(strings(draw_player(at, Inbox("token"), screen(at))))
    assert "First value" in texts
    assert not any(text.startswith("First: ") for text in texts)
    assert made.question is not None
    shown = at.revealing(made.question, "some/0")
    assert "First: the root counted" in list(
        strings(draw_player(shown, Inbox("token"), screen(shown)))
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
    texts = list(strings(draw_player(at, Inbox("token"), screen(at))))
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
