"""The pages about static hosts say what the page's own server does."""

import re
from pathlib import Path

from hiermeasures.page.build import HEADERS, TYPES

DEPLOY = (Path(__file__).resolve().parents[2] / "docs" / "deploy.md").read_text("utf-8")


def test_the_headers_are_those_of_the_server() -> None:
    (block,) = (b for b in re.findall(r"```text\n(.*?)```", DEPLOY, re.DOTALL) if "Content-Security-Policy" in b)
    assert dict(line.split(": ", 1) for line in block.strip().splitlines()) == HEADERS


def test_the_types_are_those_of_the_server() -> None:
    rows = re.findall(r"^\| ((?:`\.\w+`(?:, )?)+) \| `([^`]+)` \|$", DEPLOY, re.MULTILINE)
    assert {ending: kind for endings, kind in rows for ending in re.findall(r"\.\w+", endings)} == TYPES
