"""The catalogue: every measure, family and structure that the modules of this package declare in
their MEASURES.

A new module is found by itself; nothing is listed here.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from hiermeasures.measures.catalogue import Family, Measure, Structure

_READERS = ("declared", "explain", "own", "registry", "tiers")  # of the catalogue, not parts of it


def _declared() -> list[Measure]:
    folder = str(Path(__file__).parent)
    names = sorted(module.name for module in iter_modules([folder]) if module.name not in _READERS)
    modules = [import_module(f"{__package__}.{name}") for name in names]
    found = [measure for module in modules for measure in getattr(module, "MEASURES", ())]
    return sorted(found, key=lambda measure: measure.structure.family.rank)


CATALOGUE: dict[str, Measure] = {measure.key: measure for measure in _declared()}
STRUCTURES: dict[str, Structure[Any]] = {m.structure.key: m.structure for m in CATALOGUE.values()}
FAMILIES: dict[str, Family] = {s.family.key: s.family for s in STRUCTURES.values()}
