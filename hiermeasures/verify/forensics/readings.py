"""Numbers that are computed from counted classes, and their bounds.

There is a number for every average and every rule for a ratio over zero. Bounds are needed if the
predictions of some instances are missing.

A reading has its choices on the axes outside grid.MARKING, its value, and a key. If two readings of
equal counts have equal keys, they are equal on these data, even if their choices differ.

A missing prediction can be any set of classes of the hierarchy. In the sums of an instance, a class
or a level it can add hits, up to all true classes, and wrong classes up to a limit. Each row uses
its own worst and best case, so no prediction is outside the bounds. But a prediction may reach
neither end.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.needs_scipy import csr_array
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.verify.forensics.counts import (
    ROOT,
    BothSums,
    Counted,
    LabelMatrices,
    by_group,
    row_of,
    totals,
    where,
)
from hiermeasures.verify.forensics.grid import MARKING, SETS, Convention, axes

Span = tuple[float, float]
Key = tuple[Any, ...]
RULES = ("agree", "zero", "one", "left_out")


@dataclass(frozen=True)
class Slack:
    """Rows of known sums, with the range that missing predictions can add to each row.

    They can add from `least` to `most` true classes, as many hits, and up to `wrong` other
    predicted classes. A row with True in `may_go` can be in the mean or not.
    """

    sums: np.ndarray
    least: np.ndarray
    most: np.ndarray
    wrong: np.ndarray
    may_go: np.ndarray

    def mean(self, measure: str, rule: str) -> Span:
        low, high, empty, full = self._ratios(measure)
        true, p, _ = self.sums
        both = empty & (true + self.least == 0) & (p == 0)
        none = np.zeros(len(p), bool)
        beside = {"P": true + self.most > 0, "R": p + self.wrong > 0}.get(measure, none)
        ones = {"one": empty, "agree": both}.get(rule, none)
        zeros = {"zero": empty, "agree": empty & beside}.get(rule, none)
        low = np.where(zeros, 0.0, np.where(ones, np.minimum(low, 1), low))
        high = np.where(ones, 1.0, np.where(zeros, np.maximum(high, 0), high))
        there, may_go = (
            (full, self.may_go | empty) if rule == "left_out" else (full | empty, self.may_go)
        )
        return span_of_mean(low[there], high[there], may_go[there])

    def _ratios(self, measure: str) -> tuple[np.ndarray, ...]:
        """Return the smallest and largest ratio of each row.

        The other two arrays are True if the denominator can be zero, and if it can be positive.
        """
        true, p, s = self.sums
        t, hits = true + self.most, self.most
        if measure == "P":
            worst, best, least = (s, p + self.wrong), (s + hits, p + hits), p
            full = p + self.wrong + hits > 0
        elif measure == "R":
            worst, best, least, full = (s, t), (s + hits, t), true + self.least, t > 0
        else:
            worst, best = (2 * s, t + p + self.wrong), (2 * (s + hits), t + p + hits)
            least, full = true + self.least + p, t + p + self.wrong > 0
        high = np.divide(*best, out=np.zeros(len(s)), where=best[1] > 0)
        # no wrong class can be predicted
        low = np.divide(*worst, out=high.copy(), where=worst[1] > 0)
        return np.where(full, low, np.inf), np.where(full, high, -np.inf), least == 0, full

    def by_group(self, group: np.ndarray) -> "Slack":
        """Return the sums of each group of rows. Every group has at least one row."""
        size = int(group.max()) + 1
        least, most, wrong = by_group(np.array([self.least, self.most, self.wrong]), group, size)
        return Slack(
            by_group(self.sums, group, size), least, most, wrong, may_go=np.zeros(size, bool)
        )

    def among(self, vocabulary: str, always: np.ndarray) -> "Slack":
        """Return the rows in the mean of a vocabulary. The rows in `always` are always in it."""
        true, p, _ = self.sums
        surely, perhaps = true + self.least, true + self.most
        if vocabulary != "truth":
            surely, perhaps = surely + p, perhaps + p + self.wrong
        keep, sure = always | (perhaps > 0), always | (surely > 0)
        return Slack(
            self.sums[:, keep],
            self.least[keep],
            self.most[keep],
            self.wrong[keep],
            may_go=~sure[keep],
        )


def span_of_mean(low: np.ndarray, high: np.ndarray, may_go: np.ndarray) -> Span:
    """Return bounds of a mean of values with bounds. Values in `may_go` can be left out."""

    def least(values: np.ndarray) -> float:
        sure, others = values[~may_go], np.sort(values[may_go])
        sums = sure.sum() + np.concatenate([[0.0], np.cumsum(others)])
        sizes = len(sure) + np.arange(len(sums))
        return float((sums[sizes > 0] / sizes[sizes > 0]).min(initial=np.inf))

    return least(low), -least(-high)


class Missing:
    """Instances without predictions, and the range that they can add under a convention."""

    def __init__(self, pair: LabelMatrices, places: np.ndarray) -> None:
        self.pair, self.part, self.is_known = pair, pair.part(places), np.ones(pair.n, bool)
        self.is_known[places] = False

    @cached_property
    def _below(self) -> np.ndarray:
        h = self.pair.hierarchy
        return np.array([len(h.descendants(label)) for label in h.nodes])

    def open(self, counted: Counted, chosen: Mapping[str, str]) -> "Open":
        """Return known and open sums from counts without the missing predictions."""
        true = where(counted.true, self.is_known[row_of(counted.true)])
        known = Counted(true, counted.predicted, counted.shared, counted.kept & self.is_known)
        may_go, is_raised = chosen["denominator"] == "predicted", chosen["too_general"] == "right"
        lost = self.part.counted({**chosen, "denominator": "all"})
        least = most = _both(lost.true, lost.kept)
        if is_raised:  # to any class above
            grown = self.part.counted(
                {**chosen, "denominator": "all", "ancestors": "truth", "too_general": "wrong"}
            )
            most = _both(grown.true, lost.kept)
        n, m, cap = int(known.kept.sum()), len(least[0]), self._cap(chosen)
        wrong = [np.full(m, cap.sum()), m * cap]
        is_plain = chosen["duplicates"] == "set" and chosen["ancestors"] != "path"
        # a true class cannot be a wrong one
        if is_plain and not is_raised and chosen["too_specific"] == "wrong":
            hits = _both(where(lost.true, lost.true.indices < len(self.pair.hierarchy)), lost.kept)
            wrong = [every - true for every, true in zip(wrong, hits, strict=True)]
        if may_go or is_raised:
            least = [np.zeros(len(column)) for column in least]
        low, high, others = (np.append(np.zeros(n), by[0]) for by in (least, most, wrong))
        sums = np.pad(known.by_instance, ((0, 0), (0, m)))
        by_instance = Slack(
            sums, low, high, others, may_go=np.arange(n + m) >= (n if may_go else n + m)
        )
        none = np.zeros(self.pair.width, bool)
        return Open(
            by_instance, Slack(known.by_class, least[1], most[1], wrong[1], may_go=none), missing=m
        )

    def _cap(self, chosen: Mapping[str, str]) -> np.ndarray:
        """Return the largest count of each class that one set of classes can give."""
        h = self.pair.hierarchy
        cap = np.zeros(self.pair.width, np.int64)
        cap[: len(h)] = 1
        grows = chosen["ancestors"] in ("both", "prediction") or chosen["too_specific"] == "right"
        if chosen["duplicates"] == "counted" and grows:
            cap[: len(h)] += self._below
        if chosen["levels"] == "leaves":
            cap[: len(h)][np.diff(arrays_of(h).child_ptr) > 0] = 0
        if chosen["root"] != "in":
            cap[ROOT] = 0
        if chosen["root"] == "tops_out":
            cap[self.pair.space.tops] = 0
        return cap


def _both(entries: csr_array, kept: np.ndarray) -> list[np.ndarray]:
    rows, columns = totals(entries)
    return [rows[kept], columns]


@dataclass(frozen=True)
class Open:
    """Known sums by instance, missing ones last, and by class, with the ranges to add."""

    by_instance: Slack
    by_class: Slack
    missing: int

    @property
    def key(self) -> Key:
        """A key that is equal for equal ranges."""
        return tuple(
            column.tobytes()
            for by in (self.by_instance, self.by_class)
            for column in list(vars(by).values())[1:]
        )

    def pooled(self) -> Slack:
        return self.by_class.by_group(np.zeros(len(self.by_class.least), np.int64))

    def levels(self, level: np.ndarray) -> Slack:
        found = self.by_class.by_group(level)
        return found.among("either", np.zeros(len(found.least), bool))

    def equal(self) -> Span:
        low = _equal(self.by_instance.sums).astype(float)
        high = low.copy()
        low[len(low) - self.missing :], high[len(low) - self.missing :] = 0.0, 1.0
        return span_of_mean(low, high, self.by_instance.may_go)


def span_of_distance(
    way: str, over: str, values: np.ndarray, missing: int, hierarchy: Hierarchy
) -> Span:
    """Return bounds of a mean distance. A missing prediction can be any one class."""
    top = max(hierarchy.height(hierarchy.root), 1)
    ways = (
        [hierarchy.up(label)[hierarchy.root] for label in hierarchy.leaves]
        if way == "edges"
        else [0.0]
    )
    shortest = 0.0 if hierarchy.has_edge_weights else 1.0
    least, most = {
        "edges": (shortest, 2 * max(ways)),
        "height": (1.0, top),
        "level": (1.0, top),
        "share": (1 / top, 1.0),
    }[way]
    least = 0.0 if over == "all" else least
    low, high = (np.append(values, np.full(missing, end)) for end in (least, most))
    may_go = np.arange(len(low)) >= (len(values) if over == "mistakes" else len(low))
    return span_of_mean(low, high, may_go)


@dataclass(frozen=True)
class AverageReading:
    measure: str
    choices: dict[str, str]
    key: Key
    value: float
    span: Span | None = None  # its bounds if predictions are missing


def number_of(convention: Convention, made: Iterable[AverageReading]) -> float:
    """Return the value of a convention from its readings, or nan."""
    wanted = {
        axis: choice for axis, choice in convention.choices if axis not in (*MARKING, "decision")
    }
    for reading in made:
        usual = all(
            reading.choices.get(axis, axes()[axis].usual) == choice
            for axis, choice in wanted.items()
        )
        if reading.measure == convention.measure and usual:
            return reading.value
    return float("nan")


def ratios(sums: np.ndarray, measure: str, rule: str) -> np.ndarray:
    """Return the ratio of each row. By the rule, an undefined ratio is 0, 1 or left out."""
    shared, parts = _parts(sums, measure)
    defined = parts > 0
    if rule == "left_out":
        return np.asarray(shared[defined] / parts[defined])
    found = np.full(len(parts), 1.0 if rule == "one" else 0.0)
    if rule == "agree":
        found[(sums[0] == 0) & (sums[1] == 0)] = 1.0
    np.divide(shared, parts, out=found, where=defined)
    return found


def _parts(sums: np.ndarray, measure: str) -> tuple[np.ndarray, np.ndarray]:
    true, predicted, shared = sums
    if measure == "P":
        return shared, predicted
    return (shared, true) if measure == "R" else (2 * shared, true + predicted)


def mean(sums: np.ndarray, measure: str, rule: str) -> float:
    found = ratios(sums, measure, rule)
    return float(found.mean()) if len(found) else float("nan")


def _rules(sums: np.ndarray, measures: tuple[str, ...]) -> Iterator[tuple[str, Key]]:
    """Yield each rule with its key. Rules with equal keys give equal values for these rows."""
    both_empty = (sums[0] == 0) & (sums[1] == 0)
    undefined = [_parts(sums, measure)[1] == 0 for measure in measures]
    some = any(rows.any() for rows in undefined)
    alone = any((rows & ~both_empty).any() for rows in undefined)
    agree = "agree" if alone and both_empty.any() else "zero" if alone else "one"
    for rule in RULES:
        yield rule, ((agree if rule == "agree" else rule,) if some else ())


def _means(
    sums: np.ndarray, choices: dict[str, str], key: Key, of: str | None, slack: Slack | None
) -> Iterator[AverageReading]:
    for measure in SETS if of is None else (of,):
        more = {"f_of": "each"} if measure == "F" else {}
        for rule, same in _rules(sums, (measure,)):
            span = slack.mean(measure, rule) if slack else None
            said = {**choices, **more, "empty": rule}
            yield AverageReading(measure, said, (*key, *same), mean(sums, measure, rule), span=span)
    for rule, same in _rules(sums, ("P", "R")) if of in (None, "F") else ():
        yield from _of_two(
            sums, rule, {**choices, "f_of": "means", "empty": rule}, (*key, "means", *same), slack
        )


def _of_two(
    sums: np.ndarray, rule: str, choices: dict[str, str], key: Key, slack: Slack | None
) -> Iterator[AverageReading]:
    """Yield F1 of mean precision and mean recall. They are exact or in whole per cent."""

    def harmonic(p: float, r: float) -> float:
        return 2 * p * r / (p + r) if p + r > 0 else 0.0 * (p + r)  # nan where one is

    def whole(x: float) -> float:
        return float(np.floor(100 * x + 0.5 + 1e-9)) / 100  # a half, whatever its last bit, goes up

    spans = [slack.mean(measure, rule) for measure in "PR"] if slack else []
    both = [tuple(mean(sums, measure, rule) for measure in "PR"), *zip(*spans, strict=True)]
    for rounding, own, change in (("exact", key, float), ("whole", (*key, "whole"), whole)):
        value, *ends = (harmonic(change(p), change(r)) for p, r in both)
        yield AverageReading(
            "F",
            {**choices, "rounding": rounding},
            own,
            value,
            span=(ends[0], ends[1]) if ends else None,
        )


def _equal(sums: np.ndarray) -> np.ndarray:
    true, predicted, shared = sums
    return np.asarray((shared == true) & (shared == predicted))


def readings(
    counted: Counted | BothSums,
    hierarchy: Hierarchy,
    depths: dict[str, np.ndarray],
    root: str,
    of: str | None = None,
    left: Open | None = None,
    average: str | None = None,
) -> Iterator[AverageReading]:
    """Yield every number for two sets of classes per instance.

    `of` selects a quantity, and `average` an average. `left` has the range that missing predictions
    can add.
    """
    rows, by_class = counted.by_instance, counted.by_class
    if not rows.shape[1]:
        return
    if of in (None, "accuracy"):
        span = left.equal() if left else None
        yield AverageReading("accuracy", {}, ("equal",), float(_equal(rows).mean()), span=span)
    if of not in (None, *SETS):
        return
    if average in (None, "samples"):
        yield from _means(
            rows, {"average": "samples"}, ("samples",), of, slack=left.by_instance if left else None
        )
    if average in (None, "micro"):
        micro, pooled = {"average": "micro"}, rows.sum(axis=1, keepdims=True)
        slack = left.pooled() if left else None
        for measure in "PR":
            span = slack.mean(measure, "zero") if slack else None
            value = mean(pooled, measure, "zero")
            yield AverageReading(measure, micro, ("micro",), value, span=span)
        yield from _of_two(pooled, "zero", micro, ("micro",), slack)
    for vocabulary, (keep, always) in _vocabularies(by_class, hierarchy, root).items():
        if keep.any() and average in (None, "macro"):
            slack = left.by_class.among(vocabulary, always) if left else None
            choices = {"average": "macro", "vocabulary": vocabulary}
            yield from _means(
                by_class[:, keep], choices, ("macro", keep.tobytes()), of, slack=slack
            )
    for depth, level in depths.items() if average in (None, "levels") else ():
        by_level = by_group(by_class, level, int(level.max()) + 1)
        occurs = by_level[0] + by_level[1] > 0
        if occurs.any():
            choices = {"average": "levels", "depth": depth}
            slack = left.levels(level) if left else None
            yield from _means(
                by_level[:, occurs], choices, ("levels", level.tobytes()), of, slack=slack
            )


def _vocabularies(
    by_class: np.ndarray, hierarchy: Hierarchy, root: str
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the classes of each macro average, and those that are always in it.

    The choice about the root removes classes of the hierarchy.
    """
    true, predicted, _ = by_class
    either, none = true + predicted > 0, np.zeros(len(true), bool)
    always = np.arange(len(true)) < len(hierarchy)
    if root != "in":
        always[ROOT] = False
    if root == "tops_out":
        always[[hierarchy.numbering[c] for c in hierarchy.children(hierarchy.root)]] = False
    return {
        "hierarchy": (either | always, always),
        "either": (either, none),
        "truth": (true > 0, none),
    }


def depths_of(pair: LabelMatrices) -> dict[str, np.ndarray]:
    """Return the level of every class by its longest and its shortest path from the root.

    Labels that are not classes have level 1.
    """
    h = pair.hierarchy
    longest = np.ones(pair.width, np.int64)
    longest[: len(h)] = arrays_of(h).level
    shortest = longest.copy()
    for k in range(1, len(h)):  # parents come first
        shortest[k] = 1 + min(shortest[p] for p in h.rows.parents(k))
    return {"longest": longest, "shortest": shortest}


def distances(pair: LabelMatrices, missing: np.ndarray | None = None) -> Iterator[AverageReading]:
    """Yield mean distances if each instance has one class on each side, or a missing prediction."""
    true, predicted = pair.raw.values()
    known = np.setdiff1d(np.arange(pair.n), () if missing is None else missing)
    one_each = np.array_equal(row_of(true), np.arange(pair.n)) and np.array_equal(
        row_of(predicted), known
    )
    if not one_each or pair.repeated or not len(known) or pair.unknown:
        return
    h, of_true = pair.hierarchy, true.indices[known].astype(np.int64)
    pairs, which = np.unique(of_true * pair.width + predicted.indices, return_inverse=True)
    columns = np.array([_distances(h, *divmod(int(key), pair.width)) for key in pairs])[which].T
    wrong = of_true != predicted.indices
    ways = [choice.key for choice in axes()["distance"].choices]
    for (way, column), over in product(zip(ways, columns, strict=True), ("all", "mistakes")):
        values = column if over == "all" else column[wrong]
        if len(values):
            span = (
                None
                if missing is None
                else span_of_distance(way, over, values, missing=len(missing), hierarchy=h)
            )
            key = (way, "all" if wrong.all() else over)
            yield AverageReading(
                "distance", {"distance": way, "over": over}, key, float(values.mean()), span=span
            )


def _distances(h: Hierarchy, a: int, b: int) -> tuple[float, ...]:
    """Return the distances of two classes in the order of the axis `distance`."""
    if a == b:
        return (0.0,) * 4
    lcas = h.lca(true := h.nodes[a], predicted := h.nodes[b])
    height = min(map(h.height, lcas))
    above_deepest = h.depth - max(map(h.level, lcas))
    return h.distance(true, predicted), height, above_deepest, height / h.depth
