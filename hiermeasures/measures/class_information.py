"""The information of a class. Resnik, Lin, and Jiang and Conrath compare it.

It is the sum of the weights of the class and its ancestors. With `class_weights="information"` the
sum is −log₂ of the share of the instances that have the class, in trees and in DAGs. The weights
are those of ICM (docs/weighted-classes.md). By default every class weighs 1.
"""

import math
from dataclasses import dataclass

from hiermeasures.measures.best_match import PairValue, find_common_ancestors
from hiermeasures.measures.catalogue import Instance, latex_text, mark_term, number
from hiermeasures.measures.weighted import ROWS

ABOUT = (
    "The information of a class is the sum of the weights at or above it (option class_weights). "
    "With class_weights='information' it is −log₂ of the share of the instances that have the "
    "class."
)


def sum_information(instance: Instance, label: str) -> float:
    """Return the information of a class: the sum of the weights of the class and its ancestors."""
    h = instance.hierarchy
    classes = (h.ancestors(label) | {label}) - instance.uncounted
    if h.class_weights is None:
        return float(len(classes))
    weights = h.class_weights[ROWS["contrast"]]
    return math.fsum(weights[h.index(c)] for c in classes)


@dataclass(frozen=True)
class SharedInformation:
    """The information of two classes and of their most informative common ancestor."""

    first: float
    second: float
    shared: float
    ancestor: str

    @classmethod
    def of(cls, instance: Instance, a: str, b: str) -> "SharedInformation":
        """Compute the information of two classes and of their most informative ancestor."""
        shared, _, ancestor = max(
            (sum_information(instance, c), instance.hierarchy.level(c), c)
            for c in find_common_ancestors(instance.hierarchy, a, b)
        )
        first, second = (sum_information(instance, c) for c in (a, b))
        return cls(first, second, shared, ancestor)

    def compare(self, value: float, latex: str) -> PairValue:
        """Return the comparison with this value.

        `latex` has the places `a`, `b` and `shared` for the numbers, and `ancestor`.
        """
        a, b, shared = map(number, (self.first, self.second, self.shared))
        words = (
            f"their information is {a} and {b}; the information of {self.ancestor}, above both, "
            f"is {shared}"
        )
        places = {
            "a": mark_term("first", a),
            "b": mark_term("second", b),
            "shared": mark_term("meeting", shared),
            "ancestor": mark_term("meeting", latex_text(self.ancestor)),
        }
        return PairValue(value, latex % places, words, self.ancestor)
