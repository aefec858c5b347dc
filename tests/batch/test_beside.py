"""A machine without kernels: what `explain` does sooner, what is compiled beside, and that the numbers are the same."""

import json
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.batch import beside, compiled, kernel_cache, tasks, warm

DAG = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), ("c", "e")])
TREE = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("a", "d"), ("c", "e")])
KEYS = ["F_LCA", "HCM_F1", "HCM_FN", "hF"]


def sides(h, n=60):
    random = np.random.default_rng(1)
    return tuple([set(random.choice(h.nodes, 2).tolist()) for _ in range(n)] for _ in range(2))


@pytest.fixture
def begun(monkeypatch):
    """The kernels whose compiling was begun beside, on a machine where the slow ones are not kept."""
    names = []
    monkeypatch.setattr(tasks, "FEW_INSTANCES", 1)
    monkeypatch.setattr(beside, "is_kept", lambda name: False)
    monkeypatch.setattr(beside, "is_loaded", lambda name: False)
    monkeypatch.setattr(tasks, "compile_beside", names.append)
    return names


@pytest.mark.parametrize("h", [DAG, TREE], ids=["DAG", "tree"])
def test_explain_does_what_it_is_done_with_before_a_kernel_is_compiled_and_finds_the_same(h, begun, monkeypatch):
    true, predicted = sides(h)
    monkeypatch.setattr(beside, "SECONDS", {beside.SEARCH: 1e9, beside.CELLS: 1e9})
    report = evaluate(h, true, predicted, measures=KEYS)
    slow = {"confusion": 60, "lca": 60 * (not h.is_tree)}
    assert not begun
    assert {key: report.partial.explained[key] for key in slow} == slow
    assert report.partial.explained["augmented"] == 0
    by_kernels = evaluate(h, true, predicted, measures=KEYS, explain_up_to=0).instance_values()
    assert all((report.instance_values()[key] == by_kernels[key]).all() for key in KEYS)


@pytest.mark.parametrize(
    ("h", "slow"), [(DAG, [beside.CELLS, beside.SEARCH]), (TREE, [beside.CELLS])], ids=["DAG", "tree"]
)
def test_slow_kernels_are_compiled_beside_where_explain_would_take_longer(h, slow, begun, monkeypatch):
    monkeypatch.setattr(beside, "SECONDS", {beside.SEARCH: 1e-9, beside.CELLS: 0.0})
    report = evaluate(h, *sides(h), measures=KEYS)
    assert begun == slow
    assert not any(report.partial.explained.values())
    explained = evaluate(h, *sides(h), measures=KEYS, explain_up_to=100).instance_values()
    assert all((report.instance_values()[key] == explained[key]).all() for key in KEYS)


@pytest.mark.parametrize("allowed", ["yes", "no"])
def test_what_explain_took_long_for_is_compiled_for_the_next_time_if_that_is_allowed(allowed, begun, monkeypatch):
    codes = []
    monkeypatch.setenv(warm.AHEAD, allowed)
    monkeypatch.setattr(tasks, "LONG", 1e-9)
    monkeypatch.setattr(beside, "_running", {})
    monkeypatch.setattr(beside, "_yielding", set())
    monkeypatch.setattr(beside, "run_beside", codes.append)
    monkeypatch.setattr(beside, "SECONDS", {beside.SEARCH: 1e9, beside.CELLS: 1e9})
    evaluate(DAG, *sides(DAG), measures=KEYS, n_jobs=1)
    names = [name for name in (beside.SEARCH, beside.CELLS) if any(f"in_peace({name!r})" in code for code in codes)]
    assert names == ([beside.SEARCH, beside.CELLS] if allowed == "yes" else [])


def test_what_one_process_compiles_for_the_next_time_no_other_one_does(tmp_path, monkeypatch):
    compiled = []

    def compile_while_another_process_comes(name):
        compiled.append(name)
        if len(compiled) < 5:
            beside.compile_in_peace(beside.CELLS)

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "new"))
    monkeypatch.setattr("os.nice", lambda by: 0)
    monkeypatch.setattr(beside, "compile_here", compile_while_another_process_comes)
    beside.compile_in_peace(beside.CELLS)
    assert compiled == [beside.CELLS]
    beside.compile_in_peace(beside.CELLS)
    assert compiled == [beside.CELLS] * 2


def test_what_goes_with_the_search_is_compiled_by_itself():
    beside.compile_here(beside.ANY)
    assert beside.is_loaded(beside.ANY)


def test_what_no_measure_needs_is_not_compiled(begun, monkeypatch):
    monkeypatch.setattr(beside, "SECONDS", {beside.SEARCH: 0.0, beside.CELLS: 0.0})
    evaluate(DAG, *sides(DAG), measures=["hF", "F_LCA_ext"])
    evaluate(TREE, *sides(TREE), measures=["hF", "F_LCA"])
    assert not begun


def test_two_threads_begin_one_process(monkeypatch):
    begun = []

    def slowly(code):
        begun.append(code)
        time.sleep(0.05)

    monkeypatch.setattr(beside, "_running", {})
    monkeypatch.setattr(beside, "is_kept", lambda name: False)
    monkeypatch.setattr(beside, "run_beside", slowly)
    other = threading.Thread(target=beside.compile_beside, args=(beside.CELLS,))
    other.start()
    beside.compile_beside(beside.CELLS)
    other.join()
    assert len(begun) == 1


def test_what_yields_to_others_is_not_waited_for_longer_than_compiling_takes(monkeypatch):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as starved:
        monkeypatch.setattr(beside, "_running", {beside.CELLS: starved})
        monkeypatch.setattr(beside, "_yielding", {beside.CELLS})
        monkeypatch.setattr(beside, "SECONDS", {beside.CELLS: 0.01})
        beside.wait_for(beside.CELLS)
        assert starved.returncode


def test_a_process_that_hangs_is_not_waited_for_for_ever(monkeypatch):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as hanging:
        monkeypatch.setattr(beside, "_running", {beside.CELLS: hanging})
        monkeypatch.setattr(beside, "PATIENCE", 0.01)
        beside.wait_for(beside.CELLS)
        assert hanging.returncode


def plus_one(x):
    return x + 1


def test_kept_kernels_that_were_broken_off_while_they_were_written_are_compiled_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    assert compiled.kernel(plus_one)(1) == 2
    files = list(tmp_path.rglob("*.nb?"))
    sizes = [file.stat().st_size for file in files]
    for file in files:
        file.write_bytes(b"")
    assert compiled.kernel(plus_one)(1) == 2
    assert [file.stat().st_size for file in files] == sizes


def test_a_kernel_that_cannot_be_kept_computes_all_the_same(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert compiled.kernel(plus_one)(1) == 2
    assert not list(tmp_path.rglob("*.nb?"))


def test_a_process_beside_that_fails_is_not_begun_again(monkeypatch):
    monkeypatch.setattr(beside, "_running", {})
    monkeypatch.setattr(beside, "is_kept", lambda name: False)
    beside.compile_beside("no such kernel")
    process = beside._running["no such kernel"]
    beside.wait_for("no such kernel")
    beside.compile_beside("no such kernel")
    assert process.returncode == 1
    assert beside._running["no such kernel"] is process


def test_what_was_compiled_here_is_not_explained_where_no_folder_can_be_written(monkeypatch):
    true, predicted = sides(DAG)
    evaluate(DAG, true, predicted, measures=["F_LCA", "HCM_F1"], explain_up_to=0)
    monkeypatch.setattr(tasks, "FEW_INSTANCES", 1)
    monkeypatch.setattr(kernel_cache, "_writable", lambda folder: False)
    monkeypatch.setattr(beside, "SECONDS", {beside.SEARCH: 1e9, beside.CELLS: 1e9})
    assert not any(evaluate(DAG, true, predicted, measures=["F_LCA", "HCM_F1"]).partial.explained.values())


def test_where_no_process_can_be_started_kernels_are_compiled_here(begun, monkeypatch):
    def refused(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr("subprocess.Popen", refused)
    monkeypatch.setattr(beside, "_running", {})
    monkeypatch.setattr(beside, "SECONDS", {beside.SEARCH: 1e-9, beside.CELLS: 0.0})
    monkeypatch.setattr(tasks, "compile_beside", beside.compile_beside)
    assert not any(evaluate(DAG, *sides(DAG), measures=KEYS).partial.explained.values())
    assert beside._running == {beside.CELLS: None, beside.SEARCH: None}


def test_the_process_beside_imports_nothing_from_the_folder_that_it_stands_in(tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit(7)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert beside.run_beside("import numpy").wait() == 0


@pytest.mark.parametrize("kept", [set(), {beside.SEARCH, beside.ANY}], ids=["none", "LCA graphs only"])
def test_kernels_are_said_to_compile_until_they_are_loaded_or_that_fails(kept, monkeypatch):
    said = []

    def fail():
        said.append((warm.compiling_seconds() is not None, warm.kernels_awaited()))
        raise OSError("no more processes")

    monkeypatch.setattr(warm, "_ready", threading.Event())
    monkeypatch.setattr(warm, "_given_up", threading.Event())
    monkeypatch.setattr(warm, "is_kept", kept.__contains__)
    monkeypatch.setattr(warm, "_compile", fail)
    with pytest.raises(OSError, match="no more"):
        warm._compile_and_load()
    assert said == [(True, True)]
    assert (warm.compiling_seconds(), warm.kernels_awaited()) == (None, False)


def test_in_trees_with_much_to_choose_the_search_decides_and_finds_the_same(monkeypatch):
    """Two classes of the other side are equally near, by LCAs one above the other, in every instance."""
    from hiermeasures.batch.kernels import lca

    h = Hierarchy.from_edges([("R", "a"), ("R", "x"), ("a", "b"), ("b", "t"), ("b", "c"), ("c", "p"), ("p", "u")])
    true, predicted = [{"t", "u"}] * 5 + [{"x", "u"}] * 5, [{"p", "x"}] * 5 + [{"t", "c"}] * 5
    by_explain = evaluate(h, true, predicted, measures=["F_LCA"], explain_up_to=10)
    monkeypatch.setattr(lca, "at_hand", lambda name: False)
    by_tree = evaluate(h, true, predicted, measures=["F_LCA"])
    begun = []
    monkeypatch.setattr(lca, "compile_beside", begun.append)
    monkeypatch.setattr(lca, "SECONDS", {beside.SEARCH: 0.0})
    by_search = evaluate(h, true, predicted, measures=["F_LCA"])
    values = [report.instance_values()["F_LCA"].tolist() for report in (by_explain, by_tree, by_search)]
    assert values[1:] == values[:1] * 2
    assert begun == [beside.SEARCH]


@pytest.mark.slow
def test_in_a_version_of_numba_that_nobody_has_seen_yet_kernels_give_the_same(tmp_path, monkeypatch):
    code = """
import json, sys, numba
numba.version_info = numba.version_info._replace(short=(99, 0))
from hiermeasures import evaluate
from tests.batch.test_beside import DAG, KEYS, sides
found = evaluate(DAG, *sides(DAG), measures=KEYS, explain_up_to=0).instance_values()
assert "hiermeasures.batch.compilers" not in sys.modules
print(json.dumps({key: values.tolist() for key, values in found.items()}))
"""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    here = evaluate(DAG, *sides(DAG), measures=KEYS, explain_up_to=0).instance_values()
    assert json.loads(printed) == {key: values.tolist() for key, values in here.items()}
