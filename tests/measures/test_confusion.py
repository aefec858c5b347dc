"""The hierarchical confusion matrix: the definitions over listed paths. Figure 4
is a case file.
"""

import math

import pytest
from hypothesis import given

from hiermeasures import InputError, explain
from hiermeasures.measures.confusion import greedy_cover
from tests.conftest import hierarchy_of, instances

TREE = "R>A R>B A>C A>D A>E C>H D>I D>J D>K E>L E>M B>F B>G"
TREE_A = hierarchy_of(TREE)


def test_table_ii_with_the_false_negative_rate_corrected():
    x = explain(TREE_A, {"I"}, {"J"})
    # (TP, TN, FP, FN) = (2, 4, 1, 1) in Figure 4(a), second prediction.
    expected = {
        "ACC": 6 / 8,
        "PPV": 2 / 3,
        "TPR": 2 / 3,
        "FNR": 1 / 3,
        "FPR": 1 / 5,
        "TNR": 4 / 5,
        "F1": 4 / 6,
        "MCC": (2 * 4 - 1 * 1) / math.sqrt(3 * 3 * 5 * 5),
        "PT": (math.sqrt(2 / 3 * 1 / 5) + 4 / 5 - 1) / (2 / 3 + 4 / 5 - 1),
    }
    assert {k: x[f"HCM_{k}"] for k in expected} == pytest.approx(expected)


def test_negatives_may_be_all_descendants_as_the_text_says():
    # Compared at R, A: below A the text also counts H, J, K and M, which are on neither path.
    x = explain(TREE_A, {"I"}, {"L"}, negatives="descendants")
    assert x.confusion.paths[0].tn == set("BC") | set("HJKM")


def test_a_given_path_must_start_at_the_root_and_follow_edges():
    with pytest.raises(InputError, match=r"starts at 'A'.*'R'"):
        explain(TREE_A, {"I"}, {"D"}, predicted_paths=[("A", "D")])
    with pytest.raises(InputError, match="'R' to 'D'"):
        explain(TREE_A, {"I"}, {"D"}, predicted_paths=[("R", "D")])


def all_paths(h, label):
    return list(h.paths_from_root(label))


@given(instances(empty=False))
def test_greedy_cover_takes_a_richest_path_each_time(instance):
    h, labels, _ = instance
    open_labels = set(labels) - {h.root}
    cover = greedy_cover(h, labels)
    for path in cover if open_labels else ():
        richest = max(len(open_labels & set(way)) for c in open_labels for way in all_paths(h, c))
        assert len(open_labels & set(path)) == richest > 0
        assert path in all_paths(h, path[-1])
        open_labels -= set(path)
    assert not open_labels


@given(instances(empty=False))
def test_one_true_class_benevolently_equals_listing_all_paths(instance):
    h, true, predicted = instance
    true, predicted = sorted(true)[:1], sorted(predicted)[:1]
    x = explain(h, true, predicted, path_derivation="benevolent")

    def common(a, b):
        return next(
            (k for k, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), min(len(a), len(b))
        )

    most = max(common(a, b) for a in all_paths(h, true[0]) for b in all_paths(h, predicted[0]))
    assert x["HCM_TP"] == most - 1
