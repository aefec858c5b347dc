"""Declare a hierarchy format and the marks that recognise it at the beginning of a text."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.source import Format, Source, extension
from hiermeasures.read.untrusted import parse

_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*["\[{\]])')
_QUOTED = re.compile(r'"[^"]*+"?')
_SAMPLE = 1000  # lines read for detection


@dataclass(frozen=True)
class FormatText:
    """The text of a file and the marks by which formats recognise it. The text is not empty."""

    text: str
    source: Source

    @property
    def extension(self) -> str:
        return extension(self.source.name)

    @property
    def is_json(self) -> bool:
        """Return True if the text is JSON, by its extension or its first characters."""
        return self.extension == ".json" or _JSON.match(self.text) is not None

    @cached_property
    def json(self) -> Any:
        """Return the JSON value. InputError shows the place of a fault."""
        return parse(self.text, self.source)

    @cached_property
    def lines(self) -> list[str]:
        return _first_lines(self.text)

    @cached_property
    def delimiter(self) -> str:
        """Return the separator of names in the lines, or "" without one."""
        return _delimiter(self.lines, self.source) if self.lines else ""


@dataclass(frozen=True)
class HierarchyFormat(Format):
    """A file format of hierarchies: its reader and writer, and how it is recognised.

    `read` takes the text, or the parsed value if the format `is_json`. `begins` is asked about a
    whole text. `has_lines` is asked next, if no format recognised the beginning. `takes` are the
    options that the format reads. `titles` is True if the writer also writes titles of classes.
    `package` is a package of the extra "files" that the reader needs.
    """

    read: Callable[[Any, Source], Hierarchy]
    write: Callable[[Hierarchy], str] | None = None
    package: str = ""
    begins: Callable[[FormatText], bool] | None = None
    has_lines: Callable[[FormatText], bool] | None = None
    takes: tuple[str, ...] = ()
    titles: bool = False
    is_json: bool = False


def said_lines(text: str) -> tuple[list[str], Sequence[int]]:
    """Return the lines with content and their numbers, without blank lines and comments."""
    lines = text.rstrip("\n").split("\n")
    if "#" not in text and not any(map(str.isspace, lines)) and all(lines):
        return lines, range(1, len(lines) + 1)
    kept = [
        n for n, line in enumerate(lines) if (bare := line.lstrip()) and not bare.startswith("#")
    ]
    return [lines[n] for n in kept], [n + 1 for n in kept]


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines with content, each with its number."""
    lines, numbers = said_lines(text)
    return zip(numbers, lines, strict=True)


def _first_lines(text: str) -> list[str]:
    return said_lines(text[: 200 * _SAMPLE])[0][:_SAMPLE]


def delimiter_of(text: str, source: Source) -> str:
    """Return the separator of names: a tab if there is any, else a comma, semicolon or blank."""
    found = _delimiter(_first_lines(text), source)
    doubtful = {"\t": "", ",": "\t", ";": "\t", " ": "\t,;"}[found]
    return (
        _delimiter(said_lines(text)[0], source) if any(mark in text for mark in doubtful) else found
    )


def _delimiter(lines: Sequence[str], source: Source) -> str:
    outside = (
        lines
        if not any('"' in line for line in lines)
        else [_QUOTED.sub('""', line) for line in lines]
    )
    if any("\t" in line for line in outside):
        return "\t"
    counts = Counter({mark: sum(mark in line for line in outside) for mark in (",", ";")})
    mark, marked = counts.most_common(1)[0]
    blanks = sum(len(line.split(None, 1)) > 1 for line in outside)
    if marked and (
        marked >= blanks or 2 * marked >= len(lines) or source.name.lower().endswith(".csv")
    ):
        return mark
    return " "
