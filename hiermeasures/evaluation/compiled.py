"""Compile kernels with numba: once, kept on disk, without the interpreter's lock.

Importing this module imports numba, so only what is about to compute does. Inner functions are
compiled by a compiler that leaves out what is of no use for them, and leans on the insides of numba
for it. Its gain, in seconds of processor time for the first compilation (2026-11-23): the search
for LCA graphs 37 → 17, the confusion matrix 19 → 13.

Where numba is not installed, kernels are the Python functions that they are written as. Measures
are left to `explain` then, which is faster.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hiermeasures.evaluation.kernel_cache import COMPILING, cache_folder, warn_once
from hiermeasures.hierarchy.extras import is_installed

if HAS_NUMBA := is_installed("fast"):
    from numba import config, njit, version_info

numba_settings: Any = config if HAS_NUMBA else None
# later versions compile every function whole, which takes longer
_KNOWN = HAS_NUMBA and version_info.short <= (0, 68)
_INNER: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _Kept:
    """numba's cache of one function, which warns of compiling and never fails."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        found = None
        try:
            found = self._cache.load_overload(signature, context)
        except Exception:  # cut off while it was written
            with suppress(OSError):  # where it cannot be written any more
                self._cache.flush()
        if found is None:
            warn_once(COMPILING)
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with suppress(Exception):  # as where the disk is full: it is called all the same
            self._cache.save_overload(signature, compiled)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function over arrays, and keep it on disk where a folder can be written."""
    if not HAS_NUMBA:
        return function
    dispatcher: Any = njit(nogil=True)(function)
    before, folder = numba_settings.CACHE_DIR, cache_folder()
    numba_settings.CACHE_DIR = str(folder)
    try:
        if folder:
            dispatcher.enable_caching()
            dispatcher._cache = _Kept(dispatcher._cache)
    except RuntimeError:  # it cannot be written after all
        pass
    finally:
        numba_settings.CACHE_DIR = before
    return dispatcher


if _KNOWN:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.types import unliteral

    class _Part(JITCodeLibrary):
        """The code of an inner kernel: compiled within its callers alone."""

        def _optimize_functions(self, module: Any) -> None:
            pass

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> "_Part":
            return self

        def set_env(self, name: str, environment: Any) -> None:
            """There is no machine code that would look for its environment."""

    class _PartCompiler(Compiler):
        def compile_extra(self, function: Any) -> Any:
            self.state.library = _Part(self.state.targetctx.codegen(), function.__qualname__)
            return super().compile_extra(function)

    _INNER["pipeline_class"] = _PartCompiler


def inner(function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
    """Compile a function that only kernels call, without the wrapper for Python: in a fifth of the
    time. It is compiled once for 0, 1 and any number: numba gives a constant its own type.
    """
    if not HAS_NUMBA:
        return function
    dispatcher: Any = njit(**_INNER, **more)(function)
    if _KNOWN:
        template = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: template(
            tuple(map(unliteral, args)), {name: unliteral(a) for name, a in kws.items()}
        )
    return dispatcher


def leaf(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an inner function that makes no arrays of its own, nor slices any: it need not count
    references to its arrays, which would take most of the time of a short one. numba's option for
    that is not documented; where it is missing, such functions are compiled like all others.
    """
    try:
        return inner(function, _nrt=False)
    except KeyError:
        return inner(function)
