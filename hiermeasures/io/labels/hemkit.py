"""HEMKit's label files: a line per instance, its classes separated by blanks; a blank line is an instance without
classes.
"""

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.io.labels.arrays import ArraysOfLabels, LabelArrays, texts
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
from hiermeasures.io.words import counted_by_line, words_in


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, one at a time."""
    for number, line in text_lines(stream, reading):
        names = line.split()
        if not names:
            empty_blank(reading, number)
        yield None, reading.labels(names, number)


def arrays(stream: BinaryIO, reading: Reading) -> LabelArrays:
    """All instances of an ordinary file."""
    found = ArraysOfLabels(reading)
    for text in texts(stream, reading):
        starts, ends = words_in(text)
        sizes = counted_by_line(text, starts)
        if len(blank := np.flatnonzero(sizes == 0)):
            empty_blank(reading, len(found) + int(blank[0]) + 1, len(blank))
        found.add(sizes, text, starts, ends)
    return found.all()


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
    arrays=arrays,
)
