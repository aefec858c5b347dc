"""Path-constrained measures: a hit needs all its ancestors; what is consistent has what ancestor
sets give it. Measures at a rank: against the sources' comparison of two names that are cut at it.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.evaluation import by_rank, evaluate
from tests.conftest import edge_lists, hierarchy_of, instances, most_specific

# Two levels below a root that no file names, as in the sources' data sets.
WOS = hierarchy_of("Root>CS Root>Med CS>AI CS>DB Med>Onc Med>Eye")
CONSTRAINED = ("C_P", "C_R", "C_F1")
PLAIN = ("hP", "hR", "hF")


def three(x, keys=CONSTRAINED):
    return [x[key] for key in keys]


def test_hits_are_counted_among_all_that_is_predicted_and_all_that_is_true():
    # True {CS, AI}; predicted {CS, AI, Med, Eye}: 2 hits of 4 predicted and 2 true.
    x = explain(WOS, {"CS", "AI"}, {"CS", "AI", "Med", "Eye"}, count_root=False)
    assert three(x) == pytest.approx([1 / 2, 1, 4 / 6])
    assert x["inconsistency"] == 0
    # The root is in both sets where it is counted, whether it is named or not: 3 of 5 and 3.
    for root in (set(), {"Root"}):
        y = explain(WOS, {"CS", "AI"}, {"CS", "AI", "Med", "Eye"} | root)
        assert three(y) == pytest.approx([3 / 5, 1, 6 / 8])


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


BIRDS = hierarchy_of(
    "Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin Crow>Rook Fish>Carp"
)
KEYS = ("rank_P", "rank_R", "rank_F")


def name_of(h, label):
    """The lineage of a class in a tree, from below the root; nothing for the root."""
    (path,) = h.paths_from_root(label)
    return path[1:]


def counts_of_names(true, predicted, rank):
    """TP, FP, FN of pairs of lineages, as the sources count: cut at the rank, then compared."""
    tp = fp = fn = 0
    for expected, observed in zip(true, predicted, strict=True):
        e, o = expected[:rank], observed[:rank]
        if e == o:
            tp += 1
        elif o == e[: len(o)]:  # under-classified
            fn += 1
        else:
            fp += 1
            fn += 1
    return tp, fp, fn


@given(st.data())
def test_one_lineage_each_is_counted_as_the_sources_do(data):
    h = Hierarchy.from_edges(data.draw(edge_lists(10, False)))
    labels = data.draw(st.lists(st.tuples(*[st.sampled_from(h.nodes)] * 2), min_size=1, max_size=6))
    true, predicted = ([{pair[side]} for pair in labels] for side in (0, 1))
    table = by_rank(h, true, predicted)
    assert list(table.index) == list(range(1, h.depth + 1))
    for rank, row in table.iterrows():
        names = ([name_of(h, pair[side]) for pair in labels] for side in (0, 1))
        tp, fp, fn = counts_of_names(*names, rank)
        assert (tp, fp, fn) == (row.TP, row.FP, row.FN)
        # The sources give 0 for all three where nothing is right.
        p, r = (tp / (tp + fp), tp / (tp + fn)) if tp else (0, 0)
        f = 2 * p * r / (p + r) if tp else 0
        assert (row.precision, row.recall, row.f1) == pytest.approx((p, r, f))


def test_a_prediction_above_the_truth_is_missed_but_not_wrong():
    x = explain(BIRDS, {"Siskin"}, {"Bird"}, rank=3, zero_division=1.0)
    assert (x["rank_P"], x["rank_R"], x["rank_F"]) == (1.0, 0, 0)  # 0/0, 0/1, 0/1
    assert (x["hP"], x["precision"]) == (1, 0)
    sets = x.structure("ranks")
    assert (sets.above, sets.wrong, sets.missed) == ({"Bird"}, frozenset(), {"Siskin"})
    assert "false positive" in x.derivation("rank_P").sentence


def test_nothing_predicted_is_known_to_be_below_the_root():
    counts = evaluate(
        BIRDS, [{"Rook"}, set(), set()], [set(), {"Rook"}, set()], measures=KEYS, rank=1
    ).counts["ranks"]
    # A miss; a wrong class where there was only the root, which is missed; two roots.
    # What stands for nothing is above the rook, and the rook is below it.
    assert counts == {"TP": 1, "FP": 1, "FN": 2, "above": 1, "below": 1}


@given(instances())
def test_over_and_under_prediction_are_shares_of_classes_below_and_above_true_ones(instance):
    h, true, predicted = instance
    ps, ts = most_specific(h, predicted), most_specific(h, true)
    over = sum(any(p in h.descendants(t) for t in ts) for p in ps) / len(ps)
    under = sum(any(p in h.ancestors(t) for t in ts) for p in ps) / len(ps)
    x = explain(h, true, predicted)
    assert (x["over_prediction"], x["under_prediction"]) == (over, under)
    assert x["over_prediction"] + x["under_prediction"] <= 1
