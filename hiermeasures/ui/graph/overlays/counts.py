"""CoPHE counts on the hierarchy: at every class how many true and how many predicted classes lie at or below it."""

from hiermeasures.measures import Explanation
from hiermeasures.measures.counts import ClassCounts, CountsTable
from hiermeasures.ui.graph.overlays.parts import Badge, KeyLine, Mark, Overlay, Side, side_of

KEY = {
    "equal": KeyLine("badge", "1/1", "true / predicted classes at or below"),
    "over": KeyLine("badge", "1/2 ▲", "over-predicted"),
    "under": KeyLine("badge", "2/1 ▼", "under-predicted"),
}
WORDS = {
    Mark(Side.CLASS, Side.NONE): "true",
    Mark(Side.NONE, Side.CLASS): "predicted",
    Mark(Side.CLASS, Side.CLASS): "true and predicted",
    Mark(Side.ADDED, Side.NONE): "above true classes only",
    Mark(Side.NONE, Side.ADDED): "above predicted classes only",
    Mark(Side.ADDED, Side.ADDED): "above both",
    Mark(Side.CLASS, Side.ADDED): "true, and above predicted",
    Mark(Side.ADDED, Side.CLASS): "predicted, and above true",
}


def counts(table: CountsTable, explanation: Explanation) -> Overlay:
    """The counts that are compared; classes above `max_level` have none."""
    by_class = {c.label: c for c in table.classes}
    true, predicted = ({c.label for c in table.classes if getattr(c, side)} for side in ("true", "predicted"))
    drawn = by_class.keys() | explanation.true | explanation.predicted
    marks = {
        c: Mark(side_of(c, explanation.true, true), side_of(c, explanation.predicted, predicted)) for c in sorted(drawn)
    }
    return Overlay("CoPHE counts", marks, WORDS, {c: _badge(k) for c, k in by_class.items()}, key=KEY)


def _badge(counted: ClassCounts) -> Badge:
    kind, sign = ("over", " ▲") if counted.fp else ("under", " ▼") if counted.fn else ("equal", "")
    told = {"over": f", over-predicted by {counted.fp}", "under": f", under-predicted by {counted.fn}", "equal": ""}[
        kind
    ]
    says = f"{counted.true} true and {counted.predicted} predicted at or below{told}"
    return Badge(f"{counted.true}/{counted.predicted}{sign}", kind, says)
