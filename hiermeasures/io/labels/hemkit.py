"""HEMKit's label files: a line per instance, its classes separated by blanks; a blank line is an instance without
classes.
"""

from collections.abc import Iterator
from typing import BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.io.labels.format import LabelFormat
from hiermeasures.io.labels.label_file import (
    LabelFile,
    Reading,
    Row,
    empty_blank,
    every_label,
    refuse_characters,
    text_lines,
)


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, one at a time."""
    for number, line in text_lines(stream, reading):
        names = line.split()
        if not names:
            empty_blank(reading, number)
        yield None, reading.labels(names, number)


def write(file: LabelFile, stream: BinaryIO) -> None:
    """A line per instance; ids have no place."""
    refuse_characters(every_label(file), "a HEMKit file", ())
    for label in every_label(file):
        if len(label.split()) != 1:
            raise InputError(f"a HEMKit file separates classes by blanks and cannot hold class {shown(label)}")
    for labels in file.labels:
        stream.write((" ".join(sorted(labels)) + "\n").encode("utf-8"))


FORMAT = LabelFormat(
    "hemkit",
    "HEMKit",
    (".txt", ".hemkit"),
    "a line per instance, its classes separated by blanks; no ids",
    rows,
    write,
    has_lines=lambda head: True,
    ids=False,
)
