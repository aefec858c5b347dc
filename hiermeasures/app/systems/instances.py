"""Lists of instances on the Systems page, of which each opens in the Explorer: where two measures
disagree or one is worst (the view "Instances"), where a condition holds or two measures prefer
different systems (the view "Search").

What is found is hiermeasures.compare's.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.app.binding import bind, changing, setting
from hiermeasures.app.components import show_expression_fault, show_text
from hiermeasures.app.explore.model import Series, WayBack, open_shown, own_definitions
from hiermeasures.app.pages import switch_to
from hiermeasures.app.systems import figures
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.model import SYSTEMS, Finder
from hiermeasures.app.systems.views import CHART, choice, measure_title, width_of
from hiermeasures.app.widgets import chart, selected_data, stacking_columns
from hiermeasures.compare.finding import Condition, Found, disagreeing, disagreement, not_evaluated, where
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine import Report
from hiermeasures.explorer.state import Shown
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import called, find_measure, is_definition, own_measure, spoken
from hiermeasures.picture.text import escaped, markdown_text

ROWS = 8
BACK = WayBack("Back to Systems", "systems")
WIDTHS = (2.2, 3.8, 3.8, 1.2, 1.2, 1.6)  # of a list with three numbers
STANDINGS = "difference of percentiles"
LISTINGS = {"disagreement": "largest disagreement", "worst": "worst by x"}
KINDS = {"condition": "a condition holds", "preference": "two measures prefer different systems"}
HELP = (
    "Comparisons of measures, parts of structures, len_T and len_P, joined with and, or, not. hF is a value of the "
    "first system, hF_2 of the second. Your own measures of the Explorer are known by their names; "
    "docs/expressions.md lists all names."
)
NONE = "none"


# --- a list ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One instance of a list: its name, its number in the file, and the texts beside it."""

    name: str
    number: int
    cells: tuple[str, ...]


def show_list(
    key: str,
    columns: Sequence[tuple[str, float]],
    count: int,
    *,
    lines: Callable[[slice], Iterable[Line]],
    series: Callable[[], Series],
    measures: tuple[str, ...],
    opening: str = "systems_open",
) -> None:
    """Show a page of a list; an instance opens in the Explorer, which goes on along the `series`.

    `columns` are headings with widths, the first for the names; `lines` gives those of a slice of
    the list, `opening` is the beginning of the buttons' keys.
    """
    pages = max(1, -(-count // ROWS))
    start = (min(SYSTEMS.value.pages.get(key, 1), pages) - 1) * ROWS
    widths, what = [width for _, width in columns], columns[0][0]
    with st.container(key="systems_list", gap="small"):
        _row(widths, [f"**{heading}**" for heading, _ in columns])
        for place, line in enumerate(lines(slice(start, min(start + ROWS, count))), start):
            first = _row(widths, [None, *line.cells])
            if first.button(
                escaped(line.name),
                key=f"{opening}_{line.number}",
                type="tertiary",
                help=f"Open this {what} in the Explorer",
            ):
                at = series()
                open_shown(at.make(place), measures=measures, series=at, back=BACK)
                switch_to("explore")
    with st.container(horizontal=True, vertical_alignment="center"):
        _turner("systems_back", "left", "Before these", key, by=-1, pages=pages, disabled=start == 0)
        st.caption(f"{start + 1:,}–{min(start + ROWS, count):,} of {count:,}" if count else "none", width="content")
        _turner("systems_on", "right", "After these", key, by=1, pages=pages, disabled=start + ROWS >= count)


def _row(widths: Sequence[float], cells: Sequence[str | None]) -> Any:
    """Draw a row of texts; gives the column of the first."""
    columns = st.columns(widths, gap="small", vertical_alignment="center")
    for column, cell in zip(columns, cells, strict=True):
        if cell is not None:
            column.markdown(cell)
    return columns[0]


def _turner(name: str, side: str, help: str, key: str, *, by: int, pages: int, disabled: bool) -> None:
    def turn() -> None:
        at = SYSTEMS.value.pages
        SYSTEMS.change(pages={**at, key: max(1, min(at.get(key, 1) + by, pages))})

    icon = f":material/chevron_{side}:"
    st.button("", icon=icon, key=name, type="tertiary", disabled=disabled, help=help, on_click=turn)


def series_of(name: str, about: str, titles: Sequence[str], make: Callable[[int, str], Shown]) -> Series:
    """Return a list for the Explorer; `make` gives the instance of a place, with its title."""
    places = {title: k for k, title in enumerate(titles)}
    return Series(
        name,
        about,
        len(titles),
        place=lambda shown: places.get(shown.title) if shown.case is None else None,
        make=lambda place: make(place, titles[place]),
    )


def listed(name: str, about: str, system: str, *, report: Report, table: pd.DataFrame) -> Series:
    """Return a list of a system's instances for the Explorer, with their options."""

    def make(place: int, title: str) -> Shown:
        true, predicted = _sides(report, int(table["number"].iloc[place]))
        return Shown.make(report.hierarchy, true, predicted, title=title, options=report.options).named()

    return series_of(name, about, [f"{instance} · {system}" for instance in table.index], make)


def _sides(report: Report, number: int) -> list[frozenset[str]]:
    kept = report.kept
    return [labels.classes(report.hierarchy, number) for labels in (kept.true, kept.predicted)]


def classes_in_words(h: Hierarchy, labels: frozenset[str]) -> str:
    """Return the first classes of a set as Markdown."""
    ordered = sorted(labels, key=h.index)
    few = ", ".join(escaped(_shortened(label)) + _called(h, label) for label in ordered[:4])
    return few + (f" and {len(ordered) - 4} more" if len(ordered) > 4 else "") if ordered else "*none*"


def _called(h: Hierarchy, label: str) -> str:
    """Return the title of a class after its label, smaller, as Markdown."""
    called = h.caption(label)[1]
    return f" :small[{escaped(_shortened(called))}]" if called else ""


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


# --- where two measures disagree, or one is worst -------------------------------------------------


def instances(evaluation: Evaluation) -> None:
    """Draw any measure against any other, instance by instance, beside the list."""
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium"):
        system = choice("System", names, "system", width=width_of(names))
        first, second = _two_measures(evaluation)
        choice("x axis", list(evaluation.measures), "across", first, format_func=measure_title, width=330)
        choice("y axis", list(evaluation.measures), "up", second, format_func=measure_title, width=330)
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
    chosen = [int(spot) for (spot,) in selected_data(event)] or None
    with right:
        setting(st.segmented_control, "systems_listed", SYSTEMS, "listed")(
            "List", list(LISTINGS), required=True, label_visibility="collapsed", format_func=LISTINGS.__getitem__
        )
        worst = SYSTEMS.value.listed == "worst"
        title = f"Worst by {spoken(first)}" if worst else "Where the two measures disagree most"
        if chosen is not None:
            table = table[np.isin(found.of, chosen)]
            title = f"{len(table):,} selected instance{'s' * (len(table) != 1)}"
        listing = _Listing(f"{system}|{first}|{second}|{chosen}|{worst}", title, system, report, (first, second))
        if not worst:
            _disagreements(listing, table)
        else:
            _worst(listing, None if chosen is None else table["number"])


@dataclass(frozen=True)
class _Listing:
    """A list of a system's instances with their values by two measures: its key and its heading."""

    key: str
    title: str
    system: str
    report: Report
    measures: tuple[str, str]


def _two_measures(evaluation: Evaluation) -> tuple[str, str]:
    """Return the two chosen measures; one that was not evaluated is replaced by another."""
    at, keys = SYSTEMS.value, evaluation.measures
    return at.across if at.across in keys else keys[0], at.up if at.up in keys else keys[-1]


def _disagreements(at: _Listing, table: pd.DataFrame) -> None:
    st.header(at.title, help="Sorted by the difference of percentiles, not of values: measures have different ranges.")
    names = [markdown_text(spoken(measure)) for measure in at.measures]
    st.caption(
        f"Difference of percentiles: the share of instances that this one beats by {names[0]}, minus the share that it "
        f"beats by {names[1]} (ties count half). It is not the difference of the values, whose ranges may differ."
    )

    def difference(row: Any) -> str:
        standings = f"{_two(row.first_standing)} − {_two(row.second_standing)}"
        return f"{row.difference:+.2f}".replace("-", "−") + f"  \n:small[{standings}]"

    _values(at, table, partial(series, at.system, at.report, table, *at.measures), **{STANDINGS: difference})


def _worst(at: _Listing, among: pd.Series | None) -> None:
    """List instances, the worst by the first measure first: all, or some by their numbers."""
    st.header(escaped(at.title))
    order, values = at.report.worst_first(at.measures[0]), at.report.instance_values()
    if among is not None:
        order = order[np.isin(order, among)]
    first, second = (values[key][order] for key in at.measures)
    ids = pd.Index([at.report.kept.ids[k] for k in order], name="id")
    table = pd.DataFrame({"number": order, "first": first, "second": second}, index=ids)
    about = f"worst by {spoken(at.measures[0])}, {at.system}"
    _values(at, table, partial(listed, "instance", about, at.system, report=at.report, table=table))


def _values(at: _Listing, table: pd.DataFrame, made: Callable[[], Series], **more: Callable[[Any], str]) -> None:
    """Draw the list, and more columns by their headings."""
    h = at.report.hierarchy

    def line(row: Any) -> Line:
        words = (classes_in_words(h, side) for side in _sides(at.report, row.number))
        cells = (cell(row) for cell in more.values())
        return Line(str(row.Index), row.number, (*words, _two(row.first), _two(row.second), *cells))

    names = [markdown_text(spoken(measure)) for measure in at.measures]
    show_list(
        at.key,
        list(zip(["instance", "true", "predicted", *names, *more], WIDTHS, strict=False)),
        len(table),
        lines=lambda part: map(line, table.iloc[part].itertuples()),
        series=made,
        measures=at.measures,
    )


def _two(value: float) -> str:
    return "–" if value != value else f"{value:.2f}".replace("-", "−")


def series(system: str, report: Report, table: pd.DataFrame, first: str, second: str) -> Series:
    """Return a list of disagreements for the Explorer."""
    return listed(
        "disagreement", f"{spoken(first)} against {spoken(second)}, {system}", system, report=report, table=table
    )


# --- where a condition holds ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Answer:
    """Instances found in one system or two, what they are about, and measures to show."""

    found: Found
    reports: list[tuple[str, Report]]
    about: str
    measures: tuple[str, ...]


def find(evaluation: Evaluation) -> None:
    """Draw the view "Search"."""
    at, several = SYSTEMS.value.finder, len(evaluation.reports) > 1
    if several:
        setting(st.segmented_control, "systems_find_kind", SYSTEMS, "finder.kind")(
            "Instances where", list(KINDS), required=True, format_func=KINDS.__getitem__
        )
    by_preference = several and at.kind == "preference"
    try:
        answer = _by_preference(evaluation, at) if by_preference else _by_condition(evaluation, at)
    except InputError as fault:
        show_expression_fault(fault, key="systems_find_fault")
    else:
        if answer is not None:
            _answer(answer)


def _by_condition(evaluation: Evaluation, at: Finder) -> _Answer | None:
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        first = choice("System", names, "finder.system", width=330)
        others = [NONE, *(name for name in names if name != first)]
        label = "Second system, for names such as hF_2"
        other = choice(label, others, "finder.other", width=330) if names[1:] else NONE
    text = at.condition.strip() or made_condition(evaluation.reports[first], *_two_measures(evaluation))
    bind(st.text_input, "systems_find_condition", text, changing(SYSTEMS, "finder.condition"))("Condition", help=HELP)
    reports = [(name, evaluation.reports[name]) for name in (first, other) if name != NONE]
    own = {called(definition): own_measure(definition) for definition in own_definitions()}
    condition = Condition.of(text, len(reports), own)
    if _missing(reports[0][1], condition.measures):
        return None
    keys = tuple(m.key for m in condition.measures if m.key in CATALOGUE or is_definition(m.key))
    return _Answer(where([report for _, report in reports], condition), reports, f"where {at.condition}", keys)


def made_condition(report: Report, first: str, second: str) -> str:
    """Return a condition that the instances meet on which two measures disagree most, one of them
    in the same way. Where they agree on all, one that the worst by the first meet.
    """
    table = disagreement(report, first, second)
    if not table["difference"].any():
        worst = report.worst_first(first)[:ROWS]
        return _bound(report, first, report.instance_values()[first][worst], good=False)
    top = table[np.sign(table["difference"]) == np.sign(table["difference"].iloc[0])].head(ROWS)
    good = bool(top["difference"].iloc[0] > 0)
    sides = (_bound(report, first, top["first"], good=good), _bound(report, second, top["second"], good=not good))
    return " and ".join(sides)


def _bound(report: Report, key: str, values: Any, *, good: bool) -> str:
    """Return a bound in two decimals that some values meet, and all that are better, or worse."""
    above = good == (report.measure(key).better == "higher")
    value = min(values, default=0.0) if above else max(values, default=0.0)
    rounded = (math.floor if above else math.ceil)(round(value * 100, 6)) / 100
    return f"{called(key)} {'>=' if above else '<='} {rounded:g}"


def _by_preference(evaluation: Evaluation, at: Finder) -> _Answer:
    names, measures = list(evaluation.reports), list(evaluation.measures)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        first = choice("System", names, "finder.system", width=330)
        other = choice("and", [name for name in names if name != first], "finder.other", width=330)
        look: dict[str, Any] = {"width": 250, "format_func": measure_title}
        one = choice("Measure", measures, "finder.first", **look)
        another = choice("against", measures, "finder.second", measures[-1], **look)
    reports = [(name, evaluation.reports[name]) for name in (first, other)]
    about = f"{spoken(one)} prefers one, {spoken(another)} the other of {first} and {other}"
    found = disagreeing(dict(reports), find_measure(one), find_measure(another))
    return _Answer(found, reports, about, (one, another))


def _missing(report: Report, measures: Sequence[Measure]) -> bool:
    """Return whether a measure was not evaluated; if so, offer to evaluate it."""
    keys = not_evaluated(report, measures)
    if not keys:
        return False
    show_text(f"Not evaluated yet: {', '.join(keys)}.", "note", key="systems_find_missing")
    if st.button("Evaluate", key="systems_find_evaluate"):
        SYSTEMS.change(measures=(*SYSTEMS.value.measures, *keys))
        st.rerun()
    return True


def _answer(answer: _Answer) -> None:
    found, reports = answer.found, answer.reports
    count, (system, report) = len(found.table), reports[0]
    st.header(f"{count:,} of {found.instances:,} instances")
    undefined = f"On {found.undefined:,} instances a value is missing, and nothing is said." if found.undefined else ""
    if not count:
        st.caption(undefined or "There is no such instance.")
        return
    st.caption(markdown_text(f"Most extreme first, {found.by}. {undefined}"))

    def line(item: tuple[Any, dict[str, Any]]) -> Line:
        name, row = item
        place = int(row["number"])
        true = classes_in_words(report.hierarchy, _sides(report, place)[0])
        predicted = [
            (f"{escaped(system)}: " if len(reports) > 1 else "") + classes_in_words(r.hierarchy, _sides(r, place)[1])
            for system, r in reports
        ]
        values = "  \n".join(escaped(f"{column} {number(row[column])}") for column in found.columns)
        return Line(str(name), place, (true, "  \n".join(predicted), values, number(row["extreme"])))

    show_list(
        f"find|{answer.about}|{[name for name, _ in reports]}",
        [("instance", 2.2), ("true", 4), ("predicted", 4), ("values", 3), ("how far", 1.2)],
        count,
        lines=lambda part: map(line, found.table.iloc[part].to_dict("index").items()),
        series=lambda: listed("instance", answer.about, system, report=report, table=found.table),
        measures=answer.measures,
        opening="systems_find_open",
    )
