"""What classes weigh in the measures of weighted classes, as arrays by number: as given, of the leaves, of the levels.

Information that is counted over true labels is in hiermeasures.batch.information; what is summed, in
hiermeasures.measures.weighted.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.hierarchy_arrays import HierarchyArrays

Scheme = Literal["leaves", "depth"]
SCHEMES: tuple[Scheme, ...] = ("leaves", "depth")
MOST_LEAF_BITS = 10**10  # classes × leaves of a DAG, one bit each
HEAVIEST = 1e12  # so that sums keep what is small

ATTRIBUTES = CLASS_WEIGHT, ICM_WEIGHT = "class_weight", "icm_weight"
"""What files and graphs call the weight of a class, and its weight in ICM where that is another."""


def class_weights(
    given: Scheme | Mapping[str, float] | np.ndarray, index: Callable[[str], int], arrays: HierarchyArrays
) -> np.ndarray:
    """What classes weigh, and what they weigh in ICM: (2, classes), read-only. `index` gives the number of a class.

    The parameters are those of `Hierarchy.with_class_weights`.
    """
    found = np.array(np.broadcast_to(_weights(given, index, arrays), (2, len(arrays.level))), np.float64)
    found.flags.writeable = False
    return found


def _weights(
    given: Scheme | Mapping[str, float] | np.ndarray, index: Callable[[str], int], arrays: HierarchyArrays
) -> np.ndarray:
    if isinstance(given, np.ndarray):
        return given
    if isinstance(given, Mapping):
        found = np.zeros(len(arrays.level))
        for label, weight in given.items():
            found[index(label)] = _checked(weight, label)
        return found
    if given == "depth":
        return arrays.level.astype(np.float64)
    if given == "leaves":
        return _by_leaves(arrays)
    raise InputError(unknown("class weight scheme", str(given), SCHEMES))


def from_attributes(
    given: Mapping[str, Mapping[str, object]], nodes: Sequence[str], virtual_root: bool
) -> np.ndarray | None:
    """The weights that classes have by the names of ATTRIBUTES, (2, classes) in the order of `nodes`; None where none
    has one. A virtual root, which comes first, weighs nothing.

    Raises
    ------
    InputError
        For a class without a weight where others have one, and for a weight that cannot be one.
    """
    if not any(given.values()):
        return None
    found = np.zeros((2, len(nodes)))
    for i, label in enumerate(nodes[virtual_root:], int(virtual_root)):
        weights = given.get(label, {})
        if CLASS_WEIGHT not in weights:
            raise InputError(f"class {shown(label)} has no {CLASS_WEIGHT}, and other classes have")
        found[0, i] = found[1, i] = _checked(weights[CLASS_WEIGHT], label)
        if ICM_WEIGHT in weights:
            found[1, i] = _checked(weights[ICM_WEIGHT], label, least=-HEAVIEST)
    return found


def as_attributes(weights: np.ndarray, nodes: Iterable[str]) -> dict[str, dict[str, float]]:
    """By class what `from_attributes` reads; the weight in ICM only where it is another for some class."""
    names = ATTRIBUTES if (weights[0] != weights[1]).any() else ATTRIBUTES[:1]
    return {label: dict(zip(names, row, strict=False)) for label, row in zip(nodes, weights.T.tolist(), strict=True)}


def _checked(weight: object, label: object, least: float = 0.0) -> float:
    try:
        value = float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not least <= value <= HEAVIEST:
        can = f"{HEAVIEST:g} at most" if value > HEAVIEST else f"{least:g} or more"
        raise InputError(f"the weight of class {shown(str(label))} is {shown(str(weight))[1:-1]}; a class weighs {can}")
    return value


def _by_leaves(arrays: HierarchyArrays) -> np.ndarray:
    """The information of each class given its parents, were every leaf as likely."""
    n = len(arrays.level)
    leaves = np.flatnonzero(np.diff(arrays.child_ptr) == 0)
    found = np.zeros(n)
    if len(arrays.parent_idx) == n - 1:  # a tree
        counts = np.zeros(n, np.int64)
        counts[leaves] = 1
        for i in range(n - 1, 0, -1):
            counts[arrays.parent_idx[arrays.parent_ptr[i]]] += counts[i]
        found[1:] = np.log2(counts[arrays.parent_idx] / counts[1:])
        return found
    if n * len(leaves) > MOST_LEAF_BITS:
        raise InputError(f"the leaves below each of {n:,} classes are too many to be compared")
    below = [0] * n  # the leaves at or below a class, as bits
    for k, i in enumerate(leaves.tolist()):
        below[i] = 1 << k
    for i in range(n - 1, 0, -1):
        for parent in _parents(arrays, i):
            below[parent] |= below[i]
    for i in range(1, n):
        shared = below[0]
        for parent in _parents(arrays, i):
            shared &= below[parent]
        found[i] = math.log2(shared.bit_count() / below[i].bit_count())
    return found


def _parents(arrays: HierarchyArrays, i: int) -> list[int]:
    parents: list[int] = arrays.parent_idx[arrays.parent_ptr[i] : arrays.parent_ptr[i + 1]].tolist()
    return parents
