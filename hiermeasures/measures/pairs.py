"""Pair-based measures: true and predicted classes are paired at the least total cost.

The source is Kosmopoulos et al. 2015, Section 2.3. The measures are the tree-induced error, all
pairs, GIE, MGIA, and a pairing with your own bounds. Each is Problem 1 with different bounds. This
module builds the problem as the flow network of Figures 3–6. The hierarchy gives the distances, and
the network simplex of networkx finds the cheapest flow.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, Literal

from hiermeasures.hierarchy.hierarchy import same_cost
from hiermeasures.hierarchy.options import EDGE_WEIGHTS, Options
from hiermeasures.hierarchy.words import agree, write_count, write_list
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Structure,
    Term,
    cited,
    mark_term,
    named,
    number,
    remove_marks,
)
from hiermeasures.measures.shortest_path import Routes

NodeKind = Literal["source", "predicted", "default predicted", "true", "default true", "sink"]


@dataclass(frozen=True)
class FlowNode:
    """A node of a flow network. A class that is both true and predicted has two nodes."""

    kind: NodeKind
    label: str


@dataclass(frozen=True)
class FlowEdge:
    """An edge of a flow network.

    It has a capacity interval [lower; upper], the cost of one unit of flow, and its flow after
    solving. An edge with infinite cost is never used.
    """

    tail: FlowNode
    head: FlowNode
    lower: int
    upper: int
    cost: float = 0.0
    flow: int = 0


def cheapest_flow(
    edges: Sequence[FlowEdge], ranked: Sequence[int]
) -> tuple[tuple[FlowEdge, ...], bool] | None:
    """Return the edges with the cheapest flow, and true if it is the only cheapest flow.

    The flow stays in every interval and is conserved at every node.

    Parameters
    ----------
    edges : sequence of FlowEdge
        At most one edge in each direction between two nodes. Upper capacities are finite.
    ranked : sequence of int
        The places of the edges that distinguish flows, best first. Their upper capacity is at most
        1. Several flows may be cheapest. The result then uses the best edge if possible, then the
        next best edge, and so on.

    Returns
    -------
    tuple or None
        None if no flow is possible.

    Notes
    -----
    The costs of two flows count as equal if they differ by at most 1e-12 times the cost of the
    longest ranked edge. Rounding errors in sums of edge weights are smaller.

    Examples
    --------
    >>> a, b = FlowNode("source", "a"), FlowNode("sink", "b")
    >>> edges = [FlowEdge(a, b, 0, 1, 5.0), FlowEdge(b, a, 1, 2)]
    >>> [e.flow for e in cheapest_flow(edges, [0])[0]]
    [1, 1]
    """
    usable = [k for k, e in enumerate(edges) if max(e.lower, e.upper) > 0 and e.cost < math.inf]
    chosen = [edges[k] for k in usable]
    # networkx needs whole numbers: costs in units of their smallest power of two are exact
    ratios = [edge.cost.as_integer_ratio() for edge in chosen]
    unit = max((below for _, below in ratios), default=1)
    costs = [above * (unit // below) for above, below in ratios]
    flow = _network_simplex(chosen, costs)
    if flow is None:
        return None
    place = {k: n for n, k in enumerate(usable)}
    candidates = [place[k] for k in ranked if k in place]
    slack = max((costs[n] for n in candidates), default=0) // 10**12
    free = _exchangeable(chosen, costs, flow, slack)
    open_choices = [n for n in candidates if n in free]
    if open_choices:
        # a rank is worth more than all lower ranks together
        restricted = [
            e if k in free else replace(e, lower=flow[k], upper=flow[k])
            for k, e in enumerate(chosen)
        ]
        worth = {k: 1 << rank for rank, k in enumerate(reversed(open_choices))}
        flow = _network_simplex(restricted, [-worth.get(k, 0) for k in range(len(chosen))]) or flow
    carried = dict(zip(usable, flow, strict=True))
    solved = (replace(e, flow=carried[k]) if carried.get(k) else e for k, e in enumerate(edges))
    return tuple(solved), not open_choices


def _network_simplex(edges: Sequence[FlowEdge], costs: Sequence[int]) -> list[int] | None:
    """Return the cheapest flow on each edge, or None if no flow is possible.

    Lower bounds are sent first. The demands of the nodes compensate for them.
    """
    if not edges:
        return []
    import networkx as nx

    graph = nx.DiGraph()
    demand: Counter[FlowNode] = Counter()
    for edge, cost in zip(edges, costs, strict=True):
        graph.add_edge(edge.tail, edge.head, capacity=edge.upper - edge.lower, weight=cost)
        demand[edge.tail] += edge.lower
        demand[edge.head] -= edge.lower
    nx.set_node_attributes(graph, demand, "demand")
    try:
        _, flow = nx.network_simplex(graph)
    except nx.NetworkXUnfeasible:
        return None
    return [edge.lower + flow[edge.tail].get(edge.head, 0) for edge in edges]


def _exchangeable(
    edges: Sequence[FlowEdge], costs: Sequence[int], flow: Sequence[int], slack: int
) -> frozenset[int]:
    """Return the edges with a different flow in another cheapest flow. Costs may differ by `slack`.

    Two cheapest flows differ by cycles of the residual network with cost 0. The cost of a cycle is
    the sum of the reduced costs along it, and no reduced cost is negative. So each of these cycles
    is inside a strongly connected component of the edges with reduced cost 0.
    """
    import networkx as nx

    priced = list(enumerate(zip(edges, costs, strict=True)))
    residual = [(k, e.tail, e.head, c) for k, (e, c) in priced if flow[k] < e.upper]
    residual += [(k, e.head, e.tail, -c) for k, (e, c) in priced if flow[k] > e.lower]
    # node potentials that make every reduced cost at least 0 (Bellman-Ford)
    potential = {node: 0 for _, u, v, _ in residual for node in (u, v)}
    changed = True
    while changed:  # ends, because a cheapest flow leaves no cycle of negative cost
        changed = False
        for _, u, v, cost in residual:
            if potential[u] + cost < potential[v]:
                potential[v] = potential[u] + cost
                changed = True
    tight = [(k, u, v) for k, u, v, cost in residual if cost + potential[u] - potential[v] <= slack]
    component: dict[FlowNode, int] = {}
    for place, nodes in enumerate(
        nx.strongly_connected_components(nx.DiGraph((u, v) for _, u, v in tight))
    ):
        component.update(dict.fromkeys(nodes, place))
    return frozenset(k for k, u, v in tight if component[u] == component[v])


def left_short(partners: Mapping[str, Collection[str]], alpha: int, beta: int) -> frozenset[str]:
    """Return the smallest group of classes that cannot all get `alpha` partners.

    Each partner takes at most `beta` classes. The group is empty if all classes get their partners.
    It is the far side of a minimum cut (Hall's condition for pairings with capacities).

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
    return (
        frozenset(node[1] for node in far_side if node[0] == "class")
        if cut < alpha * len(partners)
        else frozenset()
    )


SOURCE = FlowNode("source", "source")
DEFAULT_PREDICTED = FlowNode("default predicted", "DP")
DEFAULT_TRUE = FlowNode("default true", "DT")
SINK = FlowNode("sink", "sink")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Bounds on the number of pairs of a class: at least alpha, at most beta (Problem 1).

    The suffix p is the predicted side, and t the true side. A pair with a default class costs
    `dmax`. Without default classes, `dmax` is infinite. A class may be in up to `default_p`
    (`default_t`) of these pairs. `circulation` is the interval of the edge from sink to source. It
    does not limit the flow.
    """

    alpha_p: int = 1
    beta_p: int = 1
    alpha_t: int = 1
    beta_t: int = 1
    dmax: float
    default_p: int = 1
    default_t: int = 1
    circulation: tuple[int, int]


def _all_pairs(m: int, n: int, options: Options) -> Bounds:
    p, t = max(n, 1), max(m, 1)
    every: dict[str, Any] = {
        "alpha_p": p,
        "beta_p": p,
        "alpha_t": t,
        "beta_t": t,
        "default_p": p,
        "default_t": t,
    }
    return Bounds(**every, dmax=math.inf, circulation=(0, t * n + p * m))


def _own(m: int, n: int, options: Options) -> Bounds:
    asked = {name: getattr(options, name) for name in ("alpha_p", "beta_p", "alpha_t", "beta_t")}
    given: dict[str, Any] = {name: 1 if bound is None else bound for name, bound in asked.items()}
    beta_p, beta_t = given["beta_p"], given["beta_t"]
    dmax, circulation = (
        options.dmax if options.default_classes else math.inf,
        (0, beta_t * n + beta_p * m),
    )
    return Bounds(**given, dmax=dmax, default_p=beta_p, default_t=beta_t, circulation=circulation)


SETTINGS: Mapping[str, Callable[[int, int, Options], Bounds]] = {
    "TIE": lambda m, n, options: Bounds(dmax=math.inf, circulation=(m, n + m)),
    "all_pairs": _all_pairs,
    "GIE": lambda m, n, options: Bounds(dmax=options.dmax, circulation=(m, n + m)),
    "MGIA": lambda m, n, options: Bounds(
        beta_p=max(n, 1), beta_t=max(m, 1), dmax=options.dmax, circulation=(m, max(m * (n + 1), n))
    ),
    "own": _own,
}
"""The bounds of each measure, for m predicted and n true classes.

TIE: one pair for each class, and no default classes (Figure 4). All pairs: every pair. GIE: one
pair or a default class (Figure 5). MGIA: at least one pair (Figure 6). Own: the bounds of the
options (Figure 3). If a bound is the size of the other side, an empty side counts as one class,
because its default class can still be paired.
"""


@dataclass(frozen=True)
class Pair:
    """A paired predicted and true class, and the cost. None means a default class."""

    predicted: str | None
    true: str | None
    cost: float


@dataclass(frozen=True)
class PairingNetwork:
    """A solved flow network. Its nodes and edges are enough to draw Figures 3–6.

    Attributes
    ----------
    name : str
        The key in SETTINGS.
    bounds : Bounds
    predicted, true : tuple of str
        The classes of both sides, in the hierarchy's order.
    nodes, edges : tuple of FlowNode, tuple of FlowEdge
    pairs : tuple of Pair
        The edges with flow between two classes. Then come the pairs with a default class, once for
        every unit of flow.
    fnerror : float
        The total cost. It is nan if the bounds cannot be met.
    unique : bool
        True if this is the only cheapest pairing. Otherwise the rule of `pairing` chose it.
    routes : Routes
        For every (predicted, true) pair, the edges of the paths between them.
    infeasible : str or None
        The reason why the bounds cannot be met. In this case the pairs are empty and the flow is 0.
    """

    name: str
    bounds: Bounds
    predicted: tuple[str, ...]
    true: tuple[str, ...]
    nodes: tuple[FlowNode, ...]
    edges: tuple[FlowEdge, ...]
    pairs: tuple[Pair, ...]
    fnerror: float
    unique: bool
    routes: Routes = field(repr=False, compare=False)
    infeasible: str | None = None

    @property
    def feasible(self) -> bool:
        """True if the bounds can be met."""
        return self.infeasible is None


def pairing(instance: Instance, name: str) -> PairingNetwork:
    """Solve the flow network of a setting in SETTINGS.

    Several pairings may be cheapest. In this case pairs are checked in the order of their distance.
    Equal distances are sorted by the place of the predicted class in the hierarchy, then by the
    true class. A pair is kept if a cheapest pairing contains it and all pairs kept before. So a
    class that is both true and predicted pairs with itself, unless this costs more. The option
    `max_pair_distance` removes longer pairs from the network (capacity [0; 0]).

    Parameters
    ----------
    instance : Instance
    name : "TIE", "all_pairs", "GIE", "MGIA" or "own"

    Returns
    -------
    PairingNetwork

    Examples
    --------
    Figure 11(a):

    >>> from hiermeasures.hierarchy.hierarchy import Hierarchy
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> network = pairing(Instance(h, frozenset({"T1"}), frozenset({"P1", "P2"}), Options()), "GIE")
    >>> [(pair.predicted, pair.true) for pair in network.pairs], network.fnerror, network.unique
    ([('P1', 'T1'), ('P2', None)], 7.0, False)
    """
    place = instance.hierarchy.index
    predicted, true = (
        tuple(sorted(labels, key=place)) for labels in (instance.predicted, instance.true)
    )
    bounds = SETTINGS[name](len(predicted), len(true), instance.options)
    p_nodes, t_nodes = (
        [FlowNode("predicted", c) for c in predicted],
        [FlowNode("true", c) for c in true],
    )
    nodes = (SOURCE, *p_nodes, DEFAULT_PREDICTED, *t_nodes, DEFAULT_TRUE, SINK)
    edges = tuple(_edges(instance, bounds, p_nodes, t_nodes))
    known: dict[str, Any] = {
        "name": name,
        "bounds": bounds,
        "predicted": predicted,
        "true": true,
        "nodes": nodes,
        "routes": Routes(instance.hierarchy, product(predicted, true), instance.options.path),
    }
    solved = cheapest_flow(edges, ranked(edges))
    if solved is None:
        reason = _unmet(instance, bounds, predicted, true)
        return PairingNetwork(
            **known, edges=edges, pairs=(), fnerror=math.nan, unique=False, infeasible=reason
        )
    flows, unique = solved
    pairs = tuple(_pairs(flows))
    fnerror = math.fsum(pair.cost for pair in pairs)
    return PairingNetwork(**known, edges=flows, pairs=pairs, fnerror=fnerror, unique=unique)


def _edges(
    instance: Instance, bounds: Bounds, predicted: Sequence[FlowNode], true: Sequence[FlowNode]
) -> Iterator[FlowEdge]:
    """Return the edges of Figure 3, from the source's side to the sink's."""
    for p in predicted:
        yield FlowEdge(SOURCE, p, bounds.alpha_p, bounds.beta_p)
    yield FlowEdge(SOURCE, DEFAULT_PREDICTED, 0, bounds.default_t * len(true))
    for p in predicted:
        for t in true:
            distance = instance.distances[p.label, t.label]
            yield FlowEdge(p, t, 0, int(_allowed(distance, instance.options)), distance)
        yield FlowEdge(p, DEFAULT_TRUE, 0, bounds.default_p, bounds.dmax)
    for t in true:
        yield FlowEdge(DEFAULT_PREDICTED, t, 0, bounds.default_t, bounds.dmax)
    for t in true:
        yield FlowEdge(t, SINK, bounds.alpha_t, bounds.beta_t)
    yield FlowEdge(DEFAULT_TRUE, SINK, 0, bounds.default_p * len(predicted))
    yield FlowEdge(SINK, SOURCE, *bounds.circulation)


def _allowed(distance: float, options: Options) -> bool:
    longest = options.max_pair_distance
    return longest is None or distance <= longest or same_cost(distance, longest)


def ranked(edges: Sequence[FlowEdge]) -> list[int]:
    """Return the places of the pairs of classes, the nearest pair first.

    Equally near pairs are in the hierarchy's order. All other orders of pairs break ties in this
    way.
    """
    between = [
        k for k, e in enumerate(edges) if e.tail.kind == "predicted" and e.head.kind == "true"
    ]
    return sorted(between, key=lambda k: round(edges[k].cost, 9))


def _pairs(edges: Sequence[FlowEdge]) -> Iterator[Pair]:
    """Return pairs of classes, then predicted classes alone, then true classes alone."""
    for tail, head in (
        ("predicted", "true"),
        ("predicted", "default true"),
        ("default predicted", "true"),
    ):
        for e in edges:
            if (e.tail.kind, e.head.kind) == (tail, head):
                p, t = (
                    e.tail.label if tail == "predicted" else None,
                    e.head.label if head == "true" else None,
                )
                yield from [Pair(p, t, e.cost)] * e.flow


def _unmet(
    instance: Instance, bounds: Bounds, predicted: Sequence[str], true: Sequence[str]
) -> str:
    """Explain the bound that cannot be met.

    If the bounds of each side can be met alone, they can be met together (Ford and Fulkerson 1962).
    """
    sides = (("p", "predicted", predicted), ("t", "true", true))
    alpha, beta = (
        {s: getattr(bounds, f"{bound}_{s}") for s in "pt"} for bound in ("alpha", "beta")
    )
    for side, _, classes in sides:
        if classes and alpha[side] > beta[side]:
            most = write_count(beta[side], "pair")
            return (
                f"α_{side} = {alpha[side]} cannot be met, because β_{side} = {beta[side]} allows "
                f"at most {most}"
            )
    allowed = {
        (p, t)
        for (p, t), distance in instance.distances.items()
        if _allowed(distance, instance.options)
    }
    longest = instance.options.max_pair_distance
    within = "" if longest is None else f" within distance {number(longest)}"
    for (side, kind, classes), (other, other_kind, others) in (sides, sides[::-1]):
        partners = {
            c: [o for o in others if ((c, o) if side == "p" else (o, c)) in allowed]
            for c in classes
        }
        if short := left_short(partners, alpha[side], beta[other]):
            noun, verb = agree(len(short), "class"), agree(len(short), "needs", "need")
            partners_needed = write_count(alpha[side] * len(short), "partner")
            needed = f"the {kind} {noun} {named(short)} {verb} {partners_needed}"
            room = Counter(o for c in short for o in partners[c])
            found = f"the instance has no {other_kind} class{within}"
            if room:
                many = write_count(len(room), f"{other_kind} class")
                free = sum(min(beta[other], times) for times in room.values())
                has_room = f"{agree(len(room), 'has')} room for {free}"
                found = f"{many}{within} {has_room} (β_{other} = {beta[other]})"
            return f"α_{side} = {alpha[side]} cannot be met: {needed}, but {found}"
    raise AssertionError("every bound can be met")


def accuracy(c: Any, options: Options) -> Any:
    """Return 1 − fnerror / (|classes| · D_max). The option `normaliser` selects the classes.

    The value is nan if the bounds cannot be met. The set of classes may be empty, for example with
    equal sets and the symmetric difference. In this case pairs of cost 0 are perfect (1.0). If your
    own bounds pair a class with more than itself, the pairs still cost something. The ratio is then
    undefined, and the value is `zero_division`.
    """
    most = (c.union if options.normaliser == "union" else c.symmetric_difference) * options.dmax
    value = cat.ratio(most - c.error, most, options, agree=c.error == 0)
    return value + 0 * c.error  # nan stays nan if there are no classes


_MOST_SHOWN = 8


def derive_error(network: PairingNetwork, value: float, options: Options) -> Derivation:
    """Return the derivation of the cost of a pairing."""
    if not network.feasible:
        return Derivation(
            r"\text{no pairing meets the bounds}", f"The value is undefined: {network.infeasible}."
        )
    shown = enumerate(network.pairs[:_MOST_SHOWN])
    terms = " + ".join(mark_term(f"pair{k}", _term(pair)) for k, pair in shown) or "0"
    dots = r" + \cdots" if len(network.pairs) > _MOST_SHOWN else ""
    return Derivation(
        f"{mark_term('error', _SUM)} = {terms}{dots} = {number(value)}",
        f"{_pairs_in_words(network)}.{_choice(network)}",
    )


def derive_accuracy(network: PairingNetwork, value: float, options: Options) -> Derivation:
    """Return the derivation of an accuracy made from the cost of a pairing."""
    if not network.feasible:
        return derive_error(network, value, options)
    row = PAIRINGS[network.name].read(network, options)
    error, dmax, said = number(network.fnerror), number(options.dmax), {}
    for kind in ("union", "symmetric_difference"):
        classes = getattr(row, kind)
        read = number(accuracy(row, options.with_values(normaliser=kind)))
        said[kind] = (
            f"1 − {error} / ({classes} · {dmax}) = {read}" if classes else f"{read} (no classes)"
        )
    chosen = getattr(row, options.normaliser)
    sizes = mark_term("error", error), mark_term(options.normaliser, chosen)
    filled = rf"1 - \frac{{{sizes[0]}}}{{{sizes[1]} \cdot {dmax}}} = " if chosen else ""
    return Derivation(
        f"{_FORMULA[options.normaliser]} = {filled}{number(value)}",
        f"{_pairs_in_words(network)}.{_readings(said)}{_choice(network)}",
    )


def _readings(said: Mapping[str, str]) -> str:
    """Describe both readings of the printed formula if their values differ."""
    if said["union"] == said["symmetric_difference"]:
        return ""
    return (
        f" Divided by the classes of both sides it is {said['union']}. The printed formula has "
        "another reading: divided by the classes of one side only it is "
        f"{said['symmetric_difference']}."
    )


_SUM = r"\sum_{i,j} \kappa_{ij}\, x_{ij}"
_CLASSES = {"union": r"|P \cup T|", "symmetric_difference": r"|(P \cup T) \setminus (P \cap T)|"}
_COST = mark_term("error", r"\mathrm{fnerror}")
_FORMULA = {
    key: rf"1 - \frac{{{_COST}}}{{{mark_term(key, classes)} \cdot D_{{\max}}}}"
    for key, classes in _CLASSES.items()
}


def explain_terms(network: PairingNetwork, options: Options) -> Mapping[str, Term]:
    """Return the terms of the pairs and of the classes that the accuracy divides by."""
    pairs = [
        frozenset(label for label in (pair.predicted, pair.true) if label is not None)
        for pair in network.pairs
    ]
    true, predicted = frozenset(network.true), frozenset(network.predicted)
    found = {
        "error": Term.of("in all pairs", frozenset().union(*pairs)),
        "union": Term.of("on either side", true | predicted),
        "symmetric_difference": Term.of("on one side only", true ^ predicted),
    }
    for k, (pair, classes) in enumerate(zip(network.pairs, pairs, strict=True)):
        one, other = (label or "a default class" for label in (pair.predicted, pair.true))
        found[f"pair{k}"] = Term(f"{one} with {other}: {number(pair.cost)}", classes)
    return found


def _term(pair: Pair) -> str:
    predicted = cat.latex_text(pair.predicted) if pair.predicted is not None else r"\mathrm{DP}"
    true = cat.latex_text(pair.true) if pair.true is not None else r"\mathrm{DT}"
    return rf"\underbrace{{{number(pair.cost)}}}_{{{predicted},\,{true}}}"


def _pairs_in_words(network: PairingNetwork) -> str:
    """Return the pairs in words, without a final period."""
    if not network.pairs:
        return (
            "Both sides are empty"
            if not (network.true or network.predicted)
            else "No classes are paired"
        )
    parts, partnered, alone = [], set(), Counter[tuple[str, str]]()
    for pair in network.pairs:
        ends = [(side, c) for side, c in (("p", pair.predicted), ("t", pair.true)) if c is not None]
        if len(ends) == 2:
            itself = pair.true == pair.predicted
            partner = "itself" if itself else f"{pair.predicted} at distance {number(pair.cost)}"
            parts.append(f"{pair.true} pairs with {partner}")
            partnered.update(ends)
        else:
            alone[ends[0]] += 1
    for end, times in alone.items():
        lacks = f"lacks {write_count(times, 'partner')}" if end in partnered else "has no partner"
        parts.append(f"{end[1]} {lacks} and costs {number(times * network.bounds.dmax)}")
    return write_list(parts, _MOST_SHOWN, mark="; ")


def _choice(network: PairingNetwork) -> str:
    return "" if network.unique else " Another pairing costs the same."


def changes(before: PairingNetwork, after: PairingNetwork, options: Options) -> list[str]:
    """Describe the pairs and costs that changed."""
    for network, when in ((after, "now"), (before, "before")):
        if not network.feasible:
            return [f"{when} no pairing is possible: {network.infeasible}"]
    parts = cat.gone_and_new(before.pairs, after.pairs, ("gone", "new"), _with_partner)
    if parts:
        was, now = number(before.fnerror), number(after.fnerror)
        parts.append(
            f"all pairs together "
            f"{f'still cost {now}' if was == now else f'cost {now} instead of {was}'}"
        )
    sizes = [len({*n.predicted, *n.true}) for n in (before, after)]
    if sizes[0] != sizes[1]:
        parts.append(
            f"both sides together have {write_count(sizes[1], 'class')} instead of {sizes[0]}"
        )
    if parts and not (before.unique and after.unique):
        parts.append("another pairing costs the same")
    return parts


def _with_partner(pair: Pair) -> str:
    if pair.predicted is None or pair.true is None:
        return f"{pair.predicted or pair.true} with a default class ({number(pair.cost)})"
    partner = "itself" if pair.predicted == pair.true else pair.true
    return f"{pair.predicted} with {partner} ({number(pair.cost)})"


_FAMILY = cat.Family(
    key="pairs",
    title="Pairing",
    description="True and predicted classes are paired at the least total cost. A class without a "
    "partner costs D_max.",
    rank=3,
    exercises=("GIE", "MGIA", "TIE", "all_pairs"),
)
PAIRINGS: Mapping[str, Structure[PairingNetwork]] = {
    name: Structure(
        key=f"pairing_{name}",
        family=_FAMILY,
        build=partial(pairing, name=name),
        terms=explain_terms,
        columns=("error", "union", "symmetric_difference"),
        meanings=("cost of all pairs", "classes on either side", "classes on one side only"),
        row=lambda network, options: (
            network.fnerror,
            len({*network.predicted, *network.true}),
            len({*network.predicted} ^ {*network.true}),
        ),
        view="pairing",
        changes=changes,
        whole=False,
    )
    for name in SETTINGS
}

_DISTANCES = ("path", "max_pair_distance", *EDGE_WEIGHTS, "max_ancestor_distance")
_BOUNDS = ("alpha_p", "beta_p", "alpha_t", "beta_t", "default_classes")
_ERROR: Mapping[str, Any] = {
    **cat.LOSS,
    "read": lambda c, options: c.error,
    "formula": _SUM,
    "derive": derive_error,
}
_ACCURACY: Mapping[str, Any] = {
    "read": accuracy,
    "formula": remove_marks(_FORMULA["union"]),
    "derive": derive_accuracy,
}

MEASURES = (
    Measure(
        **_ACCURACY,
        **cat.names("MGIA", "mgia_score", r"\mathrm{MGIA}", "Multi-label graph-induced accuracy"),
        structure=PAIRINGS["MGIA"],
        description="Each class is put into at least one pair, at the least cost. MGIA is 1 minus "
        "a ratio: this cost, divided by the cost without any pair.",
        source=cited("@kosmopoulos2015, Section 2.3.3"),
        options=("dmax", "normaliser", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        **cat.names("MGIA_error", "mgia_error", r"\mathrm{fnerror}", "MGIA error"),
        structure=PAIRINGS["MGIA"],
        description="The least cost of a pairing in which each class is in at least one pair.",
        source=cited("@kosmopoulos2015, Section 2.3.3"),
        options=("dmax", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        **cat.names("GIE", "graph_induced_error", r"\mathrm{GIE}", "Graph-induced error"),
        structure=PAIRINGS["GIE"],
        description="The least cost of a pairing in which each class is in one pair or stays "
        "alone.",
        source=cited("@kosmopoulos2015, Section 2.3.2"),
        options=("dmax", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        **cat.names("TIE", "tree_induced_error", r"\mathrm{TIE}", "Tree-induced error"),
        structure=PAIRINGS["TIE"],
        description="The distance between the predicted and the true class. Several classes are "
        "paired one to one, at the least total distance. The value is undefined unless both sides "
        "have equally many classes.",
        source=cited("@dekel2004; @kosmopoulos2015, Section 2.3.2"),
        options=_DISTANCES,
    ),
    Measure(
        **_ERROR,
        **cat.names("all_pairs", "all_pairs_error", r"\mathrm{AP}", "All pairs"),
        structure=PAIRINGS["all_pairs"],
        perfect_varies=True,
        description="The sum of the distances between every predicted and every true class. The "
        "value is undefined if one side is empty.",
        source=cited("@sun2001; @kosmopoulos2015, Section 2.3.2"),
        options=_DISTANCES,
    ),
    Measure(
        **_ERROR,
        **cat.names(
            "own_pairing", "own_pairing_error", r"\mathrm{PE}_{\mathrm{own}}", "Own pairing error"
        ),
        structure=PAIRINGS["own"],
        perfect_varies=True,
        description="The least cost of a pairing within your own bounds. The value is undefined if "
        "they cannot be met.",
        source=cited("@kosmopoulos2015, Problem 1"),
        options=(*_BOUNDS, "dmax", *_DISTANCES),
    ),
    Measure(
        **_ACCURACY,
        **cat.names(
            "own_accuracy",
            "own_pairing_score",
            r"\mathrm{PA}_{\mathrm{own}}",
            "Own pairing accuracy",
        ),
        structure=PAIRINGS["own"],
        low=None,
        perfect_varies=True,
        description="The own pairing error, turned into an accuracy as in MGIA.",
        source=cited("@kosmopoulos2015, Problem 1 and Section 2.3.3"),
        options=(*_BOUNDS, "dmax", "normaliser", "zero_division", *_DISTANCES),
    ),
)
