"""The edges of a hierarchy as NumPy's arrays, which the kernels take, and computations over all
classes at once.
"""

from array import array
from dataclasses import dataclass

import numpy as np

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.signature import DOWNWARD, ROUNDS, UPWARD


@dataclass(frozen=True)
class HierarchyArrays:
    """The columns of hiermeasures.hierarchy.edge_rows.EdgeRows (int32; weights float64), read-only."""

    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    parent_weight: np.ndarray
    child_ptr: np.ndarray
    child_idx: np.ndarray
    level: np.ndarray


def arrays_of(hierarchy: Hierarchy) -> HierarchyArrays:
    """Return the edges of a hierarchy as arrays over its own memory."""
    columns = vars(hierarchy.rows).values()
    return HierarchyArrays(*(np.asarray(memoryview(column).toreadonly()) for column in columns))


def runs(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The numbers of several ranges, one after another.

    >>> runs(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    return np.asarray(
        np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    )


def is_above(hierarchy: Hierarchy, above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Return True for each pair whose first class is above the second."""
    arrays, n = arrays_of(hierarchy), len(hierarchy)
    parent = np.append(
        0, arrays.parent_idx[arrays.parent_ptr[1:-1]]
    )  # the first; the root is its own
    found = (parent[below] == above) & (above != below)
    others = np.flatnonzero(~found & (above < below))  # a class above another has a smaller number
    if hierarchy.is_tree:
        at, sought = parent[below[others]], above[others]
        for _ in range(hierarchy.depth - 1):
            at = parent[at]
            found[others] |= at == sought
        return np.asarray(found)
    pairs, which = np.unique(
        above[others].astype(np.int64) * n + below[others], return_inverse=True
    )
    names = (
        (hierarchy.nodes[a], hierarchy.nodes[b]) for a, b in zip(*divmod(pairs, n), strict=True)
    )
    found[others] = np.array([a in hierarchy.up(b) for a, b in names], bool)[which]
    return np.asarray(found)


# --- signatures ---------------------------------------------------------------------------------


def signatures_of(hierarchy: Hierarchy) -> np.ndarray:
    """Return `Hierarchy.signatures` as an array (uint64); the hierarchy keeps them."""
    if "signatures" not in vars(hierarchy):
        found = array("Q")
        found.frombytes(_static_signatures(arrays_of(hierarchy)).tobytes())
        vars(hierarchy)["signatures"] = found
    return np.asarray(memoryview(hierarchy.signatures).toreadonly()).view(np.uint64)


def _static_signatures(arrays: HierarchyArrays) -> np.ndarray:
    """signature.static_signatures over arrays."""
    sizes = np.diff(arrays.child_ptr).astype(np.uint64)
    colour = _mixed(arrays.level.astype(np.uint64) * np.uint64(1 << 32) + sizes)
    many, before = _colours_of(colour), 0
    for _ in range(ROUNDS):
        if not before < many < len(colour):
            break
        above = _summed(arrays.parent_ptr, _mixed(colour ^ np.uint64(DOWNWARD))[arrays.parent_idx])
        below = _summed(arrays.child_ptr, _mixed(colour ^ np.uint64(UPWARD))[arrays.child_idx])
        colour = _mixed(colour + above * np.uint64(3) + below)
        many, before = _colours_of(colour), many
    return colour


def _mixed(x: np.ndarray) -> np.ndarray:
    """signature.mix of every number."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: np.ndarray = x ^ (x >> np.uint64(31))
    return result


def _summed(ptr: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The sum of each row, modulo 2**64."""
    until = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(values, out=until[1:])
    sums: np.ndarray = until[ptr[1:]] - until[ptr[:-1]]
    return sums


def _colours_of(colour: np.ndarray) -> int:
    ordered = np.sort(colour)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))
