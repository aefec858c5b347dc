"""The view of pairings: curves between the classes of every pair with their distance, a badge at
those left alone, how the cheapest pairing is picked, and the flow network with its bounds.

The network is drawn as Figures 3–6 of Kosmopoulos et al. 2015, from the structure alone. Source,
predicted classes, true classes and sink stand in columns, the default classes below their side.
Every edge carries its capacity interval, those between classes their cost too; what flow uses is
bold. Python places everything, flow_figure.js draws it.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, ClassVar, Literal

from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import counted, named, number
from hiermeasures.measures.pairs import FlowEdge, FlowNode, Pair, PairingNetwork, ranked
from hiermeasures.picture import scene
from hiermeasures.picture.overlay import Badge, LegendEntry, Link, Overlay, marks_of, words_for
from hiermeasures.picture.panel import (
    PREDICTED,
    STEP_LEGEND,
    TRUE,
    Chip,
    Column,
    OptionField,
    Row,
    Table,
    Text,
    View,
    ViewState,
    WalkStep,
)
from hiermeasures.picture.scene import LegendLine, Scene, Shape, SideRole, shown_label, shown_title, text_width

WIDTH = 700.0
COLUMNS = {
    "source": 36.0,
    "predicted": 188.0,
    "default predicted": 188.0,
    "true": 512.0,
    "default true": 512.0,
    "sink": 664.0,
}
ROW = 52.0
CLOSER_ROW = 34.0
MANY_ROWS = 5  # with more rows than this, idle edges between classes show their text only under the mouse
MARGIN = 20.0
MOST_CLASSES = 12
NOTE = "On an edge: [least;most] flow, cost, and ×flow where it is used (bold). DP and DT are the default classes."


@dataclass(frozen=True)
class FigureNode:
    """A node of the figure. `label` is what is written, `node` what it stands for."""

    node: FlowNode
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class FigureEdge:
    """An edge of the figure; its text begins, is centred or ends (`anchor`) at (text_x, text_y).

    `interval` is its capacity interval, `cost` empty where there is none. A quiet text is shown
    only under the mouse.
    """

    edge: FlowEdge
    start: tuple[float, float]
    end: tuple[float, float]
    text_x: float
    text_y: float
    anchor: Literal["start", "middle", "end"]
    interval: str
    cost: str
    quiet: bool

    @property
    def used(self) -> bool:
        return self.edge.flow > 0

    @property
    def kind(self) -> str:
        return "pair" if self.used else "considered"


@dataclass(frozen=True)
class FlowFigure:
    """The whole figure. `left_out` counts classes that found no room, with their edges."""

    component: ClassVar[str] = "flow"

    nodes: tuple[FigureNode, ...]
    edges: tuple[FigureEdge, ...]
    width: float
    height: float
    left_out: int
    words: str

    def as_data(self) -> dict[str, Any]:
        """The figure for its component: labels are data."""
        return {
            "width": self.width,
            "height": self.height,
            "words": self.words,
            "nodes": [
                {
                    "kind": n.node.kind,
                    "label": n.label,
                    "name": shown_title(n.node.label),
                    "x": n.x,
                    "y": n.y,
                    "says": _says(n.node),
                }
                for n in self.nodes
            ],
            "edges": [
                {
                    "from": e.start,
                    "to": e.end,
                    "at": [e.text_x, e.text_y],
                    "anchor": e.anchor,
                    "quiet": e.quiet,
                    "interval": e.interval,
                    "cost": e.cost,
                    "flow": e.edge.flow,
                    "classes": [
                        shown_title(n.label) for n in (e.edge.tail, e.edge.head) if n.kind in ("predicted", "true")
                    ],
                    "says": _edge_says(e.edge),
                }
                for e in sorted(self.edges, key=lambda e: e.used)
            ],
            "note": NOTE + (f" {self.left_out} classes and their edges are not drawn." if self.left_out else ""),
        }

    def chosen(self, value: Mapping[str, Any]) -> str | None:
        """Nothing can be chosen in it."""
        return None


def flow_figure(network: PairingNetwork) -> FlowFigure:
    """Place a network. Of many classes the MOST_CLASSES in the costliest pairs stay on a side."""
    classes = _drawn_classes(network)
    nodes = [n for n in network.nodes if n.kind not in ("predicted", "true") or n in classes]
    rows = max(
        sum(n.kind in side for n in nodes) for side in (("predicted", "default predicted"), ("true", "default true"))
    )
    height = (rows - 1) * (ROW if rows <= MANY_ROWS else CLOSER_ROW) + 2 * MARGIN
    columns = [[n for n in nodes if COLUMNS[n.kind] == x] for x in sorted(set(COLUMNS.values()))]
    gap = (height - 2 * MARGIN) / max(max(map(len, columns)) - 1, 1)
    at = {
        n: (COLUMNS[n.kind], round(height / 2 + (i - (len(column) - 1) / 2) * gap, 1))
        for column in columns
        for i, n in enumerate(column)
    }
    edges = [e for e in network.edges if e.tail in at and e.head in at and e.tail.kind != "sink"]
    if math.isinf(network.bounds.dmax):
        edges = [e for e in edges if "default" not in e.tail.kind and "default" not in e.head.kind]
        at = {n: place for n, place in at.items() if "default" not in n.kind}
    sides = f"{len(network.predicted)} predicted and {len(network.true)} true classes"
    used = (f"{p.predicted or 'default'} with {p.true or 'default'}, {number(p.cost)}" for p in network.pairs[:20])
    return FlowFigure(
        nodes=tuple(FigureNode(n, shown_label(n.label, 9), *place) for n, place in at.items()),
        edges=tuple(_edge(e, at, rows) for e in edges),
        width=WIDTH,
        height=height,
        left_out=len(network.true) + len(network.predicted) - len(classes),
        words=f"Flow network of {sides}. Used pairs: {'; '.join(used) or 'none'}.",
    )


def _drawn_classes(network: PairingNetwork) -> frozenset[FlowNode]:
    by_cost = sorted(network.pairs, key=lambda p: -p.cost)
    predicted = dict.fromkeys([*(p.predicted for p in by_cost if p.predicted), *network.predicted])
    true = dict.fromkeys([*(p.true for p in by_cost if p.true), *network.true])
    return frozenset(
        [FlowNode("predicted", label) for label in list(predicted)[:MOST_CLASSES]]
        + [FlowNode("true", label) for label in list(true)[:MOST_CLASSES]]
    )


def _edge(edge: FlowEdge, at: dict[FlowNode, tuple[float, float]], rows: int) -> FigureEdge:
    """An edge with its text placed so that none covers another: those of every other edge near its
    tail, the rest near its head.

    With the k-th and l-th row joined, a share f of the way along stands at height k (1 - f) + l f.
    For f = 1 / (m + 1) and an odd m that is no smaller than the number of rows, any two of those
    with k + l even are 2 / (m + 1) of a row apart.
    """
    (x1, y1), (x2, y2) = at[edge.tail], at[edge.head]
    anchor: Literal["start", "middle", "end"] = "middle"
    along, cost, quiet = (0.56 if edge.tail.kind == "source" else 0.44), "", False
    if edge.tail.kind in ("predicted", "default predicted") and edge.head.kind in ("true", "default true"):
        columns = ([n for n in at if column in n.kind] for column in ("predicted", "true"))
        row = {node: i for column in columns for i, node in enumerate(column)}
        near_tail = (row[edge.tail] + row[edge.head]) % 2 == 0
        share = 1 / (rows + 1 + (rows + 1) % 2)
        along, anchor = (share, "start") if near_tail else (1 - share, "end")
        cost = number(edge.cost) if edge.cost < math.inf else "∞"
        quiet = rows > MANY_ROWS and not edge.flow
    return FigureEdge(
        edge=edge,
        start=(x1, y1),
        end=(x2, y2),
        text_x=round(x1 + along * (x2 - x1), 1),
        text_y=round(y1 + along * (y2 - y1), 1),
        anchor=anchor,
        interval=f"[{edge.lower};{edge.upper}]",
        cost=cost,
        quiet=quiet,
    )


def _says(node: FlowNode) -> str:
    return {"default predicted": "the default predicted class", "default true": "the default true class"}.get(
        node.kind,
        f"{node.kind} class {shown_title(node.label)}" if node.kind in ("predicted", "true") else f"the {node.kind}",
    )


def _edge_says(edge: FlowEdge) -> str:
    cost = f", {number(edge.cost)} for each unit" if edge.cost else ""
    ends = f"from {_says(edge.tail)} to {_says(edge.head)}"
    return f"{ends}: at least {edge.lower} and at most {edge.upper}{cost}; flow {edge.flow}"


# --- the same as a scene, for the painters of exported pictures ---------------------------------

# Default classes are drawn as added ones, dashed; what flow uses is firm, the rest faint.
NODE_HEIGHT = 30.0
NARROWEST, PADDING = 34.0, 14.0
LEGEND = (
    LegendLine("class", Shape("", "", predicted="class"), "predicted"),
    LegendLine("class", Shape("", "", true="class"), "true"),
    LegendLine("link", scene.Link("", "", "", "pair", arrow=True), "with flow"),
    LegendLine("link", scene.Link("", "", "", "considered", faint=True, arrow=True), "without flow"),
)


def flow_scene(figure: FlowFigure) -> Scene:
    """A flow network with its texts: interval, cost, and the flow where there is any."""
    ids = {node.node: f"n{k}" for k, node in enumerate(figure.nodes)}
    edges = sorted(figure.edges, key=lambda edge: edge.used)
    links = [_link(e, ids[e.edge.tail], ids[e.edge.head]) for e in edges]
    badges = [_badge(e, f"e{k}") for k, e in enumerate(edges) if not e.quiet]
    shapes = [_shape(node, ids[node.node]) for node in figure.nodes]
    return Scene(
        title="Flow network",
        shapes=tuple(shapes),
        links=tuple(links),
        badges=tuple(badges),
        legend=LEGEND,
        words=figure.words,
    )


def _link(edge: FigureEdge, start: str, end: str) -> scene.Link:
    x, y = (edge.start[0] + edge.end[0]) / 2, (edge.start[1] + edge.end[1]) / 2
    return scene.Link(start, end, "", edge.kind, control=(x, y), x=x, y=y, faint=not edge.used, arrow=True)


def _badge(edge: FigureEdge, name: str) -> scene.Badge:
    """As flow_figure.js writes it, around its place."""
    flow = f"×{edge.edge.flow}" if edge.used else ""
    words = ", ".join(part for part in (edge.interval, edge.cost, flow) if part)
    aside = {"start": 1, "middle": 0, "end": -1}[edge.anchor] * text_width(words, 10.0) / 2
    return scene.Badge(name, words, edge.kind, x=edge.text_x + aside, y=edge.text_y, faint=not edge.used)


def _shape(node: FigureNode, name: str) -> Shape:
    kind = node.node.kind
    role: SideRole = "added" if kind.startswith("default") else "class"
    return Shape(
        name,
        node.label,
        x=node.x,
        y=node.y,
        width=max(NARROWEST, text_width(node.label) + PADDING),
        height=NODE_HEIGHT,
        true=role if kind.endswith("true") else "none",
        predicted=role if kind.endswith("predicted") else "none",
        ringed=kind in ("source", "sink"),
    )


MOST_PAIRS_LISTED = 100  # in the table of a step
EACH_PAIR_UP_TO = 60  # with more pairs, one step passes over all that are not kept in a row
MARKED = {
    "pair": LegendEntry("link", "2", "a pair and its distance"),
    "considered": LegendEntry("link", "2", "considered, not paired", faint=True),
    "itself": LegendEntry("badge", "0", "paired with itself"),
    "alone": LegendEntry("badge", "+5", "paired with a default class, and the cost"),
}


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
    for c, times in alone.items():
        cost = number(times * network.bounds.dmax)
        once, often = f"at a cost of {cost}", f"paired {times} times with a default class, {cost} in all"
        badges[c] = Badge(f"+{cost}", "alone", f"paired with a default class {once}" if times == 1 else often)
    return Overlay(
        "Pairing",
        marks_of(explanation, explanation.true, explanation.predicted),
        words_for("ancestor"),
        badges,
        tuple(links),
        focus=frozenset(c for c in (considered.predicted, considered.true) if c) if considered else frozenset(),
        legend=MARKED | STEP_LEGEND,
    )


# --- the table of a step ------------------------------------------------------------------------


def pairs_so_far(network: PairingNetwork, looked_at: int) -> Table:
    """The pairs of classes, nearest first, and which of the first so many are kept."""
    rows, first = [], max(0, looked_at - MOST_PAIRS_LISTED)
    for i, e in enumerate(edges_between(network)):
        decided = Text("kept", strong=True) if e.flow else Text("not kept", faint=True)
        if i >= looked_at or not network.feasible:
            decided = Text("–", faint=True)
        cells = ((Chip(e.tail.label, PREDICTED),), (Chip(e.head.label, TRUE),), number(e.cost), decided)
        rows.append(Row(cells, (e.tail.label, e.head.label), None, i == looked_at - 1))
    columns = (Column("predicted"), Column("true"), Column("distance", "number"), Column("decided"))
    note = f"{first} earlier pairs are not listed." if first else ""
    return Table("The pairs of classes, the nearest first", columns, tuple(rows[first:]), note, compact=True)


# --- step by step -------------------------------------------------------------------------------


def walk(network: PairingNetwork, explanation: Explanation) -> Iterator[WalkStep]:
    """The steps that pick one of the cheapest pairings by the rule for ties, pair by pair."""

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
        classes = named(Counter(p.predicted or p.true or "" for p in alone))
        cost = f"each time at a cost of {number(network.bounds.dmax)}"
        sentence = f"What still needs a partner is paired with a default class, {cost}: {classes}."
        yield WalkStep("Default classes", sentence, *everything)
    terms = " + ".join(number(p.cost) for p in network.pairs) or "0"
    other = "Another pairing costs the same; the rule above chose this one."
    choice = "No other pairing costs as little." if network.unique else other
    sentence = f"All pairs together cost {terms} = {number(network.fnerror)}. {choice}"
    yield WalkStep("Result", sentence, *everything)


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
    return counted(low, "pair") if low == high else f"{low} to {counted(high, 'pair')}"


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
