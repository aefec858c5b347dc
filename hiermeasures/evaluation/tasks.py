"""Choose how to fill the columns of a batch: by the builders of `explain`, NumPy, or kernels.

Single classes in a tree need only NumPy for ancestor sets and LCA graphs. For the rest one rule
decides. If kernels are loaded, they compute every batch. Before that, `explain` and NumPy compute
for about as long as it takes to load or compile the kernels. The process counts this work. Without
numba, `explain` and NumPy compute everything.

Measured for the core measures on GermEval, 30,000 classes of a DAG and 300,000 of a tree
(2026-11-28): `explain` takes 10 µs a unit of work (see `count_work`). A call of loaded kernels
takes 1.2 ms and 25 ns a class, so they are faster from 1, 1 and 4 instances on. Loading them takes
0.4 s in a new process. Compiling them takes 40 s, once on a machine.
"""

import time
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any, Literal

import numpy as np

from hiermeasures.evaluation import kernel_cache, kernels
from hiermeasures.evaluation.array_sets import (
    fill_by_arrays,
    fill_by_levels,
    fills_by_arrays,
    fills_by_levels,
)
from hiermeasures.evaluation.kernel_registry import (
    KERNELS,
    Batch,
    ColumnTable,
    Fill,
    Kernel,
    explain_rows,
)
from hiermeasures.hierarchy.extras import install_command, is_installed
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.catalogue import Structure

Engine = Literal["explain", "kernels"]

# classes at which a call of loaded kernels takes as long as one instance by `explain`
CLASSES_OF_A_CALL = 100_000
WORK_OF_LOADING = 45_000
WORK_OF_COMPILING = 2_000_000
FEW_FOR_ARRAYS = 20  # up to this many instances, `explain` is faster than NumPy
FEW_COUNTED = 5_000  # up to this many instances, count classes without a kernel
LONG = 5.0  # from this many seconds without numba, a message mentions the extra `fast`
_work_done = [0]  # by `explain` and NumPy in this process


def can_compile() -> bool:
    """Return True if numba is installed."""
    return is_installed("fast")


@cache
def load_kernels() -> None:
    """Import numba and every module in kernels/, so that the kernels are registered."""
    for module in iter_modules(kernels.__path__, f"{kernels.__name__}."):
        import_module(module.name)


def make_tasks(
    batch: Batch, tables: Sequence[ColumnTable], engine: Engine | None = None
) -> list[Fill]:
    """Return functions that fill tables, by one engine or by the rule."""
    tasks: list[Fill] = []
    if engine is None and len(batch) > FEW_FOR_ARRAYS:
        simple = [t for t in tables if fills_by_levels(batch, t.structure, t.options)]
        tables = [t for t in tables if t not in simple]
        if simple:
            tasks.append(partial(fill_by_levels, batch, simple))
    left = list(tables)
    light = [t for t in tables if fills_by_arrays(t.structure, t.options)]
    for kernel, mine in _kernels_for(batch, tables, light, engine).items():
        tasks.append(kernel.make(batch, mine))
        left = [t for t in left if t not in mine]
    if engine == "kernels" or (engine is None and len(batch) > FEW_FOR_ARRAYS):
        arrays = [t for t in left if t in light]
        left = [t for t in left if t not in arrays]
        if arrays:
            tasks.append(partial(fill_by_arrays, batch, arrays))
    if left:
        if not can_compile() and (seconds := _estimate_seconds(batch, left)) > LONG:
            message = (
                f"numba is not installed, so this takes about {seconds:.0f} seconds. The extra "
                f"'fast' makes it about twenty times faster. Install it: {install_command('fast')}"
            )
            tasks.append(lambda lo, hi, stop: kernel_cache.warn_once(message))
        tasks.insert(0, lambda lo, hi, stop: explain_rows(batch, left, range(lo, hi), stop))
    return tasks


def _kernels_for(
    batch: Batch, tables: Sequence[ColumnTable], light: Sequence[ColumnTable], engine: Engine | None
) -> dict[Kernel, list[ColumnTable]]:
    """Return the kernels to use, each with its tables."""
    if not tables or not can_compile() or engine == "explain":
        return {}
    if engine == "kernels":
        load_kernels()
        return _choose_kernels(batch, tables)
    if len(batch) * CLASSES_OF_A_CALL < len(batch.hierarchy):
        return {}
    heavy, loaded = len(light) < len(tables), load_kernels.cache_info().currsize
    if not loaded and _is_affordable(batch, heavy, WORK_OF_LOADING):
        return {}
    load_kernels()
    chosen = _choose_kernels(batch, tables)
    if all(kernel.ready for kernel in chosen) or not _is_affordable(
        batch, heavy, WORK_OF_COMPILING
    ):
        return chosen
    return {kernel: mine for kernel, mine in chosen.items() if kernel.ready}


def _is_affordable(batch: Batch, heavy: bool, most: int) -> bool:
    """Return True if the process stays within its allowed work. If so, count the work."""
    most -= _work_done[0]
    work = count_work(batch, most) if heavy else 2 * len(batch)
    if work > most:
        return False
    _work_done[0] += work
    return True


def count_work(batch: Batch, most: int) -> int:
    """Return the units of work of a batch. Counting stops above `most`.

    An instance takes 50 units. Each ancestor of its labels takes one (a label is its own ancestor),
    and each pair of a true and a predicted label takes ten. The sets that NumPy makes take 2 per
    instance.
    """
    sizes = [np.diff(side.ptr) for side in batch.sides]
    work, nodes, above = (
        50 * len(batch) + 10 * int(sizes[0] @ sizes[1]),
        batch.hierarchy.nodes,
        batch.hierarchy.up,
    )
    for c in chain(*(side.idx for side in batch.sides)):
        if work > most:
            break
        work += len(above(nodes[c]))
    return work


def _estimate_seconds(batch: Batch, tables: Sequence[ColumnTable], sample: int = 20) -> float:
    """Estimate the seconds that `explain` takes for a batch, from some of its instances."""
    if len(batch) <= 10 * sample:
        return 0.0
    rows = np.linspace(0, len(batch) - 1, sample, dtype=int).tolist()
    explain_rows(batch, tables, rows[:5])  # import modules and fill the hierarchy's caches
    begun = time.perf_counter()
    explain_rows(batch, tables, rows)
    for table in tables:
        table.rows[rows] = 0
    return (time.perf_counter() - begun) * len(batch) / sample


def _choose_kernels(batch: Batch, tables: Sequence[ColumnTable]) -> dict[Kernel, list[ColumnTable]]:
    """Return the kernels that can fill some tables, each with its own.

    Compiled ones come first. A kernel only for trees compiles sooner, so it is used until the
    kernel for any hierarchy is compiled.
    """
    chosen: dict[Kernel, list[ColumnTable]] = {}
    tree = batch.hierarchy.is_tree
    fit = (
        k for k in KERNELS.values() if any(k.fills(t.structure, t.options, tree) for t in tables)
    )
    ready = {kernel: kernel.ready for kernel in fit}
    for table in tables:
        for kernel in sorted(
            ready, key=lambda kernel: (not ready[kernel], kernel.only_trees == ready[kernel])
        ):
            if kernel.fills(table.structure, table.options, tree):
                chosen.setdefault(kernel, []).append(table)
                break
    return chosen


def has_kernel(structure: Structure[Any], options: Options) -> bool:
    """Return True if a kernel fills a structure's columns with these options in any hierarchy."""
    if not can_compile():
        return False
    load_kernels()
    return any(kernel.fills(structure, options, tree=False) for kernel in KERNELS.values())
