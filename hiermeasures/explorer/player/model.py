"""The state of a person who takes lessons, as one immutable value: the place in a lesson, how far
each question has come, and the cards that are done. Every host holds one; screen.py says what is
drawn of it and what a person can do.

The answer to a question is found by a text (`key`), that of its card in a lesson, or of an exercise.
Judging is hiermeasures.lessons' work.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Self

from hiermeasures.core.errors import InputError
from hiermeasures.explorer.player.inputs import INPUTS, Answer
from hiermeasures.explorer.present import PRESENTED, Presenting, presenting_in
from hiermeasures.lessons.cards import Card, Lesson
from hiermeasures.lessons.questions import Given, Question
from hiermeasures.picture.text import sentence

LESSON, CARD = "lesson", "card"  # the parameters of an address, with PRESENTED


@dataclass(frozen=True)
class Host:
    """The host's part: the lesson of a key (InputError where there is none), and the key of the
    one that is listed after another ("": none). `index` lists them (index.py). `draft` is the key
    of the lesson that is being written, whose cards lead back to its form.
    """

    lesson: Callable[[str], Lesson]
    following: Callable[[str], str] = lambda key: ""
    index: Sequence[Mapping[str, Any]] = ()
    draft: str = ""

    @classmethod
    def of(cls, index: Sequence[Mapping[str, Any]], lesson: Callable[[str], Lesson]) -> "Host":
        """Return the lessons of an index, one after the other."""
        after = dict(pairwise(entry["key"] for entry in index))
        return cls(lesson, lambda key: after.get(key, ""), index)


@dataclass(frozen=True)
class Place:
    """A card of a lesson, counted from 0; `key` is that of the lesson on its shelf."""

    lesson: Lesson
    index: int
    key: str

    @property
    def card(self) -> Card:
        return self.lesson.cards[self.index]

    @property
    def card_key(self) -> str:
        return f"{self.key}/{self.index}"


@dataclass(frozen=True)
class Player:
    """The place: a lesson's key ("" is the list of lessons) and a card of it, counted from 0. `met`
    are the cards that were read and answered, by their keys; `chosen` is the measure that was
    chosen on each card, `presenting` how far the presentation of the card is, where it is
    presented. `wish` is what a person asked of the host: "explorer" or "form". `menu` and `faults`
    are the controls' (controls.py).
    """

    host: Host
    lesson: str = ""
    card: int = 0
    answers: Mapping[str, Answer] = field(default_factory=dict)
    met: frozenset[str] = frozenset()
    chosen: Mapping[str, str] = field(default_factory=dict)
    presenting: Presenting | None = None
    wish: str = ""
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> Place | None:
        """The card that is shown; None while the list is, or where the lesson is not there."""
        if not self.lesson:
            return None
        try:
            lesson = self.host.lesson(self.lesson)
        except InputError:
            return None
        return Place(lesson, min(self.card, len(lesson.cards) - 1), self.lesson)

    # --- from card to card --------------------------------------------------------------------------------------

    def going(self, lesson: str, card: int = 0) -> Self:
        """The same at a card of a lesson; "" is the list, which says where one is not there."""
        at = replace(self, lesson=lesson, card=max(card, 0), faults={})
        if (place := at.place) is not None:
            return at if place.card.question is not None else replace(at, met=at.met | {place.card_key})
        if not lesson:
            return at
        try:
            self.host.lesson(lesson)
        except InputError as fault:
            return at.refused(sentence(fault))
        return at

    def refused(self, reason: str) -> Self:
        """The same at the list, which says why."""
        return replace(self, lesson="", card=0, faults={LESSON: reason})

    def stepping(self, by: int) -> Self:
        """The same at the next card or the one before; after the last comes the next lesson, or the
        list.
        """
        if (at := self.place) is None:
            return self
        if at.index + by >= len(at.lesson.cards):
            return self.going(self.host.following(at.key))
        return self.going(at.key, at.index + by) if at.index + by >= 0 else self

    def met_of(self, key: str, cards: int) -> int:
        """Number of cards of a lesson that are done."""
        return sum(f"{key}/{k}" in self.met for k in range(cards))

    def verdicts_of(self, key: str, cards: int) -> list[bool]:
        """For each question of a lesson that was answered here, whether that was right."""
        found = [self.answer(f"{key}/{k}") for k in range(cards)]
        return [a.verdict.right and not a.revealed for a in found if a.verdict is not None]

    # --- answers ------------------------------------------------------------------------------------------------

    def answer(self, key: str) -> Answer:
        return self.answers.get(key, Answer())

    def with_answer(self, key: str, **parts: Any) -> Self:
        return replace(self, answers={**self.answers, key: replace(self.answer(key), **parts)})

    def entering(self, key: str, given: Given | None) -> Self:
        """The same with what was entered, while the question is open."""
        return self.with_answer(key, given=given, end=None) if self.answer(key).open else self

    def checking(self, question: Question, key: str) -> Self:
        """The same with the answer judged; InputError where it is none."""
        at = self.answer(key)
        if not at.open:
            return self
        if at.given is None or at.given == "":
            raise InputError(INPUTS[question.input].nothing_yet)
        made = self.with_answer(key, verdict=question.judge(at.given), end=None)
        return replace(made, met=made.met | {key})

    def revealing(self, question: Question | None, key: str) -> Self:
        """The same with what is hidden shown, and the answer."""
        verdict = question.judge(question.answer()) if question is not None else None
        made = self.with_answer(key, verdict=verdict, revealed=True, end=None)
        return replace(made, met=made.met | {key})

    def revealing_all(self) -> Self:
        """The same with all that the card hides revealed, where it hides or asks anything."""
        if (at := self.place) is None or not self.answer(at.card_key).open:
            return self
        shows = at.card.question is not None or at.card.hidden
        return self.revealing(at.card.question, at.card_key) if shows else self

    def again(self, key: str) -> Self:
        """The same with the question asked anew; what was entered stays to be changed."""
        at = self.answer(key)
        fresh = Answer(None if at.revealed else at.given, unfolded=at.unfolded)
        return replace(self, answers={**self.answers, key: fresh})

    # --- the address --------------------------------------------------------------------------------------------

    def parameters(self) -> dict[str, str]:
        """Parameters of an address for the card that is shown, and how far it is presented."""
        if not self.lesson:
            return {}
        card = {LESSON: self.lesson, CARD: str(self.card + 1)}
        return {**card, **(self.presenting.parameters() if self.presenting else {})}

    def at(self, parameters: Mapping[str, str]) -> Self:
        """The same at the card that an address names; one that is not there is said on the list."""
        asked = {name: parameters[name] for name in (LESSON, CARD, *PRESENTED) if name in parameters}
        at = replace(self, presenting=presenting_in(asked))
        try:
            at = at.going(asked.get(LESSON, ""), card_number(asked.get(CARD, "1")))
        except InputError as fault:
            return at.refused(sentence(fault))
        return at.revealing_all() if at.presenting and at.presenting.everything else at


def card_number(text: str) -> int:
    """The card that an address names, counted from 0 here.

    >>> card_number("3")
    2
    """
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= 1):
        raise InputError("the address names no card: its number counts from 1")
    return int(text) - 1
