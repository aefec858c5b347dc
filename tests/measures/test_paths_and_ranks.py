"""Path-constrained measures: a hit needs all its ancestors; what is consistent has what ancestor
sets give it.
"""

import pytest
from hypothesis import given

from hiermeasures import evaluate, explain
from hiermeasures.engine.encode import consistent, encode
from tests.conftest import hierarchy_of, instances

# Two levels below a root that no file names, as in the sources' data sets.
WOS = hierarchy_of("Root>CS Root>Med CS>AI CS>DB Med>Onc Med>Eye")
CONSTRAINED = ("C_P", "C_R", "C_F1")
PLAIN = ("hP", "hR", "hF")


def three(x, keys=CONSTRAINED):
    return [x[key] for key in keys]


def test_a_class_below_a_missed_one_is_no_hit_though_it_is_right():
    # True {CS, AI}; predicted {Med, AI}: AI is right, but CS above it is not predicted. No hit of 2
    # and 2.
    x = explain(WOS, {"CS", "AI"}, {"Med", "AI"}, count_root=False)
    assert three(x) == [0, 0, 0]
    assert x["f1"] == 0.5  # the same without the constraint: one of two
    assert x["inconsistency"] == 1
    sets = x.structure("path_constrained")
    assert (sets.refused, sets.shared) == ({"AI"}, frozenset())
    assert "in both sets, but no hit without an ancestor: AI" in x.derivation("C_F1").sentence


def test_hits_are_counted_among_all_that_is_predicted_and_all_that_is_true():
    # True {CS, AI}; predicted {CS, AI, Med, Eye}: 2 hits of 4 predicted and 2 true.
    x = explain(WOS, {"CS", "AI"}, {"CS", "AI", "Med", "Eye"}, count_root=False)
    assert three(x) == pytest.approx([1 / 2, 1, 4 / 6])
    assert x["inconsistency"] == 0
    # The root is in both sets where it is counted, whether it is named or not: 3 of 5 and 3.
    for root in (set(), {"Root"}):
        y = explain(WOS, {"CS", "AI"}, {"CS", "AI", "Med", "Eye"} | root)
        assert three(y) == pytest.approx([3 / 5, 1, 6 / 8])


def test_with_two_parents_both_must_be_predicted():
    h = hierarchy_of("R>A R>B A>C B>C")
    assert explain(h, {"C"}, {"A", "C"}, count_root=False).structure("path_constrained").shared == {"A"}
    assert explain(h, {"C"}, {"A", "B", "C"}, count_root=False)["C_F1"] == 1


def test_averages_over_instances_and_classes():
    # By class (true, predicted, hits): CS (2, 1, 1), AI (2, 2, 1), Med (0, 1, 0). F1: 2/3, 2/4, 0.
    true, predicted = [{"CS", "AI"}] * 2, [{"CS", "AI"}, {"Med", "AI"}]
    report = evaluate(WOS, true, predicted, measures=["C_F1", "inconsistency"], count_root=False)
    assert report.averaged("micro")["C_F1"] == pytest.approx(2 * 2 / (4 + 4))
    assert report.averaged("macro")["C_F1"] == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    assert report["inconsistency"] == 0.5


@given(instances())
def test_of_a_prediction_with_all_ancestors_they_are_the_measures_of_ancestor_sets(instance):
    h, true, predicted = instance
    whole = predicted.union(*(h.ancestors(c) for c in predicted))
    for labels in (whole, whole - {h.root}):
        x = explain(h, true, labels)
        assert x["inconsistency"] == 0
        if labels or not whole:
            assert three(x) == three(x, PLAIN)


@given(instances())
def test_they_are_never_better_than_the_measures_of_ancestor_sets_at_recall(instance):
    h, true, predicted = instance
    x = explain(h, true, predicted)
    assert x["C_R"] <= x["hR"]
    hits = {
        c
        for c in predicted
        if all(a in predicted or a == h.root for a in h.ancestors(c))
        and any(c in h.ancestors(t) or c == t for t in true)
    }
    assert x.structure("path_constrained").shared - {h.root} == hits - {h.root}


@given(instances())
def test_inconsistent_is_what_germeval_calls_so(instance):
    h, true, predicted = instance
    expected = not consistent(h, encode(h, [predicted]))[0]
    assert explain(h, true, predicted)["inconsistency"] == expected


def test_the_exact_path_takes_ancestors_as_read():
    assert explain(WOS, {"AI"}, {"CS", "AI"})["path_accuracy"] == 1
    assert explain(WOS, {"AI"}, {"CS", "AI"})["accuracy"] == 0
    assert explain(WOS, {"AI"}, {"CS"})["path_accuracy"] == 0
    assert explain(WOS, {"AI"}, {"Med", "AI"})["path_accuracy"] == 0
    assert explain(WOS, set(), set())["path_accuracy"] == 1
