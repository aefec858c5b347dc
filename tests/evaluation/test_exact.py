"""Exact sums: of any finite floats, and as a few floats."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.evaluation.exact import exact_sum, parts_of, sum_of_few

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@given(st.lists(FINITE, max_size=300))
def test_a_sum_is_that_of_the_fractions_and_of_a_few_floats(values):
    found = exact_sum(np.array(values))
    assert found == sum_of_few(values) == sum(map(Fraction, values))
    assert sum_of_few(parts_of(found)) == found


def test_many_numbers_of_all_magnitudes_are_added_exactly():
    random = np.random.default_rng(0)
    values = random.normal(size=20_000) * 10.0 ** random.integers(-300, 300, 20_000)
    assert exact_sum(values) == sum_of_few(values.tolist())
