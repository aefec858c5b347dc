"""What a measure does everywhere: properties that ought to hold, and the search for the smallest instance where one does
not, on every small hierarchy.
"""

from hiermeasures.behaviour.find import Question, find
from hiermeasures.behaviour.properties import PROPERTIES, Property
from hiermeasures.behaviour.search import Behaviour, Counterexample, Verdict, study

__all__ = ["PROPERTIES", "Behaviour", "Counterexample", "Property", "Question", "Verdict", "find", "study"]
