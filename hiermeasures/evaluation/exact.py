"""Sums that do not depend on how instances were cut into parts, how results of parts join, and the
numbers in them as pydantic checks them. Floats are added as fractions, which only `float` rounds,
once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from hiermeasures.hierarchy.errors import InputError

MOST_COUNTED = 2**53
"""Bound on every count in an array, so that sums of two do not overflow."""


def exact_sum(values: np.ndarray) -> Fraction:
    """The exact sum of finite floats, at most 2^27 of them.

    >>> float(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    # A float is a whole number of 53 bits times a power of two. For each power both halves are
    # added, exactly.
    fraction, power = np.frexp(np.asarray(values, np.float64))
    whole, place = (fraction * 2.0**53).astype(np.int64), power + 1100  # not negative
    high, low = (np.bincount(place, half) for half in (whole >> 27, whole & (1 << 27) - 1))
    some = np.flatnonzero((high != 0) | (low != 0)).tolist()
    return (
        sum(((int(high[k]) << 27) + int(low[k])) * Fraction(2) ** (k - 1153) for k in some)
        + Fraction()
    )


def sum_of_few(floats: list[float]) -> Fraction:
    """The same of a list."""
    ratios = [x.as_integer_ratio() for x in floats]
    below = max((d for _, d in ratios), default=1)
    return Fraction(sum(n * (below // d) for n, d in ratios), below)


def parts_of(number: Fraction) -> list[float]:
    """A few floats whose exact sum is an exact sum, the largest first.

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
    """A whole number from 0 and below a bound. pydantic is imported by those who check."""

    bound: int

    def __get_pydantic_core_schema__(self, *_: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.int_schema(ge=0, lt=self.bound)


ExactSum = Annotated[Fraction, _Exact()]
Count = Annotated[int, _Below(2**63)]
InstanceCount = Annotated[int, _Below(MOST_COUNTED)]


def sum_of_fields(a: Any, b: Any) -> Any:
    """The sum of two fields: None if one is None, mappings key by key, tuples place by place."""
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
        raise InputError("joined, these partial results count more than 2^53 instances")
    return found
