"""What a structure looks like on the hierarchy, one module per family; `overlay_for` finds the drawing of a structure.

Structures come from `explain` and are only read here. The words of the legend are part of the drawing.
"""

from collections.abc import Callable
from typing import Any

from hiermeasures.measures import Explanation
from hiermeasures.measures.confusion import HierarchicalConfusion
from hiermeasures.measures.counts import CountsTable
from hiermeasures.measures.lca import LCAGraphs
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.measures.shortest_path import ShortestPaths
from hiermeasures.ui.graph.overlays import confusion, counts, lca, pairing, sets
from hiermeasures.ui.graph.overlays.parts import PLAIN, Badge, EdgeMark, KeyLine, Link, Mark, Overlay, Side

__all__ = ["PLAIN", "Badge", "EdgeMark", "KeyLine", "Link", "Mark", "Overlay", "Side", "overlay_for"]


def overlay_for(explanation: Explanation, structure: str) -> Overlay:
    """How the structure of a name is drawn: as its options ask, all paths at once, all steps done."""
    built = explanation.structure(structure)
    draw = next((draw for kind, draw in _DRAWN.items() if isinstance(built, kind)), None)
    return draw(built, explanation, structure) if draw else sets.classes(explanation)


_DRAWN: dict[type, Callable[[Any, Explanation, str], Overlay]] = {
    SetOverlap: sets.sets,
    LCAGraphs: lambda built, x, _: lca.graphs(built, x, x.options.graphs),
    PairingNetwork: lambda built, x, _: pairing.pairing(built, x),
    HierarchicalConfusion: lambda built, x, _: confusion.confusion(built, x),
    CountsTable: lambda built, x, _: counts.counts(built, x),
    ShortestPaths: lambda built, x, _: pairing.specific(built, x),
}
