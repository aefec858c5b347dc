"""The behaviour of measures everywhere: properties that ought to hold, and the search of every
small hierarchy for the smallest instance where one does not.

A public name is imported when it is first asked for: what one edit does (what_if.py) is plain
Python, the search is not.
"""

from typing import TYPE_CHECKING

from hiermeasures.core.package import lazy_package

if TYPE_CHECKING:
    from hiermeasures.behaviour.find import Question, find
    from hiermeasures.behaviour.properties import PROPERTIES, Property
    from hiermeasures.behaviour.search import Behaviour, Counterexample, Verdict, study

__all__ = ["PROPERTIES", "Behaviour", "Counterexample", "Property", "Question", "Verdict", "find", "study"]

lazy_package(
    __name__,
    {
        **dict.fromkeys(["Question", "find"], "find"),
        **dict.fromkeys(["PROPERTIES", "Property"], "properties"),
        **dict.fromkeys(["Behaviour", "Counterexample", "Verdict", "study"], "search"),
    },
)
