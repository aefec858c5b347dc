"""How kernels are compiled: with numba, once, kept on disk, without the interpreter's lock.

Importing this module imports numba, so only what is about to compute does. The kernels live in kernels/.
"""

import gc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.types import unliteral

from hiermeasures.batch.announcing import compiling
from hiermeasures.batch.kernel_cache import digest_of_sources


class _Cache(FunctionCache):
    """numba's cache of compiled functions, which looks at a function's own file only; here what it calls is in other
    files too.
    """

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return (*super()._index_key(sig, codegen), digest_of_sources())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except (AttributeError, ImportError):  # kept by an earlier version, with a type that is no longer there
            self.flush()
            found = None
        if found is None:
            compiling()
        return found


class _KernelCompiler(Compiler):
    """numba's compiler, while Python seldom looks for garbage, which would be a tenth of its time."""

    def compile_extra(self, function: Any) -> Any:
        before = gc.get_threshold()
        gc.set_threshold(200_000, 10, 10)
        try:
            return super().compile_extra(function)
        finally:
            gc.set_threshold(*before)


class _Part(JITCodeLibrary):
    """The code of an inner kernel. It is optimised and made into machine code within the kernels that call it, and not
    by itself, for nobody else can call it.
    """

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


class _PartCompiler(_KernelCompiler):
    """The compiler of an inner kernel."""

    def compile_extra(self, function: Any) -> Any:
        self.state.library = _Part(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function over arrays: cached on disk where some directory can be written, free of the interpreter's
    lock.
    """
    return _cached(njit(nogil=True, pipeline_class=_KernelCompiler)(function))


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that is called by kernels only: without the wrapper for calls from Python, which would take a fifth of
    the time to compile.
    """
    return _without_literals(njit(nogil=True, **_INNER)(function))


def leaf(function: Callable[..., Any]) -> Callable[..., Any]:
    """An inner kernel that makes no arrays of its own, nor slices any.

    So it need not count references to its arrays, which would take most of the time of a short one. numba's option for
    that is not documented; where it is missing, such functions are compiled like all others.
    """
    try:
        return _without_literals(njit(nogil=True, _nrt=False, **_INNER)(function))
    except KeyError:
        return inner(function)


def _without_literals(dispatcher: Any) -> Any:
    """Compile a function once for 0, for 1 and for any whole number: a constant has a type of its own in numba."""
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        tuple(unliteral(a) for a in args), {name: unliteral(a) for name, a in kws.items()}
    )
    return dispatcher


def _cached(dispatcher: Any) -> Any:
    with suppress(RuntimeError):  # where no directory can be written, it is compiled each time
        dispatcher._cache = _Cache(dispatcher.py_func)
    return dispatcher
