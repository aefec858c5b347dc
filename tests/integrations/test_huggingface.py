"""A module of Hugging Face's `evaluate` gives what one evaluation gives."""

import doctest

import numpy as np
import pytest

from hiermeasures import Hierarchy, InputError

evaluate = pytest.importorskip(
    "evaluate", reason="Hugging Face's evaluate is not among what the tests install"
)

from hiermeasures.integrations import huggingface  # noqa: E402

H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
NAMES = {0: "A", 1: "B", 2: "C"}  # id2label of a model
TRUE, SCORES = [0, 1, 2, 2], np.array([[2.0, 0, 1], [0, 1, 3], [0, 1, 2], [5, 1, 2]])
# {R, A}, {R, B} against {R, A, C}, {R, A, C}, {R, A, C} against {R, A}
EXPECTED = {"hF": pytest.approx((1 + 2 / 5 + 1 + 4 / 5) / 4)}


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path / "metrics"))
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", str(tmp_path / "modules"))


def metric():
    return huggingface.HierarchicalMetric(hierarchy=H, measures="hF", classes=NAMES, argmax=True)


def test_its_example_gives_what_it_says():
    assert doctest.testmod(huggingface).failed == 0 < doctest.testmod(huggingface).attempted


def test_at_once_in_batches_and_one_by_one():
    one = metric()
    assert one.compute(predictions=SCORES, references=TRUE) == EXPECTED
    one.add_batch(predictions=SCORES[:2], references=TRUE[:2])
    for prediction, reference in zip(SCORES[2:], TRUE[2:], strict=True):
        one.add(prediction=prediction, reference=reference)
    assert len(one) == 4
    assert one.compute() == EXPECTED
    with pytest.raises(InputError, match="there are no predictions"):
        one.compute()


def test_processes_are_merged_by_their_meters():
    with pytest.raises(InputError, match="merge their meters"):
        huggingface.HierarchicalMetric(hierarchy=H, num_process=2)
    one, other = metric(), metric()
    one.add_batch(predictions=SCORES[:1], references=TRUE[:1])
    other.add_batch(predictions=SCORES[1:], references=TRUE[1:])
    one.meter.merge(other.meter)
    assert one.compute() == EXPECTED
