"""The measures: `explain` for one instance, and the catalogue of what there is."""

from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure, SideName, Structure
from hiermeasures.measures.declared import CATALOGUE, FAMILIES, STRUCTURES
from hiermeasures.measures.explain import Explanation, explain, explain_instance
from hiermeasures.measures.registry import BEST_KNOWN, find_measure

__all__ = [
    "BEST_KNOWN",
    "CATALOGUE",
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
]
