"""Expressions of case files, of `find` and of own measures: arithmetic and comparisons, and nothing
else.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.expressions import Expression, ExpressionError, truncated


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
        "a.b.c",
        "__class__",
        "a.__class__",
        "eval(a)",
        "\u210eF",  # a letter that Python would read as h
        "1_000",
        "1e999",
        "truncated(b, 1, 2)",
        "min()",
        "a[0]",
        "lambda: 1",
        "'text'",
        "a if b else c",
        "f(a, key=1)",
        "",
        "True",
    ],
)
def test_anything_but_arithmetic_is_refused(text):
    with pytest.raises(InputError):
        Expression(text)


@pytest.mark.parametrize(
    ("text", "marked", "says"),
    [
        ("2 * (hF + hP", "(", "never closed"),
        ("2 * hF)", ")", "unmatched"),
        ("hF $ hP", "$", "no meaning"),
        ("hF hP", "hP", "operator.* is missing before 'hP'"),
        ("(hF + hP) TIE", "TIE", "operator.* is missing before 'TIE'"),
        ("hF not hP", "not", "operator.* is missing before 'not'"),
        ("2 (hF)", "(", "operator.* is missing"),
        ("01 + hF", "01", "write 1, without"),
        ("1 < 1 and not hF < 007", "007", "write 7, without"),
        ("hF < > hP", ">", "before '>'"),
        ("1 < not hF", "not", "is missing before"),
        ("max(hF, )", ")", "is missing before"),
        ("hF = 0.5", "=", "write =="),
        ("2hF", "2hF", "no meaning"),
        ("sqr(hF)", "sqr", "'sqrt'"),
        ("hF + * hP", "*", "is missing before"),
        ("hF ** 2", "**", "a \\* a"),
        ("hF * (hP > 1)", "hP > 1", "a number is needed"),
        ("hF and hP > 1", "hF", "a condition is needed"),
        ("min(hF, abs(hP, 2))", "abs(hP, 2)", r"abs\(a\)"),
        ("min(hF; hP)", ";", "no meaning"),
        ("min(hF hP)", "hP", "before 'hP'"),
    ],
)
def test_a_fault_is_marked_where_it_is(text, marked, says):
    with pytest.raises(ExpressionError, match=says) as caught:
        Expression(text)
    assert text[caught.value.start : caught.value.end] == marked
    line, marks = caught.value.underlined.split("\n")
    assert line == text
    assert marks == " " * text.index(marked) + "^" * len(marked)


def test_what_is_missing_at_the_end_is_marked_after_it():
    with pytest.raises(ExpressionError, match="missing at the end") as caught:
        Expression("hF + ")
    assert caught.value.underlined == "hF + \n    ^"


HOSTILE = (
    "(" * 100_000,
    "(" * 5000 + "1" + ")" * 5000,
    "-" * 100_000 + "1",
    "1+" * 50_000 + "1",
    "9" * 100_000,
    "not " * 74,
    "abs(" * 74,
    "a+" * 149 + "a",
    "9**9**9**9",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_expressions_are_refused_at_once(text):
    with pytest.raises(ExpressionError) as caught:
        Expression(text)
    assert len(str(caught.value)) < 300
    assert max(map(len, caught.value.underlined.split("\n"))) < 300


def test_whatever_is_typed_is_an_expression_or_a_fault_inside_it():
    alphabet = st.text("hFaT_.0123 +-*/()<>=,!^'\"\\\n\0", max_size=40) | st.text(max_size=20)

    @given(alphabet)
    def check(text):
        fault = fault_of(text)
        assert fault is None or 0 <= fault.start < fault.end <= len(text) + 1

    check()


def fault_of(text):
    try:
        Expression(text)
    except ExpressionError as fault:
        return fault


@pytest.mark.parametrize("text", ["1 / a", "sqrt(a - 1)", "1e60 * 1e60 * b"])
def test_an_expression_without_a_value_says_so(text):
    with pytest.raises(InputError, match="is undefined here"):
        Expression(text)({"a": 0.0, "b": 1.0})


def test_a_number_beyond_the_bound_is_refused_where_it_is_written():
    with pytest.raises(ExpressionError, match="too large") as caught:
        Expression("truncated(1e308*hF, 2)")
    assert caught.value.start == len("truncated(")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("a / b > 2", [False, True]),
        ("not a / b > 2", [False, False]),
        ("b == 0 or a / b > 2", [False, True]),
        ("a * a * b < 5", [True, False]),
        ("not c > 0", [False, False]),
    ],
)
def test_a_condition_with_a_part_that_has_no_value_does_not_hold(text, holds):
    """In the first row b is 0, in the second a * a is more than 1e100; c has no value in either."""
    rows = {"a": [1.0, 1e60], "b": [0.0, 1.0], "c": [math.nan] * 2}
    assert (
        Expression(text).over({name: np.array(values) for name, values in rows.items()}, 2).tolist()
        == holds
    )
    for number, held in enumerate(holds):
        try:
            assert Expression(text)({name: values[number] for name, values in rows.items()}) == held
        except InputError:
            assert not held


@pytest.mark.parametrize("value", [1e100, -1e100, 2.0**52 + 1, 1e20])
def test_whole_numbers_stay_what_they_are_where_digits_are_cut(value):
    for digits in (0.0, 2.0, 12.0, 1e99, -1e99):
        assert Expression("truncated(a, n) == rounded(a, n)")({"a": value, "n": digits})
        assert Expression("truncated(a, n)")({"a": value, "n": digits}) == value


def test_a_name_may_have_classes_and_sets_of_classes_in_brackets():
    found = Expression("1 - TP(counts, 2) / LCA(a (b), {3.2, new york})", ["TP", "LCA"])
    assert {node.name: node.arguments for node in found.used.values()} == {
        "TP": ("counts", "2"),
        "LCA": ("a (b)", frozenset({"3.2", "new york"})),
    }
    values = {"TP(counts, 2)": 3.0, "LCA(a (b), {3.2, new york})": 4.0}
    assert found(values) == 0.25


@pytest.mark.parametrize("text", ["LCA(a", "LCA(a,)", "LCA({a, b)", "LCA({a}{b})", "f(a)"])
def test_arguments_that_are_no_classes_are_refused(text):
    with pytest.raises(ExpressionError):
        Expression(text, ["LCA"])


@pytest.mark.parametrize(
    ("text", "left", "printed"),
    [
        ("hF = 2/3", "hF", "2/3"),
        ("LCA(a, b) = {c, d}", "LCA(a, b)", "{c, d}"),
        ("min(a, b) == 1", "min(a, b) == 1", None),
    ],
)
def test_a_claim_has_a_printed_side(text, left, printed):
    found = Expression(text, ["LCA"], claim=True)
    assert (found.root.text, found.printed) == (left, printed)


def test_the_logarithm_is_natural_and_has_no_value_up_to_0():
    assert Expression("-log(a / 4)")({"a": 1.0}) == pytest.approx(2 * math.log(2))
    with pytest.raises(InputError):
        Expression("log(a)")({"a": 0.0})
    assert np.isnan(Expression("log(a)").numbers({"a": np.array([0.0, -1.0])}, np.divide)).all()


def test_truncating_cuts_digits_off():
    assert truncated(1 / 3, 2) == 0.33
    assert truncated(-1 / 3, 2) == -0.33
    assert truncated(0.29, 2) == 0.29  # and not 0.28, which 0.29 * 100 in binary would give


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("a > 0.5", 0.25),
        ("a < 1 and b > 1", 0.25),  # the least of 0.25 and 1
        ("a < 1 or b > 1", 1.0),
        ("not b < a", 1.25),
        ("0 < a < b", 0.75),
        ("b == 2", 0.0),
        ("b == 2 and a > 0.5", 0.25),  # equal numbers say nothing of how far
    ],
)
def test_a_condition_says_how_far_it_holds(text, margin):
    assert Expression(text).margin({"a": np.array([0.75]), "b": np.array([2.0])}, 1).tolist() == [
        margin
    ]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("a - b - c", "a - b - c"),
        ("-(a + b) * c", r"-\left(a + b\right) \cdot c"),
        ("a * (b * c)", r"a \cdot \left(b \cdot c\right)"),
        (
            "sqrt(a * b) / max(a, 2.50)",
            r"\frac{\sqrt{a \cdot b}}{\mathrm{max}\left(a, 2.50\right)}",
        ),
    ],
)
def test_latex_keeps_what_belongs_together(text, latex):
    assert Expression(text).latex(str) == latex
