"""Scored terms on the Systems page: settings, best values, curves, and the targets behind a point
of a curve.

Files are read and evaluated in data.py, in a job.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import bind, setting
from hiermeasures.app.components import show_panel
from hiermeasures.app.explore.model import Series
from hiermeasures.app.job import outdated, settle, show_progress, start
from hiermeasures.app.systems import figures
from hiermeasures.app.systems.data import (
    Point,
    ScoredEvaluation,
    ScoredRequest,
    TargetsAt,
    evaluate_by,
    evaluate_scored_files,
    targets_at,
)
from hiermeasures.app.systems.examples import example_archive
from hiermeasures.app.systems.form import MOST_REMARKS, FileInput, begun, form_of, is_due, remarks_beside
from hiermeasures.app.systems.instances import WIDTHS, Line, classes_in_words, series_of, show_list
from hiermeasures.app.systems.model import SCORED
from hiermeasures.app.systems.views import CHART
from hiermeasures.app.widgets import chart, dark, selected_data, stacking_columns
from hiermeasures.cafa.sums import NORMALISATIONS, PROPAGATIONS
from hiermeasures.picture.panel import Column, Row, Table, Text
from hiermeasures.picture.text import escaped

SCORED_INPUTS = {
    "ontology": FileInput("Ontology", "An OBO file; `is_a` and `part_of` lead upwards."),
    "true": FileInput("Truth", "A line per true term: target, tab, term. Text, gzip or Parquet."),
    "systems": FileInput(
        "Predictions",
        "One file per system, with a line per term: target, tab, term, tab, score from 0 to 1. Text, gzip or Parquet.",
        several=True,
    ),
    "information": FileInput(
        "Information (optional)",
        "A line per term: term, tab, weight. Without it the information of terms is counted over the truth.",
        optional=True,
    ),
}
WEIGHING = {True: "by information", False: "all alike"}
MOST = 400  # so many targets are listed
VALUES = {
    "F_max": "The highest F over all thresholds; F is the harmonic mean of the mean precision and the mean recall.",
    "F_max_w": "The same with terms weighted by information.",
    "S_min": "The lowest √(mi² + ru²) over all thresholds, of the mean misinformation and remaining uncertainty.",
    "S_min_w": "The same with terms weighted by information.",
}


def caption() -> str:
    """Return a line on what is evaluated."""
    evaluation = SCORED.value.evaluation
    if evaluation is None:
        return ""
    files, report = evaluation.files, evaluation.report
    count, targets = len(files.systems), "; ".join(f"{n:,} targets in {ns}" for ns, n in report.targets.items())
    weights = f"information from {files.weights_from}" if files.weights_from else "information counted over the truth"
    return f"{escaped(files.title)} · {count} system{'s' * (count != 1)} · {escaped(targets)} · {escaped(weights)}"


def take_result() -> None:
    """Take the result of a finished job."""
    made = SCORED.value.evaluation
    settle(SCORED, _taken, {} if made is None else {"protocol": made.protocol})


def _taken(result: Any) -> dict[str, Any]:
    at = SCORED.value
    if at.purpose == "targets":
        return {"targets": result}
    same = at.evaluation is not None and at.evaluation.files is result.files
    return {"evaluation": result, "targets": None, "tau": at.tau if same else None}


def go_on() -> None:
    """Start a stopped job again."""
    SCORED.change(stopped="")


def files_form() -> None:
    """Draw the form of one's own files, and begin an evaluation of them."""
    at = SCORED.value
    title = "Your own files: an ontology, the truth, and one file of predictions per system"
    with st.expander(title, expanded=bool(at.faults or at.fault)):
        request = _files()
    notes = at.evaluation.report.notes if at.evaluation is not None else ()
    if len(notes) > MOST_REMARKS:
        with st.expander(f"{len(notes)} note{'s' * (len(notes) != 1)} on these files"):
            st.caption("  \n".join(escaped(f"{note}.") for note in notes))
    if request is not None:
        asked = replace(request, protocol=at.protocol)
        form = begun(SCORED.value.form, request)
        start(SCORED, "evaluate", lambda report: evaluate_scored_files(asked, report), faults={}, form=form)
        st.rerun()


def _files() -> ScoredRequest | None:
    """Draw the form of scored terms; return the request that is to be evaluated now."""
    given = form_of("scored", SCORED, SCORED_INPUTS, row=_example_files)
    if given is None:
        return None
    information = given["information"][0] if given["information"] else None
    request = ScoredRequest(given["ontology"][0], given["true"][0], tuple(given["systems"]), information)
    return request if is_due(SCORED.value.form, request, given) else None


def _example_files(evaluate: Callable[[], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        evaluate()
        st.download_button(
            "The example's files",
            example_archive,
            "utensils.zip",
            icon=":material/download:",
            key="scored_example",
            type="tertiary",
            on_click="ignore",
        )


def results(evaluation: ScoredEvaluation) -> None:
    """Draw the results, and begin the job that brings what is asked for now."""
    _settings(evaluation)
    at = SCORED.value
    protocol, point = at.protocol, at.point()
    assert point is not None
    if at.job is None and protocol != evaluation.protocol:
        start(SCORED, "evaluate", lambda report: evaluate_by(protocol, evaluation.files, report))
        st.rerun()
    there = at.targets is not None and at.targets.evaluation is evaluation and at.targets.point == point
    given_up = at.listed_at == point and bool(at.stopped or (at.fault and at.purpose == "targets"))
    if not there and at.job is None and not given_up:
        start(SCORED, "targets", lambda report: targets_at(evaluation, point, report), listed_at=point)
        take_result()
    at = SCORED.value
    evaluating = at.job is not None and at.purpose == "evaluate"
    if evaluating:
        show_progress(SCORED)
    with st.container(key="job_results"):
        if evaluating:
            outdated(evaluation.files.title)
        remarks_beside([f"{note}." for note in evaluation.report.notes])
        _best_values(evaluation, point)
        _curves(evaluation, point)
        _head(evaluation, point)
        if at.job is not None and at.purpose == "targets":
            show_progress(SCORED)
        elif at.targets is not None and at.targets.point == point:
            _targets()


def _settings(evaluation: ScoredEvaluation) -> None:
    source = evaluation.files.weights_from
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        setting(st.segmented_control, "scored_weighted", SCORED, "weighted")(
            "Terms count",
            list(WEIGHING),
            required=True,
            format_func=WEIGHING.__getitem__,
            help="By information: as much as their weight, "
            + (f"from {escaped(source)}." if source else "counted over the truth, with CAFA's added dummy."),
        )
        for name, title, meanings in (
            ("normalisation", "Means", NORMALISATIONS),
            ("propagation", "Scores go up", PROPAGATIONS),
        ):
            setting(st.selectbox, f"scored_{name}", SCORED, f"protocol.{name}")(
                title,
                list(meanings),
                width=130,
                help="  \n".join(f"**{key}**: {text}." for key, text in meanings.items()),
            )
        setting(st.checkbox, "scored_orphans", SCORED, "protocol.orphans")(
            "Count terms without a parent",
            help="Whether the root of a namespace counts where all terms weigh the same.",
        )


# --- best values and curves -----------------------------------------------------------------------


def _best_values(evaluation: ScoredEvaluation, point: Point) -> None:
    table = evaluation.best_values
    several = len(evaluation.namespaces) > 1
    best = {
        (ns, key): table.xs(ns, level="ns")[key].agg("min" if key.startswith("S") else "max")
        for ns in evaluation.namespaces
        if len(evaluation.systems(ns)) > 1
        for key in VALUES
    }
    rows = []
    places = [(system, ns) for ns in evaluation.namespaces for system in evaluation.systems(ns)]
    for k, (system, ns) in enumerate(places):
        line = table.loc[(system, ns)]
        cells = (_value(line, key, strong=line[key] == best.get((ns, key))) for key in VALUES)
        names = (ns, system) if several else (system,)
        chosen = (system, ns) == (point.system, point.namespace)
        rows.append(Row((*names, *cells, f"{line['coverage']:.1%}"), key=str(k), chosen=chosen))
    columns = (
        *([Column("Namespace")] if several else []),
        Column("System"),
        *(Column(f"{key} {'↓' if key.startswith('S') else '↑'}", "number", says) for key, says in VALUES.items()),
        Column("coverage", "number", "The share of the targets that have a prediction at the lowest threshold."),
    )

    def look_at(key: str, column: str | None) -> None:
        system, namespace = places[int(key)]
        SCORED.change(system=system, namespace=namespace, tau=None)

    note = "Behind each value the lowest threshold that reaches it."
    if best:
        note += " The best of a namespace is framed."
    show_panel(
        Table("The best values of the systems", columns, tuple(rows), note, wide=True),
        key="scored_best",
        on_choose=look_at,
    )


def _value(line: pd.Series, key: str, strong: bool) -> Text:
    return Text(f"{line[key]:.3f} at\u00a0{line[f'{key}_tau']:.2f}", strong=bool(strong), says=f"{line[key]:.6f}")


def _choose(name: str, value: str) -> None:
    SCORED.change(**{name: value}, tau=None)


def _curves(evaluation: ScoredEvaluation, point: Point) -> None:
    if len(evaluation.namespaces) > 1:
        bind(
            st.segmented_control, "scored_namespace", point.namespace, lambda ns: SCORED.change(namespace=ns, tau=None)
        )("Namespace", evaluation.namespaces, required=True, format_func=escaped)
    left, right = stacking_columns("scored_curves", 2, gap="large")
    with left:
        st.header(
            "Precision and recall",
            help="A point per threshold. The large mark is the best F; dotted lines connect points of the same F.",
        )
        _chart(figures.precision_recall(evaluation, point, dark()), "pr", evaluation, point)
    with right:
        st.header(
            "Remaining uncertainty and misinformation",
            help="A point per threshold. The large mark is the lowest S, the distance from the corner; dotted lines "
            "connect points of the same S. Thresholds with more misinformation lie above the chart: drag the axis, or "
            "click twice to see all.",
        )
        _chart(figures.uncertainty_misinformation(evaluation, point, dark()), "rumi", evaluation, point)
    st.caption("A click on a point lists the targets behind it. The ring is the point that is listed.")


def _chart(figure: Any, name: str, evaluation: ScoredEvaluation, point: Point) -> None:
    key = f"scored_{name}|{id(evaluation)}|{point.namespace}|{point.weighted}"
    systems = list(evaluation.files.systems)
    chart(figure, key=key, on_select=partial(_pick, key, systems), selection_mode="points", config=CHART)


def _pick(key: str, systems: list[str]) -> None:
    for number, tau in selected_data(st.session_state[key])[:1]:
        SCORED.change(system=systems[int(number)], tau=tau)


# --- targets --------------------------------------------------------------------------------------


def _head(evaluation: ScoredEvaluation, point: Point) -> None:
    st.header(
        f"Targets of {escaped(point.system)} at τ = {point.tau:g}",
        help="S of a target is √(mi² + ru²) of this target alone.",
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        systems = evaluation.systems(point.namespace)
        bind(st.selectbox, "scored_system", point.system, partial(_choose, "system"))("System", systems, width=260)
        bind(st.number_input, "scored_tau", point.tau, lambda tau: SCORED.change(tau=round(tau, 10)))(
            "τ", 0.01, 0.99, step=0.01, format="%.2f", width=130, help="A term is predicted where its score ≥ τ."
        )
        end = "_w" if point.weighted else ""
        for value in (f"F_max{end}", f"S_min{end}"):
            best = evaluation.best(point.system, point.namespace, value)
            st.button(
                escaped(f"{value} at {best:g}"),
                key=f"scored_to_{value}",
                type="tertiary",
                disabled=best == point.tau,
                on_click=SCORED.change,
                kwargs={"tau": best},
            )


@st.fragment
def _targets() -> None:
    """List the targets, those with the largest error first. Turning its pages redraws only this."""
    at = SCORED.value.targets
    if at is None:
        return
    more = len(at.table) - MOST
    words = "Largest S first; of terms above others only the lowest are named."
    if more > 0:
        words += f" {more:,} targets with a smaller S are not listed."
    if at.evaluation.protocol.propagation == "fill":
        words += " With “fill”, a term above a predicted one may be not predicted; the Explorer counts it all the same."
    st.caption(words)
    space = at.scored.space

    def line(row: Any) -> Line:
        sides = (classes_in_words(space.hierarchy, side) for side in at.terms(row.number))
        numbers = (f"{value:.2f}" for value in (row.mi, row.ru, row.s))
        return Line(str(space.targets[row.number]), row.number, (*sides, *numbers))

    show_list(
        f"scored|{at.point}",
        list(zip(("target", "true", "predicted", "mi", "ru", "S"), WIDTHS, strict=True)),
        min(len(at.table), MOST),
        lines=lambda part: map(line, at.table.iloc[part].itertuples()),
        series=partial(_series, at),
        measures=("wF", "S") if at.point.weighted else ("hF", "S"),
        opening="scored_open",
    )


def _series(at: TargetsAt) -> Series:
    point, table = at.point, at.table.iloc[:MOST]
    about = f"largest S of {point.system} in {point.namespace} at τ {point.tau:g}"
    titles = [f"{name} · {point.system}, τ {point.tau:g}" for name in table.index]
    return series_of("target", about, titles, lambda place, title: at.shown(int(table["number"].iloc[place]), title))
