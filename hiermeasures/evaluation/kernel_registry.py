"""Registration of kernels, the arrays that kernels read, and `explain` for everything else.

A kernel is in a module of kernels/ and registers itself with `fills` for the structures whose
columns it fills. hiermeasures.evaluation.tasks decides which kernels are used.
"""

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, Sides
from hiermeasures.evaluation.hierarchy_arrays import HierarchyArrays, arrays_of
from hiermeasures.evaluation.kernel_cache import is_ready
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.catalogue import Instance, Structure
from hiermeasures.measures.explain import apply_weights, cut_at_distance

# A class deep in a large DAG has thousands of ancestors. If the lists of a whole batch would take
# too much memory, they are made for one chunk of instances at a time. An entry takes 5 bytes if
# every edge costs 1 and no path is longer than 127.
MOST_ENTRIES = 400_000_000


class Ancestry(NamedTuple):
    """Lists of ancestors: list r has the classes `node[ptr[r]:ptr[r + 1]]` with the costs of the
    cheapest paths.

    `row[c]` is the list of class c. Costs are whole (int8 or int16) if every edge costs 1, else
    float64.
    """

    row: np.ndarray
    ptr: np.ndarray
    node: np.ndarray
    cost: np.ndarray


Work = Callable[[int, int, threading.Event], None]
# calls work(lo, hi, stop) for all of n, in any pieces and threads
Spread = Callable[[int, Work], None]


def has_unit_edges(arrays: HierarchyArrays) -> bool:
    """Return whether every edge costs 1 and every path is short enough to be counted with 16 bits."""
    return bool(arrays.level[-1] <= np.iinfo(np.int16).max and (arrays.parent_weight == 1.0).all())


def _cost_type(depth: int) -> type:
    return np.int8 if depth <= np.iinfo(np.int8).max else np.int16


def list_ancestry(
    arrays: HierarchyArrays, labels: np.ndarray, spread: Spread, most: int = MOST_ENTRIES
) -> Ancestry | None:
    """Return the lists of all given classes, each once, or None for more than `most` entries."""
    from hiermeasures.evaluation.kernels import arrays as paths  # which imports numba

    n = len(arrays.parent_ptr) - 1
    occurring = np.zeros(n, bool)
    occurring[labels] = True
    distinct = np.flatnonzero(occurring).astype(np.int32)
    sizes = np.zeros(len(distinct), np.int64)
    up = (arrays.parent_ptr, arrays.parent_idx)
    spread(len(distinct), lambda lo, hi, stop: paths.count_ancestors(lo, hi, distinct, *up, sizes))
    if sizes.sum() > most:
        return None
    unit = has_unit_edges(arrays)
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    node = np.empty(ptr[-1], np.int32)
    cost = np.empty(ptr[-1], _cost_type(arrays.level[-1]) if unit else np.float64)
    spread(
        len(distinct),
        lambda lo, hi, stop: paths.list_ancestors(
            lo, hi, distinct, (*up, arrays.parent_weight), unit, (ptr, node, cost)
        ),
    )
    row = np.full(n, -1, np.int32)
    row[distinct] = np.arange(len(distinct), dtype=np.int32)
    return Ancestry(row, ptr, node, cost)


def at_once(n: int, work: Work) -> None:
    """Do all of some work at once, in this thread."""
    work(0, n, threading.Event())


@dataclass(frozen=True, eq=False)
class ColumnTable:
    """Columns of a structure under some options. `rows` is instances × columns."""

    name: str
    structure: Structure[Any]
    options: Options
    rows: np.ndarray

    @classmethod
    def empty(cls, structure: Structure[Any], options: Options, n: int) -> "ColumnTable":
        """Return a table with room for n instances."""
        dtype = np.int64 if structure.whole else np.float64
        return cls(
            structure.table(options),
            structure,
            options,
            np.zeros((n, len(structure.columns)), dtype),
        )

    @property
    def columns(self) -> Any:
        """Return the columns by name."""
        return self.structure.named_row(*self.rows.T)


@dataclass(frozen=True)
class Batch:
    """Read-only arrays for every kernel, and tables for several kernels."""

    hierarchy: Hierarchy
    options: Options
    sides: Sides
    spread: Spread = at_once
    # a thread's memory between chunks
    own: threading.local = field(default_factory=threading.local)

    @classmethod
    def of(
        cls, hierarchy: Hierarchy, options: Options, sides: Sides, spread: Spread = at_once
    ) -> "Batch":
        """Make a batch in the hierarchy that the options ask for. `spread` distributes work."""
        true, predicted = (
            EncodedLabels(_read_only(side.ptr), _read_only(side.idx)) for side in sides
        )
        return cls(apply_weights(hierarchy, options), options, (true, predicted), spread)

    def __len__(self) -> int:
        return len(self.sides[0])

    @cached_property
    def labels(self) -> tuple[np.ndarray, ...]:
        return tuple(array for side in self.sides for array in (side.ptr, side.idx))

    @property
    def count_root(self) -> bool:
        return self.options.counts_root(self.hierarchy)

    @cached_property
    def ancestry(self) -> Ancestry | None:
        """The ancestors of every class that occurs, or None if they are too many."""
        labels = np.concatenate([[0], *(side.idx for side in self.sides)])
        return list_ancestry(arrays_of(self.hierarchy), labels, self.spread)

    def ancestry_of(self, lo: int, hi: int) -> Ancestry:
        """Return the ancestors of every class that occurs in some instances."""
        if self.ancestry is not None:
            return self.ancestry
        if getattr(self.own, "range", None) != (lo, hi):
            labels = np.concatenate([[0], *(side.piece(lo, hi).idx for side in self.sides)])
            self.own.ancestry = list_ancestry(
                arrays_of(self.hierarchy), labels, at_once, most=sys.maxsize
            )
            self.own.range = (lo, hi)
        listed: Ancestry = self.own.ancestry
        return listed

    def instance(self, k: int) -> Instance:
        """Return one instance for `explain`."""
        true, predicted = (side.classes(self.hierarchy, k) for side in self.sides)
        return cut_at_distance(Instance(self.hierarchy, true, predicted, self.options))


# Fills some rows of its tables; where `explain` had to fill some of them, it returns how many, by
# table.
Fill = Callable[[int, int, threading.Event], Mapping[str, int] | None]


def explain_rows(
    batch: Batch,
    tables: Sequence[ColumnTable],
    rows: Sequence[int],
    stop: threading.Event | None = None,
) -> Mapping[str, int]:
    """Fill some rows with the builders of `explain`. Return their number for each table."""
    for k in rows:
        if stop and stop.is_set():
            break
        instance = batch.instance(k)
        built: dict[str, Any] = {}
        for table in tables:
            structure = table.structure
            if structure.key not in built:
                built[structure.key] = structure.build(instance)
            table.rows[k] = structure.row(built[structure.key], table.options)
    return {table.name: len(rows) for table in tables}


Make = Callable[[Batch, Sequence[ColumnTable]], Fill]
Supported = Mapping[str, tuple[Any, ...]]
MakeCounter = Callable[[Batch, Structure[Any]], Callable[[int, int, np.ndarray], None]]


@dataclass(frozen=True, eq=False)
class Kernel:
    """A registered kernel: its structures, each with the options it supports, and its compiled
    functions.
    """

    make: Make
    structures: dict[Structure[Any], Supported]
    calls: tuple[Any, ...]
    only_trees: bool

    def fills(self, structure: Structure[Any], options: Options, tree: bool) -> bool:
        """Return whether it fills a structure's columns with these options, in a tree or any DAG."""
        supports = self.structures.get(structure)
        allowed = supports is not None and (tree or not self.only_trees)
        return allowed and all(
            getattr(options, name) in values for name, values in (supports or {}).items()
        )

    @property
    def ready(self) -> bool:
        """True if its functions are compiled."""
        return all(map(is_ready, self.calls))


KERNELS: dict[Make, Kernel] = {}
COUNTERS: dict[Structure[Any], MakeCounter] = {}


def fills(
    *structures: Structure[Any],
    calls: Sequence[Any],
    only_trees: bool = False,
    **supports: tuple[Any, ...],
) -> Callable[[Make], Make]:
    """Register a kernel for the structures whose columns it fills.

    The decorated function gets a batch and the requested tables of these structures. It returns a
    function that fills a range of their rows. `supports` has the allowed values of an option. With
    any other value `explain` fills the structure. `calls` are the compiled functions that it calls
    at the defaults.
    """
    # A kernel does not cut the hierarchy for each instance, so max_ancestor_distance must be None.
    supported = {"max_ancestor_distance": (None,), **supports}

    def register(make: Make) -> Make:
        known = KERNELS.setdefault(make, Kernel(make, {}, tuple(calls), only_trees))
        known.structures.update(dict.fromkeys(structures, supported))
        return make

    return register


def counts_classes(*structures: Structure[Any]) -> Callable[[MakeCounter], MakeCounter]:
    """Register a counter of (true, predicted, shared) × classes for structures that a kernel fills.

    It works with the same options.
    """

    def register(make: MakeCounter) -> MakeCounter:
        COUNTERS.update(dict.fromkeys(structures, make))
        return make

    return register


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
