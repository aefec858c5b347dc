"""The state of the player of lessons as one immutable value.

The state contains the place in a lesson, the state of each question, and the solved and seen cards.
Every host has one state. screen.py draws it with its controls.

Exercises are a lesson with random cards. Answers have the keys of their cards. Questions judge
their answers (hiermeasures.teach.questions).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Self

from hiermeasures.draw.text import sentence
from hiermeasures.explore.controls import Controls
from hiermeasures.explore.present import PRESENTED, Presenting, presenting_in
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach.cards import Card, Lesson
from hiermeasures.teach.exercises import ExerciseRequest, exercise
from hiermeasures.teach.library import find_key, short_key
from hiermeasures.teach.player.inputs import INPUTS, AnswerState
from hiermeasures.teach.questions import Given, Question

LESSON, CARD = "lesson", "card"  # parameters of an address, with PRESENTED
STUDENT = "student"  # the parameter of a link that is handed out to students
COURSE = "course"  # the key of the shelf with the course
DRAWN = "practice/"  # the key of a lesson that is drawn at random begins with it


@dataclass(frozen=True)
class Exercises(Sequence[Card]):
    """The first exercises of a seed as cards. Each is drawn on demand."""

    wanted: ExerciseRequest
    seed: str
    number: int

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, k: int) -> Card:  # type: ignore[override]  # no slice is taken of them
        if not 0 <= k < self.number:
            raise IndexError(k)
        found = _drawn(self.wanted, self.seed, k + 1)
        if isinstance(found, str):
            raise InputError(found)
        return replace(found, title=f"Exercise {k + 1}")


@lru_cache(maxsize=256)
def _drawn(wanted: ExerciseRequest, seed: str, number: int) -> Card | str:
    """Return an exercise, or the reason why the draw failed. The result is cached, because it takes
    seconds.
    """
    try:
        return exercise(wanted, seed, number).card
    except InputError as fault:
        return str(fault)


MOST_KEYS = 200  # of each kind that are taken from a browser
LONGEST_KEY = 40  # characters


@dataclass(frozen=True)
class Marks:
    """The keys of `solved` cards, answered right, and of `seen` cards, read completely.

    >>> Marks().adding("a/0").adding("a/1", solved=True).of("a", 3)
    (1, 2)
    """

    solved: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()

    def adding(self, key: str, *, solved: bool = False) -> "Marks":
        return replace(
            self, solved=self.solved | {key} if solved else self.solved, seen=self.seen | {key}
        )

    def of(self, lesson: str, cards: int) -> tuple[int, int]:
        """Count a lesson's solved cards and its seen cards."""
        keys = {f"{lesson}/{k}" for k in range(cards)}
        return len(keys & self.solved), len(keys & self.seen)

    def word(self, key: str) -> str:
        return "solved" if key in self.solved else "seen" if key in self.seen else ""

    def as_data(self) -> dict[str, list[str]]:
        return {"solved": sorted(self.solved), "seen": sorted(self.seen)}

    def with_kept(self, kept: Mapping[str, Any]) -> "Marks":
        """Return a copy with marks from a browser, which are untrusted."""
        solved, seen = _keys(kept.get("solved")), _keys(kept.get("seen"))
        return replace(self, solved=self.solved | solved, seen=self.seen | seen | solved)


def _keys(found: Any) -> frozenset[str]:
    listed = found[:MOST_KEYS] if isinstance(found, list) else []
    return frozenset(key for key in listed if isinstance(key, str) and 0 < len(key) <= LONGEST_KEY)


@dataclass(frozen=True)
class Shelf:
    """A title with lessons, by their index (drawing.py), and the faults of other lessons."""

    key: str
    index: Callable[[], Sequence[Mapping[str, Any]]]
    title: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlayerHost:
    """The functions of a host.

    They return the lesson with a key (InputError if it does not exist), the key of the `following`
    lesson, and the `shelves` that list all. `draft` is the person's own lesson, and its cards link
    to its form. Cards with a key that begins with one of `passing` stay unmarked. `beside` returns
    the content next to a presented card, from the card, its answer's key and the player.
    """

    lesson: Callable[[str], Lesson]
    following: Callable[[str], str] = lambda key: ""
    shelves: Callable[[], Sequence[Shelf]] = tuple
    draft: str = ""
    passing: tuple[str, ...] = (DRAWN,)
    beside: Callable[[Card, str, "Player"], Controls] = lambda card, key, player: ()

    @classmethod
    def of(
        cls, index: Sequence[Mapping[str, Any]], lesson: Callable[[str], Lesson]
    ) -> "PlayerHost":
        """Return a host that plays the lessons of an index in order."""
        after = dict(pairwise(entry["key"] for entry in index))
        return cls(lesson, lambda key: after.get(key, ""), lambda: (Shelf(COURSE, lambda: index),))


@dataclass(frozen=True)
class Place:
    """A card of a lesson, counted from 0. `key` is the lesson's key."""

    lesson: Lesson
    index: int
    key: str

    @cached_property
    def card(self) -> Card:
        return self.lesson.cards[self.index]

    @property
    def card_key(self) -> str:
        return f"{self.key}/{self.index}"

    @property
    def is_drawn(self) -> bool:
        """True if the card is an exercise."""
        return self.key.startswith(DRAWN)

    @property
    def is_last(self) -> bool:
        return self.index + 1 == len(self.lesson.cards)

    @property
    def words(self) -> str:
        return self.card.title if self.is_drawn else f"{self.index + 1} / {len(self.lesson.cards)}"


@dataclass(frozen=True)
class Player:
    """The state of the player.

    The place is a lesson's key (empty for the list of lessons) and a card, counted from 0. `chosen`
    contains the chosen measure of each card. `wish` is a request to the host: "explorer" or "form".
    `menu` and `faults` belong to the controls. A `student` opened a teacher's link and sees no
    tools for teachers.
    """

    host: PlayerHost
    lesson: str = ""
    card: int = 0
    answers: Mapping[str, AnswerState] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    chosen: Mapping[str, str] = field(default_factory=dict)
    presenting: Presenting | None = None
    student: bool = False
    wish: str = ""
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> Place | None:
        """The card on the screen, or None for the list and for an unknown lesson."""
        try:
            return self._place()
        except InputError:
            return None

    def _place(self) -> Place | None:
        if not self.lesson:
            return None
        lesson = self.host.lesson(self.lesson)
        place = Place(lesson, min(self.card, len(lesson.cards) - 1), self.lesson)
        _ = place.card
        return place

    def going(self, lesson: str, card: int = 0) -> Self:
        """Return a copy at a card of a lesson, or at the list for "" and for an unknown lesson."""
        at = replace(self, lesson=lesson, card=max(card, 0), menu="", faults={})
        try:
            place = at._place()
        except InputError as fault:
            return at.refused(sentence(fault))
        return at if place is None or place.card.question is not None else at.marked(place.card_key)

    def refused(self, reason: str) -> Self:
        return replace(self, lesson="", card=0, faults={LESSON: reason})

    def stepping(self, by: int) -> Self:
        """Return a copy at the next card, lesson or list, or at the card before."""
        if (at := self.place) is None:
            return self
        if at.is_last and by > 0:
            return self.going(self.host.following(at.key))
        return self.going(at.key, at.index + by) if at.index + by >= 0 else self

    def marked(self, key: str, *, solved: bool = False) -> Self:
        return (
            self
            if key.startswith(self.host.passing)
            else replace(self, marks=self.marks.adding(key, solved=solved))
        )

    def answer(self, key: str) -> AnswerState:
        return self.answers.get(key, AnswerState())

    def with_answer(self, key: str, **parts: Any) -> Self:
        made = replace(self.answer(key), **parts)
        if made.counted is None and made.judged:
            made = replace(made, counted=made.right_at_once)
        return replace(self, answers={**self.answers, key: made})

    def entering(self, key: str, given: Given | None) -> Self:
        return self.with_answer(key, given=given, end=None) if self.answer(key).open else self

    def checking(self, question: Question, key: str) -> Self:
        """Judge the answer and return the copy. InputError without an answer.

        You have two attempts. After the second wrong answer you see the solution.
        """
        at = self.answer(key)
        if not at.open:
            return self
        if at.given is None or at.given == "":
            raise InputError(INPUTS[question.input].nothing_yet)
        verdict = question.judge(at.given)
        if verdict.right or (at.miss is not None and verdict.given != at.miss.given):
            return self.with_answer(key, verdict=verdict, end=None).marked(
                key, solved=verdict.right
            )
        if at.miss is not None:
            raise InputError("you gave this answer before. Change it, or show the answer")
        return self.with_answer(key, miss=verdict, end=None)

    def revealing(self, question: Question | None, key: str) -> Self:
        verdict = question.judge(question.answer()) if question is not None else None
        return self.with_answer(key, verdict=verdict, revealed=True, end=None).marked(key)

    def revealing_all(self, card: Card, key: str) -> Self:
        """Return a copy with all parts of the card revealed."""
        shows = card.question is not None or card.hidden
        return self.revealing(card.question, key) if shows and self.answer(key).open else self

    def again(self, key: str) -> Self:
        """Return a copy with the question open again. You can change the old answer."""
        given = None if self.answer(key).revealed else self.answer(key).given
        return self.with_answer(
            key, given=given, end=None, verdict=None, revealed=False, miss=None, structure=False
        )

    def parameters(self) -> dict[str, str]:
        """Return the address's parameters for the current card and the state of its presentation."""
        return {
            **self.card_parameters(),
            **(self.presenting.parameters() if self.presenting else {}),
        }

    def card_parameters(self) -> dict[str, str]:
        """Return the address's parameters for the card alone, so that a person can answer it."""
        if not self.lesson:
            return {}
        student = {STUDENT: "1"} if self.student else {}
        return {LESSON: short_key(self.lesson), CARD: str(self.card + 1), **student}

    def at(self, parameters: Mapping[str, str]) -> Self:
        """Return a copy at the card of an address, or at the list if the lesson does not exist.

        If the card does not exist, show the last card with a note.
        """
        asked = {
            name: parameters[name] for name in (LESSON, CARD, *PRESENTED) if name in parameters
        }
        student = parameters.get(STUDENT) == "1"
        at = replace(self, presenting=presenting_in(asked), student=student)
        try:
            card = _number(asked.get(CARD, "1"), 1, NO_CARD)
            at = at.going(find_key(asked.get(LESSON, "")), card - 1)
        except InputError as fault:
            return at.refused(sentence(fault))
        if (place := at.place) is not None and card > (cards := len(place.lesson.cards)):
            told = f"This lesson has no card {card}. You see the last of {cards} cards."
            at = replace(at, card=place.index, faults={LESSON: told})
        if at.place is None or at.presenting is None or not at.presenting.everything:
            return at
        return at.revealing_all(at.place.card, at.place.card_key)


NO_CARD = "the address names no card. Numbers of cards begin with 1"


def _number(text: str, least: int, reason: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= least):
        raise InputError(reason)
    return int(text)
