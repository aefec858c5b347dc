"""The effect of one edit on a value, and the properties that a measure keeps.

The search goes through every small hierarchy and finds the smallest instance that breaks a
property. It needs arrays, and `what_if.py` is plain Python. So public names are imported on first
use.
"""

from typing import TYPE_CHECKING

from hiermeasures.hierarchy.package import import_lazily

if TYPE_CHECKING:
    from hiermeasures.debug.properties import PROPERTIES, Property
    from hiermeasures.debug.search import Behaviour, Counterexample, PropertyVerdict, study

__all__ = ["PROPERTIES", "Behaviour", "Counterexample", "Property", "PropertyVerdict", "study"]

__getattr__ = import_lazily(
    __name__,
    {
        **dict.fromkeys(["PROPERTIES", "Property"], "properties"),
        **dict.fromkeys(["Behaviour", "Counterexample", "PropertyVerdict", "study"], "search"),
    },
)
