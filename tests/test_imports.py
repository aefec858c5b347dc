"""What importing the package costs: a library is loaded by what uses it, and by nothing else."""

import subprocess
import sys

import pytest

import hiermeasures

HEAVY = {"matplotlib", "networkx", "numba", "pandas", "plotly", "polars", "pyarrow", "scipy", "streamlit", "yaml"}


def loaded(code):
    """The libraries that a new process has loaded after some code."""
    show = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", f"{code}; {show}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_or_the_command_line_loads_no_library():
    assert not loaded("import hiermeasures, hiermeasures.cli") & {*HEAVY, "numpy", "pydantic", "rapidfuzz"}


def test_a_few_instances_are_evaluated_and_explained_without_what_neither_needs():
    edges = "Hierarchy.from_edges([('A', 'B'), ('A', 'C')]), [{'B'}], [{'C'}], measures=['hF', 'F_LCA']"
    evaluated = f"from hiermeasures import *; from hiermeasures.batch.files import read_systems; evaluate({edges})"
    assert not loaded(evaluated) & (HEAVY - {"yaml"})


def test_from_the_shell_numba_is_loaded_without_linear_algebra(tmp_path):
    for name, text in {"hierarchy": "A B\nA C\n", "true": "B\n" * 300, "predicted": "C\n" * 300}.items():
        (tmp_path / name).write_text(text)
    files = [f"--{name}={tmp_path / name}" for name in ("hierarchy", "true", "predicted")]
    evaluated = f"from hiermeasures.cli import main; main({['evaluate', *files, '--measures=hF', '--json']!r})"
    assert "numba" in loaded(f"{evaluated}; import sys; assert 'scipy.linalg' not in sys.modules")


@pytest.mark.parametrize("first", ["compare", "compare.significance"])
def test_a_function_keeps_its_name_where_a_package_has_it_too(first):
    assert "ok" in loaded(
        f"import hiermeasures.{first}; from hiermeasures import compare; import hiermeasures; "
        "assert callable(compare) and hiermeasures.compare is compare; import sys; sys.modules['ok'] = None"
    )


def test_every_public_name_is_there_and_no_other():
    assert {name for name in hiermeasures.__all__ if getattr(hiermeasures, name) is not None} <= set(dir(hiermeasures))
    assert hiermeasures.io.read_labels is not None
    with pytest.raises(AttributeError, match="no attribute 'evaluation'"):
        _ = hiermeasures.evaluation
