"""Flow networks with capacity intervals and costs, and their cheapest flow, found by networkx's
network simplex.

Nothing here knows about classes being right or wrong: which network stands for which measure is
said in pairs.py.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

NodeKind = Literal["source", "predicted", "default predicted", "true", "default true", "sink"]


@dataclass(frozen=True)
class FlowNode:
    """A node of a flow network. A class that is true and predicted is two, of different kinds."""

    kind: NodeKind
    label: str


@dataclass(frozen=True)
class FlowEdge:
    """An edge with its capacity interval, the cost of a unit of flow, and its flow once solved.

    An infinite cost means that the edge is never used.
    """

    tail: FlowNode
    head: FlowNode
    lower: int
    upper: int
    cost: float = 0.0
    flow: int = 0


@dataclass(frozen=True)
class CheapestFlow:
    """The edges with their flow; `unique` if no other over the ranked edges costs as little."""

    edges: tuple[FlowEdge, ...]
    unique: bool


def cheapest_flow(edges: Sequence[FlowEdge], ranked: Sequence[int]) -> CheapestFlow | None:
    """The cheapest flow that keeps every interval and is conserved at every node; None if none is.

    Parameters
    ----------
    edges : sequence of FlowEdge
        At most one from a node to another; uppers are finite.
    ranked : sequence of int
        Places of the edges that tell flows apart, best first; their upper capacity is at most 1.
        Where several flows are cheapest, the one is taken that uses the best edge, among those the
        one that uses the next best, and so on.

    Notes
    -----
    networkx needs whole numbers, so costs are scaled by a power of two, which is exact. Two flows
    cost the same if they differ by no more than the longest ranked edge's cost times 1e-12: that is
    more than adding up edge weights in another order can make of it.

    Examples
    --------
    >>> a, b = FlowNode("source", "a"), FlowNode("sink", "b")
    >>> edges = [FlowEdge(a, b, 0, 1, 5.0), FlowEdge(b, a, 1, 2)]
    >>> [e.flow for e in cheapest_flow(edges, [0]).edges]
    [1, 1]
    """
    usable = [k for k, edge in enumerate(edges) if edge.upper > 0 and edge.cost < math.inf]
    chosen = [edges[k] for k in usable]
    costs = _whole(edge.cost for edge in chosen)
    flow = _network_simplex(chosen, costs)
    if flow is None:
        return None
    place = {k: n for n, k in enumerate(usable)}
    candidates = [place[k] for k in ranked if k in place]
    free = _exchangeable(chosen, costs, flow, max((costs[n] for n in candidates), default=0) // 10**12)
    open_choices = [n for n in candidates if n in free]
    if open_choices:
        flow = _best_ranked(chosen, flow, free, open_choices)
    carried = dict(zip(usable, flow, strict=True))
    return CheapestFlow(
        tuple(replace(e, flow=carried[k]) if carried.get(k) else e for k, e in enumerate(edges)), not open_choices
    )


def _whole(costs: Iterable[float]) -> list[int]:
    """Costs in units of the smallest power of two that occurs in any of them, which is exact."""
    ratios = [cost.as_integer_ratio() for cost in costs]
    unit = max((below for _, below in ratios), default=1)
    return [above * (unit // below) for above, below in ratios]


def _network_simplex(edges: Sequence[FlowEdge], costs: Sequence[int]) -> list[int] | None:
    """The flow on each edge. Lower bounds are sent beforehand; the demands make up for it."""
    if not edges:
        return []
    import networkx as nx

    graph = nx.DiGraph()
    demand: dict[FlowNode, int] = {}
    for edge, cost in zip(edges, costs, strict=True):
        graph.add_edge(edge.tail, edge.head, capacity=edge.upper - edge.lower, weight=cost)
        demand[edge.tail] = demand.get(edge.tail, 0) + edge.lower
        demand[edge.head] = demand.get(edge.head, 0) - edge.lower
    nx.set_node_attributes(graph, demand, "demand")
    try:
        _, flow = nx.network_simplex(graph)
    except nx.NetworkXUnfeasible:
        return None
    return [edge.lower + flow[edge.tail].get(edge.head, 0) for edge in edges]


# --- other flows that cost the same -------------------------------------------------------------


def _exchangeable(edges: Sequence[FlowEdge], costs: Sequence[int], flow: Sequence[int], slack: int) -> frozenset[int]:
    """The edges whose flow differs in another cheapest flow, or could for no more than the slack.

    Two cheapest flows differ by cycles of the residual network that cost nothing, and a cycle costs
    what the reduced costs along it add up to. None of those is negative, so such cycles run where
    they are zero: inside a strongly connected component of the edges without reduced cost.
    """
    import networkx as nx

    residual = [(k, e.tail, e.head, c) for k, (e, c) in enumerate(zip(edges, costs, strict=True)) if flow[k] < e.upper]
    residual += [
        (k, e.head, e.tail, -c) for k, (e, c) in enumerate(zip(edges, costs, strict=True)) if flow[k] > e.lower
    ]
    potential = _potentials(residual)
    tight = [(k, u, v) for k, u, v, cost in residual if cost + potential[u] - potential[v] <= slack]
    component: dict[FlowNode, int] = {}
    for number, nodes in enumerate(nx.strongly_connected_components(nx.DiGraph((u, v) for _, u, v in tight))):
        component.update(dict.fromkeys(nodes, number))
    return frozenset(k for k, u, v in tight if component[u] == component[v])


def _potentials(residual: Sequence[tuple[int, FlowNode, FlowNode, int]]) -> dict[FlowNode, int]:
    """Node potentials under which no residual edge has a negative reduced cost (Bellman-Ford)."""
    potential = {node: 0 for _, u, v, _ in residual for node in (u, v)}
    changed = True
    while changed:  # ends, because a cheapest flow leaves no cycle of negative cost
        changed = False
        for _, u, v, cost in residual:
            if potential[u] + cost < potential[v]:
                potential[v] = potential[u] + cost
                changed = True
    return potential


def _best_ranked(
    edges: Sequence[FlowEdge], flow: Sequence[int], free: Collection[int], ranked: Sequence[int]
) -> list[int]:
    """The cheapest flow with the best edges: a rank is worth more than all below it together."""
    restricted = [edge if k in free else replace(edge, lower=flow[k], upper=flow[k]) for k, edge in enumerate(edges)]
    worth = {k: 1 << rank for rank, k in enumerate(reversed(ranked))}
    found = _network_simplex(restricted, [-worth.get(k, 0) for k in range(len(edges))])
    return found if found is not None else list(flow)


# --- why there is no flow -----------------------------------------------------------------------


def left_short(partners: Mapping[str, Collection[str]], alpha: int, beta: int) -> frozenset[str]:
    """The smallest group of classes too large for `alpha` partners each, where each takes `beta`.

    Empty where all can. This is the far side of a minimum cut (Hall's condition for pairings with
    capacities).

    >>> sorted(left_short({"P1": ["T1"], "P2": ["T1"], "P3": ["T2"]}, alpha=1, beta=1))
    ['P1', 'P2']
    """
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(["room", "need"])
    for label, others in partners.items():
        graph.add_edge(("class", label), "need", capacity=alpha)
        for other in others:
            graph.add_edge("room", ("partner", other), capacity=beta)
            graph.add_edge(("partner", other), ("class", label), capacity=1)
    cut, (_, far_side) = nx.minimum_cut(graph, "room", "need")
    return frozenset(node[1] for node in far_side if node[0] == "class") if cut < alpha * len(partners) else frozenset()
