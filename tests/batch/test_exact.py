"""Sums without rounding error: the few values that Python adds, and the many that a kernel adds."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.batch import exact

FINITE = st.floats(-1e100, 1e100)


@given(st.lists(FINITE, max_size=30))
def test_few_values_have_the_same_exact_sum_as_many(values):
    few = exact.exact_sum(np.array(values))
    assert few == exact.sum_of_many(np.array(values))
    assert exact.value(few) == math.fsum(values)
