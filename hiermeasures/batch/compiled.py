"""How kernels are compiled: with numba, once, kept on disk, without the interpreter's lock.

Importing this module imports numba, so only what is about to compute does. The kernels live in kernels/.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba import njit
from numba.core.caching import FunctionCache

from hiermeasures.batch.announcing import compiling
from hiermeasures.batch.kernel_cache import digest_of_sources

LAST_KNOWN = (0, 68)
"""The last version of numba whose insides compilers.py is known to fit. In later ones every function is compiled by
itself, which takes longer and gives the same.
"""


class _Cache(FunctionCache):
    """numba's cache of compiled functions, which looks at a function's own file only; here what it calls is in other
    files too.
    """

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return (*super()._index_key(sig, codegen), digest_of_sources())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # broken off while it was written, or kept by an earlier version with a type that is gone
            with suppress(OSError):  # where it cannot be written any more
                self.flush()
            found = None
        if found is None:
            compiling()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception):  # as where the disk is full: what was compiled can be called, and is not kept
            super().save_overload(sig, data)


_KERNEL: dict[str, Any] = {"nogil": True}
_INNER: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_KNOWN = numba.version_info.short <= LAST_KNOWN
if _KNOWN:
    from hiermeasures.batch.compilers import KernelCompiler, PartCompiler, without_literals

    _KERNEL |= {"pipeline_class": KernelCompiler}
    _INNER |= {"pipeline_class": PartCompiler}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function over arrays: cached on disk where some directory can be written, free of the interpreter's
    lock.
    """
    return _cached(njit(**_KERNEL)(function))


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that is called by kernels only: without the wrapper for calls from Python, which would take a fifth of
    the time to compile.
    """
    return _part(njit(**_INNER)(function))


def leaf(function: Callable[..., Any]) -> Callable[..., Any]:
    """An inner kernel that makes no arrays of its own, nor slices any.

    So it need not count references to its arrays, which would take most of the time of a short one. numba's option for
    that is not documented; where it is missing, such functions are compiled like all others.
    """
    try:
        return _part(njit(_nrt=False, **_INNER)(function))
    except KeyError:
        return inner(function)


def _part(dispatcher: Any) -> Any:
    return without_literals(dispatcher) if _KNOWN else dispatcher


def _cached(dispatcher: Any) -> Any:
    with suppress(RuntimeError):  # where no directory can be written, it is compiled each time
        dispatcher._cache = _Cache(dispatcher.py_func)
    return dispatcher
