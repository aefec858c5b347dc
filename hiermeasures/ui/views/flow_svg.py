"""The flow network of a pairing as an SVG document to take away. Where everything stands is flow_figure.py's; the look
is that of every exported picture (graph/svg.py).
"""

from math import hypot

from hiermeasures.ui.graph.svg import Image, document, text
from hiermeasures.ui.views.flow_figure import FigureEdge, FigureNode, FlowFigure

SIZE, SMALL = 13.0, 11.5
HALF_NODE = 15.0
LETTER, SMALL_LETTER = 7.4, 6.4  # how wide a letter is about, on nodes and on edges
GAP = 21.0  # from the middle of a node to where its edges end
TIP = 7.0  # how long an arrow head is
MARGIN = 24.0


def flow_svg(figure: FlowFigure, *, scale: float = 1.0) -> Image:
    """Paint a flow network on white paper: true classes round, predicted ones boxed, default classes dashed, bold what
    the flow uses.
    """
    edges = sorted(figure.edges, key=lambda edge: edge.used)
    body = [_line(edge) for edge in edges]
    body += [_label(edge) for edge in edges if not edge.quiet]
    body += [_node(node) for node in figure.nodes]
    frame = (-MARGIN, -MARGIN, figure.width + 2 * MARGIN, figure.height + 2 * MARGIN)
    return document(body, frame, figure.words, scale=scale, paper=True)


def _line(edge: FigureEdge) -> str:
    (x1, y1), (x2, y2) = edge.start, edge.end
    length = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1, x2, y2 = x1 + GAP * dx, y1 + GAP * dy, x2 - GAP * dx, y2 - GAP * dy
    width, opacity = (3.0, 1.0) if edge.used else (1.0, 0.4)
    half = TIP / 2 + (1.0 if edge.used else 0.0)
    back_x, back_y = x2 - TIP * dx, y2 - TIP * dy
    tip = (
        f"M{x2:.1f} {y2:.1f}L{back_x - half * dy:.1f} {back_y + half * dx:.1f}"
        f"L{back_x + half * dy:.1f} {back_y - half * dx:.1f}z"
    )
    return (
        f'<g opacity="{opacity:g}"><path class="link" stroke-width="{width:g}" '
        f'd="M{x1:.1f} {y1:.1f}L{back_x:.1f} {back_y:.1f}"/><path class="dot" d="{tip}"/></g>'
    )


def _label(edge: FigureEdge) -> str:
    """As flow_figure.js writes it: interval, cost, and the flow where there is any."""
    flow = f"×{edge.edge.flow}" if edge.edge.flow else ""
    words = ", ".join(part for part in (edge.interval, edge.cost, flow) if part)
    width = len(words) * SMALL_LETTER + 8
    left = edge.text_x + {"start": -9.0, "middle": -width / 2, "end": 9.0 - width}[edge.anchor]
    ground = (
        f'<rect class="tag tag-faint" stroke-width="0" x="{left:.1f}" y="{edge.text_y - 7.5:.1f}" '
        f'width="{width:.1f}" height="15" rx="4"/>'
    )
    return f"<g{_bold(edge.used)}>{ground}{text(words, left + width / 2, edge.text_y, SMALL, 'tagged')}</g>"


def _bold(used: bool) -> str:
    return ' font-weight="700"' if used else ""


def _node(node: FigureNode) -> str:
    kind = node.node.kind
    wide = max(34.0, len(node.label) * LETTER + 14)
    round_corners = kind not in ("predicted", "default predicted")
    side = kind.removeprefix("default ")
    look = f"on-{side} class-fill" if kind in ("true", "predicted") else f"on-{side} no-fill"
    if kind in ("source", "sink"):
        look = "tag tag-faint"
    dash = ' stroke-dasharray="4 3"' if kind.startswith("default") else ""
    width = 2.4 if side in ("true", "predicted") else 1.4
    box = (
        f'<rect class="{look}" x="{node.x - wide / 2:.1f}" y="{node.y - HALF_NODE:.1f}" width="{wide:.1f}" '
        f'height="{2 * HALF_NODE:g}" rx="{HALF_NODE if round_corners else 4:g}" stroke-width="{width:g}"{dash}/>'
    )
    return f"<g>{box}{text(node.label, node.x, node.y, SIZE, 'label')}</g>"
