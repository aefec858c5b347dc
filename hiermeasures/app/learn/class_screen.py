"""The screens of a class: what a teacher has beside a presented card, and the card that students
answer on their phones. What a class keeps is classroom.py's.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.app.binding import Slot
from hiermeasures.app.components import mailbox, show_text
from hiermeasures.app.learn import classroom
from hiermeasures.app.learn.location import link
from hiermeasures.app.learn.model import change, learn
from hiermeasures.app.learn.play import play, receive
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.controls import Control, Controls, button, component, row, words
from hiermeasures.explorer.player.card import area, card_controls, check_button, question_fields
from hiermeasures.explorer.player.inputs import INPUTS, Answer
from hiermeasures.explorer.player.model import Player
from hiermeasures.lessons import Card
from hiermeasures.measures.catalogue import counted

POLL = 2.0  # seconds between two looks at a class, while one is open on the page
ASK = "Ask the class"
ABOUT = (
    "Students open a link on their phones and answer; the answers stay in the server's memory for an hour, no names."
)
SENT = "Sent. You may change it until the teacher shows the answers."
CHANGED = "Changed and not sent yet."
WAIT = "Wait for the next question."
SEATED: Slot[str] = Slot("class_seat", lambda: classroom.seat_in(dict(st.query_params)))
ANSWERED: Slot[dict[int, Any]] = Slot("class_sent", dict)


# --- the teacher ----------------------------------------------------------------------------------


def begin() -> None:
    """Have classes opened where a card is presented, if the app was started for them."""
    player = learn().player
    if classroom.enabled() and player.host.beside is not strip:
        change(player=replace(player, host=replace(player.host, beside=strip)))


def strip(card: Card, key: str) -> Controls:
    """The strip beside a presented card: a way to open a class, or the one that is asked it."""
    if classroom.mine() is None:
        return (row(button("class_open", ASK, partial(_open, card, key), help=ABOUT)),) if card.question else ()
    classroom.ROOMS.ask(classroom.OWNER.value, card, key)
    if (room := classroom.mine()) is None:
        return ()
    number = counted(len(room.answers), "answer")
    said = f"{number}, {room.right} right" if room.phase == "marked" else number
    address = link({classroom.CLASS: room.code}).partition("://")[2]
    bars = (_bars(room),) if room.phase != "open" else ()
    return (words(f"{address} · {said}", key="class_words"), *bars, row(*_buttons(room, card, key)))


def _buttons(room: classroom.Room, card: Card, key: str) -> Controls:
    rooms = classroom.ROOMS
    asking = _telling(rooms.ask, card, key, again=True)
    again = button("class_again", "Ask again", asking, help="The answers are forgotten.")
    shown = button("class_show", "Show answers", _telling(rooms.show, "shown"), primary=True)
    marked = button("class_mark", "Mark the right one", _telling(rooms.show, "marked"), primary=True)
    first = {"open": (shown,), "shown": (marked, again), "marked": (again,)}[room.phase]
    return (*(first if card.question else ()), button("class_close", "End the class", _telling(rooms.close)))


def _bars(room: classroom.Room) -> Control:
    bars = room.bars()
    most = max((bar.number for bar in bars), default=0) or 1
    shown = [{"words": b.words, "number": b.number, "share": b.number / most, "right": b.right} for b in bars]
    return component("class_bars", "bars", lambda: {"caption": "Answers of the class", "bars": shown})


def _open(card: Card, key: str, player: Player) -> Player:
    """The player that shows the QR code of the class, which is opened."""
    classroom.ROOMS.open(classroom.OWNER.value)
    classroom.ROOMS.ask(classroom.OWNER.value, card, key)
    now = player.presenting
    return replace(player, presenting=replace(now, code=True)) if now is not None else player


def _telling(act: Callable[..., object], *arguments: Any, **settings: Any) -> Callable[[Player], Player]:
    """A press that changes the room of this session, and not the player."""

    def pressed(player: Player) -> Player:
        act(classroom.OWNER.value, *arguments, **settings)
        return player

    return pressed


def watch() -> None:
    """Look at the class that is open on this page until something changed, and then run the page
    again. Without one nothing is looked at. To be called last.
    """
    if _taught() is not None:
        _watch(_taught, _taught())


def _taught() -> tuple[int, str, int] | None:
    room = classroom.mine() if learn().player.presenting is not None else None
    return None if room is None else (room.asked, room.phase, len(room.answers))


@st.fragment(run_every=POLL)
def _watch(look: Callable[[], Any], before: Any) -> None:
    if look() != before:
        st.rerun()


# --- a student ------------------------------------------------------------------------------------


def is_student() -> bool:
    """Return whether the address leads into a class."""
    return classroom.enabled() and classroom.CLASS in st.query_params


def attend() -> None:
    """Put the card that the class is asked on the page, to be answered."""
    code = st.query_params[classroom.CLASS]
    if st.query_params.get(classroom.SEAT) != SEATED.value:  # after a reload it is the same student
        st.query_params[classroom.SEAT] = SEATED.value
    _attend(code)


@st.fragment
def _attend(code: str) -> None:
    receive()
    if classroom.ROOMS.room(code) is None:
        show_text(classroom.GONE, "error", key="class_gone")
        return
    play(partial(_screen, code), {})
    mailbox()
    look = partial(_attended, code)
    _watch(look, look())


def _attended(code: str) -> tuple[int, str] | None:
    room = classroom.ROOMS.room(code)
    return None if room is None else (room.asked, room.phase)


def _screen(code: str, player: Player) -> Controls:
    room = classroom.ROOMS.room(code)
    if room is None or room.card is None or (question := room.question) is None:
        return (area(words(WAIT, key="class_wait")),)
    key = f"{classroom.CLASS}/{code}/{room.asked}"
    answer, sent = player.answer(key), ANSWERED.value.get(room.asked)
    if room.phase == "open":
        said = "" if sent is None else SENT if sent == answer.given else CHANGED
        fields = question_fields(player, question, key)
        more = check_button("class_send", partial(_send, room, key), fields, "Send")
    else:
        said, more = classroom.CLOSED, None
        if room.phase == "marked":
            told = player.revealing(question, key).answer(key)
            player = replace(
                player, answers={key: told if sent is None else Answer(sent, verdict=question.judge(sent))}
            )
    note = words(said, "note", key="class_said") if said else None
    return (area(card_controls(player, room.card, key, *filter(None, (more, note)), graded=True)),)


def _send(room: classroom.Room, key: str, player: Player) -> Player:
    """Send what was entered; InputError where it is no answer, or comes too late."""
    question, given = room.question, player.answer(key).given
    if question is None or given in (None, ""):
        raise InputError(INPUTS[question.input].nothing_yet if question else classroom.CLOSED)
    assert given is not None
    classroom.ROOMS.send(room.code, SEATED.value, room.asked, classroom.Sent.of(question, given))
    ANSWERED.set({room.asked: given})
    return player
