"""Own measures: expressions over measures and parts of structures, which are measures like any
other.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, compare, evaluate, explain
from hiermeasures.debug import study
from hiermeasures.debug.find import FindRequest, find
from hiermeasures.measures import STRUCTURES
from hiermeasures.measures.own import names, own_measure, own_measures
from tests.conftest import FIGURE_11A

SIDES = {"true": {"T1"}, "predicted": {"P1", "P2"}}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        # Augmented: {A, B, T1} and {A, B, P1, P2}, which share A and B.
        ("2*augmented.shared / (len_T + augmented.predicted)", 2 * 2 / (1 + 4)),
        # hF = 2·2 / (3 + 4); F_LCA 0.4 is Table 1's
        ("0.5*hF + 0.5*F_LCA", 0.5 * 4 / 7 + 0.5 * 0.4),
        ("GIE / len_P", 7 / 2),  # Table 1
        ("F_LCA_ext - F_LCA", None),
        ("confusion.TP + pairing_GIE.error * 0 + len_P", None),
        ("max(hP, hR) - min(hP, hR)", 2 / 3 - 0.5),
        ("sqrt(hP * hR)", math.sqrt(0.5 * 2 / 3)),
        ("3", 3.0),
    ],
)
def test_an_own_measure_has_the_value_of_its_expression(expression, value):
    x = explain(FIGURE_11A, **SIDES, define={"mine": expression})
    if value is None:
        value = {"F": x["F_LCA_ext"] - x["F_LCA"], "c": x.confusion.tp + 2}[expression[0]]
    assert x["mine"] == pytest.approx(value)
    assert x["mine=" + expression] == x["mine"]  # by its definition, without having been defined


@pytest.mark.parametrize(
    ("true", "predicted", "settings", "expected"),
    [
        (set(), set(), {}, (1.0, 0.0)),  # nothing and nothing agree
        ({"B"}, set(), {}, (0.0, 0.0)),  # 0 of 0 predicted classes
        ({"B"}, set(), {"zero_division": 0.25}, (0.25, 0.25)),
        ({"B"}, {"B"}, {}, (1.0, 1.0)),
    ],
)
def test_nothing_by_nothing_follows_zero_division(true, predicted, settings, expected):
    define = {"score": "flat.shared / flat.predicted", "cost:lower": "flat.shared / flat.predicted"}
    x = explain(FIGURE_11A, true, predicted, define=define, **settings)
    assert (x["score"], x["cost"]) == expected


# --- batches ------------------------------------------------------------------------------------

PARTS = [
    "hF",
    "GIE",
    "F_LCA",
    "F_LCA_ext",
    "HCM_F1",
    "SDL",
    *(n for n in names() if "." in n),
    "len_T",
    "len_P",
    "0.5",
]
PARTS += [
    "0",
    "-0.0",
    "5e-324",
    "1e-100",
    "4503599627370496.5",
    "123456789012345678901234567890",
    "1e60",
    "-1e100",
]
EXPRESSIONS = st.recursive(
    st.sampled_from(PARTS),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map("({0[0]} {0[1]} {0[2]})".format)
        | st.tuples(st.sampled_from(["min", "max", "rounded", "truncated"]), inner, inner).map(
            "{0[0]}({0[1]}, {0[2]})".format
        )
        | inner.map("-{}".format)
        | inner.map("sqrt(abs({}))".format)
    ),
    max_leaves=6,
)
LABELS = st.lists(
    st.tuples(*[st.sets(st.sampled_from("BCDEF"), max_size=3)] * 2), min_size=1, max_size=4
)
DAG = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"), ("C", "E"), ("D", "F")])


@given(
    EXPRESSIONS,
    LABELS,
    st.sampled_from([{}, {"zero_division": 0.5, "graphs": "extended"}, {"count_root": False}]),
)
def test_a_batch_gives_what_explain_gives(expression, pairs, options):
    true, predicted = zip(*pairs, strict=True)
    report = evaluate(DAG, true, predicted, measures=[], define={"mine": expression}, **options)
    single = [explain(DAG, t, p, define={"mine": expression}, **options)["mine"] for t, p in pairs]
    np.testing.assert_array_equal(report.per_instance["mine"], single)
    assert not any(
        math.isinf(value) for value in (*single, report["mine"], report.averaged("micro")["mine"])
    )


def test_a_constant_has_a_value_for_each_instance():
    own = own_measures({"mine": "truncated(-1e60, 0)"})["mine"]
    assert (
        evaluate(DAG, [{"B"}, {"C"}], [{"B"}, {"D"}], measures=[own]).per_instance["mine"].tolist()
        == [-1e60] * 2
    )
    answer = find(
        FindRequest(edit="add", gains=("hF",), loses=("mine",)),
        trees=3,
        dags=0,
        define={"mine": "-1e60"},
    )
    assert answer.example is None
    kept = "more_truth_never_hurts"
    assert study([own], [kept], trees=3, dags=0).verdicts[kept]["mine"].holds


@pytest.mark.parametrize(
    "expression",
    ["1e100 * hF * 10", "1e60 / (1e-60 * len_T)", "hF + 1 / (0 * len_T)", "min(1, len_T / 0)"],
)
def test_a_value_beyond_the_bound_is_undefined(expression):
    pairs = [{"B"}, {"C"}], [{"B"}, {"D"}]
    report = evaluate(DAG, *pairs, measures=[], define={"mine": expression})
    assert report.per_instance["mine"].isna().all()
    assert math.isnan(explain(DAG, {"B"}, {"B"}, define={"mine": expression})["mine"])


def test_counts_are_summed_for_the_micro_average():
    # Figure 11(a), and C for C: (2 + 2) shared, 1 + 1 true labels, 4 + 2 on the predicted side.
    report = evaluate(
        FIGURE_11A,
        [{"T1"}, {"C"}],
        [{"P1", "P2"}, {"C"}],
        define={"mine": "2*augmented.shared / (len_T + augmented.predicted)"},
    )
    assert report.averaged("micro")["mine"] == 2 * 4 / (2 + 6)
    assert report["mine"] == pytest.approx((0.8 + 4 / 3) / 2)
    assert math.isnan(report.averaged("macro")["mine"])


def test_systems_are_ranked_by_an_own_measure_in_its_direction():
    systems = {"near": [{"P1"}] * 20, "far": [{"C"}] * 20}
    for head, best in (("mine", "far"), ("mine:lower", "near")):
        found = compare(
            FIGURE_11A, [{"T1"}] * 20, systems, measures=["hF"], define={head: "GIE * 2"}
        )
        assert found.ranks.at[best, "mine"] == 1
        assert r"$\mathrm{mine}$" in found.to_latex()


# --- definitions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "says"),
    [
        ("hF=GIE", "another meaning"),
        ("lca=GIE", "another meaning"),
        ("len_T=GIE", "another meaning"),
        ("lambda=GIE", "another meaning"),
        ("__class__=GIE", "is not the start"),
        ("a b=GIE", "is not the start"),
        ("mine:upper=GIE", "is not the start"),
        ("mine:1..0=GIE", r"1\.\.0"),
        ("mine:1.2.3..=GIE", "is not the start"),
        ("m" * 17 + "=GIE", "at most 16"),
        ("mine" + " " * 1000 + "junk=GIE", "is not the start"),
        ("mine=", "write an expression"),
        ("mine=hF == 1", "a number is needed"),
        ("mine=hG", "did you mean"),
        ("mine=augmented.sharde", "'augmented.shared'"),
        ("mine=augmented.__class__", "has no meaning"),
    ],
)
def test_what_cannot_be_defined_is_refused_with_why(definition, says):
    with pytest.raises(InputError, match=says):
        own_measure(definition)


def test_there_are_six_at_most_and_each_has_a_name_of_its_own():
    with pytest.raises(InputError, match="at most 6"):
        own_measures({f"m{k}": "hF" for k in range(7)})
    with pytest.raises(InputError, match="defined twice"):
        own_measures({"mine": "hF", "mine:lower": "GIE"})


@pytest.mark.parametrize("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_every_column_can_be_named_and_says_what_it_is(structure):
    for column, meaning in zip(structure.columns, structure.meanings, strict=True):
        own = own_measure(f"mine={structure.key}.{column}")
        assert own.structure is structure
        assert names()[f"{structure.key}.{column}"] == meaning
