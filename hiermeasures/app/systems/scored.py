"""Scored terms on the Systems page: settings, best values, curves, and the targets behind a point
of a curve.

Files are read and evaluated in data.py, in a job.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.app.binding import Slot, bind, setting
from hiermeasures.app.components import CHART, chart, dark, selected_data, show_panel, stacking_columns
from hiermeasures.app.files import FileInput, Form, evaluate_given, files_in
from hiermeasures.app.job import Working, follow, outdated, show_progress
from hiermeasures.app.systems import data, figures
from hiermeasures.app.systems.data import UTENSILS, Point, Protocol, ScoredEvaluation, TargetsAt
from hiermeasures.app.systems.form import MOST_REMARKS, remarks_beside
from hiermeasures.app.systems.instances import Listing, in_words
from hiermeasures.cafa.sums import NORMALISATIONS, PROPAGATIONS
from hiermeasures.picture.panel import Column, Row, Table, Text
from hiermeasures.picture.text import escaped

INPUTS = {
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
VALUES = {
    "F_max": "The highest F over all thresholds; F is the harmonic mean of the mean precision and the mean recall.",
    "F_max_w": "The same with terms weighted by information.",
    "S_min": "The lowest √(mi² + ru²) over all thresholds, of the mean misinformation and remaining uncertainty.",
    "S_min_w": "The same with terms weighted by information.",
}


@dataclass(frozen=True)
class ScoredModel(Working):
    """State of the evaluation of scored terms.

    `protocol` is as asked for; the evaluation has the one that it was made by. A namespace or
    system that is not there any more gives way to the first, and `tau` None is the best threshold.
    """

    form: Form = field(default_factory=Form)
    protocol: Protocol = field(default_factory=Protocol)
    evaluation: ScoredEvaluation | None = None
    targets: TargetsAt | None = None
    weighted: bool = True
    namespace: str = ""
    system: str = ""
    tau: float | None = None

    def point(self, evaluation: ScoredEvaluation) -> Point:
        """Return the chosen point."""
        namespaces = evaluation.namespaces
        namespace = self.namespace if self.namespace in namespaces else namespaces[0]
        systems = evaluation.systems(namespace)
        system = self.system if self.system in systems else systems[0]
        tau = self.tau
        if tau is None:
            tau = evaluation.best(system, namespace, "F_max_w" if self.weighted else "F_max")
        return Point(system, namespace, tau, self.weighted)


SCORED: Slot[ScoredModel] = Slot("scored_model", ScoredModel)


def caption(evaluation: ScoredEvaluation) -> str:
    files, report = evaluation.files, evaluation.report
    count, targets = len(files.systems), "; ".join(f"{n:,} targets in {ns}" for ns, n in report.targets.items())
    weights = f"information from {files.weights_from}" if files.weights_from else "information counted over the truth"
    return f"{files.title} · {count} system{'s' * (count != 1)} · {targets} · {weights}"


def taken(result: Any) -> Mapping[str, Any]:
    at = SCORED.value
    if isinstance(result, TargetsAt):
        return {"targets": result}
    same = at.evaluation is not None and at.evaluation.files is result.files
    return {"evaluation": result, "targets": None, "tau": at.tau if same else None, "faults": {}}


def form() -> None:
    """Draw the form for the user's files, and start their evaluation."""
    at = SCORED.value
    title = "Your own files: an ontology, the truth, and one file of predictions per system"
    with st.expander(title, expanded=bool(at.faults or at.fault)):
        given, pressed = files_in("scored", SCORED, INPUTS, {}, {})
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            pressed()
            st.download_button(
                "The example's files",
                UTENSILS.read_bytes,
                UTENSILS.name,
                icon=":material/download:",
                key="scored_example",
                type="tertiary",
                on_click="ignore",
            )
        evaluate_given(SCORED, INPUTS, given, None, lambda report: data.evaluate_scored(given, at.protocol, report))
    notes = at.evaluation.report.notes if at.evaluation is not None else ()
    if len(notes) > MOST_REMARKS:
        with st.expander(f"{len(notes)} notes on these files"):
            st.caption("  \n".join(escaped(f"{note}.") for note in notes))


def results(settled: Callable[[], None]) -> None:
    """Draw the results, and start the job for the requested ones."""
    at = SCORED.value
    assert at.evaluation is not None
    _settings(at.evaluation)
    files, protocol = at.evaluation.files, SCORED.value.protocol
    evaluate = partial(data.evaluate_by, protocol, files)
    follow(SCORED, "evaluate", protocol, at.evaluation.protocol, evaluate)
    settled()
    at = SCORED.value
    evaluation = at.evaluation
    assert evaluation is not None
    point = at.point(evaluation)
    there = at.targets and (at.targets.evaluation, at.targets.point)
    follow(SCORED, "targets", (evaluation, point), there, lambda report: data.targets_at(evaluation, point, report))
    settled()
    at = SCORED.value
    evaluating = at.job is not None and at.purpose != "targets"
    if evaluating:
        show_progress(SCORED)
    with st.container(key="job_results"):
        if evaluating or protocol != evaluation.protocol:
            outdated(evaluation.files.title)
        remarks_beside([f"{note}." for note in evaluation.report.notes])
        _best_values(evaluation, point)
        _curves(evaluation, point)
        _head(evaluation, point)
        if at.job is not None and not evaluating:
            show_progress(SCORED)
        elif at.targets is not None and at.targets.point == point:
            _targets(at.targets)


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
    table, several = evaluation.best_values, len(evaluation.namespaces) > 1
    places = [(system, ns) for ns in evaluation.namespaces for system in evaluation.systems(ns)]
    rows, best = [], False
    for k, (system, ns) in enumerate(places):
        line, others = table.loc[(system, ns)], table.xs(ns, level="ns")
        cells = []
        for key in VALUES:
            strong = len(others) > 1 and line[key] == others[key].agg("min" if key.startswith("S") else "max")
            value = f"{line[key]:.3f} at\u00a0{line[f'{key}_tau']:.2f}"
            cells.append(Text(value, strong=bool(strong), says=f"{line[key]:.6f}"))
            best = best or bool(strong)
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
    note += " The best of a namespace is framed." * best
    show_panel(
        Table("The best values of the systems", columns, tuple(rows), note, wide=True),
        key="scored_best",
        on_choose=look_at,
    )


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

    def pick() -> None:
        for number, tau in selected_data(st.session_state[key])[:1]:
            SCORED.change(system=list(evaluation.files.systems)[int(number)], tau=tau)

    chart(figure, key=key, on_select=pick, selection_mode="points", config=CHART)


# --- targets --------------------------------------------------------------------------------------


def _head(evaluation: ScoredEvaluation, point: Point) -> None:
    st.header(
        f"Targets of {escaped(point.system)} at τ = {point.tau:g}",
        help="S of a target is √(mi² + ru²) of this target alone.",
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        bind(st.selectbox, "scored_system", point.system, lambda name: SCORED.change(system=name, tau=None))(
            "System", evaluation.systems(point.namespace), width=260
        )
        bind(st.number_input, "scored_tau", point.tau, lambda tau: SCORED.change(tau=round(tau, 10)))(
            "τ", 0.01, 0.99, step=0.01, format="%.2f", width=130, help="A term is predicted where its score ≥ τ."
        )
        for value in (f"F_max{point.end}", f"S_min{point.end}"):
            best = evaluation.best(point.system, point.namespace, value)
            st.button(
                escaped(f"{value} at {best:g}"),
                key=f"scored_to_{value}",
                type="tertiary",
                disabled=best == point.tau,
                on_click=SCORED.change,
                kwargs={"tau": best},
            )


def _targets(at: TargetsAt) -> None:
    """List the targets, those with the largest error first."""
    point, space = at.point, at.scored.space
    words = "Largest S first; of terms above others only the lowest are named."
    if at.evaluation.protocol.propagation == "fill":
        words += " With “fill”, a term above a predicted one may be not predicted; the Explorer counts it all the same."
    st.caption(words)

    def cells(row: Any) -> Iterable[str]:
        yield from (in_words(space.hierarchy, side) for side in at.terms(row.number))
        yield from (f"{value:.2f}" for value in (row.mi, row.ru, row.s))

    Listing(
        "target",
        f"largest S of {point.system} in {point.namespace} at τ {point.tau:g}",
        at.table,
        ("target", "true", "predicted", "mi", "ru", "S"),
        cells=cells,
        make=lambda row, title: at.shown(int(row["number"]), title),
        ending=f"{point.system}, τ {point.tau:g}",
        measures=("wF", "S") if point.weighted else ("hF", "S"),
    ).draw()
