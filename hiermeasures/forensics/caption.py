"""The sentence that a paper should print under its table: every choice that matters on its data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.forensics.grid import Convention, axes, is_meant, measures
from hiermeasures.forensics.search import values_of
from hiermeasures.measures.catalogue import escaped_latex


@dataclass(frozen=True)
class Caption:
    """A convention in words. `matters` are the axes on which another choice gives another number on these data."""

    convention: Convention
    value: float
    matters: tuple[str, ...]

    @property
    def text(self) -> str:
        said = self.convention.sentence(self.matters) if self.matters else "no choice of convention matters here"
        name = measures()[self.convention.measure]["name"]
        return f"{name[0].upper()}{name[1:]} ({self.convention.id}). {said[0].upper()}{said[1:]}."

    @property
    def latex(self) -> str:
        return escaped_latex(self.text)


def caption(hierarchy: Hierarchy, y_true: Sequence[Any], y_pred: Sequence[Any], convention: Convention) -> Caption:
    """Return what should be said of a number: each choice for which another one gives another number here.

    Each axis is changed alone.

    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")])
    >>> print(caption(h, [["T1"], ["C"]], [["P1"], ["C"]], Convention.of("F", average="micro")).text)
    F1 (F|average:micro). Average: one ratio of sums over all instances; ancestors: added on both sides; \
root: not counted; precision and recall inside F1: are exact.
    """
    neighbours = []
    for axis, own in convention.choices:
        for choice in axes()[axis].choices:
            changed = tuple((name, choice.key if name == axis else given) for name, given in convention.choices)
            if choice.key != own and axis != "average" and is_meant(dict(changed), convention.measure):
                neighbours.append((axis, Convention(convention.measure, changed)))
    value, *others = values_of(hierarchy, y_true, y_pred, [convention, *(each for _, each in neighbours)])
    moved = {axis for (axis, _), other in zip(neighbours, others, strict=True) if abs(other - value) > 1e-12}
    matters = tuple(axis for axis, _ in convention.choices if axis in moved or axis == "average")
    return Caption(convention, value, matters)
