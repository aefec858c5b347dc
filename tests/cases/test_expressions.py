"""Expressions of case files: arithmetic and comparisons, and nothing else."""

import pytest

from hiermeasures.cases.expressions import Expression, truncated
from hiermeasures.errors import InputError


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("1 - e / 15", {"e": 12.0}, 0.2),
        ("2 * p * truncated(r, 2) / (p + truncated(r, 2))", {"p": 1.0, "r": 1 / 3}, 0.66 / 1.33),
        ("max(a, b) - min(a, b)", {"a": 1.0, "b": 3.0}, 2.0),
        ("-a", {"a": 1.0}, -1.0),
        ("0 < a < b", {"a": 1.0, "b": 2.0}, True),
        ("a == b", {"a": 0.1 + 0.2, "b": 0.3}, True),
        ("a < b", {"a": 0.3, "b": 0.1 + 0.2}, False),  # less by rounding only is not less
        ("not a < b and b <= a", {"a": 2.0, "b": 1.0}, True),
    ],
)
def test_expressions_have_the_value_they_say(text, values, expected):
    assert Expression(text)(values) == pytest.approx(expected)


def test_the_names_of_an_expression_are_known():
    assert Expression("2 * hP + hR").names == {"hP", "hR"}


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "a.b",
        "a[0]",
        "lambda: 1",
        "'text'",
        "2 ** 9",
        "a if b else c",
        "f(a, key=1)",
        "eval(a)",
        "1 +",
        "",
        "True",
        "a" * 400,
    ],
)
def test_anything_but_arithmetic_is_refused(text):
    with pytest.raises(InputError):
        Expression(text)


def test_deep_nesting_is_refused_and_does_not_crash():
    with pytest.raises(InputError):
        Expression("(" * 5000 + "1" + ")" * 5000)


@pytest.mark.parametrize("text", ["1 / a", "sqrt(a - 1)", "truncated(b, 1, 2)"])
def test_an_expression_without_a_value_says_so(text):
    with pytest.raises(InputError, match="has no value"):
        Expression(text)({"a": 0.0, "b": 1.0})


def test_truncating_cuts_digits_off():
    assert truncated(1 / 3, 2) == 0.33
    assert truncated(-1 / 3, 2) == -0.33
    assert truncated(0.29, 2) == 0.29  # and not 0.28, which 0.29 * 100 in binary would give
