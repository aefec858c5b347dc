"""The view "Classes" of the page Compare: scores of each class, and the hierarchy coloured by one.

You can count a class as labelled, or with everything below it.
"""

from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import button
from hiermeasures.app.components import STILL, chart, dark, show_panel, stacking_columns
from hiermeasures.app.systems import filters, instances
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.filter_rules import BelowClass
from hiermeasures.app.systems.form import SYSTEMS, choice, choose_system
from hiermeasures.draw.panel import Column, PanelTable, Row
from hiermeasures.draw.text import decimals, escaped, markdown_text
from hiermeasures.evaluation import Report
from hiermeasures.evaluation.by_class import MEAN
from hiermeasures.evaluation.plots import plot_hierarchy
from hiermeasures.measures.own import find_measure, spoken
from hiermeasures.read import csv_text

KINDS = {"hF": "with everything below it (hF)", "f1": "as labelled (f1)"}
SCORES = {"f1": "F1", "precision": "precision", "recall": "recall"}
TABLES: WeakKeyDictionary[Report, dict[bool, pd.DataFrame]] = WeakKeyDictionary()
NUMBERS = {
    "level": ("level", "The longest path from the root, in edges."),
    "support": ("true", "Instances that have the class."),
    "predicted": ("predicted", "Instances for which the system predicts it."),
    "right": ("both", "Instances with both."),
}
SCORE_HELP = {
    "precision": "both / predicted",
    "recall": "both / true",
    "f1": "The harmonic mean of the class's precision and recall.",
}


def show_classes(evaluation: Evaluation) -> None:
    """Draw a system's results by class and by level, and the hierarchy coloured by a score."""
    system, kind, column = _choose(evaluation)
    report = evaluation.reports[system]
    table = make_table(report, kind)
    left, right = stacking_columns("systems_classes", 2, gap="medium")
    with left:
        _draw_hierarchy(report, table, column, f"hierarchy|{system}|{kind}|{column}")
    with right:
        _show_levels(report, evaluation.reports, kind)
        _show_table(evaluation, system, kind, column)


def files(evaluation: Evaluation) -> Mapping[str, tuple[str, Callable[[], str]]]:
    """Return the files of the view."""
    return {"classes.csv": ("Scores by class as CSV", lambda: classes_csv(evaluation))}


def classes_csv(evaluation: Evaluation) -> str:
    """Return the scores by class as CSV, with a row per system and class."""
    rows, columns = [], list[str]()
    for system, report in evaluation.reports.items():
        table = make_table(report, SYSTEMS.value.counted)
        table = table[[*NUMBERS, *SCORES, *(MEAN + key for key in evaluation.measures)]]
        columns = list(table.columns)
        rows += [[system, *row] for row in table.itertuples()]
    return csv_text(["system", "class", *columns], rows)


def make_table(report: Report, kind: str) -> pd.DataFrame:
    """Return the scores by class, cached with their report."""
    subtrees = kind != "f1"
    kept = TABLES.setdefault(report, {})
    if subtrees not in kept:
        kept[subtrees] = report.by_subtree() if subtrees else report.by_class()
    return kept[subtrees]


def _choose(evaluation: Evaluation) -> tuple[str, str, str]:
    """Draw the settings of the view. Return the system, the way to count classes, and the
    column.
    """
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium"):
        system = choose_system(names, width=instances.width_of(names))
        kind = choice(
            "Classes counted",
            list(KINDS),
            "counted",
            format_func=KINDS.__getitem__,
            width=300,
            help="As labelled: only the classes in the files. With everything below it: a label "
            "also counts for the classes above it. Use this if your labels are leaves.",
        )
        columns = SCORES | {MEAN + key: f"mean {spoken(key)}" for key in evaluation.measures}
        column = choice(
            "Colour", list(columns), "coloured", format_func=columns.__getitem__, width=240
        )
    return system, kind, column


def _name_column(column: str) -> str:
    """Return the heading of a column."""
    if column in NUMBERS:
        return NUMBERS[column][0]
    return SCORES.get(column) or f"mean {spoken(column.removeprefix(MEAN))}"


def _draw_hierarchy(report: Report, table: pd.DataFrame, column: str, key: str) -> None:
    name = _name_column(column)
    st.header(
        escaped(f"The hierarchy, coloured by {name}"),
        help="Click a class to zoom in. Grey classes have no value.",
    )
    measure = find_measure(column.removeprefix(MEAN)) if column.startswith(MEAN) else None
    figure = plot_hierarchy(
        report,
        table[column].rename(name),
        counts=table["support"].to_dict(),
        better=measure.better if measure else "higher",
        dark=dark(),
    )
    chart(figure, key=key, data=lambda: table[["level", column]], config=STILL)


def _show_levels(report: Report, reports: Mapping[str, Report], measure: str) -> None:
    """Draw the scores of all systems by level."""
    st.header(
        "By level",
        help=f"{markdown_text(instances.measure_title(measure))} computed from the summed counts "
        "of a level's classes. Level 1 is just below the root.",
    )
    if measure not in report.measures_by_level:
        st.info(
            "Counts by level are not available, because the longest ancestor distance cuts the "
            "hierarchy differently for each instance."
        )
        return
    depths = report.measures_by_level.index
    by_level = {name: r.measures_by_level[measure].reindex(depths) for name, r in reports.items()}
    rows = [
        Row((name, *(decimals(values[k], 3) for k in depths))) for name, values in by_level.items()
    ]
    columns = (Column("System"), *(Column(f"level {k}", "number") for k in depths))
    show_panel(
        PanelTable("The systems' scores by level", columns, tuple(rows), wide=True),
        key="systems_levels",
    )


def _show_table(evaluation: Evaluation, system: str, kind: str, column: str) -> None:
    """Draw the table of classes, the worst by the chosen column first."""
    st.header(
        "By class",
        help="Click a heading to sort. The magnifying glass finds a class. Tick a row to filter.",
    )
    means = [MEAN + key for key in evaluation.measures]
    table = make_table(evaluation.reports[system], kind)[[*NUMBERS, *SCORES, *means]]
    lower = column.startswith(MEAN) and find_measure(column.removeprefix(MEAN)).better == "lower"
    table = table.sort_values([column, "support"], ascending=[not lower, False])
    place, shown = st.container(), table
    if titles := evaluation.hierarchy.titles:
        shown = table.assign(title=[titles.get(label, "") for label in table.index])
        shown = shown[["title", *table.columns]]
    event = st.dataframe(
        shown,
        key=f"systems_classes|{system}|{kind}|{column}|{hash(evaluation.filters)}",
        height=300,
        column_config=_configure(means),
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = event["selection"]["rows"]
    if rows and rows[0] < len(table):
        rule = BelowClass(str(table.index[rows[0]]), alone=kind == "f1")
        with place:
            button(
                escaped(f"Show only instances with {rule.words}"),
                key="systems_class_filter",
                icon=":material/filter_alt:",
                action=lambda: filters.add_filter(rule),
            )


def _configure(means: list[str]) -> dict[str, Any]:
    """Return headings and widths of the table's columns."""
    config: dict[str, Any] = {"_index": st.column_config.Column("Class", width=150)}
    for column, (name, about) in NUMBERS.items():
        config[column] = st.column_config.NumberColumn(name, help=about)
    for column in (*SCORES, *means):
        config[column] = st.column_config.NumberColumn(
            _name_column(column),
            format="%.3f",
            help=SCORE_HELP.get(column, "The mean over the instances that have the class."),
        )
    return config
