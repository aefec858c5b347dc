"""The catalogue: every measure, and the builder of every structure, gathered from the families' modules."""

from collections.abc import Callable
from typing import Any

from hiermeasures.measures import confusion, counts, lca, pairs, sets, shortest_path
from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure

_MODULES = (sets, lca, pairs, confusion, counts, shortest_path)

FAMILIES: dict[str, Family] = {family.key: family for module in _MODULES for family in module.FAMILIES}
CATALOGUE: dict[str, Measure] = {measure.key: measure for module in _MODULES for measure in module.MEASURES}
BUILDERS: dict[str, Callable[[Instance], Any]] = {k: build for module in _MODULES for k, build in module.BUILDERS.items()}

from hiermeasures.measures.explain import Explanation, explain  # noqa: E402  (needs the catalogue)

__all__ = ["BUILDERS", "CATALOGUE", "FAMILIES", "Derivation", "Explanation", "Family", "Instance", "Measure", "explain"]
