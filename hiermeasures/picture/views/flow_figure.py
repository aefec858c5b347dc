"""The flow network of a pairing as a figure: Figures 3–6 of Kosmopoulos et al. 2015 from the
structure alone.

Source, predicted classes, true classes and sink stand in columns, the default classes below their
side. Every edge carries its capacity interval, those between classes their cost too; what flow uses
is bold. Python places everything, flow_figure.js draws it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from hiermeasures.measures.catalogue import number
from hiermeasures.measures.flow import FlowEdge, FlowNode
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.picture.scene import (
    Badge,
    LegendLine,
    Link,
    Scene,
    Shape,
    SideRole,
    shown_label,
    shown_title,
    text_width,
)

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
LONGEST_LABEL = 9
INFINITE = "∞"
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
    at = _places(nodes, height)
    edges = [e for e in network.edges if e.tail in at and e.head in at and e.tail.kind != "sink"]
    if math.isinf(network.bounds.dmax):
        edges = [e for e in edges if "default" not in e.tail.kind and "default" not in e.head.kind]
        at = {n: place for n, place in at.items() if "default" not in n.kind}
    return FlowFigure(
        nodes=tuple(FigureNode(n, shown_label(n.label, LONGEST_LABEL), *place) for n, place in at.items()),
        edges=tuple(_edge(e, at, rows) for e in edges),
        width=WIDTH,
        height=height,
        left_out=len(network.true) + len(network.predicted) - len(classes),
        words=_words(network),
    )


def _drawn_classes(network: PairingNetwork) -> frozenset[FlowNode]:
    by_cost = sorted(network.pairs, key=lambda p: -p.cost)
    predicted = dict.fromkeys([*(p.predicted for p in by_cost if p.predicted), *network.predicted])
    true = dict.fromkeys([*(p.true for p in by_cost if p.true), *network.true])
    return frozenset(
        [FlowNode("predicted", label) for label in list(predicted)[:MOST_CLASSES]]
        + [FlowNode("true", label) for label in list(true)[:MOST_CLASSES]]
    )


def _places(nodes: list[FlowNode], height: float) -> dict[FlowNode, tuple[float, float]]:
    columns: dict[float, list[FlowNode]] = {}
    for n in nodes:
        columns.setdefault(COLUMNS[n.kind], []).append(n)
    most = max(map(len, columns.values()))
    gap = (height - 2 * MARGIN) / max(most - 1, 1)
    return {
        n: (x, round(height / 2 + (i - (len(column) - 1) / 2) * gap, 1))
        for x, column in columns.items()
        for i, n in enumerate(column)
    }


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
        cost = number(edge.cost) if edge.cost < math.inf else INFINITE
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


def _words(network: PairingNetwork) -> str:
    used = "; ".join(
        f"{p.predicted or 'default'} with {p.true or 'default'}, {number(p.cost)}" for p in network.pairs[:20]
    )
    sides = f"{len(network.predicted)} predicted and {len(network.true)} true classes"
    return f"Flow network of {sides}. Used pairs: {used or 'none'}."


def _says(node: FlowNode) -> str:
    return {"default predicted": "the default predicted class", "default true": "the default true class"}.get(
        node.kind,
        f"{node.kind} class {shown_title(node.label)}" if node.kind in ("predicted", "true") else f"the {node.kind}",
    )


def _edge_says(edge: FlowEdge) -> str:
    cost = f", {number(edge.cost)} for each unit" if edge.cost else ""
    limits = f"at least {edge.lower} and at most {edge.upper}{cost}"
    return f"from {_says(edge.tail)} to {_says(edge.head)}: {limits}; flow {edge.flow}"


# --- the same as a scene, for the painters of exported pictures ---------------------------------

# Default classes are drawn as added ones, dashed; what flow uses is firm, the rest faint.
NODE_HEIGHT = 30.0
NARROWEST, PADDING = 34.0, 14.0
LEGEND = (
    LegendLine("class", Shape("", "", predicted="class"), "predicted"),
    LegendLine("class", Shape("", "", true="class"), "true"),
    LegendLine("link", Link("", "", "", "pair", arrow=True), "with flow"),
    LegendLine("link", Link("", "", "", "considered", faint=True, arrow=True), "without flow"),
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


def _link_kind(edge: FigureEdge) -> str:
    return "pair" if edge.used else "considered"


def _link(edge: FigureEdge, start: str, end: str) -> Link:
    x, y = (edge.start[0] + edge.end[0]) / 2, (edge.start[1] + edge.end[1]) / 2
    return Link(start, end, "", _link_kind(edge), control=(x, y), x=x, y=y, faint=not edge.used, arrow=True)


def _badge(edge: FigureEdge, name: str) -> Badge:
    """As flow_figure.js writes it, around its place."""
    flow = f"×{edge.edge.flow}" if edge.used else ""
    words = ", ".join(part for part in (edge.interval, edge.cost, flow) if part)
    aside = {"start": 1, "middle": 0, "end": -1}[edge.anchor] * text_width(words, 10.0) / 2
    return Badge(name, words, _link_kind(edge), x=edge.text_x + aside, y=edge.text_y, faint=not edge.used)


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
