"""Values of a file of probabilities that need no threshold.

One kind ranks the classes and measures how far the first ones are from the truth (Bertinetto et al.
2020). The other is the operating curve of a classifier that may stop above the leaves (Valmadre
2022). docs/how-to/scores.md explains them. The papers leave some points open. Our choices:

- Leaves are ranked. Equal probabilities are ranked in the order of the hierarchy.
- The distance of two classes is the depth of the hierarchy minus the level of their lowest common
  ancestor, as in the distances that Bertinetto et al. published. In a DAG the deepest common
  ancestor counts. `distance="height"` is the text's definition: the smallest height of a common
  ancestor. Both agree if all leaves are equally deep.
- If an instance has several most specific true classes, the nearest counts. An operating curve
  needs exactly one.
  An instance without a true class, or with only the root, is left out.
- An operating curve predicts the most specific class that reaches the threshold: the one with the
  fewest leaves below it, then the likeliest, then the first. A class with a single child is never
  predicted, except the root. A prediction below the true class counts as the true class.
- The root weighs 0. If the true (predicted) side weighs 0, recall (precision) is 1.
- An area uses, at each recall, the highest value at this recall or more. A recall that is never
  reached counts 0.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress, pairwise
from typing import Literal

import numpy as np

from hiermeasures.evaluation.encode import slices
from hiermeasures.evaluation.scores.curves import (
    Incoherent,
    Interpolation,
    class_areas,
    mean_of_defined,
)
from hiermeasures.evaluation.scores.files import Truth, true_classes
from hiermeasures.evaluation.scores.probabilities import ProbabilityTable, least_above
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import agree, write_count
from hiermeasures.measures.sets import SpecificClasses

Distance = Literal["level", "height"]
DISTANCES: dict[Distance, str] = {
    "level": "depth of the hierarchy minus level of the lowest common ancestor",
    "height": "height of the lowest common ancestor",
}
Weighting = Literal["leaves", "one", "given"]
WEIGHTINGS: dict[Weighting, str] = {
    "leaves": "information, if all leaves are equally likely",
    "one": "1 for every class except the root, so a sum is a depth",
    "given": "the class weights of the hierarchy",
}
CELLS_AT_ONCE = 4_000_000
"""The number of (instance, leaf) cells that are sorted together. This limits memory."""
TOP = (1, 5)
"""The numbers k of first leaves for distances and accuracies in a report."""
CORRECT = (0.9, 0.95)
_WORDS = {
    "AUPRC_pooled": "The area under the precision–recall curve of the counts summed over all "
    "classes (Vens et al. 2008).",
    "AUPRC_macro": "The mean area under the curves of the classes.",
    "AUPRC_weighted": "The mean area, each class weighted by its number of instances.",
    "severity": "Mistake severity: the mean distance of the first leaf if it is wrong "
    "(Bertinetto et al. 2020).",
    "distance": "The mean distance of the first k leaves from the truth. k is the number after @.",
    "accuracy": "The share of instances with a true class among the first k leaves.",
    "AC": "Average correct: the area under the share of correct answers over recall "
    "(Valmadre 2022).",
    "AP": "Average precision: the area under wP over wR, as the threshold falls.",
    "R": "The highest recall with at least this percentage of correct answers.",
}


@dataclass(frozen=True)
class ScoredReport:
    """The values of a file of scores that need no threshold, made by `scored_report`.

    `values` has them by name, with nan for undefined ones. `notes` list the parts that were left
    out.
    """

    values: dict[str, float]
    notes: tuple[str, ...]

    @property
    def words(self) -> dict[str, str]:
        """Return a sentence for each value."""
        return {name: _WORDS[name.partition("@")[0]] for name in self.values}


def scored_report(
    table: ProbabilityTable,
    true: Truth,
    *,
    top: Sequence[int] = TOP,
    distance: Distance = "level",
    interpolation: Interpolation = "counts",
    incoherent: Incoherent = "augment",
    weights: Weighting = "leaves",
) -> ScoredReport:
    """Compute every value of a file of scores that needs no threshold.

    Parameters
    ----------
    table, true
        As for `operating_curve`.
    top : sequence of int
        The numbers k: you get distance and accuracy of the first k leaves.
    distance : "level" or "height"
        As for `ranked_mistakes`.
    interpolation, incoherent, weights
        As for `class_areas` and `operating_curve`.

    Returns
    -------
    ScoredReport

    Raises
    ------
    InputError
        As `class_areas`, `mistakes_of` and `operating_curve` do. If an instance has several most
        specific true classes, the report only leaves out the operating curve, with a note.

    See Also
    --------
    class_areas : Compute the areas under the curves of classes.
    mistakes_of : Compute the distances of the first leaves.
    operating_curve : Compute the operating curve.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.5, 0.2, 0.3], [0.2, 0.1, 0.7]], ["3", "4", "2"], kind="leaves")
    >>> found = scored_report(table, [{"3"}, {"4"}], top=[1])
    >>> found.values["severity"], found.values["distance@1"]
    (2.0, 1.0)
    """
    truth, leaves = true_classes(table, true), len(table.hierarchy.leaves)
    areas = class_areas(table, truth, interpolation=interpolation, incoherent=incoherent)
    ranked = [k for k in top if k <= leaves]
    mistakes = mistakes_of(table, truth, places=max(ranked, default=1), distance=distance)
    values = {f"AUPRC_{kind}": getattr(areas, kind) for kind in ("pooled", "macro", "weighted")}
    values |= mistakes.values(ranked)
    too_many = [k for k in top if k > leaves]
    notes = _notes(len(areas.unseen), too_many, leaves, len(mistakes.left_out))
    try:
        values |= operating_curve(table, truth, weights=weights).values
    except SeveralTrueClasses as error:
        notes.append(f"no operating curve (AC, AP, R@C): {error}")
    return ScoredReport(values, tuple(notes))


def _notes(unseen: int, too_many: Sequence[int], leaves: int, left_out: int) -> list[str]:
    """Return notes on the classes, places of the ranking and instances that were left out."""
    notes = []
    if unseen:
        notes.append(
            f"{write_count(unseen, 'class')} without an instance, counted only in AUPRC_pooled"
        )
    here = f"{agree(leaves, 'is')} {write_count(leaves, 'leaf')}"
    notes += [f"distance@{k} and accuracy@{k} left out: there {here}" for k in too_many]
    if left_out:
        notes.append(
            f"{write_count(left_out, 'instance')} without a true class, counted only in the AUPRC "
            "values"
        )
    return notes


# --- distances of the classes ranked first ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RankedMistakes:
    """The first classes in each instance's ranking, with their distances from the truth.

    `ranked_mistakes` and `mistakes_of` make it.

    Attributes
    ----------
    ranked : array of int, (instances, places)
        Class numbers, the best class first.
    distances : array of int, (instances, places)
        The distance of each class from the nearest true class.
    ids : the ids of the instances
    left_out : the ids of instances without a true class
    """

    hierarchy: Hierarchy
    ids: tuple[str, ...]
    ranked: np.ndarray
    distances: np.ndarray
    left_out: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.distances)

    @property
    def mistakes(self) -> np.ndarray:
        """True for each instance whose first class is wrong."""
        return np.asarray(self.distances[:, 0] > 0)

    @property
    def severity(self) -> float:
        """The mean distance of the wrong first classes, or nan without mistakes."""
        return mean_of_defined(self.distances[self.mistakes, 0])

    def average_distance(self, k: int = 1) -> float:
        """Return the mean distance over all instances and their first k classes."""
        return mean_of_defined(self._first(k).ravel())

    def accuracy(self, k: int = 1) -> float:
        """Return the share of instances with a true class among the first k."""
        return mean_of_defined((self._first(k) == 0).any(axis=1).astype(np.float64))

    def values(self, top: Sequence[int]) -> dict[str, float]:
        """Return a report's values by name, with distance and accuracy for each k in `top`."""
        values = {"severity": self.severity}
        for k in top:
            values[f"distance@{k}"] = self.average_distance(k)
            values[f"accuracy@{k}"] = self.accuracy(k)
        return values

    def _first(self, k: int) -> np.ndarray:
        places = self.distances.shape[1]
        if not 1 <= k <= places:
            raise InputError(f"k is {k}. Choose 1 to {places}, the number of ranked classes.")
        return self.distances[:, :k]


def mistakes_of(
    table: ProbabilityTable, true: Truth, *, places: int | None = None, distance: Distance = "level"
) -> RankedMistakes:
    """Rank the leaves by falling probability, and measure how far each is from the truth.

    Bertinetto et al. 2020 define the values.

    Parameters
    ----------
    table : ProbabilityTable
        n instances.
    true : TrueClasses, or labels that `true_classes` accepts
        Of n instances.
    places : int, optional
        The number of ranked classes per instance. The default is all leaves.
    distance : "level" or "height"
        As for `ranked_mistakes`.

    Returns
    -------
    RankedMistakes

    Raises
    ------
    InputError
        If `places` is above the number of leaves, and as `true_classes` does.

    See Also
    --------
    ranked_mistakes : Measure your own rankings.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"Animal": {"Bird": ["Crow", "Finch"], "Fish": ["Carp"]}})
    >>> table = ProbabilityTable.of(h, [[0.5, 0.2, 0.3], [0.2, 0.1, 0.7]], ["Crow", "Finch", "Carp"], kind="leaves")
    >>> found = mistakes_of(table, [{"Crow"}, {"Finch"}])
    >>> found.severity, found.average_distance(2), found.accuracy(1)
    (2.0, 1.25, 0.5)
    """
    h = table.hierarchy
    leaves = np.array(sorted(map(h.index, h.leaves)), np.int64)
    most = len(leaves) if places is None else places
    if not 1 <= most <= len(leaves):
        raise InputError(f"places is {most}. Choose 1 to {len(leaves)}, the number of leaves.")
    ranked = np.empty((len(table), most), np.int64)
    for begin, end in slices(len(table), max(1, CELLS_AT_ONCE // len(leaves))):
        ranked[begin:end] = leaves[
            np.argsort(-table.values[begin:end, leaves], axis=1, kind="stable")[:, :most]
        ]
    return _mistakes(h, ranked, true_classes(table, true).names(h), table.ids, distance)


def ranked_mistakes(
    hierarchy: Hierarchy,
    ranked: Sequence[Sequence[str]],
    true: Sequence[Iterable[str]],
    *,
    distance: Distance = "level",
) -> RankedMistakes:
    """Measure how far the classes of your own rankings are from the truth.

    Parameters
    ----------
    hierarchy : Hierarchy
    ranked : sequence of lists of classes
        A list for each instance, the best class first. All lists have the same length.
    true : sequence of sets of classes
        The true classes of each instance.
    distance : "level" or "height"
        The distance of a wrong class. "level": the depth of the hierarchy minus the level of the
        lowest common ancestor. "height": the height of that ancestor, its longest path to a leaf.

    Returns
    -------
    RankedMistakes

    Raises
    ------
    InputError
        If rankings are empty or differ in length, a class or distance is unknown, or `ranked` and
        `true` differ in length.

    See Also
    --------
    mistakes_of : Rank the leaves by their probabilities.

    Examples
    --------
    Bird is at level 1 of 2, so the two birds are 2 − 1 from each other:

    >>> h = Hierarchy.from_nested({"Animal": {"Bird": ["Crow", "Finch"], "Fish": ["Carp"]}})
    >>> ranked_mistakes(h, [["Crow", "Finch"], ["Carp", "Crow"]], [{"Crow"}, {"Finch"}]).average_distance(2)
    1.0
    """
    if len(ranked) != len(true):
        raise InputError(
            f"`ranked` has {len(ranked)} rankings, but `true` has {len(true)} instances. Give one "
            "ranking for each instance."
        )
    places = {len(row) for row in ranked}
    if len(places) > 1 or 0 in places:
        raise InputError(
            "the rankings differ in length or are empty. Rank equally many classes per instance."
        )
    numbers = np.array([[hierarchy.index(c) for c in row] for row in ranked], np.int64).reshape(
        len(ranked), -1
    )
    labels = [hierarchy.check([entry] if isinstance(entry, str) else entry) for entry in true]
    ids = tuple(map(str, range(1, len(ranked) + 1)))
    return _mistakes(hierarchy, numbers, labels, ids, distance)


def _mistakes(
    h: Hierarchy,
    ranked: np.ndarray,
    true: Iterable[Iterable[str]],
    ids: tuple[str, ...],
    distance: Distance,
) -> RankedMistakes:
    check_known("distance", distance, DISTANCES)
    by_level = h.depth - np.array(h.rows.level)
    cost = by_level if distance == "level" else np.array(h.heights)
    rows_of: dict[str, list[int]] = {}
    for row, labels in enumerate(true):
        for c in SpecificClasses.of(h, frozenset(labels) - {h.root}).classes:
            rows_of.setdefault(c, []).append(row)
    distances = np.full(ranked.shape, np.inf)
    for c, rows in rows_of.items():
        up = [h.index(a) for a in h.up(c)]
        common = np.full((1, len(h)), np.inf)
        # the lowest common ancestor of c and one of its ancestors is that ancestor
        common[0, up] = cost[up]
        common = least_above(h, common)[0]
        common[h.index(c)] = 0
        distances[rows] = np.minimum(distances[rows], common[ranked[rows]])
    some = np.isfinite(distances[:, 0])
    return RankedMistakes(
        h, tuple(compress(ids, some)), ranked[some], distances[some], tuple(compress(ids, ~some))
    )


# --- operating curves ---------------------------------------------------------------------------


class SeveralTrueClasses(InputError):
    """Raised if an instance has more than one most specific true class."""


@dataclass(frozen=True, eq=False)
class OperatingCurve:
    """Averages over instances as a common threshold falls, made by `operating_curve`.

    Arrays have one number for each distinct set of answers.

    Attributes
    ----------
    thresholds : array of float
        The lowest probability of any prediction so far. The first is ∞.
    correct : array of float
        The share of predictions above, at or below the true class.
    exact : array of float
        The share of predictions at or below the true class.
    recall, precision : array of float
        Means over the instances.
    ptr, classes, scores : arrays
        Compressed rows with the answers for each of `ids`, the least specific first.
    ids : the ids of the instances
    left_out : the ids of instances without a true class
    """

    hierarchy: Hierarchy
    thresholds: np.ndarray
    correct: np.ndarray
    exact: np.ndarray
    recall: np.ndarray
    precision: np.ndarray
    weights: str
    ids: tuple[str, ...]
    ptr: np.ndarray
    classes: np.ndarray
    scores: np.ndarray
    left_out: tuple[str, ...]

    @property
    def average_correct(self) -> float:
        """AC: the area under correct over recall."""
        return area_of_best(self.recall, self.correct)

    @property
    def average_precision(self) -> float:
        """AP: the area under precision over recall."""
        return area_of_best(self.recall, self.precision)

    def recall_at_correct(self, share: float = 0.95) -> float:
        """Return R@95C: the highest recall with at least this share correct, or else 0."""
        if not 0 <= share <= 1:
            raise InputError(f"share is {share!r}. Choose a number from 0 to 1.")
        return float(self.recall[self.correct >= share - 1e-12].max(initial=0.0))

    @property
    def values(self) -> dict[str, float]:
        """Return the values of a report by name."""
        values = {"AC": self.average_correct, "AP": self.average_precision}
        return values | {f"R@{100 * share:g}C": self.recall_at_correct(share) for share in CORRECT}

    def predicted_at(self, tau: float) -> list[str]:
        """Return the prediction for each instance at a threshold."""
        rows = pairwise(self.ptr.tolist())
        reached = (lo + max(1, int((self.scores[lo:hi] >= tau).sum())) - 1 for lo, hi in rows)
        return [self.hierarchy.nodes[self.classes[k]] for k in reached]


def operating_curve(
    table: ProbabilityTable, true: Truth, *, weights: Weighting = "leaves"
) -> OperatingCurve:
    """Compute the operating curve of a file of probabilities (Valmadre 2022).

    Parameters
    ----------
    table : ProbabilityTable
        n instances. The probabilities may be incoherent.
    true : TrueClasses, or labels that `true_classes` accepts
        Of n instances, with at most one most specific class each.
    weights : "leaves", "one" or "given"
        Weights of classes in recall and precision. "leaves": their information if all leaves are
        equally likely. "one": 1. "given": the class weights of the hierarchy.

    Returns
    -------
    OperatingCurve

    Raises
    ------
    SeveralTrueClasses
        If an instance has several most specific true classes.
    InputError
        If all instances miss a true class, or the weights are unknown.

    See Also
    --------
    scored_report : Compute all values of a file that need no threshold.

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
    h, truth = table.hierarchy, _true_class(table, true)
    worth = _worth(h, weights)
    rows = np.flatnonzero(truth >= 0)
    if not len(rows):
        raise InputError("all instances miss a true class. An operating curve needs one each.")
    answers = list(_answers(h, table.values[rows]))
    scores = [table.values[row, classes] for row, classes in zip(rows, answers, strict=True)]
    values = [worth(int(truth[row]), classes) for row, classes in zip(rows, answers, strict=True)]
    thresholds, sums = _sums_along(scores, values)
    means = zip(("correct", "exact", "recall", "precision"), sums / len(rows), strict=True)
    return OperatingCurve(
        h,
        thresholds,
        **dict(means),
        weights=weights,
        ids=tuple(table.ids[row] for row in rows),
        ptr=np.cumsum([0, *map(len, answers)], dtype=np.int64),
        classes=np.concatenate(answers),
        scores=np.concatenate(scores),
        left_out=tuple(compress(table.ids, truth < 0)),
    )


def _sums_along(
    scores: Sequence[np.ndarray], values: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct thresholds, falling, and the sum over all instances' answers at each."""
    start = np.sum([v[:, 0] for v in values], axis=0)[:, None]
    steps = np.concatenate([s[1:] for s in scores])
    gains = np.concatenate([np.diff(v, axis=1) for v in values], axis=1)
    order = np.argsort(-steps, kind="stable")
    steps = steps[order]
    # Answers that change at the same threshold change together.
    last = np.flatnonzero(np.diff(steps, append=-np.inf))
    sums = np.concatenate([start, start + np.cumsum(gains[:, order], axis=1)[:, last]], axis=1)
    return np.append(np.inf, steps[last]), sums


def area_of_best(x: np.ndarray, y: np.ndarray) -> float:
    """Return the area under a curve that has, at each x, the highest y at this x or beyond.

    >>> round(area_of_best(np.array([0.1, 0.2, 0.8]), np.array([0.9, 0.5, 0.3])), 10)
    0.32
    """
    order = np.argsort(-x, kind="stable")
    best = np.maximum.accumulate(y[order])
    return float(np.sum(-np.diff(x[order], append=0.0) * best))


def _true_class(table: ProbabilityTable, true: Truth) -> np.ndarray:
    """Return each instance's most specific true class, or -1."""
    h, truth = table.hierarchy, true_classes(table, true)
    found = np.full(len(truth), -1, np.int64)
    for row, labels in enumerate(truth.names(h)):
        specific = SpecificClasses.of(h, labels).classes
        if len(specific) > 1:
            raise SeveralTrueClasses(
                f"true labels, row {row + 1} (id {shown(table.ids[row])}): {len(specific)} most "
                f"specific classes, such as {shown(specific[0])} and {shown(specific[1])}. An "
                "operating curve needs one true class per instance."
            )
        if specific:
            found[row] = h.index(specific[0])
    return found


def _answers(h: Hierarchy, values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield each instance's predictions over all thresholds, the least specific first."""
    candidates = np.array([i for i, c in enumerate(h.nodes) if i == 0 or len(h.children(c)) != 1])
    leaves = np.array([len(h.leaves & {c, *h.descendants(c)}) for c in h.nodes])[candidates]
    for chance in values[:, candidates]:
        order = np.lexsort((leaves, -chance))
        fewest = np.minimum.accumulate(leaves[order])
        keep = np.append(True, fewest[1:] < fewest[:-1])
        yield candidates[order[keep]]


def _worth(h: Hierarchy, weights: Weighting) -> Callable[[int, np.ndarray], np.ndarray]:
    """Return a function of true class and predictions, with values of shape (4, predictions)."""
    check_known("weights", weights, WEIGHTINGS)
    given = (h.with_class_weights("leaves") if weights == "leaves" else h).class_weights
    if weights == "given" and given is None:
        raise InputError(
            "the hierarchy has no class weights. Add them, or use weights='leaves' or 'one'."
        )
    weight = np.ones(len(h)) if weights == "one" or given is None else np.array(given[0])
    weight[0] = 0.0

    @cache
    def above(c: int) -> np.ndarray:
        return np.array(sorted(map(h.index, h.up(h.nodes[c]))), np.int64)

    def of(true: int, predicted: np.ndarray) -> np.ndarray:
        up, found = above(true), []
        for c in predicted.tolist():
            mine = up if true in above(c) else above(c)  # below the truth counts as the truth
            shared = np.intersect1d(mine, up, assume_unique=True)
            both, recalled, said = (
                math.fsum(weight[numbers].tolist()) for numbers in (shared, up, mine)
            )
            recall, precision = (both / side if side else 1.0 for side in (recalled, said))
            found.append((len(shared) == len(mine), mine is up, recall, precision))
        return np.array(found, np.float64).T

    return of
