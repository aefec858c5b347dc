"""The [Term] stanzas of an OBO file as columns: which terms there are, and what is said of each. What else there is
(the header, [Typedef], [Instance]) is passed over.

An ordinary file is read as arrays, any other line by line, which is also how every fault is found. What the terms are
for is the business of obo.py and hiermeasures.io.ontology.
"""

import re
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from operator import ne

import numpy as np

from hiermeasures.errors import shown
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import (
    NEWLINE,
    Names,
    Unusual,
    encoded,
    holds_any,
    lines_in,
    plain_bytes,
    trimmed,
    which_begins,
)

TAGS = ("id", "is_a", "part_of", "namespace", "alt_id", "is_obsolete")  # part_of is one of `relationship:`
ID, IS_A, PART_OF, NAMESPACE, ALT_ID, IS_OBSOLETE = range(len(TAGS))
_BEGIN = (b"id:", b"is_a:", b"relationship:", b"namespace:", b"alt_id:", b"is_obsolete:")
_WHOLE = b"part_of "  # of a relationship
_UNTIL_COMMENT = re.compile(r"(?:[^\\!{]++|\\.?)*+", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)")
_MEANS = {"n": "\n", "t": "\t", "W": " ", "r": "\r"}


@dataclass(frozen=True)
class Terms:
    """Statements in the order of the file: `tag` is a place in TAGS, `term` counts the stanzas, `value` is a place in
    `names`, where each stands once, and `line` is the number of the line.
    """

    names: list[str]
    tag: np.ndarray
    term: np.ndarray
    value: np.ndarray
    line: np.ndarray

    def said(self, *tags: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What some tags say: of which term, what (as in `value`), and in which line."""
        chosen = np.isin(self.tag, tags)
        return self.term[chosen], self.value[chosen], self.line[chosen]

    @property
    def ids(self) -> np.ndarray:
        """The id of each term, as in `value`."""
        return self.said(ID)[1]

    @property
    def namespaces(self) -> list[str]:
        """The namespace of each term, empty where it has none."""
        found = [""] * len(self.ids)
        for term, value in zip(*(column.tolist() for column in self.said(NAMESPACE)[:2]), strict=True):
            found[term] = self.names[value]
        return found

    @property
    def obsolete(self) -> np.ndarray:
        """Whether each term is obsolete."""
        term, value, _ = self.said(IS_OBSOLETE)
        found = np.zeros(len(self.ids), bool)
        found[term] = [self.names[k].lower() == "true" for k in value.tolist()]  # what is said last stays
        return found


def terms_of(text: str, source: Source, limits: Limits) -> Terms:
    """The [Term] stanzas of a text; an InputError where there is none."""
    with suppress(Unusual):
        return _terms_as_arrays(text, limits)
    return _terms_line_by_line(text, source)


# --- ordinary files -----------------------------------------------------------------------------------------------


def _terms_as_arrays(text: str, limits: Limits) -> Terms:
    data = plain_bytes(encoded(text) + b"\n")
    starts, ends = lines_in(data)
    first = data[starts]
    if ((first == ord(" ")) | (first == ord("\t"))).any():
        raise Unusual
    opens = first == ord("[")
    is_term = np.zeros(len(opens), bool)
    is_term[opens] = which_begins(data, starts[opens], [b"[Term]"]) == 0
    of_term = np.append(False, is_term[opens])[np.cumsum(opens)]  # the first lines are in no stanza
    inside = np.flatnonzero(of_term & ~opens & (first != NEWLINE) & (first != ord("!")))
    tag = which_begins(data, starts[inside], _BEGIN)
    _check_colons(data, starts[inside[tag < 0]], ends[inside[tag < 0]])
    inside, tag = inside[tag >= 0], tag[tag >= 0]
    term = np.cumsum(is_term)[inside] - 1
    if not np.array_equal(term[tag == ID], np.arange(np.count_nonzero(is_term))):
        raise Unusual
    return _values(data, starts[inside], ends[inside], tag, term, inside + 1, limits)


def _check_colons(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
    """Unusual for a line without a colon."""
    colons = np.append(np.flatnonzero(data == ord(":")), len(data))
    if (colons[np.searchsorted(colons, starts)] >= ends).any():
        raise Unusual


def _values(
    data: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    tag: np.ndarray,
    term: np.ndarray,
    line: np.ndarray,
    limits: Limits,
) -> Terms:
    """What some lines say, of which the tags are known."""
    starts, ends = _without_comments(data, starts + np.array([len(word) for word in _BEGIN])[tag], ends)
    relation = tag == PART_OF
    if holds_any(data, b"\\", starts[relation], ends[relation]):
        raise Unusual
    whole = relation.copy()
    whole[relation] = which_begins(data, starts[relation], [_WHOLE]) == 0
    whole &= ends - starts > len(_WHOLE)
    starts, ends = trimmed(data, starts + len(_WHOLE) * whole, ends)
    if (starts == ends)[(tag == ID) | (tag == IS_A)].any():
        raise Unusual
    said = whole | ~relation
    names = Names(limits)
    value = names.of(data, starts[said], ends[said])
    return Terms(_unescaped(list(names)), tag[said], term[said], value, line[said])


def _without_comments(data: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values without their comments and trailing modifiers."""
    marks = np.append(np.flatnonzero((data == ord("!")) | (data == ord("{"))), len(data))
    first = marks[np.searchsorted(marks, begins)]
    if (data[first[first < ends] - 1] == ord("\\")).any():
        raise Unusual
    return trimmed(data, begins, np.minimum(first, ends))


def _unescaped(names: list[str]) -> list[str]:
    found = [_without_escapes(name) for name in names]
    if any(map(ne, found, map(str.strip, found))) or (found != names and len(set(found)) < len(found)):
        raise Unusual
    return found


# --- any file -----------------------------------------------------------------------------------------------------


def _terms_line_by_line(text: str, source: Source) -> Terms:
    names: dict[str, int] = {}
    tags, terms, values, lines = (array("q") for _ in range(4))
    for term, tag, value, number in _said_line_by_line(text, source):
        for column, entry in zip(
            (tags, terms, values, lines), (tag, term, names.setdefault(value, len(names)), number), strict=True
        ):
            column.append(entry)
    return Terms(list(names), *(np.array(column, np.int64) for column in (tags, terms, values, lines)))


def _said_line_by_line(text: str, source: Source) -> Iterator[tuple[int, int, str, int]]:
    """What the stanzas say: of which term, by which tag, what, and in which line."""
    term, start, name = -1, 0, ""  # the place of the present term, its line (0 outside of terms) and its id
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip(" \t")
        if line.startswith("["):
            _check_named(name, start, source)
            start, name = (number if line.startswith("[Term]") else 0), ""
            term += start > 0
        elif start and line and not line.startswith("!"):
            tag, value = _statement(line, number, source)
            if tag == ID:
                if name:
                    raise source.error(f"term {shown(name)} has a second id", number)
                name = value
            if tag is not None and (tag != ID or value):
                yield term, tag, value, number
    _check_named(name, start, source)


def _check_named(name: str, start: int, source: Source) -> None:
    if start and not name:
        raise source.error("the term that starts here has no id", start)


def _statement(line: str, number: int, source: Source) -> tuple[int | None, str]:
    """The tag, None for one that is not read, and what it says."""
    tag, colon, rest = line.partition(":")
    if not colon:
        raise source.error(f"a line of a term is `tag: value`, not {shown(line, 40)}", number)
    if tag == "relationship":
        kind, _, whole = _value(rest).partition(" ")
        return (PART_OF, whole.strip()) if kind == "part_of" and whole else (None, "")
    if tag not in TAGS or tag == "part_of":
        return None, ""
    value = _value(rest)
    if tag == "is_a" and not value:
        raise source.error("is_a without a parent", number)
    return TAGS.index(tag), value


def _value(rest: str) -> str:
    """A value without its comment and trailing modifiers, escapes resolved.

    >>> _value(r" a\\Wb {source=x} ! a name")
    'a b'
    """
    begin = _UNTIL_COMMENT.match(rest)
    assert begin is not None
    return _without_escapes(begin[0].strip(" \t"))


def _without_escapes(value: str) -> str:
    return _ESCAPE.sub(lambda m: _MEANS.get(m[1], m[1]), value) if "\\" in value else value
