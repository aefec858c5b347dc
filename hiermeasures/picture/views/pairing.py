"""The view of pairings: curves between the classes of every pair with their distance, a badge at
those left alone, the flow network with its bounds, and how the cheapest pairing is picked.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import counted, named, number
from hiermeasures.measures.flow import FlowEdge
from hiermeasures.measures.pairs import Pair, PairingNetwork, ranked
from hiermeasures.picture.linked_table import PREDICTED, TRUE, Cell, Chip, Column, Row, Table, Text
from hiermeasures.picture.overlay import Badge, LegendEntry, Link, Overlay, marks_of, words_for
from hiermeasures.picture.views.flow_figure import flow_figure
from hiermeasures.picture.views.view import STEP_LEGEND, OptionField, View, ViewState, WalkStep

MOST_PAIRS_LISTED = 100  # in the table of a step
EACH_PAIR_UP_TO = 60  # with more pairs, one step passes over all that are not kept in a row
PAIRED = LegendEntry("link", "2", "a pair and its distance")
CONSIDERED = LegendEntry("link", "2", "considered, not paired", faint=True)
ALONE = LegendEntry("badge", "+5", "paired with a default class, and the cost")
ITSELF = LegendEntry("badge", "0", "paired with itself")


def pairs_overlay(
    network: PairingNetwork, explanation: Explanation, pairs: tuple[Pair, ...], considered: Pair | None = None
) -> Overlay:
    """Some pairs of a network, and one more that was considered and not taken."""
    links = [
        Link(p.predicted, p.true, number(p.cost), "pair")
        for p in pairs
        if p.predicted and p.true and p.predicted != p.true
    ]
    if considered is not None and considered.predicted and considered.true and considered not in pairs:
        links.append(Link(considered.predicted, considered.true, number(considered.cost), "considered"))
    badges = {
        p.predicted: Badge("0", "itself", "paired with itself at no cost")
        for p in pairs
        if p.predicted and p.predicted == p.true
    }
    alone = Counter(p.predicted or p.true or "" for p in pairs if not (p.predicted and p.true))
    badges |= {c: _alone_badge(times, network) for c, times in alone.items()}
    return Overlay(
        "Pairing",
        marks_of(explanation, explanation.true, explanation.predicted),
        words_for("ancestor"),
        badges,
        tuple(links),
        focus=frozenset(c for c in (considered.predicted, considered.true) if c) if considered else frozenset(),
        legend={"pair": PAIRED, "considered": CONSIDERED, "itself": ITSELF, "alone": ALONE} | STEP_LEGEND,
    )


def _alone_badge(times: int, network: PairingNetwork) -> Badge:
    cost = number(times * network.bounds.dmax)
    words = (
        f"paired with a default class at a cost of {cost}"
        if times == 1
        else f"paired {times} times with a default class, {cost} in all"
    )
    return Badge(f"+{cost}", "alone", words)


# --- the table of a step ------------------------------------------------------------------------


def pairs_so_far(network: PairingNetwork, looked_at: int) -> Table:
    """The pairs of classes, nearest first, and which of the first so many are kept."""
    between = edges_between(network)
    first = max(0, looked_at - MOST_PAIRS_LISTED)
    rows = tuple(
        Row(
            (
                (Chip(e.tail.label, PREDICTED),),
                (Chip(e.head.label, TRUE),),
                number(e.cost),
                _decided(network, e.flow, i < looked_at),
            ),
            (e.tail.label, e.head.label),
            None,
            i == looked_at - 1,
        )
        for i, e in enumerate(between)
    )[first:]
    columns = (Column("predicted"), Column("true"), Column("distance", "number"), Column("decided"))
    note = f"{first} earlier pairs are not listed." if first else ""
    return Table("The pairs of classes, the nearest first", columns, rows, note, compact=True)


def _decided(network: PairingNetwork, flow: int, looked_at: bool) -> Cell:
    if not looked_at or not network.feasible:
        return Text("–", faint=True)
    return Text("kept", strong=True) if flow else Text("not kept", faint=True)


# --- step by step -------------------------------------------------------------------------------


def walk(network: PairingNetwork, explanation: Explanation) -> Iterator[WalkStep]:
    """The steps that pick one of the cheapest pairings: the documented rule for ties, pair by pair.
    Nothing is solved again.

    What is decided is counted in pairs looked at, one more where all are and none is at hand.
    """

    def overlay_of(pairs: tuple[Pair, ...], considered: Pair | None = None) -> Callable[[], Overlay]:
        return partial(pairs_overlay, network, explanation, pairs, considered)

    def table_of(looked_at: int) -> Callable[[], Table]:
        return partial(pairs_so_far, network, looked_at)

    between = edges_between(network)
    yield WalkStep("Start", _about_bounds(network, len(between)), overlay_of(()), table_of(0))
    if not network.feasible:
        yield WalkStep("Result", f"{network.infeasible}, so there is no pairing.", overlay_of(()), table_of(0))
        return
    pairs: tuple[Pair, ...] = ()
    looked_at = 0
    for edges in _together(between):
        looked_at += len(edges)
        pair = Pair(edges[0].tail.label, edges[0].head.label, edges[0].cost)
        sentence = _about_many(edges) if len(edges) > 1 else _about_pair(network, edges[0], pairs)
        pairs += (pair,) if edges[0].flow else ()
        overlay = overlay_of(pairs, pair if len(edges) == 1 else None)
        yield WalkStep("Pairs, the nearest first", sentence, overlay, table_of(looked_at))
    everything = overlay_of(network.pairs), table_of(looked_at + 1)
    if alone := [p for p in network.pairs if not (p.predicted and p.true)]:
        yield WalkStep("Default classes", _about_alone(network, alone), *everything)
    yield WalkStep("Result", _about_result(network), *everything)


def edges_between(network: PairingNetwork) -> list[FlowEdge]:
    """The edges between classes, the shortest first."""
    return [network.edges[k] for k in ranked(network.edges)]


def _together(between: list[FlowEdge]) -> Iterator[list[FlowEdge]]:
    """The edges of one step: one, or of many all up to the next that is kept."""
    for carries_flow, group in groupby(between, key=lambda e: bool(e.flow)):
        edges = list(group)
        yield from ([e] for e in edges) if carries_flow or len(between) <= EACH_PAIR_UP_TO else [edges]


def _about_bounds(network: PairingNetwork, pairs: int) -> str:
    b = network.bounds
    cost = f"a default class stands in for a partner at a cost of {number(b.dmax)}"
    alone = "no class may stay alone" if b.dmax == float("inf") else cost
    return (
        f"A predicted class is in {_interval(b.alpha_p, b.beta_p)}, a true class in {_interval(b.alpha_t, b.beta_t)}; "
        f"{alone}. Of the cheapest ways to do so, one is picked by going through the {counted(pairs, 'pair')} of "
        "classes from the nearest on."
    )


def _interval(low: int, high: int) -> str:
    if low == high:
        return counted(low, "pair")
    return f"{low} to {counted(high, 'pair')}"


def _about_pair(network: PairingNetwork, edge: FlowEdge, before: tuple[Pair, ...]) -> str:
    p, t = edge.tail.label, edge.head.label
    words = f"{p} and {t}, distance {number(edge.cost)}: "
    if edge.flow:
        return words + "kept. Some cheapest pairing has this pair together with those kept before."
    if not edge.upper:
        return words + "forbidden, as it is longer than the longest pair allowed."
    b = network.bounds
    of_p, of_t = Counter(pair.predicted for pair in before)[p], Counter(pair.true for pair in before)[t]
    if of_p >= b.beta_p:
        return words + f"not kept. {p} is in {counted(of_p, 'pair')} already, the most it may be in (β_p)."
    if of_t >= b.beta_t:
        return words + f"not kept. {t} is in {counted(of_t, 'pair')} already, the most it may be in (β_t)."
    if of_p >= b.alpha_p and of_t >= b.alpha_t and edge.cost > 0:
        return words + "not kept. Both have all the partners they need, and one more would only cost more."
    return words + "not kept. No cheapest pairing has it together with those kept before."


def _about_many(edges: list[FlowEdge]) -> str:
    low, high = number(edges[0].cost), number(edges[-1].cost)
    distances = f"distance {low}" if low == high else f"distances {low} to {high}"
    why = "No cheapest pairing has one of them together with those kept before."
    return f"The next {counted(len(edges), 'pair')}, {distances}: none is kept. {why}"


def _about_alone(network: PairingNetwork, alone: list[Pair]) -> str:
    classes = Counter(p.predicted or p.true or "" for p in alone)
    return (
        f"What still needs a partner is paired with a default class, each time at a cost of "
        f"{number(network.bounds.dmax)}: {named(classes)}."
    )


def _about_result(network: PairingNetwork) -> str:
    terms = " + ".join(number(p.cost) for p in network.pairs) or "0"
    choice = (
        "No other pairing costs as little."
        if network.unique
        else "Another pairing costs the same; the rule above chose this one."
    )
    return f"All pairs together cost {terms} = {number(network.fnerror)}. {choice}"


# --- the bounds of the network ------------------------------------------------------------------

# The measures that bounds of one's own lead away from.
OWN = {"own_pairing": ("GIE", "TIE", "all_pairs", "MGIA_error"), "own_accuracy": ("MGIA",)}
BOUNDS = {
    "alpha_p": ("α_p least", "The fewest true classes a predicted class pairs with."),
    "beta_p": ("β_p most", "The most true classes a predicted class pairs with."),
    "alpha_t": ("α_t least", "The fewest predicted classes a true class pairs with."),
    "beta_t": ("β_t most", "The most predicted classes a true class pairs with."),
}


def _network(explanation: Explanation, at: ViewState) -> PairingNetwork:
    network: PairingNetwork = explanation.structure(at.structure)
    return network


def _with_defaults(explanation: Explanation, at: ViewState) -> bool:
    return not math.isinf(_network(explanation, at).bounds.dmax)


def _own_pairing(explanation: Explanation, at: ViewState, name: str, value: float) -> tuple[dict[str, Any], ViewState]:
    """The bounds shown, with one changed, as the options of one's own pairing."""
    shown = {bound: getattr(_network(explanation, at).bounds, bound) for bound in BOUNDS}
    options = shown | {"default_classes": _with_defaults(explanation, at)} | {name: value}
    own = "own_accuracy" if at.measure in ("MGIA", "own_accuracy") else "own_pairing"
    return options, replace(at, measure=own)


def _bound(name: str, label: str, about: str) -> OptionField:
    return OptionField(
        key=f"bound_{name}",
        label=label,
        help=about,
        limits=(0, 10_000),
        width=78,
        value=lambda explanation, at: getattr(_network(explanation, at).bounds, name),
        change=lambda explanation, at, value: _own_pairing(explanation, at, name, value),
    )


DMAX = OptionField(
    key="bound_dmax",
    label="D_max",
    help="What a pair with a default class costs.",
    limits=(0.01, 1e9),
    width=76,
    value=lambda explanation, at: explanation.options.dmax,
    change=lambda explanation, at, value: ({"dmax": value}, at),
    disabled=lambda explanation, at: not _with_defaults(explanation, at),
)
DEFAULT_CLASSES = OptionField(
    key="bound_defaults",
    label="default classes",
    help="Whether a class may stay without a partner at a cost of D_max.",
    value=_with_defaults,
    change=lambda explanation, at, value: _own_pairing(explanation, at, "default_classes", value),
)


def _about_own(explanation: Explanation, at: ViewState) -> str:
    """That the bounds are one's own, and what the measures give whose bounds they were."""
    if at.measure not in OWN:
        return ""
    beside = (f"{CATALOGUE[key].name} ({key}) {number(explanation[key])}" for key in OWN[at.measure])
    own = CATALOGUE[at.measure].name.lower()
    return f"The bounds are your own now: {own}. With the papers' bounds: {', '.join(beside)}."


# --- the view -----------------------------------------------------------------------------------


def _overlay(explanation: Explanation, at: ViewState) -> Overlay:
    network = _network(explanation, at)
    return pairs_overlay(network, explanation, network.pairs)


PAIRING = View(
    key="pairing",
    title="pairing",
    overlay=_overlay,
    panel=lambda explanation, at, overlay: flow_figure(_network(explanation, at)),
    walk=lambda explanation, at: tuple(walk(_network(explanation, at), explanation)),
    note=_about_own,
    fields=(*(_bound(name, *words) for name, words in BOUNDS.items()), DMAX, DEFAULT_CLASSES),
)
