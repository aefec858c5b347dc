"""Choose the kernels that fill the columns of a batch, or leave it to the builders of `explain`.

A batch is left to `explain` if it has at most 250 instances, or if its labels have, all together,
at most 10,000 ancestors for each second that its kernel would still take to compile. (`explain`
needs about a second for 50,000 of them, so that it takes no longer than a fifth of that time, each
time.) numba is imported with the first larger batch.
"""

import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any

from hiermeasures.core.options import Options
from hiermeasures.engine import kernel_cache, kernels
from hiermeasures.engine.explaining import InProcesses, can_be_shared_out
from hiermeasures.engine.kernel_registry import KERNELS, Batch, Fill, Kernel, Table, explain_rows
from hiermeasures.measures.catalogue import Structure

FEW_INSTANCES = 250
ANCESTORS_PER_SECOND = 10_000
SHARED_OUT = 1_000  # the fewest instances that are explained in processes, where no kernel can fill their columns


@cache
def load_kernels() -> None:
    """Import every module in kernels/, where the kernels register; and with them numba."""
    for module in iter_modules(kernels.__path__, f"{kernels.__name__}."):
        import_module(module.name)


def make_tasks(batch: Batch, tables: Sequence[Table], explain_up_to: int | None, jobs: int) -> list[Fill]:
    """Functions that fill some tables, on up to `jobs` cores; batches up to a size are left to `explain`."""
    tasks: list[Fill] = []
    left, sooner = list(tables), []
    if len(batch) > (FEW_INSTANCES if explain_up_to is None else explain_up_to):
        load_kernels()
        # Those that are ready come first, and the slowest, which compile in the background meanwhile, last.
        for seconds, kernel in sorted(((k.seconds, k) for k in KERNELS.values()), key=lambda pair: pair[0]):
            mine = [t for t in left if kernel.fills(t.structure, t.options, batch.hierarchy.is_tree)]
            left = [t for t in left if t not in mine]
            if mine and explain_up_to is None and has_few_ancestors(batch, seconds * ANCESTORS_PER_SECOND):
                sooner += mine
            elif mine:
                kernel_cache.begin(kernel.unready)
                tasks.append(_when_compiled(kernel, kernel.make(batch, mine)))
    if left and len(batch) > SHARED_OUT and jobs > 1 and can_be_shared_out(left):
        tasks.append(InProcesses(batch, left).fill)
        left = []
    if explained := left + sooner:
        tasks.insert(0, lambda lo, hi, stop: explain_rows(batch, explained, range(lo, hi), stop))
    return tasks


def has_few_ancestors(batch: Batch, most: float) -> bool:
    """True if the labels of a batch have at most so many ancestors in all, themselves included."""
    if len(batch.t_idx) + len(batch.p_idx) > most:
        return False
    above, nodes = batch.hierarchy.up, batch.hierarchy.nodes
    counted = 0
    for c in chain(batch.t_idx, batch.p_idx):
        counted += len(above(nodes[c]))
        if counted > most:
            return False
    return True


def _when_compiled(kernel: Kernel, fill: Fill) -> Fill:
    def run(lo: int, hi: int, stop: threading.Event) -> Mapping[str, int] | None:
        kernel_cache.wait_for(kernel.slow)
        return fill(lo, hi, stop)

    return run if kernel.slow else fill


def has_kernel(structure: Structure[Any], options: Options) -> bool:
    """True if some kernel fills the columns of a structure under these options in any hierarchy."""
    load_kernels()
    return any(kernel.fills(structure, options, tree=False) for kernel in KERNELS.values())
