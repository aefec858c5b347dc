"""Classes in the server's memory: a teacher asks a question, students answer it on their phones.

A room holds the question and its answers, without names, until an hour after the teacher last did
anything. Nothing of Streamlit is used here; the screens are class_screen.py's.
"""

import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hiermeasures.core.errors import InputError
from hiermeasures.lessons import Card

ENVIRONMENT = "HIERMEASURES_CLASSROOM"  # set by `hiermeasures app --classroom`
HOUR = 3600.0  # seconds
MOST_ROOMS, MOST_ANSWERS, LONGEST_ANSWER = 50, 300, 120  # the last in characters
MOST_BARS = 8
LETTERS, LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 6  # none that are taken for each other
GONE = "This class is over, or its link was not copied whole. Ask for a new link."
CLOSED = "The answers are shown already; wait for the next question."
Phase = Literal["open", "shown", "marked"]


@dataclass(frozen=True)
class Sent:
    """An answer in words, and whether it is right."""

    words: str
    right: bool


@dataclass(frozen=True)
class Bar:
    """An answer, how many gave it, and whether it is right; None while that is not told."""

    words: str
    number: int
    right: bool | None


@dataclass(frozen=True)
class Room:
    """A class. `owner` is the teacher's secret, `key` names the card that is asked, `asked` counts
    the questions, `answers` are those of seats, `until` the time when it is forgotten.
    """

    code: str
    owner: str
    until: float
    card: Card | None = None
    key: str = ""
    asked: int = 0
    phase: Phase = "open"
    answers: Mapping[str, Sent] = field(default_factory=dict)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The answers and how often each was given: all choices of a question in their order, else
        those given most often, and the others in one.
        """
        question = self.card.question if self.card is not None else None
        given = Counter(sent.words for sent in self.answers.values())
        choices = [words[:LONGEST_ANSWER] for _, words in question.choices()] if question is not None else []
        order = [*choices, *sorted(given.keys() - set(choices), key=lambda words: (-given[words], words))]
        most = max(MOST_BARS, len(choices))
        right = {sent.words: sent.right for sent in self.answers.values()}
        if self.card is not None and question is not None and self.phase == "marked":
            right |= _right_words(self.card)
            order += [words for words, is_so in right.items() if is_so and words not in order and not choices]
        told = self.phase == "marked"
        found = [Bar(words, given[words], right.get(words, False) if told else None) for words in order[:most]]
        rest = sum(given[words] for words in order[most:])
        return (*found, Bar("others", rest, None)) if rest else tuple(found)


def enabled() -> bool:
    """Return whether the app was started with `--classroom`."""
    return os.environ.get(ENVIRONMENT) == "1"


class Classroom:
    """The rooms of a server; every method may be called from any thread.

    >>> rooms = Classroom(clock=lambda: 0.0)
    >>> room = rooms.open("secret")
    >>> rooms.send(room.code, "seat 1", room.asked, Sent("yes", True))
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: The answers are shown already; wait for the next question.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rooms: dict[str, Room] = {}

    def room(self, code: str) -> Room | None:
        """The room of a code; None where there is none any more."""
        with self._lock:
            self._forget()
            return self._rooms.get(code)

    def of(self, owner: str) -> Room | None:
        """The room of a teacher."""
        with self._lock:
            self._forget()
            return next((room for room in self._rooms.values() if room.owner == owner), None)

    def open(self, owner: str) -> Room:
        """Open a teacher's room, or return the one that is open. InputError where there are too many."""
        if (found := self.of(owner)) is not None:
            return found
        with self._lock:
            if len(self._rooms) >= MOST_ROOMS:
                raise InputError(f"{MOST_ROOMS} classes are open here, which is the most; try it again later")
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            self._rooms[code] = Room(code, owner, self._clock() + HOUR)
            return self._rooms[code]

    def ask(self, owner: str, card: Card, key: str, *, again: bool = False) -> None:
        """Ask the question of a card, which forgets the answers to the one before; what is asked
        already stays, but for `again`.
        """
        self._change(owner, lambda room: room if room.key == key and not again else _asking(room, card, key))

    def show(self, owner: str, phase: Phase) -> None:
        """Take no more answers, and show them, or which are right."""
        self._change(owner, lambda room: replace(room, phase=phase))

    def close(self, owner: str) -> None:
        """Forget a room and its answers."""
        with self._lock:
            self._rooms = {code: room for code, room in self._rooms.items() if room.owner != owner}

    def send(self, code: str, seat: str, asked: int, sent: Sent) -> None:
        """Take an answer, in place of the one that the seat sent before. InputError where it comes too
        late, or there is no room for more.
        """
        with self._lock:
            self._forget()
            room = self._rooms.get(code)
            if room is None:
                raise InputError(GONE)
            if room.card is None or room.asked != asked or room.phase != "open":
                raise InputError(CLOSED)
            if seat not in room.answers and len(room.answers) >= MOST_ANSWERS:
                raise InputError(f"{MOST_ANSWERS} answers were sent, which is the most that a class takes")
            kept = Sent(sent.words[:LONGEST_ANSWER], sent.right)
            self._rooms[code] = replace(room, answers={**room.answers, seat: kept})

    def _change(self, owner: str, change: Callable[[Room], Room]) -> None:
        with self._lock:
            self._forget()
            for code, room in self._rooms.items():
                if room.owner == owner:
                    self._rooms[code] = replace(change(room), until=self._clock() + HOUR)

    def _forget(self) -> None:
        now = self._clock()
        self._rooms = {code: room for code, room in self._rooms.items() if room.until > now}


def _asking(room: Room, card: Card, key: str) -> Room:
    return replace(room, card=card, key=key, asked=room.asked + 1, phase="open", answers={})


def _right_words(card: Card) -> dict[str, bool]:
    """Words of the right answer, as `answer_words` gives them."""
    assert card.question is not None
    answer = card.question.answer()
    return {answer_words(card, answer)[:LONGEST_ANSWER]: True}


ROOMS = Classroom()
"""The rooms of this server."""
