"""Reading printed strings, and comparing values of ours with them."""

import numpy as np
import pytest

from hiermeasures.cases import printed
from hiermeasures.cases.printed import CountedNodes
from hiermeasures.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.66", 0.66), ("0,33", 0.33), ("-0.143", -0.143), ("−0.143", -0.143), ("7", 7), ("2/3", 2 / 3), ("6 + Max", 6)],
)
def test_numbers_are_read_as_papers_print_them(text, value):
    assert printed.number(text).value == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "abc", "0.5.1", "1/0", "Max", "0.73(4)", "nan", "1e5", "٣"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(InputError, match=r"is no number|divides by 0"):
        printed.number(text)


NAN = float("nan")
AGREE = [  # rounded, truncated, or a half that goes either way
    (2 / 3, "0.67"), (2 / 3, "0.66"), (1 / 6, "0.166"), (2 / 7, "0.28"), (8 / 15, "0.533"), (-1 / 7, "-0.143"),
    (-1 / 7, "-0.142"), (0.125, "0.12"), (0.125, "0.13"), (7.0, "7"),
]  # fmt: skip
DIFFER = [
    (2 / 3, "0.65"), (2 / 3, "0.68"), (0.5, "0.49"), (-0.138, "0.138"), (1 / 3, "0"), (0.8, "1"), (7.4, "7"),
    (NAN, "0.5"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), [*AGREE, *DIFFER])
def test_a_value_agrees_with_what_it_rounds_or_truncates_to_alone(value, text):
    assert printed.agrees(value, printed.number(text)) == ((value, text) in AGREE)


def test_a_whole_number_is_rounded_to_only_in_per_cent():
    assert printed.agrees(85.714, printed.number("86"), rounded_whole=True)
    assert not printed.agrees(85.714, printed.number("86"))


def test_a_sum_with_the_maximum_takes_it_from_the_options():
    assert printed.agrees(11.0, printed.number("6 + Max"), maximum=5.0)
    assert not printed.agrees(11.0, printed.number("6 + Max"), maximum=4.0)


def test_a_number_that_is_only_cut_off_is_told_from_a_rounded_one():
    assert printed.truncated_only(2 / 3, printed.number("0.66"))
    assert not printed.truncated_only(2 / 3, printed.number("0.67"))
    assert not printed.truncated_only(0.5, printed.number("0.5"))


def test_a_cell_may_hold_two_numbers():
    assert printed.bracketed("0.73(4)") == ("0.73", "4")
    assert printed.bracketed("0 (10)") == ("0", "10")
    with pytest.raises(InputError, match="second in brackets"):
        printed.bracketed("0.73")


def test_sets_and_paths_are_equal_or_not():
    assert printed.agrees({"3", "3.2"}, printed.nodes("{3, 3.2}"))
    assert not printed.agrees({"3"}, printed.nodes("{3, 3.2}"))
    assert printed.agrees({("A", "B"), ("A", "C", "B")}, printed.paths("A, B; A, C, B"))
    assert not printed.agrees({("B", "A")}, printed.paths("A, B"))
    assert printed.agrees(frozenset(), printed.nodes("{}"))


def test_counted_nodes_need_the_count_and_the_nodes_of_every_path():
    cell = printed.counted_nodes("3 {A, D}{B}")
    assert printed.agrees(CountedNodes(3, (frozenset("B"), frozenset("AD"))), cell)  # in any order of the paths
    assert printed.agrees(
        CountedNodes(3, (frozenset("AD"), frozenset("B"), frozenset())), cell
    )  # an empty path is no node
    assert not printed.agrees(CountedNodes(2, (frozenset("AD"), frozenset("B"))), cell)
    assert not printed.agrees(CountedNodes(3, (frozenset("A"), frozenset("BD"))), cell)
    assert printed.agrees(CountedNodes(0, (frozenset(),)), printed.counted_nodes("0"))


@pytest.mark.parametrize("text", ["{A", "A}", "3 {A", "x {A}", "3 A"])
def test_half_a_set_is_refused(text):
    with pytest.raises(InputError):
        printed.counted_nodes(text)


def test_arrays_agree_element_by_element():
    agreed = printed.agree(np.array([0.6667, 0.5, np.nan]), printed.number("0.66"))
    assert agreed.tolist() == [True, False, False]
