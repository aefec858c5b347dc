"""Kinds of mistakes of many instances, as arrays.

hiermeasures.measures.mistakes has the definition for one instance. Here all instances are paired at
once, some millions of pairs at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, slices
from hiermeasures.evaluation.hierarchy_arrays import arrays_of, is_among
from hiermeasures.evaluation.information import parent_matrix, with_ancestors
from hiermeasures.evaluation.needs_scipy import sparse
from hiermeasures.evaluation.outside import base_of, number_in_base
from hiermeasures.hierarchy.errors import check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.mistakes import KINDS
from hiermeasures.read.label_rows import distinct, runs

if TYPE_CHECKING:
    import pandas as pd

KIND = {kind: k for k, kind in enumerate(KINDS)}
MOST_WORK = 8_000_000  # pairs and ancestors in memory at a time
NEGLIGIBLE = 1e-9  # a smaller rest is an error of rounding
DECIMALS = 9  # of a sum of counts, so that 3 · 1/3 is 1


@dataclass(frozen=True, eq=False)
class PairedLabels:
    """The true and predicted classes of all instances in pairs, sorted by instance.

    `true` and `predicted` are class numbers of `hierarchy`, or −1 if there is no class. `count` is
    the share of the classes that is paired here. `kind` is a place in KINDS. `height` is the height
    of the lowest class above both, or −1.
    """

    hierarchy: Hierarchy
    n: int
    instance: np.ndarray
    true: np.ndarray
    predicted: np.ndarray
    count: np.ndarray
    kind: np.ndarray
    height: np.ndarray

    def __len__(self) -> int:
        return len(self.instance)

    @cached_property
    def kind_of_instances(self) -> np.ndarray:
        """The worst kind of each instance, as a place in KINDS. Without any class it is "right"."""
        found = np.zeros(self.n, np.int8)
        np.maximum.at(found, self.instance, self.kind)
        return found

    @cached_property
    def base_number(self) -> np.ndarray:
        """The number of each class in the hierarchy without wrong classes (−1: wrong class)."""
        return number_in_base(self.hierarchy)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The classes that are a most specific label of an instance, on either side."""
        is_label = np.zeros(len(self.hierarchy) + 1, bool)  # the last one for −1
        is_label[self.true] = is_label[self.predicted] = True
        found = np.flatnonzero(is_label[:-1] & (self.base_number >= 0))
        return frozenset(self.hierarchy.nodes[k] for k in found.tolist())


def pair_all(hierarchy: Hierarchy, true: EncodedLabels, predicted: EncodedLabels) -> PairedLabels:
    """Pair the true classes of each instance with its predicted ones.

    >>> from hiermeasures.evaluation import encode
    >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b", "c"], "B": ["d"]}})
    >>> paired = pair_all(h, encode(h, [{"a", "d"}]), encode(h, [{"b", "c", "d"}]))
    >>> [KINDS[k] for k in paired.kind], paired.count.tolist()
    (['extra', 'extra', 'sibling', 'sibling', 'right'], [0.5, 0.5, 0.5, 0.5, 1.0])
    """
    pairing = _Pairing.of(hierarchy)
    pieces = [
        (start, pairing.pair(true.piece(start, end), predicted.piece(start, end)))
        for start, end in _cut(pairing.count_work(true, predicted))
    ]
    columns = [
        np.concatenate([part[k] + start * (k == 0) for start, part in pieces]) for k in range(6)
    ]
    types = (np.int64, np.int32, np.int32, np.float64, np.int8, np.int32)
    typed = (column.astype(dtype) for column, dtype in zip(columns, types, strict=True))
    return PairedLabels(hierarchy, len(true), *typed)


def _cut(work: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield ranges of instances, as (start, end). The work of a range is at most MOST_WORK.

    A single instance may exceed it. The first range is yielded even without instances.
    """
    total = np.cumsum(work)
    start = 0
    while True:
        before = total[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(total, before + MOST_WORK, side="right")))
        yield start, min(end, len(work))
        if end >= len(work):
            return
        start = end


Columns = tuple[np.ndarray, ...]  # instance, true, predicted, count, kind, height


@dataclass(frozen=True, eq=False)
class _Pairing:
    """Tables for pairing in a hierarchy without wrong classes.

    `above` has a row per class: itself and its ancestors, the lowest first. `order` has the classes
    in this order. `parents` leaves out the root.
    """

    base: Hierarchy
    number: np.ndarray
    heights: np.ndarray
    order: np.ndarray
    above: sparse.csr_array
    parents: sparse.csr_array

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> "_Pairing":
        base = base_of(hierarchy)
        heights, up = np.array(base.heights), parent_matrix(base)
        above = find_ancestors(base)
        order = np.argsort(heights, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        above = sparse.csr_array((above.data, place[above.indices], above.indptr), above.shape)
        above.sort_indices()
        parents = up.copy()
        parents.data = (parents.indices > 0).astype(np.int32)
        number = number_in_base(hierarchy)
        return cls(base, number, heights, order=order, above=above, parents=parents)

    def count_work(self, true: EncodedLabels, predicted: EncodedLabels) -> np.ndarray:
        """Return for each instance the number of its pairs, and of its labels with ancestors."""
        ancestors = np.diff(self.above.indptr)
        sizes = [np.diff(side.ptr) for side in (true, predicted)]
        above = [
            np.bincount(side.instances, ancestors[self.number[side.idx]], len(side))
            for side in (true, predicted)
        ]
        return np.asarray(sizes[0] * sizes[1] + above[0] + above[1] + 1)

    def pair(self, true: EncodedLabels, predicted: EncodedLabels) -> Columns:
        """Return the pairs of some instances, sorted by instance, true and predicted class."""
        n = len(self.number)
        rows, columns = (self._most_specific(side) for side in (true, predicted))
        keys = [instance * n + label for instance, label in (rows, columns)]
        is_hit = is_among(keys[0], keys[1]), is_among(keys[1], keys[0])
        hits = tuple(part[is_hit[0]] for part in rows)
        missed = tuple(part[~is_hit[0]] for part in rows)
        wrong = tuple(part[~is_hit[1]] for part in columns)
        pieces = [
            _fill(hits[0], hits[1], hits[1], kind=0, height=self.heights[self.number[hits[1]]])
        ]
        if len(missed[0]) or len(wrong[0]):
            has_answer = np.diff(predicted.ptr) > 0
            pieces += self._pair_rest(missed, wrong, has_answer)
        found = [np.concatenate(parts) for parts in zip(*pieces, strict=True)]
        order = np.lexsort((found[2], found[1], found[0]))
        return tuple(column[order] for column in found)

    def _pair_rest(self, missed: Columns, wrong: Columns, has_answer: np.ndarray) -> list[Columns]:
        """Return the pairs of classes that are not right, and the classes that are left over."""
        n = len(has_answer)
        each = np.bincount(wrong[0], minlength=n)
        partners = each[missed[0]]
        i = np.repeat(np.arange(len(missed[0])), partners)
        j = runs((np.cumsum(each) - each)[missed[0]], partners)
        height, kind = self._compare(missed[1][i], wrong[1][j])
        left, extra = np.ones(len(missed[0])), np.ones(len(wrong[0]))
        rank = _rank_within(missed[0][i], height)
        share = _share_from_below(i, j, rank, left, extra)
        some = share > 0
        pairs: Columns = (missed[0][i], missed[1][i], wrong[1][j], share, kind, height)
        found = [tuple(column[some] for column in pairs)]
        some = left > 0
        kinds = np.where(has_answer[missed[0]], KIND["missed"], KIND["no answer"])
        alone = _fill(missed[0], missed[1], -1, left, kind=kinds)
        found.append(tuple(column[some] for column in alone))
        some = extra > 0
        kinds = np.where(self.number[wrong[1]] < 0, KIND["unknown"], KIND["extra"])
        alone = _fill(wrong[0], -1, wrong[1], extra, kind=kinds)
        found.append(tuple(column[some] for column in alone))
        return found

    def _most_specific(self, side: EncodedLabels) -> tuple[np.ndarray, np.ndarray]:
        """Return instance and class of the labels without a descendant in their own set."""
        n, instance, label = len(self.number), side.instances, side.idx.astype(np.int64)
        number = self.number[label]
        several = (np.diff(side.ptr)[instance] > 1) & (number >= 0)
        if not several.any():
            return instance, label
        sizes = np.diff(self.above.indptr)[number[several]]
        above = self.order[self.above.indices[runs(self.above.indptr[number[several]], sizes)]]
        is_strict = above != np.repeat(number[several], sizes)
        keys = (np.repeat(instance[several], sizes) * n + above)[is_strict]
        kept = (number < 0) | ~is_among(instance * n + number, np.sort(keys))
        return instance[kept], label[kept]

    def _compare(self, true: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the height of the lowest class above each pair, and the kind of mistake."""
        n = len(self.number)
        pairs, which = np.unique(true * n + predicted, return_inverse=True)
        a, b = (self.number[part] for part in divmod(pairs, n))
        top = self.heights[0]
        height, kind = np.full(len(pairs), top), np.full(len(pairs), KIND["unknown"])
        known = np.flatnonzero(b >= 0)
        for start, end in slices(len(known), MOST_WORK // 32):
            some = known[start:end]
            x, y = a[some], b[some]
            common = self.above[x].multiply(self.above[y]).tocsr()
            common.sort_indices()
            height[some] = low = self.heights[self.order[common.indices[common.indptr[:-1]]]]
            is_sibling = self.parents[x].multiply(self.parents[y]).sum(axis=1) > 0
            kind[some] = np.select(
                [low == self.heights[y], low == self.heights[x], is_sibling, low < top],
                [KIND[k] for k in ("too general", "too specific", "sibling", "cousin")],
                KIND["other top class"],
            )
        return height[which], kind[which]


def find_ancestors(hierarchy: Hierarchy) -> sparse.csr_array:
    """Return a matrix with a row per class, 1 at itself and its ancestors. It is kept."""
    kept: dict[str, sparse.csr_array] = vars(hierarchy)
    if "ancestor_matrix" not in kept:
        itself = sparse.eye_array(len(hierarchy), dtype=np.int32, format="csr")
        kept["ancestor_matrix"] = with_ancestors(itself, parent_matrix(hierarchy))
    return kept["ancestor_matrix"]


def _fill(
    instance: np.ndarray,
    true: np.ndarray | int,
    predicted: np.ndarray | int,
    count: np.ndarray | int = 1,
    *,
    kind: np.ndarray | int,
    height: np.ndarray | int = -1,
) -> Columns:
    """Return columns of the same length as `instance`."""
    rest = (np.broadcast_to(x, instance.shape) for x in (true, predicted, count, kind, height))
    return (instance, *rest)


def _rank_within(instance: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Return the rank of each height among the different ones of its instance, from 0."""
    order = np.lexsort((height, instance))
    owner, sorted_height = instance[order], height[order]
    begins = np.diff(owner, prepend=-1) != 0
    steps = np.cumsum((np.diff(sorted_height, prepend=0) != 0) & ~begins)
    rank = np.empty(len(order), np.int64)
    rank[order] = steps - np.repeat(
        steps[begins], np.diff(np.append(np.flatnonzero(begins), len(order)))
    )
    return rank


def _share_from_below(
    i: np.ndarray, j: np.ndarray, rank: np.ndarray, left: np.ndarray, extra: np.ndarray
) -> np.ndarray:
    """Return the count of each pair, and keep the unpaired counts in `left` and `extra`.

    `i` and `j` are places in `left` and `extra`. Pairs with rank r take part from round r on.
    """
    share = np.zeros(len(i))
    for r in range(int(rank.max(initial=-1)) + 1):
        now = np.flatnonzero((rank <= r) & (left[i] > 0) & (extra[j] > 0))
        x, y = i[now], j[now]
        of_true = np.bincount(x, extra[y], len(left))
        of_predicted = np.bincount(y, left[x], len(extra))
        found = left[x] * extra[y] / np.maximum(of_true[x], of_predicted[y])
        share[now] += found
        for rest, place in ((left, x), (extra, y)):
            rest -= np.bincount(place, found, len(rest))
            rest[rest < NEGLIGIBLE] = 0
    return share


By = Literal["level", "subtree", "height"]
BY: tuple[By, ...] = ("level", "subtree", "height")
NO_CLASS = "(unknown)"


def tabulate_mistakes(paired: PairedLabels, by: By | None = None) -> "pd.DataFrame":
    """Return the kinds of mistakes as a table (`Report.mistakes`)."""
    from hiermeasures.evaluation.needs_pandas import pd

    index = pd.Index(KINDS, name="kind")
    if by is not None:
        check_known("group", by, BY)
        counts, names = _count_by(paired, by)
        return pd.DataFrame(counts, index, pd.Index(names, name=by))
    count = np.bincount(paired.kind, paired.count, len(KINDS)).round(DECIMALS)
    pairs = distinct(paired.instance * len(KINDS) + paired.kind)
    instances = np.bincount(pairs % len(KINDS), minlength=len(KINDS))
    share = count / count.sum() if len(paired) else np.full(len(KINDS), np.nan)
    return pd.DataFrame({"count": count, "share": share, "instances": instances}, index)


def _count_by(paired: PairedLabels, by: By) -> tuple[np.ndarray, list[Any]]:
    """Return kinds × groups, and the names of the groups. The last is for pairs without a group."""
    if by == "height":
        names: list[Any] = [*range(1 + int(paired.height.max(initial=0))), "(none)"]
        place = np.where(paired.height < 0, len(names) - 1, paired.height)
        weights = sparse.eye_array(len(names), format="csr")
    else:
        place = find_class_of_mistake(paired)
        weights, names = group_classes(base_of(paired.hierarchy), by)
    of_kind = sparse.coo_array(
        (paired.count, (paired.kind, place)), (len(KINDS), weights.shape[0])
    ).tocsr()
    counts = (of_kind @ weights).toarray().round(DECIMALS)
    some = counts.any(axis=0)
    return counts[:, some], [name for name, is_there in zip(names, some, strict=True) if is_there]


def find_class_of_mistake(paired: PairedLabels) -> np.ndarray:
    """Return the true class of each pair, or else the predicted one, by its number in the base.

    An unknown label has the number after the last class.
    """
    number = np.where(paired.true < 0, paired.predicted, paired.true)
    found = paired.base_number[number]
    return np.where(found < 0, len(base_of(paired.hierarchy)), found)


def group_classes(base: Hierarchy, by: Literal["level", "subtree"]) -> tuple[Any, list[Any]]:
    """Return the groups of classes: a matrix (classes and unknown) × groups, and their names.

    The groups are levels, or top classes. A class with k top classes has 1/k in each.
    """
    n = len(base)
    if by == "level":
        levels = arrays_of(base).level
        place, names = np.append(levels, base.depth + 1), [*range(base.depth + 1), NO_CLASS]
        ones = np.ones(n + 1)
        return sparse.csr_array((ones, (np.arange(n + 1), place)), (n + 1, len(names))), names
    tops = np.array([0, *base.rows.children(0), n])
    above = find_ancestors(base).astype(float)
    above.resize(n + 1, n + 1)
    groups = above[:, tops].tolil()
    groups[1:n, 0] = 0  # only the root itself is in no top class
    groups[n, len(tops) - 1] = 1
    found = sparse.csr_array(groups)
    scale = sparse.diags_array(1 / found.sum(axis=1))
    return sparse.csr_array(scale @ found), [*(base.nodes[k] for k in tops[:-1]), NO_CLASS]
