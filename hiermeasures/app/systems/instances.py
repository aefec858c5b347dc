"""Lists of instances on the page Compare. Each instance opens in the Explorer.

The view "Instances" shows where two measures disagree or one is worst. The view "Search" shows
where a condition is true or two measures prefer different systems. hiermeasures.evaluation.compare
finds the instances.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.app.binding import bind, button, changing, setting
from hiermeasures.app.components import (
    CHART,
    chart,
    dark,
    selected_data,
    show_expression_fault,
    show_panel,
    show_text,
    stacking_columns,
)
from hiermeasures.app.explore.model import Series, WayBack, open_shown, own_definitions
from hiermeasures.app.pages import leave_for
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.form import SYSTEMS, Finder, WhyForm, choice, choose_system
from hiermeasures.draw.panel import MOST_ROWS, Column, PanelTable, Row
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.text import decimals, escaped, markdown_text
from hiermeasures.evaluation import Report
from hiermeasures.evaluation.compare.finding import (
    Condition,
    FoundInstances,
    disagreeing,
    disagreement,
    not_evaluated,
    where,
)
from hiermeasures.evaluation.plots import count_pairs, plot_instances
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count, write_list
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import called, find_measure, is_definition, own_measure, spoken

STANDINGS = "difference of percentiles"
LISTINGS = {"disagreement": "largest disagreement", "worst": "worst by x"}
KINDS = {"condition": "a condition is true", "preference": "two measures prefer different systems"}
HELP = (
    "Comparisons of measures, parts of structures, len_T and len_P, joined with and, or, not. hF "
    "is a value of the first system, hF_2 of the second. You can also use your own measures from "
    "the Explorer by name. docs/expressions.md lists all names."
)
NONE = "none"


# --- a list ---------------------------------------------------------------------------------------


BACK = WayBack("Back to Compare", "systems")


@dataclass(frozen=True)
class Listing:
    """Ordered instances. Each opens in the Explorer, where you can step to the next.

    `name` is the word for one instance, and `about` describes the list. `table` has a row for each
    instance, indexed by id. `cells` makes the texts of the `columns` after the first. `makers`
    contains a function for each system, which returns the instance of a row with a title that ends
    with the `system`. The Explorer shows the `measures` and the link `back`. If two measures are
    `compared`, it draws both.
    """

    name: str
    about: str
    table: pd.DataFrame
    columns: Sequence[Column]
    cells: Callable[[Any], Iterable[str]]
    makers: Mapping[str, Callable[[Any, str], Shown]]
    system: str
    measures: tuple[str, ...]
    back: WayBack = BACK
    compared: bool = False

    @property
    def series(self) -> Series:
        """Return the list for the Explorer."""
        titles = [f"{instance} · {self.system}" for instance in self.table.index]
        places = {title: k for k, title in enumerate(titles)}
        return Series(
            self.name,
            self.about,
            len(titles),
            place=lambda shown: places.get(shown.title) if shown.case is None else None,
            make=lambda place: self.makers[self.system](self.table.iloc[place], titles[place]),
        )

    def open(self, place: int, system: str | None = None) -> None:
        """Open an instance with a system's answer in the Explorer, in the next run."""
        chosen = replace(self, system=str(system)) if system in self.makers else self
        at = chosen.series
        open_shown(
            at.make(place),
            measures=self.measures,
            compared=self.compared,
            series=at,
            back=self.back,
        )
        leave_for("explore")

    def draw(self) -> None:
        """Show the first instances of the list."""
        shown = self.table.iloc[:MOST_ROWS]
        lines = zip(shown.index, shown.itertuples(), strict=True)
        rows = [
            Row((str(name), *self.cells(row)), key=str(k)) for k, (name, row) in enumerate(lines)
        ]
        more = len(self.table) - len(rows)
        onward = f", which goes on to {more:,} more" if more else ""
        each = " Click a system's answer to open it." if self.makers.keys() - {self.system} else ""
        st.caption(f"A click opens the {self.columns[0].title} in the Explorer{onward}.{each}")
        show_panel(
            PanelTable(self.about, tuple(self.columns), tuple(rows), wide=True),
            key="systems_list",
            on_choose=lambda row, column: self.open(int(row), column),
        )


def listed(
    name: str,
    about: str,
    reports: Mapping[str, Report],
    table: pd.DataFrame,
    columns: Mapping[str, Callable[[Any], str]],
    measures: tuple[str, ...],
) -> Listing:
    """Return a list of instances with their classes and more columns, by heading.

    The Explorer opens the classes of the first system. A click on another system's answer opens
    that one.
    """
    (system, report), *_ = reports.items()
    predicted = [Column("predicted")]
    if len(reports) > 1:
        predicted = [
            Column(head, about=f"predicted by {name}", key=name)
            for name, head in shorten(reports).items()
        ]

    def classes(number: int) -> Iterable[str]:
        yield in_words(report.hierarchy, report.kept.true.classes(report.hierarchy, number))
        for each in reports.values():
            yield in_words(each.hierarchy, each.kept.predicted.classes(each.hierarchy, number))

    def make(report: Report, row: Any, title: str) -> Shown:
        h, kept, number = report.hierarchy, report.kept, int(row["number"])
        sides = kept.true.classes(h, number), kept.predicted.classes(h, number)
        return Shown.make(h, *sides, title=title, options=report.options).named()

    return Listing(
        name,
        about,
        table,
        (
            *(Column("instance"), Column("true")),
            *predicted,
            *(Column(head, "number") for head in columns),
        ),
        cells=lambda row: (*classes(row.number), *(cell(row) for cell in columns.values())),
        makers={name: partial(make, each) for name, each in reports.items()},
        system=system,
        measures=measures,
    )


def in_words(h: Hierarchy, labels: frozenset[str]) -> str:
    """Return the first classes of a set with their titles, the most specific ones first.

    >>> in_words(Hierarchy.from_edges([("R", "01")]).with_titles({"01": "Crops"}), frozenset({"01"}))
    '01 (Crops)'
    """
    above = frozenset[str]().union(*map(h.ancestors, labels))
    ordered = sorted(labels, key=lambda label: (label in above, h.index(label)))
    titled = ((label, h.caption(label)[1]) for label in ordered[:4])
    words = [
        shown_label(label, 40) + (f" ({shown_label(title, 40)})" if title else "")
        for label, title in titled
    ]
    return write_list(words, total=len(ordered)) or "–"


def shorten(names: Iterable[str]) -> dict[str, str]:
    """Return short headings for the names of systems, or full names if short ones would be equal.

    >>> shorten(["a" * 30, "b"])
    {'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': 'aaaaaaaaaaaaaaa…', 'b': 'b'}
    """
    short = {name: shown_label(name, 16) for name in names}
    return short if len({*short.values()}) == len(short) else {name: name for name in short}


def measure_title(key: str) -> str:
    return find_measure(key).title


def width_of(names: Iterable[str]) -> int:
    """Return the width of a field that fits the longest of these names."""
    return max(240, min(8 * max(map(len, names)) + 80, 900))


# --- where two measures disagree, or one is worst -------------------------------------------------


@st.fragment
def instances() -> None:
    """Draw any measure against any other, instance by instance, next to the list.

    An entry or a selection draws only this view again.
    """
    evaluation = SYSTEMS.value.evaluation
    if evaluation is None:
        return
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium"):
        system = choose_system(names, width=width_of(names))
        first, second = _two_measures(evaluation)
        choice(
            "x axis",
            evaluation.measures,
            "instances.across",
            first,
            format_func=measure_title,
            width=330,
        )
        choice(
            "y axis",
            evaluation.measures,
            "instances.up",
            second,
            format_func=measure_title,
            width=330,
        )
    report = evaluation.reports[system]
    table = disagreement(report, first, second)
    _, spot_of = count_pairs(table["first"], table["second"])
    left, right = stacking_columns("systems_instances", [5, 7], gap="large")
    with left:
        spots = plot_instances(report, first, second, dark=dark())
        spots.update_traces(hovertemplate="%{text}<br><i>click: list them</i><extra></extra>")
        event = chart(
            spots,
            data=lambda: report.per_instance[[first, second]],
            key=f"spots|{system}|{first}|{second}|{hash(evaluation.filters)}",
            on_select="rerun",
            selection_mode=("points", "box"),
            config=CHART,
        )
        st.caption(
            "Click a spot to list its instances. To list several spots, use the box tool above."
        )
    chosen = [int(spot) for (spot,) in selected_data(event)]
    with right:
        selected = table[np.isin(spot_of, chosen)] if chosen else table
        _listing(system, report, selected, (first, second), some=bool(chosen))


def _listing(
    system: str, report: Report, selected: pd.DataFrame, axes: tuple[str, str], *, some: bool
) -> None:
    """Draw the list of instances. With `some`, the person selected these in the chart."""
    setting(st.segmented_control, "systems_listed", SYSTEMS, "instances.listed")(
        "List",
        list(LISTINGS),
        required=True,
        label_visibility="collapsed",
        format_func=LISTINGS.__getitem__,
    )
    worst, names = SYSTEMS.value.instances.listed == "worst", [spoken(measure) for measure in axes]
    title = f"Worst by {names[0]}" if worst else "Where the two measures disagree most"
    if some:
        title = write_count(len(selected), "selected instance")
    if worst:
        st.header(escaped(title))
    else:
        st.header(
            title,
            help="Sorted by the difference of percentiles, because measures have different "
            "ranges of values.",
        )
        first, second = map(markdown_text, names)
        st.caption(
            f"Difference of percentiles: the share of instances that this instance beats by "
            f"{first}, minus the share that it beats by {second} (ties count half)."
        )
    (worst_of if worst else disagreements)(system, report, selected, *axes).draw()


def _two_measures(evaluation: Evaluation) -> tuple[str, str]:
    at, keys = SYSTEMS.value.instances, evaluation.measures
    return at.across if at.across in keys else keys[0], at.up if at.up in keys else keys[-1]


def disagreements(
    system: str, report: Report, table: pd.DataFrame, first: str, second: str
) -> Listing:
    """Return the list for a table of disagreements."""

    def difference(row: Any) -> str:
        standings = f"{decimals(row.first_standing)} − {decimals(row.second_standing)}"
        return f"{decimals(row.difference, signed=True)} = {standings}"

    about = f"{spoken(first)} against {spoken(second)}, {system}"
    columns = {**_values(first, second), STANDINGS: difference}
    listing = listed(
        "disagreement", about, {system: report}, table, columns=columns, measures=(first, second)
    )
    return replace(listing, compared=True)


def worst_of(system: str, report: Report, table: pd.DataFrame, first: str, second: str) -> Listing:
    places = {int(k): place for place, k in enumerate(report.worst_first(first))}
    ordered = table.iloc[np.argsort(table["number"].map(places))]
    about = f"worst by {spoken(first)}, {system}"
    return listed(
        "instance",
        about,
        {system: report},
        ordered,
        columns=_values(first, second),
        measures=(first, second),
    )


def _values(first: str, second: str) -> dict[str, Callable[[Any], str]]:
    columns: dict[str, Callable[[Any], str]] = {spoken(first): lambda row: decimals(row.first)}
    return columns | {spoken(second): lambda row: decimals(row.second)}


# --- where a condition holds ----------------------------------------------------------------------


@st.fragment
def find() -> None:
    """Draw the view "Search". An entry draws only this view again."""
    evaluation, at = SYSTEMS.value.evaluation, SYSTEMS.value.finder
    if evaluation is None:
        return
    if SYSTEMS.value.view == "Why":  # a button here leads there
        st.rerun()
    several = len(evaluation.reports) > 1
    if several:
        setting(st.segmented_control, "systems_find_kind", SYSTEMS, "finder.kind")(
            "Instances where", list(KINDS), required=True, format_func=KINDS.__getitem__
        )
    by_preference = several and at.kind == "preference"
    try:
        (_by_preference if by_preference else _by_condition)(evaluation, at)
    except InputError as fault:
        show_expression_fault(fault, key="systems_find_fault")


def _by_condition(evaluation: Evaluation, at: Finder) -> None:
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        first = choice("System", names, "finder.system", width=330)
        others = [NONE, *(name for name in names if name != first)]
        label = "Second system, for names such as hF_2"
        other = choice(label, others, "finder.other", width=330) if names[1:] else NONE
    text = at.condition.strip() or " > ".join(map(called, _two_measures(evaluation)))
    bind(st.text_input, "systems_find_condition", text, changing(SYSTEMS, "finder.condition"))(
        "Condition", help=HELP
    )
    reports = {name: evaluation.reports[name] for name in (first, other) if name != NONE}
    own = {called(definition): own_measure(definition) for definition in own_definitions()}
    condition = Condition.of(text, len(reports), own)
    if absent := not_evaluated(evaluation.reports[first], condition.measures):
        show_text(f"Not evaluated yet: {', '.join(absent)}.", "note", key="systems_find_missing")
        add = changing(SYSTEMS, "wanted.measures")
        more = (*SYSTEMS.value.asked.measures, *absent)
        button("Evaluate", key="systems_find_evaluate", action=lambda: add(more))
        return
    keys = tuple(m.key for m in condition.measures if m.key in CATALOGUE or is_definition(m.key))
    _answer(where(list(reports.values()), condition), reports, f"where {text}", keys)


def _by_preference(evaluation: Evaluation, at: Finder) -> None:
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        first = choice("System", names, "finder.system", width=330)
        other = choice("and", [name for name in names if name != first], "finder.other", width=330)
        look: dict[str, Any] = {"width": 250, "format_func": measure_title}
        one = choice("Measure", evaluation.measures, "finder.first", **look)
        another = choice(
            "against", evaluation.measures, "finder.second", evaluation.measures[-1], **look
        )
    reports = {name: evaluation.reports[name] for name in (first, other)}
    about = f"{spoken(one)} prefers one, {spoken(another)} the other of {first} and {other}"
    found = disagreeing(reports, find_measure(one), find_measure(another))
    _answer(found, reports, about, (one, another), compared=True)
    if found.table.empty and one != another:
        st.caption("The means of two measures can disagree even if no single instance does.")
        asked = WhyForm(first, other, one, another)
        button(
            "Why do the means disagree?",
            key="systems_find_why",
            action=lambda: SYSTEMS.change(view="Why", system=first, why=asked),
        )


def _answer(
    found: FoundInstances,
    reports: Mapping[str, Report],
    about: str,
    measures: tuple[str, ...],
    *,
    compared: bool = False,
) -> None:
    count = len(found.table)
    st.header(f"{count:,} of {found.instances:,} instances")
    undefined = (
        f"{write_count(found.undefined, 'instance was', 'instances were')} skipped because a "
        "value is undefined."
        if found.undefined
        else ""
    )
    if not count:
        st.caption(undefined or "No instance satisfies this condition.")
        return
    st.caption(markdown_text(f"Most extreme first, {found.by}. {undefined}"))
    columns = ["number", *found.columns, "extreme"]

    def cell(place: int) -> Callable[[Any], str]:
        return lambda row: number(row[place + 1])

    shown = {name.replace("extreme", "how far"): cell(k) for k, name in enumerate(columns) if k}
    listing = listed(
        "instance", about, reports, found.table[columns], columns=shown, measures=measures
    )
    replace(listing, compared=compared).draw()
