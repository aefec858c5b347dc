"""What a hierarchy format declares of itself, and what it is recognised by: how a text begins, or how its lines look.

Each format's module declares it; the list of them, and who is asked first, is in the registry.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.formats import Format
from hiermeasures.io.json_text import parse
from hiermeasures.io.source import Limits, Source, extension

_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*["\[{\]])')
_QUOTED = re.compile(r'"[^"]*+"?')
_SAMPLE = 1000  # lines that are looked at


@dataclass(frozen=True)
class Opening:
    """A text that is not empty, and the file it is from, as a format looks at them to recognise its own."""

    text: str
    source: Source
    limits: Limits

    @property
    def extension(self) -> str:
        """The file's extension in lower case, with its point."""
        return extension(self.source.name)

    @property
    def is_json(self) -> bool:
        """Whether it is JSON, by its extension or its first characters."""
        return self.extension == ".json" or _JSON.match(self.text) is not None

    @cached_property
    def json(self) -> Any:
        """The JSON value; an InputError says where the text is none."""
        return parse(self.text, self.source, self.limits)

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that say something."""
        return [line for _, line in content_lines(self.text[: 200 * _SAMPLE])[:_SAMPLE]]

    @cached_property
    def delimiter(self) -> str:
        """What separates the names in the lines; empty where there are none."""
        return find_delimiter(self.lines, self.source) if self.lines else ""


@dataclass(frozen=True)
class HierarchyFormat(Format):
    """A file format of hierarchies: its reader and writer, and how it is recognised.

    `begins` is asked of a whole text, `has_lines` where no format knows the text by its beginning.
    """

    read: Callable[[str, Source, Limits], Hierarchy]
    write: Callable[[Hierarchy], str]
    begins: Callable[[Opening], bool] | None = None
    has_lines: Callable[[Opening], bool] | None = None


def content_lines(text: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers: no blank lines, no comments."""
    lines = text.split("\n")
    if "#" not in text:
        return [(n, line) for n, line in enumerate(lines, 1) if line and not line.isspace()]
    return [(n, line) for n, line in enumerate(lines, 1) if (bare := line.lstrip()) and not bare.startswith("#")]


def find_delimiter(lines: Sequence[str], source: Source) -> str:
    """What separates the names in all these lines: a tab if there is any, else comma or semicolon, else blanks."""
    outside = lines if not any('"' in line for line in lines) else [_QUOTED.sub('""', line) for line in lines]
    if any("\t" in line for line in outside):
        return "\t"
    counts = Counter({mark: sum(mark in line for line in outside) for mark in (",", ";")})
    mark, marked = counts.most_common(1)[0]
    blanks = sum(len(line.split(None, 1)) > 1 for line in outside)
    if marked and (marked >= blanks or 2 * marked >= len(lines) or source.name.lower().endswith(".csv")):
        return mark
    return " "
