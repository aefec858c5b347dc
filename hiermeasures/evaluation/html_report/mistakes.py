"""Mistakes on the HTML page: their kinds, and the scores by class and by subtree."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hiermeasures.draw.text import as_text
from hiermeasures.evaluation.html_report.page import PageCell, PagePart, PageTable
from hiermeasures.evaluation.html_report.wording import name_class, write_number
from hiermeasures.evaluation.mistakes import By
from hiermeasures.evaluation.outside import base_of
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.mistakes import RULE

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation import Report

MOST_CLASSES, MOST_GROUPS = 100, 30
GROUPS: Mapping[By, str] = {
    "level": "By level of the true class",
    "subtree": "By top class of the true class",
}


def describe_kinds(reports: Mapping[str, "Report"]) -> PagePart:
    """Return tables of the kinds of mistakes: by system, and per system by level and top class."""
    tables = {name: report.mistakes() for name, report in reports.items()}
    rows = [
        [PageCell(kind), *(_count_cell(tables[name].loc[kind]) for name in reports)]
        for kind in next(iter(tables.values())).index
        if any(table.at[kind, "count"] for table in tables.values())
    ]
    parts = []
    for name, report in reports.items():
        h, groups = base_of(report.hierarchy), []
        for by, title in GROUPS.items():
            frame = report.mistakes(by=by)
            most = f"The {MOST_GROUPS} largest of {frame.shape[1]:,} groups."
            notes = [most] if frame.shape[1] > MOST_GROUPS else []
            groups.append(PagePart(title, notes, [_table(frame, h)]))
        parts += groups if len(reports) == 1 else [PagePart(str(name), parts=groups)]
    head = ["kind", *(str(name) or "number" for name in reports)]
    return PagePart("Which mistakes?", [RULE], [PageTable(head, rows)], parts=parts, open=True)


def _count_cell(row: Any) -> PageCell:
    share = float(row["share"])
    return PageCell(f"{write_number(row['count'])} ({share:.1%})", share=share)


def _table(frame: "pd.DataFrame", h: Hierarchy) -> PageTable:
    """Return kinds × groups: the kinds that occur, and the largest groups in their order."""
    frame = frame[frame.any(axis=1)]
    largest = np.argsort(-frame.sum().to_numpy(), kind="stable")[:MOST_GROUPS]
    frame = frame.iloc[:, np.sort(largest)]
    by = str(frame.columns.name)
    names = (name_class(h, name) if by == "subtree" else f"{by} {name}" for name in frame.columns)
    rows = [
        [PageCell(str(kind)), *(PageCell(write_number(n)) for n in numbers)]
        for kind, numbers in zip(frame.index, frame.to_numpy().tolist(), strict=True)
    ]
    return PageTable(["kind", *names], rows)


def describe_classes(reports: Mapping[str, "Report"]) -> Iterable[PagePart]:
    """Yield the scores by class and by subtree."""
    yield _describe_scores(
        reports, "By class", lambda r: r.by_class(), "Labels without their ancestors."
    )
    about = "Each class with everything below it."
    yield _describe_scores(reports, "By subtree", lambda r: r.by_subtree(), about)


def _describe_scores(
    reports: Mapping[str, "Report"],
    title: str,
    scores: Callable[["Report"], "pd.DataFrame"],
    what: str,
) -> PagePart:
    """Return the scores of the classes with most instances.

    One system has all columns. Several systems have their F1.
    """
    from hiermeasures.evaluation.needs_pandas import pd

    frames = {name: scores(report) for name, report in reports.items()}
    first = next(iter(frames.values()))
    if len(frames) == 1:
        table = first
    else:
        support = pd.concat([frame["support"] for frame in frames.values()], axis=1).max(axis=1)
        table = pd.DataFrame({"support": support})
        table = table.join(pd.DataFrame({name: frame["f1"] for name, frame in frames.items()}))
    table = table.sort_values("support", ascending=False, kind="stable")
    more = len(table) - MOST_CLASSES
    notes = [what if len(frames) == 1 else f"The F1 of each system. {what}"]
    if more > 0:
        notes.append(f"The {MOST_CLASSES} classes with most instances. {more:,} are left out.")
    h = base_of(next(iter(reports.values())).hierarchy)
    whole = {"level", "support", "predicted", "right"}
    rows = [
        [
            PageCell(name_class(h, str(label))),
            *(
                PageCell(write_number(value) if column in whole else as_text(float(value)))
                for column, value in zip(table.columns, values, strict=True)
            ),
        ]
        for label, values in zip(
            table.index[:MOST_CLASSES], table.iloc[:MOST_CLASSES].to_numpy().tolist(), strict=True
        )
    ]
    head = ["class", *(str(c).replace("mean_", "mean ") for c in table.columns)]
    return PagePart(title, notes, [PageTable(head, rows)])
