"""An Explorer and the lessons are plain Python: a page in a browser has no NumPy, and no file of
YAML.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hiermeasures.measures import CATALOGUE
from hiermeasures.verify import load_cases
from hiermeasures.verify.library import default_folder, read_document, write_json, yaml_files
from hiermeasures.verify.reading import Misplaced
from tests.fresh import PROJECT

BLOCKED = (
    *("defusedxml", "numba", "numpy", "pandas", "polars", "pyarrow", "pyvis", "scipy", "yaml"),
    *("anywidget", "dask", "matplotlib", "plotly", "rdflib", "streamlit"),
)
AS_ON_A_PAGE = f"""
import runpy, sys, time
sys.modules |= dict.fromkeys({BLOCKED})
del time.thread_time
"""
RUN = "import runpy; runpy.run_module('tests.plain.everything', run_name='__main__')"


def outcome(code: str, project: Path) -> list[str]:
    """The lines that a new process prints in a folder with the package."""
    surroundings = os.environ | {
        "PYTHONPATH": str(project),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a page has it: its case files and lessons are JSON."""
    folder = tmp_path_factory.mktemp("page")
    for package in ("hiermeasures", "tests/plain"):
        shutil.copytree(
            PROJECT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    write_json(folder / "cases")
    return folder


@pytest.mark.slow
def test_everything_is_the_same_without_the_libraries(page: Path) -> None:
    both = outcome(RUN, PROJECT), outcome(AS_ON_A_PAGE + RUN, page)
    # JSON keeps no lines
    here, there = ([re.sub(r'"line": \d+', "", line) for line in lines] for lines in both)
    assert [line for line in there if line not in set(here)] == []
    assert len(there) == len(here)
    uses = {line.partition(":")[0].strip('["') for line in here}
    assert uses == {"saved", "explanations", "states", "what_ifs", "course", "pastes"}
    assert len(here) > 8 * len(load_cases().cases) + len(CATALOGUE)


def test_another_format_is_refused_in_a_sentence(page: Path) -> None:
    texts = {"graphml": "<graphml/>", "rdf": "<A> <B> <C> .", "owl": "<RDF/>"}
    code = f"""
from hiermeasures.read import read_hierarchy_text
from hiermeasures.verify.library import read_cases, write_case
from hiermeasures import Hierarchy, InputError, explain
case = write_case(explain(Hierarchy.from_edges([("A", "B")]), "A", "B").instance, title="One", year=2000)
reads = [lambda t=t, f=f: read_hierarchy_text(t, format=f) for f, t in {texts}.items()]
for read in (*reads, lambda: read_cases(b"x")):
    try:
        read()
    except InputError as error:
        print(error)
print(case.startswith("{{"))
"""
    assert outcome(AS_ON_A_PAGE + code, page) == [
        "not a GraphML file that can be read, because it contains no <graph>",
        "the format SKOS and RDF Schema is not read here, where there is no rdflib; edge lists, "
        "CSV and JSON are",
        "the format OWL is not read here, where there is no rdflib; edge lists, CSV and JSON are",
        "line 1: YAML cannot be read here because PyYAML is missing. "
        "Save it as JSON, or open it with the command hiermeasures app",
        "True",
    ]


def test_a_case_file_as_json_is_the_same(page: Path) -> None:
    top = default_folder()
    files = yaml_files(top)
    assert [path.relative_to(page / "cases") for path in yaml_files(page / "cases")] == [
        path.relative_to(top) for path in files
    ]
    for path in files:
        stored = read_document(page / "cases" / path.relative_to(top), path.name)
        written = read_document(path, path.name)
        assert stored.data == written.data


@pytest.mark.parametrize("text", ["", "{", "[1, [" * 9000])
def test_what_is_no_such_json_is_a_fault_of_its_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "one.yaml.json").write_text(text)
    (path,) = yaml_files(tmp_path)
    with pytest.raises(Misplaced, match="case file"):
        read_document(path, path.name)
