"""The panel next to a drawing, and the parts of a view.

A view draws structures on the hierarchy, and explains a measure in a table next to the drawing. If
you point at a row, rings appear around its classes. If you point at a class, its rows are marked.

This module defines the parts of a table, the declaration of a view, and the state of a view. A
component shows the table and its labels as plain text. The views are modules in views/. A view
consists of data and pure functions, and does not depend on the page.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    """A class in a table, with its mark on the drawing."""

    label: str
    mark: Mark = PLAIN
    struck: bool = False
    strong: bool = False


@dataclass(frozen=True)
class Text:
    """A text or number in a table.

    Attributes
    ----------
    text : str
    strong, faint : bool
        `strong` means chosen. `faint` means not chosen.
    says : str
        The hover text.
    below : str
        A smaller second line.
    symbol : sequence of (text, style)
        The symbol of a measure. It replaces the text.
    """

    text: str
    strong: bool = False
    faint: bool = False
    says: str = ""
    below: str = ""
    symbol: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class CountBar:
    """A bar with three counts: on both sides, only on the predicted side, only on the true side."""

    both: int
    predicted: int
    true: int
    most: int


@dataclass(frozen=True)
class ShareBar:
    """A bar with the length of a share between 0 and 1, and a text.

    `good` is True for right answers and False for mistakes. You can choose a bar with a `key` like
    a row. `says` is its name for screen readers.
    """

    text: str
    share: float
    good: bool = False
    key: str | None = None
    says: str = ""


Cell = str | Text | CountBar | ShareBar | tuple[Chip | str, ...]


@dataclass(frozen=True)
class Column:
    """A column with its title and kind. The title may be a class.

    A column of the kind `rest` takes the remaining width. All columns of `bars` have the same
    width, so you can compare their lengths. You can choose the cells of a column with a `key`.
    """

    title: str | Chip
    kind: Literal["text", "number", "rest", "bars"] = "text"
    about: str = ""
    key: str | None = None


@dataclass(frozen=True)
class Row:
    """A row of a table.

    If you point at it, the drawing shows rings around its `classes` and highlights its `edges`. An
    edge names its two classes in either order.
    """

    cells: tuple[Cell, ...]
    classes: tuple[str, ...] = ()
    key: str | None = None
    chosen: bool = False
    edges: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PanelTable:
    """A table with a sentence below it.

    `caption` describes the table for screen readers. A `compact` table is only as wide as its
    content. A `wide` table scrolls sideways on a narrow page and keeps its first column.
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
        """Return the data for the component.

        It contains at most MOST_ROWS rows, and at most MOST_CHIPS classes in a cell.
        """
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
                **_filled(edges=[list(map(shown_title, edge)) for edge in row.edges]),
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
                filled = _filled(
                    strong=cell.strong,
                    faint=cell.faint,
                    says=cell.says,
                    below=cell.below,
                    symbol=cell.symbol,
                )
                return {"text": cell.text, **filled}
            case CountBar():
                return {"bar": [cell.both, cell.predicted, cell.true, cell.most]}
            case ShareBar():
                filled = _filled(good=cell.good, key=cell.key, says=cell.says)
                return {"text": cell.text, "share": round(cell.share, 4), **filled}
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
        """Return the key of the row or bar that a gesture chose, or None for an unknown key."""
        bars = (cell for row in self.rows for cell in row.cells if isinstance(cell, ShareBar))
        keys = (*(row.key for row in self.rows), *(bar.key for bar in bars))
        return next((key for key in keys if key is not None and key == value.get("key")), None)


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
    """Return a path in words."""
    return " › ".join(path)


def titled(panel: T, hierarchy: Hierarchy) -> T:
    """Return a copy of a table that shows the titles of classes. Other panels are returned as is."""
    if not isinstance(panel, PanelTable) or not hierarchy.titles:
        return panel
    return replace(
        panel, called=lambda label: hierarchy.caption(label)[1] if label in hierarchy else ""
    )


STEP_LEGEND = {"focus": LegendEntry("focus", "", "the classes of this step")}


@dataclass(frozen=True)
class ViewState:
    """The current measure and view, and the state of the view.

    Attributes
    ----------
    measure, view : str
    graphs : "minimal", "extended" or None
        The LCA graphs to draw. None means the graphs of the options.
    path : int, optional
        A path of the confusion matrix, from 0. None means all paths.
    step : int, optional
        A step of the walk, from 0. None means the result.
    what_if : bool
        True shows the edits of one class instead.
    part : str, optional
        The structure to draw, if the measure uses several.
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
        """The key of the drawn structure."""
        return self.part or find_measure(self.measure).structure.key


@dataclass(frozen=True)
class WalkStep:
    """A step of the walk from the classes to a structure.

    `phase` names the part of the algorithm. `sentence` explains the decision. `overlay` and `table`
    make the drawing and the table when the step is shown.
    """

    phase: str
    sentence: str
    overlay: Callable[[], Overlay]
    table: Callable[[], PanelTable]


@dataclass(frozen=True, kw_only=True)
class Switch:
    """A choice between several versions of a view. `words` are the labels, by value."""

    key: str
    label: str
    words: Mapping[str, str]
    value: Callable[[Explanation, ViewState], str]
    choose: Callable[[ViewState, str], ViewState]


@dataclass(frozen=True, kw_only=True)
class OptionField:
    """A field that sets options.

    With `limits` (least, most) it is a number, and without it is a checkbox. `change` returns the
    options for an entry, and the new state of the view. `behind` is the name of the menu with the
    field, or "" if the field is always visible.
    """

    key: str
    label: str
    help: str
    value: Callable[[Explanation, ViewState], float]
    change: Callable[[Explanation, ViewState, float], tuple[dict[str, Any], ViewState]]
    limits: tuple[float, float] | None = None
    disabled: Callable[[Explanation, ViewState], bool] = lambda explanation, at: False
    behind: str = ""


class Panel(Protocol):
    """A table or figure next to the graph. A component in explore/parts.py shows it."""

    @property
    def component(self) -> str: ...

    def as_data(self) -> dict[str, Any]: ...

    def chosen(self, value: Mapping[str, Any]) -> str | None: ...


@dataclass(frozen=True, kw_only=True)
class View:
    """A way to draw structures. A structure names its view by the key.

    Attributes
    ----------
    key, title : str
    overlay : callable
        The marks on the hierarchy.
    panel : callable
        The panel next to the graph.
    walk : callable, optional
        The steps from the classes to the result. None if they contain no decision.
    switches : tuple of Switch
        The switches above the panel.
    fields : tuple of OptionField
        The fields between the formula and the table.
    note : callable
        The note below the fields.
    choose_row : callable, optional
        The new state for the key of a chosen row.
    for_measure : callable
        The new state for a chosen measure.
    also : tuple of str
        Other views. This view also draws their structures.
    brings : str
        The first structure to show. By default the first structure that names this view.
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
        """Return the key of the structure of a measure that this view draws, or None."""
        return next((s.key for s in measure.structures if s.view in (self.key, *self.also)), None)

    @property
    def best_known(self) -> str:
        """The key of the first measure in the catalogue with the opening structure of this view."""
        brings = self.brings or self.structures[0]
        return next(key for key, measure in CATALOGUE.items() if measure.structure.key == brings)
