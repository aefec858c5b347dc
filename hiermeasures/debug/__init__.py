"""The behaviour of measures everywhere: properties that ought to hold, and the search of every
small hierarchy for the smallest instance where one does not.

A public name is imported when it is first asked for: what one edit does (what_if.py) is plain
Python, the search is not.
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
