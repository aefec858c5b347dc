"""numba's compiler with less to do: what is of no use for kernels is left out.

All of it leans on the insides of numba, and is imported only where the version is known to have them (compiled.py).
"""

import gc
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.types import unliteral


class KernelCompiler(Compiler):
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


class PartCompiler(KernelCompiler):
    """The compiler of an inner kernel."""

    def compile_extra(self, function: Any) -> Any:
        self.state.library = _Part(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


def without_literals(dispatcher: Any) -> Any:
    """Compile a function once for 0, for 1 and for any whole number: a constant has a type of its own in numba."""
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        tuple(unliteral(a) for a in args), {name: unliteral(a) for name, a in kws.items()}
    )
    return dispatcher
