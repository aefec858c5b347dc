"""Without the extra `fast` everything is as it is, but slower: tests of many kinds, where numba
cannot be imported.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.evaluation import kernel_cache, tasks

PROJECT = Path(__file__).resolve().parents[1]
TESTS = "evaluation/test_engine.py evaluation/test_answers.py test_metrics.py test_meter.py evaluation/compare test_one_table.py".split()


@pytest.mark.slow
def test_tests_of_many_kinds_pass_where_numba_cannot_be_imported() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    environment = {**os.environ, "WITHOUT_NUMBA": "yes"}
    done = subprocess.run(
        [*command, *(f"tests/{name}" for name in TESTS)],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert " skipped" in done.stdout  # what is about kernels: numba was not there


def test_without_numba_values_are_the_same_and_a_message_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    h, random = (
        Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c"), ("b", "c")]),
        np.random.default_rng(1),
    )
    true, predicted = (
        [set(random.choice(h.nodes, 2).tolist()) for _ in range(300)] for _ in range(2)
    )
    with_kernels = evaluate(h, true, predicted, measures="all", engine="kernels")
    monkeypatch.setattr(tasks, "can_compile", lambda: False)
    monkeypatch.setattr(tasks, "LONG", 0.0)
    kernel_cache.warn_once.cache_clear()
    without = evaluate(h, true, predicted, measures="all")
    counts = without.partial.explained
    assert {table for table, count in counts.items() if count != 300} == {"flat", "augmented"}
    assert without.values == pytest.approx(with_kernels.values, rel=1e-12)
    assert len(caplog.messages) == 1
    assert "[fast]" in caplog.text


def test_without_numba_sets_need_no_message(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    h = Hierarchy.from_edges([("R", "a"), ("R", "b"), ("a", "c")])
    monkeypatch.setattr(tasks, "can_compile", lambda: False)
    monkeypatch.setattr(tasks, "LONG", 0.0)
    kernel_cache.warn_once.cache_clear()
    report = evaluate(h, ["a", "c"] * 500, ["c", "b"] * 500, measures=["hF", "SDL", "f1"])
    # {R, a} and {R, a, c}: 2 · 2 / 5; {R, a, c} and {R, b}: 2 · 1 / 5
    assert report["hF"] == pytest.approx(0.6)
    assert not caplog.messages
