"""Decision rules over a whole file of probabilities, as arrays.

hiermeasures.evaluation.scores.rules defines the rules for one instance. Tests keep the two equal.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.scores.probabilities import (
    ProbabilityTable,
    greatest_below,
    least_above,
)
from hiermeasures.evaluation.scores.rules import RULES, check_threshold
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy

CELLS = 2_000_000  # probabilities in memory at a time


def decide(table: ProbabilityTable, rule: str, **settings: Any) -> EncodedLabels:
    """Return the most specific classes that a rule predicts for each instance.

    Parameters
    ----------
    table : ProbabilityTable
        n instances.
    rule : str
        A key of `RULES`.
    settings
        Settings of the rule, such as `at` for a threshold.

    Returns
    -------
    EncodedLabels
        Labels of n instances. You can pass them to `evaluate`. The root is never predicted.

    Raises
    ------
    InputError
        For an unknown rule or setting, or a setting out of range.

    See Also
    --------
    predict : Apply a rule to one instance, with an explanation.
    choose_threshold : Find the best threshold on labelled data.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.75, 0.25, 0.2, 0.2, 0.35]], ["1", "2", "3", "4", "5"])
    >>> sorted(decide(table, "plurality").classes(h, 0))
    ['5']
    """
    check_known("rule", rule, RULES)
    for name in settings:
        check_known(f"setting of {rule}", name, RULES[rule].parameters)
    if "at" in settings:
        settings["at"] = check_threshold(settings["at"])
    h, n = table.hierarchy, len(table.hierarchy)
    taken = _TAKERS[rule](h, **settings)
    sizes, idx = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    step = max(CELLS // n, 1)
    for start in range(0, len(table), step):
        mask = taken(table.values[start : start + step])
        mask[:, 0] = False
        mask &= ~_is_above(h, mask)
        sizes.append(mask.sum(axis=1))
        idx.append(np.nonzero(mask)[1].astype(np.int32))
    ptr = np.append(0, np.cumsum(np.concatenate(sizes))).astype(np.int64)
    return EncodedLabels(ptr, np.concatenate(idx))


# probabilities (instances, classes) → which are predicted
Take = Callable[[np.ndarray], np.ndarray]


def _is_above(h: Hierarchy, mask: np.ndarray) -> np.ndarray:
    """Return True for classes with a predicted class below them."""
    arrays = arrays_of(h)
    child = np.repeat(np.arange(len(h)), np.diff(arrays.parent_ptr))
    closed = greatest_below(h, mask) > 0
    above = np.zeros_like(mask)
    row, edge = np.nonzero(closed[:, child])
    above[row, arrays.parent_idx[edge]] = True
    return above


def _threshold(h: Hierarchy, at: float = 0.5) -> Take:
    return lambda p: _reached(p, at)


def _one(mask_shape: tuple[int, ...], best: np.ndarray) -> np.ndarray:
    mask = np.zeros(mask_shape, bool)
    mask[np.arange(len(best)), best] = True
    return mask


def _reached(p: np.ndarray, at: float) -> np.ndarray:
    """Return True for probabilities at or above a threshold. A probability of 0 never counts."""
    return np.asarray((p >= at) & (p > 0))


def _walk(h: Hierarchy, p: np.ndarray, at_least: float | None = None) -> np.ndarray:
    """Return the class at which the walk down the likeliest children ends, for each instance.

    With `at_least`, the walk stops before a child below this threshold.
    """
    arrays, at = arrays_of(h), np.zeros(len(p), np.int64)
    best = np.full(p.shape, -1)
    for c in np.flatnonzero(np.diff(arrays.child_ptr)):
        children = arrays.child_idx[arrays.child_ptr[c] : arrays.child_ptr[c + 1]]
        best[:, c] = children[p[:, children].argmax(axis=1)]
    rows = np.arange(len(p))
    for _ in range(h.depth):
        below = best[rows, at]
        at = np.where(
            (below >= 0) & (at_least is None or _reached(p[rows, below], at_least)), below, at
        )
    return at


def _top_down_argmax(h: Hierarchy) -> Take:
    return lambda p: _one(p.shape, _walk(h, p))


def _top_down_threshold(h: Hierarchy, at: float = 0.5, paths: str = "best") -> Take:
    check_known("choice of paths", paths, ["best", "all"])
    if paths == "all":
        return lambda p: _reached(least_above(h, p), at)
    return lambda p: _one(p.shape, _walk(h, p, at))


def _leaves(h: Hierarchy) -> np.ndarray:
    return np.asarray(np.diff(arrays_of(h).child_ptr) == 0)


def _argmax_leaf(h: Hierarchy) -> Take:
    return lambda p: _one(p.shape, np.where(_leaves(h), p, -1).argmax(axis=1))


def _top_k(h: Hierarchy, k: int = 1, among: str = "leaves") -> Take:
    check_known("choice of classes", among, ["leaves", "classes"])
    pool = np.flatnonzero(_leaves(h)) if among == "leaves" else np.arange(1, len(h))
    if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k <= len(pool):
        raise InputError(
            f"k is {k!r}. Choose a whole number from 0 to {len(pool)}, the number of {among}."
        )

    def take(p: np.ndarray) -> np.ndarray:
        order = np.argsort(-p[:, pool], axis=1, kind="stable")[:, :k]
        mask = np.zeros(p.shape, bool)
        mask[np.arange(len(p))[:, None], pool[order]] = True
        return mask

    return take


def _plurality(h: Hierarchy) -> Take:
    related = [
        sorted({h.index(d) for d in (c, *h.ancestors(c), *h.descendants(c))} - {0})
        for c in h.nodes[1:]
    ]
    starts = np.cumsum([0, *map(len, related)])[:-1]
    one = np.repeat(np.arange(1, len(h)), list(map(len, related)))
    other = np.array([d for each in related for d in each], np.int64)

    def take(p: np.ndarray) -> np.ndarray:
        mask = np.zeros(p.shape, bool)
        if len(h) == 1:
            return mask
        for row, mine in zip(p, mask, strict=True):
            rising = np.sort(row[1:])
            as_likely = len(rising) - np.searchsorted(rising, row[1:], "left")
            mine[1:] = np.add.reduceat(row[other] >= row[one], starts, dtype=np.int64) == as_likely
        return mask

    return take


def _shares(h: Hierarchy) -> np.ndarray:
    """Return each class's share of a leaf's information, log(leaves / leaves below it)."""
    whole = np.log(len(h.leaves))
    below = np.array([len(h.leaves & {c, *h.descendants(c)}) for c in h.nodes])
    return np.asarray(np.log(len(h.leaves) / below) / whole if whole else np.ones(len(h)))


def _best(h: Hierarchy, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the class with the greatest first number.

    Ties go to the greatest second number, then to the deepest class, then to the first one.
    """
    level = np.broadcast_to(arrays_of(h).level, first.shape)
    among = np.ones(first.shape, bool)
    for key in (first, second, level):
        values = np.where(among, key, -np.inf)
        among &= values == values.max(axis=1, keepdims=True)
    return _one(first.shape, among.argmax(axis=1))


def _confidence_threshold(h: Hierarchy, at: float = 0.5) -> Take:
    share = _shares(h)
    return lambda p: _best(h, np.where(p > at, share, -1), np.where(p > at, p, 0))


def _information_threshold(h: Hierarchy, at: float = 0.5) -> Take:
    share = _shares(h)
    enough = share >= at - 1e-9
    return lambda p: _best(h, np.where(enough, p, -1), np.where(enough, share, 0) + 0 * p)


def _expected_information(h: Hierarchy) -> Take:
    share = _shares(h)
    return lambda p: _best(h, p * share, p)


def _leaf_and_parent(h: Hierarchy) -> Take:
    arrays, leaf = arrays_of(h), _leaves(h)
    leaf[0] = False

    def take(p: np.ndarray) -> np.ndarray:
        likeliest = np.zeros_like(p)
        likeliest[:, 1:] = np.maximum.reduceat(
            p[:, arrays.parent_idx], arrays.parent_ptr[1:-1], axis=1
        )
        return _best(h, np.where(leaf, p * likeliest, -1), np.where(leaf, p, 0))

    return take


def _nearest_leaf(h: Hierarchy) -> Take:
    leaves = np.flatnonzero(_leaves(h))
    above = [[h.index(a) for a in h.up(h.nodes[c])] for c in leaves]

    def take(p: np.ndarray) -> np.ndarray:
        nearness = np.full(p.shape, -np.inf)
        for c, path in zip(leaves, above, strict=True):
            # Add one by one, so that the sum rounds as in the rule for one instance.
            nearness[:, c] = sum(2 * p[:, a] - 1 for a in path)
        return _best(h, nearness, np.where(_leaves(h), p, 0))

    return take


_TAKERS: dict[str, Callable[..., Take]] = {
    "threshold": _threshold,
    "top_down_argmax": _top_down_argmax,
    "top_down_threshold": _top_down_threshold,
    "argmax_leaf": _argmax_leaf,
    "top_k": _top_k,
    "plurality": _plurality,
    "confidence_threshold": _confidence_threshold,
    "information_threshold": _information_threshold,
    "expected_information": _expected_information,
    "leaf_and_parent": _leaf_and_parent,
    "nearest_leaf": _nearest_leaf,
}
