"""The state of a person who takes lessons, as one immutable value: the place in a lesson, how far
each question has come, the cards that are solved and seen, and the final. Every host holds one;
screen.py says what is drawn of it and what a person can do.

The answer to a question is found by a text (`key`), that of its card in a lesson, or of an
exercise. Judging is hiermeasures.lessons' work.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from itertools import pairwise
from random import Random, randrange
from typing import Any, Self

from hiermeasures.core.errors import InputError
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.player.inputs import INPUTS, Answer
from hiermeasures.explorer.present import PRESENTED, Presenting, presenting_in
from hiermeasures.explorer.share_link import packed, unpacked
from hiermeasures.formats.source import Limits
from hiermeasures.lessons.cards import Card, Lesson
from hiermeasures.lessons.exercises import Exercise, ExerciseRequest, exercise, left_out
from hiermeasures.lessons.kinds import KINDS
from hiermeasures.lessons.questions import Given, Question
from hiermeasures.lessons.random_instances import Difficulty, with_families
from hiermeasures.measures import Instance
from hiermeasures.picture.text import sentence

# --- the final ----------------------------------------------------------------------------------

SIZE = 10  # questions
LARGEST_SEED = 10**6
LONGEST_ANSWER = 400  # characters
UNPACKED = Limits(bytes=10_000, lines=10)
NO_FINAL = "the address names no final: it holds a seed, or a seed and answers"
OTHER_QUESTIONS = "these answers are to other questions than this version of hiermeasures draws"
ASKED = {"classes": 7, "labels": 2, "measures": with_families(("ancestors", "lca", "pairs", "flat"))}


@dataclass(frozen=True)
class Final:
    """The test of a seed, at a question (SIZE: the overview). `given` are answers handed in."""

    seed: int
    at: int = 0
    given: tuple[str, ...] | None = None
    warned: bool = False  # that some are not answered

    @property
    def handed(self) -> bool:
        return self.given is not None

    def exercise(self, k: int) -> Exercise:
        return _exercise(self.seed, k)

    def key(self, k: int) -> str:
        """The key of an answer; of one that was handed in it is another."""
        return f"final/{self.word if self.handed else self.seed}/{k}"

    @cached_property
    def word(self) -> str:
        """The word of its address.

        >>> Final(7).word, final_of(Final(7).word).seed
        ('7', 7)
        """
        if self.given is None:
            return str(self.seed)
        held = [self.seed, _fingerprint(self.seed), *self.given]
        return packed(json.dumps(held, ensure_ascii=False, separators=(",", ":")), UNPACKED)

    def handing_in(self, given: Sequence[Given | None]) -> "Final":
        """Return a copy with these answers, at the overview; InputError for an invalid one."""
        said = []
        for k, each in enumerate(given):
            question = self.exercise(k).question
            try:
                said.append("" if each in (None, "") else _said(question, each))
            except InputError as fault:
                raise InputError(f"question {k + 1}: {fault}") from None
        return Final(self.seed, SIZE, tuple(said))

    def judged(self) -> Mapping[str, Answer]:
        """The answers by their keys, each read and judged; the right one where none was given."""
        found = {}
        for k, text in enumerate(self.given or ()):
            question = self.exercise(k).question
            given = question.read(text) if text else None
            verdict = question.judge(question.answer() if given is None else given)
            found[self.key(k)] = Answer(given, verdict=verdict, revealed=given is None)
        return found

    def going(self, k: int) -> "Final":
        return replace(self, at=min(max(k, 0), SIZE), warned=False)


def new_final() -> Final:
    return Final(randrange(1, LARGEST_SEED))


def final_of(word: str) -> Final:
    """Read the word of an address; InputError for an invalid one. Answers are read later."""
    if word.isascii() and word.isdigit() and len(word) < 8:
        if not 0 < int(word) <= LARGEST_SEED:
            raise InputError(NO_FINAL)
        return Final(int(word))
    try:
        seed, fingerprint, *given = json.loads(unpacked(word, UNPACKED))
    except (ValueError, TypeError, RecursionError):
        raise InputError(NO_FINAL) from None
    texts = all(isinstance(text, str) and len(text) <= LONGEST_ANSWER for text in given)
    if type(seed) is not int or not 0 < seed <= LARGEST_SEED or len(given) != SIZE or not texts:
        raise InputError(NO_FINAL)
    if fingerprint != _fingerprint(seed):
        raise InputError(OTHER_QUESTIONS)
    return Final(seed, SIZE, tuple(given))


def seed_of(word: str) -> str:
    """The seed of a word, for a label; "?" where it cannot be read."""
    try:
        return str(final_of(word).seed)
    except InputError:
        return "?"


@lru_cache(maxsize=64)
def _fingerprint(seed: int) -> str:
    """A short digest of the questions of a seed, which another version may draw otherwise."""
    asked = [
        (e.question.words, e.question.instances[0].hierarchy.edges) for e in map(partial(_exercise, seed), range(SIZE))
    ]
    return blake2b(repr(asked).encode(), digest_size=4).hexdigest()


@lru_cache(maxsize=64)
def _exercise(seed: int, k: int) -> Exercise:
    kinds = tuple(kind for kind in KINDS if kind not in left_out(KINDS, Difficulty(**ASKED)))  # type: ignore[arg-type]
    wanted: Any = ExerciseRequest(kinds=kinds, **ASKED)  # type: ignore[arg-type]
    return exercise(wanted, f"final {seed}", k + 1)


def _said(question: Question, given: Given) -> str:
    """An answer in words that `question.read` understands; InputError for an invalid one."""
    question.judge(given)
    if isinstance(given, Instance):
        given = given.true if question.change() == "true" else given.predicted
    if isinstance(given, frozenset):
        return " ".join(sorted(">".join(part) if isinstance(part, tuple) else part for part in given))
    return given


# --- the cards that are solved and seen ---------------------------------------------------------

MOST_KEYS, LONGEST_KEY = 200, 40  # keys of each kind that are taken from a browser, and the characters of one
MOST_FINALS, LONGEST_FINAL = 5, 1_000


@dataclass(frozen=True)
class Marks:
    """The keys of cards: `solved` ones were answered right, of `seen` ones everything was seen.
    `finals` are the words of finals that were handed in.

    >>> Marks().adding("a/0").adding("a/1", solved=True).of("a", 3)
    (1, 2)
    """

    solved: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    finals: tuple[str, ...] = ()

    def adding(self, key: str, *, solved: bool = False) -> "Marks":
        """Return a copy with a card marked as seen, or as solved and seen."""
        return replace(self, solved=self.solved | {key} if solved else self.solved, seen=self.seen | {key})

    def of(self, lesson: str, cards: int) -> tuple[int, int]:
        """Numbers of the cards of a lesson that are solved and seen."""
        keys = {f"{lesson}/{k}" for k in range(cards)}
        return len(keys & self.solved), len(keys & self.seen)

    def word(self, key: str) -> str:
        return "solved" if key in self.solved else "seen" if key in self.seen else ""

    def as_data(self) -> dict[str, list[str]]:
        return {"solved": sorted(self.solved), "seen": sorted(self.seen), "finals": list(self.finals)}

    def with_kept(self, kept: Mapping[str, Any]) -> "Marks":
        """Return a copy with the untrusted marks that a browser kept."""
        solved, seen = (frozenset(_texts(kept.get(name), MOST_KEYS, LONGEST_KEY)) for name in ("solved", "seen"))
        made = replace(self, solved=self.solved | solved, seen=self.seen | seen | solved)
        for word in reversed(_texts(kept.get("finals"), MOST_FINALS, LONGEST_FINAL)):
            made = made.with_final(word)
        return made

    def with_final(self, word: str) -> "Marks":
        """Return a copy with a further final, in the first place."""
        return replace(self, finals=tuple(dict.fromkeys((word, *self.finals)))[:MOST_FINALS])


def _texts(found: Any, most: int, longest: int) -> list[str]:
    listed = found[:most] if isinstance(found, list) else []
    return [text for text in listed if isinstance(text, str) and 0 < len(text) <= longest]


LESSON, CARD, SIDES, FINAL = "lesson", "card", "sides", "final"  # the parameters of an address, with PRESENTED
COURSE = "course"  # the key of the shelf with the course
PRACTICE = "practice/"  # before the keys of exercises' answers
MOST_DRAWN = 10**4  # draws of sides


@dataclass(frozen=True)
class Shelf:
    """Lessons of the list, by their index (drawing.py), below a title, and faults of others."""

    key: str
    index: Callable[[], Sequence[Mapping[str, Any]]]
    title: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Host:
    """The host's part: the lesson of a key (InputError where there is none), the key of the one
    `following` it, and the `shelves` that list them. `draft` is the lesson being written, whose
    cards lead to its form. Cards whose keys begin with one of `passing` are not marked. `beside` is
    what stands beside a presented card, given that and its answer's key.
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
    """A card of a lesson, counted from 0; `key` is the lesson's, `sides` the player's."""

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
    """The place: a lesson's key ("": the list of lessons) and a card of it, counted from 0.
    `chosen` is the measure chosen on each card. `sides` is the seed by which two predictions are
    placed (0: as they are written), a part of a card's link. `wish` is what a person asked of the
    host: "explorer" or "form". `menu` and `faults` are the controls'.
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
        """Return a copy with the answer judged; InputError without one. After a first wrong answer
        another may be given, after the second the solution is shown.
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
        """Return a copy at a final. If it was handed in, its answers are judged anew."""
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
