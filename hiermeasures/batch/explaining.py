"""What is left to `explain` where it takes seconds: shared out to processes beside this one, which has kernels to
compile meanwhile and takes its part when it has none left. If that takes much longer than a few instances let expect,
kernels have the rest.

What `explain` computes is not decided here; which tables are left to it is, in tasks.py.
"""

import os
import pickle
import subprocess
import threading
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

import numpy as np

from hiermeasures.batch.filling import Batch, Fill, Table, explain_rows
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import Structure
from hiermeasures.options import Options
from hiermeasures.own_process import begin

BLOCK = 16  # instances that a process takes at a time
_SERVE = f"from {__name__} import serve; serve()"

Block = tuple[int, int]


class SharedOut:
    """Fills some tables by `explain`, here and in as many processes beside. They begin with the first call.

    What is left when so many `seconds` have passed since this process takes part, kernels fill, if there are any.
    """

    def __init__(
        self, batch: Batch, tables: Sequence[Table], processes: int, seconds: float = 0.0, kernels: Sequence[Fill] = ()
    ) -> None:
        self._batch, self._tables, self._processes = batch, tables, processes
        self._seconds, self._kernels, self._begun = seconds, kernels, float("inf")
        n = len(batch.t_ptr) - 1
        self._left: list[Block] = [(lo, min(lo + BLOCK, n)) for lo in range(0, n, BLOCK)]
        self._taken: set[Block] = set()  # by processes that have not answered yet
        self._by_kernels: list[Block] = []
        self._changed = threading.Condition()

    def fill(self, lo: int, hi: int, stop: threading.Event) -> Mapping[str, int]:
        """The rows `lo` to `hi`: the last of them here, until the processes have done the others; how many `explain`
        has filled.
        """
        if lo < hi:
            self._begun = min(self._begun, monotonic())
        processes, self._processes = self._processes, 0
        for _ in range(processes):
            threading.Thread(target=self._feed, args=(stop,), daemon=True).start()
        while not stop.is_set():
            with self._changed:
                mine = [block for block in self._left if lo < block[1] and block[0] < hi]
                late = self._kernels and monotonic() - self._begun >= self._seconds
                mine = mine if late else mine[-1:]
                if mine:
                    self._left = [block for block in self._left if block not in mine]
                    self._by_kernels += mine if late else []
                elif any(lo < block[1] and block[0] < hi for block in self._taken):
                    self._changed.wait(1.0)
                    continue
                else:
                    break
            if late:
                for start, end in _joined(mine):
                    for fill in self._kernels:
                        fill(start, end, stop)
            else:
                explain_rows(self._batch, self._tables, range(*mine[0]), stop)
        by_kernels = sum(max(0, min(hi, block[1]) - max(lo, block[0])) for block in self._by_kernels)
        return {table.name: hi - lo - by_kernels for table in self._tables}

    def _feed(self, stop: threading.Event) -> None:
        """Have a process explain the first blocks; one that it does not answer is left to others."""
        try:
            process = begin(_SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        block, batch = None, self._batch
        try:
            tables = [(table.structure.key, table.options) for table in self._tables]
            pickle.dump((batch.hierarchy, batch.options, batch.labels, tables), process.stdin, protocol=5)
            while not stop.is_set() and (block := self._next()):
                pickle.dump(block, process.stdin)
                process.stdin.flush()
                for table, rows in zip(self._tables, pickle.load(process.stdout), strict=True):
                    table.rows[slice(*block)] = rows
                self._answered(block)
                block = None
        except Exception:
            pass  # the answer breaks off, or is none: what is wrong with a block shows where it is explained here
        finally:
            if block:
                self._answered(block, left=True)
            process.kill()
            process.communicate()

    def _next(self) -> Block | None:
        with self._changed:
            if not self._left:
                return None
            block = self._left.pop(0)
            self._taken.add(block)
            return block

    def _answered(self, block: Block, left: bool = False) -> None:
        with self._changed:
            self._taken.remove(block)
            if left:
                self._left.append(block)
            self._changed.notify_all()


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """The blocks in their order, those that follow each other as one. None is filled twice: kernels add to rows."""
    joined: list[Block] = []
    for start, end in sorted(blocks):
        if joined and joined[-1][1] == start:
            start = joined.pop()[0]
        joined.append((start, end))
    return joined


def can_be_shared_out(tables: Sequence[Table]) -> bool:
    """Whether another process finds the structures of some tables by their names."""
    return all(_structures(table.options).get(table.structure.key) is table.structure for table in tables)


def _structures(options: Options) -> dict[str, Structure[Any]]:
    read = (found for measure in CATALOGUE.values() for found, _ in measure.reads(options).values())
    return {structure.key: structure for structure in read}


# --- in the process beside ----------------------------------------------------------------------------------------


def serve() -> None:
    """Fill block after block, until the standard input ends."""
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
