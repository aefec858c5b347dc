"""Scores per level, against counts by hand and by brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, evaluate
from tests.conftest import edge_lists

R = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C"), ("A", "D")])


def test_each_level_has_its_own_precision_recall_and_accuracy():
    # Level 1: {A}, {B}, {A} against {A}, {A}, {A}: 2 of 3 predicted and of 3 true are shared, 2 of
    # 3
    # instances agree. Level 2: {C}, {}, {C} against {D}, {D}, {C}: 1 of 3 predicted, 1 of 2 true.
    levels = evaluate(R, ["C", "B", "C"], ["D", "D", "C"], measures=["SDL"]).levels
    assert levels.index.tolist() == [0, 1, 2]
    assert levels["precision"].tolist() == pytest.approx([1, 2 / 3, 1 / 3])
    assert levels["recall"].tolist() == pytest.approx([1, 2 / 3, 1 / 2])
    assert levels["f1"].tolist() == pytest.approx([1, 2 / 3, 2 / 5])
    assert levels["iou"].tolist() == pytest.approx([1, 2 / 4, 1 / 4])
    assert levels["accuracy"].tolist() == pytest.approx([1, 2 / 3, 1 / 3])
    # Classes of level 1: A has 2 true, 3 predicted, 2 shared; B has 1, 0, 0. Level 2: C 2, 1, 1; D
    # 0, 2, 0.
    assert levels["macro_precision"].tolist() == pytest.approx([1, (2 / 3 + 0) / 2, (1 + 0) / 2])
    assert levels["macro_recall"].tolist() == pytest.approx([1, (1 + 0) / 2, (1 / 2 + 0) / 2])
    assert levels["macro_f1"].tolist() == pytest.approx([1, (4 / 5 + 0) / 2, (2 / 3 + 0) / 2])
    assert levels["macro_iou"].tolist() == pytest.approx([1, (2 / 3 + 0) / 2, (1 / 2 + 0) / 2])


def test_the_root_has_a_level_only_if_it_is_counted():
    assert evaluate(R, ["C"], ["D"], count_root=False).levels.index.tolist() == [1, 2]


def test_levels_are_refused_where_each_instance_has_a_hierarchy_of_its_own():
    with pytest.raises(InputError, match="max_ancestor_distance"):
        _ = evaluate(R, ["C"], ["D"], max_ancestor_distance=1).levels


@given(st.data())
def test_levels_are_what_sets_of_ancestors_give(data):
    h = Hierarchy.from_edges(data.draw(edge_lists()))
    labels = st.sets(st.sampled_from(h.nodes[h.virtual_root :]), max_size=3)
    true, predicted = (data.draw(st.lists(labels, min_size=4, max_size=4)) for _ in range(2))
    levels = evaluate(h, true, predicted, measures=["hF"], count_root=True).levels
    above = [
        [{a for c in side for a in h.ancestors(c) | {c}} for side in pair]
        for pair in zip(true, predicted, strict=True)
    ]
    for level in range(h.depth + 1):
        pairs = [[{c for c in side if h.level(c) == level} for side in pair] for pair in above]
        pairs = [(t, p) for t, p in pairs if t or p]
        assert (level in levels.index) == bool(pairs)
        if pairs:
            shared = sum(len(t & p) for t, p in pairs)
            assert levels["shared"][level] == shared
            assert levels["iou"][level] == pytest.approx(shared / sum(len(t | p) for t, p in pairs))
            assert levels["accuracy"][level] == pytest.approx(
                sum(t == p for t, p in pairs) / len(pairs)
            )
