"""The table of properties × measures on the Behaviour page, and the files it leaves as.

What stands in it was searched elsewhere; the proofs of its cells are the page's.
"""

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from hiermeasures.app.components import show_panel
from hiermeasures.behaviour import PROPERTIES, Behaviour
from hiermeasures.formats import csv_text
from hiermeasures.measures import find_measure
from hiermeasures.measures.own import called, spoken
from hiermeasures.picture.linked_table import Column, Row, Table, Text

TURNED = " ⟲"
LATEX = str.maketrans({"✓": r"\checkmark", "✗": r"$\times$", "–": "--", "⟲": "*", "_": r"\_"})

Choose = Callable[[str, str | None], None]  # what is done with a property and a measure; without one, of its row


def name_of(key: str) -> str:
    """Return the name of a property."""
    return PROPERTIES[key].name


def show(found: Behaviour, marks: set[tuple[str, str]], cell: tuple[str, str], on_choose: Choose) -> None:
    """Draw the table, in which a cell can be chosen; `marks` are cells turned by options, and
    `cell` is the chosen one.
    """
    frame = table(found, marks)
    st.html("<style>.st-key-behaviour_matrix { --hm-table: 75vh; }</style>")
    show_panel(
        drawing(frame, list(found.verdicts), cell),
        key="behaviour_matrix",
        on_choose=lambda row, column: on_choose(row, column if column in frame else None),
    )
    words = (
        f"{found.hierarchies:,} hierarchies, {found.instances:,} instances; undefined values neither keep nor break."
    )
    st.caption(words + (f" Turned by the options:{TURNED}" if marks else ""))
    with st.container(horizontal=True):
        frame = frame.rename(columns=called)
        files = (
            ("CSV", "csv", csv_text(["", *frame.columns], frame.itertuples(name=None))),
            ("LaTeX", "tex", latex(frame)),
            ("Markdown", "md", markdown(frame)),
        )
        for name, ending, text in files:
            st.download_button(name, text, f"behaviour.{ending}", key=f"behaviour_{ending}", on_click="ignore")


def drawing(frame: pd.DataFrame, properties: Sequence[str], cell: tuple[str, str]) -> Table:
    """Return the table for the page: a row for each property, keyed by it, with the chosen cell
    framed.
    """
    columns = [Column(spoken(key), "number", find_measure(key).title, key) for key in frame]
    rows = [
        Row(
            (name, *(Text(mark, strong=(p, m) == cell) for m, mark in zip(frame, marks, strict=True))),
            key=p,
            chosen=p == cell[0],
        )
        for p, (name, *marks) in zip(properties, frame.itertuples(name=None), strict=True)
    ]
    return Table("Properties of measures", (Column("property"), *columns), tuple(rows), wide=True)


def table(found: Behaviour, marks: set[tuple[str, str]]) -> pd.DataFrame:
    """Return the verdicts as words."""
    rows = found.verdicts
    return pd.DataFrame(
        {
            m: [row[m].mark + (TURNED if (p, m) in marks else "") for p, row in rows.items()]
            for m in next(iter(rows.values()))
        },
        index=pd.Index([name_of(p) for p in rows], name="property"),
    )


def latex(frame: pd.DataFrame) -> str:
    """Return the table for LaTeX."""
    head, *rows = (" & ".join(row).translate(LATEX) + r" \\" for row in _rows(frame))
    begin = rf"\begin{{tabular}}{{l{'r' * len(frame.columns)}}}"
    return "\n".join([begin, r"\hline", head, r"\hline", *rows, r"\hline", r"\end{tabular}", ""])


def markdown(frame: pd.DataFrame) -> str:
    """Return the table for Markdown."""
    head, *rows = ("| " + " | ".join(row) + " |\n" for row in _rows(frame.rename(columns="`{}`".format)))
    return "".join([head, "|---" * (len(frame.columns) + 1) + "|\n", *rows])


def _rows(frame: pd.DataFrame) -> list[list[str]]:
    """The table with its head, row by row."""
    return [["property", *frame.columns], *(list(row) for row in frame.itertuples(name=None))]
