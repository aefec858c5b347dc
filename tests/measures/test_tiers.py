"""The catalogue in tiers."""

from dataclasses import replace

from hiermeasures.measures import CATALOGUE, FAMILIES
from hiermeasures.measures.registry import QUESTIONS, SAME, in_tier, question, same_as, tier_of

ALL = list(CATALOGUE.values())


def test_each_measure_is_in_one_tier():
    tiers = {tier: [m.key for m in in_tier(tier, ALL)] for tier in ("start", "question", "part")}
    assert tiers["start"] == ["hF", "F_LCA", "MGIA", "GIE", "hP", "hR", "f1", "accuracy"]
    assert sorted(key for keys in tiers.values() for key in keys) == sorted(CATALOGUE)
    assert {"wF", "CoPHE_F1", "HCM_MCC", "rank_P", "H_loss", "SP"} <= set(tiers["question"])
    assert {"own_pairing", "HCM_FNR", "F_LCA_ext", "wP"} <= set(tiers["part"])


def test_a_measure_that_is_not_listed_answers_the_question_of_its_family():
    assert tier_of("a_new_one") == "question"
    assert question(replace(FAMILIES["lca"], key="new", title="New ones")) == "New ones"
    assert set(QUESTIONS) == set(FAMILIES)


def test_what_coincides_is_said_of_the_measure():
    assert [same.expression for same in same_as("simGIC")] == ["hF / (2 - hF)"]
    assert {"own_pairing", "wF", "HCM_FNR", "HCM_FPR"} <= {same.key for same in SAME} <= set(CATALOGUE)
