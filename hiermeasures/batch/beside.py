"""On a machine that has no kernels yet: those that take longest to compile are compiled in processes beside this one,
and small batches do without them.

Two kernels take longer than all others together, the search for minimal LCA graphs in DAGs and the confusion matrix.
While each of those that an evaluation needs is compiled in a process of its own, this one compiles the rest (numba
compiles one function at a time in a process); then it loads what the others have left in the cache. Batches that
`explain` is done with sooner are left to it: it is timed on a few instances. Where that takes long, kernels are
compiled for the next time, by a process that yields to all others and may outlast this one. Both ways count whole
numbers and give the same. Kernels that compute with floats are not chosen by time, for under uneven weights of edges
they may differ from `explain` in the last bit.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from time import thread_time
from typing import IO

from hiermeasures.batch.filling import Batch, Table, explain_rows
from hiermeasures.batch.kernel_cache import KERNELS, is_kept, kernel_cache
from hiermeasures.batch.warm import may_compile_ahead
from hiermeasures.measures.confusion import CONFUSION
from hiermeasures.measures.lca import LCA
from hiermeasures.own_process import begin

SEARCH, CELLS = "lca_search.search", "confusion.confusion"
ANY = "lca.lca"  # goes with the search
SECONDS = {SEARCH: 15.0, CELLS: 6.0}  # what compiling takes, with the kernels that go with it
PATIENCE = 900.0  # seconds after which a process that compiles must have hung, however busy the machine is
TRIED, ENOUGH = 8, 0.5  # instances by which `explain` is timed, and seconds that these may take
LONG = 2.0  # seconds of it that are worth another process, or kernels for the next time
NOTICED = 0.2  # seconds of it in a tree, where it comes on top of a kernel: they are worth kernels for the next time

_running: dict[str, subprocess.Popen[bytes] | None] = {}  # None where it could not be begun
_yielding: set[str] = set()  # those of them that yield to all others
_beginning = threading.Lock()


def slow_kernel(batch: Batch, tables: Sequence[Table]) -> str | None:
    """The kernel that takes long to compile and that tables of one structure need, if it is neither loaded nor kept."""
    name, structure = None, tables[0].structure
    if structure is CONFUSION:
        name = CELLS
    elif structure is LCA and not batch.hierarchy.is_tree and any(t.options.graphs == "minimal" for t in tables):
        name = SEARCH
    return None if name is None or at_hand(name) else name


def at_hand(name: str) -> bool:
    """Whether a kernel can be called without compiling it first."""
    return is_loaded(name) or is_kept(name)


def is_loaded(name: str) -> bool:
    """Whether a kernel was compiled in this process, which is all that lasts where no folder can be written."""
    module, function = name.split(".")
    return bool(getattr(import_module(f"{__package__}.{KERNELS.name}.{module}"), function).signatures)


def sooner_explained(batch: Batch, tables: Sequence[Table]) -> bool:
    """Whether `explain` is done with tables of one structure before their kernel is compiled."""
    name = slow_kernel(batch, tables)
    return name is not None and explain_seconds(batch, tables, range(len(batch.t_ptr) - 1)) < SECONDS[name]


def explain_seconds(batch: Batch, tables: Sequence[Table], rows: Sequence[int]) -> float:
    """How long `explain` takes for some rows, by a few of them. They stay as they are: kernels add to what is there."""
    some = rows[:: max(1, len(rows) // TRIED)]
    before = [table.rows[some].copy() for table in tables]
    begun = thread_time()  # threads that explain take turns
    tried, seconds = 0, 0.0
    while tried < len(some) and seconds < ENOUGH:
        explain_rows(batch, tables, some[tried : tried + 1])
        tried, seconds = tried + 1, thread_time() - begun
    for table, values in zip(tables, before, strict=True):
        table.rows[some] = values
    return seconds * len(rows) / tried


def compile_beside(name: str) -> None:
    """Begin to compile a kernel in a process of its own, if what it makes can be kept."""
    with _beginning:
        if name not in _running and not is_kept(name) and kernel_cache().folder:
            _running[name] = run_beside(f"from {__name__} import compile_here; compile_here({name!r})")


def compile_for_next_time(name: str) -> None:
    """Begin to compile a kernel in a process that yields to all others and may outlast this one."""
    settings: dict[str, int] = {}
    if sys.platform == "win32":  # which has no os.nice
        settings["creationflags"] = subprocess.IDLE_PRIORITY_CLASS
    with _beginning:
        if name not in _running and may_compile_ahead() and kernel_cache().folder:
            _yielding.add(name)
            _running[name] = run_beside(
                f"from {__name__} import compile_in_peace; compile_in_peace({name!r})", **settings
            )


def compile_in_peace(name: str) -> None:
    """Compile a kernel that takes long, and what goes with it, while nobody else needs the processor; not where another
    process is at it.
    """
    if hasattr(os, "nice"):
        os.nice(19)
    folder = kernel_cache().folder
    assert folder is not None
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{name}.lock", "ab") as file:
        if locked(file):
            for each in (SEARCH, ANY) if name == SEARCH else (name,):
                compile_here(each)


def locked(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, or this process ends; False where another one holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def run_beside(code: str, **settings: int) -> subprocess.Popen[bytes] | None:
    """Run some code in a process that says nothing; None where none can be started."""
    none = subprocess.DEVNULL
    try:
        return begin(code, stdin=none, stdout=none, stderr=none, **settings)
    except OSError:
        return None


def wait_for(name: str) -> None:
    """Wait until a kernel is compiled, if that was begun. Where it failed, or yields to others for longer than it takes
    to compile, it is compiled here when it is called.
    """
    if process := _running.get(name):
        wait_for_process(process, SECONDS[name] if name in _yielding else PATIENCE)


def wait_for_process(process: subprocess.Popen[bytes], seconds: float = PATIENCE) -> None:
    """Wait until a process has ended, and end it where it takes longer."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def compile_here(name: str) -> None:
    """Compile one of the kernels that take long."""
    from hiermeasures.batch.kernels import confusion, lca

    compile_it: dict[str, Callable[[], None]] = {
        SEARCH: lca.compile_search,
        ANY: lca.compile_any,
        CELLS: confusion.compile_confusion,
    }
    compile_it[name]()
