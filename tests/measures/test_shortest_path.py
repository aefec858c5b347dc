"""The shortest path: the definition written out again. Plaud et al.'s worked values are case files.

The way up and the way down, the height of the lowest common ancestor, and hop-k accuracy: by hand,
and by their definitions written out again over the edges alone. The long distance problem: Figure
17 of Kosmopoulos et al. 2015, and what a cut promises.
"""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, explain
from tests.conftest import hierarchy_of, instances, most_specific, ways_up

PLAUD = hierarchy_of("root>1 root>2 1>3 1>4 1>5")


class TestStructure:
    def test_an_empty_set_stands_for_the_root(self):
        x = explain(PLAUD, {"1", "3"}, ())
        assert x["SP"] == 2
        assert x.shortest_path.predicted == ("root",)
        assert explain(PLAUD, (), ())["SP"] == 0


ANIMALS = hierarchy_of(
    "Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin Crow>Rook Fish>Carp"
)
KEYS = ("SP_up", "SP_down", "LCA_height", "hop_accuracy")


class TestByHand:
    def test_edge_weights_count_in_both_parts_and_not_in_the_height(self):
        x = explain(ANIMALS, {"Siskin"}, {"Serin"}, edge_weights="exponential", weight_base=0.5)
        # Edges into level 3 weigh 0.25.
        assert [x[key] for key in KEYS] == [0.25, 0.25, pytest.approx(1 / 3), 1]


# --- the definitions, over the edges alone ------------------------------------------------------


def parts(h, predicted, true):
    """Mean way up, way down and height over the apexes of the shortest ways, by trying all."""
    both = [
        (len(a) - 1, len(b) - 1, a[-1])
        for a in ways_up(h, predicted)
        for b in ways_up(h, true)
        if a[-1] == b[-1]
    ]
    least = min(up + down for up, down, _ in both)
    apexes = {apex: (up, down) for up, down, apex in both if up + down == least}
    heights = [
        max(len(way) - 1 for c in h.nodes for way in ways_up(h, c) if way[-1] == a) for a in apexes
    ]
    high = 0 if predicted == true else sum(heights) / len(apexes)
    return (*(sum(part) / len(apexes) for part in zip(*apexes.values(), strict=True)), high)


@given(instances(), st.sampled_from([0, 1, 2, 3]))
def test_they_are_what_their_definitions_say(instance, k):
    h, true, predicted = instance
    x = explain(h, true, predicted, hops=k)
    ps, ts = most_specific(h, predicted), most_specific(h, true)
    found = [parts(h, p, t) for p, t in product(ps, ts)]
    up, down, high = (sum(column) for column in zip(*found, strict=True))
    assert (x["SP_up"], x["SP_down"]) == (pytest.approx(up), pytest.approx(down))
    assert x["SP"] == pytest.approx(up + down)
    assert x["LCA_height"] == pytest.approx(high / len(found) / (h.depth or 1))
    near = {pair: sum(parts(h, *pair)[:2]) for pair in product(ps, ts)}
    reached = all(any(near[p, t] <= k for t in ts) for p in ps) and all(
        any(near[p, t] <= k for p in ps) for t in ts
    )
    assert x["hop_accuracy"] == reached


FIGURE_17A = hierarchy_of("A>B A>C B>T1 C>D D>E E>P1 E>P2")
FIGURE_17B = hierarchy_of("0>B 0>E B>T1 E>P1 E>P2")


def test_every_measure_reads_the_cut_hierarchy():
    cut = explain(FIGURE_17A, {"T1"}, {"P1", "P2"}, max_ancestor_distance=2)
    drawn = explain(FIGURE_17B, {"T1"}, {"P1", "P2"})
    assert dict(cut) == pytest.approx(dict(drawn), nan_ok=True)


def test_given_paths_do_not_go_with_a_cut():
    with pytest.raises(InputError, match="combined with paths"):
        explain(
            FIGURE_17A,
            {"T1"},
            {"E"},
            predicted_paths=[("A", "C", "D", "E")],
            max_ancestor_distance=1,
        )


@given(instances(empty=False), st.integers(1, 4))
def test_true_and_predicted_classes_are_never_farther_apart_than_twice_the_distance(instance, k):
    h, true, predicted = instance
    cut = explain(h, true, predicted, max_ancestor_distance=k).hierarchy
    for t in true:
        for p in predicted:
            if h.distance(t, p) > 2 * k:
                assert cut.distance(t, p) <= 2 * k
