"""The view "Confusion": the classes that a system confuses, along the hierarchy.

A matrix has true classes as rows and predicted classes as columns. You can open a class on both
axes. A cell lists its instances, which open in the Explorer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.app.binding import bind, button, setting
from hiermeasures.app.components import component
from hiermeasures.app.inbox import hear
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.filters import filter_instances
from hiermeasures.app.systems.form import SYSTEMS, MatrixForm, choice, choose_system
from hiermeasures.app.systems.instances import NONE, listed
from hiermeasures.draw.matrix import MatrixPicture, svg
from hiermeasures.draw.text import decimals, escaped, sentence
from hiermeasures.evaluation import Report
from hiermeasures.evaluation.confusion_matrix import Axis, AxisEntry, Matrix, axis, expand_to
from hiermeasures.evaluation.confusion_picture import ConfusionPicture, key_of, sum_small
from hiermeasures.evaluation.outside import base_of
from hiermeasures.explore import controls
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures.own import find_measure, spoken
from hiermeasures.read import csv_text

KEY = "systems_matrix"
WHOLE, BY_HAND = "the whole hierarchy", 0
VALUES = {"count": "counts", "true": "% of row", "predicted": "% of column"}
WIDTH = 200
SCALE = 2.0  # of the picture that is downloaded
HOW_TO = (
    "https://hiermeasures.github.io/hiermeasures/how-to/where-it-goes-wrong.html"
    "#how-labels-are-paired"
)


def show_confusion(evaluation: Evaluation) -> None:
    """Draw the confusion matrix of a system or of a difference of two systems, and a cell's
    instances.
    """
    h = base_of(evaluation.hierarchy)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        _choose_systems(evaluation)
        _choose_part(h)
    reports = find_chosen(evaluation)
    try:
        matrix, cell = _count(reports, h), SYSTEMS.value.matrix.cell
    except InputError as fault:
        st.error(escaped(sentence(fault)))
        return
    picture = ConfusionPicture(sum_small(matrix), tuple(reports), SYSTEMS.value.matrix.values)
    address = hear(KEY, partial(_take, picture, h))
    drawn = picture.draw()
    data = {**drawn.as_data(), "chosen": cell, "address": address}
    component("matrix")(key=KEY, data=data)
    _save(drawn, matrix, [each.words for each in evaluation.filters])
    place = picture.find_place(*cell) if cell else None
    if place is not None:
        found = picture.matrix.instances(*place)
        _instances(reports, evaluation.measures[:2], found, picture.describe(*place))


def _choose_systems(evaluation: Evaluation) -> None:
    """Draw the fields for the systems and the numbers."""
    names = list(evaluation.reports)
    system = choose_system(names, width=WIDTH)
    if names[1:]:
        others = [NONE, *(name for name in names if name != system)]
        choice("Minus", others, "matrix.minus", width=WIDTH)
    setting(st.segmented_control, "systems_matrix_values", SYSTEMS, "matrix.values")(
        "Numbers", list(VALUES), required=True, format_func=VALUES.__getitem__
    )


def find_chosen(evaluation: Evaluation) -> dict[str, Report]:
    """Return the chosen system, and the subtracted system or None."""
    names, at = list(evaluation.reports), SYSTEMS.value
    system = at.system if at.system in names else names[0]
    chosen = [system, *(name for name in names if name == at.matrix.minus != system)]
    return {name: evaluation.reports[name] for name in chosen}


def _choose_part(h: Hierarchy) -> None:
    """Draw the fields for the part of the hierarchy and the level."""
    inner = {label: h.caption(label)[1] for label in sorted(h.nodes[1:]) if h.children(label)}
    choice(
        "Show",
        ["", *inner],
        "matrix.below",
        format_func=lambda label: (
            f"{label} ({inner[label]})" if inner.get(label) else label or WHOLE
        ),
        width=WIDTH,
        help="The part below one class. Everything else is “elsewhere”.",
    )
    at = _at(h)
    levels = _levels(h, at.below)
    offered = [*levels, *([BY_HAND] if at.level == BY_HAND else [])]
    # A field with other options is another field.
    name = f"{KEY}_level_{offered[0]}_to_{offered[-1]}"
    bind(st.segmented_control, name, at.level, _open_level)(
        "Level",
        offered,
        required=True,
        format_func=lambda level: _level_words(level, at.below),
        help="You can also click a class in the matrix to open it.",
    )
    bind(st.toggle, "systems_matrix_same", at.same, partial(_open_same, h))(
        "Same on both axes", help="If you open a class in the rows, it also opens in the columns."
    )


def _levels(h: Hierarchy, below: str) -> list[int]:
    """Return the levels that can be shown below a class, or of the whole hierarchy."""
    top = h.level(below) if below else 0
    part = h.descendants(below) if below else h.nodes
    return list(range(top + 1, max(map(h.level, part)) + 1)) or [1]


def _level_words(level: int, below: str) -> str:
    if level == BY_HAND:
        return "by hand"
    return "top classes" if level == 1 and not below else str(level)


def _at(h: Hierarchy) -> MatrixForm:
    """Return the form, adapted to the hierarchy, which may have changed since."""
    at = SYSTEMS.value.matrix
    below = at.below if at.below in h and h.children(at.below) else ""
    levels = _levels(h, below)
    level = at.level if at.level == BY_HAND else min(max(at.level, levels[0]), levels[-1])
    rows, columns = (frozenset(c for c in opened if c in h) for opened in (at.rows, at.columns))
    return replace(at, below=below, level=level, rows=rows, columns=columns)


def _opened(h: Hierarchy) -> tuple[frozenset[str], frozenset[str]]:
    """Return the classes that are open in the rows and in the columns."""
    at = _at(h)
    if at.level == BY_HAND:
        return at.rows, at.columns
    opened = expand_to(h, at.level, at.below or None)
    return opened, opened


def _count(reports: Mapping[str, Report], h: Hierarchy) -> Matrix:
    below = _at(h).below or None
    labels = frozenset().union(*(report.paired.labels for report in reports.values()))
    rows, columns = (axis(h, opened, below=below, labels=labels) for opened in _opened(h))
    first, *rest = (Matrix.count(report.paired, rows, columns) for report in reports.values())
    return first - rest[0] if rest else first


# --- gestures -------------------------------------------------------------------------------------


def _change(**parts: Any) -> None:
    SYSTEMS.change(matrix=replace(SYSTEMS.value.matrix, **parts))


def _open_level(level: int) -> None:
    _change(level=level)


def _open_same(h: Hierarchy, same: bool) -> None:
    rows, columns = _opened(h)
    if same and rows != columns:
        _change(same=same, columns=rows)
    else:
        _change(same=same)


def _take(picture: ConfusionPicture, h: Hierarchy, value: Mapping[str, Any]) -> None:
    """Apply a gesture in the matrix: open or close a class, or choose a cell."""
    if value.get("kind") == "choose":
        cell = str(value.get("row") or ""), str(value.get("column") or "")
        if picture.find_place(*cell) is not None:
            _change(cell=cell)
        return
    side = "columns" if value.get("axis") == "columns" else "rows"
    entries: Axis = getattr(picture.matrix, side)
    entry = next((e for e in entries if key_of(e) == value.get("key")), None)
    if entry is None or not entry.expandable:
        return
    opened = dict(zip(("rows", "columns"), _opened(h), strict=True))
    opened[side] = opened[side] ^ {entry.label}
    if SYSTEMS.value.matrix.same:
        opened = dict.fromkeys(opened, opened[side])
    _change(level=BY_HAND, **opened)


# --- files and instances --------------------------------------------------------------------------


def _save(drawn: MatrixPicture, matrix: Matrix, filters: Sequence[str]) -> None:
    """Draw the link to the rule of pairing, and the menu that saves the matrix.

    The pictures list the filters, and file names show that filters were used.
    """
    name = "filtered-confusion" if filters else "confusion"
    noted = (
        (*drawn.notes, f"Only instances with: {'; '.join(filters)}.") if filters else drawn.notes
    )
    image = svg(replace(drawn, notes=noted), ground="paper", scale=SCALE)
    size = image.width, image.height
    png = controls.picture(f"{KEY}_png", "Picture as PNG", f"{name}.png", image.data_uri, size)
    data = {"address": hear(f"{KEY}_png", lambda value: None), "controls": [png.as_data({})]}
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.caption(f"[How labels are paired]({HOW_TO})", width="content")
        with st.popover("Save", icon=":material/download:", type="tertiary", width="content"):
            component("form")(key=f"{KEY}_png", data=data)
            look: dict[str, Any] = {"on_click": "ignore", "width": "stretch"}
            st.download_button("Picture as SVG", image.svg, f"{name}.svg", key=f"{KEY}_svg", **look)
            st.download_button(
                "Data as CSV", lambda: matrix_csv(matrix), f"{name}.csv", key=f"{KEY}_csv", **look
            )


def matrix_csv(matrix: Matrix) -> str:
    """Return a matrix as CSV, without open classes, empty rows and columns, and formulas."""
    parts = matrix.of or (matrix,)
    sides = (
        (matrix.rows, np.sum([part.row_totals for part in parts], axis=0)),
        (matrix.columns, np.sum([part.column_totals for part in parts], axis=0)),
    )
    rows, columns = ([k for k in one.shown if totals[k] > 0] for one, totals in sides)
    lines = [
        [_path(matrix.rows.entries[k]), *cells, total]
        for k, cells, total in zip(
            rows,
            matrix.sparse_counts[rows][:, columns].toarray().tolist(),
            matrix.row_totals[rows].tolist(),
            strict=True,
        )
    ]
    heads = (_path(matrix.columns.entries[k]) for k in columns)
    last = ["total", *matrix.column_totals[columns].tolist(), matrix.total]
    return csv_text(["true", *heads, "total"], [*lines, last])


def _path(entry: AxisEntry) -> str:
    above = entry.path[:-1] if entry.kind == "itself" else entry.path
    return " > ".join((*above, entry.name))


def _instances(
    reports: Mapping[str, Report], measures: tuple[str, ...], places: np.ndarray, words: str
) -> None:
    """Draw the list of a cell's instances."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.header(escaped(f"{write_count(len(places), 'instance')}: {words}"), width="content")
        if len(places):
            button(
                "Filter",
                key=f"{KEY}_filter",
                action=lambda: filter_instances(words, places),
                help="Show only these instances in all views",
                icon=":material/filter_alt:",
            )
    if not len(places):
        return
    table, columns = _values(reports, measures, places)
    by = ", compared with the second system," if len(reports) > 1 else ""
    st.caption(escaped(f"Worst by {spoken(measures[0])}{by} first."))
    listed("instance", words, reports, table, columns, measures).draw()


def _values(
    reports: Mapping[str, Report], measures: tuple[str, ...], places: np.ndarray
) -> tuple[pd.DataFrame, dict[str, Callable[[Any], str]]]:
    """Return the instances, the worst first, and the columns with their values.

    With two systems, each has a value, and the instances are ordered by the difference.
    """
    first, *rest = reports.values()
    sources = [(first, measures[0])] + [(other, measures[0]) for other in rest]
    if not rest:
        sources = [(first, key) for key in measures]
    index = first.per_instance.index[places]
    table = pd.DataFrame({"number": places}, index=index)
    columns: dict[str, Callable[[Any], str]] = {}
    for k, (report, key) in enumerate(sources):
        table[f"value_{k}"] = report.per_instance[key].to_numpy()[places]
        columns[spoken(key) + "_2" * (report is not first)] = partial(_cell, f"value_{k}")
    values = table["value_0"] - (table["value_1"] if rest else 0)
    if find_measure(measures[0]).better == "lower":
        values = -values
    order = np.argsort(values.to_numpy(), kind="stable")
    return table.iloc[order], columns


def _cell(name: str, row: Any) -> str:
    return decimals(getattr(row, name))
