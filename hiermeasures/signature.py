"""What structure says about classes: numbers that are equal for classes in equal places of a hierarchy, whatever they
are called and in whatever order the edges came. Definitions that leave a choice break their ties by them.

It is colour refinement (Weisfeiler and Leman) with hashes of 64 bits for colours. In a tree it tells any two classes
apart that no renaming exchanges; in a DAG it may rarely fail to.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.hierarchy_arrays import HierarchyArrays

ROUNDS = 16  # how far around a class its signature in the whole hierarchy looks
SWEEPS = 2  # down and up through the ancestors of an instance's classes
UPWARD, DOWNWARD = 0xA24BAED4963EE407, 0x9FB21C651E98DF25  # set what is above a class apart from what is below it
TRUE, PREDICTED, ON_TRUE, ON_PREDICTED = 1, 2, 0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F  # marks of classes and paths
FROM_TRUE = 1_000_003  # numbers of true paths, apart from those of predicted ones
WEIGHT_SHIFT = 28  # weights have 36 bits, so that sums along paths stay whole numbers of 64

_ALL = (1 << 64) - 1


def mix(x: int) -> int:
    """A number of 64 bits that looks like chance (splitmix64)."""
    x = (x + 0x9E3779B97F4A7C15) & _ALL
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _ALL
    return x ^ (x >> 31)


def static_signatures(arrays: HierarchyArrays) -> np.ndarray:
    """For every class a number (uint64) of what the hierarchy looks like around it, up to ROUNDS edges away."""
    sizes = np.diff(arrays.child_ptr).astype(np.uint64)
    colour = mixed(arrays.level.astype(np.uint64) * np.uint64(1 << 32) + sizes)
    for _ in range(min(ROUNDS, 2 * int(arrays.level.max(initial=0)) + 2)):
        above = _summed(arrays.parent_ptr, mixed(colour ^ np.uint64(DOWNWARD))[arrays.parent_idx])
        below = _summed(arrays.child_ptr, mixed(colour ^ np.uint64(UPWARD))[arrays.child_idx])
        colour = mixed(colour + above * np.uint64(3) + below)
    colour.flags.writeable = False
    return colour


def mixed(x: np.ndarray) -> np.ndarray:
    """`mix` of every number of an array."""
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


class Signatures:
    """Weights for the classes at and above the labels of an instance, for ties to be broken by.

    `marks` say what a choice so far has made of a class. Weights are whole numbers of 36 bits; classes with equal marks
    in equal places have equal ones.
    """

    def __init__(self, h: Hierarchy, true: Iterable[str], predicted: Iterable[str]) -> None:
        self.h = h
        self._labels = {h.index(c): TRUE for c in true}
        for c in predicted:
            self._labels[h.index(c)] = self._labels.get(h.index(c), 0) + PREDICTED
        self._nodes = sorted({h.index(a) for i in self._labels for a in h.up(h.nodes[i])} | {0})
        ptr, idx, static = h.arrays.parent_ptr, h.arrays.parent_idx, h.signatures
        self._parents = {i: idx[ptr[i] : ptr[i + 1]].tolist() for i in self._nodes}
        self._static = {i: int(static[i]) for i in self._nodes}

    def weights(self, marks: Mapping[str, int]) -> dict[str, int]:
        """The weight of every class; `marks` are added to what labels are marked with."""
        marked = dict(self._labels)
        for label, mark in marks.items():
            i = self.h.index(label)
            marked[i] = marked.get(i, 0) + mark
        colour = {i: mix(self._static[i] + mix(marked.get(i, 0) & _ALL) & _ALL) for i in self._nodes}
        for _ in range(SWEEPS):
            below = dict.fromkeys(self._nodes, 0)
            for i in reversed(self._nodes):
                colour[i] = mix(colour[i] + below[i] & _ALL)
                for p in self._parents[i]:
                    below[p] += mix(colour[i] ^ UPWARD)
            for i in self._nodes:
                above = sum(mix(colour[p] ^ DOWNWARD) for p in self._parents[i])
                colour[i] = mix(colour[i] + above & _ALL)
        return {self.h.nodes[i]: c >> WEIGHT_SHIFT for i, c in colour.items()}
