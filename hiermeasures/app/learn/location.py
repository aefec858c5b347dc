"""The address of a card: `/learn?lesson=01-accuracy&card=3`, or `?own=WORD&card=1` with a teacher's
lesson in the link, compressed (explorer/share_link.py). It goes into the model when the page is
opened or the browser walks; what the model shows goes into the address after every run.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from hiermeasures.app.explore import model as explorer
from hiermeasures.app.learn.classroom import CLASS, mine
from hiermeasures.app.learn.draft_lesson import WRITING, finished
from hiermeasures.app.learn.model import DRAFT, LEARN, OPENED, Learn, link, show
from hiermeasures.app.pages import leave, leave_for
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.player.drawing import shared
from hiermeasures.explorer.player.model import CARD, FINAL, LESSON, SIDES, Player
from hiermeasures.explorer.present import PRESENTED, code_data, presenting_in
from hiermeasures.explorer.share_link import packed, unpacked
from hiermeasures.formats.sandbox import sandboxed
from hiermeasures.formats.source import Limits
from hiermeasures.lessons import Card, Lesson, check_lesson, read_lesson
from hiermeasures.picture.text import sentence

LINK = "link.yaml"  # what a fault in a link's lesson names
OWN, PRACTICE, EDIT = "own", "practice", "edit"
OURS = (OWN, LESSON, CARD, SIDES, FINAL, PRACTICE, EDIT, *PRESENTED)
UNPACKED = Limits(bytes=200_000, lines=10_000)


def arrive() -> None:
    """Go to what the address says, where it says something new."""
    current = {name: st.query_params[name] for name in OURS if name in st.query_params}
    if current == LEARN.value.address:
        return
    LEARN.change(address=current)
    if PRACTICE in current:
        LEARN.change(practice=current[PRACTICE])
        show("practice")
        LEARN.change(player=replace(LEARN.value.player, presenting=presenting_in(current)))
        return
    if EDIT in current:
        show("mine")
        return
    LEARN.change(part="course")
    try:
        own = {LESSON: _opened(current[OWN])} if OWN in current else {}
    except InputError as fault:
        LEARN.change(player=LEARN.value.player.refused(sentence(fault)))
    else:
        LEARN.change(player=LEARN.value.player.at({**current, **own}))


def depart() -> None:
    """Write the shown card into the address; its other parameters stay."""
    wanted = parameters(LEARN.value)
    if wanted == LEARN.value.address:
        return
    others = {name: st.query_params[name] for name in st.query_params if name not in OURS}
    st.query_params.from_dict({**others, **wanted})
    LEARN.change(address=wanted)


def parameters(at: Learn) -> Mapping[str, str]:
    """Parameters of the address that are this page's."""
    if at.part == "practice":
        presented = at.player.presenting.parameters() if at.player.presenting is not None else {}
        return {PRACTICE: at.practice, **presented}
    if at.part == "mine":
        return {EDIT: "1"}
    found = at.player.parameters()
    if at.player.lesson == OPENED and at.word:
        found = {OWN: at.word, **{name: value for name, value in found.items() if name != LESSON}}
    return found


# --- a teacher's lesson in the link ---------------------------------------------------------------


def lesson_word(text: str) -> str:
    """Word of a lesson's file, for `open_word`; InputError where it is too large for a link."""
    return packed(text, UNPACKED)


def _opened(word: str) -> str:
    """Open the lesson of a link, and return its key; InputError where it holds none."""
    if not (LEARN.value.word == word and LEARN.value.opened is not None):
        text = unpacked(word, UNPACKED)
        LEARN.change(opened=_read(text.encode(), LINK), text=text, word=word)
    return OPENED


def open_file(content: bytes, name: str) -> None:
    """Open a lesson's file, in the address if short enough; InputError where it cannot be used."""
    lesson = _read(content, name)
    text = content.decode("utf-8-sig")
    try:
        word = lesson_word(text)
    except InputError:
        word = ""
    LEARN.change(opened=lesson, text=text, word=word)
    LEARN.change(part="course", player=LEARN.value.player.going(OPENED))


def _read(content: bytes, name: str) -> Lesson:
    """Read a stranger's lesson in the sandbox before it is read here."""
    sandboxed(check_lesson, content, name)
    return read_lesson(content, name)


def code(player: Player) -> Mapping[str, Any]:
    """Link and QR code that lead to where what is presented can be answered."""
    at = {name: value for name, value in parameters(LEARN.value).items() if name not in PRESENTED}
    if (room := mine()) is not None:
        return code_data(link({CLASS: room.code}))
    try:
        if player.lesson == DRAFT:
            at = {OWN: lesson_word(finished(WRITING.value.lesson).text), **at}
            del at[LESSON]
        elif player.lesson == OPENED and not LEARN.value.word:
            raise InputError("This lesson is too large for a link. Open its file where it is to be shown.")
        return code_data(link(at))
    except InputError as fault:
        return {"link": "", "note": str(fault)}


# --- to the Explorer and back -------------------------------------------------------------------


def follow(card: Card, key: str, name: str) -> None:
    """Leave for the Explorer with a card, where a person wished for it: of two predictions on one
    hierarchy with the second, and the first pinned. `key` is the answer's, `name` what the way back
    leads to. The wish stands until all of it was done, for the run may end before.
    """
    if LEARN.value.player.wish != "explorer":
        return
    found = shared(LEARN.value.player, card, key)
    back = explorer.WayBack(f"Back to {name}", "learn", parameters(LEARN.value))
    explorer.open_shown(found.shown, pinned=found.pinned, measures=card.measures, back=back)
    explorer.EXPLORER.change(own=explorer.explorer().own.with_more(found.own), view_state=found.view_state)
    leave_for("explore")
    LEARN.change(player=replace(LEARN.value.player, wish=""))
    leave()
