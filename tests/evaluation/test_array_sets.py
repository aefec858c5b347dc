"""Sets made by NumPy have the columns and the counts per class that `explain` gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, evaluate
from hiermeasures.evaluation import array_sets, tasks
from hiermeasures.evaluation.batch import _count_built
from hiermeasures.evaluation.encode import encode
from hiermeasures.evaluation.kernel_registry import Batch, ColumnTable, explain_rows
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.sets import AUGMENTED, FLAT


def random_dag(random):
    edges = {(int(random.integers(max(0, i - 5), i)), i) for i in range(1, 15) for _ in range(2)}
    return Hierarchy.from_edges([(f"n{a}", f"n{b}") for a, b in sorted(edges)])


@given(st.integers(0, 10**6), st.sampled_from([None, True, False]), st.sampled_from([1, 50, 10**6]))
def test_columns_and_counts_are_those_of_explain(seed, count_root, most):
    random = np.random.default_rng(seed)
    h = random_dag(random)
    sides = tuple(
        encode(h, [set(random.choice(h.nodes, random.integers(0, 4)).tolist()) for _ in range(9)])
        for _ in range(2)
    )
    batch = Batch.of(h, Options.make(count_root=count_root), sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(array_sets, "MOST_KEYS", most)
        for structure in (FLAT, AUGMENTED):
            by_arrays, by_explain = (
                ColumnTable.empty(structure, batch.options, len(batch)) for _ in range(2)
            )
            array_sets.fill_by_arrays(batch, [by_arrays], 0, 4, None)
            array_sets.fill_by_arrays(batch, [by_arrays], 4, 9, None)
            explain_rows(batch, [by_explain], range(9))
            assert by_arrays.rows.tolist() == by_explain.rows.tolist()
            counts = array_sets.count_by_arrays(batch, structure, step=4)
            assert counts.tolist() == _count_built(batch, structure).tolist()


def test_a_few_thousand_instances_of_sets_load_no_kernels(monkeypatch):
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")])
    monkeypatch.setattr(tasks, "WORK_OF_LOADING", 100_000)
    monkeypatch.setattr(tasks, "_work_done", [0])

    def load():
        raise AssertionError("kernels were loaded")

    load.cache_info = lambda: type("", (), {"currsize": 0})
    monkeypatch.setattr(tasks, "load_kernels", load)
    report = evaluate(h, ["a", "c"] * 2000, ["c", "b"] * 2000, measures=["hF", "accuracy"])
    # {R, a} and {R, a, c}: 2 · 2 / 5; {R, a, c} and {R, b}: 2 · 1 / 5
    assert (report["hF"], report["accuracy"]) == (pytest.approx(0.6), 0.0)
