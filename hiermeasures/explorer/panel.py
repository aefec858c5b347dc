"""The panel beside the drawing: what the chosen measure's number is made of, with its formula, its
structure, and the way there step by step; what edits of one class would do to it; and a second
measure beside it.

What is in it is declared by the views; here it is laid out.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from hiermeasures.behaviour.what_if import KINDS, ClassEdit, Order, WhatIf
from hiermeasures.core.options import Options
from hiermeasures.explorer import controls, gestures
from hiermeasures.explorer.component_data import NOTHING_MARKED, graph_data, two_decimals
from hiermeasures.explorer.edits import HINT, Reason, edits_data, edits_to_show, reason
from hiermeasures.explorer.library import differs
from hiermeasures.explorer.model import Host, Pinned, State
from hiermeasures.measures import find_measure
from hiermeasures.measures.own import is_definition, spoken
from hiermeasures.picture.panel import OptionField, Switch, titled
from hiermeasures.picture.views import VIEWS, View, ViewState, WalkStep, steps, with_measure

Edits = Callable[[], WhatIf]
RESULT, STEPS, WHAT_IF = "result", "step by step", "what if"
ORDERS: dict[Order, str] = {"best": "best first", "conflict": "conflict first", "class": "as drawn"}


def area(state: State, edits: Edits | None) -> controls.Controls:
    at, explanation = state.view_state, state.explanation
    view, walk = VIEWS[at.view], steps(explanation, at)
    switches = (*(() if walk or at.what_if else view.switches), _result_switch(view))
    measure, derivation = explanation.measure(at.measure), explanation.derivation(at.measure)
    about = f"{measure.description} Source: {measure.source}."
    title = controls.words(measure.heading, "title", key="measure", help=about)
    head = controls.row(title, *(_switch(each, state) for each in switches), style="head")
    if not state.shown.selected:
        return head, controls.words(NOTHING_MARKED, key="nothing_marked")
    if edits is not None:
        return (head,)
    if walk:
        return (head, *_stepper(state, walk))
    differ = "" if state.shown.changed else differs(state.printed.get(at.measure, ()))
    return (
        *second_drawing(state, small=False),
        head,
        controls.formula(f"{measure.symbol} = {derivation.latex}"),
        controls.words(derivation.sentence, key="sentence"),
        *([controls.words(differ, "note", key="printed_value")] if differ else []),
        *(
            [controls.row(*(_field(view, field, state) for field in view.fields), style="fields")]
            if view.fields
            else []
        ),
        *([controls.words(note, "note", key="view_note")] if (note := view.note(explanation, at)) else []),
        controls.component("panel", state.panel.component, state.panel.as_data),
        *second_controls(state),
    )


def _result_switch(view: View) -> Switch:
    offered = (RESULT, *((STEPS,) if view.walk else ()), WHAT_IF)
    return Switch(
        key="stepping",
        label="Result, steps or what if",
        words={each: each for each in offered},
        value=lambda explanation, at: WHAT_IF if at.what_if else RESULT if at.step is None else STEPS,
        choose=lambda at, chosen: replace(at, step=0 if chosen == STEPS else None, what_if=chosen == WHAT_IF),
    )


def _switch(declared: Switch, state: State) -> controls.Control:
    value = declared.value(state.explanation, state.view_state)
    act = lambda at, chosen: at.looking(declared.choose(at.view_state, chosen))  # noqa: E731
    return controls.switch(declared.key, declared.label, value, declared.words, act)


def _field(view: View, declared: OptionField, state: State) -> controls.Control:
    value = declared.value(state.explanation, state.view_state)
    act, about = partial(_set_option, view, declared), declared.help
    disabled = declared.disabled(state.explanation, state.view_state)
    if declared.limits is None:
        return controls.check(declared.key, declared.label, bool(value), act, help=about, disabled=disabled)
    step = 1 if isinstance(declared.limits[0], int) else 1.0
    numbers = controls.Range(declared.limits, step)
    return controls.number(declared.key, declared.label, value, act, numbers, help=about, disabled=disabled)


def _set_option(view: View, declared: OptionField, state: State, value: float) -> State:
    at, shown = state.view_state, state.shown
    if at.view != view.key:
        return state
    settings, then = declared.change(state.explanation, at, value)
    options = Options.make(shown.instance.options.model_dump(exclude_unset=True) | settings)
    return state.showing(shown.with_options(options)).looking(then)


def _stepper(state: State, walk: tuple[WalkStep, ...]) -> controls.Controls:
    last = len(walk) - 1
    place = min(state.view_state.step or 0, last)
    ways = (
        ("First", "«", -last, place > 0),
        ("Back", "‹", -1, place > 0),
        ("Forward", "›", 1, place < last),
        ("Last", "»", last, place < last),
    )
    buttons = (
        controls.button(f"step_{name.lower()}", name, partial(_go, by, last), icon=icon, disabled=not possible)
        for name, icon, by, possible in ways
    )
    step = walk[place]
    table = titled(step.table(), state.explanation.hierarchy)
    return (
        controls.row(*buttons, controls.words(f"Step {place + 1} of {len(walk)}", key="step_place"), style="stepper"),
        controls.words(step.phase, "title", key="step_phase"),
        controls.words(step.sentence, key="step_sentence"),
        controls.component("steps", table.component, table.as_data),
    )


def _go(by: int, last: int, state: State) -> State:
    at = state.view_state
    if at.step is None:
        return state
    return state.looking(replace(at, step=min(max(min(at.step, last) + by, 0), last)))


def wide(state: State, edits: Edits | None, host: Host) -> controls.Controls:
    if edits is None:
        return ()
    at = state.edits

    def put(name: str) -> Any:
        return lambda s, entry: replace(s, edits=replace(s.edits, **{name: entry}))

    sides = {"predicted": "predicted", "true": "true"}
    return (
        controls.row(
            controls.pills("edit_sides", "Side", at.sides, sides, put("sides")),
            controls.pills("edit_kinds", "Edit", at.kinds, {kind: kind for kind in KINDS}, put("kinds")),
            controls.choice("edit_order", "Order", at.order, ORDERS, put("order"), title=False),
            controls.check("edit_conflicts", "only conflicts", at.only_conflicts, put("only_conflicts")),
        ),
        controls.component("edits", "what_if", lambda: edits_data(edits(), at, state.view_state.measure)),
        _why(state, host),
    )


def _why(state: State, host: Host) -> controls.Control:
    if (why := why_changed(state)) is None:
        return controls.words(HINT, "note", key="why_hint")
    edit, before, said = why.edit, why.before, {"before": why.why.before, "after": why.why.after}
    return controls.box(
        controls.words(why.question, "title", key="why_question"),
        controls.row(
            *(controls.formula(rf"\text{{{name}}}\quad {d.latex}") for name, d in said.items()), style="formulas"
        ),
        controls.words(why.why.sentence, key="why_sentence"),
        controls.row(
            None if why.done else controls.button("why_do", "Do it", partial(_do, edit)),
            controls.button(
                "why_pin",
                "Pin before",
                lambda s: replace(s, pinned=Pinned(before)),
                help="Show in the table above how every value changed with it.",
            ),
            controls.button("why_steps", "Steps", _steps) if VIEWS[state.view_state.view].walk else None,
            *host.why(state),
        ),
        key="why",
        style="frame",
    )


def edits_of(state: State, host: Host) -> Edits | None:
    """The edits over the drawn classes with what they would do to the listed measures, if that is
    looked at; computed once, when they are first drawn, for a gesture does not ask for them.
    """
    if not state.view_state.what_if or not state.shown.selected:
        return None
    return cache(
        lambda: edits_to_show(
            state.shown.instance,
            state.explanation,
            chosen=state.view_state.measure,
            listed=state.listed,
            drawn=state.places.neighbourhood.nodes,
            sides=state.edits.sides,
            engine=host.engine,
        )
    )


def why_changed(state: State) -> Reason | None:
    """The reason why the measure changes with the edit asked about, else the last; None without."""
    return reason(state.explanation.measure(state.view_state.measure), state.edits, state.before, state.shown)


def _do(edit: ClassEdit, state: State) -> State:
    return gestures.after(state, "edits", "do", {"side": edit.side, "added": edit.added, "removed": edit.removed})


def _steps(state: State) -> State:
    at: ViewState = state.view_state
    return state.looking(replace(at, step=0, what_if=False))


SMALL = 9  # classes, of which half a column shows the names


def second_field(state: State) -> controls.Control:
    offered = {"": "no second measure" if state.second else "compare …"}
    keys = dict.fromkeys([*state.listed, *([state.second] if state.second else [])])
    offered |= {
        key: f"with {spoken(key) if is_definition(key) else find_measure(key).name}"
        for key in keys
        if key != state.view_state.measure
    }
    put = lambda s, key: replace(s, second=key)  # noqa: E731
    chosen = state.second if state.second in offered else ""
    return controls.choice("second", "Beside it", chosen, offered, put, title=False)


def second_controls(state: State) -> controls.Controls:
    if (other := _other(state)) is None:
        return ()
    x, key = other.explanation, other.view_state.measure
    return (
        controls.box(
            controls.words(_difference(state, other), key="beside_difference"),
            controls.words(x.measure(key).heading, "title", key="beside_title"),
            controls.formula(f"{x.measure(key).symbol} = {x.derivation(key).latex}"),
            controls.words(x.derivation(key).sentence, key="beside_sentence"),
            key="beside",
            style="frame",
        ),
    )


def second_drawing(state: State, *, small: bool) -> controls.Controls:
    """The second measure's drawing, none while a click edits: a `small` one stands beside the
    first, where both have room, another below the values.
    """
    other = _drawn(state)
    if other is None or small != (len(state.places.ids) <= SMALL):
        return ()
    return (controls.row(controls.component("beside_graph", "graph", partial(_graph, other)), style="second"),)


def _drawn(state: State) -> State | None:
    return None if state.drawing else _other(state)


def _other(state: State) -> State | None:
    at = state.view_state
    results = bool(state.shown.selected) and not at.what_if and at.step is None
    if not results or not state.second or state.second == at.measure:
        return None
    return replace(state, view_state=with_measure(at, state.second))


def _graph(state: State) -> dict[str, object]:
    at = state.view_state
    view = f"beside|{at.measure}|{bool(state.overlay.links)}"
    data = graph_data(state.places, state.overlay, view=view, alt=state.shown.described, zoom=False)
    return data | {"caption": _name(state)}


def second_caption(state: State) -> dict[str, object]:
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
