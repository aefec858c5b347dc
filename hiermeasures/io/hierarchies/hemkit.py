"""HEMKit's hierarchy files: `parent child` in whole numbers, a line per edge (the tool of Kosmopoulos et al., the LSHTC
data).
"""

import re
from contextlib import suppress

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import ParsedEdges, build, check_unweighted, isolated_classes, written_edges
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening, content_lines
from hiermeasures.io.hierarchies.pairs import build_pairs, content_of, pairs
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import Unusual

_NUMBER = re.compile(r"[0-9]+")
_IS_ORDINARY = np.zeros(256, bool)
_IS_ORDINARY[np.frombuffer(b"0123456789 \t\n\0", np.uint8)] = True  # zeros are behind the text


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a HEMKit file."""
    with suppress(Unusual):
        lines = content_of(text)
        found = pairs(lines, " ", limits)
        if found.weight is None and _IS_ORDINARY[lines].all():
            return build_pairs(found, source, limits)
    return _read_line_by_line(text, source, limits)


def _read_line_by_line(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = ParsedEdges()
    lines: list[int] = []
    for number, line in content_lines(text):
        fields = line.split()
        for field in fields:
            if not field.isdecimal():
                raise source.error(f"a HEMKit file holds whole numbers, but here is {shown(field)}", number)
        if len(fields) == 2:
            parsed.parents.append(fields[0])
            parsed.children.append(fields[1])
            lines.append(number)
        elif len(fields) == 1:
            parsed.isolated.append(fields[0])
        else:
            raise source.error(f"a line is `parent child`, but here are {len(fields)} numbers", number)
    parsed.lines = lines
    return build(parsed, source, limits)


def write(h: Hierarchy) -> str:
    """The hierarchy as a HEMKit file."""
    check_unweighted(h, "a HEMKit file")
    for label in h.nodes[h.virtual_root :]:
        if not _NUMBER.fullmatch(label):
            raise InputError(f"a HEMKit file holds whole numbers only, and class {shown(label)} is none")
    alone = isolated_classes(h)
    if alone:
        raise InputError(f"a HEMKit file holds edges only, and class {shown(alone[0])} has none")
    return "".join(f"{p} {c}\n" for p, c in written_edges(h))


def _has_lines(opening: Opening) -> bool:
    rows = map(str.split, opening.lines)
    return opening.delimiter == " " and all(len(row) == 2 and all(map(str.isdecimal, row)) for row in rows)


FORMAT = HierarchyFormat(
    "hemkit", "HEMKit", (".hemkit",), "`parent child` in whole numbers per line", read, write, has_lines=_has_lines
)
