"""Rows of cells: text is cut by NumPy, and by Python's csv module and `str.split` where NumPy would
cut it otherwise (`Unusual`); both make the same arrays.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice

import numpy as np

from hiermeasures.formats.byte_tokens import NEWLINE, PADDING, padded, texts_of, trimmed
from hiermeasures.formats.safe_csv import original_cell
from hiermeasures.formats.source import Source, Unusual

QUOTE = ord('"')
_APOSTROPHE, _SEMICOLON = ord("'"), ord(";")
_BEHIND_APOSTROPHE = np.frombuffer(b"'=+-@\t\r", np.uint8)  # characters that a cell is guarded against
# White space beyond ASCII's, as UTF-8.
_WIDE_BLANK = re.compile(rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80")
_AT_ONCE = 50_000  # rows that Python cuts
_LONGEST_ROW = 16_000_000  # bytes


@dataclass(frozen=True)
class Cut:
    """Separator of cells, None for blanks. `quoted`: quotes around a cell are CSV's, and hide
    separators. `guarded`: cells may be made safe for spreadsheets (safe_csv.py).
    """

    separator: str | None = None
    quoted: bool = False
    guarded: bool = False


@dataclass(frozen=True)
class Cells:
    """The cells of a text, row by row, without the blanks around them: cell k is
    `text[starts[k]:ends[k]]`, row r has `widths[r]` cells and begins on line `lines[r]`.
    """

    text: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    widths: np.ndarray
    lines: np.ndarray

    def __len__(self) -> int:
        return len(self.widths)

    @property
    def filled(self) -> np.ndarray:
        return self.starts < self.ends

    @cached_property
    def first(self) -> np.ndarray:
        places: np.ndarray = np.cumsum(self.widths) - self.widths
        return places

    def rows(self, begin: int, end: int) -> list[list[str]]:
        ends = np.cumsum(self.widths[:end]).tolist()
        first = ends[begin - 1] if begin else 0
        texts = iter(self.texts(slice(first, ends[-1] if ends else 0)))
        return [list(islice(texts, width)) for width in self.widths[begin:end].tolist()]

    def row(self, row: int) -> list[str]:
        return self.rows(row, row + 1)[0]

    def texts(self, cells: "np.ndarray | slice") -> list[str]:
        return texts_of(self.text, self.starts[cells], self.ends[cells])

    def below(self, row: int) -> "Cells":
        cell = int(self.widths[: row + 1].sum())
        kept, cells = slice(row + 1, None), slice(cell, None)
        return replace(
            self, starts=self.starts[cells], ends=self.ends[cells], widths=self.widths[kept], lines=self.lines[kept]
        )

    def where(self, is_kept: np.ndarray) -> "Cells":
        of_kept = np.repeat(is_kept, self.widths)
        starts, ends = self.starts[of_kept], self.ends[of_kept]
        return Cells(self.text, starts, ends, widths=self.widths[is_kept], lines=self.lines[is_kept])

    def column(self, number: int) -> np.ndarray:
        """The cell of each row in a column, −1 where it is empty or not there."""
        place = self.first + number
        place[self.widths <= number] = -1
        there = np.flatnonzero(place >= 0)
        place[there[self.starts[place[there]] >= self.ends[place[there]]]] = -1
        return place

    def count(self, chosen: np.ndarray) -> np.ndarray:
        """The number of some cells in each row."""
        totals = np.append(0, np.cumsum(chosen))
        found: np.ndarray = totals[self.first + self.widths] - totals[self.first]
        return found


def words_in(text: np.ndarray, line: int = 1) -> Cells:
    """The words between blanks, a row for each line; the first line has a number."""
    blank = text[:-PADDING] <= ord(" ")
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    if len(blank) and not blank[0]:
        edges = np.concatenate([[0], edges])
    starts, ends = edges[::2], edges[1::2]
    widths = np.diff(np.searchsorted(starts, np.flatnonzero(text == NEWLINE), side="right"), prepend=0)
    return Cells(text, starts, ends, widths=widths, lines=np.arange(line, line + len(widths)))


def _cells_in(text: np.ndarray, separator: str, line: int = 1, *, quoted: bool = False) -> Cells:
    """The cells of whole rows. `quoted`: quotes around a cell are CSV's, and hide separators."""
    ends = np.flatnonzero((text == ord(separator)) | (text == NEWLINE))
    quotes = np.flatnonzero(text == QUOTE) if quoted else np.zeros(0, np.int64)
    if len(quotes):
        ends = ends[outside(quotes, ends)]
    starts = np.concatenate([[0], ends[:-1] + 1])
    of_row = np.flatnonzero(text[ends] == NEWLINE)
    widths = np.diff(of_row, prepend=-1)
    lines = np.arange(line, line + len(widths))
    if len(quotes) and np.count_nonzero(text == NEWLINE) > len(widths):
        behind = np.searchsorted(np.flatnonzero(text == NEWLINE), ends[of_row], side="right")
        lines = line + np.append(0, behind[:-1])
    until = ends
    starts, ends = trimmed(text, starts, ends)
    if len(quotes):
        text, starts, ends = _unquoted(text, quotes, separator, starts=starts, ends=ends, until=until)
    return Cells(text, starts, ends, widths=widths, lines=lines)


def cells_of(rows: Iterable[Sequence[str]], lines: Sequence[int]) -> Cells:
    """The cells of rows of text; outer blanks are kept."""
    rows = list(rows)
    encoded = [cell.encode() for row in rows for cell in row]
    ends = np.cumsum([len(cell) + 1 for cell in encoded], dtype=np.int64) - 1
    starts = ends - np.fromiter(map(len, encoded), np.int64, len(encoded))
    widths = np.fromiter(map(len, rows), np.int64, len(rows))
    return Cells(padded(b"\n".join(encoded) + b"\n"), starts, ends, widths=widths, lines=np.array(lines, np.int64))


def outside(quotes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """True for each place that is not between two quotes."""
    is_even: np.ndarray = np.searchsorted(quotes, places) % 2 == 0
    return is_even


def _unquoted(
    text: np.ndarray, quotes: np.ndarray, separator: str, starts: np.ndarray, ends: np.ndarray, until: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Remove quotes; `until` is where the separators are. Unusual inside of a cell."""
    if len(quotes) % 2:
        raise Unusual
    opening, closing = quotes[::2], quotes[1::2]
    double = np.append(closing[:-1] + 1 == opening[1:], False)  # two quotes in a cell, which stand for one
    is_quoted = text[starts] == QUOTE
    after_blanks = is_quoted & (starts > 0) & (text[starts - 1] <= ord(" ")) & (text[starts - 1] != NEWLINE)
    if (after_blanks & (separator != "\t")).any() and (text == ord("\t")).any():
        raise Unusual  # only blanks may be skipped before a quote
    around = opening[~np.roll(double, 1)], closing[~double]
    if not (np.array_equal(around[0], starts[is_quoted]) and np.array_equal(around[1], until[is_quoted] - 1)):
        raise Unusual
    starts, ends = starts + is_quoted, ends - is_quoted
    if double.any():
        left_out = closing[double]
        starts, ends = (places - np.searchsorted(left_out, places) for places in (starts, ends))
        text = np.delete(text, left_out)
    return text, *trimmed(text, starts, ends)


def _check_unguarded(cells: Cells) -> None:
    """Raise Unusual if a cell was made safe for spreadsheets (safe_csv.py)."""
    text = cells.text
    if (text == _APOSTROPHE).any():
        guarded = cells.starts[text[cells.starts] == _APOSTROPHE]
        inside = 1 + np.flatnonzero((text[:-2] == _SEMICOLON) & (text[1:-1] == _APOSTROPHE))
        if np.isin(text[np.concatenate([guarded, inside]) + 1], _BEHIND_APOSTROPHE).any():
            raise Unusual


def split_at(
    text: np.ndarray, separator: str, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split some cells at a separator; return the parts that are not empty, trimmed, and their
    number by cell.
    """
    found, sizes = parts_at(np.flatnonzero(text == ord(separator)), starts, ends)
    begins, stops = trimmed(text, *found)
    filled = begins < stops
    if not filled.all():
        sizes = np.add.reduceat(filled, np.cumsum(sizes) - sizes, dtype=np.int64) if len(sizes) else sizes
        begins, stops = begins[filled], stops[filled]
    return begins, stops, sizes


def parts_at(
    marks: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Split some cells at the marks in them; return the parts, and their number by cell."""
    marks, cell = within(marks, starts, ends)
    sizes = 1 + np.bincount(cell, minlength=len(ends))
    last = np.cumsum(sizes) - 1
    before = np.arange(len(marks)) + cell  # the part before each mark
    begins, stops = np.empty((2, len(starts) + len(marks)), np.int64)
    begins[last - sizes + 1], begins[before + 1] = starts, marks + 1
    stops[last], stops[before] = ends, marks
    return (begins, stops), sizes


def within(places: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places that are in one of some cells, and the cell of each; all are rising."""
    cell = np.searchsorted(ends, places, side="right")
    inside = cell < len(ends)
    inside[inside] = starts[cell[inside]] <= places[inside]
    return places[inside], cell[inside]


def that_hold(text: np.ndarray, marks: bytes, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which of some cells hold one of some bytes."""
    places = np.flatnonzero(np.logical_or.reduce([text == mark for mark in marks]))
    return np.flatnonzero(np.searchsorted(places, starts) < np.searchsorted(places, ends))


# --- cutting ------------------------------------------------------------------------------------


def cells_of_pieces(pieces: Iterable[tuple[int, bytes]], cut: Cut, source: Source) -> Iterator[Cells]:
    """The cells of whole rows, many at a time, from pieces that are whole lines."""
    rest, begin, pieces = b"", 1, iter(pieces)
    for line, piece in pieces:
        piece, begin, rest = rest + piece, begin if rest else line, b""
        try:
            piece, rest = _whole_rows(piece) if cut.quoted else (piece, b"")
            cells = by_numpy(as_bytes(piece), cut, begin)
        except Unusual:
            parts = chain([(begin, piece + rest)], pieces if cut.quoted else ())
            yield from by_python(lines_of(parts), cut, source)
            rest = b""
            continue
        begin += piece.count(b"\n") if rest else 0
        yield cells
    yield from by_python(lines_of([(begin, rest)] if rest else ()), cut, source)


def lines_of(pieces: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
    """The lines of some pieces, with their numbers."""
    for first, piece in pieces:
        yield from enumerate(piece.decode().split("\n")[:-1], first)


def _whole_rows(piece: bytes) -> tuple[bytes, bytes]:
    """Return the whole rows of a text, and the rest, whose last cell goes on."""
    if piece.count(b'"') % 2 == 0:
        return piece, b""
    text = np.frombuffer(piece, np.uint8)
    quotes = np.flatnonzero(text == QUOTE)
    line_ends = np.flatnonzero(text[: quotes[-1]] == NEWLINE)
    line_ends = line_ends[outside(quotes, line_ends)]
    end = int(line_ends[-1]) + 1 if len(line_ends) else 0
    if not end or len(piece) - end > _LONGEST_ROW:
        raise Unusual
    return piece[:end], piece[end:]


def as_bytes(lines: bytes) -> np.ndarray:
    """Whole lines of UTF-8 as an array; Unusual for control characters and rare white space."""
    text = padded(lines)
    allowed = int(np.count_nonzero(text == NEWLINE) + np.count_nonzero(text == ord("\t")))
    if int(np.count_nonzero(text < ord(" "))) - PADDING != allowed or (
        not lines.isascii() and _WIDE_BLANK.search(lines)
    ):
        raise Unusual
    return text


def by_numpy(text: np.ndarray, cut: Cut, line: int = 1) -> Cells:
    """The cells of whole rows, the first on a line of this number."""
    if cut.separator is None:
        return words_in(text, line)
    cells = _cells_in(text, cut.separator, line, quoted=cut.quoted)
    if cut.guarded:
        _check_unguarded(cells)
    return cells


def by_python(lines: Iterable[tuple[int, str]], cut: Cut, source: Source) -> Iterator[Cells]:
    """The cells of numbered lines, many rows at once."""
    rows = _csv_rows(lines, cut, source) if cut.quoted else ((n, line.split(cut.separator)) for n, line in lines)
    while batch := list(islice(rows, _AT_ONCE)):
        stripped = [[cell.strip() for cell in cells] for _, cells in batch]
        plain = [list(map(original_cell, cells)) for cells in stripped] if cut.guarded else stripped
        yield cells_of(plain, [number for number, _ in batch])


def _csv_rows(lines: Iterable[tuple[int, str]], cut: Cut, source: Source) -> Iterator[tuple[int, list[str]]]:
    taken: list[int] = []

    def fed() -> Iterator[str]:
        for number, line in lines:
            taken.append(number)
            yield line + "\n"

    table = csv.reader(fed(), delimiter=cut.separator or " ", strict=True, skipinitialspace=True)
    try:
        for cells in table:
            yield taken[0], cells or [""]
            taken.clear()
    except csv.Error as error:
        raise source.error(f"the cells cannot be told apart ({error})", taken[0] if taken else None) from None
