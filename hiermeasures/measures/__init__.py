"""The measures: one module per family, the catalogue of all, and `explain` for one instance."""

from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    SideName,
    Structure,
)
from hiermeasures.measures.explain import Explanation, explain, explain_instance
from hiermeasures.measures.own import find_measure, find_measures
from hiermeasures.measures.registry import CATALOGUE, CORE, FAMILIES, STRUCTURES

__all__ = [
    "CATALOGUE",
    "CORE",
    "FAMILIES",
    "STRUCTURES",
    "Derivation",
    "Explanation",
    "Family",
    "Instance",
    "Measure",
    "SideName",
    "Structure",
    "explain",
    "explain_instance",
    "find_measure",
    "find_measures",
]
