"""Hierarchical evaluation measures, each with the structure that its number was read from."""

import sys
from typing import Any

try:
    from hiermeasures.batch import evaluate, partial
    from hiermeasures.compare import compare
    from hiermeasures.errors import InputError
    from hiermeasures.hierarchy import Hierarchy
    from hiermeasures.measures import explain
    from hiermeasures.meter import Meter
    from hiermeasures.partial_results import from_bytes, merge, to_bytes
except KeyboardInterrupt:
    # Only the command line's own start may end quietly: `python -m hiermeasures`, or the script of that name.
    if sys.argv[0] == "-m" or sys.argv[0].replace("\\", "/").rpartition("/")[2].startswith("hiermeasures"):
        print("hiermeasures: stopped", file=sys.stderr)
        sys.exit(130)
    raise

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


def __getattr__(name: str) -> Any:
    """`Explorer`, the widget for notebooks: imported where it is asked for, since it needs the extra "notebook"."""
    if name == "Explorer":
        from hiermeasures.notebook import Explorer

        return Explorer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
