"""The kernels made ready beside other work, for whoever has to answer at once and cannot wait for a compiler.

Nothing is imported that compiles before it is asked for. What the kernels compute is the engine's.
"""

import subprocess
import sys
import threading

from hiermeasures.batch.encode import encode
from hiermeasures.batch.engine import measure_values
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options

_ready, _begun = threading.Event(), threading.Lock()


def kernels_ready() -> bool:
    """Whether the kernels answer at once in this process."""
    return _ready.is_set()


def make_kernels_ready(wait: bool = False) -> None:
    """Load the kernels, or compile them where that was never done on this machine; once.

    Beside other work unless it is waited for. A process of its own then compiles first: in a thread the compiler would
    hold the interpreter's lock for most of a minute, and what else runs here would hardly get on.
    """
    if wait:
        run_every_kernel()
    elif _begun.acquire(blocking=False):
        threading.Thread(target=_compile_and_load, daemon=True).start()


def run_every_kernel() -> None:
    """One instance through every kernel, after which each is compiled and loaded."""
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")])
    sides = encode(h, [{"a"}], name="true"), encode(h, [{"b", "c"}], name="predicted")
    measure_values(h, *sides, tuple(CATALOGUE.values()), Options.make(), explain_up_to=0, announce=lambda message: None)
    _ready.set()


def _compile_and_load() -> None:
    code = f"from {__name__} import run_every_kernel; run_every_kernel()"
    subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)  # its only trace is numba's cache
    run_every_kernel()
