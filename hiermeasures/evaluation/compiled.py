"""Compile kernels with numba: once, kept on disk, without the interpreter's lock.

This module imports numba, so import it only when you are about to compute. Inner functions have
their own compiler, which leaves out steps that they do not need. It uses internal parts of numba.
It shortens the first compilation (seconds of processor time, 2026-11-23): the search for LCA graphs
from 37 to 17, the confusion matrix from 19 to 13.

Without numba, kernels are plain Python functions. `explain` then computes the measures, because it
is faster.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hiermeasures.evaluation.kernel_cache import COMPILING, cache_folder, warn_once
from hiermeasures.hierarchy.extras import is_installed

if HAS_NUMBA := is_installed("fast"):
    from numba import config, njit, version_info

numba_settings: Any = config if HAS_NUMBA else None
# later versions compile every function completely, which takes longer
_KNOWN = HAS_NUMBA and version_info.short <= (0, 68)
_INNER: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _Kept:
    """numba's cache of one function. It reports compiling and never fails."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        found = None
        try:
            found = self._load(signature, context)
        except Exception:  # the file is incomplete
            with suppress(OSError):  # the folder is now read-only
                self._cache.flush()
        if found is None:
            warn_once(COMPILING)
        return found

    def _load(self, signature: Any, context: Any) -> Any:
        """Load machine code. numba first registers all that it can compile, which takes 0.3 s and is
        not needed here. Before it compiles a function, it does so in any case.
        """
        if not _KNOWN:
            return self._cache.load_overload(signature, context)
        rtsys.initialize(context)
        return self._cache._load_overload(signature, context)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with suppress(Exception):  # for example, the disk is full; the function still works
            self._cache.save_overload(signature, compiled)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function over arrays. Keep it on disk if a folder can be written."""
    if not HAS_NUMBA:
        return function
    dispatcher: Any = njit(nogil=True)(function)
    before, folder = numba_settings.CACHE_DIR, cache_folder()
    numba_settings.CACHE_DIR = str(folder)
    try:
        if folder:
            dispatcher.enable_caching()
            dispatcher._cache = _Kept(dispatcher._cache)
    except RuntimeError:  # no folder can be written
        pass
    finally:
        numba_settings.CACHE_DIR = before
    return dispatcher


if _KNOWN:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.runtime.nrt import rtsys
    from numba.core.types import unliteral

    class _Part(JITCodeLibrary):
        """The code of an inner kernel, compiled only as a part of its callers."""

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
            """Do nothing, because only machine code of its own would need the environment."""

    class _PartCompiler(Compiler):
        def compile_extra(self, function: Any) -> Any:
            self.state.library = _Part(self.state.targetctx.codegen(), function.__qualname__)
            return super().compile_extra(function)

    _INNER["pipeline_class"] = _PartCompiler


def inner(function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
    """Compile a function that only kernels call. Without a wrapper for Python this takes a fifth of
    the time. numba gives constants such as 0 their own types, but here all numbers share one version.
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
    """Compile an inner function that neither makes nor slices arrays. It need not count references
    to its arrays, which would take most of a short function's time. numba's option for this is not
    documented. Without the option, such functions are compiled like all others.
    """
    try:
        return inner(function, _nrt=False)
    except KeyError:
        return inner(function)
