"""The Systems page: whole prediction files, ranked and held against each other, and the way back to the single
instance.

Here is the order of things: what the session holds, which job runs, when the views are drawn. Files are read and
evaluated in data.py, in a thread of job.py; form.py asks, views.py draws. Nothing is computed on the page.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from hiermeasures.compare import TESTS, Comparison
from hiermeasures.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options
from hiermeasures.ui.keeping import held, kept, kept_one_of, put, remember
from hiermeasures.ui.options_panel import Target, options_popover
from hiermeasures.ui.systems import views
from hiermeasures.ui.systems.data import (
    DEFAULT_MEASURES,
    Evaluation,
    Field,
    FieldError,
    Ranked,
    compared,
    evaluate_files,
    evaluated_example,
    measured,
)
from hiermeasures.ui.systems.form import form
from hiermeasures.ui.systems.job import Job, StoppedError
from hiermeasures.ui.text import escaped

AT_ONCE = 0.6  # seconds for which the page waits before it shows progress instead
POLL = 0.5
VIEWS = ("Measures", "Instances", "Classes")
TEST_NAMES = {"sign": "sign test", "wilcoxon": "Wilcoxon", "bootstrap": "bootstrap"}
TEST_HELP = (
    "Sign: counts on how many instances one system is better (the papers' choice). Wilcoxon: signed ranks, which also weigh how much "
    "better. Bootstrap: resamples the instances. All are paired and one-sided."
)
AVERAGE_HELP = (
    "samples: the mean of the instances' values. micro: read off the summed counts. macro: the mean over classes, for measures that have "
    "counts per class. Tests always compare instance by instance."
)
STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 1.75rem; padding-right: 1.75rem; }
.st-key-systems { max-width: 88rem; margin: 0 auto; }
.st-key-systems h3 { padding: 0.25rem 0; }
.st-key-systems_list { gap: 0.1rem; }
.st-key-systems_list [data-testid="stHorizontalBlock"] { border-bottom: 1px solid rgba(128, 128, 128, 0.18); min-height: 2.3rem; }
.st-key-systems_list p { font-size: 0.8125rem; line-height: 1.25; overflow-wrap: anywhere; margin: 0; }
.st-key-systems_list [data-testid="stMarkdownContainer"] { margin: 0; }
.st-key-systems_list [data-testid="stColumn"]:nth-child(n+4) p { text-align: right; font-variant-numeric: tabular-nums; }
.st-key-systems_list button { justify-content: flex-start; padding: 0; min-height: 0; }
.st-key-systems_list button p { text-decoration: underline; text-underline-offset: 0.2em; }
.st-key-systems button[aria-label="Download as CSV"] { display: none; }
</style>"""


@dataclass
class _Session:
    """What this session holds between runs."""

    evaluation: Evaluation | None = None
    job: Job | None = None
    purpose: str = ""
    comparison: Comparison | None = None
    compared_as: Any = None
    options: Options = field(
        default_factory=Options.make
    )  # as asked for; the evaluation has those that it was made with
    faults: dict[Field, str] = field(default_factory=dict)
    fault: str = ""
    stopped: str = ""

    def take_options(self, options: Options) -> None:
        self.options = options


def page() -> None:
    """The whole page."""
    st.html(STYLE)
    remember()
    session = _session()
    if session.evaluation is None and session.job is None and not session.fault and not session.stopped:
        _start(session, "evaluate", evaluated_example)
    _settle(session)
    with st.container(key="systems"):
        _head(session)
        _form(session)
        if session.fault:
            st.error(escaped(session.fault), icon=":material/error:")
        if session.stopped and session.job is None:
            _stopped(session)
        if session.evaluation is not None:
            _results(session, session.evaluation)
        elif session.job is not None:
            _progress()


# --- what the session holds ---------------------------------------------------------------------------------------


def _session() -> _Session:
    return st.session_state.setdefault("systems_session", _Session())


# --- jobs ---------------------------------------------------------------------------------------------------------


def _start(session: _Session, purpose: str, work: Callable[..., Any]) -> None:
    if session.job is not None:
        session.job.stop()
    session.job, session.purpose, session.fault, session.stopped = Job(work), purpose, "", ""
    session.job.wait(AT_ONCE)


def _settle(session: _Session) -> None:
    """Take what a finished job brought. What was shown before stays where it brought a fault."""
    job = session.job
    if job is None or not job.finished:
        return
    session.job = None
    try:
        result = job.result()
    except StoppedError:
        session.stopped = session.purpose
        if session.evaluation is not None:
            put("systems_measures", list(session.evaluation.measures))
            session.options = session.evaluation.options
        return
    except FieldError as error:
        session.faults = {error.field: str(error)}
        return
    except InputError as error:
        session.fault = str(error)
        if session.purpose == "compare":
            session.comparison = None  # what was compared before was compared otherwise
        if session.evaluation is not None:
            session.options = session.evaluation.options
        return
    except Exception:
        logging.getLogger(__name__).exception("evaluation failed")
        session.fault = "The evaluation broke off because of a fault in this program; the log of the server says where."
        return
    if session.purpose == "compare":
        session.comparison = result
    else:
        session.evaluation, session.comparison, session.compared_as, session.faults = result, None, None, {}


@st.fragment(run_every=POLL)
def _progress() -> None:
    """How far the job is; asks for the whole page again when it has finished."""
    session = _session()
    job = session.job
    if job is None or job.finished:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="systems_progress"):
        st.progress(job.share, text=escaped(job.sentence if not job.stopped else "Stopping"), width="stretch")
        if st.button("Stop", key="systems_stop", icon=":material/stop_circle:", disabled=job.stopped):
            job.stop()


def _stopped(session: _Session) -> None:
    """What a stopped job means for the screen, and the way to go on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            "Stopped. What was evaluated before is still here."
            if session.evaluation
            else "Stopped before anything was evaluated."
        )
        if st.button("Go on", key="systems_go_on"):
            session.stopped, session.compared_as = "", None
            st.rerun()


# --- parts of the page --------------------------------------------------------------------------------------------


def _head(session: _Session) -> None:
    evaluation = session.evaluation
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Systems", width="content")
        if evaluation is not None:
            h, shape = evaluation.hierarchy, "tree" if evaluation.hierarchy.is_tree else "DAG"
            counts = f"{len(evaluation.reports)} system{'s' * (len(evaluation.reports) != 1)} · {evaluation.instances:,} instances · "
            st.caption(f"{escaped(evaluation.title)} · {counts}{len(h):,} classes ({shape}, {h.depth} levels)")


def _form(session: _Session) -> None:
    notes = session.evaluation.notes if session.evaluation else {}
    count = sum(map(len, notes.values()))
    title = "Your own files: a hierarchy, true labels, and one file per system"
    with st.expander(title + f" · {count} note{'s' * (count != 1)}" * bool(count), expanded=bool(session.faults)):
        request = form(session.faults, notes)
    if request is not None:
        session.faults = {}
        asked = replace(request, measures=_wanted() or DEFAULT_MEASURES, options=session.options)
        _start(session, "evaluate", lambda report: evaluate_files(asked, report))
        st.rerun()


def _wanted() -> tuple[str, ...]:
    return tuple(k for k in CATALOGUE if k in held("systems_measures", DEFAULT_MEASURES))


def _results(session: _Session, evaluation: Evaluation) -> None:
    how = _settings(session)
    wanted, options = _wanted() or evaluation.measures, session.options
    if session.job is None and (wanted, options) != (evaluation.measures, evaluation.options):
        _start(session, "evaluate", lambda report: measured(evaluation, wanted, options, report))
        st.rerun()
    several = len(evaluation.reports) > 1
    if several and session.job is None and session.compared_as != how:
        session.compared_as = how
        _start(session, "compare", lambda report: compared(evaluation, how, report))
        _settle(session)
    if session.job is not None:
        _progress()
    if session.comparison is not None:
        views.ranking(session.comparison, evaluation.measures, how.average)
    elif not several:
        views.scores_of_one(replace(next(iter(evaluation.reports.values())), average=how.average), evaluation.measures)
    if session.comparison is not None or not several:
        _view(session, evaluation)


def _settings(session: _Session) -> Ranked:
    """How the systems are compared, and by which measures."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            "Test",
            list(TESTS),
            key=kept("systems_test", "sign"),
            format_func=lambda k: TEST_NAMES.get(k, k),
            help=TEST_HELP,
            width=150,
        )
        st.number_input(
            "α",
            0.001,
            0.5,
            step=0.01,
            format="%.3f",
            key=kept("systems_alpha", 0.05),
            width=130,
            help="Differences with a p-value below this are significant.",
        )
        st.selectbox(
            "Average",
            ["samples", "micro", "macro"],
            key=kept("systems_average", "samples"),
            help=AVERAGE_HELP,
            width=130,
        )
        with st.popover(f"Measures ({len(_wanted())})", icon=":material/tune:", width="content"):
            st.multiselect(
                "Measures in the table",
                list(CATALOGUE),
                key=kept("systems_measures", list(DEFAULT_MEASURES)),
                width=460,
                format_func=_measure_title,
                help="The glossary explains them all.",
            )
        options_popover(Target(lambda: session.options, session.take_options, of=session.evaluation))
        st.checkbox(
            "Holm correction",
            key=kept("systems_holm", True),
            help="Holm's step-down correction: keeps the chance of any false difference among all pairs below α.",
        )
        chosen = st.session_state
    return Ranked(chosen.systems_test, chosen.systems_alpha, chosen.systems_holm, chosen.systems_average)


def _measure_title(key: str) -> str:
    return f"{key}: {CATALOGUE[key].name}"


def _view(session: _Session, evaluation: Evaluation) -> None:
    names = VIEWS if session.comparison is not None else VIEWS[1:]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        view = st.segmented_control(
            "View", names, key=kept_one_of("systems_view", names), required=True, label_visibility="collapsed"
        )
        views.take_away(evaluation, session.comparison)
    if view == "Measures" and session.comparison is not None:
        views.measures(session.comparison)
    elif view == "Instances":
        _instances()
    else:
        views.classes(evaluation)


@st.fragment
def _instances() -> None:
    """A selection redraws only this."""
    remember()
    evaluation = _session().evaluation
    if evaluation is not None:
        views.instances(evaluation)
