"""A machine without kernels: what `explain` does meanwhile, and that numbers are the same, whatever
becomes of the cache.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.evaluation import compiled, kernel_cache, kernel_registry, tasks
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.kernels import lca

pytestmark = pytest.mark.skipif(not tasks.can_compile(), reason="numba is not installed")

DAG = Hierarchy.from_edges(
    [("R", "a"), ("R", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), ("c", "e")]
)
TREE = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("a", "d"), ("c", "e")])
KEYS = ["F_LCA", "HCM_F1", "HCM_FN", "hF"]


def sides(h, n=60):
    random = np.random.default_rng(1)
    return tuple([set(random.choice(h.nodes, 2).tolist()) for _ in range(n)] for _ in range(2))


@pytest.fixture
def uncompiled(monkeypatch):
    """A machine on which no kernel is compiled, in a process that has explained nothing."""
    monkeypatch.setattr(kernel_registry, "is_ready", lambda function: False)
    monkeypatch.setattr(tasks, "_work_done", [0])


@pytest.fixture
def unloaded(monkeypatch):
    """A process that has loaded no kernels and explained nothing."""
    monkeypatch.setattr(tasks, "load_kernels", cache(tasks.load_kernels.__wrapped__))
    monkeypatch.setattr(tasks, "_work_done", [0])


def explained(h, *given, **more):
    report = evaluate(h, *given, **more)
    return set(report.partial.explained.values()), report.instance_values()


def test_while_kernels_are_not_compiled_explain_does_so_much_work_of_a_process(
    uncompiled, monkeypatch
):
    given = (DAG, [{"e"}] * 3, [{"e"}] * 3)  # 210 units
    monkeypatch.setattr(tasks, "WORK_OF_COMPILING", 420)
    found = [explained(*given, measures=KEYS) for _ in range(3)]
    assert [those for those, _ in found] == [{3}, {3}, {0}]
    assert all((found[0][1][key] == found[2][1][key]).all() for key in KEYS)
    assert explained(*given, measures=KEYS, engine="kernels")[0] == {0}


def test_many_small_batches_load_the_kernels_like_one_large_batch(unloaded, monkeypatch):
    """A search over folds of 200 never had a batch of more than 250 instances."""
    monkeypatch.setattr(kernel_registry, "is_ready", lambda function: True)
    monkeypatch.setattr(tasks, "WORK_OF_LOADING", 420)
    given = (DAG, [{"e"}] * 3, [{"e"}] * 3)
    assert [explained(*given, measures=["F_LCA"])[0] for _ in range(4)] == [{3}, {3}, {0}, {0}]
    assert explained(DAG, [{"e"}], [{"c"}], measures=["F_LCA"])[0] == {0}


@pytest.mark.parametrize("n", [1, 200, 250, 251])
def test_loaded_kernels_compute_batches_of_every_size(n, monkeypatch):
    monkeypatch.setattr(kernel_registry, "is_ready", lambda function: True)
    monkeypatch.setattr(tasks, "WORK_OF_LOADING", 10**9)
    monkeypatch.setattr(tasks, "WORK_OF_COMPILING", 10**9)
    tasks.load_kernels()
    assert explained(DAG, *sides(DAG, n), measures=KEYS)[0] == {0}


def test_in_trees_with_much_to_choose_the_search_decides_and_finds_the_same(
    uncompiled, monkeypatch
):
    """Of the LCA that only x has, two classes of the other side are equally near each time."""
    h = Hierarchy.from_edges([("R", "a"), ("R", "x"), ("a", "t"), ("a", "u")])
    true, predicted = [{"t", "u"}] * 5 + [{"x", "u"}] * 5, [{"x", "u"}] * 5 + [{"t", "u"}] * 5
    by_explain = evaluate(h, true, predicted, measures=["F_LCA"], engine="explain")
    by_tree = evaluate(h, true, predicted, measures=["F_LCA"])
    monkeypatch.setattr(lca, "MOST_EXPLAINED", 4)
    by_search = evaluate(h, true, predicted, measures=["F_LCA"])
    values = [
        report.instance_values()["F_LCA"].tolist() for report in (by_explain, by_tree, by_search)
    ]
    assert values[1:] == values[:1] * 2
    assert (by_tree.partial.explained["lca"] > 0, by_search.partial.explained["lca"]) == (True, 0)


def test_in_trees_lcas_that_other_classes_need_leave_nothing_to_choose(uncompiled):
    """By a and b the class t is equally near to p and q. Each of these has only one of the LCAs.

    Graphs: t, b, a and p, m, b, q, a. They share a and b.
    """
    h = Hierarchy.from_edges(
        [("R", "a"), ("a", "b"), ("a", "q"), ("b", "t"), ("b", "m"), ("m", "p")]
    )
    by, values = explained(h, [{"t"}] * 3, [{"p", "q"}] * 3, measures=["P_LCA", "R_LCA"])
    assert by == {0}
    assert values["P_LCA"].tolist() == [2 / 5] * 3
    assert values["R_LCA"].tolist() == [2 / 3] * 3


# --- lists of ancestors ---------------------------------------------------------------------------


@pytest.mark.parametrize(("deep", "bytes_each"), [(127, 1), (128, 2)])
def test_costs_take_as_few_bytes_as_the_longest_path_needs(deep, bytes_each):
    """The classes above the end of a chain, and how far above they are."""
    chain = Hierarchy.from_edges([(str(k), str(k + 1)) for k in range(deep)])
    lists = kernel_registry.list_ancestry(
        arrays_of(chain), np.array([deep]), kernel_registry.at_once
    )
    assert lists.node.tolist() == list(range(deep, -1, -1))
    assert lists.cost.tolist() == list(range(deep + 1))
    assert lists.cost.itemsize == bytes_each


@pytest.mark.slow  # compiles for paths of such a length
def test_measures_of_a_deep_hierarchy_are_those_of_explain():
    h = Hierarchy.from_edges(
        [(str(k), str(k + 1)) for k in range(200)] + [(str(k), f"by {k}") for k in range(200)]
    )
    true, predicted = [{"200"}, {"by 3"}, {"150", "by 9"}], [{"by 0"}, {"by 199"}, {"160"}]
    keys = ["hF", "SDL", "F_LCA", "GIE"]
    found = [
        evaluate(h, true, predicted, measures=keys, engine=engine).instance_values()
        for engine in ("kernels", "explain")
    ]
    for key in keys:
        assert found[0][key].tolist() == pytest.approx(found[1][key].tolist(), rel=1e-12)


# --- what is kept on disk -----------------------------------------------------------------------


def plus_one(x):
    return x + 1


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_compiling_is_told_once_and_loading_is_not(empty_cache, caplog):
    heard = []
    kernel_cache.warn_once.cache_clear()
    with kernel_cache.warnings_to(heard.append):
        compiled.kernel(plus_one)(1)
        compiled.kernel(plus_one)(1.0)
    assert heard == [kernel_cache.COMPILING] == caplog.messages
    kernel_cache.warn_once.cache_clear()
    compiled.kernel(plus_one)(1)
    assert len(caplog.messages) == 1


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


LOADING = """
import sys
from hiermeasures.evaluation import compiled
from tests.evaluation.test_compiling import plus_one
print(compiled.kernel(plus_one)(1), "numba.np.arraymath" in sys.modules)
import numba, numpy
print(numba.njit(lambda x: numpy.exp(x).sum())(numpy.zeros(3)))
"""


def test_a_kept_kernel_is_loaded_without_what_compiles_it_and_others_are_compiled_after(
    empty_cache,
):
    for compiles in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", LOADING], capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["2", compiles, "3.0"]


def imported_constants():
    """(file, name) of every number that a kernel's module imports from outside of kernels/."""
    for source in kernel_cache.KERNELS.glob("*.py"):
        tree = ast.parse(source.read_text("utf-8"))
        module = import_module(f"hiermeasures.evaluation.kernels.{source.stem}")
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
        for node in (
            n for n in imports if n.module.startswith("hiermeasures") and ".kernels" not in n.module
        ):
            for alias in node.names:
                found = getattr(module, alias.asname or alias.name, None)
                if isinstance(found, int):
                    yield import_module(node.module).__file__, alias.name
                elif isinstance(found, ModuleType):
                    read = (
                        n
                        for n in ast.walk(tree)
                        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
                    )
                    names = {n.attr for n in read if n.value.id == (alias.asname or alias.name)}
                    yield from (
                        (found.__file__, name)
                        for name in names
                        if isinstance(getattr(found, name), int)
                    )


def test_every_constant_that_a_kernel_imports_is_in_the_digest(monkeypatch):
    """Changing one in the module that defines it must not leave kernels that were compiled with the
    old one.
    """
    tasks.load_kernels()
    read = Path.read_text
    digest = kernel_cache.digest_of_sources.__wrapped__
    whole, constants = digest(), set(imported_constants())
    assert {"DEEPEST", "MANY", "PREDICTED", "WEIGHT_SHIFT", "OWN"} <= {
        name for _, name in constants
    }
    for file, name in constants:
        text = re.sub(
            rf"^((?! ).*\b{name}\b.* = )",
            r"\g<1>1 + ",
            read(Path(file), "utf-8"),
            flags=re.MULTILINE,
        )
        changed = {Path(file): text}
        monkeypatch.setattr(
            Path, "read_text", lambda path, *a, texts=changed: texts.get(path) or read(path, *a)
        )
        assert digest() != whole, name
