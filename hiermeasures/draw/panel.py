"""The panel beside a drawing: tables that are linked with it, and views, each one way to draw
structures on the hierarchy and to explain a measure beside it.

Under the mouse or the keyboard a row of a table rings its classes on the drawing, and a class of
the drawing marks its rows. Here are the parts of a table, and its data for the component that shows
it, in which labels are sent as data and set as text; and the parts of which a view is declared, and
what of it a person looks at. The views themselves, which say what is in their tables, stand in a
module each below views/. Nothing here or there knows the page: a view is data and pure functions.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

from hiermeasures.draw.scene import (
    PLAIN,
    LegendEntry,
    Mark,
    Overlay,
    Side,
    shown_label,
    shown_title,
)
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE, STRUCTURES, Explanation, Measure, find_measure
from hiermeasures.measures.catalogue import Path, T

MOST_CHIPS = 40
MOST_ROWS = 200
TRUE, PREDICTED = Mark(Side.CLASS), Mark(predicted=Side.CLASS)


@dataclass(frozen=True)
class Chip:
    """A class in a table, with the mark it has on the drawing."""

    label: str
    mark: Mark = PLAIN
    struck: bool = False
    strong: bool = False


@dataclass(frozen=True)
class Text:
    """A text or number: `strong` was chosen, `faint` was not; `says` is shown under the mouse."""

    text: str
    strong: bool = False
    faint: bool = False
    says: str = ""


@dataclass(frozen=True)
class CountBar:
    """Counts as one bar: on both sides, on the predicted one only, on the true one only."""

    both: int
    predicted: int
    true: int
    most: int


Cell = str | Text | CountBar | tuple[Chip | str, ...]


@dataclass(frozen=True)
class Column:
    """A column: its title, which may be a class, and its kind; `rest` takes the room left over. One
    with a `key` has cells that can be chosen.
    """

    title: str | Chip
    kind: Literal["text", "number", "rest"] = "text"
    about: str = ""
    key: str | None = None


@dataclass(frozen=True)
class Row:
    cells: tuple[Cell, ...]
    classes: tuple[str, ...] = ()
    key: str | None = None
    chosen: bool = False


@dataclass(frozen=True)
class PanelTable:
    """A table, and the sentence below it.

    The `caption` tells those who listen to the page what the table holds. A `compact` table is no
    wider than what is in it. A `wide` one scrolls sideways where the page is too narrow for its
    columns, and keeps the first.
    """

    component: ClassVar[str] = "table"

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    compact: bool = False
    wide: bool = False
    called: Callable[[str], str] = lambda label: ""

    def as_data(self) -> dict[str, Any]:
        """The data for its component, up to MOST_ROWS rows and MOST_CHIPS classes in a cell."""
        left_out = len(self.rows) - MOST_ROWS
        note = (
            f"{self.note} {left_out:,} more rows are not shown.".strip()
            if left_out > 0
            else self.note
        )
        columns = [
            {
                "title": self._cell(
                    column.title if isinstance(column.title, str) else (column.title,)
                ),
                "kind": column.kind,
                **_filled(about=column.about, key=column.key),
            }
            for column in self.columns
        ]
        rows = [
            {
                "cells": [self._cell(cell) for cell in row.cells],
                "classes": [shown_title(c) for c in row.classes],
                **({} if row.key is None else {"key": row.key, "chosen": row.chosen}),
            }
            for row in self.rows[:MOST_ROWS]
        ]
        filled = _filled(note=note, compact=self.compact, wide=self.wide)
        return {"caption": self.caption, "columns": columns, "rows": rows, **filled}

    def _cell(self, cell: Cell) -> dict[str, Any]:
        match cell:
            case str():
                return {"text": cell}
            case Text():
                return {
                    "text": cell.text,
                    **_filled(strong=cell.strong, faint=cell.faint, says=cell.says),
                }
            case CountBar():
                return {"bar": [cell.both, cell.predicted, cell.true, cell.most]}
        rest = len(cell) - MOST_CHIPS
        shown = [
            self._chip(chip) if isinstance(chip, Chip) else {"word": chip}
            for chip in cell[:MOST_CHIPS]
        ]
        return {"chips": [*shown, {"word": f"and {rest} more"}] if rest > 0 else shown}

    def _chip(self, chip: Chip) -> dict[str, Any]:
        label, name = shown_label(chip.label), shown_title(chip.label)
        called = shown_title(self.called(chip.label))
        given = _filled(
            name=name if name != label else "",
            called=called,
            struck=chip.struck,
            strong=chip.strong,
        )
        return {"label": label, "mark": [int(chip.mark.true), int(chip.mark.predicted)], **given}

    def chosen(self, value: Mapping[str, Any]) -> str | None:
        """The key of the row that a gesture chose; None if no row has it."""
        return next(
            (row.key for row in self.rows if row.key is not None and row.key == value.get("key")),
            None,
        )


def _filled(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def chips(
    labels: Iterable[str],
    marks: Callable[[str], Mark] = lambda label: PLAIN,
    *,
    struck: Iterable[str] = (),
) -> tuple[Chip, ...]:
    out = frozenset(struck)
    return tuple(Chip(label, marks(label), label in out) for label in labels)


def in_order(explanation: Explanation, labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(labels, key=explanation.hierarchy.index))


def path_text(path: Path) -> str:
    """A path in words."""
    return " › ".join(path)


def titled(panel: T, hierarchy: Hierarchy) -> T:
    """Return a table whose classes have the titles of a hierarchy; other panels as they are."""
    if not isinstance(panel, PanelTable) or not hierarchy.titles:
        return panel
    return replace(
        panel, called=lambda label: hierarchy.caption(label)[1] if label in hierarchy else ""
    )


STEP_LEGEND = {"focus": LegendEntry("focus", "", "what this step is about")}


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
        return self.part or find_measure(self.measure).structure.key


@dataclass(frozen=True)
class WalkStep:
    """One step of the way to a structure: the part of the algorithm it belongs to, what is decided
    and why, and the drawing and the table after it, made when the step is shown.
    """

    phase: str
    sentence: str
    overlay: Callable[[], Overlay]
    table: Callable[[], PanelTable]


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A choice between some ways to see a view. `words` are the labels, by value."""

    key: str
    label: str
    words: Mapping[str, str]
    value: Callable[[Explanation, ViewState], str]
    choose: Callable[[ViewState, str], ViewState]


@dataclass(frozen=True, kw_only=True)
class OptionField:
    """A field that sets options: a number in `limits` (least, most), or without them a box to tick.

    `change` says which options an entry sets, and what is looked at then.
    """

    key: str
    label: str
    help: str
    value: Callable[[Explanation, ViewState], float]
    change: Callable[[Explanation, ViewState, float], tuple[dict[str, Any], ViewState]]
    limits: tuple[float, float] | None = None
    disabled: Callable[[Explanation, ViewState], bool] = lambda explanation, at: False


class Panel(Protocol):
    """A table or figure beside the graph, which a component (one of explore/parts.py) shows."""

    @property
    def component(self) -> str: ...

    def as_data(self) -> dict[str, Any]: ...

    def chosen(self, value: Mapping[str, Any]) -> str | None: ...


@dataclass(frozen=True, kw_only=True)
class View:
    """A way to draw the structures that declare it, and all that belongs to it.

    `also` are views whose structures it draws, too. `brings` is the structure that comes with it;
    else the first that declares it.

    `overlay` is what is drawn on the hierarchy, and `panel` what is shown of it beside the graph.
    `walk` leads to the structure step by step, from the classes alone to the result; None if
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
        return tuple(
            s.key for view in (self.key, *self.also) for s in STRUCTURES.values() if s.view == view
        )

    def draws(self, measure: Measure) -> str | None:
        return next((s.key for s in measure.structures if s.view in (self.key, *self.also)), None)

    @property
    def best_known(self) -> str:
        brings = self.brings or self.structures[0]
        return next(key for key, measure in CATALOGUE.items() if measure.structure.key == brings)
