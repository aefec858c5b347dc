"""Operating curves of classifiers that may stop above the leaves: how much they say against how
often it is right (Valmadre 2022).

At a threshold an instance is given one class: the most specific of those whose probability reaches
it. As the threshold falls the answer becomes more specific, and the mean of what it is worth runs
along a curve. Where the paper and its program leave room:

- The more leaves lie below a class, the less specific it is. Of classes that are as specific and as
  probable the first in the order of the hierarchy is taken. A class with a single child is never
  predicted, for its child says as much; the root is, so that there always is an answer.
- There is one most specific true class per instance; one that has none, or the root alone, is left
  out. With several parents all ancestors are above a class.
- A prediction below the true class counts as the true class: what is said beyond the truth is
  neither right nor wrong.
- Recall and precision are those of weighted classes, wR and wP, per instance. The root weighs
  nothing, and where a side weighs nothing the ratio is 1.
- An area is that under the best the curve offers: for each recall the highest value at this recall
  or more, so that no detour is counted twice. A recall that is not reached counts 0.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, starmap
from typing import Any, Literal

import numpy as np

from hiermeasures.core.errors import InputError, check_known, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.encode import slices
from hiermeasures.engine.exact import summed
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.measures.sets import SpecificClasses
from hiermeasures.probabilities.files import Truth, true_classes
from hiermeasures.probabilities.probabilities import ProbabilityTable

Weighting = Literal["leaves", "one", "given"]
WEIGHTINGS: dict[Weighting, str] = {
    "leaves": "information, were every leaf as likely",
    "one": "every class but the root weighs 1: depth",
    "given": "the class weights of the hierarchy",
}
INSTANCES_AT_ONCE = 1000


class SeveralTrueClasses(InputError):
    """An instance has more than one most specific true class."""


@dataclass(frozen=True, eq=False)
class OperatingCurve:
    """Averages over instances as one threshold for all of them falls. Made by `operating_curve`.

    Arrays have a number for each distinct answer to all instances, from the first, at
    `thresholds[0]` = ∞, where each has its most probable class: `thresholds[k]` is the least
    probability that a prediction has there or before. `correct` is the share of predictions on the
    way to or below the true class, `exact` that of those at it (or below), `recall` and `precision`
    means over instances. `ptr`, `classes` and `scores` are the answers of each of `ids` as
    compressed rows, the least specific first; `left_out` are the ids without a true class. A curve
    that was read off sums (`ThresholdPartial`) has the thresholds that they are of, and no answers.
    """

    hierarchy: Hierarchy
    thresholds: np.ndarray
    correct: np.ndarray
    exact: np.ndarray
    recall: np.ndarray
    precision: np.ndarray
    weights: str
    ids: tuple[str, ...] = ()
    ptr: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    classes: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    scores: np.ndarray = field(default_factory=lambda: np.zeros(0))
    left_out: tuple[str, ...] = ()

    @property
    def average_correct(self) -> float:
        """AC: the area under correct over recall."""
        return area_of_best(self.recall, self.correct)

    @property
    def average_precision(self) -> float:
        """AP: the area under precision over recall."""
        return area_of_best(self.recall, self.precision)

    def recall_at_correct(self, share: float = 0.95) -> float:
        """R@95C: the highest recall with at least this share correct; 0 where there is none."""
        if not 0 <= share <= 1:
            raise InputError(f"a share is a number from 0 to 1, not {share!r}")
        return float(self.recall[self.correct >= share - 1e-12].max(initial=0.0))

    def predicted_at(self, tau: float) -> list[str]:
        """The prediction for each instance at a threshold."""
        rows = pairwise(self.ptr.tolist())
        reached = (lo + max(1, int((self.scores[lo:hi] >= tau).sum())) - 1 for lo, hi in rows)
        return [self.hierarchy.nodes[self.classes[k]] for k in reached]


def operating_curve(table: ProbabilityTable, true: Truth, *, weights: Weighting = "leaves") -> OperatingCurve:
    """The operating curve of a file of probabilities (Valmadre 2022).

    All scores are needed at once; at given thresholds `threshold_partial` gives its points from
    sums.

    Parameters
    ----------
    table : ProbabilityTable
        They need not be coherent; they are compared as they are.
    true : TrueClasses, or what `true_classes` takes
        One most specific class for each instance, or none.
    weights : "leaves", "one" or "given"
        What a class weighs in recall and precision.

    Raises
    ------
    InputError
        For an instance with several most specific true classes (it is named), without an instance
        that has one, for unknown weights, and as `true_classes`.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"Animal": {"Bird": ["Crow", "Finch"], "Fish": ["Carp", "Eel"]}})
    >>> names = ["Crow", "Finch", "Carp", "Eel"]
    >>> table = ProbabilityTable.of(h, [[0.6, 0.2, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1]], names, kind="leaves")
    >>> curve = operating_curve(table, [{"Crow"}, {"Finch"}])
    >>> curve.correct.tolist(), curve.recall.tolist()
    ([1.0, 1.0, 1.0, 1.0, 0.5], [0.0, 0.25, 0.5, 0.75, 0.75])
    >>> curve.recall_at_correct(0.95), curve.average_correct
    (0.75, 0.75)
    """
    found = _Answers.of(table, true, weights)
    if not len(found.rows):
        raise InputError("no instance has a true class")
    thresholds, sums = _summed(found.scores, found.values)
    return OperatingCurve(
        table.hierarchy,
        thresholds,
        weights=weights,
        ids=tuple(table.ids[row] for row in found.rows),
        ptr=np.cumsum([0, *map(len, found.sequences)], dtype=np.int64),
        classes=np.concatenate(found.sequences),
        scores=np.concatenate(found.scores),
        left_out=found.left_out,
        **by_name(sums / len(found.rows)),
    )


def by_name(averages: np.ndarray) -> dict[str, Any]:
    """The rows of (4, thresholds) by the names that they have on an operating curve."""
    return dict(zip(("correct", "exact", "recall", "precision"), averages, strict=True))


def sums_at(table: ProbabilityTable, true: Truth, weights: Weighting, taus: np.ndarray) -> tuple[int, np.ndarray]:
    """The number of instances with a true class, and sums (engine/exact.py) of what their answers
    are worth at each threshold (4, thresholds). Raises what `operating_curve` does.
    """
    answers = _Answers.of(table, true, weights)
    found = np.zeros((4, len(taus)), object)
    for mine in starmap(slice, slices(len(answers.rows), INSTANCES_AT_ONCE)):
        each = [
            values[:, np.maximum(np.searchsorted(-scores, -taus, side="right"), 1) - 1]
            for scores, values in zip(answers.scores[mine], answers.values[mine], strict=True)
        ]
        found += summed(np.stack(each, axis=-1))
    return len(answers.rows), found


def area_of_best(x: np.ndarray, y: np.ndarray) -> float:
    """The area under the highest y at each x or farther.

    >>> round(area_of_best(np.array([0.1, 0.2, 0.8]), np.array([0.9, 0.5, 0.3])), 10)
    0.32
    """
    order = np.argsort(-x, kind="stable")
    best = np.maximum.accumulate(y[order])
    return float(np.sum(-np.diff(x[order], append=0.0) * best))


# --- one prediction at each threshold -----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Answers:
    """For each of the instances with a true class, by row, the classes that some threshold
    predicts, their probabilities, and what they are worth (4, classes); and the ids of the others.
    """

    rows: np.ndarray
    sequences: list[np.ndarray]
    scores: list[np.ndarray]
    values: list[np.ndarray]
    left_out: tuple[str, ...]

    @classmethod
    def of(cls, table: ProbabilityTable, true: Truth, weights: Weighting) -> "_Answers":
        worth = _worth(table.hierarchy, _weights(table.hierarchy, weights))
        truth, left_out = _true_class(table, true)
        rows = np.flatnonzero(truth >= 0)
        sequences = list(_sequences(table.hierarchy, table.values[rows]))
        values = [worth(int(truth[row]), classes) for row, classes in zip(rows, sequences, strict=True)]
        scores = [table.values[row, classes] for row, classes in zip(rows, sequences, strict=True)]
        return cls(rows, sequences, scores, values, left_out)


def _sequences(h: Hierarchy, values: np.ndarray) -> Iterator[np.ndarray]:
    """For each instance the classes that some threshold predicts, the least specific first."""
    below = np.array([len(h.leaves & (h.descendants(c) | {c})) for c in h.nodes])
    candidates = np.flatnonzero((np.diff(arrays_of(h).child_ptr) != 1) | (np.arange(len(h)) == 0))
    leaves = below[candidates]
    for chance in values[:, candidates]:
        order = np.lexsort((leaves, -chance))
        fewest = np.minimum.accumulate(leaves[order])
        keep = np.append(True, fewest[1:] < fewest[:-1])
        yield candidates[order[keep]]


def _summed(scores: list[np.ndarray], values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The thresholds at which some answer changes, falling, and the sums from there on."""
    start = np.sum([v[:, 0] for v in values], axis=0)
    steps = np.concatenate([s[1:] for s in scores])
    gains = np.concatenate([np.diff(v, axis=1) for v in values], axis=1)
    order = np.argsort(-steps, kind="stable")
    steps = steps[order]
    last = np.flatnonzero(np.diff(steps, append=-np.inf))  # answers that change at the same threshold change together
    sums = start[:, None] + np.cumsum(gains[:, order], axis=1)[:, last]
    return np.append(np.inf, steps[last]), np.concatenate([start[:, None], sums], axis=1)


# --- what a prediction is worth -----------------------------------------------------------------


def _worth(h: Hierarchy, weight: np.ndarray) -> Callable[[int, np.ndarray], np.ndarray]:
    """Return a function of a true class and predictions: what each is worth (4, predictions)."""

    @cache
    def above(c: int) -> np.ndarray:
        return np.array(sorted(map(h.index, h.up(h.nodes[c]))), np.int64)

    def of(true: int, predicted: np.ndarray) -> np.ndarray:
        up, found = above(true), []
        for c in predicted.tolist():
            mine = up if true in above(c) else above(c)  # below the truth: as the truth
            shared = np.intersect1d(mine, up, assume_unique=True)
            parts = [math.fsum(weight[numbers].tolist()) for numbers in (shared, up, mine)]
            found.append((len(shared) == len(mine), mine is up, *(parts[0] / w if w else 1.0 for w in parts[1:])))
        return np.array(found, np.float64).T

    return of


def _weights(h: Hierarchy, weights: Weighting) -> np.ndarray:
    check_known("weights", weights, WEIGHTINGS)
    if weights == "given" and h.class_weights is None:
        raise InputError("the hierarchy has no class weights")
    given = (h.with_class_weights("leaves") if weights == "leaves" else h).class_weights
    found = np.ones(len(h)) if weights == "one" or given is None else np.array(given[0])
    found[0] = 0.0
    return found


def _true_class(table: ProbabilityTable, true: Truth) -> tuple[np.ndarray, tuple[str, ...]]:
    """Each instance's most specific true class, -1 without one, and the ids of these."""
    h = table.hierarchy
    truth = true_classes(table, true)
    found = np.full(len(truth), -1, np.int64)
    for row, labels in enumerate(truth.labels(h)):
        specific = SpecificClasses.of(h, labels).classes
        if len(specific) > 1:
            raise SeveralTrueClasses(
                f"true labels, row {row + 1} (id {shown(table.ids[row])}): {len(specific)} most specific classes, "
                f"{shown(specific[0])} and {shown(specific[1])} among them; an operating curve has one prediction and "
                "one true class for each instance"
            )
        if specific:
            found[row] = h.index(specific[0])
    return found, tuple(name for name, c in zip(table.ids, found, strict=True) if c < 0)
