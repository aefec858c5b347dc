"""Lessons for tests, written as a teacher would write them."""

from textwrap import indent

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach import Card, Lesson, read_lesson

HEAD = "lesson: A lesson\nlearns: Something.\nminutes: 5\ncards:\n"
# A>B A>C B>T1 B>P1 B>P2, T1 is true, P1 and P2 are predicted, D_max 5
FIGURE_11A = "case: kosmopoulos2015/figure-11a"
# T1 is true; first P1 is predicted, then C.
TWO = "hierarchy: A>B A>C B>T1 B>P1\ntrue: T1\npredicted: P1\nsecond: {predicted: C}"


def lesson_text(*cards: str) -> str:
    """The file of a lesson, of the entries of its cards without their titles."""
    return HEAD + "".join(f"  - title: A card\n{indent(card.strip(), '    ')}\n" for card in cards)


def lesson(*cards: str) -> Lesson:
    return read_lesson(lesson_text(*cards).encode(), "some.yaml")


def card(*entries: str) -> Card:
    """The only card of a lesson."""
    return lesson("\n".join(entries)).cards[0]


def asked(instance: str, question: str):
    """The question of a card."""
    found = card(instance, f"question: {{{question}}}").question
    assert found is not None
    return found


def refusal(*cards: str) -> str:
    """Return the message with which a lesson of these cards is refused."""
    with pytest.raises(InputError) as caught:
        lesson(*cards)
    return str(caught.value)
