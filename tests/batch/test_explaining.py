"""What is left to `explain` is shared out to processes: with the same rows, whatever becomes of these."""

import threading
import time

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.batch import explaining, tasks
from hiermeasures.batch.encode import encode
from hiermeasures.batch.explaining import BLOCK, SharedOut
from hiermeasures.batch.filling import Batch, Table, explain_rows
from hiermeasures.measures.confusion import CONFUSION
from hiermeasures.measures.lca import LCA
from hiermeasures.options import Options

N = 5 * BLOCK + 3
DAG = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), ("c", "e")])


def shared_out(processes=1):
    """Rows to be filled, and as `explain` fills them here."""
    random = np.random.default_rng(3)
    sides = (encode(DAG, [set(random.choice(DAG.nodes, 2).tolist()) for _ in range(N)], name="y") for _ in range(2))
    batch = Batch.of(DAG, Options.make(), *sides)
    filled, expected = ([Table.empty(s, batch.options, N) for s in (LCA, CONFUSION)] for _ in range(2))
    explain_rows(batch, expected, range(N))
    return SharedOut(batch, filled, processes), filled, expected


def assert_filled(filled, expected):
    assert all((table.rows == other.rows).all() for table, other in zip(filled, expected, strict=True))


def test_a_process_fills_all_rows_while_this_one_has_other_work():
    shared, filled, expected = shared_out()
    stop = threading.Event()
    shared.fill(0, 0, stop)
    deadline = time.monotonic() + 60
    while (shared._left or shared._taken) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert_filled(filled, expected)
    assert shared.fill(0, N, stop) == {"lca": N, "confusion": N}


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("answer", ["", "Importing\n", "a\n"], ids=["none", "no number", "no pickle"])
def test_what_a_process_does_not_answer_is_explained_here(answer, monkeypatch):
    monkeypatch.setattr(explaining, "_SERVE", f"import sys; sys.stdin.buffer.read(1); print({answer!r})")
    shared, filled, expected = shared_out(processes=2)
    assert shared.fill(0, N, threading.Event()) == {"lca": N, "confusion": N}
    assert_filled(filled, expected)


def test_chunks_that_end_within_a_block_are_filled_where_no_process_can_be_started(monkeypatch):
    def refused(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(explaining, "begin", refused)
    shared, filled, expected = shared_out()
    for lo in range(0, N, 10):
        shared.fill(lo, min(lo + 10, N), threading.Event())
    assert_filled(filled, expected)


@pytest.fixture
def begun(monkeypatch):
    """How many processes are asked for; none is begun."""
    asked = []

    class Recorded(SharedOut):
        def __init__(self, batch, tables, processes, *kernels):
            asked.append(processes)
            super().__init__(batch, tables, 0, *kernels)

    monkeypatch.setattr(tasks, "SharedOut", Recorded)
    monkeypatch.setattr(tasks, "FEW_INSTANCES", 1)
    return asked


@pytest.mark.parametrize(("jobs", "processes"), [(1, [0]), (3, [2])])
def test_no_more_processes_are_at_work_than_jobs_are_asked_for(jobs, processes, begun, monkeypatch):
    monkeypatch.setattr(tasks, "LONG", 1e-9)
    report = evaluate(DAG, [{"e"}] * N, [{"d"}] * N, measures=["HCM_F1"], path_derivation="benevolent", n_jobs=jobs)
    assert report.partial.explained["confusion"] == N
    assert begun == processes


def test_no_more_processes_are_begun_than_have_some_seconds_to_explain(begun, monkeypatch):
    monkeypatch.setattr(tasks, "explain_seconds", lambda batch, tables, rows: 3.5 * tasks.LONG)
    evaluate(DAG, [{"e"}] * N, [{"d"}] * N, measures=["HCM_F1"], path_derivation="benevolent", n_jobs=64)
    assert begun == [3]


@pytest.mark.parametrize("chunk", [N, BLOCK - 5])
@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_kernels_have_the_rest_where_explain_takes_longer_than_compiling(seconds, chunk, monkeypatch):
    monkeypatch.setattr(tasks, "FEW_INSTANCES", 1)
    monkeypatch.setattr(tasks, "sooner_explained", lambda batch, tables: True)
    monkeypatch.setattr(tasks, "slow_kernel", lambda batch, tables: {LCA: "a", CONFUSION: "b"}.get(tables[0].structure))
    monkeypatch.setattr(tasks, "SECONDS", {"a": seconds, "b": 0.0})
    random = np.random.default_rng(5)
    true, predicted = ([set(random.choice(DAG.nodes, 2).tolist()) for _ in range(N)] for _ in range(2))
    found = evaluate(DAG, true, predicted, measures=["F_LCA", "HCM_F1"], n_jobs=1, chunk=chunk)
    expected = evaluate(DAG, true, predicted, measures=["F_LCA", "HCM_F1"], explain_up_to=N)
    assert set(found.partial.explained.values()) == {N if seconds else 0}
    assert (found.instance_values()["F_LCA"] == expected.instance_values()["F_LCA"]).all()
    assert (found.instance_values()["HCM_F1"] == expected.instance_values()["HCM_F1"]).all()


def test_kernels_add_to_no_row_that_explain_has_filled():
    shared, filled, expected = shared_out()
    done = []

    def add(lo, hi, stop):
        done.append((lo, hi))
        for table, other in zip(filled, expected, strict=True):
            table.rows[lo:hi] += other.rows[lo:hi]

    shared._processes, shared._kernels, shared._seconds = 0, [add], -1.0
    for block in ((0, BLOCK), (2 * BLOCK, 3 * BLOCK)):
        shared._left.remove(block)
        explain_rows(shared._batch, filled, range(*block))
    shared.fill(0, N, threading.Event())
    assert done == [(BLOCK, 2 * BLOCK), (3 * BLOCK, N)]
    assert_filled(filled, expected)
