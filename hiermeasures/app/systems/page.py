"""The Systems page: prediction files evaluated, ranked and compared, and each instance opened in
the Explorer.

Here is the frame that labels and scored terms share, and the order of things for labels: which job
runs, and when the views are drawn; for scored terms that is scored.py. Nothing is computed
on the page.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from hiermeasures.app.binding import Slot, bind, changing, setting
from hiermeasures.app.components import mailbox
from hiermeasures.app.explore.model import own_definitions
from hiermeasures.app.job import Progress, outdated, say_that_kernels_compile, settle, show_progress, start, stopped
from hiermeasures.app.pages import Page
from hiermeasures.app.systems import instances, printed, scored, views
from hiermeasures.app.systems.data import (
    DEFAULT_MEASURES,
    Evaluation,
    Ranked,
    compared,
    counted,
    evaluate_files,
    evaluate_table,
    evaluated_example,
    evaluated_scored_example,
    measured,
)
from hiermeasures.app.systems.form import begun, label_form, remarks_beside, table_form
from hiermeasures.app.systems.model import SCORED, SYSTEMS, Kind
from hiermeasures.app.widgets import options_form
from hiermeasures.compare import TESTS, Comparison
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.text import escaped

PRINTS = "A paper prints …"
VIEWS = ("Measures", "Instances", "Search", "Classes", PRINTS)
TEST_NAMES = {"sign": "sign test", "wilcoxon": "Wilcoxon", "bootstrap": "bootstrap"}
TEST_HELP = (
    "Sign: counts on how many instances one system is better (the papers' choice). Wilcoxon: signed ranks, which "
    "also weigh how much "
    "better. Bootstrap: resamples the instances. All are paired and one-sided."
)
AVERAGE_HELP = (
    "samples: the mean of the instances' values. micro: read off the summed counts. macro: the mean over classes, "
    "for measures that have "
    "counts per class. Tests always compare instance by instance."
)


@dataclass(frozen=True)
class Section:
    """A kind of evaluation: its name, state, example, and the functions that draw its parts."""

    title: str
    slot: Slot[Any]
    example: Callable[[Progress], Any]
    take_result: Callable[[], None]
    caption: Callable[[], str]
    form: Callable[[], None]
    results: Callable[[Any], None]
    go_on: Callable[[], None]


def page() -> None:
    """Draw the page."""
    st.html(Path(__file__).with_name("style.css"))
    section = SECTIONS[SYSTEMS.value.kind]
    if section.slot.value.evaluation is None and section.slot.value.idle:
        start(section.slot, "evaluate", section.example)
    section.take_result()
    with st.container(key="systems"):
        _head(section.caption())
        kernels = st.container()
        section.form()
        at = section.slot.value
        if at.fault:
            st.error(escaped(at.fault), icon=":material/error:")
        if at.stopped and at.job is None:
            stopped(at.evaluation is not None, section.go_on)
        if at.evaluation is not None:
            section.results(at.evaluation)
        elif at.job is not None:
            show_progress(section.slot)
        say_that_kernels_compile(kernels)
        mailbox()


def _head(caption: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Systems", width="content")
        setting(st.segmented_control, "systems_kind", SYSTEMS, "kind")(
            "What is evaluated",
            list(SECTIONS),
            required=True,
            label_visibility="collapsed",
            format_func=lambda kind: SECTIONS[kind].title,
            help="Labels: a set of classes for each instance, in files. One table: the true labels and the answers "
            "in columns of one file. Scored terms: scores of an ontology's terms for each "
            "target, evaluated at every threshold, as CAFA does.",
            width="content",
        )
        if caption:
            st.caption(caption)


# --- jobs -----------------------------------------------------------------------------------------


def _take_result() -> None:
    made = SYSTEMS.value.evaluation
    settle(SYSTEMS, _taken, {} if made is None else {"measures": made.measures, "options": made.options})
    at = SYSTEMS.value
    if at.fault and at.purpose == "compare":
        SYSTEMS.change(comparison=None)  # the one that is there has other settings


def _taken(result: Any) -> dict[str, Any]:
    if SYSTEMS.value.purpose == "compare":
        return {"comparison": result, "comparison_as": SYSTEMS.value.compared_as}
    if SYSTEMS.value.purpose == "count":
        return {"evaluation": result}
    return {"evaluation": result, "comparison": None, "compared_as": None, "faults": {}}


def _go_on() -> None:
    """Start a stopped job again; an existing comparison stays."""
    at = SYSTEMS.value
    SYSTEMS.change(stopped="", compared_as=None if at.stopped == "compare" else at.compared_as)


# --- parts of the page ----------------------------------------------------------------------------


def _caption() -> str:
    evaluation = SYSTEMS.value.evaluation
    if evaluation is None:
        return ""
    h, count = evaluation.hierarchy, len(evaluation.reports)
    counts = f"{count} system{'s' * (count != 1)} · {evaluation.instances:,} instances · {len(h):,} classes"
    notes = sum(map(len, evaluation.notes.values()))
    noted = f" · {notes} note{'s' * (notes != 1)} beside the files" if notes else ""
    return f"{escaped(evaluation.title)} · {counts} ({'tree' if h.is_tree else 'DAG'}, {h.depth} levels){noted}"


def _form() -> None:
    _asked("Your own files: a hierarchy, true labels, and one file per system", label_form, evaluate_files)


def _table_form() -> None:
    _asked("Your own table: a column of true labels, and a column of answers per system", table_form, evaluate_table)


def _asked(title: str, form: Callable[[Any], Any], evaluate: Callable[[Any, Progress], Evaluation]) -> None:
    """Draw a form, and evaluate what it asks for."""
    at = SYSTEMS.value
    with st.expander(title, expanded=bool(at.faults) or at.kind == "table"):
        request = form(at.evaluation.notes if at.evaluation else {})
    if request is not None:
        asked = replace(request, measures=at.measures_in_order or DEFAULT_MEASURES, options=at.options)
        start(
            SYSTEMS,
            "evaluate",
            lambda report: evaluate(asked, report),
            faults={},
            form=begun(SYSTEMS.value.form, request),
            # A comparison that this breaks off is still to be made, should the files not be usable.
            compared_as=at.compared_as if at.job is None else None,
        )
        st.rerun()


def _results(evaluation: Evaluation) -> None:
    _settings()
    at = SYSTEMS.value
    measures, options, ranked = at.measures_in_order or evaluation.measures, at.options, at.ranked
    if at.job is None and (measures, options) != (evaluation.measures, evaluation.options):
        start(SYSTEMS, "evaluate", lambda report: measured(evaluation, measures, options, report))
        st.rerun()
    several = len(evaluation.reports) > 1
    if several and at.job is None and at.compared_as != ranked:
        start(SYSTEMS, "compare", lambda report: compared(evaluation, ranked, report), compared_as=ranked)
        _take_result()
    _count(evaluation)
    at = SYSTEMS.value
    evaluation, counting = at.evaluation or evaluation, at.purpose == "count"
    progress = st.container()
    with st.container(key="job_results"):
        compared_before = at.comparison is not None
        running = at.job is not None and not counting and (compared_before or not several)
        if running or (compared_before and at.comparison_as != ranked):
            outdated(evaluation.title)
        remarks_beside(evaluation.remarks)
        _drawn(evaluation, ranked, several)
    if SYSTEMS.value.job is not None:
        with progress:
            show_progress(SYSTEMS)


def _count(evaluation: Evaluation) -> None:
    """Count by class where results per class are shown: it may take compiling a kernel."""
    at = SYSTEMS.value
    needed = at.view == "Classes" or (len(evaluation.reports) == 1 and at.ranked.average == "macro")
    given_up = at.stopped == "count" or (at.fault and at.purpose == "count")
    if at.job is None and needed and not evaluation.counted and not given_up:
        start(SYSTEMS, "count", lambda report: counted(evaluation, report))
        _take_result()


def _drawn(evaluation: Evaluation, ranked: Ranked, several: bool) -> None:
    comparison = SYSTEMS.value.comparison
    if comparison is not None:
        views.ranking(comparison, evaluation.measures, ranked.average)
    elif not several and (ranked.average != "macro" or evaluation.counted):
        (system, report), *_ = evaluation.reports.items()
        views.scores_of_one(system, replace(report, average=ranked.average), evaluation.measures)
    if comparison is not None or not several:
        _view(evaluation, comparison)


def _settings() -> None:
    at = SYSTEMS.value
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        setting(st.selectbox, "systems_test", SYSTEMS, "ranked.test")(
            "Test", list(TESTS), format_func=lambda k: TEST_NAMES.get(k, k), help=TEST_HELP, width=150
        )
        setting(st.number_input, "systems_alpha", SYSTEMS, "ranked.alpha")(
            "α",
            0.001,
            0.5,
            step=0.01,
            format="%.3f",
            width=130,
            help="Differences with a p-value below this are significant.",
        )
        setting(st.selectbox, "systems_average", SYSTEMS, "ranked.average")(
            "Average", ["samples", "micro", "macro"], help=AVERAGE_HELP, width=130
        )
        with st.popover(f"Measures ({len(at.measures_in_order)})", icon=":material/tune:", width="content"):
            setting(st.multiselect, "systems_measures", SYSTEMS, "measures")(
                "Measures in the table",
                list(dict.fromkeys([*own_definitions(), *at.measures_in_order, *CATALOGUE])),
                width=460,
                format_func=views.measure_title,
                help="The glossary explains them all.",
            )
        options_form(lambda: SYSTEMS.value.options, lambda options: SYSTEMS.change(options=options))
        setting(st.checkbox, "systems_holm", SYSTEMS, "ranked.holm")(
            "Holm correction",
            help="Holm's step-down correction: keeps the chance of any false difference among all pairs below α.",
        )


def _view(evaluation: Evaluation, comparison: Comparison | None) -> None:
    names = VIEWS if comparison is not None else VIEWS[1:]
    view = SYSTEMS.value.view if SYSTEMS.value.view in names else names[0]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        bind(st.segmented_control, "systems_view", view, changing(SYSTEMS, "view"))(
            "View", names, required=True, label_visibility="collapsed"
        )
        views.export(evaluation, comparison, printed.files(evaluation) if view == PRINTS else {})
    if view == "Measures" and comparison is not None:
        views.measures(comparison)
    elif view == "Instances":
        _alone(instances.instances)
    elif view == "Search":
        _alone(instances.find)
    elif view == PRINTS:
        printed.panel(evaluation)
    elif evaluation.counted:
        views.classes(evaluation)


@st.fragment
def _alone(draw: Callable[[Evaluation], None]) -> None:
    """Draw a view that is redrawn alone by an entry or a selection in it."""
    if (evaluation := SYSTEMS.value.evaluation) is not None:
        draw(evaluation)


LABELS = Section(
    title="Labels",
    slot=SYSTEMS,
    example=evaluated_example,
    take_result=_take_result,
    caption=_caption,
    form=_form,
    results=_results,
    go_on=_go_on,
)
SECTIONS: dict[Kind, Section] = {
    "labels": LABELS,
    "table": replace(LABELS, title="One table", form=_table_form),
    "scored": Section(
        title="Scored terms (CAFA)",
        slot=SCORED,
        example=evaluated_scored_example,
        take_result=scored.take_result,
        caption=scored.caption,
        form=scored.files_form,
        results=scored.results,
        go_on=scored.go_on,
    ),
}
PAGE = Page(
    "Systems",
    page,
    "Prediction files: measures over all instances, the differences of systems, and the way to an instance.",
)
