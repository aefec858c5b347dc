"""The view "Why": the difference of two systems by two measures, split into parts.

A part leads to its instances. hiermeasures.evaluation.compare.why splits the difference.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.app.binding import bind, button, changing, setting
from hiermeasures.app.components import show_panel, show_text, stacking_columns
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.filters import filter_instances
from hiermeasures.app.systems.form import SYSTEMS, WhyForm, choice, choose_system
from hiermeasures.app.systems.instances import listed, measure_title, shorten, width_of
from hiermeasures.app.systems.mistakes import ABOUT as MEANINGS
from hiermeasures.draw.panel import Column, PanelTable, Row, Text
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.text import escaped, sentence
from hiermeasures.evaluation.averages import basis_of
from hiermeasures.evaluation.compare import Comparison
from hiermeasures.evaluation.compare.why import TITLES, DifferenceSplit
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.words import capitalize, write_count
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import called, spoken
from hiermeasures.read import csv_text

FEW = 12  # parts in a table, unless all are asked for
PREFERRED = ("accuracy", "hF")
EXPLAINING = "why the measures disagree"
UNORDERED = WhyForm().order
HEADS = {"kinds": "Mistakes", "levels": "Levels", "subtrees": "Top classes"}
ABOUT = {
    "kinds": "If a system makes several mistakes on an instance, only the gravest one counts.",
    "levels": "The level of the most specific true labels. An instance with labels on several "
    "levels gives each an equal share.",
    "subtrees": "The top class above the true labels. An instance with several top classes gives "
    "each an equal share.",
}


def why(evaluation: Evaluation) -> None:
    """Draw the view: a sentence, the parts, and the instances of a part."""
    try:
        asked = _asked(evaluation)
        _choices(evaluation, asked)
        split = _split(evaluation, asked)
    except InputError as fault:
        show_text(sentence(fault), "error", key="systems_why_fault")
        return
    show_text(split.sentence, key="systems_why_sentence")
    for note in split.notes:
        st.caption(escaped(note))
    _tables(split)
    _instances(split)


def files(evaluation: Evaluation) -> Mapping[str, tuple[str, Callable[[], str]]]:
    """Return the file of the parts for the menu Export, if there are parts."""
    split = find_split(evaluation)
    if split is None:
        return {}
    return {"why.csv": ("Parts of the difference as CSV", partial(parts_csv, split))}


def find_split(evaluation: Evaluation) -> DifferenceSplit | None:
    """Return the split of the chosen systems and measures, or None if it is not possible."""
    try:
        return _split(evaluation, _asked(evaluation))
    except InputError:
        return None


def parts_csv(split: DifferenceSplit) -> str:
    """Return the three tables as CSV, with a row per part."""
    head = ["table", "part", "part of the second system", "instances"]
    rows: list[list[Any]] = []
    for by in TITLES:
        table: pd.DataFrame = getattr(split, by)
        for key, numbers in zip(table.index, table.to_numpy().tolist(), strict=True):
            parts = key if by == "kinds" else (key, "")
            rows.append([by, *map(str, parts), int(numbers[0]), *numbers[1:]])
    return csv_text([*head, *(called(m.key) for m in split.measures)], rows)


# --- what is compared -----------------------------------------------------------------------------


def _asked(evaluation: Evaluation) -> WhyForm:
    """Return the entries of the model, with default values for missing or outdated ones."""
    at, names = SYSTEMS.value.why, list(evaluation.reports)
    comparison = evaluation.comparison
    assert comparison is not None
    keys = _means(comparison)
    if len(keys) < 2:
        raise InputError("choose two measures that are means over instances, such as accuracy, hF")
    preset = list(dict.fromkeys([key for key in PREFERRED if key in keys] + keys))
    first = at.first if at.first in keys else preset[0]
    rest = [key for key in preset if key != first]
    second = at.second if at.second in rest else rest[0]
    best, other = _preferred_systems(comparison, preset[:2])
    system = at.system if at.system in names else best
    others = [name for name in (at.other, other, best) if name in names and name != system]
    return replace(at, system=system, other=others[0], first=first, second=second)


def _choices(evaluation: Evaluation, asked: WhyForm) -> None:
    """Draw the fields for two systems and two measures."""
    names = list(evaluation.reports)
    assert evaluation.comparison is not None
    keys = _means(evaluation.comparison)
    look: dict[str, Any] = {"width": 230, "format_func": measure_title}
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        choose_system(names, asked.system, width=300)
        others = [name for name in names if name != asked.system]
        choice("compared with", others, "why.other", asked.other, width=300)
        choice("Measure", keys, "why.first", asked.first, **look)
        rest = [key for key in keys if key != asked.first]
        choice("and", rest, "why.second", asked.second, **look)


def _split(evaluation: Evaluation, asked: WhyForm) -> DifferenceSplit:
    assert evaluation.comparison is not None
    return evaluation.comparison.why(asked.first, asked.second, asked.system, asked.other)


def _means(comparison: Comparison) -> list[str]:
    """Return the measures that can be means over instances."""
    keys = list(comparison.scores.columns)
    return [key for key in keys if basis_of(comparison.measure(key), "samples") == "instances"]


def _preferred_systems(comparison: Comparison, measures: list[str]) -> tuple[str, str]:
    """Return the best system by each of two measures, or the best two if the measures agree."""
    orders = []
    for key in measures:
        rising = comparison.measure(key).better == "lower"
        ordered = comparison.scores[key].sort_values(ascending=rising, kind="stable")
        orders.append([str(name) for name in ordered.index])
    best = orders[1][0]
    other = orders[0][0] if orders[0][0] != best else orders[1][1]
    return best, other


# --- parts ----------------------------------------------------------------------------------------


def _tables(split: DifferenceSplit) -> None:
    """Draw the three tables of parts, and the choice of their order."""
    a, b = split.systems
    orders = _orders(split)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        bind(st.selectbox, "systems_why.order", _order(split), changing(SYSTEMS, "why.order"))(
            "Order of parts and instances",
            list(orders),
            format_func=orders.__getitem__,
            width=width_of(orders.values()),
        )
        if max(len(parts.keys) for parts in split.partitions.values()) > FEW + 1:
            setting(st.checkbox, "systems_why_all", SYSTEMS, "why.everything")("All parts")
    left, middle, right = stacking_columns("systems_why", [6, 4, 5], gap="medium")
    for column, by in zip((left, middle, right), TITLES, strict=True):
        with column:
            st.header(HEADS[by], help=ABOUT[by])
            _table(split, by)
    st.caption(
        escaped(
            f"Each difference is {a} minus {b}. The differences in a column add up to the whole "
            "difference of the two systems. Click a row to list its instances."
        )
    )


def _orders(split: DifferenceSplit) -> dict[tuple[str, str], str]:
    """Return the orders in words: by explanation, or by one system's losses."""
    losses = {
        (name, m.key): f"where {name} loses most by {spoken(m.key)}"
        for m in reversed(split.measures)
        for name in split.systems
    }
    return {UNORDERED: EXPLAINING, **losses}


def _order(split: DifferenceSplit) -> tuple[str, str]:
    """Return the chosen order, or no order if its system or measure is no longer compared."""
    order = SYSTEMS.value.why.order
    return order if order in _orders(split) else UNORDERED


def order_table(split: DifferenceSplit, by: str, order: tuple[str, str]) -> pd.DataFrame:
    """Return a table of parts in an order. Without a fitting order, leave it unchanged."""
    table: pd.DataFrame = getattr(split, by)
    if order == UNORDERED or order not in _orders(split):
        return table
    losses = split.losses(*order, table[order[1]].to_numpy())
    return table.iloc[np.argsort(-losses, kind="stable")]


def _table(split: DifferenceSplit, by: str) -> None:
    table = order_table(split, by, SYSTEMS.value.why.order)
    head, rows = split.rows(table, None if SYSTEMS.value.why.everything else FEW)
    keys: list[Any] = list(table.index)
    parts = len(keys) if len(rows) == len(keys) else FEW  # the last row may sum the rest
    chosen = SYSTEMS.value.why.part
    drawn = tuple(
        Row(
            (
                *(Text(cell, says=MEANINGS.get(cell, "")) for cell in cells[:-3]),
                cells[-3],
                *(cell.replace("-", "−") for cell in cells[-2:]),
            ),
            key=str(at) if at < parts else None,
            chosen=at < parts and chosen == (by, keys[at]),
        )
        for at, cells in enumerate(rows)
    )
    texts = len(head) - 3
    columns = tuple(
        Column(shown_label(title, 24), "text" if k < texts else "number", title)
        for k, title in enumerate(head)
    )
    show_panel(
        PanelTable(f"The difference {TITLES[by]}", columns, drawn, wide=True),
        key=f"systems_why_{by}",
        on_choose=lambda row, _: _choose(split, (by, keys[int(row)])),
    )


def _choose(split: DifferenceSplit, part: tuple[str, Any] | None) -> None:
    """Choose a part. If it was chosen, choose no part.

    The model stores the systems and measures, because the defaults could change with a filter.
    """
    (system, other), (first, second) = split.systems, (m.key for m in split.measures)
    at = SYSTEMS.value.why
    kept = replace(at, system=system, other=other, first=first, second=second)
    SYSTEMS.change(why=replace(kept, part=None if at.part == part else part))


# --- instances ------------------------------------------------------------------------------------


def _instances(split: DifferenceSplit) -> None:
    """Draw the instances of the chosen part, or the most telling instances."""
    part, order = SYSTEMS.value.why.part, _order(split)
    by, key = part or ("", None)
    if part is None or key not in split.partitions[by].keys:
        if order != UNORDERED:
            words, telling = _orders(split)[order], split.losing(*order)
        else:
            words, telling = "the most telling instances", np.array(split.telling, int)
        st.header(escaped(capitalize(words)))
        _list(split, telling, words)
        return
    places = split.places(by, key, order if order != UNORDERED else None)
    words = _part_in_words(split, by, key)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(
            escaped(write_count(len(places), "instance")), help=escaped(words), width="content"
        )
        show_text(words, "note", key="systems_why_part")
        button(
            "Filter all views",
            key="systems_why_filter",
            action=partial(filter_instances, words, np.sort(places)),
            icon=":material/filter_alt:",
            help="Show only these instances in every view, also in the ranking.",
        )
        button(
            "Back to the most telling ones",
            key="systems_why_clear",
            action=lambda: _choose(split, None),
            type="tertiary",
        )
    _list(split, places, words, kinds=by != "kinds")


def _part_in_words(split: DifferenceSplit, by: str, key: Any) -> str:
    if by == "kinds":
        return "; ".join(f"{name}: {kind}" for name, kind in zip(split.systems, key, strict=True))
    return f"true label at level {key}" if by == "levels" else f"true label below {key}"


def _list(split: DifferenceSplit, places: np.ndarray, about: str, *, kinds: bool = True) -> None:
    """Draw a list of instances, with or without their kinds of mistakes."""
    table = split.values_of_instances(places)

    def cell(place: int, write: Callable[[Any], str]) -> Callable[[Any], str]:
        return lambda row: write(row[place])

    short = shorten(split.systems)
    heads = [f"mistake, {head}" for head in short.values()]
    heads += [f"{called(m.key)}, {head}" for m in split.measures for head in short.values()]
    columns: Mapping[str, Callable[[Any], str]] = {
        head: cell(place, str if place < 4 else number)
        for place, head in enumerate(heads, 2)  # after the index and the number
        if kinds or place >= 4
    }
    reports = dict(zip(split.systems, split.reports, strict=True))
    measures = tuple(m.key for m in split.measures)
    listing = listed("instance", about, reports, table, columns=columns, measures=measures)
    replace(listing, compared=True).draw()
