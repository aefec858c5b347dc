"""`evaluate --by-level`: precision, recall, F1, IoU and accuracy of each level."""

import argparse
from collections.abc import Mapping
from typing import Any

from hiermeasures.cli import printing
from hiermeasures.draw.export import latex_label, latex_table, latex_tabular
from hiermeasures.draw.text import as_text

HEAD = (
    *("level", "classes", "true", "predicted", "shared"),
    *("precision", "recall", "f1", "iou", "accuracy"),
    *("macro_precision", "macro_recall", "macro_f1", "macro_iou"),
)
ABOUT = (
    "Ancestors are included. Precision, recall, F1 and IoU come from the summed counts of a "
    "level, and macro is their mean over its classes. The mean of F1 can differ from the F1 of "
    "the means. Accuracy is the share of instances with equal classes on both sides, "
    "among the instances with a class at the level."
)


def print_levels(reports: Mapping[str, Any], arguments: argparse.Namespace) -> int:
    """Print the levels of each report in the requested format."""
    tables = {name: report.levels.reset_index()[list(HEAD)] for name, report in reports.items()}
    what = "scores by level"
    if arguments.json:
        rows = {
            name: {str(row["level"]): row for row in t.to_dict("records")}
            for name, t in tables.items()
        }
        print(printing.as_json(next(iter(rows.values())) if len(rows) == 1 else rows))
    elif arguments.csv is not None:
        cells = [
            [name, *row]
            for name, table in tables.items()
            for row in table.astype(object).to_numpy().tolist()
        ]
        printing.write_table(["file", *HEAD], cells, arguments.csv, what)
    elif arguments.latex is not None:
        lines = [[name, *row] for name, table in tables.items() for row in _rows(table)]
        head, *body = (" & ".join(map(latex_label, line)) for line in [["system", *HEAD], *lines])
        tabular = latex_tabular(
            "l" + "r" * len(HEAD), head, [r"\hline", *(rf"{line} \\" for line in body)]
        )
        printing.write(latex_table(tabular, f"Scores by level. {ABOUT}"), arguments.latex, what)
    else:
        parts = ["\n".join([name, *_lines(table)]) for name, table in tables.items()]
        printing.show("\n\n".join([*parts, ABOUT]))
    return 0


def _rows(table: Any) -> list[list[str]]:
    """Return the cells of a table as text."""
    return [
        [str(int(row[name])) if name in HEAD[:5] else as_text(row[name]) for name in HEAD]
        for row in table.to_dict("records")
    ]


def _lines(table: Any) -> list[str]:
    rows = [HEAD, *_rows(table)]
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    return [
        "".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    ]
