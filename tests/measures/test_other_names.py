"""The same under another name: every claim of the table, held to the definition of its source on
random hierarchies.
"""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, evaluate, explain
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.weighted import other_names
from tests.conftest import edge_lists
from tests.measures.test_weighted import recursion


def drawn(data, dag=True, classes=4):
    """A hierarchy and two sets of its classes."""
    h = Hierarchy.from_edges(data.draw(edge_lists(9, dag)))
    labels = st.sets(st.sampled_from(h.nodes), min_size=1, max_size=classes)
    return h, data.draw(labels), data.draw(labels)


def up(h, labels):
    """The classes at or above some."""
    return set().union(*({*h.ancestors(c), c} for c in labels))


def by_leaves(h):
    """The information of each class by itself, were every leaf as likely."""
    return {c: math.log2(len(h.leaves) / len(({*h.descendants(c), c}) & h.leaves)) for c in h.nodes}


def one_class_each(data):
    """In a tree: what is explained with the leaves' information, that of the two classes and of
    what joins them.
    """
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
    shared, of_true, of_predicted = (sum(w[c] for c in s) for s in (true & predicted, true, predicted))
    assume(of_true and of_predicted)
    precision, recall = shared / of_predicted, shared / of_true
    assert (x["wP"], x["wR"]) == (pytest.approx(precision), pytest.approx(recall))
    assert x["wF"] == pytest.approx(2 * precision * recall / (precision + recall) if shared else 0.0)


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
    assert (x["mi"], x["ru"], x["S"]) == tuple(pytest.approx(value) for value in (mi, ru, math.hypot(mi, ru)))


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


def informed(data, dag):
    """An evaluation with information, its instances, and the information of sets of classes as ICM
    defines it.
    """
    h = Hierarchy.from_edges(data.draw(edge_lists(7, dag)))
    labels = st.sets(st.sampled_from(h.nodes), min_size=1, max_size=3)
    true = data.draw(st.lists(labels, min_size=1, max_size=5))
    predicted = [data.draw(labels) for _ in true]
    counts = {c: sum(c in up(h, one) for one in true) for c in h.nodes}
    ic = {c: -math.log2(max(n, 1) / len(true)) for c, n in counts.items()}
    report = evaluate(h, true, predicted, class_weights="information", measures=["ICM", "ICM_norm"])
    return report, true, predicted, lambda s, reverse=False: recursion(h, sorted(s, reverse=reverse), ic)


def icm(data):
    dag = data.draw(st.booleans())
    report, true, predicted, of = informed(data, dag)
    for k, (t, p) in enumerate(zip(true, predicted, strict=True)):
        for reverse in (True, False):  # whatever the order of the classes
            expected = pytest.approx(2 * of(t, reverse) + 2 * of(p, reverse) - 3 * of(t | p, reverse), abs=1e-9)
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
        weighted, info, hierarchical, lin, wu_palmer, resnik, uncertainty, difference, jiang_conrath, simgic, icm,
        icm_norm,
    )
}  # fmt: skip


@pytest.mark.parametrize("key", CLAIMS)
@given(data=st.data())
def test_it_is_the_same_thing(key, data):
    CLAIMS[key](data)


def test_every_name_of_the_table_has_its_property_and_its_measures_are_there():
    assert [name.key for name in other_names()] == list(CLAIMS)
    assert {key for name in other_names() for key in name.measures} <= set(CATALOGUE)
