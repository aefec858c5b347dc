"""What a widget's browser draws of a state: the data of the components that the app has, too, and the texts around
them. Nothing is computed about measures.
"""

from typing import Any

from hiermeasures.behaviour.what_if import WhatIf
from hiermeasures.measures import CATALOGUE
from hiermeasures.notebook.formula import formula
from hiermeasures.notebook.state import State
from hiermeasures.ui.explore.edits import HINT, edits_data, edits_to_show, effects, reason
from hiermeasures.ui.explore.values import NOTHING_MARKED, SPENT, values_data
from hiermeasures.ui.graph.data import MARKS, graph_data
from hiermeasures.ui.graph.neighbourhood import READABLE, in_sight
from hiermeasures.ui.graph.scene import Arrangement
from hiermeasures.ui.outbox import Receiver
from hiermeasures.ui.views import VIEWS

PANELS = ("table", "flow")  # the components that show a Panel
NO_SWITCH = "no_switch"  # the widget itself says what a click does


def drawn(state: State, receiver: Receiver, *, reports: bool = False) -> dict[str, Any]:
    """Everything, of a state that is arranged. `reports`: whether the browser tells how far gestures were applied."""
    x, key = state.explanation, state.at.measure
    arrangement = _arrangement(state)
    marked = bool(state.shown.selected)
    found = _edits(state, arrangement) if state.at.what_if and marked else None
    values, left_out = values_data(x, key, keys=state.listed, short=not state.everything, starred=state.starred)
    graph = graph_data(
        arrangement,
        state.overlay,
        view=f"explorer|{bool(state.overlay.links)}",  # fitted anew when there are links, which hang below the classes
        alt=state.shown.described,
        focus=in_sight(state.shown.hierarchy, state.shown.selected),
        anchor=state.unfolded,
        click={"switch": NO_SWITCH, "mode": "predicted", "modes": {}, "sides": True},
        effects=effects(found, key) if found else None,
        zoom=len(arrangement.ids) > READABLE,
    )

    def addressed(component: str, data: dict[str, Any]) -> dict[str, Any]:
        return data | {"address": {"component": component, "session": receiver.session, "seen": receiver.seen}}

    return {
        "session": receiver.session,
        "seen": receiver.seen,
        "reports": reports,
        "marks": dict(MARKS),
        "views": {view.key: view.title for view in VIEWS.values()},
        "view": state.at.view,
        "listing": {"on": state.everything, "words": "Best known" if state.everything else f"All {len(CATALOGUE)}"},
        "what_if": state.at.what_if,
        "graph": addressed("graph", graph),
        "values": addressed("values", values),
        "left_out": SPENT.format(left_out) if left_out else "",
        "evidence": _evidence(state) if marked and found is None else None,
        "edits": addressed("edits", edits_data(found, state.edits, key, coming=False)) if found else None,
        "why": _why(state) if found else None,
        **_head(state, marked),
        **_panel(state, marked and found is None, addressed),
    }


def _arrangement(state: State) -> Arrangement:
    assert state.arrangement is not None
    return state.arrangement


def _head(state: State, marked: bool) -> dict[str, Any]:
    measure = state.explanation.measure(state.at.measure)
    about = f"{measure.description} Source: {measure.source}."
    return {"title": measure.heading, "about": about, "nothing": "" if marked else NOTHING_MARKED}


def _evidence(state: State) -> dict[str, Any]:
    """The formula with its numbers, the sentence, and what the view notes."""
    x, at = state.explanation, state.at
    derivation = x.derivation(at.measure)
    return {
        "formula": formula(f"{x.measure(at.measure).symbol} = {derivation.latex}"),
        "sentence": derivation.sentence,
        "note": VIEWS[at.view].note(x, at),
    }


def _panel(state: State, wanted: bool, addressed: Any) -> dict[str, Any]:
    """The data of the table or the figure of the view, by its component; none of the other one."""
    found = state.panel if wanted else None
    return {name: addressed("panel", found.as_data()) if found and found.component == name else None for name in PANELS}


def _edits(state: State, arrangement: Arrangement) -> WhatIf:
    drawn_classes = arrangement.neighbourhood.nodes
    instance, sides = state.shown.instance, state.edits.sides
    return edits_to_show(instance, state.explanation, state.at.measure, state.listed, drawn_classes, sides)


def _why(state: State) -> dict[str, Any]:
    """Why the measure changed or would change with an edit; without one, how to ask."""
    found = reason(state.explanation.measure(state.at.measure), state.edits, state.before, state.shown)
    if found is None:
        return {"hint": HINT}
    sides = {"before": found.why.before, "after": found.why.after}
    return {
        "question": found.question,
        "formulas": [formula(rf"\text{{{words}}}\quad {derivation.latex}") for words, derivation in sides.items()],
        "sentence": found.why.sentence,
    }
