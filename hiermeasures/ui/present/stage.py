"""What is presented: one instance or two predictions side by side, a question, and the measures whose values are asked
for; and which of it is sent to the browser as long as something is hidden.

A page makes a Stage of what it shows; draw.py puts it on the screen. Nothing is computed here but by `explain`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from hiermeasures.behaviour.what_if import change
from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import DIRECTIONS
from hiermeasures.measures.explain import find_measure
from hiermeasures.ui.explore.values import symbol_parts, two_decimals
from hiermeasures.ui.graph.overlay import Overlay
from hiermeasures.ui.graph.scene import MARGIN, Arrangement, large_on_screen
from hiermeasures.ui.outbox import Handler
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.views import VIEWS, ViewState, steps

Layout = Literal["one", "two", "beside", "two_beside"]


@dataclass(frozen=True)
class Clicks:
    """What a click on a drawing does: for the browser, as `graph_data` takes it, and here."""

    click: Mapping[str, Any]
    on_click: Handler


@dataclass(frozen=True)
class Prediction:
    """One of the drawings: what is written above it, what it explains, what is drawn now, and what a click on it does,
    if anything, of the drawing with its classes in their places.
    """

    caption: str
    explanation: Explanation
    overlay: Callable[[], Overlay]
    clicks: Callable[[Arrangement], Clicks | None] = lambda places: None

    @cached_property
    def marked(self) -> frozenset[str]:
        """Its true and predicted classes."""
        return self.explanation.true | self.explanation.predicted


@dataclass(frozen=True)
class Stage:
    """All that can be seen of one presentation.

    `key` names what is shown: the drawings keep their place while it stays. `measures` are keys; `items` are what is
    hidden at first, by name, in the order of revealing: measures, and parts of the drawings. `first_shown`: of two
    predictions the first is known, and its values are no secret. `votes`: whether a class is asked which values get
    better. `ask` draws what else is asked, above the values. `walks`: whether the steps to what is drawn can be shown.
    """

    key: str
    title: str
    question: str
    predictions: tuple[Prediction, ...]
    at: ViewState
    measures: tuple[str, ...]
    items: tuple[str, ...]
    first_shown: bool = False
    votes: bool = False
    walks: bool = True
    place: str = ""
    ask: Callable[[], None] | None = None

    @cached_property
    def steps(self) -> int:
        """How many steps lead to what is drawn; of two predictions that with more."""
        walk = VIEWS[self.at.view].walk
        return max(len(walk(p.explanation, self.at)) for p in self.predictions) if walk and self.walks else 0

    def about_step(self, k: int) -> str:
        """What the step that is shown decides in one of the drawings; "" where the result is shown."""
        walk = steps(self.predictions[k].explanation, self.at) if self.walks else ()
        if not walk or self.at.step is None:
            return ""
        step = walk[min(self.at.step, len(walk) - 1)]
        return f"{step.phase}: {step.sentence}"


# What is in sight of a drawing on a screen of 1920 x 1080 pixels with no text below 28 pixels, in drawing units: below
# it stand the values, beside it another one, or what is asked, or both.
ROOMS = {"one": (1000.0, 235.0), "two": (450.0, 245.0), "beside": (540.0, 430.0), "two_beside": (265.0, 430.0)}


def arranged(stage: Stage) -> tuple[Layout, tuple[Arrangement, ...]]:
    """How drawings and question stand to each other, and where the classes of each drawing stand."""
    if len(stage.predictions) == 1:
        layout: Layout = "beside" if stage.ask else "one"
        return layout, _arrangements(stage, layout)
    beside = _arrangements(stage, "two_beside")
    if stage.ask and all(not place.neighbourhood.folded and _fits(place, "two_beside") for place in beside):
        return "two_beside", beside
    return "two", _arrangements(stage, "two")


def _fits(place: Arrangement, layout: Layout) -> bool:
    """Whether a drawing is in sight whole."""
    places = [(x, place.sizes[label][0] / 2) for label, (x, _) in place.layout.positions.items()]
    width = max(x + half for x, half in places) - min(x - half for x, half in places)
    return width <= ROOMS[layout][0] and height(place) <= ROOMS[layout][1]


def height(place: Arrangement) -> float:
    """How high a drawing is, in drawing units."""
    levels = [y for _, y in place.layout.positions.values()]
    return max(levels) - min(levels) + MARGIN


def _arrangements(stage: Stage, layout: Layout) -> tuple[Arrangement, ...]:
    """At the same place in both drawings where they are of the same hierarchy."""
    found, room = stage.predictions, ROOMS[layout]
    if all(p.explanation.hierarchy == found[0].explanation.hierarchy for p in found):
        marked = frozenset().union(*(p.marked for p in found))
        return (large_on_screen(found[0].explanation.hierarchy, marked, room),) * len(found)
    return tuple(large_on_screen(p.explanation.hierarchy, p.marked, room) for p in found)


def rows(stage: Stage, now: Presenting) -> list[dict[str, Any]]:
    """The values as the page shows them; what is hidden is not among the data."""
    return [_row(stage, key, key not in stage.items or now.shows(key)) for key in stage.measures]


def _row(stage: Stage, key: str, shown: bool) -> dict[str, Any]:
    measure = find_measure(key)
    found = [p.explanation.value(measure) if p.marked else math.nan for p in stage.predictions]
    known = [shown or (stage.first_shown and k == 0 and len(found) > 1) for k in range(len(found))]
    row = {
        "key": key,
        "symbol": symbol_parts(measure.symbol),
        "name": f"{measure.name}: {DIRECTIONS[measure.better]}",
        "values": [two_decimals(value) if seen else None for value, seen in zip(found, known, strict=True)],
    }
    if len(found) > 1 and shown:
        row["word"] = change(measure, found[0], found[1]).word
    return row
