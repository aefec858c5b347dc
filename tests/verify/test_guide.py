"""The page that advises: no claim without a proof, and no proof that does not hold."""

import re

import pytest

from docs.make.generated import FOLDER
from docs.make.guide_page import Matrix, prove
from hiermeasures.debug import study
from hiermeasures.debug.search import try_known
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.verify.values import DoesNotHold

TWO = "R>a R>b; T = {a}, P = {b}"


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    """The cells that the claims here name, searched in small hierarchies and known instances."""
    asked = {
        "second_way_changes_nothing": ["hF", "TIE", "F_LCA"],
        "unrelated_error_always_costs": ["hamming", "all_pairs"],
        "unrelated_error_never_pays_to_a_prediction": ["hP"],
    }
    found = {}
    for prop, measures in asked.items():
        small = study(measures, [prop], trees=4, dags=5)
        found |= small.with_sampled(try_known(small)).verdicts
    return Matrix(found)


def test_what_stands_in_braces_is_computed_on_the_instance_that_was_named_last(matrix):
    # Root and class on each side, the root shared: 2 · 1 / (2 + 2). Without the root nothing is
    # shared.
    text = f"On {{on {TWO}}} hF is {{hF}}, {{on {TWO} | count_root=false}} {{hF}}."
    assert prove(text, matrix) == f"On `{TWO}` hF is 0.50, `{TWO} | count_root=false` 0."


def test_a_cell_is_written_with_its_proof(matrix):
    """R>a, R>b, R>c>d: of {R, a} and {R, c, d} R is shared, 2/5; with b above d 2/6."""
    said = prove("{hF breaks second_way_changes_nothing}", matrix)
    assert said.startswith("[`hF` ✗ 5](behaviour.md#a-second-path-changes-nothing ")
    assert said.endswith(": 0.4 → 0.3333")
    assert "✓ theorem" in prove("{TIE keeps second_way_changes_nothing}", matrix)
    said = prove("{only hamming, all_pairs keep unrelated_error_always_costs}", matrix)
    assert said.count("✓ theorem") == 2


@pytest.mark.parametrize(
    "claim",
    [
        f"{{on {TWO}}} {{hF = 0.6}}",
        f"{{on {TWO}}} {{hF > TIE}}",
        "{hF keeps second_way_changes_nothing}",
        "{TIE breaks second_way_changes_nothing}",
        "{only hamming keep unrelated_error_always_costs}",
        "{nowhere trees=3, one_label, hF < 1}",
        "{nowhere trees=5, edit=predict, gains=hF, loses=F_LCA}",
        "{nowhere trees=3, edit=add-true, loses=GIE}",
        "{hP keeps unrelated_error_never_pays_to_a_prediction}",
        "{F_LCA keeps second_way_changes_nothing}",
        # No tree of so few classes refutes these; an instance that is known does.
        "{nowhere trees=4, leaves, edit=add-true, loses=F_LCA}",
        "{nowhere trees=4, edit=add-unrelated, gains=hP}",
    ],
)
def test_a_claim_that_does_not_hold_is_refused(claim, matrix):
    with pytest.raises(DoesNotHold):
        prove(claim, matrix)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- hF is fair.", "'- hF is fair.'"),
        ("It gives 0.57.", "'0.57' is typed in"),
        ("{hF keeps symetric}", "'symetric'"),
        ("{hG keeps symmetric}", "'hG'"),
        ("{on somewhere}", "'somewhere'"),
        ("{on R>a; T = {a}} {hF}", "is not an instance"),
        ("{on R>a; T = a, P = {a}} {hF}", "'a'"),
        ("{nowhere: hF > 1}", "nowhere: hF > 1"),
        ("{nowhere bushes=3, hF > 1}", "trees=6"),
        ("{nowhere trees=3, one_labl, hF > 1}", "'one_labl'"),
        ("{nowhere trees=3, hG > 1}", "'hG'"),
        ("{nowhere trees=3, hF > 1, hP > 1}", "twice"),
        ("{hF", "is not closed"),
    ],
)
def test_what_cannot_be_read_is_named(text, said, matrix):
    with pytest.raises(InputError, match=re.escape(said)):
        prove(text, matrix)


def test_no_recommendation_is_without_its_counter_argument():
    sections = (FOLDER / "which-measure.md").read_text(encoding="utf-8").split("\n## ")[1:]
    recommending = [section for section in sections if "**Report" in section]
    assert len(recommending) >= 8
    assert [
        section.splitlines()[0] for section in recommending if "\n*Against it.*\n" not in section
    ] == []
