"""Two-sided tests of whether two systems differ, and the correction for several pairs.

A test of instances takes the differences "a minus b" of the values of one measure. Their sign makes
a positive difference good for a. If a is favoured, the p-value is that of a two-sided test, else
1. hiermeasures.evaluation.compare.resampling has the tests of values computed from sums.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from hiermeasures.hierarchy.extras import require

TESTS = ("sign", "wilcoxon", "permutation", "bootstrap")
ABOUT_P_VALUES = (
    "Each two-sided p-value, after correction, is in the row of the better system. The other cells "
    "are 1."
)
SMALLEST = 1e-12  # smaller differences come from the order of sums


def sign_test(differences: np.ndarray) -> float:
    """Run the sign test: count the instances that are better for a, and those that are worse.

    Kosmopoulos et al. 2015 (Eq. 6, after Yang and Liu 1999) call it the micro sign test. They use
    it one-sided. From 12 differing instances on, they approximate it by the normal distribution.
    This function always uses the binomial distribution.

    Parameters
    ----------
    differences : array, (instances,)
        Differences of a measure. A positive one is good for a. Zeros do not count.

    Returns
    -------
    float
        The two-sided p-value, or 1 if a is not better.

    See Also
    --------
    wilcoxon_test : Use the sizes of the differences too.
    holm : Correct the p-values of several pairs.

    Examples
    --------
    >>> round(sign_test(np.array([1.0] * 9 + [-1.0])), 4)     # 2 P(k ≥ 9 of 10) = 22/1024
    0.0215
    """
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    return 1.0 if better <= worse else min(1.0, 2 * _tail(better, better + worse))


def _tail(k: int, n: int) -> float:
    """Return the probability of k heads or more in n throws, for k above n / 2."""
    heads = np.arange(k, n)
    first = math.exp(
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
    )
    return first * (1 + float(np.cumprod((n - heads) / (heads + 1)).sum()))


def wilcoxon_test(differences: np.ndarray) -> float:
    """Run Wilcoxon's signed-rank test, which ranks the sizes of the differences.

    Parameters
    ----------
    differences : array, (instances,)
        Differences of a measure. A positive one is good for a. Zeros do not count.

    Returns
    -------
    float
        The two-sided p-value, or 1 if a is not better.

    See Also
    --------
    sign_test : Use only the signs of the differences.
    """
    require("compare", "the Wilcoxon test", "scipy")
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    return min(1.0, 2 * float(wilcoxon(differences, alternative="greater", correction=True).pvalue))


OF_INSTANCES: Mapping[str, Callable[[np.ndarray], float]] = {
    "sign": sign_test,
    "wilcoxon": wilcoxon_test,
}


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjust p-values by Holm's step-down correction. Compare all of them with the same level.

    Parameters
    ----------
    p_values : array, (tests,)

    Returns
    -------
    array, (tests,)
        The adjusted p-values in their old order, at most 1.

    See Also
    --------
    hiermeasures.evaluation.compare.compare : Correct over all pairs of systems.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
