"""`hiermeasures info` and `--version`: what a bug report says, whatever is missing or broken."""

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest

import hiermeasures
from hiermeasures.cli import main
from hiermeasures.engine import kernel_cache as kept
from hiermeasures.engine.compiled import kernel
from hiermeasures.info import info, info_lines


def test_info_names_versions_cores_kernels_and_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hiermeasures"] == hiermeasures.__version__
    assert found["packages"]["numpy"] == importlib.metadata.version("numpy")
    assert set(found["extras"]) == {"app", "cluster", "fast", "files", "notebook", "page"}
    assert found["extras"]["app"]["streamlit"] == importlib.metadata.version("streamlit")
    assert 1 <= found["cores"]["usable"] <= found["cores"]["all"]
    assert found["cases"]["sources"] >= 4
    assert set(found["kernels"]) == {"compiled", "functions", "of", "bytes", "folder"}
    assert main(["info"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"hiermeasures   {hiermeasures.__version__} in ")
    assert f"numpy {found['packages']['numpy']}" in "\n".join(lines)


def test_info_imports_neither_numba_nor_an_extra() -> None:
    modules = "numba streamlit pyvis plotly anywidget"
    script = (
        "import sys; from hiermeasures.cli import main; main(['info']);"
        f"print(*[m for m in {modules!r}.split() if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_a_package_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "streamlit":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr("importlib.metadata.version", version)
    found = info()
    assert found["extras"]["app"]["streamlit"] is None
    assert any("streamlit is not installed" in line for line in info_lines(found))


@pytest.mark.parametrize("broken", ["_requirements", "_cores", "_kernels", "_cases"])
def test_what_cannot_be_found_out_is_said_and_the_rest_is_told(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("no such\nthing")

    monkeypatch.setattr(f"hiermeasures.info.{broken}", fail)
    lines = info_lines(info())
    assert [line for line in lines if "unknown (OSError: no such thing)" in line]
    assert lines[0].startswith(f"hiermeasures   {hiermeasures.__version__}")


def test_the_requirements_are_those_of_the_metadata_by_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["numpy<3,>=1.26", 'streamlit<2,>=1.67; extra == "app"', "no-such-package>=1; extra == 'notebook'"]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: lines)
    found = info()
    assert list(found["packages"]) == ["numpy"]
    assert list(found["extras"]["app"]) == ["streamlit"]
    assert found["extras"]["notebook"] == {"no-such-package": None}


# --- the kernels --------------------------------------------------------------------------------


def test_the_folder_of_kernels_is_the_one_that_they_are_kept_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = kept.kept_kernels()["folder"]
    assert folder is not None
    assert folder.parent == tmp_path
    assert folder in Path(kernel(lambda x: x)._cache.cache_path).parents
