"""Flat and ancestor sets of many instances with only NumPy, so that no kernel is compiled.

Sets are rising arrays of keys, instance * classes + class. hiermeasures.measures.sets has the
readable definitions, and hiermeasures.evaluation.tasks decides when this module is used.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels
from hiermeasures.evaluation.hierarchy_arrays import HierarchyArrays, arrays_of
from hiermeasures.evaluation.kernel_registry import Batch, ColumnTable
from hiermeasures.hierarchy.options import CREDIT, Options
from hiermeasures.measures.catalogue import Structure
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
