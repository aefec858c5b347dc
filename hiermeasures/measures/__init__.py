"""The measures: `explain` for one instance, and the catalogue of what there is."""

from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure, Structure
from hiermeasures.measures.explain import Explanation, explain
from hiermeasures.measures.registry import CATALOGUE, FAMILIES, STRUCTURES

__all__ = [
    "CATALOGUE",
    "FAMILIES",
    "STRUCTURES",
    "Derivation",
    "Explanation",
    "Family",
    "Instance",
    "Measure",
    "Structure",
    "explain",
]
