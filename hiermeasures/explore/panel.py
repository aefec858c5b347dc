"""The panel next to the drawing.

It shows the chosen measure with its formula, its structure, and its computation step by step. It
can also show the effects of edits of one class, and a second measure. Views declare the content,
and this module arranges it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from hiermeasures.debug.what_if import KINDS, Order, WhatIf
from hiermeasures.draw.layout import in_sight
from hiermeasures.draw.panel import OptionField, Switch, titled
from hiermeasures.draw.views import VIEWS, View, WalkStep, steps, with_measure
from hiermeasures.explore import controls, gestures
from hiermeasures.explore.component_data import NOTHING_MARKED, graph_data, two_decimals
from hiermeasures.explore.controls import Control, Controls, put
from hiermeasures.explore.library import differs
from hiermeasures.explore.model import Host, Pinned, State
from hiermeasures.explore.what_if import HINT, EditChoice, Reason, edits_data, edits_to_show, reason
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import FAMILIES, Measure, find_measure
from hiermeasures.measures.own import is_definition, spoken

Edits = Callable[[], WhatIf]
RESULT, STEPS, WHAT_IF = "Why", "Step by step", "What if"
ORDERS: dict[Order, str] = {"best": "best first", "conflict": "conflict first", "class": "as drawn"}
PIN_BEFORE = "Show the change of every value in the table above."
SMALL = 9  # classes whose names fit half a column


def area(state: State, edits: Edits | None, host: Host) -> Controls:
    at, explanation = state.view_state, state.explanation
    view, walk = VIEWS[at.view], steps(explanation, at)
    measure, derivation = explanation.measure(at.measure), explanation.derivation(at.measure)
    about = f"{measure.description} Source: {measure.source}."
    switches = (*(() if walk or at.what_if else view.switches), _result_switch(view))
    title = controls.words(measure.heading, "title", key="measure", help=about)
    head = controls.row(title, *(_switch(each, state) for each in switches), style="head")
    if not state.shown.selected:
        return head, controls.words(NOTHING_MARKED, key="nothing_marked")
    if edits is not None:
        return head, *_what_if(state, edits, host)
    if walk:
        return (head, *_stepper(state, walk))
    differ, note = (
        "" if state.shown.changed else differs(state.printed.get(at.measure, ())),
        view.note(explanation, at),
    )
    used = not state.quiet or state.shown.instance.options.changed
    fields = _fields(view, state) if used else ()
    return (
        *second_drawing(state, small=False),
        head,
        *_family(measure),
        _formula(state),
        controls.words(derivation.sentence, key="sentence"),
        *([controls.words(differ, "note", key="printed_value")] if differ else []),
        *([controls.row(*fields, style="fields")] if fields else []),
        *([controls.words(note, "note", key="view_note")] if note else []),
        controls.component("panel", state.panel.component, state.panel.as_data, **gestures.PANEL),
        *_why(state, host, last_change(state)),
        *_second(state),
    )


def _family(measure: Measure) -> Controls:
    """Return a sentence on the family of a measure. An own measure has no family."""
    family = FAMILIES.get(measure.family)
    return (controls.words(family.description, "note", key="family"),) if family else ()


def _formula(state: State) -> Control:
    """Return the chosen measure's formula. Its terms are linked to their classes in the drawing."""
    measure, drawn = _measure(state), state.places.ids.keys()
    marked = state.explanation.derivation(state.view_state.measure).marked
    terms = {
        key: replace(term, classes=term.classes & drawn)
        for key, term in state.explanation.terms(state.view_state.measure).items()
    }
    return controls.formula(f"{measure.symbol} = {marked}", terms)


def _result_switch(view: View) -> Switch:
    """Return the switch between the measure's value, its steps, and the effects of edits."""
    offered = (RESULT, *((STEPS,) if view.walk else ()), WHAT_IF)
    return Switch(
        key="stepping",
        label="Result, steps or what if",
        words={each: each for each in offered},
        value=lambda explanation, at: (
            WHAT_IF if at.what_if else RESULT if at.step is None else STEPS
        ),
        choose=lambda at, chosen: replace(
            at, step=0 if chosen == STEPS else None, what_if=chosen == WHAT_IF
        ),
    )


def _switch(declared: Switch, state: State) -> Control:
    value = declared.value(state.explanation, state.view_state)
    act = lambda at, chosen: at.looking(declared.choose(at.view_state, chosen))
    return controls.switch(declared.key, declared.label, value, declared.words, act)


def _fields(view: View, state: State) -> Controls:
    """Return the visible fields, then a menu for each group of hidden fields."""
    behind = dict.fromkeys(field.behind for field in view.fields if field.behind)
    return (
        *(_field(field, state) for field in view.fields if not field.behind),
        *(
            controls.menu(state, "fields_more", name, partial(_fields_behind, name, view, state))
            for name in behind
        ),
    )


def _fields_behind(name: str, view: View, state: State) -> Controls:
    return tuple(_field(field, state) for field in view.fields if field.behind == name)


def _field(declared: OptionField, state: State) -> Control:
    def act(state: State, value: float) -> State:
        at, shown = state.view_state, state.shown
        settings, then = declared.change(state.explanation, at, value)
        options = Options.make(shown.instance.options.given | settings)
        return state.showing(shown.with_options(options)).looking(then)

    key, label, limits = declared.key, declared.label, declared.limits
    value = declared.value(state.explanation, state.view_state)
    look: controls.Look = {
        "help": declared.help,
        "disabled": declared.disabled(state.explanation, state.view_state),
    }
    if limits is None:
        return controls.check(key, label, bool(value), act, **look)
    numbers = controls.Range(limits, 1 if isinstance(limits[0], int) else 1.0)
    return controls.number(key, label, value, act, numbers, **look)


def _stepper(state: State, walk: tuple[WalkStep, ...]) -> Controls:
    last = len(walk) - 1
    place = min(state.view_state.step or 0, last)

    def go(by: int, state: State) -> State:
        at = state.view_state
        return (
            state
            if at.step is None
            else state.looking(replace(at, step=min(max(min(at.step, last) + by, 0), last)))
        )

    ways = (
        ("First", "«", -last, place > 0),
        ("Back", "‹", -1, place > 0),
        ("Forward", "›", 1, place < last),
        ("Last", "»", last, place < last),
    )
    buttons = (
        controls.button(
            f"step_{name.lower()}", name, partial(go, by), icon=icon, disabled=not possible
        )
        for name, icon, by, possible in ways
    )
    step = walk[place]
    table = titled(step.table(), state.explanation.hierarchy)
    return (
        controls.row(
            *buttons,
            controls.words(f"Step {place + 1} of {len(walk)}", key="step_place"),
            style="stepper",
        ),
        controls.words(step.phase, "title", key="step_phase"),
        controls.words(step.sentence, key="step_sentence"),
        controls.component("steps", table.component, table.as_data),
    )


def edits_of(state: State, host: Host) -> Edits | None:
    """Return the edits of the drawn classes with their effects, if the panel shows them.

    They are computed at the first drawing, because gestures do not need them.
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
    """Explain the measure's change by the edit in question, or by the last edit."""
    return _reason(state, state.edits)


def last_change(state: State) -> Reason | None:
    """Explain the measure's change by the last edit, if it changed one class."""
    return _reason(state, EditChoice())


def _reason(state: State, choice: EditChoice) -> Reason | None:
    measure = state.explanation.measure(state.view_state.measure)
    return reason(measure, choice, state.before, state.shown)


def _what_if(state: State, edits: Edits, host: Host) -> Controls:
    """Return the edits of one class, with an explanation of the chosen measure's change."""
    at, sides = state.edits, {"predicted": "predicted", "true": "true"}
    chosen = at != EditChoice(asked=at.asked)
    filters = (
        controls.row(
            controls.pills("edit_sides", "Side", at.sides, sides, put("edits", "sides")),
            controls.pills(
                "edit_kinds",
                "Edit",
                at.kinds,
                {kind: kind for kind in KINDS},
                put("edits", "kinds"),
            ),
            controls.choice(
                "edit_order", "Order", at.order, ORDERS, put("edits", "order"), title=False
            ),
            controls.check(
                "edit_conflicts",
                "only conflicts",
                at.only_conflicts,
                put("edits", "only_conflicts"),
            ),
        ),
    )
    return (
        *(filters if chosen or not state.quiet else ()),
        controls.component(
            "edits",
            "what_if",
            lambda: edits_data(edits(), at, state.view_state.measure, host.more_edits),
            **gestures.EDITS,
        ),
        *(_why(state, host, why_changed(state)) or [controls.words(HINT, "note", key="why_hint")]),
    )


def _why(state: State, host: Host, found: Reason | None) -> Controls:
    """Return both values with the reason for their difference."""
    if found is None:
        return ()
    edit, before, why = found.edit, found.before, found.why
    formulas = (
        rf"\text{{{name}}}\quad {d.latex}"
        for name, d in (("before", why.before), ("after", why.after))
    )
    step = lambda s: s.looking(replace(s.view_state, step=0, what_if=False))
    box = controls.box(
        controls.words(found.question, "title", key="why_question"),
        controls.row(*map(controls.formula, formulas), style="formulas"),
        controls.words(why.sentence, key="why_sentence"),
        controls.row(
            None
            if found.done
            else controls.button("why_do", "Do it", lambda s: gestures.with_edit(s, edit)),
            None
            if state.quiet
            else controls.button(
                "why_pin",
                "Pin before",
                lambda s: replace(s, pinned=Pinned(before)),
                help=PIN_BEFORE,
            ),
            controls.button("why_steps", "Steps", step)
            if state.view_state.what_if and VIEWS[state.view_state.view].walk
            else None,
            *(() if state.quiet else host.why(state)),
        ),
        key="why",
        style="frame",
    )
    return (box,)


def second_field(state: State) -> Control:
    """Return the field for a second measure, with the measures of the table."""
    offered = {"": "no second measure" if state.second else "compare …"}
    for key in dict.fromkeys([*state.listed, *filter(None, [state.second])]):
        if key != state.view_state.measure:
            offered[key] = f"with {spoken(key) if is_definition(key) else find_measure(key).name}"
    chosen = state.second if state.second in offered else ""
    return controls.choice("second", "Next to it", chosen, offered, put("second"), title=False)


def _second(state: State) -> Controls:
    """Return the second measure: its difference, and its panel."""
    if (other := _other(state)) is None:
        return ()
    said = []
    for each in (state, other):
        measure, value = _measure(each), two_decimals(each.explanation[each.view_state.measure])
        view = VIEWS[each.view_state.view].title
        said.append(
            f"{measure.name} is {value} ({measure.better} is better), computed from the drawing "
            f"“{view}”"
        )
    measure, derivation = _measure(other), other.explanation.derivation(other.view_state.measure)
    return (
        controls.box(
            controls.words("; ".join(said) + ".", key="beside_difference"),
            controls.words(measure.heading, "title", key="beside_title"),
            _formula(other),
            controls.words(derivation.sentence, key="beside_sentence"),
            key="beside",
            style="frame",
        ),
    )


def second_drawing(state: State, *, small: bool) -> Controls:
    """Return the second measure's drawing, or nothing while a click edits.

    A `small` drawing is next to the first one if both fit. Otherwise it is below the values.
    """
    other = _other(state)
    if other is None or state.drawing or small != (len(state.places.ids) <= SMALL):
        return ()

    def graph() -> dict[str, Any]:
        data = graph_data(
            replace(other.places, notes=()),  # which stand in the first drawing
            other.overlay,
            view=f"beside|{state.shown.title}|{other.view_state.measure}",
            alt=other.shown.described,
            focus=in_sight(state.shown.hierarchy, state.shown.selected),
            zoom=False,
        )
        return data | {"caption": _measure(other).name}

    return (controls.row(controls.component("beside_graph", "graph", graph), style="second"),)


def second_caption(state: State) -> dict[str, object]:
    """Return the caption of the first drawing if the second one is next to it."""
    return {} if state.drawing or _other(state) is None else {"caption": _measure(state).name}


def _measure(state: State) -> Any:
    return state.explanation.measure(state.view_state.measure)


def _other(state: State) -> State | None:
    """Return the state with the second measure as the chosen one, if both results are shown."""
    at = state.view_state
    results = bool(state.shown.selected) and not at.what_if and at.step is None
    if not results or not state.second or state.second == at.measure:
        return None
    return replace(state, view_state=with_measure(at, state.second))
