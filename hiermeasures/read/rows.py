"""Cut text into rows of cells: arrays of texts, without a Python object for each row.

After the first quote in a text, Python's csv module cuts the cells.
"""

import csv
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import Any

import numpy as np

from hiermeasures.read.label_rows import runs
from hiermeasures.read.source import LONGEST_LINE, Source

_GUARD = re.compile(r"(^|;)'('*[=+\-@\t\r])")  # the guard of safe_csv.py, without a look-ahead
_AT_ONCE = 50_000  # rows from the csv module

csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))


@dataclass(frozen=True)
class Cut:
    """A way to cut a line into cells.

    `separator` is None for blanks. `quoted` means that cells can have CSV quotes around separators.
    `guarded` means that safe_csv.py may have changed cells for spreadsheets.
    """

    separator: str | None = None
    quoted: bool = False
    guarded: bool = False


@dataclass(frozen=True)
class TextLists:
    """Lists of texts. List k is `texts[ends[k]:ends[k + 1]]`. An empty text means a missing text.

    >>> lists = TextLists.of([["A", "B"], []])
    >>> lists.sizes.tolist(), lists.column(1).tolist()
    ([2, 0], ['B', ''])
    """

    texts: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, lists: Iterable[Sequence[str]]) -> "TextLists":
        lists = list(lists)
        return cls.from_sizes(list(chain.from_iterable(lists)), list(map(len, lists)))

    @classmethod
    def from_sizes(cls, texts: Sequence[str], sizes: Any) -> "TextLists":
        """Return lists of the given sizes from one list of consecutive texts."""
        return cls(text_array(texts), np.append(0, np.cumsum(np.asarray(sizes, np.int64))))

    def __len__(self) -> int:
        return len(self.ends) - 1

    @property
    def sizes(self) -> np.ndarray:
        return np.diff(self.ends)

    def column(self, number: int) -> np.ndarray:
        """Return one text from each list. It is empty if the list is too short."""
        found = np.full(len(self), "", object)
        is_there = self.sizes > number
        found[is_there] = self.texts[self.ends[:-1][is_there] + number]
        return found

    def take(self, places: np.ndarray) -> "TextLists":
        """Return some of the lists."""
        return self._parts(self.ends[places], self.ends[places + 1])

    def below(self, place: int) -> "TextLists":
        """Return the lists after a given one."""
        return TextLists(self.texts, self.ends[place + 1 :])

    def cut(self, first: int, end: int | None = None) -> "TextLists":
        """Return a part of each list, from one place up to another one."""
        starts = np.minimum(self.ends[:-1] + first, self.ends[1:])
        ends = self.ends[1:] if end is None else np.minimum(self.ends[:-1] + end, self.ends[1:])
        return self._parts(starts, ends)

    def _parts(self, starts: np.ndarray, ends: np.ndarray) -> "TextLists":
        sizes = ends - starts
        return TextLists(self.texts[runs(starts, sizes)], np.append(0, np.cumsum(sizes)))

    def filled(self) -> "TextLists":
        """Return the lists without empty texts."""
        texts = self.texts[self.ends[0] : self.ends[-1]]
        is_filled = np.fromiter(map(bool, texts), bool, len(texts))
        ends = np.append(0, np.cumsum(is_filled))[self.ends - self.ends[0]]
        return TextLists(texts[is_filled], ends)

    def rows(self) -> list[list[str]]:
        texts, ends = self.texts.tolist(), self.ends.tolist()
        return [texts[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True)
class Rows:
    """Rows of cells: a list of trimmed texts per row, and the number of its first line."""

    cells: TextLists
    lines: np.ndarray

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def widths(self) -> np.ndarray:
        return self.cells.sizes

    @cached_property
    def filled(self) -> np.ndarray:
        """Return the number of filled cells in each row."""
        return self.cells.filled().sizes

    def column(self, number: int) -> np.ndarray:
        """Return a column. A cell is empty if its row is too short."""
        return self.cells.column(number)

    def where(self, is_kept: np.ndarray) -> "Rows":
        if is_kept.all():
            return self
        return Rows(self.cells.take(np.flatnonzero(is_kept)), self.lines[is_kept])

    def below(self, row: int) -> "Rows":
        return Rows(self.cells.below(row), self.lines[row + 1 :])

    def check_widths(self, width: int, expected: str, source: Source) -> None:
        """Raise InputError for a row with text after the last column."""
        widths = self.widths
        wide = np.flatnonzero(widths > width)
        beyond = self.cells.take(wide).cut(width).filled().sizes
        for row in wide[beyond > 0][:1].tolist():
            raise source.error(f"{widths[row]} cells, but {expected}", int(self.lines[row]))


def cut_rows(pieces: Iterable[tuple[int, bytes]], cut: Cut, source: Source) -> Iterator[Rows]:
    """Cut pieces of whole lines into rows. Each piece has the number of its first line."""
    pieces = iter(pieces)
    for first, piece in pieces:
        if cut.quoted and b'"' in piece:
            yield from _quoted_rows(
                first, chain([piece], (more for _, more in pieces)), cut, source
            )
            return
        cells = _cells(piece, cut)
        yield Rows(cells, np.arange(first, first + len(cells)))


def _cells(piece: bytes, cut: Cut) -> TextLists:
    """Cut whole lines at a separator of one byte, or at blanks."""
    text = piece.decode()
    if cut.separator is None:
        sizes = [len(line.split()) for line in text.split("\n")[:-1]]
        return TextLists.from_sizes(text.split(), sizes)
    content = np.frombuffer(piece, np.uint8)
    marks = content[(content == ord("\n")) | (content == ord(cut.separator))]
    ends = np.append(0, np.flatnonzero(marks == ord("\n")) + 1)
    texts = text[:-1].replace("\n", cut.separator).split(cut.separator)
    return TextLists(text_array(_unguarded(list(map(str.strip, texts)), cut)), ends)


def _quoted_rows(first: int, pieces: Iterable[bytes], cut: Cut, source: Source) -> Iterator[Rows]:
    lines = (line + "\n" for part in pieces for line in part.decode().split("\n")[:-1])
    table = csv.reader(lines, delimiter=cut.separator or " ", strict=True, skipinitialspace=True)
    while True:
        texts: list[str] = []
        sizes: list[int] = []
        begins: list[int] = []
        line = first + table.line_num
        try:
            for row in islice(table, _AT_ONCE):
                texts += row or [""]
                sizes.append(len(row) or 1)
                begins.append(line)
                line = first + table.line_num
        except csv.Error as error:
            raise source.error(
                f"the csv module cannot split this into cells ({error}). Check its quotes.", line
            ) from None
        if not begins:
            return
        cells = _unguarded(list(map(str.strip, texts)), cut)
        yield Rows(TextLists.from_sizes(cells, sizes), np.array(begins))


def _unguarded(texts: list[str], cut: Cut) -> list[str]:
    if not cut.guarded:
        return texts
    return [_GUARD.sub(r"\1\2", text) if "'" in text else text for text in texts]


def split_all(cells: np.ndarray, separator: str, whole: Container[str] = ()) -> TextLists:
    """Split cells at a separator, and trim the parts. Some cells stay whole."""
    texts = cells.tolist()
    if whole and any(separator in cell and cell in whole for cell in texts):
        lists = ([cell] if cell in whole else cell.split(separator) for cell in texts)
        return TextLists.of([part.strip() for part in parts] for parts in lists)
    sizes = [cell.count(separator) + 1 for cell in texts]
    parts = separator.join(texts).split(separator) if texts else []
    return TextLists.from_sizes(list(map(str.strip, parts)), sizes)


def split_each(cells: np.ndarray, split: Callable[[str], Sequence[str]]) -> TextLists:
    """Split cells into lists of texts. Each different cell is split once."""
    parts = {cell: split(cell) for cell in dict.fromkeys(cells)}
    return TextLists.of(map(parts.__getitem__, cells))


def side_by_side(columns: Sequence[np.ndarray]) -> TextLists:
    """Join columns of text into one list per row."""
    rows, width = len(columns[0]), len(columns)
    return TextLists(np.stack(columns, axis=1).ravel(), width * np.arange(rows + 1))


class Numbering(dict[str, int]):
    """A number for each name, from 0. A new name gets the next number."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number

    def numbers_of(self, names: Collection[str]) -> np.ndarray:
        """Return the numbers of names (int32)."""
        return np.fromiter(map(self.__getitem__, names), np.int32, len(names))


def text_array(texts: Sequence[str]) -> np.ndarray:
    """Return texts as an array of objects."""
    found = np.empty(len(texts), object)
    found[:] = texts
    return found


# --- columns of Arrow ---------------------------------------------------------------------------


def texts_of_arrow(column: Any) -> np.ndarray:
    """Return a column of text as an array, and null as an empty text."""
    coded = column.fill_null("").dictionary_encode()
    names = text_array(coded.dictionary.to_pylist())
    found: np.ndarray = names[coded.indices.to_numpy(zero_copy_only=False)]
    return found


def lists_of_arrow(column: Any) -> TextLists:
    """Return a column of lists of text, and null as an empty list."""
    from pyarrow import compute

    sizes = compute.fill_null(compute.list_value_length(column), 0)
    texts = texts_of_arrow(compute.list_flatten(column))
    ends = np.append(0, np.cumsum(sizes.to_numpy(zero_copy_only=False)))
    return TextLists(texts, ends)
