"""Hierarchical WikiVitals and ICD-9, evaluated against labels perturbed here: a tenth of the instances also by
`explain`.
"""

import random

import pytest

from hiermeasures import evaluate, explain
from hiermeasures.io import read_hierarchy, read_labels
from hiermeasures.measures import CATALOGUE
from tests.conftest import needs_data


def perturbed(h, labels, seed):
    """Each set with its most specific class kept, moved to a sibling, cut off, or doubled by another class."""
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


def check(h, true, predicted):
    report = evaluate(h, true, predicted)
    table = report.per_instance
    for k in range(0, len(true), 10):
        expected = dict(explain(h, true[k], predicted[k]))
        assert dict(table.iloc[k]) == pytest.approx(expected, nan_ok=True)
    assert set(report.values) == set(CATALOGUE)


def test_hierarchical_wikivitals():
    h = read_hierarchy(needs_data("hwv/hwv.taxonomy"))
    true = read_labels(needs_data("hwv/hwv_test_labels.jsonl")).labels
    assert len(true) == 2003
    check(h, true, perturbed(h, true, seed=1))


def test_icd9():
    h = read_hierarchy(needs_data("icd9/icd9_hierarchy.csv"))
    rng = random.Random(2)
    leaves = sorted(h.leaves)
    true = [set(rng.sample(leaves, rng.randint(1, 6))) for _ in range(600)]
    check(h, true, perturbed(h, true, seed=3))
