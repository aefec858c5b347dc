"""`hiermeasures info` and `--version`: what a bug report says, whatever is missing or broken."""

import importlib.metadata
import json
from pathlib import Path

import pytest

import hiermeasures
from hiermeasures.cli import main
from hiermeasures.evaluation import kernel_cache as kept
from hiermeasures.evaluation.compiled import kernel
from hiermeasures.hierarchy.extras import EXTRAS
from hiermeasures.info import info, info_lines


def test_info_names_versions_cores_kernels_and_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hiermeasures"] == hiermeasures.__version__
    assert found["packages"]["numpy"] == importlib.metadata.version("numpy")
    assert set(found["extras"]) == EXTRAS.keys()
    assert found["extras"]["app"]["streamlit"] == importlib.metadata.version("streamlit")
    assert 1 <= found["cores"]["usable"] <= found["cores"]["all"]
    assert found["cases"]["sources"] >= 4
    assert set(found["kernels"]) == {"compiled", "functions", "of", "bytes", "folder"}
    assert main(["info"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"hiermeasures   {hiermeasures.__version__} in ")
    assert f"numpy {found['packages']['numpy']}" in "\n".join(lines)


@pytest.mark.parametrize("broken", ["_cores", "_kernels", "_cases"])
def test_what_cannot_be_found_out_is_said_and_the_rest_is_told(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"hiermeasures.info.{broken}", lambda: Path("no such\nfile").read_text())
    lines = info_lines(info())
    assert [line for line in lines if "unknown (FileNotFoundError: " in line]
    assert lines[0].startswith(f"hiermeasures   {hiermeasures.__version__}")


def test_the_folder_of_kernels_is_the_one_that_they_are_kept_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = kept.kept_kernels()["folder"]
    assert folder is not None
    assert folder.parent == tmp_path
    assert folder in Path(kernel(lambda x: x)._cache.cache_path).parents
