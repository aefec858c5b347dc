"""Sums of floats without rounding error, so that a sum does not depend on how a batch was cut into pieces.

A sum is kept as a few floats that together are its exact value (Shewchuk 1997, "Adaptive precision floating-point
arithmetic"); only `value` rounds, once.
"""

import math
from collections.abc import Iterable

import numpy as np

ExactSum = tuple[float, ...]
_FEW = 250  # values that are not worth loading a kernel, and numba


def exact_sum(values: np.ndarray) -> ExactSum:
    """The exact sum of finite floats.

    >>> value(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    if len(values) <= _FEW:
        return added((), np.asarray(values, np.float64).tolist())
    return sum_of_many(values)


def sum_of_many(values: np.ndarray) -> ExactSum:
    """The same by a kernel."""
    from hiermeasures.batch.kernels.sums import expansion

    return tuple(expansion(np.ascontiguousarray(values, np.float64)).tolist())


def added(a: ExactSum, b: Iterable[float]) -> ExactSum:
    """The exact sum of two exact sums, or of one and some floats.

    >>> value(added((1e16,), added((1.0,), (-1e16,))))
    1.0
    """
    parts = list(a)
    for x in b:
        kept = 0
        for y in parts:
            high, low = _two_sum(x, y)
            if low:
                parts[kept] = low
                kept += 1
            x = high
        parts[kept:] = [x]
    return tuple(part for part in parts if part)


def value(parts: Iterable[float]) -> float:
    """The float nearest to an exact sum."""
    return math.fsum(parts)


def _two_sum(x: float, y: float) -> tuple[float, float]:
    if abs(x) < abs(y):
        x, y = y, x
    high = x + y
    return high, y - (high - x)
