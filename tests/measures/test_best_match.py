"""Similarities of classes: by hand, as NLTK prints them, and by their definitions written out again
over all ways up; the best-match average of several classes; and their theorems.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, evaluate, explain
from hiermeasures.evaluation.information import information
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify.case import edges_of
from tests.conftest import edge_lists, instances, most_specific, ways_up

KEYS = ("Wu_Palmer", "Leacock_Chodorow", "Resnik", "Lin", "Jiang_Conrath")


def hierarchy_of(chains):
    return Hierarchy.from_edges(edges_of(chains))


ANIMALS = hierarchy_of("Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin")
# As the WordNet doctest of NLTK has it: carnivore is 12 edges below entity.
DOG_AND_CAT = hierarchy_of(
    "entity>physical_entity>object>whole>living_thing>organism>animal>chordate>vertebrate>mammal"
    ">placental>carnivore carnivore>canine>dog carnivore>feline>cat animal>domestic_animal>dog"
)


def test_two_classes_by_hand():
    # Siskin and Crow meet in Bird: 2 and 1 edges below it, and Bird is the second of the tree,
    # which is 3 deep. 2·2 / (2 + 1 + 2·2). Four classes in the way, 3 + 1, of 2·3.
    x = explain(ANIMALS, {"Siskin"}, {"Crow"})
    assert x["Wu_Palmer"] == pytest.approx(4 / 7)
    assert x["Leacock_Chodorow"] == pytest.approx(-math.log(4 / 6))
    # Of four leaves three are below Bird and one is Crow, another is Siskin.
    x = explain(ANIMALS, {"Siskin"}, {"Crow"}, class_weights="leaves")
    bird = math.log2(4 / 3)
    assert x["Resnik"] == pytest.approx(bird)
    assert x["Lin"] == pytest.approx(2 * bird / (2 + 2))
    assert x["Jiang_Conrath"] == pytest.approx(2 + 2 - 2 * bird)


def test_wu_palmer_is_what_nltk_prints_and_its_depth_is_a_choice():
    x = explain(DOG_AND_CAT, {"dog"}, {"cat"})
    assert f"{x['Wu_Palmer']:.3f}" == "0.857"  # wup_similarity of the doctest, 0.857...
    # By the longest ways from the root C is the deepest class above D and E, the fourth from the
    # top, and by the shortest ones B, the third, which is two edges above them.
    h = hierarchy_of("R>A>B>C R>C C>D C>E")
    assert explain(h, {"D"}, {"E"})["Wu_Palmer"] == pytest.approx(2 * 4 / (1 + 1 + 2 * 4))
    shortest = explain(h, {"D"}, {"E"}, depth="shortest")["Wu_Palmer"]
    assert shortest == pytest.approx(2 * 3 / (2 + 2 + 2 * 3))
    # A root that does not count has depth 0.
    assert explain(h, {"D"}, {"E"}, count_root=False)["Wu_Palmer"] == pytest.approx(6 / 8)
    assert explain(h, {"A"}, {"D"}, count_root=False, depth="shortest")["Wu_Palmer"] > 0
    two = hierarchy_of("R>A R>B")
    assert explain(two, {"A"}, {"B"}, count_root=False)["Wu_Palmer"] == 0


def test_information_is_counted_over_the_true_labels_also_in_a_dag():
    # D is below B and C. Of eight instances four have B, four C, two D; with B or C alone, two each.
    h = hierarchy_of("A>B A>C B>D C>D")
    true = [{"D"}] * 2 + [{"B"}] * 2 + [{"C"}] * 2 + [{"A"}] * 2
    predicted = [{"B"}] * 8
    report = evaluate(h, true, predicted, measures=KEYS[2:], class_weights="information")
    # B has 1 bit and D 2 bits, although B and C together would make 2.
    assert report.instance_values()["Resnik"] == pytest.approx([1, 1, 1, 1, 0, 0, 0, 0])
    assert report.instance_values()["Lin"] == pytest.approx([2 / 3] * 2 + [1] * 2 + [0] * 4)
    assert report.instance_values()["Jiang_Conrath"] == pytest.approx([1, 1, 0, 0, 2, 2, 1, 1])


def test_several_classes_are_the_best_match_average():
    # Siskin goes best with Serin (2·3 / (1 + 1 + 2·3)), Crow with itself, Fish with the crow or the
    # serin: 2·1 / (1 + 2 + 2·1) and 2·1 / (1 + 3 + 2·1).
    x = explain(ANIMALS, {"Siskin", "Crow"}, {"Serin", "Crow", "Fish"})
    expected = (6 / 8 + 1 + 2 / 5) + (6 / 8 + 1)
    assert x["Wu_Palmer"] == pytest.approx(expected / 5)
    assert "Best-match average over 5 classes" in x.derivation("Wu_Palmer").sentence
    report = evaluate(
        ANIMALS, [{"Siskin", "Crow"}, {"Fish"}], [{"Serin", "Crow", "Fish"}, {"Fish"}],
        measures=["Wu_Palmer"], average="micro",
    )  # fmt: skip
    assert report["Wu_Palmer"] == pytest.approx((expected + 2) / 7)


def test_edge_weights_do_not_act_and_that_is_reported():
    h = hierarchy_of("R>A R>B A>C")
    report = evaluate(h, [{"C"}], [{"B"}], measures=["Wu_Palmer"], edge_weights="level")
    assert any("edge_weights" in note for note in report.value_notes)
    heavy = Hierarchy.from_edges([(p, c, 3.0) for p, c in h.edges])
    assert explain(heavy, {"C"}, {"B"})["Wu_Palmer"] == explain(h, {"C"}, {"B"})["Wu_Palmer"]


# --- the definitions, over all ways up ------------------------------------------------------------


def levels(h, label):
    return [len(way) - 1 for way in ways_up(h, label) if way[-1] == h.root]


def steps(h, label, ancestor):
    return min(len(way) - 1 for way in ways_up(h, label) if way[-1] == ancestor)


def above(h, label):
    return {way[-1] for way in ways_up(h, label)}


def wu_palmer(h, a, b, depth_of, bits):
    common = above(h, a) & above(h, b)
    deepest = max(depth_of(c) for c in common)
    ways = [steps(h, a, c) + steps(h, b, c) for c in common if depth_of(c) == deepest]
    return 1.0 if a == b else 2 * deepest / (2 * deepest + min(ways))


def leacock_chodorow(h, a, b, depth_of, bits):
    path = min(steps(h, a, c) + steps(h, b, c) for c in above(h, a) & above(h, b))
    return -math.log((path + 1) / (2 * max(max(levels(h, c)) for c in h.nodes)))


def resnik(h, a, b, depth_of, bits):
    return max(bits[c] for c in above(h, a) & above(h, b))


def lin(h, a, b, depth_of, bits):
    both = bits[a] + bits[b]
    return 2 * resnik(h, a, b, depth_of, bits) / both if both else float(a == b)


def jiang_conrath(h, a, b, depth_of, bits):
    return bits[a] + bits[b] - 2 * resnik(h, a, b, depth_of, bits)


DEFINITIONS = dict(
    zip(KEYS, (wu_palmer, leacock_chodorow, resnik, lin, jiang_conrath), strict=True)
)


@given(
    case=instances(max_nodes=7, max_classes=3, weights=(0.5, 2.0)),
    shortest=st.booleans(),
    root=st.booleans(),
)
def test_every_measure_is_its_definition(case, shortest, root):
    h, true, predicted = case
    x = explain(h, true, predicted, depth="shortest" if shortest else "longest", count_root=root)
    bits = {c: float(len(above(h, c)) - (not root)) for c in h.nodes}
    extreme = min if shortest else max
    sides = [most_specific(h, labels) for labels in (predicted, true)]
    for key, define in DEFINITIONS.items():
        best = min if key == "Jiang_Conrath" else max
        matches = [
            best(define(h, a, b, lambda c: extreme(levels(h, c)) + root, bits) for b in other)
            for side, other in (sides, sides[::-1])
            for a in side
        ]
        assert x[key] == pytest.approx(math.fsum(matches) / len(matches), abs=1e-12), key


@given(data=st.data())
def test_information_of_a_class_is_its_share_of_the_instances(data):
    h = Hierarchy.from_edges(data.draw(edge_lists(7)))
    labels = st.sets(st.sampled_from(h.nodes[1:]), min_size=1, max_size=2)
    true = data.draw(st.lists(labels, min_size=1, max_size=6))
    a, b = data.draw(st.tuples(*[st.sampled_from(h.nodes)] * 2))
    # A class that no instance has is counted once.
    times = {c: max(1, sum(any(c in above(h, t) for t in row) for row in true)) for c in h.nodes}
    times[h.root] = len(true)
    bits = {c: math.log2(len(true) / n) for c, n in times.items()}
    weighed = h.with_class_weights(information(h, true))
    x = explain(weighed, {a}, {b}, class_weights="given")
    for key in KEYS[2:]:
        expected = DEFINITIONS[key](h, a, b, None, bits)
        if key != "Lin" or bits[a] + bits[b] > 1e-9:
            assert x[key] == pytest.approx(expected, abs=1e-9), key


def test_directions_and_bounds():
    assert [CATALOGUE[key].better for key in KEYS] == ["higher"] * 4 + ["lower"]
    assert [CATALOGUE[key].perfect for key in KEYS] == [1.0, None, None, 1.0, 0.0]
