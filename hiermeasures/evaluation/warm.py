"""Load or compile all kernels in the background, for a page that must answer at once.

It also computes what-if with the kernels when they are ready. Imports never compile kernels.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from hiermeasures.evaluation.batch import measure_values
from hiermeasures.evaluation.encode import encode
from hiermeasures.evaluation.kernel_cache import cache_folder
from hiermeasures.evaluation.kernel_registry import KERNELS
from hiermeasures.evaluation.tasks import can_compile, has_kernel, load_kernels
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.package import start_python
from hiermeasures.measures import CATALOGUE, Instance, Measure

AHEAD = (
    "HIERMEASURES_COMPILE_AHEAD"  # environment variable: "no" compiles kernels only on first use
)

_ready, _begun = threading.Event(), threading.Lock()
_compiling_since: list[float] = []  # empty unless kernels are being compiled


def kernels_ready() -> bool:
    """Return True if the kernels answer at once in this process."""
    return _ready.is_set()


def compiling_seconds() -> float | None:
    """Return the seconds since `make_kernels_ready` began to compile, or None without compiling."""
    since = _compiling_since[:]
    return time.monotonic() - since[0] if since else None


def make_kernels_ready_ahead() -> None:
    """Make the kernels ready before they are needed, unless the environment forbids it."""
    if os.environ.get(AHEAD) != "no":
        make_kernels_ready(wait=True)


def make_kernels_ready(wait: bool = False) -> None:
    """Load the kernels, or compile them if this machine has never done so.

    It works once, in the background unless you wait for it, and only with numba.
    """
    if not can_compile():
        return
    first = _begun.acquire(blocking=False)
    if wait:
        (_compile_and_load if first else run_every_kernel)()
    elif first:
        threading.Thread(target=_compile_and_load, daemon=True).start()


def run_every_kernel() -> None:
    """Evaluate an instance of a tree and one of a DAG, so that every kernel is loaded."""
    for edges in (
        [("R", "a"), ("R", "b"), ("a", "c")],
        [("R", "a"), ("R", "b"), ("a", "c"), ("b", "c")],
    ):
        h = Hierarchy.from_edges(edges)
        sides = encode(h, [{"a"}], name="true"), encode(h, [{"b", "c"}], name="predicted")
        measures = tuple(CATALOGUE.values())
        measure_values(h, *sides, measures, Options.make(), engine="kernels")
    _ready.set()


def _compile_and_load() -> None:
    """Compile in another process. Here the compiler would block the interpreter for a minute."""
    try:
        load_kernels()
        if cache_folder() and not all(kernel.ready for kernel in KERNELS.values()):
            _compiling_since.append(time.monotonic())
            none = subprocess.DEVNULL
            with suppress(OSError):  # if no process can start, compile here
                start_python(
                    f"from {__name__} import run_every_kernel; run_every_kernel()",
                    stdin=none,
                    stdout=none,
                    stderr=none,
                ).wait()
        run_every_kernel()
    finally:
        _compiling_since.clear()


def all_at_once(
    instance: Instance, measures: Sequence[Measure]
) -> Callable[[Sequence[Instance]], dict[str, list[float]]] | None:
    """Return a function that computes measures of an instance after each of many edits, or None.

    It is None while the kernels are not ready. It is also None if only `explain` can compute: with
    some options, with given paths, or with a bound of the exact search.
    """
    bounded = instance.exact_work is not None and instance.options.solver == "exact"
    for_explain = bounded or instance.true_paths is not None or instance.predicted_paths is not None
    reads = [read for m in measures for read in m.reads(instance.options).values()]
    if not kernels_ready() or for_explain or not all(has_kernel(*read) for read in reads):
        return None

    def values(after: Sequence[Instance]) -> dict[str, list[float]]:
        h = instance.hierarchy
        true, predicted = (
            encode(h, [getattr(x, side) for x in after], name=side)
            for side in ("true", "predicted")
        )
        found = measure_values(h, true, predicted, measures, instance.options, engine="kernels")
        return {key: column.tolist() for key, column in found.items()}

    return values
