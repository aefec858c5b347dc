"""The numbers that are read off counted classes: every average, with its ways to treat a ratio over
nothing; and their bounds where the predictions of some instances are missing.

A reading has the choices on the axes that grid.MARKING leaves, its value, and a key. Two readings
of the same counts with one key are the same on these data, whatever their choices.

A missing prediction is any set of classes of the hierarchy. It adds to the sums of an instance, a
class or a level up to all of its true classes as hits, and wrong classes up to a limit. Each row is
taken at its worst and its best on its own, so that no prediction lies outside of the bounds; both
ends need not be reached by one prediction.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.forensics.counts import ROOT, BothSums, Counted, Entries, Pair, Sums
from hiermeasures.forensics.grid import MARKING, SETS, Convention, axes

Span = tuple[float, float]


@dataclass(frozen=True)
class Slack:
    """Rows of known sums, and what missing predictions may add to each: true classes from `least`
    to `most`, hits up to as many as these, up to `wrong` other predicted classes. Rows that
    `may_go` are in the mean or not.
    """

    sums: Sums
    least: np.ndarray
    most: np.ndarray
    wrong: np.ndarray
    may_go: np.ndarray

    def mean(self, measure: str, rule: str) -> Span:
        """Bounds of the mean ratio; `rule` says what a ratio over nothing is (RULES)."""
        low, high, empty, full = self._ratios(measure)
        t, p = self.sums.true + self.least, self.sums.predicted
        both = empty & (t == 0) & (p == 0)
        beside = {"P": self.sums.true + self.most > 0, "R": p + self.wrong > 0}.get(measure, np.zeros(len(t), bool))
        ones = {"one": empty, "agree": both}.get(rule, np.zeros(len(t), bool))
        zeros = {"zero": empty, "agree": empty & beside}.get(rule, np.zeros(len(t), bool))
        low = np.where(zeros, 0.0, np.where(ones, np.minimum(low, 1), low))
        high = np.where(ones, 1.0, np.where(zeros, np.maximum(high, 0), high))
        there, may_go = (full, self.may_go | empty) if rule == "left_out" else (full | empty, self.may_go)
        return span_of_mean(low[there], high[there], may_go[there])

    def _ratios(self, measure: str) -> tuple[np.ndarray, ...]:
        """The least and largest ratio of each row, and if it can be over nothing, or something."""
        s, p, t, hits = self.sums.shared, self.sums.predicted, self.sums.true + self.most, self.most
        if measure == "P":
            worst, best, least = (s, p + self.wrong), (s + hits, p + hits), p
            full = p + self.wrong + hits > 0
        elif measure == "R":
            worst, best, least, full = (s, t), (s + hits, t), t - hits + self.least, t > 0
        else:
            worst, best = (2 * s, t + p + self.wrong), (2 * (s + hits), t + p + hits)
            least, full = t - hits + self.least + p, t + p + self.wrong > 0
        high = np.divide(*best, out=np.zeros(len(s)), where=best[1] > 0)
        low = np.divide(*worst, out=high.copy(), where=worst[1] > 0)  # nothing wrong can be predicted
        return np.where(full, low, np.inf), np.where(full, high, -np.inf), least == 0, full


def span_of_mean(low: np.ndarray, high: np.ndarray, may_go: np.ndarray) -> Span:
    """Bounds of a mean of values between bounds, of which some may be left out."""

    def least(values: np.ndarray) -> float:
        sure, others = values[~may_go], np.sort(values[may_go])
        sums = sure.sum() + np.concatenate([[0.0], np.cumsum(others)])
        sizes = len(sure) + np.arange(len(sums))
        return float((sums[sizes > 0] / sizes[sizes > 0]).min(initial=np.inf))

    return least(low), -least(-high)


class Missing:
    """The instances without predictions, and what these may add under a convention."""

    def __init__(self, pair: Pair, places: np.ndarray) -> None:
        self.pair, self.part, self.is_known = pair, pair.part(places), np.ones(pair.n, bool)
        self.is_known[places] = False

    @cached_property
    def _below(self) -> np.ndarray:
        h = self.pair.hierarchy
        return np.array([len(h.descendants(label)) for label in h.nodes])

    def open(self, counted: Counted, chosen: Mapping[str, str]) -> "Open":
        """The known sums beside what is open; `counted` lacks the missing predictions."""
        true = counted.true.where(self.is_known[counted.true.key // counted.width])
        known = Counted(true, counted.predicted, counted.shared, counted.kept & self.is_known, width=counted.width)
        may_go, is_raised = chosen["denominator"] == "predicted", chosen["too_general"] == "right"
        lost = self.part.counted({**chosen, "denominator": "all"})
        least = most = _both(lost.true, lost)
        if is_raised:  # to any class above
            grown = self.part.counted({**chosen, "denominator": "all", "ancestors": "truth", "too_general": "wrong"})
            most = _both(grown.true, lost)
        cap = self._cap(chosen)
        wrong = [np.full(len(least[0]), cap.sum()), len(least[0]) * cap]
        is_plain = chosen["duplicates"] == "set" and chosen["ancestors"] != "path"
        if is_plain and not is_raised and chosen["too_specific"] == "wrong":  # a true class cannot be a wrong one
            hits = _both(lost.true.where(lost.true.key % lost.width < len(self.pair.hierarchy)), lost)
            wrong = [every - true for every, true in zip(wrong, hits, strict=True)]
        if may_go or is_raised:
            least = [np.zeros(len(column)) for column in least]
        return Open(known, least=least, most=most, wrong=wrong, may_go=may_go)

    def _cap(self, chosen: Mapping[str, str]) -> np.ndarray:
        """The most that a set of classes can count of each class."""
        h, arrays = self.pair.hierarchy, arrays_of(self.pair.hierarchy)
        cap = np.zeros(self.pair.width, np.int64)
        cap[: len(h)] = 1
        grows = chosen["ancestors"] in ("both", "prediction") or chosen["too_specific"] == "right"
        if chosen["duplicates"] == "counted" and grows:
            cap[: len(h)] += self._below
        if chosen["levels"] == "leaves":
            cap[: len(h)][np.diff(arrays.child_ptr) > 0] = 0
        if chosen["root"] != "in":
            cap[ROOT] = 0
        if chosen["root"] == "tops_out":
            cap[self.pair.space.tops] = 0
        return cap


def _both(entries: Entries, of: Counted) -> list[np.ndarray]:
    """Sums of entries by instance and by class."""
    sums = Counted(entries, entries, entries, of.kept, width=of.width)
    return [sums.by_instance.true, sums.by_class.true]


@dataclass(frozen=True)
class Open:
    """Known sums by instance and by class, and what missing predictions may add, as in `Slack`."""

    known: Counted
    least: list[np.ndarray]
    most: list[np.ndarray]
    wrong: list[np.ndarray]
    may_go: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal where the same may be added."""
        return self.may_go, *(column.tobytes() for column in (*self.least, *self.most, *self.wrong))

    @cached_property
    def by_instance(self) -> Slack:
        """The known instances, and the missing ones."""
        known = self.known.by_instance
        n, m = len(known.true), len(self.least[0])
        sums = Sums(*(np.append(column, np.zeros(m)) for column in (known.true, known.predicted, known.shared)))
        least, most, wrong = (np.append(np.zeros(n), by[0]) for by in (self.least, self.most, self.wrong))
        return Slack(sums, least, most, wrong, may_go=np.arange(n + m) >= (n if self.may_go else n + m))

    @cached_property
    def by_class(self) -> Slack:
        none = np.zeros(self.known.width, bool)
        return Slack(self.known.by_class, self.least[1], self.most[1], self.wrong[1], may_go=none)

    def pooled(self) -> Slack:
        rows = self.by_class
        return self._summed(rows, np.zeros(len(rows.least), np.int64))

    def levels(self, level: np.ndarray) -> Slack:
        found = self._summed(self.by_class, level)
        return _those(found, "either", np.zeros(len(found.least), bool))

    def classes(self, vocabulary: str, hierarchy: np.ndarray) -> Slack:
        return _those(self.by_class, vocabulary, hierarchy)

    def equal(self) -> Span:
        rows = self.known.by_instance
        known = ((rows.shared == rows.true) & (rows.shared == rows.predicted)).astype(float)
        low, high = (np.append(known, np.full(len(self.least[0]), end)) for end in (0.0, 1.0))
        return span_of_mean(low, high, self.by_instance.may_go)

    def _summed(self, rows: Slack, group: np.ndarray) -> Slack:
        size = int(group.max()) + 1
        least, most, wrong = (np.bincount(group, column, size) for column in (rows.least, rows.most, rows.wrong))
        return Slack(rows.sums.by(group, size), least, most, wrong, may_go=np.zeros(size, bool))


def _those(rows: Slack, vocabulary: str, always: np.ndarray) -> Slack:
    """The rows of the mean: those that occur on either side, or in the truth, or in `always`."""
    surely, perhaps = rows.sums.true + rows.least, rows.sums.true + rows.most
    if vocabulary != "truth":
        surely, perhaps = surely + rows.sums.predicted, perhaps + rows.sums.predicted + rows.wrong
    keep, sure = always | (perhaps > 0), always | (surely > 0)
    return Slack(rows.sums.rows(keep), rows.least[keep], rows.most[keep], rows.wrong[keep], may_go=~sure[keep])


def span_of_distance(way: str, over: str, values: np.ndarray, missing: int, hierarchy: Hierarchy) -> Span:
    """Bounds of a mean distance: a missing prediction is any one class."""
    top = max(hierarchy.height(hierarchy.root), 1)
    ways = [hierarchy.up(label)[hierarchy.root] for label in hierarchy.leaves] if way == "edges" else [0.0]
    most = {"edges": 2 * max(ways), "height": top, "share": 1.0}[way]
    least = {"edges": 0.0 if hierarchy.has_edge_weights else 1.0, "height": 1.0, "share": 1 / top}[way]
    least = 0.0 if over == "all" else least
    low, high = (np.append(values, np.full(missing, end)) for end in (least, most))
    may_go = np.arange(len(low)) >= (len(values) if over == "mistakes" else len(low))
    return span_of_mean(low, high, may_go)


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
    """The value of a convention among readings of what it counts; nan where there is none."""
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
    """The level of every class by its longest and its shortest way from the root; of no class 1."""
    h, arrays = pair.hierarchy, arrays_of(pair.hierarchy)
    longest = np.ones(pair.width, np.int64)
    longest[: len(h)] = arrays.level
    shortest = longest.copy()
    for k in range(1, len(h)):  # parents come first
        parents = arrays.parent_idx[arrays.parent_ptr[k] : arrays.parent_ptr[k + 1]]
        shortest[k] = 1 + shortest[parents].min()
    return {"longest": longest, "shortest": shortest}


def distances(pair: Pair, missing: np.ndarray | None = None) -> Iterator[Reading]:
    """Mean distances, where each instance has one class on each side, or no prediction."""
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
