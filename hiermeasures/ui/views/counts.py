"""The view of CoPHE's counts: at every class how many true and how many predicted classes lie at or below it, and level
by level what agrees.
"""

from hiermeasures.measures import Explanation
from hiermeasures.measures.counts import ClassCounts, CountsTable
from hiermeasures.measures.sets import LevelCounts, per_level
from hiermeasures.ui.graph.overlays.parts import Badge, KeyLine, Mark, Overlay, Side, side_of
from hiermeasures.ui.linked_table import Bar, Column, Row, Table
from hiermeasures.ui.views.view import View

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


def counts_overlay(table: CountsTable, explanation: Explanation) -> Overlay:
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
    by = {"over": f", over-predicted by {counted.fp}", "under": f", under-predicted by {counted.fn}", "equal": ""}[kind]
    says = f"{counted.true} true and {counted.predicted} predicted at or below{by}"
    return Badge(f"{counted.true}/{counted.predicted}{sign}", kind, says)


def counts_table(table: CountsTable, explanation: Explanation) -> Table:
    """Level by level: the CoPHE counts beside those of the sets, which ask only whether and not how often."""
    by_set = {
        level.level: level for level in per_level(explanation.hierarchy, explanation.augmented, explanation.options)
    }
    most = max((sum(_parts(row)) for row in (*table.levels, *by_set.values())), default=1) or 1
    rows = tuple(
        Row(
            (
                f"{level.level}",
                _bar(level, most),
                f"{level.f1:.2f}",
                *(
                    (_bar(by_set[level.level], most), f"{by_set[level.level].f1:.2f}")
                    if level.level in by_set
                    else ("", "")
                ),
            ),
            tuple(c.label for c in table.classes if c.level == level.level),
        )
        for level in sorted(table.levels, key=lambda row: row.level)
    )
    columns = (
        Column("level", "number", "counted from the root"),
        Column("CoPHE counts"),
        Column("F1", "number"),
        Column("ancestor sets"),
        Column("F1", "number"),
    )
    note = (
        "In a bar: what both sides agree on, then what is over-predicted (dashed), "
        "then what is under-predicted (dotted)."
    )
    return Table("Counts by level", columns, rows, note)


def _parts(level: LevelCounts) -> tuple[int, int, int]:
    return level.tp, level.fp, level.fn


def _bar(level: LevelCounts, most: int) -> Bar:
    return Bar(*_parts(level), most)


COUNTS = View(
    key="counts",
    title="counts",
    about="How many true and predicted classes lie at or below every class.",
    structures=("counts",),
    overlay=lambda explanation, at: counts_overlay(explanation.counts, explanation),
    panel=lambda explanation, at, drawn: counts_table(explanation.counts, explanation),
)
