"""Count the classes of many instances under one convention, in sparse matrices.

Every average is computed from their sums per instance and per class. A side, true or predicted, is
a matrix of counts, instances by classes. Labels that are not classes have numbers after the
classes.

A decision turns scores into labels. It is a choice on the axis `decision`, such as `above@0.5` or
`levels`. It treats equal scores alike and never predicts a class with score 0. A tuned threshold is
the largest one with the best micro F1 on the same data. It uses the given labels (`best`), or
labels with ancestors on both sides (`best_grown`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.needs_scipy import csr_array
from hiermeasures.evaluation.scores.probabilities import ProbabilityTable, greatest_below
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy, as_label
from hiermeasures.read.label_rows import LabelRows

Labels = tuple[np.ndarray, np.ndarray]  # instance and class number of each label
ROOT = 0  # the topological number of the root
TUNED = ("best", "best_grown")
FORM = re.compile(
    r"(?:above|at_least)@[0-9]{1,4}(?:\.[0-9]{1,12})?|top@[1-9][0-9]{0,8}|levels|best|best_grown"
)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the classes for every instance, with the decisions to try.

    See Also
    --------
    forensics : Find the conventions behind a printed number.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> table = ProbabilityTable.of(Hierarchy.from_edges([("A", "B"), ("A", "C")]), [[0.9, 0.5]], ["B", "C"])
    >>> Scores.of(table, thresholds=[0.3]).decisions
    ('above@0.3', 'at_least@0.3', 'levels', 'top@1', 'best', 'best_grown')
    """

    table: ProbabilityTable
    decisions: tuple[str, ...]

    @classmethod
    def of(
        cls,
        table: ProbabilityTable,
        thresholds: Sequence[float] = (0.5,),
        top: Sequence[int] = (1,),
    ) -> "Scores":
        """Return scores with their decisions.

        Parameters
        ----------
        table : ProbabilityTable
        thresholds : sequence of float
            Thresholds in [0, 1] to try.
        top : sequence of int
            Numbers of best classes to try.

        Raises
        ------
        InputError
            If a threshold or a number is out of its range.
        """
        for t in thresholds:
            if not 0 <= t <= 1:
                raise InputError(f"the threshold is {t!r}. Choose a number from 0 to 1.")
        for k in top:
            if k < 1:
                raise InputError(f"the number of best classes is {k!r}. Choose 1 or more")
        texts = [f"{t:.12f}".rstrip("0").rstrip(".") for t in thresholds]
        at = [f"{rule}@{text}" for text in texts for rule in ("above", "at_least")]
        return cls(table, (*at, "levels", *(f"top@{k}" for k in top), *TUNED))

    def __len__(self) -> int:
        return len(self.table)

    def others(self, decision: str) -> list[str]:
        """Return the other decisions to try. For a threshold they include both > and >=."""
        rule, _, number = decision.partition("@")
        signs = (
            [f"{sign}@{number}" for sign in ("above", "at_least")]
            if rule in ("above", "at_least")
            else []
        )
        return [other for other in dict.fromkeys((*self.decisions, *signs)) if other != decision]

    def decide(self, decision: str, true: Labels) -> Labels:
        """Return the labels that a decision predicts. Tuned decisions use the true labels."""
        if not FORM.fullmatch(decision):
            raise InputError(
                f"unknown decision {shown(decision)}. Use above@0.5, at_least@0.5, levels, top@1, "
                "best or best_grown"
            )
        scores = self.table.values.copy()
        scores[:, ROOT] = 0
        rule, _, number = decision.partition("@")
        if rule == "above":
            taken = scores > float(number)
        elif rule == "at_least":
            taken = scores >= float(number)
        elif rule == "top":
            place = max(scores.shape[1] - int(number), 0)
            taken = scores >= np.partition(scores, place, axis=1)[:, [place]]
        elif rule == "levels":
            level, taken = arrays_of(self.table.hierarchy).level, np.zeros(scores.shape, bool)
            for depth in range(1, int(level.max()) + 1):
                at = level == depth
                taken[:, at] = scores[:, at] == scores[:, at].max(axis=1, keepdims=True)
        else:
            taken = scores >= self._tuned(scores, true, grown=rule == "best_grown")
        instance, code = np.nonzero(taken & (scores > 0))
        return instance, code

    def _tuned(self, scores: np.ndarray, true: Labels, *, grown: bool) -> float:
        """Return the largest threshold with the best micro F1. It is the score of a true class."""
        is_true = np.zeros(scores.shape, bool)
        instance, code = true
        known = code < scores.shape[1]
        is_true[instance[known], code[known]] = True
        unknown = len(set(zip(instance[~known].tolist(), code[~known].tolist(), strict=True)))
        if grown:
            scores, is_true = (
                greatest_below(self.table.hierarchy, side) for side in (scores, is_true)
            )
            scores[:, ROOT], is_true[:, ROOT] = 0, 0
        at = np.sort(scores[(is_true > 0) & (scores > 0)])[::-1]
        predicted = scores.size - np.searchsorted(np.sort(scores, axis=None), at, side="left")
        hits = np.searchsorted(-at, -at, side="right")
        f1 = 2 * hits / (predicted + is_true.sum() + unknown)
        return float(at[np.argmax(f1)]) if len(at) else 1.0


LABELS = ("unknown", "duplicates", "denominator")  # axes that select labels and instances
# By side: the axis of its credit, the choice on the axis "ancestors" that adds ancestors only to
# this side, and the other side.
SIDES = {
    "true": ("too_general", "truth", "predicted"),
    "predicted": ("too_specific", "prediction", "true"),
}


def row_of(entries: csr_array) -> np.ndarray:
    """Return the row (instance) of each stored entry."""
    return np.repeat(np.arange(entries.shape[0]), np.diff(entries.indptr))


def where(entries: csr_array, keep: np.ndarray) -> csr_array:
    """Return the matrix without the stored entries that have False in `keep`."""
    if keep.all():  # frequent, and a new matrix costs more than counting a small one
        return entries
    ptr = np.append(0, np.cumsum(keep))[entries.indptr]
    return csr_array((entries.data[keep], entries.indices[keep], ptr), shape=entries.shape)


def values_at(entries: csr_array, other: csr_array) -> np.ndarray:
    """Return the values of `other` at the stored entries of `entries`."""
    mine, theirs = (row_of(each) * each.shape[1] + each.indices for each in (entries, other))
    found = np.zeros(entries.nnz, np.int64)
    _, here, there = np.intersect1d(mine, theirs, assume_unique=True, return_indices=True)
    found[here] = other.data[there]
    return found


def ones(entries: csr_array) -> csr_array:
    if (entries.data == 1).all():
        return entries
    return csr_array(
        (np.ones(entries.nnz, np.int64), entries.indices, entries.indptr), shape=entries.shape
    )


def digest(entries: csr_array) -> bytes:
    found = blake2b(digest_size=16)
    for part in (entries.indptr, entries.indices, entries.data):
        found.update(part.astype(np.int32))
    return found.digest()


def totals(entries: csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Return row and column sums. scipy's own functions are slow for small matrices."""
    rows = np.diff(np.append(0, np.cumsum(entries.data))[entries.indptr])
    return rows, np.bincount(entries.indices, entries.data, entries.shape[1])


class BothSums(NamedTuple):
    """Counts per instance and per class. The rows are true, predicted and shared."""

    by_instance: np.ndarray
    by_class: np.ndarray


def by_group(sums: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    return np.array([np.bincount(group, row, groups) for row in sums])


@dataclass(frozen=True)
class Counted:
    """Counts of one system under a convention. `kept` is True for evaluated instances."""

    true: csr_array
    predicted: csr_array
    shared: csr_array
    kept: np.ndarray

    @property
    def sides(self) -> tuple[csr_array, ...]:
        return self.true, self.predicted, self.shared

    @cached_property
    def _totals(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return [totals(side) for side in self.sides]

    @cached_property
    def by_instance(self) -> np.ndarray:
        return np.array([rows[self.kept] for rows, _ in self._totals], float)

    @cached_property
    def by_class(self) -> np.ndarray:
        return np.array([columns for _, columns in self._totals])

    def replaced(self, places: np.ndarray, part: "Counted") -> BothSums:
        """Return the sums after the counts of the instances at `places` became those of `part`."""
        by_instance = self.by_instance.copy()
        by_instance[:, (np.cumsum(self.kept) - 1)[places][part.kept]] = part.by_instance
        again = np.zeros(len(self.kept), bool)
        again[places] = True
        before = [
            np.bincount(side.indices[at], side.data[at], side.shape[1])
            for side, at in ((side, again[row_of(side)]) for side in self.sides)
        ]
        return BothSums(by_instance, self.by_class - before + part.by_class)

    @cached_property
    def digest(self) -> tuple[bytes, ...]:
        """Hashes of the counts. Equal counts have equal hashes."""
        return *map(digest, self.sides), np.packbits(self.kept).tobytes()


def codes(hierarchy: Hierarchy, labels: Sequence[Any], unseen: dict[str, int]) -> Labels:
    """Return the instance and class number of each label (id, title or other name).

    Labels that are not classes get numbers after the classes. `unseen` collects them.
    """

    def number(name: Any) -> int:
        # a tab at the end of a line gives an empty label
        label = as_label(name) if name != "" else ""
        found = hierarchy.number(label)
        return unseen.setdefault(label, len(hierarchy) + len(unseen)) if found is None else found

    if isinstance(labels, LabelRows):
        numbers = np.array([number(name) for name in labels.names], np.int64)
        return np.repeat(np.arange(len(labels)), np.diff(labels.ptr)), numbers[labels.idx]
    rows = [
        [row] if isinstance(row, str) else list(row if row is not None else ()) for row in labels
    ]
    instance = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return instance, np.array([number(name) for row in rows for name in row], np.int64)


class Space:
    """Numbers of classes and `unknown` labels, with the ancestors of the used ones."""

    def __init__(self, hierarchy: Hierarchy, unknown: Sequence[str], used: np.ndarray) -> None:
        self.hierarchy, self.unknown, self.classes = hierarchy, tuple(unknown), len(hierarchy)
        self.width, self._used = self.classes + len(unknown), used

    @cached_property
    def tops(self) -> list[int]:
        return [self.hierarchy.numbering[c] for c in self.hierarchy.children(self.hierarchy.root)]

    @cached_property
    def above(self) -> csr_array:
        """The proper ancestors of every used class, a row each. Unknown labels have the root."""
        h, number = self.hierarchy, self.hierarchy.numbering
        above: list[list[int]] = [[] for _ in range(self.width)]
        for code in self._used.tolist():
            above[code] = (
                [number[a] for a in h.ancestors(h.nodes[code])] if code < self.classes else [ROOT]
            )
        for code in sorted({a for row in above for a in row}):
            above[code] = above[code] or [number[a] for a in h.ancestors(h.nodes[code])]
        ptr = np.cumsum([0, *map(len, above)])
        idx = np.array([a for row in above for a in row], np.int64)
        return csr_array((np.ones(len(idx), np.int64), idx, ptr), shape=(self.width, self.width))

    @cached_property
    def within(self) -> csr_array:
        """The ancestors that share a nearest top class with the class, a row for each class."""
        rows, above = self.hierarchy.rows, self.above
        tops: dict[
            int, tuple[int, frozenset[int]]
        ] = {}  # by class: distance to its nearest top classes, and these
        for code in sorted(
            {*self._used[self._used < self.classes].tolist(), *above.indices.tolist()} - {ROOT}
        ):
            parents = list(rows.parents(code))
            if ROOT in parents:
                tops[code] = 1, frozenset({code})
            else:
                least = min(tops[q][0] for q in parents)
                tops[code] = (
                    least + 1,
                    frozenset().union(*(tops[q][1] for q in parents if tops[q][0] == least)),
                )
        pairs = zip(above.indices.tolist(), row_of(above).tolist(), strict=True)
        return where(
            above,
            np.array(
                [a == ROOT or not tops[a][1].isdisjoint(tops[c][1]) for a, c in pairs], np.bool_
            ),
        )


def pairs_of(
    hierarchy: Hierarchy, true: Sequence[Any], systems: Mapping[str, Any]
) -> dict[str, list["LabelMatrices"]]:
    """Encode the truth and the predictions, which are rows of labels or scores.

    The result has a pair for each system, by decision ("" without scores).
    """
    for name, rows in systems.items():
        if len(rows) != len(true):
            raise InputError(
                f"{name} has {len(rows):,} instances, but the truth has {len(true):,}. Give one row "
                "for each true instance"
            )
    unseen: dict[str, int] = {}
    truth = codes(hierarchy, true, unseen)
    given = {
        name: codes(hierarchy, rows, unseen)
        for name, rows in systems.items()
        if not isinstance(rows, Scores)
    }
    scored = {name: scores for name, scores in systems.items() if isinstance(scores, Scores)}
    if any(scores.table.hierarchy != hierarchy for scores in scored.values()):
        raise InputError("the scores belong to another hierarchy. Read them with this hierarchy")
    decisions = dict.fromkeys(
        decision for scores in scored.values() for decision in scores.decisions
    )
    sides = {
        decision: [
            given[name] if name in given else scored[name].decide(decision, truth)
            for name in systems
        ]
        for decision in decisions or ("",)
    }
    used = np.unique(
        np.concatenate([truth[1], *(code for each in sides.values() for _, code in each)])
    )
    space = Space(hierarchy, tuple(unseen), used)

    def matrix(labels: Labels) -> csr_array:
        instance, code = labels
        return csr_array(
            (np.ones(len(code), np.int64), (instance, code)), shape=(len(true), space.width)
        )

    raw = matrix(truth)
    return {
        decision: [LabelMatrices(space, raw, matrix(side)) for side in each]
        for decision, each in sides.items()
    }


class LabelMatrices:
    """True and predicted labels of one system as matrices."""

    def __init__(self, space: Space, true: csr_array, predicted: csr_array) -> None:
        self.space, self.hierarchy, self.n = space, space.hierarchy, true.shape[0]
        self.classes, self.width = space.classes, space.width
        self.raw = {"true": true, "predicted": predicted}
        self.missing = np.diff(predicted.indptr) == 0
        self._labels: tuple[str, ...] = ()
        self._done: dict[tuple[str, ...], csr_array] = {}

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        found = np.unique(np.concatenate([raw.indices for raw in self.raw.values()]))
        return tuple(
            self.space.unknown[code - self.classes]
            for code in found[found >= self.classes].tolist()
        )

    @cached_property
    def repeated(self) -> bool:
        """True if an instance has a label twice."""
        return any((raw.data > 1).any() for raw in self.raw.values())

    def part(self, places: np.ndarray, space: Space | None = None) -> "LabelMatrices":
        """Return some of the instances. They can get another `space` with equal numbers."""
        return LabelMatrices(space or self.space, *(raw[places] for raw in self.raw.values()))

    def counted(self, chosen: Mapping[str, str]) -> Counted:
        """Count the classes by the choices on the axes in grid.MARKING."""
        kept = ~self.missing if chosen["denominator"] == "predicted" else np.ones(self.n, bool)
        if chosen["unknown"] == "skip":
            for raw in self.raw.values():
                kept[row_of(raw)[raw.indices >= self.classes]] = False
        labels = tuple(chosen[axis] for axis in LABELS)
        if labels != self._labels:  # steps are cached while the same labels are selected
            self._labels, self._done = labels, {}
        true, predicted = (self._side(side, kept, chosen) for side in SIDES)
        shared = true.minimum(predicted)
        shared.sort_indices()
        return Counted(
            true,
            predicted,
            self._with_path(shared) if chosen["ancestors"] == "path" else shared,
            kept,
        )

    def _side(self, side: str, kept: np.ndarray, chosen: Mapping[str, str]) -> csr_array:
        once, levels, root, way = (
            chosen[axis] for axis in ("duplicates", "levels", "root", "namespaces")
        )
        credit, ancestors, other = SIDES[side]
        name: tuple[str, ...] = (side, levels)
        own = self._step(name, lambda: self._restricted(side, kept, levels))
        if chosen[credit] == "right":
            ends = self._step((other, levels), lambda: self._restricted(other, kept, levels))
            name, labels = (*name, "credited"), own
            own = self._step(name, lambda: self._raised(labels, ends, once))
        if chosen["ancestors"] in ("both", ancestors):
            name, lower = (*name, way), own
            above = self.space.above if way == "across" else self.space.within
            own = self._step(name, lambda: _added(lower, lower @ above, once))
        whole = own
        return self._step((*name, root), lambda: self._cut(whole, root))

    def _step(self, name: tuple[str, ...], make: Callable[[], csr_array]) -> csr_array:
        if name not in self._done:
            self._done[name] = make()
        return self._done[name]

    def _restricted(self, side: str, kept: np.ndarray, levels: str) -> csr_array:
        """Return the selected labels of a side."""
        unknown, duplicates, _ = self._labels
        raw = self.raw[side]
        keep = kept[row_of(raw)]
        if unknown != "wrong":
            keep &= raw.indices < self.classes
        if levels == "leaves":
            is_leaf = np.ones(self.width, bool)
            is_leaf[: self.classes] = np.diff(arrays_of(self.hierarchy).child_ptr) == 0
            keep &= is_leaf[raw.indices]
        found = where(ones(raw) if duplicates == "set" else raw, keep)
        return where(found, self._is_deepest(found)) if levels == "deepest" else found

    def _is_deepest(self, entries: csr_array) -> np.ndarray:
        """Return True for entries without a descendant in the same instance."""
        return np.asarray(values_at(entries, ones(entries) @ self.space.above) == 0)

    def _raised(self, entries: csr_array, other: csr_array, once: str) -> csr_array:
        """Replace each entry below a deepest class of the other side by that class."""
        ends = ones(where(other, self._is_deepest(other) & (other.indices != ROOT)))
        is_below = values_at(entries, ends @ self.space.above.T.tocsr()) > 0
        return _added(
            where(entries, ~is_below), (entries @ self.space.above).multiply(ends).tocsr(), once
        )

    def _cut(self, entries: csr_array, root: str) -> csr_array:
        if root == "in":
            return entries
        out = np.zeros(self.width, bool)
        out[[ROOT, *(self.space.tops if root == "tops_out" else ())]] = True
        return where(entries, ~out[entries.indices])

    def _with_path(self, hits: csr_array) -> csr_array:
        """Return the hits that have only hits as ancestors, except the root."""
        above = where(self.space.above, self.space.above.indices != ROOT)
        of_path = values_at(hits, ones(hits) @ above.T.tocsr())
        return where(hits, of_path == np.diff(above.indptr)[hits.indices])


def _added(one: csr_array, other: csr_array, once: str) -> csr_array:
    """Add two matrices of counts. If `once` is "set", each count becomes 1."""
    found = (one + other).tocsr()
    found.sort_indices()
    return ones(found) if once == "set" else found
