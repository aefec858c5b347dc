"""The panel beside the drawing: what the chosen measure's number is made of, with its formula, its
structure, and the way there step by step; what edits of one class would do to it; and a second
measure beside it.

What is in it is declared by the views; here it is laid out.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.behaviour.what_if import KINDS, ClassEdit, Order
from hiermeasures.core.options import Options
from hiermeasures.explorer import drawn, gestures
from hiermeasures.explorer.component_data import NOTHING_MARKED, graph_data, two_decimals
from hiermeasures.explorer.controls import (
    Control,
    Controls,
    Range,
    box,
    button,
    check,
    choice,
    component,
    formula,
    number,
    pills,
    row,
    switch,
    words,
)
from hiermeasures.explorer.drawn import Edits, Host, Printed
from hiermeasures.explorer.edits import HINT, edits_data
from hiermeasures.explorer.library import differs
from hiermeasures.explorer.model import Pinned, State
from hiermeasures.measures import find_measure
from hiermeasures.measures.own import is_definition, spoken
from hiermeasures.picture.panel import OptionField, Switch, titled
from hiermeasures.picture.views import VIEWS, View, ViewState, WalkStep, steps, with_measure

RESULT, STEPS, WHAT_IF = "result", "step by step", "what if"
ORDERS: dict[Order, str] = {"best": "best first", "conflict": "conflict first", "class": "as drawn"}


def controls(state: State, edits: Edits | None, printed: Printed) -> Controls:
    at, explanation = state.view_state, state.explanation
    view, walk = VIEWS[at.view], steps(explanation, at)
    switches = (*(() if walk or at.what_if else view.switches), _result_switch(view))
    found = drawn.evidence(state)
    title = words(found.title, "title", key="measure", help=drawn.about(state))
    head = row(title, *(_switch(each, state) for each in switches), style="head")
    if not state.shown.selected:
        return head, words(NOTHING_MARKED, key="nothing_marked")
    if edits is not None:
        return (head,)
    if walk:
        return (head, *_stepper(state, walk))
    differ = "" if state.shown.changed else differs(printed.get(at.measure, ()))
    return (
        *second_drawing(state, small=False),
        head,
        formula(found.formulas[0]),
        words(found.sentence, key="sentence"),
        *([words(differ, "note", key="printed_value")] if differ else []),
        *([row(*(_field(view, field, state) for field in view.fields), style="fields")] if view.fields else []),
        *([words(found.note, "note", key="view_note")] if found.note else []),
        component("panel", state.panel.component, state.panel.as_data),
        *second_controls(state),
    )


# --- switches and fields ------------------------------------------------------------------------


def _result_switch(view: View) -> Switch:
    """The switch between the measure's number, the way to it, and what edits would make of it."""
    offered = (RESULT, *((STEPS,) if view.walk else ()), WHAT_IF)
    return Switch(
        key="stepping",
        label="Result, steps or what if",
        words={each: each for each in offered},
        value=lambda explanation, at: WHAT_IF if at.what_if else RESULT if at.step is None else STEPS,
        choose=lambda at, chosen: replace(at, step=0 if chosen == STEPS else None, what_if=chosen == WHAT_IF),
    )


def _switch(declared: Switch, state: State) -> Control:
    value = declared.value(state.explanation, state.view_state)
    act = lambda at, chosen: at.looking(declared.choose(at.view_state, chosen))  # noqa: E731
    return switch(declared.key, declared.label, value, declared.words, act)


def _field(view: View, declared: OptionField, state: State) -> Control:
    value = declared.value(state.explanation, state.view_state)
    act, about = partial(_set_option, view, declared), declared.help
    disabled = declared.disabled(state.explanation, state.view_state)
    if declared.limits is None:
        return check(declared.key, declared.label, bool(value), act, help=about, disabled=disabled)
    step = 1 if isinstance(declared.limits[0], int) else 1.0
    numbers = Range(declared.limits, step)
    return number(declared.key, declared.label, value, act, numbers, help=about, disabled=disabled)


def _set_option(view: View, declared: OptionField, state: State, value: float) -> State:
    at, shown = state.view_state, state.shown
    if at.view != view.key:
        return state
    settings, then = declared.change(state.explanation, at, value)
    options = Options.make(shown.instance.options.model_dump(exclude_unset=True) | settings)
    return state.showing(shown.with_options(options)).looking(then)


# --- step by step -------------------------------------------------------------------------------


def _stepper(state: State, walk: tuple[WalkStep, ...]) -> Controls:
    last = len(walk) - 1
    place = min(state.view_state.step or 0, last)
    ways = (
        ("First", "«", -last, place > 0),
        ("Back", "‹", -1, place > 0),
        ("Forward", "›", 1, place < last),
        ("Last", "»", last, place < last),
    )
    buttons = (
        button(f"step_{name.lower()}", name, partial(_go, by, last), icon=icon, disabled=not possible)
        for name, icon, by, possible in ways
    )
    step = walk[place]
    table = titled(step.table(), state.explanation.hierarchy)
    return (
        row(*buttons, words(f"Step {place + 1} of {len(walk)}", key="step_place"), style="stepper"),
        words(step.phase, "title", key="step_phase"),
        words(step.sentence, key="step_sentence"),
        component("steps", table.component, table.as_data),
    )


def _go(by: int, last: int, state: State) -> State:
    at = state.view_state
    if at.step is None:
        return state
    return state.looking(replace(at, step=min(max(min(at.step, last) + by, 0), last)))


# --- what if ------------------------------------------------------------------------------------


def wide(state: State, edits: Edits | None, host: Host) -> Controls:
    """The edits of one class, and why the chosen measure changed with one."""
    if edits is None:
        return ()
    at = state.edits

    def put(name: str) -> Any:
        return lambda s, entry: replace(s, edits=replace(s.edits, **{name: entry}))

    sides = {"predicted": "predicted", "true": "true"}
    return (
        row(
            pills("edit_sides", "Side", at.sides, sides, put("sides")),
            pills("edit_kinds", "Edit", at.kinds, {kind: kind for kind in KINDS}, put("kinds")),
            choice("edit_order", "Order", at.order, ORDERS, put("order"), title=False),
            check("edit_conflicts", "only conflicts", at.only_conflicts, put("only_conflicts")),
        ),
        component("edits", "what_if", lambda: edits_data(edits(), at, state.view_state.measure)),
        _why(state, host),
    )


def _why(state: State, host: Host) -> Control:
    """Both values, and why they differ by the edit that was asked about, or the one made last."""
    if (why := drawn.why(state)) is None:
        return words(HINT, "note", key="why_hint")
    found, said = why
    edit, before = found.edit, found.before
    return box(
        words(said.title, "title", key="why_question"),
        row(*map(formula, said.formulas), style="formulas"),
        words(said.sentence, key="why_sentence"),
        row(
            None if found.done else button("why_do", "Do it", partial(_do, edit)),
            button(
                "why_pin",
                "Pin before",
                lambda s: replace(s, pinned=Pinned(before)),
                help="Show in the table above how every value changed with it.",
            ),
            button("why_steps", "Steps", _steps) if VIEWS[state.view_state.view].walk else None,
            *host.why(state),
        ),
        key="why",
        style="frame",
    )


def _do(edit: ClassEdit, state: State) -> State:
    return gestures.after(state, "edits", "do", {"side": edit.side, "added": edit.added, "removed": edit.removed})


def _steps(state: State) -> State:
    at: ViewState = state.view_state
    return state.looking(replace(at, step=0, what_if=False))


# --- a second measure beside the chosen one -----------------------------------------------------

SMALL = 9  # classes, of which half a column shows the names


def second_field(state: State) -> Control:
    """The choice of the second measure among those of the table."""
    offered = {"": "no second measure" if state.second else "compare …"}
    keys = dict.fromkeys([*state.listed(), *([state.second] if state.second else [])])
    offered |= {
        key: f"with {spoken(key) if is_definition(key) else find_measure(key).name}"
        for key in keys
        if key != state.view_state.measure
    }
    put = lambda s, key: replace(s, second=key)  # noqa: E731
    chosen = state.second if state.second in offered else ""
    return choice("second", "Beside it", chosen, offered, put, title=False)


def second_controls(state: State) -> Controls:
    """The second measure; nothing where there is none."""
    if (other := _other(state)) is None:
        return ()
    found = drawn.evidence(other)
    return (
        box(
            words(_difference(state, other), key="beside_difference"),
            words(found.title, "title", key="beside_title"),
            formula(found.formulas[0]),
            words(found.sentence, key="beside_sentence"),
            key="beside",
            style="frame",
        ),
    )


def second_drawing(state: State, *, small: bool) -> Controls:
    """The second measure's drawing, none while a click edits: a `small` one stands beside the
    first, where both have room, another below the values.
    """
    other = _drawn(state)
    if other is None or small != (len(drawn.places(state).ids) <= SMALL):
        return ()
    return (row(component("beside_graph", "graph", partial(_graph, other)), style="second"),)


def _drawn(state: State) -> State | None:
    """The state looking at the second measure, where that is drawn."""
    return None if state.drawing else _other(state)


def _other(state: State) -> State | None:
    """The state looking at the second measure, where both results are looked at."""
    at = state.view_state
    results = bool(state.shown.selected) and not at.what_if and at.step is None
    if not results or not state.second or state.second == at.measure:
        return None
    return replace(state, view_state=with_measure(at, state.second))


def _graph(state: State) -> dict[str, object]:
    at = state.view_state
    view = f"beside|{at.measure}|{bool(state.overlay.links)}"
    data = graph_data(drawn.places(state), state.overlay, view=view, alt=state.shown.described, zoom=False)
    return data | {"caption": _name(state)}


def second_caption(state: State) -> dict[str, object]:
    """The first measure's name for its drawing, where the second's stands beside it."""
    return {"caption": _name(state)} if _drawn(state) else {}


def _name(state: State) -> str:
    return state.explanation.measure(state.view_state.measure).name


def _difference(first: State, second: State) -> str:
    """The two values, and the structures that they are read off. Their ranges differ."""
    said = []
    for state in (first, second):
        measure = state.explanation.measure(state.view_state.measure)
        value, better = two_decimals(state.explanation[measure.key]), measure.better
        view = VIEWS[state.view_state.view].title
        said.append(f"{measure.name} is {value} ({better} is better), read off what “{view}” draws")
    return "; ".join(said) + "."
