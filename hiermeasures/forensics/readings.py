"""The numbers that are read off counted classes: every average, with its ways to treat a ratio over nothing.

A reading has the choices on the axes that grid.MARKING leaves, its value, and a key. Two readings of
the same counts with one key are the same on these data, whatever their choices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.forensics.counts import ROOT, Counted, Pair, Sums
from hiermeasures.forensics.grid import SETS, axes

RULES = ("agree", "zero", "one", "left_out")
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    measure: str
    choices: dict[str, str]
    key: Key
    value: float


def ratios(sums: Sums, measure: str, rule: str) -> np.ndarray:
    """The ratio of each row; what is undefined is 0, 1 or left out, as the rule says."""
    shared, parts = _parts(sums, measure)
    defined = parts > 0
    if rule == "left_out":
        return np.asarray(shared[defined] / parts[defined])
    found = np.full(len(parts), 1.0 if rule == "one" else 0.0)
    if rule == "agree":
        found[(sums.true == 0) & (sums.predicted == 0)] = 1.0
    np.divide(shared, parts, out=found, where=defined)
    return found


def _parts(sums: Sums, measure: str) -> tuple[np.ndarray, np.ndarray]:
    if measure == "P":
        return sums.shared, sums.predicted
    return (sums.shared, sums.true) if measure == "R" else (2 * sums.shared, sums.true + sums.predicted)


def mean(sums: Sums, measure: str, rule: str) -> float:
    found = ratios(sums, measure, rule)
    return float(found.mean()) if len(found) else float("nan")


def harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r > 0 else 0.0


def _rules(sums: Sums, measures: tuple[str, ...]) -> Iterator[tuple[str, Key]]:
    """The rules with the key of each: equal where they do the same to these rows."""
    both_empty = (sums.true == 0) & (sums.predicted == 0)
    undefined = [_parts(sums, measure)[1] == 0 for measure in measures]
    some = any(rows.any() for rows in undefined)
    alone = any((rows & ~both_empty).any() for rows in undefined)
    for rule in RULES:
        if not some:
            yield rule, ()
        elif rule == "agree":
            yield rule, (rule,) if alone and both_empty.any() else ("zero",) if alone else ("one",)
        else:
            yield rule, (rule,)


def _means(sums: Sums, choices: dict[str, str], key: Key, of: str | None) -> Iterator[Reading]:
    """Precision, recall and F1 of rows whose mean is taken."""
    for measure in SETS if of is None else (of,):
        more = {"f_of": "each"} if measure == "F" else {}
        for rule, same in _rules(sums, (measure,)):
            yield Reading(measure, {**choices, **more, "empty": rule}, (*key, *same), mean(sums, measure, rule))
    if of not in (None, "F"):
        return
    for rule, same in _rules(sums, ("P", "R")):
        p, r = (mean(sums, measure, rule) for measure in "PR")
        yield from _of_two(p, r, {**choices, "f_of": "means", "empty": rule}, (*key, "means", *same))


def _of_two(p: float, r: float, choices: dict[str, str], key: Key) -> Iterator[Reading]:
    """F1 of a precision and a recall, exact or of whole per cent."""
    yield Reading("F", {**choices, "rounding": "exact"}, key, harmonic(p, r))
    whole = [float(np.floor(100 * x + 0.5 + 1e-9)) / 100 for x in (p, r)]  # a half, whatever its last bit, goes up
    yield Reading("F", {**choices, "rounding": "whole"}, (*key, "whole"), harmonic(*whole))


def readings(
    counted: Counted, hierarchy: Hierarchy, depths: dict[str, np.ndarray], root: str, of: str | None = None
) -> Iterator[Reading]:
    """Every number that is read off two sets of classes per instance, or those of one quantity."""
    rows = counted.by_instance
    if not len(rows.true):
        return
    if of in (None, "accuracy"):
        equal = (rows.shared == rows.true) & (rows.shared == rows.predicted)
        yield Reading("accuracy", {}, ("equal",), float(equal.mean()))
    if of not in (None, *SETS):
        return
    yield from _means(rows, {"average": "samples"}, ("samples",), of)
    pooled = rows.pooled()
    p, r = (mean(pooled, measure, "zero") for measure in "PR")
    yield Reading("P", {"average": "micro"}, ("micro",), p)
    yield Reading("R", {"average": "micro"}, ("micro",), r)
    yield from _of_two(p, r, {"average": "micro"}, ("micro",))
    by_class = counted.by_class
    for vocabulary, keep in _vocabularies(by_class, hierarchy, root).items():
        if keep.any():
            choices = {"average": "macro", "vocabulary": vocabulary}
            yield from _means(by_class.rows(keep), choices, ("macro", keep.tobytes()), of)
    for depth, level in depths.items():
        by_level = by_class.by(level, int(level.max()) + 1)
        occurs = by_level.true + by_level.predicted > 0
        if occurs.any():
            choices = {"average": "levels", "depth": depth}
            yield from _means(by_level.rows(occurs), choices, ("levels", level.tobytes()), of)


def _vocabularies(by_class: Sums, hierarchy: Hierarchy, root: str) -> dict[str, np.ndarray]:
    """The classes of a macro average: those of the hierarchy that the root's choice leaves, or those that occur."""
    everything = by_class.true + by_class.predicted > 0
    either = everything.copy()
    everything[: len(hierarchy)] = True
    if root != "in":
        everything[ROOT] = False
    if root == "tops_out":
        everything[[hierarchy.numbering[c] for c in hierarchy.children(hierarchy.root)]] = False
    return {"hierarchy": everything, "either": either, "truth": by_class.true > 0}


def depths_of(pair: Pair) -> dict[str, np.ndarray]:
    """The level of every class by its longest and its shortest way from the root; labels that are no class are at 1."""
    h, arrays = pair.hierarchy, arrays_of(pair.hierarchy)
    longest = np.ones(pair.width, np.int64)
    longest[: len(h)] = arrays.level
    shortest = longest.copy()
    for k in range(1, len(h)):  # parents come first
        parents = arrays.parent_idx[arrays.parent_ptr[k] : arrays.parent_ptr[k + 1]]
        shortest[k] = 1 + shortest[parents].min()
    return {"longest": longest, "shortest": shortest}


def distances(pair: Pair) -> Iterator[Reading]:
    """Mean distances, where every instance has one class on each side."""
    true, predicted = (np.divmod(pair.raw[side], pair.width) for side in ("true", "predicted"))
    one_each = all(np.array_equal(instance, np.arange(pair.n)) for instance, _ in (true, predicted))
    if not one_each or not pair.n or pair.unknown:
        return
    h = pair.hierarchy
    pairs, which = np.unique(true[1] * pair.width + predicted[1], return_inverse=True)
    found = [_distances(h, *divmod(int(pair_key), pair.width)) for pair_key in pairs]
    ways = [choice.key for choice in axes()["distance"].choices]
    columns = np.array(found)[which].T
    wrong = true[1] != predicted[1]
    for (way, column), over in product(zip(ways, columns, strict=True), ("all", "mistakes")):
        values = column if over == "all" else column[wrong]
        if len(values):
            key = (way, "all" if wrong.all() else over)
            yield Reading("distance", {"distance": way, "over": over}, key, float(values.mean()))


def _distances(h: Hierarchy, a: int, b: int) -> tuple[float, float, float]:
    true, predicted = h.nodes[a], h.nodes[b]
    height = min(h.height(c) for c in h.lca(true, predicted)) if a != b else 0
    return h.distance(true, predicted), height, height / max(h.height(h.root), 1)
