"""What a measure does everywhere: properties that ought to hold, and the search of every small hierarchy for the
smallest instance where one does not.
"""

from hiermeasures.behaviour.find import Question, find
from hiermeasures.behaviour.properties import PROPERTIES, Property
from hiermeasures.behaviour.search import Behaviour, Counterexample, Verdict, study

__all__ = ["PROPERTIES", "Behaviour", "Counterexample", "Property", "Question", "Verdict", "find", "study"]
