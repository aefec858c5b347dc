"""Systems against each other: ranks with ties, correlations, LaTeX, and what is refused."""

import json
import math

import numpy as np
import pytest
from scipy.stats import kendalltau

from hiermeasures import Hierarchy, InputError, compare, evaluate
from hiermeasures.cli import main
from hiermeasures.evaluation.compare import scores_to_latex
from hiermeasures.evaluation.compare.comparison import tau_b
from tests.conftest import SAMPLES
from tests.latex import NASTY

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "B1"), ("B", "B2"), ("C", "C1")])
TRUE = [{"B1"}] * 40
RIGHT, NEAR, FAR = {"B1"}, {"B2"}, {"C1"}


def systems(**predictions):
    return {
        name: [label for label, times in parts for _ in range(times)]
        for name, parts in predictions.items()
    }


def test_a_clearly_better_system_ranks_first_and_equal_ones_share_a_rank():
    predicted = systems(good=[(RIGHT, 40)], close=[(RIGHT, 39), (NEAR, 1)], bad=[(FAR, 40)])
    comparison = compare(H, TRUE, predicted, measures=["hF", "GIE"])
    # One differing instance of one in favour: p = 1/2, no evidence. Forty of forty: Z = 20 / (0.5
    # √40) = 6.3.
    assert comparison.ranks["hF"].to_dict() == {"good": 1, "close": 1, "bad": 2}
    assert comparison.ranks["GIE"].to_dict() == {"good": 1, "close": 1, "bad": 2}
    assert comparison.scores.at["close", "hF"] == pytest.approx((39 + 4 / 6) / 40)


def test_p_values_are_those_of_the_sign_test_with_holm_s_correction():
    predicted = systems(a=[(RIGHT, 40)], b=[(RIGHT, 20), (NEAR, 20)], c=[(FAR, 40)])
    comparison = compare(H, TRUE, predicted, measures=["hF"])
    # a against b: 20 of 20; three pairs: its p is the largest and stays as it is.
    assert comparison.p_values["hF"].at["a", "b"] == pytest.approx(2 / 2**20)
    assert comparison.p_values["hF"].at["b", "a"] == 1


def test_measures_that_rank_alike_correlate_fully():
    predicted = systems(a=[(RIGHT, 40)], b=[(NEAR, 40)], c=[(FAR, 40)])
    comparison = compare(H, TRUE, predicted, measures=["hF", "SDL", "accuracy"])
    assert comparison.correlations.at["hF", "SDL"] == pytest.approx(1)
    # accuracy ties b and c: 2 pairs agree, 1 is tied on one side; tau-b = 2 / √(3 · 2)
    assert comparison.correlations.at["hF", "accuracy"] == pytest.approx(2 / math.sqrt(6))


def test_correlations_are_kendall_s_tau_b_as_scipy_has_it():
    chance = np.random.default_rng(7)
    for size in chance.integers(2, 9, 200):
        a, b = chance.integers(1, size + 1, (2, size))
        assert tau_b(a, b) == pytest.approx(kendalltau(a, b).statistic, nan_ok=True)


def test_predictions_per_instance_and_consistency():
    comparison = compare(
        H,
        TRUE,
        systems(leaf=[({"B1"}, 40)], path=[({"A", "B", "B1"}, 20), ({"B1", "C"}, 20)]),
        measures=["hF"],
    )
    assert comparison.predictions.to_dict() == {"leaf": 1.0, "path": 2.5}
    assert comparison.consistency.to_dict() == {"leaf": 0.0, "path": 0.5}


def test_latex_has_a_row_per_system_and_escapes_names():
    several = systems(**{"a_1 & b": [(RIGHT, 40)], "c": [(FAR, 40)], "d": [(FAR, 40)]})
    latex = compare(H, TRUE, several, measures=["hF"]).to_latex()
    assert r"a\_1 \& b & 1.0000 (1) \\" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2


def test_the_tables_compile_whatever_systems_are_called(latex):
    names = {f"{k} {name}": [(RIGHT, 40 - k), (FAR, k)] for k, name in enumerate(NASTY)}
    compared = compare(H, TRUE, systems(**names), measures=["hF", "F_LCA"])
    latex(compared.to_latex())
    latex(scores_to_latex(compared.reports))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"test": "signs"}, "'sign'"),
        ({"alpha": 1.5}, "between 0 and 1"),
        ({"measures": ["hf1"]}, "unknown measure 'hf1'"),
        ({"correction": "bonferroni"}, "unknown correction"),
    ],
)
def test_what_cannot_be_compared_is_refused(settings, words):
    with pytest.raises(InputError, match=words):
        compare(H, TRUE, systems(a=[(RIGHT, 40)], b=[(FAR, 40)]), **settings)


ORGANIZERS = {  # printed to two digits
    "twistbytes__sklearn_hier_threshold_and_roots_baseline_thresholding": (
        0.25,
        0.71,
        0.65,
        0.68,
        1,
    ),
    "EricssonResearch__fconv_A6C1Y": (0.38, 0.74, 0.62, 0.67, 1),
    "Averbis__BOHB_CNN": (0.27, 0.68, 0.61, 0.64, 1),
    "DFKI-SLT__full": (0.21, 0.78, 0.52, 0.62, 0.97),
    "LT-UHH__baseline": (0.15, 0.85, 0.39, 0.53, 1),
    "LT-UHH__contender": (0.24, 0.75, 0.56, 0.64, 0.99),
}
# Of ten true classes, one predicts 6 and hits 4, two predicts 9 and hits 8; two has two sets of
# four right, and in one of the four a class without its parent.
SAMPLE_BY_HAND = {"one": (0, 0.67, 0.4, 0.5, 1), "two": (0.5, 0.89, 0.8, 0.84, 0.75)}


def test_the_organizers_table_for_germeval_task_b(data, capsys):
    """acc, P, R, F1, hierarchical consistency; the contender's as noted: 0.244, 0.752, 0.993."""
    folder = data / "germeval2019"
    table = SAMPLE_BY_HAND if data == SAMPLES else ORGANIZERS
    files = [str(folder / "submissions" / f"{name}.txt") for name in table]
    truth = [
        "--hierarchy",
        str(folder / "hierarchy.txt"),
        "--true",
        str(folder / "blurbs_test_label.txt"),
    ]
    given = [*truth, "--task", "b", "--predicted", *files, "--json", "--measures"]
    assert main(["evaluate", *given, "precision,recall,f1", "--average", "micro"]) == 0
    micro = json.loads(capsys.readouterr().out)
    assert main(["compare", *given, "accuracy"]) == 0
    compared = json.loads(capsys.readouterr().out)
    for (name, expected), file in zip(table.items(), files, strict=True):
        found = (
            compared["scores"][name]["accuracy"],
            *(micro[file][key] for key in ("precision", "recall", "f1")),
            compared["hierarchical_consistency"][name],
        )
        assert tuple(round(value, 2) for value in found) == expected, name


def test_ranks_are_of_the_average_that_is_printed():
    """By instances a wins 60 of 100; by summed counts b shares more, 40 · 6 against 60 · 1."""
    many = Hierarchy.from_edges([("R", f"c{k}") for k in range(7)])
    true = [{"c0"}] * 60 + [{f"c{k}" for k in range(1, 7)}] * 40
    predicted = {"a": [*true[:60], *[set()] * 40], "b": [*[set()] * 60, *true[60:]]}
    settings = {"measures": ["recall"], "test": "permutation"}
    samples, micro = (
        compare(many, true, predicted, average=average, **settings)
        for average in ("samples", "micro")
    )
    assert samples.scores["recall"].to_dict() == {"a": 0.6, "b": 0.4}
    assert micro.scores["recall"].to_dict() == {"a": 0.2, "b": 0.8}
    assert micro.ranks["recall"].to_dict() == {"a": 2, "b": 1}


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_a_test_of_instances_gives_no_ranks_of_sums(average):
    two = systems(a=[(RIGHT, 40)], b=[(FAR, 40)])
    refused = compare(H, TRUE, two, measures=["hF"], average=average, test="sign")
    assert refused.ranks["hF"].isna().all()
    assert "permutation" in refused.unranked["hF"]
    assert "(1)" not in refused.as_text()
    assert "No ranks by hF" in refused.to_latex()
    chosen = compare(H, TRUE, two, measures=["hF"], average=average)
    assert chosen.tests == {"hF": "permutation"}
    assert chosen.ranks["hF"].to_dict() == {"a": 1, "b": 2}


def test_measures_that_are_always_summed_have_a_test_of_sums():
    two = systems(a=[(RIGHT, 40)], b=[(FAR, 40)])
    assert compare(H, TRUE, two, measures=["hF", "HCM_F1"]).tests == {
        "hF": "sign",
        "HCM_F1": "permutation",
    }


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "permutation", "bootstrap"])
def test_eleven_systems_apart_have_ranks_1_to_11(test):
    shares = [round(1 - 0.08 * k, 2) for k in range(11)]
    predicted = {
        f"s{share}": [RIGHT] * round(1000 * share) + [NEAR] * round(1000 * (1 - share))
        for share in shares
    }
    found = compare(H, [{"B1"}] * 1000, predicted, measures=["accuracy"], test=test)
    assert found.ranks["accuracy"].tolist() == list(range(1, 12))


def test_four_wins_of_a_thousand_prove_nothing():
    true = [{"B1"}] * 1000
    predicted = {"a": true, "b": [{"B1"}] * 996 + [{"B2"}] * 4}  # by chance alone in 2 of 2^4 cases
    for test in ("sign", "wilcoxon", "permutation", "bootstrap"):
        assert compare(H, true, predicted, measures=["accuracy"], test=test).ranks[
            "accuracy"
        ].tolist() == [1, 1]


def test_an_interval_is_near_the_binomial_one():
    half = {"a": [RIGHT] * 100 + [FAR] * 100, "b": [FAR] * 200}
    for average in ("samples", "micro"):
        found = compare(
            H, [{"B1"}] * 200, half, measures=["accuracy"], average=average, intervals=0.95
        )
        # 0.5 ± 1.96 √(0.25 / 200) = 0.5 ± 0.0693
        assert found.intervals["accuracy"].loc["a"].tolist() == pytest.approx(
            [0.4307, 0.5693], abs=0.01
        )
        assert found.intervals["accuracy"].loc["b"].tolist() == [0, 0]
        assert list(found.to_frame().columns[:4]) == [
            "accuracy",
            "accuracy low",
            "accuracy high",
            "accuracy rank",
        ]


def test_a_report_has_the_intervals_that_a_comparison_has():
    systems = {"a": [RIGHT] * 100 + [FAR] * 100, "b": [RIGHT] * 150 + [FAR] * 50}
    measures = ["accuracy", "hF", "GIE", "HCM_F1"]
    for average in ("samples", "micro", "macro"):
        found = compare(
            H, [{"B1"}] * 200, systems, measures=measures, average=average, intervals=0.9
        )
        for name, report in found.reports.items():
            ends = report.intervals(0.9)
            for key, frame in found.intervals.items():
                assert ends.loc[key].tolist() == pytest.approx(frame.loc[name].tolist(), abs=1e-12)
            assert ends.isna().all(axis=1).to_dict() == {
                key: value != value for key, value in report.items()
            }
    with pytest.raises(InputError, match="between 0 and 1"):
        report.intervals(95)
    sums = evaluate(H, [{"B1"}], [{"B1"}], measures=measures, keep_instances=False)
    with pytest.raises(InputError, match="only sums"):
        sums.intervals()


def test_an_interval_of_a_macro_average_stays_within_the_measure_s_range():
    # B2 is predicted once, rightly: its precision is 1, and 0 in resamples without that instance.
    # The
    # interval is shifted by as much as the mean of the resamples lies lower.
    true = [{"B1"}] * 50 + [{"B2"}] * 10
    a = [*true[:51], *[set()] * 9]
    found = compare(
        H, true, {"a": a, "b": true}, measures=["precision"], average="macro", intervals=0.95
    )
    low, high = found.intervals["precision"].loc["a"]
    assert found.scores.at["a", "precision"] == 1
    assert 0 < low < high == 1


def test_systems_without_names_are_refused():
    with pytest.raises(InputError, match="mapping"):
        compare(H, TRUE, [[RIGHT] * 40, [FAR] * 40])


def test_one_table_is_compared_and_files_are_called_by_their_stems(tmp_path, capsys):
    table = tmp_path / "answers.csv"
    table.write_text("t,gpt-4.1,b\n" + "a > x,a > x,a > y\n" * 9 + "a > y,a > y,a > x\n")
    given = [
        "--true",
        "t",
        "--predicted",
        "gpt-4.1,b",
        "--average",
        "micro",
        "--intervals",
        "--json",
    ]
    assert main(["compare", str(table), *given]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ranks"]["gpt-4.1"]["hF"] == 1
    assert found["tests"]["hF"] == "permutation"
    assert found["intervals"]["hF"]["gpt-4.1"] == {"low": 1, "high": 1}
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("x\n")
    (tmp_path / "h.txt").write_text("a\tx\na\ty\n")
    truth = [
        "--hierarchy",
        str(tmp_path / "h.txt"),
        "--true",
        str(tmp_path / "one.txt"),
        "--measures",
        "hF",
    ]
    assert main(["evaluate", *truth, "--predicted", str(tmp_path / "two.txt"), "--latex", "-"]) == 0
    assert "\ntwo & " in capsys.readouterr().out


def test_germeval_s_precise_baseline_is_ranked_above_dfki(data):
    if data == SAMPLES:
        pytest.skip("the real files are not here")
    from hiermeasures.read import align, hierarchy_of_task, read_hierarchy, read_labels

    folder = data / "germeval2019"
    truth = read_labels(folder / "blurbs_test_label.txt", task="b")
    h = hierarchy_of_task(read_hierarchy(folder / "hierarchy.txt"), truth, "b")
    files = {
        name: read_labels(folder / "submissions" / f"{name}.txt", task="b")
        for name in list(ORGANIZERS)[3:5]
    }
    predicted = {name: align(truth, file).predicted for name, file in files.items()}
    found = compare(h, truth.labels, predicted, measures=["hP"], average="micro")
    assert found.scores["hP"].round(4).tolist() == [0.7752, 0.8496]
    assert found.ranks["hP"].tolist() == [2, 1]


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_systems_with_equal_values_are_alike_in_any_order(test):
    """`a` is wrong by 9 once, `b` by 1 nine times: both means are 0.9."""
    chain = Hierarchy.from_edges([("R", "n1")] + [(f"n{i}", f"n{i + 1}") for i in range(1, 12)])
    systems = {"a": ["n1"] * 9 + ["n10"], "b": ["n2"] * 9 + ["n1"]}
    for names in ("ab", "ba"):
        found = compare(
            chain, ["n1"] * 10, {k: systems[k] for k in names}, measures=["TIE"], test=test, dmax=50
        )
        assert found.ranks["TIE"].to_dict() == {"a": 1, "b": 1}
        assert (found.p_values["TIE"] == 1).all(axis=None)
