"""How kernels are compiled: with numba, once, kept on disk, without the interpreter's lock; and how a person is told.

Importing this module imports numba, so only what is about to compute does. The kernels live in modules of their own.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import njit

Announce = Callable[[str], None]

PATIENCE = 0.7  # seconds; a kernel from the cache is ready before that
MESSAGE = "compiling the array kernels for this machine (once; they are kept for later runs) …"


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function over arrays: cached on disk where some directory can be written, free of the interpreter's lock."""
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no directory for the cache
        return njit(nogil=True)(function)


def to_stderr(message: str) -> None:
    """The announcement where nobody asked for another."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def announced(announce: Announce | None) -> Iterator[None]:
    """Say that kernels are being compiled, if that takes long enough to be noticed."""
    timer = threading.Timer(PATIENCE, announce or to_stderr, [MESSAGE])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
