"""The declared types are those at run time."""

import inspect
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest

from hiermeasures import evaluate
from hiermeasures.evaluation.batch import Workers
from hiermeasures.evaluation.engine import EvaluateArguments, HowSettings, Labels
from hiermeasures.hierarchy.options import DECLARED, Settings

PROJECT = Path(__file__).parents[1]
USER = """
from hiermeasures import Explorer, Hierarchy, Meter, compare, evaluate, explain, partial
from hiermeasures.metrics import flat_f1_score, graph_induced_error, make_scorer

h = Hierarchy.from_edges([("A", "B")])
Explorer(h, {"B"}, {"B"}, dmax=3)
explain(h, {"B"}, {"B"}, dmax=3, graphs="extended")["hF"]
evaluate(h, ["B"], ["B"], measures="all", average="micro", dmax=3, unknown="drop").to_dict()["n"]
evaluate(h, true="a", predicted=["b", "c"], paths="/")["b"].items()
compare(h, ["B"], {"a": ["B"], "b": ["B"]}, measures=["hF"], n_jobs=1, dmax=3).signature
partial(h, ["B"], ["B"], dmax=3).report(), Meter(h, dmax=3).compute()
graph_induced_error(["B"], ["B"], hierarchy=h, dmax=3, sample_weight=[1.0]) + flat_f1_score(["B"], ["B"], hierarchy=h)
make_scorer(h, "hF")(None, [], []) + make_scorer(h, ["hF", "GIE"], average="micro", dmax=3)(None, [], [])["hF"]
"""
WRONG = """
from hiermeasures import Explorer, Hierarchy, Meter, compare, evaluate, explain, partial
from hiermeasures.metrics import graph_induced_error, h_f1_scor, make_scorer

h = Hierarchy.from_edges([("A", "B")])
Explorer(h, dmx=3)
explain(h, {"B"}, {"B"}, dmx=3)
explain(h, {"B"}, {"B"}, graphs="wide")
evaluate(h, ["B"], ["B"], dmx=3)
evaluate(h, ["B"], ["B"], average="mean")
compare(h, ["B"], {"a": ["B"], "b": ["B"]}, dmx=3)
partial(h, ["B"], ["B"], dmx=3)
Meter(h, dmx=3)
graph_induced_error(["B"], ["B"], hierarchy=h, dmx=3)
make_scorer(h, dmx=3)
make_scorer(h, ["hF"])(None, [], []) + 1.0
"""


def test_the_options_are_typed_as_they_are_declared() -> None:
    assert get_type_hints(Settings) == {name: field.annotation for name, field in DECLARED.items()}


def test_the_arguments_of_evaluate_are_typed_as_they_are_declared() -> None:
    parameters = inspect.signature(evaluate).parameters.values()
    keywords = {p.name: p.annotation for p in parameters if p.kind == p.KEYWORD_ONLY}
    typed, how = get_type_hints(EvaluateArguments), get_type_hints(HowSettings)
    assert {n: hint for n, hint in typed.items() if n not in how} == {
        name: kind for name, kind in keywords.items() if name != "measures"
    }
    declared = {each.name: each.type for each in fields(Workers)}
    assert declared | get_type_hints(Settings) | get_type_hints(Labels) == how


@pytest.mark.slow
def test_a_checker_accepts_what_is_right_and_refuses_each_line_that_is_not(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text(USER, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--ignore-missing-imports",
        "right.py",
        "wrong.py",
    ]
    # mypy does not follow every way to make a folder editable
    found = {**os.environ, "MYPYPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=tmp_path, env=found, capture_output=True, text=True)
    assert "right.py" not in done.stdout
    lines = {int(n) for n in re.findall(r"^wrong\.py:(\d+): error", done.stdout, re.M)}
    expected = {n for n, line in enumerate(WRONG.splitlines(), 1) if n > 5 or "h_f1_scor" in line}
    assert lines == expected, done.stdout
