"""The greedy approximation of Problem 2: Algorithms 1 and 2 of Kosmopoulos et al. 2015, with the rules for ties that
lca_solvers states.
"""

from collections.abc import Sequence
from typing import Literal

from hiermeasures.measures.lca_problem import ChosenWay, Connection, Event, Problem, Solution, mask_of


def greedy(problem: Problem) -> Solution:
    """The approximation of the paper, with the tie rules of lca_solvers; nothing is proven of the result."""
    events = _best_lcas(problem)
    chosen = events[-1].chosen
    return Solution(chosen, best_ways(problem, chosen), "greedy", events)


def best_ways(problem: Problem, chosen: tuple[int, ...]) -> tuple[ChosenWay, ...]:
    """GetBestPaths of Algorithm 2, with a way for constraint (v) where a chosen LCA is nobody's own on one side."""
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

    After the top-down pass nothing is redundant any more (what could not be spared among more LCAs cannot be spared
    among fewer), so the bottom-up pass, kept because it is published, only ever keeps.
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
    """BestPath of Algorithm 2: most nodes in common with what is selected, then fewest new to its own graph, then the
    smaller set.

    All three add up along a way, so the best way up to a node extends the best way up to one below it.
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
    """The LCAs as Algorithm 1 sorts them: those of most classes first, ties by the smaller number."""
    return sorted(problem.lcas, key=lambda a: (-problem.connected(a), a))


def as_events(problem: Problem, solution: Solution) -> tuple[Event, ...]:
    """The LCAs of a solution, taken one by one in the order of their rank."""
    order = [a for a in ranked(problem) if a in solution.lcas]
    return tuple(Event("selection", "choose", a, tuple(order[: k + 1])) for k, a in enumerate(order))
