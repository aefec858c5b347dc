"""The shortest path: the definition written out again. Plaud et al.'s worked values are case files.

The way up and the way down, the height of the lowest common ancestor, and hop-k accuracy: by hand,
and by their definitions written out again over the edges alone. The long distance problem: Figure
17 of Kosmopoulos et al. 2015, and what a cut promises.
"""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, explain
from tests.conftest import hierarchy_of, instances, most_specific, ways_up

PLAUD = hierarchy_of("root>1 root>2 1>3 1>4 1>5")


class TestStructure:
    def test_classes_above_another_of_their_set_are_dropped(self):
        found = explain(PLAUD, {"root", "1", "3"}, {"1", "5", "2"}).shortest_path
        assert (found.true, found.true_dropped) == (("3",), {"root", "1"})
        assert (found.predicted, found.predicted_dropped) == (("2", "5"), {"1"})
        assert [(p.predicted, p.true, p.distance) for p in found.pairs] == [
            ("2", "3", 3),
            ("5", "3", 2),
        ]

    def test_an_empty_set_stands_for_the_root(self):
        x = explain(PLAUD, {"1", "3"}, ())
        assert x["SP"] == 2
        assert x.shortest_path.predicted == ("root",)
        assert x.derivation("SP").sentence == (
            "From root to 3 it is 2. Nothing is predicted, which stands for the root. "
            "Left out, as ancestors of another class of their set: 1."
        )
        assert explain(PLAUD, (), ())["SP"] == 0


ANIMALS = hierarchy_of(
    "Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin Crow>Rook Fish>Carp"
)
KEYS = ("SP_up", "SP_down", "LCA_height", "hop_accuracy")


class TestByHand:
    def test_one_class_a_side(self):
        x = explain(ANIMALS, {"Siskin"}, {"Carp"})  # meet in Animal, which is 3 high
        assert (x["SP_up"], x["SP_down"], x["LCA_height"]) == (2, 3, 3 / 3)
        # right, though Finch is 1 high
        assert explain(ANIMALS, {"Finch"}, {"Finch"})["LCA_height"] == 0

    def test_of_several_lowest_common_ancestors_it_is_the_mean(self):
        uneven = Hierarchy.from_edges(
            [
                ("R", "A"),
                ("R", "B"),
                ("A", "P", 1.0),
                ("B", "P", 2.0),
                ("A", "T", 3.0),
                ("B", "T", 2.0),
            ]
        )
        y = explain(uneven, {"T"}, {"P"})
        # Over A it is 1 up and 3 down, over B 2 and 2: both cost 4, and the means are 1.5 and 2.5.
        assert (y["SP_up"], y["SP_down"], y["SP"]) == (1.5, 2.5, 4)

    def test_edge_weights_count_in_both_parts_and_not_in_the_height(self):
        x = explain(ANIMALS, {"Siskin"}, {"Serin"}, edge_weights="exponential", weight_base=0.5)
        # Edges into level 3 weigh 0.25.
        assert [x[key] for key in KEYS] == [0.25, 0.25, pytest.approx(1 / 3), 1]

    def test_the_sentences_name_the_ancestor(self):
        x = explain(ANIMALS, {"Siskin"}, {"Rook"})
        assert x.derivation("SP_up").sentence == "From Rook up to Bird it is 2."
        assert x.derivation("SP_down").sentence == "From Bird down to Siskin it is 2."
        said = x.derivation("LCA_height").sentence
        assert said == "Rook and Siskin meet in Bird, at height 2. The hierarchy is 3 high."
        assert x.derivation("LCA_height").latex == r"\frac{2}{1 \cdot 3} = 0.6667"
        assert "which is more than 1" in x.derivation("hop_accuracy").sentence


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


def test_the_artificial_ancestor_takes_another_name_where_0_is_a_class():
    h = hierarchy_of("0>B 0>C B>T1 C>D D>E E>P1")
    assert "0′" in explain(h, {"T1"}, {"P1"}, max_ancestor_distance=2).hierarchy


def test_given_paths_do_not_go_with_a_cut():
    with pytest.raises(InputError, match="paths cannot be given"):
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
