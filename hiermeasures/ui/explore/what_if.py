"""What if: what a click on each class would do to the chosen measure, the table of all edits of one class over the
measures that are shown, and why the chosen one changed with an edit.

What edits do is computed by hiermeasures.behaviour.what_if, and the sentence is made in why.py beside it; here both are
laid out. what_if.js draws the table; a row previews on the drawing in the browser, and a click on it is a gesture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.batch.warm import kernels_awaited, kernels_ready, make_kernels_ready
from hiermeasures.behaviour.what_if import KINDS, ClassEdit, Order, WhatIf
from hiermeasures.measures import Explanation, Measure
from hiermeasures.ui import gestures
from hiermeasures.ui.binding import attempt, bind, button, show_fault
from hiermeasures.ui.explore import model
from hiermeasures.ui.explore.edits import HINT, EditChoice, edit_asked, edits_data, edits_to_show, reason
from hiermeasures.ui.explore.model import Pinned, explorer, history, view_state
from hiermeasures.ui.graph.scene import Arrangement
from hiermeasures.ui.learn.mine import add_card, mine
from hiermeasures.ui.scripts import component
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import VIEWS

POLL = 1.0  # seconds
ORDERS: dict[Order, str] = {"best": "best first", "conflict": "conflict first", "class": "as drawn"}
STYLE = """<style>
.st-key-edit_choice { gap: 0.3rem 0.5rem; }
.st-key-edit_choice button { padding: 0 0.5rem; min-height: 1.75rem; }
.st-key-edit_choice button p { font-size: 0.8125rem; }
.st-key-edit_choice button[data-selected] { color: inherit !important; font-weight: 600; }
.st-key-why { gap: 0.2rem; }
.st-key-why_numbers { row-gap: 0; column-gap: 1.5rem; justify-content: flex-start; }
.st-key-why_numbers .katex-display, .st-key-why_numbers .katex-display > .katex { text-align: left; }
.st-key-why button { padding: 0 0.55rem; min-height: 1.75rem; }
.st-key-why button p { font-size: 0.8125rem; }
</style>"""


def looked_at(shown: Shown, explanation: Explanation, arrangement: Arrangement, listed: Iterable[str]) -> WhatIf | None:
    """What each edit over the drawn classes would do to the measures that are `listed` in the table of values, if that
    is looked at and there is a value to change.
    """
    if not view_state().what_if or not shown.selected:
        return None
    if not kernels_ready():
        make_kernels_ready()
    drawn, chosen = arrangement.neighbourhood.nodes, view_state().measure
    return edits_to_show(shown.instance, explanation, chosen, listed, drawn, explorer().edits.sides)


# --- the panel ----------------------------------------------------------------------------------------------------


def panel(found: WhatIf) -> None:
    """Which edits, the table of them, and why the chosen measure changed with one."""
    _choice(explorer().edits)
    _table(found, explorer().edits, view_state().measure)
    if found.left_out and kernels_awaited():
        _wait()
    _why(found.measure(view_state().measure))


def _choice(at: EditChoice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="edit_choice"):
        bind(st.pills, "edit_sides", list(at.sides), partial(_set, "sides"))(
            "Side", ["predicted", "true"], selection_mode="multi", label_visibility="collapsed", width="content"
        )
        bind(st.pills, "edit_kinds", list(at.kinds), partial(_set, "kinds"))(
            "Edit", list(KINDS), selection_mode="multi", label_visibility="collapsed", width="content"
        )
        bind(st.selectbox, "edit_order", at.order, partial(_set, "order"))(
            "Order", list(ORDERS), format_func=lambda order: ORDERS[order], label_visibility="collapsed", width=128
        )
        bind(st.checkbox, "edit_conflicts", at.only_conflicts, partial(_set, "only_conflicts"))("only conflicts")


def _set(name: str, entry: Any) -> None:
    parts: dict[str, Any] = {name: tuple(entry) if isinstance(entry, list) else entry}
    model.change(edits=replace(explorer().edits, **parts))


def _table(found: WhatIf, choice: EditChoice, key: str) -> None:
    address = gestures.address("what_if", do=_do, why=_ask)
    component("what_if")(
        key="what_if", data=edits_data(found, choice, key, coming=kernels_awaited()) | {"address": address}
    )


@st.fragment(run_every=POLL)
def _wait() -> None:
    """Ask for the page again when the kernels are ready, or will never be."""
    if not kernels_awaited():
        st.rerun()


# --- gestures -----------------------------------------------------------------------------------------------------


def _do(value: Mapping[str, Any]) -> None:
    edit, shown = edit_asked(value, history().present.instance), history().present
    if edit is not None:
        model.show(shown.with_classes(edit.side, edit.of(shown.classes(edit.side))))


def _ask(value: Mapping[str, Any]) -> None:
    edit = edit_asked(value, history().present.instance)
    if edit is not None:
        model.change(edits=replace(explorer().edits, asked=(history().present, edit)))


# --- why ----------------------------------------------------------------------------------------------------------


def _why(measure: Measure) -> None:
    """The edit that was asked about, or else the one made last: both values, and what changed between them."""
    past = history()
    found = reason(measure, explorer().edits, past.past[-1] if past.past else None, past.present)
    if found is None:
        show_text(HINT, "note", key="why_hint")
        return
    with st.container(border=True, key="why"):
        show_text(found.question, key="why_question")
        with st.container(horizontal=True, key="why_numbers"):
            for words, derivation in (("before", found.why.before), ("after", found.why.after)):
                st.latex(rf"\text{{{words}}}\quad {derivation.latex}")
        show_text(found.why.sentence, key="why_sentence")
        _why_buttons(found.before, found.edit, found.done)


def _why_buttons(before: Shown, edit: ClassEdit, done: bool) -> None:
    with st.container(horizontal=True, key="why_buttons"):
        if not done:
            asked = {"side": edit.side, "added": edit.added, "removed": edit.removed}
            button("Do it", key="why_do", icon=":material/check:", action=partial(_do, asked))
        button(
            "Pin before",
            key="why_pin",
            icon=":material/keep:",
            action=partial(model.change, pinned=Pinned(before)),
            help="Show in the table above how every value changed with it.",
        )
        if VIEWS[view_state().view].walk:
            button("Steps", key="why_steps", icon=":material/footprint:", action=_steps)
        button(
            "Card",
            key="why_card",
            icon=":material/school:",
            action=partial(_make_card, before, edit),
            help="Make a card of this: before and after, side by side in My lesson on the page Learn.",
        )
    if cards := len(mine().cards):
        show_text(f"Cards in My lesson: {cards}.", "note", key="why_cards")
    show_fault("why_card")


def _make_card(before: Shown, edit: ClassEdit) -> None:
    after = before.with_classes(edit.side, edit.of(before.classes(edit.side)))
    attempt("why_card", lambda: add_card(before, view_state(), sorted(explorer().starred), after))


def _steps() -> None:
    model.set_view_state(replace(view_state(), step=0, what_if=False))
