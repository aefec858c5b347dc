"""Printed strings, and values of ours beside them; rankings: correlations from printed scores, and
the search for the smallest change.
"""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.verify import printed
from hiermeasures.verify.printed import CountedNodes
from hiermeasures.verify.rankings import Ranking, RankingReading, correlation, search
from tests.verify.helpers import shipped_report


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.66", 0.66),
        ("0,33", 0.33),
        ("-0.143", -0.143),
        ("−0.143", -0.143),
        ("7", 7),
        ("2/3", 2 / 3),
        ("6 + Max", 6),
    ],
)
def test_numbers_are_read_as_papers_print_them(text, value):
    assert printed.number(text).value == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "abc", "0.5.1", "1/0", "Max", "0.73(4)", "nan", "1e5", "٣"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(InputError, match=r"is not a number|divides by 0"):
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


def test_counted_nodes_need_the_count_and_the_nodes_of_every_path():
    cell = printed.counted_nodes("3 {A, D}{B}")
    for count, nodes, agrees in (
        (3, ("B", "AD"), True),  # in any order of the paths
        (3, ("AD", "B", ""), True),  # an empty path is no node
        (2, ("AD", "B"), False),
        (3, ("A", "BD"), False),
    ):
        assert printed.agrees(CountedNodes(count, tuple(map(frozenset, nodes))), cell) == agrees
    assert printed.agrees(CountedNodes(0, (frozenset(),)), printed.counted_nodes("0"))


CHECKS = {check.correlations: check for check in shipped_report().rankings}


@pytest.mark.parametrize(
    ("table", "best"),
    [
        (12, "tau-b of the printed scores with C and F swapped under SDL"),
        (
            15,
            "tau-b of the printed scores with E2 and F2 swapped under MGIA and E2 and F2 swapped "
            "under F_LCA",
        ),
        (18, "tau-b of the printed scores"),
        (21, "tau-b of the printed ranks with A3 and E3 swapped under GIE"),
        (24, "tau-b of the printed scores with A3 and E3 swapped under GIE"),
        (26, "tau-b of the printed scores with the F_LCA of J3 given to H3"),
    ],
)
def test_the_correlations_are_tau_b_as_scipy_has_it_and_one_change_explains_each_table(table, best):
    check = CHECKS[f"Table {table}"]
    ranking, values = check.printed, np.array(check.printed.scores, float)
    for (a, b), ours in check.search.values.items():
        x, y = (
            values[:, ranking.measures.index(m)] * (-1 if m in ("GIE", "SDL") else 1)
            for m in (a, b)
        )
        assert ours == pytest.approx(kendalltau(x, y).statistic)
    assert str(check.search.best) == best


def small(*columns: str) -> Ranking:
    """A ranking of hP, hR and hF from digits: one column per word, ranks as the digits say."""
    rows = tuple(tuple(column) for column in zip(*columns, strict=True))
    return Ranking(tuple("ABCDEFGH"[: len(rows)]), ("hP", "hR", "hF")[: len(columns)], rows, rows)


def test_one_swap_is_found_where_one_swap_was_made():
    true, misprinted = small("654321", "634521", "612345"), small("654321", "634521", "612435")
    plain = RankingReading("scores", "b")
    printed = {
        cell: f"{correlation(true, cell, plain):.3f}" for cell in combinations(true.measures, 2)
    }
    found = search(misprinted, printed)
    assert found.whole
    assert not found.whole_as_printed
    assert len(found.best.changes) == 1
    assert found.best.changes[0].kind == "swap"
    assert found.explained == frozenset(found.values) - found.plain.matched


def test_a_change_that_leaves_something_over_explains_only_whole_columns():
    found = CHECKS["Table 26"].search
    assert not found.whole
    assert found.explained == {cell for cell in found.values if "F_LCA" in cell}
    assert found.unexplained == {("hF", "GIE")}
