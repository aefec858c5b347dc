"""A table beside the graph, linked with it: under the mouse or the keyboard a row rings its classes on the drawing, and
a class of the drawing marks its rows.

Here are the parts of a table, and its data for the component that shows it. What is in a table is said by the view that
shows it. Labels are sent as data and set as text.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from hiermeasures.ui.graph.overlay import PLAIN, Mark
from hiermeasures.ui.graph.scene import shown_label, shown_title

MOST_CHIPS = 40
MOST_ROWS = 200


@dataclass(frozen=True)
class Chip:
    """A class in a table, with the mark it has on the drawing."""

    label: str
    mark: Mark = PLAIN
    struck: bool = False
    strong: bool = False


@dataclass(frozen=True)
class Text:
    """A text or number. `strong` is for what was chosen, `faint` for what was not; `says` is shown under the mouse."""

    text: str
    strong: bool = False
    faint: bool = False
    says: str = ""


@dataclass(frozen=True)
class Bar:
    """Counts as one bar with its parts in a row: on both sides, on the predicted one only, on the true one only."""

    both: int
    predicted: int
    true: int
    most: int


Cell = str | Text | Bar | tuple[Chip | str, ...]


@dataclass(frozen=True)
class Column:
    """A column: its title, which may be a class, and whether it holds numbers, or takes all the room that the others
    leave.
    """

    title: str | Chip
    kind: Literal["text", "number", "rest"] = "text"
    about: str = ""


@dataclass(frozen=True)
class Row:
    """A row, the classes it rings on the drawing, and the key it reports when it is chosen (None: it cannot be)."""

    cells: tuple[Cell, ...]
    classes: tuple[str, ...] = ()
    key: str | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Table:
    """What is shown, and the sentence below it.

    The `caption` tells those who listen to the page what the table holds. A `compact` table is no wider than what is in
    it. A `wide` one becomes a block per row where the page is too narrow for its columns.
    """

    component: ClassVar[str] = "table"

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    compact: bool = False
    wide: bool = False

    def as_data(self) -> dict[str, Any]:
        """The table for its component, up to MOST_ROWS rows and MOST_CHIPS classes in a cell: labels are data."""
        left_out = len(self.rows) - MOST_ROWS
        note = f"{self.note} {left_out:,} more rows are not shown.".strip() if left_out > 0 else self.note
        return {
            "caption": self.caption,
            "columns": [_column(column) for column in self.columns],
            "rows": [_row(row) for row in self.rows[:MOST_ROWS]],
            "note": note,
            "compact": self.compact,
            "wide": self.wide,
        }

    def chosen(self, value: Mapping[str, Any]) -> str | None:
        """The key of the row that a gesture chose; None where no row has it."""
        return next((row.key for row in self.rows if row.key is not None and row.key == value.get("key")), None)


def chips(
    labels: Iterable[str], marks: Callable[[str], Mark] = lambda label: PLAIN, *, struck: Iterable[str] = ()
) -> tuple[Chip, ...]:
    """Classes as chips, in the order given."""
    out = frozenset(struck)
    return tuple(Chip(label, marks(label), label in out) for label in labels)


def _column(column: Column) -> dict[str, Any]:
    title = column.title if isinstance(column.title, str) else (column.title,)
    return {"title": _cell(title), "kind": column.kind, "about": column.about}


def _row(row: Row) -> dict[str, Any]:
    return {
        "cells": [_cell(cell) for cell in row.cells],
        "classes": [shown_title(c) for c in row.classes],
        "key": row.key,
        "chosen": row.chosen,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, str):
        return {"text": cell}
    if isinstance(cell, Text):
        return {"text": cell.text, "strong": cell.strong, "faint": cell.faint, "says": cell.says}
    if isinstance(cell, Bar):
        return {"bar": [cell.both, cell.predicted, cell.true, cell.most]}
    rest = len(cell) - MOST_CHIPS
    shown = [_chip(chip) for chip in cell[:MOST_CHIPS]]
    return {"chips": [*shown, {"word": f"and {rest} more"}] if rest > 0 else shown}


def _chip(chip: Chip | str) -> dict[str, Any]:
    if isinstance(chip, str):
        return {"word": chip}
    mark = [int(chip.mark.true), int(chip.mark.predicted)]
    return {
        "label": shown_label(chip.label),
        "name": shown_title(chip.label),
        "mark": mark,
        "struck": chip.struck,
        "strong": chip.strong,
    }
