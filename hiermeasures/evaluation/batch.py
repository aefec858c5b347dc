"""Batches of encoded labels.

A batch is cut into chunks of instances. For each chunk, the tasks of hiermeasures.evaluation.tasks
fill the columns of counts. They run in threads without the interpreter lock and in limited memory.
Results do not depend on the cut or on the number of threads.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict

import numpy as np

from hiermeasures.evaluation.array_sets import count_by_arrays, fills_by_arrays
from hiermeasures.evaluation.averages import AVERAGES, Average
from hiermeasures.evaluation.encode import (
    EncodedLabels,
    Sides,
    UnknownPolicy,
    by_name,
    classes_of_columns,
    encode,
    slices,
)
from hiermeasures.evaluation.kernel_registry import COUNTERS, Batch, ColumnTable, Fill, Work
from hiermeasures.evaluation.numbered import scores_read
from hiermeasures.evaluation.outside import group_by_wrong, raised_options
from hiermeasures.evaluation.results import (
    ClassCounts,
    InstanceColumns,
    Partial,
    Report,
    Tables,
    read_values,
)
from hiermeasures.evaluation.tasks import FEW_COUNTED, Engine, has_kernel, make_tasks
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Measure, find_measures
from hiermeasures.measures.catalogue import Structure
from hiermeasures.measures.counts import CountsTable
from hiermeasures.measures.own import own_measures

Progress = Callable[[int, int], None]
CHUNK = 2048
FEW = 256  # instances that are computed without another thread, because starting one takes 0.1 ms


class ReadingSettings(TypedDict, total=False):
    """Types of the arguments `reading` of `encoded_sides`."""

    classes: Sequence[str] | Mapping[Any, str] | None
    threshold: float | None
    argmax: bool
    unknown: UnknownPolicy


READING = tuple(ReadingSettings.__annotations__)


@dataclass(frozen=True)
class Request:
    """The measures to compute, the average to report, and the options."""

    measures: tuple[Measure, ...]
    average: Average
    options: Options

    @classmethod
    def of(
        cls,
        measures: Iterable[str | Measure] | str | None,
        define: Mapping[str, str] | None,
        average: Average,
        options: Options,
    ) -> "Request":
        """Return a request for some measures (by default the core) and the defined ones.

        Repeated measures count once.
        """
        defined = own_measures(define or {})
        wanted = tuple(
            {m.key: m for m in (*find_measures(measures, defined), *defined.values())}.values()
        )
        check_average(average, wanted)
        return cls(wanted, average, options)


def encoded_sides(
    hierarchy: Hierarchy,
    y_true: Any,
    y_pred: Any,
    *,
    threshold: float | None = None,
    argmax: bool = False,
    **reading: Any,
) -> Sides:
    """Return both sides of the same instances, encoded.

    `threshold` and `argmax` decide how predicted scores are read. `reading` are arguments of
    `encode`.
    """
    named = reading.get("classes")
    scores = scores_read(
        classes_of_columns(hierarchy, y_pred) if named is None else named, threshold, argmax
    )
    true = encode(hierarchy, y_true, name="y_true", **reading)
    predicted = encode(hierarchy, y_pred, name="y_pred", scores=scores, **reading)
    if len(true) != len(predicted):
        raise InputError(
            f"y_true has {len(true)} instances, y_pred {len(predicted)}. Both need the same number."
        )
    return true, predicted


def named_sides(
    y_true: Any, y_pred: Any, *, classes: Any, threshold: float | None, argmax: bool
) -> tuple[Any, Any]:
    """Return both sides with names of classes. `classes` maps numbers to names."""
    scores = scores_read(classes, threshold, argmax)
    if classes is None:
        return y_true, y_pred
    true = by_name(y_true, classes=classes, name="y_true")
    return true, by_name(y_pred, classes=classes, scores=scores, name="y_pred")


def report_of(
    hierarchy: Hierarchy,
    request: Request,
    sides: Sides,
    workers: "Workers",
    ids: Any = None,
    rows: Mapping[str, np.ndarray] | None = None,
) -> Report:
    """Return the report of some instances, named by `ids` or by their places.

    `rows` are the columns of all tables, if they are known.
    """
    options, wanted, (true, predicted) = request.options, request.measures, sides
    hierarchy = _informed(hierarchy, options, true)
    if rows is None:
        tables, explained = _all_tables(hierarchy, options, sides, wanted, workers)
    else:
        read = {
            table: structure for m in wanted for table, (structure, _) in m.reads(options).items()
        }
        tables = {name: structure.named_row(*rows[name].T) for name, structure in read.items()}
        explained = dict.fromkeys(read, len(true))
    sums = Partial.of(len(true), tables, read_values(tables, wanted, options), explained)
    counting = Workers(workers.n_jobs, engine=workers.engine)
    counter = partial(_count_classes, hierarchy, raised_options(hierarchy, options), counting)
    return Report(
        hierarchy, options, wanted, average=request.average, partial=sums,
        instances=InstanceColumns(range(len(true)) if ids is None else ids, true, predicted, tables),
        class_counter=counter, lost=(true.lost, predicted.lost),
    )  # fmt: skip


def without_instances(report: Report) -> Report:
    """Return the report with only sums and counts per class."""
    return replace(report, known_class_counts=report.class_counts, instances=None)


def measure_values(
    hierarchy: Hierarchy,
    true: EncodedLabels,
    predicted: EncodedLabels,
    measures: Sequence[Measure],
    options: Options,
    *,
    engine: Engine | None = None,
) -> dict[str, np.ndarray]:
    """Return each measure of each instance, as arrays by key, without a report.

    The measures need not be in the catalogue.
    """
    workers = Workers(1, engine=engine)
    batch = Batch.of(hierarchy, options, (true, predicted), workers.spread)
    return read_values(_tables(batch, measures, workers)[0], measures, options)


def check_hierarchy(hierarchy: Any) -> None:
    """Raise InputError for anything but a Hierarchy, such as a list of edges."""
    if not isinstance(hierarchy, Hierarchy):
        raise InputError(
            f"hierarchy is of type {type(hierarchy).__name__}. Give a hiermeasures.Hierarchy, for "
            "example from Hierarchy.from_edges."
        )


def check_average(average: str, wanted: Sequence[Measure]) -> None:
    """Raise InputError if the average is unknown, or if a measure does not have it."""
    check_known("average", average, AVERAGES)
    if average == "micro" and (without := [m.key for m in wanted if m.pooled == "undefined"]):
        raise InputError(
            f"{shown(without[0])} has no micro average because it uses values that cannot be "
            "summed. Use average='samples'."
        )


def _informed(hierarchy: Hierarchy, options: Options, true: EncodedLabels) -> Hierarchy:
    """Return the hierarchy, with information as class weights if the options ask for it."""
    if options.class_weights != "information":
        return hierarchy
    from hiermeasures.evaluation.information import information

    return hierarchy.with_class_weights(
        information(hierarchy, true, smoothing=options.information_smoothing)
    )


def check_countable(options: Options) -> None:
    """Raise InputError if information would be counted separately for each batch."""
    if options.class_weights == "information":
        raise InputError(
            "information must be counted over all instances together. Give the hierarchy the "
            "weights of hiermeasures.evaluation.information, and use class_weights='given'."
        )


def _all_tables(
    hierarchy: Hierarchy,
    options: Options,
    sides: Sides,
    wanted: Sequence[Measure],
    workers: "Workers",
) -> tuple[Tables, dict[str, int]]:
    """Return `_tables`. Each instance gets a hierarchy with as many wrong classes as it needs."""
    if hierarchy.base is None:
        return _tables(Batch.of(hierarchy, options, sides, workers.spread), wanted, workers)
    names = [table for m in wanted for table in m.reads(options)]
    done, columns, explained = 0, dict[str, np.ndarray](), Counter(dict.fromkeys(names, 0))
    structures = {
        name: structure for m in wanted for name, (structure, _) in m.reads(options).items()
    }
    n = len(sides[0])
    for group in group_by_wrong(hierarchy, options, sides):
        batch = Batch.of(group.hierarchy, group.options, group.sides, workers.spread)
        found, some = _tables(
            batch, wanted, replace(workers, progress=_further(workers.progress, done, n))
        )
        done += len(group.rows)
        same = zip(names, (table for m in wanted for table in m.reads(group.options)), strict=True)
        for name, theirs in dict(same).items():
            rows = np.stack(found[theirs], axis=1)
            columns.setdefault(name, np.zeros((n, rows.shape[1]), rows.dtype))[group.rows] = rows
            explained[name] += some[theirs]
    if not columns:  # no instances
        return _tables(Batch.of(hierarchy, options, sides, workers.spread), wanted, workers)
    return {name: structures[name].named_row(*rows.T) for name, rows in columns.items()}, dict(
        explained
    )


def _further(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _tables(
    batch: Batch, wanted: Sequence[Measure], workers: "Workers"
) -> tuple[Tables, dict[str, int]]:
    """Return the columns for some measures, and the number of explained instances per table."""
    read = {table: what for m in wanted for table, what in m.reads(batch.options).items()}
    tables = [
        ColumnTable.empty(structure, chosen, len(batch)) for structure, chosen in read.values()
    ]
    tasks = make_tasks(batch, tables, workers.engine)
    explained, lock = Counter({t.name: 0 for t in tables}), threading.Lock()

    def counted(fill: Fill) -> Work:
        def run(lo: int, hi: int, stop: threading.Event) -> None:
            if rows := fill(lo, hi, stop):
                with lock:
                    explained.update(rows)

        return run

    workers.run(len(batch), [counted(fill) for fill in tasks], progress=True)
    return {t.name: t.columns for t in tables}, explained


def _count_classes(
    hierarchy: Hierarchy,
    options: Options,
    workers: "Workers",
    sides: Sides,
    structures: Sequence[Structure[Any]],
) -> ClassCounts:
    """Return for each structure the instances with each class: true, predicted, and both.

    CoPHE has its own counts. With `max_ancestor_distance` the result is empty, because each
    instance has its own hierarchy.
    """
    if options.max_ancestor_distance is not None or not structures:
        return {}
    batch = Batch.of(hierarchy, options, sides)
    many = workers.engine == "kernels" or (workers.engine is None and len(batch) > FEW_COUNTED)
    quick = [s for s in structures if many and has_kernel(s, options)]
    found = {
        s.key: (count_by_arrays if fills_by_arrays(s, options) else _count_built)(batch, s)
        for s in structures
        if s not in quick
    }
    if not quick:
        return found
    counters = [COUNTERS[structure](batch, structure) for structure in quick]
    totals: list[list[np.ndarray]] = []  # one list per share

    def share(lo: int, hi: int, stop: threading.Event) -> None:
        totals.append(mine := [np.zeros((3, len(hierarchy)), np.int64) for _ in quick])
        for start, end in slices(hi - lo, CHUNK):
            if stop.is_set():
                return
            for count, total in zip(counters, mine, strict=True):
                count(lo + start, lo + end, total)

    workers.run(len(batch), [share], slices(len(batch), max(1, -(-len(batch) // workers.jobs))))
    return found | {s.key: np.sum([t[k] for t in totals], axis=0) for k, s in enumerate(quick)}


def _count_built(batch: Batch, structure: Structure[Any]) -> np.ndarray:
    """Count the classes of a structure with the builder of `explain`, which compiles nothing."""
    counts = np.zeros((3, len(batch.hierarchy)), np.int64)
    for k in range(len(batch)):
        built = structure.build(batch.instance(k))
        if isinstance(built, CountsTable):
            for c in built.classes:
                counts[:, batch.hierarchy.index(c.label)] += c.true, c.predicted, c.tp
            continue
        for row, classes in zip(counts, (built.true, built.predicted, built.shared), strict=True):
            row[[batch.hierarchy.index(c) for c in classes]] += 1
    return counts


# --- threads ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Workers:
    """Threads that process chunk after chunk. An exception stops all of them and is raised again.

    Parameters
    ----------
    n_jobs : int, optional
        Number of threads. The default and -1 mean all cores.
    chunk : int
        Instances that a thread takes at a time.
    progress : callable, optional
        Called with the number of finished instances and the number of all instances.
    engine : "explain" or "kernels", optional
        The way to compute. By default it depends on the size of the batch. Values are equal.
    """

    n_jobs: int | None = None
    chunk: int = CHUNK
    progress: Progress | None = None
    engine: Engine | None = None

    def __post_init__(self) -> None:
        if self.n_jobs is not None and (self.n_jobs == 0 or self.n_jobs < -1):
            raise InputError(
                f"n_jobs is {self.n_jobs}. Give a number of threads, or -1 for all cores."
            )
        if self.chunk < 1:
            raise InputError(f"chunk is {self.chunk}. Give a number of instances, at least 1.")

    @property
    def jobs(self) -> int:
        return self.n_jobs if self.n_jobs and self.n_jobs > 0 else available_cores()

    def spread(self, total: int, work: Work) -> None:
        """Call a function for all of `total`, in pieces."""
        self.run(total, [work])

    def run(
        self,
        total: int,
        runs: Sequence[Work],
        ranges: Iterator[tuple[int, int]] | None = None,
        progress: bool = False,
    ) -> None:
        stop = threading.Event()
        if ranges is None and total <= min(self.chunk, FEW):
            _all(runs, 0, total, stop)
            if progress and self.progress and total:
                self.progress(total, total)
            return
        pool = ThreadPoolExecutor(self.jobs)
        try:
            for run in runs:
                run(0, 0, stop)
            pending = slices(total, self.chunk) if ranges is None else ranges
            done = 0
            running: dict[Future[None], int] = {}
            while True:
                for lo, hi in pending:
                    running[pool.submit(_all, runs, lo, hi, stop)] = hi - lo
                    if len(running) >= 2 * self.jobs:
                        break
                if not running:
                    break
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
                    done += running.pop(future)
                if progress and self.progress:
                    self.progress(done, total)
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def _all(runs: Sequence[Work], lo: int, hi: int, stop: threading.Event) -> None:
    for run in runs:
        if stop.is_set():
            return
        run(lo, hi, stop)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
