"""Values of a file of probabilities against true labels, by name, and sums that give them.

Sums over the instances are taken at thresholds that are chosen beforehand: those of parts of the
instances join to what one run over all gives, to the last bit. Curves over *all* thresholds are no
sums. The micro curve, the areas of classes and the operating curve need the scores of all instances
in one order, as many as there are. At given thresholds they are counts, and their areas are those
under the curves through these points. The mean of the instances' own areas is a sum, and exact, and
so are counts of how far the classes that are ranked first are from the truth, which need no
threshold.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from hiermeasures.core.errors import InputError, check_known
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.codec import Classes, Counts, InstanceCount, Integers, Named, Of, check
from hiermeasures.engine.exact import MOST_COUNTED, added, check_same_settings, means, summed
from hiermeasures.probabilities.curves import (
    CLASS_INTERPOLATIONS,
    MOST_THRESHOLDS,
    ClassAreas,
    ClassInterpolation,
    FileSweep,
    Incoherent,
    Interpolation,
    MicroCurve,
    above,
    area_of_counts,
    check_choices,
    checked_thresholds,
    chunks,
    class_areas,
    instance_areas,
    sweep_of,
)
from hiermeasures.probabilities.files import Truth, true_classes
from hiermeasures.probabilities.mistakes import TOP, MistakeCounts, mistakes_of, ranked_places
from hiermeasures.probabilities.operating import (
    WEIGHTINGS,
    OperatingCurve,
    SeveralTrueClasses,
    Weighting,
    by_name,
    operating_curve,
    sums_at,
)
from hiermeasures.probabilities.probabilities import ProbabilityTable

MOST_TOP, MOST_PLACES = 1000, 2**31
"""Bounds of `top`: of its length, and of its numbers."""
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
class ThresholdSettings:
    """With what sums are made; thresholds rise."""

    thresholds: Annotated[
        tuple[Annotated[float, Field(ge=0, le=1)], ...],
        Field(min_length=1, max_length=MOST_THRESHOLDS),
        Named("thresholds", len),
        Named("points", lambda thresholds: len(thresholds) + 1),
    ]
    interpolation: Interpolation
    count_root: bool
    incoherent: Incoherent
    weights: Weighting
    top: Annotated[tuple[Annotated[int, Field(ge=1, lt=MOST_PLACES)], ...], Field(max_length=MOST_TOP)]


@dataclass(frozen=True, eq=False)
class OperatingSums:
    """Instances with one most specific true class, and sums of what their answers are worth:
    correct, exact, recall, precision (4, thresholds), the last threshold being ∞.
    """

    instances: Annotated[InstanceCount, Named("with one class")]
    sums: Annotated[np.ndarray, Integers("4 points", "with one class")]

    def __add__(self, other: "OperatingSums") -> "OperatingSums":
        return added(self, other, "instances", "sums")


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdPartial:
    """The sums over some instances, which join with those over others: `a + b`. Made by
    `threshold_partial`.

    `instances` counts all, `with_truth` those with a true class. Sums of ratios are integers
    (engine/exact.py), of instances with a true class: `samples` of precision, recall and F1 (3,
    thresholds), `areas` of the area under the curve and of the highest F1 (2). Of `classes`, rising
    numbers of all that are counted somewhere, `predicted` and `right` (thresholds, classes) count
    the instances for which one is predicted, and is right; `true` (classes) those that have it.
    `operating` is None where an instance has several most specific true classes.
    """

    partial_kind: ClassVar = "sweep"
    hierarchy: Annotated[Hierarchy, Of()]
    settings: ThresholdSettings
    instances: Annotated[InstanceCount, Named("instances")]
    with_truth: Annotated[InstanceCount, Named("with truth")]
    samples: Annotated[np.ndarray, Integers("3 thresholds", "with truth")]
    areas: Annotated[np.ndarray, Integers("2", "with truth")]
    classes: Annotated[np.ndarray, Classes("classes")]
    predicted: Annotated[np.ndarray, Counts("thresholds classes", "instances")]
    right: Annotated[np.ndarray, Counts("thresholds classes", "instances")]
    true: Annotated[np.ndarray, Counts("classes", "instances")]
    operating: OperatingSums | None
    mistakes: MistakeCounts

    def __len__(self) -> int:
        return self.instances

    def __repr__(self) -> str:
        return f"ThresholdPartial({len(self.settings.thresholds)} thresholds; {self.instances} instances)"

    def __add__(self, other: "ThresholdPartial") -> "ThresholdPartial":
        if self.hierarchy != other.hierarchy:
            raise InputError("threshold sums of different hierarchies cannot be joined")
        check_same_settings(self.settings, other.settings, "threshold sums", "thresholds")
        theirs = replace(other, classes=np.array(self.hierarchy.numbers_of(other.hierarchy))[other.classes])
        classes = np.union1d(self.classes, theirs.classes)
        sums = ("instances", "with_truth", "samples", "areas", "operating", "mistakes")
        return added(self._of_classes(classes), theirs._of_classes(classes), *sums, "predicted", "right", "true")

    def _of_classes(self, classes: np.ndarray) -> "ThresholdPartial":
        """The same, with counts for these classes, which rise and are all that it has, or more."""
        places = np.searchsorted(classes, self.classes)

        def spread(counts: np.ndarray) -> np.ndarray:
            found = np.zeros((*counts.shape[:-1], len(classes)), np.int64)
            found[..., places] = counts
            return found

        counts: Any = {name: spread(getattr(self, name)) for name in ("predicted", "right", "true")}
        return replace(self, classes=classes, **counts)

    def sent(self) -> "ThresholdPartial":
        """The fields that are written: all."""
        return self

    def received(self) -> "ThresholdPartial":
        """The same, where all of it fits together."""
        taus, predicted, right, true = self.settings.thresholds, self.predicted, self.right, self.true
        check(all(a < b for a, b in zip(taus, taus[1:], strict=False)), "thresholds do not rise")
        check(self.instances * len(self.hierarchy) < MOST_COUNTED, "there are too many instances")
        on_curve = self.operating.instances if self.operating else 0
        check(max(self.with_truth, on_curve) <= self.instances, "there are too few instances")
        rise = (predicted[1:] > predicted[:-1]).any() or (right[1:] > right[:-1]).any()
        check(not rise, "counts rise with the threshold")
        check((right <= predicted).all() and (right <= true).all(), "more is right than predicted or true")
        check((predicted - right <= self.instances - true).all(), "more is wrong than there are instances")
        self.mistakes.check(ranked_places(self.hierarchy, self.settings.top), self.instances)
        return self._of_classes(np.sort(self.classes))

    def report(self, *, interpolation: ClassInterpolation = "counts", unseen: bool = True) -> "ThresholdReport":
        """Read everything off the sums, with the settings of `class_areas`."""
        check_known("interpolation", interpolation, CLASS_INTERPOLATIONS)
        mean_area, mean_best_f1 = means(self.areas, self.with_truth).tolist()
        counts = np.stack([self.predicted.sum(axis=1), self.right.sum(axis=1)])
        taus = np.array(self.settings.thresholds)
        points = np.append(1.0, taus[::-1]), np.zeros(len(taus) + 1, bool), (counts[0, ::-1], counts[1, ::-1])
        return ThresholdReport(
            instances=self.instances,
            undefined=self.instances - self.with_truth,
            sweep=sweep_of(taus, self.samples, self.with_truth, counts, int(self.true.sum())),
            mean_area=mean_area,
            mean_best_f1=mean_best_f1,
            micro=MicroCurve.through(*points, int(self.true.sum()), self.settings.interpolation),
            classes=self._class_areas(interpolation, unseen),
            operating=self._operating(taus),
            mistakes=self.mistakes,
        )

    def _class_areas(self, interpolation: ClassInterpolation, unseen: bool) -> ClassAreas:
        def area(classes: np.ndarray) -> float:
            """Area under the points that predict some of these, and the one that predicts all."""
            places = np.isin(self.classes, classes)
            predicted = np.append(self.predicted[::-1, places].sum(axis=1), len(classes) * self.instances)
            tp = np.append(self.right[::-1, places].sum(axis=1), self.true[places].sum())
            points = np.flatnonzero(np.diff(predicted, prepend=0))
            return area_of_counts(tp[points].astype(np.float64), (predicted - tp)[points], interpolation)

        times = np.zeros(len(self.hierarchy), np.int64)
        times[self.classes] = self.true
        root = self.settings.count_root
        how: dict[str, Any] = {"count_root": root, "unseen": unseen, "interpolation": interpolation}
        return ClassAreas.of(self.hierarchy, times, area, **how)

    def _operating(self, taus: np.ndarray) -> OperatingCurve | None:
        if self.operating is None or not self.operating.instances:
            return None
        worth = by_name(means(self.operating.sums, self.operating.instances)[:, ::-1])
        falling = np.append(taus, np.inf)[::-1]
        return OperatingCurve(self.hierarchy, falling, weights=self.settings.weights, **worth)


@dataclass(frozen=True, eq=False)
class ThresholdReport:
    """The result of `ThresholdPartial.report`: numbers of instances, in all and without a true
    class, and

    - exact: `sweep` (file_sweep), `mean_area` and `mean_best_f1` (of instance_areas), `mistakes`
      (mistakes_of);
    - through the given thresholds alone: `micro` (micro_curve), `classes` (class_areas) and
      `operating` (operating_curve; None where it was left out), whose areas are nearer to the exact
      ones the finer the thresholds.

    A class is predicted above a threshold; on the operating curve an answer reaches it. At the last
    point of a class's curve everything is predicted.
    """

    instances: int
    undefined: int
    sweep: FileSweep
    mean_area: float
    mean_best_f1: float
    micro: MicroCurve
    classes: ClassAreas
    operating: OperatingCurve | None
    mistakes: MistakeCounts


def threshold_partial(
    table: ProbabilityTable,
    true: Truth,
    thresholds: Sequence[float] | np.ndarray | None = None,
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    weights: Weighting = "leaves",
    top: Sequence[int] = TOP,
) -> ThresholdPartial:
    """The sums over some instances of what a file of probabilities gives at some thresholds: a
    result that joins with those over the other instances (`hiermeasures.merge`).

    However the instances are cut into parts, the report of all parts joined is, to the last bit,
    that of one `threshold_partial` over all. What is kept does not grow with their number: two
    counts for each threshold and class. Parts whose hierarchies number the classes differently
    join, too; but on operating curves the first of equally likely classes in the order of the
    hierarchy counts, so that this order should be the same.

    Parameters
    ----------
    table : ProbabilityTable
    true : TrueClasses, or what `true_classes` takes
    thresholds : sequence of float in [0, 1], optional
        By default 0, 0.01, … 1; the same for all parts.
    interpolation, count_root, incoherent
        As for `instance_areas` and `file_sweep`.
    weights : "leaves", "one" or "given"
        As for `operating_curve`.
    top : sequence of int
        For which k the distances of the first k leaves are counted, as for `scored_report`.

    Raises
    ------
    InputError
        As `instance_areas`, `file_sweep` and `operating_curve`; but where an instance has several
        most specific true classes, the operating curve is left out.

    Examples
    --------
    >>> from hiermeasures import merge
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.75, 0.25, 0.5, 0.25]], ["1", "2", "3", "4"])
    >>> report = merge(threshold_partial(table, [{c}], [0, 0.25, 0.5]) for c in "34").report()
    >>> report.instances, report.mean_area, report.sweep.samples_f1.tolist()
    (2, 0.875, [0.6666666666666666, 0.75, 0.6666666666666666])
    """
    check_choices(interpolation, incoherent)
    check_known("weights", weights, WEIGHTINGS)
    taus = np.unique(checked_thresholds(thresholds))
    if len(top) > MOST_TOP or not all(isinstance(k, int) and 1 <= k < MOST_PLACES for k in top):
        raise InputError(f"top is a list of whole numbers from 1 to {MOST_PLACES - 1:,}, of {MOST_TOP:,} at most")
    settings = ThresholdSettings(
        tuple(taus.tolist()), interpolation, count_root, incoherent=incoherent, weights=weights, top=tuple(top)
    )
    truth = true_classes(table, true)
    samples = np.zeros((3, len(taus)), object)
    predicted, right = np.zeros((2, len(taus), len(table.hierarchy)), np.int64)
    for chunk in chunks(table, truth, count_root, incoherent):
        samples += chunk.ratios(*chunk.at(taus))
        n, classes = chunk.chance.shape
        predicted += above(taus, chunk.chance.ravel(), np.tile(np.arange(classes), n), classes).T
        right += above(taus, chunk.likely, chunk.classes, classes).T
    areas = instance_areas(table, truth, interpolation=interpolation, count_root=count_root, incoherent=incoherent)
    some = ~np.isnan(areas.areas)
    times = np.bincount(truth.idx, minlength=len(table.hierarchy))
    times[0] *= count_root
    seen = np.flatnonzero(times + predicted[0])
    places = ranked_places(table.hierarchy, top)
    return ThresholdPartial(
        hierarchy=table.hierarchy,
        settings=settings,
        instances=len(table),
        with_truth=int(some.sum()),
        samples=samples,
        areas=summed(np.stack([areas.areas[some], areas.best_f1[some]])),
        classes=seen,
        predicted=predicted[:, seen],
        right=right[:, seen],
        true=times[seen],
        operating=_operating(table, truth, weights, taus),
        mistakes=mistakes_of(table, truth, places=places).counts(places),
    )


def _operating(table: ProbabilityTable, truth: Truth, weights: Weighting, taus: np.ndarray) -> OperatingSums | None:
    try:
        return OperatingSums(*sums_at(table, truth, weights, np.append(taus, np.inf)))
    except SeveralTrueClasses:
        return None


# --- by name ------------------------------------------------------------------------------------


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
