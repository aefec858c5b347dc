"""Downloads of the page's foreign files: only exactly the intended files are accepted."""

import hashlib
import os
import stat
import sys
from pathlib import Path

import pytest

from hiermeasures import InputError
from hiermeasures.page import build
from hiermeasures.page.build import downloaded

FILES = {"pyodide.mjs": b"export", "networkx-3.7-py3-none-any.whl": b"PK"}


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all that is needed, as far as these tests go."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    monkeypatch.setattr(build, "NEEDED", digests)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(build, "user_caches", lambda: tmp_path)
    return tmp_path


def test_a_missing_file_is_named(given: Path) -> None:
    (given / "pyodide.mjs").unlink()
    with pytest.raises(InputError, match=r"has no pyodide\.mjs"):
        downloaded(given)


def test_a_changed_file_is_refused(given: Path) -> None:
    (given / "pyodide.mjs").write_bytes(b"export evil")
    with pytest.raises(InputError, match=r" is not the pyodide\.mjs of .*: its SHA-256 is another"):
        downloaded(given)


def test_without_npm_the_extra_is_named(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"npm, which is not here; it is in the extra 'page': .*\[page\]'; --pyodide"):
        downloaded()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for npm")
def test_npm_that_fails_is_quoted_in_one_line(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = empty_cache / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text("#!/bin/sh\necho 'npm error network' >&2\necho 'npm error nobody answers' >&2\nexit 1\n")
    npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(build.Unreachable, match=r"^npm cannot fetch Pyodide .*: npm error nobody answers; --py"):
        downloaded()
    assert not list((empty_cache / "hiermeasures").glob("*/*"))  # nothing half done is left
