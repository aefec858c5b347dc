"""Sets on the hierarchy: the classes alone, augmented by ancestors or by descendants, and what H-loss strikes out."""

from hiermeasures.measures import Explanation
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.ui.graph.overlays.parts import Mark, Overlay, marks_of, side_of, words_for

ADDED_BY = {"descendants": "descendant", "augmented": "ancestor", "h_loss": "ancestor"}
TITLES = {
    "augmented": "Ancestor sets",
    "h_loss": "Ancestor sets, errors below an error struck out",
    "descendants": "Descendant sets",
}


def classes(explanation: Explanation) -> Overlay:
    """The true and the predicted classes, and nothing else."""
    return Overlay("Classes", marks_of(explanation, explanation.true, explanation.predicted), words_for("ancestor"))


def sets(overlap: SetOverlap, explanation: Explanation, name: str) -> Overlay:
    """The two sets that are compared; classes that a rule took out again are struck out."""
    struck = overlap.true_removed | overlap.predicted_removed
    drawn = overlap.true | overlap.predicted | struck | explanation.true | explanation.predicted
    marks = {
        label: Mark(
            side_of(label, explanation.true, overlap.true | overlap.true_removed),
            side_of(label, explanation.predicted, overlap.predicted | overlap.predicted_removed),
            label in struck,
        )
        for label in drawn
    }
    return Overlay(TITLES.get(name, "Classes"), marks, words_for(ADDED_BY.get(name, "ancestor")))
