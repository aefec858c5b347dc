"""`evaluate`: every measure over whole batches of instances, in parallel, in bounded memory.

A batch is cut into chunks of instances; for each chunk the tasks of hiermeasures.batch.tasks fill the columns of
counts, in threads that hold no interpreter lock. Results do not depend on the cut or on the number of threads. What a
measure means is defined by `explain`, to which tests hold this engine.
"""

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hiermeasures.batch.announcing import announced
from hiermeasures.batch.encode import EncodedLabels, UnknownPolicy, encode, slices
from hiermeasures.batch.results import AVERAGES, Average, ClassCounts, Instances, Partial, Report, Tables, read_values
from hiermeasures.errors import InputError, repeated, shown
from hiermeasures.errors import unknown as unknown_name
from hiermeasures.frames import is_table, plain
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.catalogue import Structure
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.own import own_measures
from hiermeasures.options import Options

Progress = Callable[[int, int], None]
CHUNK = 2048


def evaluate(
    hierarchy: Hierarchy,
    y_true: Any,
    y_pred: Any = None,
    *,
    measures: Iterable[str | Measure] | str | None = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    columns: tuple[str, str] = ("true", "predicted"),
    cluster: Any = None,
    ids: Sequence[Any] | None = None,
    classes: Sequence[str] | None = None,
    unknown: UnknownPolicy = "fail",
    keep_instances: bool = True,
    n_jobs: int | None = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
    explain_up_to: int | None = None,
    options: Options | None = None,
    **settings: Any,
) -> Report:
    """Every measure over a batch of instances.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true, y_pred : list, array, matrix, frame or EncodedLabels
        The true and predicted classes of the same n instances: lists of label sets, arrays with a label per level, or
        indicator matrices with `classes`, also as columns or tables of pandas, polars or Arrow; see `encode`. Or, in
        place of both, a Dask dataframe, a folder of Parquet files or one file, of which only sums are kept.
    measures : iterable of str or Measure, optional
        Keys of the catalogue, or measures of one's own; the whole catalogue by default.
    define : mapping of str to str, optional
        Own measures, expressions by name, evaluated beside the others; see `explain` and docs/expressions.md.
    average : "samples", "micro" or "macro"
        What `report[key]` is; `report.averages` has all three.
    columns : pair of str
        The true and the predicted classes in a Dask dataframe or Parquet files: lists of names, or one name each.
    cluster : distributed.Client, "local" or an address, optional
        Whose workers evaluate these. By default Parquet files are read here, row group by row group, and a Dask
        dataframe is evaluated by the client that there is, or by threads. On a cluster `progress` counts tasks.
    ids : sequence, optional
        Names of the instances, each once; 0 … n − 1 by default.
    classes : sequence of str, optional
        The class of each column of indicator matrices.
    unknown : "fail" or "drop"
        Labels that are no classes raise an InputError, or are left out and listed in the report.
    keep_instances : bool
        Whether the report keeps values and labels per instance. Without, it needs no more memory for more instances.
    n_jobs : int, optional
        Threads, and processes where `explain` takes long; all available cores by default, as for −1.
    chunk : int
        Instances computed at a time by a thread.
    progress : callable, optional
        Called with (instances done, instances in all) from the calling thread.
    announce : callable, optional
        Called with a sentence if kernels have to be compiled first, which happens once on a machine; printed to stderr
        by default.
    explain_up_to : int, optional
        Batches of at most so many instances are left to the builders of `explain`. By default 250, and more while
        kernels for LCA graphs in DAGs or the confusion matrix are still to be compiled, where that would take longer.
        Whoever computes many small batches gives 0.
    options : Options, optional
        Or as keyword arguments, as for `explain`.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        For labels in no accepted form, unknown labels, sides of different length, unknown measures or options.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> report = evaluate(h, [{"T1"}, {"C"}], [{"P1", "P2"}, {"C"}], measures=["hF", "SDL"])
    >>> round(report["hF"], 3), report["SDL"]
    (0.786, 1.5)
    >>> report.per_instance["SDL"].tolist()
    [3.0, 0.0]
    """
    check_hierarchy(hierarchy)
    if y_pred is None and is_table(y_true):
        arguments = {"measures": measures, "define": define, "average": average, "n_jobs": n_jobs, "options": options}
        return _of_table(
            hierarchy, y_true, columns, unknown, {**arguments, **settings}, cluster, progress, ids or classes
        )
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    defined = own_measures(define or {})
    wanted = _wanted(measures, defined)
    check_average(average, wanted)
    true = encode(hierarchy, y_true, classes=classes, unknown=unknown, name="y_true")
    predicted = encode(hierarchy, y_pred, classes=classes, unknown=unknown, name="y_pred")
    named = _checked_ids(ids, true, predicted)
    hierarchy = _informed(hierarchy, chosen, true)
    workers = _Workers(n_jobs, chunk, progress, announce)
    tables, explained = _tables(hierarchy, chosen, wanted, true, predicted, workers, explain_up_to)
    sums = Partial.of(len(true), tables, read_values(tables, wanted, chosen), explained)
    counter = partial(count_classes, hierarchy, chosen, n_jobs=n_jobs, announce=announce)
    report = Report(
        hierarchy,
        chosen,
        wanted,
        average,
        sums,
        Instances(named, true, predicted, tables),
        counter,
        unknown_true=true.unknown,
        unknown_predicted=predicted.unknown,
    )
    return report if keep_instances else without_instances(report)


def _of_table(
    hierarchy: Hierarchy,
    table: Any,
    columns: tuple[str, str],
    unknown: UnknownPolicy,
    arguments: Mapping[str, Any],
    cluster: Any,
    progress: Progress | None,
    of_arrays: Any,
) -> Report:
    from hiermeasures.batch.tables import Asked, partial_of_table

    if of_arrays is not None:
        raise InputError("ids and classes are for labels in arrays; a table has its labels by name in two columns")
    return partial_of_table(Asked(hierarchy, columns, unknown, arguments), table, cluster, progress).report()


def without_instances(report: Report) -> Report:
    """The same report, with sums and counts per class only."""
    return replace(report, known_class_counts=report.class_counts, instances=None)


def measure_values(
    hierarchy: Hierarchy,
    true: EncodedLabels,
    predicted: EncodedLabels,
    measures: Sequence[Measure],
    options: Options,
    *,
    explain_up_to: int | None = None,
    n_jobs: int = 1,
    announce: Callable[[str], None] | None = None,
) -> dict[str, np.ndarray]:
    """Each measure of each instance, as arrays by key, without a report; the measures need not be in the catalogue.

    Up to `explain_up_to` instances are left to the builders of `explain`; by default as many as in `evaluate`. Whoever
    computes many small batches gives 0.
    """
    workers = _Workers(n_jobs, CHUNK, None, announce)
    tables, _ = _tables(hierarchy, options, measures, true, predicted, workers, explain_up_to)
    return read_values(tables, measures, options)


def _wanted(measures: Iterable[str | Measure] | str | None, defined: Mapping[str, Measure]) -> tuple[Measure, ...]:
    """The measures asked for, each once, and those that are defined."""
    asked = CATALOGUE if measures is None else [measures] if isinstance(measures, str) else measures
    found = (m if isinstance(m, Measure) else find_measure(m, defined) for m in asked)
    return tuple({m.key: m for m in (*found, *defined.values())}.values())


def check_hierarchy(hierarchy: Any) -> None:
    """Refuse what is no Hierarchy, such as a list of edges."""
    if not isinstance(hierarchy, Hierarchy):
        raise InputError(f"hierarchy is a hiermeasures.Hierarchy, not {type(hierarchy).__name__}")


def check_average(average: str, wanted: Sequence[Measure]) -> None:
    """Refuse an average that is none, or that some of the measures do not have."""
    if average not in AVERAGES:
        raise InputError(unknown_name("average", str(average), AVERAGES))
    if average == "micro" and (without := [m.key for m in wanted if m.pooled == "undefined"]):
        raise InputError(
            f"{shown(without[0])} has no micro average, for not all that it names are counts, which can be summed; "
            "ask for the average over samples"
        )


def _informed(hierarchy: Hierarchy, options: Options, true: EncodedLabels) -> Hierarchy:
    """The hierarchy with the information of its classes, where it is to be counted."""
    if options.class_weights != "information":
        return hierarchy
    from hiermeasures.batch.information import information

    return hierarchy.with_class_weights(information(hierarchy, true, smoothing=options.information_smoothing))


def check_countable(options: Options) -> None:
    """Refuse to count information batch by batch: each would have its own."""
    if options.class_weights == "information":
        raise InputError(
            "information is counted over all instances together: give the hierarchy the weights of "
            "hiermeasures.batch.information, and take class_weights='given'"
        )


def _checked_ids(ids: Sequence[Any] | None, true: EncodedLabels, predicted: EncodedLabels) -> Any:
    if len(true) != len(predicted):
        raise InputError(f"y_true has {len(true)} instances, y_pred {len(predicted)}")
    if ids is None:
        return range(len(true))
    names = plain(ids)
    if len(names) != len(true):
        raise InputError(f"there are {len(names)} ids for {len(true)} instances")
    if fault := repeated("id", names):
        raise InputError(fault)
    return names


def _tables(
    hierarchy: Hierarchy,
    options: Options,
    wanted: Sequence[Measure],
    true: EncodedLabels,
    predicted: EncodedLabels,
    workers: "_Workers",
    explain_up_to: int | None = None,
) -> tuple[Tables, dict[str, int]]:
    """The columns that some measures read, filled; and for each table how many instances `explain` computed."""
    from hiermeasures.batch.filling import Table
    from hiermeasures.batch.tasks import make_tasks

    read = {table: what for m in wanted for table, what in m.reads(options).items()}
    tables = [Table.empty(structure, chosen, len(true)) for structure, chosen in read.values()]
    tasks = make_tasks(hierarchy, options, tables, true, predicted, workers.spread, explain_up_to, workers.jobs)
    workers.run(len(true), [task.run for task in tasks], progress=True)
    explained = {t.name: sum(task.explained[t.name] for task in tasks) for t in tables}
    return {t.name: t.columns for t in tables}, explained


def count_classes(
    hierarchy: Hierarchy,
    options: Options,
    true: EncodedLabels,
    predicted: EncodedLabels,
    structures: Sequence[Structure[Any]],
    *,
    n_jobs: int | None = None,
    announce: Callable[[str], None] | None = None,
) -> ClassCounts:
    """For each structure, how many instances have each class on the true side, the predicted side, and both (CoPHE: its
    counts).

    Nothing is counted where hierarchies are cut per instance (`max_ancestor_distance`), for their classes differ.
    """
    from hiermeasures.batch.tasks import make_counters

    if options.max_ancestor_distance is not None or not structures:
        return {}
    workers = _Workers(n_jobs, CHUNK, None, announce)
    ranges = list(slices(len(true), max(1, -(-len(true) // workers.jobs)))) or [(0, 0)]
    totals = [[np.zeros((3, len(hierarchy)), np.int64) for _ in structures] for _ in ranges]
    counters = make_counters(hierarchy, options, structures, true, predicted)

    def share(lo: int, hi: int, stop: threading.Event) -> None:
        mine = totals[next((k for k, r in enumerate(ranges) if r[0] <= lo < r[1]), 0)]
        for start, end in slices(hi - lo, CHUNK):
            if stop.is_set():
                return
            for count, total in zip(counters, mine, strict=True):
                count(lo + start, lo + end, total)

    workers.run(len(true), [share], ranges)
    return {s.key: np.sum([t[k] for t in totals], axis=0) for k, s in enumerate(structures)}


# --- threads ------------------------------------------------------------------------------------------------------

Run = Callable[[int, int, threading.Event], None]


class _Workers:
    """Threads that take chunk after chunk. An exception, KeyboardInterrupt included, stops them all and is passed
    on.
    """

    def __init__(
        self, n_jobs: int | None, chunk: int, progress: Progress | None, announce: Callable[[str], None] | None
    ) -> None:
        if n_jobs is not None and (n_jobs == 0 or n_jobs < -1):
            raise InputError(f"n_jobs is a number of threads, or -1 for all cores; it is {n_jobs}")
        if chunk < 1:
            raise InputError(f"chunk is a number of instances, at least 1; it is {chunk}")
        self.jobs = n_jobs if n_jobs and n_jobs > 0 else available_cores()
        self.chunk, self.progress, self.announce = chunk, progress, announce

    def spread(self, total: int, work: Run) -> None:
        """Do some work for all of `total`, in pieces."""
        self.run(total, [work])

    def run(
        self, total: int, runs: Sequence[Run], ranges: Sequence[tuple[int, int]] | None = None, progress: bool = False
    ) -> None:
        stop = threading.Event()
        pool = ThreadPoolExecutor(self.jobs)
        try:
            with announced(self.announce):
                for run in runs:
                    run(0, 0, stop)
            pending = iter(slices(total, self.chunk) if ranges is None else ranges)
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


def _all(runs: Sequence[Run], lo: int, hi: int, stop: threading.Event) -> None:
    for run in runs:
        if stop.is_set():
            return
        run(lo, hi, stop)


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
