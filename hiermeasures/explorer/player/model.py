"""The state of a person who takes lessons, as one immutable value: the place in a lesson, how far
each question has come, and the cards that are solved and seen. Every host holds one; screen.py says
what is drawn of it and what a person can do.

The answer to a question is found by a text (`key`), that of its card in a lesson, or of an
exercise. Judging is hiermeasures.lessons' work.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from random import Random, randrange
from typing import Any, Self

from hiermeasures.core.errors import InputError
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.player.final import SIZE, Final, final_of
from hiermeasures.explorer.player.inputs import INPUTS, Answer
from hiermeasures.explorer.player.marks import Marks
from hiermeasures.explorer.present import PRESENTED, Presenting, presenting_in
from hiermeasures.lessons.cards import Card, Lesson
from hiermeasures.lessons.questions import Given, Question
from hiermeasures.picture.text import sentence

LESSON, CARD, SIDES, FINAL = "lesson", "card", "sides", "final"  # the parameters of an address, with PRESENTED
COURSE = "course"  # the key of the shelf with the course
PRACTICE = "practice/"  # before the keys of exercises' answers
MOST_DRAWN = 10**4  # draws of sides


@dataclass(frozen=True)
class Shelf:
    """Lessons of the list, by their index (index.py), below a title, and faults of others."""

    key: str
    index: Callable[[], Sequence[Mapping[str, Any]]]
    title: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Host:
    """The host's part: the lesson of a key (InputError where there is none), and the key of the
    one that is listed after another ("": none). `shelves` lists them. `draft` is the key
    of the lesson that is being written, whose cards lead back to its form. Cards whose keys begin
    with one of `passing` are not marked: their lessons are of the session alone. `beside` is what
    stands beside a presented card, given that and the key of its answer.
    """

    lesson: Callable[[str], Lesson]
    following: Callable[[str], str] = lambda key: ""
    shelves: Callable[[], Sequence[Shelf]] = tuple
    draft: str = ""
    passing: tuple[str, ...] = (PRACTICE,)
    beside: Callable[[Card, str], Controls] = lambda card, key: ()

    @classmethod
    def of(cls, index: Sequence[Mapping[str, Any]], lesson: Callable[[str], Lesson]) -> "Host":
        """Return the lessons of an index, one after the other."""
        after = dict(pairwise(entry["key"] for entry in index))
        return cls(lesson, lambda key: after.get(key, ""), lambda: (Shelf(COURSE, lambda: index),))


@dataclass(frozen=True)
class Place:
    """A card of a lesson, counted from 0; `key` is the lesson's on its shelf, `sides` the player's."""

    lesson: Lesson
    index: int
    key: str
    sides: int = 0

    @property
    def card(self) -> Card:
        """The card, with two predictions in the places that were drawn for them."""
        card = self.lesson.cards[self.index]
        if not (self.sides and card.draws_sides):
            return card
        return card.exchanged if Random(f"{self.sides} {self.lesson.title} {self.index}").random() < 0.5 else card

    @property
    def card_key(self) -> str:
        return f"{self.key}/{self.index}"

    @cached_property
    def known(self) -> frozenset[str]:
        """The words of the lesson up to this card: a measure among them can be spoken of."""
        cards = self.lesson.cards[: self.index + 1]
        said = " ".join(piece.text for card in cards for pieces in card.text for piece in pieces)
        return frozenset(re.findall(r"\w+", said)).union(*(card.measures for card in cards))

    @property
    def words(self) -> str:
        return f"{self.index + 1} / {len(self.lesson.cards)}"


@dataclass(frozen=True)
class Player:
    """The place: a lesson's key ("" is the list of lessons) and a card of it, counted from 0.
    `marks` are what was solved and seen; `chosen` is the measure that was chosen on each card,
    `presenting` how far the presentation of the card is, where it is presented. `final` is the test
    that is taken. `sides` is the seed by which two predictions to choose from are placed (0: as
    they are written); it is part of a card's link, so that who opens it sees the same. `wish` is
    what a person asked of the host: "explorer" or "form". `menu` and `faults` are the controls'
    (controls.py).
    """

    host: Host
    lesson: str = ""
    card: int = 0
    answers: Mapping[str, Answer] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    chosen: Mapping[str, str] = field(default_factory=dict)
    presenting: Presenting | None = None
    final: Final | None = None
    sides: int = 0
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
        return Place(lesson, min(self.card, len(lesson.cards) - 1), self.lesson, self.sides)

    # --- from card to card ----------------------------------------------------------------------

    def going(self, lesson: str, card: int = 0) -> Self:
        """Return a copy at a card of a lesson; at the list for "" and for an unknown one."""
        at = replace(self, lesson=lesson, card=max(card, 0), final=None, faults={})
        if (place := at.place) is not None:
            return at if place.card.question is not None else at.marked(place.card_key)
        if not lesson:
            return at
        try:
            self.host.lesson(lesson)
        except InputError as fault:
            return at.refused(sentence(fault))
        return at

    def refused(self, reason: str) -> Self:
        """Return a copy at the list, with a message."""
        return replace(self, lesson="", card=0, faults={LESSON: reason})

    def stepping(self, by: int) -> Self:
        """Return a copy at the next card, lesson or list, or at the card before."""
        if (at := self.place) is None:
            return self
        if at.index + by >= len(at.lesson.cards):
            return self.going(self.host.following(at.key))
        return self.going(at.key, at.index + by) if at.index + by >= 0 else self

    def marked(self, key: str, *, solved: bool = False) -> Self:
        """Return a copy with a card marked as seen, or as solved."""
        return self if key.startswith(self.host.passing) else replace(self, marks=self.marks.adding(key, solved=solved))

    # --- answers --------------------------------------------------------------------------------

    def answer(self, key: str) -> Answer:
        return self.answers.get(key, Answer())

    def with_answer(self, key: str, **parts: Any) -> Self:
        return replace(self, answers={**self.answers, key: replace(self.answer(key), **parts)})

    def entering(self, key: str, given: Given | None) -> Self:
        """Return a copy with what was entered, while the question is open."""
        return self.with_answer(key, given=given, end=None) if self.answer(key).open else self

    def checking(self, question: Question, key: str) -> Self:
        """Return a copy with the answer judged; InputError without an answer. After a first wrong
        answer another may be given; after the second the solution is shown.
        """
        at = self.answer(key)
        if not at.open:
            return self
        if at.given is None or at.given == "":
            raise InputError(INPUTS[question.input].nothing_yet)
        verdict = question.judge(at.given)
        if verdict.right or (at.miss is not None and verdict.given != at.miss.given):
            return self.with_answer(key, verdict=verdict, end=None).marked(key, solved=verdict.right)
        if at.miss is not None:
            raise InputError("that was your answer before; change it, or have the answer shown")
        return self.with_answer(key, miss=verdict, end=None)

    def revealing(self, question: Question | None, key: str) -> Self:
        """Return a copy with the hidden things and the answer shown."""
        verdict = question.judge(question.answer()) if question is not None else None
        return self.with_answer(key, verdict=verdict, revealed=True, end=None).marked(key)

    def revealing_all(self, card: Card, key: str) -> Self:
        """Return a copy with all that a card hides revealed, where it hides or asks anything."""
        shows = card.question is not None or card.hidden
        return self.revealing(card.question, key) if shows and self.answer(key).open else self

    def again(self, key: str) -> Self:
        """Return a copy with the question open again; what was entered stays and can be changed."""
        at = self.answer(key)
        fresh = Answer(None if at.revealed else at.given, unfolded=at.unfolded)
        return replace(self, answers={**self.answers, key: fresh})

    # --- the final ------------------------------------------------------------------------------

    def taking(self, final: Final) -> Self:
        """Return a copy at a final. If it was handed in, its answers are judged anew; if not,
        answers entered before stay.
        """
        if not final.handed:
            return replace(self, final=final, faults={})
        return replace(self, final=final, answers={**self.answers, **final.judged()}, faults={})

    def handing_in(self) -> Self:
        """Return a copy with the final's answers judged; InputError for the first invalid one."""
        assert self.final is not None
        given = [self.answer(self.final.key(k)).given for k in range(SIZE)]
        final = self.final.handing_in(given)
        return replace(self.taking(final), marks=self.marks.with_final(final.word))

    # --- the address ----------------------------------------------------------------------------

    def parameters(self) -> dict[str, str]:
        """Parameters of an address for the card that is shown, and how far it is presented."""
        return {**self.card_parameters(), **(self.presenting.parameters() if self.presenting else {})}

    def card_parameters(self) -> dict[str, str]:
        """Parameters of an address for the card alone, where it can be answered."""
        if self.final is not None:
            return {FINAL: self.final.word}
        at = {LESSON: self.lesson, CARD: str(self.card + 1)} if self.lesson else {}
        place = self.place
        return {**at, SIDES: str(self.sides)} if place is not None and place.card.draws_sides else at

    def at(self, parameters: Mapping[str, str]) -> Self:
        """Return a copy at the card that an address names; at the list if there is no such card."""
        asked = {name: parameters[name] for name in (LESSON, CARD, SIDES, FINAL, *PRESENTED) if name in parameters}
        at = replace(self, presenting=presenting_in(asked))
        try:
            if FINAL in asked:
                return replace(at.going(""), presenting=None).taking(final_of(asked[FINAL]))
            if SIDES in asked and (sides := sides_of(asked[SIDES])) != at.sides:
                at = replace(at, sides=sides, answers={})  # which named the sides that were
            at = at.going(asked.get(LESSON, ""), card_number(asked.get(CARD, "1")))
        except InputError as fault:
            return at.refused(sentence(fault))
        if at.place is None or at.presenting is None or not at.presenting.everything:
            return at
        return at.revealing_all(at.place.card, at.place.card_key)


def new_sides() -> int:
    """Draw the sides of a session."""
    return randrange(1, MOST_DRAWN)


def sides_of(text: str) -> int:
    """Read the seed of sides of an address; InputError for an invalid one."""
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InputError("the address does not say which prediction comes first: 'sides' is a number")
    return int(text)


def card_number(text: str) -> int:
    """The card that an address names, counted from 0 here.

    >>> card_number("3")
    2
    """
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= 1):
        raise InputError("the address names no card: its number counts from 1")
    return int(text) - 1
