"""What is reported of a file of probabilities against true labels, without a threshold: the areas of class_curves.py,
the distances of mistakes.py and the curve of operating.py, by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hiermeasures.inference.class_curves import ClassInterpolation, class_areas
from hiermeasures.inference.curves import Incoherent
from hiermeasures.inference.file_curves import LabelRows
from hiermeasures.inference.mistakes import mistakes_of
from hiermeasures.inference.operating import SeveralTrueClasses, Weighting, operating_curve
from hiermeasures.inference.probabilities import ProbabilityTable

TOP = (1, 5)
CORRECT = (0.9, 0.95)
_WORDS = {
    "AUPRC_pooled": "The area under the precision–recall curve of the counts summed over all classes (Vens et al. "
    "2008).",
    "AUPRC_macro": "The mean area under the curves of the classes.",
    "AUPRC_weighted": "The same, each class by how many instances have it.",
    "severity": "Mistake severity: the mean distance of the first leaf where it is wrong (Bertinetto et al. 2020).",
    "distance": "The mean distance of the first k leaves from the truth, k being the number behind @.",
    "accuracy": "The share of instances with a true class among the first k leaves.",
    "AC": "Average correct: the area under the share of correct answers over recall (Valmadre 2022).",
    "AP": "Average precision: the area under wP over wR, as the threshold falls.",
    "R": "The highest recall with at least so many percent of the answers correct.",
}


@dataclass(frozen=True)
class ScoredReport:
    """The values by name, nan where there is none, and what was left out or taken otherwise than asked, in `notes`."""

    values: dict[str, float]
    notes: tuple[str, ...]

    @property
    def words(self) -> dict[str, str]:
        """What each value is, in a sentence."""
        return {name: _WORDS[name.partition("@")[0]] for name in self.values}


def scored_report(
    table: ProbabilityTable,
    true: LabelRows,
    *,
    top: Sequence[int] = TOP,
    interpolation: ClassInterpolation = "counts",
    incoherent: Incoherent = "augment",
    weights: Weighting = "leaves",
) -> ScoredReport:
    """Everything that is read off scores and no threshold.

    Parameters
    ----------
    table : ProbabilityTable
    true :
        What `true_classes` takes.
    top : sequence of int
        For which k distances and accuracies of the first k leaves are given.
    interpolation, incoherent :
        As for `class_areas`.
    weights :
        As for `operating_curve`.

    Raises
    ------
    InputError
        As those; but where an instance has several most specific true classes, the operating curve is left out.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.5, 0.2, 0.3], [0.2, 0.1, 0.7]], ["3", "4", "2"], kind="leaves")
    >>> found = scored_report(table, [{"3"}, {"4"}], top=[1])
    >>> found.values["severity"], found.values["distance@1"]
    (2.0, 1.0)
    """
    notes = []
    areas = class_areas(table, true, interpolation=interpolation, incoherent=incoherent)
    values = {"AUPRC_pooled": areas.pooled, "AUPRC_macro": areas.macro, "AUPRC_weighted": areas.weighted}
    if areas.unseen:
        notes.append(f"classes that no instance has, which count in AUPRC_pooled only: {len(areas.unseen):,}")
    leaves = len(table.hierarchy.leaves)
    ranked = [k for k in top if k <= leaves]
    here = "is 1 leaf" if leaves == 1 else f"are {leaves:,} leaves"
    notes += [f"distance@{k} and accuracy@{k} left out: there {here}" for k in top if k > leaves]
    mistakes = mistakes_of(table, true, places=max(ranked, default=1))
    values["severity"] = mistakes.severity
    for k in ranked:
        values |= {f"distance@{k}": mistakes.average_distance(k), f"accuracy@{k}": mistakes.accuracy(k)}
    if mistakes.left_out:
        notes.append(
            f"instances without a true class, which count in the areas of classes only: {len(mistakes.left_out):,}"
        )
    try:
        curve = operating_curve(table, true, weights=weights)
    except SeveralTrueClasses as error:
        notes.append(f"no operating curve (AC, AP, R@C): {error}")
    else:
        values |= {"AC": curve.average_correct, "AP": curve.average_precision}
        values |= {f"R@{100 * share:g}C": curve.recall_at_correct(share) for share in CORRECT}
    return ScoredReport(values, tuple(notes))
