"""HiClass' classifiers can be scored here, and its hP, hR and hF are ours where they mean the same;
where they do not, the smallest example says why (docs/scikit-learn.md).
"""

import numpy as np
import pytest
from hiclass import LocalClassifierPerParentNode
from hiclass.metrics import f1, precision, recall
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from hiermeasures import Hierarchy
from hiermeasures.metrics import (
    h_f1_score,
    h_precision_score,
    h_recall_score,
    lca_f1_score,
    make_scorer,
)

PATHS = [["A", "A1", ""], ["A", "A2", "A21"], ["A", "A2", ""], ["B", "B1", ""], ["B", "", ""]]
# its root is virtual
H = Hierarchy.from_edges([("A", "A1"), ("A", "A2"), ("A2", "A21"), ("B", "B1")])
PAIRS = [(h_precision_score, precision), (h_recall_score, recall), (h_f1_score, f1)]
AVERAGES = {"micro": "micro", "samples": "macro"}  # ours: theirs

pytestmark = pytest.mark.filterwarnings("ignore:F-score is ill-defined")


def levels(*rows):
    return np.array(rows)


@given(st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from(PATHS)), min_size=1, max_size=8))
def test_on_whole_paths_in_a_tree_without_a_root_the_values_are_the_same(rows):
    true, predicted = (np.array(side) for side in zip(*rows, strict=True))
    for ours, theirs in PAIRS:
        for average, name in AVERAGES.items():
            expected = theirs(true, predicted, average=name)
            assert ours(true, predicted, hierarchy=H, average=average) == pytest.approx(expected)


def test_a_grid_search_over_its_classifier_maximises_our_score():
    random = np.random.default_rng(0)
    y = np.array(PATHS)[np.arange(60) % len(PATHS)]
    # A and B lie in turns along the only feature, so that one split cannot tell them apart.
    X = np.array([0, 3, 1, 4, 2])[np.arange(60) % len(PATHS), None] + random.normal(
        scale=0.1, size=(60, 1)
    )
    model = LocalClassifierPerParentNode(DecisionTreeClassifier(random_state=0))
    cv = KFold(2, shuffle=True, random_state=0)
    search = GridSearchCV(
        model,
        {"local_classifier__max_depth": [1, 4]},
        scoring=make_scorer(H, "F_LCA"),
        cv=cv,
        error_score="raise",
    )
    best = search.fit(X, y).best_estimator_
    assert search.best_params_ == {"local_classifier__max_depth": 4}
    predicted = cross_val_predict(best, X, y, cv=cv)
    folds = [lca_f1_score(y[test], predicted[test], hierarchy=H) for _, test in cv.split(X)]
    assert search.best_score_ == pytest.approx(np.mean(folds))


# --- where they differ --------------------------------------------------------------------------


def test_a_real_root_counts_here_and_is_on_no_row_there():
    h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    true, predicted = levels(["A"]), levels(["B"])
    assert f1(true, predicted, zero_division=0) == 0
    # {R, A}, {R, B}
    assert h_f1_score(true, predicted, hierarchy=h) == pytest.approx(2 * 1 / (2 + 2))
    assert h_f1_score(true, predicted, hierarchy=h, count_root=False) == 0


def test_a_row_that_is_no_path_brings_both_lines_of_ancestors_here():
    true, predicted = levels(["A", "A1"]), levels(["A", "B1"])
    assert precision(true, predicted) == 1 / 2
    assert h_precision_score(true, predicted, hierarchy=H) == pytest.approx(1 / 3)  # {A, B, B1}


def test_the_same_name_below_two_classes_is_one_class_with_two_parents_here():
    true, predicted = levels(["A", "x"]), levels(["B", "x"])
    shared = Hierarchy.from_edges([("A", "x"), ("B", "x")])
    assert f1(true, predicted) == 1 / 2
    assert h_f1_score(true, predicted, hierarchy=shared) == 1  # {A, B, x} on both sides
    apart = Hierarchy.from_edges([("A", "A/x"), ("B", "B/x")])
    assert h_f1_score(levels(["A", "A/x"]), levels(["B", "B/x"]), hierarchy=apart) == 0
