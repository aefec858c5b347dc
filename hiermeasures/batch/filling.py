"""Filling the columns of a batch: what a kernel is given, how it registers for the structures that it fills, and the
builders of `explain` for what no kernel fills.

A kernel lives in a module of kernels/ and registers itself there with `fills`; which of them are used is decided in
hiermeasures.batch.tasks.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hiermeasures.batch.ancestry import Ancestry, Spread, at_once, list_ancestry
from hiermeasures.batch.encode import EncodedLabels
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures.asked import as_asked
from hiermeasures.measures.catalogue import Instance, Structure
from hiermeasures.measures.long_distance import cut_at_distance
from hiermeasures.options import Options


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a structure under some options: `rows` is instances × columns, to be filled."""

    name: str
    structure: Structure[Any]
    options: Options
    rows: np.ndarray

    @classmethod
    def empty(cls, structure: Structure[Any], options: Options, n: int) -> "Table":
        """Room for n instances."""
        dtype = np.int64 if structure.whole else np.float64
        return cls(structure.table(options), structure, options, np.zeros((n, len(structure.columns)), dtype))

    @property
    def columns(self) -> Any:
        """The columns by name."""
        return self.structure.named_row(*self.rows.T)


@dataclass(frozen=True)
class Batch:
    """The arrays that every kernel reads, read-only so that each kernel is compiled once; and what is prepared for
    several.
    """

    hierarchy: Hierarchy
    options: Options
    t_ptr: np.ndarray
    t_idx: np.ndarray
    p_ptr: np.ndarray
    p_idx: np.ndarray
    spread: Spread = at_once
    own: threading.local = field(default_factory=threading.local)  # what a thread keeps between chunks

    @classmethod
    def of(
        cls,
        hierarchy: Hierarchy,
        options: Options,
        true: EncodedLabels,
        predicted: EncodedLabels,
        spread: Spread = at_once,
    ) -> "Batch":
        """The batch in the hierarchy that the options ask for; `spread` shares preparing work out to threads."""
        hierarchy = as_asked(hierarchy, options)
        t_ptr, t_idx, p_ptr, p_idx = (_read_only(a) for a in (true.ptr, true.idx, predicted.ptr, predicted.idx))
        return cls(hierarchy, options, t_ptr, t_idx, p_ptr, p_idx, spread)

    @property
    def labels(self) -> tuple[np.ndarray, ...]:
        return self.t_ptr, self.t_idx, self.p_ptr, self.p_idx

    @property
    def count_root(self) -> bool:
        return self.options.counts_root(self.hierarchy)

    @cached_property
    def ancestry(self) -> Ancestry | None:
        """The ancestors of every class that occurs; None where that is too much at once."""
        labels = np.concatenate([[0], self.t_idx, self.p_idx])
        return list_ancestry(self.hierarchy.arrays, labels, self.spread)

    def ancestry_of(self, lo: int, hi: int) -> Ancestry:
        """The ancestors of every class that occurs in some instances."""
        if self.ancestry is not None:
            return self.ancestry
        if getattr(self.own, "range", None) != (lo, hi):
            sides = ((self.t_ptr, self.t_idx), (self.p_ptr, self.p_idx))
            labels = np.concatenate([[0], *(idx[ptr[lo] : ptr[hi]] for ptr, idx in sides)])
            self.own.ancestry = list_ancestry(self.hierarchy.arrays, labels, at_once, most=sys.maxsize)
            self.own.range = (lo, hi)
        listed: Ancestry = self.own.ancestry
        return listed

    def instance(self, k: int) -> Instance:
        """One instance, as `explain` sees it."""
        sides = ((self.t_ptr, self.t_idx), (self.p_ptr, self.p_idx))
        true, predicted = (frozenset(self.hierarchy.nodes[i] for i in idx[ptr[k] : ptr[k + 1]]) for ptr, idx in sides)
        return cut_at_distance(Instance(self.hierarchy, true, predicted, self.options))


# --- tasks --------------------------------------------------------------------------------------------------------

# Fills some rows of its tables; where `explain` had to fill some of them, it returns how many, by table.
Fill = Callable[[int, int, threading.Event], Mapping[str, int] | None]


@dataclass
class Task:
    """Fills some tables for a range of instances. `explained` counts, per table, the instances that no kernel
    computed.
    """

    fill: Fill
    explained: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, lo: int, hi: int, stop: threading.Event) -> None:
        """Fill the rows `lo` to `hi`, unless `stop` is set."""
        explained = self.fill(lo, hi, stop)
        if explained:
            with self.lock:
                self.explained.update(explained)


def explain_rows(
    batch: Batch, tables: Sequence[Table], rows: Sequence[int], stop: threading.Event | None = None
) -> Mapping[str, int]:
    """Fill some rows by the builders of `explain`; how many, for each table."""
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


# --- kernels ------------------------------------------------------------------------------------------------------

Make = Callable[[Batch, Sequence[Table]], Fill]
Supported = Mapping[str, tuple[Any, ...]]
Count = Callable[[int, int, np.ndarray], None]

KERNELS: dict[Make, dict[Structure[Any], Supported]] = {}
COUNTERS: dict[Structure[Any], Callable[[Batch], Count]] = {}


def fills(*structures: Structure[Any], **supports: tuple[Any, ...]) -> Callable[[Make], Make]:
    """Register a kernel for the structures whose columns it fills.

    The function that is decorated gets a batch and those tables of these structures that are asked for, and returns
    what fills a range of their rows. `supports` gives, for an option, the values under which it can; with any other
    value the structure is left to `explain`.
    """
    # No kernel cuts the hierarchy anew for each instance.
    supported = {"max_ancestor_distance": (None,), **supports}

    def register(make: Make) -> Make:
        KERNELS.setdefault(make, {}).update(dict.fromkeys(structures, supported))
        return make

    return register


def counts_classes(structure: Structure[Any]) -> Callable[[Callable[[Batch], Count]], Callable[[Batch], Count]]:
    """Register what adds (true, predicted, shared) × classes of a range of instances to the counts of a structure."""

    def register(make: Callable[[Batch], Count]) -> Callable[[Batch], Count]:
        COUNTERS[structure] = make
        return make

    return register


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
