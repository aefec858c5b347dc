"""The catalogue: every measure, and the builder of every structure, gathered from the families' modules."""

from collections.abc import Callable
from typing import Any

from hiermeasures.measures import confusion, counts, lca, pairs, sets, shortest_path
from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure

_MODULES = (sets, lca, pairs, confusion, counts, shortest_path)

# The order on screen and in print: the best known first.
_FAMILY_ORDER = ("ancestors", "lca", "pairs", "confusion", "counts", "paths", "descendants", "flat")

_declared = {family.key: family for module in _MODULES for family in module.FAMILIES}
FAMILIES: dict[str, Family] = {key: _declared[key] for key in _FAMILY_ORDER}
CATALOGUE: dict[str, Measure] = {
    measure.key: measure
    for measure in sorted(
        (m for module in _MODULES for m in module.MEASURES), key=lambda m: _FAMILY_ORDER.index(m.family)
    )
}
BUILDERS: dict[str, Callable[[Instance], Any]] = {
    k: build for module in _MODULES for k, build in module.BUILDERS.items()
}

from hiermeasures.measures.explain import Explanation, explain  # noqa: E402  (needs the catalogue)

__all__ = ["BUILDERS", "CATALOGUE", "FAMILIES", "Derivation", "Explanation", "Family", "Instance", "Measure", "explain"]
