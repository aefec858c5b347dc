"""The catalogue: every measure, family and structure that the modules of this package declare in their MEASURES.

A new module is found by itself; nothing is listed here.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from hiermeasures import measures
from hiermeasures.measures.catalogue import Family, Measure, Structure

_READERS = ("explain", "own", "registry")  # of the catalogue, not parts of it


def _declared() -> list[Measure]:
    """Every measure, the best known family first."""
    names = sorted(module.name for module in iter_modules(measures.__path__) if module.name not in _READERS)
    modules = [import_module(f"{measures.__name__}.{name}") for name in names]
    found = [measure for module in modules for measure in getattr(module, "MEASURES", ())]
    return sorted(found, key=lambda measure: measure.structure.family.rank)


CATALOGUE: dict[str, Measure] = {measure.key: measure for measure in _declared()}
STRUCTURES: dict[str, Structure[Any]] = {m.structure.key: m.structure for m in CATALOGUE.values()}
FAMILIES: dict[str, Family] = {s.family.key: s.family for s in STRUCTURES.values()}

# One of each of the largest families: what a short table shows.
BEST_KNOWN = ("hF", "F_LCA", "MGIA", "GIE", "HCM_F1", "CoPHE_F1")
