"""Pair-based measures: true and predicted classes are paired at the least total cost.

Kosmopoulos et al. 2015, Section 2.3. All of them are Problem 1 with different bounds: the
tree-induced error, all pairs, GIE, MGIA, and a pairing with your own bounds. This module builds the
problem as the flow network of Figures 3–6. Distances come from the hierarchy, and networkx's
network simplex finds the cheapest flow.
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
    """An edge: its capacity interval, the cost of one unit of flow, and its flow after solving.

    An edge with infinite cost is never used.
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
    """Return the edges with the cheapest flow, and whether it is the only cheapest one.

    The flow stays in every interval and is conserved at every node. The result is None if there is
    no such flow. Between two nodes there is at most one edge in each direction, and upper
    capacities are finite.

    `ranked` are the places of the edges that distinguish flows, best first. Their upper capacity is
    at most 1. Of several cheapest flows, the result is the one that uses the best edge, then the
    next best edge, and so on. Two flows cost the same if they differ by at most the longest ranked
    edge's cost times 1e-12. Rounding in the sum of edge weights is smaller than that.

    Examples
    --------
    >>> a, b = FlowNode("source", "a"), FlowNode("sink", "b")
    >>> edges = [FlowEdge(a, b, 0, 1, 5.0), FlowEdge(b, a, 1, 2)]
    >>> [e.flow for e in cheapest_flow(edges, [0])[0]]
    [1, 1]
    """
    usable = [k for k, e in enumerate(edges) if max(e.lower, e.upper) > 0 and e.cost < math.inf]
    chosen = [edges[k] for k in usable]
    # networkx needs whole numbers: costs in units of the smallest power of two in any of them,
    # which is exact
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
        # a rank is worth more than all below it together
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
    """Return the flow on each edge. Lower bounds are sent first, and the demands compensate for
    them.
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
    """Return the edges whose flow is different in another flow that is cheapest up to the slack.

    Two cheapest flows differ by cycles of the residual network with cost 0. The cost of a cycle is
    the sum of the reduced costs along it, and no reduced cost is negative. So these cycles are
    inside a strongly connected component of the edges with reduced cost 0.
    """
    import networkx as nx

    priced = list(enumerate(zip(edges, costs, strict=True)))
    residual = [(k, e.tail, e.head, c) for k, (e, c) in priced if flow[k] < e.upper]
    residual += [(k, e.head, e.tail, -c) for k, (e, c) in priced if flow[k] > e.lower]
    # node potentials under which no residual edge has a negative reduced cost (Bellman-Ford)
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
    """Return the smallest group of classes that cannot all get `alpha` partners, if each takes
    `beta`.

    It is empty if all classes can. The group is the far side of a minimum cut (Hall's condition for
    pairings with capacities).

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
    `dmax`, or infinity if there are no default classes. A class may be in up to `default_p`
    (`default_t`) of these pairs. `circulation` is the interval of the edge from sink to source. It
    limits nothing.
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
"""Each measure as bounds, for m predicted and n true classes: one pair for each class and no
default classes (Figure 4), every pair, one pair or a default class (Figure 5), one pair at least
(Figure 6), those of the options (Figure 3). A side without classes counts as one where a bound is
the other side's size: its default class is still there to be paired with.
"""


@dataclass(frozen=True)
class Pair:
    """A paired predicted and true class, and the cost. None means a default class."""

    predicted: str | None
    true: str | None
    cost: float


@dataclass(frozen=True)
class PairingNetwork:
    """A solved flow network. `nodes` and `edges` are enough to draw Figures 3–6.

    `pairs` are the edges between classes that carry flow. Pairs with a default class come last,
    once for every unit of flow. `fnerror` is the total cost. `unique` says whether this is the only
    cheapest pairing; if not, it is chosen by the rule of `pairing`. If the bounds cannot be met,
    `infeasible` says why, there are no pairs and no flow, and `fnerror` is nan. `routes` has the
    edges of the distance of every (predicted, true) pair.
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

    Several pairings may be cheapest. Then pairs are looked at in the order of their distance. Equal
    distances are ordered by the place of the predicted class in the hierarchy, then of the true
    class. A pair is kept if some cheapest pairing has it together with all pairs kept before. So a
    class that is both true and predicted pairs with itself, unless that costs more. The option
    `max_pair_distance` takes longer pairs out of the network (capacity [0; 0]).

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
    """Return the places of the pairs of classes, the nearest first. Ties follow the hierarchy's
    order.

    All orders of pairs break ties like this.
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
    """Explain which bound cannot be met. If each side's can be met, both can (Ford and Fulkerson
    1962).
    """
    sides = (("p", "predicted", predicted), ("t", "true", true))
    alpha, beta = (
        {s: getattr(bounds, f"{bound}_{s}") for s in "pt"} for bound in ("alpha", "beta")
    )
    for side, _, classes in sides:
        if classes and alpha[side] > beta[side]:
            most = write_count(beta[side], "pair")
            return f"α_{side} = {alpha[side]} cannot be met, because β_{side} = {beta[side]} allows no more than {most}"
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
            found = f"there is no {other_kind} class{within}"
            if room:
                many = write_count(len(room), f"{other_kind} class")
                free = sum(min(beta[other], times) for times in room.values())
                has_room = f"{agree(len(room), 'has')} room for {free}"
                found = f"{many}{within} {has_room} (β_{other} = {beta[other]})"
            return f"α_{side} = {alpha[side]} cannot be met: {needed}, but {found}"
    raise AssertionError("there is a pairing")


def accuracy(c: Any, options: Options) -> Any:
    """Return 1 − fnerror / (|classes| · D_max) over the classes that `normaliser` names; nan if
    unpaired.

    The set of these classes may be empty, for example with equal sets and the symmetric difference.
    Then pairs that cost nothing are perfect (1.0). Pairs may still cost something, if own bounds
    pair a class with more than itself. Then the ratio is undefined, and the value is
    `zero_division`.
    """
    most = (c.union if options.normaliser == "union" else c.symmetric_difference) * options.dmax
    value = cat.ratio(most - c.error, most, options, agree=c.error == 0)
    return value + 0 * c.error  # nan stays nan where there are no classes


_MOST_SHOWN = 8


def derive_error(network: PairingNetwork, value: float, options: Options) -> Derivation:
    if not network.feasible:
        return Derivation(
            r"\text{no pairing meets the bounds}", f"There is no value. {network.infeasible}."
        )
    shown = enumerate(network.pairs[:_MOST_SHOWN])
    terms = " + ".join(mark_term(f"pair{k}", _term(pair)) for k, pair in shown) or "0"
    dots = r" + \cdots" if len(network.pairs) > _MOST_SHOWN else ""
    return Derivation(
        f"{mark_term('error', _SUM)} = {terms}{dots} = {number(value)}",
        f"{_pairs_in_words(network)}.{_choice(network)}",
    )


def derive_accuracy(network: PairingNetwork, value: float, options: Options) -> Derivation:
    if not network.feasible:
        return derive_error(network, value, options)
    row = PAIRINGS[network.name].read(network, options)
    error, dmax, said = number(network.fnerror), number(options.dmax), {}
    for kind in ("union", "symmetric_difference"):
        classes = getattr(row, kind)
        read = number(accuracy(row, options.with_values(normaliser=kind)))
        said[kind] = (
            f"1 − {error} / ({classes} · {dmax}) = {read}"
            if classes
            else f"{read} (there are none)"
        )
    chosen = getattr(row, options.normaliser)
    sizes = mark_term("error", error), mark_term(options.normaliser, chosen)
    filled = rf"1 - \frac{{{sizes[0]}}}{{{sizes[1]} \cdot {dmax}}} = " if chosen else ""
    return Derivation(
        f"{_FORMULA[options.normaliser]} = {filled}{number(value)}",
        f"{_pairs_in_words(network)}.{_readings(said)}{_choice(network)}",
    )


def _readings(said: Mapping[str, str]) -> str:
    """Explain both readings of the printed formula if they give different values."""
    if said["union"] == said["symmetric_difference"]:
        return ""
    return (
        f" Over the classes of both sides together that is {said['union']}; over those of one "
        f"side only, the other reading of the printed formula, {said['symmetric_difference']}."
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
            "There is nothing to pair"
            if not (network.true or network.predicted)
            else "Nothing is paired"
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
    for network, when in ((after, "now"), (before, "before")):
        if not network.feasible:
            return [f"{when} there is no pairing: {network.infeasible}"]
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
            f"predicted and true are {write_count(sizes[1], 'class')} together instead of "
            f"{sizes[0]}"
        )
    if parts and not (before.unique and after.unique):
        parts.append("other pairs would cost as little")
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
        meanings=("what all pairs cost", "classes on either side", "classes on one side only"),
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
        description="One minus the least cost of putting each class into at least one pair, as a "
        "share of the cost of pairing none.",
        source=cited("@kosmopoulos2015, Section 2.3.3"),
        options=("dmax", "normaliser", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        **cat.names("MGIA_error", "mgia_error", r"\mathrm{fnerror}", "MGIA error"),
        structure=PAIRINGS["MGIA"],
        description="The cost of the pairing behind MGIA: each class is in at least one pair.",
        source=cited("@kosmopoulos2015, Section 2.3.3"),
        options=("dmax", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        **cat.names("GIE", "graph_induced_error", r"\mathrm{GIE}", "Graph-induced error"),
        structure=PAIRINGS["GIE"],
        description="The cost of the best pairing in which each class is in exactly one pair or "
        "stays alone.",
        source=cited("@kosmopoulos2015, Section 2.3.2"),
        options=("dmax", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        **cat.names("TIE", "tree_induced_error", r"\mathrm{TIE}", "Tree-induced error"),
        structure=PAIRINGS["TIE"],
        description="The distance between the predicted class and the true one; of several, "
        "paired one to "
        "one, the least total. Undefined unless both sides have equally many classes.",
        source=cited("@dekel2004; @kosmopoulos2015, Section 2.3.2"),
        options=_DISTANCES,
    ),
    Measure(
        **_ERROR,
        **cat.names("all_pairs", "all_pairs_error", r"\mathrm{AP}", "All pairs"),
        structure=PAIRINGS["all_pairs"],
        perfect_varies=True,
        description="The distances between every predicted and every true class, summed. There is "
        "no value where one side is empty.",
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
        description="The cost of the best pairing within bounds of your own. There is no value "
        "where they cannot be met.",
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
        description="The error of your own pairing turned into an accuracy as MGIA does.",
        source=cited("@kosmopoulos2015, Problem 1 and Section 2.3.3"),
        options=(*_BOUNDS, "dmax", "normaliser", "zero_division", *_DISTANCES),
    ),
)
