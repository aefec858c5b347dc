"""The address of a card: `/learn?lesson=01-accuracy&card=3`, or `?own=WORD&card=1` with a teacher's
lesson in the link, compressed (explorer/share_link.py). It goes into the model when the page is
opened or the browser walks; what the model shows goes into the address after every run.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from hiermeasures.app.learn.classroom import CLASS, mine
from hiermeasures.app.learn.draft_lesson import finished
from hiermeasures.app.learn.draft_model import draft
from hiermeasures.app.learn.model import DRAFT, OPENED, Learn, change, go, learn, show
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.player.model import CARD, FINAL, LESSON, SIDES, Player
from hiermeasures.explorer.present import PRESENTED, code_data, presenting_in
from hiermeasures.explorer.share_link import packed, unpacked
from hiermeasures.formats.sandbox import sandboxed
from hiermeasures.formats.source import Limits
from hiermeasures.lessons import Lesson, check_lesson, read_lesson
from hiermeasures.picture.text import sentence

LINK = "link.yaml"  # what a fault in a link's lesson names
OWN, PRACTICE, EDIT = "own", "practice", "edit"
OURS = (OWN, LESSON, CARD, SIDES, FINAL, PRACTICE, EDIT, *PRESENTED)
UNPACKED = Limits(bytes=200_000, lines=10_000)


def arrive() -> None:
    """Go to what the address says, where it says something new."""
    current = {name: st.query_params[name] for name in OURS if name in st.query_params}
    if current == learn().address:
        return
    change(address=current)
    if PRACTICE in current:
        change(practice=current[PRACTICE])
        show("practice")
        change(player=replace(learn().player, presenting=presenting_in(current)))
        return
    if EDIT in current:
        show("mine")
        return
    change(part="course")
    try:
        own = {LESSON: _opened(current[OWN])} if OWN in current else {}
    except InputError as fault:
        change(player=learn().player.refused(sentence(fault)))
    else:
        change(player=learn().player.at({**current, **own}))


def depart() -> None:
    """Write the shown card into the address; its other parameters stay."""
    wanted = parameters(learn())
    if wanted == learn().address:
        return
    others = {name: st.query_params[name] for name in st.query_params if name not in OURS}
    st.query_params.from_dict({**others, **wanted})
    change(address=wanted)


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
    if not (learn().word == word and learn().opened is not None):
        text = unpacked(word, UNPACKED)
        change(opened=_read(text.encode(), LINK), text=text, word=word)
    return OPENED


def open_file(content: bytes, name: str) -> None:
    """Open a lesson's file, in the address if short enough; InputError where it cannot be used."""
    lesson = _read(content, name)
    text = content.decode("utf-8-sig")
    try:
        word = lesson_word(text)
    except InputError:
        word = ""
    change(opened=lesson, text=text, word=word)
    go(OPENED)


def _read(content: bytes, name: str) -> Lesson:
    """Read a stranger's lesson in the sandbox before it is read here."""
    sandboxed(check_lesson, content, name)
    return read_lesson(content, name)


def link(at: Mapping[str, str]) -> str:
    """Whole address of these parameters."""
    here = (st.context.url or "").partition("?")[0].rstrip("/").removesuffix("/learn")
    return f"{here}/learn?{urlencode(at)}"


def code(player: Player) -> Mapping[str, Any]:
    """Link and QR code that lead to where what is presented can be answered."""
    at = {name: value for name, value in parameters(learn()).items() if name not in PRESENTED}
    if (room := mine()) is not None:
        return code_data(link({CLASS: room.code}))
    try:
        if player.lesson == DRAFT:
            at = {OWN: lesson_word(finished(draft()).text), **at}
            del at[LESSON]
        elif player.lesson == OPENED and not learn().word:
            raise InputError("This lesson is too large for a link. Open its file where it is to be shown.")
        return code_data(link(at))
    except InputError as fault:
        return {"link": "", "note": str(fault)}
