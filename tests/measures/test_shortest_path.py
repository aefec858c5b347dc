"""The shortest path: the definition written out again. Plaud et al.'s worked values are case files."""

from hypothesis import given

from hiermeasures import Hierarchy, explain
from hiermeasures.measures.sets import SpecificClasses
from tests.conftest import hierarchy_of, instances, most_specific

PLAUD = hierarchy_of("root>1 root>2 1>3 1>4 1>5")


def test_several_paths_are_summed_over_all_pairs():
    assert explain(PLAUD, {"1", "3", "2"}, {"1", "5"})["SP"] == 2 + 3  # 5–3 and 5–2


class TestStructure:
    def test_classes_above_another_of_their_set_are_dropped(self):
        found = explain(PLAUD, {"root", "1", "3"}, {"1", "5", "2"}).shortest_path
        assert (found.true, found.true_dropped) == (("3",), {"root", "1"})
        assert (found.predicted, found.predicted_dropped) == (("2", "5"), {"1"})
        assert [(p.predicted, p.true, p.distance) for p in found.pairs] == [("2", "3", 3), ("5", "3", 2)]

    def test_an_empty_set_stands_for_the_root(self):
        x = explain(PLAUD, {"1", "3"}, ())
        assert x["SP"] == 2
        assert x.shortest_path.predicted == ("root",)
        assert x.derivation("SP").sentence == (
            "From root to 3 it is 2. Nothing is predicted, which stands for the root. "
            "Left out, as ancestors of another class of their set: 1."
        )
        assert explain(PLAUD, (), ())["SP"] == 0

    def test_the_way_may_dip_below_where_the_option_says_so(self):
        h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("D", "E"), ("C", "F"), ("F", "E")])
        assert explain(h, {"D"}, {"F"})["SP"] == 4
        assert explain(h, {"D"}, {"F"}, path="any")["SP"] == 2

    def test_the_formula_carries_the_numbers(self):
        latex = explain(PLAUD, {"3"}, {"5", "2"}).derivation("SP").latex
        assert (
            latex
            == r"\sum d(\hat{y}, y) = \underbrace{3}_{\text{2},\,\text{3}} + \underbrace{2}_{\text{5},\,\text{3}} = 5"
        )


@given(instances())
def test_it_is_the_sum_over_classes_without_a_descendant_in_their_set(instance):
    h, true, predicted = instance
    expected = sum(h.distance(p, t) for p in most_specific(h, predicted) for t in most_specific(h, true))
    assert explain(h, true, predicted)["SP"] == expected == explain(h, predicted, true)["SP"]
    assert set(SpecificClasses.of(h, true).or_root(h)) == set(most_specific(h, true))


@given(instances(empty=False))
def test_a_single_path_predicted_right_is_at_distance_nothing(instance):
    h, true, _ = instance
    leaf = min(true)
    path = next(h.paths_from_root(leaf))
    assert explain(h, path, path)["SP"] == 0
