"""Outlines: a class per line, below the nearest line before it that is indented less. The indentation is of tabs or of
spaces, and a class that stands in several places has several parents.
"""

from contextlib import suppress

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import (
    LINE_BREAKS,
    NumberedEdges,
    ParsedEdges,
    build,
    build_numbered,
    check_unweighted,
    check_writable,
    tops,
)
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening, content_lines
from hiermeasures.io.hierarchies.pairs import content_of
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import Names, Unusual, holds_any, lines_in, trimmed

SEPARATORS = {**LINE_BREAKS, "\t": "a tab", "#": "a #, which may begin a comment"}
DEEPEST = 200  # levels that are written
_ORDINARY = 50  # levels that are read at once


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of an outline."""
    with suppress(Unusual):
        return build_numbered(_edges(text, limits), source, limits)
    return _read_line_by_line(text, source, limits)


def _edges(text: str, limits: Limits) -> NumberedEdges:
    """The edges of an ordinary outline."""
    lines = content_of(text)
    starts, ends = lines_in(lines)
    begins, ends = trimmed(lines, starts, ends)
    if (begins == ends).any():
        raise Unusual
    if holds_any(lines, b" ", starts, begins) and holds_any(lines, b"\t", starts, begins):
        raise Unusual
    above = _lines_above(begins - starts)
    names = Names(limits)
    number = names.of(lines, begins, ends).astype(np.int64)
    below = above >= 0
    parent, child = number[above[below]], number[below]
    if (parent == child).any():
        raise Unusual
    return NumberedEdges(list(names), parent, child, np.zeros(0, np.int64), number[~below])


def _lines_above(depth: np.ndarray) -> np.ndarray:
    """The place of the line that each line of an outline stands below, -1 for none, from how far each is indented."""
    levels, place, above = np.unique(depth), np.arange(len(depth)), np.full(len(depth), -1)
    if len(levels) > _ORDINARY or depth[0]:
        raise Unusual
    for level in levels:
        here = np.flatnonzero(depth == level)
        above[here] = np.maximum.accumulate(np.where(depth < level, place, -1))[here]
        last = np.maximum.accumulate(np.where(depth <= level, place, -1))[here[here > 0] - 1]
        if ((depth[last] != level) & (last != here[here > 0] - 1)).any():
            raise Unusual  # indented like none above
    return above


def _read_line_by_line(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = ParsedEdges()
    lines: list[int] = []
    above: list[tuple[int, str]] = []  # the classes that the last line stood in and its own, with their indentations
    used = ""
    for number, line in content_lines(text):
        depth, name = len(line) - len(line.lstrip(" \t")), line.strip()
        used = used or line[:depth][:1]
        if line[:depth] != used * depth:
            raise source.error("is indented with tabs and the lines before with spaces, or both; use one", number)
        left = depth
        while above and above[-1][0] >= depth:
            left, _ = above.pop()
        if left != depth:
            raise source.error(f"{shown(name)} is indented less than the line before, and like none above it", number)
        if above:
            parsed.parents.append(above[-1][1])
            parsed.children.append(name)
            lines.append(number)
        elif depth:
            raise source.error("the first line of an outline is not indented", number)
        else:
            parsed.isolated.append(name)
        above.append((depth, name))
    parsed.lines = lines
    return build(parsed, source, limits)


def write(h: Hierarchy) -> str:
    """The hierarchy as an outline; what is below a class with several parents is written once."""
    check_unweighted(h, "an outline")
    check_writable(h, "an outline", SEPARATORS)
    if h.depth > DEEPEST:
        raise InputError(f"an outline of {h.depth:,} levels would be too wide to read; write an edge list instead")
    written: set[str] = set()
    lines: list[str] = []
    ahead = [(0, label) for label in reversed(tops(h))]
    while ahead:
        depth, label = ahead.pop()
        lines.append("\t" * depth + label + "\n")
        if label not in written:
            written.add(label)
            ahead += [(depth + 1, child) for child in reversed(h.children(label))]
    return "".join(lines)


def _has_lines(opening: Opening) -> bool:
    """Indented lines below one that is not, of which not every one could be an edge."""
    if opening.extension in FORMAT.extensions:
        return True
    lines = [line.rstrip() for line in opening.lines]
    indented = [line for line in lines if line[0] in " \t"]
    if not indented or indented[0] is lines[0]:
        return False
    names = [line.strip() for line in lines]
    if any("\t" in name for name in names):
        return False
    return not all(len(name.split()) in (2, 3) or "," in name for name in names)


FORMAT = HierarchyFormat(
    "outline",
    "Outline",
    (".outline",),
    "a class per line, indented below its parent with tabs or spaces",
    read,
    write,
    has_lines=_has_lines,
)
