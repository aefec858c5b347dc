"""Paired tests of whether one system beats another, over the per-instance values of one measure,
all one-sided.

Each test takes the differences "a minus b", oriented so that a positive one favours a, and answers
the p-value of "a is better".
"""

import math
from collections.abc import Callable

import numpy as np

from hiermeasures.core.binomial import at_least

EXACT_SIGN_TEST_UP_TO = 12


def sign_test(differences: np.ndarray) -> float:
    """The paper's micro sign test (Kosmopoulos et al. 2015, Eq. 6, after Yang and Liu 1999).

    With k of n differing instances in favour of a, Z = (k − n/2) / (√n / 2) is compared with the
    standard normal distribution; up to n = 12 the binomial distribution itself is used. Without a
    difference p is 1.

    >>> round(sign_test(np.array([1.0] * 9 + [-1.0])), 4)     # P(k ≥ 9 of 10) = 11/1024
    0.0107
    """
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    n = better + worse
    if n == 0:
        return 1.0
    if n <= EXACT_SIGN_TEST_UP_TO:
        return at_least(better, n)
    z = (better - 0.5 * n) / (0.5 * math.sqrt(n))
    return 0.5 * math.erfc(z / math.sqrt(2))


def wilcoxon_test(differences: np.ndarray) -> float:
    """Wilcoxon's signed-rank test, which also weighs sizes; zero differences are dropped."""
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, alternative="greater", method="auto").pvalue)


def bootstrap_test(differences: np.ndarray, resamples: int = 1000, seed: int = 0) -> float:
    """The share of paired resamples in which a is not better, and the observed one (Davison and
    Hinkley 1997, 4.3).
    """
    if not len(differences) or not differences.any():
        return 1.0
    rng = np.random.default_rng(seed)
    not_better = 0
    batch = max(1, 5_000_000 // len(differences))
    for start in range(0, resamples, batch):
        drawn = rng.integers(0, len(differences), (min(batch, resamples - start), len(differences)))
        not_better += int((differences[drawn].mean(axis=1) <= 0).sum())
    return (not_better + 1) / (resamples + 1)


TESTS: dict[str, Callable[[np.ndarray], float]] = {
    "sign": sign_test,
    "wilcoxon": wilcoxon_test,
    "bootstrap": bootstrap_test,
}


def holm(p_values: np.ndarray) -> np.ndarray:
    """Holm's step-down correction: adjusted p-values in the order given, for rejecting at one level
    over all of them.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
