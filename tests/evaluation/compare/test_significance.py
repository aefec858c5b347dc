"""The tests between two systems: by hand where n is small, against scipy elsewhere."""

import numpy as np
import pytest
from scipy import stats

from hiermeasures.evaluation.compare import holm, sign_test, wilcoxon_test


def test_the_sign_test_is_two_sided_and_exact():
    # 10 of 12 in favour: twice (C(12,10) + C(12,11) + C(12,12)) / 2^12 = 2 (66 + 12 + 1) / 4096;
    # ties do not count.
    differences = np.array([1.0] * 10 + [-1.0] * 2 + [0.0] * 50)
    assert sign_test(differences) == pytest.approx(158 / 4096)


def test_it_is_scipy_s_binomial_test_for_many_instances():
    for better, worse in ((60, 40), (501, 499), (5_200, 4_800), (50_600, 49_400)):
        differences = np.array([0.1] * better + [-0.9] * worse)
        assert sign_test(differences) == pytest.approx(
            stats.binomtest(better, better + worse).pvalue, rel=1e-8
        )
        assert sign_test(-differences) == 1  # the worse system is not better


def test_no_difference_is_no_evidence():
    nothing = np.zeros(20)
    assert sign_test(nothing) == wilcoxon_test(nothing) == 1


def test_the_sign_test_ignores_how_large_a_difference_is_and_wilcoxon_does_not():
    differences = np.array([0.01] * 16 + [-1.0] * 4)
    assert sign_test(differences) < 0.02
    assert wilcoxon_test(differences) > 0.1


def test_holm_multiplies_by_the_hypotheses_left_and_never_falls():
    # Sorted 0.01, 0.02, 0.03, 0.5 times 4, 3, 2, 1 = 0.04, 0.06, 0.06, 0.5
    assert holm(np.array([0.5, 0.01, 0.03, 0.02])) == pytest.approx([0.5, 0.04, 0.06, 0.06])


@pytest.mark.parametrize("better", range(1, 40))
def test_a_p_value_of_the_sign_test_is_at_most_one(better):
    assert sign_test(np.array([1.0] * better + [-1.0] * (better - 1))) <= 1
