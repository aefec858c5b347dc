"""Functions of numbers that also work elementwise on arrays.

NumPy is imported only for an array. For numbers the functions return the same values as NumPy:
infinity or nan if the result is not a finite number.
"""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

LARGE = 1e15  # numbers from here on are written with an exponent


def is_array(value: Any) -> bool:
    """Return whether a value is a NumPy array."""
    return hasattr(value, "__array_function__")


def quiet(*values: Any) -> AbstractContextManager[Any]:
    """Return a context without NumPy's warnings, if one of the values is an array."""
    if not any(map(is_array, values)):
        return nullcontext()
    import numpy

    return numpy.errstate(all="ignore")


def _or_of_arrays(name: str, of_numbers: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that uses `of_numbers`, and the NumPy function `name` for arrays."""

    def of(*values: Any) -> Any:
        if not any(map(is_array, values)):
            return of_numbers(*values)
        import numpy

        return getattr(numpy, name)(*values)

    return of


def _divide(part: float, whole: float) -> float:
    if whole:
        return part / whole
    return (
        math.copysign(math.inf, part) * math.copysign(1.0, whole)
        if part and part == part
        else math.nan
    )


divide = _or_of_arrays("divide", _divide)  # x / 0 is infinite, 0 / 0 is nan
sqrt = _or_of_arrays("sqrt", lambda value: math.sqrt(value) if value >= 0 else math.nan)
log = _or_of_arrays("log", lambda value: math.log(value) if value > 0 else math.nan)
hypot = _or_of_arrays("hypot", lambda a, b: abs(complex(a, b)))  # math.hypot rounds differently
minimum = _or_of_arrays("minimum", lambda a, b: a if a != a or a <= b else b)  # nan if one is
maximum = _or_of_arrays("maximum", lambda a, b: a if a != a or a >= b else b)
# ignores nan
known_maximum = _or_of_arrays("fmax", lambda a, b: a if b != b or a >= b else b)
where = _or_of_arrays("where", lambda condition, a, b: a if condition else b)


def at_least(k: int, n: int) -> float:
    """Return the probability of at least `k` heads in `n` throws of a coin.

    >>> at_least(9, 10) == 11 / 1024, at_least(0, 0)
    (True, 1.0)
    """
    return float(sum(math.comb(n, heads) for heads in range(k, n + 1)) / 2**n)
