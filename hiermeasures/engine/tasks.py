"""Choose the kernels that fill the columns of a batch, or leave it to the builders of `explain`.

`explain` computes batches of up to 250 instances, and, while a kernel is not compiled on this
machine, a process's first instances with 200,000 ancestors in all, which take it some seconds; the
kernels compute all others. numba is imported with the first larger batch; where it is not
installed, `explain` does all.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any

from hiermeasures.core.extras import install_command, is_installed
from hiermeasures.core.options import Options
from hiermeasures.engine import kernel_cache, kernels
from hiermeasures.engine.kernel_registry import KERNELS, Batch, Fill, Kernel, Table, explain_rows
from hiermeasures.measures.catalogue import Structure

FEW_INSTANCES = 250
FIRST_ANCESTORS = 200_000
SENSIBLE = 20_000
"""Instances up to which evaluating without numba is sensible.

So many took 30 s for the core measures (tree of 300 classes, two cores, 2026-11-23), and 1.3 s with
compiled kernels.
"""
_explained = [0]  # ancestors that were left to `explain` because a kernel was not compiled


def can_compile() -> bool:
    """True if numba is installed."""
    return is_installed("fast")


@cache
def load_kernels() -> None:
    """Import every module in kernels/, where the kernels register; and with them numba."""
    for module in iter_modules(kernels.__path__, f"{kernels.__name__}."):
        import_module(module.name)


def make_tasks(batch: Batch, tables: Sequence[Table], explain_up_to: int | None) -> list[Fill]:
    """Functions that fill tables; small batches are left to `explain`."""
    tasks: list[Fill] = []
    left = list(tables)
    if len(batch) > (FEW_INSTANCES if explain_up_to is None else explain_up_to) and can_compile():
        load_kernels()
        chosen = _chosen(batch, tables)
        waits = not all(kernel.ready for kernel in chosen)
        explained = explain_up_to is None and waits and _is_soon_explained(batch)
        for kernel, mine in chosen.items():
            if kernel.ready or not explained:
                tasks.append(kernel.make(batch, mine))
                left = [t for t in left if t not in mine]
    if left and not can_compile() and len(batch) > SENSIBLE:
        message = (
            f"numba is not installed: each instance is computed by itself, which is sensible up to {SENSIBLE:,}; "
            f"the array kernels come with {install_command('fast')}"
        )
        tasks.append(lambda lo, hi, stop: kernel_cache.announce_once(message))
    if left:
        tasks.insert(0, lambda lo, hi, stop: explain_rows(batch, left, range(lo, hi), stop))
    return tasks


def _chosen(batch: Batch, tables: Sequence[Table]) -> dict[Kernel, list[Table]]:
    """The kernels that can fill some tables, each with its own: compiled ones first, and one for
    trees alone, which compiles sooner, while that for any hierarchy is not compiled.
    """
    chosen: dict[Kernel, list[Table]] = {}
    tree = batch.hierarchy.is_tree
    fit = (k for k in KERNELS.values() if any(k.fills(t.structure, t.options, tree) for t in tables))
    ready = {kernel: kernel.ready for kernel in fit}
    for table in tables:
        for kernel in sorted(ready, key=lambda kernel: (not ready[kernel], kernel.only_trees == ready[kernel])):
            if kernel.fills(table.structure, table.options, tree):
                chosen.setdefault(kernel, []).append(table)
                break
    return chosen


def _is_soon_explained(batch: Batch) -> bool:
    """True if the labels have few ancestors, themselves included; they are then counted."""
    above, nodes, counted = batch.hierarchy.up, batch.hierarchy.nodes, _explained[0]
    for c in chain(*(side.idx for side in batch.sides)):
        counted += len(above(nodes[c]))
        if counted > FIRST_ANCESTORS:
            return False
    _explained[0] = counted
    return True


def has_kernel(structure: Structure[Any], options: Options) -> bool:
    """True if some kernel fills the columns of a structure under these options in any hierarchy."""
    if not can_compile():
        return False
    load_kernels()
    return any(kernel.fills(structure, options, tree=False) for kernel in KERNELS.values())
