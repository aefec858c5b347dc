"""Areas under curves and sweeps over whole files, over arrays: the same as `instance_curve` of
every instance, without a curve. The conventions are those of curves.py.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, starmap
from typing import NamedTuple

import numpy as np

from hiermeasures.core.errors import InputError, listed
from hiermeasures.core.frames import is_frame, read_frame
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.encode import slices
from hiermeasures.engine.exact import means, summed
from hiermeasures.probabilities.curves import Incoherent, Interpolation, area_under, check_choices, effective_values
from hiermeasures.probabilities.events import closed
from hiermeasures.probabilities.probabilities import ProbabilityTable

MOST_THRESHOLDS = 10_001
CELLS_AT_ONCE = 4_000_000
"""(Instance, class) cells that are worked on together, which bounds memory."""


@dataclass(frozen=True, eq=False)
class InstanceAreas:
    """The area under the curve of every instance of a file, and the threshold that would have
    suited each best.

    Arrays have one number for each instance, nan where nothing is true. The highest F1 is reached
    by the thresholds from `best_low`, included, to below `best_high`; of several such ranges the
    highest is given.
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

    The arrays begin with the point where nothing is predicted and hold the points just before and
    just after each gain in recall; between them precision falls at constant recall, which adds no
    area. Point k predicts the classes with a probability above `probability[k]`, or, where
    `included[k]`, of that and above.
    """

    probability: np.ndarray
    included: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    area: float
    interpolation: str

    @classmethod
    def through(
        cls,
        probability: np.ndarray,
        included: np.ndarray,
        counts: tuple[np.ndarray, np.ndarray],
        total: int,
        interpolation: Interpolation,
    ) -> "MicroCurve":
        """The curve through points: classes predicted and shared by each, from nothing; `total`
        true ones.
        """
        predicted, shared = counts
        precision = np.append(1.0, precision_of(predicted, shared))
        recall = np.append(0.0, shared / max(total, 1))
        area = area_under(recall.tolist(), precision.tolist(), interpolation) if total else math.nan
        return cls(probability, included, precision, recall, area, interpolation)

    def thinned(self, most: int = 1000) -> "MicroCurve":
        """The same curve with at most so many points, for drawing; the area stays."""
        if len(self.recall) <= most:
            return self
        points = np.unique(np.linspace(0, len(self.recall) - 1, most).astype(int))
        names = ("probability", "included", "precision", "recall")
        return replace(self, **{name: getattr(self, name)[points] for name in names})


@dataclass(frozen=True, eq=False)
class FileSweep:
    """Averages over a file at each of some thresholds: of the per-instance values ("samples"), and
    of the summed counts ("micro").

    Per-instance precision is 1 where nothing is predicted. `best` is the place of the highest
    samples F1.
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
    """The true classes of many instances with their ancestors, as compressed rows of node numbers.
    Made by `true_classes`.

    The root is in each row that is not empty: what is not counted is left out later.
    """

    ptr: np.ndarray
    idx: np.ndarray

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def labels(self, hierarchy: Hierarchy) -> Iterator[list[str]]:
        """The classes of each instance by name."""
        for lo, hi in zip(self.ptr[:-1], self.ptr[1:], strict=True):
            yield [hierarchy.nodes[c] for c in self.idx[lo:hi]]


LabelRows = Sequence[Iterable[str]] | Mapping[str, Iterable[str]] | np.ndarray
Truth = TrueClasses | LabelRows


# --- files --------------------------------------------------------------------------------------


def true_classes(table: ProbabilityTable, labels: Truth) -> TrueClasses:
    """The true classes of a file's instances, augmented with their ancestors.

    Parameters
    ----------
    table : ProbabilityTable labels : sequence of label sets, mapping from id to label set, or array
    or frame (instances, classes)
        In the order of the table's rows; a mapping is matched by id. An array of 0 and 1 has
        columns in the order of `hierarchy.nodes`; those of a table of pandas, polars or Arrow are
        named by classes. `TrueClasses` are returned as they are.

    Raises
    ------
    InputError
        For a number of rows that differs, an id without labels, or a label that is no class (the
        row is named).
    """
    h = table.hierarchy
    if isinstance(labels, TrueClasses):
        return labels
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

    Recall grows only where a true class is reached, so only the thresholds just above and at a true
    class's probability matter: the work is instances × classes × true classes, without sorting.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.75, 0.25, 0.5, 0.25], [0.75, 0.25, 0.25, 0.5]], ["1", "2", "3", "4"])
    >>> instance_areas(table, [{"3"}, {"3"}]).areas.round(4).tolist()
    [1.0, 0.75]
    """
    check_choices(interpolation, incoherent)
    truth = true_classes(table, true)
    out = np.full((4, len(table)), np.nan)
    for rows, chance, values, count, *_ in chunks(table, truth, count_root, incoherent):
        before, after, shared_before, shared_after, first = _gains(chance, values, everything)
        width = (shared_after - shared_before) / np.maximum(count, 1)[:, None]
        height = shared_after / np.maximum(after, 1)
        if interpolation == "trapezoid":
            height = (precision_of(before, shared_before) + height) / 2
        f1 = np.where(first, 2 * shared_after / (after + count[:, None]), 0)
        best = f1.argmax(axis=1)
        highs = np.where(f1.max(axis=1) > 0, values[np.arange(len(values)), best], 1)
        lows = np.where(chance < highs[:, None], chance, 0).max(axis=1, initial=0)
        some = count > 0
        out[:, rows] = np.where(some, [_added(np.where(first, width * height, 0)), f1.max(axis=1), lows, highs], np.nan)
    areas, best_f1, low, high = out
    return InstanceAreas(
        ids=table.ids, areas=areas, best_f1=best_f1, best_low=low, best_high=high, interpolation=interpolation
    )


def micro_curve(
    table: ProbabilityTable,
    true: Truth,
    *,
    interpolation: Interpolation = "trapezoid",
    count_root: bool = False,
    incoherent: Incoherent = "augment",
    everything: bool = False,
) -> MicroCurve:
    """Precision and recall of the counts summed over all instances, over one threshold for all of
    them.

    Plaud et al. 2024 (Appendix B.1.2) argue that one threshold for all makes little sense for F1;
    this shows what it would give. It needs all scores at once; at given thresholds
    `threshold_partial` gives it from sums.
    """
    check_choices(interpolation, incoherent)
    truth = true_classes(table, true)
    total = 0
    reached: list[np.ndarray] = []
    for chunk in chunks(table, truth, count_root, incoherent):
        total += int(chunk.true.sum())
        reached.append(chunk.values[chunk.values >= 0 if everything else chunk.values > 0])
    value, gained = np.unique(np.concatenate(reached), return_counts=True)
    above, least = np.zeros(len(value) + 1, np.int64), np.zeros(len(value) + 1, np.int64)
    for chunk in chunks(table, truth, count_root, incoherent):
        flat = chunk.chance[chunk.chance >= 0]
        above += np.bincount(np.searchsorted(value, flat, side="left"), minlength=len(value) + 1)
        least += np.bincount(np.searchsorted(value, flat, side="right"), minlength=len(value) + 1)
    before = np.cumsum(above[::-1])[::-1][1:][::-1]
    after = np.cumsum(least[::-1])[::-1][1:][::-1]
    shared_after = np.cumsum(gained[::-1])
    shared = np.stack([shared_after - gained[::-1], shared_after], axis=1).ravel()
    predicted = np.stack([before, after], axis=1).ravel()
    probability = np.concatenate([[1.0], np.repeat(value[::-1], 2)])
    included = np.arange(len(probability)) % 2 == 0
    included[0] = False
    return MicroCurve.through(probability, included, (predicted, shared), total, interpolation)


def file_sweep(
    table: ProbabilityTable,
    true: Truth,
    thresholds: Sequence[float] | np.ndarray | None = None,
    *,
    count_root: bool = False,
    incoherent: Incoherent = "augment",
) -> FileSweep:
    """Averages over a file at each threshold, by default 0, 0.01, … 1. Instances without a true
    class are left out of "samples".
    """
    asked = checked_thresholds(thresholds)
    taus, back = np.unique(asked, return_inverse=True)
    check_choices("trapezoid", incoherent)
    truth = true_classes(table, true)
    sums, counts = np.zeros((3, len(taus)), object), np.zeros((2, len(taus)), np.int64)
    instances = total = 0
    for chunk in chunks(table, truth, count_root, incoherent):
        predicted, shared = chunk.at(taus)
        sums += chunk.ratios(predicted, shared)
        counts += np.stack([predicted.sum(axis=0), shared.sum(axis=0)])
        instances, total = instances + int((chunk.true > 0).sum()), total + int(chunk.true.sum())
    return sweep_of(asked, sums[:, back], instances, counts[:, back], total)


def checked_thresholds(thresholds: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """Thresholds in [0, 1], by default 0, 0.01, … 1."""
    taus = np.linspace(0, 1, 101) if thresholds is None else np.asarray(thresholds, np.float64)
    if taus.ndim != 1 or not 1 <= len(taus) <= MOST_THRESHOLDS or not ((taus >= 0) & (taus <= 1)).all():
        raise InputError(f"thresholds are numbers in [0, 1], one at least and {MOST_THRESHOLDS:,} at most")
    return taus


def sweep_of(taus: np.ndarray, sums: np.ndarray, instances: int, counts: np.ndarray, total: int) -> FileSweep:
    """The averages: `sums` (3, thresholds) of `Chunk.ratios` of instances with a true class, of
    which there are so many; `counts` (2, thresholds) of the classes predicted and shared by all,
    and in total of the true ones.
    """
    precision, recall, f1 = means(sums, instances)
    predicted, shared = counts
    micro = precision_of(predicted, shared), shared / max(total, 1), 2 * shared / np.maximum(predicted + total, 1)
    return FileSweep(taus, precision, recall, f1, *micro)


def precision_of(predicted: np.ndarray, shared: np.ndarray) -> np.ndarray:
    return np.where(predicted, shared / np.maximum(predicted, 1), 1)


def above(taus: np.ndarray, numbers: np.ndarray, owner: np.ndarray, owners: int) -> np.ndarray:
    """Count the numbers of each owner above rising thresholds: (owners, thresholds)."""
    size = len(taus) + 1
    place = owner * size + np.searchsorted(taus, numbers, side="left")  # so many thresholds are below
    counts = np.bincount(place, minlength=owners * size).reshape(owners, size)
    return np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:])


# --- over arrays --------------------------------------------------------------------------------


def _gains(chance: np.ndarray, values: np.ndarray, everything: bool) -> tuple[np.ndarray, ...]:
    """Classes predicted just before and just after each true class is reached (likeliest first),
    those shared likewise, and a mark of the first of equal probabilities: the others are reached
    with it.
    """

    def numbers(pool: np.ndarray, compare: np.ufunc) -> np.ndarray:
        return np.stack([np.count_nonzero(compare(pool, v[:, None]), axis=1) for v in values.T], axis=1)

    first = values >= 0 if everything else values > 0
    first[:, 1:] &= values[:, 1:] != values[:, :-1]
    sides = (numbers(pool, compare) for pool in (chance, values) for compare in (np.greater, np.greater_equal))
    return (*sides, first)


def _added(columns: np.ndarray) -> np.ndarray:
    """The sums of rows, at most 1, added from the left, so that zeros behind change no bit."""
    return np.asarray(np.minimum(columns.cumsum(axis=1)[:, -1], 1))


class Chunk(NamedTuple):
    """A run of instances, and the effective probabilities of the classes that count (instances,
    classes), those of the true ones (likeliest first) and their number. Places without a class hold
    -1, and so does a root that does not count. `classes` are the true classes of all instances, one
    after another, and `likely` their probabilities.
    """

    rows: slice
    chance: np.ndarray
    values: np.ndarray
    true: np.ndarray
    classes: np.ndarray
    likely: np.ndarray

    def at(self, taus: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Count predicted and shared classes at rising thresholds: (instances, thresholds) each."""
        n = len(self.chance)
        sides = [(side.ravel(), np.repeat(np.arange(n), side.shape[1])) for side in (self.chance, self.values)]
        predicted, shared = (above(taus, numbers, rows, n) for numbers, rows in sides)
        return predicted, shared

    def ratios(self, predicted: np.ndarray, shared: np.ndarray) -> np.ndarray:
        """Sums of precision, recall and F1 (3, thresholds) over the instances with truth
        (engine/exact.py).
        """
        recall = shared / np.maximum(self.true, 1)[:, None]
        f1 = 2 * shared / np.maximum(predicted + self.true[:, None], 1)
        found = np.stack([precision_of(predicted, shared).T, recall.T, f1.T])
        return summed(found[..., self.true > 0])


def chunks(table: ProbabilityTable, truth: TrueClasses, count_root: bool, incoherent: str) -> Iterator[Chunk]:
    for rows in starmap(slice, slices(len(table), max(1, CELLS_AT_ONCE // len(table.hierarchy)))):
        chance = effective_values(table.hierarchy, table.values[rows], incoherent)
        if not count_root:
            chance[:, 0] = -1
        ptr = truth.ptr[rows.start : rows.stop + 1]
        number = np.diff(ptr)
        values = np.full((len(number), max(int(number.max()), 1)), -1.0)
        row = np.repeat(np.arange(len(number)), number)
        classes = truth.idx[ptr[0] : ptr[-1]]
        likely = chance[row, classes]
        values[row, np.arange(ptr[0], ptr[-1]) - ptr[row]] = likely
        values = -np.sort(-values, axis=1)
        yield Chunk(rows, chance, values, (values >= 0).sum(axis=1), classes, likely)


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
