"""What is laid over a drawing of a hierarchy. What structures look like is said by the views."""

from hiermeasures.ui.graph.overlays.parts import PLAIN, Badge, EdgeMark, KeyLine, Link, Mark, Overlay, Side

__all__ = ["PLAIN", "Badge", "EdgeMark", "KeyLine", "Link", "Mark", "Overlay", "Side"]
