"""Taxonomy lines: a parent and all its children, separated by tabs, a line per parent (the layout of the WikiVitals
hierarchy).
"""

from contextlib import suppress

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.cells import cells_in
from hiermeasures.io.hierarchies.building import (
    LINE_BREAKS,
    ParsedEdges,
    build,
    check_unweighted,
    check_writable,
    isolated_classes,
)
from hiermeasures.io.hierarchies.edge_list import names_weights
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening, content_lines
from hiermeasures.io.hierarchies.pairs import Pairs, build_pairs, content_of, pairs_of
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import Unusual


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a taxonomy file."""
    with suppress(Unusual):
        return build_pairs(_pairs(text, limits), source, limits)
    return _read_line_by_line(text, source, limits)


def _pairs(text: str, limits: Limits) -> Pairs:
    """The edges of an ordinary file: one in which every line has children."""
    cells = cells_in(content_of(text), "\t")
    if not cells.filled.all() or cells.widths.min() < 2 or len(cells.starts) > limits.lines:
        raise Unusual
    child = np.delete(np.arange(len(cells.starts)), cells.first)
    parent = np.repeat(cells.first, cells.widths - 1)
    return pairs_of(cells, parent, child, limits)


def _read_line_by_line(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = ParsedEdges()
    lines: list[int] = []
    if text.count("\t") > limits.lines:
        raise source.error(f"has more than {limits.lines:,} tabs, which is the most that is read here")
    for number, line in content_lines(text):
        names = [name.strip() for name in line.rstrip("\t\n ").split("\t")]
        if not all(names):
            raise source.error("a name between two tabs is missing", number)
        if len(names) == 1:
            parsed.isolated.append(names[0])
        for child in names[1:]:
            parsed.parents.append(names[0])
            parsed.children.append(child)
            lines.append(number)
    parsed.lines = lines
    return build(parsed, source, limits)


def write(h: Hierarchy) -> str:
    """The hierarchy as taxonomy lines."""
    check_unweighted(h, "a taxonomy file")
    check_writable(h, "a taxonomy file", {"\t": "a tab", **LINE_BREAKS})
    rows = [(label, *h.children(label)) for label in h.nodes[h.virtual_root :] if h.children(label)]
    rows += [(label, "") for label in isolated_classes(h)]
    for row in rows:
        if row[0].startswith("#"):
            raise InputError(
                f"a taxonomy file cannot start a line with class {shown(row[0])}, which would be a comment"
            )
    return "".join("\t".join(row) + "\n" for row in rows)


def _has_lines(opening: Opening) -> bool:
    if opening.extension in FORMAT.extensions:
        return True
    if opening.delimiter != "\t" or names_weights(opening.lines[0].strip().split("\t")):
        return False
    return any(_holds_children(line) for line in opening.lines)


def _holds_children(line: str) -> bool:
    """Whether a tab-separated line is a parent with several children: more than three names, or a third that is no
    weight.
    """
    fields = line.rstrip("\t ").split("\t")
    if len(fields) != 3:
        return len(fields) > 3
    try:
        float(fields[2])
    except ValueError:
        return True
    return False


FORMAT = HierarchyFormat(
    "taxonomy",
    "Taxonomy lines",
    (".taxonomy",),
    "a parent followed by all its children, separated by tabs",
    read,
    write,
    has_lines=_has_lines,
)
