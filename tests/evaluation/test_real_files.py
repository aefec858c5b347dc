"""Hierarchical WikiVitals and ICD-9, and the samples of their formats, evaluated against labels
perturbed here: of the real ones a tenth of the instances also by `explain`, of the samples all.
"""

import random

import pytest

from hiermeasures import evaluate, explain
from hiermeasures.measures import CATALOGUE
from hiermeasures.read import read_hierarchy, read_labels
from tests.conftest import SAMPLES


def perturbed(h, labels, seed):
    """Each set with its most specific class kept, moved to a sibling, cut off, or doubled."""
    rng = random.Random(seed)
    changed = []
    for classes in labels:
        deepest = max(sorted(classes), key=h.level)
        siblings = sorted(h.siblings(deepest)) or [deepest]
        move = rng.random()
        if move < 0.5:
            changed.append(set(classes))
        elif move < 0.75:
            changed.append((set(classes) - {deepest}) | {rng.choice(siblings)})
        elif move < 0.9:
            changed.append(set(classes) - {deepest})
        else:
            changed.append(set(classes) | {rng.choice(h.nodes[1:])})
    return changed


def check(h, true, predicted, every):
    report = evaluate(h, true, predicted, measures=CATALOGUE)
    table = report.per_instance
    for k in range(0, len(true), every):
        expected = dict(explain(h, true[k], predicted[k]))
        assert dict(table.iloc[k]) == pytest.approx(expected, nan_ok=True)
    assert set(report.values) == set(CATALOGUE)


def test_hierarchical_wikivitals(data):
    h = read_hierarchy(data / "hwv/hwv.taxonomy")
    true = read_labels(data / "hwv/hwv_test_labels.jsonl").labels
    assert len(true) == (5 if data == SAMPLES else 2003)
    check(h, true, perturbed(h, true, seed=1), every=1 if data == SAMPLES else 10)


def test_icd9(data):
    h = read_hierarchy(data / "icd9/icd9_hierarchy.csv")
    rng = random.Random(2)
    leaves = sorted(h.leaves)
    true = [
        set(rng.sample(leaves, rng.randint(1, 6))) for _ in range(20 if data == SAMPLES else 600)
    ]
    check(h, true, perturbed(h, true, seed=3), every=1 if data == SAMPLES else 10)
