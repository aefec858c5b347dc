"""The kernels made ready beside other work, for whoever has to answer at once and cannot wait for a compiler.

Nothing is imported that compiles before it is asked for. What the kernels compute is the engine's.
"""

import os
import threading
import time

from hiermeasures.batch.encode import encode
from hiermeasures.batch.engine import measure_values
from hiermeasures.batch.kernel_cache import is_kept, kernel_cache
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options

AHEAD = "HIERMEASURES_COMPILE_AHEAD"  # the environment's: "no", and what compiles is only what is needed at once

_ready, _given_up, _begun = threading.Event(), threading.Event(), threading.Lock()
_compiling_since: list[float] = []  # empty while nothing is compiled


def kernels_ready() -> bool:
    """Whether the kernels answer at once in this process."""
    return _ready.is_set()


def kernels_awaited() -> bool:
    """Whether it is worth waiting for them: they are not ready, and making them so has not failed."""
    return not (_ready.is_set() or _given_up.is_set())


def compiling_seconds() -> float | None:
    """For how long they have been compiled for this machine, at the request of `make_kernels_ready`; None while they
    are not.
    """
    since = _compiling_since[:]
    return time.monotonic() - since[0] if since else None


def make_kernels_ready_ahead() -> None:
    """As `make_kernels_ready`, before anybody has asked for them, unless the environment forbids it."""
    if may_compile_ahead():
        make_kernels_ready()


def may_compile_ahead() -> bool:
    """Whether the environment allows to compile what nobody has asked for yet."""
    return os.environ.get(AHEAD) != "no"


def make_kernels_ready(wait: bool = False) -> None:
    """Load the kernels, or compile them where that was never done on this machine; once.

    Beside other work unless it is waited for. Processes of their own then compile first, if what they make can be kept:
    in a thread the compiler would hold the interpreter's lock for most of a minute, and what else runs here would
    hardly get on.
    """
    if wait:
        run_every_kernel()
    elif _begun.acquire(blocking=False):
        threading.Thread(target=_compile_and_load, daemon=True).start()


def run_every_kernel() -> None:
    """Instances through every kernel, after which each is compiled and loaded: in a tree, and in a DAG."""
    for edges in ([("R", "a"), ("R", "b"), ("a", "c")], [("R", "a"), ("R", "b"), ("a", "c"), ("b", "c")]):
        h = Hierarchy.from_edges(edges)
        sides = encode(h, [{"a"}], name="true"), encode(h, [{"b", "c"}], name="predicted")
        measures = tuple(CATALOGUE.values())
        measure_values(h, *sides, measures, Options.make(), explain_up_to=0, announce=lambda message: None)
    _ready.set()


def _compile_and_load() -> None:
    from hiermeasures.batch.beside import ANY, SECONDS

    kept = all(map(is_kept, (ANY, *SECONDS)))  # an evaluation of some measures may have left some of them
    if not kept:
        _compiling_since.append(time.monotonic())
    try:
        if not kept and kernel_cache().folder:
            _compile()
        run_every_kernel()
    except BaseException:
        _given_up.set()
        raise
    finally:
        _compiling_since.clear()


def _compile() -> None:
    """The two that take longest side by side, then all others; their only trace is numba's cache."""
    from hiermeasures.batch.beside import SECONDS, compile_beside, run_beside, wait_for, wait_for_process

    for name in SECONDS:
        compile_beside(name)
    for name in SECONDS:
        wait_for(name)
    if process := run_beside(f"from {__name__} import run_every_kernel; run_every_kernel()"):
        wait_for_process(process)
