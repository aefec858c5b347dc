"""A table beside the graph, linked with it: under the mouse or the keyboard a row rings its classes
on the drawing, and a class of the drawing marks its rows.

Here are the parts of a table, and its data for the component that shows it. What is in a table is
said by the view that shows it. Labels are sent as data and set as text.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeVar

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import Path
from hiermeasures.picture.overlay import PLAIN, Mark, Side
from hiermeasures.picture.scene import shown_label, shown_title

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
class Bar:
    """Counts as one bar: on both sides, on the predicted one only, on the true one only."""

    both: int
    predicted: int
    true: int
    most: int


Cell = str | Text | Bar | tuple[Chip | str, ...]


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
    """A row, the classes it rings on the drawing, and its key where it can be chosen."""

    cells: tuple[Cell, ...]
    classes: tuple[str, ...] = ()
    key: str | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Table:
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
        note = f"{self.note} {left_out:,} more rows are not shown.".strip() if left_out > 0 else self.note
        rare = {"note": note, "compact": self.compact, "wide": self.wide}
        return {
            "caption": self.caption,
            "columns": [_column(column, self.called) for column in self.columns],
            "rows": [_row(row, self.called) for row in self.rows[:MOST_ROWS]],
            **{name: value for name, value in rare.items() if value},
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


def in_order(explanation: Explanation, labels: Iterable[str]) -> tuple[str, ...]:
    """Classes in the hierarchy's order."""
    return tuple(sorted(labels, key=explanation.hierarchy.index))


def path_text(path: Path) -> str:
    """A path in words.

    >>> path_text(("R", "A", "D"))
    'R › A › D'
    """
    return " › ".join(path)


Panel = TypeVar("Panel")


def titled(panel: Panel, hierarchy: Hierarchy) -> Panel:
    """Return a table whose classes have the titles of a hierarchy; other panels as they are."""
    if not isinstance(panel, Table) or not hierarchy.titles:
        return panel
    return replace(panel, called=lambda label: hierarchy.caption(label)[1] if label in hierarchy else "")


Called = Callable[[str], str]


def _column(column: Column, called: Called) -> dict[str, Any]:
    title = column.title if isinstance(column.title, str) else (column.title,)
    rare = {"about": column.about, "key": column.key}
    return {
        "title": _cell(title, called),
        "kind": column.kind,
        **{name: value for name, value in rare.items() if value},
    }


def _row(row: Row, called: Called) -> dict[str, Any]:
    chosen = {} if row.key is None else {"key": row.key, "chosen": row.chosen}
    return {
        "cells": [_cell(cell, called) for cell in row.cells],
        "classes": [shown_title(c) for c in row.classes],
        **chosen,
    }


def _cell(cell: Cell, called: Called) -> dict[str, Any]:
    if isinstance(cell, str):
        return {"text": cell}
    if isinstance(cell, Text):
        rare = {"strong": cell.strong, "faint": cell.faint, "says": cell.says}
        return {"text": cell.text, **{name: value for name, value in rare.items() if value}}
    if isinstance(cell, Bar):
        return {"bar": [cell.both, cell.predicted, cell.true, cell.most]}
    rest = len(cell) - MOST_CHIPS
    shown = [_chip(chip, called) for chip in cell[:MOST_CHIPS]]
    return {"chips": [*shown, {"word": f"and {rest} more"}] if rest > 0 else shown}


def _chip(chip: Chip | str, called: Called) -> dict[str, Any]:
    if isinstance(chip, str):
        return {"word": chip}
    label, name = shown_label(chip.label), shown_title(chip.label)
    sent: dict[str, Any] = {"label": label, "mark": [int(chip.mark.true), int(chip.mark.predicted)]}
    given = {
        "name": name if name != label else "",
        "called": shown_title(called(chip.label)),
        "struck": chip.struck,
        "strong": chip.strong,
    }
    return sent | {key: value for key, value in given.items() if value}
