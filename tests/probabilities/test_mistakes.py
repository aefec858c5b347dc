"""Hierarchical distance of ranked classes: against heights and common ancestors one by one."""

import math
import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError
from hiermeasures.probabilities import ProbabilityTable, mistakes_of, ranked_mistakes, scores
from hiermeasures.probabilities.scores import heights
from tests.conftest import hierarchy_of
from tests.probabilities.strategies import any_tables

# Two orders of animals, one deeper than the other.
ANIMALS = hierarchy_of(
    "Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin Crow>Rook Fish>Carp Fish>Eel"
)


def height(h, c):
    return max((1 + height(h, d) for d in h.children(c)), default=0)


def distance(h, a, b):
    common = set(h.up(a)) & set(h.up(b))
    return 0 if a == b else min(height(h, c) for c in common)


def test_by_hand():
    # Heights: Siskin and the other leaves 0, Finch and Crow 1, Fish 1, Bird 2, Animal 3. The
    # siskin: Siskin 0, Serin 1, Carp 3. The carp: Rook 3, Eel 1, Carp 0. The rook: Serin 2, Siskin
    # 2, Rook 0.
    ranked = [["Siskin", "Serin", "Carp"], ["Rook", "Eel", "Carp"], ["Serin", "Siskin", "Rook"]]
    found = ranked_mistakes(ANIMALS, ranked, [{"Siskin"}, {"Carp"}, {"Rook"}])
    assert found.distances.tolist() == [[0, 1, 3], [3, 1, 0], [2, 2, 0]]
    assert found.average_distance(1) == pytest.approx(5 / 3)
    assert found.average_distance(3) == pytest.approx(12 / 9)
    assert found.nearest_distance(2) == pytest.approx((0 + 1 + 2) / 3)
    assert found.severity == pytest.approx(5 / 2)  # two mistakes
    assert [found.accuracy(k) for k in (1, 2, 3)] == pytest.approx([1 / 3, 1 / 3, 1])


@given(data=st.data(), table=any_tables(max_nodes=8, rows=3))
def test_leaves_are_ranked_and_the_least_high_common_ancestor_is_the_distance(data, table):
    h = table.hierarchy
    true = data.draw(st.lists(st.sets(st.sampled_from(h.nodes), max_size=2), min_size=3, max_size=3))
    found = mistakes_of(table, true)
    rows = [k for k in range(3) if true[k] - {h.root}]
    assert found.left_out == tuple(str(k + 1) for k in range(3) if k not in rows)
    assert found.ids == tuple(str(k + 1) for k in rows)
    leaves = sorted(h.leaves, key=h.index)
    for place, k in enumerate(rows):
        order = sorted(leaves, key=lambda c: -table.row(k)[c])
        assert [h.nodes[c] for c in found.ranked[place]] == order
        specific = [c for c in true[k] if not true[k] & h.descendants(c)]
        assert found.distances[place].tolist() == [min(distance(h, c, t) for t in specific) for c in order]


@given(table=any_tables(max_nodes=9))
def test_in_a_tree_it_is_the_height_of_the_lowest_common_ancestor(table):
    h = table.hierarchy
    if not h.is_tree:
        return
    graph = h.to_networkx()
    for t in h.leaves:
        found = ranked_mistakes(h, [sorted(h.leaves)], [{t}])
        for c, d in zip(sorted(h.leaves), found.distances[0], strict=True):
            lowest = nx.lowest_common_ancestor(graph, t, c)
            assert d == nx.dag_longest_path_length(
                graph.subgraph(nx.descendants(graph, lowest) | {lowest}), weight=None
            )


def test_what_is_said_of_a_true_class_above_the_leaves():
    # Only "Finch" is known: both finches are as far as Finch is high, and named itself it is right.
    found = ranked_mistakes(ANIMALS, [["Siskin", "Finch", "Rook", "Bird"]], [{"Finch", "Bird"}])
    assert found.distances.tolist() == [[1, 0, 2, 2]]


def test_with_several_true_classes_the_nearest_counts():
    assert ranked_mistakes(ANIMALS, [["Serin", "Eel"]], [{"Siskin", "Carp"}]).distances.tolist() == [[1, 1]]


def test_without_a_mistake_there_is_no_severity():
    found = ranked_mistakes(ANIMALS, [["Carp"]], [{"Carp"}])
    assert math.isnan(found.severity)
    assert math.isnan(ranked_mistakes(ANIMALS, [["Carp"]], [set()]).average_distance())


def test_equal_probabilities_stand_in_the_order_of_the_hierarchy():
    table = ProbabilityTable.of(ANIMALS, np.full((1, len(ANIMALS)), 0.5))
    ranked = mistakes_of(table, [{"Carp"}], places=2).ranked[0]
    assert [ANIMALS.nodes[c] for c in ranked] == sorted(ANIMALS.leaves, key=ANIMALS.index)[:2]


def test_the_longest_way_down_counts():
    h = hierarchy_of("A>B A>C B>C C>D")
    assert dict(zip(h.nodes, heights(h).tolist(), strict=True)) == {"A": 3, "B": 2, "C": 1, "D": 0}


@pytest.mark.parametrize(
    ("ranked", "true", "words"),
    [
        ([["Carp"], ["Carp", "Eel"]], [{"Carp"}, {"Eel"}], "as many classes"),
        ([[]], [{"Carp"}], "at least one"),
        ([["Karp"]], [{"Carp"}], "unknown class 'Karp'; nearest known: 'Carp'"),
        ([["Carp"]], [{"Carp"}, {"Eel"}], "1 rankings, but true classes of 2 instances"),
    ],
)
def test_rankings_that_cannot_be_read_are_refused(ranked, true, words):
    with pytest.raises(InputError, match=words):
        ranked_mistakes(ANIMALS, ranked, true)


def test_more_places_than_there_are_is_refused():
    table = ProbabilityTable.of(ANIMALS, np.full((1, len(ANIMALS)), 0.5))
    with pytest.raises(InputError, match="places are from 1 to 5, the number of leaves, not 6"):
        mistakes_of(table, [{"Carp"}], places=6)
    with pytest.raises(InputError, match="k is from 1 to 2"):
        mistakes_of(table, [{"Carp"}], places=2).average_distance(3)


def test_leaves_are_ranked_in_runs_of_instances_which_take_little_memory_beside_the_table(monkeypatch):
    monkeypatch.setattr(scores, "CELLS_AT_ONCE", 25_000)
    h = hierarchy_of(" ".join(f"r>{k}" for k in range(250)))
    table = ProbabilityTable.of(
        h, np.random.default_rng(1).dirichlet(np.ones(250), 2050), sorted(h.leaves), kind="leaves"
    )
    true = [{"7"}] * len(table)
    tracemalloc.start()
    found = mistakes_of(table, true, places=2)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < table.values.nbytes / 2
    first = table.values[:, 1:].argmax(axis=1) + 1
    assert (found.ranked[:, 0] == first).all()
    assert found.accuracy() == (first == h.index("7")).mean()
