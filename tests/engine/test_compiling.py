"""A machine without kernels: what `explain` does meanwhile, what is compiled in the background, and
that numbers are the same, whatever becomes of the cache and of other processes.
"""

import ast
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.engine import compiled, kernel_cache, kernel_registry, tasks, warm
from hiermeasures.engine.kernel_cache import SlowKernel
from hiermeasures.engine.kernel_registry import KERNELS, QUICK_SECONDS
from hiermeasures.engine.kernels import confusion, lca

pytestmark = pytest.mark.skipif(not tasks.can_compile(), reason="numba is not installed")

DAG = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), ("c", "e")])
TREE = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("a", "d"), ("c", "e")])
KEYS = ["F_LCA", "HCM_F1", "HCM_FN", "hF"]


def sides(h, n=60):
    random = np.random.default_rng(1)
    return tuple([set(random.choice(h.nodes, 2).tolist()) for _ in range(n)] for _ in range(2))


def slow_kernel(function=compiled.kernel, seconds=1.0, compile=time.sleep):
    """One that is not compiled, by the name of a function that none is kept of."""
    return SlowKernel(compiled.njit(function), seconds, compile)


@pytest.fixture
def begun(monkeypatch):
    """The kernels whose compiling was begun, on a machine where the slow ones are not compiled."""
    names = []
    monkeypatch.setattr(SlowKernel, "ready", False)
    monkeypatch.setattr(kernel_registry, "is_ready", lambda quick: True)
    monkeypatch.setattr(tasks, "_left_to_explain", Counter())
    monkeypatch.setattr(kernel_cache, "begin", lambda kernels: names.extend(k.name for k in kernels))
    return names


@pytest.mark.parametrize(("h", "explained"), [(DAG, 60), (TREE, 0)], ids=["DAG", "tree"])
def test_a_batch_with_few_ancestors_is_explained_while_its_kernel_is_not_compiled(h, explained, begun, monkeypatch):
    """The tree's LCA graphs have a kernel that compiles at once."""
    true, predicted = sides(h)
    monkeypatch.setattr(tasks, "ANCESTORS_PER_SECOND", 1000)
    report = evaluate(h, true, predicted, measures=KEYS)
    assert not begun
    assert (report.partial.explained["confusion"], report.partial.explained["augmented"]) == (60, 0)
    if explained:
        assert report.partial.explained["lca"] == 60
    by_kernels = evaluate(h, true, predicted, measures=KEYS, explain_up_to=0).instance_values()
    assert all((report.instance_values()[key] == by_kernels[key]).all() for key in KEYS)


@pytest.mark.parametrize(
    ("h", "slow"),
    [(DAG, ["confusion.confusion", "lca.lca", "lca_search.search"]), (TREE, ["confusion.confusion"])],
    ids=["DAG", "tree"],
)
def test_slow_kernels_are_compiled_in_the_background_for_more_ancestors(h, slow, begun):
    report = evaluate(h, *sides(h), measures=KEYS)
    assert begun == slow
    assert report.partial.explained["confusion"] == 0
    explained = evaluate(h, *sides(h), measures=KEYS, explain_up_to=100).instance_values()
    assert all((report.instance_values()[key] == explained[key]).all() for key in KEYS)


def test_the_ancestors_that_are_left_to_explain_are_counted_with_the_labels_themselves(begun, monkeypatch):
    # e has itself, c, a, b and R: 5 on either side of 3 instances. Confusion compiles for 10 s.
    assert confusion.CELLS.seconds == 10.0
    for per_second, expected in ((3.0, 3), (2.9, 0)):
        monkeypatch.setattr(tasks, "ANCESTORS_PER_SECOND", per_second)
        report = evaluate(DAG, [{"e"}] * 3, [{"e"}] * 3, measures=["HCM_F1"])
        assert report.partial.explained["confusion"] == expected


@pytest.mark.parametrize("key", ["hF", "accuracy", "SDL", "H_loss", "hF_desc", "wF", "CoPHE_F1", "TIE", "SP", "C_F1"])
def test_no_batch_waits_for_a_quick_kernel_until_it_was_explained_for_as_long(key, begun, monkeypatch):
    monkeypatch.setattr(kernel_registry, "is_ready", lambda quick: False)
    assert QUICK_SECONDS == 4.0
    monkeypatch.setattr(tasks, "ANCESTORS_PER_SECOND", 15)  # 60 in all: of three instances 30 at a time
    found = [evaluate(DAG, [{"e"}] * 3, [{"e"}] * 3, measures=[key]) for _ in range(3)]
    assert [sum(report.partial.explained.values()) for report in found] == [3, 3, 0]
    assert found[0].values == found[1].values == found[2].values


def test_what_no_measure_needs_is_not_compiled(begun):
    evaluate(DAG, *sides(DAG), measures=["hF", "F_LCA_ext"])
    evaluate(TREE, *sides(TREE), measures=["hF", "F_LCA"])
    assert begun == ["lca.lca"]


@pytest.mark.parametrize("kernel", [lca.BEFORE, lca.SEARCH, confusion.CELLS], ids=lambda kernel: kernel.name)
def test_a_slow_kernel_says_how_it_is_compiled(kernel):
    kernel.compile()
    assert kernel.function.signatures
    assert getattr(import_module(kernel.compile.__module__), kernel.compile.__name__) is kernel.compile


def test_two_threads_begin_one_process(monkeypatch):
    begun = []

    def slowly(function):
        begun.append(function)
        time.sleep(0.05)

    monkeypatch.setattr(kernel_cache, "_running", {})
    monkeypatch.setattr(kernel_cache, "run_quietly", slowly)
    kernels = [slow_kernel()]
    other = threading.Thread(target=kernel_cache.begin, args=(kernels,))
    other.start()
    kernel_cache.begin(kernels)
    other.join()
    assert len(begun) == 1


def test_a_process_that_hangs_is_not_waited_for_for_ever(monkeypatch):
    kernel = slow_kernel()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as hanging:
        monkeypatch.setattr(kernel_cache, "_running", {kernel.name: hanging})
        monkeypatch.setattr(kernel_cache, "PATIENCE", 0.01)
        kernel_cache.wait_for([kernel])
        assert hanging.returncode


def test_a_process_that_fails_is_not_begun_again(monkeypatch):
    monkeypatch.setattr(kernel_cache, "_running", {})
    kernel = slow_kernel(compile=statistics.mean)  # which fails without an argument
    kernel_cache.begin([kernel])
    process = kernel_cache._running[kernel.name]
    kernel_cache.wait_for([kernel])
    kernel_cache.begin([kernel])
    assert process.returncode == 1
    assert kernel_cache._running[kernel.name] is process


def test_where_no_process_can_be_started_kernels_are_compiled_here(monkeypatch):
    def refused(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr("subprocess.Popen", refused)
    monkeypatch.setattr(kernel_cache, "_running", {})
    monkeypatch.setattr(SlowKernel, "ready", False)
    report = evaluate(DAG, *sides(DAG), measures=KEYS)
    assert not any(report.partial.explained.values())
    assert set(kernel_cache._running.values()) == {None}


def test_what_was_compiled_here_is_not_explained_where_no_folder_can_be_written(monkeypatch):
    true, predicted = sides(DAG)
    evaluate(DAG, true, predicted, measures=["F_LCA", "HCM_F1"], explain_up_to=0)
    monkeypatch.setattr(tasks, "ANCESTORS_PER_SECOND", 1000)
    monkeypatch.setattr(kernel_cache, "_writable", lambda folder: False)
    assert not any(evaluate(DAG, true, predicted, measures=["F_LCA", "HCM_F1"]).partial.explained.values())


def test_the_background_process_imports_nothing_from_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(7)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert kernel_cache.run_quietly(json.JSONDecoder).wait() == 0


@pytest.mark.parametrize("ready", [False, True], ids=["nothing", "all"])
def test_kernels_are_said_to_compile_until_they_are_loaded_or_that_fails(ready, monkeypatch):
    said = []

    def fail():
        said.append(warm.compiling_seconds() is not None)
        raise OSError("no more processes")

    monkeypatch.setattr(warm, "_ready", threading.Event())
    monkeypatch.setattr(SlowKernel, "ready", ready)
    monkeypatch.setattr(warm, "_compile", fail)
    monkeypatch.setattr(warm, "run_every_kernel", fail)
    with pytest.raises(OSError, match="no more"):
        warm._compile_and_load()
    assert said == [not ready]
    assert warm.compiling_seconds() is None


def test_in_trees_with_much_to_choose_the_search_decides_and_finds_the_same(begun, monkeypatch):
    """Two classes of the other side are equally near, by LCAs one above the other, each time."""
    h = Hierarchy.from_edges([("R", "a"), ("R", "x"), ("a", "b"), ("b", "t"), ("b", "c"), ("c", "p"), ("p", "u")])
    true, predicted = [{"t", "u"}] * 5 + [{"x", "u"}] * 5, [{"p", "x"}] * 5 + [{"t", "c"}] * 5
    by_explain = evaluate(h, true, predicted, measures=["F_LCA"], explain_up_to=10)
    by_tree = evaluate(h, true, predicted, measures=["F_LCA"])
    assert not begun
    monkeypatch.setattr(lca, "MOST_EXPLAINED", 4)
    by_search = evaluate(h, true, predicted, measures=["F_LCA"])
    values = [report.instance_values()["F_LCA"].tolist() for report in (by_explain, by_tree, by_search)]
    assert values[1:] == values[:1] * 2
    assert begun == ["lca.lca", "lca_search.search"]
    assert (by_tree.partial.explained["lca"] > 0, by_search.partial.explained["lca"]) == (True, 0)


# --- what is kept on disk -----------------------------------------------------------------------


def plus_one(x):
    return x + 1


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_kept_kernels_that_were_cut_off_while_they_were_written_are_compiled_anew(empty_cache):
    assert compiled.kernel(plus_one)(1) == 2
    files = list(empty_cache.rglob("*.nb?"))
    sizes = [file.stat().st_size for file in files]
    assert len(files) == 2
    for file in files:
        file.write_bytes(b"")
    assert compiled.kernel(plus_one)(1) == 2
    assert [file.stat().st_size for file in files] == sizes


def test_a_kernel_that_cannot_be_kept_computes_all_the_same(empty_cache, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert compiled.kernel(plus_one)(1) == 2
    assert not list(empty_cache.rglob("*.nb?"))


def test_where_no_folder_can_be_written_a_kernel_computes_all_the_same(monkeypatch):
    monkeypatch.setattr(kernel_cache, "_writable", lambda folder: False)
    assert compiled.kernel(plus_one)(1) == 2


def test_the_folder_that_somebody_tells_numba_stays_theirs(empty_cache):
    told = compiled.numba_settings.CACHE_DIR
    compiled.kernel(plus_one)
    assert told == compiled.numba_settings.CACHE_DIR


def test_two_processes_that_compile_at_once_both_find_the_same(tmp_path):
    code = """
import json
from hiermeasures import evaluate
from tests.engine.test_compiling import TREE, sides
found = evaluate(TREE, *sides(TREE), measures=["hF", "precision"], explain_up_to=0).instance_values()
print(json.dumps({key: values.tolist() for key, values in found.items()}))
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    found = [json.loads(process.communicate()[0]) for process in both]
    here = evaluate(TREE, *sides(TREE), measures=["hF", "precision"], explain_up_to=100).instance_values()
    assert found == [{key: values.tolist() for key, values in here.items()}] * 2
    assert list(tmp_path.rglob("sets.flat-*.nbi"))


def imported_constants():
    """(file, name) of every number that a kernel's module imports from outside of kernels/."""
    for source in kernel_cache.KERNELS.glob("*.py"):
        tree = ast.parse(source.read_text("utf-8"))
        module = import_module(f"hiermeasures.engine.kernels.{source.stem}")
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
        for node in (n for n in imports if n.module.startswith("hiermeasures") and ".kernels" not in n.module):
            for alias in node.names:
                found = getattr(module, alias.asname or alias.name, None)
                if isinstance(found, int):
                    yield import_module(node.module).__file__, alias.name
                elif isinstance(found, ModuleType):
                    read = (n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
                    names = {n.attr for n in read if n.value.id == (alias.asname or alias.name)}
                    yield from ((found.__file__, name) for name in names if isinstance(getattr(found, name), int))


def test_every_constant_that_a_kernel_imports_is_in_the_digest(monkeypatch):
    """Changing one in the module that defines it must not leave kernels that were compiled with the
    old one.
    """
    tasks.load_kernels()
    read = Path.read_text
    digest = kernel_cache.digest_of_sources.__wrapped__
    whole, constants = digest(), set(imported_constants())
    assert {"DEEPEST", "MANY", "UPWARD", "WEIGHT_SHIFT", "OWN"} <= {name for _, name in constants}
    for file, name in constants:
        text = re.sub(rf"^((?! ).*\b{name}\b.* = )", r"\g<1>1 + ", read(Path(file), "utf-8"), flags=re.MULTILINE)
        changed = {Path(file): text}
        monkeypatch.setattr(Path, "read_text", lambda path, *a, texts=changed: texts.get(path) or read(path, *a))
        assert digest() != whole, name


def test_only_lca_graphs_and_the_confusion_matrix_are_said_to_be_slow():
    tasks.load_kernels()
    assert {each for kernel in KERNELS.values() for each in kernel.slow} == {lca.BEFORE, lca.SEARCH, confusion.CELLS}
