"""The registry: every measure, by its key."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from hiermeasures.core.errors import InputError, unknown
from hiermeasures.measures.catalogue import Measure
from hiermeasures.measures.declared import CATALOGUE, FAMILIES
from hiermeasures.measures.own import is_definition, own_measure
from hiermeasures.measures.tiers import in_tier

NOTHING: Mapping[str, Measure] = MappingProxyType({})

ALL = "all"  # the name of the catalogue without measures that are not `by_default`
_TIERS = {"core": "start", "question": "question", "part": "part"}


def find_measure(key: str, defined: Mapping[str, Measure] = NOTHING) -> Measure:
    """Return the measure of a key: of the catalogue, one of those that are defined, or the own
    measure whose definition the key is ("mine=0.5*hF + 0.5*F_LCA").

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


def find_measures(
    asked: Iterable[str | Measure] | str | None, defined: Mapping[str, Measure] = NOTHING
) -> tuple[Measure, ...]:
    """Return the measures that are asked for, each once; those of the core where none are named.

    A name is a measure's key, as for `find_measure`, or that of several: of a tier ("core",
    "question", "part") or of a family, or "all" for the catalogue without those that are evaluated
    only where they are named.

    Raises
    ------
    InputError
        For an unknown name, with the nearest named.

    Examples
    --------
    >>> [measure.key for measure in find_measures(["TIE", "core"])]
    ['TIE', 'hF', 'F_LCA', 'MGIA', 'GIE', 'hP', 'hR', 'f1', 'accuracy']
    >>> [measure.key for measure in find_measures("counts")]
    ['CoPHE_F1', 'CoPHE_P', 'CoPHE_R']
    >>> find_measures("cor")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: unknown measure 'cor'; nearest known: 'core'
    """
    names = [asked] if isinstance(asked, str) else ["core"] if asked is None else asked
    found = (measure for name in names for measure in _named(name, defined))
    return tuple({measure.key: measure for measure in found}.values())


def _named(name: str | Measure, defined: Mapping[str, Measure]) -> Iterable[Measure]:
    if isinstance(name, Measure):
        return [name]
    measures = CATALOGUE.values()
    if name in CATALOGUE or name in defined or is_definition(name):
        return [find_measure(name, defined)]
    if name == ALL:
        return [measure for measure in measures if measure.by_default]
    if name in _TIERS:
        return in_tier(_TIERS[name], measures)
    if name in FAMILIES:
        return [measure for measure in measures if measure.group.key == name]
    raise InputError(unknown("measure", str(name), [*CATALOGUE, *defined, ALL, *_TIERS, *FAMILIES]))
