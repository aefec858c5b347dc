"""A rule over a file predicts what it predicts for each instance alone."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError
from hiermeasures.evaluation.scores import (
    RULES,
    NodeProbabilities,
    ProbabilityTable,
    decide,
    predict,
)

SETTINGS = {
    "threshold": [{}, {"at": 0.25}],
    "top_down_threshold": [{}, {"at": 0.25}, {"paths": "all"}],
    "top_k": [{}, {"k": 2}, {"k": 3, "among": "classes"}],
    "confidence_threshold": [{}, {"at": 1}],
    "information_threshold": [{}, {"at": 0.75}],
}


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([5, 10**6]))
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_over_a_file_is_that_of_its_instances(rule, seed, tree, cells):
    random = np.random.default_rng(seed)
    edges = {
        (int(random.integers(max(0, i - 5), i)), i)
        for i in range(1, 12)
        for _ in range(1 if tree else 2)
    }
    h = Hierarchy.from_edges([(f"n{a}", f"n{b}") for a, b in sorted(edges)])
    values = random.integers(0, 9, (6, len(h))) / 8  # ties, 0 and 1 among them
    values[:, 0] = 1
    table = ProbabilityTable.of(h, values, h.nodes)
    for settings in SETTINGS.get(rule, [{}]):
        if (
            rule == "top_k"
            and settings.get("among") != "classes"
            and settings.get("k", 1) > len(h.leaves)
        ):
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys.modules["hiermeasures.evaluation.scores.decide"], "CELLS", cells)
            found = decide(table, rule, **settings)
        for k in range(len(table)):
            alone = predict(
                NodeProbabilities.of(h, dict(zip(h.nodes, values[k], strict=True))),
                rule,
                **settings,
            )
            assert found.classes(h, k) == alone.ends, (rule, settings, values[k])


def test_an_unknown_rule_or_setting_is_refused():
    table = ProbabilityTable.of(Hierarchy.from_edges([("R", "a")]), [[0.5]], ["a"])
    with pytest.raises(InputError, match="pluralty"):
        decide(table, "pluralty")
    with pytest.raises(InputError, match="'k'"):
        decide(table, "threshold", k=1)
    with pytest.raises(InputError, match="from 0 to 1"):
        decide(table, "threshold", at=2)
