"""The views of two sets of classes, and of CoPHE's counts.

The sets are the classes alone, or the classes with the ancestors or descendants that a measure adds.
For H-loss, errors below another error are struck out. Classes that get credit as too specific or too
general have a badge. The view of CoPHE's counts shows at every class the number of true and of
predicted classes at or below it. Its table shows the agreement at each level.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.draw import scene
from hiermeasures.draw.panel import (
    Cell,
    Column,
    CountBar,
    PanelTable,
    Row,
    Text,
    View,
    ViewState,
    chips,
    in_order,
)
from hiermeasures.measures import STRUCTURES, Explanation
from hiermeasures.measures.catalogue import Structure, number
from hiermeasures.measures.counts import ClassCounts, CountsTable
from hiermeasures.measures.paths_and_ranks import ConstrainedSets
from hiermeasures.measures.sets import FLAT, LevelCounts, SetOverlap, per_level
from hiermeasures.measures.weighted import ROWS

TITLES = {
    "augmented": "Ancestor sets",
    "h_loss": "Ancestor sets, errors below an error struck out",
    "weighted": "Ancestor sets, classes weighted",
    "contrast": "Ancestor sets, classes weighted",
    "path_constrained": "Predicted classes and the hits among them",
    "ranks": "Most specific classes",
    "descendants": "Descendant sets",
}


def classes_alone(explanation: Explanation, structure: str = "") -> scene.Overlay:
    if structure == FLAT.key and explanation.flat.before:
        return sets_overlay(explanation.flat, explanation, "Classes", "ancestor")
    return scene.Overlay(
        "Classes",
        scene.marks_of(explanation, explanation.true, explanation.predicted),
        scene.words_for("ancestor"),
    )


def sets_overlay(
    overlap: SetOverlap, explanation: Explanation, title: str, added: str
) -> scene.Overlay:
    sides = overlap.uncredited
    true, predicted = sides.true | sides.true_removed, sides.predicted | sides.predicted_removed
    marks = scene.marks_of(explanation, true, predicted, overlap.struck)
    overlay = scene.Overlay(title, marks, scene.words_for(added))
    if isinstance(overlap, ConstrainedSets) and overlap.refused:
        badge = scene.Badge(
            "no hit", "refused", "in both sets, but no hit: an ancestor is not predicted"
        )
        legend = {"refused": scene.LegendEntry("badge", "no hit", "an ancestor is not predicted")}
        return replace(overlay, badges=dict.fromkeys(overlap.refused, badge), legend=legend)
    return _with_credit(overlay, overlap) if overlap.before else overlay


def _with_credit(overlay: scene.Overlay, sets: SetOverlap) -> scene.Overlay:
    badges: dict[str, scene.Badge] = {}
    legend: dict[str, scene.LegendEntry] = {}
    for arrow, kind, found in (
        ("↓", "too specific", sets.too_specific & sets.uncredited.predicted),
        ("↑", "too general", sets.too_general & sets.uncredited.true),
    ):
        says = f"{kind}, {'left out' if found & sets.struck else 'counted as right'}"
        legend[kind] = scene.LegendEntry("badge", arrow, says)
        badges |= {c: scene.Badge(arrow, kind, says) for c in found}
    return replace(overlay, badges=badges, legend=legend)


def sets_table(overlap: SetOverlap, explanation: Explanation, overlay: scene.Overlay) -> PanelTable:
    """Return a table of the two sets that a measure compares, by their parts."""
    weigh = None if overlap.weights is None else overlap.weight
    rows = []
    for part in overlap.parts:
        if part.classes or not part.optional:
            classes, struck = (
                in_order(explanation, part.classes),
                part.classes if part.struck else frozenset(),
            )
            weight = [number(weigh(classes))] if weigh else []
            which = chips(classes, lambda c: overlay.marks.get(c, scene.PLAIN), struck=struck)
            rows.append(
                Row(
                    (part.title, Text(str(len(classes)), faint=part.struck), *weight, which),
                    classes,
                )
            )
    numbers = ("classes", "weight") if weigh else ("classes",)
    columns = (Column(""), *(Column(name, "number") for name in numbers), Column("which", "rest"))
    note = overlap.struck_because if overlap.struck else ""
    return PanelTable("The true and the predicted set of classes", columns, tuple(rows), note)


def _overlay(explanation: Explanation, at: ViewState, added: str) -> scene.Overlay:
    overlap = explanation.structure(at.structure)
    overlay = sets_overlay(overlap, explanation, TITLES[at.structure], added)
    h = explanation.hierarchy
    if overlap.weights is None or h.class_weights is None:
        return overlay
    weights = h.class_weights[ROWS.get(at.structure, 0)]
    return replace(overlay, weights=dict(zip(h.nodes, weights, strict=True)))


def numbers_table(structure: Structure[Any], explanation: Explanation) -> PanelTable:
    """Return a table of the numbers that a measure uses."""
    kept = structure.read(explanation.built(structure), explanation.options)
    rows = tuple(
        Row((structure.named_columns[name], number(value)))
        for name, value in kept._asdict().items()
    )
    return PanelTable(
        "The numbers that the measure uses",
        (Column(""), Column("number", "number")),
        rows,
        compact=True,
    )


def _panel(explanation: Explanation, at: ViewState, overlay: scene.Overlay) -> PanelTable:
    built = explanation.structure(at.structure)
    if isinstance(built, SetOverlap):
        return sets_table(built, explanation, overlay)
    return numbers_table(STRUCTURES[at.structure], explanation)


CLASSES = View(
    key="classes",
    title="classes",
    brings="flat",
    overlay=lambda explanation, at: classes_alone(explanation, at.structure),
    panel=_panel,
)
ANCESTORS, DESCENDANTS = (
    View(key=f"{added}s", title=f"{added}s", overlay=partial(_overlay, added=added), panel=_panel)
    for added in ("ancestor", "descendant")
)


LEGEND = {
    "equal": scene.LegendEntry("badge", "1/1", "true / predicted classes at or below"),
    "over": scene.LegendEntry("badge", "1/2 ▲", "over-predicted"),
    "under": scene.LegendEntry("badge", "2/1 ▼", "under-predicted"),
}
WORDS = scene.mark_words(
    ("above true classes only", "above predicted classes only", "above both"),
    ("above predicted", "above true"),
)


def counts_overlay(table: CountsTable, explanation: Explanation) -> scene.Overlay:
    by_class = {c.label: c for c in table.classes}
    true, predicted = (
        {c.label for c in table.classes if getattr(c, side)} for side in ("true", "predicted")
    )
    marks = scene.marks_of(explanation, frozenset(true), frozenset(predicted))
    return scene.Overlay(
        "CoPHE counts",
        marks,
        WORDS,
        {c: _count_badge(k) for c, k in by_class.items()},
        legend=LEGEND,
    )


def _count_badge(counted: ClassCounts) -> scene.Badge:
    kind, sign = ("over", " ▲") if counted.fp else ("under", " ▼") if counted.fn else ("equal", "")
    by = {
        "over": f", over-predicted by {counted.fp}",
        "under": f", under-predicted by {counted.fn}",
        "equal": "",
    }[kind]
    says = f"{counted.true} true and {counted.predicted} predicted at or below{by}"
    return scene.Badge(f"{counted.true}/{counted.predicted}{sign}", kind, says)


def counts_table(table: CountsTable, explanation: Explanation) -> PanelTable:
    """Return a table of the CoPHE counts by level, next to the counts of ancestor sets.

    Ancestor sets count each class once.
    """
    of_sets = {
        row.level: row
        for row in per_level(explanation.hierarchy, explanation.augmented, explanation.options)
    }
    most = (
        max((row.tp + row.fp + row.fn for row in (*table.levels, *of_sets.values())), default=1)
        or 1
    )

    def cells(level: LevelCounts | None) -> tuple[Cell, Cell]:
        return (
            (CountBar(level.tp, level.fp, level.fn, most), f"{level.f1:.2f}") if level else ("", "")
        )

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
        "A bar has three parts: the counts that both sides share, the over-predicted counts "
        "(dashed), and the under-predicted counts (dotted)."
    )
    return PanelTable("Counts by level", columns, rows, note)


COUNTS = View(
    key="counts",
    title="counts",
    overlay=lambda explanation, at: counts_overlay(explanation.counts, explanation),
    panel=lambda explanation, at, overlay: counts_table(explanation.counts, explanation),
)
