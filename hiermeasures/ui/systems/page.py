"""The Systems page: whole prediction files, ranked and held against each other, and the way back to the single
instance.

Here is the order of things: which job runs, and when the views are drawn. What the page holds is model.py's; files are
read and evaluated in data.py, in a thread of job.py; form.py asks, views.py draws. Nothing is computed on the page.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.compare import TESTS, Comparison
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.own import called
from hiermeasures.ui.binding import bind, changing
from hiermeasures.ui.explore.model import own_definitions
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.job import Progress
from hiermeasures.ui.options_panel import Target, options_popover
from hiermeasures.ui.pages import Page
from hiermeasures.ui.systems import finding, views
from hiermeasures.ui.systems.data import (
    DEFAULT_MEASURES,
    Evaluation,
    Ranked,
    compared,
    counted,
    evaluate_files,
    evaluated_example,
    measured,
)
from hiermeasures.ui.systems.form import form
from hiermeasures.ui.systems.model import SYSTEMS, Kind, Purpose, change, model
from hiermeasures.ui.systems.scored import section
from hiermeasures.ui.text import escaped
from hiermeasures.ui.watching import outdated, say_that_kernels_compile, settle, show_progress, start, stopped

KINDS: dict[Kind, str] = {"labels": "Labels", "scored": "Scored terms (CAFA)"}
VIEWS = ("Measures", "Instances", "Find", "Classes")
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
STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 1.75rem; padding-right: 1.75rem; }
.st-key-systems { max-width: 88rem; margin: 0 auto; }
.st-key-systems h3 { padding: 0.25rem 0; }
.st-key-systems_list { gap: 0.1rem; }
.st-key-systems_list [data-testid="stHorizontalBlock"] { border-bottom: 1px solid rgba(128, 128, 128, 0.18);
    min-height: 2.3rem; }
.st-key-systems_list p { font-size: 0.8125rem; line-height: 1.25; overflow-wrap: anywhere; margin: 0; }
.st-key-systems_list [data-testid="stMarkdownContainer"] { margin: 0; }
.st-key-systems_list [data-testid="stColumn"]:nth-child(n+4) p { text-align: right;
    font-variant-numeric: tabular-nums; }
.st-key-systems_list { container-type: inline-size; }
@container (max-width: 42rem) {
  .st-key-systems_list [data-testid="stHorizontalBlock"] { display: grid; grid-template-columns: 3fr 4fr 4fr;
      gap: 0 0.75rem; padding: 0.3rem 0; }
  .st-key-systems_list [data-testid="stColumn"] { min-width: 0; width: auto; }
  .st-key-systems_list [data-testid="stColumn"]:nth-child(n+4) p { text-align: left; }
}
.st-key-systems_list button { justify-content: flex-start; padding: 0; min-height: 0; }
.st-key-systems_list button p { text-decoration: underline; text-underline-offset: 0.2em; }
.st-key-systems button[aria-label="Download as CSV"] { display: none; }
</style>"""


def page() -> None:
    """The whole page."""
    st.html(STYLE)
    if model().kind == "scored":
        section.work()
        with st.container(key="systems"):
            _head(section.caption())
            section.draw()
        return
    at = model()
    if at.evaluation is None and at.job is None and not at.fault and not at.stopped:
        _start("evaluate", evaluated_example)
    _settle()
    with st.container(key="systems"):
        _head(_caption(model().evaluation))
        kernels = st.container()
        _form()
        at = model()
        if at.fault:
            st.error(escaped(at.fault), icon=":material/error:")
        if at.stopped and at.job is None:
            stopped(at.evaluation is not None, _go_on)
        if at.evaluation is not None:
            _results(at.evaluation)
        elif at.job is not None:
            show_progress(model().job)
        say_that_kernels_compile(kernels)
        mailbox()


# --- jobs ---------------------------------------------------------------------------------------------------------


def _start(purpose: Purpose, work: Callable[[Progress], Any]) -> None:
    start(SYSTEMS, purpose, work)


def _settle() -> None:
    """Take what a finished job brought."""
    made = model().evaluation
    settle(SYSTEMS, _taken, {} if made is None else {"measures": made.measures, "options": made.options})
    at = model()
    if at.fault and at.purpose == "compare":
        change(comparison=None)  # what was compared before was compared otherwise


def _go_on() -> None:
    """What was stopped is begun anew; a comparison that is there stays."""
    at = model()
    change(stopped="", compared_as=None if at.stopped == "compare" else at.compared_as)


def _taken(result: Any) -> dict[str, Any]:
    if model().purpose == "compare":
        return {"comparison": result}
    if model().purpose == "count":
        return {"evaluation": result}
    return {"evaluation": result, "comparison": None, "compared_as": None, "faults": {}}


# --- parts of the page --------------------------------------------------------------------------------------------


def _head(caption: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Systems", width="content")
        bind(st.segmented_control, "systems_kind", model().kind, changing(SYSTEMS, "kind"))(
            "What is evaluated",
            list(KINDS),
            required=True,
            label_visibility="collapsed",
            format_func=KINDS.__getitem__,
            help="Labels: a set of classes for each instance. Scored terms: scores of an ontology's terms for each "
            "target, evaluated at every threshold, as CAFA does.",
            width="content",
        )
        if caption:
            st.caption(caption)


def _caption(evaluation: Evaluation | None) -> str:
    if evaluation is None:
        return ""
    h, count = evaluation.hierarchy, len(evaluation.reports)
    counts = f"{count} system{'s' * (count != 1)} · {evaluation.instances:,} instances · {len(h):,} classes"
    return f"{escaped(evaluation.title)} · {counts} ({'tree' if h.is_tree else 'DAG'}, {h.depth} levels)"


def _form() -> None:
    at = model()
    notes = at.evaluation.notes if at.evaluation else {}
    count = sum(map(len, notes.values()))
    title = "Your own files: a hierarchy, true labels, and one file per system"
    with st.expander(title + f" · {count} note{'s' * (count != 1)}" * bool(count), expanded=bool(at.faults)):
        request = form(at.faults, notes)
    if request is not None:
        asked = replace(request, measures=at.measures_in_order or DEFAULT_MEASURES, options=at.options)
        # A comparison that this breaks off is still to be made, should the files not be usable.
        change(faults={}, compared_as=at.compared_as if at.job is None else None)
        _start("evaluate", lambda report: evaluate_files(asked, report))
        st.rerun()


def _results(evaluation: Evaluation) -> None:
    _settings()
    at = model()
    measures, options, ranked = at.measures_in_order or evaluation.measures, at.options, at.ranked
    if at.job is None and (measures, options) != (evaluation.measures, evaluation.options):
        _start("evaluate", lambda report: measured(evaluation, measures, options, report))
        st.rerun()
    several = len(evaluation.reports) > 1
    if several and at.job is None and at.compared_as != ranked:
        change(compared_as=ranked)
        _start("compare", lambda report: compared(evaluation, ranked, report))
        _settle()
    _count(evaluation)
    evaluation, counting = model().evaluation or evaluation, model().purpose == "count"
    progress = st.container()
    with st.container(key="job_results"):
        if model().job is not None and not counting and (model().comparison is not None or not several):
            outdated(evaluation.title)
        _drawn(evaluation, ranked, several)
    if model().job is not None:
        with progress:
            show_progress(model().job)


def _count(evaluation: Evaluation) -> None:
    """Have classes counted where somebody looks at results per class: a kernel may have to be compiled for it."""
    at = model()
    needed = at.view == "Classes" or (len(evaluation.reports) == 1 and at.ranked.average == "macro")
    given_up = at.stopped == "count" or (at.fault and at.purpose == "count")
    if at.job is None and needed and not evaluation.counted and not given_up:
        _start("count", lambda report: counted(evaluation, report))
        _settle()


def _drawn(evaluation: Evaluation, ranked: Ranked, several: bool) -> None:
    comparison = model().comparison
    if comparison is not None:
        views.ranking(comparison, evaluation.measures, ranked.average)
    elif not several and (ranked.average != "macro" or evaluation.counted):
        views.scores_of_one(
            replace(next(iter(evaluation.reports.values())), average=ranked.average), evaluation.measures
        )
    if comparison is not None or not several:
        _view(evaluation, comparison)


def _settings() -> None:
    """How the systems are compared, and by which measures."""
    at = model()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bind(st.selectbox, "systems_test", at.ranked.test, partial(_rank, "test"))(
            "Test", list(TESTS), format_func=lambda k: TEST_NAMES.get(k, k), help=TEST_HELP, width=150
        )
        bind(st.number_input, "systems_alpha", at.ranked.alpha, partial(_rank, "alpha"))(
            "α",
            0.001,
            0.5,
            step=0.01,
            format="%.3f",
            width=130,
            help="Differences with a p-value below this are significant.",
        )
        bind(st.selectbox, "systems_average", at.ranked.average, partial(_rank, "average"))(
            "Average", ["samples", "micro", "macro"], help=AVERAGE_HELP, width=130
        )
        with st.popover(f"Measures ({len(at.measures_in_order)})", icon=":material/tune:", width="content"):
            bind(st.multiselect, "systems_measures", list(at.measures), changing(SYSTEMS, "measures"))(
                "Measures in the table",
                list(dict.fromkeys([*own_definitions(), *at.measures_in_order, *CATALOGUE])),
                width=460,
                format_func=_measure_title,
                help="The glossary explains them all.",
            )
        options_popover(Target(lambda: model().options, lambda options: change(options=options), of=at.options))
        bind(st.checkbox, "systems_holm", at.ranked.holm, partial(_rank, "holm"))(
            "Holm correction",
            help="Holm's step-down correction: keeps the chance of any false difference among all pairs below α.",
        )


def _rank(name: str, value: Any) -> None:
    change(ranked=replace(model().ranked, **{name: value}))


def _measure_title(key: str) -> str:
    return f"{called(key)}: {find_measure(key).name}"


def _view(evaluation: Evaluation, comparison: Comparison | None) -> None:
    names = VIEWS if comparison is not None else VIEWS[1:]
    view = model().view if model().view in names else names[0]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        bind(st.segmented_control, "systems_view", view, changing(SYSTEMS, "view"))(
            "View", names, required=True, label_visibility="collapsed"
        )
        views.export(evaluation, comparison)
    if view == "Measures" and comparison is not None:
        views.measures(comparison)
    elif view == "Instances":
        _instances()
    elif view == "Find":
        _find()
    elif evaluation.counted:
        views.classes(evaluation)


@st.fragment
def _instances() -> None:
    """A selection redraws only this."""
    if (evaluation := model().evaluation) is not None:
        views.instances(evaluation)


@st.fragment
def _find() -> None:
    """An entry redraws only this."""
    if (evaluation := model().evaluation) is not None:
        finding.find(evaluation)


PAGE = Page("Systems", page)
