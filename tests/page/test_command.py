"""`hiermeasures page`: what it writes and says, and its refusals."""

import hashlib
from pathlib import Path

import pytest

from hiermeasures.cli import main
from hiermeasures.page import build

from .test_build import wheel


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files in the place of Pyodide's."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    contents = {name: wheel(code="1") if name in build.WHEELS else b"core" for name in build.NEEDED}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    monkeypatch.setattr(build, "NEEDED", digests)
    return folder


def test_it_says_what_each_file_takes_on_its_way(
    given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["page", "--out", str(out), "--pyodide", str(given)]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    sizes = {path: int(size.replace(",", "")) for size, path in (line.split() for line in lines)}
    assert sizes.keys() == {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert last.split()[0] == f"{sum(sizes.values()):,}"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--out", "page", "--pyodide", "nowhere"], "'nowhere' has no pyodide.mjs, which the page needs"),
        (["--out", "thesis.tex"], "'thesis.tex' is a file; --out names a folder"),
    ],
)
def test_a_refusal_is_one_line(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("thesis.tex").write_text("years")
    assert main(["page", *arguments]) == 2
    assert capsys.readouterr().err == f"hiermeasures: {why}\n"
