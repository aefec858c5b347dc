"""The edges of a hierarchy as arrays: repeated edges merged, cycles found, levels counted, rows compressed.

Only numbers and the labels for error messages are known here; what is asked of a hierarchy is answered in hierarchy.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from hiermeasures.errors import InputError, shown

_NARROW = 32  # levels of fewer classes are walked class by class


@dataclass(frozen=True)
class HierarchyArrays:
    """The edges as compressed rows over topological node numbers (int32; weights float64).

    The parents of node i are `parent_idx[parent_ptr[i]:parent_ptr[i + 1]]`, with the weights of those edges at the same
    places of `parent_weight`; children likewise. `level[i]` is the longest way from the root, in edges.
    """

    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    parent_weight: np.ndarray
    child_ptr: np.ndarray
    child_idx: np.ndarray
    level: np.ndarray


def numbered(
    parents: Sequence[str], children: Sequence[str], others: Iterable[str]
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """All labels, in the order of first mention in the edges and then elsewhere, and the edges by places in them."""
    mentioned = chain(chain.from_iterable(zip(parents, children, strict=True)), others)
    labels = list(dict.fromkeys(mentioned))
    index = dict(zip(labels, range(len(labels)), strict=True))
    parent, child = (
        np.fromiter(map(index.__getitem__, column), np.int64, len(column)) for column in (parents, children)
    )
    return labels, parent, child


def without_duplicates(
    labels: list[str], parent: np.ndarray, child: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Each edge once, in the order of first mention, and how many were dropped. Two weights for one edge contradict."""
    code = parent * len(labels) + child
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    conflict = np.flatnonzero(weight != weight[first[which]])
    if len(conflict):
        k = conflict[0]
        raise InputError(
            f"the edge from {shown(labels[parent[k]])} to {shown(labels[child[k]])} is given twice, "
            "with different weights"
        )
    unique = np.sort(first)
    return parent[unique], child[unique], weight[unique], len(code) - len(unique)


def levels(labels: list[str], parent: np.ndarray, child: np.ndarray) -> np.ndarray:
    """The longest way from a top to each class, by peeling off classes whose parents are all done; a cycle never is."""
    n = len(labels)
    ptr, idx, _ = compressed_rows(n, parent, child)
    open_parents = np.bincount(child, minlength=n)
    level = np.full(n, -1, np.int64)
    front = np.flatnonzero(open_parents == 0)
    current = 0
    while len(front):
        if len(front) < _NARROW:  # NumPy's calls cost more than the few classes of a level, and a chain has a million
            current, narrow = _peel_narrow(ptr, idx, open_parents, level, front.tolist(), current)
            front = np.array(narrow, np.int64)
            continue
        level[front] = current
        reached, times = np.unique(_gather(ptr, idx, front), return_counts=True)
        open_parents[reached] -= times
        front = reached[open_parents[reached] == 0]
        current += 1
    if (level < 0).any():
        raise InputError("the hierarchy has a cycle: " + _cycle(labels, parent, child, level < 0))
    return level


def _peel_narrow(
    ptr: np.ndarray, idx: np.ndarray, open_parents: np.ndarray, level: np.ndarray, front: list[int], current: int
) -> tuple[int, list[int]]:
    """Peels off level by level, class by class, as long as levels are narrow; the next level and its classes."""
    starts, children, waiting, levels = ptr.data, idx.data, open_parents.data, level.data
    while front and len(front) < _NARROW:
        below = []
        for i in front:
            levels[i] = current
            for k in range(starts[i], starts[i + 1]):
                child = children[k]
                waiting[child] -= 1
                if waiting[child] == 0:
                    below.append(child)
        front = below
        current += 1
    return current, front


def _cycle(labels: list[str], parent: np.ndarray, child: np.ndarray, stuck: np.ndarray) -> str:
    """One cycle in words. Every class that could not be peeled off has such a parent, so going up must come round."""
    inside = stuck[parent] & stuck[child]
    above = dict(zip(child[inside].tolist(), parent[inside].tolist(), strict=True))
    way = [int(np.flatnonzero(stuck)[0])]
    place = {way[0]: 0}
    while above[way[-1]] not in place:
        place[above[way[-1]]] = len(way)
        way.append(above[way[-1]])
    names = [shown(labels[i]) for i in reversed(way[place[above[way[-1]]] :])]
    shortened = names if len(names) <= 12 else [*names[:10], f"… {len(names) - 11} more …", names[-1]]
    return " > ".join([*shortened, names[0]])


def compressed_rows(n: int, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compressed rows: the values of each key in a run, with the order that put them there."""
    order = np.argsort(key, kind="stable")
    ptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=n), out=ptr[1:])
    return ptr, value[order], order


def _gather(ptr: np.ndarray, idx: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """All values of several rows, one after another."""
    sizes = ptr[keys + 1] - ptr[keys]
    starts = np.repeat(ptr[keys] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    values: np.ndarray = idx[starts + np.arange(sizes.sum())]
    return values


def compressed(n: int, parent: np.ndarray, child: np.ndarray, weight: np.ndarray, level: np.ndarray) -> HierarchyArrays:
    parent_ptr, parent_idx, order = compressed_rows(n, child, parent)
    child_ptr, child_idx, _ = compressed_rows(n, parent, child)
    return HierarchyArrays(
        parent_ptr.astype(np.int32),
        parent_idx.astype(np.int32),
        weight[order].astype(np.float64),
        child_ptr.astype(np.int32),
        child_idx.astype(np.int32),
        level.astype(np.int32),
    )
