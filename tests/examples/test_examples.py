"""The programs in examples/: a shared task's scorer, torchmetrics, Hugging Face."""

import json
import pickle
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hiermeasures import Hierarchy, evaluate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
H = Hierarchy.from_edges(
    [("animal", "dog"), ("animal", "cat"), ("dog", "poodle"), ("dog", "beagle")]
)
CLASSES = ["cat", "poodle", "beagle"]
TRUE = np.array([1, 0, 2, 2])
SCORES = np.array([[0.1, 0.7, 0.2], [0.3, 0.1, 0.6], [0.1, 0.6, 0.3], [0.0, 0.1, 0.9]])
HOW = {"classes": CLASSES, "argmax": True, "measures": ["hF", "GIE"]}
# {animal, dog, poodle} twice right; {animal, cat} against {animal, dog, beagle}; poodle for beagle.
HF = (1 + 2 / 5 + 4 / 6 + 1) / 4


def load(name: str):
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def task(tmp_path):
    """The folders of Codabench's container, with the sample of a task on three instances."""
    for name in ("program", "input/ref", "input/res", "output"):
        (tmp_path / name).mkdir(parents=True)
    program = tmp_path / "program"
    program.joinpath("scorer.py").write_text((EXAMPLES / "shared_task_scorer.py").read_text())
    program.joinpath("hierarchy.txt").write_text("animal dog\nanimal cat\ndog poodle\ndog beagle\n")
    truth = "id,labels\n1,poodle\n2,cat\n3,beagle\n"
    tmp_path.joinpath("input/ref/truth.csv").write_text(truth)
    return tmp_path


def run(task: Path, submission: str) -> subprocess.CompletedProcess:
    task.joinpath("input/res/sample.csv").write_text(submission)
    command = [
        sys.executable,
        *(str(task / name) for name in ("program/scorer.py", "input", "output")),
    ]
    return subprocess.run(command, capture_output=True, text=True, cwd=task)


def test_the_scorer_scores_a_submission(task):
    # Everything is "dog": 1 edge from poodle and beagle, 2 from cat;
    # with ancestors 2·2/(3+2), 2·1/(2+2), 2·2/(3+2).
    done = run(task, "id,labels\n1,dog\n2,dog\n3,dog\n")
    assert done.returncode == 0, done.stderr
    scores = json.loads((task / "output/scores.json").read_text())
    assert scores == pytest.approx({"hF": (0.8 + 0.5 + 0.8) / 3, "GIE": 4 / 3})


@pytest.mark.parametrize(
    ("submission", "fact"),
    [
        ("id,labels\n1,dog\n2,dog\n", "'3'"),
        ("id,labels\n1,dogx\n2,dog\n3,dog\n", "'dogx'"),
        ("", "empty"),
    ],
    ids=["missing row", "unknown class", "empty"],
)
def test_the_scorer_refuses_a_bad_submission(task, submission, fact):
    done = run(task, submission)
    assert (done.returncode, fact in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr


def test_kaggle_gets_the_measure_or_an_error_that_it_shows(task, monkeypatch):
    module = load("kaggle_metric")
    monkeypatch.setattr(module, "HIERARCHY", task / "program/hierarchy.txt")
    solution = pd.DataFrame({"id": [1, 2, 3], "labels": ["poodle", "cat", "beagle"]})
    found = module.score(solution, solution.assign(labels="dog").iloc[::-1], "id")
    assert found == pytest.approx((0.8 + 0.5 + 0.8) / 3)
    for bad, fact in (
        (solution[:2], "3"),
        (solution.assign(labels="dogx"), "dogx"),
        (solution[["id"]], "labels"),
        (pd.concat([solution, solution]), "id"),
    ):
        with pytest.raises(module.ParticipantVisibleError, match=fact):
            module.score(solution, bad, "id")


def test_a_metric_of_hugging_face():
    pytest.importorskip("evaluate", reason="the tests do not install Hugging Face's evaluate")
    metric = load("huggingface_metric").HierarchicalMetric(H, **HOW)
    assert metric.compute(predictions=SCORES, references=TRUE)["hF"] == pytest.approx(HF)
    metric.add_batch(predictions=SCORES[:3], references=TRUE[:3])
    metric.add(prediction=SCORES[3], reference=TRUE[3])
    assert metric.compute()["hF"] == pytest.approx(HF)
    assert len(metric.meter) == 0


def test_a_metric_of_torchmetrics():
    torch = pytest.importorskip("torch", reason="the tests do not install torch")
    pytest.importorskip("torchmetrics", reason="the tests do not install torchmetrics")
    made = load("torchmetrics_metric").HierarchicalMetric
    whole = evaluate(H, TRUE, SCORES, **HOW).values
    scores, true = torch.tensor(SCORES), torch.tensor(TRUE)
    one, other, empty = made(H, **HOW), made(H, **HOW), made(H, **HOW)
    one.update(scores[:1], true[:1])
    one(scores[1:2], true[1:2])
    other.update(scores[2:], true[2:])
    one = pickle.loads(pickle.dumps(one))
    for replica in (other, empty):
        one.merge_state(replica)
    assert {key: float(value) for key, value in one.compute().items()} == pytest.approx(whole)
    assert whole["hF"] == pytest.approx(HF)
