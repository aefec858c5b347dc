"""The views of the Explorer: ways to draw an instance on its hierarchy, and changes between them.

To add a view, write one module and add its declaration to `VIEWS`. For example, `CONFUSION` in
confusion.py declares the key and title of the view, the overlay and the table. A structure names its
view by this key. The switch above the graph, the panel, the share link and the exported files read
`VIEWS`.
"""

import math
from dataclasses import replace

from hiermeasures.draw.panel import View, ViewState, WalkStep
from hiermeasures.draw.scene import Overlay
from hiermeasures.draw.views.confusion import CONFUSION
from hiermeasures.draw.views.lca import LCA
from hiermeasures.draw.views.pairing import DISTANCES, PAIRING
from hiermeasures.draw.views.sets import ANCESTORS, CLASSES, COUNTS, DESCENDANTS
from hiermeasures.measures import Explanation, Measure, find_measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import spoken

VIEWS: dict[str, View] = {
    view.key: view
    for view in (CLASSES, ANCESTORS, DESCENDANTS, LCA, PAIRING, CONFUSION, COUNTS, DISTANCES)
}

OPENING = ViewState("hF", ANCESTORS.key)


def with_measure(at: ViewState, measure: str) -> ViewState:
    """Change to another measure. It keeps the current view if this view can draw the measure."""
    found, now = find_measure(measure), VIEWS[at.view]
    view = now if now.draws(found) else VIEWS[found.structure.view]
    chosen = view.for_measure(
        ViewState(measure, view.key, what_if=at.what_if, part=_part(view, found))
    )
    same = (chosen.structure, view.key) == (at.structure, at.view)
    return replace(chosen, path=at.path, step=at.step) if same else chosen


def with_view(at: ViewState, key: str) -> ViewState:
    """Change to another view. If it cannot draw the measure, take the best known one that it can."""
    view = VIEWS[key]
    if key == at.view:
        return at
    found = find_measure(at.measure)
    measure = at.measure if view.draws(found) else view.best_known
    return ViewState(measure, key, what_if=at.what_if, part=_part(view, find_measure(measure)))


def _part(view: View, measure: Measure) -> str | None:
    return view.draws(measure) if len(measure.structures) > 1 else None


def steps(explanation: Explanation, at: ViewState) -> tuple[WalkStep, ...]:
    """Return the steps to a structure. The last one contains the value of the measure."""
    walk = VIEWS[at.view].walk
    found = () if at.step is None or walk is None else walk(explanation, at)
    if not found or math.isnan(explanation[at.measure]):
        return found
    said = f"{spoken(at.measure)} is {number(explanation[at.measure])}."
    return (*found[:-1], replace(found[-1], sentence=f"{found[-1].sentence} {said}"))


def overlay_for(explanation: Explanation, at: ViewState) -> Overlay:
    """Return the overlay of the current step, or of the whole structure."""
    walk = steps(explanation, at)
    if walk:
        return walk[min(at.step or 0, len(walk) - 1)].overlay()
    return VIEWS[at.view].overlay(explanation, at)


__all__ = [
    "OPENING",
    "VIEWS",
    "View",
    "ViewState",
    "WalkStep",
    "overlay_for",
    "steps",
    "with_measure",
    "with_view",
]
