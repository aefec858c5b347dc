"""Areas under curves and sweeps over whole files, over arrays: the same as `instance_curve` of every instance, without
a curve. The conventions are those of curves.py.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from hiermeasures.batch.fixed_point import means, summed
from hiermeasures.errors import InputError, listed
from hiermeasures.frames import is_frame, read_frame
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference.curves import Incoherent, Interpolation, area_under, check_choices, effective_values
from hiermeasures.inference.events import closed
from hiermeasures.inference.probabilities import ProbabilityTable

MOST_THRESHOLDS = 10_001
CELLS_AT_ONCE = 4_000_000
"""How many (instance, class) cells are worked on together; it bounds the memory of a file's evaluation."""


@dataclass(frozen=True, eq=False)
class InstanceAreas:
    """The area under the curve of every instance of a file, and the threshold that would have suited each best.

    Arrays have one number for each instance, nan where nothing is true. The highest F1 is reached by the thresholds
    from `best_low`, included, to below `best_high`; of several such ranges the highest is given.
    """

    ids: tuple[str, ...]
    areas: np.ndarray
    best_f1: np.ndarray
    best_low: np.ndarray
    best_high: np.ndarray
    interpolation: str

    @property
    def mean(self) -> float:
        """The mean area over the instances that have one."""
        return _mean(self.areas)

    @property
    def mean_best_f1(self) -> float:
        """The mean of each instance's highest F1: what no single threshold can exceed."""
        return _mean(self.best_f1)

    @property
    def undefined(self) -> tuple[str, ...]:
        """The ids of the instances without a true class."""
        return tuple(name for name, area in zip(self.ids, self.areas, strict=True) if math.isnan(area))


@dataclass(frozen=True, eq=False)
class MicroCurve:
    """Precision and recall of a file's summed counts, as one threshold for all instances falls.

    The arrays begin with the point where nothing is predicted and hold the points just before and just after each gain
    in recall; between them precision falls at constant recall, which adds no area. Point k predicts the classes with a
    probability above `probability[k]`, or, where `included[k]`, of that and above.
    """

    probability: np.ndarray
    included: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    area: float
    interpolation: str

    def thinned(self, most: int = 1000) -> "MicroCurve":
        """The same curve with at most so many points, for drawing; the area stays that of all of them."""
        if len(self.recall) <= most:
            return self
        points = np.unique(np.linspace(0, len(self.recall) - 1, most).astype(int))
        return MicroCurve(
            self.probability[points],
            self.included[points],
            self.precision[points],
            self.recall[points],
            self.area,
            self.interpolation,
        )


@dataclass(frozen=True, eq=False)
class FileSweep:
    """Averages over a file at each of some thresholds: of the per-instance values ("samples"), and of the summed counts
    ("micro").

    Per-instance precision is 1 where nothing is predicted. `best` is the place of the highest samples F1.
    """

    thresholds: np.ndarray
    samples_precision: np.ndarray
    samples_recall: np.ndarray
    samples_f1: np.ndarray
    micro_precision: np.ndarray
    micro_recall: np.ndarray
    micro_f1: np.ndarray

    @property
    def best(self) -> int:
        return int(np.argmax(self.samples_f1))


@dataclass(frozen=True, eq=False)
class TrueClasses:
    """The true classes of many instances with their ancestors, as compressed rows of node numbers. Made by
    `true_classes`.

    The root is in each row that is not empty: what is not counted is left out later.
    """

    ptr: np.ndarray
    idx: np.ndarray

    def __len__(self) -> int:
        return len(self.ptr) - 1


LabelRows = Sequence[Iterable[str]] | Mapping[str, Iterable[str]] | np.ndarray
Truth = TrueClasses | LabelRows


def as_true_classes(table: ProbabilityTable, true: Truth) -> TrueClasses:
    return true if isinstance(true, TrueClasses) else true_classes(table, true)


# --- files --------------------------------------------------------------------------------------------------------


def true_classes(table: ProbabilityTable, labels: LabelRows) -> TrueClasses:
    """The true classes of a file's instances, augmented with their ancestors.

    Parameters
    ----------
    table : ProbabilityTable
    labels : sequence of label sets, mapping from id to label set, or array or frame (instances, classes) of 0 and 1
        In the order of the table's rows; a mapping is matched by id. An array's columns are in the order of
        `hierarchy.nodes`; those of a table of pandas, polars or Arrow are named by classes.

    Raises
    ------
    InputError
        For a number of rows that differs, an id without labels, or a label that is no class (the row is named).
    """
    h = table.hierarchy
    if is_frame(labels):
        names, columns = read_frame(labels)
        rows_of_table = zip(*columns, strict=True)
        labels = columns[0] if names is None else [list(compress(names, row)) for row in rows_of_table]
    if isinstance(labels, np.ndarray) and labels.ndim == 2:
        if labels.shape != table.values.shape:
            raise InputError(
                f"the true labels are {labels.shape[0]} × {labels.shape[1]}, but the probabilities "
                f"{table.values.shape[0]} × {table.values.shape[1]}"
            )
        labels = [[h.nodes[j] for j in np.flatnonzero(row)] for row in labels]
    if isinstance(labels, Mapping):
        if absent := [name for name in table.ids if name not in labels]:
            raise InputError(f"{len(absent)} instances of the probabilities have no true labels: {listed(absent)}")
        labels = [labels[name] for name in table.ids]
    if len(labels) != len(table):
        raise InputError(f"there are true labels for {len(labels)} instances, but probabilities for {len(table)}")
    known: dict[frozenset[str], np.ndarray] = {}
    rows = [
        _numbered(h, entry, known, i, name)
        for i, (entry, name) in enumerate(zip(labels, table.ids, strict=True), start=1)
    ]
    ptr = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=ptr[1:])
    return TrueClasses(ptr, np.concatenate(rows))


def instance_areas(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    everything: bool = False,
) -> InstanceAreas:
    """The area under every instance's curve, as `instance_curve` defines it, over arrays.

    Recall grows only where a true class is reached, so only the thresholds just above and at a true class's probability
    matter: the work is instances × classes × true classes, without sorting.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.75, 0.25, 0.5, 0.25], [0.75, 0.25, 0.25, 0.5]], ["1", "2", "3", "4"])
    >>> instance_areas(table, [{"3"}, {"3"}]).areas.round(4).tolist()
    [1.0, 0.75]
    """
    check_choices(interpolation, incoherent)
    truth = as_true_classes(table, true)
    out = np.full((4, len(table)), np.nan)
    for rows, chance, values, count in chunks(table, truth, count_root, incoherent):
        gains = _Gains.of(chance, values, everything)
        width = (gains.shared_after - gains.shared_before) / np.maximum(count, 1)[:, None]
        height = (
            gains.precision_after if interpolation == "step" else (gains.precision_before + gains.precision_after) / 2
        )
        f1 = np.where(gains.counts, 2 * gains.shared_after / (gains.after + count[:, None]), 0)
        best = f1.argmax(axis=1)
        highs = np.where(f1.max(axis=1) > 0, values[np.arange(len(values)), best], 1)
        lows = np.where(chance < highs[:, None], chance, 0).max(axis=1, initial=0)
        some = count > 0
        out[:, rows] = np.where(
            some, [_added(np.where(gains.counts, width * height, 0)), f1.max(axis=1), lows, highs], np.nan
        )
    areas, best_f1, low, high = out
    return InstanceAreas(table.ids, areas, best_f1, low, high, interpolation)


def micro_curve(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    everything: bool = False,
) -> MicroCurve:
    """Precision and recall of the counts summed over all instances, over one threshold for all of them.

    Plaud et al. 2024 (Appendix B.1.2) argue that one threshold for all makes little sense for F1; this shows what it
    would give. It needs all scores at once; at given thresholds `threshold_partial` gives it from sums.
    """
    check_choices(interpolation, incoherent)
    truth = as_true_classes(table, true)
    total = 0
    reached: list[np.ndarray] = []
    for _, _, values, count in chunks(table, truth, count_root, incoherent):
        total += int(count.sum())
        reached.append(values[values >= 0 if everything else values > 0])
    value, gained = np.unique(np.concatenate(reached), return_counts=True)
    above, least = np.zeros(len(value) + 1, np.int64), np.zeros(len(value) + 1, np.int64)
    for _, chance, _, _ in chunks(table, truth, count_root, incoherent):
        flat = chance[chance >= 0]
        above += np.bincount(np.searchsorted(value, flat, side="left"), minlength=len(value) + 1)
        least += np.bincount(np.searchsorted(value, flat, side="right"), minlength=len(value) + 1)
    before = np.cumsum(above[::-1])[::-1][1:][::-1]
    after = np.cumsum(least[::-1])[::-1][1:][::-1]
    shared_after = np.cumsum(gained[::-1])
    shared = np.stack([shared_after - gained[::-1], shared_after], axis=1).ravel()
    predicted = np.stack([before, after], axis=1).ravel()
    precision = np.concatenate([[1.0], np.where(predicted, shared / np.maximum(predicted, 1), 1)])
    recall = np.concatenate([[0.0], shared / max(total, 1)])
    area = area_under(recall.tolist(), precision.tolist(), interpolation) if total else math.nan
    probability = np.concatenate([[1.0], np.repeat(value[::-1], 2)])
    included = np.arange(len(probability)) % 2 == 0
    included[0] = False
    return MicroCurve(probability, included, precision, recall, area, interpolation)


def file_sweep(
    table: ProbabilityTable,
    true: Truth,
    thresholds: Sequence[float] | np.ndarray | None = None,
    *,
    count_root: bool = False,
    incoherent: Incoherent = "augment",
) -> FileSweep:
    """Averages over a file at each threshold, by default 0, 0.01, … 1. Instances without a true class are left out of
    "samples".
    """
    asked = checked_thresholds(thresholds)
    taus, back = np.unique(asked, return_inverse=True)
    check_choices("trapezoid", incoherent)
    truth = as_true_classes(table, true)
    sums, counts = np.zeros((3, len(taus)), object), np.zeros((2, len(taus)), np.int64)
    instances = total = 0
    for _, chance, values, count in chunks(table, truth, count_root, incoherent):
        predicted, shared = each_above(taus, chance), each_above(taus, values)
        sums += summed(ratios(predicted, shared, count)[..., count > 0])
        counts += np.stack([predicted.sum(axis=0), shared.sum(axis=0)])
        instances, total = instances + int((count > 0).sum()), total + int(count.sum())
    return sweep_of(asked, sums[:, back], instances, counts[:, back], total)


def checked_thresholds(thresholds: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """Thresholds in [0, 1], by default 0, 0.01, … 1."""
    taus = np.linspace(0, 1, 101) if thresholds is None else np.asarray(thresholds, np.float64)
    if taus.ndim != 1 or not 1 <= len(taus) <= MOST_THRESHOLDS or not ((taus >= 0) & (taus <= 1)).all():
        raise InputError(f"thresholds are numbers in [0, 1], one at least and {MOST_THRESHOLDS:,} at most")
    return taus


def sweep_of(taus: np.ndarray, sums: np.ndarray, instances: int, counts: np.ndarray, total: int) -> FileSweep:
    """The averages: `sums` (3, thresholds) of what `ratios` gives for instances with a true class, of which there are
    so many; `counts` (2, thresholds) of the classes predicted and shared by all, and in total of the true ones.
    """
    precision, recall, f1 = means(sums, instances)
    predicted, shared = counts
    return FileSweep(
        taus,
        precision,
        recall,
        f1,
        np.where(predicted, shared / np.maximum(predicted, 1), 1),
        shared / max(total, 1),
        2 * shared / np.maximum(predicted + total, 1),
    )


def ratios(predicted: np.ndarray, shared: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Precision, recall and F1 of each instance, (3, thresholds, instances), from how many classes are predicted and
    shared (instances, thresholds) and how many are true. Precision is 1 where nothing is predicted.
    """
    precision = np.where(predicted, shared / np.maximum(predicted, 1), 1)
    recall = shared / np.maximum(count, 1)[:, None]
    f1 = 2 * shared / np.maximum(predicted + count[:, None], 1)
    return np.stack([precision.T, recall.T, f1.T])


def each_above(taus: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """How many numbers of each row are above each of some rising thresholds: (rows, thresholds)."""
    rows = np.repeat(np.arange(len(numbers)), numbers.shape[1])
    return above(taus, numbers.ravel(), rows, len(numbers))


def above(taus: np.ndarray, numbers: np.ndarray, owner: np.ndarray, owners: int) -> np.ndarray:
    """How many numbers of each owner are above each of some rising thresholds: (owners, thresholds)."""
    size = len(taus) + 1
    place = owner * size + np.searchsorted(taus, numbers, side="left")  # so many thresholds are below
    counts = np.bincount(place, minlength=owners * size).reshape(owners, size)
    return np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:])


# --- over arrays --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Gains:
    """What is predicted just before and just after each true class is reached, by instance and true class (likeliest
    first).

    `counts` marks the first of equal probabilities: the others are reached together with it.
    """

    before: np.ndarray
    after: np.ndarray
    shared_before: np.ndarray
    shared_after: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, chance: np.ndarray, values: np.ndarray, everything: bool) -> "_Gains":
        def numbers(pool: np.ndarray, also_equal: bool) -> np.ndarray:
            compare = np.greater_equal if also_equal else np.greater
            return np.stack([np.count_nonzero(compare(pool, v[:, None]), axis=1) for v in values.T], axis=1)

        counts = values >= 0 if everything else values > 0
        counts[:, 1:] &= values[:, 1:] != values[:, :-1]
        return cls(numbers(chance, False), numbers(chance, True), numbers(values, False), numbers(values, True), counts)

    @cached_property
    def precision_before(self) -> np.ndarray:
        return np.where(self.before, self.shared_before / np.maximum(self.before, 1), 1)

    @cached_property
    def precision_after(self) -> np.ndarray:
        return np.asarray(self.shared_after / np.maximum(self.after, 1))


def _added(columns: np.ndarray) -> np.ndarray:
    """The sum of each row, from 0 to 1, added from the left: further columns of zeros change no bit of it."""
    return np.asarray(np.minimum(columns.cumsum(axis=1)[:, -1], 1))


def chunks(
    table: ProbabilityTable, truth: TrueClasses, count_root: bool, incoherent: str
) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
    """Runs of instances: which, the effective probabilities of the classes that count, those of the true ones, and
    their number.

    The true ones stand likeliest first, filled up with -1; so does the root where it does not count.
    """
    size = max(1, CELLS_AT_ONCE // len(table.hierarchy))
    for begin in range(0, len(table), size):
        rows = slice(begin, min(begin + size, len(table)))
        chance = effective_values(table.hierarchy, table.values[rows], incoherent)
        if not count_root:
            chance[:, 0] = -1
        ptr = truth.ptr[rows.start : rows.stop + 1]
        number = np.diff(ptr)
        values = np.full((len(number), max(int(number.max()), 1)), -1.0)
        row = np.repeat(np.arange(len(number)), number)
        values[row, np.arange(ptr[0], ptr[-1]) - ptr[row]] = chance[row, truth.idx[ptr[0] : ptr[-1]]]
        values = -np.sort(-values, axis=1)
        yield rows, chance, values, (values >= 0).sum(axis=1)


def _numbered(
    h: Hierarchy, labels: Iterable[str], known: dict[frozenset[str], np.ndarray], row: int, name: str
) -> np.ndarray:
    key = frozenset([labels] if isinstance(labels, str) else labels)
    if key not in known:
        try:
            classes = closed(h, key)
        except InputError as error:
            raise InputError(f"true labels, row {row} (id {name!r}): {error}") from None
        known[key] = np.array([0, *sorted(h.index(c) for c in classes)] if classes else [], np.int64)
    return known[key]


def _mean(values: np.ndarray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan
