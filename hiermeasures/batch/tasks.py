"""What fills the columns of a batch, chunk by chunk: kernels where there are any for the options, else `explain`'s
builders.

A task fills the columns of one or more sources for a range of instances. Importing this module imports numba.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hiermeasures.batch import kernels_confusion, kernels_lca, kernels_pairs, kernels_sets
from hiermeasures.batch.ancestry import Ancestry, Spread, at_once, has_unit_edges, list_ancestry
from hiermeasures.batch.columns import SOURCES, Columns
from hiermeasures.batch.encode import EncodedLabels
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import BUILDERS, lca_solvers
from hiermeasures.measures.catalogue import Instance
from hiermeasures.measures.long_distance import cut_at_distance
from hiermeasures.options import Options

Fill = Callable[[int, int], None]

# So few instances are left to `explain`: it needs milliseconds for each, and the kernels, the first time, a minute to
# compile.
FEW_INSTANCES = 250


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
        if options.edge_weights != "given":
            hierarchy = hierarchy.with_weights(options.edge_weights, options.weight_base)
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
        return self.own.ancestry

    def instance(self, k: int) -> Instance:
        """One instance, as `explain` sees it."""
        sides = ((self.t_ptr, self.t_idx), (self.p_ptr, self.p_idx))
        true, predicted = (frozenset(self.hierarchy.nodes[i] for i in idx[ptr[k] : ptr[k + 1]]) for ptr, idx in sides)
        return cut_at_distance(Instance(self.hierarchy, true, predicted, self.options))


@dataclass
class Task:
    """Fills some columns for a range of instances. `explained` counts the instances per source that no kernel
    computed.
    """

    fill: Callable[[int, int, threading.Event], Mapping[str, int]]
    explained: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, lo: int, hi: int, stop: threading.Event) -> None:
        """Fill the rows `lo` to `hi`, unless `stop` is set."""
        explained = self.fill(lo, hi, stop)
        with self.lock:
            self.explained.update(explained)


def make_tasks(
    hierarchy: Hierarchy,
    options: Options,
    sources: Sequence[Columns],
    true: EncodedLabels,
    predicted: EncodedLabels,
    out: Mapping[str, np.ndarray],
    spread: Spread = at_once,
) -> list[Task]:
    """The tasks that fill `out`, the columns of the sources."""
    batch = Batch.of(hierarchy, options, true, predicted, spread)
    left = {s.name: s for s in sources}
    tasks = []
    if options.max_ancestor_distance is None and len(true) > FEW_INSTANCES:
        for names, make in _KERNELS:
            wanted = {n: out[n] for n in names if n in left and _has_kernel(n, options)}
            if wanted:
                tasks.append(make(batch, wanted))
                for n in wanted:
                    del left[n]
    if left:
        tasks.append(_explaining(batch, list(left.values()), out))
    return tasks


def make_counting(
    hierarchy: Hierarchy, options: Options, true: EncodedLabels, predicted: EncodedLabels
) -> Callable[[str, int, int, np.ndarray], None]:
    """A function (source, lo, hi, counts) that adds (true, predicted, shared) per class of some instances to
    `counts`.
    """
    batch = Batch.of(hierarchy, options, true, predicted)
    a = batch.hierarchy.arrays
    unused = np.zeros((len(true), 3), np.int64)

    def count(name: str, lo: int, hi: int, counts: np.ndarray) -> None:
        if name == "counts":
            kernels_sets.cophe(
                lo,
                hi,
                *batch.labels,
                a.parent_ptr,
                a.parent_idx,
                a.level,
                options.max_level or 0,
                batch.count_root,
                counts,
                unused,
            )
            return
        rows = (a.child_ptr, a.child_idx) if name == "descendants" else (a.parent_ptr, a.parent_idx)
        kernels_sets.overlap_by_class(lo, hi, *batch.labels, *rows, name != "flat", batch.count_root, counts)

    return count


# --- kernels ------------------------------------------------------------------------------------------------------

Out = Mapping[str, np.ndarray]
_NO_CLASSES = np.zeros((0, 0), np.int64)


def _simple(fill: Fill) -> Task:
    def filled(lo: int, hi: int, stop: threading.Event) -> Mapping[str, int]:
        fill(lo, hi)
        return {}

    return Task(filled)


def _flat(batch: Batch, out: Out) -> Task:
    columns = out["flat"]
    columns[:, 3] = len(batch.hierarchy) - (not batch.count_root)
    return _simple(lambda lo, hi: kernels_sets.flat(lo, hi, *batch.labels, columns))


def _augmented(batch: Batch, out: Out) -> Task:
    def fill(lo: int, hi: int) -> None:
        above = batch.ancestry_of(lo, hi)
        kernels_sets.augmented_by_lists(
            lo, hi, *batch.labels, above.row, above.ptr, above.node, batch.count_root, out["augmented"]
        )

    return _simple(fill)


def _h_loss(batch: Batch, out: Out) -> Task:
    a = batch.hierarchy.arrays
    return _simple(
        lambda lo, hi: kernels_sets.tolerant(
            lo, hi, *batch.labels, a.parent_ptr, a.parent_idx, batch.count_root, out["h_loss"]
        )
    )


def _descendants(batch: Batch, out: Out) -> Task:
    a = batch.hierarchy.arrays
    return _simple(
        lambda lo, hi: kernels_sets.augmented(
            lo, hi, *batch.labels, a.child_ptr, a.child_idx, batch.count_root, out["descendants"]
        )
    )


def _counts(batch: Batch, out: Out) -> Task:
    a, top = batch.hierarchy.arrays, batch.options.max_level or 0
    return _simple(
        lambda lo, hi: kernels_sets.cophe(
            lo,
            hi,
            *batch.labels,
            a.parent_ptr,
            a.parent_idx,
            a.level,
            top,
            batch.count_root,
            _NO_CLASSES,
            out["counts"],
        )
    )


def _has_kernel(name: str, options: Options) -> bool:
    """Whether a source is computed by a kernel under these options."""
    if name == "confusion":
        return options.path_derivation == "greedy"
    if name.startswith("pairing_") or name == "shortest_path":
        return options.path == "ancestor" and (name != "pairing_own" or _own_column(options) is not None)
    return True


def _confusion(batch: Batch, out: Out) -> Task:
    h, a = batch.hierarchy, batch.hierarchy.arrays
    rank = np.empty(len(h), np.int32)
    rank[sorted(range(len(h)), key=h.nodes.__getitem__)] = np.arange(len(h), dtype=np.int32)
    deep = batch.options.negatives == "descendants"
    return _simple(
        lambda lo, hi: kernels_confusion.confusion(
            lo,
            hi,
            *batch.labels,
            a.parent_ptr,
            a.parent_idx,
            a.child_ptr,
            a.child_idx,
            h.depth,
            rank,
            deep,
            h.is_tree,
            out["confusion"],
        )
    )


def _own_column(options: Options) -> int | None:
    """The setting that a person's own pairing amounts to where each class is in exactly one pair; None for other
    bounds.
    """
    bounds = (options.alpha_p, options.beta_p, options.alpha_t, options.beta_t)
    if any(bound not in (None, 1) for bound in bounds):
        return None
    return kernels_pairs.GIE if options.default_classes else kernels_pairs.TIE


def _pairs(batch: Batch, out: Out) -> Task:
    options = batch.options
    longest = np.inf if options.max_pair_distance is None else options.max_pair_distance
    error = {
        "pairing_TIE": kernels_pairs.TIE,
        "pairing_all_pairs": kernels_pairs.ALL_PAIRS,
        "pairing_GIE": kernels_pairs.GIE,
        "pairing_MGIA": kernels_pairs.MGIA,
        "pairing_own": _own_column(options),
    }
    pairing = out.keys() != {"shortest_path"}

    def fill(lo: int, hi: int) -> None:
        rows = np.zeros((hi - lo, kernels_pairs.COLUMNS))
        kernels_pairs.pairs(
            lo, hi, *batch.labels, *batch.ancestry_of(lo, hi).lists, options.dmax, longest, pairing, rows
        )
        for name, columns in out.items():
            if name == "shortest_path":
                columns[lo:hi, 0] = rows[:, kernels_pairs.DISTANCE]
            else:
                cost = error[name]
                assert cost is not None, "own bounds without a kernel are left to explain"
                columns[lo:hi] = rows[:, [cost, kernels_pairs.UNION, kernels_pairs.SYMMETRIC]]

    return _simple(fill)


def _lca(batch: Batch, out: Out) -> Task:
    """Where the exact search would be given up, "auto" takes the greedy graphs, and "exact" what `explain` has come to
    by then.
    """
    a, solver = batch.hierarchy.arrays, batch.options.solver
    up = (a.parent_ptr, a.parent_idx, a.parent_weight, a.child_ptr)
    unit = has_unit_edges(a)
    limit = lca_solvers.EXACT_WORK if solver == "exact" else lca_solvers.AUTO_WORK

    def fill(lo: int, hi: int, stop: threading.Event) -> Mapping[str, int]:
        rows = np.zeros((hi - lo, 7), np.int64)
        if not hasattr(batch.own, "lca"):
            batch.own.lca = kernels_lca.new_scratch(len(batch.hierarchy))
        kernels_lca.lca(
            lo,
            hi,
            *batch.labels,
            *up,
            *batch.ancestry_of(lo, hi).lists,
            unit,
            batch.count_root,
            "lca" in out,
            "lca_ext" in out,
            limit,
            solver == "greedy",
            batch.own.lca,
            rows,
        )
        for name, first in (("lca", 0), ("lca_ext", 3)):
            if name in out:
                out[name][lo:hi] = rows[:, first : first + 3]
        unsolved = (lo + np.flatnonzero(rows[:, 6])).tolist() if solver == "exact" else []
        return explain_rows(batch, [SOURCES["lca"]], unsolved, out, stop) if unsolved else {}

    return Task(fill)


_KERNELS: tuple[tuple[tuple[str, ...], Callable[[Batch, Out], Task]], ...] = (
    (("flat",), _flat),
    (("augmented",), _augmented),
    (("h_loss",), _h_loss),
    (("descendants",), _descendants),
    (("counts",), _counts),
    (("lca", "lca_ext"), _lca),
    (("confusion",), _confusion),
    (("pairing_TIE", "pairing_all_pairs", "pairing_GIE", "pairing_MGIA", "pairing_own", "shortest_path"), _pairs),
)


# --- explain ------------------------------------------------------------------------------------------------------


def _explaining(batch: Batch, sources: Sequence[Columns], out: Out) -> Task:
    return Task(lambda lo, hi, stop: explain_rows(batch, sources, range(lo, hi), out, stop))


def explain_rows(
    batch: Batch, sources: Sequence[Columns], rows: Sequence[int], out: Out, stop: threading.Event
) -> Mapping[str, int]:
    """Fill some rows by the builders of `explain`; how many, for each source."""
    for k in rows:
        if stop.is_set():
            break
        instance = batch.instance(k)
        built: dict[str, object] = {}
        for s in sources:
            if s.structure not in built:
                built[s.structure] = BUILDERS[s.structure](instance)
            out[s.name][k] = s.take(built[s.structure])
    return {s.name: len(rows) for s in sources}


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
