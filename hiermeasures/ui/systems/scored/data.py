"""What the evaluation of scored terms reads and computes. Runs in a job, without Streamlit.

The protocol is hiermeasures.inference.cafa's; here each fault is tied to the field that it belongs to, progress is put
into words, and a target becomes an instance for the Explorer.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import pandas as pd

from hiermeasures.errors import InputError
from hiermeasures.inference.cafa import ScoredTargets, cafa_evaluate, counted_information
from hiermeasures.inference.cafa_sums import CafaReport, Normalisation, Propagation
from hiermeasures.io.annotations import Annotations, read_annotations
from hiermeasures.io.ontology import Ontology, read_ontology
from hiermeasures.io.weights import read_weights
from hiermeasures.measures.specific import SpecificClasses
from hiermeasures.options import Options
from hiermeasures.ui.job import FieldError, Progress
from hiermeasures.ui.state import Shown
from hiermeasures.ui.systems.data import File, unique_names
from hiermeasures.ui.systems.scored.example import TITLE as EXAMPLE_TITLE
from hiermeasures.ui.systems.scored.example import example_files

ScoredField = Literal["ontology", "true", "systems", "information"]


@dataclass(frozen=True)
class Protocol:
    """How it is evaluated."""

    normalisation: Normalisation = "cafa"
    propagation: Propagation = "max"
    orphans: bool = True


@dataclass(frozen=True)
class ScoredRequest:
    """The files of an evaluation. Without `information` it is counted over the truth."""

    ontology: File
    true: File
    systems: tuple[File, ...]
    information: File | None = None
    protocol: Protocol = Protocol()


@dataclass(frozen=True, eq=False)
class ScoredFiles:
    """What was read; `weights` are those of `weights_from`."""

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
        """The best values of the report, by system and namespace."""
        return self.report.best().set_index(["filename", "ns"])

    def best(self, system: str, namespace: str, value: str) -> float:
        """The threshold that reaches a best value."""
        return float(self.best_values.at[(system, namespace), f"{value}_tau"])

    def curve(self, system: str, namespace: str) -> pd.DataFrame:
        """The rows of a system and a namespace, in the order of the thresholds."""
        table = self.report.table
        return table[(table["filename"] == system) & (table["ns"] == namespace)]

    @property
    def namespaces(self) -> list[str]:
        """Those in which something was evaluated."""
        return list(dict.fromkeys(self.report.table["ns"]))

    def systems(self, namespace: str) -> list[str]:
        """The systems that predict something in a namespace."""
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
        """The true and the predicted terms of a target without those above others: the hierarchy implies them."""
        h = self.scored.space.hierarchy
        sides = self.scored.terms(number, self.point.tau)
        true, predicted = (frozenset(SpecificClasses.of(h, side).classes) for side in sides)
        return true, predicted

    def shown(self, number: int, title: str) -> Shown:
        """The target as an instance for the Explorer."""
        true, predicted = self.terms(number)
        h = self.scored.hierarchy
        chosen: dict[str, object] = {"class_weights": "given"} if self.point.weighted else {}
        if not self.evaluation.protocol.orphans and not h.virtual_root:
            chosen["count_root"] = False
        return Shown.make(h, true, predicted, title=title, options=Options.make(chosen))


# --- reading and evaluating ---------------------------------------------------------------------------------------


def evaluate_scored_files(request: ScoredRequest, progress: Progress) -> ScoredEvaluation:
    """Read all files and evaluate them. Raises FieldError for a file that cannot be used."""
    with _beside("ontology"):
        progress("Reading the ontology", 0, 0)
        ontology = request.ontology.checked().read(read_ontology)
    with _beside("true"):
        progress("Reading the truth", 0, 0)
        true = request.true.checked().read(read_annotations, scored=False)
    systems = {}
    with _beside("systems"):
        for number, (name, file) in enumerate(unique_names(request.systems).items()):
            progress("Reading the systems' files", number, len(request.systems))
            systems[name] = replace(file.checked().read(read_annotations, scored=True), name=name)
    with _beside("information"):
        progress("Weighing the terms", 0, 0)
        given = request.information
        weights = counted_information(ontology, true) if given is None else given.checked().read(read_weights)
    files = ScoredFiles(request.true.name, ontology, true, systems, weights, given.name if given else "")
    return evaluated(files, request.protocol, progress)


@contextmanager
def _beside(field: ScoredField) -> Iterator[None]:
    """Ties what goes wrong inside to a field of the form."""
    try:
        yield
    except InputError as error:
        raise FieldError(field, str(error)) from None
    except OSError as error:
        raise FieldError(field, f"cannot be read ({error.strerror or error})") from None


def evaluated(files: ScoredFiles, protocol: Protocol, progress: Progress) -> ScoredEvaluation:
    """The same files by a protocol."""
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


_example: list[ScoredEvaluation] = []


def evaluated_scored_example(progress: Progress) -> ScoredEvaluation:
    """The built-in example; the same in every session, so it is evaluated once."""
    if not _example:
        texts = {name: File(name.rpartition("/")[2], text.encode()) for name, text in example_files().items()}
        ontology, true, *systems = texts.values()
        read = evaluate_scored_files(ScoredRequest(ontology, true, tuple(systems)), progress)
        _example.append(replace(read, files=replace(read.files, title=EXAMPLE_TITLE)))
    return _example[0]


def targets_at(evaluation: ScoredEvaluation, point: Point, progress: Progress) -> TargetsAt:
    """The targets behind a point."""
    scored = evaluation.report.scored[point.system, point.namespace]
    table = scored.at(
        point.tau, weighted=point.weighted, progress=lambda done, total: progress("Looking at the targets", done, total)
    )
    return TargetsAt(evaluation, point, table)
