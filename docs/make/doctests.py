"""What mkdocstrings is told of our docstrings: a doctest in the text, outside a section "Examples", is code."""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)", re.MULTILINE)
SECTION = re.compile(r"^Examples\n-+$", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences the doctests of every docstring as they are loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """A docstring with its doctests before "Examples" in fences."""
    section = SECTION.search(text)
    before, after = (text[: section.start()], text[section.start() :]) if section else (text, "")
    return DOCTEST.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", before) + after
