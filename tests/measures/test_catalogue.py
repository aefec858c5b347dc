"""The catalogue: what every measure promises, whichever family it belongs to."""

import math

import pytest
from hypothesis import given

from hiermeasures import InputError, explain
from hiermeasures.core.options import Options
from hiermeasures.measures import CATALOGUE, FAMILIES, STRUCTURES
from tests.conftest import FIGURE_11A, instances

PROMISED = (
    "accuracy precision recall f1 hamming hP hR hF SDL hP_desc hR_desc hF_desc H_loss TIE all_pairs GIE MGIA "
    "MGIA_error P_LCA R_LCA F_LCA P_LCA_ext R_LCA_ext F_LCA_ext SP HCM_TP HCM_TN HCM_FP HCM_FN HCM_ACC HCM_PPV HCM_TPR "
    "HCM_FNR HCM_FPR HCM_TNR "
    "HCM_PT HCM_F1 HCM_MCC CoPHE_P CoPHE_R CoPHE_F1"
).split()


def test_every_promised_measure_is_there():
    assert set(PROMISED) <= CATALOGUE.keys()


@pytest.mark.parametrize("measure", CATALOGUE.values(), ids=CATALOGUE.keys())
def test_a_declaration_is_whole(measure):
    assert measure.family in FAMILIES
    assert STRUCTURES[measure.structure.key] is measure.structure
    assert measure.description.endswith(".")
    assert measure.source
    assert set(measure.options) <= set(Options.model_fields)
    assert measure.formula.count("{") == measure.formula.count("}")


@given(instances())
def test_values_stay_in_range_and_derivations_end_in_the_value(instance):
    h, true, predicted = instance
    x = explain(h, true, predicted)
    for key, measure in CATALOGUE.items():
        value = x[key]
        derivation = x.derivation(key)
        assert derivation.sentence
        assert derivation.latex.count("{") == derivation.latex.count("}")
        if not math.isnan(value):
            assert measure.low is None or value >= measure.low - 1e-12
            assert measure.high is None or value <= measure.high + 1e-12


@given(instances(empty=False))
def test_a_perfect_prediction_gives_the_perfect_value(instance):
    h, true, _ = instance
    x = explain(h, true, true)
    others = {"HCM_MCC", "HCM_PT", "HCM_TNR", "all_pairs"}  # no negatives: 0/0; all pairs, not only the right ones
    for key, measure in CATALOGUE.items():
        if measure.perfect is not None and key not in others:
            assert x[key] == pytest.approx(measure.perfect), key


@given(instances())
def test_swapping_the_sides_swaps_precision_and_recall(instance):
    h, true, predicted = instance
    x, y = explain(h, true, predicted), explain(h, predicted, true)
    for pair in ("hP hR", "hP_desc hR_desc", "precision recall", "CoPHE_P CoPHE_R", "wP wR"):
        p, r = pair.split()
        assert (x[p], x[r]) == (y[r], y[p])
    same = "hF hF_desc f1 CoPHE_F1 wF SDL H_loss hamming accuracy TIE all_pairs GIE MGIA MGIA_error own_pairing".split()
    assert [x[key] for key in same] == pytest.approx([y[key] for key in same], nan_ok=True)


def test_unknown_names_are_refused_with_the_nearest_known_one():
    x = explain(FIGURE_11A, {"T1"}, {"P1"})
    with pytest.raises(InputError, match="unknown measure 'F_LCS'; nearest known: 'F_LCA'"):
        x["F_LCS"]
    with pytest.raises(InputError, match="unknown option 'd_max'; nearest known: 'dmax'"):
        explain(FIGURE_11A, {"T1"}, {"P1"}, d_max=5)
    with pytest.raises(InputError, match="unknown class 'P3'; nearest known: 'P"):
        explain(FIGURE_11A, {"T1"}, {"P3"})


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("dmax", 0, "greater than 0"),
        ("dmax", "five", "number"),
        ("dmax", float("nan"), "finite"),
        ("normaliser", "product", "'union'"),
        ("zero_division", 2, "less than or equal to 1"),
        ("max_ancestor_distance", 0, "greater than or equal to 1"),
        ("alpha_p", -1, "greater than or equal to 0"),
        ("graphs", "small", "'minimal' or 'extended'"),
        ("dmax", [5], "number"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_range(option, value, words):
    with pytest.raises(InputError, match=words) as refusal:
        explain(FIGURE_11A, {"T1"}, {"P1"}, **{option: value})
    assert "\n" not in str(refusal.value)


def test_options_given_whole_or_one_by_one_are_the_same():
    whole = explain(FIGURE_11A, {"T1"}, {"P1"}, options=Options.make(zero_division=1))
    assert whole.options == explain(FIGURE_11A, {"T1"}, {"P1"}, zero_division=1).options
