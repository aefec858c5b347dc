"""The tree of the Probabilities page: a component (tree.js) that draws a bar of probability under
every class and reports drags and clicks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hiermeasures.app.components import address, component
from hiermeasures.explorer.outbox import Handler
from hiermeasures.picture.layout import Layout, layered
from hiermeasures.picture.neighbourhood import neighbourhood
from hiermeasures.probabilities import NodeProbabilities
from hiermeasures.probabilities.coherence import Coherence

KEY = "probabilities_tree"
MOST_DRAWN = 60
LONGEST_LABEL = 18
BAR_WIDTH = 104.0
MARGIN = 30.0
STACK_STRETCH = 1.3


@dataclass(frozen=True)
class Drawing:
    """Data of the component, and how many classes of a large hierarchy are folded away."""

    data: dict[str, Any]
    folded: int


def drawing(
    probabilities: NodeProbabilities,
    true: frozenset[str],
    predicted: frozenset[str],
    *,
    tau: float | None,
    found: Coherence,
) -> Drawing:
    """Positions, marks and bars of every class that is drawn.

    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.probabilities import coherence
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25})
    >>> made = drawing(p, frozenset({"2"}), frozenset({"1"}), tau=0.5, found=coherence(p))
    >>> [(n["id"], n["p"], n["true"], n["predicted"]) for n in made.data["nodes"]][1:]
    [('1', 0.75, False, True), ('2', 0.25, True, False)]
    """
    h = probabilities.hierarchy
    near = neighbourhood(h, true | predicted, MOST_DRAWN, whole=MOST_DRAWN)
    drawn = set(near.nodes)
    edges = [(u, v) for u, v in h.edges if u in drawn and v in drawn]
    made = _spread(layered({c: h.level(c) for c in near.nodes}, edges, lambda c: max(BAR_WIDTH, _label_width(c) + 20)))
    odd = {f.child for f in found.child_above_parent} | {c for s in found.siblings_over for c in s.children}
    marks = {"true": true, "predicted": predicted, "odd": odd}
    nodes = [
        _node(probabilities, c, made.positions[c], {mark: c in classes for mark, classes in marks.items()})
        for c in near.nodes
    ]
    paths = [_edge(made, u, v, u == h.root) for u, v in edges]
    x, y = zip(*made.positions.values(), *(p for points in made.bends.values() for p in points), strict=True)
    view = [
        min(x) - BAR_WIDTH / 2 - MARGIN / 2,
        min(y) - MARGIN,
        max(x) - min(x) + BAR_WIDTH + MARGIN,
        max(y) - min(y) + 2 * MARGIN + 12,
    ]
    title = f"The hierarchy with probabilities, {len(near.nodes)} classes"
    data = {"nodes": nodes, "edges": paths, "tau": tau, "view": view, "title": title, "legend": _legend(nodes, tau)}
    return Drawing(data, near.folded)


def show(made: Drawing, on_edit: Handler, on_choose: Handler) -> None:
    """Mount it. `on_edit` gets {"label", "value"} of a moved bar, `on_choose` {"label"}."""
    component("probability_tree")(key=KEY, data=made.data | {"address": address(KEY, edit=on_edit, choose=on_choose)})


def _node(p: NodeProbabilities, label: str, place: tuple[float, float], marks: Mapping[str, bool]) -> dict[str, Any]:
    short = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
    hint = f"{label}: {p[label]:.6g}. Drag the bar, or move it with the arrow keys."
    if marks["odd"]:
        hint += " It does not fit its parent or its siblings."
    return {
        "id": label,
        "label": short,
        "full": label,
        "x": place[0],
        "y": place[1],
        "width": max(30.0, _label_width(short)),
        "p": p[label],
        "root": label == p.hierarchy.root,
        "hint": hint,
        **marks,
    }


def _legend(nodes: list[dict[str, Any]], tau: float | None) -> list[tuple[str, str]]:
    """The marks that are drawn, with their meanings."""
    sides = {(n["true"], n["predicted"]) for n in nodes}
    words = [("true", "true", (True, False)), ("predicted", "predicted", (False, True)), ("both", "both", (True, True))]
    return [
        *((kind, text) for kind, text, side in words if side in sides),
        ("bar", "probability"),
        *([("tau", f"threshold {tau:g}")] if tau is not None else []),
        ("", "drag a bar, click a class"),
    ]


def _label_width(label: str) -> float:
    return 8.2 * min(len(label), LONGEST_LABEL) + 14


def _spread(made: Layout) -> Layout:
    """More height where leaves are stacked: each has a bar below its label."""
    if not any(points and points[-1][1] == made.positions[v][1] for (_, v), points in made.bends.items()):
        return made
    positions = {c: (x, y * STACK_STRETCH) for c, (x, y) in made.positions.items()}
    return Layout(positions, {e: tuple((x, y * STACK_STRETCH) for x, y in points) for e, points in made.bends.items()})


def _edge(made: Layout, parent: str, child: str, from_root: bool) -> list[tuple[float, float]]:
    """From below the parent's bar to above the child's label, or to its left side in a stack."""
    (x, y), (a, b) = made.positions[parent], made.positions[child]
    bends = made.bends.get((parent, child), ())
    hangs = bool(bends) and bends[-1][1] == b
    end = (a - max(30.0, _label_width(child)) / 2, b) if hangs else (a, b - 13)
    return [(x, y + (14 if from_root else 32)), *bends, end]
