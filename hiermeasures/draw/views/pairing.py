"""The views of pairs.

"pairing" draws the path and the distance of every pair, and a badge at each class without a partner.
Its steps find the cheapest pairing. It also shows the flow network with its bounds.

"distances" shows the distance between every predicted and every true class. The pairs of a pairing
are framed. For a sum over the most specific classes it shows the distances between these. It can
also draw the paths between these classes, up to the lowest common ancestor and down from it.

The network looks like Figures 3–6 of Kosmopoulos et al. 2015. Source, predicted classes, true
classes and sink are in columns. The default classes are below their side. Every edge has its
capacity interval, and edges between classes also have their cost. Edges with flow are bold. Python
computes all positions, and flow_figure.js draws the network.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, ClassVar

from hiermeasures.draw import panel, scene
from hiermeasures.draw.lanes import PathEdge
from hiermeasures.draw.panel import (
    PREDICTED,
    TRUE,
    Cell,
    Chip,
    Column,
    PanelTable,
    Row,
    Text,
    ViewState,
    WalkStep,
)
from hiermeasures.draw.scene import (
    Badge,
    LegendEntry,
    LegendLine,
    Link,
    Mark,
    Overlay,
    Scene,
    Shape,
    Side,
)
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import named, number
from hiermeasures.measures.pairs import Bounds, FlowEdge, FlowNode, Pair, PairingNetwork, ranked
from hiermeasures.measures.shortest_path import Routes, ShortestPaths, SpecificPaths

WIDTH = 700.0
COLUMNS = {
    "source": 36.0,
    "predicted": 188.0,
    "default predicted": 188.0,
    "true": 512.0,
    "default true": 512.0,
    "sink": 664.0,
}
ROW, CLOSER_ROW, MARGIN = 52.0, 34.0, 20.0
# with more rows, edges without flow show their text only under the mouse
MANY_ROWS = 5
MOST_CLASSES = 12
NOTE = "On an edge: [least;most] flow, cost, and ×flow where it is used (bold). DP and DT are the default classes."
QUIET = "quiet"  # the kind of a text that is shown only under the mouse
NODE_HEIGHT, NARROWEST, PADDING = 30.0, 34.0, 14.0

# Default classes are dashed. Edges with flow are firm, the others faint.
NETWORK_LEGEND = (
    LegendLine("class", Shape(predicted="class"), "predicted"),
    LegendLine("class", Shape(true="class"), "true"),
    LegendLine("link", Link("", "", "", "pair", arrow=True), "with flow"),
    LegendLine("link", Link("", "", "", "considered", faint=True, arrow=True), "without flow"),
)


@dataclass(frozen=True)
class FlowFigure:
    """A network with positions, for flow_figure.js. Each of its links has a badge."""

    component: ClassVar[str] = "flow"
    scene: Scene
    height: float
    note: str

    def as_data(self) -> dict[str, Any]:
        size = {"width": WIDTH, "height": self.height}
        return {**size, "scene": self.scene.as_data(), "words": self.scene.words, "note": self.note}

    def chosen(self, value: Mapping[str, Any]) -> str | None:
        return None

    @property
    def still(self) -> Scene:
        """The scene for exported pictures, without hover texts."""
        return replace(
            self.scene, badges=tuple(badge for badge in self.scene.badges if badge.kind != QUIET)
        )


def flow_figure(network: PairingNetwork) -> FlowFigure:
    """Compute the positions of a network.

    Each side keeps at most MOST_CLASSES classes, those in the costliest pairs.
    """
    by_cost, sides = sorted(network.pairs, key=lambda p: -p.cost), {}
    for side in ("predicted", "true"):
        first = (label for pair in by_cost if (label := getattr(pair, side)))
        sides[side] = list(dict.fromkeys([*first, *getattr(network, side)]))[:MOST_CLASSES]
    nodes = [n for n in network.nodes if n.label in sides.get(n.kind, [n.label])]
    left_out = len(network.true) + len(network.predicted) - sum(map(len, sides.values()))
    columns = [[n for n in nodes if COLUMNS[n.kind] == x] for x in sorted(set(COLUMNS.values()))]
    rows = max(len(columns[1]), len(columns[2]))
    height = (rows - 1) * (ROW if rows <= MANY_ROWS else CLOSER_ROW) + 2 * MARGIN
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
    used = (
        f"{p.predicted or 'default'} with {p.true or 'default'}, {number(p.cost)}"
        for p in network.pairs[:20]
    )
    counts = f"{len(network.predicted)} predicted and {len(network.true)} true classes"
    shapes = {n: _node(k, n, place) for k, (n, place) in enumerate(at.items())}
    drawn = [
        _edge(k, e, shapes, rows) for k, e in enumerate(sorted(edges, key=lambda e: e.flow > 0))
    ]
    placed = Scene(
        title="Flow network",
        shapes=tuple(shapes.values()),
        links=tuple(link for link, _ in drawn),
        badges=tuple(badge for _, badge in drawn),
        legend=NETWORK_LEGEND,
        words=f"Flow network of {counts}. Used pairs: {'; '.join(used) or 'none'}.",
    )
    return FlowFigure(
        placed,
        height,
        NOTE + (f" {left_out} classes and their edges are not drawn." if left_out else ""),
    )


def _node(k: int, node: FlowNode, at: tuple[float, float]) -> Shape:
    label = scene.shown_label(node.label, 9)
    role: scene.SideRole = "added" if "default" in node.kind else "class"
    return Shape(
        f"n{k}",
        label,
        scene.shown_title(node.label),
        x=at[0],
        y=at[1],
        width=max(NARROWEST, scene.text_width(label) + PADDING),
        height=NODE_HEIGHT,
        true=role if node.kind.endswith("true") else "none",
        predicted=role if node.kind.endswith("predicted") else "none",
        ringed=node.kind in ("source", "sink"),
        words=(_says(node),),
    )


def _edge(
    k: int, edge: FlowEdge, shapes: Mapping[FlowNode, Shape], rows: int
) -> tuple[Link, Badge]:
    """Return an edge and its text at a position where texts do not overlap.

    The text contains the interval, the cost, and the flow if it is not 0. Every second edge has its
    text near its tail, and the others near their head. On an edge from row k to row l, the point at
    the share f of its length is at the height k (1 - f) + l f. Let m be odd and not smaller than the
    number of rows, and f = 1 / (m + 1). Then two texts with even k + l are at least 2 / (m + 1) of
    a row apart.
    """
    tail, head, faint = shapes[edge.tail], shapes[edge.head], not edge.flow
    along, aside, cost, quiet = (0.56 if edge.tail.kind == "source" else 0.44), 0, "", False
    if edge.tail.kind in ("predicted", "default predicted") and edge.head.kind in (
        "true",
        "default true",
    ):
        columns = ([n for n in shapes if column in n.kind] for column in ("predicted", "true"))
        row = {node: i for column in columns for i, node in enumerate(column)}
        near_tail = (row[edge.tail] + row[edge.head]) % 2 == 0
        share = 1 / (rows + 1 + (rows + 1) % 2)
        along, aside = (share, 1) if near_tail else (1 - share, -1)
        cost = number(edge.cost) if edge.cost < math.inf else "∞"
        quiet = rows > MANY_ROWS and faint
    each = f", {number(edge.cost)} for each unit" if edge.cost else ""
    limits = f"at least {edge.lower} and at most {edge.upper}{each}, flow {edge.flow}"
    says = f"from {_says(edge.tail)} to {_says(edge.head)}: {limits}"
    text = ", ".join(
        filter(None, (f"[{edge.lower};{edge.upper}]", cost, "" if faint else f"×{edge.flow}"))
    )
    kind, (x, y) = "considered" if faint else "pair", ((tail.x + head.x) / 2, (tail.y + head.y) / 2)
    link = Link(tail.id, head.id, "", kind, control=(x, y), x=x, y=y, faint=faint, arrow=True)
    x = round(tail.x + along * (head.x - tail.x) + aside * scene.text_width(text, 10.0) / 2, 1)
    y = round(tail.y + along * (head.y - tail.y), 1)
    return link, Badge(text, QUIET if quiet else kind, says, f"e{k}", x=x, y=y, faint=faint)


def _says(node: FlowNode) -> str:
    if node.kind in ("predicted", "true"):
        return f"{node.kind} class {scene.shown_title(node.label)}"
    return f"the {node.kind}{' class' if 'default' in node.kind else ''}"


MOST_PAIRS_LISTED = 100  # in the table of a step
EACH_PAIR_UP_TO = 60  # with more pairs, one step covers all pairs in a row that are not kept
MARKED = {
    "pair": LegendEntry("link", "2", "a pair and its distance"),
    "considered": LegendEntry("link", "2", "considered, not paired", faint=True),
    "itself": LegendEntry("badge", "0", "paired with itself"),
    "alone": LegendEntry("badge", "+5", "paired with a default class, and the cost"),
}


def pairs_overlay(
    network: PairingNetwork,
    explanation: Explanation,
    pairs: tuple[Pair, ...],
    considered: Pair | None = None,
) -> Overlay:
    """Draw some pairs of a network, and one more pair that was considered."""
    links: list[Link] = []
    badges: dict[str, Badge] = {}
    alone: Counter[str] = Counter()
    for p in pairs:
        if p.predicted and p.true and p.predicted != p.true:
            links.append(distance_link(network.routes, p.predicted, p.true, p.cost))
        elif p.predicted and p.true:
            badges[p.predicted] = Badge("0", "itself", "paired with itself at no cost")
        else:
            alone[p.predicted or p.true or ""] += 1
    if considered and considered.predicted and considered.true and considered not in pairs:
        ends = considered.predicted, considered.true
        link = distance_link(network.routes, *ends, considered.cost)
        links.append(replace(link, kind="considered"))
    for c, times in alone.items():
        cost = number(times * network.bounds.dmax)
        often = f"paired with a default class at a cost of {cost}"
        often = f"paired {times} times with a default class, {cost} in all" if times > 1 else often
        badges[c] = Badge(f"+{cost}", "alone", often)
    return Overlay(
        "Pairing",
        scene.marks_of(explanation, explanation.true, explanation.predicted),
        scene.words_for("ancestor"),
        badges,
        tuple(links),
        edges={},
        focus=frozenset(c for c in (considered.predicted, considered.true) if c)
        if considered
        else frozenset(),
        legend=MARKED | panel.STEP_LEGEND,
    )


def distance_link(routes: Routes, predicted: str, true: str, distance: float) -> Link:
    """Return a distance as a link along the edges of all its shortest paths."""
    route = routes[predicted, true]
    up = (PathEdge(*edge, "predicted") for edge in route.up)
    down = (PathEdge(*edge, "true") for edge in route.down)
    return Link(predicted, true, number(distance), "pair", path=(*up, *down))


def pairs_so_far(network: PairingNetwork, looked_at: int) -> PanelTable:
    """Return a table of the pairs, the nearest first. The first `looked_at` pairs are decided."""
    rows, first = [], max(0, looked_at - MOST_PAIRS_LISTED)
    for i, e in enumerate(edges_between(network)):
        decided = Text("kept", strong=True) if e.flow else Text("not kept", faint=True)
        if i >= looked_at or not network.feasible:
            decided = Text("–", faint=True)
        cells = (
            (Chip(e.tail.label, PREDICTED),),
            (Chip(e.head.label, TRUE),),
            number(e.cost),
            decided,
        )
        rows.append(Row(cells, (e.tail.label, e.head.label), None, i == looked_at - 1))
    columns = (Column("predicted"), Column("true"), Column("distance", "number"), Column("decided"))
    note = f"{first} earlier pairs are not listed." if first else ""
    return PanelTable(
        "The pairs of classes, the nearest first", columns, tuple(rows[first:]), note, compact=True
    )


def walk(network: PairingNetwork, explanation: Explanation) -> Iterator[WalkStep]:
    """Yield the steps that find one of the cheapest pairings, pair by pair.

    A rule decides between pairings of equal cost.
    """
    b, between = network.bounds, edges_between(network)

    def step(
        phase: str,
        sentence: str,
        pairs: tuple[Pair, ...],
        looked_at: int,
        considered: Pair | None = None,
    ) -> WalkStep:
        overlay = partial(pairs_overlay, network, explanation, pairs, considered)
        return WalkStep(phase, sentence, overlay, partial(pairs_so_far, network, looked_at))

    yield step("Start", _about_bounds(b, len(between)), (), 0)
    if not network.feasible:
        yield step("Result", f"{network.infeasible}, so there is no pairing.", (), 0)
        return
    pairs: tuple[Pair, ...] = ()
    looked_at = 0
    for kept, group in groupby(between, key=lambda e: bool(e.flow)):
        together = list(group)
        for edges in (
            [[e] for e in together] if kept or len(between) <= EACH_PAIR_UP_TO else [together]
        ):
            looked_at += len(edges)
            pair = Pair(edges[0].tail.label, edges[0].head.label, edges[0].cost)
            sentence = (
                _about_many(edges) if len(edges) > 1 else _about_pair(network, edges[0], pairs)
            )
            pairs += (pair,) if kept else ()
            considered = pair if len(edges) == 1 else None
            yield step("Pairs, the nearest first", sentence, pairs, looked_at, considered)
    if left := [p for p in network.pairs if not (p.predicted and p.true)]:
        classes = named(Counter(p.predicted or p.true or "" for p in left))
        cost = f"each time at a cost of {number(b.dmax)}"
        sentence = (
            f"Classes that need a partner are paired with a default class, {cost}: {classes}."
        )
        yield step("Default classes", sentence, network.pairs, looked_at + 1)
    terms = " + ".join(number(p.cost) for p in network.pairs) or "0"
    other = "Another pairing costs the same. The rule of the first step chose this one."
    choice = "No other pairing costs as little." if network.unique else other
    sentence = f"All pairs together cost {terms} = {number(network.fnerror)}. {choice}"
    yield step("Result", sentence, network.pairs, looked_at + 1)


def edges_between(network: PairingNetwork) -> list[FlowEdge]:
    """Return the edges between classes, the shortest first."""
    return [network.edges[k] for k in ranked(network.edges)]


def _about_bounds(b: Bounds, pairs: int) -> str:
    def interval(low: int, high: int) -> str:
        return write_count(low, "pair") if low == high else f"{low} to {write_count(high, 'pair')}"

    cost = f"A default class replaces a partner at a cost of {number(b.dmax)}"
    alone = "No class may stay alone" if math.isinf(b.dmax) else cost
    return (
        f"A predicted class is in {interval(b.alpha_p, b.beta_p)}, a true class in "
        f"{interval(b.alpha_t, b.beta_t)}. "
        f"{alone}. If several pairings are equally cheap, take one by going through the "
        f"{write_count(pairs, 'pair')} of classes from nearest to farthest."
    )


def _about_pair(network: PairingNetwork, edge: FlowEdge, before: tuple[Pair, ...]) -> str:
    p, t, b = edge.tail.label, edge.head.label, network.bounds
    of_p, of_t = (
        Counter(pair.predicted for pair in before)[p],
        Counter(pair.true for pair in before)[t],
    )
    if edge.flow:
        why = "kept. A cheapest pairing contains this pair and all pairs kept before."
    elif not edge.upper:
        why = "forbidden, because it is longer than the longest allowed pair."
    elif of_p >= b.beta_p:
        why = f"not kept. {p} is already in {write_count(of_p, 'pair')}, and more are not allowed (β_p)."
    elif of_t >= b.beta_t:
        why = f"not kept. {t} is already in {write_count(of_t, 'pair')}, and more are not allowed (β_t)."
    elif of_p >= b.alpha_p and of_t >= b.alpha_t and edge.cost > 0:
        why = "not kept. Both have all the partners they need, and one more would only cost more."
    else:
        why = "not kept. No cheapest pairing contains it and all pairs kept before."
    return f"{p} and {t}, distance {number(edge.cost)}: {why}"


def _about_many(edges: list[FlowEdge]) -> str:
    low, high = number(edges[0].cost), number(edges[-1].cost)
    distances = f"distance {low}" if low == high else f"distances {low} to {high}"
    why = "No cheapest pairing contains one of them and all pairs kept before."
    return f"The next {write_count(len(edges), 'pair')}, {distances}: not kept. {why}"


# The measures that your own bounds replace.
OWN = {"own_pairing": ("GIE", "TIE", "all_pairs", "MGIA_error"), "own_accuracy": ("MGIA",)}
NETWORK = "Network options"
BOUNDS = {
    "alpha_p": ("α_p least", "The fewest true partners of a predicted class."),
    "beta_p": ("β_p most", "The most true partners of a predicted class."),
    "alpha_t": ("α_t least", "The fewest predicted partners of a true class."),
    "beta_t": ("β_t most", "The most predicted partners of a true class."),
}


def _network(explanation: Explanation, at: ViewState) -> PairingNetwork:
    network: PairingNetwork = explanation.structure(at.structure)
    return network


def _with_defaults(explanation: Explanation, at: ViewState) -> bool:
    return not math.isinf(_network(explanation, at).bounds.dmax)


def _own_pairing(
    explanation: Explanation, at: ViewState, name: str, value: float
) -> tuple[dict[str, Any], ViewState]:
    """Return the current bounds with one change, as options of your own pairing."""
    shown = {bound: getattr(_network(explanation, at).bounds, bound) for bound in BOUNDS}
    options = shown | {"default_classes": _with_defaults(explanation, at)} | {name: value}
    own = "own_accuracy" if at.measure in ("MGIA", "own_accuracy") else "own_pairing"
    return options, replace(at, measure=own)


def _bound(name: str, label: str, about: str) -> panel.OptionField:
    return panel.OptionField(
        key=f"bound_{name}",
        behind=NETWORK,
        label=label,
        help=about,
        limits=(0, 10_000),
        value=lambda explanation, at: getattr(_network(explanation, at).bounds, name),
        change=lambda explanation, at, value: _own_pairing(explanation, at, name, value),
    )


DMAX = panel.OptionField(
    key="bound_dmax",
    label="D_max",
    help="The cost of a pair with a default class.",
    limits=(0.01, 1e9),
    value=lambda explanation, at: explanation.options.dmax,
    change=lambda explanation, at, value: ({"dmax": value}, at),
    disabled=lambda explanation, at: not _with_defaults(explanation, at),
)
DEFAULT_CLASSES = panel.OptionField(
    key="bound_defaults",
    behind=NETWORK,
    label="default classes",
    help="Whether a class may stay without a partner at a cost of D_max.",
    value=_with_defaults,
    change=lambda explanation, at, value: _own_pairing(explanation, at, "default_classes", value),
)


def _about_own(explanation: Explanation, at: ViewState) -> str:
    """Note that the bounds are the user's, with the values under the papers' bounds."""
    if at.measure not in OWN:
        return ""
    beside = (
        f"{CATALOGUE[key].name} ({key}) {number(explanation[key])}" for key in OWN[at.measure]
    )
    own = CATALOGUE[at.measure].name.lower()
    return f"The bounds are your own now: {own}. With the papers' bounds: {', '.join(beside)}."


def _overlay(explanation: Explanation, at: ViewState) -> Overlay:
    network = _network(explanation, at)
    return pairs_overlay(network, explanation, network.pairs)


PAIRING = panel.View(
    key="pairing",
    title="pairing",
    overlay=_overlay,
    panel=lambda explanation, at, overlay: flow_figure(_network(explanation, at)),
    walk=lambda explanation, at: tuple(walk(_network(explanation, at), explanation)),
    note=_about_own,
    fields=(DMAX, *(_bound(name, *words) for name, words in BOUNDS.items()), DEFAULT_CLASSES),
)

MOST_IN_MATRIX = 40


def specific_overlay(paths: ShortestPaths, explanation: Explanation) -> Overlay:
    """Draw the most specific classes with their distances. Classes above another one are struck
    out.
    """
    links = tuple(
        distance_link(paths.routes, p.predicted, p.true, p.distance)
        for p in paths.pairs
        if p.predicted != p.true
    )
    itself = Badge("0", "itself", "true and predicted: distance 0")
    legend = {
        "pair": LegendEntry("link", "2", "distance of a predicted from a true class"),
        "itself": LegendEntry("badge", "0", "the same class"),
    }
    return Overlay(
        "Distances",
        _specific_marks(paths, explanation),
        scene.words_for("ancestor") | _empty_words(paths),
        {p.predicted: itself for p in paths.pairs if p.predicted == p.true},
        links,
        edges={},
        legend=legend,
    )


def ways_overlay(built: SpecificPaths, explanation: Explanation) -> Overlay:
    """Draw the ways from predicted classes up to lowest common ancestors, and down to true ones."""
    met: dict[str, list[str]] = {}
    up: set[tuple[str, str]] = set()
    down: set[tuple[str, str]] = set()
    for way in built.ways:
        for a in way.lcas:
            met.setdefault(a, []).append(f"{way.predicted} and {way.true}")
        route = built.routes[way.predicted, way.true]
        up.update(route.up)
        down.update(route.down)
    legend = scene.edge_legend(
        "path down to a true class", "path up from a predicted class", "both paths"
    )
    on_down, on_up = (frozenset(c for edge in edges for c in edge) for edges in (down, up))
    return Overlay(
        "Ways up and down",
        _specific_marks(built.paths, explanation, on_down, on_up),
        scene.words_in("way", "on") | _empty_words(built.paths),
        {
            a: Badge("LCA", "lca", f"lowest common ancestor of {'; '.join(pairs)}")
            for a, pairs in met.items()
        },
        edges=scene.edge_marks(down, up),
        legend=legend | {"lca": LegendEntry("badge", "LCA", "lowest common ancestor")},
    )


def _specific_marks(
    paths: ShortestPaths,
    explanation: Explanation,
    true: frozenset[str] = frozenset(),
    predicted: frozenset[str] = frozenset(),
) -> dict[str, Mark]:
    """Return the marks of the compared classes, and of the `true` and `predicted` ones on their
    ways.

    The root that replaces an empty side is dashed, like everything that a measure adds.
    """
    return scene.marks_of(explanation, true.union(paths.true), predicted.union(paths.predicted))


def _side_marks(paths: ShortestPaths) -> tuple[Mark, Mark]:
    true = Mark(Side.ADDED) if paths.true_empty else TRUE
    return true, Mark(Side.NONE, Side.ADDED) if paths.predicted_empty else PREDICTED


def _empty_words(paths: ShortestPaths) -> dict[Mark, str]:
    ends = {
        (True, False): "true class",
        (False, True): "predicted class",
        (True, True): "class on either side",
    }
    return {
        Mark(Side(true), Side(predicted)): f"stands for no {end}"
        for (true, predicted), end in ends.items()
        if true <= paths.true_empty and predicted <= paths.predicted_empty
    }


def _matrix(true: tuple[str, ...], mark: Mark) -> list[Column]:
    return [Column("predicted \\ true"), *(Column(Chip(t, mark), "number") for t in true)]


def distances_table(network: PairingNetwork) -> PanelTable:
    """Return the distance of every predicted from every true class, with the chosen pairs framed."""
    chosen = {(p.predicted, p.true) for p in network.pairs}
    edges = {(e.tail.label, e.head.label): e for e in edges_between(network)}

    def cell(p: str, t: str) -> Cell:
        edge = edges[p, t]
        says = (
            "paired" if (p, t) in chosen else "" if edge.upper else "too long: forbidden as a pair"
        )
        return Text(number(edge.cost), strong=(p, t) in chosen, faint=not edge.upper, says=says)

    def alone(times: int) -> Cell:
        cost = number(times * network.bounds.dmax)
        return Text(cost, strong=True, says="paired with a default class") if times else ""

    alone_p = Counter(p.predicted for p in network.pairs if p.predicted and not p.true)
    alone_t = Counter(p.true for p in network.pairs if p.true and not p.predicted)
    true, rows = network.true[:MOST_IN_MATRIX], []
    for p in network.predicted:
        partners = (pair.true for pair in network.pairs if pair.predicted == p and pair.true)
        cells = (
            (Chip(p, PREDICTED),),
            *(cell(p, t) for t in true),
            *([alone(alone_p[p])] if alone_p else []),
        )
        rows.append(Row(cells, (p, *partners)))
    columns = _matrix(true, TRUE) + ([Column("alone", "number")] if alone_p else [])
    if alone_t:
        last = ("alone", *(alone(alone_t[t]) for t in true), *([""] if alone_p else []))
        rows.append(Row(last, tuple(alone_t)))
    wide = len(network.true) - MOST_IN_MATRIX
    more = f" {wide} more true classes are not shown." if wide > 0 else ""
    note = f"Framed: the chosen pairs, {number(network.fnerror)} together.{more}"
    if not (network.true and network.predicted):
        note = "One side has no classes."
    if not network.feasible:
        note = f"No pair is chosen. {network.infeasible}."
    return PanelTable(
        "Distances between predicted and true classes",
        tuple(columns),
        tuple(rows),
        note,
        compact=True,
    )


def specific_table(paths: ShortestPaths) -> PanelTable:
    """Return a table of the distances between the most specific classes. The measure adds them."""
    distance = {(p.predicted, p.true): p.distance for p in paths.pairs}
    (mark_t, mark_p), true = _side_marks(paths), paths.true[:MOST_IN_MATRIX]
    rows = tuple(
        Row(
            ((Chip(p, mark_p),), *(Text(number(distance[p, t]), strong=True) for t in true)),
            (p, *true),
        )
        for p in paths.predicted
    )
    note = f"Framed: every pair counts, {number(paths.total)} together.{_about_sides(paths)}"
    columns = tuple(_matrix(true, mark_t))
    return PanelTable(
        "Distances between the most specific classes", columns, rows, note, compact=True
    )


def _about_sides(paths: ShortestPaths) -> str:
    dropped = paths.true_dropped | paths.predicted_dropped
    notes = (
        [f"Left out, because a class of the same set is below: {named(dropped)}."]
        if dropped
        else []
    )
    notes += (
        [f"The root {paths.true[0]} replaces missing true classes."] if paths.true_empty else []
    )
    notes += (
        [f"The root {paths.predicted[0]} replaces missing predicted classes."]
        if paths.predicted_empty
        else []
    )
    return "".join(f" {note}" for note in notes)


def ways_table(built: SpecificPaths) -> PanelTable:
    """Return a table of the paths, with their two parts and the height of the lowest common ancestors."""
    (mark_t, mark_p), rows = _side_marks(built.paths), []
    for way in built.ways:
        start, end, lcas = (
            (Chip(way.predicted, mark_p),),
            (Chip(way.true, mark_t),),
            tuple(map(Chip, way.lcas)),
        )
        cells = (start, number(way.up), lcas, number(way.height), number(way.down), end)
        classes = tuple(dict.fromkeys((way.predicted, *way.lcas, way.true)))
        route = built.routes[way.predicted, way.true]
        rows.append(Row(cells, classes, edges=(*route.up, *route.down)))
    columns = (
        Column("from"),
        Column(
            "up",
            "number",
            "the cheapest path from the predicted class to the lowest common ancestor",
        ),
        Column(
            "LCA", about="the lowest common ancestors. For several in a DAG, the numbers are means"
        ),
        Column(
            "height",
            "number",
            "the longest path from the LCA to a leaf, or 0 if both classes are equal",
        ),
        Column("down", "number", "the cheapest path from there to the true class"),
        Column("to"),
    )
    up, down = (number(built.total(part)) for part in ("up", "down"))
    note = f"{up} up and {down} down together. The hierarchy is {built.highest} high.{_about_sides(built.paths)}"
    return PanelTable(
        "Paths between the most specific classes", columns, tuple(rows), note, compact=True
    )


PAIRS_OF = {
    "SP": "SP",
    "SP_up": "up and down",
    "TIE": "TIE",
    "all_pairs": "all pairs",
    "GIE": "GIE",
    "MGIA": "MGIA",
    "own_pairing": "own",
}


def _distances(explanation: Explanation, at: ViewState) -> Overlay:
    built = explanation.structure(at.structure)
    if isinstance(built, PairingNetwork):
        return _overlay(explanation, at)
    return (
        ways_overlay(built, explanation)
        if isinstance(built, SpecificPaths)
        else specific_overlay(built, explanation)
    )


def _distances_panel(explanation: Explanation, at: ViewState, overlay: Overlay) -> PanelTable:
    built = explanation.structure(at.structure)
    if isinstance(built, PairingNetwork):
        return distances_table(built)
    return ways_table(built) if isinstance(built, SpecificPaths) else specific_table(built)


DISTANCES = panel.View(
    key="distances",
    title="distances",
    also=(PAIRING.key,),
    overlay=_distances,
    panel=_distances_panel,
    switches=(
        panel.Switch(
            key="pairs_marked",
            label="Pairs of",
            words=PAIRS_OF,
            value=lambda explanation, at: next(
                m for m in PAIRS_OF if CATALOGUE[m].structure.key == at.structure
            ),
            choose=lambda at, measure: replace(at, measure=measure),
        ),
    ),
)
