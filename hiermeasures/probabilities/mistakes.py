"""Severity of mistakes: the hierarchical distance of the classes that are ranked first (Bertinetto
et al. 2020).

The distance of two classes is the height of their lowest common ancestor, the longest path down
from it to a leaf, in edges; 0 for a class and itself. Where the papers leave room:

- Leaves are ranked, for in the papers they are the classes; a ranking that is given may hold any.
  Equal probabilities stand in the order of the hierarchy.
- With several parents the common ancestor of least height is taken; in a tree that is the lowest
  one.
- The most specific true classes are meant. With several the nearest counts. An instance without
  one, or with the root alone, is left out.
- A true class that is no leaf can be ranked only where the ranking is given; a leaf below it is as
  far as it is high.

Distances are whole numbers. All that is reported is read off counts of them, which add up exactly
over parts of the instances (reports.py).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress, starmap
from typing import Annotated

import numpy as np

from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.codec import Counts, check
from hiermeasures.engine.encode import slices
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.measures.sets import SpecificClasses
from hiermeasures.probabilities.curves import CELLS_AT_ONCE
from hiermeasures.probabilities.files import Truth, true_classes
from hiermeasures.probabilities.probabilities import ProbabilityTable, least_above

UNFIT = "counts of distances do not fit"
TOP = (1, 5)
"""Of how many first classes distances are reported."""


class _Readings:
    def counts(self, k: int = 1) -> "MistakeCounts":
        """Count the instances at each distance from the truth, by the first k classes."""
        raise NotImplementedError

    def average_distance(self, k: int = 1) -> float:
        """The mean distance over instances and their first k classes."""
        counts = self.counts(k)
        return _ratio(_total(counts.ranked[:k].sum(axis=0)), k * len(counts))

    def nearest_distance(self, k: int = 1) -> float:
        """The mean over instances of the least distance among the first k classes."""
        counts = self.counts(k)
        return _ratio(_total(counts.nearest[k - 1]), len(counts))

    def accuracy(self, k: int = 1) -> float:
        """The share of instances with a true class among the first k."""
        counts = self.counts(k)
        return _ratio(int(counts.nearest[k - 1, 0]), len(counts))

    @property
    def severity(self) -> float:
        """The mean distance of the first class where it is wrong; nan where it never is."""
        counts = self.counts()
        return _ratio(_total(counts.ranked[0]), len(counts) - int(counts.ranked[0, 0]))


@dataclass(frozen=True, eq=False)
class MistakeCounts(_Readings):
    """Numbers of instances at each distance from the truth: `ranked` (places, distances from 0) by
    the class at each place, and `nearest` by the nearest class up to it. `a + b` are the counts
    over the instances of both.
    """

    ranked: Annotated[np.ndarray, Counts("places distances", "instances")]
    nearest: Annotated[np.ndarray, Counts("places distances", "instances")]

    @classmethod
    def of(cls, distances: np.ndarray) -> "MistakeCounts":
        """Those of the distances (instances, places) of ranked classes."""
        each = distances.astype(np.int64)
        width, places = int(each.max(initial=0)) + 1, each.shape[1]

        def counted(found: np.ndarray) -> np.ndarray:
            cells = found + width * np.arange(places)
            return np.bincount(cells.ravel(), minlength=places * width).reshape(places, width)

        return cls(counted(each), counted(np.minimum.accumulate(each, axis=1)))

    def check(self, places: int, instances: int) -> None:
        """Refuse what cannot be: places count as many instances, the nearest gets no farther."""
        check(len(self.ranked) == places and (self.ranked[0] == self.nearest[0]).all(), UNFIT)
        reached = self.nearest.cumsum(axis=1)
        each = {*self.ranked.sum(axis=1).tolist(), *self.nearest.sum(axis=1).tolist()}
        check(len(each) == 1 and max(each) <= instances, UNFIT)
        check((reached[1:] >= reached[:-1]).all(), "distances grow with the classes ranked")

    def __len__(self) -> int:
        return int(self.ranked[0].sum())

    def __add__(self, other: "MistakeCounts") -> "MistakeCounts":
        return MistakeCounts(_added(self.ranked, other.ranked), _added(self.nearest, other.nearest))

    def counts(self, k: int = 1) -> "MistakeCounts":
        _checked(k, self.ranked)
        return self


@dataclass(frozen=True, eq=False)
class RankedMistakes(_Readings):
    """The classes that are ranked first for each instance, and how far each is from the truth.

    `ranked` are class numbers and `distances` their distances from the nearest true class, both
    (instances, places), of the instances `ids`; `left_out` are those without a true class. Made by
    `ranked_mistakes` and `mistakes_of`.
    """

    hierarchy: Hierarchy
    ids: tuple[str, ...]
    ranked: np.ndarray
    distances: np.ndarray
    left_out: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.distances)

    def counts(self, k: int = 1) -> MistakeCounts:
        return MistakeCounts.of(self.distances[:, : _checked(k, self.distances.T)])

    @property
    def mistakes(self) -> np.ndarray:
        """Mark of each instance whose first class is wrong."""
        return np.asarray(self.distances[:, 0] > 0)


def mistakes_of(table: ProbabilityTable, true: Truth, *, places: int | None = None) -> RankedMistakes:
    """The leaves by falling probability, and how far each is from the truth.

    Parameters
    ----------
    table : ProbabilityTable
    true : TrueClasses, or what `true_classes` takes
    places : int, optional
        How many classes are kept for each instance; all leaves by default.

    Raises
    ------
    InputError
        For more places than leaves, and as `true_classes`.

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
        raise InputError(f"places are from 1 to {len(leaves)}, the number of leaves, not {most}")
    ranked = np.empty((len(table), most), np.int64)
    for rows in starmap(slice, slices(len(table), max(1, CELLS_AT_ONCE // len(leaves)))):
        ranked[rows] = leaves[np.argsort(-table.values[rows, leaves], axis=1, kind="stable")[:, :most]]
    truth = true_classes(table, true)
    return _mistakes(h, ranked, list(truth.labels(h)), table.ids)


def ranked_places(hierarchy: Hierarchy, top: Iterable[int]) -> int:
    """Number of leaves to rank: the largest of `top` up to how many there are, or 1."""
    leaves = len(hierarchy.leaves)
    return max((k for k in top if k <= leaves), default=1)


def ranked_mistakes(
    hierarchy: Hierarchy,
    ranked: Sequence[Sequence[str]],
    true: Sequence[Iterable[str]],
    *,
    ids: Sequence[str] | None = None,
) -> RankedMistakes:
    """The same of rankings that are given: for each instance classes, the best first, as many as
    for the others.

    Raises
    ------
    InputError
        For rankings of different length or without a class, an unknown class, and sides of
        different length.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"Animal": {"Bird": ["Crow", "Finch"], "Fish": ["Carp"]}})
    >>> ranked_mistakes(h, [["Crow", "Finch"], ["Carp", "Crow"]], [{"Crow"}, {"Finch"}]).nearest_distance(2)
    0.5
    """
    if len(ranked) != len(true):
        raise InputError(f"there are {len(ranked)} rankings, but true classes of {len(true)} instances")
    places = {len(row) for row in ranked}
    if len(places) > 1 or 0 in places:
        raise InputError("every instance has a ranking of as many classes, at least one")
    numbers = np.array([[hierarchy.index(c) for c in row] for row in ranked], np.int64).reshape(len(ranked), -1)
    labels = [hierarchy.check([entry] if isinstance(entry, str) else entry) for entry in true]
    names = tuple(map(str, range(1, len(ranked) + 1))) if ids is None else tuple(map(str, ids))
    if len(names) != len(ranked):
        raise InputError(f"there are {len(names)} ids, but {len(ranked)} rankings")
    return _mistakes(hierarchy, numbers, labels, names)


def heights(hierarchy: Hierarchy) -> np.ndarray:
    """The longest path down from each class to a leaf, in edges, by number.

    >>> heights(Hierarchy.from_nested({"Animal": {"Bird": ["Crow", "Finch"], "Fish": None}})).tolist()
    [2, 1, 0, 0, 0]
    """
    arrays = arrays_of(hierarchy)
    found = np.zeros(len(hierarchy), np.int64)
    for i in range(len(hierarchy) - 1, 0, -1):
        above = arrays.parent_idx[arrays.parent_ptr[i] : arrays.parent_ptr[i + 1]]
        found[above] = np.maximum(found[above], found[i] + 1)
    return found


def _mistakes(h: Hierarchy, ranked: np.ndarray, true: Sequence[Iterable[str]], ids: tuple[str, ...]) -> RankedMistakes:
    specific = [SpecificClasses.of(h, frozenset(labels) - {h.root}).classes for labels in true]
    rows = np.repeat(np.arange(len(true)), list(map(len, specific)))
    classes, of_row = np.unique([h.index(c) for row in specific for c in row], return_inverse=True)
    distances = np.full(ranked.shape, np.inf)
    height = heights(h)
    for begin, end in slices(len(classes), max(1, CELLS_AT_ONCE // len(h))):
        mine = (of_row >= begin) & (of_row < end)
        from_each = _distances_from(h, height, classes[begin:end])
        np.minimum.at(distances, rows[mine], from_each[of_row[mine, None] - begin, ranked[rows[mine]]])
    some = np.array([bool(row) for row in specific], bool)
    kept, left_out = tuple(compress(ids, some)), tuple(compress(ids, ~some))
    return RankedMistakes(h, kept, ranked[some], distances[some], left_out)


def _distances_from(h: Hierarchy, height: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """For some classes the least height of an ancestor that each class has in common with them, 0
    for themselves: (some classes, all classes).
    """
    found = np.full((len(classes), len(h)), np.inf)
    for row, c in enumerate(classes):
        up = [h.index(a) for a in h.up(h.nodes[c])]
        found[row, up] = height[up]  # the lowest ancestor that such a class has in common with c is itself
    found = least_above(h, found)
    found[np.arange(len(classes)), classes] = 0
    return found


def _checked(k: int, places: np.ndarray) -> int:
    if not 1 <= k <= len(places):
        raise InputError(f"k is from 1 to {len(places)}, the number of classes ranked, not {k}")
    return k


def _added(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The sum of two counts, of which one may end at a shorter distance."""
    found = np.zeros((len(a), max(a.shape[1], b.shape[1])), np.int64)
    for counts in (a, b):
        found[:, : counts.shape[1]] += counts
    return found


def _total(counts: np.ndarray) -> int:
    """The sum of the distances of which there are so many each."""
    return sum(distance * count for distance, count in enumerate(counts.tolist()))


def _ratio(a: int, b: int) -> float:
    return a / b if b else math.nan
