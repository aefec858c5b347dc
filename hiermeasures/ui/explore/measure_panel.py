"""The panel beside the graph: what the chosen measure's number is made of, with its formula, its structure, and the way
there step by step.

What is in it is declared by the views; here it is laid out, and what a person changes in it is taken up.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.behaviour.what_if import WhatIf
from hiermeasures.measures import Explanation, Measure
from hiermeasures.options import Options
from hiermeasures.ui.binding import bind, button, show_fault
from hiermeasures.ui.explore import what_if
from hiermeasures.ui.explore.model import history, set_view_state, show, view_state
from hiermeasures.ui.explore.values import NOTHING_MARKED
from hiermeasures.ui.graph.overlay import Overlay
from hiermeasures.ui.panel import show_panel
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.text import markdown_text
from hiermeasures.ui.views import VIEWS, View, ViewState, WalkStep, steps
from hiermeasures.ui.views.view import OptionField, Switch

RESULT, STEPS, WHAT_IF = "result", "step by step", "what if"
STYLE = """<style>
[data-testid="stMainBlockContainer"] {
  --hm-above: calc(var(--hm-lesson, 0rem) + var(--hm-series, 0rem));
  --hm-around: calc(18.8rem + var(--hm-above));
  --hm-values: calc(100vh - 38rem - var(--hm-above));
  --hm-table: calc(18.5rem - var(--hm-above) / 2);
  --hm-flow: calc(15rem - var(--hm-above) / 4);
}
.st-key-measure_head > :first-child { margin-right: auto; }
.st-key-stepping, [class*="st-key-stepping_"] { width: 100%; }
[class*="st-key-stepping"] > * { display: flex; flex-direction: row; align-items: center; }
[class*="st-key-stepping"] label { margin: 0 auto 0 0; min-height: 1.9rem; }
[class*="st-key-stepping"] label p { font-size: 1rem; font-weight: 700; }
.st-key-measure_head > :not(:first-child) { width: auto; }
:is(.st-key-measure_head, [class*="st-key-stepping"]) [role="radiogroup"] button {
  padding: 0 0.55rem; min-height: 1.9rem;
}
:is(.st-key-measure_head, [class*="st-key-stepping"]) [role="radiogroup"] p { font-size: 0.8125rem; }
.st-key-stepper button { padding: 0 0.6rem; min-height: 2rem; }
.st-key-option_fields { gap: 0.6rem; }
.st-key-option_fields input { padding-top: 0.2rem; padding-bottom: 0.2rem; }
.st-key-option_fields label { min-height: 1.2rem; margin-bottom: 0; }
</style>"""


def measure_panel(explanation: Explanation, overlay: Overlay, edits: WhatIf | None, printed: str = "") -> None:
    """The panel for what is looked at, and what of it is drawn on the hierarchy; `edits` are there while what-if is.
    `printed` says what a paper prints of the measure's value where it differs.
    """
    at = view_state()
    view, walk = VIEWS[at.view], steps(explanation, at)
    measure, derivation = explanation.measure(at.measure), explanation.derivation(at.measure)
    switches = (*(() if walk or at.what_if else view.switches), _way_switch(view))
    _head(measure, explanation, at, switches)
    if not explanation.true | explanation.predicted:
        show_text(NOTHING_MARKED, key="nothing_marked")
        return
    if edits is not None:
        what_if.panel(edits)
        return
    if walk:
        _stepper(walk, at)
        return
    st.latex(f"{measure.symbol} = {derivation.latex}")
    show_text(derivation.sentence, key="sentence")
    if printed:
        show_text(printed, "note", key="printed_value")
    _option_fields(view, explanation, at)
    if note := view.note(explanation, at):
        show_text(note, "note", key="view_note")
    show_panel(view.panel(explanation, at, overlay), key=f"panel_{view.key}", on_choose=partial(_choose_row, view))


def _head(measure: Measure, explanation: Explanation, at: ViewState, switches: tuple[Switch, ...]) -> None:
    """The measure's name, and beside it the switches. Of one alone the name is the label: that spares every click two
    messages.
    """
    name, about = markdown_text(measure.heading), markdown_text(f"{measure.description} Source: {measure.source}.")
    if len(switches) == 1:
        _switch(switches[0], explanation, at, name, about)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="measure_head"):
        st.markdown(f"**{name}**", help=about, width="content")
        for switch in switches:
            _switch(switch, explanation, at)


def _choose_row(view: View, key: str) -> None:
    if view.choose_row:
        set_view_state(view.choose_row(view_state(), key))


# --- switches and fields ------------------------------------------------------------------------------------------


def _way_switch(view: View) -> Switch:
    """What is said of the measure: its number, the way to it, or what edits would make of it."""
    ways = (RESULT, *((STEPS,) if view.walk else ()), WHAT_IF)
    return Switch(
        key="stepping",
        label="Result, steps or what if",
        words={way: way for way in ways},
        value=lambda explanation, at: WHAT_IF if at.what_if else RESULT if at.step is None else STEPS,
        choose=lambda at, way: replace(at, step=0 if way == STEPS else None, what_if=way == WHAT_IF),
    )


def _switch(switch: Switch, explanation: Explanation, at: ViewState, title: str = "", about: str = "") -> None:
    bind(
        st.segmented_control,
        switch.key,
        switch.value(explanation, at),
        lambda chosen: set_view_state(switch.choose(view_state(), chosen)),
    )(
        title or switch.label,
        list(switch.words),
        required=True,
        label_visibility="visible" if title else "collapsed",
        help=about or None,
        format_func=lambda option: switch.words.get(option, option),
    )


def _option_fields(view: View, explanation: Explanation, at: ViewState) -> None:
    """The fields of a view that set options, and why an entry could not be taken."""
    if not view.fields:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="option_fields"):
        for field in view.fields:
            _option_field(view, field, explanation, at)
    for field in view.fields:
        show_fault(field.key)


def _option_field(view: View, field: OptionField, explanation: Explanation, at: ViewState) -> None:
    widget = st.checkbox if field.limits is None else st.number_input
    draw = bind(
        widget,
        field.key,
        field.value(explanation, at),
        lambda value: _set_option(view, field, value),
        about=history().present,
    )
    settings: dict[str, Any] = {"help": field.help, "width": field.width, "disabled": field.disabled(explanation, at)}
    if field.limits is None:
        draw(field.label, **settings)
        return
    whole = isinstance(field.limits[0], int)
    draw(field.label, *field.limits, step=1 if whole else 1.0, format=None if whole else "%g", **settings)


def _set_option(view: View, field: OptionField, value: float) -> None:
    at, shown = view_state(), history().present
    if at.view != view.key:
        return
    settings, then = field.change(shown.explained(), at, value)
    show(shown.with_options(Options.make(shown.instance.options.model_dump(exclude_unset=True) | settings)))
    set_view_state(then)


# --- step by step -------------------------------------------------------------------------------------------------


def _stepper(walk: tuple[WalkStep, ...], at: ViewState) -> None:
    last = len(walk) - 1
    place = min(at.step or 0, last)
    with st.container(horizontal=True, vertical_alignment="center", key="stepper"):
        for icon, label, by, possible in (
            ("first_page", "First", -last, place > 0),
            ("chevron_left", "Back", -1, place > 0),
            ("chevron_right", "Forward", 1, place < last),
            ("last_page", "Last", last, place < last),
        ):
            button(
                label,
                icon=f":material/{icon}:",
                key=f"step_{label.lower()}",
                action=partial(_go, by, last),
                disabled=not possible,
            )
        st.markdown(f"Step {place + 1} of {len(walk)}", width="content")
    step = walk[place]
    st.markdown(f"**{step.phase}**")
    show_text(step.sentence, key="step_sentence")
    show_panel(step.table(), key=f"steps_{at.view}")


def _go(by: int, last: int) -> None:
    at = view_state()
    if at.step is not None:
        set_view_state(replace(at, step=min(max(min(at.step, last) + by, 0), last)))
