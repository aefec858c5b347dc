"""Labels that contain their ancestors: paths such as A > B, and codes such as 01.11.

Separators join the parts of a path. The beginnings of a code are its ancestors. The name of a class
is its whole path, because a part may occur in several paths. This module recognises and reads
notations. `Hierarchy.from_paths`, `from_codes` and `from_ranks` build hierarchies from them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from hiermeasures.hierarchy.code_rules import is_decimal
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.words import write_count

# the first one that most labels contain is the separator
MARKS = ("->", "::", ">", "|", ";", "/", "\\")
DEEPEST, LONGEST = 200, 10_000
"""The largest number of parts of a path or levels of a code, and of characters of either.

The name of a class is a whole path. So the names of all classes on a path together may be as long as
its length times its number of parts.
"""
MOST_NAMES = 500_000_000
"""The largest number of characters of all class names, plus `PER_CLASS` for each class."""
PER_CLASS = 50
_LOOKED_AT = 20_000  # labels
_CODE = re.compile(r"(EC[ :])?[A-Za-z]{0,3}\d[0-9A-Za-z]*(\.([0-9A-Za-z]+|-))*")
_EMPTY_RANK = re.compile(r"([a-z]{1,2}|D_\d+)__")  # an unknown rank in QIIME
_UNKNOWN_PART = re.compile("-*")  # EC 1.1.1.- is somewhere below 1.1.1
# the start of a path in the taxonomies of Google and Shopify
_NUMBER = re.compile(r"\d+ - |gid://\S+ +: ")
_MOST_DIGITS = 6


@dataclass(frozen=True)
class Notation:
    """The notation of paths or codes.

    Attributes
    ----------
    separator : str
        The text between the parts.
    levels : tuple of int
        The number of letters and digits at each level of a code, instead of a separator.
    of_codes : bool
        True for codes, False for paths.
    numbered : bool
        True if a number precedes each path.
    spelled : bool
        True if each character after the separator is a level.

    Examples
    --------
    >>> Notation(" > ").way("A > B > C")
    ('A', 'A > B', 'A > B > C')
    >>> Notation(levels=(2, 3, 4)).way("01.11")
    ('01', '01.1', '01.11')
    >>> Notation(".", of_codes=True).way("EC 1.1.-.-")
    ('EC 1', 'EC 1.1')
    """

    separator: str = ""
    levels: tuple[int, ...] = ()
    of_codes: bool = False
    numbered: bool = False
    spelled: bool = False

    def way(self, label: str) -> tuple[str, ...]:
        """Return the classes from the top down to a label, or the part of them that is readable."""
        label = label[: LONGEST + 1]
        if self.levels:
            ends = [k for k, character in enumerate(label, 1) if character.isalnum()]
            return tuple(
                label[: ends[n - 1]].strip() for n in self.levels[: DEEPEST + 1] if n <= len(ends)
            )
        parts = self.parts(label)[: DEEPEST + 1]
        whole = parts[: parts.index("")] if "" in parts else parts
        if self.spelled and len(whole) > 1:
            head, tail = f"{whole[0]}{self.separator}{whole[1][0]}", whole[1][1:]
            return (whole[0], *accumulate((head, *tail)))
        way = tuple(accumulate(whole, self.extend))
        return tuple(map(self.separator.__add__, way)) if label.startswith(self.separator) else way

    def extend(self, above: str, part: str) -> str:
        """Return the path of a part below a path."""
        return f"{above}{self.separator}{part}"

    def parts(self, label: str) -> list[str]:
        """Return the parts of a path. A part is empty if a level is skipped."""
        bare = self.separator.strip()
        if self.numbered and (number := _NUMBER.match(label)):
            label = label[number.end() :]
        # k__A;p__B among k__A; p__B
        if self.separator == f"{bare} " and self.separator not in label:
            label = label.replace(bare, self.separator)
        parts = [
            part.strip()
            for part in label.replace(f"{bare} {bare}", f"{bare}  {bare}").split(self.separator)
        ]
        empty = _UNKNOWN_PART if self.of_codes else _EMPTY_RANK
        while parts and (not parts[-1] or empty.fullmatch(parts[-1])):
            parts.pop()
        return parts[1:] if len(parts) > 1 and not parts[0] else parts

    def fault(self, label: str) -> str | None:
        """Return why a label cannot be read to its end, or None."""
        if len(label) > LONGEST:
            return f"label {shown(label, 40)} has {len(label):,} characters. A path may have at most {LONGEST:,}"
        if self.levels:
            size = sum(map(str.isalnum, label))
            if size in self.levels:
                level = self.levels.index(size) + 1
                return None if level <= DEEPEST else _too_deep(label, level)
            levels = ", ".join(map(str, self.levels))
            return f"code {shown(label)} has {size} characters, but the levels have {levels}"
        parts = self.parts(label)
        if len(parts) > DEEPEST:
            return _too_deep(label, len(parts))
        if not parts:
            return f"path {shown(label)} has no parts"
        return (
            f"path {shown(label)} skips a level: a part between its separators is empty"
            if "" in parts
            else None
        )

    def title(self, label: str) -> str:
        """Return the last part of a path. A code is its own title."""
        if self.of_codes or self.levels:
            return label
        last = label.rpartition(self.separator)[2]
        return _NUMBER.sub("", last, count=1) if self.numbered and last == label else last

    def __str__(self) -> str:
        if self.levels:
            return f"codes with {', '.join(map(str, self.levels))} characters"
        if self.spelled:
            return f"codes with a level for each character after {shown(self.separator)}"
        numbers = " after numbers" * self.numbered
        return (
            f"{'codes' if self.of_codes else 'paths'}{numbers} separated by {shown(self.separator)}"
        )


def _too_deep(label: str, parts: int) -> str:
    return f"path {shown(label, 40)} has {parts:,} parts. A path may have at most {DEEPEST}"


RANKS = Notation(" > ")


def notation_by_rule(rule: str) -> Notation:
    """Return the notation of codes with a separator, or with the lengths of levels.

    >>> str(notation_by_rule("1,3,4")), str(notation_by_rule("."))
    ('codes with 1, 3, 4 characters', "codes separated by '.'")
    """
    if not rule[0].isdecimal():
        return Notation(rule, of_codes=True)
    lengths = rule.split(",")
    if not all(n.isdecimal() and int(n) > 0 for n in lengths):
        raise InputError(
            f"levels of codes must be whole numbers from 1, such as 1,3,4, not {shown(rule)}"
        )
    return Notation(levels=tuple(sorted(set(map(int, lengths)))), of_codes=True)


def edges_of(
    ways: Iterable[Sequence[str]], most: int = MOST_NAMES
) -> tuple[list[str], list[int], list[int]]:
    """Return all classes on some paths, and the edges between them.

    Returns
    -------
    tuple of list
        The classes, and the numbers of the parents and of the children of the edges.

    Raises
    ------
    InputError
        If all class names together have more than `most` characters.
    """
    above: dict[str, str | None] = {}
    size = 0
    for way in ways:
        for parent, label in zip((None, *way), way, strict=False):
            if label not in above:
                above[label] = parent
                size += len(label) + PER_CLASS
        if size > most:
            raise InputError(
                f"the labels up to {shown(way[-1], 40)} make {len(above):,} classes. Their names "
                f"are whole paths and have more than {most:,} characters together. Shorten the "
                "labels, or give a hierarchy"
            )
    place = dict(zip(above, range(len(above)), strict=True))
    edges = [(place[parent], place[label]) for label, parent in above.items() if parent is not None]
    return list(above), [parent for parent, _ in edges], [label for _, label in edges]


def ways_of(labels: Iterable[str], notation: Notation) -> Iterator[tuple[str, ...]]:
    """Return the path of each different label. It raises InputError if a label cannot be read."""
    different = [label for label in dict.fromkeys(labels) if label.strip()]
    faults = [fault for label in different if (fault := notation.fault(label))]
    if faults:
        raise InputError(
            faults[0]
            + (f" ({len(faults) - 1:,} more labels have faults)" if len(faults) > 1 else "")
        )
    return map(notation.way, different)


def titles_of(classes: Sequence[str], notation: Notation) -> dict[str, str]:
    """Return the last part of each path, except parts that several paths end with."""
    last = [notation.title(label) for label in classes]
    times = Counter(last)
    return {
        label: title
        for label, title in zip(classes, last, strict=True)
        if times[title] == 1 and title != label
    }


def told(notation: Notation, depth: int, classes: int) -> str:
    """Describe a notation in one line.

    >>> told(Notation(" > "), 4, 5595)
    "paths separated by ' > ', 4 levels, 5,595 classes"
    """
    return f"{notation}, {write_count(depth, 'level')}, {write_count(classes, 'class')}"


def notation_of(labels: Iterable[str]) -> Notation | None:
    """Recognise the notation of most labels, or return None.

    Codes without separators consist of digits, and each digit is a level. Whole numbers that fill
    their range are numbers, not codes.

    Raises
    ------
    InputError
        If the labels mix two separators.

    Examples
    --------
    >>> str(notation_of(["A > B", "A > C"])), str(notation_of(["1111", "1120", "2"]))
    ("paths separated by ' > '", 'codes with 1, 2, 3, 4 characters')
    """
    different = [label for label in map(str.strip, dict.fromkeys(labels)) if label]
    sample = different[:: max(1, len(different) // _LOOKED_AT)]
    if sample and all(map(_CODE.fullmatch, sample)):
        return _codes(sample)
    times = {mark: sum(mark in label for label in sample) for mark in MARKS}
    mark = next((mark for mark in MARKS if times[mark] and 2 * times[mark] >= len(sample)), None)
    if mark is None:
        return None
    holding = [label for label in sample if mark in label]
    spaced = (f" {mark} ", f"{mark} ")
    separator = next((each for each in spaced if all(each in label for label in holding)), mark)
    found = Notation(separator, numbered=all(map(_NUMBER.match, sample)))
    _check_mixed(sample, found, len(holding))
    return found


def _codes(sample: Sequence[str]) -> Notation | None:
    sizes = sorted({sum(map(str.isalnum, label)) for label in sample})
    if any("." in label for label in sample):
        known = set(sample)
        within = any(label[:-1] in known and label[-2] != "." for label in sample if "." in label)
        parts = any(label.count(".") > 1 for label in sample) or is_decimal(sample) is False
        return Notation(".", of_codes=True, spelled=within and not parts)
    if not all(map(str.isdecimal, sample)) or not 1 < sizes[-1] <= _MOST_DIGITS:
        return None
    numbers = {int(label) for label in sample}
    if 10 * len(numbers) >= 9 * (max(numbers) - min(numbers) + 1):
        return None
    return Notation(levels=tuple(range(1, sizes[-1] + 1)), of_codes=True)


def _check_mixed(sample: Sequence[str], found: Notation, count: int) -> None:
    own = found.separator.strip()
    tops = {part for label in sample if own in label for part in found.parts(label)[:1]}
    for mark in MARKS:
        odd = [
            x for x in sample if own not in x and mark in x and x.partition(mark)[0].strip() in tops
        ]
        if odd:
            raise InputError(
                f"the labels mix separators: {len(odd):,} have {shown(mark)}, such as "
                f"{shown(odd[0])}, and {count:,} have {shown(found.separator)}. Use the same "
                "separator everywhere, or name the right one (paths=)"
            )


def ways_of_ranks(
    rows: Iterable[Sequence[Any]], names: Sequence[str] | None = None
) -> Iterator[tuple[str, ...]]:
    """Return the path in each row of a table with a column for each rank, the top rank first.

    The classes on a path are named by their whole paths.

    >>> list(ways_of_ranks([("Life", "Cat"), ("Life", None)]))
    [('Life', 'Life > Cat'), ('Life',)]
    """
    ways: dict[tuple[str, ...], None] = {}
    for number, row in enumerate(rows, 1):
        parts = ["" if part is None or part != part else str(part).strip() for part in row]
        filled = parts[
            : len(parts) - next((k for k, part in enumerate(reversed(parts)) if part), len(parts))
        ]
        if "" in filled:
            rank = filled.index("")
            column = shown(str(names[rank])) if names else f"column {rank + 1}"
            raise InputError(
                f"row {number} skips a rank: {column} is empty, but {shown(filled[-1])} is below it"
            )
        if len(filled) > DEEPEST or sum(map(len, filled)) > LONGEST:
            raise InputError(
                f"row {number} is a path of {len(filled):,} ranks and {sum(map(len, filled)):,} "
                f"characters. A path may have at most {DEEPEST} and {LONGEST:,}"
            )
        ways[tuple(filled)] = None
    return (tuple(accumulate(way, RANKS.extend)) for way in ways if way)
