"""Measures at a rank: against the sources' comparison of two names that are cut at it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.batch import by_rank, evaluate
from tests.conftest import edge_lists, hierarchy_of

BIRDS = hierarchy_of("Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin Crow>Rook Fish>Carp")
KEYS = ("rank_P", "rank_R", "rank_F")


def name_of(h, label):
    """The lineage of a class in a tree, from below the root; nothing for the root."""
    (path,) = h.paths_from_root(label)
    return path[1:]


def counts_of_names(true, predicted, rank):
    """TP, FP, FN of pairs of lineages, as the sources count them: names cut at the rank, then compared."""
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


def test_ranks_by_hand():
    # A siskin called a serin, a rook called a bird, a carp called a rook, a finch called a siskin.
    # Rank 1: Bird, Bird, Fish, Bird against Bird, Bird, Bird, Bird: 3 TP, and the carp is wrong and missed.
    # Rank 2: Finch Finch | Crow Bird | (Fish) Carp Crow | Finch Finch: 2 TP, rook missed, carp wrong and missed.
    # Rank 3: Siskin Serin | Rook Bird | Carp Rook | Finch Siskin: all but the rook are wrong and missed, the finch
    # too, for its kind is not known.
    true = [{"Siskin"}, {"Rook"}, {"Carp"}, {"Finch"}]
    predicted = [{"Serin"}, {"Bird"}, {"Rook"}, {"Siskin"}]
    table = by_rank(BIRDS, true, predicted)
    assert table[["TP", "FP", "FN"]].to_numpy().tolist() == [[3, 1, 1], [2, 1, 2], [0, 3, 4]]
    assert table.precision.tolist() == pytest.approx([3 / 4, 2 / 3, 0])
    assert table.recall.tolist() == pytest.approx([3 / 4, 2 / 4, 0])


def test_a_prediction_above_the_truth_is_missed_but_not_wrong():
    x = explain(BIRDS, {"Siskin"}, {"Bird"}, rank=3, zero_division=1.0)
    assert (x["rank_P"], x["rank_R"], x["rank_F"]) == (1.0, 0, 0)  # 0/0, 0/1, 0/1
    assert (x["hP"], x["precision"]) == (1, 0)
    sets = x.structure("ranks")
    assert (sets.above, sets.wrong, sets.missed) == ({"Bird"}, frozenset(), {"Siskin"})
    assert "above a true class, and so no false positive: Bird" in x.derivation("rank_P").sentence


def test_nothing_predicted_is_known_to_be_below_the_root():
    counts = evaluate(BIRDS, [{"Rook"}, set(), set()], [set(), {"Rook"}, set()], measures=KEYS, rank=1).counts["ranks"]
    # A miss; a wrong class where there was only the root, which is missed; two roots.
    assert counts == {"TP": 1, "FP": 1, "FN": 2}


def test_several_classes_a_side_are_compared_by_their_most_specific_ones():
    # {Siskin, Rook} against {Siskin, Bird, Crow, Carp}: Bird is dropped, being above Siskin; Crow is above Rook.
    x = explain(BIRDS, {"Siskin", "Rook"}, {"Siskin", "Bird", "Crow", "Carp"})
    sets = x.structure("ranks")
    assert (sets.shared, sets.above, sets.wrong, sets.missed) == ({"Siskin"}, {"Crow"}, {"Carp"}, {"Rook"})
    assert [x[key] for key in KEYS] == [1 / 2, 1 / 2, 1 / 2]
    assert sets.predicted_removed == {"Bird"}
