"""The view "Mistakes" of the page Compare: the kinds of mistakes, and their places in the
hierarchy.

Each bar is a filter. A click on it leaves only its instances in every view.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from hiermeasures.app.components import show_panel
from hiermeasures.app.systems import filters, instances
from hiermeasures.app.systems.classes import make_table
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.filter_rules import HasMistake
from hiermeasures.app.systems.form import SYSTEMS, choice, choose_system
from hiermeasures.draw.panel import Column, PanelTable, Row, ShareBar
from hiermeasures.draw.text import round_count
from hiermeasures.evaluation import Report
from hiermeasures.evaluation.destinations import Destination, find_destinations
from hiermeasures.evaluation.outside import base_of
from hiermeasures.evaluation.plots import shorten
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures.mistakes import KINDS, RULE
from hiermeasures.read import csv_text

By = Literal["level", "subtree"]
ABOUT = {
    "right": "The label is predicted.",
    "extra": "A predicted label without a true partner.",
    "missed": "A true label without a predicted partner.",
    "too general": "A class above the true one is predicted.",
    "too specific": "A class below the true one is predicted.",
    "sibling": "A class with the same parent is predicted. The parent is not the root.",
    "cousin": "Both classes meet in a class below the root.",
    "other top class": "Both classes meet only in the root.",
    "unknown": "The predicted label is not a class of the hierarchy.",
    "no answer": "The system predicts nothing.",
}
TITLES: Mapping[By, str] = {"level": "By level", "subtree": "By top class"}
KEYS: Mapping[By, str] = {
    "level": "systems_levels_of_mistakes",
    "subtree": "systems_tops_of_mistakes",
}
HELP: Mapping[By, str] = {
    "level": "The level of the true label or of an extra label: the longest path from the root.",
    "subtree": "The top class of the true label or of an extra label. A label below k top classes "
    "counts 1/k in each.",
}
RELATION_WORDS = {
    "right": "right",
    "inside": "wrong, but still in this class",
    "above": "too general",
    "outside": "in another branch",
    "unknown": "not a class",
    "nothing": "no label predicted for it",
}


def show_mistakes(evaluation: Evaluation) -> None:
    """Draw the kinds of mistakes of all systems, and those of one system in detail."""
    st.header("Which mistakes?", help=RULE)
    st.caption("Click a bar to see only its instances, here and in the other views.")
    _show_kinds(evaluation)
    names = list(evaluation.reports)
    system = choose_system(names, width=instances.width_of(names))
    report = evaluation.reports[system]
    _show_groups(system, report, "level")
    _show_groups(system, report, "subtree")
    _show_destinations(system, report)


def files(evaluation: Evaluation) -> dict[str, tuple[str, Callable[[], str]]]:
    """Return the files of the view."""
    reports = evaluation.reports
    return {
        "mistakes.csv": ("Mistakes as CSV", lambda: mistakes_csv(reports)),
        "mistakes-by-level.csv": ("Mistakes by level", lambda: mistakes_csv(reports, "level")),
        "mistakes-by-class.csv": ("… by top class", lambda: mistakes_csv(reports, "subtree")),
    }


def mistakes_csv(reports: Mapping[str, Report], by: By | None = None) -> str:
    """Return the kinds of mistakes as CSV, with a row per system and kind, or per system and
    group.
    """
    rows, head = [], ["system", by or "kind"]
    for system, report in reports.items():
        table = report.mistakes(by)
        table = table if by is None else table.T
        rows += [[system, *row] for row in table.itertuples()]
        columns = list(table.columns)
    return csv_text([*head, *columns], rows)


def _show_kinds(evaluation: Evaluation) -> None:
    tables = {name: report.mistakes() for name, report in evaluation.reports.items()}
    longest = max(table["share"].max() for table in tables.values())
    actions: dict[str, HasMistake] = {}
    rows = []
    for kind in KINDS:
        cells = []
        for k, (name, table) in enumerate(tables.items()):
            count, share, there = table.loc[kind, ["count", "share", "instances"]]
            rule = HasMistake(name, kind)
            says = f"{rule.words}, {write_count(int(there), 'instance')}"
            cells.append(_bar(kind, count, share, longest, key=f"{k}|{kind}", says=says))
            actions[f"{k}|{kind}"] = rule
        if any(cell.text for cell in cells):
            rows.append(Row((kind, *cells)))
    columns = [Column("kind"), *(Column(shorten(name, 20), "bars", name) for name in tables)]
    _show_bars("The kinds of mistakes of each system", columns, rows, actions, "systems_kinds")
    kinds = ", ".join(row.cells[0] for row in rows if isinstance(row.cells[0], str))
    with st.expander(f"What the kinds mean: {kinds}"):
        st.markdown("\n".join(f"- **{kind}**: {ABOUT[kind]}" for kind in KINDS))


def _bar(kind: str, count: float, share: float, longest: float, *, key: str, says: str) -> ShareBar:
    if not count:
        return ShareBar("", 0)
    text = f"{round_count(count)} · {share:.1%}"
    good = kind == "right"
    return ShareBar(text, share / longest, good=good, key=key, says=f"{text}, {says}")


def _show_bars(
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Row],
    actions: Mapping[str, HasMistake],
    key: str,
) -> None:
    """Draw a table of bars. A chosen bar adds its filter."""
    show_panel(
        PanelTable(caption, tuple(columns), tuple(rows), wide=True),
        key=key,
        on_choose=lambda bar, _: _choose_bar(actions[bar]),
    )


def _choose_bar(rule: HasMistake) -> None:
    """Add the filter of a bar. The views of one system show this system."""
    SYSTEMS.change(system=rule.system)
    filters.add_filter(rule)


def _show_groups(system: str, report: Report, by: By) -> None:
    """Draw the kinds of a system's mistakes by level or by top class."""
    st.header(TITLES[by], help=HELP[by])
    h, table = base_of(report.hierarchy), report.mistakes(by)
    if by == "subtree":
        table = table[(table.loc["right"] - table.sum()).sort_values(kind="stable").index]
    kinds = [kind for kind in KINDS if table.loc[kind].any()]
    totals, actions = table.sum(), dict[str, HasMistake]()
    longest = float((table / totals).max().max()) if kinds else 1.0
    rows = []
    for place, group in enumerate(table.columns):
        cells = []
        for kind in kinds:
            count, key = float(table.at[kind, group]), f"{place}|{kind}"
            rule = HasMistake(system, kind, by, group)
            cells.append(
                _bar(kind, count, count / totals[group], longest, key=key, says=rule.words)
            )
            actions[key] = rule
        name = _name_class(h, group) if by == "subtree" else str(group)
        rows.append(Row((name, round_count(totals[group]), *cells)))
    columns = [Column("level" if by == "level" else "top class"), Column("labels", "number")]
    columns += [Column(kind, "bars", ABOUT[kind]) for kind in kinds]
    _show_bars(f"Mistakes {TITLES[by].lower()}, {system}", columns, rows, actions, KEYS[by])


# --- where the labels of a class went -------------------------------------------------------------


def _show_destinations(system: str, report: Report) -> None:
    """Draw the destinations of the true labels of a chosen class as bars."""
    st.header(
        "Where did the labels of a class go?",
        help="The true labels at or below a class, by the predicted labels that they are paired "
        "with. A label in several branches is shared equally among them.",
    )
    h = base_of(report.hierarchy)
    inner = [label for label in h.nodes if h.children(label) and label != h.root]
    if not inner:
        st.caption(
            "This drawing needs a class between the root and the leaves. Your hierarchy "
            "has only leaves below the root."
        )
        return
    worst, name = _find_worst(report, inner), partial(_name_class, h)
    label = choice("Class", inner, "mistakes.label", worst, format_func=name, width=420)
    found = find_destinations(report.paired, label)
    total = sum(to.count for to in found)
    if not found:
        st.caption("No instance has a true label at or below this class.")
        return
    longest = found[0].count
    rows = [
        _make_row(k, to, name(to.branch or label), total, longest) for k, to in enumerate(found)
    ]
    columns = (Column("predicted"), Column("what"), Column("labels", "bars"))
    show_panel(
        PanelTable(f"Where the labels of {label} went", columns, tuple(rows), wide=True),
        key="systems_destinations",
        on_choose=lambda bar, _: _filter_destination(system, label, found[int(bar)]),
    )


def _find_worst(report: Report, inner: Sequence[str]) -> str:
    """Return the class between root and leaves with the most wrong instances."""
    table = make_table(report, "hF")
    there = table[table.index.isin(inner)]
    return str((there["support"] - there["right"]).idxmax()) if len(there) else inner[0]


def _make_row(k: int, to: Destination, branch: str, total: float, longest: float) -> Row:
    """Return a destination as a row. `branch` names its classes."""
    share = to.count / total
    text = f"{round_count(to.count)} · {share:.1%}"
    says = f"{text}, {branch}, {RELATION_WORDS[to.relation]}"
    bar = ShareBar(text, to.count / longest, to.relation == "right", str(k), says)
    name = "the true label" if to.relation == "right" else branch if to.branch else "–"
    return Row((name, RELATION_WORDS[to.relation], bar))


def _name_class(h: Hierarchy, label: str) -> str:
    """Return a class with its title, if it has one."""
    return instances.in_words(h, frozenset({label})) if label in h else label


def _filter_destination(system: str, label: str, to: Destination) -> None:
    where = f" ({to.branch})" if to.branch else ""
    words = f"{system}: {label} → {RELATION_WORDS[to.relation]}{where}"
    filters.filter_instances(words, to.instances)
