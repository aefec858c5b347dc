"""The form for a lesson of one's own: its cards with their texts and questions, their order,
preview, file and link.

What it holds, and what is wrong with it, is draft_lesson.py's.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.app.binding import bind, button, icon_button
from hiermeasures.app.columns import stacking_columns
from hiermeasures.app.learn import draft_lesson as model
from hiermeasures.app.learn import location
from hiermeasures.app.learn.draft_lesson import DraftLesson, change_card, checked, draft
from hiermeasures.app.learn.model import DRAFT, go
from hiermeasures.app.panel import show_panel
from hiermeasures.app.show_text import show_text
from hiermeasures.cases.format import words
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.areas.sharing import YAML, file_name
from hiermeasures.explorer.player.model import CARD
from hiermeasures.lessons import KINDS
from hiermeasures.lessons.cards import HIDDEN, MOST_CARDS
from hiermeasures.lessons.questions import LONGEST_TEXT, FormField
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.linked_table import Column, Row, Table, Text
from hiermeasures.picture.views import VIEWS

NONE = ""
EMPTY = (
    "No card yet. In the Explorer, draw or choose what a card is to show, and press “Make a card of this” under Share. "
    "A state that is pinned there becomes the second prediction."
)
TEXT_HELP = (
    "An empty line begins a paragraph. Braces hold what is computed: {hF}, {hF = 0.67}, {augmented(true)}. A number "
    "typed outside of braces is refused."
)


def draft_form() -> None:
    """Put the form on the page."""
    now = draft()
    if not now.cards:
        show_text(EMPTY, key="my_empty")
        _restore(now)
        return
    left, right = stacking_columns("my_lesson", [4, 7], gap="large")
    with left:
        _about(now)
        _cards(now)
        _files(now)
    with right:
        _card(now.cards[now.chosen])


# --- the lesson -----------------------------------------------------------------------------------


def _about(now: DraftLesson) -> None:
    bind(st.text_input, "my_title", now.title, lambda text: model.change(title=text))(
        "Title of the lesson", max_chars=200
    )
    bind(st.text_input, "my_learns", now.learns, lambda text: model.change(learns=text))(
        "What one learns", max_chars=500
    )
    bind(st.number_input, "my_minutes", now.minutes, lambda number: model.change(minutes=number))("Minutes", 1, 120)


def _cards(now: DraftLesson) -> None:
    rows = []
    for k, card in enumerate(now.cards):
        reason, kind = checked(card).reason, (card.get("question") or {}).get("kind", NONE)
        title = Text(str(card.get("title", "")), says=reason)
        rows.append(Row((str(k + 1), title, kind, "wrong" if reason else ""), (), str(k), k == now.chosen))
    columns = (Column("", "number"), Column("Card", "rest"), Column("Asks"), Column(""))
    show_panel(
        Table("The cards", columns, tuple(rows)), key="my_cards", on_choose=lambda key: model.change(at=int(key))
    )
    k, last = now.chosen, len(now.cards) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="my_order"):
        icon_button("Move up", "arrow_upward", key="my_up", action=partial(model.move_card, -1), disabled=k == 0)
        icon_button(
            "Move down", "arrow_downward", key="my_down", action=partial(model.move_card, 1), disabled=k == last
        )
        icon_button("Delete the card", "delete", key="my_delete", action=model.delete_card)
        _restore(now)
        button(
            "Preview",
            key="my_preview",
            icon=":material/visibility:",
            action=partial(go, DRAFT, k),
            disabled=model.as_lesson() is None,
        )


def _restore(now: DraftLesson) -> None:
    if now.deleted is not None:
        full = len(now.cards) >= MOST_CARDS
        icon_button("Bring the deleted card back", "undo", key="my_restore", action=model.restore_card, disabled=full)


def _files(now: DraftLesson) -> None:
    try:
        text = model.as_file(now)
    except InputError as fault:
        show_text(str(fault), "note", key="my_no_file")
        return
    name, icon = file_name(now.title, ".yaml"), ":material/download:"
    st.download_button("Save as YAML", text, name, YAML, key="my_save", on_click="ignore", icon=icon)
    try:
        address = location.link({location.OWN: location.lesson_word(text), CARD: "1"})
    except InputError as fault:
        show_text(str(fault), "note", key="my_no_link")
        return
    with st.expander("A link that opens it"):
        st.code(address, language=None, wrap_lines=True)


# --- a card ---------------------------------------------------------------------------------------


def _card(card: model.Entries) -> None:
    """The form of one card; what is wrong is said below the part that it is about."""
    found = checked(card)
    _text("title", "Title of the card", card.get("title", ""))
    _text("text", "Text", card.get("text", ""), widget=st.text_area, height=150, help=TEXT_HELP)
    left, right = st.columns(2)
    measures = _words(card.get("measures"))
    offered = list(dict.fromkeys([*_own(card), *measures, *CATALOGUE]))
    bind(left.multiselect, "card_measures", measures, lambda chosen: change_card(measures=list(chosen)))(
        "Measures to show; the first one is selected", offered, placeholder="none"
    )
    bind(right.multiselect, "card_hidden", _words(card.get("hidden")), lambda chosen: change_card(hidden=list(chosen)))(
        "Hidden until it is answered", list(HIDDEN), placeholder="nothing"
    )
    bind(left.selectbox, "card_view", card.get("view", NONE), lambda view: change_card(view=view))(
        "Drawn",
        [NONE, *VIEWS],
        format_func=lambda view: VIEWS[view].title if view else "the structure of the first measure",
    )
    if found.fault:
        show_text(found.fault, "error", key="card_wrong")
    _question(card, right)
    if found.question_fault:
        show_text(found.question_fault, "error", key="card_question_wrong")
    elif found.answer:
        show_text(f"The answer: {found.answer}", key="card_answer")


def _own(card: model.Entries) -> list[str]:
    return [name.partition(":")[0].strip() for name in card.get("define", {})]


def _words(entry: Any) -> list[str]:
    """Words as a file holds them: in one text, or as a list."""
    return list(words(entry or ()))


def _text(name: str, label: str, value: str, widget: Callable[..., Any] = st.text_input, **settings: Any) -> None:
    bind(widget, f"card_{name}", value, lambda text: change_card(**{name: text}))(label, **settings)


# --- its question ---------------------------------------------------------------------------------


def _question(card: model.Entries, place: Any) -> None:
    question = dict(card.get("question") or {})
    kind = question.get("kind", NONE)
    bind(place.selectbox, "card_kind", kind if kind in KINDS else NONE, partial(_choose_kind, card))(
        "Asks", [NONE, *KINDS], format_func=lambda key: KINDS[key].about if key else "asks nothing"
    )
    if kind not in KINDS:
        return
    parts = KINDS[kind].Entry.form()
    if (example := KINDS[kind].example) is not None:
        parts["answer"] = example
    for name, part in sorted(parts.items(), key=lambda item: item[0] in ("ask", "explain")):
        _entry(card, question, name, part)


def _entry(card: model.Entries, question: dict[str, Any], name: str, part: FormField) -> None:
    value, field = question.get(name, ""), f"question_{name}"
    apply = partial(_change_question, question, name)
    if part.options:
        bind(st.selectbox, field, value or part.options[0], apply)(part.label, part.options)
    elif part.names in ("measure", "measures"):
        chosen = _words(value)
        measures = list(dict.fromkeys([*chosen, *_words(card.get("measures")), *_own(card), *CATALOGUE]))
        if part.names == "measure":
            bind(st.selectbox, field, value, apply)(part.label, measures)
        else:
            bind(st.multiselect, field, chosen, apply)(part.label, measures)
    else:
        text = value if isinstance(value, str) else " ".join(value)
        bind(st.text_input, field, text, apply)(part.label, placeholder=part.example, max_chars=LONGEST_TEXT)


def _change_question(question: dict[str, Any], name: str, value: Any) -> None:
    kept = {key: old for key, old in question.items() if key != name}
    change_card(question=kept if value in ("", [], None) else {**kept, name: value})


def _choose_kind(card: model.Entries, kind: str) -> None:
    """Keep the words of the question; what it is about begins with the card's measures."""
    if kind not in KINDS:
        change_card(question=None)
        return
    old, measures = card.get("question") or {}, _words(card.get("measures"))
    question = {"kind": kind, **{name: old[name] for name in ("ask", "explain") if name in old}}
    for name, part in KINDS[kind].Entry.form().items():
        if part.names and measures:
            question[name] = measures if part.names == "measures" else measures[0]
    change_card(question=question)
