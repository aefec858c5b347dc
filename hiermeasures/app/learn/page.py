"""The Learn page: its three parts, of which the course is drawn by the player (explorer/player).
The others are practice.py and draft_form.py.
"""

from functools import partial
from pathlib import Path

import streamlit as st

from hiermeasures.app.binding import attempt, bind, button, forget_faults, show_fault
from hiermeasures.app.components import mailbox
from hiermeasures.app.learn import classroom, draft_form, location, model, practice
from hiermeasures.app.learn.draft_lesson import FILE, WRITING, from_file
from hiermeasures.app.learn.location import follow
from hiermeasures.app.learn.model import LEARN, play, receive, show
from hiermeasures.app.pages import Page, leave
from hiermeasures.explorer.player.screen import screen

STYLE = Path(__file__).with_name("learn.css")
PARTS = {"course": "Course", "practice": "Practice", "mine": "My lesson"}


def page() -> None:
    st.html(STYLE)
    if classroom.is_student():
        classroom.attend()
        return
    location.arrive()
    classroom.begin()
    _learn()


@st.fragment
def _learn() -> None:
    receive()
    draft_form.receive()
    leave()
    at = LEARN.value
    if at.part == "course":
        _course()
    else:
        if at.player.presenting is None:
            _parts()
        {"practice": practice.practice, "mine": draft_form.draft_form}[at.part]()
    location.depart()
    mailbox()
    classroom.watch()


def _course() -> None:
    """A card, the final, or the list of lessons, with what only the app has around it."""
    player = LEARN.value.player
    at = player.place
    if at is not None:
        follow(at.card, at.card_key, f"{at.lesson.title}, card {at.index + 1}")
    listed = at is None and player.final is None
    if listed:
        _parts()
    play(partial(screen, code=location.code), {"form": partial(model.showing, "mine")})
    if listed:
        _others()


# --- around the list ------------------------------------------------------------------------------


def _parts() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="learn_head"):
        st.title("Learn", width="content")
        bind(st.segmented_control, "learn_part", LEARN.value.part, show)(
            "Part", list(PARTS), required=True, format_func=lambda part: PARTS[part], label_visibility="collapsed"
        )


def _others() -> None:
    if (opened := LEARN.value.opened) is not None:
        words = "Edit a copy in place of My lesson" if WRITING.value.lesson.cards else "Edit a copy"
        button(f"{words} of “{opened.title}”", key="learn_edit", icon=":material/edit:", action=_edit)
    _load()


def _edit() -> None:
    text = LEARN.value.text  # which was read before
    WRITING.set(WRITING.value.to(from_file(text.encode(), FILE)))
    LEARN.change(part="mine")


def _load() -> None:
    with st.expander("Load a lesson"):
        st.file_uploader("A lesson file (YAML)", key="lesson_file", on_change=_open_file)
        show_fault("lesson_file")


def _open_file() -> None:
    file = st.session_state.lesson_file
    if file is None:
        forget_faults("lesson_file")
    else:
        attempt("lesson_file", partial(location.open_file, file.getvalue(), file.name))


PAGE = Page("Learn", page, "Lessons with questions, practice, and lessons of your own.")
