"""Sums of floats from 0 to 1 as integers, so that they do not depend on the order: each number is cut into digits of 32
bits, and the sums of digits become one of Python's integers. For sums of other floats see exact.py, for weights of
terms hiermeasures.inference.cafa_sums; as bytes they go by packing.py.
"""

from fractions import Fraction

import numpy as np

DIGIT = 32  # bits
PLACES = 4
"""Digits after the point. A ratio of counts to 2^32 is exact in three, and a product of two in four; of what is smaller
still each number is cut at the same place wherever it is.
"""


def summed(numbers: np.ndarray) -> np.ndarray:
    """The sums along the last axis of at most 2^30 numbers from 0 to 1, as Python's integers: times 2^128.

    >>> [n / 2**128 for n in summed(np.array([[0.1, 0.2, 0.3], [1.0, 1.0, 0.5]]))]
    [0.6, 2.5]
    """
    rest = np.array(numbers, np.float64)
    digits = np.empty((*rest.shape[:-1], PLACES), np.int64)
    for k in range(PLACES):
        rest *= 2.0**DIGIT
        whole = np.floor(rest)
        digits[..., k] = whole.astype(np.int64).sum(axis=-1)
        rest -= whole
    return integers(digits)


def integers(digits: np.ndarray) -> np.ndarray:
    """Sums of digits (…, digits) as Python's integers."""
    found: np.ndarray = np.zeros(digits.shape[:-1], object)
    for k in range(digits.shape[-1]):
        found = (found << DIGIT) + digits[..., k].astype(np.int64).astype(object)
    return found


def means(sums: np.ndarray, count: int) -> np.ndarray:
    """The floats nearest to what `summed` gave by a count; nan where it is 0."""
    if not count:
        return np.full(sums.shape, np.nan)
    return np.array([float(Fraction(n, count << DIGIT * PLACES)) for n in sums.ravel()]).reshape(sums.shape)
