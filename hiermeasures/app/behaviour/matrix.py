"""The table of properties × measures on the Behaviour page, and the files it leaves as.

What stands in it was searched elsewhere; the proofs of its cells are the page's.
"""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from hiermeasures.behaviour import PROPERTIES, Behaviour
from hiermeasures.formats import csv_text
from hiermeasures.measures import find_measure
from hiermeasures.measures.own import called, spoken

TURNED = " ⟲"
WIDTH = 290  # pixels, in which the longest name of a property can be read
LATEX = str.maketrans({"✓": r"\checkmark", "✗": r"$\times$", "–": "--", "⟲": "*", "_": r"\_"})


def name_of(key: str) -> str:
    """Return the name of a property."""
    return PROPERTIES[key].name


def show(found: Behaviour, marks: set[tuple[str, str]], on_choose: Callable[[str, str], None]) -> None:
    """Draw the table, in which a cell can be chosen; `marks` are cells turned by options."""
    frame = table(found, marks)
    st.dataframe(
        frame,
        key="behaviour_matrix",
        on_select=partial(_select, list(found.verdicts), list(frame.columns), on_choose),
        selection_mode="single-cell",
        height="content",
        column_config={"_index": st.column_config.Column(width=WIDTH)}
        | {key: st.column_config.Column(spoken(key), help=find_measure(key).title) for key in frame},
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


def _select(properties: Sequence[str], measures: Sequence[str], on_choose: Callable[[str, str], None]) -> None:
    cells = st.session_state["behaviour_matrix"].selection.cells
    if cells and cells[0][1] in measures:
        on_choose(properties[cells[0][0]], cells[0][1])


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
