"""What a file of probabilities gives at thresholds that are chosen beforehand, as sums over its instances: those of
parts of the instances join to what one run over all gives, to the last bit.

Curves over *all* thresholds are no sums. The micro curve, the areas of classes and the operating curve need the scores
of all instances in one order, as many as there are. At given thresholds they are counts, and their areas are those
under the curves through these points. The mean of the instances' own areas is a sum, and exact, and so are counts of
how far the classes that are ranked first are from the truth, which need no threshold. As bytes all this is written and
read in hiermeasures.inference.threshold_bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np

from hiermeasures.batch.fixed_point import means, summed
from hiermeasures.errors import InputError, unknown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference.class_curves import ClassAreas, ClassInterpolation, area_of_counts, check_interpolation
from hiermeasures.inference.curves import Incoherent, Interpolation, area_under, check_choices
from hiermeasures.inference.file_curves import (
    FileSweep,
    MicroCurve,
    TrueClasses,
    Truth,
    above,
    as_true_classes,
    checked_thresholds,
    chunks,
    each_above,
    instance_areas,
    ratios,
    sweep_of,
)
from hiermeasures.inference.mistakes import TOP, MistakeCounts, mistakes_of, ranked_places
from hiermeasures.inference.operating import WEIGHTINGS, OperatingCurve, SeveralTrueClasses, Weighting, sums_at
from hiermeasures.inference.probabilities import ProbabilityTable

MOST_TOP, MOST_PLACES = 1000, 2**31
"""How many numbers of first leaves are asked for, and the largest."""


@dataclass(frozen=True)
class ThresholdSettings:
    """With what sums are made; thresholds rise."""

    thresholds: tuple[float, ...]
    interpolation: Interpolation
    count_root: bool
    incoherent: Incoherent
    weights: Weighting
    top: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class OperatingSums:
    """The instances with one most specific true class, and the sums of what their answers are worth: correct, exact,
    recall, precision (4, thresholds), the last threshold being ∞.
    """

    instances: int
    sums: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdPartial:
    """The sums over some instances, which join with those over others: `a + b`. Made by `threshold_partial`.

    `instances` counts all, `with_truth` those with a true class. Sums of ratios are integers (batch/fixed_point.py), of
    instances with a true class: `samples` of precision, recall and F1 (3, thresholds), `areas` of the area under the
    curve and of the highest F1 (2). Of `classes`, rising numbers of all that are counted somewhere, `predicted` and
    `right` (thresholds, classes) count the instances for which one is predicted, and is right; `true` (classes) those
    that have it. `operating` is None where an instance has several most specific true classes.
    """

    partial_kind: ClassVar = "sweep"
    hierarchy: Hierarchy
    settings: ThresholdSettings
    instances: int
    with_truth: int
    samples: np.ndarray
    areas: np.ndarray
    classes: np.ndarray
    predicted: np.ndarray
    right: np.ndarray
    true: np.ndarray
    operating: OperatingSums | None
    mistakes: MistakeCounts

    def __len__(self) -> int:
        return self.instances

    def __repr__(self) -> str:
        return f"ThresholdPartial({len(self.settings.thresholds)} thresholds; {self.instances} instances)"

    def __add__(self, other: "ThresholdPartial") -> "ThresholdPartial":
        if self.hierarchy != other.hierarchy:
            raise InputError("threshold sums of different hierarchies cannot be joined")
        for each in fields(ThresholdSettings):
            mine, theirs = getattr(self.settings, each.name), getattr(other.settings, each.name)
            if mine != theirs:
                what = "" if each.name == "thresholds" else f": {mine} in one, {theirs} in the other"
                raise InputError(f"threshold sums of different {each.name} cannot be joined{what}")
        theirs = self.hierarchy.numbers_of(other.hierarchy)[other.classes]
        classes = np.union1d(self.classes, theirs)
        places = [np.searchsorted(classes, numbers) for numbers in (self.classes, theirs)]

        def added(mine: np.ndarray, other: np.ndarray) -> np.ndarray:
            found = np.zeros((*mine.shape[:-1], len(classes)), np.int64)
            for place, counts in zip(places, (mine, other), strict=True):
                found[..., place] += counts
            return found

        return replace(
            self,
            instances=self.instances + other.instances,
            with_truth=self.with_truth + other.with_truth,
            samples=self.samples + other.samples,
            areas=self.areas + other.areas,
            classes=classes,
            predicted=added(self.predicted, other.predicted),
            right=added(self.right, other.right),
            true=added(self.true, other.true),
            operating=_joined(self.operating, other.operating),
            mistakes=self.mistakes + other.mistakes,
        )

    def report(self, *, interpolation: ClassInterpolation = "counts", unseen: bool = True) -> "ThresholdReport":
        """What is read off the sums; `interpolation` and `unseen` are those of `class_areas`."""
        check_interpolation(interpolation)
        mean_area, mean_best_f1 = means(self.areas, self.with_truth).tolist()
        counts = np.stack([self.predicted.sum(axis=1), self.right.sum(axis=1)])
        taus = np.array(self.settings.thresholds)
        return ThresholdReport(
            self.instances,
            self.instances - self.with_truth,
            sweep_of(taus, self.samples, self.with_truth, counts, int(self.true.sum())),
            mean_area,
            mean_best_f1,
            self._micro(taus, counts),
            self._class_areas(interpolation, unseen),
            self._operating(taus),
            self.mistakes,
        )

    def _micro(self, taus: np.ndarray, counts: np.ndarray) -> MicroCurve:
        predicted, shared = counts[:, ::-1]
        total = int(self.true.sum())
        precision = np.append(1.0, np.where(predicted, shared / np.maximum(predicted, 1), 1))
        recall = np.append(0.0, shared / max(total, 1))
        how = self.settings.interpolation
        area = area_under(recall.tolist(), precision.tolist(), how) if total else np.nan
        return MicroCurve(np.append(1.0, taus[::-1]), np.zeros(len(recall), bool), precision, recall, area, how)

    def _class_areas(self, interpolation: ClassInterpolation, unseen: bool) -> ClassAreas:
        h = self.hierarchy
        counted = np.arange(0 if self.settings.count_root else 1, len(h))
        some = self.true > 0

        def area(places: np.ndarray, classes: int) -> float:
            """Under the points of the thresholds that predict some of these, and that where all of so many are."""
            predicted = np.append(self.predicted[::-1, places].sum(axis=1), classes * self.instances)
            tp = np.append(self.right[::-1, places].sum(axis=1), self.true[places].sum())
            points = np.flatnonzero(np.diff(predicted, prepend=0))
            return area_of_counts(tp[points].astype(np.float64), (predicted - tp)[points], interpolation)

        pool = (np.ones_like(some), len(counted)) if unseen else (some, int(some.sum()))
        return ClassAreas(
            tuple(h.nodes[c] for c in self.classes[some]),
            np.array([area(np.array([place]), 1) for place in np.flatnonzero(some)]),
            self.true[some],
            area(*pool) if some.any() else np.nan,
            tuple(h.nodes[c] for c in np.setdiff1d(counted, self.classes[some])),
            interpolation,
        )

    def _operating(self, taus: np.ndarray) -> OperatingCurve | None:
        if self.operating is None or not self.operating.instances:
            return None
        correct, exact, recall, precision = means(self.operating.sums, self.operating.instances)[:, ::-1]
        return OperatingCurve(
            self.hierarchy, np.append(taus, np.inf)[::-1], correct, exact, recall, precision, self.settings.weights, (),
            np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0), (),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ThresholdReport:
    """What `ThresholdPartial.report` reads off: numbers of instances, in all and without a true class, and

    - exact: `sweep` (file_sweep), `mean_area` and `mean_best_f1` (of instance_areas), `mistakes` (mistakes_of);
    - through the given thresholds alone: `micro` (micro_curve), `classes` (class_areas) and `operating`
      (operating_curve; None where it was left out), whose areas are nearer to the exact ones the finer the thresholds.

    A class is predicted above a threshold; on the operating curve an answer reaches it. At the last point of a class's
    curve everything is predicted.
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
    """The sums over some instances of what a file of probabilities gives at some thresholds: a result that joins with
    those over the other instances (`hiermeasures.merge`).

    However the instances are cut into parts, the report of all parts joined is, to the last bit, that of one
    `threshold_partial` over all. What is kept does not grow with their number: two counts for each threshold and class.
    Parts whose hierarchies number the classes differently join, too; but on operating curves the first of equally
    likely classes in the order of the hierarchy counts, so that this order should be the same.

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
        As `instance_areas`, `file_sweep` and `operating_curve`; but where an instance has several most specific true
        classes, the operating curve is left out.

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
    if weights not in WEIGHTINGS:
        raise InputError(unknown("weights", str(weights), list(WEIGHTINGS)))
    taus = np.unique(checked_thresholds(thresholds))
    if len(top) > MOST_TOP or not all(isinstance(k, int) and 1 <= k < MOST_PLACES for k in top):
        raise InputError(f"top is a list of whole numbers from 1 to {MOST_PLACES - 1:,}, of {MOST_TOP:,} at most")
    settings = ThresholdSettings(tuple(taus.tolist()), interpolation, count_root, incoherent, weights, tuple(top))
    truth = as_true_classes(table, true)
    samples = np.zeros((3, len(taus)), object)
    predicted, right = np.zeros((2, len(taus), len(table.hierarchy)), np.int64)
    for rows, chance, values, count in chunks(table, truth, count_root, incoherent):
        found = ratios(each_above(taus, chance), each_above(taus, values), count)
        samples += summed(found[..., count > 0])
        classes, likely = _of_true(truth, rows, chance)
        every = np.tile(np.arange(chance.shape[1]), len(chance))
        predicted += above(taus, chance.ravel(), every, chance.shape[1]).T
        right += above(taus, likely, classes, chance.shape[1]).T
    areas = instance_areas(table, truth, interpolation=interpolation, count_root=count_root, incoherent=incoherent)
    some = ~np.isnan(areas.areas)
    times = np.bincount(truth.idx, minlength=len(table.hierarchy))
    times[0] *= count_root
    seen = np.flatnonzero(times + predicted[0])
    places = ranked_places(table.hierarchy, top)
    return ThresholdPartial(
        table.hierarchy,
        settings,
        len(table),
        int(some.sum()),
        samples,
        summed(np.stack([areas.areas[some], areas.best_f1[some]])),
        seen,
        predicted[:, seen],
        right[:, seen],
        times[seen],
        _operating(table, truth, weights, taus),
        mistakes_of(table, truth, places=places).counts(places),
    )


def _of_true(truth: TrueClasses, rows: slice, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The true classes of some instances, one after another, and their probabilities."""
    ptr = truth.ptr[rows.start : rows.stop + 1]
    classes = truth.idx[ptr[0] : ptr[-1]]
    return classes, chance[np.repeat(np.arange(len(ptr) - 1), np.diff(ptr)), classes]


def _operating(table: ProbabilityTable, truth: Truth, weights: Weighting, taus: np.ndarray) -> OperatingSums | None:
    try:
        return OperatingSums(*sums_at(table, truth, weights, np.append(taus, np.inf)))
    except SeveralTrueClasses:
        return None


def _joined(a: OperatingSums | None, b: OperatingSums | None) -> OperatingSums | None:
    return None if a is None or b is None else OperatingSums(a.instances + b.instances, a.sums + b.sums)
