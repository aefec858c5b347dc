"""The structure behind the LCA measures: best matches, LCA sets, extended graphs (Kosmopoulos et
al. 2015, Definitions 1–5), and the minimal graphs, as values that can be drawn and walked through;
and Problem 2 in numbers: which LCAs to take, and which cheapest path for each connection.

In the problem nodes are numbered topologically within the instance, and sets of nodes are bit
masks. lca_solvers solves it; lca makes both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from hiermeasures.measures.catalogue import Path, SideName
from hiermeasures.measures.sets import SetOverlap

PATHS_LISTED = 20

Edge = tuple[str, str]


@dataclass(frozen=True)
class Meeting:
    """A best match of a class, and LCA(n, s) for the two."""

    partner: str
    lcas: frozenset[str]


@dataclass(frozen=True)
class BestMatch:
    """A class against the other side: the least distance, S_best and LCA(n, S) (Definition 3)."""

    label: str
    side: SideName
    distance: float
    meetings: tuple[Meeting, ...]
    lcas: frozenset[str]

    @property
    def best(self) -> frozenset[str]:
        """S_best: the classes of the other side at that distance."""
        return frozenset(m.partner for m in self.meetings)


@dataclass(frozen=True)
class LCAWays:
    """All cheapest paths from a class up to an LCA, as the graph they form.

    `count` is how many there are; `paths` lists the first PATHS_LISTED of them, the class first.
    `edges` are (parent, child).
    """

    label: str
    lca: str
    cost: float
    nodes: frozenset[str]
    edges: tuple[Edge, ...]
    count: int
    paths: tuple[Path, ...]

    @property
    def cut(self) -> bool:
        """True where `paths` leaves some out."""
        return self.count > len(self.paths)


@dataclass(frozen=True)
class LCAGraph:
    """The graph of one side: its classes and their paths to LCAs. Edges are (parent, child)."""

    classes: frozenset[str]
    nodes: frozenset[str]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class GraphPair:
    """The graphs of both sides, and their counted nodes as the sets that scores compare."""

    true: LCAGraph
    predicted: LCAGraph
    overlap: SetOverlap


@dataclass(frozen=True)
class RankedLCA:
    """An LCA with the classes whose own it is; Algorithm 1 takes that of most classes first."""

    label: str
    true: frozenset[str]
    predicted: frozenset[str]
    chosen: bool

    @property
    def connects(self) -> int:
        """The number of these classes; one that is true and predicted counts twice."""
        return len(self.true) + len(self.predicted)


@dataclass(frozen=True)
class ChosenPath:
    """The path chosen for one connection, the class first.

    `own`: the LCA is one of the class's own; else it is one of the other side's, and this is the
    path that ties it to this side. `alternatives` is how many paths there were to choose from.
    """

    side: SideName
    path: Path
    own: bool
    alternatives: int

    @property
    def label(self) -> str:
        return self.path[0]

    @property
    def lca(self) -> str:
        return self.path[-1]


@dataclass(frozen=True)
class SearchStep:
    """One step of the selection with the state after it, to be shown forwards and backwards.

    `phase` is "selection", "top-down" or "bottom-up" (Algorithm 1), or "paths" (Algorithm 2);
    `action` is "choose", "keep" or "remove" an LCA, or "connect" by a path. `open_true` and
    `open_predicted` have no LCA of their own among the chosen yet. `true_nodes` and
    `predicted_nodes` are the graphs so far.
    """

    phase: Literal["selection", "top-down", "bottom-up", "paths"]
    action: Literal["choose", "keep", "remove", "connect"]
    lca: str
    path: ChosenPath | None
    sentence: str
    chosen: tuple[str, ...]
    open_true: frozenset[str]
    open_predicted: frozenset[str]
    true_nodes: frozenset[str]
    predicted_nodes: frozenset[str]


@dataclass(frozen=True)
class MinimalGraphs(GraphPair):
    """The minimal graphs (Problem 2): what was chosen, what fell away, what is known of the choice.

    `lcas` are the chosen LCAs, `paths` the chosen path of every connection. `solver` is the one
    that found them; `fewest` says that no smaller set of LCAs would do, `optimal` that moreover no
    choice has a higher F_LCA. `compared` is the number of smallest sets of LCAs that the exact
    search found, `work` the steps it took. `redundant_…` are the LCAs, and the nodes of each
    extended graph, that are left out.
    """

    lcas: tuple[str, ...]
    paths: tuple[ChosenPath, ...]
    solver: Literal["exact", "greedy"]
    optimal: bool
    fewest: bool
    compared: int
    work: int
    redundant_lcas: frozenset[str]
    redundant_true: frozenset[str]
    redundant_predicted: frozenset[str]
    steps: tuple[SearchStep, ...]


@dataclass(frozen=True)
class LCAGraphs:
    """Everything that the LCA measures read.

    `true` and `predicted` are the classes that take part; `dropped_…` those left out because a
    descendant is in their own set. `true_matches` and `predicted_matches` have one entry per class,
    `lca_true` is LCA_all(Y, Ŷ) and `lca_predicted` LCA_all(Ŷ, Y) (Definition 4). `ways` holds every
    connection of the extended graphs (Definition 5) once. With an empty side there are no matches,
    and the graphs are the classes alone.
    """

    true: frozenset[str]
    predicted: frozenset[str]
    dropped_true: frozenset[str]
    dropped_predicted: frozenset[str]
    true_matches: tuple[BestMatch, ...]
    predicted_matches: tuple[BestMatch, ...]
    lca_true: frozenset[str]
    lca_predicted: frozenset[str]
    ways: tuple[LCAWays, ...]
    ranking: tuple[RankedLCA, ...]
    extended: GraphPair
    minimal: MinimalGraphs

    def match(self, label: str, side: SideName) -> BestMatch:
        """The best match of a class of a side; KeyError where it has none."""
        for match in self.true_matches if side == "true" else self.predicted_matches:
            if match.label == label:
                return match
        raise KeyError(label)

    def ways_to(self, label: str, lca: str) -> LCAWays:
        """The cheapest paths from a class to an LCA; KeyError if no extended graph has them."""
        for ways in self.ways:
            if (ways.label, ways.lca) == (label, lca):
                return ways
        raise KeyError((label, lca))

    def paths_between(self, label: str, partner: str) -> tuple[Path, ...]:
        """paths_min(n, s) of a class and a best match, through every LCA, as `ways` lists them."""
        lcas = {
            a
            for match in (*self.true_matches, *self.predicted_matches)
            if match.label == label
            for meeting in match.meetings
            if meeting.partner == partner
            for a in meeting.lcas
        }
        return tuple(
            up + down[-2::-1]
            for lca in sorted(lcas)
            for up in self.ways_to(label, lca).paths
            for down in self.ways_to(partner, lca).paths
        )


@dataclass(frozen=True)
class Ways:
    """All cheapest paths up from a node to another, as a graph: there may be exponentially many.

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
    """One instance. Of two entries in a field the first is the true side's.

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
    """One step of the choice of LCAs: one is chosen, or a pass over them keeps or removes it."""

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
