"""Hierarchical consistency: whether a label set contains the ancestors of its members (GermEval 2019; "coherent" in
Plaud et al. 2024).
"""

import numpy as np

from hiermeasures.batch.encode import EncodedLabels
from hiermeasures.hierarchy import Hierarchy


def consistent(hierarchy: Hierarchy, labels: EncodedLabels) -> np.ndarray:
    """For every instance, whether each class comes with all its parents, and so with all its ancestors.

    The root is taken as read: label sets rarely name it. An empty set is consistent.

    >>> from hiermeasures.batch.encode import EncodedLabels
    >>> h = Hierarchy.from_edges([("R", "A"), ("A", "B")])
    >>> consistent(h, EncodedLabels(np.array([0, 2, 3, 3]), np.array([1, 2, 2]))).tolist()
    [True, False, True]
    """
    n = len(hierarchy)
    arrays = hierarchy.arrays
    instance = np.repeat(np.arange(len(labels)), np.diff(labels.ptr))
    present = instance * n + labels.idx
    parents = np.diff(arrays.parent_ptr)[labels.idx]
    first = np.repeat(arrays.parent_ptr[labels.idx] - (np.cumsum(parents) - parents), parents)
    above = arrays.parent_idx[first + np.arange(parents.sum())]
    owner = np.repeat(instance, parents)
    missing = owner[(above > 0) & ~np.isin(owner * n + above, present)]
    result = np.ones(len(labels), bool)
    result[missing] = False
    return result
