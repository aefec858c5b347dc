"""Weighted classes: sums by hand, what the names of the field come to, information counted, and ICM
of the authors.
"""

import json
import math
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, Meter, evaluate, explain
from hiermeasures.core.errors import InputError
from hiermeasures.engine import evaluate_stream
from hiermeasures.engine.encode import encode
from hiermeasures.engine.information import accretion, information
from tests.conftest import FIGURE_11A, edge_lists, needs_data

WEIGHTS = {"B": 1.0, "T1": 3.0, "P1": 2.0, "P2": 4.0}  # A and C weigh nothing
TWO_TREES = [("A", "A1"), ("A", "A2"), ("B", "B1"), ("B", "B2")]
GOLD = [{"A1"}, {"A2", "B1"}, {"B2"}, {"B"}]
SYSTEM = [{"A2"}, {"A1", "B1"}, {"A1"}, {"B1", "B2"}]


@st.composite
def instances(draw, dag=True, max_nodes=9):
    """A hierarchy with class weights, and two sets of classes."""
    h = Hierarchy.from_edges(draw(edge_lists(max_nodes, dag)))
    h = h.with_class_weights({c: draw(st.sampled_from([0.0, 0.5, 1.0, 2.75])) for c in h.nodes})
    labels = st.sets(st.sampled_from(h.nodes), min_size=1, max_size=4)
    return h, draw(labels), draw(labels)


def test_three_sums_by_hand():
    # {A, B, T1} against {A, B, P1, P2}: tp = 0 + 1, ru = 3, mi = 2 + 4.
    x = explain(FIGURE_11A.with_class_weights(WEIGHTS), {"T1"}, {"P1", "P2"}, class_weights="given")
    sets = x.structure("weighted")
    assert (sets.tp, sets.mi, sets.ru) == (1.0, 6.0, 3.0)
    expected = {
        "wP": 1 / 7, "wR": 1 / 4, "wF": 2 / 11, "simGIC": 1 / 10, "mi": 6, "ru": 3, "S": math.sqrt(45),
        "ICM": 1 - 6 - 3, "ICM_norm": 0.0,
    }  # fmt: skip
    assert {key: x[key] for key in expected} == pytest.approx(expected)
    assert "In both: A, B (1); predicted only: P1, P2 (6); true only: T1 (3)." in x.derivation("wF").sentence


@pytest.mark.parametrize("explained", [0, 1000], ids=["kernel", "explain"])
@pytest.mark.parametrize(
    ("scheme", "weights", "apart"),
    [
        # From T1 up to B, and down to P1 and to P2.
        ("given", {**WEIGHTS, "C": 1.0}, (3 + 2) + (3 + 4)),
        ("depth", None, (2 + 2) + (2 + 2)),
        ("leaves", None, 2 * (math.log2(3) + math.log2(3))),  # of the three leaves below B each has one
        ("information", None, (2 + 1) + (2 + 2)),  # of B's four instances T1 has 1, P1 2, P2 1
        ("one", None, 4),
    ],
)
def test_an_edge_may_weigh_what_its_lower_class_weighs(scheme, weights, apart, explained):
    h = FIGURE_11A.with_class_weights(weights)
    true, predicted = [{"T1"}, {"P1"}, {"P1"}, {"P2"}, {"C"}], [{"P1", "P2"}, *[set()] * 4]
    report = evaluate(
        h, true, predicted, measures=["all_pairs", "SP"], explain_up_to=explained,
        class_weights=scheme, edge_weights="classes",
    )  # fmt: skip
    assert report.instance_values()["all_pairs"][0] == pytest.approx(apart)
    assert report.instance_values()["SP"][0] == pytest.approx(apart)


def test_edges_cannot_weigh_what_no_edge_weighs():
    options = {"class_weights": "given", "edge_weights": "classes"}
    for weights, said in (
        ({"B": 1.0, "T1": 0.0, "P1": 2.0, "P2": 4.0, "C": 1.0}, "class .T1. weighs 0, and an edge weight is"),
        ({"B": 1e-3, "T1": 1.0, "P1": 2.0, "P2": 4e3, "C": 1.0}, "differ by more than a factor of 1,000,000"),
    ):
        h = FIGURE_11A.with_class_weights({"A": 0.0, **weights})
        for call in (explain, evaluate):
            sides = ({"T1"}, {"P1"}) if call is explain else ([{"T1"}], [{"P1"}])
            with pytest.raises(InputError, match=said):
                call(h, *sides, **options)
        assert explain(h, {"T1"}, {"P1"}, class_weights="given")["all_pairs"] == 2


def test_icm_of_the_authors_example():
    # Of four instances A has 2, B 3, each leaf 1: A 1 bit, B log2(4/3), A1 and A2 1 more, B1 and B2
    # log2(3) more.
    h = Hierarchy.from_edges(TWO_TREES)
    report = evaluate(h, GOLD, SYSTEM, class_weights="information", measures=["ICM", "ICM_norm"])
    assert report.per_instance["ICM"].tolist() == pytest.approx([-1, 1, -4, -2.754888], abs=1e-6)
    assert report["ICM"] == pytest.approx(-1.688722, abs=1e-6)
    assert report["ICM_norm"] == pytest.approx(0.098642, abs=1e-6)


@pytest.mark.parametrize("explained", [0, 1000], ids=["kernel", "explain"])
def test_icm_of_the_authors_package_on_random_trees(explained):
    for tree in json.loads(needs_data("icm/random_trees.json").read_text()):
        h = Hierarchy.from_edges(map(tuple, tree["edges"]))
        sides = ([i[side] for i in tree["instances"]] for side in ("true", "predicted"))
        keys = ["ICM", "ICM_norm"]
        report = evaluate(h, *sides, class_weights="information", measures=keys, explain_up_to=explained)
        assert report.values == pytest.approx({key: tree[key] for key in keys}, abs=1e-9)


def recursion(h, labels, ic):
    """I({c, …}) = IC(c) + I({…}) − I(deepest common ancestors of c with each of {…}), as the
    authors write it.
    """
    if not labels:
        return 0.0
    first, *rest = labels
    up = {c: {*h.ancestors(c), c} for c in h.nodes}
    common = [up[first] & up[c] for c in rest]
    deepest = {a for both in common for a in both if not any(a in up[b] and a != b for b in both)}
    return ic[first] + recursion(h, rest, ic) - recursion(h, sorted(deepest), ic)


class TestInformation:
    @pytest.mark.parametrize("smoothing", ["unseen", "dummy"])
    @given(data=st.data())
    def test_against_counting_by_sets(self, smoothing, data):
        h = Hierarchy.from_edges(data.draw(edge_lists(8, True)))
        true = data.draw(st.lists(st.sets(st.sampled_from(h.nodes), max_size=3), min_size=1, max_size=6))
        grown = [set(chain.from_iterable({*h.ancestors(c), c} for c in one)) for one in true]
        if h.virtual_root:
            grown = [g | {h.root} for g in grown]
        found = information(h, true, smoothing=smoothing)[0]
        more = smoothing == "dummy"
        for c in h.nodes:
            n = sum(c in g for g in grown) + more
            whole = sum(g.issuperset(h.parents(c)) for g in grown) + more
            assert found[h.index(c)] == pytest.approx(math.log2(max(whole, 1) / max(n, 1)))

    def test_however_many_instances_are_counted_at_a_time(self, monkeypatch):
        h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C"), ("B", "C"), ("B", "D")])
        true = [{"ABCD"[k % 4], "ABCD"[k % 3]} for k in range(20)]
        whole = accretion(h, encode(h, true))
        assert whole.tolist() == information(h, true)[0].tolist()
        monkeypatch.setattr("hiermeasures.engine.information.MOST", 1)
        assert accretion(h, encode(h, true)).tolist() == whole.tolist()

    def test_leaves_are_counted_as_if_each_occurred_once(self):
        h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C"), ("B", "C"), ("A", "D"), ("C", "E"), ("C", "F")])
        by_leaves = h.with_class_weights("leaves").class_weights[0]
        assert by_leaves == pytest.approx(information(h, [{c} for c in h.leaves])[0])

    def test_batches_cannot_each_count_their_own(self):
        h = Hierarchy.from_edges(TWO_TREES)
        for call in (
            lambda: Meter(h, class_weights="information"),
            lambda: evaluate_stream(h, [(GOLD, SYSTEM)], class_weights="information"),
            lambda: explain(h, {"A1"}, {"A2"}, class_weights="information"),
        ):
            with pytest.raises(InputError, match="information is counted over"):
                call()
        counted = h.with_class_weights(information(h, GOLD))
        whole = evaluate(h, GOLD, SYSTEM, class_weights="information", measures=["wF"])
        batches = [(GOLD[:2], SYSTEM[:2]), (GOLD[2:], SYSTEM[2:])]
        pieces = evaluate_stream(counted, batches, class_weights="given", measures=["wF"])
        assert pieces["wF"] == whole["wF"]


class TestClassWeights:
    def test_wrong_ones_are_refused(self):
        for weights, fault in (
            ({"X": 1}, "unknown class 'X'"),
            ({"B": -1}, "'B' is -1"),
            ({"B": math.nan}, "'B' is nan"),
        ):
            with pytest.raises(InputError, match=fault):
                FIGURE_11A.with_class_weights(weights)

    def test_hierarchies_that_weigh_differently_are_not_equal(self):
        assert FIGURE_11A.with_class_weights(WEIGHTS) != FIGURE_11A
        assert FIGURE_11A.with_class_weights(WEIGHTS) == FIGURE_11A.with_class_weights(WEIGHTS)
        assert FIGURE_11A.with_class_weights(WEIGHTS).with_class_weights(None) == FIGURE_11A

    def test_they_stay_when_the_hierarchy_is_cut_or_weighted_otherwise(self):
        h = FIGURE_11A.with_class_weights(WEIGHTS)
        assert h.with_weights("level").class_weight("T1") == 3.0
        assert h.down_to(1).class_weight("B") == 1.0
        x = explain(h, {"T1"}, {"P1", "P2"}, class_weights="given", max_ancestor_distance=1)
        assert (x["mi"], x["ru"]) == (6.0, 3.0)

    @given(instances())
    def test_values_do_not_depend_on_names(self, instance):
        h, true, predicted = instance
        names = {c: f"{k}!" for k, c in enumerate(sorted(h.nodes, reverse=True))}
        other = Hierarchy.from_edges([(names[p], names[c]) for p, c in reversed(h.edges)] or [], names.values())
        other = other.with_class_weights({names[c]: h.class_weight(c) for c in h.nodes})
        x = explain(h, true, predicted, class_weights="given", count_root=True)
        y = explain(
            other, {names[c] for c in true}, {names[c] for c in predicted}, class_weights="given", count_root=True
        )
        keys = ("wP", "wR", "wF", "mi", "ru", "S", "ICM", "ICM_norm", "simGIC")
        assert [x[key] for key in keys] == [y[key] for key in keys]
