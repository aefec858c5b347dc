"""Every measure is a score function of scikit-learn's kind, and its scorer works where scikit-learn
takes one.
"""

import math
import sys
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from sklearn import config_context
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelEncoder, MultiLabelBinarizer
from sklearn.tree import DecisionTreeClassifier

from hiermeasures import Hierarchy, InputError, evaluate, metrics
from hiermeasures.measures import CATALOGUE
from hiermeasures.metrics import h_f1_score, make_scorer, measure_score

H = Hierarchy.from_edges(
    [("animal", "cat"), ("animal", "dog"), ("dog", "poodle"), ("dog", "beagle")]
)
CLASSES = ["beagle", "cat", "dog", "poodle"]
TRUE = [{"cat"}, {"poodle", "cat"}, {"beagle"}, set(), {"dog"}]
PREDICTED = [{"cat"}, {"poodle"}, {"poodle", "dog"}, {"cat"}, set()]


@pytest.mark.parametrize("measure", CATALOGUE.values(), ids=CATALOGUE.keys())
def test_the_name_of_a_function_says_which_way_is_better(measure):
    ending = measure.function.rpartition("_")[2]
    assert ending in {"higher": ["score"], "lower": ["error", "loss"]}[measure.better]
    assert measure.function in metrics.__all__


def test_a_function_is_written_for_each_measure_and_computes_this_one(monkeypatch):
    monkeypatch.setattr(metrics, "measure_score", lambda true, predicted, measure: measure)
    written = {name for name in vars(metrics) if name.endswith(("_score", "_error", "_loss"))}
    assert written - {"measure_score"} == {measure.function for measure in CATALOGUE.values()}
    for measure in CATALOGUE.values():
        function = vars(metrics)[measure.function]
        assert function([], []) == measure.key
        assert f"(`{measure.key}`)" in function.__doc__


def test_a_measure_without_a_written_function_has_one_all_the_same(monkeypatch):
    mine = replace(CATALOGUE["hF"], key="mine", function="mine_score")
    monkeypatch.setitem(CATALOGUE, "mine", mine)
    assert metrics.mine_score(TRUE, PREDICTED, hierarchy=H) == h_f1_score(
        TRUE, PREDICTED, hierarchy=H
    )
    with pytest.raises(AttributeError, match="h_f1_score"):
        metrics.h_f1_scor  # noqa: B018


@pytest.mark.parametrize("average", ["samples", "micro", "macro"])
def test_a_function_gives_what_evaluate_gives(average):
    report = evaluate(H, TRUE, PREDICTED, average=average, measures="all")
    for key in ("hF", "GIE", "F_LCA", "H_loss", "HCM_F1", "CoPHE_F1"):
        measure = CATALOGUE[key]
        score = getattr(metrics, measure.function)
        if average == "macro" and not (measure.macro or measure.pooled == "always"):
            with pytest.raises(InputError, match=f"{key} has no macro average"):
                score(TRUE, PREDICTED, hierarchy=H, average=average)
        else:
            assert repr(score(TRUE, PREDICTED, hierarchy=H, average=average)) == repr(report[key])


@pytest.mark.parametrize("average", ["samples", "micro"])
@pytest.mark.parametrize("key", ["hF", "F_LCA", "GIE", "TIE", "HCM_F1", "accuracy", "hamming"])
def test_an_instance_that_weighs_three_counts_as_three_instances(key, average):
    times = [3, 0, 1, 2, 1]
    repeated = [
        [s for s, n in zip(side, times, strict=True) for _ in range(n)]
        for side in (TRUE, PREDICTED)
    ]
    plain = measure_score(*repeated, hierarchy=H, measure=key, average=average)
    weighted = measure_score(
        TRUE, PREDICTED, hierarchy=H, measure=key, average=average, sample_weight=times
    )
    assert weighted == pytest.approx(plain, nan_ok=True)
    assert not math.isnan(plain)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_true": ["cat", "poodel"]}, "'poodle'"),
        ({"y_true": np.eye(2), "y_pred": np.eye(2), "classes": CLASSES}, "y_true has 2 columns"),
        ({"zero_divison": 1}, "'zero_division'"),
        ({"dmax": 3}, "option 'dmax'"),
        ({"sample_weight": [1]}, "2 instances"),
        ({"sample_weight": [1, -1]}, "is -1.0 for instance 1"),
        ({"sample_weight": ["a", "b"]}, "each instance"),
        ({"sample_weight": [1, 1], "average": "macro"}, "macro average"),
    ],
)
def test_bad_input_is_said_plainly(arguments, message):
    given = {"y_true": ["cat", "dog"], "y_pred": ["cat", "cat"], "hierarchy": H, **arguments}
    with pytest.raises(InputError, match=message):
        h_f1_score(given.pop("y_true"), given.pop("y_pred"), **given)


# --- scorers ------------------------------------------------------------------------------------

TEXTS = [
    "a cat purrs",
    "a curly poodle barks",
    "a beagle barks and sniffs",
    "a cat and a curly poodle",
    "barks",
] * 4
LABELS = [{"cat"}, {"poodle"}, {"beagle"}, {"cat", "poodle"}, {"dog"}] * 4
BINARIZER = MultiLabelBinarizer(classes=CLASSES)
Y = BINARIZER.fit_transform(LABELS)
PIPELINE = make_pipeline(TfidfVectorizer(), OneVsRestClassifier(LogisticRegression()))
CV = KFold(2, shuffle=True, random_state=0)


def scorer(key, **options):
    return make_scorer(H, key, classes=BINARIZER.classes_, **options)


def folds(predicted):
    """True and predicted sets of each fold of cross-validation."""
    for _, test in CV.split(TEXTS):
        yield (
            [LABELS[i] for i in test],
            [{c for c, on in zip(CLASSES, predicted[i], strict=True) if on} for i in test],
        )


def test_cross_validation_of_a_multi_label_pipeline_gives_the_scores_of_its_predictions():
    scoring = {
        "F_LCA": scorer("F_LCA"),
        "GIE": scorer("GIE", dmax=2),
        "own": scorer("mine=0.5*hF + 0.5*F_LCA"),
    }
    found = cross_validate(PIPELINE, TEXTS, Y, cv=CV, scoring=scoring, error_score="raise")
    for k, (true, sets) in enumerate(folds(cross_val_predict(PIPELINE, TEXTS, Y, cv=CV))):
        report = evaluate(
            H, true, sets, define={"mine": "0.5*hF + 0.5*F_LCA"}, measures=["F_LCA", "GIE"], dmax=2
        )
        for name, value in (
            ("F_LCA", report["F_LCA"]),
            ("own", report["mine"]),
            ("GIE", -report["GIE"]),
        ):
            assert found[f"test_{name}"][k] == pytest.approx(value)


def test_a_scorer_with_a_threshold_scores_probabilities():
    scored = scorer("hF", threshold=0.4)
    found = cross_validate(PIPELINE, TEXTS, Y, cv=CV, scoring=scored, error_score="raise")
    scores = cross_val_predict(PIPELINE, TEXTS, Y, cv=CV, method="predict_proba")
    for k, (true, sets) in enumerate(folds(scores > 0.4)):
        assert found["test_score"][k] == evaluate(H, true, sets, measures="hF")["hF"]


class Counting(DecisionTreeClassifier):
    """A classifier that counts its predictions."""

    asked: ClassVar = []

    def predict(self, X, check_input=True):
        self.asked.append(len(X))
        return super().predict(X, check_input)


def test_several_measures_are_a_dictionary_of_values_and_predict_once():
    encoder = LabelEncoder()
    y = encoder.fit_transform([min(labels) for labels in LABELS])  # whole numbers
    X = [[k % 3] for k in range(len(y))]
    scored = make_scorer(H, ["hF", "GIE", "mine=0.5*hF"], classes=encoder.classes_, dmax=2)
    Counting.asked.clear()
    found = cross_validate(Counting(), X, y, cv=CV, scoring=scored, error_score="raise")
    assert len(Counting.asked) == CV.get_n_splits()
    predicted = encoder.inverse_transform(cross_val_predict(Counting(), X, y, cv=CV))
    for k, (_, test) in enumerate(CV.split(X)):
        names = encoder.inverse_transform(y[test])
        report = evaluate(H, names, predicted[test], measures=["hF", "GIE"], dmax=2)
        assert found["test_hF"][k] == report["hF"] < 1
        assert found["test_GIE"][k] == -report["GIE"]
        assert found["test_mine"][k] == report["hF"] / 2
    one = make_scorer(H, "GIE", classes=encoder.classes_, dmax=2)
    fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert scored(fitted, X, y)["GIE"] == one(fitted, X, y)


def test_a_scorer_passes_weights_on():
    # trained on two, of the others one is right
    X, y = ([[0], [1], [0], [1]], ["cat", "poodle", "dog", "poodle"])
    weights = {"sample_weight": [1, 1, 3, 1]}
    with config_context(enable_metadata_routing=True):
        scored = make_scorer(H, "accuracy").set_score_request(sample_weight=True)
        model = DecisionTreeClassifier(max_depth=1).set_fit_request(sample_weight=False)
        found = cross_validate(
            model, X, y, cv=[([0, 1], [2, 3])], scoring=scored, params=weights, error_score="raise"
        )
    assert found["test_score"].tolist() == [1 / (3 + 1)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"measure": "hf"}, "'hF'"),
        ({"average": "mean"}, "unknown average 'mean'"),
        ({"dmax": 3}, "'dmax'"),
        ({"measure": ["hF", "SDL"], "dmax": 3}, "'dmax'"),
        ({"measure": ["hF", "F_LCA"], "average": "macro"}, "F_LCA"),
        ({"measure": ["hF", "hF"]}, "measure 'hF'"),
        ({"measure": []}, "at least one measure"),
        ({"threshold": 0.5}, "Give classes="),
    ],
)
def test_a_scorer_is_checked_when_it_is_made(arguments, message):
    with pytest.raises(InputError, match=message):
        make_scorer(**{"hierarchy": H, **arguments})


def test_a_scorer_without_scikit_learn_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match="pip install scikit-learn"):
        make_scorer(H)
