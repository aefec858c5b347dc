"""Minimal LCA graphs as a search: which LCAs, and which cheapest path for each connection (Problem
2 of Kosmopoulos et al. 2015).

The problem in numbers and its result are those of lca_structure. Here are the two solvers, the
rules that both follow, and the choice between them: `exact` (branch and bound under a bound on
work) and `greedy` (Algorithms 1 and 2).

What is chosen
    A set of LCAs that contains, for every class, one of its own LCAs. It fixes the connections:
    every class with every chosen LCA of its own (Algorithm 2); and if a chosen LCA is no class's
    own on one side, that side connects one of its classes nearest below the LCA (constraint (v)).
    One cheapest path is chosen for each connection; the graph of a side is its classes and paths.
What is best
    Fewest LCAs; then the highest F_LCA; then the fewest nodes in the two graphs together; then the
    graphs whose sizes differ least, and of two that mirror each other the one with the smaller
    predicted graph. What is still equal has equal values. If T and P are exchanged, so are the
    graphs' sizes, except for two that mirror each other: no rule can be independent of names and
    favour neither side where t is one edge below A and two below B, and p two below A and one below
    B.
Order of nodes
    That of the hierarchy where the search is so small that it ends in any order (`most_work`); else
    by structure (`by_structure`), so that neither greedy's graphs nor the cases in which "auto"
    turns to them depend on names.
Greedy choice
    LCAs are ranked by the number of classes that have them as their own, ties by the smaller
    number; taken in that order until every class has one; then gone through from the top and from
    the bottom, dropping each that is not needed. Connections follow in the order of the chosen LCAs
    and of the class numbers. Each takes the path with most nodes in either graph so far (at first
    the classes, and the nodes on every path of some connection), then fewest nodes new to its own
    graph, then the smaller set.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Literal

from hiermeasures.core.signature import Parts, Way, mix
from hiermeasures.measures.lca_structure import (
    ChosenWay,
    Connection,
    Event,
    Problem,
    Solution,
    Ways,
    mask_of,
    members,
    union,
)

AUTO_WORK = 20_000
EXACT_WORK = 4_000_000
PAGE_WORK = 200_000  # what a page, or a lesson, gives the exact search: about a second
Solver = Literal["auto", "exact", "greedy"]


def any_order(problem: Problem, solver: Solver, exact_work: int | None = None) -> bool:
    """True where the values are the same however the nodes are numbered."""
    if problem.decided:
        return True
    return solver != "greedy" and most_work(problem) <= ((exact_work or EXACT_WORK) if solver == "exact" else AUTO_WORK)


def solve(problem: Problem, solver: Solver, exact_work: int | None = None) -> Solution:
    """The minimal graphs by the solver asked for: `exact` within so many steps, EXACT_WORK if not
    given. "auto" is `exact` within AUTO_WORK steps, and `greedy` where they do not suffice.
    """
    if problem.decided:
        found = greedy(problem) if problem.lcas else Solution((), (), "greedy")
        proven = replace(found, optimal=True, fewest=True)
        return proven if solver == "greedy" else replace(proven, solver="exact", events=())
    if solver == "greedy":
        return greedy(problem)
    if solver == "exact":
        return exact(problem, exact_work or EXACT_WORK)
    found = exact(problem, AUTO_WORK)
    return found if found.optimal else replace(greedy(problem), work=found.work)


# --- numbering ---

MANY = 1_000_000_000  # as good as any number of paths above it
OWN, NEAR = 1, 2  # kinds of paths
LABEL, PREDICTED = 4, 0x9E6C63D0876A9A35  # marks of classes, once for each side that they are on
_ALL = (1 << 64) - 1


def most_work(problem: Problem) -> float:
    """No exact search takes more steps than this, however the nodes are numbered."""
    open_lcas = 0
    for side in problem.own:
        for mask in side.values():
            open_lcas |= mask if mask & mask - 1 else 0
    links = problem.connections(problem.lcas)
    paths = [min(MANY, sum(min(ways.count, MANY) for ways in link.ways)) for link in links]
    listing = sum(
        (len(ways.above) + 1) * _compared(min(ways.count, MANY)) for link in links for ways in link.ways
    ) + sum(map(_compared, paths))
    choices = 2.0 ** min(open_lcas.bit_count(), 64)
    return choices * (open_lcas.bit_count() + 2 + len(links) + listing + 2 * prod(map(float, paths)))


def _compared(many: int) -> float:
    """The most steps that it takes to compare so many paths."""
    return many * (1 + many / 8)


def by_structure(problem: Problem, level: Sequence[int]) -> list[int]:
    """All nodes, by their numbers, in the order that structure gives them; each has a `level`.

    Parents come before their children. Exchanging the sides changes the order only where nothing
    else tells them apart.
    """
    parts = Parts(len(level), _ways(problem))
    true, predicted = problem.own
    colour = [mix(one) + LABEL * ((c in true) + (c in predicted)) & _ALL for c, one in enumerate(level)]
    alike = colour = parts.refined(colour)
    if len(set(colour)) < len(level):
        sides = [mix(one + PREDICTED * (c in predicted) & _ALL) for c, one in enumerate(colour)]
        colour = parts.told_apart(parts.refined(sides))
    return sorted(range(len(level)), key=lambda c: (level[c], alike[c], colour[c]))


def _ways(problem: Problem) -> Iterator[Way]:
    """Every connection of the extended graphs: class, LCA, kind (which is whose), edges."""
    for side in (0, 1):
        for c, own in problem.own[side].items():
            for lca in problem.lcas:
                kind = OWN * (own >> lca & 1) + NEAR * (c in problem.nearest[side].get(lca, ()))
                if kind:
                    ways = problem.ways[c, lca]
                    yield c, lca, kind, [(node, above) for node, parents in ways.above for above in parents]


# --- greedy ---


def greedy(problem: Problem) -> Solution:
    """The paper's approximation with the tie rules above; nothing is proven of the result."""
    events = _best_lcas(problem)
    chosen = events[-1].chosen
    return Solution(chosen, best_ways(problem, chosen), "greedy", events)


def best_ways(problem: Problem, chosen: tuple[int, ...]) -> tuple[ChosenWay, ...]:
    """GetBestPaths of Algorithm 2, with paths for constraint (v) if an LCA is no class's own."""
    connections = problem.connections(chosen)
    graphs = list(problem.classes)
    for connection in connections:
        graphs[connection.side] |= connection.forced
    ways = []
    for connection in connections:
        ways.append(ChosenWay(connection, _best_way(connection, graphs)))
        graphs[connection.side] |= ways[-1].nodes
    return tuple(ways)


def _best_lcas(problem: Problem) -> tuple[Event, ...]:
    """GetBestLCAs of Algorithm 1, step by step.

    After the top-down pass nothing is redundant any more (what could not be spared among more LCAs
    cannot be spared among fewer), so the bottom-up pass, kept because it is published, only ever
    keeps.
    """
    events: list[Event] = []
    chosen: tuple[int, ...] = ()
    for lca in ranked(problem):
        chosen = (*chosen, lca)
        events.append(Event("selection", "choose", lca, chosen))
        if problem.satisfied(mask_of(chosen)):
            break
    passes: tuple[tuple[Literal["top-down", "bottom-up"], int], ...] = (("top-down", 1), ("bottom-up", -1))
    for phase, direction in passes:
        for lca in chosen[::direction]:
            spared = tuple(a for a in chosen if a != lca)
            removable = problem.satisfied(mask_of(spared))
            chosen = spared if removable else chosen
            events.append(Event(phase, "remove" if removable else "keep", lca, chosen))
    return tuple(events)


def _best_way(connection: Connection, graphs: Sequence[int]) -> int:
    """BestPath of Algorithm 2: most nodes selected already, then fewest new to its own graph.

    All three add up along a path, so the best path up to a node extends the best path up to one
    below it.
    """
    selected, mine = graphs[0] | graphs[1], graphs[connection.side]

    def with_node(so_far: tuple[int, int, int], node: int) -> tuple[int, int, int]:
        common, known, negative = so_far
        return common + (selected >> node & 1), known + (mine >> node & 1) - 1, negative - (1 << node)

    best = []
    for ways in connection.ways:
        at = {ways.start: with_node((0, 0, 0), ways.start)}
        for node, parents in ways.above:
            for parent in parents:
                reached = with_node(at[node], parent)
                at[parent] = max(at.get(parent, reached), reached)
        best.append(at[ways.end])
    return -max(best)[2]


def ranked(problem: Problem) -> list[int]:
    """The LCAs as Algorithm 1 sorts them: those of most classes first, then by number."""
    return sorted(problem.lcas, key=lambda a: (-problem.connected(a), a))


def as_events(problem: Problem, solution: Solution) -> tuple[Event, ...]:
    """The LCAs of a solution, taken one by one in the order of their rank."""
    order = [a for a in ranked(problem) if a in solution.lcas]
    return tuple(Event("selection", "choose", a, tuple(order[: k + 1])) for k, a in enumerate(order))


# --- exact ---

DEEPEST = 200  # recursion that a search within its bound on work never needs


class _Exhausted(Exception):
    """Raised where the bound on work is reached."""


@dataclass
class _Budget:
    limit: int
    spent: int = 0

    def spend(self, steps: int = 1) -> None:
        self.spent += steps
        if self.spent > self.limit:
            raise _Exhausted


@dataclass(frozen=True)
class _Score:
    """Compared where solutions have equally many LCAs."""

    shared: int
    true: int
    predicted: int

    @classmethod
    def of(cls, true: int, predicted: int, counted: int) -> "_Score":
        return cls(*((graph & counted).bit_count() for graph in (true & predicted, true, predicted)))

    @property
    def size(self) -> int:
        return self.true + self.predicted

    def beats(self, other: "_Score") -> bool:
        mine, theirs = self.shared * other.size, other.shared * self.size
        return mine > theirs or (mine == theirs and self._sizes < other._sizes)

    @property
    def _sizes(self) -> tuple[int, int, int]:
        return self.size, abs(self.true - self.predicted), self.predicted


def exact(problem: Problem, limit: int) -> Solution:
    """The best solution, by search: every smallest set of LCAs, and paths as far as they may win.

    The search starts from greedy's solution. Where `limit` steps do not suffice the best solution
    so far is returned, with `optimal` false; it is greedy's where no smallest set was found.
    """
    start = greedy(problem)
    budget = _Budget(limit)
    sets = _SmallestSets(problem, budget)
    complete = sets.search(at_most=len(start.lcas))
    if sets.found and sets.size < len(start.lcas):
        fewer = members(sets.found[0])
        start = Solution(fewer, best_ways(problem, fewer), "exact")
    best = _Best(problem, start)
    try:
        searches = [_WaySearch(problem, chosen, budget) for chosen in sets.found]
        for search in sorted(searches, key=lambda s: (-s.bound[0] / max(s.bound[1], 1), s.chosen)):
            search.run(best)
    except _Exhausted:
        complete = False
    if not sets.found:
        return replace(start, fewest=sets.fewest, work=budget.spent)
    return replace(
        best.solution,
        solver="exact",
        events=(),
        optimal=complete,
        fewest=sets.fewest,
        compared=max(len(sets.found), 1),
        work=budget.spent,
    )


class _SmallestSets:
    """All smallest sets of LCAs with one of each class's own: a search for hitting sets."""

    def __init__(self, problem: Problem, budget: _Budget) -> None:
        masks = sorted(
            {mask for side in problem.own for mask in side.values()}, key=lambda mask: (mask.bit_count(), mask)
        )
        kept: list[int] = []
        for mask in masks:
            if not any(mask & small == small for small in kept):
                kept.append(mask)
        self.forced = union(m for m in kept if m.bit_count() == 1)
        self.open = [m for m in kept if not m & self.forced]
        self.budget = budget
        self.found: list[int] = []
        self.fewest = False
        self.size = 0

    def search(self, at_most: int) -> bool:
        """Fill `found`; True if complete. `size` is that of the sets, or where the search ended."""
        fixed = self.forced.bit_count()
        try:
            for more in range(_packing(self.open), at_most - fixed + 1):
                self.size = fixed + more
                if more > DEEPEST:
                    raise _Exhausted
                self._extend(self.forced, self.open, more)
                if self.found:
                    break
        except _Exhausted:
            self.fewest = bool(self.found) or self.size == at_most
            return False
        self.fewest = True
        return True

    def _extend(self, chosen: int, still_open: list[int], more: int) -> None:
        self.budget.spend()
        if not still_open:
            self.found.append(chosen)
            return
        if _packing(still_open) > more:
            return
        tried = 0
        for lca in members(min(still_open, key=int.bit_count)):
            bit = 1 << lca
            rest = [mask & ~tried for mask in still_open if not mask & bit]
            if all(rest):
                self._extend(chosen | bit, rest, more - 1)
            tried |= bit


def _packing(masks: Iterable[int]) -> int:
    """A lower bound on a hitting set: how many of the masks, smallest first, are disjoint."""
    used = count = 0
    for mask in sorted(masks, key=int.bit_count):
        if not mask & used:
            used |= mask
            count += 1
    return count


@dataclass
class _Best:
    """The best solution so far, and its score."""

    problem: Problem
    solution: Solution
    score: _Score = field(init=False)

    def __post_init__(self) -> None:
        true, predicted = self.problem.classes
        for way in self.solution.ways:
            true, predicted = _added(true, predicted, way.connection.side, way.nodes)
        self.score = _Score.of(true, predicted, self.problem.counted)


def _added(true: int, predicted: int, side: int, nodes: int) -> tuple[int, int]:
    return (true, predicted | nodes) if side else (true | nodes, predicted)


@dataclass(frozen=True)
class _Option:
    """A path of a connection: the nodes that may matter to others, the new ones, and all."""

    relevant: int
    new: int
    nodes: int

    @property
    def order(self) -> tuple[int, int, int]:
        return self.new.bit_count(), self.new, self.nodes


class _WaySearch:
    """The choice of paths for one set of LCAs.

    Nodes on every path of a connection are in the graph in any case. Of the others only those are
    relevant that another connection may use too; of paths that agree on these, the smallest is as
    good as any (`_undominated`).
    """

    def __init__(self, problem: Problem, chosen: int, budget: _Budget) -> None:
        self.problem, self.chosen, self.budget = problem, chosen, budget
        self.connections = problem.connections(members(chosen))
        budget.spend(len(self.connections))
        self.base = self._forced()
        self.bound = self._bound(*self.base, *self._reachable(), 0)

    def _forced(self) -> tuple[int, int]:
        true, predicted = self.problem.classes
        for connection in self.connections:
            true, predicted = _added(true, predicted, connection.side, connection.forced)
        return true, predicted

    def _reachable(self) -> tuple[int, int]:
        true, predicted = self.base
        for connection in self.connections:
            true, predicted = _added(true, predicted, connection.side, connection.nodes)
        return true, predicted

    def _bound(
        self, true: int, predicted: int, true_reach: int, predicted_reach: int, unshared: int
    ) -> tuple[int, int]:
        """Shared nodes and size of graphs at least as good as any grown from these within reach.

        A shared node adds (1, 1) where one graph has it already and (1, 2) where none has; neither
        lowers shared / size, which is at most one half.
        """
        counted = self.problem.counted
        half = ((true & ~predicted & predicted_reach) | (predicted & ~true & true_reach)) & counted
        whole = true_reach & predicted_reach & ~(true | predicted) & counted
        shared = (true & predicted & counted).bit_count() + half.bit_count() + whole.bit_count()
        size = (true & counted).bit_count() + (predicted & counted).bit_count()
        return shared, size + half.bit_count() + 2 * whole.bit_count() + unshared

    def run(self, best: _Best) -> None:
        """Search the paths, and put what beats `best` in its place."""
        if not _may_beat(self.bound, best.score):
            return
        options = self._options()
        fixed = {k: found[0] for k, found in enumerate(options) if len(found) == 1}
        free = sorted((k for k in range(len(options)) if k not in fixed), key=lambda k: len(options[k]))
        if len(free) > DEEPEST:
            raise _Exhausted
        true, predicted = self.base
        for k, option in fixed.items():
            true, predicted = _added(true, predicted, self.connections[k].side, option.nodes)
        reach = self._reach_after(free, options)

        def descend(depth: int, true: int, predicted: int, taken: dict[int, _Option]) -> None:
            self.budget.spend()
            if depth == len(free):
                self._offer(true, predicted, taken, best)
                return
            true_reach, predicted_reach, unshared = reach[depth]
            if _may_beat(
                self._bound(true, predicted, true_reach | true, predicted_reach | predicted, unshared), best.score
            ):
                k = free[depth]
                for option in options[k]:
                    grown = _added(true, predicted, self.connections[k].side, option.nodes)
                    descend(depth + 1, *grown, {**taken, k: option})

        descend(0, true, predicted, fixed)

    def _reach_after(self, free: list[int], options: list[list[_Option]]) -> list[tuple[int, int, int]]:
        """For each depth: the nodes that later connections may share, and least bring unshared."""
        found = [(0, 0, 0)]
        for k in reversed(free):
            true, predicted, unshared = found[-1]
            true, predicted = _added(true, predicted, self.connections[k].side, union(o.relevant for o in options[k]))
            found.append((true, predicted, unshared + min((o.new & ~o.relevant).bit_count() for o in options[k])))
        return found[::-1]

    def _options(self) -> list[list[_Option]]:
        once, again = [0, 0], [0, 0]
        for connection in self.connections:
            again[connection.side] |= once[connection.side] & connection.nodes
            once[connection.side] |= connection.nodes
        found = []
        for connection in self.connections:
            side = connection.side
            base = self.base[side]
            relevant = (again[side] | once[1 - side] | self.base[1 - side]) & ~base
            found.append(
                _undominated((o for ways in connection.ways for o in self._ways(ways, base, relevant)), self.budget)
            )
        return found

    def _ways(self, ways: Ways, base: int, relevant: int) -> list[_Option]:
        """The paths that are not dominated, extended node by node; most are never spelled out."""

        def grown(option: _Option, node: int) -> _Option:
            bit = 1 << node
            return _Option(option.relevant | bit & relevant, option.new | bit & ~base, option.nodes | bit)

        at = {ways.start: [grown(_Option(0, 0, 0), ways.start)]}
        for node, parents in ways.above:
            kept = _undominated(at.pop(node), self.budget)
            for parent in parents:
                at.setdefault(parent, []).extend(grown(option, parent) for option in kept)
        return _undominated(at[ways.end], self.budget)

    def _offer(self, true: int, predicted: int, taken: dict[int, _Option], best: _Best) -> None:
        score = _Score.of(true, predicted, self.problem.counted)
        if score.beats(best.score):
            ways = tuple(ChosenWay(connection, taken[k].nodes) for k, connection in enumerate(self.connections))
            best.solution, best.score = Solution(members(self.chosen), ways, "exact"), score


def _may_beat(bound: tuple[int, int], score: _Score) -> bool:
    """True where graphs within a bound may beat or tie with a score."""
    mine, theirs = bound[0] * score.size, score.shared * bound[1]
    perfect = 2 * bound[0] == bound[1]
    return mine > theirs or (mine == theirs and (bound[1] <= score.size or perfect))


def _undominated(options: Iterable[_Option], budget: _Budget) -> list[_Option]:
    """The options for which there is none with the same relevant nodes or more that is smaller.

    Putting the smaller one in place of the other shares as many nodes at least, with as many nodes
    at most; where both are equal, so are all sizes.
    """
    kept: list[_Option] = []
    for option in sorted(options, key=lambda o: o.order):
        budget.spend(1 + len(kept) // 8)  # a comparison is cheap, but there is one with each kept so far
        if not any(option.relevant & ~smaller.relevant == 0 for smaller in kept):
            kept.append(option)
    return kept
