"""Classes in the server's memory: a teacher asks a question, and students answer on their phones.

A room contains the question and its answers, without names. The server forgets a room an hour after
its teacher's last action, or when no page has looked at it for a minute and a half. One network
address can open only a few rooms. But it can take most seats in a room, because a whole school may
share one address. The module also draws the screens: the strip next to a presented card, and the
card that students answer.
"""

import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from hiermeasures.app.components import mailbox, show_text
from hiermeasures.app.inbox import MODELS, Slot
from hiermeasures.app.learn.model import LEARN, after, link, play
from hiermeasures.app.network import phone_addresses
from hiermeasures.app.server import CLASSROOM
from hiermeasures.explore.controls import Control, Controls, button, component, menu, row, words
from hiermeasures.explore.present import reach
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.words import write_count
from hiermeasures.teach import Card
from hiermeasures.teach.kinds.value import number_of
from hiermeasures.teach.player.card import area, card_controls, check_button, question_fields
from hiermeasures.teach.player.inputs import INPUTS, AnswerState
from hiermeasures.teach.player.model import Player
from hiermeasures.teach.questions import Given, Question

MODEL = "student"  # the name in gestures on a student's card
CLASS, SEAT = "class", "seat"  # parameters in the address
HOUR = 3600.0  # seconds
UNWATCHED = 90.0  # seconds without a look; browsers let a hidden page look once a minute
MOST_ROOMS, MOST_ANSWERS = 50, 300
MOST_ROOMS_OF_ONE, MOST_ANSWERS_OF_ONE = 10, 240  # per network address
MOST_PARTS, LONGEST_PART = 40, 120  # parts of an answer, and characters of a part
MOST_BARS = 12
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # of a code, without letters that look alike
LENGTH = 6  # of a code
POLL = 2.0  # seconds between two looks at a class, while one is open on the page
ASK = "Ask the class"
ABOUT = (
    "Students open a link on their phones and answer. The server keeps the answers for an hour, "
    "without names."
)
ABOUT_SEATS = "Click an answer to remove it and to block that phone. Names are random."
SENT = "Sent. You can change your answer until the teacher shows the answers."
CHANGED = "You changed your answer. Send it again."
WAIT = "Wait for the next question."
GONE = "This class is over, or the link is incomplete. Ask for a new link."
REMOVED = "The teacher removed this seat."
CLOSED = "This question is closed. Wait for the next one."
Phase = Literal["open", "shown", "marked"]


@dataclass(frozen=True)
class SentAnswer:
    """An answer: its parts in words (choices, classes, pairs), its correctness, and the client that
    sent it.
    """

    parts: tuple[str, ...]
    right: bool
    client: str = ""

    @classmethod
    def of(cls, question: Question, given: Given) -> "SentAnswer":
        verdict = question.judge(given)
        alone, parts = verdict.given_words, question.parts(verdict.given)
        if question.input == "number" and isinstance(verdict.given, str):
            alone = f"{number_of(verdict.given):.4g}"
        whole = question.input in ("number", "instance")
        words = [alone] if whole else [said for part, said in question.options() if part in parts]
        return cls(tuple(part[:LONGEST_PART] for part in words[:MOST_PARTS]), verdict.right)


@dataclass(frozen=True)
class AnswerBar:
    """A part of the answers with its count. `right` is None while the solution is hidden."""

    words: str
    number: int
    right: bool | None


@dataclass(frozen=True)
class Room:
    """A class.

    `owner` is the teacher's secret, and `client` the teacher's address. `until` is the latest time
    at which the class ends, and `looked` is the last time that a page looked at it. `key` names the
    question's card, `asked` counts the questions, and `answers` contains the answers to the last
    question by seat.
    """

    code: str
    owner: str
    client: str
    until: float = 0.0
    looked: float = 0.0
    removed: frozenset[str] = frozenset()  # seats
    card: Card | None = None
    key: str = ""
    asked: int = 0
    phase: Phase = "open"
    answers: Mapping[str, SentAnswer] = field(default_factory=dict)

    @property
    def question(self) -> Question | None:
        return self.card.question if self.card is not None else None

    @property
    def right(self) -> int:
        return sum(sent.right for sent in self.answers.values())

    def bars(self) -> tuple[AnswerBar, ...]:
        """Return the parts of answers: choices in their order, others by count with the rarest
        combined.
        """
        if (question := self.question) is None:
            return ()
        given = Counter(part for sent in self.answers.values() for part in sent.parts)
        choices = [words[:LONGEST_PART] for _, words in question.choices()]
        order = choices or sorted(given, key=lambda words: (-given[words], words))
        told, right = self.phase == "marked", set[str]()
        if question.input == "instance":  # each whole answer is right or wrong
            right = {
                part for sent in self.answers.values() if told and sent.right for part in sent.parts
            }
        elif told := told and question.unique:
            right = set(SentAnswer.of(question, question.answer()).parts)
        order = list(dict.fromkeys([*order[: max(MOST_BARS, len(choices))], *sorted(right)]))
        bars = tuple(
            AnswerBar(words, given[words], words in right if told else None) for words in order
        )
        rest = sum(given[words] for words in given if words not in order)
        return (*bars, AnswerBar("others", rest, None)) if rest else bars


def enabled() -> bool:
    return os.environ.get(CLASSROOM) == "1"


class Classroom:
    """The rooms of a server, for any thread. Teachers have secrets, students have seats."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rooms: dict[str, Room] = {}

    def room(self, code: str) -> Room | None:
        """Return a room and keep it open."""
        with self._lock:
            return self._look(self._known().get(code))

    def of(self, owner: str) -> Room | None:
        """Return a teacher's room and keep it open."""
        with self._lock:
            return self._look(self._of(owner))

    def open(self, owner: str, client: str = "") -> Room:
        """Open a teacher's room if it is not open. InputError if there are too many."""
        with self._lock:
            if (found := self._of(owner)) is not None:
                return found
            if len(self._rooms) >= MOST_ROOMS:
                raise InputError(f"{MOST_ROOMS} classes are open on this server. Try again later.")
            if sum(room.client == client for room in self._rooms.values()) >= MOST_ROOMS_OF_ONE:
                raise InputError(
                    f"{MOST_ROOMS_OF_ONE} classes are open from your network address. End one, "
                    f"or try again in two minutes."
                )
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            return self._keep(Room(code, owner, client))

    def ask(self, owner: str, card: Card, key: str, *, again: bool = False) -> None:
        """Ask a card's question if it is new or if `again` is true. Forget old answers."""
        with self._lock:
            room = self._of(owner)
            if room is not None and (again or room.key != key):
                self._keep(
                    replace(
                        room, card=card, key=key, asked=room.asked + 1, phase="open", answers={}
                    )
                )

    def show(self, owner: str, phase: Phase) -> None:
        """Close the question, show the answers ("shown"), or mark the right ones ("marked")."""
        with self._lock:
            if (room := self._of(owner)) is not None:
                self._keep(replace(room, phase=phase))

    def close(self, owner: str) -> None:
        with self._lock:
            if (room := self._of(owner)) is not None:
                del self._rooms[room.code]

    def remove(self, owner: str, seat: str) -> None:
        """Delete the answer of a seat and block the seat."""
        with self._lock:
            if (room := self._of(owner)) is not None:
                answers = {each: sent for each, sent in room.answers.items() if each != seat}
                self._keep(replace(room, answers=answers, removed=room.removed | {seat}))

    def send(self, code: str, seat: str, asked: int, sent: SentAnswer) -> None:
        """Replace the seat's answer. InputError if the class does not accept it."""
        with self._lock:
            room = self._known().get(code)
            if room is None:
                raise InputError(GONE)
            if room.asked != asked or room.phase != "open":
                raise InputError(CLOSED)
            if seat in room.removed:
                raise InputError(REMOVED)
            others = [answer for each, answer in room.answers.items() if each != seat]
            if len(others) >= MOST_ANSWERS:
                raise InputError(f"this class is full: it has {MOST_ANSWERS} answers")
            if sum(other.client == sent.client for other in others) >= MOST_ANSWERS_OF_ONE:
                raise InputError(
                    f"your network address has reached its limit of {MOST_ANSWERS_OF_ONE} answers"
                )
            self._rooms[code] = replace(room, answers={**room.answers, seat: sent})

    # With the lock.

    def _known(self) -> dict[str, Room]:
        now = self._clock()
        self._rooms = {
            code: room
            for code, room in self._rooms.items()
            if room.until > now and room.looked + UNWATCHED > now
        }
        return self._rooms

    def _of(self, owner: str) -> Room | None:
        return next((room for room in self._known().values() if room.owner == owner), None)

    def _keep(self, room: Room) -> Room:
        now = self._clock()
        self._rooms[room.code] = kept = replace(room, until=now + HOUR, looked=now)
        return kept

    def _look(self, room: Room | None) -> Room | None:
        if room is not None:
            self._rooms[room.code] = room = replace(room, looked=self._clock())
        return room


ROOMS = Classroom()
"""The rooms of this server."""
OWNER: Slot[str] = Slot("class_owner", lambda: secrets.token_hex(16))
"""The secret of a session that teaches."""


def _seat() -> str:
    """Return the seat in the address, so that a reload keeps it. Otherwise return a new seat."""
    given = st.query_params.get(SEAT, "")
    return (
        given
        if len(given) == 16 and set(given) <= set("0123456789abcdef")
        else secrets.token_hex(8)
    )


def _client() -> str:
    """Return a number made from the visitor's address. It has no meaning outside this process.

    A proxy on this machine adds the visitor's address to the request.
    """
    forwarded = st.context.headers.get("X-Forwarded-For", "")
    return str(hash(st.context.ip_address or forwarded.rpartition(",")[2].strip()))


SEATED: Slot[str] = Slot("class_seat", _seat)
ANSWERED: Slot[dict[int, Any]] = Slot("class_sent", dict)


def mine() -> Room | None:
    """Return the room that this session has opened, or None."""
    return ROOMS.of(OWNER.value) if enabled() and OWNER.filled else None


def begin() -> None:
    """Allow classes next to a presented card, if the app was started with classes."""
    player = LEARN.value.player
    if enabled() and player.host.beside is not strip:
        LEARN.change(player=replace(player, host=replace(player.host, beside=strip)))


def strip(card: Card, key: str, player: Player) -> Controls:
    """Return the strip next to a presented card: a button that opens a class, or the open class."""
    if mine() is None:
        start = button("class_open", ASK, partial(_open, card, key), help=ABOUT)
        return (row(start),) if card.question else ()
    ROOMS.ask(OWNER.value, card, key)
    if (room := mine()) is None:
        return ()
    number = write_count(len(room.answers), "answer")
    said = f"{number}, {room.right} right" if room.phase == "marked" else number
    host = player.presenting.host if player.presenting else ""
    address = reach(link({CLASS: room.code}), phone_addresses(), host)[0].partition("://")[2]
    bars = (_bars(room),) if room.phase != "open" else ()
    first = _next_steps(room, card, key) if card.question else ()
    last = _for_room("class_close", "End the class", ROOMS.close)
    remove = menu(
        player, "class_seats", "Remove an answer", partial(_seats, room), help=ABOUT_SEATS
    )
    more = (remove,) if room.answers else ()
    return (words(f"{address} · {said}", key="class_words"), *bars, row(*first, *more, last))


def _for_room(name: str, label: str, act: Callable[[str], object], **look: Any) -> Control:
    """Return a button that changes this session's room and leaves the player alone."""

    def press(player: Player) -> Player:
        act(OWNER.value)
        return player

    return button(name, label, press, **look)


def _next_steps(room: Room, card: Card, key: str) -> Controls:
    """Return the buttons for the next phase of a room."""
    asking = partial(ROOMS.ask, card=card, key=key, again=True)
    again = _for_room("class_again", "Ask again", asking, help="Deletes the answers.")
    if room.phase == "open":
        show = partial(ROOMS.show, phase="shown")
        return (_for_room("class_show", "Show answers", show, primary=True),)
    mark = partial(ROOMS.show, phase="marked")
    marks = _for_room("class_mark", "Mark the right one", mark, primary=True)
    return (marks, again) if room.phase == "shown" else (again,)


def _seats(room: Room) -> Iterator[Control]:
    """Return a button for each answer. The answer is hidden until you show all answers."""
    for seat, sent in room.answers.items():
        told = "" if room.phase == "open" else f": {', '.join(sent.parts) or 'none'}"
        remove = partial(ROOMS.remove, seat=seat)
        yield _for_room(f"class_remove_{seat}", f"{seat[-4:]}{told}", remove)


def _bars(room: Room) -> Control:
    bars = room.bars()
    most = max((bar.number for bar in bars), default=0) or 1
    shown = [
        {"words": b.words, "number": b.number, "share": b.number / most, "right": b.right}
        for b in bars
    ]
    return component(
        "class_bars", "bars", lambda: {"caption": "Answers of the class", "bars": shown}
    )


def _open(card: Card, key: str, player: Player) -> Player:
    """Return the player that shows the QR code of the class, and open the class."""
    ROOMS.open(OWNER.value, _client())
    ROOMS.ask(OWNER.value, card, key)
    now = player.presenting
    return replace(player, presenting=replace(now, code=True)) if now is not None else player


def watch() -> None:
    """Poll this page's open class and rerun the page after a change. Call it last."""
    if (taught := _taught()) is not None:
        _watch(_taught, taught)


def _taught() -> tuple[int, str, int] | None:
    """Return the part of a class that the page shows, and keep the class open."""
    if (room := mine()) is None:
        return None
    return (
        (room.asked, room.phase, len(room.answers))
        if LEARN.value.player.presenting is not None
        else (0, "", 0)
    )


@st.fragment(run_every=POLL)
def _watch(look: Callable[[], Any], before: Any) -> None:
    if look() != before:
        st.rerun()


def is_student() -> bool:
    return enabled() and CLASS in st.query_params


def attend() -> None:
    """Draw the card that lets students answer the class's question."""
    code = st.query_params[CLASS]
    if st.query_params.get(SEAT) != SEATED.value:  # keeps the student's seat after a reload
        st.query_params[SEAT] = SEATED.value
    _attend(code)


@st.fragment
def _attend(code: str) -> None:
    if ROOMS.room(code) is None:
        show_text(GONE, "error", key="class_gone")
        return
    play(_screen(code, LEARN.value.player), MODEL)
    mailbox()
    look = partial(_attended, code)
    _watch(look, look())


def _attended(code: str) -> tuple[int, str] | None:
    room = ROOMS.room(code)
    return None if room is None else (room.asked, room.phase)


def _screen(code: str, player: Player) -> Controls:
    room = ROOMS.room(code)
    if room is None or room.card is None or (question := room.question) is None:
        return (area(words(WAIT, key="class_wait")),)
    key = f"{CLASS}/{code}/{room.asked}"
    answer, sent = player.answer(key), ANSWERED.value.get(room.asked)
    if room.phase == "open":
        said = "" if sent is None else SENT if sent == answer.given else CHANGED
        fields = question_fields(player, question, key)
        more = check_button("class_send", partial(_send, room, key), fields, "Send")
    else:
        said, more = CLOSED, None
        if room.phase == "marked":
            told = player.revealing(question, key).answer(key)
            told = told if sent is None else AnswerState(sent, verdict=question.judge(sent))
            player = replace(player, answers={key: told})
    note = words(said, "note", key="class_said") if said else None
    return (area(card_controls(player, room.card, key, *filter(None, (more, note)), graded=True)),)


def _send(room: Room, key: str, player: Player) -> Player:
    """Send the entered answer. InputError if it is invalid or too late."""
    question, given = room.question, player.answer(key).given
    if question is None or given in (None, ""):
        raise InputError(INPUTS[question.input].nothing_yet if question else CLOSED)
    assert given is not None
    ROOMS.send(
        room.code,
        SEATED.value,
        room.asked,
        replace(SentAnswer.of(question, given), client=_client()),
    )
    ANSWERED.set({room.asked: given})
    return player


MODELS[MODEL] = (
    LEARN,
    partial(after, lambda player: _screen(st.query_params.get(CLASS, ""), player)),
)
