"""What a label format declares of itself, and what it is recognised by: the first bytes and lines of a file.

Each format's module declares it; the list of them, and who is asked first, is in the registry.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO

from hiermeasures.io.formats import Format
from hiermeasures.io.labels.arrays import LabelArrays
from hiermeasures.io.labels.label_file import Reading, Row
from hiermeasures.io.source import BOM

HEAD = 65_536  # bytes that are looked at


@dataclass(frozen=True)
class Head:
    """The first bytes of a file, up to HEAD of them, as a format looks at them to recognise its own."""

    content: bytes

    @cached_property
    def lines(self) -> list[str]:
        """The whole lines that are not blank."""
        lines = self.content.removeprefix(BOM).decode("utf-8", "replace").split("\n")
        whole = lines[:-1] if len(self.content) >= HEAD and len(lines) > 1 else lines
        return [line.rstrip("\r") for line in whole if line.strip()]

    @property
    def first(self) -> str:
        """The first line; empty where there is none."""
        return self.lines[0] if self.lines else ""

    def mostly(self, *marks: str) -> bool:
        """Whether more than half of the lines hold one of these marks."""
        if not any(mark.encode() in self.content for mark in marks):
            return False
        return sum(any(mark in line for mark in marks) for line in self.lines) > len(self.lines) / 2


@dataclass(frozen=True)
class LabelFormat(Format):
    """A file format of label sets: its reader, its writer where it is written, and how it is recognised.

    `begins` is asked first and is certain; then the file's extension decides, then `has_lines`. `write` takes the file,
    a binary stream and, where a file has sub-tasks (`tasks`), which of them. `ids`: whether instances have any.
    `arrays` reads an ordinary file as `rows` would, without a step of Python for each instance, and raises Unusual for
    any other.
    """

    rows: Callable[[BinaryIO, Reading], Iterator[Row]]
    write: Callable[..., Any] | None
    begins: Callable[[Head], bool] | None = None
    has_lines: Callable[[Head], bool] | None = None
    tasks: bool = False
    ids: bool = True
    arrays: Callable[[BinaryIO, Reading], LabelArrays] | None = None
