"""The Systems page's views: the ranking, the measures against each other, the instances, the classes. They only draw.

What is drawn comes from a Comparison, a Report or hiermeasures.compare.disagreement.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.batch import Report
from hiermeasures.compare import Comparison
from hiermeasures.compare.disagreement import disagreement
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io import csv_text
from hiermeasures.measures import Measure
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.own import called
from hiermeasures.ui.binding import bind, changing
from hiermeasures.ui.chart import chart, dark
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.explore.model import Series, open_shown
from hiermeasures.ui.linked_table import Column, Row, Table, Text
from hiermeasures.ui.pages import switch_to
from hiermeasures.ui.panel import show_panel
from hiermeasures.ui.state import Shown
from hiermeasures.ui.systems import figures
from hiermeasures.ui.systems.data import Evaluation
from hiermeasures.ui.systems.model import SYSTEMS, change, model
from hiermeasures.ui.text import escaped, markdown_text

PREDICTIONS, CONSISTENCY = "classes each", "consistent"
ROWS = 8
STANDINGS = "difference of standings"
CLASS_KINDS = {"hF": "with their ancestors (hF)", "f1": "as labelled (f1)"}
CLASS_SOURCES = {"hF": ("augmented", "hP", "hR", "hF"), "f1": ("flat", "precision", "recall", "f1")}
CHART = {"displaylogo": False, "modeBarButtonsToRemove": ["zoomIn2d", "zoomOut2d", "autoScale2d", "zoom2d"]}
STILL = {"displayModeBar": False}


def _choice(label: str, offered: list[str], name: str, otherwise: str | None = None, **settings: Any) -> str:
    """A select box for a choice in the model; one that is not offered gives way to `otherwise`, or else the first."""
    chosen: str = getattr(model(), name)
    value = chosen if chosen in offered else otherwise or offered[0]
    bind(st.selectbox, f"systems_{name}", value, changing(SYSTEMS, name))(label, offered, **settings)
    return value


# --- the ranking --------------------------------------------------------------------------------------------------


def ranking(comparison: Comparison, measures: Sequence[str], average: str) -> None:
    """Scores with their ranks, how ties came about, and which of the chosen measures have no such average."""
    keys, systems = list(comparison.scores.columns), list(comparison.scores.index)
    rows = [
        Row(
            (
                str(system),
                *(_ranked(comparison.scores.at[system, key], comparison.ranks.at[system, key]) for key in keys),
                f"{comparison.predictions[system]:.2f}",
                f"{comparison.consistency[system]:.1%}",
            )
        )
        for system in systems
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
    absent = [key for key in measures if key not in comparison.scores.columns]
    if absent:
        st.caption(
            f"Without an average over {average}, and therefore not in the table: {markdown_text(', '.join(absent))}."
        )


def scores_of_one(report: Report, measures: Sequence[str]) -> None:
    """The scores of a single system, which has nothing to be ranked against."""
    columns = _columns(measures)[: 1 + len(measures)]
    row = Row(("score", *(_three(report[key]) for key in measures)))
    show_panel(Table("The scores of the system", columns, (row,), wide=True), key="systems_ranking")
    st.caption("One system has no ranks; add another one's file to compare them.")


def _ranked(score: float, rank: int) -> Text:
    return Text(f"{_three(score)} ({rank})", strong=bool(rank == 1))


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
    return Column(f"{called(m.key)} {arrow}", "number", f"{m.name}, {m.better} is better. {m.description}")


def _three(value: float) -> str:
    return "–" if value != value else f"{value:.3f}".replace("-", "−")


def export(evaluation: Evaluation, comparison: Comparison | None) -> None:
    """The comparison, and the values of the instances, as files."""
    files: dict[str, tuple[str, Callable[[], str]]] = {}
    if comparison is not None:
        files = {
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
    """Every system's value of every measure for every instance, a row per system and instance."""
    return csv_text(
        ["system", "instance", *measures],
        (
            [name, i, *row]
            for name, rows in ((name, report.per_instance[list(measures)]) for name, report in reports.items())
            for i, row in zip(rows.index, rows.to_numpy().tolist(), strict=True)
        ),
    )


def table_csv(comparison: Comparison) -> str:
    """Scores and ranks, a row per system, with cells that no spreadsheet runs."""
    frame = comparison.to_frame()
    rows = zip(frame.index, frame.to_numpy().tolist(), strict=True)
    return csv_text(["system", *frame.columns], ([name, *row] for name, row in rows))


# --- the measures against each other ------------------------------------------------------------------------------


def measures(comparison: Comparison) -> None:
    """How far measures agree, which systems change places, and the tests behind the ranks."""
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
        key = _choice("Measure", list(comparison.p_values), "pairs", format_func=_measure, width=420)
        _pairs(comparison.p_values[key])
        st.caption(
            "The p-value of “the row's system is better than the column's”, after correction; 1 where its score is "
            "not better."
        )


def _pairs(p_values: pd.DataFrame) -> None:
    """Every system against every other; the columns have the numbers of the rows, for names may be long."""
    names = [str(name) for name in p_values.index]
    rows = []
    for k, name in enumerate(names):
        cells = ["–" if k == other else f"{p:.2g}" for other, p in enumerate(p_values.iloc[k])]
        rows.append(Row((str(k + 1), name, *cells)))
    columns = [Column("", "number"), Column("better")]
    columns += [Column(f"than {k}", "number", name) for k, name in enumerate(names, 1)]
    show_panel(Table("p-values of every pair of systems", tuple(columns), tuple(rows), wide=True), key="systems_p")


def _measure(key: str) -> str:
    return find_measure(key).title


# --- instances ----------------------------------------------------------------------------------------------------


def instances(evaluation: Evaluation) -> None:
    """Any measure against any other, instance by instance; the list beside it leads to the Explorer."""
    keys, names = list(evaluation.measures), list(evaluation.reports)
    with st.container(horizontal=True, gap="medium"):
        system = _choice("System", names, "system", width=_width(names))
        first = _choice("x axis", keys, "across", format_func=_measure, width=330)
        second = _choice("y axis", keys, "up", keys[-1], format_func=_measure, width=330)
    report = evaluation.reports[system]
    table = disagreement(report, first, second)
    found = figures.spots(table["first"].to_numpy(), table["second"].to_numpy())
    left, right = stacking_columns("systems_instances", [5, 7], gap="large")
    with left:
        event = chart(
            figures.scatter(found, first, second),
            key=f"systems_spots|{system}|{first}|{second}",
            on_select="rerun",
            selection_mode=("points", "box"),
            config=CHART,
        )
        st.caption(
            "The area of a spot says how many instances share it. Click one to list them, or several with the box "
            "tool above."
        )
    chosen = selected_spots(event)
    with right:
        _list(system, report, table if chosen is None else table[np.isin(found.of, chosen)], first, second, chosen)


def _width(names: Iterable[str]) -> int:
    """The width of a field in which the longest of these names can be read whole."""
    return max(240, min(8 * max(map(len, names)) + 80, 900))


def selected_spots(event: Any) -> list[int] | None:
    """The numbers of the spots that a person selected; None where nothing is."""
    points = (event or {}).get("selection", {}).get("points", [])
    numbers = [int(np.ravel(p["customdata"])[0]) for p in points if p.get("customdata") is not None]
    return numbers or None


def _list(system: str, report: Report, table: pd.DataFrame, first: str, second: str, chosen: list[int] | None) -> None:
    what = (
        f"{len(table):,} selected instance{'s' * (len(table) != 1)}"
        if chosen is not None
        else "Where the two measures disagree most"
    )
    st.header(what, help="Sorted by the difference of standings, not of values: measures have different ranges.")
    st.caption(
        f"Difference of standings: the share of instances that this one beats by {markdown_text(called(first))}, "
        f"minus the share that it beats by {markdown_text(called(second))} (ties count half). The two values differ "
        "otherwise."
    )
    key = f"{system}|{first}|{second}|{chosen}"
    start = first_shown(key, len(table))
    with st.container(key="systems_list", gap="small"):
        list_row(
            "**instance**",
            "**true**",
            "**predicted**",
            f"**{markdown_text(called(first))}**",
            f"**{markdown_text(called(second))}**",
            f"**{STANDINGS}**",
        )
        for k, row in enumerate(table.iloc[start : start + ROWS].itertuples(), start):
            if _instance(report, row):
                open_instance(system, report, table, k, first, second)
    turn_pages(key, start, len(table))


def first_shown(key: str, count: int) -> int:
    """The place of the first row that is shown of a list of so many."""
    return (min(model().pages.get(key, 1), _pages(count)) - 1) * ROWS


def _pages(count: int) -> int:
    return max(1, -(-count // ROWS))


def turn_pages(key: str, start: int, count: int) -> None:
    """Which rows of a list are shown, and the ways to those before and after."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "",
            icon=":material/chevron_left:",
            key="systems_back",
            type="tertiary",
            disabled=start == 0,
            help="Before these",
            on_click=_turn,
            args=(key, -1, _pages(count)),
        )
        st.caption(f"{start + 1:,}–{min(start + ROWS, count):,} of {count:,}" if count else "none", width="content")
        st.button(
            "",
            icon=":material/chevron_right:",
            key="systems_on",
            type="tertiary",
            disabled=start + ROWS >= count,
            help="After these",
            on_click=_turn,
            args=(key, 1, _pages(count)),
        )


def _turn(key: str, by: int, pages: int) -> None:
    at = model().pages
    change(pages={**at, key: max(1, min(at.get(key, 1) + by, pages))})


def list_row(*cells: str | None) -> list[Any]:
    """One row of a list: a name, two sides, three numbers. A cell that is None is filled by who asks."""
    columns = st.columns([2.2, 3.8, 3.8, 1.2, 1.2, 1.6], gap="small", vertical_alignment="center")
    for column, cell in zip(columns, cells, strict=False):
        if cell is not None:
            column.markdown(cell)
    return columns


def _instance(report: Report, row: Any) -> bool:
    """One row of the list; whether it is to be opened."""
    sides = [
        report.kept.true.classes(report.hierarchy, row.number),
        report.kept.predicted.classes(report.hierarchy, row.number),
    ]
    words = [classes_in_words(report.hierarchy, side) for side in sides]
    standings = f"{_two(row.first_standing)} − {_two(row.second_standing)}"
    difference = f"{row.difference:+.2f}".replace("-", "−") + f"  \n:small[{standings}]"
    columns = list_row(None, *words, _two(row.first), _two(row.second), difference)
    name = str(row.Index)
    pressed: bool = columns[0].button(
        escaped(name), key=f"systems_open_{row.number}", type="tertiary", help="Open this instance in the Explorer"
    )
    return pressed


def classes_in_words(h: Hierarchy, labels: frozenset[str]) -> str:
    ordered = sorted(labels, key=h.index)
    few = ", ".join(escaped(label if len(label) <= 40 else label[:39] + "…") for label in ordered[:4])
    return few + (f" and {len(ordered) - 4} more" if len(ordered) > 4 else "") if ordered else "*none*"


def _two(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def open_instance(system: str, report: Report, table: pd.DataFrame, place: int, first: str, second: str) -> None:
    """Show one instance of a list in the Explorer, the first of the two measures chosen, and the way to the next."""
    at = series(system, report, table, first, second)
    open_shown(at.make(place), measures=(first, second), series=at)
    switch_to("explore")


def series(system: str, report: Report, table: pd.DataFrame, first: str, second: str) -> Series:
    """A list of disagreements, to be gone through in the Explorer."""
    return listed("disagreement", f"{called(first)} against {called(second)}, {system}", system, report, table)


def listed(name: str, about: str, system: str, report: Report, table: pd.DataFrame) -> Series:
    """A list of instances, to be gone through in the Explorer, with the options that it was evaluated with."""
    ending = f" · {system}"

    def place(shown: Shown) -> int | None:
        instance = shown.title.removesuffix(ending)
        there = shown.title.endswith(ending) and shown.case is None and instance in titles
        return titles[instance] if there else None

    def make(place: int) -> Shown:
        number = int(table["number"].iloc[place])
        true, predicted = (labels.classes(report.hierarchy, number) for labels in (kept.true, kept.predicted))
        title = f"{kept.ids[number]}{ending}"
        return Shown.make(report.hierarchy, true, predicted, title=title, options=report.options)

    kept = report.kept
    titles = {str(instance): k for k, instance in enumerate(table.index)}
    return Series(name, about, len(table), place, make)


# --- classes ------------------------------------------------------------------------------------------------------


def classes(evaluation: Evaluation) -> None:
    """Results per level and per class of a system, and the hierarchy coloured by them."""
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium"):
        system = _choice("System", names, "system", width=_width(list(evaluation.reports)))
        kind = _choice(
            "Classes counted",
            list(CLASS_KINDS),
            "counted",
            format_func=CLASS_KINDS.__getitem__,
            width=300,
            help="As labelled: exactly the classes in the files. With their ancestors: every class also counts for the "
            "classes above it, so that upper levels have results where only leaves are labelled.",
        )
    report = evaluation.reports[system]
    source, precision, recall, f = CLASS_SOURCES[kind]
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
        figure, note = figures.coloured_hierarchy(report.hierarchy, values, counts, f, dark())
        chart(figure, key=f"systems_icicle|{system}|{kind}", config=STILL)
        several = "" if report.hierarchy.is_tree else " A class with several parents appears below each of them."
        st.caption(f"Brick: 0, {'dark' if dark() else 'pale'}: 0.5, violet: 1.{several} {note}")
    with right:
        st.header(
            "By level",
            help=f"{markdown_text(_measure(f))} read off the summed counts of a level's classes. Level 1 is just "
            "below the root.",
        )
        depths = report.levels.index
        rows = [Row((name, *(_three(r.levels[f][k]) for k in depths))) for name, r in evaluation.reports.items()]
        columns = (Column("System"), *(Column(f"level {k}", "number") for k in depths))
        show_panel(Table("The systems' scores by level", columns, tuple(rows), wide=True), key="systems_levels")
        st.header("By class", help="Click a heading to sort; the magnifying glass finds a class.")
        st.dataframe(
            _class_table(table, source, precision, recall, f),
            key="systems_classes",
            height=300,
            column_config=CLASS_COLUMNS,
        )


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


def _class_table(table: pd.DataFrame, source: str, precision: str, recall: str, f: str) -> pd.DataFrame:
    names = {
        "level": "level",
        f"{source}_true": "true",
        f"{source}_predicted": "predicted",
        f"{source}_shared": "both",
        precision: "precision",
        recall: "recall",
        f: "F1",
    }
    occurring = table[(table[f"{source}_true"] > 0) | (table[f"{source}_predicted"] > 0)]
    return occurring[list(names)].rename(columns=names).sort_values(["F1", "true"], ascending=[True, False])
