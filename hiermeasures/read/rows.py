"""Cut text into rows of cells, as Arrow arrays.

After the first quote, Python's csv module cuts the cells. This module avoids `pa.array`, `to_numpy`
and comparisons with a value. They import pandas, which takes longer than reading a small file.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hiermeasures.read.source import LONGEST_LINE, Source

_GUARD = r"(^|;)'('*[=+\-@\t\r])"  # the guard of safe_csv.py, without a look-ahead
_AT_ONCE = 50_000  # rows from the csv module

csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))


@dataclass(frozen=True)
class Cut:
    """How to cut a line into cells.

    `separator` is None for blanks. `quoted` means that cells can have CSV quotes, which may contain
    separators. `guarded` means that safe_csv.py may have changed cells for spreadsheets.
    """

    separator: str | None = None
    quoted: bool = False
    guarded: bool = False


@dataclass(frozen=True)
class Rows:
    """Rows of cells: for each row a list of trimmed texts, and the number of its first line."""

    cells: pa.ListArray
    lines: np.ndarray

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def widths(self) -> np.ndarray:
        return as_numbers(pc.list_value_length(self.cells))

    @cached_property
    def filled(self) -> np.ndarray:
        """The number of filled cells in each row."""
        return filled(self.cells)[0]

    def column(self, number: int) -> pa.Array:
        """Return a column. A cell is null if its row is too short."""
        return pc.list_slice(self.cells, number, number + 1, return_fixed_size_list=True).flatten()

    def where(self, is_kept: np.ndarray) -> "Rows":
        return (
            self
            if is_kept.all()
            else Rows(taken(self.cells, np.flatnonzero(is_kept)), self.lines[is_kept])
        )

    def below(self, row: int) -> "Rows":
        return Rows(self.cells.slice(row + 1), self.lines[row + 1 :])

    def check_widths(self, width: int, expected: str, source: Source) -> None:
        """Raise InputError for a row with text after the last column."""
        widths = self.widths
        wide = np.flatnonzero(widths > width)
        beyond, _ = filled(pc.list_slice(taken(self.cells, wide), width))
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
        ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == ord("\n")) + 1
        places = pa.py_buffer(np.append(0, ends).astype(np.int32))
        lines = pa.StringArray.from_buffers(len(ends), places, pa.py_buffer(piece))
        yield Rows(
            _unguarded(split(lines, cut.separator), cut), np.arange(first, first + len(lines))
        )


def _quoted_rows(first: int, pieces: Iterable[bytes], cut: Cut, source: Source) -> Iterator[Rows]:
    lines = (line + "\n" for part in pieces for line in part.decode().split("\n")[:-1])
    table = csv.reader(lines, delimiter=cut.separator or " ", strict=True, skipinitialspace=True)
    while True:
        texts: list[str] = []
        ends: list[int] = [0]
        begins: list[int] = []
        line = first + table.line_num
        try:
            for row in islice(table, _AT_ONCE):
                texts += row or [""]
                ends.append(len(texts))
                begins.append(line)
                line = first + table.line_num
        except csv.Error as error:
            raise source.error(
                f"the csv module cannot split this into cells ({error})", line
            ) from None
        if not begins:
            return
        cells = pa.ListArray.from_arrays(ends, pa.array(texts, pa.string()))
        yield Rows(_unguarded(_trimmed(cells), cut), np.array(begins))


def split(texts: pa.Array, separator: str | None) -> pa.ListArray:
    """Split texts at a separator (None: at blanks) and trim the parts."""
    if separator is None:
        return pc.utf8_split_whitespace(pc.utf8_trim_whitespace(texts))
    return _trimmed(pc.split_pattern(texts, separator))


def _trimmed(lists: pa.ListArray) -> pa.ListArray:
    return pa.ListArray.from_arrays(lists.offsets, pc.utf8_trim_whitespace(lists.values))


def _unguarded(cells: pa.ListArray, cut: Cut) -> pa.ListArray:
    texts = cells.values
    if not cut.guarded or not pc.any(pc.match_substring(texts, "'")).as_py():
        return cells
    return pa.ListArray.from_arrays(
        cells.offsets, pc.replace_substring_regex(texts, _GUARD, r"\1\2")
    )


def filled(lists: pa.ListArray) -> tuple[np.ndarray, pa.Array]:
    """Return the number of filled texts in each list, and these texts."""
    texts = pc.list_flatten(lists)
    is_filled = pc.binary_length(texts).cast(pa.bool_())
    if is_filled.true_count == len(texts) and not lists.null_count:
        return as_numbers(pc.list_value_length(lists)), texts
    instance = as_numbers(pc.list_parent_indices(lists).filter(is_filled))
    return np.bincount(instance, minlength=len(lists)), texts.filter(is_filled)


def side_by_side(columns: Sequence[pa.Array]) -> pa.ListArray:
    """Join columns of text into one list per row."""
    rows, width = len(columns[0]), len(columns)
    order = np.arange(rows * width).reshape(width, rows).T.ravel()
    ends = _arrow(width * np.arange(rows + 1, dtype=np.int32))
    return pa.ListArray.from_arrays(ends, taken(pa.concat_arrays(columns), order))


def numbers_of(texts: pa.Array, known: dict[str, int]) -> np.ndarray:
    """Return the numbers of names (int32). New names are added to `known`."""
    coded = texts.dictionary_encode()
    numbers = np.array(
        [known.setdefault(name, len(known)) for name in coded.dictionary.to_pylist()], np.int32
    )
    found: np.ndarray = numbers[as_numbers(coded.indices)]
    return found


def taken(values: pa.Array, places: np.ndarray) -> pa.Array:
    return values.take(_arrow(places))


def _arrow(numbers: np.ndarray) -> pa.Array:
    kind = pa.int32() if numbers.dtype == np.int32 else pa.int64()
    return pa.Array.from_buffers(
        kind, len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))]
    )


def as_numbers(numbers: pa.Array) -> np.ndarray:
    """Return whole numbers without nulls as an array, without a copy."""
    found: np.ndarray = np.from_dlpack(numbers)
    return found


def places_of(is_true: pa.Array) -> np.ndarray:
    """Return the places of True in an array of booleans and nulls."""
    return as_numbers(pc.indices_nonzero(is_true).cast(pa.int64()))
