"""Class weights by class number: your own weights, and weights from leaves and levels.

hiermeasures.evaluation.information counts information over true labels.
hiermeasures.measures.weighted sums weights.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from functools import reduce
from itertools import pairwise
from operator import and_
from typing import Any, Literal

from hiermeasures.hierarchy.edge_rows import EdgeRows
from hiermeasures.hierarchy.errors import InputError, shown, unknown

Scheme = Literal["leaves", "depth"]
ClassWeights = tuple[tuple[float, ...], tuple[float, ...]]  # by number: the weight, that in ICM
SCHEMES: tuple[Scheme, ...] = ("leaves", "depth")
MOST_LEAF_BITS = 10**10  # classes × leaves of a DAG, one bit each
HEAVIEST = 1e12  # so that sums keep small terms

ATTRIBUTES = CLASS_WEIGHT, ICM_WEIGHT = "class_weight", "icm_weight"
"""The names of a class's weight and of its weight in ICM, in files and graphs."""


def class_weights(
    given: Scheme | Mapping[str, float] | Iterable[Any], index: Callable[[str], int], rows: EdgeRows
) -> ClassWeights:
    """Return the weights of all classes, and their weights in ICM.

    `given` is explained in `Hierarchy.with_class_weights`. `index` returns the number of a class.
    """
    if isinstance(given, Mapping):
        found = [0.0] * len(rows.level)
        for label, weight in given.items():
            found[index(label)] = _checked(weight, label)
    elif not isinstance(given, str):
        listed = list(given)
        weights, in_icm = listed if isinstance(listed[0], Sized) else (listed, listed)
        return tuple(map(float, weights)), tuple(map(float, in_icm))
    elif given == "leaves":
        found = _by_leaves(rows)
    elif given == "depth":
        found = list(map(float, rows.level))
    else:
        raise InputError(unknown("class weight scheme", given, SCHEMES))
    return tuple(found), tuple(found)


def from_attributes(
    given: Mapping[str, Mapping[str, object]], nodes: Sequence[str], virtual_root: bool
) -> ClassWeights | None:
    """Read the weights of classes from their attributes, in the order of `nodes`.

    The result is None if no class has attributes. A virtual root comes first and weighs 0.

    Raises
    ------
    InputError
        If only some classes have a weight, or a weight is not valid.
    """
    if not any(given.values()):
        return None
    found, in_icm = [0.0] * virtual_root, [0.0] * virtual_root
    for label in nodes[virtual_root:]:
        weights = given.get(label, {})
        if CLASS_WEIGHT not in weights:
            raise InputError(
                f"class {shown(label)} has no {CLASS_WEIGHT}, but other classes have one. Give "
                "every class a weight"
            )
        found.append(_checked(weights[CLASS_WEIGHT], label))
        in_icm.append(
            _checked(weights[ICM_WEIGHT], label, least=-HEAVIEST)
            if ICM_WEIGHT in weights
            else found[-1]
        )
    return tuple(found), tuple(in_icm)


def as_attributes(weights: ClassWeights, nodes: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return the weights of each class as attributes for `from_attributes`.

    The weight in ICM is included if it differs.
    """
    names = ATTRIBUTES if weights[0] != weights[1] else ATTRIBUTES[:1]
    return {
        label: dict(zip(names, row, strict=False))
        for label, *row in zip(nodes, *weights, strict=True)
    }


def _checked(weight: object, label: object, least: float = 0.0) -> float:
    try:
        value = float(weight)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not least <= value <= HEAVIEST:
        can = f"{HEAVIEST:g} at most" if value > HEAVIEST else f"{least:g} or more"
        raise InputError(
            f"the weight of class {shown(str(label))} is {shown(str(weight))[1:-1]}. A class "
            f"weight must be {can}"
        )
    return value


def _by_leaves(rows: EdgeRows) -> list[float]:
    """Return the information of each class given its parents, for equally likely leaves."""
    n = len(rows.level)
    leaves = [i for i, (start, end) in enumerate(pairwise(rows.child_ptr)) if start == end]
    if len(rows.parent_idx) == n - 1:  # a tree
        counts = [0] * n
        for i in leaves:
            counts[i] = 1
        for i in range(n - 1, 0, -1):
            counts[rows.parent_idx[i - 1]] += counts[i]
        return [0.0, *(math.log2(counts[p] / counts[i]) for i, p in enumerate(rows.parent_idx, 1))]
    if n * len(leaves) > MOST_LEAF_BITS:
        raise InputError(
            f"the weights 'leaves' need too much memory in a DAG of {n:,} classes. Choose other "
            "class weights"
        )
    below = [0] * n  # the leaves at or below a class, as bits
    for k, i in enumerate(leaves):
        below[i] = 1 << k
    for i in range(n - 1, 0, -1):
        for parent in rows.parents(i):
            below[parent] |= below[i]
    shared = [
        reduce(and_, (below[parent] for parent in rows.parents(i)), below[0]) for i in range(n)
    ]
    return [math.log2(s.bit_count() / b.bit_count()) for s, b in zip(shared, below, strict=True)]
