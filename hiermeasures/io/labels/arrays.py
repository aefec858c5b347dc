"""What the readers of ordinary label files share that read them as arrays: lines without their marks, and the arrays
that grow from one text to the next.

How a format lays out its instances is in the module of its name, and so is its careful reader.
"""

import sys
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import numpy as np

from hiermeasures.io.labels.label_file import WINDOWS_ENDS, Reading, without_bom
from hiermeasures.io.words import Names, Unusual, as_bytes, keys_of, lines_of, texts_of
from hiermeasures.label_rows import LabelRows


class LabelArrays(NamedTuple):
    """The instances of a file: their ids, where it has any, and their labels."""

    ids: list[str] | None
    labels: LabelRows


def texts(stream: BinaryIO, reading: Reading) -> Iterator[np.ndarray]:
    """The lines of a file, many at a time, as arrays of bytes; a mark at its start and Windows' line ends are noted."""
    windows: bool | None = None
    for lines in lines_of(stream, reading.limits):
        if windows is None:
            lines, windows = without_bom(lines, reading), lines.endswith(b"\r\n")
            if windows:
                reading.notes.say(WINDOWS_ENDS)
        if windows:
            if lines.count(b"\r\n") != lines.count(b"\n"):
                raise Unusual
            lines = lines.replace(b"\r\n", b"\n")
        yield as_bytes(lines)


class ArraysOfLabels:
    """The arrays of a file's instances while it is read."""

    def __init__(self, reading: Reading) -> None:
        self._memory = reading.limits.memory
        self._names = Names(reading.limits)
        self._sizes: list[np.ndarray] = []
        self._numbers: list[np.ndarray] = []
        self._instances = 0

    def __len__(self) -> int:
        return self._instances

    def add(self, sizes: np.ndarray, text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
        """Some more instances: how many labels each has, and where in a text these stand, one after another."""
        self._add(sizes)
        self._numbers.append(self._names.of(text, starts, ends))

    def add_rows(self, rows: LabelRows) -> None:
        """Some more instances, read elsewhere."""
        self._add(np.diff(rows.ptr))
        self._numbers.append(self._names.of_texts(list(rows.names))[rows.idx])

    def _add(self, sizes: np.ndarray) -> None:
        self._memory -= _memory_of_sets(sizes)
        if self._memory < 0:
            raise Unusual
        self._sizes.append(sizes)
        self._instances += len(sizes)

    def all(self, ids: "Ids | None" = None) -> LabelArrays:
        """What was added; a file without instances is unusual."""
        if not self._instances:
            raise Unusual
        ptr = np.concatenate([[0], np.cumsum(np.concatenate(self._sizes))]).astype(np.int64)
        labels = LabelRows(tuple(self._names), ptr, np.concatenate(self._numbers))
        return LabelArrays(None if ids is None else ids.all(), labels)


class Ids:
    """The ids of a file's instances while it is read."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._keys: list[np.ndarray] = []

    def add(self, text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
        """The ids of some more instances."""
        self._texts += texts_of(text, starts, ends)
        self._keys.append(keys_of(text, starts, ends))

    def add_texts(self, ids: list[str]) -> None:
        """The same as text; an empty one is unusual."""
        if "" in ids:
            raise Unusual
        self._texts += ids

    def all(self) -> list[str]:
        """What was added; a file with one id twice is unusual."""
        keys = np.sort(np.concatenate([np.zeros(0, np.uint64), *self._keys]))
        certain = len(keys) == len(self._texts) and (keys[1:] != keys[:-1]).all()
        if not certain and len(set(self._texts)) < len(self._texts):
            raise Unusual
        return self._texts


def _memory_of_sets(sizes: np.ndarray) -> int:
    """The bytes that sets of these sizes take in memory, which is bounded as where they are made."""
    times = np.bincount(sizes, minlength=1)
    return sum(int(times[size]) * sys.getsizeof(frozenset(range(size))) for size in np.flatnonzero(times).tolist())
