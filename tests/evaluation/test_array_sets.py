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
from hiermeasures.measures.lca import LCA
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


@given(
    st.integers(0, 10**6),
    st.sampled_from([None, True, False]),
    st.sampled_from(["minimal", "extended"]),
)
def test_single_classes_in_a_tree_have_the_columns_of_explain(seed, count_root, graphs):
    random = np.random.default_rng(seed)
    edges = [(f"n{random.integers(0, i)}", f"n{i}", random.integers(1, 4)) for i in range(1, 12)]
    h = Hierarchy.from_edges(edges)
    sides = tuple(encode(h, random.choice(h.nodes, 9).tolist()) for _ in range(2))
    batch = Batch.of(h, Options.make(count_root=count_root, graphs=graphs), sides)
    for structure in (AUGMENTED, LCA):
        by_levels, by_explain = (
            ColumnTable.empty(structure, batch.options, len(batch)) for _ in range(2)
        )
        assert array_sets.fills_by_levels(batch, structure, batch.options)
        array_sets.fill_by_levels(batch, [by_levels], 0, 4, None)
        array_sets.fill_by_levels(batch, [by_levels], 4, 9, None)
        explain_rows(batch, [by_explain], range(9))
        assert by_levels.rows.tolist() == by_explain.rows.tolist()


@pytest.mark.parametrize(
    ("edges", "true", "options"),
    [
        ([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c")], ["c"], {}),  # a DAG
        ([("R", "a"), ("R", "b")], [{"a", "b"}], {}),
        ([("R", "a"), ("R", "b")], [set()], {}),
        ([("R", "a"), ("R", "b")], ["a"], {"max_ancestor_distance": 1}),
    ],
)
def test_levels_fill_nothing_else(edges, true, options):
    h = Hierarchy.from_edges(edges)
    batch = Batch.of(h, Options.make(**options), (encode(h, true), encode(h, ["b"])))
    assert not array_sets.fills_by_levels(batch, LCA, batch.options)
    assert not array_sets.fills_by_levels(batch, AUGMENTED, batch.options)


def test_a_few_thousand_instances_of_sets_load_no_kernels(monkeypatch):
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")])
    monkeypatch.setattr(tasks, "WORK_OF_LOADING", 100_000)
    monkeypatch.setattr(tasks, "_work_done", [0])

    def load():
        raise AssertionError("kernels were loaded")

    load.cache_info = lambda: type("", (), {"currsize": 0})
    monkeypatch.setattr(tasks, "load_kernels", load)
    for more in ([], [set()]):  # with an empty set, levels alone do not give the sizes
        true, predicted = [*["a", "c"] * 2000, *more], [*["c", "b"] * 2000, *more]
        report = evaluate(h, true, predicted, measures=["hF", "accuracy"])
        values = report.per_instance.head(4000).mean()
        # {R, a} and {R, a, c}: 2 · 2 / 5; {R, a, c} and {R, b}: 2 · 1 / 5
        assert (values["hF"], values["accuracy"]) == (pytest.approx(0.6), 0.0)


def test_single_classes_in_a_tree_need_no_kernels_and_no_explain(monkeypatch):
    monkeypatch.setattr(tasks, "load_kernels", None)
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")])
    report = evaluate(h, ["a", "c"] * 50_000, ["c", "b"] * 50_000, measures=["hF", "F_LCA"])
    # graphs {a} and {a, c}: 2 · 1 / 3; {R, a, c} and {R, b}: 2 · 1 / 5
    assert report["F_LCA"] == pytest.approx((2 / 3 + 2 / 5) / 2)
    assert report["hF"] == pytest.approx(0.6)
