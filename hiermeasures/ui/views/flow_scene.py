"""The flow network of a pairing as a scene, for the painters of exported pictures (graph/svg.py, graph/tikz.py). Where
everything stands is flow_figure.py's.

Default classes are drawn as added ones, dashed; what flow uses is firm, the rest faint.
"""

from hiermeasures.ui.graph.scene import Badge, LegendLine, Link, Scene, Shape, SideRole, text_width
from hiermeasures.ui.views.flow_figure import FigureEdge, FigureNode, FlowFigure

HEIGHT = 30.0
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
    links = [
        Link(ids[e.edge.tail], ids[e.edge.head], "", _kind(e), _middle(e), *_middle(e), not e.used, arrow=True)
        for e in edges
    ]
    badges = [_badge(e, f"e{k}") for k, e in enumerate(edges) if not e.quiet]
    shapes = [_shape(node, ids[node.node]) for node in figure.nodes]
    return Scene("Flow network", tuple(shapes), (), tuple(links), tuple(badges), LEGEND, (), figure.words)


def _kind(edge: FigureEdge) -> str:
    return "pair" if edge.used else "considered"


def _middle(edge: FigureEdge) -> tuple[float, float]:
    (x1, y1), (x2, y2) = edge.start, edge.end
    return (x1 + x2) / 2, (y1 + y2) / 2


def _badge(edge: FigureEdge, name: str) -> Badge:
    """As flow_figure.js writes it, around its place."""
    flow = f"×{edge.edge.flow}" if edge.used else ""
    words = ", ".join(part for part in (edge.interval, edge.cost, flow) if part)
    aside = {"start": 1, "middle": 0, "end": -1}[edge.anchor] * text_width(words, 10.0) / 2
    return Badge(name, words, _kind(edge), x=edge.text_x + aside, y=edge.text_y, faint=not edge.used)


def _shape(node: FigureNode, name: str) -> Shape:
    kind = node.node.kind
    role: SideRole = "added" if kind.startswith("default") else "class"
    return Shape(
        name,
        node.label,
        x=node.x,
        y=node.y,
        width=max(NARROWEST, text_width(node.label) + PADDING),
        height=HEIGHT,
        true=role if kind.endswith("true") else "none",
        predicted=role if kind.endswith("predicted") else "none",
        ringed=kind in ("source", "sink"),
    )
