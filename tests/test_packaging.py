"""What is installed holds everything that the project needs to run, without a list of it kept by hand."""

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source distribution and a wheel of a copy of this checkout to which a paper was added."""
    project, built = tmp_path_factory.mktemp("project") / "copy", tmp_path_factory.mktemp("built")
    kept = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(PROJECT, project, ignore=kept)
    shutil.copytree(project / "cases" / "falis2021", project / "cases" / "someone2026")
    build = f"from setuptools import build_meta as b; b.build_sdist({str(built)!r}); b.build_wheel({str(built)!r})"
    done = subprocess.run([sys.executable, "-c", build], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return built


def case_files() -> set[str]:
    shipped = {file.relative_to(PROJECT / "cases") for file in (PROJECT / "cases").rglob("*") if file.is_file()}
    added = {Path("someone2026", file.name) for file in shipped if file.parts[0] == "falis2021"}
    return {file.as_posix() for file in shipped | added}


@pytest.mark.slow
def test_the_wheel_holds_every_case_file_and_every_script_of_the_components(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.removeprefix("hiermeasures/cases/files/") for name in names if "/cases/files/" in name} == case_files()
    scripts = {
        p.relative_to(PROJECT).as_posix()
        for end in ("js", "css", "svg")
        for p in PROJECT.glob(f"hiermeasures/**/*.{end}")
    }
    assert scripts <= names


@pytest.mark.slow
def test_a_wheel_can_be_built_of_the_source_distribution(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as inside:
        names = {name.partition("/")[2] for name in inside.getnames()}
    assert {f"cases/{name}" for name in case_files()} <= names


@pytest.mark.slow
def test_an_installed_package_finds_its_own_cases_and_lessons(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    names = "from hiermeasures.cases import load_cases; print(*[paper.key for paper in load_cases()])"
    done = subprocess.run([sys.executable, "-c", names], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == ["falis2021", "kosmopoulos2015", "plaud2024", "riehl2023", "someone2026"], done.stderr
    keys = "from hiermeasures.lessons import load_lessons; print(*[lesson.key for lesson in load_lessons().lessons])"
    done = subprocess.run([sys.executable, "-c", keys], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == sorted(file.stem for file in (PROJECT / "cases" / "lessons").glob("*.yaml"))


def test_the_server_answers_this_machine_only_unless_asked() -> None:
    settings = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["address"] == "localhost"
    assert "--server.address" in (PROJECT / "README.md").read_text(encoding="utf-8")
