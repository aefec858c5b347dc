"""Hierarchical evaluation measures, each with the structure that its number was read from."""

from hiermeasures.batch import evaluate
from hiermeasures.compare import compare
from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import explain

__all__ = ["Hierarchy", "InputError", "compare", "evaluate", "explain"]
__version__ = "0.1.0"
