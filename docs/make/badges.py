"""The badges of the README: pictures of facts that stand in the project, made by `python -m
docs.make.generated`. Nothing asks another server for them, and a test holds each to what it says.
"""

import tomllib
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import hiermeasures
from hiermeasures.draw.palette import LIGHT

_HEIGHT, _SIZE, _LETTER, _PADDING = 20, 11, 6.3, 7


def badge(name: str, fact: str) -> str:
    """A name and a fact beside each other, as SVG.

    >>> "0.2.0" in badge("version", "0.2.0")
    True
    """
    left, right = (round(len(words) * _LETTER) + 2 * _PADDING for words in (name, fact))
    width = left + right
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" '
            f'role="img">',
            f"<title>{escape(name)}: {escape(fact)}</title>",
            f'<rect width="{width}" height="{_HEIGHT}" rx="3" fill="{LIGHT.badge}"/>',
            f'<path d="M3 0H{left}V{_HEIGHT}H3A3 3 0 0 1 0 {_HEIGHT - 3}V3A3 3 0 0 1 3 0" '
            f'fill="{LIGHT.ink}"/>',
            f'<g font-family="Verdana, DejaVu Sans, sans-serif" font-size="{_SIZE}">',
            _text(name, 0, left, LIGHT.ground),
            _text(fact, left, right, LIGHT.ink),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _text(words: str, start: int, width: int, colour: str) -> str:
    """A text that fills its place in any font."""
    x, length = start + _PADDING, width - 2 * _PADDING
    return f'<text x="{x}" y="14" fill="{colour}" textLength="{length}">{escape(words)}</text>'


def _project(entry: str) -> Any:
    declared = Path(__file__).resolve().parents[2] / "pyproject.toml"
    return tomllib.loads(declared.read_text("utf-8"))["project"][entry]


def tried_pythons() -> str:
    """The versions of Python that it was tried with."""
    found = (
        line.removeprefix("Programming Language :: Python :: ") for line in _project("classifiers")
    )
    return " · ".join(
        version for version in found if version.replace(".", "", 1).isdigit() and "." in version
    )


def published_cells() -> str:
    """The number of published values that are checked, and of those that nothing explains."""
    from hiermeasures.verify import verify

    report = verify()
    counts = report.counts_of(paper for paper in report.papers if paper.kind == "paper")
    return f"{counts.cells} checked, {counts.unexplained} unexplained"


BADGES: Mapping[str, Callable[[], str]] = {
    "badges/version.svg": lambda: badge("version", hiermeasures.__version__),
    "badges/python.svg": lambda: badge("Python", tried_pythons()),
    "badges/licence.svg": lambda: badge("licence", _project("license")),
    "badges/published-values.svg": lambda: badge("published values", published_cells()),
}
