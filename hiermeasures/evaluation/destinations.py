"""Where the instances of a class went: the predicted labels that its true labels are paired with.

hiermeasures.evaluation.mistakes pairs the labels. This module groups the pairs of one part of the
hierarchy by the branch of the predicted label.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from hiermeasures.evaluation.mistakes import PairedLabels
from hiermeasures.evaluation.outside import base_of
from hiermeasures.hierarchy.hierarchy import Hierarchy

RELATIONS = ("right", "inside", "above", "outside", "unknown", "nothing")


@dataclass(frozen=True, eq=False)
class Destination:
    """Predicted labels of one group, in place of the true labels at or below a class.

    `relation` is one of RELATIONS. "inside" are wrong labels below the class, by its child
    `branch`. "above" are the class itself and the classes above it. "outside" are the other labels,
    by the highest branch that does not contain the class. `count` is the number of true labels,
    which may be a fraction. `instances` are the places of the instances, each once.
    """

    relation: str
    branch: str | None
    count: float
    instances: np.ndarray


def find_destinations(paired: PairedLabels, label: str) -> list[Destination]:
    """Return where the true labels at or below a class went, the most frequent first.

    The counts add up to the number of these labels. A predicted label in several branches is shared
    equally among them.

    >>> from hiermeasures.evaluation import encode
    >>> from hiermeasures.evaluation.mistakes import pair_all
    >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["d"]}})
    >>> paired = pair_all(h, encode(h, ["a", "a", "b", "d"]), encode(h, ["a", "b", "d", "d"]))
    >>> for to in find_destinations(paired, "A"):
    ...     print(to.relation, to.branch, to.count)
    right None 1.0
    inside b 1.0
    outside B 1.0
    """
    h = base_of(paired.hierarchy)
    below = {label, *h.descendants(label)}
    inside = np.array([*(name in below for name in paired.hierarchy.nodes), False])
    rows = np.flatnonzero(inside[paired.true])
    right = paired.predicted[rows] == paired.true[rows]
    wrong = rows[~right]
    wrong = wrong[np.argsort(paired.predicted[wrong], kind="stable")]
    numbers, begins = np.unique(paired.predicted[wrong], return_index=True)
    names = [*paired.hierarchy.nodes, None]  # the last for −1
    found: dict[tuple[str, str | None], list[tuple[np.ndarray, float]]] = defaultdict(list)
    found["right", None].append((rows[right], 1.0))
    for number, some in zip(numbers.tolist(), np.split(wrong, begins[1:]), strict=False):
        groups = _find_branches(h, names[number], label)
        for group in groups:
            found[group].append((some, 1 / len(groups)))
    made = [_gather(paired, relation, branch, parts) for (relation, branch), parts in found.items()]
    return sorted((to for to in made if to.count), key=lambda to: -to.count)


def _gather(
    paired: PairedLabels, relation: str, branch: str | None, parts: list[tuple[np.ndarray, float]]
) -> Destination:
    count = sum(share * float(paired.count[rows].sum()) for rows, share in parts)
    rows = np.concatenate([rows for rows, _ in parts])
    return Destination(relation, branch, count, np.unique(paired.instance[rows]))


def _find_branches(h: Hierarchy, name: str | None, label: str) -> list[tuple[str, str | None]]:
    """Return the relation and the branches of a predicted label, if it is wrong."""
    if name is None:
        return [("nothing", None)]
    if name not in h:
        return [("unknown", None)]
    above = {label, *h.ancestors(label)}
    if name in above:
        return [("above", name)]
    up = {name, *h.ancestors(name)}
    if label in up:
        return [("inside", child) for child in h.children(label) if child in up]
    tops = (child for parent in above - {label} for child in h.children(parent))
    return [("outside", child) for child in sorted({*tops} & up - above)]
