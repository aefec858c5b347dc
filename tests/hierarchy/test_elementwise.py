"""Functions of numbers give what NumPy gives of arrays, bit for bit."""

import struct
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.hierarchy import elementwise

ODD = [0.0, -0.0, 1.0, -2.5, 1e300, 5e-324, float("inf"), float("-inf"), float("nan")]


def bits(value):
    return struct.pack("<d", value) if value == value else b"nan"


def check(name, numbers):
    function = getattr(elementwise, name)
    with np.errstate(all="ignore"):
        arrays = function(*(np.array([number]) for number in numbers))
    assert bits(function(*numbers)) == bits(arrays[0])


@pytest.mark.parametrize("name", ["divide", "minimum", "maximum", "known_maximum"])
def test_odd_numbers(name):
    for numbers in product(ODD, ODD):
        if numbers != (0.0, 0.0) or name == "divide":  # of two zeros NumPy takes either
            check(name, numbers)


@given(st.floats(0, 1e12), st.floats(0, 1e12))
def test_roots_and_sums_of_squares(a, b):
    check("sqrt", (a,))
    check("hypot", (a, b))


@pytest.mark.parametrize("value", ODD)
def test_roots_of_odd_numbers(value):
    check("sqrt", (value,))
