"""The registry: every measure, by its key."""

from collections.abc import Mapping
from types import MappingProxyType

from hiermeasures.core.errors import InputError, unknown
from hiermeasures.measures.catalogue import Measure
from hiermeasures.measures.declared import CATALOGUE
from hiermeasures.measures.own import is_definition, own_measure

NOTHING: Mapping[str, Measure] = MappingProxyType({})

# One of each of the largest families: what a short table shows.
BEST_KNOWN = ("hF", "F_LCA", "MGIA", "GIE", "HCM_F1", "CoPHE_F1")


def find_measure(key: str, defined: Mapping[str, Measure] = NOTHING) -> Measure:
    """Return the measure of a key: of the catalogue, one of those that are defined, or the own measure whose definition
    the key is ("mine=0.5*hF + 0.5*F_LCA").

    Raises
    ------
    InputError
        For an unknown one, with the nearest named.
    """
    if key in CATALOGUE:
        return CATALOGUE[key]
    if key in defined:
        return defined[key]
    if is_definition(key):
        return own_measure(key)
    raise InputError(unknown("measure", str(key), [*CATALOGUE, *defined]))
