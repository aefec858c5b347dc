"""Hierarchical precision and recall over all thresholds: the curve of one instance. Those of whole
files are computed over arrays in file_curves.py.

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

`instance_curve` is the readable definition; `instance_areas` there computes the same, without a
curve.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from hiermeasures.core.errors import InputError, check_known
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.probabilities.conversions import greatest_below, least_above
from hiermeasures.probabilities.events import closed
from hiermeasures.probabilities.probabilities import NodeProbabilities

Interpolation = Literal["trapezoid", "step"]
Incoherent = Literal["augment", "cap"]

INTERPOLATIONS: dict[str, str] = {
    "trapezoid": "Straight lines between neighbouring points, from recall 0 and precision 1 (Plaud et al. 2024).",
    "step": "Each gain in recall counts with the precision reached by it (average precision).",
}
INCOHERENT: dict[str, str] = {
    "augment": "A predicted class brings its ancestors (Plaud et al. 2024, Eq. 1).",
    "cap": "A child's probability is lowered to its parent's (the authors' program).",
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

    def predicted_at(self, tau: float) -> frozenset[str]:
        """The predicted classes at a threshold, ancestors included."""
        last = self.points.index(self.at(tau))
        return frozenset(c for p in self.points[: last + 1] for c in p.added)


# --- one instance -------------------------------------------------------------------------------


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
    best = tuple(q for q in points if q.f1 == top)
    return Curve(
        hierarchy=h,
        true=truth,
        points=points,
        area=area,
        best=best,
        interpolation=interpolation,
        sentence=_conventions(interpolation, incoherent, count_root, everything),
    )


def _points(chance: Mapping[str, float], truth: frozenset[str], everything: bool) -> Iterator[CurvePoint]:
    """One point for each distinct probability, falling; the first predicts nothing."""
    by_value: dict[float, list[str]] = {}
    for c, value in chance.items():
        by_value.setdefault(value, []).append(c)
    values = sorted((v for v in by_value if v > 0), reverse=True)
    lows = [*values, 0.0]
    yield CurvePoint(lows[0], 1.0, (), 0, len(truth), 0)
    predicted = shared = 0
    for value, low in zip(values, lows[1:], strict=True):
        added = tuple(by_value[value])
        predicted, shared = predicted + len(added), shared + sum(c in truth for c in added)
        yield CurvePoint(low, value, added, predicted, len(truth), shared)
    if everything and 0.0 in by_value:
        yield CurvePoint(-math.inf, 0.0, tuple(by_value[0.0]), len(chance), len(truth), len(truth))


def area_under(recall: Sequence[float], precision: Sequence[float], interpolation: str) -> float:
    """The area under points in order of growing recall."""
    steps = zip(pairwise(recall), pairwise(precision), strict=True)
    if interpolation == "trapezoid":
        return math.fsum((r - q) * (a + b) / 2 for (q, r), (a, b) in steps)
    return math.fsum((r - q) * b for (q, r), (_, b) in steps)


def _conventions(interpolation: str, incoherent: str, count_root: bool, everything: bool) -> str:
    return (
        f"Classes above the threshold are predicted; {INCOHERENT[incoherent]} {INTERPOLATIONS[interpolation]} "
        "The root is "
        f"{'counted' if count_root else 'not counted'}."
        + (" The last point predicts every class, those of probability 0 too." if everything else "")
    )


def check_choices(interpolation: str, incoherent: str) -> None:
    """Refuse an unknown interpolation or reading."""
    check_known("interpolation", interpolation, INTERPOLATIONS)
    check_known("reading of incoherent probabilities", incoherent, INCOHERENT)


def effective_values(hierarchy: Hierarchy, values: np.ndarray, incoherent: str) -> np.ndarray:
    """Probabilities whose thresholds give coherent predictions."""
    return greatest_below(hierarchy, values) if incoherent == "augment" else least_above(hierarchy, values)
