"""Problem 2 of Kosmopoulos et al. 2015 in numbers: which LCAs to take, and which cheapest path for
each connection.

Nodes are numbered topologically within the instance, and sets of nodes are bit masks. What the
numbers mean is the business of lca_structure; how a problem is solved, of lca_solvers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal


@dataclass(frozen=True)
class Ways:
    """All cheapest paths up from one node to another, as the graph they form; there may be
    exponentially many.

    `above` lists every node but the end, larger numbers first, with its parents on those paths.
    """

    start: int
    end: int
    above: tuple[tuple[int, tuple[int, ...]], ...]

    @cached_property
    def nodes(self) -> int:
        """The nodes on any of the paths."""
        return sum(1 << node for node, _ in self.above) | 1 << self.end

    @cached_property
    def _counts(self) -> tuple[int, int]:
        from_start = dict.fromkeys((node for node, _ in self.above), 0) | {self.end: 0}
        from_start[self.start] = 1
        for node, parents in self.above:
            for parent in parents:
                from_start[parent] += from_start[node]
        to_end = {self.end: 1}
        for node, parents in reversed(self.above):
            to_end[node] = sum(to_end[parent] for parent in parents)
        count = from_start[self.end]
        return count, sum(1 << node for node in to_end if from_start[node] * to_end[node] == count)

    @property
    def count(self) -> int:
        """The number of paths."""
        return self._counts[0]

    @property
    def forced(self) -> int:
        """The nodes on every path."""
        return self._counts[1]

    def listed(self) -> Iterator[tuple[int, ...]]:
        """The paths one at a time, each from the start up."""
        above = dict(self.above)
        pending: list[tuple[int, ...]] = [(self.start,)]
        while pending:
            way = pending.pop()
            if way[-1] == self.end:
                yield way
            else:
                pending.extend((*way, parent) for parent in reversed(above[way[-1]]))


@dataclass(frozen=True)
class Problem:
    """One instance. Where a field has two entries, the first is the true side's and the second the
    predicted side's.

    `own[side]` gives for each class the mask of its own LCAs; `nearest[side]` for each LCA the
    side's classes nearest below it; `counted` the nodes that scores count.
    """

    own: tuple[dict[int, int], dict[int, int]]
    nearest: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]
    ways: dict[tuple[int, int], Ways]
    counted: int

    @cached_property
    def classes(self) -> tuple[int, int]:
        """Each side's classes as a mask."""
        return sum(1 << c for c in self.own[0]), sum(1 << c for c in self.own[1])

    @cached_property
    def lcas(self) -> tuple[int, ...]:
        """Every LCA of any class."""
        return members(union(mask for side in self.own for mask in side.values()))

    @property
    def decided(self) -> bool:
        """True where there is one LCA for every class and one path for every connection."""
        if any(mask & mask - 1 for side in self.own for mask in side.values()):
            return False
        return all(len(c.ways) == 1 and c.ways[0].count == 1 for c in self.connections(self.lcas))

    def connected(self, lca: int) -> int:
        """The number of classes whose own LCA it is; one on both sides counts twice."""
        return sum(mask >> lca & 1 for side in self.own for mask in side.values())

    def satisfied(self, chosen: int) -> bool:
        """True where every class has one of its own LCAs among the chosen (constraints i, ii)."""
        return all(mask & chosen for side in self.own for mask in side.values())

    def connections(self, chosen: Iterable[int]) -> "list[Connection]":
        """The connections of the chosen LCAs, in the order of the LCAs and the class numbers."""
        found = []
        for lca in chosen:
            owners = sorted((c, side) for side in (0, 1) for c, mask in self.own[side].items() if mask >> lca & 1)
            found += [Connection(side, lca, (self.ways[c, lca],), True) for c, side in owners]
            for side in {0, 1} - {side for _, side in owners}:
                found.append(Connection(side, lca, tuple(self.ways[c, lca] for c in self.nearest[side][lca]), False))
        return found


@dataclass(frozen=True)
class Connection:
    """A chosen LCA, a side, and the paths from its classes, of which it is the `own` LCA or not."""

    side: int
    lca: int
    ways: tuple[Ways, ...]
    own: bool

    @cached_property
    def nodes(self) -> int:
        return union(ways.nodes for ways in self.ways)

    @cached_property
    def forced(self) -> int:
        common = -1
        for ways in self.ways:
            common &= ways.forced
        return common


@dataclass(frozen=True)
class ChosenWay:
    """The path taken for a connection; its nodes as a mask, and in order with the class first."""

    connection: Connection
    nodes: int

    @property
    def path(self) -> tuple[int, ...]:
        return tuple(reversed(members(self.nodes)))


@dataclass(frozen=True)
class Event:
    """One step of the choice of LCAs: an LCA is chosen, or a pass over the chosen ones keeps or
    removes it.
    """

    phase: Literal["selection", "top-down", "bottom-up"]
    action: Literal["choose", "keep", "remove"]
    lca: int
    chosen: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """The chosen LCAs and paths, how they were found, and what is known of them.

    `fewest`: no smaller set of LCAs will do. `optimal`: nor does any other choice do better.
    `compared` is the number of smallest sets of LCAs that were looked at, `work` the steps of the
    exact search.
    """

    lcas: tuple[int, ...]
    ways: tuple[ChosenWay, ...]
    solver: Literal["exact", "greedy"]
    events: tuple[Event, ...] = ()
    optimal: bool = False
    fewest: bool = False
    compared: int = 1
    work: int = 0


def members(mask: int) -> tuple[int, ...]:
    """The numbers in a mask, ascending.

    >>> members(0b10110)
    (1, 2, 4)
    """
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)


def union(masks: Iterable[int]) -> int:
    together = 0
    for mask in masks:
        together |= mask
    return together


def mask_of(numbers: Iterable[int]) -> int:
    return union(1 << n for n in numbers)
