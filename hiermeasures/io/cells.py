"""Tables as arrays of bytes: where the cells of every row begin and end, quotes of CSV taken away, and the parts of
cells between separators.

As in words.py, what is not ordinary is `Unusual`, and left to Python's csv module.
"""

from dataclasses import dataclass

import numpy as np

from hiermeasures.io.words import BLOCK, NEWLINE, PADDING, Unusual, holds_any, trimmed

QUOTE = ord('"')
_APOSTROPHE = ord("'")
_BEHIND_APOSTROPHE = np.frombuffer(b"'=+-@\t\r", np.uint8)  # what a cell is made safe for spreadsheets for


@dataclass(frozen=True)
class Cells:
    """The cells of a text, row by row, without the blanks around them: cell k is `text[starts[k]:ends[k]]`, and a row
    has `widths` cells. `longest` is the size of the largest one in the file.
    """

    text: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    widths: np.ndarray
    longest: int

    @property
    def filled(self) -> np.ndarray:
        """Which cells are not empty."""
        return self.starts < self.ends

    @property
    def first(self) -> np.ndarray:
        """The first cell of every row."""
        places: np.ndarray = np.cumsum(self.widths) - self.widths
        return places


def cells_in(text: np.ndarray, separator: str, *, quoted: bool = False) -> Cells:
    """The cells of whole rows. `quoted`: quotes around a whole cell are no part of it, and separators and line feeds
    inside of them separate nothing.
    """
    ends = np.flatnonzero((text == ord(separator)) | (text == NEWLINE))
    quotes = np.flatnonzero(text == QUOTE) if quoted else np.zeros(0, np.int64)
    if len(quotes):
        ends = ends[outside(quotes, ends)]
    starts = np.concatenate([[0], ends[:-1] + 1])
    widths = np.diff(np.flatnonzero(text[ends] == NEWLINE), prepend=-1)
    longest = int((ends - starts).max(initial=0))
    until = ends
    starts, ends = trimmed(text, starts, ends)
    if len(quotes):
        text, starts, ends = _unquoted(text, quotes, separator, starts, ends, until)
    return Cells(text, starts, ends, widths, longest)


def outside(quotes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Which places have as many quotes that begin before them as quotes that end."""
    is_even: np.ndarray = np.searchsorted(quotes, places) % 2 == 0
    return is_even


def _unquoted(
    text: np.ndarray, quotes: np.ndarray, separator: str, starts: np.ndarray, ends: np.ndarray, until: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Text and cells without quotes; `until` is where the separators are. Unusual where quotes are not around a whole
    cell.
    """
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


def whole_rows(text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a text that has a whole line at its end, and what is left of it where its last cell goes on."""
    quotes = np.flatnonzero(text == QUOTE)
    if len(quotes) % 2 == 0:
        return text, text[:0]
    line_ends = np.flatnonzero(text[: quotes[-1]] == NEWLINE)
    line_ends = line_ends[outside(quotes, line_ends)]
    end = int(line_ends[-1]) + 1 if len(line_ends) else 0
    if len(text) - end > BLOCK:
        raise Unusual
    return np.concatenate([text[:end], np.zeros(PADDING, np.uint8)]), text[end:-PADDING]


def check_plain(cells: Cells, places: np.ndarray) -> None:
    """Unusual where one of some cells was made safe for spreadsheets, or has several lines."""
    text = cells.text
    if (text == _APOSTROPHE).any():
        starts = cells.starts[places]
        guarded = starts[text[starts] == _APOSTROPHE] + 1
        if np.isin(text[guarded], _BEHIND_APOSTROPHE).any():
            raise Unusual
    has_lines = np.count_nonzero(text == NEWLINE) > len(cells.widths)
    if has_lines and holds_any(text, b"\n", cells.starts[places], cells.ends[places]):
        raise Unusual


def split_at(
    text: np.ndarray, separator: str, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parts of some cells between separators, without the blanks around them, and how many each cell has; empty
    ones are left out.
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
    """The parts of some cells between those marks that are in one, and how many each cell has."""
    marks, cell = within(marks, starts, ends)
    sizes = 1 + np.bincount(cell, minlength=len(ends))
    last = np.cumsum(sizes) - 1
    before = np.arange(len(marks)) + cell  # the part before each mark
    begins, stops = np.empty((2, len(starts) + len(marks)), np.int64)
    begins[last - sizes + 1], begins[before + 1] = starts, marks + 1
    stops[last], stops[before] = ends, marks
    return (begins, stops), sizes


def within(places: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Those places that are in one of some cells, and in which each is; all are rising."""
    cell = np.searchsorted(ends, places, side="right")
    inside = cell < len(ends)
    inside[inside] = starts[cell[inside]] <= places[inside]
    return places[inside], cell[inside]
