"""Run `explain` in processes for what no kernel fills; each thread has a process of its own."""

import os
import pickle
import subprocess
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hiermeasures.core.options import Options
from hiermeasures.core.subprocess_python import start_python
from hiermeasures.engine.kernel_registry import Batch, Table, explain_rows
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import Structure

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
