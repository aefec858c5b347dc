"""Functions of numbers, and elementwise of arrays: NumPy is imported only where an array is given.

Of numbers they give what NumPy gives of arrays, infinity or nan where there is no number.
"""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any


def is_array(value: Any) -> bool:
    """True for an array of NumPy."""
    return hasattr(value, "__array_function__")


def quiet(*values: Any) -> AbstractContextManager[Any]:
    """A context in which NumPy does not warn, if there is an array among the values."""
    if not any(map(is_array, values)):
        return nullcontext()
    import numpy

    return numpy.errstate(all="ignore")


def _or_of_arrays(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function of numbers; NumPy's of this name takes over where an array is given."""

    def decorated(of_numbers: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(of_numbers)
        def of(*values: Any) -> Any:
            if not any(map(is_array, values)):
                return of_numbers(*values)
            import numpy

            return getattr(numpy, name)(*values)

        return of

    return decorated


@_or_of_arrays("divide")
def divide(part: float, whole: float) -> float:
    """part / whole; over 0 infinite, or nan.

    >>> divide(1.0, 4.0), divide(-1.0, 0.0), divide(0.0, 0.0)
    (0.25, -inf, nan)
    """
    if whole:
        return part / whole
    return math.copysign(math.inf, part) * math.copysign(1.0, whole) if part and part == part else math.nan


@_or_of_arrays("sqrt")
def sqrt(value: float) -> float:
    """The square root; nan below 0."""
    return math.sqrt(value) if value >= 0 else math.nan


@_or_of_arrays("hypot")
def hypot(a: float, b: float) -> float:
    """√(a² + b²), rounded as NumPy's (math.hypot rounds otherwise)."""
    return abs(complex(a, b))


@_or_of_arrays("minimum")
def minimum(a: float, b: float) -> float:
    """The smaller number; nan if one is."""
    return a if a != a or a <= b else b


@_or_of_arrays("maximum")
def maximum(a: float, b: float) -> float:
    """The larger number; nan if one is."""
    return a if a != a or a >= b else b


@_or_of_arrays("fmax")
def known_maximum(a: float, b: float) -> float:
    """The larger number, of those that are not nan."""
    return a if b != b or a >= b else b


@_or_of_arrays("isfinite")
def is_finite(value: float) -> bool:
    """True for what is neither infinite nor nan."""
    return math.isfinite(value)


@_or_of_arrays("where")
def where(condition: bool, a: Any, b: Any) -> Any:
    """a where a condition holds, else b."""
    return a if condition else b


def at_least(k: int, n: int) -> float:
    """The probability of `k` heads or more in `n` throws.

    >>> at_least(9, 10) == 11 / 1024, at_least(0, 0)
    (True, 1.0)
    """
    return float(sum(math.comb(n, heads) for heads in range(k, n + 1)) / 2**n)
