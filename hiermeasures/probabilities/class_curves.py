"""Areas under precision–recall curves of classes: pooled, and their mean over classes, plain or by
frequency (Vens et al. 2008).

Where file_curves.py has a curve for each instance and one threshold for the counts of all, here
each class has a curve over the instances. Conventions, beside those of curves.py on incoherent
probabilities and the root:

- A class is predicted where its probability is at or above the threshold, and the last threshold
  predicts everything, probability 0 too: every curve reaches recall 1. Equal probabilities are
  reached together.
- True classes bring their ancestors. An instance without a true class, or with the root alone,
  counts: whatever is predicted for it is wrong.
- A class that no instance has, has no curve. Means leave it out; the pooled curve counts what is
  predicted of it, for its sums range over all classes (`unseen=False` leaves it out there, too, as
  the authors' later program does).
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hiermeasures.core.errors import check_known
from hiermeasures.probabilities.curves import Incoherent, area_under, check_choices, effective_values
from hiermeasures.probabilities.file_curves import TrueClasses, Truth, true_classes
from hiermeasures.probabilities.probabilities import ProbabilityTable

SINGLY = 64
"""True positives between two thresholds that are added one by one."""
ClassInterpolation = Literal["counts", "step", "trapezoid"]
CLASS_INTERPOLATIONS: dict[str, str] = {
    "counts": "Between two thresholds false positives grow evenly with true ones (Davis and Goadrich 2006; Vens et al. "
    "2008).",
    "step": "Each gain in recall counts with the precision reached by it (average precision).",
    "trapezoid": "Straight lines between neighbouring points, from recall 0 and precision 1.",
}


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
    """The area under the precision–recall curve of every class, and under the pooled one (Vens et
    al. 2008).

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
    h = table.hierarchy
    truth = _as_table(true_classes(table, true), len(h))
    values = effective_values(h, table.values, incoherent)
    first = 0 if count_root else 1
    times = truth.sum(axis=0)
    counted = np.arange(first, len(h))
    seen = counted[times[first:] > 0]
    pool = counted if unseen else seen
    return ClassAreas(
        classes=tuple(h.nodes[c] for c in seen),
        areas=np.array([_area(values[:, c], truth[:, c], interpolation) for c in seen]),
        instances=times[seen],
        pooled=_area(values[:, pool], truth[:, pool], interpolation) if len(seen) else math.nan,
        unseen=tuple(h.nodes[c] for c in np.setdiff1d(counted, seen)),
        interpolation=interpolation,
    )


def _as_table(truth: TrueClasses, classes: int) -> np.ndarray:
    """Indicators of the true classes, ancestors included: (instances, classes)."""
    found = np.zeros((len(truth), classes), bool)
    found[np.repeat(np.arange(len(truth)), np.diff(truth.ptr)), truth.idx] = True
    return found


def _area(values: np.ndarray, true: np.ndarray, interpolation: str) -> float:
    """The area under the curve of some probabilities, of which some belong to what is true."""
    values, true = values.ravel(), true.ravel()
    order = np.argsort(-values)
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(values) - 1)  # the last of equal probabilities
    tp = np.cumsum(true[order])[ends].astype(np.float64)
    return area_of_counts(tp, ends + 1 - tp, interpolation)


def area_of_counts(tp: np.ndarray, fp: np.ndarray, interpolation: str) -> float:
    """The area under the curve through rising true and false positives; the last has all that is
    true.
    """
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
