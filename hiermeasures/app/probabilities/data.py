"""Evaluation of a whole file for the Probabilities page, in a job: the areas under curves, a sweep
of thresholds, and what needs no threshold. Nothing of Streamlit is used here.
"""

from dataclasses import dataclass
from typing import Any

from hiermeasures.app.job import Progress
from hiermeasures.formats.labels import LabelFile
from hiermeasures.probabilities import (
    FileSweep,
    InstanceAreas,
    MicroCurve,
    ProbabilityTable,
    ScoredReport,
    file_sweep,
    instance_areas,
    micro_curve,
    scored_report,
    table_coherence,
    true_classes,
)
from hiermeasures.probabilities.curves import Incoherent, Interpolation
from hiermeasures.probabilities.files import match_labels


@dataclass(frozen=True)
class Asked:
    """Probabilities from a file of this title, their true labels, and how curves are read."""

    title: str
    table: ProbabilityTable
    truth: LabelFile
    interpolation: Interpolation
    incoherent: Incoherent
    count_root: bool


@dataclass(frozen=True, eq=False)
class Evaluated:
    """A file of probabilities against its true labels."""

    asked: Asked
    labels: tuple[frozenset[str], ...]
    areas: InstanceAreas
    micro: MicroCurve
    sweep: FileSweep
    notes: tuple[str, ...]
    incoherent: bool

    @property
    def table(self) -> ProbabilityTable:
        return self.asked.table


def evaluated(asked: Asked, report: Progress) -> Evaluated:
    """Evaluate a file. Raises InputError where labels and probabilities do not fit together."""
    table = asked.table
    labels, notes = match_labels(table, asked.truth)
    classes = true_classes(table, labels)
    how: dict[str, Any] = {"count_root": asked.count_root, "incoherent": asked.incoherent}
    report("The area of each instance", 0, 0)
    areas = instance_areas(table, classes, interpolation=asked.interpolation, **how)
    report("One threshold for all instances", 0, 0)
    sweep = file_sweep(table, classes, **how)
    report("The curve of all instances together", 0, 0)
    micro = micro_curve(table, classes, interpolation=asked.interpolation, **how)
    report("Whether the probabilities are coherent", 0, 0)
    coherence = table_coherence(table)
    odd = bool(coherence.above_parent.any() or coherence.siblings_over.any())
    remarks = (*table.notes, *asked.truth.notes, *notes, coherence.sentence)
    return Evaluated(asked, tuple(labels), areas=areas, micro=micro, sweep=sweep, notes=remarks, incoherent=odd)


def scored(work: Evaluated, report: Progress) -> ScoredReport:
    """Return values that need no threshold. Raises InputError without any true class."""
    report("Curves of classes and ranked leaves", 0, 0)
    return scored_report(work.table, work.labels, incoherent=work.asked.incoherent)
