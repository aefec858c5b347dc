"""Weighted classes: sums by hand, what the names of the field come to, information counted, and ICM
of the authors. The same under another name: every claim of the table, held to the definition of its
source on random hierarchies.
"""

import json
import math
from itertools import chain

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, Meter, evaluate, explain
from hiermeasures.evaluation import evaluate_stream
from hiermeasures.evaluation.information import information
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.weighted import other_names
from tests.conftest import FIGURE_11A, edge_lists, instances, needs_data

WEIGHTS = {"B": 1.0, "T1": 3.0, "P1": 2.0, "P2": 4.0}  # A and C weigh nothing
TWO_TREES = [("A", "A1"), ("A", "A2"), ("B", "B1"), ("B", "B2")]
GOLD = [{"A1"}, {"A2", "B1"}, {"B2"}, {"B"}]
SYSTEM = [{"A2"}, {"A1", "B1"}, {"A1"}, {"B1", "B2"}]


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
    assert (
        "In both: A, B (1). Predicted only: P1, P2 (6). True only: T1 (3)."
        in x.derivation("wF").sentence
    )


@pytest.mark.parametrize("engine", ["kernels", "explain"])
@pytest.mark.parametrize(
    ("scheme", "weights", "apart"),
    [
        # From T1 up to B, and down to P1 and to P2.
        ("given", {**WEIGHTS, "C": 1.0}, (3 + 2) + (3 + 4)),
        ("depth", None, (2 + 2) + (2 + 2)),
        # of the three leaves below B each has one
        ("leaves", None, 2 * (math.log2(3) + math.log2(3))),
        ("information", None, (2 + 1) + (2 + 2)),  # of B's four instances T1 has 1, P1 2, P2 1
        ("one", None, 4),
    ],
)
def test_an_edge_may_weigh_what_its_lower_class_weighs(scheme, weights, apart, engine):
    h = FIGURE_11A.with_class_weights(weights)
    true, predicted = [{"T1"}, {"P1"}, {"P1"}, {"P2"}, {"C"}], [{"P1", "P2"}, *[set()] * 4]
    report = evaluate(
        h, true, predicted, measures=["all_pairs", "SP"], engine=engine,
        class_weights=scheme, edge_weights="classes",
    )  # fmt: skip
    assert report.instance_values()["all_pairs"][0] == pytest.approx(apart)
    assert report.instance_values()["SP"][0] == pytest.approx(apart)


def test_edges_cannot_weigh_what_no_edge_weighs():
    options = {"class_weights": "given", "edge_weights": "classes"}
    for weights, said in (
        (
            {"B": 1.0, "T1": 0.0, "P1": 2.0, "P2": 4.0, "C": 1.0},
            "from .B. to .T1. is 0.0. An edge weight must be",
        ),
        (
            {"B": 1e-3, "T1": 1.0, "P1": 2.0, "P2": 4e3, "C": 1.0},
            "differ by more than a factor of 1,000,000",
        ),
    ):
        h = FIGURE_11A.with_class_weights({"A": 0.0, **weights})
        for call in (explain, evaluate):
            sides = ({"T1"}, {"P1"}) if call is explain else ([{"T1"}], [{"P1"}])
            with pytest.raises(InputError, match=said):
                call(h, *sides, **options)
        assert explain(h, {"T1"}, {"P1"}, class_weights="given")["all_pairs"] == 2


@pytest.mark.parametrize("engine", ["kernels", "explain"])
def test_icm_of_the_authors_package_on_random_trees(engine):
    for tree in json.loads(needs_data("icm/random_trees.json").read_text()):
        h = Hierarchy.from_edges(map(tuple, tree["edges"]))
        sides = ([i[side] for i in tree["instances"]] for side in ("true", "predicted"))
        keys = ["ICM", "ICM_norm"]
        report = evaluate(h, *sides, class_weights="information", measures=keys, engine=engine)
        assert report.values == pytest.approx({key: tree[key] for key in keys}, abs=1e-9)


def recursion(h, labels, ic):
    """I({c, …}) = IC(c) + I({…}) − I(deepest common ancestors of c with each of {…})."""
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
        true = data.draw(
            st.lists(st.sets(st.sampled_from(h.nodes), max_size=3), min_size=1, max_size=6)
        )
        grown = [set(chain.from_iterable({*h.ancestors(c), c} for c in one)) for one in true]
        if h.virtual_root:
            grown = [g | {h.root} for g in grown]
        found = information(h, true, smoothing=smoothing)[0]
        more = smoothing == "dummy"
        for c in h.nodes:
            n = sum(c in g for g in grown) + more
            whole = sum(g.issuperset(h.parents(c)) for g in grown) + more
            assert found[h.index(c)] == pytest.approx(math.log2(max(whole, 1) / max(n, 1)))

    def test_batches_cannot_each_count_their_own(self):
        h = Hierarchy.from_edges(TWO_TREES)
        for call in (
            lambda: Meter(h, class_weights="information"),
            lambda: evaluate_stream(h, [(GOLD, SYSTEM)], class_weights="information"),
            lambda: explain(h, {"A1"}, {"A2"}, class_weights="information"),
        ):
            with pytest.raises(InputError, match="information"):
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

    def test_they_stay_when_the_hierarchy_is_cut_or_weighted_otherwise(self):
        h = FIGURE_11A.with_class_weights(WEIGHTS)
        assert h.with_weights("level").class_weight("T1") == 3.0
        assert h.down_to(1).class_weight("B") == 1.0
        x = explain(h, {"T1"}, {"P1", "P2"}, class_weights="given", max_ancestor_distance=1)
        assert (x["mi"], x["ru"]) == (6.0, 3.0)


def drawn(data, dag=True, classes=4):
    """A hierarchy and two sets of its classes."""
    return data.draw(instances(9, classes, dag, empty=False))


def up(h, labels):
    """The classes at or above some."""
    return set().union(*({*h.ancestors(c), c} for c in labels))


def by_leaves(h):
    """The information of each class by itself, were every leaf as likely."""
    return {c: math.log2(len(h.leaves) / len(({*h.descendants(c), c}) & h.leaves)) for c in h.nodes}


def one_class_each(data):
    """In a tree, by the leaves' information: that of both classes and of what joins them."""
    h, true, predicted = drawn(data, dag=False, classes=1)
    (t,), (p,) = true, predicted
    (joins,) = h.lca(t, p)
    ic = by_leaves(h)
    return explain(h, true, predicted, class_weights="leaves"), ic[t], ic[p], ic[joins]


def with_given_weights(data):
    h, true, predicted = drawn(data)
    w = {c: data.draw(st.sampled_from([0.0, 0.5, 1.0, 2.75])) for c in h.nodes}
    x = explain(h.with_class_weights(w), true, predicted, class_weights="given", count_root=True)
    return x, w, up(h, true), up(h, predicted)


def weighted(data):
    x, w, true, predicted = with_given_weights(data)
    shared, of_true, of_predicted = (
        sum(w[c] for c in s) for s in (true & predicted, true, predicted)
    )
    assume(of_true and of_predicted)
    precision, recall = shared / of_predicted, shared / of_true
    assert (x["wP"], x["wR"]) == (pytest.approx(precision), pytest.approx(recall))
    assert x["wF"] == pytest.approx(
        2 * precision * recall / (precision + recall) if shared else 0.0
    )


def info(data):
    x, of_t, of_p, common = one_class_each(data)
    assume(of_t and of_p)
    assert (x["wP"], x["wR"]) == (pytest.approx(common / of_p), pytest.approx(common / of_t))
    assert x["wF"] == pytest.approx(2 * common / (of_p + of_t))


def hierarchical(data):
    h, true, predicted = drawn(data)
    x = explain(h, true, predicted, count_root=True)
    t, p = up(h, true), up(h, predicted)
    expected = len(t & p) / len(p), len(t & p) / len(t), 2 * len(t & p) / (len(t) + len(p))
    for keys in (("hP", "hR", "hF"), ("wP", "wR", "wF")):
        assert [x[key] for key in keys] == pytest.approx(expected)


def lin(data):
    x, of_t, of_p, common = one_class_each(data)
    assume(of_t + of_p)
    assert x["wF"] == pytest.approx(2 * common / (of_t + of_p))


def wu_palmer(data):
    h, true, predicted = drawn(data, dag=False, classes=1)
    (joins,) = h.lca(*true, *predicted)
    t, p, common = (h.level(c) + 1 for c in (*true, *predicted, joins))
    x = explain(h, true, predicted, count_root=True)
    assert x["wF"] == x["hF"] == pytest.approx(2 * common / (t + p))


def resnik(data):
    x, _, _, common = one_class_each(data)
    assert x.structure("weighted").tp == pytest.approx(common)


def uncertainty(data):
    x, w, true, predicted = with_given_weights(data)
    mi, ru = sum(w[c] for c in predicted - true), sum(w[c] for c in true - predicted)
    assert (x["mi"], x["ru"], x["S"]) == tuple(
        pytest.approx(value) for value in (mi, ru, math.hypot(mi, ru))
    )


def difference(data):
    h, true, predicted = drawn(data)
    x = explain(h, true, predicted)
    assert x["mi"] + x["ru"] == x["SDL"] == len(up(h, true) ^ up(h, predicted))


def jiang_conrath(data):
    x, of_t, of_p, common = one_class_each(data)
    assert x["mi"] + x["ru"] == pytest.approx(of_t + of_p - 2 * common, abs=1e-12)


def simgic(data):
    h, true, predicted = drawn(data)
    ic, t, p = by_leaves(h), up(h, true), up(h, predicted)
    either = sum(ic[c] for c in t | p)
    assume(either)
    x = explain(h.with_class_weights(ic), true, predicted, class_weights="given")
    assert x["simGIC"] == pytest.approx(sum(ic[c] for c in t & p) / either)


def unifrac(data):
    """Branches that lead to one side alone, over those that lead to either, by their lengths."""
    h, true, predicted = drawn(data)
    length = {c: float(h.index(c)) for c in h.nodes}  # 0 for the root
    t, p = up(h, true), up(h, predicted)
    either = sum(length[c] for c in t | p)
    assume(either)
    x = explain(h.with_class_weights(length), true, predicted, class_weights="given")
    assert 1 - x["simGIC"] == pytest.approx(sum(length[c] for c in t ^ p) / either)


def informed(data, dag):
    """An evaluation with information, its instances, and ICM's information of sets of classes."""
    h = Hierarchy.from_edges(data.draw(edge_lists(7, dag)))
    labels = st.sets(st.sampled_from(h.nodes), min_size=1, max_size=3)
    true = data.draw(st.lists(labels, min_size=1, max_size=5))
    predicted = [data.draw(labels) for _ in true]
    counts = {c: sum(c in up(h, one) for one in true) for c in h.nodes}
    ic = {c: -math.log2(max(n, 1) / len(true)) for c, n in counts.items()}
    report = evaluate(h, true, predicted, class_weights="information", measures=["ICM", "ICM_norm"])
    return (
        report,
        true,
        predicted,
        lambda s, reverse=False: recursion(h, sorted(s, reverse=reverse), ic),
    )


def icm(data):
    dag = data.draw(st.booleans())
    report, true, predicted, of = informed(data, dag)
    for k, (t, p) in enumerate(zip(true, predicted, strict=True)):
        for reverse in (True, False):  # whatever the order of the classes
            expected = pytest.approx(
                2 * of(t, reverse) + 2 * of(p, reverse) - 3 * of(t | p, reverse), abs=1e-9
            )
            assert report.per_instance["ICM"][k] == expected
        if not dag:
            sets = explain(report.hierarchy, t, p, options=report.options).structure("weighted")
            assert sets.tp - sets.mi - sets.ru == expected


def icm_norm(data):
    report, true, predicted, of = informed(data, True)
    both = [2 * of(t) + 2 * of(p) - 3 * of(t | p) for t, p in zip(true, predicted, strict=True)]
    best = sum(map(of, true))
    assume(best > 1e-9)
    assert report["ICM_norm"] == pytest.approx(max(0.0, (sum(both) + best) / (2 * best)), abs=1e-9)


CLAIMS = {
    claim.__name__: claim
    for claim in (
        weighted, info, hierarchical, lin, wu_palmer, resnik, uncertainty, difference, jiang_conrath, simgic, unifrac,
        icm, icm_norm,
    )
}  # fmt: skip


@pytest.mark.parametrize("key", CLAIMS)
@given(data=st.data())
def test_it_is_the_same_thing(key, data):
    CLAIMS[key](data)


def test_every_name_of_the_table_has_its_property_and_its_measures_are_there():
    assert [name.key for name in other_names()] == list(CLAIMS)
    assert {key for name in other_names() for key in name.measures} <= set(CATALOGUE)
