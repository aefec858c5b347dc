"""The site, built once for the tests that read it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hiermeasures.page.build import downloaded

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with no way to the network, every proxy leads nowhere, with Pyodide."""
    downloaded()
    folder = tmp_path_factory.mktemp("site")
    nowhere = {f"{scheme}_proxy": "http://127.0.0.1:9" for scheme in ("http", "https", "all")}
    command = [
        Path(sys.executable).with_name("mkdocs"),
        "build",
        "--strict",
        "--site-dir",
        str(folder),
    ]
    done = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, env={**os.environ, **nowhere}
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return folder
