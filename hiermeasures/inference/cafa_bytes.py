"""A partial result of CAFA's evaluation as bytes: what is written, and what is checked of what is read.

The ontology is not among it but its fingerprint, and of the weights of terms a digest. How arrays become bytes is in
hiermeasures.batch.packing.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from hiermeasures.batch.fixed_point import DIGIT
from hiermeasures.batch.packing import (
    Count,
    Packed,
    PackedWords,
    bytes_of_integers,
    check,
    integers_of_bytes,
    pack,
    read_words,
)
from hiermeasures.errors import InputError
from hiermeasures.inference.cafa_sums import (
    FN,
    MOST_NOTES,
    SUMS,
    CafaPartial,
    CafaSettings,
    Grid,
    Normalisation,
    Propagation,
    SpaceSums,
    thresholds,
)
from hiermeasures.io.ontology import Ontology

KIND = "cafa"
MOST_DIGITS = 32  # of a number after the point: weights from 1e-100 to 1e100 need fewer
COUNTED = 2  # digits before the point: so many targets
MOST_FILES = 100_000


class _Space(PackedWords):
    name: str
    targets: Annotated[int, Field(ge=1, lt=2**53)]
    exponents: Annotated[tuple[Annotated[int, Field(ge=-400, le=400)], ...], Field(min_length=1, max_length=2)]
    digits: Annotated[int, Field(ge=1, le=MOST_DIGITS)]


class _Words(PackedWords):
    """What is said of a partial result; `sums` are the places of a file and a space that there are sums of."""

    ontology: str
    normalisation: Normalisation
    propagation: Propagation
    orphans: bool
    step: float
    weights: str | None
    spaces: tuple[_Space, ...]
    files: Annotated[tuple[str, ...], Field(max_length=MOST_FILES)]
    sums: tuple[tuple[Count, Count], ...]
    notes: Annotated[tuple[str, ...], Field(max_length=MOST_NOTES)]


def write(result: CafaPartial) -> bytes:
    """The bytes of a partial result."""
    spaces, files = list(result.spaces), {name: k for k, name in enumerate(result.files)}
    words = _Words(
        ontology=result.ontology.fingerprint,
        **vars(result.settings),
        spaces=tuple(
            _Space(name=name, targets=s.targets, exponents=s.grid.exponents, digits=s.grid.digits)
            for name, s in result.spaces.items()
        ),
        files=result.files,
        sums=tuple((files[file], spaces.index(ns)) for file, ns in result.sums),
        notes=result.notes[:MOST_NOTES],
    )
    width = {name: _width(s.grid.digits) for name, s in result.spaces.items()}
    arrays = {
        f"whole.{k}": bytes_of_integers(s.whole, width[name]) for k, (name, s) in enumerate(result.spaces.items())
    }
    for k, ((_, ns), sums) in enumerate(result.sums.items()):
        arrays[f"sums.{k}"] = bytes_of_integers(sums.ravel(), width[ns])
    return pack(KIND, words, arrays)


def read(ontology: Ontology, packed: Packed) -> CafaPartial:
    """The partial result in some bytes. InputError where they are damaged, or do not fit the ontology."""
    if not isinstance(ontology, Ontology):
        raise InputError(f"a partial result of CAFA is read with its ontology, not with {type(ontology).__name__}")
    words = read_words(_Words, packed)
    if words.ontology != ontology.fingerprint:
        raise InputError("the partial result is of another ontology than the one given")
    settings = CafaSettings(words.normalisation, words.propagation, words.orphans, words.step, words.weights)
    weightings, taus = 1 if words.weights is None else 2, len(thresholds(words.step))
    names = [space.name for space in words.spaces]
    check(len(set(names)) == len(names) and set(names) <= set(ontology.namespaces), "namespaces do not fit")
    check(len(set(words.files)) == len(words.files), "two files have one name")
    check(all(len(space.exponents) == weightings for space in words.spaces), "weights do not fit")
    names_of = range(len(words.files)), range(len(names))
    check(all(a in names_of[0] and b in names_of[1] for a, b in words.sums), "sums do not fit")
    check(len(set(words.sums)) == len(words.sums), "sums do not fit")
    spaces: dict[str, SpaceSums] = {}
    for k, space in enumerate(words.spaces):
        grid = Grid(space.exponents, space.digits)
        whole = _integers(packed, f"whole.{k}", (weightings,), space)
        check((whole >= 0).all(), "a weight is negative")
        spaces[space.name] = SpaceSums(space.targets, tuple(whole), grid)
    sums: dict[tuple[str, str], np.ndarray] = {}
    for k, (file, place) in enumerate(words.sums):
        found = _integers(packed, f"sums.{k}", (weightings, taus, SUMS), words.spaces[place])
        counted = found.copy()
        counted[..., FN] += np.array(spaces[names[place]].whole, object)[:, None]
        check((counted >= 0).all(), "a sum is negative")
        sums[words.files[file], names[place]] = found
    return CafaPartial(ontology, settings, spaces, words.files, sums, words.notes)


def _width(digits: int) -> int:
    """Bytes of a number, sign included."""
    return (digits + COUNTED) * DIGIT // 8


def _integers(packed: Packed, name: str, shape: tuple[int, ...], space: _Space) -> np.ndarray:
    """Numbers of at most one for each target."""
    found = integers_of_bytes(packed, name, _width(space.digits), shape)
    most = space.targets << DIGIT * space.digits
    check(all(-most <= number <= most for number in found.flat), "a sum is too large")
    return found
