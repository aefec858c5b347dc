"""The measures: `explain` for one instance, and the catalogue of what there is."""

from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure, SideName, Structure
from hiermeasures.measures.declared import CATALOGUE, FAMILIES, STRUCTURES
from hiermeasures.measures.explain import Explanation, explain, explain_instance
from hiermeasures.measures.registry import find_measure, find_measures
from hiermeasures.measures.tiers import CORE

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
