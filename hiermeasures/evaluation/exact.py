"""Exact sums, how partial results join, and pydantic's checks of their numbers.

The sums do not depend on how instances were cut into parts. Floats are added as fractions. Only
`float` rounds them, once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from hiermeasures.hierarchy.errors import InputError

MOST_COUNTED = 2**53
"""Bound on every count in an array, so that the sum of two counts does not overflow."""


def exact_sum(values: np.ndarray) -> Fraction:
    """Return the exact sum of at most 2^27 finite floats.

    >>> float(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    # A float is a whole number of 53 bits times a power of two. For each power, the sums of both
    # halves are exact.
    fraction, power = np.frexp(np.asarray(values, np.float64))
    whole, place = (fraction * 2.0**53).astype(np.int64), power + 1100  # not negative
    high, low = (np.bincount(place, half) for half in (whole >> 27, whole & (1 << 27) - 1))
    some = np.flatnonzero((high != 0) | (low != 0)).tolist()
    return (
        sum(((int(high[k]) << 27) + int(low[k])) * Fraction(2) ** (k - 1153) for k in some)
        + Fraction()
    )


def sum_of_few(floats: list[float]) -> Fraction:
    """Return the exact sum of a short list of finite floats."""
    ratios = [x.as_integer_ratio() for x in floats]
    below = max((d for _, d in ratios), default=1)
    return Fraction(sum(n * (below // d) for n, d in ratios), below)


def parts_of(number: Fraction) -> list[float]:
    """Return a few floats, the largest first, that add up to an exact sum.

    >>> parts_of(exact_sum(np.array([1e16, 1.0])))
    [1e+16, 1.0]
    """
    parts = []
    while number:
        parts.append(float(number))
        number -= Fraction(parts[-1])
    return parts


class _Exact:
    """An exact sum as up to 64 floats (40 suffice) of at most 1e300, so no sum overflows."""

    def __get_pydantic_core_schema__(self, *_: Any) -> Any:
        from pydantic_core import core_schema

        part = core_schema.float_schema(ge=-1e300, le=1e300, allow_inf_nan=False)
        return core_schema.no_info_after_validator_function(
            sum_of_few,
            core_schema.list_schema(part, max_length=64),
            serialization=core_schema.plain_serializer_function_ser_schema(parts_of),
        )


@dataclass(frozen=True)
class _Below:
    """A whole number from 0 and below a bound. Only code that checks it imports pydantic."""

    bound: int

    def __get_pydantic_core_schema__(self, *_: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.int_schema(ge=0, lt=self.bound)


ExactSum = Annotated[Fraction, _Exact()]
Count = Annotated[int, _Below(2**63)]
InstanceCount = Annotated[int, _Below(MOST_COUNTED)]


def sum_of_fields(a: Any, b: Any) -> Any:
    """Return the sum of two fields of partial results.

    It is None if one is None. Mappings are added key by key, and tuples place by place.
    """
    if a is None or b is None:
        return None
    if isinstance(a, Mapping):
        return {
            **a,
            **{key: sum_of_fields(a[key], each) if key in a else each for key, each in b.items()},
        }
    if isinstance(a, tuple):
        return tuple(map(sum_of_fields, a, b))
    found = a + b
    if isinstance(a, np.ndarray) and found.max(initial=0) >= MOST_COUNTED:
        raise InputError(
            "these partial results count more than 2^53 instances together. Join fewer of them."
        )
    return found
