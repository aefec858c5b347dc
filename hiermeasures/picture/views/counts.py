"""The view of CoPHE's counts: at every class how many true and how many predicted classes lie at or
below it, and level by level what agrees.
"""

from hiermeasures.measures import Explanation
from hiermeasures.measures.counts import ClassCounts, CountsTable
from hiermeasures.measures.sets import LevelCounts, per_level
from hiermeasures.picture.overlay import Badge, LegendEntry, Mark, Overlay, mark_words, side_of
from hiermeasures.picture.panel import Bar, Cell, Column, Row, Table, View

LEGEND = {
    "equal": LegendEntry("badge", "1/1", "true / predicted classes at or below"),
    "over": LegendEntry("badge", "1/2 ▲", "over-predicted"),
    "under": LegendEntry("badge", "2/1 ▼", "under-predicted"),
}
WORDS = mark_words(
    ("above true classes only", "above predicted classes only", "above both"), ("above predicted", "above true")
)


def counts_overlay(table: CountsTable, explanation: Explanation) -> Overlay:
    """The counts that are compared; classes above `max_level` have none."""
    by_class = {c.label: c for c in table.classes}
    true, predicted = ({c.label for c in table.classes if getattr(c, side)} for side in ("true", "predicted"))
    drawn = by_class.keys() | explanation.true | explanation.predicted
    marks = {
        c: Mark(side_of(c, explanation.true, true), side_of(c, explanation.predicted, predicted)) for c in sorted(drawn)
    }
    return Overlay("CoPHE counts", marks, WORDS, {c: _badge(k) for c, k in by_class.items()}, legend=LEGEND)


def _badge(counted: ClassCounts) -> Badge:
    kind, sign = ("over", " ▲") if counted.fp else ("under", " ▼") if counted.fn else ("equal", "")
    by = {"over": f", over-predicted by {counted.fp}", "under": f", under-predicted by {counted.fn}", "equal": ""}[kind]
    says = f"{counted.true} true and {counted.predicted} predicted at or below{by}"
    return Badge(f"{counted.true}/{counted.predicted}{sign}", kind, says)


def counts_table(table: CountsTable, explanation: Explanation) -> Table:
    """The CoPHE counts by level beside those of sets, which do not ask how often."""
    of_sets = {row.level: row for row in per_level(explanation.hierarchy, explanation.augmented, explanation.options)}
    most = max((row.tp + row.fp + row.fn for row in (*table.levels, *of_sets.values())), default=1) or 1

    def cells(level: LevelCounts | None) -> tuple[Cell, Cell]:
        return (Bar(level.tp, level.fp, level.fn, most), f"{level.f1:.2f}") if level else ("", "")

    rows = tuple(
        Row(
            (str(row.level), *cells(row), *cells(of_sets.get(row.level))),
            tuple(c.label for c in table.classes if c.level == row.level),
        )
        for row in sorted(table.levels, key=lambda row: row.level)
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


COUNTS = View(
    key="counts",
    title="counts",
    overlay=lambda explanation, at: counts_overlay(explanation.counts, explanation),
    panel=lambda explanation, at, overlay: counts_table(explanation.counts, explanation),
)
