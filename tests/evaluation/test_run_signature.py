"""The signature of a run says what was computed, and `evaluate` computes the same from it."""

import pandas as pd
import pytest

from hiermeasures import Hierarchy, InputError, compare, evaluate, partial
from hiermeasures.evaluation import run_signature
from hiermeasures.evaluation.run_signature import Run
from hiermeasures.hierarchy.options import Options

H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C"), ("A", "D")])
TRUE, PREDICTED = [{"C"}, {"B"}, set()], [{"C", "D"}, {"A"}, {"B"}]
ASKED = [
    {},
    {"measures": ["hF"], "count_root": False, "zero_division": 0.5},
    {"measures": ["GIE", "TIE"], "dmax": 2.5, "average": "macro"},
    {"measures": ["F_LCA"], "average": "micro", "graphs": "extended", "max_ancestor_distance": 1},
    {
        "measures": [],
        "define": {"m:lower:-1..2": "max(hF, 0.25) - 1 / (1 + GIE)", "n": "hF"},
        "dmax": 3,
    },
    {"measures": ["mine=min(hF, F_LCA)"], "unknown": "wrong", "normalise": ["case"]},
    {"measures": ["own_pairing"], "alpha_p": 0, "beta_t": 2, "default_classes": False},
]


def said(**more):
    fields = {
        "first": "hF",
        "root": "counted",
        "empty": "0",
        "avg": "samples",
        "unknown": "error",
        "n": "3",
        **more,
    }
    first, version = fields.pop("first"), fields.pop("last", f"v{run_signature.VERSION}")
    return "|".join(
        [
            first,
            *(f"{name}:{value}" for name, value in fields.items() if value is not None),
            version,
        ]
    )


@pytest.mark.parametrize("asked", ASKED)
def test_what_a_signature_says_gives_the_same_values_and_the_same_signature(asked):
    report = evaluate(H, TRUE, PREDICTED, **asked)
    again = evaluate(H, TRUE, PREDICTED, like=report.signature)
    assert again.signature == report.signature
    assert list(again.values.values()) == pytest.approx(
        list(report.values.values()), nan_ok=True, abs=0
    )
    assert not [note for note in again.notes if "signature" in note]


def test_options_that_change_none_of_the_measures_are_not_said():
    assert evaluate(H, TRUE, PREDICTED, measures=["hF"], dmax=2).signature == said()
    assert (
        "|unknown:error|dmax:2|n:3|"
        in evaluate(H, TRUE, PREDICTED, measures=["GIE"], dmax=2).signature
    )


def test_a_threshold_and_what_was_dropped_are_said():
    scores = [[0.1, 0.9, 0.4, 0.2, 0.3]]
    found = evaluate(H, [{"A"}], scores, classes=H.nodes, threshold=0.5, measures=["hF"])
    assert "|scores:at_least@0.5|" in found.signature
    before = found.signature.replace("at_least@", "")  # as it was written once
    assert evaluate(H, [{"A"}], scores, classes=H.nodes, like=before).values == found.values
    assert (
        evaluate(H, [{"A"}], scores, classes=H.nodes, like=found.signature).values == found.values
    )
    assert "|scores:argmax|" in evaluate(H, [{"A"}], scores, classes=H.nodes, argmax=True).signature
    assert "|unknown:drop|" in evaluate(H, [{"A"}], [{"A", "X"}], unknown="drop").signature


def test_of_tables_partial_results_and_comparisons_too():
    table = pd.DataFrame(
        {"t": ["R > A", "R > B"], "a": ["R > A", "R > Q"], "b": ["R > B", "R > B"]}
    )
    reports = evaluate(table, true="t", predicted=["a", "b"], measures=["hF"])
    assert (
        reports["a"].signature
        == reports["b"].signature
        == said(unknown="wrong", root="counted", n="2")
    )
    again = evaluate(table, true="t", predicted=["a", "b"], like=reports["a"].signature)
    assert {name: dict(report) for name, report in again.items()} == {
        n: dict(r) for n, r in reports.items()
    }
    assert partial(H, TRUE, PREDICTED, measures=["hF"]).report().signature == said()
    compared = compare(H, TRUE, {"a": PREDICTED, "b": TRUE}, like=said(first="hF,GIE"))
    assert compared.signature == said(first="hF,GIE")
    assert compared.signature in str(compared)
    assert f"% {compared.signature}" in compared.to_latex()
    assert compared.as_json()["signature"] == compared.signature


@pytest.mark.parametrize(
    ("signature", "fault"),
    [
        ("hF", "a signature is one line, such as"),
        (said(first="hG"), "unknown measure 'hG'; nearest known: 'hF'"),
        (said(first="core"), "'core' is none"),
        (said(rot="auto"), "unknown field of a signature 'rot'; nearest known: 'root'"),
        (said(dmax="-3"), "option dmax: '-3' should be greater than 0"),
        (said(avg="sample"), "unknown average 'sample'; nearest known: 'samples'"),
        (said(unknown=None, n=None), "the signature lacks unknown, n"),
        (said(scores="most"), "scores of a signature are argmax or a threshold, not 'most'"),
        (said(last="n:3|v0.2.0"), "a signature has the field n once"),
        (
            said(last="v99.0"),
            "of hiermeasures 99.0, which is newer: its values may mean something else",
        ),
        (
            said(last="v0.1.9"),
            "of hiermeasures 0.1.9, which is older than 0.2.0, which changed values",
        ),
        (said(first="__import__('os')=1"), "is not a name"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_in_a_sentence(signature, fault):
    with pytest.raises(InputError) as refused:
        evaluate(H, TRUE, PREDICTED, like=signature)
    assert fault in str(refused.value) or fault == "m=hF"


@pytest.mark.parametrize(
    "other", [{"dmax": 3}, {"measures": ["hF"]}, {"average": "micro"}, {"options": Options.make()}]
)
def test_nothing_is_said_twice(other):
    with pytest.raises(InputError, match=f"like= already sets {next(iter(other))}: leave"):
        evaluate(H, TRUE, PREDICTED, like=said(), **other)


def test_every_option_can_be_said():
    for name, field in Options.model_fields.items():
        short = run_signature.SHORT.get(name, name)
        value = "auto" if name == "count_root" else run_signature._word(field.default)
        assert getattr(Run.read(said(**{short: value})).arguments["options"], name) == field.default
