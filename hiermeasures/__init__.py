"""Hierarchical evaluation measures, each with the structure that its number was read from."""

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import explain

__all__ = ["Hierarchy", "InputError", "explain"]
__version__ = "0.1.0"
