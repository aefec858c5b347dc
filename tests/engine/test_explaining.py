"""Structures without a kernel are shared out to processes, with the same rows, whatever becomes of
these.
"""

import threading

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.core.options import Options
from hiermeasures.engine import tasks
from hiermeasures.engine.encode import encode
from hiermeasures.engine.kernel_registry import Batch, Table, explain_rows
from hiermeasures.engine.tasks import BLOCK, InProcesses
from hiermeasures.measures.confusion import CONFUSION
from hiermeasures.measures.lca import LCA

N = 3 * BLOCK + 3
DAG = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), ("c", "e")])


def shared_out():
    """Rows to be filled, and as `explain` fills them here."""
    random = np.random.default_rng(3)
    sides = (encode(DAG, [set(random.choice(DAG.nodes, 2).tolist()) for _ in range(N)], name="y") for _ in range(2))
    batch = Batch.of(DAG, Options.make(), tuple(sides))
    filled, expected = ([Table.empty(s, batch.options, N) for s in (LCA, CONFUSION)] for _ in range(2))
    explain_rows(batch, expected, range(N))
    return InProcesses(batch, filled), filled, expected


def assert_filled(filled, expected):
    assert all((table.rows == other.rows).all() for table, other in zip(filled, expected, strict=True))


def test_a_process_fills_all_rows(monkeypatch):
    shared, filled, expected = shared_out()
    monkeypatch.setattr(tasks, "explain_rows", None)  # nothing is explained here
    for lo in range(0, N, 40):
        assert set(shared.fill(lo, min(lo + 40, N), threading.Event()).values()) == {min(40, N - lo)}
    assert_filled(filled, expected)
    (process,) = shared._processes
    del shared
    assert process.returncode


@pytest.mark.parametrize("answer", ["", "Importing\n", "a\n"], ids=["none", "no number", "no pickle"])
def test_what_a_process_does_not_answer_is_explained_here(answer, monkeypatch):
    monkeypatch.setattr(tasks, "_SERVE", f"import sys; sys.stdin.buffer.read(1); print({answer!r})")
    shared, filled, expected = shared_out()
    assert shared.fill(0, N, threading.Event()) == {"lca": N, "confusion": N}
    assert_filled(filled, expected)


def test_what_is_wrong_with_an_instance_is_said_as_without_processes(monkeypatch):
    shared, _, _ = shared_out()
    monkeypatch.setattr(tasks, "_SERVE", "raise SystemExit")
    shared._batch = None
    with pytest.raises(AttributeError, match="NoneType"):
        shared.fill(0, N, threading.Event())


def test_where_no_process_can_be_started_rows_are_filled_here(monkeypatch):
    def refused(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(tasks, "start_python", refused)
    shared, filled, expected = shared_out()
    for lo in range(0, N, 10):
        shared.fill(lo, min(lo + 10, N), threading.Event())
    assert_filled(filled, expected)


@pytest.mark.parametrize(("jobs", "n", "shared"), [(1, 30, False), (2, 20, False), (2, 30, True)])
def test_large_batches_that_no_kernel_fills_are_shared_out(jobs, n, shared, monkeypatch):
    begun = []

    class Recorded(InProcesses):
        def __init__(self, batch, tables):
            begun.extend(table.name for table in tables)
            super().__init__(batch, tables)

    monkeypatch.setattr(tasks, "InProcesses", Recorded)
    monkeypatch.setattr(tasks, "SHARED_OUT", 20)
    given = {"measures": ["hF", "HCM_F1"], "path_derivation": "benevolent"}
    report = evaluate(DAG, [{"e"}] * n, [{"d"}] * n, n_jobs=jobs, **given)
    sets = not tasks.can_compile()  # then no kernel fills them either
    assert begun == [*["augmented"] * sets, "confusion"] * shared
    assert report.partial.explained == {"augmented": n * sets, "confusion": n}
    here = evaluate(DAG, [{"e"}] * n, [{"d"}] * n, explain_up_to=n, **given)
    assert (report.instance_values()["HCM_F1"] == here.instance_values()["HCM_F1"]).all()
