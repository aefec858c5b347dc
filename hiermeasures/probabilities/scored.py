"""Values of a file of probabilities against true labels that need no threshold: the areas of
class_curves.py, the distances of mistakes.py and the curve of operating.py, by name; and the same
of sums over parts of a file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hiermeasures.probabilities.class_curves import ClassAreas, ClassInterpolation, class_areas
from hiermeasures.probabilities.curves import Incoherent
from hiermeasures.probabilities.file_curves import Truth, true_classes
from hiermeasures.probabilities.mistakes import TOP, MistakeCounts, mistakes_of, ranked_places
from hiermeasures.probabilities.operating import OperatingCurve, SeveralTrueClasses, Weighting, operating_curve
from hiermeasures.probabilities.probabilities import ProbabilityTable
from hiermeasures.probabilities.threshold_sums import ThresholdPartial

CORRECT = (0.9, 0.95)
BY_POINTS = "_by_points"
"""Ends the names of areas under the points of a curve at given thresholds."""
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
    """Values by name, nan where there is none; `notes` say what was left out."""

    values: dict[str, float]
    notes: tuple[str, ...]

    @property
    def words(self) -> dict[str, str]:
        """A sentence on each value."""
        return {name: _WORDS[name.partition("@")[0].removesuffix(BY_POINTS)] for name in self.values}


def scored_report(
    table: ProbabilityTable,
    true: Truth,
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
    true : TrueClasses, or what `true_classes` takes
    top : sequence of int
        For which k distances and accuracies of the first k leaves are given.
    interpolation, incoherent :
        As for `class_areas`.
    weights :
        As for `operating_curve`.

    Raises
    ------
    InputError
        As those; but where an instance has several most specific true classes, the operating curve
        is left out.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.5, 0.2, 0.3], [0.2, 0.1, 0.7]], ["3", "4", "2"], kind="leaves")
    >>> found = scored_report(table, [{"3"}, {"4"}], top=[1])
    >>> found.values["severity"], found.values["distance@1"]
    (2.0, 1.0)
    """
    h, truth = table.hierarchy, true_classes(table, true)
    areas = class_areas(table, truth, interpolation=interpolation, incoherent=incoherent)
    places = ranked_places(h, top)
    mistakes = mistakes_of(table, truth, places=places)
    values = _areas(areas) | _mistakes(mistakes.counts(places), top)
    notes = [*_notes(areas, top, len(h.leaves), len(mistakes.left_out))]
    try:
        values |= _of_curve(operating_curve(table, truth, weights=weights))
    except SeveralTrueClasses as error:
        notes.append(f"no operating curve (AC, AP, R@C): {error}")
    return ScoredReport(values, tuple(notes))


def scored_report_of_sums(sums: ThresholdPartial, *, interpolation: ClassInterpolation = "counts") -> ScoredReport:
    """The same of all instances that some sums are of.

    Distances and accuracies are those of one `scored_report`, to the last bit. The exact areas
    under curves need all scores at once: what stands in their place are the areas under the points
    of the curves at the thresholds of the sums, whose names end in `_by_points`.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, merge
    >>> from hiermeasures.probabilities import threshold_partial
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> numbers = {"3": [0.5, 0.2, 0.3], "4": [0.2, 0.1, 0.7]}
    >>> tables = {c: ProbabilityTable.of(h, [row], ["3", "4", "2"], kind="leaves") for c, row in numbers.items()}
    >>> found = scored_report_of_sums(merge(threshold_partial(table, [{c}]) for c, table in tables.items()))
    >>> found.values["severity"], found.values["distance@1"]
    (2.0, 1.0)
    """
    report = sums.report(interpolation=interpolation)
    top, thresholds = sums.settings.top, sums.settings.thresholds
    by_points = _areas(report.classes) | (_of_curve(report.operating) if report.operating else {})
    values = _mistakes(report.mistakes, top) | {f"{name}{BY_POINTS}": value for name, value in by_points.items()}
    notes = [
        f"areas under curves are those under their points at {len(thresholds):,} thresholds from {thresholds[0]:g} to "
        f"{thresholds[-1]:g}; the exact ones need all scores at once",
        *_notes(report.classes, top, len(sums.hierarchy.leaves), len(sums) - len(report.mistakes)),
    ]
    if not report.operating:
        why = "an instance has several most specific classes" if sums.operating is None else "no instance has a class"
        notes.append(f"no operating curve (AC, AP, R@C): {why}")
    return ScoredReport(values, tuple(notes))


def _areas(areas: ClassAreas) -> dict[str, float]:
    return {"AUPRC_pooled": areas.pooled, "AUPRC_macro": areas.macro, "AUPRC_weighted": areas.weighted}


def _mistakes(counts: MistakeCounts, top: Sequence[int]) -> dict[str, float]:
    values = {"severity": counts.severity}
    for k in top:
        if k <= len(counts.ranked):
            values |= {f"distance@{k}": counts.average_distance(k), f"accuracy@{k}": counts.accuracy(k)}
    return values


def _of_curve(curve: OperatingCurve) -> dict[str, float]:
    reached = {f"R@{100 * share:g}C": curve.recall_at_correct(share) for share in CORRECT}
    return {"AC": curve.average_correct, "AP": curve.average_precision, **reached}


def _notes(areas: ClassAreas, top: Sequence[int], leaves: int, left_out: int) -> Iterator[str]:
    if areas.unseen:
        yield f"classes that no instance has, which count in AUPRC_pooled only: {len(areas.unseen):,}"
    here = "is 1 leaf" if leaves == 1 else f"are {leaves:,} leaves"
    yield from (f"distance@{k} and accuracy@{k} left out: there {here}" for k in top if k > leaves)
    if left_out:
        yield f"instances without a true class, which count in the areas of classes only: {left_out:,}"
