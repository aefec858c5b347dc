"""What a structure looks like on the hierarchy: a mark for every class it names, and the words of the legend.

A mark says with shapes which side a class is on, true (circled) and predicted (boxed), and how: as a class of its own or put in
by augmentation. Colours repeat it and belong to the graph component. Structures come from `explain` and are only read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import singledispatch
from typing import Any

from hiermeasures.measures import Explanation
from hiermeasures.measures.sets import SetOverlap


class Side(IntEnum):
    """How a class belongs to one side."""

    NONE = 0
    ADDED = 1
    CLASS = 2


@dataclass(frozen=True)
class Mark:
    """How one class is drawn: its part on the true and on the predicted side, and whether a rule struck it out."""

    true: Side = Side.NONE
    predicted: Side = Side.NONE
    struck: bool = False


PLAIN = Mark()


@dataclass(frozen=True)
class Overlay:
    """Marks by class (classes without one are plain) and what each kind of mark means here."""

    title: str
    marks: Mapping[str, Mark]
    words: Mapping[Mark, str] = field(default_factory=dict)

    def meaning(self, mark: Mark) -> str:
        """What this mark says, in plain words."""
        return self.words.get(mark) or _meaning(mark, self.words)


def overlay_for(explanation: Explanation, structure: str) -> Overlay:
    """How the structure of a name is drawn; one that has no drawing of its own shows the classes alone."""
    return _overlay(explanation.structure(structure), explanation, structure)


ADDED_BY = {"descendants": "descendant", "augmented": "ancestor", "h_loss": "ancestor"}
TITLES = {
    "augmented": "Ancestor sets",
    "h_loss": "Ancestor sets, errors below an error struck out",
    "descendants": "Descendant sets",
}


@singledispatch
def _overlay(structure: Any, explanation: Explanation, name: str) -> Overlay:
    classes = explanation.true | explanation.predicted
    return Overlay("Classes", {c: _classes_only(explanation, c) for c in classes})


@_overlay.register
def _(sets: SetOverlap, explanation: Explanation, name: str) -> Overlay:
    struck = sets.true_removed | sets.predicted_removed
    drawn = sets.true | sets.predicted | struck | explanation.true | explanation.predicted

    def side(label: str, own: frozenset[str], grown: frozenset[str]) -> Side:
        return Side.CLASS if label in own else Side.ADDED if label in grown else Side.NONE

    marks = {
        label: Mark(
            side(label, explanation.true, sets.true | sets.true_removed),
            side(label, explanation.predicted, sets.predicted | sets.predicted_removed),
            label in struck,
        )
        for label in drawn
    }
    return Overlay(TITLES.get(name, "Classes"), marks, _words(ADDED_BY.get(name, "ancestor")))


def _classes_only(explanation: Explanation, label: str) -> Mark:
    return Mark(
        Side.CLASS if label in explanation.true else Side.NONE,
        Side.CLASS if label in explanation.predicted else Side.NONE,
    )


def _words(added: str) -> dict[Mark, str]:
    none, more, own = Side.NONE, Side.ADDED, Side.CLASS
    plural = f"{added}s"
    return {
        Mark(own, none): "true",
        Mark(none, own): "predicted",
        Mark(own, own): "true and predicted",
        Mark(more, none): f"{added} of true only",
        Mark(none, more): f"{added} of predicted only",
        Mark(more, more): f"{added} of both",
        Mark(own, more): f"true, and among the {plural} of predicted",
        Mark(more, own): f"predicted, and among the {plural} of true",
    }


def _meaning(mark: Mark, words: Mapping[Mark, str]) -> str:
    if mark.struck:
        return f"{_meaning(Mark(mark.true, mark.predicted), words)}, not counted"
    return words.get(mark) or _words("ancestor").get(mark, "in neither set")
