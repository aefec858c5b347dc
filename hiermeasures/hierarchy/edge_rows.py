"""The edges of a hierarchy as rows of numbers.

This module merges repeated edges, finds cycles, computes levels and compresses rows. It works with
numbers and uses labels only in error messages. Rows are arrays of the standard library. The engine
makes NumPy arrays from them without a copy (hiermeasures.evaluation.hierarchy_arrays).
"""

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, count, pairwise, repeat
from operator import eq
from typing import TYPE_CHECKING, Literal

from hiermeasures.hierarchy.columns import Column, Lists, operations_on
from hiermeasures.hierarchy.errors import InputError, check_known, shown, unknown

if TYPE_CHECKING:
    Integers = array[int]
    Floats = array[float]
else:  # that cannot be written in Python 3.11
    Integers = Floats = array


@dataclass(frozen=True)
class EdgeRows:
    """The edges of a hierarchy as compressed rows (CSR) over topological node numbers.

    Rows never change. Numbers have 32 bits, and weights are floats.

    Attributes
    ----------
    parent_ptr, parent_idx : array of int
        The parents of node i are `parent_idx[parent_ptr[i]:parent_ptr[i + 1]]`.
    parent_weight : array of float
        The weight of each edge, in the order of `parent_idx`.
    child_ptr, child_idx : array of int
        The children of node i are `child_idx[child_ptr[i]:child_ptr[i + 1]]`.
    level : array of int
        The length of the longest path from the root to each node, in edges.
    """

    parent_ptr: Integers
    parent_idx: Integers
    parent_weight: Floats
    child_ptr: Integers
    child_idx: Integers
    level: Integers

    def parents(self, i: int) -> Integers:
        """Return the numbers of the parents of a node."""
        return self.parent_idx[self.parent_ptr[i] : self.parent_ptr[i + 1]]

    def children(self, i: int) -> Integers:
        """Return the numbers of the children of a node."""
        return self.child_idx[self.child_ptr[i] : self.child_ptr[i + 1]]

    def weighted_parents(self, i: int) -> Iterable[tuple[int, float]]:
        """Return the parents of a node with the weights of the edges to them."""
        row = slice(self.parent_ptr[i], self.parent_ptr[i + 1])
        return zip(self.parent_idx[row], self.parent_weight[row], strict=True)

    @property
    def child_of_edge(self) -> list[int]:
        """The child of each edge, in the order of `parent_idx`."""
        sizes = (end - start for start, end in pairwise(self.parent_ptr))
        return list(chain.from_iterable(map(repeat, range(len(self.level)), sizes)))


def numbered(
    parents: Sequence[str], children: Sequence[str], others: Iterable[str]
) -> tuple[list[str], list[int], list[int]]:
    """Number the labels in their order of first mention.

    Returns
    -------
    tuple of list
        All labels, and the numbers of the parents and of the children of the edges.
    """
    place: defaultdict[str, int] = defaultdict(count().__next__)
    mentioned = chain(chain.from_iterable(zip(parents, children, strict=True)), others)
    numbers = list(map(place.__getitem__, mentioned))
    edges = 2 * len(parents)
    return list(place), numbers[:edges:2], numbers[1:edges:2]


def without_duplicates(
    labels: Sequence[str], parent: Column, child: Column, weight: Column
) -> tuple[Column, Column, Column]:
    """Return each edge once, in the order of first mention.

    Raises
    ------
    InputError
        If an edge has two different weights.
    """
    of = operations_on(child)
    if of.distinct_pairs(len(labels), parent, child) == len(child):
        return parent, child, weight
    kept: dict[tuple[int, int], float] = {}
    for above, below, w in zip(*map(of.as_list, (parent, child, weight)), strict=True):
        if kept.setdefault((above, below), w) != w:
            raise InputError(
                f"the edge from {shown(labels[above])} to {shown(labels[below])} has two "
                "different weights. Keep one of them"
            )
    return (
        of.column([above for above, _ in kept]),
        of.column([below for _, below in kept]),
        of.column(list(kept.values())),
    )


_LEVELS_OF_ARRAYS = 1000  # a deeper hierarchy has few classes on most levels, so lists are faster


def levels(labels: Sequence[str], parent: Column, child: Column) -> Column:
    """Return the length of the longest path from the top to each class. Refuse a cycle."""
    n, of = len(labels), operations_on(child)
    parent, child = of.column(parent), of.column(child)
    ptr, below = of.ends(of.sizes(n, parent)), of.take(child, of.order(parent))
    open_parents, level, depth = of.sizes(n, child), of.column([-1] * n), 0
    front = of.zeros(open_parents)
    while len(front):
        of.fill(level, front, depth)
        depth += 1
        if depth == _LEVELS_OF_ARRAYS:
            columns = ptr, below, open_parents, level, front
            ptr, below, open_parents, level, front = map(of.as_list, columns)
            of = Lists
        front = of.count_down(open_parents, of.rows(ptr, below, front))
    if -1 in level:
        raise InputError(
            f"the hierarchy has a cycle: {_cycle(labels, parent, child, level)}. Remove one of its "
            "edges"
        )
    return level


def _cycle(labels: Sequence[str], parent: Column, child: Column, level: Column) -> str:
    """Describe one cycle. Each class without a level has a parent without a level, so a walk up
    from any of them ends in a cycle.
    """
    above = {c: p for p, c in zip(parent, child, strict=True) if level[p] == level[c] == -1}
    way = [list(level).index(-1)]
    place = {way[0]: 0}
    while above[way[-1]] not in place:
        place[above[way[-1]]] = len(way)
        way.append(above[way[-1]])
    names = [shown(labels[i]) for i in reversed(way[place[above[way[-1]]] :])]
    shortened = (
        names if len(names) <= 12 else [*names[:10], f"… {len(names) - 11} more …", names[-1]]
    )
    return " > ".join([*shortened, names[0]])


def checked_weight(weight: object, parent: object, child: object) -> float:
    """Return the weight of an edge as a positive number, or raise InputError."""
    try:
        value = float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise InputError(
            f"the weight from {shown(str(parent))} to {shown(str(child))} is "
            f"{shown(str(weight))[1:-1]}. An edge weight must be a positive number"
        )
    return value


WIDEST_RATIO = 1e6


def check_ratio(weights: Sequence[float], edge: Callable[[int], tuple[str, str]]) -> None:
    """Refuse weights that differ so much that a sum along a path loses the smaller one.

    `same_cost` compares the sums.
    """
    if len(weights) == 0:
        return
    low, high = weights.index(min(weights)), weights.index(max(weights))
    if weights[high] > WIDEST_RATIO * weights[low]:
        light, heavy = (" to ".join(shown(label) for label in edge(k)) for k in (low, high))
        raise InputError(
            f"the weights from {light} ({weights[low]:g}) and from {heavy} ({weights[high]:g}) "
            f"differ by more than a "
            f"factor of {WIDEST_RATIO:,.0f}. Sums would lose the smaller one. Choose closer weights"
        )


SEPARATORS = (" > ", ">", "->", "::", "/", "\\", "|", ";", ".")
_LOOKED_AT = 2000  # names


def names_like_paths(
    labels: Sequence[str], parent: list[int], child: list[int], level: list[int]
) -> list[str]:
    """Return a warning if most names of a flat hierarchy look like paths that were not split.

    `level` reaches 2 at most. The list is empty if the names do not look like paths. In a list of
    two columns, a third of the names is enough, because the others may be numbers.
    """
    above, inner = dict(zip(child, parent, strict=True)), set(parent)
    leaves = [k for k, depth in enumerate(level) if depth and k not in inner]
    sample = leaves[:: max(1, len(leaves) // _LOOKED_AT)]
    row = {k: above[k] if level[k] > 1 else k for k in sample}
    for separator in SEPARATORS:
        paths = [
            k
            for k in sample
            if len(parts := labels[k].split(separator)) > 1
            and all(map(str.strip, parts))
            and not (separator == "." and " " in labels[k])
            and "://" not in labels[k]
            and not labels[k].startswith(labels[above[k]])
        ]
        most = 2 * len({row[k] for k in paths}) >= len(set(row.values())) and 3 * len(paths) >= len(
            sample
        )
        if most and len(paths) > 1:
            return [
                f"names such as {shown(labels[paths[0]])} look like paths with the separator "
                f"{shown(separator)}, but each was read as one class. Write every class of a path, "
                "and the edges between them"
            ]
    return []


def compressed(
    n: int, parent: Column, child: Column, weight: Column, level: Iterable[int]
) -> EdgeRows:
    """Compress the edges between n classes into rows. Edges keep their order in each row."""
    of = operations_on(child)
    parent, child, weight = map(of.column, (parent, child, weight))
    upward, downward = of.order(child), of.order(parent)
    return EdgeRows(
        parent_ptr=of.packed("i", of.ends(of.sizes(n, child))),
        parent_idx=of.packed("i", of.take(parent, upward)),
        parent_weight=of.packed("d", of.take(weight, upward)),
        child_ptr=of.packed("i", of.ends(of.sizes(n, parent))),
        child_idx=of.packed("i", of.take(child, downward)),
        level=of.packed("i", level),
    )


Errors = Literal["raise", "drop"]
ERRORS = {"raise": "a faulty row is refused", "drop": "faulty rows are left out and listed"}
_MOST_COMPARED = 1_000_000  # pairs of an unknown parent and a class, to suggest a similar name


def checked_errors(errors: str) -> bool:
    """Return True for "drop" and False for "raise", or raise InputError."""
    check_known("way to take faulty rows", errors, ERRORS)
    return errors == "drop"


def faults_of(
    parents: Sequence[str],
    children: Sequence[str],
    classes: Collection[str] | None = None,
    *,
    drop: bool = False,
) -> dict[int, str]:
    """Find the edges that cannot be used.

    An edge is faulty if it leads from a class to itself, or if `classes` does not contain its
    parent. With `drop`, repeated edges and all edges of cycles are also faulty.

    Returns
    -------
    dict of int to str
        The reason for each faulty edge, by its position from 0.

    Examples
    --------
    >>> faults_of(["A", "B", "L928"], ["B", "B", "X"], ["A", "B", "X", "L92.8"])
    {1: "class 'B' is its own parent", 2: "class 'X' has the unknown parent 'L928' (did you mean 'L92.8'?)"}
    """
    found = {
        k: f"class {shown(parents[k])} is its own parent"
        for k in compress(count(), map(eq, parents, children))
    }
    if classes is not None:
        known, most = frozenset(classes), _MOST_COMPARED // max(len(classes), 1) + 1
        for number, k in enumerate(compress(count(), (parent not in known for parent in parents))):
            words = unknown("parent", parents[k], classes if number < most else ())
            found[k] = f"class {shown(children[k])} has the {words}"
    if drop:
        _add_repeated(found, parents, children)
        _add_cycles(found, parents, children)
    return dict(sorted(found.items()))


def _add_repeated(found: dict[int, str], parents: Sequence[str], children: Sequence[str]) -> None:
    seen: set[tuple[str, str]] = set()
    for k, edge in enumerate(zip(parents, children, strict=True)):
        if edge in seen and k not in found:
            found[k] = f"class {shown(edge[1])} is already below {shown(edge[0])} in an earlier row"
        seen.add(edge)


def _add_cycles(found: dict[int, str], parents: Sequence[str], children: Sequence[str]) -> None:
    """Add all edges of cycles, because the structure does not show which edge is wrong."""
    import networkx as nx

    left = {
        k: (p, c) for k, (p, c) in enumerate(zip(parents, children, strict=True)) if k not in found
    }
    part = {
        label: number
        for number, some in enumerate(nx.strongly_connected_components(nx.DiGraph(left.values())))
        for label in some
        if len(some) > 1
    }
    for k, (parent, child) in left.items():
        if parent in part and part[parent] == part.get(child):
            found[k] = f"class {shown(child)} below {shown(parent)} is part of a cycle"
