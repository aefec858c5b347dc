"""The contents of label files, the declaration of a format, and parts that formats share.

A reader yields `Block`s of instances. `hiermeasures.read.labels` lists the formats.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, TypedDict

import numpy as np

from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import as_label
from hiermeasures.hierarchy.words import write_count, write_list
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.read.rows import Numbering, TextLists
from hiermeasures.read.source import (
    BOM,
    LONGEST_LINE,
    Format,
    Limits,
    Source,
    check_encodable,
    check_lengths,
    decode,
    size_in_words,
)

Row = tuple[str | None, frozenset[str]]
"""An instance: its id, if the format has ids, and its labels."""

HEAD = 65_536  # bytes read for detection
# bytes per read: for all instances, and for one at a time
BLOCK, SMALL_BLOCK = (16_000_000, 32_768)


@dataclass(frozen=True, repr=False)
class LabelFile:
    """The label sets of a file, one per instance, in the order of the file.

    `ids` is None if the format has no ids. `notes` are plain sentences about anomalies in the file
    and decisions of the reader.
    """

    ids: tuple[str, ...] | None
    labels: LabelRows
    notes: tuple[str, ...] = ()
    name: str = ""
    format: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.labels, LabelRows):  # other sequences of label sets
            object.__setattr__(self, "labels", LabelRows.of(self.labels))

    def __len__(self) -> int:
        return len(self.labels)

    def called(self, instance: int) -> str:
        """Return the name of an instance in messages: its id or its line."""
        return (
            f"instance {shown(self.ids[instance], 40)}"
            if self.ids is not None
            else f"line {instance + 1}"
        )

    def needed_ids(self, file_format: str) -> tuple[str, ...]:
        """Return the ids. Raise InputError if the labels have none, because the format needs them."""
        if self.ids is None:
            raise InputError(
                f"{file_format} needs an id for every instance, and these labels have no ids. "
                "Choose another format."
            )
        return self.ids

    def every_label(self) -> list[str]:
        """Return each label once, in the order of first mention."""
        return list(dict.fromkeys(label for labels in self.labels for label in sorted(labels)))

    def __repr__(self) -> str:
        ids = "with ids" if self.ids is not None else "without ids"
        return f"LabelFile({len(self)} instances, {ids}, {self.format or 'no format'})"


class LabelFileOptions(TypedDict, total=False):
    """The options of `read_labels`. The reader decides if an option is None or missing."""

    id_column: str | None
    label_columns: str | Sequence[str] | None
    separator: str | None
    has_ids: bool | None
    classes: Sequence[str] | None
    known_classes: Container[str]


@dataclass
class Notes:
    """Notes of a reader: sentences, and counts of repeated events."""

    sentences: list[str] = field(default_factory=list)
    tallies: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def say(self, sentence: str) -> None:
        if sentence not in self.sentences:
            self.sentences.append(sentence)

    def skipped_blank(self, lines: np.ndarray) -> None:
        """Count blank lines that are not instances."""
        self._tally("blank line skipped", "blank lines skipped", lines)

    def empty_blank(self, lines: np.ndarray) -> None:
        """Count blank lines that are instances without labels."""
        one, many = (
            "blank line read as an instance without classes",
            "blank lines read as instances without classes",
        )
        self._tally(one, many, lines)

    def _tally(self, one: str, many: str, lines: np.ndarray) -> None:
        if len(lines):
            self.tallies.setdefault((one, many), [0, int(lines[0])])[0] += len(lines)

    def all(self) -> tuple[str, ...]:
        tallies = (
            f"{write_count(n, *words)} (first: line {line})"
            for words, (n, line) in self.tallies.items()
        )
        return (*self.sentences, *tallies)


class Block(NamedTuple):
    """Some instances of a file: the number of labels of each, the labels' numbers in one array, and
    ids if the file has them.
    """

    sizes: np.ndarray
    numbers: np.ndarray
    ids: Sequence[str] | None = None


@dataclass
class LabelReading:
    """The reading of a file: its source, options and notes, and a number for each label."""

    source: Source
    options: LabelFileOptions = field(default_factory=LabelFileOptions)
    task: str | None = None
    block: int = field(default_factory=lambda: BLOCK)
    notes: Notes = field(default_factory=Notes)
    names: Numbering = field(default_factory=Numbering)

    def __post_init__(self) -> None:
        for name in self.options:
            check_known("option", name, LabelFileOptions.__annotations__)

    @property
    def limits(self) -> Limits:
        return self.source.limits

    @property
    def known_classes(self) -> Container[str]:
        return self.options.get("known_classes", ())

    def instances(
        self, labels: TextLists, ids: Sequence[str] | None = None, lines: np.ndarray | None = None
    ) -> Block:
        """Return instances with these lists of labels, without empty texts."""
        labels, known = labels.filled(), len(self.names)
        numbers = self.names.numbers_of(labels.texts.tolist())
        for number, name in enumerate(islice(self.names, known, None), known):
            if len(name) > self.limits.label:
                place = int(np.argmax(numbers == number))
                instance = np.searchsorted(labels.ends, place, side="right") - 1
                line = [] if lines is None else [int(lines[instance])]
                check_lengths([name], self.source, line)
        return Block(labels.sizes, numbers, ids)

    def values(
        self, labels: Sequence[Any], ids: Sequence[str] | None = None, lines: Sequence[int] = ()
    ) -> Block:
        """Return instances from JSON values. Each value is a list of names, one name, or null."""
        places: Sequence[int | None] = lines or [None] * len(labels)
        found = [self._listed(value, line) for value, line in zip(labels, places, strict=True)]
        return self.instances(TextLists.of(found), ids, np.array(lines) if lines else None)

    def _listed(self, value: object, line: int | None) -> list[str]:
        if value is None or value != value:  # None or nan
            return []
        entries = value if isinstance(value, list) else [value]
        try:
            check_encodable(
                names := [as_label(entry) for entry in entries if entry is not None and entry != ""]
            )
            return names
        except InputError as error:
            raise self.source.error(str(error), line) from None


def join_blocks(
    blocks: Iterable[Block], reading: LabelReading
) -> tuple[tuple[str, ...] | None, LabelRows]:
    """Return all instances of a file. Instances with equal ids become one, and a note reports them."""
    found = list(blocks)
    if not sum(len(block.sizes) for block in found):
        raise reading.source.error("contains no instances")
    sizes, numbers = (np.concatenate([block[k] for block in found]) for k in (0, 1))
    ids = (
        None
        if any(block.ids is None for block in found)
        else tuple(chain.from_iterable(b.ids or () for b in found))
    )
    if ids is not None and len(set(ids)) < len(ids):
        several = [key for key, times in Counter(ids).items() if times > 1]
        place = {key: k for k, key in enumerate(dict.fromkeys(ids))}
        instance = np.fromiter(map(place.__getitem__, ids), np.int64, len(ids))
        numbers = numbers[np.argsort(np.repeat(instance, sizes), kind="stable")]
        sizes, ids = np.bincount(instance, sizes).astype(np.int64), tuple(place)
        words = write_count(len(several), "id stands", "ids stand")
        in_words = f"{words} on several lines ({first_few(several)})"
        reading.notes.say(f"{in_words}; their classes are joined")
    ptr = np.append(0, np.cumsum(sizes)).astype(np.int64)
    return ids, LabelRows(tuple(reading.names), ptr, numbers)


def first_few(ids: Sequence[str]) -> str:
    return write_list([shown(key, 40) for key in ids[:3]], total=len(ids))


# --- pieces of a text ---------------------------------------------------------------------------


def pieces(stream: BinaryIO, reading: LabelReading) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of many whole lines in UTF-8, each with the number of its first line."""
    source, most = reading.source, reading.limits.lines
    line, before = 1, 0
    while piece := stream.read(reading.block):
        piece += stream.readline(LONGEST_LINE + 1)
        if len(piece) - piece.rfind(b"\n", 0, -1) > LONGEST_LINE + 1:
            reason = f"a line longer than {size_in_words(LONGEST_LINE)}"
            raise source.error(reason, line + piece.count(b"\n", 0, -1))
        decode(piece, source, line, before)
        before += len(piece)
        if piece.startswith(BOM) and line == 1:
            reading.notes.say("ignored a byte-order mark at the start")
            piece = piece.removeprefix(BOM)
        if b"\r\n" in piece:
            reading.notes.say("the lines end as on Windows (CR LF)")
            piece = piece.replace(b"\r\n", b"\n")
        if (at := piece.find(b"\r")) >= 0:
            reason = "contains a carriage return (CR) inside a line. Save it with Unix or Windows line ends."
            raise source.error(reason, line + piece.count(b"\n", 0, at))
        piece += b"" if piece.endswith(b"\n") or not piece else b"\n"
        behind = line + piece.count(b"\n")
        if behind > most + 1:
            raise source.error(f"has more than {most:,} lines, the limit. Split the file.")
        if piece:
            yield line, piece
        line = behind


# --- declaring and writing ----------------------------------------------------------------------


@dataclass(frozen=True)
class Head:
    """The first bytes of a file (up to HEAD). Formats recognise the file from them."""

    content: bytes

    @cached_property
    def lines(self) -> list[str]:
        """The whole lines that are not blank."""
        lines = self.content.removeprefix(BOM).decode("utf-8", "replace").split("\n")
        whole = lines[:-1] if len(self.content) >= HEAD and len(lines) > 1 else lines
        return [line.rstrip("\r") for line in whole if line.strip()]

    @property
    def first(self) -> str:
        return self.lines[0] if self.lines else ""

    def mostly(self, *marks: str) -> bool:
        """Return True if more than half of the lines contain one of these marks."""
        if not any(mark.encode() in self.content for mark in marks):
            return False
        return sum(any(mark in line for mark in marks) for line in self.lines) > len(self.lines) / 2


@dataclass(frozen=True)
class LabelFormat(Format):
    """A file format of label sets: its reader, its writer if it has one, and how to recognise it.

    `begins` is asked first, and its yes is certain. Next are the file's extension and `has_lines`.
    `write` takes the file, a binary stream and, for a format with sub-tasks (`tasks`), one of them.
    `ids` is False if instances have no ids.
    """

    read: Callable[[BinaryIO, LabelReading], Iterator[Block]]
    write: Callable[..., Any] | None
    begins: Callable[[Head], bool] | None = None
    has_lines: Callable[[Head], bool] | None = None
    tasks: bool = False
    ids: bool = True


def refuse_characters(
    names: Iterable[str], file_format: str, forbidden: Sequence[str], what: str = "class"
) -> None:
    """Raise InputError for names that a line-based format would change."""
    for name in dict.fromkeys(names):
        odd = (
            any(c in name for c in (*forbidden, "\n", "\r", "\0"))
            or name != name.strip()
            or name.startswith("\ufeff")
        )
        if odd or not name:
            raise InputError(f"{file_format} cannot contain {what} {shown(name)}")
