"""Two equal systems are ranked apart no more often than the level says, for each test and average,
and with Holm's correction over several systems.
"""

import math

import numpy as np
import pytest

from hiermeasures import Hierarchy
from hiermeasures.evaluation import evaluate
from hiermeasures.evaluation.compare import compare_reports

pytestmark = pytest.mark.slow

H = Hierarchy.from_edges([(f"top{k}", f"leaf{k}{j}") for k in range(3) for j in range(3)])
LEAVES = np.array(sorted(H.leaves))
TESTS = {
    "samples": ("sign", "wilcoxon", "permutation", "bootstrap"),
    "micro": ("permutation", "bootstrap"),
    "macro": ("permutation",),
}
ALPHA = 0.05


def reports(chance, systems, average, instances):
    """Systems that are right in 7 of 10 cases, each by itself, and else answer by chance."""
    true = chance.choice(LEAVES, instances)
    answers = [
        np.where(chance.random(instances) < 0.7, true, chance.choice(LEAVES, instances))
        for _ in range(systems)
    ]
    return {
        str(k): evaluate(
            H, true.tolist(), each.tolist(), measures=["hF"], average=average, engine="kernels"
        )
        for k, each in enumerate(answers)
    }


def false_rankings(average, tests, systems, trials, instances=200):
    """The share of trials in which equal systems are ranked apart, by test."""
    chance = np.random.default_rng([systems, instances])
    wrong = dict.fromkeys(tests, 0)
    for _ in range(trials):
        drawn = reports(chance, systems, average, instances)
        for test in tests:
            wrong[test] += compare_reports(drawn, test=test, alpha=ALPHA).ranks["hF"].max() > 1
    return {test: count / trials for test, count in wrong.items()}


@pytest.mark.parametrize(("systems", "trials"), [(2, 300), (5, 80), (11, 30)])
@pytest.mark.parametrize("average", TESTS)
def test_equal_systems_are_seldom_ranked_apart(average, systems, trials):
    """At most alpha and 3 standard errors; discrete tests, and Holm's correction, lie below it."""
    rates = false_rankings(average, TESTS[average], systems, trials)
    print(average, systems, trials, rates)
    assert max(rates.values()) <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / trials)


@pytest.mark.parametrize("average", TESTS)
def test_with_few_instances_the_level_holds(average):
    rates = false_rankings(average, TESTS[average], 2, 200, instances=25)
    print(average, rates)
    assert max(rates.values()) <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / 200)
