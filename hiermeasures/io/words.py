"""Text as arrays of bytes: lines are cut into words and words numbered without a step of Python for each of them.

Only what is ordinary is read this way. Whatever is not, and so may be a fault, is `Unusual`: the careful reader of the
format then reads the file from its start, and every message comes from there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np

from hiermeasures.io.source import Limits

BLOCK = 16_000_000  # bytes read at a time; a line as long is unusual
NEWLINE = ord("\n")
PADDING = 8  # zeros behind a text, for a word may be read eight bytes at a time
_KEPT = np.array([(1 << 8 * k) - 1 for k in range(9)], np.uint64)  # of eight bytes, those of a word of length k
_MIXED_BY = np.uint64(0x9E3779B97F4A7C15)
_COPIED = 1 << 16  # words
_BLANKS = 1000  # on a side of a cell, each a step of Python
_BITS = 20  # of a number that tell its place in a table
# White space beyond ASCII's, as UTF-8.
_WIDE_BLANK = re.compile(rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80")


class Unusual(Exception):
    """Something that the careful reader has to look at."""


def lines_of(stream: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Whole lines, many at a time, each with a line feed at its end."""
    rest, lines, more = b"", 0, True
    while more:
        block = stream.read(BLOCK)
        more = len(block) == BLOCK
        rest += block
        if not more and rest and not rest.endswith(b"\n"):
            if rest.endswith(b"\r"):
                raise Unusual  # which a line feed would make a line end of Windows
            rest += b"\n"
        end = rest.rfind(b"\n") + 1
        # Any other line of what was read lies in one block, and is shorter.
        if max(len(rest) - end, rest.find(b"\n") + 1) >= BLOCK:
            raise Unusual
        piece, rest = rest[:end], rest[end:]
        lines += int(np.count_nonzero(np.frombuffer(piece, np.uint8) == NEWLINE))
        if lines > limits.lines:
            raise Unusual
        if piece:
            yield piece


def plain_bytes(lines: bytes) -> np.ndarray:
    """Lines as an array; eight zeros follow the last line feed. Unusual for control characters but tabs."""
    text = np.frombuffer(lines + bytes(PADDING), np.uint8)
    allowed = int(np.count_nonzero(text == NEWLINE) + np.count_nonzero(text == ord("\t")))
    if int(np.count_nonzero(text < ord(" "))) - PADDING != allowed:
        raise Unusual
    return text


def as_bytes(lines: bytes) -> np.ndarray:
    """Lines of plain UTF-8 text as an array, as `plain_bytes`, without white space beyond ASCII's."""
    text = plain_bytes(lines)
    if not lines.isascii():
        try:
            lines.decode("utf-8")
        except UnicodeDecodeError:
            raise Unusual from None
        if _WIDE_BLANK.search(lines):
            raise Unusual
    return text


def words_in(text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the words between blanks begin, and where each ends."""
    blank = text[:-PADDING] <= ord(" ")
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    if len(blank) and not blank[0]:
        edges = np.concatenate([[0], edges])
    return edges[::2], edges[1::2]


def holds_any(text: np.ndarray, marks: bytes, starts: np.ndarray, ends: np.ndarray) -> bool:
    """Whether one of some bytes stands in one of some cells."""
    places = np.flatnonzero(np.logical_or.reduce([text == mark for mark in marks]))
    return bool((np.searchsorted(places, starts) < np.searchsorted(places, ends)).any())


def trimmed(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same cells without the blanks around them; Unusual where too many stand on one side."""
    starts = _past_blanks(text, starts, ends, 1)
    return starts, _past_blanks(text, ends, starts, -1)


def _past_blanks(text: np.ndarray, places: np.ndarray, until: np.ndarray, step: int) -> np.ndarray:
    """Places moved over the blanks behind them, or before them where `step` is -1, but not past others."""

    def at_blank(places: np.ndarray, until: np.ndarray) -> np.ndarray:
        here: np.ndarray = (text[places + min(step, 0)] <= ord(" ")) & (step * (until - places) > 0)
        return here

    places, moving = places.copy(), np.flatnonzero(at_blank(places, until))
    for _ in range(_BLANKS):
        if not len(moving):
            return places
        places[moving] += step
        moving = moving[at_blank(places[moving], until[moving])]
    raise Unusual


def which_begins(text: np.ndarray, places: np.ndarray, words: Sequence[bytes]) -> np.ndarray:
    """Which of some words stands at each place, -1 for none. No word has a line feed, none begins with another, and no
    place is behind the last line feed.
    """
    eights, found = _eights(text), np.full(len(places), -1)
    here = eights[places]
    for number, word in enumerate(words):
        same = np.flatnonzero(here & _KEPT[min(len(word), 8)] == _eight(word))
        for at in range(8, len(word), 8):
            rest = eights[places[same] + at] & _KEPT[min(len(word) - at, 8)]
            same = same[rest == _eight(word[at:])]
        found[same] = number
    return found


def _eight(word: bytes) -> np.uint64:
    """The first eight bytes of a word as a number."""
    return np.uint64(np.frombuffer(word[:8].ljust(8, b"\0"), np.uint64)[0])


def _eights(text: np.ndarray) -> np.ndarray:
    """The eight bytes from every place on as a number."""
    return np.ndarray((len(text) - 7,), np.uint64, text, strides=(1,))


def counted_by_line(text: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """How many words begin in each line."""
    return np.diff(np.searchsorted(starts, np.flatnonzero(text == NEWLINE), side="right"), prepend=0)


class Names:
    """Numbers for names, in the order in which they are first seen, over one text after another."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._first: list[str] = []  # those of the first text, which need no table where it is the only one
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers or self._first)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers or self._first)

    def of(self, text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The numbers of the words of a text (int32)."""
        if not len(starts):
            return np.zeros(0, np.int32)
        if int((ends - starts).max()) > self._limits.label:
            raise Unusual
        first, which = _distinct(text, starts, ends)
        order = np.argsort(first)
        names = texts_of(text, starts[first[order]], ends[first[order]])
        found = np.empty(len(first), np.int32)
        found[order] = self._numbered(names)
        numbers: np.ndarray = found[which]
        return numbers

    def of_texts(self, names: list[str]) -> np.ndarray:
        """The numbers of some names, each there once (int32)."""
        if max(map(len, names), default=0) > self._limits.label or len(set(names)) < len(names):
            raise Unusual
        try:
            "".join(names).encode()
        except UnicodeEncodeError:
            raise Unusual from None
        return np.array(self._numbered(names), np.int32)

    def _numbered(self, names: list[str]) -> range | list[int]:
        if not self._first:
            self._first = names
            return range(len(names))
        known = self._numbers = self._numbers or dict(zip(self._first, range(len(self._first)), strict=True))
        return [known.setdefault(name, len(known)) for name in names]


def keys_of(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """A number for each word, the same for the same words; two words rarely have the same."""
    return _keys(text, starts, ends)[0]


_Parts = list[tuple[np.ndarray, np.ndarray]]


def _keys(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray, _Parts]:
    """A word of up to eight bytes is a number; for longer ones a hash. With it the first eight bytes of each word, and
    then for longer and longer ones which words they are, and the next eight bytes.
    """
    eights = _eights(text)
    sizes = ends - starts
    key = eights[starts] & _KEPT[np.minimum(sizes, 8)]
    begin, rest = key.copy(), []
    longer, at = np.flatnonzero(sizes > 8), 8
    while len(longer):
        part = eights[starts[longer] + at] & _KEPT[np.minimum(sizes[longer] - at, 8)]
        mixed = key[longer]
        key[longer] = ((mixed ^ (mixed >> np.uint64(29))) * _MIXED_BY) ^ part
        rest.append((longer, part))
        at += 8
        longer = longer[sizes[longer] > at]
    return key, begin, rest


def _distinct(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place of one word of each kind, and for every word of which kind it is."""
    key, begin, rest = _keys(text, starts, ends)
    first, which = _kinds(key)
    if rest:
        same, sizes = first[which], ends - starts
        equal = bool((sizes == sizes[same]).all() and (begin == begin[same]).all())
        if not equal or any((part != part[np.searchsorted(long, same[long])]).any() for long, part in rest):
            raise Unusual  # two words with one key
    return first, which


def _kinds(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first place of each number, and for every place which number it is.

    A table knows by some bits of a number where it first was. Numbers that share their bits with another are sorted.
    """
    bits = ((key * _MIXED_BY) >> np.uint64(64 - _BITS)).view(np.int64)
    place, table = np.arange(len(key)), np.empty(1 << _BITS, np.int64)
    table[bits[::-1]] = place[::-1]  # what is written last stays
    before = table[bits]
    first, others = np.flatnonzero(before == place), np.flatnonzero(key[before] != key)
    table[bits[first]] = np.arange(len(first))
    which = table[bits]
    if len(others):
        first_of_others, which_of_others = _sorted_kinds(key[others])
        which[others] = len(first) + which_of_others
        first = np.concatenate([first, others[first_of_others]])
    return first, which


def _sorted_kinds(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same by sorting; np.unique would sort more slowly."""
    order = np.argsort(key)
    ordered = key[order]
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    which = np.empty(len(key), np.int64)
    which[order] = np.cumsum(begins) - 1
    return np.minimum.reduceat(order, np.flatnonzero(begins)), which


def texts_of(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> list[str]:
    """Some words as text. They are copied some at a time, for the places of all their bytes would fill the memory."""
    found: list[str] = []
    for k in range(0, len(starts), _COPIED):
        begins = starts[k : k + _COPIED]
        sizes = ends[k : k + _COPIED] - begins + 1  # with a line feed behind each
        behind = np.cumsum(sizes)
        joined: np.ndarray = text[np.repeat(begins - (behind - sizes), sizes) + np.arange(behind[-1])]
        joined[behind - 1] = NEWLINE
        found += str(joined.tobytes(), "utf-8").split("\n")[:-1]
    return found
