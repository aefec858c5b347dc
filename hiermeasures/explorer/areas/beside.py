"""A second measure beside the chosen one: its formula in numbers and its own drawing, and the
structures that the two are read off, so that the reason of a disagreement is in sight.
"""

from dataclasses import replace
from functools import partial

from hiermeasures.explorer import drawn
from hiermeasures.explorer.controls import Control, Controls, box, choice, component, formula, row, words
from hiermeasures.explorer.graph_data import graph_data
from hiermeasures.explorer.model import State
from hiermeasures.explorer.values import two_decimals
from hiermeasures.measures import find_measure
from hiermeasures.measures.own import is_definition, spoken
from hiermeasures.picture.views import VIEWS, with_measure

SMALL = 9  # classes, of which half a column shows the names


def field(state: State) -> Control:
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


def controls(state: State) -> Controls:
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


def drawing(state: State, *, small: bool) -> Controls:
    """The drawing of the second measure, if it is small or not: in sight together with the first
    one's, it stands beside that where both have room, else below the values. None while a click
    edits.
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


def caption(state: State) -> dict[str, object]:
    """The first measure's name as a part of its drawing's data, where the second's stands beside
    it.
    """
    return {"caption": _name(state)} if _drawn(state) else {}


def _name(state: State) -> str:
    return state.explanation.measure(state.view_state.measure).name


def _difference(first: State, second: State) -> str:
    """The two values, and the structures that they are read off.

    A value says nothing about another measure's: their ranges differ.
    """
    said = []
    for state in (first, second):
        measure = state.explanation.measure(state.view_state.measure)
        value, better = two_decimals(state.explanation[measure.key]), measure.better
        view = VIEWS[state.view_state.view].title
        said.append(f"{measure.name} is {value} ({better} is better), read off what “{view}” draws")
    return "; ".join(said) + "."
