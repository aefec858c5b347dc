"""The form for a lesson of one's own: its cards with their texts and questions, their order, preview, file and link.

What it holds, and what is wrong with it, is mine.py's.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import streamlit as st

from hiermeasures.cases.format import words
from hiermeasures.errors import InputError
from hiermeasures.lessons.format import HIDDEN, MOST_CARDS, Change
from hiermeasures.lessons.kinds import KINDS
from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.binding import bind, button, icon_button
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.explore.share_menu import save_as_yaml
from hiermeasures.ui.learn import location
from hiermeasures.ui.learn import mine as model
from hiermeasures.ui.learn.mine import MyLesson, change_card, checked, mine
from hiermeasures.ui.learn.model import MINE, go
from hiermeasures.ui.linked_table import Column, Row, Table, Text
from hiermeasures.ui.panel import show_panel
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.views import VIEWS

NONE = ""
EMPTY = (
    "No card yet. In the Explorer, draw or choose what a card is to show, and press “Make a card of this” under Share. "
    "A state that is pinned there becomes the second prediction."
)
KIND_WORDS = {
    NONE: "asks nothing",
    "prefers": "which of the two predictions a measure prefers",
    "click": "click a set of classes",
    "pair": "draw the pairing of a measure",
    "value": "what is the value",
    "make": "change something until a condition holds",
    "which": "which measure could have said this",
}
LABELS = {
    "measure": "Measure",
    "set": "Set to click",
    "value": "Value asked for",
    "tolerance": "Tolerance",
    "condition": "Condition",
    "change": "What is changed",
    "choices": "Measures to choose from",
    "says": "What was said, with X for the measure",
    "ask": "The question in your words (a sentence is made otherwise)",
    "explain": "Explanation, shown after the answer",
    "answer": "An example for which it holds (one is looked for otherwise)",
}
EXAMPLES = {
    "set": "augmented(true)",
    "value": "hF",
    "tolerance": "0.005",
    "condition": "hF > 0.5 and F_LCA < 0.4",
    "says": "X = 0.4",
    "answer": "T1 P1",
}
TEXT_HELP = (
    "An empty line begins a paragraph. Braces hold what is computed: {hF}, {hF = 0.67}, {augmented(true)}. A number "
    "typed outside of braces is refused."
)


def my_lesson() -> None:
    """The whole part of the page."""
    now = mine()
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


# --- the lesson ---------------------------------------------------------------------------------------------------


def _about(now: MyLesson) -> None:
    bind(st.text_input, "my_title", now.title, lambda text: model.change(title=text))(
        "Title of the lesson", max_chars=200
    )
    bind(st.text_input, "my_learns", now.learns, lambda text: model.change(learns=text))(
        "What one learns", max_chars=500
    )
    bind(st.number_input, "my_minutes", now.minutes, lambda number: model.change(minutes=number))("Minutes", 1, 120)


def _cards(now: MyLesson) -> None:
    """The cards in their order, and what can be done with the one in the form."""
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
            action=partial(go, MINE, k),
            disabled=model.as_lesson() is None,
        )


def _restore(now: MyLesson) -> None:
    if now.deleted is not None:
        full = len(now.cards) >= MOST_CARDS
        icon_button("Bring the deleted card back", "undo", key="my_restore", action=model.restore_card, disabled=full)


def _files(now: MyLesson) -> None:
    """Its file and its link, or why there are none yet."""
    try:
        text = model.as_file(now)
    except InputError as fault:
        show_text(str(fault), "note", key="my_no_file")
        return
    save_as_yaml(text, now.title, key="my_save")
    try:
        address = location.link({location.OWN: location.lesson_word(text), location.CARD: "1"})
    except InputError as fault:
        show_text(str(fault), "note", key="my_no_link")
        return
    with st.expander("A link that opens it"):
        st.code(address, language=None, wrap_lines=True)


# --- a card -------------------------------------------------------------------------------------------------------


def _card(card: model.Entries) -> None:
    """The form of one card; what is wrong is said below the part that it is about."""
    found = checked(card)
    _text("title", "Title of the card", card.get("title", ""))
    _text("text", "Text", card.get("text", ""), widget=st.text_area, height=150, help=TEXT_HELP)
    left, right = st.columns(2)
    measures = _words(card.get("measures"))
    offered = list(dict.fromkeys([*_own(card), *measures, *CATALOGUE]))
    bind(left.multiselect, "card_measures", measures, lambda chosen: change_card(measures=list(chosen)))(
        "Measures, the first is chosen", offered, placeholder="none"
    )
    bind(right.multiselect, "card_hidden", _words(card.get("hidden")), lambda chosen: change_card(hidden=list(chosen)))(
        "Hidden until it is answered", list(HIDDEN), placeholder="nothing"
    )
    bind(left.selectbox, "card_view", card.get("view", NONE), lambda view: change_card(view=view))(
        "Drawn",
        [NONE, *VIEWS],
        format_func=lambda view: VIEWS[view].title if view else "what the first measure is read off",
    )
    if found.fault:
        show_text(found.fault, "error", key="card_wrong")
    _question(card, right)
    if found.question_fault:
        show_text(found.question_fault, "error", key="card_question_wrong")
    elif found.answer:
        show_text(f"The answer: {found.answer}", key="card_answer")


def _own(card: model.Entries) -> list[str]:
    """The names of its own measures."""
    return [name.partition(":")[0].strip() for name in card.get("define", {})]


def _words(entry: Any) -> list[str]:
    """Words as a file holds them: in one text, or as a list."""
    return list(words(entry or ()))


def _text(name: str, label: str, value: str, widget: Callable[..., Any] = st.text_input, **settings: Any) -> None:
    bind(widget, f"card_{name}", value, lambda text: change_card(**{name: text}))(label, **settings)


# --- its question -------------------------------------------------------------------------------------------------


def _question(card: model.Entries, place: Any) -> None:
    question = dict(card.get("question") or {})
    kind = question.get("kind", NONE)
    bind(place.selectbox, "card_kind", kind if kind in KINDS else NONE, partial(_choose_kind, card))(
        "Asks", [NONE, *KINDS], format_func=lambda key: KIND_WORDS.get(key, key)
    )
    if kind not in KINDS:
        return
    example = ("answer",) if kind == model.AUTHORS else ()
    for name in (*KINDS[kind].needs, *KINDS[kind].takes, *example, "ask", "explain"):
        _entry(card, question, name)


def _entry(card: model.Entries, question: dict[str, Any], name: str) -> None:
    """The field of one entry of a question."""
    value, field, label = question.get(name, ""), f"question_{name}", LABELS.get(name, name)
    apply = partial(_change_question, question, name)
    measures = list(dict.fromkeys([*_words(card.get("measures")), *_own(card), *CATALOGUE]))
    if name == "measure":
        bind(st.selectbox, field, value, apply)(label, list(dict.fromkeys([value, *measures] if value else measures)))
    elif name == "choices":
        bind(st.multiselect, field, _words(value), apply)(label, list(dict.fromkeys([*_words(value), *measures])))
    elif name == "change":
        options = list(get_args(Change))
        bind(st.selectbox, field, value or options[0], apply)(label, options)
    else:
        text = value if isinstance(value, str) else " ".join(value)
        bind(st.text_input, field, text, apply)(label, placeholder=EXAMPLES.get(name, ""), max_chars=2000)


def _change_question(question: dict[str, Any], name: str, value: Any) -> None:
    kept = {key: old for key, old in question.items() if key != name}
    change_card(question=kept if value in ("", [], None) else {**kept, name: value})


def _choose_kind(card: model.Entries, kind: str) -> None:
    """A question of another kind keeps its words; what it is about begins with the card's measures."""
    if kind not in KINDS:
        change_card(question=None)
        return
    old, measures = card.get("question") or {}, _words(card.get("measures"))
    question = {"kind": kind, **{name: old[name] for name in ("ask", "explain") if name in old}}
    known = {"measure": measures[:1], "value": measures[:1], "choices": measures}
    for name in (*KINDS[kind].needs, *KINDS[kind].takes):
        if known.get(name):
            question[name] = measures if name == "choices" else measures[0]
    change_card(question=question)
