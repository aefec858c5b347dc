"""A threshold chosen on validation data is the best of those tried, by plain Python."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, evaluate, explain
from hiermeasures.cli import main
from hiermeasures.evaluation.scores import ProbabilityTable, choose_threshold, predict

from .strategies import NUMBERS, any_tables, labels_of

H = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
TABLE = ProbabilityTable.of(
    H, [[0.9, 0.1, 0.3, 0.6], [0.5, 0.4, 0.2, 0.3], [0.2, 0.8, 0.1, 0.1]], ["1", "2", "3", "4"]
)
TRUE = [{"4"}, {"2"}, {"2"}]
TRIED = [0, 0.125, 0.25, 0.5, 0.625, 1]
RULES = ("threshold", "top_down_threshold", "confidence_threshold", "information_threshold")


def mean_by_hand(table, true, measure, rule, at, **options):
    """The mean over the instances, each by the readable rule and the readable measure."""
    values = [
        explain(table.hierarchy, t, predict(table.row(k), rule, at=at).ends, **options)[measure]
        for k, t in enumerate(true)
    ]
    return math.fsum(values) / len(values)


@given(any_tables(max_nodes=7), NUMBERS, st.sampled_from(RULES))
@pytest.mark.parametrize("measure", ["hF", "F_LCA", "MGIA", "GIE", "accuracy"])
def test_every_value_is_that_of_plain_python_and_the_lowest_best_threshold_wins(
    measure, table, seed, rule
):
    true = labels_of(table, seed)
    choice = choose_threshold(table, true, measure, rule=rule, thresholds=TRIED)
    values = [mean_by_hand(table, true, measure, rule, at) for at in TRIED]
    assert choice.thresholds.tolist() == TRIED
    assert choice.values.tolist() == pytest.approx(values)
    best = min(values) if measure == "GIE" else max(values)
    assert choice.value == pytest.approx(best)
    at_hand = choice.values.tolist().index(choice.value)
    assert choice.at == TRIED[at_hand]


def test_it_is_applied_to_other_data():
    choice = choose_threshold(TABLE, TRUE, "hF", count_root=False)
    # Instance 1 is right from above 0.3 to 0.6. 2: {1, 2} has hF 2/3 up to 0.4, then 1 alone is
    # wrong. 3 is right from above 0.2 to 0.8. So all three have their best from 0.31 to 0.4.
    assert (choice.at, choice.value) == (0.31, pytest.approx((1 + 2 / 3 + 1) / 3))
    assert "root" in choice.run
    assert "3 instances" in choice.run
    other = ProbabilityTable.of(H, [[0.7, 0.31, 0.3, 0.32]], ["1", "2", "3", "4"])
    labels = choice.decide(other)
    assert labels.classes(H, 0) == {"2", "4"}
    value = evaluate(H, TRUE, choice.decide(TABLE), measures=["hF"], count_root=False)["hF"]
    assert value == choice.value


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_other_averages_are_those_of_evaluate(average):
    choice = choose_threshold(TABLE, TRUE, "hF", thresholds=[0.1, 0.35, 0.7], average=average)
    for at, value in zip(choice.thresholds, choice.values, strict=True):
        answers = [predict(TABLE.row(k), "threshold", at=float(at)).ends for k in range(3)]
        assert value == evaluate(H, TRUE, answers, measures=["hF"], average=average)["hF"]


def test_a_setting_of_the_rule_goes_to_the_rule():
    incoherent = ProbabilityTable.of(H, [[0.2, 0.6, 0.9, 0.1]], ["1", "2", "3", "4"])
    all_paths = choose_threshold(
        incoherent, [{"2"}], rule="top_down_threshold", paths="all", thresholds=[0.5]
    )
    assert all_paths.decide(incoherent).classes(H, 0) == {"2"}
    assert all_paths.value == 1


def test_a_best_threshold_at_the_lower_end_is_noted():
    assert choose_threshold(TABLE, TRUE, thresholds=[0.35, 0.5]).notes
    assert not choose_threshold(TABLE, TRUE, thresholds=[0.1, 0.35, 0.5]).notes


def test_progress_counts_instances_over_all_thresholds_and_can_stop():
    seen = []
    choose_threshold(TABLE, TRUE, thresholds=[0.1, 0.35, 0.9], progress=lambda *at: seen.append(at))
    assert seen[-1] == (9, 9)
    assert seen == sorted(seen)

    def stop(*_at):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        choose_threshold(TABLE, TRUE, progress=stop)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rule": "plurality"}, "confidence_threshold"),
        ({"thresholds": [0.5, 2]}, "from 0 to 1"),
        ({"thresholds": []}, "thresholds= is empty"),
        ({"at": 0.5}, "thresholds="),
        ({"measure": "hG"}, "hF"),
        ({"measure": "F_LCA", "average": "macro"}, "undefined"),
        ({"true": TRUE[:2]}, "2"),
        ({"true": [{"x"}, {"2"}, {"2"}]}, "x"),
    ],
)
def test_what_cannot_be_chosen_is_refused(settings, message):
    with pytest.raises(InputError, match=message):
        choose_threshold(TABLE, **{"true": TRUE, **settings})


def test_the_command_line_gives_the_same_number(tmp_path, capsys):
    (tmp_path / "h.txt").write_text("r\t1\nr\t2\n1\t3\n1\t4\n")
    rows = [",".join(map(str, [f"i{k}", *TABLE.values[k, 1:]])) for k in range(3)]
    (tmp_path / "s.csv").write_text("\n".join(["id," + ",".join(H.nodes[1:]), *rows]) + "\n")
    (tmp_path / "t.csv").write_text("id,label\ni1,2\ni0,4\ni2,2\n")
    files = [f"--hierarchy={tmp_path / 'h.txt'}", f"--true={tmp_path / 't.csv'}"]
    curves = ["curves", *files, f"--probabilities={tmp_path / 's.csv'}", "--json"]
    settings = ["--set", "count_root=false", "--average", "micro"]
    assert main([*curves, "--best-threshold", "hF,GIE", *settings]) == 0
    values = json.loads(capsys.readouterr().out)["s.csv"]
    choice = choose_threshold(TABLE, TRUE, "hF", average="micro", count_root=False)
    assert (values["hF_threshold"], values["hF_best"]) == (choice.at, choice.value)
    assert "GIE_threshold" in values
    scores = ["evaluate", *files, f"--scores={tmp_path / 's.csv'}", "--json", *settings]
    assert main([*scores, "--measures=hF", f"--decision=threshold@{choice.at}"]) == 0
    assert json.loads(capsys.readouterr().out)["hF"] == choice.value
    assert main([*curves, *settings]) == 2
    assert "--best-threshold" in capsys.readouterr().err
