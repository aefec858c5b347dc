"""What the tables of several views have in common."""

from collections.abc import Iterable

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import Path
from hiermeasures.ui.graph.overlay import Mark, Side

TRUE, PREDICTED = Mark(Side.CLASS), Mark(predicted=Side.CLASS)


def in_order(explanation: Explanation, labels: Iterable[str]) -> tuple[str, ...]:
    """Classes in the hierarchy's order."""
    return tuple(sorted(labels, key=explanation.hierarchy.index))


def path_text(path: Path) -> str:
    """A path in words.

    >>> path_text(("R", "A", "D"))
    'R › A › D'
    """
    return " › ".join(path)
