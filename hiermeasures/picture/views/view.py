"""A view: one way to draw structures on the hierarchy and to explain a measure beside it.

Here are the parts of which a view is declared, and what of it a person looks at. The views
themselves stand in a module each; the registry lists them. Nothing here or there knows the page: a
view is data and pure functions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from hiermeasures.measures import CATALOGUE, STRUCTURES, Explanation, Measure, find_measure
from hiermeasures.picture.linked_table import Table
from hiermeasures.picture.overlay import LegendEntry, Overlay

STEP_LEGEND = {
    "focus": LegendEntry("focus", "", "what this step is about")
}  # the line of the legend for a step's classes


@dataclass(frozen=True)
class ViewState:
    """The chosen measure and view; which LCA graphs (None: those of the options) and which path of
    the confusion matrix (None: all), counted from 0; the step that is shown, counted from 0 (None:
    the result); and whether instead of the result all edits of one class are. `part` is the
    structure that the view draws, where the measure speaks of several.
    """

    measure: str
    view: str
    graphs: Literal["minimal", "extended"] | None = None
    path: int | None = None
    step: int | None = None
    what_if: bool = False
    part: str | None = None

    @property
    def structure(self) -> str:
        """The structure that is drawn, which the measure is read off."""
        return self.part or find_measure(self.measure).structure.key


@dataclass(frozen=True)
class WalkStep:
    """One step of the way to a structure: the part of the algorithm it belongs to, what is decided
    and why, and the drawing and the table after it, made when the step is shown.
    """

    phase: str
    sentence: str
    overlay: Callable[[], Overlay]
    table: Callable[[], Table]


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A choice between some ways to see a view. `words` are what is offered, by value."""

    key: str
    label: str
    words: Mapping[str, str]
    value: Callable[[Explanation, ViewState], str]
    choose: Callable[[ViewState, str], ViewState]


@dataclass(frozen=True, kw_only=True)
class OptionField:
    """A field that sets options: a number in `limits` (least, most), or without limits a box to
    tick.

    `change` says which options an entry sets, and what is looked at then.
    """

    key: str
    label: str
    help: str
    value: Callable[[Explanation, ViewState], float]
    change: Callable[[Explanation, ViewState, float], tuple[dict[str, Any], ViewState]]
    limits: tuple[float, float] | None = None
    width: int | Literal["content"] = "content"
    disabled: Callable[[Explanation, ViewState], bool] = lambda explanation, at: False


class Panel(Protocol):
    """A table or figure beside the graph, which a component (one of explorer/parts.py) shows."""

    @property
    def component(self) -> str:
        """The component's name."""

    def as_data(self) -> dict[str, Any]:
        """The data of the component."""

    def chosen(self, value: Mapping[str, Any]) -> str | None:
        """The key of the row that a gesture chose; None where there is none such."""


@dataclass(frozen=True, kw_only=True)
class View:
    """A way to draw the structures that declare it, and all that belongs to it.

    `also` are views whose structures it draws, too. `brings` is the structure that comes with it;
    else the first that declares it.

    `overlay` is what is drawn on the hierarchy, and `panel` what is shown of it beside the graph.
    `walk` leads to the structure step by step, from the classes alone to the result; None where
    nothing is decided on the way. `switches` stand above the panel, `fields` between its formula
    and its table, with a `note` below them. `choose_row` takes the key of a row that was chosen in
    the table, and `for_measure` adapts what is looked at to a measure that was chosen.
    """

    key: str
    title: str
    overlay: Callable[[Explanation, ViewState], Overlay]
    panel: Callable[[Explanation, ViewState, Overlay], Panel]
    walk: Callable[[Explanation, ViewState], tuple[WalkStep, ...]] | None = None
    switches: tuple[Switch, ...] = ()
    fields: tuple[OptionField, ...] = ()
    note: Callable[[Explanation, ViewState], str] = lambda explanation, at: ""
    choose_row: Callable[[ViewState, str], ViewState] | None = None
    for_measure: Callable[[ViewState], ViewState] = lambda at: at
    also: tuple[str, ...] = ()
    brings: str = ""

    @property
    def structures(self) -> tuple[str, ...]:
        """The structures of the catalogue that it draws, its own first."""
        return tuple(s.key for view in (self.key, *self.also) for s in STRUCTURES.values() if s.view == view)

    def draws(self, measure: Measure) -> str | None:
        """The structure of a measure that is drawn here, by its key; None where none is."""
        return next((s.key for s in measure.structures if s.view in (self.key, *self.also)), None)

    @property
    def best_known(self) -> str:
        """The measure that the view brings."""
        brings = self.brings or self.structures[0]
        return next(key for key, measure in CATALOGUE.items() if measure.structure.key == brings)
