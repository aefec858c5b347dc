"""A partial result of sums at thresholds as bytes: what is written, and what is checked of what is read.

The hierarchy is not among it but its fingerprint; classes are counted in the order of their names, which all equal
hierarchies share. How arrays become bytes is in hiermeasures.batch.packing.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from hiermeasures.batch.engine import check_hierarchy
from hiermeasures.batch.fixed_point import DIGIT, PLACES
from hiermeasures.batch.packing import (
    MOST_COUNTED,
    Instances,
    Packed,
    PackedWords,
    bytes_of_integers,
    check,
    check_rows,
    integers_of_bytes,
    narrowed,
    pack,
    read_words,
)
from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference.curves import Incoherent, Interpolation
from hiermeasures.inference.file_curves import MOST_THRESHOLDS
from hiermeasures.inference.mistakes import MistakeCounts, ranked_places
from hiermeasures.inference.operating import Weighting
from hiermeasures.inference.threshold_sums import (
    MOST_PLACES,
    MOST_TOP,
    OperatingSums,
    ThresholdPartial,
    ThresholdSettings,
)

KIND = "sweep"
WIDTH = (PLACES + 2) * DIGIT // 8  # bytes of a sum: two digits before the point
COUNTED = ("predicted", "right", "true")
MISTAKES = ("ranked", "nearest")


_Threshold = Annotated[float, Field(ge=0, le=1)]


class _Words(PackedWords):
    """What is said of a partial result; `operating` is the number of instances on the operating curve."""

    hierarchy: str
    thresholds: Annotated[tuple[_Threshold, ...], Field(min_length=1, max_length=MOST_THRESHOLDS)]
    interpolation: Interpolation
    count_root: bool
    incoherent: Incoherent
    weights: Weighting
    top: Annotated[tuple[Annotated[int, Field(ge=1, lt=MOST_PLACES)], ...], Field(max_length=MOST_TOP)]
    instances: Instances
    with_truth: Instances
    operating: Instances | None


def write(result: ThresholdPartial) -> bytes:
    """The bytes of a partial result."""
    h, on_curve = result.hierarchy, result.operating
    words = _Words(
        hierarchy=h.fingerprint,
        **vars(result.settings),
        instances=result.instances,
        with_truth=result.with_truth,
        operating=None if on_curve is None else on_curve.instances,
    )
    sums = {"samples": result.samples, "areas": result.areas} | ({"operating": on_curve.sums} if on_curve else {})
    arrays = {name: bytes_of_integers(numbers.ravel(), WIDTH) for name, numbers in sums.items()}
    places = np.argsort(h.by_name)[result.classes]  # in the order of names
    order = np.argsort(places)
    arrays["classes"] = places[order].astype(np.int32)
    arrays |= {name: narrowed(getattr(result, name)[..., order].ravel()) for name in COUNTED}
    arrays |= {name: narrowed(getattr(result.mistakes, name).ravel()) for name in MISTAKES}
    return pack(KIND, words, arrays)


def read(hierarchy: Hierarchy, packed: Packed) -> ThresholdPartial:
    """The partial result in some bytes. InputError where they are damaged, or do not fit the hierarchy."""
    check_hierarchy(hierarchy)
    words = read_words(_Words, packed)
    if words.hierarchy != hierarchy.fingerprint:
        raise InputError("the partial result is of another hierarchy than the one given")
    taus, n = words.thresholds, len(words.thresholds)
    check(all(a < b for a, b in zip(taus, taus[1:], strict=False)), "thresholds do not rise")
    check(words.instances * len(hierarchy) < MOST_COUNTED, "there are too many instances")
    check(max(words.with_truth, words.operating or 0) <= words.instances, "there are too few instances")
    chosen = {name: getattr(words, name) for name in ThresholdSettings.__dataclass_fields__}
    on_curve = None
    if words.operating is not None:
        on_curve = OperatingSums(words.operating, _sums(packed, "operating", (4, n + 1), words.operating))
    classes, predicted, right, true = _counts(hierarchy, packed, n, words.instances)
    return ThresholdPartial(
        hierarchy,
        ThresholdSettings(**chosen),
        words.instances,
        words.with_truth,
        _sums(packed, "samples", (3, n), words.with_truth),
        _sums(packed, "areas", (2,), words.with_truth),
        classes,
        predicted,
        right,
        true,
        on_curve,
        _mistakes(packed, ranked_places(hierarchy, words.top), words.instances),
    )


def _sums(packed: Packed, name: str, shape: tuple[int, ...], instances: int) -> np.ndarray:
    """Sums of numbers from 0 to 1, one for each instance."""
    found = integers_of_bytes(packed, name, WIDTH, shape)
    most = instances << DIGIT * PLACES
    check(all(0 <= number <= most for number in found.flat), "a sum is out of range")
    return found


def _mistakes(packed: Packed, places: int, instances: int) -> MistakeCounts:
    """Each place is that of as many instances, and with more places the nearest is no farther."""
    found = []
    for name in MISTAKES:
        numbers = packed.arrays.get(name, np.zeros(0))
        fit = numbers.dtype.kind == "u" and len(numbers) >= places and len(numbers) % places == 0
        check(fit and numbers.max(initial=0) <= instances, "counts of distances do not fit")
        found.append(numbers.reshape(places, -1).astype(np.int64))
    ranked, nearest = found
    check(ranked.shape == nearest.shape and (ranked[0] == nearest[0]).all(), "counts of distances do not fit")
    reached = nearest.cumsum(axis=1)
    same = len({*ranked.sum(axis=1).tolist(), *reached[:, -1].tolist()}) == 1
    check(same and reached[0, -1] <= instances, "counts of distances do not fit")
    check((reached[1:] >= reached[:-1]).all(), "distances grow with the classes ranked")
    return MistakeCounts(ranked, nearest)


def _counts(h: Hierarchy, packed: Packed, thresholds: int, instances: int) -> tuple[np.ndarray, ...]:
    """The classes that are counted, how often each is predicted and right at each threshold, and how often true."""
    classes = packed.arrays.get("classes", np.zeros(0))
    check_rows(np.array([0, len(classes)], np.int64), classes, 1, len(h))
    found = []
    for name in COUNTED:
        rows, numbers = 1 if name == "true" else thresholds, packed.arrays.get(name, np.zeros(0))
        check(numbers.dtype.kind == "u" and len(numbers) == rows * len(classes), "counts per class do not fit")
        check(numbers.max(initial=0) <= instances, "a count is too large")
        found.append(numbers.reshape(rows, len(classes)).astype(np.int64))
    predicted, right, true = found
    check((predicted[1:] <= predicted[:-1]).all() and (right[1:] <= right[:-1]).all(), "counts rise with the threshold")
    check((right <= predicted).all() and (right <= true).all(), "more is right than predicted or true")
    check((predicted - right <= instances - true).all(), "more is wrong than there are instances")
    numbers = h.by_name[classes]
    order = np.argsort(numbers)
    return numbers[order], predicted[:, order], right[:, order], true[0, order]
