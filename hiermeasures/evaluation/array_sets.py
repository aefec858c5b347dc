"""Sets and simple LCA graphs of many instances with only NumPy, so that no kernel is compiled.

Sets are rising arrays of keys, instance * classes + class. If a tree has one true and one predicted
class in each instance, the levels of both and of their LCA give all sizes. hiermeasures.measures
has the readable definitions, and hiermeasures.evaluation.tasks decides when this module is used.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels
from hiermeasures.evaluation.hierarchy_arrays import HierarchyArrays, arrays_of, first_parents
from hiermeasures.evaluation.kernel_registry import Batch, ColumnTable
from hiermeasures.hierarchy.options import CREDIT, Options
from hiermeasures.measures.catalogue import Structure
from hiermeasures.measures.lca import LCA
from hiermeasures.measures.sets import AUGMENTED, FLAT
from hiermeasures.read.label_rows import runs

MOST_KEYS = 4_000_000  # in memory at a time: 32 MB


def fills_by_arrays(structure: Structure[Any], options: Options) -> bool:
    """Return whether `fill_by_arrays` supports a structure with these options."""
    credits_none = all(getattr(options, name) == "wrong" for name in CREDIT)
    return structure in (FLAT, AUGMENTED) and credits_none and options.max_ancestor_distance is None


def fill_by_arrays(
    batch: Batch, tables: Sequence[ColumnTable], lo: int, hi: int, stop: threading.Event
) -> None:
    """Fill rows `lo` to `hi` of tables."""
    for table in tables:
        true, predicted = (
            _keys(batch, table.structure, side.piece(lo, hi)) for side in batch.sides
        )
        if len(true) + len(predicted) > MOST_KEYS and hi - lo > 1:
            middle = (lo + hi) // 2
            fill_by_arrays(batch, [table], lo, middle, stop)
            fill_by_arrays(batch, [table], middle, hi, stop)
            continue
        shared = np.intersect1d(true, predicted, assume_unique=True)
        for column, keys in enumerate((true, predicted, shared)):
            table.rows[lo:hi, column] = np.bincount(keys // len(batch.hierarchy), minlength=hi - lo)
        if table.structure is FLAT:
            table.rows[lo:hi, 3] = len(batch.hierarchy) - (not batch.count_root)
            table.rows[lo:hi, 4], table.rows[lo:hi, 5] = (
                np.diff(side.ptr[lo : hi + 1]) for side in batch.sides
            )


def fills_by_levels(batch: Batch, structure: Structure[Any], options: Options) -> bool:
    """Return whether `fill_by_levels` supports a structure in a batch."""
    if structure is LCA:
        known = options.max_ancestor_distance is None
    else:
        known = structure is AUGMENTED and fills_by_arrays(structure, options)
    single = (len(side.idx) == len(side) and (np.diff(side.ptr) == 1).all() for side in batch.sides)
    return bool(known and batch.hierarchy.is_tree and all(single))


def fill_by_levels(
    batch: Batch, tables: Sequence[ColumnTable], lo: int, hi: int, stop: threading.Event
) -> None:
    """Fill rows `lo` to `hi` of tables of single classes in a tree."""
    arrays, count_root = arrays_of(batch.hierarchy), batch.count_root
    true, predicted = (side.idx[lo:hi] for side in batch.sides)
    top = arrays.level[_lowest_common_ancestors(arrays, true, predicted)]
    for table in tables:
        if table.structure is AUGMENTED:  # paths from the root
            counts, first = count_root, 0
        else:  # paths from the LCA, which is not a node of the graphs if it is the uncounted root
            counts, first = (top > 0) | count_root, top
        table.rows[lo:hi, 0] = arrays.level[true] - first + counts
        table.rows[lo:hi, 1] = arrays.level[predicted] - first + counts
        table.rows[lo:hi, 2] = top - first + counts


def _lowest_common_ancestors(
    arrays: HierarchyArrays, some: np.ndarray, others: np.ndarray
) -> np.ndarray:
    """Return the LCA of each pair in a tree. The larger number is never above the other."""
    parent = first_parents(arrays)
    some, others = some.copy(), others.copy()
    apart = np.flatnonzero(some != others)
    while len(apart):
        a, b = some[apart], others[apart]
        some[apart], others[apart] = np.minimum(a, b), parent[np.maximum(a, b)]
        apart = apart[some[apart] != others[apart]]
    return some


def count_by_arrays(batch: Batch, structure: Structure[Any], step: int = 2048) -> np.ndarray:
    """Return a table (3, classes): the instances with each class true, predicted, and both."""
    counts = np.zeros((3, len(batch.hierarchy)), np.int64)
    for lo in range(0, len(batch), step):
        hi = min(lo + step, len(batch))
        true, predicted = (_keys(batch, structure, side.piece(lo, hi)) for side in batch.sides)
        shared = np.intersect1d(true, predicted, assume_unique=True)
        for row, keys in zip(counts, (true, predicted, shared), strict=True):
            row += np.bincount(keys % len(row), minlength=len(row))
    return counts


def _keys(batch: Batch, structure: Structure[Any], side: EncodedLabels) -> np.ndarray:
    """Return the keys of some instances' classes on a side."""
    n = len(batch.hierarchy)
    if structure is FLAT:
        return np.asarray(side.instances * n + side.idx)
    labels, place = np.unique(side.idx, return_inverse=True)
    ptr, classes = _with_ancestors(arrays_of(batch.hierarchy), labels)
    sizes = np.diff(ptr)[place]
    keys = np.unique(np.repeat(side.instances, sizes) * n + classes[runs(ptr[place], sizes)])
    return keys if batch.count_root else keys[keys % n != 0]


def _with_ancestors(arrays: HierarchyArrays, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each label with all its ancestors, as compressed rows."""
    n, parents = len(arrays.parent_ptr) - 1, np.diff(arrays.parent_ptr)
    keys = new = np.arange(len(labels)) * n + labels
    while len(new):
        row, class_ = np.divmod(new, n)
        above = arrays.parent_idx[runs(arrays.parent_ptr[class_], parents[class_])]
        new = np.setdiff1d(np.repeat(row, parents[class_]) * n + above, keys)
        keys = np.union1d(keys, new)
    return np.searchsorted(keys, np.arange(len(labels) + 1) * n), keys % n
