"""Declare a hierarchy format, and how it is recognised by the beginning of a text."""

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
        """True if it is JSON, by its extension or its first characters."""
        return self.extension == ".json" or _JSON.match(self.text) is not None

    @cached_property
    def json(self) -> Any:
        """The JSON value; an InputError says where the text is none."""
        return parse(self.text, self.source)

    @cached_property
    def lines(self) -> list[str]:
        return _first_lines(self.text)

    @cached_property
    def delimiter(self) -> str:
        """Separator of the names in the lines; empty if there are none."""
        return _delimiter(self.lines, self.source) if self.lines else ""


@dataclass(frozen=True)
class HierarchyFormat(Format):
    """A file format of hierarchies: its reader and writer, and how it is recognised.

    `read` takes the text, or the parsed value if the format `is_json`. `begins` is asked of a whole
    text, `has_lines` if no format knows the text by its beginning. `takes` are the options that act
    on it. `titles`: the writer also writes titles of classes. `package` of the extra "files" is
    needed for reading.
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
    """The lines that say something, and their numbers: no blank lines, no comments."""
    lines = text.rstrip("\n").split("\n")
    if "#" not in text and not any(map(str.isspace, lines)) and all(lines):
        return lines, range(1, len(lines) + 1)
    kept = [
        n for n, line in enumerate(lines) if (bare := line.lstrip()) and not bare.startswith("#")
    ]
    return [lines[n] for n in kept], [n + 1 for n in kept]


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, each with its number."""
    lines, numbers = said_lines(text)
    return zip(numbers, lines, strict=True)


def _first_lines(text: str) -> list[str]:
    return said_lines(text[: 200 * _SAMPLE])[0][:_SAMPLE]


def delimiter_of(text: str, source: Source) -> str:
    """The separator of names: a tab if there is any, else comma, semicolon or blank."""
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
