"""Imports: each library is loaded only by the code that uses it."""

import subprocess
import sys

import pytest

import hiermeasures
from hiermeasures.measures import CATALOGUE

HEAVY = {
    "matplotlib",
    "networkx",
    "numba",
    "pandas",
    "plotly",
    "polars",
    "pyarrow",
    "scipy",
    "streamlit",
    "yaml",
}


def loaded(code):
    """The libraries that a new process has loaded after some code."""
    show = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {show}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_the_package_or_the_command_line_loads_no_library():
    assert not loaded("import hiermeasures, hiermeasures.cli") & {*HEAVY, "numpy", "pydantic"}


def test_a_few_instances_are_evaluated_and_explained_without_what_neither_needs():
    edges = (
        "Hierarchy.from_edges([('A', 'B'), ('A', 'C')]), [{'B'}], [{'C'}], measures=['hF', 'F_LCA']"
    )
    evaluated = f"from hiermeasures import *; from hiermeasures.evaluation.files import read_systems; evaluate({edges})"
    assert not loaded(evaluated) & HEAVY


FILES = {
    "h.txt": "A B\nA C\nB T1\nB P1\nB P2\n",
    "true.txt": "T1\nC\n",
    "one.txt": "P1 P2\nC\n",
    "two.txt": "B\nA\n",
}
LABELS = "--hierarchy h.txt --true true.txt --predicted one.txt two.txt"
# The most modules of this package, and the libraries that are needed; pandas imports pyarrow.
COMMANDS = {
    "score h.txt --true T1 --predicted P1,P2": (70, {"networkx"}),
    f"evaluate {LABELS}": (108, {"networkx", "numpy"}),
    f"compare {LABELS}": (118, {"networkx", "numpy", "pandas", "pyarrow"}),
    "find hF>0.5 --trees 3 --dags 0": (98, {"numpy", "yaml"}),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_loads_only_what_it_uses(tmp_path, command):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    code = f"from hiermeasures.cli import main; assert not main({command.split()!r})"
    show = "import sys; print('LOADED', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {show}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.partition("LOADED")[2].split()
    most, needed = COMMANDS[command]
    libraries = {name for name in loaded if "." not in name}
    assert libraries & {*HEAVY, "numpy", "pydantic", "rich", "jinja2"} == needed
    assert not any(
        name.startswith(("hiermeasures.verify", "hiermeasures.teach")) for name in loaded
    )
    assert sum(name.partition(".")[0] == "hiermeasures" for name in loaded) <= most


def test_from_the_shell_numba_is_loaded_and_no_tables(tmp_path):
    pytest.importorskip("numba")
    for name, text in {
        "hierarchy": "A B\nA C\n",
        "true": "B\n" * 2000,
        "predicted": "C\n" * 2000,
    }.items():
        (tmp_path / name).write_text(text)
    files = [f"--{name}={tmp_path / name}" for name in ("hierarchy", "true", "predicted")]
    evaluated = f"from hiermeasures.cli import main; main({['evaluate', *files, '--measures=GIE', '--json']!r})"
    absent = "import sys; assert 'pandas' not in sys.modules"
    assert "numba" in loaded(f"{evaluated}; {absent}")


def test_every_public_name_is_there_and_no_other():
    assert {
        name for name in hiermeasures.__all__ if getattr(hiermeasures, name) is not None
    } <= set(dir(hiermeasures))
    assert hiermeasures.read.read_labels is not None
    with pytest.raises(AttributeError, match="no attribute 'evaluations'"):
        _ = hiermeasures.evaluations


PLAIN = """
import sys
sys.modules |= dict.fromkeys(["numpy", "numba", "pandas", "polars", "pyarrow", "pyvis", "scipy", "yaml"])
import hiermeasures.draw.notebook_repr
from hiermeasures import Hierarchy, explain
from hiermeasures.measures import CATALOGUE
h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T"), ("B", "P"), ("C", "P"), ("C", "Q"), ("B", "Q")])
for weighed in (h, h.with_class_weights("leaves"), h.with_weights("exponential")):
    for options in ({}, {"max_ancestor_distance": 1}, {"path_ties": "names"}, {"solver": "greedy"}):
        for true, predicted in (("T", "PQ"), ("TQ", "P"), ("B", "B"), ("T", "")):
            found = explain(weighed, set(true), set(predicted), define={"mine": "max(hF, F_LCA / 2)"}, **options)
            values = [found[key] for key in (*CATALOGUE, "mine")]
        found._repr_mimebundle_()
    weighed.drawing().svg, weighed.fingerprint, weighed.numbered_by_name, weighed.down_to(1)
print(len(values))
"""


def test_hierarchies_measures_and_pictures_are_plain_python():
    """Nothing of them needs NumPy, which a browser has not."""
    done = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (str(len(CATALOGUE) + 1), "")
