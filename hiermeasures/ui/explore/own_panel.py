"""The popover "Own": a person's own measures, each made from an expression, and the form for one.

What an expression may hold, and where one is wrong, hiermeasures.expressions says; the measures are those of
hiermeasures.measures.own. What is typed stays until it is saved, and the last right one is listed until then.
"""

from dataclasses import replace
from functools import partial
from typing import Any, get_args

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import Direction, number
from hiermeasures.measures.own import MOST_OWN, SIZES, called, own_measure, parted
from hiermeasures.ui.binding import attempt, bind, button, forget_faults, icon_button, show_fault
from hiermeasures.ui.explore import model
from hiermeasures.ui.explore.model import OwnMeasures
from hiermeasures.ui.popover import popover
from hiermeasures.ui.show_text import show_expression_fault, show_text
from hiermeasures.ui.views import OPENING, with_measure

EXAMPLE = "0.5*hF + 0.5*F_LCA"
STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-own_panel) { width: 31rem; }
.st-key-own_panel [data-testid="stVerticalBlock"] { gap: 0.5rem; }
[class*="st-key-own_list_"] { flex-wrap: nowrap; gap: 0.25rem; }
[class*="st-key-own_list_"] button { padding: 0 0.4rem; min-height: 1.9rem; }
</style>"""
HELP = (
    "Names: every measure by its key, such as hF, F_LCA, GIE; parts of structures, such as augmented.shared, lca.true, "
    f"confusion.TP, pairing_GIE.error; {' and '.join(SIZES)}. Also + − * /, brackets, min, max, abs, sqrt, rounded. "
    "docs/expressions.md lists them all."
)


def own_measures(explanation: Explanation) -> None:
    """The button above the table of values, and what is behind it."""
    at = model.explorer().own
    label = f"Own · {len(at.definitions)}" if at.definitions else "Own"
    panel = popover(label, icon=":material/function:", key="own", help="Measures of your own, from an expression")
    if not panel.open:
        return
    with panel, st.container(key="own_panel"):
        st.markdown("**Your own measure**", help=HELP)
        _listed(at)
        if len(at.definitions) < MOST_OWN or at.editing is not None:
            _form(at, explanation)
        else:
            st.caption(f"{MOST_OWN} at a time are the most; remove one to add another.")


def _listed(at: OwnMeasures) -> None:
    """Those there are, each with the ways to change and to remove it."""
    for k, definition in enumerate(at.definitions):
        with st.container(horizontal=True, vertical_alignment="center", key=f"own_list_{k}"):
            show_text(f"{called(definition)} = {parted(definition)[1]}", "line", key=f"own_row_{k}")
            for icon, label, action in (("edit", "Edit", _edit), ("delete", "Remove", _remove)):
                name = f"{label} {called(definition)}"
                icon_button(name, icon, key=f"own_{label.lower()}_{k}", action=partial(action, definition))


def _form(at: OwnMeasures, explanation: Explanation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        bind(st.text_input, "own_name", at.name, partial(_typed, "name"))("Name", placeholder="mine", width=150)
        bind(st.segmented_control, "own_better", at.better, partial(_typed, "better"))(
            "Better when", list(get_args(Direction)), required=True
        )
    bind(st.text_input, "own_expression", at.expression, partial(_typed, "expression"))(
        "Expression", placeholder=EXAMPLE, help=HELP
    )
    _checked(at, explanation)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        button("Add" if at.editing is None else "Save", key="own_save", action=_save, type="primary")
        if at.editing is not None:
            button("Cancel", key="own_cancel", action=_clear, type="tertiary")
    show_fault("own")


def _checked(at: OwnMeasures, explanation: Explanation) -> None:
    """What the expression gives here, or where it is wrong."""
    if not at.expression.strip():
        return
    try:
        value = explanation[f"x={at.expression.strip()}"]
    except InputError as fault:
        show_expression_fault(fault, key="own_expression_fault")
    else:
        if explanation.true | explanation.predicted:
            show_text(f"Here it is {number(value)}.", "note", key="own_value")


# --- what a person does -------------------------------------------------------------------------------------------


def _change(**parts: Any) -> None:
    model.change(own=replace(model.explorer().own, **parts))


def _typed(part: str, entry: str) -> None:
    forget_faults("own")
    _change(**{part: entry})


def _save() -> None:
    attempt("own", _save_draft)


def _save_draft() -> None:
    at = model.explorer().own
    if not at.name.strip():
        raise InputError("The measure needs a name, such as mine.")
    definition = own_measure(at.draft).key
    others = [d for d in at.definitions if d != at.editing]
    if called(definition) in map(called, others):
        raise InputError(f"There is an own measure of this name already: {called(definition)}.")
    if at.editing in at.definitions:
        definitions = tuple(definition if d == at.editing else d for d in at.definitions)
    else:
        definitions = (*at.definitions, definition)
    _replaced(at.editing, definition)
    model.change(own=OwnMeasures(definitions))
    model.set_view_state(with_measure(model.view_state(), definition))


def _replaced(before: str | None, definition: str | None) -> None:
    """What was starred or chosen under a definition that is changed or removed."""
    now = model.explorer()
    if before in now.starred:
        model.change(starred=now.starred - {before} | ({definition} if definition else set()))
    if before == now.view_state.measure and definition is None:
        model.set_view_state(with_measure(now.view_state, _instead(before)))


def _instead(definition: str) -> str:
    """The measure that is chosen after an own one: the first that it names."""
    return next((name for name in own_measure(definition).parts if name in CATALOGUE), OPENING.measure)


def _edit(definition: str) -> None:
    own = own_measure(definition)
    forget_faults("own")
    ends = "..".join("" if bound is None else f"{bound:g}" for bound in (own.low, own.high))
    _change(
        name=called(definition),
        expression=own.expression.text,
        better=own.better,
        bounds="" if ends == ".." else f":{ends}",
        editing=definition,
    )


def _remove(definition: str) -> None:
    at = model.explorer().own
    forget_faults("own")
    _replaced(definition, None)
    kept = tuple(d for d in at.definitions if d != definition)
    model.change(own=OwnMeasures(kept) if at.editing == definition else replace(at, definitions=kept))


def _clear() -> None:
    forget_faults("own")
    model.change(own=OwnMeasures(model.explorer().own.definitions))
