"""What is presented: one instance or two predictions side by side, a question, and the measures whose values are asked
for; and which of it is drawn and sent to the browser as long as something is hidden.

A page makes a Stage of what it shows; draw.py puts it on the screen. Nothing is computed here but by `explain`.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from hiermeasures.behaviour.what_if import change
from hiermeasures.measures import Explanation
from hiermeasures.measures.explain import find_measure
from hiermeasures.ui.explore.values import DIRECTIONS, symbol_parts, two_decimals
from hiermeasures.ui.graph.overlay import PLAIN, Mark, Overlay, marks_of, words_for
from hiermeasures.ui.graph.scene import Arrangement, large_on_screen
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.views import VIEWS, ViewState, overlay_for, steps
from hiermeasures.ui.views.sets import classes_alone

Hidden = Literal["values", "true", "predicted", "view"]
SIDES: tuple[Literal["true", "predicted"], ...] = ("true", "predicted")


@dataclass(frozen=True)
class Prediction:
    """One of the drawings: what is written above it, and what it explains."""

    caption: str
    explanation: Explanation


@dataclass(frozen=True)
class Stage:
    """All that can be seen of one presentation.

    `key` names what is shown: the drawings keep their place while it stays. `measures` are keys, `hidden` says what is
    not shown until it is revealed. `first_shown`: of two predictions the first is known, and its values are no secret.
    """

    key: str
    title: str
    question: str
    predictions: tuple[Prediction, ...]
    at: ViewState
    measures: tuple[str, ...]
    hidden: frozenset[Hidden] = frozenset({"values"})
    first_shown: bool = False
    place: str = ""

    @cached_property
    def items(self) -> tuple[str, ...]:
        """What is hidden at first, by name, in the order of revealing: parts of the drawing, then each value."""
        drawn = tuple(part for part in (*SIDES, "view") if part in self.hidden)
        return drawn + (self.measures if "values" in self.hidden else ())

    @cached_property
    def steps(self) -> int:
        """How many steps lead to what is drawn; of two predictions that with more."""
        walk = VIEWS[self.at.view].walk
        return max(len(walk(p.explanation, self.at)) for p in self.predictions) if walk else 0


# --- the drawings -------------------------------------------------------------------------------------------------


def drawn(stage: Stage, k: int, now: Presenting) -> Overlay:
    """What is drawn of one prediction. Steps show the way to what is hidden, and are a way to reveal it."""
    explanation = stage.predictions[k].explanation
    unseen = [side for side in SIDES if side in stage.hidden and not now.shows(side)]
    if unseen:
        return _without(explanation, unseen)
    if "view" in stage.hidden and stage.at.step is None and not now.shows("view"):
        return classes_alone(explanation)
    return overlay_for(explanation, stage.at)


def _without(explanation: Explanation, sides: list[Literal["true", "predicted"]]) -> Overlay:
    """The classes of the other side alone."""
    marks = marks_of(explanation, explanation.true, explanation.predicted)
    seen = {
        label: Mark(
            PLAIN.true if "true" in sides else mark.true, PLAIN.predicted if "predicted" in sides else mark.predicted
        )
        for label, mark in marks.items()
    }
    return Overlay("Classes", {c: mark for c, mark in seen.items() if mark != PLAIN}, words_for("ancestor"))


def arrangements(stage: Stage, unfolded: frozenset[str] = frozenset()) -> tuple[Arrangement, ...]:
    """Where the classes of each drawing stand; at the same place in both where they are of the same hierarchy."""
    found = [p.explanation for p in stage.predictions]
    together = len({id(e.hierarchy) for e in found}) == 1 or all(e.hierarchy == found[0].hierarchy for e in found)
    if together:
        marked = frozenset().union(*(e.true | e.predicted for e in found))
        return (large_on_screen(found[0].hierarchy, marked, len(found), unfolded),) * len(found)
    return tuple(large_on_screen(e.hierarchy, e.true | e.predicted, len(found), unfolded) for e in found)


def about_step(stage: Stage, k: int) -> str:
    """What the step that is shown decides in one of the drawings; "" where the result is shown."""
    walk = steps(stage.predictions[k].explanation, stage.at)
    if not walk or stage.at.step is None:
        return ""
    step = walk[min(stage.at.step, len(walk) - 1)]
    return f"{step.phase}: {step.sentence}"


# --- the values ---------------------------------------------------------------------------------------------------


def rows(stage: Stage, now: Presenting) -> list[dict[str, Any]]:
    """The values as the page shows them; what is hidden is not among the data."""
    return [_row(stage, key, "values" not in stage.hidden or now.shows(key)) for key in stage.measures]


def _row(stage: Stage, key: str, shown: bool) -> dict[str, Any]:
    measure = find_measure(key)
    found = [
        p.explanation[key] if p.explanation.true | p.explanation.predicted else math.nan for p in stage.predictions
    ]
    known = [shown or (stage.first_shown and k == 0 and len(found) > 1) for k in range(len(found))]
    row = {
        "key": key,
        "symbol": symbol_parts(measure.symbol),
        "name": f"{measure.name}: {DIRECTIONS[measure.better]}",
        "values": [two_decimals(value) if seen else None for value, seen in zip(found, known, strict=True)],
        "shown": shown,
    }
    if len(found) > 1 and shown:
        row["word"] = change(measure, found[0], found[1]).word
    return row
