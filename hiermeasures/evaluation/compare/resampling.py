"""Intervals and tests for printed values, by resampling the instances.

The bootstrap draws instances with replacement. The permutation test swaps the answers of two
systems at random. Both also work for values that are not means over instances. Every printed value
is a function of sums over the instances, so this module resamples sums, not labels. A matrix of
weights times the columns of a system gives its sums in many resamples at once.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hiermeasures.evaluation.averages import basis_of, read_classes
from hiermeasures.evaluation.compare.significance import SMALLEST
from hiermeasures.evaluation.kernel_registry import COUNTERS, Batch
from hiermeasures.evaluation.tasks import FEW_COUNTED, has_kernel
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.extras import require

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation import Report
    from hiermeasures.measures import Measure
    from hiermeasures.measures.catalogue import Structure

RESAMPLES = 2_000
GROUPS = 2_000
"""The limit on single instances in a resample. More instances are resampled in this many groups."""
_NUMBERS = 20_000_000  # sums in memory at a time
Sums = Mapping[str, np.ndarray]  # by table, and by structure: columns (× classes) × resamples


class Resampling:
    """The sums of several systems over shared instances, and their values in resamples.

    All systems use the same weights, so that every comparison is paired.
    """

    def __init__(
        self, reports: Sequence["Report"], measures: Sequence["Measure"], seed: int = 0
    ) -> None:
        n = len(reports[0])
        self.groups, self.seed = min(n, GROUPS), seed
        group_of = (
            np.arange(n) if n <= GROUPS else np.random.default_rng(seed).permutation(n) % GROUPS
        )
        self.measures = measures
        self.systems = [_System(report, measures, group_of) for report in reports]

    @cached_property
    def values(self) -> dict[str, np.ndarray]:
        """The values on instances drawn with replacement, for each measure: systems × resamples."""

        def drawn(generator: np.random.Generator, size: int) -> np.ndarray:
            cells = generator.integers(0, self.groups, (size, self.groups))
            cells += self.groups * np.arange(size)[:, None]
            return np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)

        found: dict[str, list[np.ndarray]] = {measure.key: [] for measure in self.measures}
        for sums in self._weighted(drawn):
            pairs = list(zip(self.systems, sums, strict=True))
            for measure in self.measures:
                found[measure.key].append(np.stack([s.value(measure, each) for s, each in pairs]))
        return {key: np.concatenate(parts, axis=1) for key, parts in found.items()}

    @cached_property
    def swapped(self) -> dict[str, np.ndarray]:
        """The standard deviations of differences, for each measure: systems × systems.

        A resample swaps the answers of two systems at random, instance by instance.
        """
        count = len(self.systems)
        pairs = [(a, b) for a in range(count) for b in range(a)]
        squares = {measure.key: np.zeros((count, count)) for measure in self.measures}
        for sums in self._weighted(
            lambda generator, size: 2 * generator.integers(0, 2, (size, self.groups)) - 1
        ):
            for a, b in pairs:
                mine, theirs = self.systems[a], self.systems[b]
                one, other = _swap(mine, sums[a], theirs, sums[b])
                for measure in self.measures:
                    apart = mine.value(measure, one) - theirs.value(measure, other)
                    squares[measure.key][a, b] += np.nansum(apart**2)
        return {key: np.sqrt((each + each.T) / RESAMPLES) for key, each in squares.items()}

    def interval(self, key: str, values: np.ndarray, confidence: float) -> np.ndarray:
        """Return percentile intervals, systems × (low, high), around the systems' values.

        Intervals of a macro average are shifted by the bias of the resampled values, because
        resamples lose rare classes. They stay within the range of the measure.
        """
        tail = 50 * (1 - confidence)
        ends = np.nanpercentile(self.values[key], [tail, 100 - tail], axis=1)
        shift = values - np.nanmean(self.values[key], axis=1)
        measure = self._measure(key)
        if self.systems[0].basis[measure] != "classes":
            return np.asarray(ends.T)
        return np.asarray(np.clip((ends + shift).T, measure.low, measure.high))

    def bootstrap_test(self, key: str, a: int, b: int, difference: float) -> float:
        """Return the p-value of a test on instances drawn with replacement.

        It uses the standard deviation of the difference (Efron and Tibshirani 1993, Chapters 6 and
        16).
        """
        spread = np.nanvar(self.values[key][a] - self.values[key][b])
        # the spread around 0 is larger than around the observed difference
        return self._p_value(key, a, b, difference, math.sqrt(spread + difference**2 / self.groups))

    def permutation_test(self, key: str, a: int, b: int, difference: float) -> float:
        """Return the p-value of a test that swaps answers between two systems at random.

        It uses the standard deviation of the difference (approximate randomization: Noreen 1989,
        Yeh 2000).
        """
        return self._p_value(key, a, b, difference, float(self.swapped[key][a, b]))

    def _p_value(self, key: str, a: int, b: int, difference: float, deviation: float) -> float:
        """Return the two-sided p-value by Student's distribution.

        Only instances where the two systems differ are evidence. So only they count in the degrees
        of freedom.
        """
        require("compare", "a test of sums", "scipy")
        from scipy.special import stdtr

        measure = self._measure(key)
        differing = self.systems[a].differ(self.systems[b], measure)
        if differing < 2 or deviation <= SMALLEST:
            return 1.0
        return float(2 * stdtr(differing - 1, -abs(difference) / deviation))

    def _measure(self, key: str) -> "Measure":
        return next(m for m in self.measures if m.key == key)

    def _weighted(
        self, draw: Callable[[np.random.Generator, int], np.ndarray]
    ) -> Iterator[list[Sums]]:
        """Yield the weighted sums of every system, for some resamples at a time."""
        generator = np.random.default_rng(self.seed)
        size = max(1, min(250, _NUMBERS // (sum(s.width for s in self.systems) + self.groups)))
        for start in range(0, RESAMPLES, size):
            weights = draw(generator, min(size, RESAMPLES - start)).astype(float)
            yield [system.sums(weights) for system in self.systems]


def find_intervals(report: "Report", confidence: float) -> "pd.DataFrame":
    """Return a percentile interval for each value of a report (`Report.intervals`)."""
    from hiermeasures.evaluation.needs_pandas import pd

    check_confidence(confidence)
    missing = {*report.cautions, *(key for key, value in report.items() if value != value)}
    known = [measure for measure in report.declared if measure.key not in missing]
    ends = dict.fromkeys(report.measures, (math.nan, math.nan))
    if len(report) and known:
        resampling = Resampling([report], known)
        for m in known:
            (pair,) = resampling.interval(m.key, np.array([report[m.key]]), confidence)
            ends[m.key] = tuple(pair.tolist())
    frame = pd.DataFrame.from_dict(ends, orient="index", columns=["low", "high"], dtype=float)
    return frame.rename_axis("measure")


def check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(
            f"intervals is {confidence!r}. Give a confidence between 0 and 1, such as 0.95."
        )


class _System:
    """The sums of one system in every group, and its values for weighted sums of the groups."""

    def __init__(
        self, report: "Report", measures: Sequence["Measure"], group_of: np.ndarray
    ) -> None:
        self.options, self.groups = report.options, int(group_of.max(initial=-1)) + 1
        self.basis = {measure: basis_of(measure, report.average) for measure in measures}
        columns: dict[str, np.ndarray] = {}
        for measure, basis in self.basis.items():
            if basis == "instances":
                values = np.asarray(measure.value(report.kept.tables, self.options), float)
                columns[measure.key] = np.stack([values, np.ones(len(values))])
            elif basis == "sums":
                columns |= {
                    name: np.array(report.kept.tables[name], float)
                    for name in measure.reads(self.options)
                }
        self.columns = {name: _grouped(rows, group_of) for name, rows in columns.items()}
        by_class = {
            m.structure.key: m.structure for m, basis in self.basis.items() if basis == "classes"
        }
        self.classes = {
            key: _class_counts(report, structure, group_of) for key, structure in by_class.items()
        }
        seen = [each.shape[1] for each in self.classes.values()]
        self.width = sum(each.shape[1] for each in self.columns.values()) + sum(seen)

    def sums(self, weights: np.ndarray) -> Sums:
        """Return the sums of every column, for each row of weights."""
        found = {name: (weights @ columns).T for name, columns in self.columns.items()}
        for name, counts in self.classes.items():
            found[name] = (counts.T @ weights.T).reshape(3, -1, len(weights))
        return found

    @cached_property
    def total(self) -> Sums:
        return self.sums(np.ones((1, self.groups)))

    def value(self, measure: "Measure", sums: Sums) -> Any:
        """Return a measure's value for each of some resamples."""
        basis = self.basis[measure]
        with np.errstate(all="ignore"):
            if basis == "instances":
                total, defined = sums[measure.key]
                return total / defined
            if basis == "sums":
                read = measure.reads(self.options).items()
                tables = {name: structure.named_row(*sums[name]) for name, (structure, _) in read}
                return measure.value(tables, self.options)
            counts = sums[measure.structure.key]
            seen = counts.any(axis=0)
            values = read_classes(measure, counts, self.options)
            return np.where(seen, values, 0.0).sum(axis=0) / seen.sum(axis=0)

    def differ(self, other: "_System", measure: "Measure") -> int:
        """Return the number of groups with different sums in another system."""
        if self.basis[measure] == "classes":
            key = measure.structure.key
            return len(np.unique((self.classes[key] != other.classes[key]).nonzero()[0]))
        names = [measure.key] if self.basis[measure] == "instances" else measure.reads(self.options)
        unlike = [np.abs(self.columns[name] - other.columns[name]) > SMALLEST for name in names]
        return int(np.count_nonzero(np.hstack(unlike).any(axis=1)))


def _swap(one: _System, signed: Sums, other: _System, other_signed: Sums) -> tuple[Sums, Sums]:
    """Return both systems' sums with the groups with a negative sign swapped."""
    middle = {name: (total + other.total[name]) / 2 for name, total in one.total.items()}
    apart = {name: (each - other_signed[name]) / 2 for name, each in signed.items()}
    return (
        {name: middle[name] + apart[name] for name in middle},
        {name: middle[name] - apart[name] for name in middle},
    )


def _grouped(rows: np.ndarray, group_of: np.ndarray) -> np.ndarray:
    """Sum the columns of each group, groups × columns. Instances without a value add 0."""
    rows = np.where(np.isnan(rows).any(axis=0), 0.0, rows)
    return np.stack([np.bincount(group_of, row) for row in rows], axis=1)


def _class_counts(report: "Report", structure: "Structure[Any]", group_of: np.ndarray) -> Any:
    """Count the classes of each group: sparse, groups × (true, predicted, shared by class)."""
    from hiermeasures.evaluation.needs_scipy import csr_array

    order, sizes = np.argsort(group_of, kind="stable"), np.bincount(group_of)
    true, predicted = (side.taken(order) for side in (report.kept.true, report.kept.predicted))
    compiled = len(report) > FEW_COUNTED and has_kernel(structure, report.options)
    batch = Batch.of(report.hierarchy, report.options, (true, predicted))
    count = COUNTERS[structure](batch, structure) if compiled else None
    places, numbers = [], []
    ends = np.cumsum(sizes)
    for start, end in zip(ends - sizes, ends, strict=True):
        if count is not None:
            counts = np.zeros((3, len(report.hierarchy)), np.int64)
            count(start, end, counts)
        else:
            piece = true.piece(start, end), predicted.piece(start, end)
            counts = report.class_counter(piece, [structure])[structure.key]
        places.append(np.flatnonzero(counts))
        numbers.append(counts.ravel()[places[-1]].astype(float))
    ptr = np.append(0, np.cumsum([len(each) for each in places]))
    shape = (len(sizes), 3 * len(report.hierarchy))
    return csr_array((np.concatenate(numbers), np.concatenate(places), ptr), shape=shape)
