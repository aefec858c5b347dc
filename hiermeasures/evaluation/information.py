"""Information of classes as their weight, counted over the true labels of many instances.

hiermeasures.hierarchy.class_weights has the weights that need no labels (leaves, levels, weights in
a file).
"""

from itertools import pairwise
from typing import Any, Literal

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, encode, slices
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.needs_scipy import sparse, spsolve_triangular
from hiermeasures.hierarchy.hierarchy import Hierarchy

Smoothing = Literal["unseen", "dummy"]
MOST = 50_000_000  # bytes for the bits of classes × instances
ONES = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)


def information(
    hierarchy: Hierarchy, y_true: Any, *, smoothing: Smoothing = "unseen", **settings: Any
) -> np.ndarray:
    """Return the information of each class, in bits.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true : list, array, matrix, frame or EncodedLabels
        The true classes of instances, as for `evaluate`. Ancestors are added.
    smoothing : "unseen" or "dummy"
        "unseen" counts a class once if no instance has it, as ICM does. "dummy" counts every class
        once more, like the dummy instance that CAFA adds.
    settings :
        `classes` and `unknown`, as for `evaluate`.

    Returns
    -------
    array of float, (2, classes)
        Two rows with a column for each class, by its number. Pass the array to
        `Hierarchy.with_class_weights`. Row 0 is the information accretion given all parents,
        −log₂(n(c) / n(all parents)), where n counts instances (Clark and Radivojac 2013). Row 1 has
        the terms that ICM adds up: the information of a class, −log₂(n(c) / instances), minus the
        sum of the terms of all classes above it (Amigó and Delgado 2022). On a tree both rows are
        equal.

    Raises
    ------
    InputError
        As for `evaluate`.

    See Also
    --------
    Hierarchy.with_class_weights : Use the array as class weights.

    Examples
    --------
    Two of four instances are below A, so A has 1 bit. One of these two has A1, which adds a bit.

    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2")])
    >>> bits = information(h, [{"A1"}, {"A2"}, {"B"}, {"B"}])
    >>> [float(bits[0, h.index(c)]) for c in ("R", "A", "A1")]
    [0.0, 1.0, 1.0]
    """
    true = encode(hierarchy, y_true, name="y_true", **settings)
    n, together = _smoothed(hierarchy, true, smoothing)
    accretion = np.log2(together / n)
    if hierarchy.is_tree:
        return np.array([accretion, accretion])
    own = np.log2(together[0] / n)
    return np.array([accretion, spsolve_triangular(_above(hierarchy), own)])


def accretion(
    hierarchy: Hierarchy, true: EncodedLabels, *, smoothing: Smoothing = "unseen"
) -> np.ndarray:
    """Return only the first row of `information`, without a table of ancestors."""
    n, together = _smoothed(hierarchy, true, smoothing)
    bits: np.ndarray = np.log2(together / n)
    return bits


def _smoothed(
    hierarchy: Hierarchy, true: EncodedLabels, smoothing: Smoothing
) -> tuple[np.ndarray, np.ndarray]:
    """Count the instances with each class, and with all its parents (for the root: all)."""
    n, together = _counts(hierarchy, true)
    if hierarchy.virtual_root:
        n[0] = len(true)
    together[0] = len(true)
    return np.maximum(n + (smoothing == "dummy"), 1), np.maximum(
        together + (smoothing == "dummy"), 1
    )


def _counts(hierarchy: Hierarchy, true: EncodedLabels) -> tuple[np.ndarray, np.ndarray]:
    """Count the instances with each class or a descendant, and with all its parents.

    Some instances are counted at a time. A class has a bit for each of them, and passes its bits to
    its parents, which have smaller numbers. So neither time nor memory depends on the number of
    ancestors.
    """
    a = arrays_of(hierarchy)
    parents = [a.parent_idx[begin:end] for begin, end in pairwise(a.parent_ptr)]
    n, together = np.zeros(len(hierarchy), np.int64), np.zeros(len(hierarchy), np.int64)
    for lo, hi in slices(len(true), 8 * max(1, MOST // len(hierarchy))):
        width = (hi - lo + 7) // 8
        has = np.zeros((len(hierarchy), width), np.uint8)
        labels = true.idx[true.ptr[lo] : true.ptr[hi]]
        instance = np.repeat(np.arange(hi - lo), np.diff(true.ptr[lo : hi + 1]))
        bits = (1 << (instance % 8)).astype(np.uint8)
        np.bitwise_or.at(has.reshape(-1), labels.astype(np.int64) * width + instance // 8, bits)
        seen = np.isin(np.arange(len(hierarchy)), labels)
        for c in range(len(hierarchy) - 1, 0, -1):
            if seen[c]:
                has[parents[c]] |= has[c]
                seen[parents[c]] = True
        for found in np.flatnonzero(seen):
            n[found] += ONES[has[found]].sum()
        for c, above in enumerate(parents):
            if len(above) and seen[above].all():
                together[c] += ONES[np.bitwise_and.reduce(has[above])].sum()
    return n, together


def parent_matrix(hierarchy: Hierarchy) -> sparse.csr_array:
    a = arrays_of(hierarchy)
    ones = np.ones(len(a.parent_idx), np.int32)
    return sparse.csr_array(
        (ones, a.parent_idx, a.parent_ptr), shape=(len(hierarchy), len(hierarchy))
    )


def with_ancestors(rows: sparse.csr_array, up: sparse.csr_array) -> sparse.csr_array:
    while True:
        more = sparse.csr_array(rows + rows @ up)
        more.data[:] = 1
        if more.nnz == rows.nnz:
            return more
        rows = more


def _above(hierarchy: Hierarchy) -> sparse.csr_array:
    """Return a lower triangular matrix with a row per class, 1 at itself and its ancestors."""
    whole = with_ancestors(
        sparse.eye_array(len(hierarchy), dtype=np.int32, format="csr"), parent_matrix(hierarchy)
    )
    whole.sort_indices()
    return whole.astype(float)
