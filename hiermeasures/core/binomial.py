"""The binomial distribution of a fair coin, without NumPy."""

from math import comb


def at_least(k: int, n: int) -> float:
    """The probability of `k` heads or more in `n` throws.

    >>> at_least(9, 10) == 11 / 1024, at_least(0, 0)
    (True, 1.0)
    """
    return float(sum(comb(n, heads) for heads in range(k, n + 1)) / 2**n)
