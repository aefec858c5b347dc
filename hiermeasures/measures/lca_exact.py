"""The exact search for Problem 2: branch and bound over the smallest sets of LCAs, and over the ways of each.

What is best, and how ties are broken, is said in lca_solvers.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hiermeasures.measures.lca_greedy import best_ways, greedy
from hiermeasures.measures.lca_problem import ChosenWay, Problem, Solution, Ways, members, union

DEEPEST = 200  # recursion that a search within its bound on work never needs


class _Exhausted(Exception):
    """The bound on work is reached."""


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
    """What solutions with equally many LCAs are compared by; see lca_solvers."""

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
    """The best solution, by search: every smallest set of LCAs, and for each the ways, as far as they may still beat
    the best so far.

    The search starts from greedy's solution. Where `limit` steps do not suffice the best solution so far is returned,
    with `optimal` false; it is greedy's where no smallest set was found.
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
    """All smallest sets of LCAs that contain one of each class's own: minimum hitting sets, by deepening search."""

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
        """Fill `found`; whether it is complete. `size` is then the size of the sets, or the one at which the search had
        to stop.
        """
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
    """The best solution so far, and what it scores."""

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
    """A way that a connection may take: its nodes that may matter to others, those beyond what is in the graph anyway,
    and all.
    """

    relevant: int
    new: int
    nodes: int

    @property
    def order(self) -> tuple[int, int, int]:
        return self.new.bit_count(), self.new, self.nodes


class _WaySearch:
    """The choice of ways for one set of LCAs.

    Nodes on every way of a connection are in the graph in any case. Of the others only those are relevant that another
    connection may use too; of ways that agree on these, the smallest is as good as any (`_undominated`).
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
        """Shared nodes and size of graphs at least as good as any that grow from these within reach, by `unshared`
        nodes at least.

        A shared node adds (1, 1) where one graph has it already and (1, 2) where none has; neither lowers shared /
        size, which is at most one half.
        """
        counted = self.problem.counted
        half = ((true & ~predicted & predicted_reach) | (predicted & ~true & true_reach)) & counted
        whole = true_reach & predicted_reach & ~(true | predicted) & counted
        shared = (true & predicted & counted).bit_count() + half.bit_count() + whole.bit_count()
        size = (true & counted).bit_count() + (predicted & counted).bit_count()
        return shared, size + half.bit_count() + 2 * whole.bit_count() + unshared

    def run(self, best: _Best) -> None:
        """Search the ways, and put what beats `best` in its place."""
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
        """For each depth: what the connections from there on may still bring that others can share, and at least bring
        that none can.
        """
        found = [(0, 0, 0)]
        for k in reversed(free):
            true, predicted, unshared = found[-1]
            true, predicted = _added(true, predicted, self.connections[k].side, union(o.relevant for o in options[k]))
            found.append((true, predicted, unshared + min((o.new & ~o.relevant).bit_count() for o in options[k])))
        return found[::-1]

    def _options(self) -> list[list[_Option]]:
        """For each connection the ways worth trying."""
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
        """The ways that are not dominated, extended node by node, so that most are never spelled out."""

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
    """Whether graphs within a bound may beat, or tie with, a score. A tie in F_LCA below 1 needs at least the bound's
    nodes.
    """
    mine, theirs = bound[0] * score.size, score.shared * bound[1]
    perfect = 2 * bound[0] == bound[1]
    return mine > theirs or (mine == theirs and (bound[1] <= score.size or perfect))


def _undominated(options: Iterable[_Option], budget: _Budget) -> list[_Option]:
    """The options for which there is none with the same relevant nodes or more that is smaller.

    Putting the smaller one in place of the other shares as many nodes at least, with as many nodes at most; where both
    are equal, so are all sizes.
    """
    kept: list[_Option] = []
    for option in sorted(options, key=lambda o: o.order):
        budget.spend(1 + len(kept) // 8)  # a comparison is cheap, but there is one with each kept so far
        if not any(option.relevant & ~smaller.relevant == 0 for smaller in kept):
            kept.append(option)
    return kept
