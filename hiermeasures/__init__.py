"""Hierarchical evaluation measures, each with the structure that its number was read from.

A public name is imported when you first use it. Importing the package alone loads almost no code.
"""

from typing import TYPE_CHECKING

from hiermeasures.hierarchy.package import import_lazily

if TYPE_CHECKING:
    from hiermeasures.evaluation import (
        evaluate,
        evaluate_files,
        evaluate_table,
        from_bytes,
        merge,
        partial,
        to_bytes,
    )
    from hiermeasures.evaluation.compare import compare
    from hiermeasures.hierarchy.errors import HierarchyWarning, InputError
    from hiermeasures.hierarchy.hierarchy import Hierarchy
    from hiermeasures.measures.explain import explain
    from hiermeasures.meter import Meter
    from hiermeasures.notebook import Explorer as Explorer
    from hiermeasures.read import describe, read_hierarchy, read_labels

__all__ = [
    "Hierarchy",
    "HierarchyWarning",
    "InputError",
    "Meter",
    "compare",
    "describe",
    "evaluate",
    "evaluate_files",
    "evaluate_table",
    "explain",
    "from_bytes",
    "merge",
    "partial",
    "read_hierarchy",
    "read_labels",
    "to_bytes",
]
__version__ = "0.2.0"

__getattr__ = import_lazily(
    __name__,
    {
        "Explorer": "notebook",  # needs the extra "notebook"
        "Hierarchy": "hierarchy.hierarchy",
        "HierarchyWarning": "hierarchy.errors",
        "InputError": "hierarchy.errors",
        "Meter": "meter",
        "compare": "evaluation.compare",
        "describe": "read.description",
        "evaluate": "evaluation",
        "evaluate_files": "evaluation",
        "evaluate_table": "evaluation",
        "explain": "measures.explain",
        "from_bytes": "evaluation",
        "merge": "evaluation",
        "partial": "evaluation",
        "read_hierarchy": "read",
        "read_labels": "read.labels",
        "to_bytes": "evaluation",
    },
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
