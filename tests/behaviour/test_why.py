"""The sentence of why a value changed names what changed in the structure, and nothing else."""

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.behaviour.why import why
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import own_measure
from tests.conftest import FIGURE_11A


def sentence(key, predicted, before=("P1", "P2"), h=FIGURE_11A):
    return why(CATALOGUE[key], explain(h, {"T1"}, before), explain(h, {"T1"}, predicted)).sentence


@pytest.mark.parametrize(
    ("key", "predicted", "says"),
    [
        ("F_LCA", "P1 P2 C", "C meets T1 in A, so A joins both graphs; only predicted now: C."),
        ("hF", "P1 P2 T1", "T1 is now in both sets and was in the true set only."),
        ("SP", "P1 P2 C", "Summed now: C to T1 (3)."),
        ("MGIA", "P1 P2 T1", "New: T1 with itself (0); all pairs together still cost 4."),
        ("CoPHE_F1", "P1", "P2 counts 0 predicted instead of 1; A, B count 1 predicted instead of 2; too many 4 → 1."),
        # T1 is true; without B above it, it is no hit. A, the root, is in every prediction.
        ("C_F1", "P1 P2 T1", "T1 is now in both sets without an ancestor and was in the true set only."),
        (
            "rank_F",
            "B",
            "B is now in the predicted set above a true class and was in neither set; "
            "P1, P2 are now in neither set and were in the predicted set only.",
        ),
        ("hF", "P1 P2 A", "Nothing that it is read off has changed."),
    ],
)
def test_figure_11a(key, predicted, says):
    assert sentence(key, predicted.split()) == says


def test_gie_loses_its_pair_to_the_right_class():
    """T1 pairs with itself at 0; P1, which it was paired with at 2, goes to a default class at 5."""
    said = sentence("GIE", ["P1", "P2", "T1"])
    assert said.startswith("Gone: P1 with T1 (2); new: T1 with itself (0), P1 with a default class (5); all pairs")
    assert "all pairs together cost 10 instead of 7" in said


def test_the_numbers_are_those_of_the_derivations():
    found = why(CATALOGUE["F_LCA"], *(explain(FIGURE_11A, {"T1"}, p) for p in (["P1", "P2"], ["P1", "P2", "C"])))
    assert found.values == pytest.approx((0.4, 0.5))  # 2·1/5 and 2·2/8
    assert found.word == "better"
    assert r"2 \cdot 2" in found.after.latex


def test_where_names_mean_other_classes_only_numbers_are_compared():
    """The same tree with a and b exchanged: of the two sets nothing can be said by name."""
    before = explain(Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")]), {"c"}, {"a"})
    after = explain(Hierarchy.from_edges([("R", "a"), ("R", "b"), ("b", "c")]), {"c"}, {"a"})
    assert why(CATALOGUE["hF"], before, after).sentence == "Shared 2 → 1."


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_measure_has_a_sentence(key):
    assert sentence(key, ["P1", "C", "T1"]).endswith(".")
    assert sentence(key, []).endswith(".")


def test_a_measure_of_one_s_own_says_what_changed_in_each_structure_it_is_made_of():
    mine = own_measure("mine=0.5*SP + 0.5*F_LCA")
    found = why(mine, *(explain(FIGURE_11A, {"T1"}, p) for p in (["P1", "P2"], ["P1", "P2", "C"])))
    assert found.values == pytest.approx((0.5 * 4 + 0.5 * 0.4, 0.5 * 7 + 0.5 * 0.5))
    assert "summed now: C to T1 (3)" in found.sentence
    assert "C meets T1 in A, so A joins both graphs" in found.sentence
