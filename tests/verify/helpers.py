"""Case files for tests: the shipped ones to copy and change, and new ones written in a test."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hiermeasures.verify import Verification, verify
from hiermeasures.verify.library import default_folder

CASES = default_folder()
PAPER = """\
name: Someone 2025
authors: Some One
year: 2025
title: A paper
citation: A journal
"""

FIGURE = """\
figure: Figure 1
title: Two siblings
hierarchy: A>B A>C B>T1 B>P1
true: T1
predicted: P1
published:
  - source: Table 1
    cells:
      hP: 0.66
      SDL: 2
"""


@cache
def shipped_report() -> Verification:
    """The shipped case files verified, once for all tests."""
    return verify()


def write(folder: Path, **files: str) -> Path:
    """A folder of case files with a paper.yaml; a file's name without its ending is the keyword."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, text in {"paper": PAPER, **files}.items():
        (folder / f"{stem}.yaml").write_text(text, encoding="utf-8")
    return folder


def shipped(paper: str, stem: str) -> dict[str, Any]:
    """The data of a shipped case file, to be changed."""
    return yaml.load(
        (CASES / paper / f"{stem}.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader
    )


def changed_copy(folder: Path, paper: str, stem: str, data: Any) -> Path:
    """A folder with one shipped file in changed form, under its own paper."""
    target = folder / paper
    target.mkdir(parents=True, exist_ok=True)
    (target / "paper.yaml").write_text(
        (CASES / paper / "paper.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    text = (
        data if isinstance(data, str) else yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    )
    (target / f"{stem}.yaml").write_text(text, encoding="utf-8")
    return folder
