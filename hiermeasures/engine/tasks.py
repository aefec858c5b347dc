"""Choose the kernels that fill the columns of a batch, or leave it to the builders of `explain`.

A batch is left to `explain` if it has at most 250 instances; or if its labels have, together with
those of the batches before that were left to it, at most 25,000 ancestors for each second that its
kernel would still take to compile. (`explain` needs about a second for 50,000 of them, so that a
process gives it no more than half of that time before it compiles.) numba is imported with the
first larger batch; where it is not installed, `explain` does all.
"""

import os
import pickle
import subprocess
import threading
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any

import numpy as np

from hiermeasures.core.extras import install_command, is_installed
from hiermeasures.core.options import Options
from hiermeasures.core.package import start_python
from hiermeasures.engine import kernel_cache, kernels
from hiermeasures.engine.kernel_registry import KERNELS, Batch, Fill, Kernel, Make, Table, explain_rows
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import Structure

FEW_INSTANCES = 250
ANCESTORS_PER_SECOND = 25_000
SHARED_OUT = 1_000  # the fewest instances that are explained in processes
SENSIBLE = 20_000
"""Instances up to which evaluating without numba is sensible.

So many took 30 s for the core measures (tree of 300 classes, two cores, 2026-11-23), and 1.3 s with
compiled kernels.
"""

_left_to_explain: Counter[Make] = Counter()  # ancestors so far, by the kernel that was not compiled for them


def can_compile() -> bool:
    """True where numba is installed."""
    return is_installed("fast")


@cache
def load_kernels() -> None:
    """Import every module in kernels/, where the kernels register; and with them numba."""
    for module in iter_modules(kernels.__path__, f"{kernels.__name__}."):
        import_module(module.name)


def make_tasks(batch: Batch, tables: Sequence[Table], explain_up_to: int | None, jobs: int) -> list[Fill]:
    """Functions that fill tables, on up to `jobs` cores; small batches are left to `explain`."""
    tasks: list[Fill] = []
    left, sooner = list(tables), []
    if len(batch) > (FEW_INSTANCES if explain_up_to is None else explain_up_to) and can_compile():
        load_kernels()
        # Those that are ready come first, and the slowest, which compile in the background
        # meanwhile, last.
        for kernel in sorted(_kernels_for(batch, left), key=lambda kernel: kernel.seconds):
            mine = [t for t in left if kernel.fills(t.structure, t.options, batch.hierarchy.is_tree)]
            left = [t for t in left if t not in mine]
            if mine and explain_up_to is None and is_sooner_explained(batch, kernel):
                sooner += mine
            elif mine:
                kernel_cache.begin(kernel.unready)
                tasks.append(_when_compiled(kernel, kernel.make(batch, mine)))
    left += sooner
    if left and not can_compile() and len(batch) > SENSIBLE:
        tasks.append(_say_that_it_takes_long)
    if left and len(batch) > SHARED_OUT and jobs > 1 and can_be_shared_out(left):
        tasks.append(InProcesses(batch, left).fill)
    elif left:
        tasks.insert(0, lambda lo, hi, stop: explain_rows(batch, left, range(lo, hi), stop))
    return tasks


def _kernels_for(batch: Batch, tables: Sequence[Table]) -> list[Kernel]:
    """The kernels that can fill some of these tables."""
    tree = batch.hierarchy.is_tree
    return [k for k in KERNELS.values() if any(k.fills(t.structure, t.options, tree) for t in tables)]


def is_sooner_explained(batch: Batch, kernel: Kernel) -> bool:
    """True if `explain` takes no longer than compiling would; it is then counted as explained."""
    most = kernel.seconds * ANCESTORS_PER_SECOND - _left_to_explain[kernel.make]
    ancestors = _count_ancestors(batch, most)
    if ancestors > most:
        return False
    _left_to_explain[kernel.make] += ancestors
    return True


def _count_ancestors(batch: Batch, most: float) -> int:
    """The number of ancestors of all labels, themselves included; any above `most` if more."""
    counted = len(batch.t_idx) + len(batch.p_idx)
    if counted > most:
        return counted
    above, nodes = batch.hierarchy.up, batch.hierarchy.nodes
    counted = 0
    for c in chain(batch.t_idx, batch.p_idx):
        counted += len(above(nodes[c]))
        if counted > most:
            break
    return counted


def _say_that_it_takes_long(lo: int, hi: int, stop: threading.Event) -> None:
    """Say once, where workers begin, that many instances are explained one by one."""
    kernel_cache.announce_once(
        f"numba is not installed: each instance is computed by itself, which is sensible up to {SENSIBLE:,}; "
        f"the array kernels come with {install_command('fast')}"
    )


def _when_compiled(kernel: Kernel, fill: Fill) -> Fill:
    def run(lo: int, hi: int, stop: threading.Event) -> Mapping[str, int] | None:
        kernel_cache.wait_for(kernel.slow)
        return fill(lo, hi, stop)

    return run if kernel.slow else fill


def has_kernel(structure: Structure[Any], options: Options) -> bool:
    """True if some kernel fills the columns of a structure under these options in any hierarchy."""
    if not can_compile():
        return False
    load_kernels()
    return any(kernel.fills(structure, options, tree=False) for kernel in KERNELS.values())


BLOCK = 16  # instances that a process is given at a time
_SERVE = f"from {__name__} import serve; serve()"


class InProcesses:
    """Fill tables by `explain` in processes, or here where these fail."""

    def __init__(self, batch: Batch, tables: Sequence[Table]) -> None:
        self._batch, self._tables, self._own = batch, tables, threading.local()
        self._processes: list[subprocess.Popen[bytes]] = []
        weakref.finalize(self, _end, self._processes)

    def fill(self, lo: int, hi: int, stop: threading.Event) -> Mapping[str, int]:
        """Fill the rows `lo` to `hi`; how many `explain` has filled."""
        for start in range(lo, hi, BLOCK):
            if stop.is_set():
                break
            block = start, min(start + BLOCK, hi)
            try:
                answer = self._answer(block)
            except Exception:  # no usable answer: compute the block here, where its fault shows
                self._own.process = None
                answer = None
            if answer is None:
                explain_rows(self._batch, self._tables, range(*block), stop)
            for table, rows in zip(self._tables, answer or (), strict=False):
                table.rows[slice(*block)] = rows
        return {table.name: hi - lo for table in self._tables}

    def _answer(self, block: tuple[int, int]) -> list[np.ndarray] | None:
        """Return rows of each table by this thread's process; None if it has ended."""
        if not hasattr(self._own, "process"):
            self._own.process = None
            self._own.process = self._started()
        if (process := self._own.process) is None:
            return None
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(block, process.stdin)
        process.stdin.flush()
        rows: list[np.ndarray] = pickle.load(process.stdout)
        fits = [part.shape == table.rows[slice(*block)].shape for part, table in zip(rows, self._tables, strict=True)]
        return rows if all(fits) else None

    def _started(self) -> subprocess.Popen[bytes]:
        process = start_python(_SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._processes.append(process)
        assert process.stdin is not None
        tables = [(table.structure.key, table.options) for table in self._tables]
        batch = self._batch
        pickle.dump((batch.hierarchy, batch.options, batch.labels, tables), process.stdin, protocol=5)
        return process


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.kill()
        process.communicate()


def can_be_shared_out(tables: Sequence[Table]) -> bool:
    """True if another process finds the structures of some tables by their names."""
    return all(_structures(table.options).get(table.structure.key) is table.structure for table in tables)


def _structures(options: Options) -> dict[str, Structure[Any]]:
    read = (found for measure in CATALOGUE.values() for found, _ in measure.reads(options).values())
    return {structure.key: structure for structure in read}


def serve() -> None:
    """Fill block after block until the standard input ends."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    hierarchy, options, labels, named = pickle.load(requests)
    batch = Batch(hierarchy, options, *labels)
    structures = [(_structures(chosen)[key], chosen) for key, chosen in named]
    tables = [Table.empty(structure, chosen, len(labels[0]) - 1) for structure, chosen in structures]
    while True:
        try:
            lo, hi = pickle.load(requests)
        except EOFError:
            return
        explain_rows(batch, tables, range(lo, hi))
        pickle.dump([np.ascontiguousarray(table.rows[lo:hi]) for table in tables], answers, protocol=5)
        answers.flush()
