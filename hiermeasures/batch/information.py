"""The information of classes, counted over the true labels of many instances: what they weigh in measures of weighted
classes.

What a hierarchy says by itself (leaves, levels, weights in a file) is in hiermeasures.hierarchy.
"""

from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve_triangular

from hiermeasures.batch.encode import EncodedLabels, encode, slices
from hiermeasures.hierarchy import Hierarchy

CHUNK = 20_000  # instances whose ancestors are counted at a time


def information(
    hierarchy: Hierarchy, y_true: Any, *, smoothing: Literal["unseen", "dummy"] = "unseen", **settings: Any
) -> np.ndarray:
    """How informative each class is, in bits.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true : list, array, matrix, frame or EncodedLabels
        The true classes of instances, as for `evaluate`; ancestors are added.
    smoothing : "unseen" or "dummy"
        A class that no instance has is counted once, as ICM does; or every class is counted once more, as the dummy
        that CAFA adds does.
    settings :
        `classes` and `unknown`, as for `evaluate`.

    Returns
    -------
    array of float, (2, classes)
        By number of class; `Hierarchy.with_class_weights` takes it. First the information accretion given all parents,
        −log₂(n(c) / n(all parents)), where n counts instances (Clark and Radivojac 2013). Then what ICM adds up: the
        information of a class, −log₂(n(c) / instances), less what the classes above it have (Amigó and Delgado 2022);
        on a tree both are the same.

    Raises
    ------
    InputError
        As `evaluate`.

    Examples
    --------
    Of four instances two are below A, so that A has 1 bit; one of the two has A1, another bit.

    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2")])
    >>> bits = information(h, [{"A1"}, {"A2"}, {"B"}, {"B"}])
    >>> [float(bits[0, h.index(c)]) for c in ("R", "A", "A1")]
    [0.0, 1.0, 1.0]
    """
    true = encode(hierarchy, y_true, name="y_true", **settings)
    n, together = _counts(hierarchy, true)
    instances = len(true)
    if hierarchy.virtual_root:
        n[0] = instances
    together[0] = instances
    more = smoothing == "dummy"
    n, together = (np.maximum(counts + more, 1) for counts in (n, together))
    accretion = np.log2(together / n)
    if hierarchy.is_tree:
        return np.array([accretion, accretion])
    own = np.log2(max(instances + more, 1) / n)
    return np.array([accretion, spsolve_triangular(_above(hierarchy), own)])


def _counts(hierarchy: Hierarchy, true: EncodedLabels) -> tuple[np.ndarray, np.ndarray]:
    """For each class how many instances have it, ancestors included, and how many have all its parents."""
    a = hierarchy.arrays
    n, together = np.zeros(len(hierarchy), np.int64), np.zeros(len(hierarchy), np.int64)
    parents = np.diff(a.parent_ptr)
    several = np.flatnonzero(parents > 1)
    up = _parents(hierarchy)
    for lo, hi in slices(len(true), CHUNK):
        begin, end = true.ptr[lo], true.ptr[hi]
        labels = sparse.csr_array(
            (np.ones(end - begin, np.int32), true.idx[begin:end], true.ptr[lo : hi + 1] - begin),
            shape=(hi - lo, len(hierarchy)),
        )
        grown = _grown(labels, up)
        n += np.bincount(grown.indices, minlength=len(hierarchy))
        if len(several):
            found = (grown @ up[several].T).tocoo()
            whole = found.data == parents[several][found.col]
            together[several] += np.bincount(found.col[whole], minlength=len(several))
    single = np.flatnonzero(parents == 1)
    together[single] = n[a.parent_idx[a.parent_ptr[single]]]
    return n, together


def _parents(hierarchy: Hierarchy) -> sparse.csr_array:
    """A row per class, with 1 at each of its parents."""
    a = hierarchy.arrays
    ones = np.ones(len(a.parent_idx), np.int32)
    return sparse.csr_array((ones, a.parent_idx, a.parent_ptr), shape=(len(hierarchy), len(hierarchy)))


def _grown(rows: sparse.csr_array, up: sparse.csr_array) -> sparse.csr_array:
    """Rows of classes with all their ancestors, each 1."""
    while True:
        more = sparse.csr_array(rows + rows @ up)
        more.data[:] = 1
        if more.nnz == rows.nnz:
            return more
        rows = more


def _above(hierarchy: Hierarchy) -> sparse.csr_array:
    """A row per class, with 1 at itself and every class above it: lower triangular, for parents come first."""
    whole = _grown(sparse.eye_array(len(hierarchy), dtype=np.int32, format="csr"), _parents(hierarchy))
    whole.sort_indices()
    return whole.astype(float)
