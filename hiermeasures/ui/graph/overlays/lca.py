"""LCA graphs on the hierarchy: the graph of each side, minimal or extended, with its edges and its lowest common
ancestors.
"""

from itertools import pairwise
from typing import Literal

from hiermeasures.measures import Explanation
from hiermeasures.measures.lca import GraphPair, LCAGraphs, SearchStep
from hiermeasures.ui.graph.overlays.parts import (
    PLAIN,
    Badge,
    EdgeMark,
    KeyLine,
    Mark,
    Overlay,
    Side,
    edge_key,
    edge_marks,
    marks_of,
    words_in,
)

Kind = Literal["minimal", "extended"]

EDGES = edge_key("true graph", "predicted graph", "both graphs")
CHOSEN = KeyLine("badge", "LCA", "lowest common ancestor")
LEFT_OUT = KeyLine("badge", "LCA", "LCA left out")
OPEN = KeyLine("badge", "?", "has no LCA of its own among the chosen yet")


def graphs(lca: LCAGraphs, explanation: Explanation, kind: Kind = "minimal") -> Overlay:
    """The graphs of a kind. Beside the minimal ones, what only the extended ones have is ringed: the redundancy that is
    left out.
    """
    shown: GraphPair = lca.extended if kind == "extended" else lca.minimal
    marks = marks_of(explanation, shown.true.nodes, shown.predicted.nodes) | _dropped(lca)
    badges = {c: Badge("LCA", "lca", _whose(lca, c)) for c in sorted(lca.lca_true | lca.lca_predicted)}
    words = dict(words_in("graph"))
    if kind == "minimal":
        for c in sorted((lca.minimal.redundant_true | lca.minimal.redundant_predicted) - marks.keys()):
            marks[c] = Mark(ringed=True)
        words[Mark(ringed=True)] = "in the extended graphs only"
        badges |= {
            c: Badge("LCA", "struck", f"{_whose(lca, c)}; not needed in the minimal graphs")
            for c in lca.minimal.redundant_lcas
        }
    return Overlay(
        f"{kind.capitalize()} LCA graphs",
        marks,
        words,
        badges,
        (),
        edge_marks(shown.true.edges, shown.predicted.edges),
        key=EDGES | {"lca": CHOSEN, "struck": LEFT_OUT},
    )


def step(lca: LCAGraphs, explanation: Explanation, at: SearchStep) -> Overlay:
    """The graphs as far as they are built after a step, the chosen LCAs, and what the step is about."""
    marks = marks_of(explanation, at.true_nodes, at.predicted_nodes) | _dropped(lca)
    badges = {c: Badge("?", "open", OPEN.words) for c in at.open_true | at.open_predicted}
    badges |= {c: Badge("LCA", "lca", "chosen") for c in at.chosen}
    if at.action == "remove":
        badges[at.lca] = Badge("LCA", "struck", "removed again")
    paths = lca.minimal.steps[: lca.minimal.steps.index(at) + 1]
    found = {
        side: [e for s in paths if s.path and s.path.side == side for e in _edges(s.path.path)]
        for side in ("true", "predicted")
    }
    return Overlay(
        "Choosing LCAs",
        marks,
        words_in("graph"),
        badges,
        (),
        edge_marks(found["true"], found["predicted"]),
        frozenset({at.lca}) if at.path is None else frozenset(at.path.path),
        key=EDGES
        | {
            "lca": KeyLine("badge", "LCA", "chosen LCA"),
            "struck": KeyLine("badge", "LCA", "removed again"),
            "open": OPEN,
            "focus": KeyLine("focus", "", "what this step is about"),
        },
    )


def _edges(path: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(above, below) for below, above in pairwise(path)]


def _dropped(lca: LCAGraphs) -> dict[str, Mark]:
    """Classes with a descendant in their own set take no part and are struck out."""
    return {
        c: Mark(
            Side.CLASS if c in lca.dropped_true else Side.NONE,
            Side.CLASS if c in lca.dropped_predicted else Side.NONE,
            struck=True,
        )
        for c in sorted(lca.dropped_true | lca.dropped_predicted)
        if c not in lca.true | lca.predicted
    }


def _whose(lca: LCAGraphs, label: str) -> str:
    owners = sorted({m.label for m in (*lca.true_matches, *lca.predicted_matches) if label in m.lcas})
    return f"lowest common ancestor of {', '.join(owners)}"


__all__ = ["PLAIN", "EdgeMark", "Kind", "graphs", "step"]
