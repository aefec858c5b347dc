"""The numbers that are read off counted classes: every average, with its ways to treat a ratio over
nothing.

A reading has the choices on the axes that grid.MARKING leaves, its value, and a key. Two readings
of the same counts with one key are the same on these data, whatever their choices.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.forensics.bounds import Open, Slack, Span, span_of_distance
from hiermeasures.forensics.counts import ROOT, BothSums, Counted, Pair, Sums
from hiermeasures.forensics.grid import MARKING, SETS, Convention, axes

RULES = ("agree", "zero", "one", "left_out")
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    measure: str
    choices: dict[str, str]
    key: Key
    value: float
    span: Span | None = None  # between which it lies, where predictions are missing


def number_of(convention: Convention, made: Iterable[Reading]) -> float:
    """The value of the reading that a convention names, of readings of what it counts; nan where
    there is none.
    """
    wanted = {axis: choice for axis, choice in convention.choices if axis not in (*MARKING, "decision")}
    fits = (r.value for r in made if r.measure == convention.measure and _same(r.choices, wanted))
    return next(fits, float("nan"))


def _same(choices: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(choices.get(axis, axes()[axis].usual) == choice for axis, choice in wanted.items())


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
    return 2 * p * r / (p + r) if p + r > 0 else 0.0 * (p + r)  # nan where one is


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


def _means(sums: Sums, choices: dict[str, str], key: Key, of: str | None, slack: Slack | None) -> Iterator[Reading]:
    """Precision, recall and F1 of rows whose mean is taken."""
    for measure in SETS if of is None else (of,):
        more = {"f_of": "each"} if measure == "F" else {}
        for rule, same in _rules(sums, (measure,)):
            span = slack.mean(measure, rule) if slack else None
            yield Reading(
                measure, {**choices, **more, "empty": rule}, (*key, *same), mean(sums, measure, rule), span=span
            )
    if of not in (None, "F"):
        return
    for rule, same in _rules(sums, ("P", "R")):
        p, r = (mean(sums, measure, rule) for measure in "PR")
        spans = [slack.mean(measure, rule) for measure in "PR"] if slack else None
        yield from _of_two(p, r, {**choices, "f_of": "means", "empty": rule}, (*key, "means", *same), spans=spans)


def _of_two(p: float, r: float, choices: dict[str, str], key: Key, spans: list[Span] | None) -> Iterator[Reading]:
    """F1 of a precision and a recall, exact or of whole per cent."""

    def whole(x: float) -> float:
        return float(np.floor(100 * x + 0.5 + 1e-9)) / 100  # a half, whatever its last bit, goes up

    ends = list(zip(*spans, strict=True)) if spans else []
    for rounding, own, change in (("exact", key, float), ("whole", (*key, "whole"), whole)):
        found = [harmonic(change(x), change(y)) for x, y in ((p, r), *ends)]
        yield Reading(
            "F", {**choices, "rounding": rounding}, own, found[0], span=(found[1], found[2]) if spans else None
        )


def readings(
    counted: Counted | BothSums,
    hierarchy: Hierarchy,
    depths: dict[str, np.ndarray],
    root: str,
    of: str | None = None,
    left: Open | None = None,
    average: str | None = None,
) -> Iterator[Reading]:
    """Every number that is read off two sets of classes per instance, or those of one quantity and
    of one average; `left` is what missing predictions may add.
    """
    rows = counted.by_instance
    if not len(rows.true):
        return
    if of in (None, "accuracy"):
        equal = (rows.shared == rows.true) & (rows.shared == rows.predicted)
        yield Reading("accuracy", {}, ("equal",), float(equal.mean()), span=left.equal() if left else None)
    if of not in (None, *SETS):
        return
    if average in (None, "samples"):
        yield from _means(rows, {"average": "samples"}, ("samples",), of, slack=left.by_instance if left else None)
    if average in (None, "micro"):
        yield from _pooled(rows.pooled(), left.pooled() if left else None)
    by_class = counted.by_class
    for vocabulary, (keep, always) in _vocabularies(by_class, hierarchy, root).items():
        if keep.any() and average in (None, "macro"):
            slack = left.classes(vocabulary, always) if left else None
            choices = {"average": "macro", "vocabulary": vocabulary}
            yield from _means(by_class.rows(keep), choices, ("macro", keep.tobytes()), of, slack=slack)
    for depth, level in depths.items() if average in (None, "levels") else ():
        by_level = by_class.by(level, int(level.max()) + 1)
        occurs = by_level.true + by_level.predicted > 0
        if occurs.any():
            choices = {"average": "levels", "depth": depth}
            slack = left.levels(level) if left else None
            yield from _means(by_level.rows(occurs), choices, ("levels", level.tobytes()), of, slack=slack)


def _pooled(sums: Sums, slack: Slack | None) -> Iterator[Reading]:
    """Precision, recall and F1 of one row."""
    p, r = (mean(sums, measure, "zero") for measure in "PR")
    spans = [slack.mean(measure, "zero") for measure in "PR"] if slack else None
    for measure, value, span in zip("PR", (p, r), spans or (None, None), strict=True):
        yield Reading(measure, {"average": "micro"}, ("micro",), value, span=span)
    yield from _of_two(p, r, {"average": "micro"}, ("micro",), spans=spans)


def _vocabularies(by_class: Sums, hierarchy: Hierarchy, root: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The classes of a macro average, those that occur among them or those of the hierarchy that
    the root's choice leaves; and which of them are there whatever occurs.
    """
    either = by_class.true + by_class.predicted > 0
    always = np.zeros(len(either), bool)
    always[: len(hierarchy)] = True
    if root != "in":
        always[ROOT] = False
    if root == "tops_out":
        always[[hierarchy.numbering[c] for c in hierarchy.children(hierarchy.root)]] = False
    none = np.zeros(len(either), bool)
    return {"hierarchy": (either | always, always), "either": (either, none), "truth": (by_class.true > 0, none)}


def depths_of(pair: Pair) -> dict[str, np.ndarray]:
    """The level of every class by its longest and its shortest way from the root; labels that are
    no class are at 1.
    """
    h, arrays = pair.hierarchy, arrays_of(pair.hierarchy)
    longest = np.ones(pair.width, np.int64)
    longest[: len(h)] = arrays.level
    shortest = longest.copy()
    for k in range(1, len(h)):  # parents come first
        parents = arrays.parent_idx[arrays.parent_ptr[k] : arrays.parent_ptr[k + 1]]
        shortest[k] = 1 + shortest[parents].min()
    return {"longest": longest, "shortest": shortest}


def distances(pair: Pair, missing: np.ndarray | None = None) -> Iterator[Reading]:
    """Mean distances, where every instance has one class on each side, but for those whose
    prediction is missing.
    """
    true, predicted = (np.divmod(pair.raw[side], pair.width) for side in ("true", "predicted"))
    known = np.setdiff1d(np.arange(pair.n), () if missing is None else missing)
    one_each = np.array_equal(true[0], np.arange(pair.n)) and np.array_equal(predicted[0], known)
    if not one_each or not len(known) or pair.unknown:
        return
    h, of_true = pair.hierarchy, true[1][known]
    pairs, which = np.unique(of_true * pair.width + predicted[1], return_inverse=True)
    found = [_distances(h, *divmod(int(pair_key), pair.width)) for pair_key in pairs]
    ways = [choice.key for choice in axes()["distance"].choices]
    columns = np.array(found)[which].T
    wrong = of_true != predicted[1]
    for (way, column), over in product(zip(ways, columns, strict=True), ("all", "mistakes")):
        values = column if over == "all" else column[wrong]
        if len(values):
            key = (way, "all" if wrong.all() else over)
            span = (
                span_of_distance(way, over, values, missing=len(missing), hierarchy=h) if missing is not None else None
            )
            yield Reading("distance", {"distance": way, "over": over}, key, float(values.mean()), span=span)


def _distances(h: Hierarchy, a: int, b: int) -> tuple[float, float, float]:
    true, predicted = h.nodes[a], h.nodes[b]
    height = min(h.height(c) for c in h.lca(true, predicted)) if a != b else 0
    return h.distance(true, predicted), height, height / max(h.height(h.root), 1)
