"""The long distance problem: Figure 17 of Kosmopoulos et al. 2015, and what a cut promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, explain
from tests.conftest import hierarchy_of, instances

FIGURE_17A = hierarchy_of("A>B A>C B>T1 C>D D>E E>P1 E>P2")
FIGURE_17B = hierarchy_of("0>B 0>E B>T1 E>P1 E>P2")


def test_figure_17b_is_figure_17a_cut_at_distance_2():
    assert explain(FIGURE_17A, {"T1"}, {"P1", "P2"}, max_ancestor_distance=2).hierarchy == FIGURE_17B


def test_every_measure_reads_the_cut_hierarchy():
    cut = explain(FIGURE_17A, {"T1"}, {"P1", "P2"}, max_ancestor_distance=2)
    drawn = explain(FIGURE_17B, {"T1"}, {"P1", "P2"})
    assert dict(cut) == pytest.approx(dict(drawn), nan_ok=True)


def test_a_distance_that_reaches_a_common_ancestor_changes_nothing():
    assert explain(FIGURE_17A, {"T1"}, {"P1"}, max_ancestor_distance=4).hierarchy == FIGURE_17A


def test_the_artificial_ancestor_takes_another_name_where_0_is_a_class():
    h = hierarchy_of("0>B 0>C B>T1 C>D D>E E>P1")
    assert "0′" in explain(h, {"T1"}, {"P1"}, max_ancestor_distance=2).hierarchy


def test_given_paths_do_not_go_with_a_cut():
    with pytest.raises(InputError, match="paths cannot be given"):
        explain(FIGURE_17A, {"T1"}, {"E"}, predicted_paths=[("A", "C", "D", "E")], max_ancestor_distance=1)


@given(instances(empty=False), st.integers(1, 4))
def test_true_and_predicted_classes_are_never_farther_apart_than_twice_the_distance(instance, k):
    h, true, predicted = instance
    cut = explain(h, true, predicted, max_ancestor_distance=k).hierarchy
    for t in true:
        for p in predicted:
            if h.distance(t, p) > 2 * k:
                assert cut.distance(t, p) <= 2 * k
