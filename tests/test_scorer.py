"""`hiermeasures scorer` writes programs that score and refuse submissions, with what they bring
along.
"""

import json
import os
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from hiermeasures import InputError
from hiermeasures.cli import main
from hiermeasures.cli.scorer import score_folders, score_frames


@pytest.fixture
def task(tmp_path, monkeypatch):
    """A folder of a task on three instances, and its command."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h.txt").write_text("animal dog\nanimal cat\ndog poodle\ndog beagle\n")
    (tmp_path / "true.txt").write_text("poodle\ncat\nbeagle\n")
    return ["scorer", "task", "--hierarchy", "h.txt", "--true", "true.txt", "--measures", "GIE,hF"]


def test_the_caption_names_measures_options_and_release(task, capsys):
    assert main([*task, "--set", "dmax=3", "--unknown", "wrong"]) == 0
    said = capsys.readouterr().out.splitlines()[0]
    words = (
        "GIE (",
        "lower is better), hF (",
        "3 instances",
        "options dmax 3.0",
        "outside the hierarchy are wrong",
    )
    assert [word for word in words if word not in said] == []
    assert main(task) == 2
    assert "task: is there already" in capsys.readouterr().err


def test_the_sample_is_worth_what_it_is_and_bad_ones_are_refused_in_words(task, tmp_path):
    assert main(task) == 0
    expected = json.loads((tmp_path / "task" / "expected.json").read_text())
    # Everything is "dog": 1 edge from poodle and beagle, 2 from cat;
    # with ancestors 2·2/(3+2), 2·1/(2+2), 2·2/(3+2).
    assert expected["scores"] == pytest.approx({"GIE": 4 / 3, "hF": (0.8 + 0.5 + 0.8) / 3})
    refused = expected["refused"]
    assert "1 instance without a prediction ('3')" in refused["missing-row.csv"]
    assert "unknown class 'dogx'" in refused["unknown-class.csv"]
    assert "nearest known: 'dog'" in refused["unknown-class.csv"]
    assert "this is empty" in refused["empty.csv"]


def test_a_table_without_the_column_or_a_row_is_refused(task, tmp_path):
    assert main(task) == 0
    program = str(tmp_path / "task/codabench/scoring_program")
    solution = pd.read_csv(tmp_path / "task/kaggle/solution.csv", dtype=str)
    twice = pd.concat([solution, solution[["labels"]]], axis=1)
    for submission, words in (
        (solution[["id"]], "lacks 'labels'"),
        (solution[:0], "the submission has no row"),
        (twice, "several columns 'labels'"),
        (solution.rename(columns={"labels": 0}), "lacks 'labels'"),
        (solution.assign(labels=pd.Series(["dog\ud800"] * 3, dtype=object)), "unknown class"),
    ):
        with pytest.raises(InputError, match=words):
            score_frames(program, solution, submission, "id")


def test_a_file_named_like_an_option_is_a_submission_and_a_link_is_none(task, tmp_path, capsys):
    assert main(task) == 0
    reference = tmp_path / "task/codabench/reference_data"
    for folder in ("input/res", "output"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copytree(reference, tmp_path / "input/ref")
    folders = [
        str(tmp_path / name) for name in ("task/codabench/scoring_program", "input", "output")
    ]
    submitted = tmp_path / "input/res/--json"
    submitted.symlink_to(tmp_path / "input/ref/truth.csv")
    assert score_folders(*folders) == 1
    assert "there are 0" in capsys.readouterr().err
    submitted.unlink()
    shutil.copy(tmp_path / "task/submissions/sample.csv", submitted)
    assert score_folders(*folders) == 0


@pytest.mark.slow
def test_its_own_tests_pass_with_the_release_that_it_brings_along(task, tmp_path):
    assert main(task) == 0
    away = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_scorer.py"]
    done = subprocess.run(command, cwd=tmp_path / "task", env=away, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert list(
        (tmp_path / "task/codabench/scoring_program/vendor/hiermeasures").glob("__pycache__/*.pyc")
    )
