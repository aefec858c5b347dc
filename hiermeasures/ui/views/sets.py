"""The views of two sets of classes: the classes alone, and with the ancestors or descendants that a measure adds;
H-loss strikes out errors that follow from an error above.
"""

from dataclasses import replace

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.measures.weighted import ROWS, WeightedSets
from hiermeasures.ui.graph.overlay import PLAIN, Mark, Overlay, marks_of, side_of, words_for
from hiermeasures.ui.linked_table import Column, Row, Table, Text, chips
from hiermeasures.ui.views.table_parts import in_order
from hiermeasures.ui.views.view import View, ViewState

TITLES = {
    "augmented": "Ancestor sets",
    "h_loss": "Ancestor sets, errors below an error struck out",
    "weighted": "Ancestor sets, classes weighted",
    "contrast": "Ancestor sets, classes weighted",
    "path_constrained": "Predicted classes as they are, and which of them are hits",
    "ranks": "Most specific classes",
    "descendants": "Descendant sets",
}


def classes_alone(explanation: Explanation) -> Overlay:
    """The true and the predicted classes, and nothing else."""
    return Overlay("Classes", marks_of(explanation, explanation.true, explanation.predicted), words_for("ancestor"))


def sets_overlay(overlap: SetOverlap, explanation: Explanation, title: str, added: str) -> Overlay:
    """The two sets that are compared, with the word for what was added; classes that a rule took out again are struck
    out.
    """
    struck = overlap.struck
    drawn = overlap.true | overlap.predicted | struck | explanation.true | explanation.predicted
    marks = {
        label: Mark(
            side_of(label, explanation.true, overlap.true | overlap.true_removed),
            side_of(label, explanation.predicted, overlap.predicted | overlap.predicted_removed),
            label in struck,
        )
        for label in drawn
    }
    return Overlay(title, marks, words_for(added))


def sets_table(overlap: SetOverlap, explanation: Explanation, overlay: Overlay) -> Table:
    """The two sets, by what is shared and what is on one side only."""
    weigh = overlap.weight if isinstance(overlap, WeightedSets) and overlap.weights is not None else None
    rows = tuple(
        Row(
            (
                part.title,
                Text(str(len(part.classes)), faint=part.struck),
                *([number(weigh(part.classes))] if weigh else []),
                chips(
                    in_order(explanation, part.classes),
                    lambda c: overlay.marks.get(c, PLAIN),
                    struck=part.classes if part.struck else frozenset(),
                ),
            ),
            in_order(explanation, part.classes),
        )
        for part in overlap.parts
        if part.classes or not part.optional
    )
    return Table(
        "The two sets that are compared",
        (
            Column(""),
            Column("classes", "number"),
            *([Column("weight", "number")] if weigh else []),
            Column("which", "rest"),
        ),
        rows,
        overlap.struck_because if overlap.struck else "",
    )


def _overlay(explanation: Explanation, at: ViewState, added: str) -> Overlay:
    overlap = explanation.structure(at.structure)
    overlay = sets_overlay(overlap, explanation, TITLES[at.structure], added)
    h = explanation.hierarchy
    if not isinstance(overlap, WeightedSets) or h.class_weights is None:
        return overlay
    weights = h.class_weights[ROWS[at.structure]].tolist()
    return replace(overlay, weights=dict(zip(h.nodes, weights, strict=True)))


def _panel(explanation: Explanation, at: ViewState, overlay: Overlay) -> Table:
    return sets_table(explanation.structure(at.structure), explanation, overlay)


CLASSES = View(
    key="classes",
    title="classes",
    structures=("flat",),
    overlay=lambda explanation, at: classes_alone(explanation),
    panel=_panel,
)
ANCESTORS = View(
    key="ancestors",
    title="ancestors",
    structures=("augmented", "h_loss", "weighted", "contrast", "path_constrained", "ranks"),
    overlay=lambda explanation, at: _overlay(explanation, at, "ancestor"),
    panel=_panel,
)
DESCENDANTS = View(
    key="descendants",
    title="descendants",
    structures=("descendants",),
    overlay=lambda explanation, at: _overlay(explanation, at, "descendant"),
    panel=_panel,
)
