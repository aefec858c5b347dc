"""Scored terms on the Systems page: which job runs, and in which order things are drawn.

What is held is model.py's; files are read and evaluated in data.py, in a thread of job.py; form.py asks, views.py draws
the best values and the curves, targets.py the targets behind a point.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.inference.cafa_sums import NORMALISATIONS, PROPAGATIONS
from hiermeasures.ui.binding import bind, changing
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.job import Progress
from hiermeasures.ui.systems.scored import targets, views
from hiermeasures.ui.systems.scored.data import (
    Point,
    ScoredEvaluation,
    evaluate_scored_files,
    evaluated,
    evaluated_scored_example,
    targets_at,
)
from hiermeasures.ui.systems.scored.form import form
from hiermeasures.ui.systems.scored.model import SCORED, ScoredPurpose, change, model
from hiermeasures.ui.text import escaped
from hiermeasures.ui.watching import outdated, settle, show_progress, start, stopped

WEIGHING = {True: "by information", False: "all alike"}


def caption() -> str:
    """What is evaluated, in a line."""
    evaluation = model().evaluation
    if evaluation is None:
        return ""
    files, report = evaluation.files, evaluation.report
    count, targets = len(files.systems), "; ".join(f"{n:,} targets in {ns}" for ns, n in report.targets.items())
    return f"{escaped(files.title)} · {count} system{'s' * (count != 1)} · {escaped(targets)}"


def work() -> None:
    """Begin with the built-in example, and take what a job brought."""
    at = model()
    if at.evaluation is None and at.job is None and not at.fault and not at.stopped:
        _start("evaluate", evaluated_scored_example)
    _settle()


def draw() -> None:
    """This part of the page, below its head."""
    _form()
    at = model()
    if at.fault:
        st.error(escaped(at.fault), icon=":material/error:")
    if at.stopped and at.job is None:
        stopped(at.evaluation is not None, partial(change, stopped=""))
    if at.evaluation is not None:
        _results(at.evaluation)
    elif at.job is not None:
        show_progress(at.job)
    mailbox()


# --- jobs ---------------------------------------------------------------------------------------------------------


def _start(purpose: ScoredPurpose, work: Callable[[Progress], Any]) -> None:
    start(SCORED, purpose, work)


def _settle() -> None:
    """Take what a finished job brought."""
    made = model().evaluation
    settle(SCORED, _taken, {} if made is None else {"protocol": made.protocol})


def _taken(result: Any) -> dict[str, Any]:
    at = model()
    if at.purpose == "targets":
        return {"targets": result}
    same = at.evaluation is not None and at.evaluation.files is result.files
    return {"evaluation": result, "targets": None, "tau": at.tau if same else None}


# --- parts --------------------------------------------------------------------------------------------------------


def _form() -> None:
    at = model()
    title = "Your own files: an ontology, the truth, and one file of predictions per system"
    with st.expander(title, expanded=bool(at.faults or at.fault)):
        request = form(at.faults)
    notes = at.evaluation.report.notes if at.evaluation is not None else ()
    if notes:
        with st.expander(f"{len(notes)} note{'s' * (len(notes) != 1)} on these files"):
            st.caption("  \n".join(escaped(f"{note}.") for note in notes))
    if request is not None:
        asked = replace(request, protocol=at.protocol)
        change(faults={})
        _start("evaluate", lambda report: evaluate_scored_files(asked, report))
        st.rerun()


def _results(evaluation: ScoredEvaluation) -> None:
    _settings(evaluation)
    at = model()
    protocol = at.protocol
    if at.job is None and protocol != evaluation.protocol:
        _start("evaluate", lambda report: evaluated(evaluation.files, protocol, report))
        st.rerun()
    point = at.point()
    there = at.targets is not None and at.targets.evaluation is evaluation and at.targets.point == point
    given_up = at.listed_at == point and bool(at.stopped or (at.fault and at.purpose == "targets"))
    if point is not None and not there and at.job is None and not given_up:
        change(listed_at=point)
        _start("targets", lambda report: targets_at(evaluation, point, report))
        _settle()
    at = model()
    evaluating = at.job is not None and at.purpose == "evaluate"
    if evaluating:
        show_progress(at.job)
    with st.container(key="job_results"):
        if evaluating:
            outdated(evaluation.files.title)
        views.best_values(evaluation, at)
        if point is not None:
            views.curves(evaluation, point)
            targets.head(evaluation, point)
            _targets(point)


def _targets(point: Point) -> None:
    at = model()
    if at.job is not None and at.purpose == "targets":
        show_progress(at.job)
    elif at.targets is not None and at.targets.point == point:
        targets.listed()


def _settings(evaluation: ScoredEvaluation) -> None:
    """How terms are weighted and means are taken."""
    at = model()
    source = evaluation.files.weights_from
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bind(st.segmented_control, "scored_weighted", at.weighted, changing(SCORED, "weighted"))(
            "Terms count",
            list(WEIGHING),
            required=True,
            format_func=WEIGHING.__getitem__,
            help="By information: as much as their weight, "
            + (f"from {escaped(source)}." if source else "counted over the truth, with CAFA's added dummy."),
        )
        bind(st.selectbox, "scored_normalisation", at.protocol.normalisation, partial(_set, "normalisation"))(
            "Means",
            list(NORMALISATIONS),
            width=130,
            help="  \n".join(f"**{key}**: {text}." for key, text in NORMALISATIONS.items()),
        )
        bind(st.selectbox, "scored_propagation", at.protocol.propagation, partial(_set, "propagation"))(
            "Scores go up",
            list(PROPAGATIONS),
            width=130,
            help="  \n".join(f"**{key}**: {text}." for key, text in PROPAGATIONS.items()),
        )
        bind(st.checkbox, "scored_orphans", at.protocol.orphans, partial(_set, "orphans"))(
            "Count terms without a parent",
            help="Whether the root of a namespace counts where all terms weigh the same.",
        )


def _set(name: str, value: Any) -> None:
    change(protocol=replace(model().protocol, **{name: value}))
