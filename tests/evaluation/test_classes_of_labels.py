"""Paths and codes that only answers have: classes of their own, or known beginnings."""

import pandas as pd
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.cli import main


def table(true, answer):
    return pd.DataFrame({"true": true, "answer": answer})


def values(frame, **settings):
    report = evaluate(frame, true="true", predicted="answer", measures=["hP", "hR"], **settings)
    return [report["hP"], report["hR"]]


TOOLS = table(["Garden > Tools > Rakes"], ["Garden > Tools > Spades"])  # 2 of 3 classes are shared
CODES = table(["2512"], ["2511"])  # 3 of 4: 2, 25, 251


def test_a_path_that_only_an_answer_has_shares_what_is_right_of_it():
    assert values(TOOLS) == pytest.approx([2 / 3, 2 / 3])
    assert values(CODES, codes=(1, 2, 3, 4)) == pytest.approx([3 / 4, 3 / 4])


def test_with_a_taxonomy_an_unknown_answer_is_its_known_beginning_and_a_wrong_class():
    h = Hierarchy.from_paths(["Garden > Tools > Rakes", "Garden > Seeds"], separator=" > ")
    # Predicted: Garden, Tools and a wrong class; true: Garden, Tools, Rakes.
    assert values(TOOLS, taxonomy=h) == pytest.approx([2 / 3, 2 / 3])
    assert values(TOOLS, taxonomy=h, classes="truth") == [0, 0]
    assert values(TOOLS, taxonomy=h, unknown="prefix") == pytest.approx([1, 2 / 3])


def test_an_answer_outside_the_only_top_class_does_not_change_the_others():
    paths = ["Garden > Tools", "Garden > Seeds", "Garden > Seeds"]
    frame = table(paths, ["Garden > Tools", "Garden > Tools", "no idea"])
    report = evaluate(frame, true="true", predicted="answer", measures=["hF", "HCM_ACC"])
    alone = evaluate(frame[:2], true="true", predicted="answer", measures=["hF", "HCM_ACC"])
    assert report.per_instance["hF"].tolist() == pytest.approx([1, 1 / 2, 0])
    assert report.per_instance[:2].equals(alone.per_instance)


def test_an_answer_with_several_labels_counts_each_of_them():
    h = Hierarchy.from_paths(["G > A", "G > B", "H > C"], separator=" > ")
    frame = table([["G > A"], ["H > C"]], [["G > X", "H > C"], ["G > B", "no"]])
    # First: true G, A; predicted G, H, C and a wrong class. Second: true H, C; predicted G, B,
    # wrong.
    report = evaluate(frame, true="true", predicted="answer", taxonomy=h, measures=["hP", "hR"])
    assert report.per_instance["hP"].tolist() == pytest.approx([1 / 4, 0])
    assert report.per_instance["hR"].tolist() == pytest.approx([1 / 2, 0])


def test_the_command_line_has_the_same_rule(tmp_path, capsys):
    TOOLS.to_csv(tmp_path / "t.csv", index=False)
    line = [
        "evaluate",
        str(tmp_path / "t.csv"),
        "--true",
        "true",
        "--predicted",
        "answer",
        "--measures",
        "hP",
    ]
    for more, expected in (([], "0.6667"), (["--classes", "truth"], "0.0000")):
        assert main([*line, *more]) == 0
        assert expected in capsys.readouterr().out
