"""The Learn page: its three parts, and of them the course, which is the list of lessons and a card
with its question.

A card is drawn by the player (explorer/player), as play.py puts it on the page. The other parts are
practice.py, exercises, and draft_form.py, the screen for a lesson of one's own.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from hiermeasures.app import gestures
from hiermeasures.app.binding import attempt, bind, button, forget_faults, show_fault
from hiermeasures.app.gestures import mailbox
from hiermeasures.app.learn import draft_form, draft_model, location, model, practice
from hiermeasures.app.learn.model import learn, show
from hiermeasures.app.learn.play import play, receive
from hiermeasures.app.learn.to_explorer import open_card
from hiermeasures.app.pages import Page, leave
from hiermeasures.app.scripts import component
from hiermeasures.app.show_text import show_text
from hiermeasures.cases.reading import Fault
from hiermeasures.explorer.player.index import index_of
from hiermeasures.explorer.player.model import LESSON
from hiermeasures.explorer.player.screen import LEAD, chosen, lesson_entries, screen
from hiermeasures.lessons import Lesson

STYLE = Path(__file__).with_name("learn.css")
PARTS = {"course": "Course", "practice": "Practice", "mine": "My lesson"}


def page() -> None:
    st.html(STYLE)
    location.arrive()
    _learn()


@st.fragment
def _learn() -> None:
    receive()
    draft_form.receive()
    leave()
    at = learn()
    if at.part == "course" and at.player.place is not None:
        play(partial(screen, code=location.code), {"explorer": _to_explorer, "form": partial(show, "mine")})
    else:
        _parts()
        {"course": _list, "practice": practice.practice, "mine": draft_form.draft_form}[at.part]()
    location.depart()
    mailbox()


def _to_explorer() -> None:
    if (at := learn().player.place) is not None:
        open_card(at.card, at.card_key, f"{at.lesson.title}, card {at.index + 1}")


# --- the list -------------------------------------------------------------------------------------


def _parts() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="learn_head"):
        st.title("Learn", width="content")
        bind(st.segmented_control, "learn_part", learn().part, show)(
            "Part", list(PARTS), required=True, format_func=lambda part: PARTS[part], label_visibility="collapsed"
        )


def _list() -> None:
    show_text(LEAD, key="learn_lead")
    if fault := learn().player.faults.get(LESSON):
        show_text(fault, "error", key="learn_fault")
    _lessons("course", {lesson.key: lesson for lesson in model.course().lessons}, model.course().faults)
    theirs = model.teachers()
    if theirs.lessons or theirs.faults:
        st.subheader("From your teacher")
        _lessons("teachers", {model.TEACHER + lesson.key: lesson for lesson in theirs.lessons}, theirs.faults)
    if (opened := learn().opened) is not None:
        st.subheader("Opened here")
        _lessons("opened", {model.OPENED: opened}, ())
        words = "Edit a copy in place of My lesson" if draft_model.draft().cards else "Edit a copy"
        button(words, key="learn_edit", icon=":material/edit:", action=_edit)
    _load()


def _lessons(name: str, lessons: dict[str, Lesson], faults: tuple[Fault, ...]) -> None:
    key = f"learn_{name}"
    if lessons:
        entries = lesson_entries(learn().player, index_of(lessons))
        address = gestures.address(key, choose=_choose)
        component("lessons")(key=key, data={"lessons": entries, "address": address})
    for k, fault in enumerate(faults):
        show_text(str(fault), "error", key=f"{key}_fault_{k}")


def _choose(value: Mapping[str, Any]) -> None:
    model.change(player=chosen(learn().player, value))


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
