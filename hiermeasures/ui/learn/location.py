"""The address of a card: `/learn?lesson=01-accuracy&card=3`, or `?own=WORD&card=1` with a teacher's lesson in the link.

What the address says goes into the model when the page is opened or the browser walks; what the model shows goes into
the address after every run. The word of a lesson is its file, compressed (hiermeasures.ui.packed_text).
"""

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.io.apart import apart
from hiermeasures.io.source import Limits
from hiermeasures.lessons import Lesson, check_lesson, read_lesson
from hiermeasures.ui.learn.model import OPENED, Learn, change, go, learn
from hiermeasures.ui.packed_text import packed, unpacked
from hiermeasures.ui.present.model import PRESENTED, presenting_in
from hiermeasures.ui.text import sentence

LINK = "link.yaml"  # what a fault in a link's lesson names
OWN, LESSON, CARD, PRACTICE, EDIT = "own", "lesson", "card", "practice", "edit"
OURS = (OWN, LESSON, CARD, PRACTICE, EDIT, *PRESENTED)
UNPACKED = Limits(bytes=200_000, lines=10_000)


def arrive() -> None:
    """Go to what the address says, where it says something new."""
    current = {name: st.query_params[name] for name in OURS if name in st.query_params}
    if current == learn().address:
        return
    change(address=current, presenting=presenting_in(current))
    if PRACTICE in current:
        change(part="practice", practice=current[PRACTICE], lesson="", fault="")
        return
    if EDIT in current:
        change(part="mine", lesson="", fault="")
        return
    try:
        number = _number(current.get(CARD, "1"))
        if OWN in current:
            open_word(current[OWN], number)
        else:
            go(current.get(LESSON, ""), number)
    except InputError as fault:
        change(part="course", lesson="", fault=sentence(fault))


def depart() -> None:
    """Have the address say what is shown; what others keep in it stays."""
    wanted = parameters(learn())
    if wanted == learn().address:
        return
    others = {name: st.query_params[name] for name in st.query_params if name not in OURS}
    st.query_params.from_dict({**others, **wanted})
    change(address=wanted)


def parameters(at: Learn) -> Mapping[str, str]:
    """What of the address is this page's."""
    if at.part == "practice":
        return {PRACTICE: at.practice}
    if at.part == "mine":
        return {EDIT: "1"}
    if not at.lesson:
        return {}
    lesson = {OWN: at.word} if at.lesson == OPENED and at.word else {LESSON: at.lesson}
    return {**lesson, CARD: str(at.card + 1), **(at.presenting.parameters() if at.presenting else {})}


def _number(text: str) -> int:
    """The number of a card as an index."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= 1):
        raise InputError("the address names no card: its number counts from 1")
    return int(text) - 1


# --- a teacher's lesson in the link -------------------------------------------------------------------------------


def lesson_word(text: str) -> str:
    """The word of a lesson's file, which `open_word` opens; InputError where it is too large for a link."""
    return packed(text, UNPACKED)


def open_word(word: str, card: int = 0) -> None:
    """Open the lesson of a link; InputError where it holds none."""
    if not (learn().word == word and learn().opened is not None):
        text = unpacked(word, UNPACKED)
        change(opened=_read(text.encode(), LINK), text=text, word=word)
    go(OPENED, card)


def open_file(content: bytes, name: str) -> None:
    """Open a lesson's file; in the address it stands as long as it is short enough for one. InputError where it cannot
    be used.
    """
    lesson = _read(content, name)
    text = content.decode("utf-8-sig")
    try:
        word = lesson_word(text)
    except InputError:
        word = ""
    change(opened=lesson, text=text, word=word)
    go(OPENED)


def _read(content: bytes, name: str) -> Lesson:
    """A stranger's lesson, which was read in a process apart before it is read here."""
    apart(check_lesson, content, name)
    return read_lesson(content, name)


def link(at: Mapping[str, str]) -> str:
    """The whole address of these parameters."""
    here = (st.context.url or "").partition("?")[0].rstrip("/").removesuffix("/learn")
    return f"{here}/learn?{urlencode(at)}"
