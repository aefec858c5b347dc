"""The kernels made ready beside other work, for whoever has to answer at once and cannot wait for a compiler.

Nothing is imported that compiles before it is asked for. What the kernels compute is the engine's.
"""

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
    """Load the kernels, or compile them where that was never done on this machine, in a thread of its own; once."""
    if _begun.acquire(blocking=False):
        threading.Thread(target=_run_all, daemon=True).start()
    if wait:
        _ready.wait()


def _run_all() -> None:
    """One instance through every kernel."""
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")])
    sides = encode(h, [{"a"}], name="true"), encode(h, [{"b", "c"}], name="predicted")
    measure_values(h, *sides, tuple(CATALOGUE.values()), Options.make(), explain_up_to=0, announce=lambda message: None)
    _ready.set()
