"""LCA graphs where there is much to choose: the kernels' search ends where the solvers' does, and
gives up where they do.
"""

import numpy as np
import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.evaluation import evaluate, tasks
from hiermeasures.evaluation.kernels import lca
from hiermeasures.measures import lca_solvers

pytestmark = pytest.mark.skipif(not tasks.can_compile(), reason="numba is not installed")

KEYS = ["P_LCA", "R_LCA", "F_LCA", "P_LCA_ext", "R_LCA_ext", "F_LCA_ext"]


def layered(seed, width=9, depth=5, parents=3, classes=5, instances=60):
    """A DAG in layers, every class with several parents, and instances deep in it: many LCAs."""
    random = np.random.default_rng(seed)
    rows = [["root"]] + [[f"{d}.{i}" for i in range(width)] for d in range(depth)]
    edges = [
        (above, below)
        for upper, lower in zip(rows, rows[1:], strict=False)
        for below in lower
        for above in random.choice(upper, min(parents, len(upper)), replace=False)
    ]
    h = Hierarchy.from_edges(edges)
    deep = rows[-1] + rows[-2]

    def sets():
        return [set(random.choice(deep, random.integers(1, classes + 1))) for _ in range(instances)]

    return h, sets(), sets()


def assert_equal(h, true, predicted, **options):
    report = evaluate(h, true, predicted, measures=KEYS, **options)
    values = report.instance_values()
    for k, (t, p) in enumerate(zip(true, predicted, strict=True)):
        x = explain(h, t, p, **options)
        assert [float(values[key][k]) for key in KEYS] == pytest.approx(
            [x[key] for key in KEYS], abs=1e-12
        ), (k, t, p)
    return report


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("parents", [2, 3])
def test_layered_graphs_with_many_ways(seed, parents):
    assert_equal(*layered(seed, parents=parents))


@pytest.mark.parametrize("work", [3, 10, 20, 40, 80, 160, 320, 640, 1280])
def test_the_greedy_graphs_are_taken_for_the_same_instances(work, monkeypatch):
    # Wherever the bound on work is put, some instances fall to either side of it.
    monkeypatch.setattr(lca_solvers, "AUTO_WORK", work)
    assert_equal(*layered(11, instances=120))


def test_an_exact_search_that_is_given_up_is_left_to_explain(monkeypatch):
    monkeypatch.setattr(lca_solvers, "EXACT_WORK", 60)
    report = assert_equal(*layered(3), solver="exact")
    assert 0 < report.partial.explained["lca"] < len(report)


def test_marks_begin_anew_when_their_numbers_are_used_up(monkeypatch):
    def used(*arguments, make=lca.new_scratch):
        scratch = make(*arguments)
        scratch.climbed[0] = lca.LAST_STAMP - 20
        return scratch

    monkeypatch.setattr(lca, "new_scratch", used)
    assert_equal(*layered(9))


def test_weighted_edges_that_tie_only_but_for_rounding():
    h, true, predicted = layered(5)
    random = np.random.default_rng(5)
    weights = {
        edge: float(w)
        for edge, w in zip(h.edges, random.choice([0.1, 0.2, 0.3], len(h.edges)), strict=True)
    }
    assert_equal(h.with_weights(weights), true, predicted)
