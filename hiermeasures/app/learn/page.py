"""The Learn page with its three parts and its address. The player draws the course and Practice.

Addresses are `/learn?lesson=1&card=3`, `?practice=7.3.9-dag-2`, or `?own=WORD&card=1` with a
teacher's lesson in the link, compressed (explore/share_link.py). When the page is opened or the
browser goes back, the address changes the model. After every run, the model changes the address.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from hiermeasures.app.binding import attempt, bind, button, show_fault
from hiermeasures.app.components import mailbox
from hiermeasures.app.explore import model as explorer
from hiermeasures.app.learn import classroom, draft_form, practice
from hiermeasures.app.learn.draft_lesson import FILE, WRITING, finish_lesson, from_file
from hiermeasures.app.learn.model import (
    DRAFT,
    LEARN,
    OPENED,
    OWN,
    UNPACKED,
    Learn,
    lesson_word,
    link,
    play,
)
from hiermeasures.app.network import phone_addresses
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.draw.text import sentence
from hiermeasures.explore.present import PRESENTED, code_data, presenting_in
from hiermeasures.explore.share_link import unpacked
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read.sandbox import sandboxed
from hiermeasures.teach import Lesson, check_lesson, read_lesson
from hiermeasures.teach.player.drawing import share_card
from hiermeasures.teach.player.model import CARD, LESSON, STUDENT, Player
from hiermeasures.teach.player.screen import screen

STYLE = Path(__file__).with_name("learn.css")
PARTS = {"course": "Course", "practice": "Practice", "mine": "My lesson"}
LINK = "link.yaml"  # file name in faults of a link's lesson
PRACTICE, EDIT = "practice", "edit"
FINAL, SIDES = "final", "sides"  # of old links; the final is gone, and Practice asks the same
OURS = (OWN, LESSON, CARD, STUDENT, SIDES, FINAL, PRACTICE, EDIT, *PRESENTED)


def page() -> None:
    st.html(STYLE)
    if classroom.is_student():
        classroom.attend()
        return
    arrive()
    classroom.begin()
    _learn()


@st.fragment
def _learn() -> None:
    leave()
    part, player = LEARN.value.part, LEARN.value.player
    listed = part == "course" and player.place is None
    if listed or (part != "course" and player.presenting is None):
        _parts()
    if part == "mine":
        draft_form.draft_form()
    else:
        if part == "practice":
            practice.practice()
        _follow()
        if part == "course" or LEARN.value.player.place is not None:
            play(screen(LEARN.value.player, _code))
    if listed:
        _others()
    depart()
    mailbox()
    classroom.watch()


def _parts() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="learn_head"):
        st.title("Learn", width="content")
        bind(st.segmented_control, "learn_part", LEARN.value.part, _show)(
            "Part",
            list(PARTS),
            required=True,
            format_func=lambda part: PARTS[part],
            label_visibility="collapsed",
        )


def _show(part: Any) -> None:
    LEARN.set(LEARN.value.showing(part))
    if part == "practice":
        practice.begin()


def _others() -> None:
    if (opened := LEARN.value.opened) is not None:
        words = "Edit a copy in place of My lesson" if WRITING.value.lesson.cards else "Edit a copy"
        button(
            f"{words} of “{opened.title}”", key="learn_edit", icon=":material/edit:", action=_edit
        )
    with st.expander("Load a lesson"):
        st.file_uploader("A lesson file (YAML)", key="lesson_file", on_change=_open_file)
        show_fault("lesson_file")


def _edit() -> None:
    text = LEARN.value.text  # which was read before
    WRITING.set(WRITING.value.to(from_file(text.encode(), FILE)))
    LEARN.change(part="mine")


def _open_file() -> None:
    """Open the uploaded file. If you remove the file, its fault disappears too."""
    file = st.session_state.lesson_file
    attempt(
        "lesson_file",
        partial(open_file, file.getvalue(), file.name) if file is not None else lambda: None,
    )


def arrive() -> None:
    """Follow the address if it has changed."""
    current = {name: st.query_params[name] for name in OURS if name in st.query_params}
    if current == LEARN.value.address:
        return
    LEARN.change(address=current)
    if PRACTICE in current or FINAL in current:
        _show("practice")
        practice.arrive(current.get(PRACTICE, ""))
        LEARN.change(player=replace(LEARN.value.player, presenting=presenting_in(current)))
        return
    if EDIT in current:
        _show("mine")
        return
    LEARN.change(part="course")
    try:
        own = {LESSON: _opened(current[OWN])} if OWN in current else {}
    except InputError as fault:
        LEARN.change(player=LEARN.value.player.refused(sentence(fault)))
    else:
        LEARN.change(player=LEARN.value.player.at({**current, **own}))


def depart() -> None:
    wanted = parameters(LEARN.value)
    if wanted == LEARN.value.address:
        return
    others = {name: st.query_params[name] for name in st.query_params if name not in OURS}
    st.query_params.from_dict({**others, **wanted})
    LEARN.change(address=wanted)


def parameters(at: Learn) -> Mapping[str, str]:
    if at.part == "practice":
        presented = at.player.presenting.parameters() if at.player.presenting is not None else {}
        return {PRACTICE: practice.address(at.player), **presented}
    if at.part == "mine":
        return {EDIT: "1"}
    found = at.player.parameters()
    if at.player.lesson == OPENED and at.word:
        found = {OWN: at.word, **{name: value for name, value in found.items() if name != LESSON}}
    return found


def _opened(word: str) -> str:
    """Open the lesson of a link and return its key. InputError if the link contains no lesson."""
    if not (LEARN.value.word == word and LEARN.value.opened is not None):
        text = unpacked(word, UNPACKED)
        LEARN.change(opened=_read(text.encode(), LINK), text=text, word=word)
    return OPENED


def open_file(content: bytes, name: str) -> None:
    """Open a lesson's file. A short one goes into the address. InputError if it is unusable."""
    lesson = _read(content, name)
    text = content.decode("utf-8-sig")
    try:
        word = lesson_word(text)
    except InputError:
        word = ""
    LEARN.change(opened=lesson, text=text, word=word)
    LEARN.change(part="course", player=LEARN.value.player.going(OPENED))


def _read(content: bytes, name: str) -> Lesson:
    """Read a stranger's lesson in the sandbox before this process reads it."""
    sandboxed(check_lesson, content, name)
    return read_lesson(content, name)


def _code(player: Player) -> Mapping[str, Any]:
    """Return the link and QR code that let people answer the presented card."""
    at = {name: value for name, value in parameters(LEARN.value).items() if name not in PRESENTED}
    if PRACTICE not in at:
        at[STUDENT] = "1"
    phones, host = phone_addresses(), player.presenting.host if player.presenting else ""
    if (room := classroom.mine()) is not None:
        return code_data(link({classroom.CLASS: room.code}), phones, host)
    try:
        if player.lesson == DRAFT:
            at = {OWN: lesson_word(finish_lesson(WRITING.value.lesson).text), **at}
            del at[LESSON]
        elif player.lesson == OPENED and not LEARN.value.word:
            raise InputError(
                "This lesson is too large for a link. Open its file on the computer that presents "
                "it."
            )
        return code_data(link(at), phones, host)
    except InputError as fault:
        return {"link": "", "note": str(fault)}


def _follow() -> None:
    """Open the card in the Explorer if the person asked for it.

    If a card has two predictions on one hierarchy, the second is shown and the first is pinned. The
    request remains until everything is done, because the run may end before.
    """
    player = LEARN.value.player
    if player.wish != "explorer" or (at := player.place) is None:
        return
    found = share_card(player, at.card, at.card_key)
    name = f"exercise {at.index + 1}" if at.is_drawn else f"{at.lesson.title}, card {at.index + 1}"
    back = explorer.WayBack(f"Back to {name}", "learn", parameters(LEARN.value))
    explorer.open_shown(found.shown, pinned=found.pinned, measures=at.card.measures, back=back)
    explorer.EXPLORER.change(
        own=explorer.explorer().own.with_more(found.own), view_state=found.view_state
    )
    leave_for("explore")
    LEARN.change(player=replace(player, wish=""))
    leave()


PAGE = Page("Learn", page, "Take lessons with questions, practise, and write your own lessons.")
"""The Learn page: lessons with questions, exercises, and your own lesson."""
