"""The message while kernels are compiled: who says it, and that a process says it once. numba is not imported for that;
compiled.py says when it is time.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Announce = Callable[[str], None]

MESSAGE = "compiling the array kernels for this machine (once, seconds to a minute; they are kept for later runs) …"
_PENDING: list[Announce] = []  # called once, at the first function that the cache does not have
_ANNOUNCED: list[bool] = []


def to_stderr(message: str) -> None:
    """The announcement where nobody asked for another."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def announced(announce: Announce | None) -> Iterator[None]:
    """Say so if kernels have to be compiled in here; a process says it once."""
    if not _ANNOUNCED:
        _PENDING[:] = [announce or to_stderr]
    try:
        yield
    finally:
        _PENDING.clear()


def compiling() -> None:
    """A kernel is about to be compiled."""
    while _PENDING:
        _ANNOUNCED.append(True)
        _PENDING.pop()(MESSAGE)
