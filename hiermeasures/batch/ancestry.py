"""The ancestors of the classes that occur in a batch, listed once and read by many kernels.

Lists take memory: a class deep in a large DAG has thousands of ancestors. Where those of a whole batch would take too
much, they are made for one chunk of instances at a time.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hiermeasures.hierarchy_arrays import HierarchyArrays

MOST_ENTRIES = 400_000_000  # of 6 bytes each, where every edge costs 1


@dataclass(frozen=True)
class Ancestry:
    """List r has the classes `node[ptr[r]:ptr[r + 1]]` with the costs of the cheapest ways there; `row[c]` is the list
    of class c.

    Costs are whole (int16) where every edge costs 1, else float64.
    """

    row: np.ndarray
    ptr: np.ndarray
    node: np.ndarray
    cost: np.ndarray

    @property
    def lists(self) -> tuple[np.ndarray, ...]:
        """The arrays as kernels take them."""
        return self.row, self.ptr, self.node, self.cost


Work = Callable[[int, int, threading.Event], None]
Spread = Callable[[int, Work], None]  # do work(lo, hi, stop) for all of n, in whatever pieces and threads


def has_unit_edges(arrays: HierarchyArrays) -> bool:
    """Whether every edge costs 1, and every way between two classes no more than 16 bits hold."""
    return bool(arrays.level[-1] <= np.iinfo(np.int16).max and (arrays.parent_weight == 1.0).all())


def list_ancestry(
    arrays: HierarchyArrays, labels: np.ndarray, spread: Spread, most: int = MOST_ENTRIES
) -> Ancestry | None:
    """The lists of all given classes (repeated ones count once); None where they would have more than `most`
    entries.
    """
    from hiermeasures.batch.kernels import ways  # with numba, which those do without who only name the types

    n = len(arrays.parent_ptr) - 1
    occurring = np.zeros(n, bool)
    occurring[labels] = True
    distinct = np.flatnonzero(occurring).astype(np.int32)
    sizes = np.zeros(len(distinct), np.int64)
    up = (arrays.parent_ptr, arrays.parent_idx)
    spread(len(distinct), lambda lo, hi, stop: ways.count_ancestors(lo, hi, distinct, *up, sizes))
    if sizes.sum() > most:
        return None
    unit = has_unit_edges(arrays)
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    node = np.empty(ptr[-1], np.int32)
    cost = np.empty(ptr[-1], np.int16 if unit else np.float64)
    spread(
        len(distinct),
        lambda lo, hi, stop: ways.list_ancestors(lo, hi, distinct, *up, arrays.parent_weight, unit, ptr, node, cost),
    )
    row = np.full(n, -1, np.int32)
    row[distinct] = np.arange(len(distinct), dtype=np.int32)
    return Ancestry(row, ptr, node, cost)


def at_once(n: int, work: Work) -> None:
    """All of some work here and now."""
    work(0, n, threading.Event())
