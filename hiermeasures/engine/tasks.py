"""Choose the kernels that fill the columns of a batch, or leave it to the builders of `explain`.

A batch is left to `explain` if it has at most 250 instances; or if its labels have, together with
those of the batches before that were left to it, at most 25,000 ancestors for each second that its
kernel would still take to compile. (`explain` needs about a second for 50,000 of them, so that a
process gives it no more than half of that time before it compiles.) numba is imported with the
first larger batch; where it is not installed, `explain` does all.
"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any

from hiermeasures.core.extras import install_command, is_installed
from hiermeasures.core.options import Options
from hiermeasures.engine import kernel_cache, kernels
from hiermeasures.engine.explaining import InProcesses, can_be_shared_out
from hiermeasures.engine.kernel_registry import KERNELS, Batch, Fill, Kernel, Make, Table, explain_rows
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
