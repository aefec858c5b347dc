"""The panel beside the drawing: what the chosen measure's number is made of, with its formula, its
structure, and the way there step by step; and what edits of one class would do to it.

What is in it is declared by the views; here it is laid out.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.behaviour.what_if import KINDS, ClassEdit, Order
from hiermeasures.core.options import Options
from hiermeasures.explorer import drawn, gestures
from hiermeasures.explorer.areas import beside
from hiermeasures.explorer.areas.host import Host
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
from hiermeasures.explorer.drawn import Edits, Printed
from hiermeasures.explorer.edits import HINT, edits_data
from hiermeasures.explorer.model import Pinned, State
from hiermeasures.explorer.printed_words import differs
from hiermeasures.explorer.values import NOTHING_MARKED
from hiermeasures.picture.panel import OptionField, Switch, titled
from hiermeasures.picture.views import VIEWS, View, ViewState, WalkStep, steps

RESULT, STEPS, WHAT_IF = "result", "step by step", "what if"
ORDERS: dict[Order, str] = {"best": "best first", "conflict": "conflict first", "class": "as drawn"}


def controls(state: State, edits: Edits | None, printed: Printed) -> Controls:
    """The area's controls."""
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
        *beside.drawing(state, small=False),
        head,
        formula(found.formulas[0]),
        words(found.sentence, key="sentence"),
        *([words(differ, "note", key="printed_value")] if differ else []),
        *([row(*(_field(view, field, state) for field in view.fields), style="fields")] if view.fields else []),
        *([words(found.note, "note", key="view_note")] if found.note else []),
        component("panel", state.panel.component, state.panel.as_data),
        *beside.controls(state),
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
