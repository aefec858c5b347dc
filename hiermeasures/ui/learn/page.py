"""The Learn page: its three parts, and of them the course, which is the list of lessons and a card with its question.

What is shown is model.py's; the drawings, values and the question of a card stand in modules of their own. The other
parts are practice.py, exercises, and my_lesson.py, the form for a lesson of one's own. Nothing is computed here.
"""

from functools import partial

import streamlit as st

from hiermeasures.cases.reading import Fault
from hiermeasures.lessons import Lesson
from hiermeasures.ui.binding import attempt, bind, button, forget_faults, icon_button, show_fault
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.learn import location, mine, my_lesson, practice, presented
from hiermeasures.ui.learn.drawing import drawings
from hiermeasures.ui.learn.explorer import open_in_explorer
from hiermeasures.ui.learn.model import (
    MINE,
    OPENED,
    TEACHER,
    Place,
    answer_of,
    change,
    course,
    done,
    go,
    learn,
    met_of,
    next_lesson,
    place,
    step,
    teachers,
)
from hiermeasures.ui.learn.question import card_text, question, turning
from hiermeasures.ui.learn.style import STYLE
from hiermeasures.ui.learn.values import value_table
from hiermeasures.ui.linked_table import Column, Row, Table, Text
from hiermeasures.ui.pages import Page, leave
from hiermeasures.ui.panel import show_panel
from hiermeasures.ui.prose import show_prose
from hiermeasures.ui.show_text import show_text

PARTS = {"course": "Course", "practice": "Practice", "mine": "My lesson"}
ABOUT = "Nothing but the drawing, the question and the values, large, and hidden until you reveal them."
LEAD = "Lessons with questions that you answer by clicking. Every number in them is computed as you read."


def page() -> None:
    """The whole page."""
    st.html(STYLE)
    location.arrive()
    _learn()


@st.fragment
def _learn() -> None:
    leave()
    at = place()
    if at is not None and learn().presenting:
        presented.presented()
    elif at is not None:
        _card(at)
    else:
        _parts()
        if learn().part == "practice":
            practice.practice()
        elif learn().part == "mine":
            my_lesson.my_lesson()
        else:
            _list()
    location.depart()
    mailbox()


# --- the list -----------------------------------------------------------------------------------------------------


def _parts() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="learn_head"):
        st.title("Learn", width="content")
        bind(st.segmented_control, "learn_part", learn().part, _turn)(
            "Part", list(PARTS), required=True, format_func=lambda part: PARTS[part], label_visibility="collapsed"
        )


def _turn(part: str) -> None:
    change(part=part, lesson="", fault="")


def _list() -> None:
    """The lessons, those that come with the project first."""
    show_text(LEAD, key="learn_lead")
    if learn().fault:
        show_text(learn().fault, "error", key="learn_fault")
    _lessons("course", {lesson.key: lesson for lesson in course().lessons}, course().faults)
    theirs = teachers()
    if theirs.lessons or theirs.faults:
        st.subheader("From your teacher")
        _lessons("teachers", {TEACHER + lesson.key: lesson for lesson in theirs.lessons}, theirs.faults)
    if (opened := learn().opened) is not None:
        st.subheader("Opened here")
        _lessons("opened", {OPENED: opened}, ())
        words = "Edit a copy in place of My lesson" if mine.mine().cards else "Edit a copy"
        button(words, key="learn_edit", icon=":material/edit:", action=_edit)
    _load()


def _lessons(name: str, lessons: dict[str, Lesson], faults: tuple[Fault, ...]) -> None:
    """A row per lesson, and what is wrong with files that cannot be used."""
    rows = tuple(_row(number, key, lesson) for number, (key, lesson) in enumerate(lessons.items(), 1))
    columns = (Column("Lesson"), Column("What you learn", "rest"), Column("Minutes", "number"))
    if rows:
        show_panel(Table("Lessons", (*columns, Column("Done")), rows, wide=True), key=f"learn_{name}", on_choose=go)
    for k, fault in enumerate(faults):
        show_text(str(fault), "error", key=f"learn_{name}_fault_{k}")


def _row(number: int, key: str, lesson: Lesson) -> Row:
    far = f"✓ {_right(key, lesson)}" if done(key, lesson) else f"{met_of(key, lesson)} of {len(lesson.cards)}"
    far = far if met_of(key, lesson) else ""
    says = f"{len(lesson.cards)} cards"
    cells = (Text(f"{number}. {lesson.title}", says=says), lesson.learns, str(lesson.minutes), far)
    return Row(cells, (), key)


def _right(key: str, lesson: Lesson) -> str:
    """How many questions of a finished lesson were answered right."""
    verdicts = [answer_of(f"{key}/{k}") for k, card in enumerate(lesson.cards) if card.question is not None]
    right = sum(a.verdict is not None and a.verdict.right and not a.revealed for a in verdicts)
    return f"{right} of {len(verdicts)} right" if verdicts else "done"


def _edit() -> None:
    """The opened lesson in the form."""
    mine.edit_text(learn().text)
    change(part="mine")


def _load() -> None:
    """A lesson of one's own from a file."""
    with st.expander("Load a lesson"):
        st.file_uploader("A lesson file (YAML)", key="lesson_file", on_change=_open_file)
        show_fault("lesson_file")


def _open_file() -> None:
    file = st.session_state.lesson_file
    if file is None:
        forget_faults("lesson_file")
    else:
        attempt("lesson_file", partial(location.open_file, file.getvalue(), file.name))


# --- a card -------------------------------------------------------------------------------------------------------


def _card(at: Place) -> None:
    card = at.card
    _head(at)
    with st.container(key="learn_pair" if len(card.instances) > 1 else "learn_single"):
        show_prose(card_text(card), key="learn_text", follow=("card", at.card_key))
        drawings(card, at.card_key)
        value_table(card, at.card_key)
        question(card, at.card_key, partial(_ways, at))


def _head(at: Place) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_place"):
        if at.key == MINE:
            icon_button("Back to the form", "edit", key="learn_form", action=partial(change, part="mine", lesson=""))
        else:
            icon_button("All lessons", "arrow_back", key="learn_list", action=partial(go, ""))
        show_text(f"{at.lesson.title}  ·  {at.index + 1} / {len(at.lesson.cards)}", "line", key="learn_place_words")
        button(
            "Open in the Explorer",
            key="learn_explorer",
            icon=":material/open_in_new:",
            action=partial(open_in_explorer, at),
        )
        button(
            "Present",
            key="learn_present",
            icon=":material/present_to_all:",
            action=presented.begin,
            keys="P",
            help=ABOUT,
        )


def _ways(at: Place) -> None:
    """To the next card and back."""
    last = at.index + 1 == len(at.lesson.cards)
    onward = ("Next lesson" if next_lesson(at.key) else "Finish") if last else "Next"
    turning("learn", step, first=at.index == 0, onward=onward)


PAGE = Page("Learn", page)
