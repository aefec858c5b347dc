"""Filters of the page: the menu that adds a filter, and the row of active filters.

A filter applies to every view, because it changes the evaluation that all views show (data.py). A
view adds a filter with `add_filter`, or with `filter_instances` if it knows the instances.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import streamlit as st

from hiermeasures.app.binding import attempt, bind, button, changing, setting, show_fault
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.filter_rules import (
    AtLevel,
    BelowClass,
    ChosenInstances,
    Filter,
    HasMistake,
    IdContains,
    LabelCount,
    ValueBetween,
    levels_of,
)
from hiermeasures.app.systems.form import SYSTEMS, choice
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.text import escaped
from hiermeasures.evaluation.outside import base_of
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures.mistakes import KINDS
from hiermeasures.measures.own import find_measure

ADD = "systems_filter_add"
WIDTH = 420
REMOVE = "Remove this filter"


def add_filter(new: Filter) -> None:
    """Show only the instances that also satisfy a filter, in every view."""
    if new not in SYSTEMS.value.filters:
        SYSTEMS.change(filters=(*SYSTEMS.value.filters, new))


def filter_instances(words: str, places: np.ndarray) -> None:
    """Show only some of the current instances, given by their places among these."""
    evaluation = SYSTEMS.value.evaluation
    assert evaluation is not None
    if evaluation.places is not None:
        places = evaluation.places[places]
    add_filter(ChosenInstances(words, np.asarray(places)))


def remove_filter(old: Filter) -> None:
    """Remove a filter, which brings back the instances that only this filter hides."""
    SYSTEMS.change(filters=tuple(each for each in SYSTEMS.value.filters if each is not old))


def show_filters(evaluation: Evaluation) -> None:
    """Draw each active filter with a cross, and the number of remaining instances."""
    filters = SYSTEMS.value.filters
    # Without filters the container is empty, so that what is below keeps its place on the page.
    with st.container(
        key="systems_filters", horizontal=True, vertical_alignment="center", gap="small"
    ):
        if not filters:
            return
        if evaluation.whole is not None and evaluation.filters == filters:
            count = f"{evaluation.instances:,} of {evaluation.whole.instances:,} instances"
            st.markdown(f"**{count}**", width="content")
        for k, each in enumerate(filters):
            button(
                escaped(shown_label(each.words, 80)),
                key=f"systems_filter_{k}",
                action=partial(remove_filter, each),
                help=f"Remove this filter: {escaped(each.words)}"
                if len(each.words) > 80
                else REMOVE,
                icon=":material/close:",
                icon_position="right",
            )
        if evaluation.instances and SYSTEMS.value.view != "Instances":
            button(
                "List them",
                key="systems_filters_list",
                action=lambda: SYSTEMS.change(view="Instances"),
                help="Show these instances in the view Instances",
                type="tertiary",
            )
        button(
            "Clear all",
            key="systems_filters_clear",
            action=lambda: SYSTEMS.change(filters=()),
            type="tertiary",
        )


# --- the menu -------------------------------------------------------------------------------------


def filter_menu(evaluation: Evaluation) -> None:
    """Draw the menu that adds a filter."""
    menu = st.popover(
        "Filter",
        icon=":material/filter_alt:",
        key="systems_filter_menu",
        on_change="rerun",
        width="content",
    )
    if not menu.open:
        return
    with menu:
        setting(st.selectbox, "systems_filter_by", SYSTEMS, "filtering.by")(
            "Show only instances with",
            list(FIELDS),
            format_func=lambda key: FIELDS[key][0],
            width=WIDTH,
        )
        make = FIELDS[SYSTEMS.value.filtering.by][1](evaluation)
        button("Add", key=ADD, action=lambda: attempt(ADD, lambda: add_filter(make())))
        show_fault(ADD)


def _ask_class(evaluation: Evaluation) -> Callable[[], Filter]:
    h = base_of(evaluation.hierarchy)
    titles = {label: h.caption(label)[1] for label in h.nodes[1:]}
    label = choice(
        "Class",
        sorted(titles),
        "filtering.label",
        format_func=lambda label: f"{label} ({titles[label]})" if titles[label] else label,
        width=WIDTH,
    )
    return lambda: BelowClass(SYSTEMS.value.filtering.label or label)


def _ask_level(evaluation: Evaluation) -> Callable[[], Filter]:
    report = next(iter(evaluation.reports.values()))
    deepest = int(levels_of(report).max())
    level = min(SYSTEMS.value.filtering.level, deepest)
    bind(st.number_input, "systems_filter_level", level, changing(SYSTEMS, "filtering.level"))(
        "Level",
        0,
        deepest,
        help="The longest path from the root, in edges. Top classes have level 1. A class above "
        "another true label of the instance does not count.",
        width=WIDTH,
    )
    return lambda: AtLevel(min(SYSTEMS.value.filtering.level, deepest))


def _ask_count(evaluation: Evaluation) -> Callable[[], Filter]:
    with st.container(horizontal=True, width=WIDTH):
        for name in ("fewest", "most"):
            setting(st.number_input, f"systems_filter_{name}", SYSTEMS, f"filtering.{name}")(
                f"{name.capitalize()} true labels",
                0,
                help="A class above another true label of the instance does not count.",
            )

    def make() -> Filter:
        at = SYSTEMS.value.filtering
        _check_range(at.fewest, at.most)
        return LabelCount(at.fewest, at.most)

    return make


def _ask_mistake(evaluation: Evaluation) -> Callable[[], Filter]:
    system = choice("System", list(evaluation.reports), "filtering.system", width=WIDTH)
    kind = choice("Kind", KINDS, "filtering.mistake", width=WIDTH)
    return lambda: HasMistake(system, kind)


def _ask_value(evaluation: Evaluation) -> Callable[[], Filter]:
    system = choice("System", list(evaluation.reports), "filtering.system", width=WIDTH)
    measure = choice(
        "Measure",
        evaluation.measures,
        "filtering.measure",
        format_func=lambda key: find_measure(key).title,
        width=WIDTH,
    )
    with st.container(horizontal=True, width=WIDTH):
        for name in ("low", "high"):
            setting(st.number_input, f"systems_filter_{name}", SYSTEMS, f"filtering.{name}")(
                {"low": "From", "high": "To"}[name], step=0.1, format="%g"
            )

    def make() -> Filter:
        at = SYSTEMS.value.filtering
        _check_range(at.low, at.high)
        return ValueBetween(system, measure, at.low, at.high)

    return make


def _ask_text(evaluation: Evaluation) -> Callable[[], Filter]:
    setting(st.text_input, "systems_filter_text", SYSTEMS, "filtering.text")("Text", width=WIDTH)

    def make() -> Filter:
        text = SYSTEMS.value.filtering.text.strip()
        if not text:
            raise InputError("The text is empty. Enter a part of an id.")
        return IdContains(text)

    return make


def _check_range(low: float, high: float) -> None:
    if low > high:
        raise InputError(f"The range from {low:g} to {high:g} is empty. Exchange the two numbers.")


FIELDS: Mapping[str, tuple[str, Callable[[Evaluation], Callable[[], Filter]]]] = {
    "class": ("a class, or one below it", _ask_class),
    "level": ("a true label at a level", _ask_level),
    "labels": ("a number of true labels", _ask_count),
    "mistake": ("a kind of mistake", _ask_mistake),
    "value": ("a value of a measure", _ask_value),
    "text": ("a text in the id", _ask_text),
}
