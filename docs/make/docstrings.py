"""Prepare docstrings, which are plain text, for mkdocstrings.

A doctest outside a section "Examples" becomes code. A star between two names stays a star.
"""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*\n?(?:.*\S.*\n?)*", re.MULTILINE)
SECTION = re.compile(r"^Examples\n-+$", re.MULTILINE)
CODE_OR_STAR = re.compile(
    r"(`[^`]*`|^ *>>> .*\n?(?:.*\S.*\n?)*)|(?<=[\w)])\*(?=[\w(])", re.MULTILINE
)


class Docstrings(griffe.Extension):
    """Prepare every docstring when it is loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(text: str) -> str:
    """Return a docstring with escaped stars, and doctests before "Examples" in fences."""
    text = CODE_OR_STAR.sub(lambda found: found[1] or r"\*", text)
    section = SECTION.search(text)
    before, after = (text[: section.start()], text[section.start() :]) if section else (text, "")
    return DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", before) + after
