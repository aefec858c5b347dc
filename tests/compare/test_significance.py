"""The tests between two systems: by hand where n is small, against scipy elsewhere."""

import numpy as np
import pytest
from scipy import stats

from hiermeasures.compare import holm, sign_test, wilcoxon_test


def test_up_to_twelve_differing_instances_the_binomial_distribution_is_exact():
    # 10 of 12 in favour: (C(12,10) + C(12,11) + C(12,12)) / 2^12 = (66 + 12 + 1) / 4096; ties do
    # not count.
    differences = np.array([1.0] * 10 + [-1.0] * 2 + [0.0] * 50)
    assert sign_test(differences) == 79 / 4096


def test_beyond_twelve_it_is_the_normal_approximation_of_equation_8():
    # n = 100, k = 60: Z = (60 - 50) / (0.5 * 10) = 2
    assert sign_test(np.array([0.1] * 60 + [-0.9] * 40)) == pytest.approx(stats.norm.sf(2))


def test_no_difference_is_no_evidence():
    nothing = np.zeros(20)
    assert sign_test(nothing) == wilcoxon_test(nothing) == 1


def test_the_sign_test_ignores_how_large_a_difference_is_and_wilcoxon_does_not():
    differences = np.array([0.01] * 12 + [-1.0] * 8)
    assert sign_test(differences) < 0.5
    assert wilcoxon_test(differences) > 0.5


def test_holm_multiplies_by_the_hypotheses_left_and_never_falls():
    # Sorted 0.01, 0.02, 0.03, 0.5 times 4, 3, 2, 1 = 0.04, 0.06, 0.06, 0.5
    assert holm(np.array([0.5, 0.01, 0.03, 0.02])) == pytest.approx([0.5, 0.04, 0.06, 0.06])
