"""Pair-based measures (Kosmopoulos et al. 2015, Section 2.3): true and predicted classes are paired
at the least total cost.

All of them are Problem 1 with different bounds, built here as the flow network of Figures 3–6 and
solved in flow.py: the tree-induced error, all pairs, GIE, MGIA, and a pairing of a person's own.
Distances come from the hierarchy.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hiermeasures.core.hierarchy import same_cost
from hiermeasures.core.options import EDGE_WEIGHTS, Options
from hiermeasures.measures.catalogue import (
    LOSS,
    Derivation,
    Family,
    Instance,
    Measure,
    Structure,
    cited,
    counted,
    gone_and_new,
    latex_text,
    named,
    number,
    ratio,
)
from hiermeasures.measures.flow import FlowEdge, FlowNode, NodeKind, cheapest_flow, left_short

SOURCE = FlowNode("source", "source")
DEFAULT_PREDICTED = FlowNode("default predicted", "DP")
DEFAULT_TRUE = FlowNode("default true", "DT")
SINK = FlowNode("sink", "sink")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Bounds on the number of pairs of a class (Problem 1): at least alpha, at most beta; on the
    predicted side (p) and the true side (t).

    A pair with a default class costs `dmax`, infinity where there are no default classes; a class
    may be in up to `default_p` (`default_t`) of those. `circulation` is the interval of the edge
    from sink to source, which binds nothing.
    """

    alpha_p: int = 1
    beta_p: int = 1
    alpha_t: int = 1
    beta_t: int = 1
    dmax: float
    default_p: int = 1
    default_t: int = 1
    circulation: tuple[int, int]


@dataclass(frozen=True)
class Pair:
    """A predicted and a true class that are paired, and the cost; None for a default class."""

    predicted: str | None
    true: str | None
    cost: float


@dataclass(frozen=True)
class PairingNetwork:
    """A solved flow network: Figures 3–6 can be drawn from `nodes` and `edges` alone.

    `pairs` are the edges between classes that carry flow, those with a default class last (and once
    for every unit of flow); `fnerror` is what they cost together. `unique` says whether this is the
    only pairing that costs as little; otherwise it is chosen as described at `pairing`. Where the
    bounds cannot be met, `infeasible` says why, there are no pairs and no flow, and `fnerror` is
    nan.
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
    infeasible: str | None = None

    @property
    def feasible(self) -> bool:
        """True where the bounds can be met."""
        return self.infeasible is None


# --- settings: the measures as bounds -------------------------------------------------------------
# m predicted and n true classes. A side without classes counts as one where a bound is the other
# side's size: its default class is still there to be paired with (and where there is none, nothing
# can be).


def tie_bounds(m: int, n: int, options: Options) -> Bounds:
    """Each class in exactly one pair, no default classes (Figure 4)."""
    return Bounds(dmax=math.inf, circulation=(m, n + m))


def all_pairs_bounds(m: int, n: int, options: Options) -> Bounds:
    """Each class with every class of the other side, no default classes."""
    p, t = max(n, 1), max(m, 1)
    every: dict[str, Any] = {"alpha_p": p, "beta_p": p, "alpha_t": t, "beta_t": t, "default_p": p, "default_t": t}
    return Bounds(**every, dmax=math.inf, circulation=(0, t * n + p * m))


def gie_bounds(m: int, n: int, options: Options) -> Bounds:
    """Each class in exactly one pair, which may be with a default class (Figure 5)."""
    return Bounds(dmax=options.dmax, circulation=(m, n + m))


def mgia_bounds(m: int, n: int, options: Options) -> Bounds:
    """Each class in at least one pair, which may be with a default class (Figure 6)."""
    return Bounds(beta_p=max(n, 1), beta_t=max(m, 1), dmax=options.dmax, circulation=(m, max(m * (n + 1), n)))


def own_bounds(m: int, n: int, options: Options) -> Bounds:
    """The bounds set in the options, 1 where none is set (Figure 3)."""
    names = ("alpha_p", "beta_p", "alpha_t", "beta_t")
    given: dict[str, Any] = {name: 1 if getattr(options, name) is None else getattr(options, name) for name in names}
    beta_p, beta_t = given["beta_p"], given["beta_t"]
    dmax, circulation = options.dmax if options.default_classes else math.inf, (0, beta_t * n + beta_p * m)
    return Bounds(**given, dmax=dmax, default_p=beta_p, default_t=beta_t, circulation=circulation)


SETTINGS: Mapping[str, Callable[[int, int, Options], Bounds]] = {
    "TIE": tie_bounds,
    "all_pairs": all_pairs_bounds,
    "GIE": gie_bounds,
    "MGIA": mgia_bounds,
    "own": own_bounds,
}


# --- builder --------------------------------------------------------------------------------------


def pairing(instance: Instance, name: str) -> PairingNetwork:
    """The flow network of a setting in SETTINGS, solved.

    Of several cheapest pairings one is chosen by this rule: go through the pairs by their distance,
    equal ones by the place of the predicted class in the hierarchy, then of the true one, and keep
    each that some cheapest pairing has together with those kept before. So a class that is both
    true and predicted pairs with itself wherever that costs no more.

    Parameters
    ----------
    instance : Instance
        Option `max_pair_distance` takes the pairs that are longer out of the network (capacity [0;
        0]).
    name : str
        "TIE", "all_pairs", "GIE", "MGIA" or "own".

    Examples
    --------
    Figure 11(a):

    >>> from hiermeasures.core.hierarchy import Hierarchy
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> network = pairing(Instance(h, frozenset({"T1"}), frozenset({"P1", "P2"}), Options()), "GIE")
    >>> [(pair.predicted, pair.true) for pair in network.pairs], network.fnerror, network.unique
    ([('P1', 'T1'), ('P2', None)], 7.0, False)
    """
    place = instance.hierarchy.index
    predicted, true = (tuple(sorted(labels, key=place)) for labels in (instance.predicted, instance.true))
    bounds = SETTINGS[name](len(predicted), len(true), instance.options)
    nodes = (SOURCE, *_nodes("predicted", predicted), DEFAULT_PREDICTED, *_nodes("true", true), DEFAULT_TRUE, SINK)
    edges = tuple(_edges(instance, bounds, predicted, true))
    known: dict[str, Any] = {"name": name, "bounds": bounds, "predicted": predicted, "true": true, "nodes": nodes}
    above = _bound_above_another(bounds, predicted, true)
    solved = None if above else cheapest_flow(edges, ranked(edges))
    if solved is None:
        reason = above or _unmet(instance, bounds, predicted, true)
        return PairingNetwork(**known, edges=edges, pairs=(), fnerror=math.nan, unique=False, infeasible=reason)
    pairs = tuple(_pairs(solved.edges))
    fnerror = math.fsum(pair.cost for pair in pairs)
    return PairingNetwork(**known, edges=solved.edges, pairs=pairs, fnerror=fnerror, unique=solved.unique)


def _nodes(kind: NodeKind, labels: Sequence[str]) -> tuple[FlowNode, ...]:
    return tuple(FlowNode(kind, label) for label in labels)


def _edges(instance: Instance, bounds: Bounds, predicted: Sequence[str], true: Sequence[str]) -> Iterator[FlowEdge]:
    """The edges of Figure 3, from the source's side to the sink's."""
    p_nodes, t_nodes = _nodes("predicted", predicted), _nodes("true", true)
    for p in p_nodes:
        yield FlowEdge(SOURCE, p, bounds.alpha_p, bounds.beta_p)
    yield FlowEdge(SOURCE, DEFAULT_PREDICTED, 0, bounds.default_t * len(true))
    for p in p_nodes:
        for t in t_nodes:
            distance = instance.distances[p.label, t.label]
            yield FlowEdge(p, t, 0, int(_allowed(distance, instance.options)), distance)
        yield FlowEdge(p, DEFAULT_TRUE, 0, bounds.default_p, bounds.dmax)
    for t in t_nodes:
        yield FlowEdge(DEFAULT_PREDICTED, t, 0, bounds.default_t, bounds.dmax)
    for t in t_nodes:
        yield FlowEdge(t, SINK, bounds.alpha_t, bounds.beta_t)
    yield FlowEdge(DEFAULT_TRUE, SINK, 0, bounds.default_p * len(predicted))
    yield FlowEdge(SINK, SOURCE, *bounds.circulation)


def _allowed(distance: float, options: Options) -> bool:
    longest = options.max_pair_distance
    return longest is None or distance <= longest or same_cost(distance, longest)


def ranked(edges: Sequence[FlowEdge]) -> list[int]:
    """The places of the pairs of classes, the nearest first; equally near ones as they come, which
    is in the order of the hierarchy. Ties are broken so wherever pairs have an order.
    """
    between = [k for k, e in enumerate(edges) if e.tail.kind == "predicted" and e.head.kind == "true"]
    return sorted(between, key=lambda k: round(edges[k].cost, 9))


def _pairs(edges: Sequence[FlowEdge]) -> Iterator[Pair]:
    used = [e for e in edges if e.flow]
    for e in used:
        if e.tail.kind == "predicted" and e.head.kind == "true":
            yield Pair(e.tail.label, e.head.label, e.cost)
    for e in used:
        if e.tail.kind == "predicted" and e.head == DEFAULT_TRUE:
            yield from [Pair(e.tail.label, None, e.cost)] * e.flow
    for e in used:
        if e.tail == DEFAULT_PREDICTED and e.head.kind == "true":
            yield from [Pair(None, e.head.label, e.cost)] * e.flow


# --- bounds that cannot be met --------------------------------------------------------------------


def _bound_above_another(bounds: Bounds, predicted: Sequence[str], true: Sequence[str]) -> str | None:
    p_side, t_side = ("p", predicted, bounds.alpha_p, bounds.beta_p), ("t", true, bounds.alpha_t, bounds.beta_t)
    for side, classes, alpha, beta in (p_side, t_side):
        if classes and alpha > beta:
            most = counted(beta, "pair")
            return f"α_{side} = {alpha} cannot be met, because β_{side} = {beta} allows no more than {most}"
    return None


def _unmet(instance: Instance, bounds: Bounds, predicted: Sequence[str], true: Sequence[str]) -> str:
    """The bound that cannot be met: if each side's can, both can (Ford and Fulkerson 1962)."""
    allowed = [pair for pair, distance in instance.distances.items() if _allowed(distance, instance.options)]
    of_p = {p: [t for t in true if (p, t) in allowed] for p in predicted}
    short = left_short(of_p, bounds.alpha_p, bounds.beta_t)
    if short:
        return _too_few(instance, bounds, "p", {p: of_p[p] for p in short})
    of_t = {t: [p for p in predicted if (p, t) in allowed] for t in true}
    short = left_short(of_t, bounds.alpha_t, bounds.beta_p)
    return _too_few(instance, bounds, "t", {t: of_t[t] for t in short})


def _too_few(instance: Instance, bounds: Bounds, side: str, short: Mapping[str, Sequence[str]]) -> str:
    """The sentence about a group of classes for which the other side has too little room."""
    kind, other_kind, other_side = ("predicted", "true", "t") if side == "p" else ("true", "predicted", "p")
    alpha, beta = getattr(bounds, f"alpha_{side}"), getattr(bounds, f"beta_{other_side}")
    longest = instance.options.max_pair_distance
    within = "" if longest is None else f" within distance {number(longest)}"
    partners = Counter(other for others in short.values() for other in others)
    room = sum(min(beta, times) for times in partners.values())
    noun, verb = ("class", "needs") if len(short) == 1 else ("classes", "need")
    who = f"the {kind} {noun} {named(short)} {verb}"
    others = f"{counted(len(partners), f'{other_kind} class', f'{other_kind} classes')}{within}"
    has_room = f"{others} {'has' if len(partners) == 1 else 'have'} room for {room} (β_{other_side} = {beta})"
    found = has_room if partners else f"there is no {other_kind} class{within}"
    return f"α_{side} = {alpha} cannot be met: {who} {counted(alpha * len(short), 'partner')}, but {found}"


# --- what is read off -----------------------------------------------------------------------------


def error(c: Any, options: Options) -> Any:
    """The cost of all pairs together; nan where the bounds cannot be met."""
    return c.error


def accuracy(c: Any, options: Options) -> Any:
    """1 − fnerror / (|classes| · D_max) over the classes that `normaliser` names; nan unpaired.

    Where there are no such classes, as with equal sets and the symmetric difference, pairs that
    cost nothing are perfect (1.0). Pairs that cost something all the same, because own bounds make
    a class pair with more than itself, are a share of nothing: the ratio is undefined, and the
    value is `zero_division`.
    """
    classes = c.union if options.normaliser == "union" else c.symmetric_difference
    most = classes * options.dmax
    value = ratio(most - c.error, most, options, agree=c.error == 0)
    return value + 0 * c.error  # nan stays nan where there are no classes


def normalising_classes(network: PairingNetwork, normaliser: str) -> int:
    """|P ∪ T| ("union") or |(P ∪ T) \\ (P ∩ T)| ("symmetric_difference"): two readings."""
    predicted, true = set(network.predicted), set(network.true)
    return len(predicted | true if normaliser == "union" else predicted ^ true)


# --- derivations ----------------------------------------------------------------------------------

_MOST_SHOWN = 8


def derive_error(network: PairingNetwork, value: float, options: Options) -> Derivation:
    if not network.feasible:
        return Derivation(r"\text{no pairing meets the bounds}", f"There is no value. {network.infeasible}.")
    terms = " + ".join(_term(pair) for pair in network.pairs[:_MOST_SHOWN]) or "0"
    dots = r" + \cdots" if len(network.pairs) > _MOST_SHOWN else ""
    return Derivation(
        rf"\sum_{{i,j}} \kappa_{{ij}}\, x_{{ij}} = {terms}{dots} = {number(value)}",
        f"{_pairs_in_words(network)}.{_choice(network)}",
    )


def derive_accuracy(network: PairingNetwork, value: float, options: Options) -> Derivation:
    if not network.feasible:
        return derive_error(network, value, options)
    chosen = normalising_classes(network, options.normaliser)
    filled = rf"1 - \frac{{{number(network.fnerror)}}}{{{chosen} \cdot {number(options.dmax)}}} = " if chosen else ""
    by_union, by_difference = (_calculation(network, options, kind) for kind in ("union", "symmetric_difference"))
    return Derivation(
        rf"{_FORMULA[options.normaliser]} = {filled}{number(value)}",
        f"{_pairs_in_words(network)}. Over the classes of both sides together that is {by_union}; over those of one "
        f"side only, the other reading of the printed formula, {by_difference}.{_choice(network)}",
    )


_FORMULA = {
    "union": r"1 - \frac{\mathit{fnerror}}{|P \cup T| \cdot D_{\max}}",
    "symmetric_difference": r"1 - \frac{\mathit{fnerror}}{|(P \cup T) \setminus (P \cap T)| \cdot D_{\max}}",
}


def _calculation(network: PairingNetwork, options: Options, normaliser: str) -> str:
    classes = normalising_classes(network, normaliser)
    value = number(
        accuracy(PAIRINGS[network.name].read(network, options), options.model_copy(update={"normaliser": normaliser}))
    )
    if not classes:
        return f"{value} (there are none)"
    return f"1 − {number(network.fnerror)} / ({classes} · {number(options.dmax)}) = {value}"


def _term(pair: Pair) -> str:
    predicted = latex_text(pair.predicted) if pair.predicted is not None else r"\mathrm{DP}"
    true = latex_text(pair.true) if pair.true is not None else r"\mathrm{DT}"
    return rf"\underbrace{{{number(pair.cost)}}}_{{{predicted},\,{true}}}"


def _pairs_in_words(network: PairingNetwork) -> str:
    """The pairs in words, without the closing point."""
    if not network.pairs:
        return "There is nothing to pair" if not (network.true or network.predicted) else "Nothing is paired"
    parts = [_pair_in_words(pair) for pair in network.pairs if pair.predicted is not None and pair.true is not None]
    partnered = {
        c for pair in network.pairs if pair.true and pair.predicted for c in (("p", pair.predicted), ("t", pair.true))
    }
    alone = Counter(
        (("p", p.predicted) if p.predicted else ("t", p.true)) for p in network.pairs if not (p.predicted and p.true)
    )
    parts += [
        f"{c} {'lacks ' + counted(times, 'partner') if (side, c) in partnered else 'has no partner'} "
        f"and costs {number(times * network.bounds.dmax)}"
        for (side, c), times in alone.items()
    ]
    rest = len(parts) - _MOST_SHOWN
    return "; ".join(parts[:_MOST_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")


def _pair_in_words(pair: Pair) -> str:
    if pair.true == pair.predicted:
        return f"{pair.true} pairs with itself"
    return f"{pair.true} pairs with {pair.predicted} at distance {number(pair.cost)}"


def _choice(network: PairingNetwork) -> str:
    return "" if network.unique else " Another pairing costs the same."


# --- changes ---


def changes(before: PairingNetwork, after: PairingNetwork, options: Options) -> list[str]:
    """Say which pairs came and went, and what they cost together."""
    for network, when in ((after, "now"), (before, "before")):
        if not network.feasible:
            return [f"{when} there is no pairing: {network.infeasible}"]
    parts = gone_and_new(before.pairs, after.pairs, ("gone", "new"), _with_partner)
    if parts:
        cost = [number(network.fnerror) for network in (before, after)]
        parts.append(
            f"all pairs together still cost {cost[1]}"
            if cost[0] == cost[1]
            else f"all pairs together cost {cost[1]} instead of {cost[0]}"
        )
    sizes = [len(set(n.predicted) | set(n.true)) for n in (before, after)]
    if sizes[0] != sizes[1]:
        parts.append(f"predicted and true are {counted(sizes[1], 'class', 'classes')} together instead of {sizes[0]}")
    if parts and not (before.unique and after.unique):
        parts.append("other pairs would cost as little")
    return parts


def _with_partner(pair: Pair) -> str:
    if pair.predicted is None or pair.true is None:
        return f"{pair.predicted or pair.true} with a default class ({number(pair.cost)})"
    partner = "itself" if pair.predicted == pair.true else pair.true
    return f"{pair.predicted} with {partner} ({number(pair.cost)})"


# --- declarations ---------------------------------------------------------------------------------

_FAMILY = Family(
    key="pairs",
    title="Pairing",
    description="True and predicted classes are paired at the least total cost; what stays alone costs D_max.",
    rank=3,
    exercises=("GIE", "MGIA", "TIE", "all_pairs"),
)


PAIRINGS: Mapping[str, Structure[PairingNetwork]] = {
    name: Structure(
        key=f"pairing_{name}",
        family=_FAMILY,
        build=partial(pairing, name=name),
        columns=("error", "union", "symmetric_difference"),
        meanings=("what all pairs cost", "classes on either side", "classes on one side only"),
        row=lambda network, options: (
            network.fnerror,
            normalising_classes(network, "union"),
            normalising_classes(network, "symmetric_difference"),
        ),
        view="pairing",
        changes=changes,
        whole=False,
    )
    for name in SETTINGS
}

_DISTANCES = ("path", "max_pair_distance", *EDGE_WEIGHTS, "max_ancestor_distance")
_BOUNDS = ("alpha_p", "beta_p", "alpha_t", "beta_t", "default_classes")
_SUM = r"\sum_{i,j} \kappa_{ij}\, x_{ij}"
_ERROR: Mapping[str, Any] = {**LOSS, "read": error, "formula": _SUM, "derive": derive_error}
_ACCURACY: Mapping[str, Any] = {"read": accuracy, "formula": _FORMULA["union"], "derive": derive_accuracy}

MEASURES = (
    Measure(
        **_ACCURACY,
        key="MGIA",
        function="mgia_score",
        symbol=r"\mathrm{MGIA}",
        name="Multi-label graph-induced accuracy",
        structure=PAIRINGS["MGIA"],
        description="One minus the least cost of putting each class into at least one pair, as a share of the cost "
        "of pairing none.",
        source=cited("@kosmopoulos2015, Section 2.3.3"),
        options=("dmax", "normaliser", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        key="MGIA_error",
        function="mgia_error",
        symbol=r"\mathit{fnerror}",
        name="MGIA error",
        structure=PAIRINGS["MGIA"],
        description="The cost of the pairing behind MGIA: each class is in at least one pair.",
        source=cited("@kosmopoulos2015, Section 2.3.3"),
        options=("dmax", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        key="GIE",
        function="graph_induced_error",
        symbol=r"\mathrm{GIE}",
        name="Graph-induced error",
        structure=PAIRINGS["GIE"],
        description="The cost of the best pairing in which each class is in exactly one pair or stays alone.",
        source=cited("@kosmopoulos2015, Section 2.3.2"),
        options=("dmax", *_DISTANCES),
    ),
    Measure(
        **_ERROR,
        key="TIE",
        function="tree_induced_error",
        symbol=r"\mathrm{TIE}",
        name="Tree-induced error",
        structure=PAIRINGS["TIE"],
        description="The distance between the predicted class and the true one; of several, paired one to "
        "one, the least total. Undefined unless both sides have equally many classes.",
        source=cited("@dekel2004; @kosmopoulos2015, Section 2.3.2"),
        options=_DISTANCES,
    ),
    Measure(
        **_ERROR,
        key="all_pairs",
        function="all_pairs_error",
        symbol=r"\mathrm{AP}",
        name="All pairs",
        structure=PAIRINGS["all_pairs"],
        perfect_varies=True,
        description="The distances between every predicted and every true class, summed. There is no value "
        "where one side is empty.",
        source=cited("@sun2001; @kosmopoulos2015, Section 2.3.2"),
        options=_DISTANCES,
    ),
    Measure(
        **_ERROR,
        key="own_pairing",
        function="own_pairing_error",
        symbol=r"\mathrm{PE}_{\mathrm{own}}",
        name="Own pairing error",
        structure=PAIRINGS["own"],
        perfect_varies=True,
        description="The cost of the best pairing within bounds of your own. There is no value where they "
        "cannot be met.",
        source=cited("@kosmopoulos2015, Problem 1"),
        options=(*_BOUNDS, "dmax", *_DISTANCES),
    ),
    Measure(
        **_ACCURACY,
        key="own_accuracy",
        function="own_pairing_score",
        symbol=r"\mathrm{PA}_{\mathrm{own}}",
        name="Own pairing accuracy",
        structure=PAIRINGS["own"],
        low=None,
        perfect_varies=True,
        description="The error of your own pairing turned into an accuracy as MGIA does.",
        source=cited("@kosmopoulos2015, Problem 1 and Section 2.3.3"),
        options=(*_BOUNDS, "dmax", "normaliser", "zero_division", *_DISTANCES),
    ),
)
