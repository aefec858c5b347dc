"""Hierarchical evaluation measures, each with the structure that its number was read from.

A public name is imported when it is first asked for, with what it needs: importing the package alone loads next to
nothing.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiermeasures.batch import evaluate, partial
    from hiermeasures.compare import compare
    from hiermeasures.errors import InputError
    from hiermeasures.hierarchy import Hierarchy
    from hiermeasures.measures.explain import explain
    from hiermeasures.meter import Meter
    from hiermeasures.partial_results import from_bytes, merge, to_bytes

__all__ = [
    "Hierarchy",
    "InputError",
    "Meter",
    "compare",
    "evaluate",
    "explain",
    "from_bytes",
    "merge",
    "partial",
    "to_bytes",
]
__version__ = "0.2.0"

_PLACES = {
    "Explorer": "notebook",  # needs the extra "notebook"
    "Hierarchy": "hierarchy",
    "InputError": "errors",
    "Meter": "meter",
    "compare": "compare",
    "evaluate": "batch",
    "explain": "measures.explain",
    "from_bytes": "partial_results",
    "merge": "partial_results",
    "partial": "batch",
    "to_bytes": "partial_results",
}


class _Package(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name in _PLACES:
            found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
            setattr(self, name, found)
            return found
        if name.startswith("_") or not find_spec(f"{__name__}.{name}"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Python gives a package the modules in it as attributes; of one name, here the function is meant."""
        if not (name in _PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package
