"""Hierarchical precision and recall over all thresholds, and the areas under these curves.

You can draw the curve of one instance, of every class of a file, or of its summed counts. All
functions share these conventions (Plaud et al. 2024, Section 3.2.3):

- A threshold τ in [0, 1] predicts the classes with a probability of τ or more, and all their
  ancestors. (The paper has > τ. The curve is the same.) The prediction changes only at the
  distinct probabilities. A class of probability 0 is never predicted. If it is true, the curve ends
  below recall 1.
- The curve starts with an empty prediction: recall 0, precision 1. The area is the sum of
  trapezoids between neighbouring points.
- Incoherent probabilities: a predicted class brings its ancestors (Eq. 1, `incoherent="augment"`).
  The authors' program cuts a child to its parent instead ("cap").
- The root counts only with `count_root=True`. An instance without a true class has no curve: its
  area is nan, and means leave it out.

`instance_curve` is the readable definition. All other functions count over arrays. In `class_areas`
each class has a curve over the instances (Vens et al. 2008), with more conventions:

- A class is predicted if its probability is at or above the threshold. The last threshold predicts
  everything, even probability 0, so every curve reaches recall 1. Equal probabilities are reached
  together.
- An instance without a true class, or with only the root, counts: every prediction for it is
  wrong.
- A class without instances has no curve, and means leave it out. The pooled curve counts its
  predictions, because its sums are over all classes. `unseen=False` leaves it out there too, like
  the authors' later program.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hiermeasures.evaluation.scores.events import closed
from hiermeasures.evaluation.scores.files import Truth, true_classes
from hiermeasures.evaluation.scores.probabilities import (
    NodeProbabilities,
    ProbabilityTable,
    greatest_below,
    least_above,
)
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy

Interpolation = Literal["counts", "step"]
Incoherent = Literal["augment", "cap"]

INCOHERENT: dict[str, str] = {
    "augment": "A predicted class brings its ancestors (Plaud et al. 2024, Eq. 1).",
    "cap": "A child's probability is lowered to its parent's (the authors' program).",
}
INTERPOLATIONS: dict[str, str] = {
    "counts": "Between two thresholds false positives grow evenly with true ones (Davis and "
    "Goadrich 2006; Vens et al. 2008).",
    "step": "Each gain in recall counts with the precision reached by it (average precision).",
}


@dataclass(frozen=True)
class CurvePoint:
    """One prediction of the curve, with the thresholds that lead to it.

    They are above `low`, up to and including `high`. `predicted`, `true` and `shared` count
    classes, including ancestors. `added` are the classes that are new here, as the threshold falls.
    """

    low: float
    high: float
    added: tuple[str, ...]
    predicted: int
    true: int
    shared: int

    @property
    def precision(self) -> float:
        """Precision, or 1 for an empty prediction."""
        return self.shared / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Recall, or nan without true classes."""
        return self.shared / self.true if self.true else math.nan

    @property
    def f1(self) -> float:
        """2 |shared| / (|predicted| + |true|)."""
        return 2 * self.shared / (self.predicted + self.true) if self.true else math.nan


@dataclass(frozen=True)
class Curve:
    """Precision and recall of one instance over all thresholds, made by `instance_curve`.

    `points` start at the highest threshold. `best` are the points with the highest F1: their
    thresholds are the best ones for this instance. `area` is from 0 to 1, or nan without a true
    class. `sentence` states the conventions.
    """

    hierarchy: Hierarchy
    true: frozenset[str]
    points: tuple[CurvePoint, ...]
    area: float
    best: tuple[CurvePoint, ...]
    sentence: str

    def at(self, tau: float) -> CurvePoint:
        """Return the point that a threshold in [0, 1] gives."""
        if not 0 <= tau <= 1:
            raise InputError(f"the threshold is {tau!r}. Choose a number from 0 to 1.")
        return next((p for p in self.points if p.low < tau), self.points[-1])


def instance_curve(
    probabilities: NodeProbabilities,
    true: Iterable[str],
    *,
    count_root: bool = False,
    incoherent: Incoherent = "augment",
) -> Curve:
    """Compute precision and recall of one instance at all thresholds.

    The definition is that of Plaud et al. 2024, Section 3.2.3.

    Parameters
    ----------
    probabilities : NodeProbabilities
    true : iterable of str
        The true classes. Their ancestors are added.
    count_root : bool
        Whether the root counts in precision and recall.
    incoherent : "augment" or "cap"
        "augment": a predicted class brings its ancestors. "cap": a child's probability is lowered
        to its parent's.

    Returns
    -------
    Curve

    Raises
    ------
    InputError
        For an unknown class, or another value of `incoherent`.

    See Also
    --------
    class_areas : Compute the areas under the curves of classes.
    hiermeasures.evaluation.plots.plot_curves : Draw the curve.

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
    h = probabilities.hierarchy
    truth = closed(h, true)
    if truth and count_root:
        truth |= {h.root}
    chances = _effective(h, np.array([probabilities.by_node]), incoherent)[0].tolist()
    points = _curve_points(
        dict(zip(h.nodes, chances, strict=True)), truth, h.nodes[not count_root :]
    )
    area = _area([q.recall for q in points], [q.precision for q in points])
    top = max((q.f1 for q in points if truth), default=math.nan)
    return Curve(
        hierarchy=h,
        true=truth,
        points=tuple(points),
        area=area if truth else math.nan,
        best=tuple(q for q in points if q.f1 == top),
        sentence=f"Classes that reach the threshold are predicted. {INCOHERENT[incoherent]} "
        "Straight lines join neighbouring points, from recall 0 and precision 1. "
        f"The root is {'counted' if count_root else 'not counted'}.",
    )


def _curve_points(
    chance: Mapping[str, float], truth: frozenset[str], classes: Sequence[str]
) -> list[CurvePoint]:
    """Return the points of all thresholds on these probabilities, the highest first."""
    by_value: dict[float, list[str]] = {}
    for c in classes:
        by_value.setdefault(chance[c], []).append(c)
    falling = sorted((v for v in by_value if v > 0), reverse=True)
    highest = falling[0] if falling else 0.0
    points = [CurvePoint(highest, 1.0, (), predicted=0, true=len(truth), shared=0)]
    for high, low in zip(falling, [*falling, 0.0][1:], strict=True):
        added, last = tuple(by_value[high]), points[-1]
        predicted = last.predicted + len(added)
        shared = last.shared + sum(c in truth for c in added)
        points.append(
            CurvePoint(low, high, added, predicted=predicted, true=len(truth), shared=shared)
        )
    return points


def _area(recall: Sequence[float] | np.ndarray, precision: Sequence[float] | np.ndarray) -> float:
    """Return the area under straight lines between points, ordered by growing recall."""
    height = np.asarray(precision)
    return math.fsum((np.diff(recall) * (height[:-1] + height[1:]) / 2).tolist())


def _effective(hierarchy: Hierarchy, values: np.ndarray, incoherent: str) -> np.ndarray:
    """Return probabilities with coherent predictions at every threshold."""
    check_known("reading of incoherent probabilities", incoherent, INCOHERENT)
    return (
        greatest_below(hierarchy, values)
        if incoherent == "augment"
        else least_above(hierarchy, values)
    )


def _cells(
    table: ProbabilityTable, true: Truth, count_root: bool, incoherent: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the effective probabilities of the classes that count, and True for true classes.

    Both arrays have the shape (instances, classes).
    """
    truth, is_true = true_classes(table, true), np.zeros(table.values.shape, bool)
    is_true[truth.instances, truth.idx] = True
    first = 0 if count_root else 1
    return _effective(table.hierarchy, table.values, incoherent)[:, first:], is_true[:, first:]


def _precision(predicted: np.ndarray, shared: np.ndarray) -> np.ndarray:
    return np.where(predicted, shared / np.maximum(predicted, 1), 1)


def mean_of_defined(values: np.ndarray) -> float:
    """Return the mean of the values that are not nan, or nan if all are."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan


@dataclass(frozen=True, eq=False)
class ClassAreas:
    """The areas under the precision–recall curves of a file, made by `class_areas`.

    All areas are from 0 to 1, or nan without true classes.

    Attributes
    ----------
    classes : tuple of str
        The classes with at least one instance, in the order of the hierarchy.
    areas : array of float
        The area of each class.
    instances : array of int
        The number of instances of each class.
    pooled : float
        AU(PRC): the area under the curve of the counts summed over all classes.
    unseen : tuple of str
        The classes without instances.
    """

    classes: tuple[str, ...]
    areas: np.ndarray
    instances: np.ndarray
    pooled: float
    unseen: tuple[str, ...]

    @property
    def macro(self) -> float:
        """The average AUPRC: the mean area over the classes."""
        return float(self.areas.mean()) if len(self.areas) else math.nan

    @property
    def weighted(self) -> float:
        """The weighted AUPRC: the mean over classes, weighted by the number of their instances."""
        return (
            float(np.average(self.areas, weights=self.instances)) if len(self.areas) else math.nan
        )


def class_areas(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: Interpolation = "counts",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    unseen: bool = True,
) -> ClassAreas:
    """Compute the areas under the precision–recall curves of classes, and the pooled area.

    The definitions are those of Vens et al. 2008.

    Parameters
    ----------
    table : ProbabilityTable
        n instances.
    true : TrueClasses, or labels that `true_classes` accepts
        Of n instances.
    interpolation : "counts" or "step"
        How to join points: like the authors, or as average precision.
    count_root, incoherent
        As for `instance_curve`.
    unseen : bool
        Whether predictions of classes without instances count in the pooled curve.

    Returns
    -------
    ClassAreas

    Raises
    ------
    InputError
        For an unknown option, and as `true_classes` does.

    See Also
    --------
    scored_report : Compute all values of a file that need no threshold.
    instance_curve : Compute the curve of one instance.

    Examples
    --------
    Class 1 is true for the first of two films. This film has the lower probability:

    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> table = ProbabilityTable.of(h, [[0.25, 0.5], [0.75, 0.5]], ["1", "2"])
    >>> areas = class_areas(table, [{"1"}, {"2"}], interpolation="step")
    >>> areas.classes, areas.areas.tolist(), areas.macro
    (('1', '2'), [0.5, 0.5], 0.5)
    """
    check_known("interpolation", interpolation, INTERPOLATIONS)
    values, is_true = _cells(table, true, count_root, incoherent)
    names = table.hierarchy.nodes[len(table.hierarchy) - values.shape[1] :]

    def area(classes: np.ndarray) -> float:
        return _class_area(values[:, classes].ravel(), is_true[:, classes].ravel(), interpolation)

    times = is_true.sum(axis=0)
    seen = np.flatnonzero(times)
    return ClassAreas(
        classes=tuple(names[c] for c in seen),
        areas=np.array([area(np.array([c])) for c in seen]),
        instances=times[seen],
        pooled=area(np.arange(len(names)) if unseen else seen) if len(seen) else math.nan,
        unseen=tuple(name for name, n in zip(names, times, strict=True) if not n),
    )


def _class_area(values: np.ndarray, true: np.ndarray, interpolation: str) -> float:
    """Return the area under the curve of some probabilities. `true` marks the positive ones.

    With "counts", true positives are added one by one, each with its share of the false positives
    between two thresholds. Straight lines join these points. Precision is constant up to the first
    threshold.
    """
    order = np.argsort(-values)
    ends = np.flatnonzero(np.diff(values[order], append=-1.0))  # the last of equal values
    predicted, tp = np.pad(np.stack([ends + 1, np.cumsum(true[order])[ends]]), ((0, 0), (1, 0)))
    if interpolation == "step":
        return math.fsum((np.diff(tp / tp[-1]) * _precision(predicted, tp)[1:]).tolist())
    fp = predicted - tp
    more_tp, more_fp = np.diff(tp), np.diff(fp)
    # the thresholds before and after each true positive
    step = np.repeat(np.arange(len(more_tp)), more_tp)
    share = more_fp[step] / more_tp[step]
    right = np.arange(1.0, len(step) + 1)
    wrong = fp[step] + share * (right - tp[step])
    after = right / (right + wrong)
    total = right - 1 + wrong - share
    before = np.where(total > 0, (right - 1) / np.where(total > 0, total, 1), after)
    return float(np.sum(before + after) / 2 / tp[-1])
