"""Evaluations of scored terms for the Systems page, and the targets behind a point of a curve. They
run in a job, without Streamlit; the protocol is hiermeasures.cafa.protocol's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from hiermeasures.app.job import Progress
from hiermeasures.app.systems.data import File, once, reading, unique_names
from hiermeasures.app.systems.examples import TITLE, example_files
from hiermeasures.cafa.protocol import ScoredTargets, cafa_evaluate, counted_information
from hiermeasures.cafa.sums import CafaReport, Normalisation, Propagation
from hiermeasures.core.options import Options
from hiermeasures.explorer.state import Shown
from hiermeasures.formats.annotations import Annotations, read_annotations, read_weights
from hiermeasures.formats.ontology import Ontology, read_ontology
from hiermeasures.measures.sets import SpecificClasses


@dataclass(frozen=True)
class Protocol:
    """Settings of the protocol."""

    normalisation: Normalisation = "cafa"
    propagation: Propagation = "max"
    orphans: bool = True


@dataclass(frozen=True)
class ScoredRequest:
    """Files of an evaluation. Without `information` it is counted over the truth."""

    ontology: File
    true: File
    systems: tuple[File, ...]
    information: File | None = None
    protocol: Protocol = Protocol()


@dataclass(frozen=True, eq=False)
class ScoredFiles:
    """Files as read; `weights` are those of `weights_from`."""

    title: str
    ontology: Ontology
    true: Annotations
    systems: Mapping[str, Annotations]
    weights: Mapping[str, float]
    weights_from: str


@dataclass(frozen=True, eq=False)
class ScoredEvaluation:
    """The report on some files."""

    files: ScoredFiles
    protocol: Protocol
    report: CafaReport

    @cached_property
    def best_values(self) -> pd.DataFrame:
        """Best values of the report, by system and namespace."""
        return self.report.best().set_index(["filename", "ns"])

    def best(self, system: str, namespace: str, value: str) -> float:
        """Return the threshold that reaches a best value."""
        return float(self.best_values.at[(system, namespace), f"{value}_tau"])

    def curve(self, system: str, namespace: str) -> pd.DataFrame:
        """Return the rows of a system and a namespace, in the order of the thresholds."""
        table = self.report.table
        return table[(table["filename"] == system) & (table["ns"] == namespace)]

    @property
    def namespaces(self) -> list[str]:
        """Namespaces in which something was evaluated."""
        return list(dict.fromkeys(self.report.table["ns"]))

    def systems(self, namespace: str) -> list[str]:
        """Return the systems that predict something in a namespace."""
        table = self.report.table
        return list(dict.fromkeys(table["filename"][table["ns"] == namespace]))


@dataclass(frozen=True)
class Point:
    """A point of a curve: a system in a namespace at a threshold, its terms weighted or not."""

    system: str
    namespace: str
    tau: float
    weighted: bool


@dataclass(frozen=True, eq=False)
class TargetsAt:
    """The targets behind a point of an evaluation, those with the largest error first."""

    evaluation: ScoredEvaluation
    point: Point
    table: pd.DataFrame

    @property
    def scored(self) -> ScoredTargets:
        return self.evaluation.report.scored[self.point.system, self.point.namespace]

    def terms(self, number: int) -> tuple[frozenset[str], frozenset[str]]:
        """Return the true and the predicted terms of a target; ancestors of others are implied and
        left out.
        """
        h = self.scored.space.hierarchy
        sides = self.scored.terms(number, self.point.tau)
        true, predicted = (frozenset(SpecificClasses.of(h, side).classes) for side in sides)
        return true, predicted

    def shown(self, number: int, title: str) -> Shown:
        """Return the target as an instance for the Explorer."""
        true, predicted = self.terms(number)
        h = self.scored.hierarchy
        chosen: dict[str, object] = {"class_weights": "given"} if self.point.weighted else {}
        if not self.evaluation.protocol.orphans and not h.virtual_root:
            chosen["count_root"] = False
        return Shown.make(h, true, predicted, title=title, options=Options.make(chosen)).named()


# --- reading and evaluating -----------------------------------------------------------------------


def evaluate_scored_files(request: ScoredRequest, progress: Progress) -> ScoredEvaluation:
    """Read all files and evaluate them. Raises FieldError for a file that cannot be used."""
    with reading(progress, len(request.systems)) as stage:
        stage("ontology", 0)
        ontology = request.ontology.checked().read(read_ontology)
        stage("true", 0)
        true = request.true.checked().read(read_annotations, scored=False)
        systems = {}
        for number, (name, file) in enumerate(unique_names(request.systems).items()):
            stage("systems", number)
            systems[name] = replace(file.checked().read(read_annotations, scored=True), name=name)
        stage("information", 0)
        given = request.information
        weights = counted_information(ontology, true) if given is None else given.checked().read(read_weights)
    files = ScoredFiles(
        title=request.true.name,
        ontology=ontology,
        true=true,
        systems=systems,
        weights=weights,
        weights_from=given.name if given else "",
    )
    return evaluated(files, request.protocol, progress)


def evaluated(files: ScoredFiles, protocol: Protocol, progress: Progress) -> ScoredEvaluation:
    """Return an evaluation of the same files by a protocol."""
    doing, count = "", len(files.systems)

    def in_turn() -> Iterator[Annotations]:
        nonlocal doing
        for number, annotations in enumerate(files.systems.values(), 1):
            doing = f"Evaluating system {number} of {count}; targets"
            progress(doing, 0, 0)
            yield annotations

    report = cafa_evaluate(
        files.ontology,
        files.true,
        in_turn(),
        information=files.weights,
        normalisation=protocol.normalisation,
        propagation=protocol.propagation,
        orphans=protocol.orphans,
        keep=True,
        progress=lambda done, total: progress(doing, done, total),
        announce=lambda text: progress(text[:1].upper() + text[1:].rstrip(" …."), 0, 0),
    )
    return ScoredEvaluation(files, protocol, report)


@once
def evaluated_scored_example(progress: Progress) -> ScoredEvaluation:
    """Return an evaluation of the built-in example."""
    ontology, true, *systems = (File(name.rpartition("/")[2], text.encode()) for name, text in example_files().items())
    read = evaluate_scored_files(ScoredRequest(ontology, true, tuple(systems)), progress)
    return replace(read, files=replace(read.files, title=TITLE))


def targets_at(evaluation: ScoredEvaluation, point: Point, progress: Progress) -> TargetsAt:
    """Return the targets behind a point of a curve."""
    scored = evaluation.report.scored[point.system, point.namespace]
    table = scored.at(
        point.tau, weighted=point.weighted, progress=lambda done, total: progress("Looking at the targets", done, total)
    )
    return TargetsAt(evaluation, point, table)
