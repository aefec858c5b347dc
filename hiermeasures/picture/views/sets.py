"""The views of two sets of classes: the classes alone, and with the ancestors or descendants that a
measure adds; H-loss strikes out errors that follow from an error above. Classes that are credited
as too specific or too general have a badge.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.measures import STRUCTURES, Explanation
from hiermeasures.measures.catalogue import Structure, number
from hiermeasures.measures.sets import FLAT, SetOverlap
from hiermeasures.measures.weighted import ROWS, WeightedSets
from hiermeasures.picture.overlay import PLAIN, Badge, LegendEntry, Mark, Overlay, marks_of, side_of, words_for
from hiermeasures.picture.panel import Column, Row, Table, Text, View, ViewState, chips, in_order

TITLES = {
    "augmented": "Ancestor sets",
    "h_loss": "Ancestor sets, errors below an error struck out",
    "weighted": "Ancestor sets, classes weighted",
    "contrast": "Ancestor sets, classes weighted",
    "path_constrained": "Predicted classes as they are, and which of them are hits",
    "ranks": "Most specific classes",
    "descendants": "Descendant sets",
}


def classes_alone(explanation: Explanation, structure: str = "") -> Overlay:
    """The true and the predicted classes, and of the flat sets what was credited."""
    if structure == FLAT.key and explanation.flat.before:
        return sets_overlay(explanation.flat, explanation, "Classes", "ancestor")
    return Overlay("Classes", marks_of(explanation, explanation.true, explanation.predicted), words_for("ancestor"))


def sets_overlay(overlap: SetOverlap, explanation: Explanation, title: str, added: str) -> Overlay:
    """The two sets that are compared, with the word for what was added, and what was struck out."""
    struck, sides = overlap.struck, overlap.uncredited
    drawn = sides.true | sides.predicted | struck | explanation.true | explanation.predicted
    marks = {
        label: Mark(
            side_of(label, explanation.true, sides.true | sides.true_removed),
            side_of(label, explanation.predicted, sides.predicted | sides.predicted_removed),
            label in struck,
        )
        for label in drawn
    }
    overlay = Overlay(title, marks, words_for(added))
    return _with_credit(overlay, overlap) if overlap.before else overlay


def _with_credit(overlay: Overlay, sets: SetOverlap) -> Overlay:
    """Add a badge to each class that is too specific or was answered too generally."""
    badges: dict[str, Badge] = {}
    legend: dict[str, LegendEntry] = {}
    for arrow, kind, found in (
        ("↓", "too specific", sets.too_specific & sets.uncredited.predicted),
        ("↑", "too general", sets.too_general & sets.uncredited.true),
    ):
        says = f"{kind}, {'left out' if found & sets.struck else 'counted as right'}"
        legend[kind] = LegendEntry("badge", arrow, says)
        badges |= {c: Badge(arrow, kind, says) for c in found}
    return replace(overlay, badges=badges, legend=legend)


def sets_table(overlap: SetOverlap, explanation: Explanation, overlay: Overlay) -> Table:
    """The two sets, by what is shared and what is on one side only."""
    weigh = overlap.weight if isinstance(overlap, WeightedSets) and overlap.weights is not None else None
    rows = []
    for part in overlap.parts:
        if part.classes or not part.optional:
            classes, struck = in_order(explanation, part.classes), part.classes if part.struck else frozenset()
            weight = [number(weigh(classes))] if weigh else []
            which = chips(classes, lambda c: overlay.marks.get(c, PLAIN), struck=struck)
            rows.append(Row((part.title, Text(str(len(classes)), faint=part.struck), *weight, which), classes))
    numbers = ("classes", "weight") if weigh else ("classes",)
    columns = (Column(""), *(Column(name, "number") for name in numbers), Column("which", "rest"))
    note = overlap.struck_because if overlap.struck else ""
    return Table("The two sets that are compared", columns, tuple(rows), note)


def _overlay(explanation: Explanation, at: ViewState, added: str) -> Overlay:
    overlap = explanation.structure(at.structure)
    overlay = sets_overlay(overlap, explanation, TITLES[at.structure], added)
    h = explanation.hierarchy
    if not isinstance(overlap, WeightedSets) or h.class_weights is None:
        return overlay
    weights = h.class_weights[ROWS[at.structure]]
    return replace(overlay, weights=dict(zip(h.nodes, weights, strict=True)))


def numbers_table(structure: Structure[Any], explanation: Explanation) -> Table:
    """The numbers that are kept of a structure, with what each is."""
    kept = structure.read(explanation.built(structure), explanation.options)
    rows = tuple(Row((structure.named_columns[name], number(value))) for name, value in kept._asdict().items())
    return Table("The numbers that the measure reads", (Column(""), Column("number", "number")), rows, compact=True)


def _panel(explanation: Explanation, at: ViewState, overlay: Overlay) -> Table:
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
