"""A file of label sets as a value, and what its readers share: options, notes, lines of a stream, labels checked once
each.

How a format lays out its instances is in the module of its name.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import as_label
from hiermeasures.io.source import BOM, Limits, Source, not_utf8, size_in_words

Row = tuple[str | None, frozenset[str]]
"""An instance: its id where the format has one, and its labels."""

LONGEST_LINE = 16_000_000
WINDOWS_ENDS = "the lines end as on Windows (CR LF)"
_KEPT_SETS = 100_000


@dataclass(frozen=True, repr=False)
class LabelFile:
    """The label sets of a file, an instance each, in the order of the file.

    `ids` is None where the format has none. `notes` are plain sentences about what was odd or decided while reading.
    """

    ids: tuple[str, ...] | None
    labels: Sequence[frozenset[str]]
    notes: tuple[str, ...] = ()
    name: str = ""
    format: str = ""

    def __len__(self) -> int:
        return len(self.labels)

    def called(self, instance: int) -> str:
        """How messages call an instance: by its id, or by its line."""
        return f"instance {shown(self.ids[instance], 40)}" if self.ids is not None else f"line {instance + 1}"

    def __repr__(self) -> str:
        ids = "with ids" if self.ids is not None else "without ids"
        return f"LabelFile({len(self)} instances, {ids}, {self.format or 'no format'})"


@dataclass(frozen=True)
class ReadingOptions:
    """How a label file is to be read, where its content leaves it open; None lets the reader decide."""

    task: str | None = None
    id_column: str | None = None
    label_columns: tuple[str, ...] | None = None
    separator: str | None = None
    has_ids: bool | None = None
    classes: tuple[str, ...] | None = None


@dataclass
class Notes:
    """What a reader has to say: sentences, and tallies of things that may happen many times."""

    sentences: list[str] = field(default_factory=list)
    tallies: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def say(self, sentence: str) -> None:
        """A sentence, once."""
        if sentence not in self.sentences:
            self.sentences.append(sentence)

    def tally(self, one: str, many: str, line: int, times: int = 1) -> None:
        """Some more of a kind, the first at a line; `one` and `many` word the kind."""
        seen = self.tallies.setdefault((one, many), [0, line])
        seen[0] += times

    def all(self) -> tuple[str, ...]:
        """Every note as a sentence."""
        counted = (
            f"{n:,} {one if n == 1 else many} (first: line {line})" for (one, many), (n, line) in self.tallies.items()
        )
        return (*self.sentences, *counted)


@dataclass
class Reading:
    """One reading of one file: where it comes from, how much is accepted, what was asked for, what was noted."""

    source: Source
    limits: Limits
    options: ReadingOptions = field(default_factory=ReadingOptions)
    notes: Notes = field(default_factory=Notes)
    _known: dict[str, str] = field(default_factory=dict)
    _sets: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)
    _memory: int = 0

    def labels(self, names: Iterable[str], line: int | None = None) -> frozenset[str]:
        """The names as a set; each is checked when it is first seen, and names and sets are kept in memory once."""
        known = self._known
        names = names if isinstance(names, list) else list(names)
        try:
            found = frozenset([known[name] for name in names])
        except KeyError:
            for name in names:
                known.setdefault(name, self._checked(name, line))
            found = frozenset([known[name] for name in names])
        known_set = self._sets.get(found)
        return self._new(found, line) if known_set is None else known_set

    def _new(self, found: frozenset[str], line: int | None) -> frozenset[str]:
        self._memory += sys.getsizeof(found)
        if self._memory > self.limits.memory:
            most = size_in_words(self.limits.memory)
            raise self.source.error(f"the classes take more than {most} in memory, which is the most here", line)
        if len(self._sets) >= _KEPT_SETS:
            self._sets.clear()
        self._sets[found] = found
        return found

    def _checked(self, name: str, line: int | None) -> str:
        if len(name) > self.limits.label:
            reason = (
                f"a class name of {len(name):,} characters ({shown(name, 20)}); at most {self.limits.label:,} are read"
            )
            raise self.source.error(reason, line)
        try:
            name.encode("utf-8")
        except UnicodeEncodeError:
            raise self.source.error(
                f"class {shown(name)} holds half a surrogate pair, which is no character", line
            ) from None
        return name

    def listed(self, value: object, line: int | None = None, where: str = "") -> frozenset[str]:
        """The labels of a JSON or Parquet value: a list of names, one name, or nothing."""
        if value is None or value != value:  # nothing, or a number that is none
            return frozenset()
        entries = value if isinstance(value, (list, tuple)) else [value]
        try:
            return self.labels([as_label(entry) for entry in entries if entry is not None and entry != ""], line)
        except InputError as error:
            raise self.source.error(f"{where}{error}", line) from None


def text_lines(stream: BinaryIO, reading: Reading) -> Iterator[tuple[int, str]]:
    """The lines of a stream with their numbers, without their ends; never more than one in memory."""
    source, limits, notes = reading.source, reading.limits, reading.notes
    before = number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if number == 1:
            raw, before = without_bom(raw, reading), before + (len(BOM) if raw.startswith(BOM) else 0)
        if len(raw) >= LONGEST_LINE:
            raise source.error(f"a line longer than {size_in_words(LONGEST_LINE)}", number)
        if number > limits.lines:
            raise source.error(f"has more than {limits.lines:,} lines, which is the most that is read here")
        if b"\0" in raw:
            raise source.error(f"holds a NUL byte at position {before + raw.index(0)}, so it is no text file", number)
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_utf8(raw, error.start, source, number, before) from None
        before += len(raw)
        if line.endswith("\n"):
            line = line[:-1]
            if line.endswith("\r"):
                line = line[:-1]
                notes.say(WINDOWS_ENDS)
        if "\r" in line:
            raise source.error("holds a carriage return (CR) inside; save it with Unix or Windows line ends", number)
        yield number, line


def without_bom(raw: bytes, reading: Reading) -> bytes:
    """The first line without a byte-order mark, which is noted."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise reading.source.error("this is UTF-16 text; save it as UTF-8")
    if raw.startswith(BOM):
        reading.notes.say("a byte-order mark at the start is ignored")
    return raw.removeprefix(BOM)


def skipped_blank(reading: Reading, line: int) -> None:
    """Notes a blank line that is no instance."""
    reading.notes.tally("blank line skipped", "blank lines skipped", line)


def empty_blank(reading: Reading, line: int, times: int = 1) -> None:
    """Notes blank lines that are instances without labels, the first at a line."""
    one, many = "blank line read as an instance without classes", "blank lines read as instances without classes"
    reading.notes.tally(one, many, line, times)


# --- what a writer needs ------------------------------------------------------------------------------------------


def needed_ids(file: LabelFile, file_format: str) -> tuple[str, ...]:
    """The ids, for a format that cannot do without."""
    if file.ids is None:
        raise InputError(f"{file_format} needs an id for every instance, and these labels have none")
    return file.ids


def refuse_characters(names: Iterable[str], file_format: str, forbidden: Sequence[str], what: str = "class") -> None:
    """Refuses names that a line-based format would not give back."""
    for name in dict.fromkeys(names):
        odd = (
            any(c in name for c in (*forbidden, "\n", "\r", "\0")) or name != name.strip() or name.startswith("\ufeff")
        )
        if odd or not name:
            raise InputError(f"{file_format} cannot hold {what} {shown(name)}")


def every_label(file: LabelFile) -> Iterator[str]:
    """Each label of a file, once, in the order of first mention."""
    return iter(dict.fromkeys(label for labels in file.labels for label in sorted(labels)))
