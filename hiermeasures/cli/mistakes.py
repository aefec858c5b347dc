"""`evaluate --confusion`, `--mistakes`, `--by-class`: where systems go wrong, as tables."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hiermeasures.cli import declare, printing
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.words import write_count

if TYPE_CHECKING:
    import pandas as pd

TARGETS = ("confusion", "mistakes", "by_class", "by_subtree")
GROUP = declare.group(
    "where a system goes wrong",
    "Write tables with a line for each system. A wrong class is paired with the missed class "
    "that it meets lowest in the hierarchy.",
    [
        declare.argument(
            "--confusion", "FILE", "write the confusion matrix: rows true, columns predicted (CSV)"
        ),
        declare.argument(
            "--level", "N", "show the classes of this level in the matrix (1: the top classes)"
        ),
        declare.argument("--below", "CLASS", "show the part of one class in the matrix"),
        declare.argument("--mistakes", "FILE", "write the count of each kind of mistake (CSV)"),
        declare.argument("--by-class", "FILE", "write the scores of each class (CSV)"),
        declare.argument(
            "--by-subtree", "FILE", "write the scores of each class with everything below it (CSV)"
        ),
    ],
)


def check_matrix_options(arguments: argparse.Namespace) -> None:
    """Refuse options of the matrix if no matrix is written."""
    if arguments.confusion is None:
        declare.check_alone(arguments, "level", "below", why="only --confusion FILE has a matrix")


def write_tables(reports: Mapping[str, Any], arguments: argparse.Namespace) -> None:
    """Write the requested tables."""
    if arguments.confusion is not None:
        from hiermeasures.evaluation.confusion_matrix import confuse_systems

        level = None if arguments.level is None else declare.count_of(arguments.level, "--level")
        paired = {name: report.paired for name, report in reports.items()}
        tables = confuse_systems(paired, level, arguments.below)
        _write(tables, arguments.confusion, "the confusion matrix")
    if arguments.mistakes is not None:
        tables = {name: report.mistakes() for name, report in reports.items()}
        _write(tables, arguments.mistakes, "the kinds of mistakes")
    if arguments.by_class is not None:
        tables = {name: report.by_class() for name, report in reports.items()}
        _write(tables, arguments.by_class, "the scores by class")
    if arguments.by_subtree is not None:
        tables = {name: report.by_subtree() for name, report in reports.items()}
        _write(tables, arguments.by_subtree, "the scores by subtree")


MOST_CELLS = 10_000_000  # of a CSV file


def _write(tables: "Mapping[str, pd.DataFrame]", file: str, what: str) -> None:
    """Write tables with the same columns, one below the other, with the file of predictions."""
    first = next(iter(tables.values()))
    if (cells := sum(table.size for table in tables.values())) > MOST_CELLS:
        raise InputError(
            f"{file}: {what} would have {cells:,} cells. Choose a lower --level, or a part by --below."
        )
    rows = [
        [name, index, *map(_shorten, row)]
        for name, table in tables.items()
        for index, row in zip(table.index, table.to_numpy().tolist(), strict=True)
    ]
    head = ["file", first.index.name, *first.columns]
    printing.write_table(head, rows, file, f"{what} of {write_count(len(tables), 'system')}")


def _shorten(value: float) -> float:
    """Return a whole number without decimals."""
    return int(value) if float(value).is_integer() else value
