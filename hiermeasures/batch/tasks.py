"""Which kernels fill the columns of a batch, and what is left to `explain`'s builders.

The kernels, and with them numba, are imported with the first batch that is not left to `explain`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np

from hiermeasures.batch import kernels
from hiermeasures.batch.ancestry import Spread, at_once
from hiermeasures.batch.beside import (
    LONG,
    SEARCH,
    SECONDS,
    compile_beside,
    compile_for_next_time,
    explain_seconds,
    slow_kernel,
    sooner_explained,
)
from hiermeasures.batch.encode import EncodedLabels
from hiermeasures.batch.explaining import SharedOut, can_be_shared_out
from hiermeasures.batch.filling import COUNTERS, KERNELS, Batch, Fill, Make, Table, Task, explain_rows
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures.catalogue import Structure
from hiermeasures.options import Options

# So few instances are left to `explain`: it needs milliseconds for each, and the kernels, the first time, a minute to
# compile.
FEW_INSTANCES = 250


@cache
def load_kernels() -> None:
    """Import every module in kernels/, where the kernels register; and with them numba."""
    for module in iter_modules(kernels.__path__, f"{kernels.__name__}."):
        import_module(module.name)


def make_tasks(
    hierarchy: Hierarchy,
    options: Options,
    tables: Sequence[Table],
    true: EncodedLabels,
    predicted: EncodedLabels,
    spread: Spread = at_once,
    explain_up_to: int | None = None,
    jobs: int = 1,
) -> list[Task]:
    """The tasks that fill some tables; batches of at most `explain_up_to` instances are left to `explain`. If it is not
    given, those of at most FEW_INSTANCES are, and what kernels that are still to be compiled would take longer for.
    `jobs` is how many processor cores may be used.
    """
    few = FEW_INSTANCES if explain_up_to is None else explain_up_to
    batch = Batch.of(hierarchy, options, true, predicted, spread)
    tasks, left = [], list(tables)
    slow, sooner = [], []
    if len(true) > few:
        load_kernels()
    for make, structures in KERNELS.items() if len(true) > few else ():
        mine = [t for t in left if t.structure in structures and _supported(structures[t.structure], t.options)]
        if not mine:
            continue
        if (name := slow_kernel(batch, mine)) and explain_up_to is None and few and sooner_explained(batch, mine):
            sooner += [(name, table, make) for table in mine]
            continue
        if name:
            slow.append((name, Task(make(batch, mine))))
        else:
            tasks.append(Task(make(batch, mine)))
        left = [t for t in left if t not in mine]
    # These are compiled in the meantime, and the slowest is needed last.
    slow.sort(key=lambda named: SECONDS[named[0]])
    tasks += [task for _, task in slow]
    for name, _ in slow:
        if len(tasks) > 1 or name == SEARCH:
            compile_beside(name)
    if left:
        tasks.insert(0, Task(_explained(batch, left, jobs, sooner)))
    return tasks


def _explained(batch: Batch, tables: Sequence[Table], jobs: int, sooner: Sequence[tuple[str, Table, Make]]) -> Fill:
    """What `explain` fills, in other processes as well where it takes long: they are at it while kernels compile.

    Where it is only thought to be `sooner` than kernels, they take over if it is not.
    """
    n = len(batch.t_ptr) - 1
    if n <= FEW_INSTANCES:
        return lambda lo, hi, stop: explain_rows(batch, tables, range(lo, hi), stop)
    processes = int(explain_seconds(batch, tables, range(n)) / LONG)  # that are worth to be begun
    if processes:
        for name in {name for name, _, _ in sooner}:
            compile_for_next_time(name)
    makes = {make: [t for _, t, other in sooner if other is make] for _, _, make in sooner}
    kernels = [make(batch, mine) for make, mine in makes.items()] if len(sooner) == len(tables) else []
    seconds = sum(SECONDS[name] for name in {name for name, _, _ in sooner})
    processes = min(processes, jobs - 1) if can_be_shared_out(tables) else 0
    return SharedOut(batch, tables, processes, seconds, kernels).fill


def has_kernel(structure: Structure[Any], options: Options) -> bool:
    """Whether some kernel fills the columns of a structure under these options."""
    load_kernels()
    return any(structure in known and _supported(known[structure], options) for known in KERNELS.values())


def _supported(supports: Mapping[str, tuple[Any, ...]], options: Options) -> bool:
    return all(getattr(options, name) in values for name, values in supports.items())


def make_counters(
    hierarchy: Hierarchy,
    options: Options,
    structures: Sequence[Structure[Any]],
    true: EncodedLabels,
    predicted: EncodedLabels,
) -> list[Callable[[int, int, np.ndarray], None]]:
    """For each structure a function (lo, hi, counts) that adds (true, predicted, shared) per class of some instances to
    `counts`.
    """
    load_kernels()
    batch = Batch.of(hierarchy, options, true, predicted)
    return [COUNTERS[structure](batch) for structure in structures]
