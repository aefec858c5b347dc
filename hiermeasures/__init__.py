"""Hierarchical evaluation measures, each with the structure that its number was read from.

A public name is imported when it is first asked for, with what it needs: importing the package
alone loads next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from hiermeasures.core.package import lazy_package
from hiermeasures.core.renderers import load_with

if TYPE_CHECKING:
    from hiermeasures.compare import compare
    from hiermeasures.core.errors import HierarchyWarning, InputError
    from hiermeasures.core.hierarchy import Hierarchy
    from hiermeasures.engine import evaluate, from_bytes, merge, partial, to_bytes
    from hiermeasures.formats import describe, read_hierarchy, read_labels
    from hiermeasures.measures.explain import explain
    from hiermeasures.meter import Meter
    from hiermeasures.notebook import Explorer as Explorer

__all__ = [
    "Hierarchy",
    "HierarchyWarning",
    "InputError",
    "Meter",
    "compare",
    "describe",
    "evaluate",
    "explain",
    "from_bytes",
    "merge",
    "partial",
    "read_hierarchy",
    "read_labels",
    "to_bytes",
]
__version__ = "0.2.0"

lazy_package(
    __name__,
    {
        "Explorer": "notebook",  # needs the extra "notebook"
        "Hierarchy": "core.hierarchy",
        "HierarchyWarning": "core.errors",
        "InputError": "core.errors",
        "Meter": "meter",
        "compare": "compare",
        "describe": "formats.description",
        "evaluate": "engine",
        "explain": "measures.explain",
        "from_bytes": "engine",
        "merge": "engine",
        "partial": "engine",
        "read_hierarchy": "formats",
        "read_labels": "formats.labels",
        "to_bytes": "engine",
    },
)
load_with(lambda: import_module(f"{__name__}.picture.notebook_repr"))
