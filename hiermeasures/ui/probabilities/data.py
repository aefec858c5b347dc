"""What the Probabilities page has computed of a whole file, in a job: the areas under curves, a sweep of thresholds,
and what needs no threshold.

All numbers are those of hiermeasures.inference; nothing of Streamlit is used here.
"""

from dataclasses import dataclass

from hiermeasures.inference import (
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
from hiermeasures.inference.curves import Incoherent, Interpolation
from hiermeasures.inference.files import match_labels
from hiermeasures.io.labels import LabelFile
from hiermeasures.ui.job import Progress


@dataclass(frozen=True)
class Asked:
    """Probabilities, the true labels of their instances, and how curves are read. `title` is the probabilities'
    file's.
    """

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

    @property
    def table(self) -> ProbabilityTable:
        return self.asked.table


def evaluated(asked: Asked, report: Progress) -> Evaluated:
    """Evaluate a file. Raises InputError where labels and probabilities do not fit together."""
    table = asked.table
    labels, notes = match_labels(table, asked.truth)
    classes = true_classes(table, labels)
    report("The area of each instance", 0, 0)
    areas = instance_areas(
        table, classes, interpolation=asked.interpolation, count_root=asked.count_root, incoherent=asked.incoherent
    )
    report("One threshold for all instances", 0, 0)
    sweep = file_sweep(table, classes, count_root=asked.count_root, incoherent=asked.incoherent)
    report("The curve of all instances together", 0, 0)
    micro = micro_curve(
        table, classes, interpolation=asked.interpolation, count_root=asked.count_root, incoherent=asked.incoherent
    )
    report("Whether the probabilities are coherent", 0, 0)
    remarks = (*table.notes, *asked.truth.notes, *notes, table_coherence(table).sentence)
    return Evaluated(asked, tuple(labels), areas, micro, sweep, remarks)


def scored(work: Evaluated, report: Progress) -> ScoredReport:
    """What is read off the scores of a file and no threshold. Raises InputError where no instance has a true class."""
    report("Curves of classes and ranked leaves", 0, 0)
    return scored_report(work.table, work.labels, incoherent=work.asked.incoherent)
