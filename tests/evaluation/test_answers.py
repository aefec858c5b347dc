"""Answers that do not fit: ten of them by hand for each policy, and what the report says."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, evaluate

TEN = pd.DataFrame(
    [
        ("Electronics > Audio > Headphones", "Electronics > Audio > Headphones"),
        ("Electronics > Audio > Headphones", "Electronics > Audio > Radios"),
        ("Electronics > Audio > Radios", "Electronics > Audio"),
        ("Electronics > Video", "Electronics > Video > Cameras"),
        ("Electronics > Video > Cameras", None),
        ("Books > Poetry", "Books > Haiku"),
        ("Books > Poetry", "Books > Novels > Long"),
        ("Electronics > Audio > Headphones", "Headphones"),
        ("Electronics > Audio > Radios", "electronics > audio > radios"),
        ("Books > Poetry", "Electronics > Poetry"),
    ],
    columns=["truth", "answer"],
)
# hP and hR of each answer: |shared| / |predicted| and |shared| / |true|, with ancestors, without
# the virtual root.
FITTING = [(1, 1), (2 / 3, 2 / 3), (1, 2 / 3), (2 / 3, 1), (0, 0)]
OTHERS = {
    # Books is shared twice, with one and with two wrong classes; the others begin with no true
    # class.
    "wrong": [(1 / 2, 1 / 2), (1 / 3, 1 / 2), (0, 0), (0, 0), (0, 0)],
    # Books, Books, none, none, Electronics
    "prefix": [(1, 1 / 2), (1, 1 / 2), (0, 0), (0, 0), (0, 0)],
    "nearest": [(1, 1)]
    * 5,  # Poetry (most letters) twice, then the last part, the letters, the last part
    "drop": [(0, 0)] * 5,  # nothing is left, and 0 / 0 is 0
}


def of_ten(**how):
    return evaluate(TEN, true="truth", predicted="answer", measures=["hP", "hR", "hF"], **how)


@pytest.mark.parametrize("policy", OTHERS)
def test_ten_answers_are_worth_what_they_are_by_hand(policy):
    found = of_ten(unknown=policy).per_instance[["hP", "hR"]].to_numpy()
    assert found == pytest.approx(np.array(FITTING + OTHERS[policy]))


def test_wrong_is_the_default_of_a_table_and_the_report_says_so():
    report = of_ten()
    assert report["hP"] == pytest.approx((10 / 3 + 1 / 2 + 1 / 3) / 10)
    assert any("unknown='wrong'" in note for note in report.notes)
    truth = of_ten(classes="truth")  # then an answer that is no true class shares nothing
    assert truth["hP"] == pytest.approx(1 / 3)
    assert any("the true labels" in note for note in truth.hierarchy.notes)


def test_every_kind_of_answer_leads_to_its_instances():
    rows = {kind: found.tolist() for kind, found in of_ten().answers.rows.items()}
    assert rows == {
        "empty": [4], "unknown": [5, 6, 7, 8, 9], "inconsistent": [9], "too general": [2], "too specific": [3],
    }  # fmt: skip
    assert of_ten().answers.kinds[9] == "unknown, inconsistent"
    assert "rows 6, 7, 8, 9, 10" in of_ten().notes[0]
    named = evaluate(
        TEN, true="truth", predicted="answer", measures="hF", ids=[f"p{k}" for k in range(10)]
    )
    assert "1 too general (instance 'p2')" in named.notes[0]


def test_an_error_says_how_many_match_what_differs_and_what_would_repair_it():
    with pytest.raises(InputError) as refused:
        of_ten(unknown="error")
    assert "'Books > Poetry'" in str(refused.value)
    assert "Of 9 different labels, 4 are known" in str(refused.value)
    assert "'electronics > audio > radios'" in str(refused.value)
    assert refused.value.repair == "--normalise case"


def test_nearest_lists_what_was_matched_to_what():
    matched = {m.label: (m.name, m.how, m.times) for m in of_ten(unknown="nearest").answers.matched}
    assert matched["Headphones"] == ("Electronics > Audio > Headphones", "nearest", 1)
    assert len(matched) == 5


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("ROCK ’n’ roll", "quotes,case"),
        ("Rock  'n' Roll", "blanks"),
        ("Rock 'n' Roﬂ", None),
        ("Rock-n-Roll", "signs"),
    ],
)
def test_each_normal_form_overlooks_its_difference(written, form):
    h = Hierarchy.from_edges([("music", "Rock 'n' Roll"), ("music", "Jazz")])
    with pytest.raises(InputError):
        evaluate(h, ["Jazz"], [written], unknown="error")
    asked = {"normalise": form.split(",")} if form else {"normalise": True}
    report = evaluate(
        h, ["Rock 'n' Roll"], [written], unknown="wrong", measures="accuracy", **asked
    )
    assert report["accuracy"] == float(form is not None)  # another word stays another word


def test_spellings_of_the_truth_become_one_class():
    table = pd.DataFrame({"t": ["A > b", "A > B", "A > B"], "p": ["A > B"] * 3})
    assert len(evaluate(table, true="t", predicted="p", measures="hF").hierarchy) == 4 - 1
    report = evaluate(table, true="t", predicted="p", measures="hF", normalise=True)
    assert report["hF"] == 1
    assert [(m.label, m.name, m.times) for m in report.answers.matched] == [("A > b", "A > B", 1)]


def test_below_a_real_root_a_wrong_answer_shares_nothing_either_and_no_other_value_changes():
    h = Hierarchy.from_edges([("Life", "A"), ("A", "B"), ("Life", "C")])
    wrong = evaluate(h, ["B", "B"], ["C", "x"], unknown="wrong", measures=["hP", "hR"]).per_instance
    # {Life, C} and {Life, A, B}: as without the unknown answer
    assert wrong["hP"].tolist() == [1 / 2, 0]
    assert wrong["hR"].tolist() == [1 / 3, 0]


parts = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)
rows = st.lists(st.tuples(parts, parts), min_size=1, max_size=6)


@given(rows, st.booleans())
def test_wrong_never_scores_above_prefix_with_one_label(pairs, rooted):
    table = pd.DataFrame(
        [[" > ".join((["Life"] if rooted else []) + side) for side in pair] for pair in pairs]
    )
    table.columns = ["t", "p"]
    values = {
        policy: evaluate(
            table, true="t", predicted="p", paths=" > ", unknown=policy, measures=["hP", "hR", "hF"]
        )
        for policy in ("wrong", "prefix")
    }
    wrong, prefix = (values[policy].per_instance.to_numpy() for policy in ("wrong", "prefix"))
    assert (wrong <= prefix + 1e-12).all()
