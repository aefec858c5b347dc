"""Turn models' outputs into the probability of every class: probabilities, probabilities given the
parent, logits, or probabilities of leaves. Also the greatest and least values along the hierarchy.
Arrays are (instances, classes); probabilities.py has checked names, shapes and ranges before.
"""

from typing import Literal

import numpy as np

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.hierarchy_arrays import arrays_of, runs

Kind = Literal["nodes", "conditional", "conditional_softmax", "conditional_sigmoid", "leaves"]

KINDS: dict[str, str] = {
    "nodes": "The probability of each class.",
    "conditional": "The probability of each class given its parent.",
    "conditional_softmax": "Logits; a softmax over the children of each class (Plaud et al. 2024, Eq. 4).",
    "conditional_sigmoid": "Logits; a sigmoid for each class given its parent (Plaud et al. 2024, Section 4.3).",
    "leaves": "The probability of each leaf; a class above has the sum of the leaves below it.",
}

TOLERANCE = 1e-6
"""Largest deviation taken for rounding: files hold single-precision numbers."""


# --- a builder per kind: (hierarchy, numbers, their classes' places, notes) -> (instances, classe


def _from_nodes(hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, notes: list[str]) -> np.ndarray:
    at_root = array[:, places == 0]
    if at_root.size and not np.allclose(at_root, 1, atol=TOLERANCE):
        notes.append(f"the root {shown(hierarchy.root)} is certain: its probabilities below 1 are read as 1")
    return _placed(hierarchy, array, places)


def _from_conditional(hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, notes: list[str]) -> np.ndarray:
    return multiplied_down(hierarchy, _placed(hierarchy, array, places))


def _from_sigmoid(hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, notes: list[str]) -> np.ndarray:
    from scipy.special import expit

    return _from_conditional(hierarchy, expit(array), places, notes)


def _from_softmax(hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, notes: list[str]) -> np.ndarray:
    """A softmax over the children of each class. A child without a logit has probability 0."""
    trees_only(hierarchy, "a conditional softmax")
    logits = _placed(hierarchy, array, places, missing=-np.inf)
    conditional = np.ones_like(logits)
    arrays = arrays_of(hierarchy)
    ptr, child = arrays.child_ptr, arrays.child_idx
    if len(child):
        start = ptr[:-1][np.diff(ptr) > 0]
        siblings = logits[:, child]
        size = np.diff(np.append(start, len(child)))
        top = np.maximum.reduceat(siblings, start, axis=1)
        top[top == -np.inf] = 0
        siblings = np.exp(siblings - np.repeat(top, size, axis=1))
        total = np.add.reduceat(siblings, start, axis=1)
        total[total == 0] = 1
        conditional[:, child] = siblings / np.repeat(total, size, axis=1)
    return multiplied_down(hierarchy, conditional)


def _from_leaves(hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, notes: list[str]) -> np.ndarray:
    from scipy import sparse

    rows = [[hierarchy.index(a) for a in hierarchy.up(hierarchy.nodes[i])] for i in places]
    ptr = np.cumsum([0, *map(len, rows)])
    above = sparse.csr_array((np.ones(ptr[-1]), np.concatenate(rows), ptr), shape=(len(places), len(hierarchy)))
    out: np.ndarray = np.minimum(np.ascontiguousarray((above.T @ array.T).T), 1)
    if (short := 1 - out[:, 0]).max(initial=0) > TOLERANCE:
        notes.append(
            f"the leaves sum to less than 1 (by {short.max():.3g} at most): the rest is the chance of no class at all"
        )
    out[:, 0] = 1
    return out


def _placed(hierarchy: Hierarchy, array: np.ndarray, places: np.ndarray, missing: float = 0) -> np.ndarray:
    """Put each column at the place of its class; the root's is 1, absent ones are `missing`."""
    out = np.full((len(array), len(hierarchy)), missing, np.float64)
    out[:, places] = array
    out[:, 0] = 1
    return out


BUILDERS = {
    "nodes": _from_nodes,
    "conditional": _from_conditional,
    "conditional_softmax": _from_softmax,
    "conditional_sigmoid": _from_sigmoid,
    "leaves": _from_leaves,
}


# --- along the hierarchy, for many instances at once --------------------------------------------


def multiplied_down(hierarchy: Hierarchy, conditional: np.ndarray) -> np.ndarray:
    """Return the product of each class's value and all its ancestors': (instances, classes)."""
    out = conditional.copy()
    arrays = arrays_of(hierarchy)
    if hierarchy.is_tree:
        for level in range(1, hierarchy.depth + 1):
            nodes = np.flatnonzero(arrays.level == level)
            out[:, nodes] *= out[:, arrays.parent_idx[arrays.parent_ptr[nodes]]]
        return out
    for i, label in enumerate(hierarchy.nodes):
        out[:, i] = conditional[:, [hierarchy.index(a) for a in hierarchy.up(label)]].prod(axis=1)
    return out


def greatest_below(hierarchy: Hierarchy, values: np.ndarray) -> np.ndarray:
    """Return for each class the greatest value of itself and its descendants.

    `values` and the result are (instances, classes). A threshold on the result gives the predicted
    set augmented with its ancestors (Plaud et al. 2024, Eq. 1).
    """
    arrays = arrays_of(hierarchy)
    return _carried(hierarchy, values, np.maximum, arrays.child_ptr, arrays.child_idx)


def least_above(hierarchy: Hierarchy, values: np.ndarray) -> np.ndarray:
    """Return for each class the least value of itself and its ancestors.

    `values` and the result are (instances, classes). This makes incoherent probabilities coherent:
    a child is lowered to the least of its ancestors.
    """
    arrays = arrays_of(hierarchy)
    return _carried(hierarchy, values, np.minimum, arrays.parent_ptr, arrays.parent_idx)


def _carried(
    hierarchy: Hierarchy, values: np.ndarray, extreme: np.ufunc, ptr: np.ndarray, idx: np.ndarray
) -> np.ndarray:
    """Carry the greatest value up, or the least down; `ptr` and `idx` say from which classes."""
    out = np.array(values, np.float64)
    some = np.diff(ptr) > 0
    level_of, levels = arrays_of(hierarchy).level, range(hierarchy.depth + 1)
    for level in reversed(levels) if extreme is np.maximum else levels:
        nodes = np.flatnonzero(some & (level_of == level))
        if len(nodes):
            size = ptr[nodes + 1] - ptr[nodes]
            columns, start = idx[runs(ptr[nodes], size)], np.cumsum(size) - size
            out[:, nodes] = extreme(out[:, nodes], extreme.reduceat(out[:, columns], start, axis=1))
    return out


def trees_only(hierarchy: Hierarchy, what: str) -> None:
    if not hierarchy.is_tree:
        node = next(c for c in hierarchy.nodes if len(hierarchy.parents(c)) > 1)
        raise InputError(
            f"{what} needs a tree: {shown(node)} has {len(hierarchy.parents(node))} parents, so siblings overlap"
        )
