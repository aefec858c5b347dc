"""Hierarchical precision and recall over all thresholds, and the areas under these curves: of one
instance, of every instance of a file, of its summed counts, and of every class.

Conventions, which every function here shares (Plaud et al. 2024, Section 3.2.3):

- At a threshold τ in [0, 1] the classes with a probability strictly above τ are predicted, with all
  their ancestors. The prediction changes at the distinct probabilities only, so nothing else is
  looked at. A class of probability 0 is never predicted, and the curve then ends below recall 1;
  `everything=True` adds the point where all classes are, as the authors' program does.
- The curve begins where nothing is predicted: recall 0, precision 1. The area is that of trapezoids
  between neighbouring points ("trapezoid", the authors' choice), or each gain in recall times the
  precision reached with it ("step", average precision).
- Incoherent probabilities are read as the predictions they lead to, augmented by ancestors (Eq. 1,
  `incoherent="augment"`). The authors' program cuts a child to its parent instead ("cap").
- The root is not counted unless `count_root=True`. An instance without a true class has no curve:
  its area is nan, and means leave it out.

`instance_curve` is the readable definition; `instance_areas` computes the same over arrays, without
a curve. In `class_areas` each class has a curve over the instances (Vens et al. 2008), and besides:

- A class is predicted where its probability is at or above the threshold, and the last threshold
  predicts everything, probability 0 too: every curve reaches recall 1. Equal probabilities are
  reached together.
- An instance without a true class, or with the root alone, counts: whatever is predicted for it is
  wrong.
- A class that no instance has, has no curve. Means leave it out; the pooled curve counts what is
  predicted of it, for its sums range over all classes (`unseen=False` leaves it out there, too, as
  the authors' later program does).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap
from typing import Any, Literal, NamedTuple

import numpy as np

from hiermeasures.core.errors import InputError, check_known
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.encode import slices
from hiermeasures.engine.exact import means, summed
from hiermeasures.probabilities.events import closed
from hiermeasures.probabilities.files import TrueClasses, Truth, true_classes
from hiermeasures.probabilities.probabilities import NodeProbabilities, ProbabilityTable, greatest_below, least_above

MOST_THRESHOLDS = 10_001
CELLS_AT_ONCE = 4_000_000
"""(Instance, class) cells that are worked on together, which bounds memory."""
SINGLY = 64
"""True positives between two thresholds that are added one by one."""
Interpolation = Literal["trapezoid", "step"]
ClassInterpolation = Literal["counts", "step", "trapezoid"]
Incoherent = Literal["augment", "cap"]

INTERPOLATIONS: dict[str, str] = {
    "trapezoid": "Straight lines between neighbouring points, from recall 0 and precision 1 (Plaud et al. 2024).",
    "step": "Each gain in recall counts with the precision reached by it (average precision).",
}
INCOHERENT: dict[str, str] = {
    "augment": "A predicted class brings its ancestors (Plaud et al. 2024, Eq. 1).",
    "cap": "A child's probability is lowered to its parent's (the authors' program).",
}
CLASS_INTERPOLATIONS: dict[str, str] = {
    "counts": "Between two thresholds false positives grow evenly with true ones (Davis and Goadrich 2006; Vens et al. "
    "2008).",
    "step": "Each gain in recall counts with the precision reached by it (average precision).",
    "trapezoid": "Straight lines between neighbouring points, from recall 0 and precision 1.",
}


@dataclass(frozen=True)
class CurvePoint:
    """One prediction of the curve and the thresholds that give it: from `low`, included, to below
    `high`.

    The point of `everything=True` has a `low` of −∞: no threshold gives it. `predicted`, `true` and
    `shared` count classes, ancestors included. `added` are the classes that join here, as the
    threshold falls.
    """

    low: float
    high: float
    added: tuple[str, ...]
    predicted: int
    true: int
    shared: int

    @property
    def precision(self) -> float:
        """1 where nothing is predicted."""
        return self.shared / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """nan where nothing is true."""
        return self.shared / self.true if self.true else math.nan

    @property
    def f1(self) -> float:
        """2 |shared| / (|predicted| + |true|)."""
        return 2 * self.shared / (self.predicted + self.true) if self.true else math.nan


@dataclass(frozen=True)
class Curve:
    """Precision and recall of one instance over all thresholds, from the highest down. Made by
    `instance_curve`.

    `best` are the points of the highest F1: the thresholds that would have suited this instance.
    `sentence` states the conventions.
    """

    hierarchy: Hierarchy
    true: frozenset[str]
    points: tuple[CurvePoint, ...]
    area: float
    best: tuple[CurvePoint, ...]
    interpolation: str
    sentence: str

    def at(self, tau: float) -> CurvePoint:
        """The point that a threshold in [0, 1] gives."""
        if not 0 <= tau <= 1:
            raise InputError(f"a threshold is a number in [0, 1], not {tau!r}")
        return next((p for p in self.points if p.low <= tau), self.points[-1])


def instance_curve(
    probabilities: NodeProbabilities,
    true: Iterable[str],
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    everything: bool = False,
) -> Curve:
    """Precision and recall of one instance over all thresholds (Plaud et al. 2024, Section 3.2.3).

    Parameters
    ----------
    probabilities : NodeProbabilities
    true : iterable of str
        The true classes; their ancestors are added.
    interpolation, count_root, incoherent, everything
        See the conventions at the head of this module.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35})
    >>> curve = instance_curve(p, {"5"})
    >>> [(q.low, q.recall, q.precision) for q in curve.points[:3]]
    [(0.75, 0.0, 1.0), (0.35, 0.5, 1.0), (0.25, 1.0, 1.0)]
    >>> curve.area, curve.best[0].low, curve.best[0].high
    (1.0, 0.25, 0.35)
    """
    check_choices(interpolation, incoherent)
    h = probabilities.hierarchy
    root = frozenset({h.root} if count_root else ())
    truth = closed(h, true)
    truth = truth | root if truth else truth
    effective = effective_values(h, np.array([probabilities.by_node]), incoherent)[0]
    chance = {c: float(v) for c, v in zip(h.nodes, effective, strict=True) if c != h.root or count_root}
    points = tuple(_points(chance, truth, everything))
    area = area_under([q.recall for q in points], [q.precision for q in points], interpolation) if truth else math.nan
    top = max((q.f1 for q in points if truth), default=math.nan)
    last = " The last point predicts every class, those of probability 0 too." if everything else ""
    return Curve(
        hierarchy=h,
        true=truth,
        points=points,
        area=area,
        best=tuple(q for q in points if q.f1 == top),
        interpolation=interpolation,
        sentence=f"Classes above the threshold are predicted; {INCOHERENT[incoherent]} {INTERPOLATIONS[interpolation]} "
        f"The root is {'counted' if count_root else 'not counted'}.{last}",
    )


def _points(chance: Mapping[str, float], truth: frozenset[str], everything: bool) -> Iterator[CurvePoint]:
    """One point for each distinct probability, falling; the first predicts nothing."""
    by_value: dict[float, list[str]] = {}
    for c, value in chance.items():
        by_value.setdefault(value, []).append(c)
    values = sorted((v for v in by_value if v > 0), reverse=True)
    lows = [*values, 0.0]
    yield CurvePoint(lows[0], 1.0, (), predicted=0, true=len(truth), shared=0)
    predicted = shared = 0
    for value, low in zip(values, lows[1:], strict=True):
        added = tuple(by_value[value])
        predicted, shared = predicted + len(added), shared + sum(c in truth for c in added)
        yield CurvePoint(low, value, added, predicted=predicted, true=len(truth), shared=shared)
    if everything and 0.0 in by_value:
        yield CurvePoint(
            -math.inf, 0.0, tuple(by_value[0.0]), predicted=len(chance), true=len(truth), shared=len(truth)
        )


def area_under(recall: Sequence[float], precision: Sequence[float], interpolation: str) -> float:
    """The area under points in order of growing recall."""
    steps = zip(pairwise(recall), pairwise(precision), strict=True)
    if interpolation == "trapezoid":
        return math.fsum((r - q) * (a + b) / 2 for (q, r), (a, b) in steps)
    return math.fsum((r - q) * b for (q, r), (_, b) in steps)


def check_choices(interpolation: str, incoherent: str) -> None:
    """Refuse an unknown interpolation or reading."""
    check_known("interpolation", interpolation, INTERPOLATIONS)
    check_known("reading of incoherent probabilities", incoherent, INCOHERENT)


def effective_values(hierarchy: Hierarchy, values: np.ndarray, incoherent: str) -> np.ndarray:
    """Probabilities whose thresholds give coherent predictions."""
    return greatest_below(hierarchy, values) if incoherent == "augment" else least_above(hierarchy, values)


@dataclass(frozen=True, eq=False)
class InstanceAreas:
    """The area under the curve of every instance of a file, and the threshold that would have
    suited each best.

    Arrays have one number for each instance, nan where nothing is true. The highest F1 is reached
    by the thresholds from `best_low`, included, to below `best_high`; of several such ranges the
    highest is given.
    """

    ids: tuple[str, ...]
    areas: np.ndarray
    best_f1: np.ndarray
    best_low: np.ndarray
    best_high: np.ndarray
    interpolation: str

    @property
    def mean(self) -> float:
        """The mean area over the instances that have one."""
        return _mean(self.areas)

    @property
    def mean_best_f1(self) -> float:
        """The mean of each instance's highest F1: what no single threshold can exceed."""
        return _mean(self.best_f1)

    @property
    def undefined(self) -> tuple[str, ...]:
        """The ids of the instances without a true class."""
        return tuple(name for name, area in zip(self.ids, self.areas, strict=True) if math.isnan(area))


@dataclass(frozen=True, eq=False)
class MicroCurve:
    """Precision and recall of a file's summed counts, as one threshold for all instances falls.

    The arrays begin with the point where nothing is predicted and hold the points just before and
    just after each gain in recall; between them precision falls at constant recall, which adds no
    area. Point k predicts the classes with a probability above `probability[k]`, or, where
    `included[k]`, of that and above.
    """

    probability: np.ndarray
    included: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    area: float
    interpolation: str

    @classmethod
    def through(
        cls,
        probability: np.ndarray,
        included: np.ndarray,
        counts: tuple[np.ndarray, np.ndarray],
        total: int,
        interpolation: Interpolation,
    ) -> "MicroCurve":
        """The curve through points that predict and share so many of `total` true classes."""
        predicted, shared = counts
        precision = np.append(1.0, precision_of(predicted, shared))
        recall = np.append(0.0, shared / max(total, 1))
        area = area_under(recall.tolist(), precision.tolist(), interpolation) if total else math.nan
        return cls(probability, included, precision, recall, area, interpolation)

    def thinned(self, most: int = 1000) -> "MicroCurve":
        """The same curve with at most so many points, for drawing; the area stays."""
        if len(self.recall) <= most:
            return self
        points = np.unique(np.linspace(0, len(self.recall) - 1, most).astype(int))
        names = ("probability", "included", "precision", "recall")
        return replace(self, **{name: getattr(self, name)[points] for name in names})


@dataclass(frozen=True, eq=False)
class FileSweep:
    """Averages over a file at each of some thresholds: of the per-instance values ("samples"), and
    of the summed counts ("micro").

    Per-instance precision is 1 where nothing is predicted. `best` is the place of the highest
    samples F1.
    """

    thresholds: np.ndarray
    samples_precision: np.ndarray
    samples_recall: np.ndarray
    samples_f1: np.ndarray
    micro_precision: np.ndarray
    micro_recall: np.ndarray
    micro_f1: np.ndarray

    @property
    def best(self) -> int:
        return int(np.argmax(self.samples_f1))


# --- files ----------------------------------------------------------------------------------------


def instance_areas(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
) -> InstanceAreas:
    """The area under every instance's curve, as `instance_curve` defines it, over arrays.

    Recall grows only where a true class is reached, so only the thresholds just above and at a true
    class's probability matter: the work is instances × classes × true classes, without sorting.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.75, 0.25, 0.5, 0.25], [0.75, 0.25, 0.25, 0.5]], ["1", "2", "3", "4"])
    >>> instance_areas(table, [{"3"}, {"3"}]).areas.round(4).tolist()
    [1.0, 0.75]
    """
    check_choices(interpolation, incoherent)
    truth = true_classes(table, true)
    out = np.full((4, len(table)), np.nan)
    for rows, chance, values, count, *_ in chunks(table, truth, count_root, incoherent):
        before, after, shared_before, shared_after, first = _gains(chance, values)
        width = (shared_after - shared_before) / np.maximum(count, 1)[:, None]
        height = shared_after / np.maximum(after, 1)
        if interpolation == "trapezoid":
            height = (precision_of(before, shared_before) + height) / 2
        f1 = np.where(first, 2 * shared_after / (after + count[:, None]), 0)
        best = f1.argmax(axis=1)
        highs = np.where(f1.max(axis=1) > 0, values[np.arange(len(values)), best], 1)
        lows = np.where(chance < highs[:, None], chance, 0).max(axis=1, initial=0)
        some = count > 0
        out[:, rows] = np.where(some, [_added(np.where(first, width * height, 0)), f1.max(axis=1), lows, highs], np.nan)
    areas, best_f1, low, high = out
    return InstanceAreas(table.ids, areas, best_f1, best_low=low, best_high=high, interpolation=interpolation)


def micro_curve(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
) -> MicroCurve:
    """Precision and recall of the counts summed over all instances, over one threshold for all.

    Plaud et al. 2024 (Appendix B.1.2) argue that one threshold for all makes little sense for F1;
    this shows what it would give. It needs all scores at once; at given thresholds
    `threshold_partial` gives it from sums.
    """
    check_choices(interpolation, incoherent)
    truth = true_classes(table, true)
    total = 0
    reached: list[np.ndarray] = []
    for chunk in chunks(table, truth, count_root, incoherent):
        total += int(chunk.true.sum())
        reached.append(chunk.values[chunk.values > 0])
    value, gained = np.unique(np.concatenate(reached), return_counts=True)
    before, after = np.zeros((2, len(value)), np.int64)
    for chunk in chunks(table, truth, count_root, incoherent):
        flat = chunk.chance[chunk.chance >= 0]
        before += above(value, flat, 0, 1)[0]
        after += above(np.nextafter(value, -1), flat, 0, 1)[0]
    shared_after = np.cumsum(gained[::-1])
    shared = np.stack([shared_after - gained[::-1], shared_after], axis=1).ravel()
    predicted = np.stack([before[::-1], after[::-1]], axis=1).ravel()
    probability = np.concatenate([[1.0], np.repeat(value[::-1], 2)])
    included = np.arange(len(probability)) % 2 == 0
    included[0] = False
    return MicroCurve.through(probability, included, (predicted, shared), total, interpolation)


def file_sweep(
    table: ProbabilityTable,
    true: Truth,
    thresholds: Sequence[float] | np.ndarray | None = None,
    *,
    count_root: bool = False,
    incoherent: Incoherent = "augment",
) -> FileSweep:
    """Averages of a file at thresholds, by default 0, 0.01, … 1; "samples" are those with truth."""
    asked = checked_thresholds(thresholds)
    taus, back = np.unique(asked, return_inverse=True)
    check_choices("trapezoid", incoherent)
    truth = true_classes(table, true)
    sums, counts = np.zeros((3, len(taus)), object), np.zeros((2, len(taus)), np.int64)
    instances = total = 0
    for chunk in chunks(table, truth, count_root, incoherent):
        predicted, shared = chunk.at(taus)
        sums += chunk.ratios(predicted, shared)
        counts += np.stack([predicted.sum(axis=0), shared.sum(axis=0)])
        instances, total = instances + int((chunk.true > 0).sum()), total + int(chunk.true.sum())
    return sweep_of(asked, sums[:, back], instances, counts[:, back], total)


def checked_thresholds(thresholds: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """Thresholds in [0, 1], by default 0, 0.01, … 1."""
    taus = np.linspace(0, 1, 101) if thresholds is None else np.asarray(thresholds, np.float64)
    if taus.ndim != 1 or not 1 <= len(taus) <= MOST_THRESHOLDS or not ((taus >= 0) & (taus <= 1)).all():
        raise InputError(f"thresholds are numbers in [0, 1], one at least and {MOST_THRESHOLDS:,} at most")
    return taus


def sweep_of(taus: np.ndarray, sums: np.ndarray, instances: int, counts: np.ndarray, total: int) -> FileSweep:
    """The averages: `sums` (3, thresholds) of `Chunk.ratios` of instances with a true class, of
    which there are so many; `counts` (2, thresholds) of the classes predicted and shared by all,
    and in total of the true ones.
    """
    precision, recall, f1 = means(sums, instances)
    predicted, shared = counts
    micro = precision_of(predicted, shared), shared / max(total, 1), 2 * shared / np.maximum(predicted + total, 1)
    return FileSweep(taus, precision, recall, f1, *micro)


def precision_of(predicted: np.ndarray, shared: np.ndarray) -> np.ndarray:
    return np.where(predicted, shared / np.maximum(predicted, 1), 1)


def above(taus: np.ndarray, numbers: np.ndarray, owner: np.ndarray | int, owners: int) -> np.ndarray:
    """Count the numbers of each owner above rising thresholds: (owners, thresholds)."""
    size = len(taus) + 1
    place = owner * size + np.searchsorted(taus, numbers, side="left")  # so many thresholds are below
    counts = np.bincount(place, minlength=owners * size).reshape(owners, size)
    return np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:])


# --- over arrays --------------------------------------------------------------------------------


def _gains(chance: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Classes predicted just before and just after each true class is reached (likeliest first),
    those shared likewise, and a mark of the first of equal probabilities.
    """

    def numbers(pool: np.ndarray, compare: np.ufunc) -> np.ndarray:
        return np.stack([np.count_nonzero(compare(pool, v[:, None]), axis=1) for v in values.T], axis=1)

    first = values > 0
    first[:, 1:] &= values[:, 1:] != values[:, :-1]
    sides = (numbers(pool, compare) for pool in (chance, values) for compare in (np.greater, np.greater_equal))
    return (*sides, first)


def _added(columns: np.ndarray) -> np.ndarray:
    """The sums of rows, at most 1, added from the left, so that zeros behind change no bit."""
    return np.asarray(np.minimum(columns.cumsum(axis=1)[:, -1], 1))


class Chunk(NamedTuple):
    """A run of instances, and the effective probabilities of the classes that count (instances,
    classes), those of the true ones (likeliest first) and their number. Places without a class hold
    -1, and so does a root that does not count. `classes` are the true classes of all instances, one
    after another, and `likely` their probabilities.
    """

    rows: slice
    chance: np.ndarray
    values: np.ndarray
    true: np.ndarray
    classes: np.ndarray
    likely: np.ndarray

    def at(self, taus: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Count predicted and shared classes at rising thresholds: (instances, thresholds) each."""
        n = len(self.chance)
        sides = [(side.ravel(), np.repeat(np.arange(n), side.shape[1])) for side in (self.chance, self.values)]
        predicted, shared = (above(taus, numbers, rows, n) for numbers, rows in sides)
        return predicted, shared

    def ratios(self, predicted: np.ndarray, shared: np.ndarray) -> np.ndarray:
        """Sums (engine/exact.py) of precision, recall and F1 (3, thresholds), with truth."""
        recall = shared / np.maximum(self.true, 1)[:, None]
        f1 = 2 * shared / np.maximum(predicted + self.true[:, None], 1)
        found = np.stack([precision_of(predicted, shared).T, recall.T, f1.T])
        return summed(found[..., self.true > 0])


def chunks(table: ProbabilityTable, truth: TrueClasses, count_root: bool, incoherent: str) -> Iterator[Chunk]:
    for rows in starmap(slice, slices(len(table), max(1, CELLS_AT_ONCE // len(table.hierarchy)))):
        chance = effective_values(table.hierarchy, table.values[rows], incoherent)
        if not count_root:
            chance[:, 0] = -1
        ptr = truth.ptr[rows.start : rows.stop + 1]
        number = np.diff(ptr)
        values = np.full((len(number), max(int(number.max()), 1)), -1.0)
        row = np.repeat(np.arange(len(number)), number)
        classes = truth.idx[ptr[0] : ptr[-1]]
        likely = chance[row, classes]
        values[row, np.arange(ptr[0], ptr[-1]) - ptr[row]] = likely
        values = -np.sort(-values, axis=1)
        yield Chunk(rows, chance, values, true=(values >= 0).sum(axis=1), classes=classes, likely=likely)


def _mean(values: np.ndarray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan


# --- curves of classes --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ClassAreas:
    """The areas under the precision–recall curves of a file. Made by `class_areas`.

    `areas` has one number for each of `classes`, those that some instance has, in the order of the
    hierarchy, and `instances` how many have it. `pooled` is AU(PRC), the area under the curve of
    the counts summed over all classes. `unseen` are the classes that no instance has. All areas are
    from 0 to 1; nan where nothing is true.
    """

    classes: tuple[str, ...]
    areas: np.ndarray
    instances: np.ndarray
    pooled: float
    unseen: tuple[str, ...]
    interpolation: str

    @classmethod
    def of(
        cls,
        h: Hierarchy,
        times: np.ndarray,
        area: Callable[[np.ndarray], float],
        *,
        count_root: bool,
        unseen: bool,
        interpolation: str,
    ) -> "ClassAreas":
        """Those by `area`, of some classes pooled; `times` counts the instances of each class."""
        counted = np.arange(0 if count_root else 1, len(h))
        seen = counted[times[counted] > 0]
        return cls(
            classes=tuple(h.nodes[c] for c in seen),
            areas=np.array([area(np.array([c])) for c in seen]),
            instances=times[seen],
            pooled=area(counted if unseen else seen) if len(seen) else math.nan,
            unseen=tuple(h.nodes[c] for c in np.setdiff1d(counted, seen)),
            interpolation=interpolation,
        )

    @property
    def macro(self) -> float:
        """The mean area over the classes: the average AUPRC."""
        return float(self.areas.mean()) if len(self.areas) else math.nan

    @property
    def weighted(self) -> float:
        """The weighted AUPRC: the mean over classes, by how many instances have each."""
        return float(np.average(self.areas, weights=self.instances)) if len(self.areas) else math.nan


def class_areas(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: ClassInterpolation = "counts",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    unseen: bool = True,
) -> ClassAreas:
    """The areas under the precision–recall curves of classes and the pooled one (Vens et al. 2008).

    All scores are needed at once; at given thresholds `threshold_partial` gives areas from sums.

    Parameters
    ----------
    table : ProbabilityTable
    true : TrueClasses, or what `true_classes` takes
    interpolation : "counts", "step" or "trapezoid"
        How points are joined: the authors' way, average precision, or straight lines.
    count_root, incoherent
        As for `instance_curve`.
    unseen : bool
        Whether predictions of classes that no instance has count in the pooled curve.

    Raises
    ------
    InputError
        For an unknown interpolation or reading, and as `true_classes`.

    Examples
    --------
    Of two films class 1 is true for the first, with the lower probability:

    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> table = ProbabilityTable.of(h, [[0.25, 0.5], [0.75, 0.5]], ["1", "2"])
    >>> areas = class_areas(table, [{"1"}, {"2"}], interpolation="step")
    >>> areas.classes, areas.areas.tolist(), areas.macro
    (('1', '2'), [0.5, 0.5], 0.5)
    """
    check_choices("step", incoherent)
    check_known("interpolation", interpolation, CLASS_INTERPOLATIONS)
    rows, true_table = true_classes(table, true), np.zeros(table.values.shape, bool)
    true_table[np.repeat(np.arange(len(rows)), np.diff(rows.ptr)), rows.idx] = True
    values = effective_values(table.hierarchy, table.values, incoherent)

    def area(classes: np.ndarray) -> float:
        return _area(values[:, classes], true_table[:, classes], interpolation)

    times = true_table.sum(axis=0)
    how: dict[str, Any] = {"count_root": count_root, "unseen": unseen, "interpolation": interpolation}
    return ClassAreas.of(table.hierarchy, times, area, **how)


def _area(values: np.ndarray, true: np.ndarray, interpolation: str) -> float:
    """The area under the curve of some probabilities, of which some belong to what is true."""
    values, true = values.ravel(), true.ravel()
    order = np.argsort(-values)
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(values) - 1)  # the last of equal probabilities
    tp = np.cumsum(true[order])[ends].astype(np.float64)
    return area_of_counts(tp, ends + 1 - tp, interpolation)


def area_of_counts(tp: np.ndarray, fp: np.ndarray, interpolation: str) -> float:
    """The area under the curve through rising true and false positives, at last all true."""
    if interpolation == "counts":
        return _area_between_counts(tp, fp)
    precision, recall = tp / (tp + fp), tp / tp[-1]
    return area_under([0.0, *recall.tolist()], [1.0, *precision.tolist()], interpolation)


def _area_between_counts(tp: np.ndarray, fp: np.ndarray) -> float:
    """The area where one true positive is added at a time, each with its share of the false
    positives between two thresholds, and straight lines in between. Up to the first threshold
    precision is the same everywhere.
    """
    more_tp, more_fp = np.diff(tp, prepend=0.0), np.diff(fp, prepend=0.0)
    singly = np.minimum(more_tp, SINGLY).astype(np.int64)
    step = np.repeat(np.arange(len(tp)), singly)  # between which thresholds each true positive comes
    place = np.arange(1.0, len(step) + 1) - (np.cumsum(singly) - singly)[step]
    after = (tp - more_tp)[step] + place
    share = more_fp[step] / more_tp[step]
    wrong = (fp - more_fp)[step] + share * place
    reached = after / (after + wrong)
    total = after - 1 + wrong - share
    left = np.where(total > 0, (after - 1) / np.where(total > 0, total, 1), reached)
    many = more_tp > SINGLY
    rest = _after_the_first(tp[many], fp[many], more_tp[many], more_fp[many])
    return float((np.sum(left + reached) / 2 + rest) / tp[-1])


def _after_the_first(tp: np.ndarray, fp: np.ndarray, more_tp: np.ndarray, more_fp: np.ndarray) -> float:
    """The same area after the first SINGLY true positives between two thresholds, whose number may
    be any.

    Precision is k / (k + wrong) = (1 - x / (k + x)) / a for a = 1 + share and some x, a smooth
    function there. Its trapezoids of width 1 are the integral, u - log(1 + u) written so that
    nothing cancels, and Euler and Maclaurin's terms, of which the first left out is below 1e-13.
    """
    a = 1 + more_fp / more_tp
    length = more_tp - SINGLY
    first = tp - length
    low = (first + fp - (a - 1) * length) / a  # k + x where this begins
    high, x, u = low + length, low - first, length / low
    series = u**2 * sum((-u) ** n / (n + 2) for n in range(7))
    integral = low * np.where(u < 0.01, series, u - np.log1p(u)) + first * np.log1p(u)
    terms = sum(c * x * (high**-n - low**-n) for n, c in ((2, 1 / 12), (4, -6 / 720), (6, 120 / 30240)))
    return float(np.sum((integral + terms) / a))
