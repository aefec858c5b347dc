"""The Learn page: its three parts, of which the course is drawn by the player (explorer/player), as
play.py puts it on the page. The others are practice.py and draft_form.py.
"""

from functools import partial
from pathlib import Path

import streamlit as st

from hiermeasures.app.binding import attempt, bind, button, forget_faults, show_fault
from hiermeasures.app.components import mailbox
from hiermeasures.app.learn import class_screen, draft_form, draft_model, location, model, practice
from hiermeasures.app.learn.model import learn, show
from hiermeasures.app.learn.play import play, receive
from hiermeasures.app.learn.to_explorer import follow
from hiermeasures.app.pages import Page, leave
from hiermeasures.explorer.player.screen import screen

STYLE = Path(__file__).with_name("learn.css")
PARTS = {"course": "Course", "practice": "Practice", "mine": "My lesson"}


def page() -> None:
    st.html(STYLE)
    if class_screen.is_student():
        class_screen.attend()
        return
    location.arrive()
    class_screen.begin()
    _learn()


@st.fragment
def _learn() -> None:
    receive()
    draft_form.receive()
    leave()
    at = learn()
    if at.part == "course":
        _course()
    else:
        if at.player.presenting is None:
            _parts()
        {"practice": practice.practice, "mine": draft_form.draft_form}[at.part]()
    location.depart()
    mailbox()
    class_screen.watch()


def _course() -> None:
    """A card, the final, or the list of lessons, with what only the app has around it."""
    player = learn().player
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
        bind(st.segmented_control, "learn_part", learn().part, show)(
            "Part", list(PARTS), required=True, format_func=lambda part: PARTS[part], label_visibility="collapsed"
        )


def _others() -> None:
    if (opened := learn().opened) is not None:
        words = "Edit a copy in place of My lesson" if draft_model.draft().cards else "Edit a copy"
        button(f"{words} of “{opened.title}”", key="learn_edit", icon=":material/edit:", action=_edit)
    _load()


def _edit() -> None:
    draft_model.edit_text(model.learn().text)
    model.change(part="mine")


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
