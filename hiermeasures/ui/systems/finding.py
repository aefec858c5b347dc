"""The Systems page's view "Find": the instances where a condition holds, or where two measures prefer different
systems. What is found is hiermeasures.compare.finding's; a row leads to the Explorer, which walks from one to the next.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.batch import Report
from hiermeasures.compare.finding import Condition, Found, disagreeing, not_evaluated, where
from hiermeasures.errors import InputError
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.own import called, is_definition, own_measure
from hiermeasures.ui.binding import bind
from hiermeasures.ui.explore.model import open_shown, own_definitions
from hiermeasures.ui.pages import switch_to
from hiermeasures.ui.show_text import show_expression_fault, show_text
from hiermeasures.ui.systems.data import Evaluation
from hiermeasures.ui.systems.model import Finder, change, model
from hiermeasures.ui.systems.views import ROWS, classes_in_words, first_shown, listed, turn_pages
from hiermeasures.ui.text import escaped, markdown_text

KINDS = {"condition": "a condition holds", "preference": "two measures prefer different systems"}
HELP = (
    "Comparisons of measures, parts of structures, len_T and len_P, joined with and, or, not. hF is a value of the "
    "first system, hF_2 of the second. Your own measures of the Explorer are known by their names; "
    "docs/expressions.md lists all names."
)
NONE = "none"


def find(evaluation: Evaluation) -> None:
    """The whole view."""
    at, names = model().finder, list(evaluation.reports)
    if len(names) > 1:
        bind(st.segmented_control, "systems_find_kind", at.kind, partial(_ask, "kind"))(
            "Instances where", list(KINDS), required=True, format_func=lambda kind: KINDS[kind]
        )
    by_condition = at.kind == "condition" or len(names) < 2
    try:
        found = _by_condition(evaluation, at) if by_condition else _by_preference(evaluation, at)
    except InputError as fault:
        show_expression_fault(fault, key="systems_find_fault")
    else:
        if found is not None:
            _list(*found)


def _ask(part: str, entry: Any) -> None:
    change(finder=replace(model().finder, **{part: entry}))


def _system(label: str, part: str, offered: Sequence[str], chosen: str) -> str:
    """A choice of a system; one that is not there any more gives way to the first."""
    value = chosen if chosen in offered else offered[0]
    bind(st.selectbox, f"systems_find_{part}", value, partial(_ask, part))(label, list(offered), width=330)
    return value


# --- what is asked ------------------------------------------------------------------------------------------------

Listed = tuple[Found, list[tuple[str, Report]], str, tuple[str, ...]]


def _by_condition(evaluation: Evaluation, at: Finder) -> Listed | None:
    """What a condition finds, in which systems, what the list is about, and which measures are looked at."""
    names = list(evaluation.reports)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        first = _system("System", "system", names, at.system)
        others = [NONE, *(name for name in names if name != first)]
        other = _system("Second system, for names such as hF_2", "other", others, at.other) if names[1:] else NONE
    bind(st.text_input, "systems_find_condition", at.condition, partial(_ask, "condition"))("Condition", help=HELP)
    chosen = [first, *([other] if other != NONE else [])]
    reports = [(name, evaluation.reports[name]) for name in chosen]
    condition = Condition.of(at.condition, len(reports), _own())
    if _missing(reports[0][1], condition.measures):
        return None
    keys = tuple(m.key for m in condition.measures if m.key in CATALOGUE or is_definition(m.key))
    return where([report for _, report in reports], condition), reports, f"where {at.condition}", keys


def _by_preference(evaluation: Evaluation, at: Finder) -> Listed | None:
    names, measures = list(evaluation.reports), list(evaluation.measures)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        first = _system("System", "system", names, at.system)
        other = _system("and", "other", [name for name in names if name != first], at.other)
        pair = [_measure("Measure", "first", measures, at.first), _measure("against", "second", measures, at.second)]
    reports = [(name, evaluation.reports[name]) for name in (first, other)]
    about = f"{called(pair[0].key)} prefers one, {called(pair[1].key)} the other of {first} and {other}"
    return disagreeing(dict(reports), *pair), reports, about, tuple(m.key for m in pair)


def _measure(label: str, part: str, offered: Sequence[str], chosen: str) -> Measure:
    value = chosen if chosen in offered else offered[0 if part == "first" else -1]
    bind(st.selectbox, f"systems_find_{part}", value, partial(_ask, part))(
        label, list(offered), width=250, format_func=lambda key: find_measure(key).title
    )
    return find_measure(value)


def _own() -> dict[str, Measure]:
    """The own measures of this session, by name."""
    return {called(definition): own_measure(definition) for definition in own_definitions()}


def _missing(report: Report, measures: Sequence[Measure]) -> bool:
    """Whether something was not evaluated; then it is said, with the way to do it."""
    keys = not_evaluated(report, measures)
    if not keys:
        return False
    show_text(f"Not evaluated yet: {', '.join(keys)}.", "note", key="systems_find_missing")
    if st.button("Evaluate", key="systems_find_evaluate"):
        change(measures=(*model().measures, *keys))
        st.rerun()
    return True


# --- what is found ------------------------------------------------------------------------------------------------


def _list(found: Found, reports: list[tuple[str, Report]], about: str, keys: tuple[str, ...]) -> None:
    count = len(found.table)
    st.header(f"{count:,} of {found.instances:,} instances")
    undefined = f"On {found.undefined:,} instances a value is missing, and nothing is said." if found.undefined else ""
    if not count:
        st.caption(undefined or "There is no such instance.")
        return
    st.caption(markdown_text(f"Most extreme first, {found.by}. {undefined}"))
    key = f"find|{about}|{[name for name, _ in reports]}"
    start = first_shown(key, count)
    with st.container(key="systems_list", gap="small"):
        _row("**instance**", "**true**", "**predicted**", "**values**", "**extreme**")
        for k, row in enumerate(found.table.iloc[start : start + ROWS].to_dict("index").items(), start):
            if _instance(reports, found, str(row[0]), row[1]):
                system, report = reports[0]
                series = listed("instance", about, system, report, found.table)
                open_shown(series.make(k), measures=keys, series=series)
                switch_to("explore")
    turn_pages(key, start, count)


def _instance(reports: list[tuple[str, Report]], found: Found, name: str, row: dict[str, Any]) -> bool:
    """One row of the list; whether it is to be opened."""
    place, (_, first) = int(row["number"]), reports[0]
    true = classes_in_words(first.hierarchy, first.kept.true.classes(first.hierarchy, place))
    sides = [
        (f"{escaped(system)}: " if len(reports) > 1 else "")
        + classes_in_words(r.hierarchy, r.kept.predicted.classes(r.hierarchy, place))
        for system, r in reports
    ]
    values = "  \n".join(escaped(f"{column} {number(row[column])}") for column in found.columns)
    columns = _row(None, true, "  \n".join(sides), values, number(row["extreme"]))
    pressed: bool = columns[0].button(
        escaped(name), key=f"systems_find_open_{place}", type="tertiary", help="Open this instance in the Explorer"
    )
    return pressed


def _row(*cells: str | None) -> list[Any]:
    columns = st.columns([2.2, 4, 4, 3, 1.2], gap="small", vertical_alignment="center")
    for column, cell in zip(columns, cells, strict=True):
        if cell is not None:
            column.markdown(cell)
    return columns
