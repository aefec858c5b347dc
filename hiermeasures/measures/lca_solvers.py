"""The search for minimal LCA graphs (Problem 2 of Kosmopoulos et al. 2015).

It chooses LCAs, and one cheapest path for each connection. docs/lca-solvers.md explains the search
and the choice among equal results. Nodes have topological numbers within the instance, and sets of
nodes are bit masks. Module lca makes the problem, and builds structures from its solution. This
module has two solvers: `exact` (branch and bound with a limit on steps) and `greedy` (Algorithms 1
and 2). `solve` chooses between them.

The greedy choice: LCAs are ranked by the number of classes that have them as their own. Ties go to
the smaller number. LCAs are taken in that order until every class has one. Two passes, from the top
and from the bottom, then drop every LCA that is not needed. Then every connection gets a path, in
the order of the chosen LCAs and of the class numbers. It takes the path with most nodes in either
graph so far. The graphs start with the classes, and with the nodes on every path of a connection.
Ties go to the path with the fewest nodes that are new to its own graph, then to the smaller set.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Literal, NamedTuple

from hiermeasures.hierarchy.refinement import mix, refine, tell_apart

AUTO_WORK = 20_000
EXACT_WORK = 4_000_000
PAGE_WORK = 200_000  # exact search in a page or a lesson: about a second
DEEPEST = 200  # recursion limit; the bound on work always stops a search earlier
Solver = Literal["auto", "exact", "greedy"]


def members(mask: int) -> tuple[int, ...]:
    """Return the numbers in a mask in ascending order.

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
    """Return the union of masks."""
    together = 0
    for mask in masks:
        together |= mask
    return together


@dataclass(frozen=True)
class CheapestPaths:
    """All cheapest paths from one node up to another, as a graph.

    The number of paths can be exponential. `above` has every node except the last with its parents
    on these paths, larger numbers first.
    """

    start: int
    end: int
    above: tuple[tuple[int, tuple[int, ...]], ...]

    @cached_property
    def nodes(self) -> int:
        """The mask of all nodes."""
        return sum(1 << node for node, _ in self.above) | 1 << self.end

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """The edges (parent, child) on the paths."""
        return [(parent, node) for node, parents in self.above for parent in parents]

    @cached_property
    def _counts(self) -> tuple[int, int]:
        from_start = dict.fromkeys((node for node, _ in self.above), 0) | {self.end: 0}
        from_start[self.start] = 1
        for parent, node in self.edges:
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
        """The mask of the nodes on every path."""
        return self._counts[1]

    def listed(self) -> Iterator[tuple[int, ...]]:
        """Yield the paths one at a time, each from the start up."""
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
    """The problem of one instance. In a field with two entries, the first is the true side.

    `own[side]` has the mask of the own LCAs of each class. `nearest[side]` has the side's nearest
    classes below each LCA. `ways` has the cheapest paths of each connection. `counted` is the mask
    of the nodes that count for the measures.
    """

    own: tuple[dict[int, int], dict[int, int]]
    nearest: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]
    ways: dict[tuple[int, int], CheapestPaths]
    counted: int

    @cached_property
    def classes(self) -> tuple[int, int]:
        """The masks of the true and of the predicted classes."""
        return sum(1 << c for c in self.own[0]), sum(1 << c for c in self.own[1])

    @cached_property
    def masks(self) -> list[int]:
        """The masks of the own LCAs of all classes, the true side first."""
        return [mask for side in self.own for mask in side.values()]

    @cached_property
    def lcas(self) -> tuple[int, ...]:
        """All LCAs in ascending order."""
        return members(union(self.masks))

    @cached_property
    def ranked(self) -> list[int]:
        """The LCAs in the order of Algorithm 1: most classes first, then by number."""
        return sorted(self.lcas, key=lambda a: (-sum(mask >> a & 1 for mask in self.masks), a))

    @property
    def decided(self) -> bool:
        """True if only one solution exists: one LCA per class and one path per connection."""
        if any(mask & mask - 1 for mask in self.masks):
            return False
        return all(len(c.ways) == 1 and c.ways[0].count == 1 for c in self.connections(self.lcas))

    def satisfied(self, chosen: Iterable[int]) -> bool:
        """Return true if every class has a chosen LCA of its own (constraints i and ii)."""
        together = union(1 << a for a in chosen)
        return all(mask & together for mask in self.masks)

    def connections(self, chosen: Iterable[int]) -> "list[Connection]":
        """Return the connections of the chosen LCAs, by LCA and then by class number."""
        found = []
        for lca in chosen:
            owners = sorted(
                (c, side)
                for side in (0, 1)
                for c, mask in self.own[side].items()
                if mask >> lca & 1
            )
            found += [Connection(side, lca, (self.ways[c, lca],), True) for c, side in owners]
            for side in {0, 1} - {side for _, side in owners}:
                found.append(
                    Connection(
                        side, lca, tuple(self.ways[c, lca] for c in self.nearest[side][lca]), False
                    )
                )
        return found


@dataclass(frozen=True)
class Connection:
    """A chosen LCA, a side, and the paths from its classes.

    `own` is true if the LCA is the classes' own.
    """

    side: int
    lca: int
    ways: tuple[CheapestPaths, ...]
    own: bool

    @cached_property
    def nodes(self) -> int:
        """The mask of all nodes on the paths."""
        return union(ways.nodes for ways in self.ways)

    @cached_property
    def forced(self) -> int:
        """The mask of the nodes on every path."""
        common = -1
        for ways in self.ways:
            common &= ways.forced
        return common


@dataclass(frozen=True)
class ChosenWay:
    """The chosen path of a connection. `nodes` is a mask, and `path` starts with the class."""

    connection: Connection
    nodes: int

    @property
    def path(self) -> tuple[int, ...]:
        """The nodes in order, the class first."""
        return members(self.nodes)[::-1]


@dataclass(frozen=True)
class SolverStep:
    """One step in the choice of LCAs: an LCA is chosen, or a pass keeps or removes it."""

    phase: Literal["selection", "top-down", "bottom-up"]
    action: Literal["choose", "keep", "remove"]
    lca: int
    chosen: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """The chosen LCAs and paths, and the solver that chose them.

    If `optimal` is true, no set of LCAs is smaller, and no other choice is better. `work` is the
    number of steps of the exact search.
    """

    lcas: tuple[int, ...]
    ways: tuple[ChosenWay, ...]
    solver: Literal["exact", "greedy"]
    events: tuple[SolverStep, ...] = ()
    optimal: bool = False
    work: int = 0


def any_order(problem: Problem, solver: Solver, exact_work: int | None = None) -> bool:
    """Return true if the numbering of the nodes does not change the values."""
    if problem.decided:
        return True
    return solver != "greedy" and most_work(problem) <= (
        (exact_work or EXACT_WORK) if solver == "exact" else AUTO_WORK
    )


def solve(problem: Problem, solver: Solver, exact_work: int | None = None) -> Solution:
    """Find the minimal graphs with the named solver.

    "exact" stops after `exact_work` steps (by default EXACT_WORK). "auto" tries `exact` with
    AUTO_WORK steps. If they are not enough, it uses `greedy`.
    """
    if problem.decided:
        found = greedy(problem) if problem.lcas else Solution((), (), "greedy")
        proven = replace(found, optimal=True)
        return proven if solver == "greedy" else replace(proven, solver="exact", events=())
    if solver == "greedy":
        return greedy(problem)
    if solver == "exact":
        return exact(problem, exact_work or EXACT_WORK)
    found = exact(problem, AUTO_WORK)
    return found if found.optimal else replace(greedy(problem), work=found.work)


MANY = 1_000_000_000  # replaces any larger number of paths
LABEL, PREDICTED = 1 << 30, 1 << 31  # marks of the true and predicted classes
OWN, NEAR = 1 << 32, 1 << 33  # kinds of paths


def most_work(problem: Problem) -> float:
    """Return an upper bound on the steps of an exact search, for any numbering of the nodes."""

    def compared(many: int) -> float:
        return many * (1 + many / 8)

    open_lcas = union(mask for mask in problem.masks if mask & mask - 1).bit_count()
    links = problem.connections(problem.lcas)
    paths = [min(MANY, sum(min(ways.count, MANY) for ways in link.ways)) for link in links]
    listing = sum(
        (len(ways.above) + 1) * compared(min(ways.count, MANY))
        for link in links
        for ways in link.ways
    )
    listing += sum(map(compared, paths))
    return 2.0 ** min(open_lcas, 64) * (
        open_lcas + 2 + len(links) + listing + 2 * prod(map(float, paths))
    )


def by_structure(problem: Problem, level: Sequence[int]) -> list[int]:
    """Return all nodes in an order that follows from the structure. `level` has one level per node.

    Parents come before their children. If you exchange the sides, the order changes only for nodes
    that differ in nothing but the side.
    """
    true, predicted = problem.own
    colour = [mix(one + LABEL * ((c in true) + (c in predicted))) for c, one in enumerate(level)]
    links = []
    for kind, ways in _kinds_of_ways(problem):
        way = len(colour)
        links += [(ways.start, way, way), (way, ways.end, way)]
        links += [(node, above, way) for above, node in ways.edges]
        colour.append(mix(kind))
    below, above, role = zip(*links, strict=True)
    many = refine(colour, (below, above, role))
    alike = colour.copy()
    if many < len(colour):
        for c in predicted:
            colour[c] ^= PREDICTED
        tell_apart(colour, (below, above, role))
    return sorted(range(len(level)), key=lambda c: (level[c], alike[c], colour[c]))


def _kinds_of_ways(problem: Problem) -> Iterator[tuple[int, CheapestPaths]]:
    """Yield the kind and the paths of every connection of the extended graphs."""
    for side in (0, 1):
        for c, own in problem.own[side].items():
            for lca in problem.lcas:
                kind = OWN * (own >> lca & 1) + NEAR * (c in problem.nearest[side].get(lca, ()))
                if kind:
                    yield kind, problem.ways[c, lca]


def greedy(problem: Problem) -> Solution:
    """Run the paper's approximation, with the tie rules above. Its error has no proven bound."""
    events = _best_lcas(problem)
    chosen = events[-1].chosen
    return Solution(chosen, best_ways(problem, chosen), "greedy", events)


def best_ways(problem: Problem, chosen: tuple[int, ...]) -> tuple[ChosenWay, ...]:
    """Run GetBestPaths of Algorithm 2.

    An LCA that is not a class's own also gets a path, because of constraint (v).
    """
    connections = problem.connections(chosen)
    graphs = list(problem.classes)
    for connection in connections:
        graphs[connection.side] |= connection.forced
    ways = []
    for connection in connections:
        ways.append(ChosenWay(connection, _best_way(connection, graphs)))
        graphs[connection.side] |= ways[-1].nodes
    return tuple(ways)


def _best_lcas(problem: Problem) -> tuple[SolverStep, ...]:
    """Run GetBestLCAs of Algorithm 1, step by step.

    After the top-down pass no LCA is redundant: an LCA that is needed among more LCAs is also
    needed among fewer. So the bottom-up pass never removes an LCA. We keep it because it is
    published.
    """
    events: list[SolverStep] = []
    chosen: tuple[int, ...] = ()
    for lca in problem.ranked:
        chosen = (*chosen, lca)
        events.append(SolverStep("selection", "choose", lca, chosen))
        if problem.satisfied(chosen):
            break
    passes: tuple[tuple[Literal["top-down", "bottom-up"], int], ...] = (
        ("top-down", 1),
        ("bottom-up", -1),
    )
    for phase, direction in passes:
        for lca in chosen[::direction]:
            spared = tuple(a for a in chosen if a != lca)
            removable = problem.satisfied(spared)
            chosen = spared if removable else chosen
            events.append(SolverStep(phase, "remove" if removable else "keep", lca, chosen))
    return tuple(events)


def _best_way(connection: Connection, graphs: Sequence[int]) -> int:
    """Run BestPath of Algorithm 2: most selected nodes, then fewest nodes new to its own graph.

    All three numbers of the comparison add up along a path. So the best path to a node extends the
    best path to a node below it.
    """
    selected, mine = graphs[0] | graphs[1], graphs[connection.side]

    def with_node(so_far: tuple[int, int, int], node: int) -> tuple[int, int, int]:
        common, known, negative = so_far
        return (
            common + (selected >> node & 1),
            known + (mine >> node & 1) - 1,
            negative - (1 << node),
        )

    best = []
    for ways in connection.ways:
        at = {ways.start: with_node((0, 0, 0), ways.start)}
        for parent, node in ways.edges:
            reached = with_node(at[node], parent)
            at[parent] = max(at.get(parent, reached), reached)
        best.append(at[ways.end])
    return -max(best)[2]


class _Exhausted(Exception):
    """Raised when the search has used all its steps."""


@dataclass
class _Budget:
    limit: int
    spent: int = 0

    def spend(self, steps: int = 1) -> None:
        self.spent += steps
        if self.spent > self.limit:
            raise _Exhausted


Graphs = tuple[int, int]  # the nodes of the true and of the predicted graph


def _added(graphs: Graphs, side: int, nodes: int) -> Graphs:
    true, predicted = graphs
    return (true, predicted | nodes) if side else (true | nodes, predicted)


class _Score(NamedTuple):
    """Counted nodes of two graphs. It compares solutions with the same number of LCAs."""

    shared: int
    true: int
    predicted: int

    @classmethod
    def of(cls, graphs: Graphs, counted: int) -> "_Score":
        true, predicted = graphs
        return cls(
            *((graph & counted).bit_count() for graph in (true & predicted, true, predicted))
        )

    @property
    def size(self) -> int:
        return self.true + self.predicted

    def beats(self, other: "_Score") -> bool:
        mine, theirs = self.shared * other.size, other.shared * self.size
        return mine > theirs or (mine == theirs and self._sizes < other._sizes)

    @property
    def _sizes(self) -> tuple[int, int, int]:
        return self.size, abs(self.true - self.predicted), self.predicted


@dataclass
class _Best:
    """The best solution so far, with its score."""

    solution: Solution
    score: _Score


def exact(problem: Problem, limit: int) -> Solution:
    """Search for the best solution: all smallest sets of LCAs, and all paths that may still win.

    The search starts from the greedy solution. If `limit` steps are not enough, it returns the best
    solution so far, with `optimal` false. If it found no smallest set, this is the greedy solution.
    """
    start, budget = greedy(problem), _Budget(limit)
    sets, size, complete = _smallest_sets(problem, budget, len(start.lcas))
    if not sets:
        return replace(start, work=budget.spent)
    if size < len(start.lcas):
        fewer = members(sets[0])
        start = Solution(fewer, best_ways(problem, fewer), "exact")
    graphs = problem.classes
    for way in start.ways:
        graphs = _added(graphs, way.connection.side, way.nodes)
    best = _Best(start, _Score.of(graphs, problem.counted))
    try:
        searches = [_WaySearch(problem, chosen, budget) for chosen in sets]
        for search in sorted(searches, key=lambda s: (-s.bound[0] / max(s.bound[1], 1), s.chosen)):
            search.run(best)
    except _Exhausted:
        complete = False
    return replace(best.solution, solver="exact", events=(), optimal=complete, work=budget.spent)


def _smallest_sets(problem: Problem, budget: _Budget, at_most: int) -> tuple[list[int], int, bool]:
    """Return all smallest sets of LCAs that contain an own LCA of each class (hitting sets).

    It also returns their size, and true if all were found. If the search stopped early, the size is
    the one that it reached.
    """
    kept: list[int] = []
    for mask in sorted(set(problem.masks), key=lambda mask: (mask.bit_count(), mask)):
        if not any(mask & small == small for small in kept):
            kept.append(mask)
    forced = union(m for m in kept if m.bit_count() == 1)
    fixed, unmet = forced.bit_count(), [m for m in kept if not m & forced]
    found: list[int] = []

    def extend(chosen: int, still_open: list[int], more: int) -> None:
        budget.spend()
        if not still_open:
            found.append(chosen)
            return
        if _packing(still_open) > more:
            return
        tried = 0
        for lca in members(min(still_open, key=int.bit_count)):
            bit = 1 << lca
            rest = [mask & ~tried for mask in still_open if not mask & bit]
            if all(rest):
                extend(chosen | bit, rest, more - 1)
            tried |= bit

    size = 0
    try:
        for more in range(_packing(unmet), at_most - fixed + 1):
            size = fixed + more
            if more > DEEPEST:
                raise _Exhausted
            extend(forced, unmet, more)
            if found:
                break
    except _Exhausted:
        return found, size, False
    return found, size, True


def _packing(masks: Iterable[int]) -> int:
    """Return a lower bound on the size of a hitting set.

    It is the number of disjoint masks that are found if the smallest masks are taken first.
    """
    used = count = 0
    for mask in sorted(masks, key=int.bit_count):
        if not mask & used:
            used |= mask
            count += 1
    return count


class _Option(NamedTuple):
    """A path of a connection: the nodes that others may share, the new nodes, and all nodes."""

    relevant: int
    new: int
    nodes: int


class _WaySearch:
    """The search for paths for one set of LCAs.

    A node on every path of a connection is always in the graph. Any other node matters only if
    another connection can also use it. If several paths agree in the nodes that matter, the
    smallest path is enough (`_undominated`).
    """

    def __init__(self, problem: Problem, chosen: int, budget: _Budget) -> None:
        self.counted, self.chosen, self.budget = problem.counted, chosen, budget
        self.connections = problem.connections(members(chosen))
        budget.spend(len(self.connections))
        self.base = problem.classes
        for link in self.connections:
            self.base = _added(self.base, link.side, link.forced)
        reach = self.base
        for link in self.connections:
            reach = _added(reach, link.side, link.nodes)
        self.bound = self._bound(self.base, reach, 0)

    def _bound(self, graphs: Graphs, reach: Graphs, unshared: int) -> tuple[int, int]:
        """Return an upper bound on the score of all graphs that grow from these: shared and size.

        A shared node adds (1, 1) if one graph has it already, and (1, 2) if neither has it. Neither
        lowers shared / size, because this ratio is at most one half.
        """
        (true, predicted), counted = graphs, self.counted
        half = (
            ((true & ~predicted & reach[1]) | (predicted & ~true & reach[0])) & counted
        ).bit_count()
        whole = (reach[0] & reach[1] & ~(true | predicted) & counted).bit_count()
        score = _Score.of(graphs, counted)
        return score.shared + half + whole, score.size + half + 2 * whole + unshared

    def run(self, best: _Best) -> None:
        if not _may_beat(self.bound, best.score):
            return
        options = self._options()
        fixed = {k: found[0] for k, found in enumerate(options) if len(found) == 1}
        free = sorted(
            (k for k in range(len(options)) if k not in fixed), key=lambda k: len(options[k])
        )
        if len(free) > DEEPEST:
            raise _Exhausted
        start = self.base
        for k, option in fixed.items():
            start = _added(start, self.connections[k].side, option.nodes)
        reaches = self._reach_after(free, options)

        def descend(depth: int, graphs: Graphs, taken: dict[int, _Option]) -> None:
            self.budget.spend()
            if depth == len(free):
                score = _Score.of(graphs, self.counted)
                if score.beats(best.score):
                    ways = tuple(
                        ChosenWay(link, taken[k].nodes) for k, link in enumerate(self.connections)
                    )
                    best.solution, best.score = Solution(members(self.chosen), ways, "exact"), score
                return
            reach, unshared = reaches[depth]
            if _may_beat(
                self._bound(graphs, (reach[0] | graphs[0], reach[1] | graphs[1]), unshared),
                best.score,
            ):
                k = free[depth]
                for option in options[k]:
                    descend(
                        depth + 1,
                        _added(graphs, self.connections[k].side, option.nodes),
                        {**taken, k: option},
                    )

        descend(0, start, fixed)

    def _reach_after(
        self, free: list[int], options: list[list[_Option]]
    ) -> list[tuple[Graphs, int]]:
        """Return for each depth the nodes that later connections may share.

        The second number of each entry is the fewest unshared nodes of these connections.
        """
        found: list[tuple[Graphs, int]] = [((0, 0), 0)]
        for k in reversed(free):
            graphs, unshared = found[-1]
            graphs = _added(graphs, self.connections[k].side, union(o.relevant for o in options[k]))
            found.append(
                (graphs, unshared + min((o.new & ~o.relevant).bit_count() for o in options[k]))
            )
        return found[::-1]

    def _options(self) -> list[list[_Option]]:
        once, again = [0, 0], [0, 0]
        for link in self.connections:
            again[link.side] |= once[link.side] & link.nodes
            once[link.side] |= link.nodes
        found = []
        for link in self.connections:
            base, other = self.base[link.side], 1 - link.side
            relevant = (again[link.side] | once[other] | self.base[other]) & ~base
            every = [
                option
                for ways in link.ways
                for option in self._undominated_ways(ways, base, relevant)
            ]
            found.append(self._undominated(every))
        return found

    def _undominated_ways(self, ways: CheapestPaths, base: int, relevant: int) -> list[_Option]:
        """Return the paths that no other path dominates.

        Paths are extended node by node, so most of them are never written out.
        """

        def grown(option: _Option, node: int) -> _Option:
            bit = 1 << node
            return _Option(
                option.relevant | bit & relevant, option.new | bit & ~base, option.nodes | bit
            )

        at = {ways.start: [grown(_Option(0, 0, 0), ways.start)]}
        for node, parents in ways.above:
            kept = self._undominated(at.pop(node))
            for parent in parents:
                at.setdefault(parent, []).extend(grown(option, parent) for option in kept)
        return self._undominated(at[ways.end])

    def _undominated(self, options: list[_Option]) -> list[_Option]:
        """Return the options that no smaller option dominates.

        An option dominates another one if it is smaller and contains all relevant nodes of the
        other. It then shares at least as many nodes, and it has at most as many. If two options have
        equal numbers of shared nodes and of all nodes, their graphs have equal sizes.
        """
        kept: list[_Option] = []
        for option in sorted(options, key=lambda o: (o.new.bit_count(), o.new, o.nodes)):
            # a comparison is cheap, but each option is compared with every kept option
            self.budget.spend(1 + len(kept) // 8)
            if not any(option.relevant & ~smaller.relevant == 0 for smaller in kept):
                kept.append(option)
        return kept


def _may_beat(bound: tuple[int, int], score: _Score) -> bool:
    """Return true if graphs within a bound may beat a score or tie with it."""
    mine, theirs = bound[0] * score.size, score.shared * bound[1]
    perfect = 2 * bound[0] == bound[1]
    return mine > theirs or (mine == theirs and (bound[1] <= score.size or perfect))
