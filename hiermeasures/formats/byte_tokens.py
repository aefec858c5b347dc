"""Words in arrays of bytes: trimmed, recognised, numbered, and made text again, by NumPy."""

from collections.abc import Iterator, Sequence

import numpy as np

NEWLINE = ord("\n")
PADDING = 8  # zeros after a text, because words are read eight bytes at a time
_KEPT = np.array([(1 << 8 * k) - 1 for k in range(9)], np.uint64)  # masks of the first k of eight bytes
_MIXED_BY = np.uint64(0x9E3779B97F4A7C15)
_COPIED = 1 << 16  # words at a time
_BLANKS = 1000  # are trimmed by arrays on each side of a cell, more by Python
_IS_BLANK = np.isin(np.arange(256), [NEWLINE, ord(" "), ord("\t")])
_BITS = 20  # of a key, its place in a table, at most


def padded(data: bytes) -> np.ndarray:
    return np.frombuffer(data + bytes(PADDING), np.uint8)


def trimmed(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts = _past_blanks(text, starts, ends, 1)
    return starts, _past_blanks(text, ends, starts, -1)


def _past_blanks(text: np.ndarray, places: np.ndarray, until: np.ndarray, step: int) -> np.ndarray:
    """Move places over the blanks after them; with `step` -1, over those before."""

    def at_blank(places: np.ndarray, until: np.ndarray) -> np.ndarray:
        byte = text[places + min(step, 0)]
        here: np.ndarray = (byte <= ord(" ")) & (step * (until - places) > 0)
        return here & _IS_BLANK[byte] if here.any() else here

    places, moving = places.copy(), np.flatnonzero(at_blank(places, until))
    for _ in range(_BLANKS):
        if not len(moving):
            return places
        places[moving] += step
        moving = moving[at_blank(places[moving], until[moving])]
    for k in moving.tolist():
        rest = text[slice(*sorted((places[k], until[k])))].tobytes()
        places[k] += step * (len(rest) - len(rest.lstrip() if step > 0 else rest.rstrip()))
    return places


def which_begins(text: np.ndarray, places: np.ndarray, words: Sequence[bytes]) -> np.ndarray:
    """Return which of some words stands at each place, -1 for none.

    No word has a line feed, none begins with another, and no place is behind the last line feed.
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
    return np.uint64(np.frombuffer(word[:8].ljust(8, b"\0"), np.uint64)[0])


def _eights(text: np.ndarray) -> np.ndarray:
    return np.ndarray((len(text) - 7,), np.uint64, text, strides=(1,))


# --- numbers for words --------------------------------------------------------------------------


class TooLong(Exception):
    """A name beyond the limit, and which of those given it is."""

    def __init__(self, place: int, name: str) -> None:
        super().__init__()
        self.place, self.name = place, name


class Names:
    """Numbers for names of up to so many characters, in the order in which they are first seen,
    over one text after another.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def of(self, text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """The numbers of the words of a text (int32); TooLong for one that is."""
        if not len(starts):
            return np.zeros(0, np.int32)
        if int((ends - starts).max()) > self._longest:
            for k in np.flatnonzero(ends - starts > self._longest).tolist():
                name = text[starts[k] : ends[k]].tobytes().decode()
                if len(name) > self._longest:
                    raise TooLong(k, name)
        kinds = _distinct(text, starts, ends)
        if kinds is None:
            return self.of_texts(texts_of(text, starts, ends))
        first, which = kinds
        order = np.argsort(first)
        found = np.empty(len(first), np.int32)
        found[order] = self._numbered(texts_of(text, starts[first[order]], ends[first[order]]))
        numbers: np.ndarray = found[which]
        return numbers

    def of_texts(self, names: Sequence[str]) -> np.ndarray:
        """The numbers of some names, which may be there several times (int32)."""
        if max(map(len, names), default=0) > self._longest:
            place = next(k for k, name in enumerate(names) if len(name) > self._longest)
            raise TooLong(place, names[place])
        different = list(dict.fromkeys(names))
        numbers = self._numbered(different)
        if len(different) < len(names):
            numbers = list(map(dict(zip(different, numbers, strict=True)).__getitem__, names))
        return np.array(numbers, np.int32)

    def _numbered(self, names: list[str]) -> range | list[int]:
        if not (known := self._numbers):
            known.update(zip(names, range(len(names)), strict=True))
            return range(len(names))
        return [known.setdefault(name, len(known)) for name in names]


def keys_of(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """A number for each word, the same for the same words; two words rarely have the same."""
    return _keys(text, starts, ends)[0]


_Parts = list[tuple[np.ndarray, np.ndarray]]


def _keys(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray, _Parts]:
    """Return a number for each word (its bytes up to eight, else a hash), the first eight bytes,
    and for longer and longer words which they are and their next eight bytes.
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


def _distinct(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the place of a word of each kind, and every word's kind; None if two share a key."""
    key, begin, rest = _keys(text, starts, ends)
    first, which = _kinds(key)
    if rest:
        same, sizes = first[which], ends - starts
        equal = bool((sizes == sizes[same]).all() and (begin == begin[same]).all())
        if not equal or any((part != part[np.searchsorted(long, same[long])]).any() for long, part in rest):
            return None
    return first, which


def _kinds(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first place of each number, and for every place which number it is.

    A table knows by some bits of a number where it first was. Numbers that share their bits with
    another are sorted.
    """
    width = min(_BITS, len(key).bit_length() + 2)
    bits = ((key * _MIXED_BY) >> np.uint64(64 - width)).view(np.int64)
    place, table = np.arange(len(key)), np.empty(1 << width, np.int64)
    table[bits[::-1]] = place[::-1]  # what is written last stays
    before = table[bits]
    first, others = np.flatnonzero(before == place), np.flatnonzero(key[before] != key)
    table[bits[first]] = np.arange(len(first))
    which = table[bits]
    if len(others):
        _, first_of_others, which_of_others = np.unique(key[others], return_index=True, return_inverse=True)
        which[others] = len(first) + which_of_others
        first = np.concatenate([first, others[first_of_others]])
    return first, which


def texts_of(text: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> list[str]:
    """Return words as text, copied some at a time to bound the memory."""
    found: list[str] = []
    for k in range(0, len(starts), _COPIED):
        begins, stops = starts[k : k + _COPIED], ends[k : k + _COPIED]
        sizes = stops - begins + 1  # with a line feed behind each
        behind = np.cumsum(sizes)
        joined: np.ndarray = text[np.repeat(begins - (behind - sizes), sizes) + np.arange(behind[-1])]
        joined[behind - 1] = NEWLINE
        words = str(joined.tobytes(), "utf-8").split("\n")[:-1]
        if len(words) != len(begins):  # some have line feeds
            words = [text[a:b].tobytes().decode() for a, b in zip(begins.tolist(), stops.tolist(), strict=True)]
        found += words
    return found
