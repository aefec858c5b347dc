"""Views of the Systems page that draw a Comparison or a Report: the ranking, the measures against
each other, the classes, and the files to download.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import bind, changing
from hiermeasures.app.components import show_panel
from hiermeasures.app.systems import figures
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.model import SYSTEMS
from hiermeasures.app.widgets import chart, dark, stacking_columns
from hiermeasures.compare import Comparison
from hiermeasures.engine import Report
from hiermeasures.formats import csv_text
from hiermeasures.measures import Measure, find_measure
from hiermeasures.measures.own import spoken
from hiermeasures.picture.panel import Column, Row, Table, Text
from hiermeasures.picture.text import escaped, markdown_text

PREDICTIONS, CONSISTENCY = "classes each", "with all ancestors"
CLASS_KINDS = {"hF": "with their ancestors (hF)", "f1": "as labelled (f1)"}
CLASS_SOURCES = {"hF": ("augmented", "hP", "hR", "hF"), "f1": ("flat", "precision", "recall", "f1")}
CHART = {"displaylogo": False, "modeBarButtonsToRemove": ["zoomIn2d", "zoomOut2d", "autoScale2d", "zoom2d"]}
STILL = {"displayModeBar": False}


def choice(label: str, offered: list[str], path: str, otherwise: str = "", **settings: Any) -> str:
    """Draw a field for a value of the model, and return the value: `otherwise`, or the first one
    offered, if the model's is not offered.
    """
    chosen: str = attrgetter(path)(SYSTEMS.value)
    value = chosen if chosen in offered else otherwise or offered[0]
    key = "systems_" + path.replace("finder.", "find_")
    bind(st.selectbox, key, value, changing(SYSTEMS, path))(label, offered, **settings)
    return value


# --- the ranking ----------------------------------------------------------------------------------


def ranking(comparison: Comparison, measures: Sequence[str], average: str) -> None:
    """Draw scores with ranks, the rule for shared ranks, and the measures without this average."""
    keys, systems = list(comparison.scores.columns), list(comparison.scores.index)
    rows = [
        Row(
            (
                system,
                *(_ranked(cell, comparison.ranks.at[system, key]) for key, cell in zip(keys, cells, strict=True)),
                f"{comparison.predictions[system]:.2f}",
                f"{comparison.consistency[system]:.1%}",
            )
        )
        for system, cells in comparison.score_rows()
    ]
    show_panel(
        Table("The systems with their scores and ranks", _columns(keys), tuple(rows), wide=True), key="systems_ranking"
    )
    pairs = len(systems) * (len(systems) - 1) // 2
    holm = f", Holm correction over {pairs} pair{'s' * (pairs != 1)}" if comparison.correction else ", no correction"
    st.caption(
        f"Rank in brackets, first ranks framed; systems share a rank where their difference is not significant "
        f"({comparison.test} test, α = {comparison.alpha:g}{holm}). ↑ higher is better, ↓ lower is better."
    )
    _say(comparison.value_notes())
    absent = [key for key in measures if key not in comparison.scores.columns]
    if absent:
        names = markdown_text(", ".join(map(spoken, absent)))
        st.caption(f"Without an average over {average}, and therefore not in the table: {names}.")


def scores_of_one(system: str, report: Report, measures: Sequence[str]) -> None:
    """Draw the scores of a single system, without ranks."""
    columns = _columns(measures)[: 1 + len(measures)]
    cells = report.cells(_three)
    row = Row((system, *(cells[key] for key in measures)))
    show_panel(Table("The scores of the system", columns, (row,), wide=True), key="systems_ranking")
    _say(report.value_notes)
    st.caption("One system has no ranks; add another one's file to compare them.")


def _ranked(score: str, rank: int) -> Text:
    return Text(score.replace("-", "−"), strong=bool(rank == 1))


def _say(notes: Sequence[str]) -> None:
    """Show notes on the values above."""
    if notes:
        st.caption(escaped(" ".join(f"{note[:1].upper()}{note[1:]}." for note in notes)))


def width_of(names: Iterable[str]) -> int:
    """Return the width of a field in which the longest of these names can be read whole."""
    return max(240, min(8 * max(map(len, names)) + 80, 900))


def _columns(keys: Sequence[str]) -> tuple[Column, ...]:
    return (
        Column("System"),
        *(_measure_column(find_measure(key)) for key in keys),
        Column(PREDICTIONS, "number", "How many classes the system predicts for an instance, on average."),
        Column(
            CONSISTENCY,
            "number",
            "Hierarchical consistency: the share of instances whose predicted classes include all classes above them.",
        ),
    )


def _measure_column(m: Measure) -> Column:
    arrow = "↑" if m.better == "higher" else "↓"
    return Column(f"{spoken(m.key)} {arrow}", "number", f"{m.name}, {m.better} is better. {m.description}")


def _three(value: float) -> str:
    return "–" if value != value else f"{value:.3f}".replace("-", "−")


Files = Mapping[str, tuple[str, Callable[[], str]]]  # name of a file: its title and a function that returns its text


def export(evaluation: Evaluation, comparison: Comparison | None, more: Files) -> None:
    """Draw the menu of files: the comparison, every instance's values, and the view's (`more`)."""
    files = dict(more)
    if comparison is not None:
        files |= {
            "systems.csv": ("Table as CSV", lambda: table_csv(comparison)),
            "systems.json": (
                "Everything as JSON",
                lambda: json.dumps(comparison.as_json(), ensure_ascii=False, indent=2),
            ),
            "systems.tex": ("Tables as LaTeX", comparison.to_latex),
        }
    files["instances.csv"] = (
        "Every instance's values as CSV",
        lambda: instances_csv(evaluation.reports, evaluation.measures),
    )
    with st.popover("Export", icon=":material/download:"):
        for name, (title, made) in files.items():
            st.download_button(title, made, name, key=f"systems_export_{name}", on_click="ignore", width="stretch")


def instances_csv(reports: Mapping[str, Report], measures: Sequence[str]) -> str:
    """Return the instances' values as CSV: a row per system and instance, a column per measure."""
    return csv_text(
        ["system", "instance", *measures],
        (
            [name, i, *row]
            for name, rows in ((name, report.per_instance[list(measures)]) for name, report in reports.items())
            for i, row in zip(rows.index, rows.to_numpy().tolist(), strict=True)
        ),
    )


def table_csv(comparison: Comparison) -> str:
    """Return scores and ranks as CSV, a row per system; no cell is a formula to a spreadsheet."""
    frame = comparison.to_frame()
    rows = zip(frame.index, frame.to_numpy().tolist(), strict=True)
    return csv_text(["system", *frame.columns], ([name, *row] for name, row in rows))


# --- the measures against each other --------------------------------------------------------------


def measures(comparison: Comparison) -> None:
    """Draw how far measures agree, which systems change places, and the tests behind the ranks."""
    left, right = stacking_columns("systems_measures", 2, gap="large")
    with left:
        st.header(
            "Do the measures rank alike?",
            help="Kendall's tau-b between two measures' rankings: 1 where they rank the systems in "
            "the same order, −1 in the reverse order, ties counted. A dash: one of them ranks all systems equal.",
        )
        chart(figures.agreement(comparison.correlations, dark()), key="systems_agreement", config=STILL)
    with right:
        st.header(
            "Who changes places?",
            help="Each line is a system; the higher, the better its rank by the measure above. "
            "Systems that tie lie side by side.",
        )
        chart(figures.bumps(comparison), key="systems_bumps", config=STILL)
    with st.expander("Significance of every pair"):
        key = choice("Measure", list(comparison.p_values), "pairs", format_func=measure_title, width=420)
        _pairs(comparison.p_values[key])
        st.caption(
            "The p-value of “the row's system is better than the column's”, after correction; 1 where its score is "
            "not better."
        )


def _pairs(p_values: pd.DataFrame) -> None:
    """Draw the p-values of all pairs; columns have the rows' numbers, because names may be long."""
    names = [str(name) for name in p_values.index]
    rows = []
    for k, name in enumerate(names):
        cells = ["–" if k == other else f"{p:.2g}" for other, p in enumerate(p_values.iloc[k])]
        rows.append(Row((str(k + 1), name, *cells)))
    columns = [Column("", "number"), Column("better")]
    columns += [Column(f"than {k}", "number", name) for k, name in enumerate(names, 1)]
    show_panel(Table("p-values of every pair of systems", tuple(columns), tuple(rows), wide=True), key="systems_p")


def measure_title(key: str) -> str:
    return find_measure(key).title


# --- classes --------------------------------------------------------------------------------------


def classes(evaluation: Evaluation) -> None:
    """Draw a system's results per level and per class, and the hierarchy coloured by them."""
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium"):
        system = choice("System", names, "system", width=width_of(names))
        kind = choice(
            "Classes counted",
            list(CLASS_KINDS),
            "counted",
            format_func=CLASS_KINDS.__getitem__,
            width=300,
            help="As labelled: exactly the classes in the files. With their ancestors: every class also counts for the "
            "classes above it, so that upper levels have results where only leaves are labelled.",
        )
    report = evaluation.reports[system]
    source, f = CLASS_SOURCES[kind][0], CLASS_SOURCES[kind][-1]
    table = report.per_class
    if f not in table:
        st.info(
            "With a longest ancestor distance the hierarchy is truncated for each instance, so that nothing can be "
            "counted by class."
        )
        return
    left, right = stacking_columns("systems_classes", 2, gap="medium")
    with left:
        st.header(
            "The hierarchy, coloured by the class's F1",
            help="Click a class to zoom in. Grey without a number: neither true nor predicted of any instance.",
        )
        values, counts = table[f].astype(float).to_dict(), table[f"{source}_true"].astype(int).to_dict()
        figure, note = figures.coloured_hierarchy(report.hierarchy, values, counts, f, dark=dark())
        chart(figure, key=f"systems_icicle|{system}|{kind}", config=STILL)
        several = "" if report.hierarchy.is_tree else " A class with several parents appears below each of them."
        st.caption(f"Brick: 0, {'dark' if dark() else 'pale'}: 0.5, violet: 1.{several} {note}")
    with right:
        st.header(
            "By level",
            help=f"{markdown_text(measure_title(f))} read off the summed counts of a level's classes. Level 1 is just "
            "below the root.",
        )
        depths = report.levels.index
        rows = [Row((name, *(_three(r.levels[f][k]) for k in depths))) for name, r in evaluation.reports.items()]
        columns = (Column("System"), *(Column(f"level {k}", "number") for k in depths))
        show_panel(Table("The systems' scores by level", columns, tuple(rows), wide=True), key="systems_levels")
        st.header("By class", help="Click a heading to sort; the magnifying glass finds a class.")
        st.dataframe(_class_table(table, kind), key="systems_classes", height=300, column_config=CLASS_COLUMNS)


CLASS_COLUMNS = {
    "_index": st.column_config.Column("Class", width=150),
    "level": st.column_config.NumberColumn(width=50, help="The longest way from the root, in edges."),
    "true": st.column_config.NumberColumn(width=56, help="Instances that have the class."),
    "predicted": st.column_config.NumberColumn(width=74, help="Instances for which the system predicts it."),
    "both": st.column_config.NumberColumn(width=56, help="Instances for which both hold."),
    "precision": st.column_config.NumberColumn(width=74, format="%.3f", help="both / predicted"),
    "recall": st.column_config.NumberColumn(width=60, format="%.3f", help="both / true"),
    "F1": st.column_config.NumberColumn(
        width=56, format="%.3f", help="The harmonic mean of the class's precision and recall."
    ),
}


def _class_table(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    source, *measures = CLASS_SOURCES[kind]
    columns = ["level", *(f"{source}_{count}" for count in ("true", "predicted", "shared")), *measures]
    named = table[columns].set_axis(list(CLASS_COLUMNS)[1:], axis=1)
    occurring = named[(named["true"] > 0) | (named["predicted"] > 0)]
    return occurring.sort_values(["F1", "true"], ascending=[True, False])
