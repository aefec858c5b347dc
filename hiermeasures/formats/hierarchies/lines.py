"""Formats with a line per class or path: taxonomy lines, a parent and its children between tabs (as
the WikiVitals hierarchy); outlines, a class per line, below the nearest line above it that is
indented less; lists of `child is-a parent`; paths, as Google's product taxonomy and those of QIIME,
Greengenes and SILVA; and MeSH's own list of headings, `Name;C04.588`. A class on several lines has
several parents.
"""

import re
from contextlib import suppress

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.label_notation import notation_of
from hiermeasures.formats.hierarchies import building
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening, content_lines, said_lines
from hiermeasures.formats.hierarchies.tables import (
    TREE_NUMBER,
    cells_of,
    column_name,
    header_direction,
    read_labels,
    read_table,
    read_tree_numbers,
    table_columns,
)
from hiermeasures.formats.source import Limits, Source

SEPARATORS = {**building.LINE_BREAKS, "\t": "a tab", "#": "a #, which may begin a comment"}  # of outlines
WEIGHTS = {"weight", *ATTRIBUTES}
DEEPEST = 200  # levels of an outline that are written


def read_taxonomy(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = building.ParsedEdges()
    if text.count("\t") > limits.lines:
        raise source.error(f"has more than {limits.lines:,} tabs, which is the most that is read here")
    for number, line in content_lines(text):
        names = [name.strip() for name in line.rstrip("\t\n ").split("\t")]
        if not all(names):
            raise source.error("a name between two tabs is missing", number)
        if len(names) == 1:
            parsed.isolated.append(names[0])
        for child in names[1:]:
            parsed.add(names[0], child, number)
    return building.build(parsed, source, limits)


def write_taxonomy(h: Hierarchy) -> str:
    building.check_unweighted(h, "a taxonomy file")
    building.check_writable(h, "a taxonomy file", {"\t": "a tab", **building.LINE_BREAKS})
    rows = [(label, *h.children(label)) for label in h.nodes[h.virtual_root :] if h.children(label)]
    rows += [(label, "") for label in building.isolated_classes(h)]
    for row in rows:
        if row[0].startswith("#"):
            raise InputError(
                f"a taxonomy file cannot start a line with class {shown(row[0])}, which would be a comment"
            )
    return "".join("\t".join(row) + "\n" for row in rows)


def _has_taxonomy(opening: Opening) -> bool:
    if opening.extension in TAXONOMY.extensions:
        return True
    if opening.delimiter != "\t":
        return False
    first = opening.lines[0].strip().split("\t")
    if table_columns(first) or (header_direction(first) and WEIGHTS.issuperset(map(column_name, first[2:]))):
        return False
    return any(_holds_children(line) for line in opening.lines)


def _holds_children(line: str) -> bool:
    fields = line.rstrip("\t ").split("\t")
    if len(fields) != 3:
        return len(fields) > 3
    try:
        float(fields[2])
    except ValueError:
        return True
    return False


TAXONOMY = HierarchyFormat(
    key="taxonomy",
    title="Taxonomy lines",
    extensions=(".taxonomy",),
    description="a parent followed by all its children, separated by tabs",
    read=read_taxonomy,
    write=write_taxonomy,
    has_lines=_has_taxonomy,
    drops=True,
)


# --- outlines -----------------------------------------------------------------------------------


def read_outline(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = building.ParsedEdges()
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
            parsed.add(above[-1][1], name, number)
        elif depth:
            raise source.error("the first line of an outline is not indented", number)
        else:
            parsed.isolated.append(name)
        above.append((depth, name))
    return building.build(parsed, source, limits)


def write_outline(h: Hierarchy) -> str:
    """The hierarchy as an outline; what is below a class with several parents is written once."""
    building.check_unweighted(h, "an outline")
    building.check_writable(h, "an outline", SEPARATORS)
    if h.depth > DEEPEST:
        raise InputError(f"an outline of {h.depth:,} levels would be too wide to read; write an edge list instead")
    written: set[str] = set()
    lines: list[str] = []
    ahead = [(0, label) for label in reversed(building.tops(h))]
    while ahead:
        depth, label = ahead.pop()
        lines.append("\t" * depth + label + "\n")
        if label not in written:
            written.add(label)
            ahead += [(depth + 1, child) for child in reversed(h.children(label))]
    return "".join(lines)


def _has_outline(opening: Opening) -> bool:
    if opening.extension in OUTLINE.extensions:
        return True
    lines = [line.rstrip() for line in opening.lines]
    indented = [line for line in lines if line[0] in " \t"]
    if not indented or indented[0] is lines[0]:
        return False
    names = [line.strip() for line in lines]
    if any("\t" in name for name in names):
        return False
    return not all(len(name.split()) in (2, 3) or "," in name for name in names)


OUTLINE = HierarchyFormat(
    key="outline",
    title="Outline",
    extensions=(".outline",),
    description="a class per line, indented below its parent with tabs or spaces",
    read=read_outline,
    write=write_outline,
    has_lines=_has_outline,
    drops=True,
)


# --- is-a lists ---------------------------------------------------------------------------------

_IS_A = re.compile(r"[\s,;]is[-_ ]?an?[\s,;]", re.IGNORECASE)


def read_is_a(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = building.ParsedEdges()
    for number, line in content_lines(text):
        names = [name.strip(" \t,;") for name in _IS_A.split(line)]
        if len(names) != 2 or not all(names):
            raise source.error(f"a line is `child is-a parent`, not {shown(line, 40)}", number)
        parsed.add(names[1], names[0], number)
    if not parsed.lines:
        raise source.error("holds no edges, only comments")
    return building.build(parsed, source, limits)


IS_A = HierarchyFormat(
    key="is-a",
    title="Is-a list",
    extensions=(".isa",),
    description="`child is-a parent` per line, such as `cat is-a carnivore` or `Q146,is_a,Q3395974`",
    read=read_is_a,
    has_lines=lambda opening: bool(opening.lines) and all(map(_IS_A.search, opening.lines)),
)


# --- paths and MeSH headings ---------------------------------------------------------------------

_LINEAGE = re.compile(r"(([a-z]{1,2}|D_\d+)__[^;]*|[^;]+)(;\s*([a-z]{1,2}|D_\d+)__[^;]*)+;?|([^;]+;)+")


def read_paths(text: str, source: Source, limits: Limits) -> Hierarchy:
    lines, numbers = said_lines(text)
    if not lines:
        raise source.error("holds no paths, only comments")
    if table_columns(lines[0].split("\t")):
        return read_table(cells_of(lines, numbers, "\t", source), source, limits)
    column = _lineage_column(lines[:1000])
    labels = lines if column is None else [(*line.split("\t"), *[""] * column)[column] for line in lines]
    return read_labels(list(map(str.strip, labels)), numbers, None, source, limits)


def _lineage_column(lines: list[str]) -> int | None:
    """The column of tab-separated lines with taxonomic paths, as k__Bacteria; p__Firmicutes."""
    rows = [line.split("\t") for line in lines]
    for k in range(max(map(len, rows), default=0)):
        some = [row[k].strip() for row in rows if len(row) > k and row[k].strip()]
        if some and 2 * sum(bool(_LINEAGE.fullmatch(cell)) for cell in some) > len(lines):
            return k
    return None


def _has_paths(opening: Opening) -> bool:
    if opening.extension in PATHS.extensions:
        return True
    lines = opening.lines
    if _lineage_column(lines) is not None:
        return not _has_headings(opening)
    mark = opening.delimiter
    if opening.extension == ".csv" or "\t" in mark or (mark in (",", ";") and all(mark in line for line in lines)):
        return False
    with suppress(InputError):
        found = notation_of(lines)
        return found is not None and found.separator.strip() == ">" and found.separator != ">"
    return False


PATHS = HierarchyFormat(
    key="paths",
    title="Paths",
    extensions=(".paths",),
    description="a path per line, such as `Audio > Headphones`, perhaps behind a number (Google's product taxonomy), "
    "or `k__Bacteria; p__Firmicutes` in a column (QIIME, Greengenes, SILVA); a class is its whole path",
    read=read_paths,
    has_lines=_has_paths,
    drops=True,
)


def read_headings(text: str, source: Source, limits: Limits) -> Hierarchy:
    entries = []
    for number, line in content_lines(text):
        name, mark, tree = line.strip().rpartition(";")
        if not mark and not source.drop:
            raise source.error(f"a heading and its tree number are separated by ';', not as in {shown(line)}", number)
        entries.append((name.strip(), tree.strip(), number))
    if not entries:
        raise source.error("holds no headings, only comments")
    return read_tree_numbers(entries, (), source, limits)


def _has_headings(opening: Opening) -> bool:
    if opening.extension in MESH.extensions:
        return True
    parts = [line.strip().rpartition(";") for line in opening.lines]
    return bool(parts) and all(name and TREE_NUMBER.fullmatch(number.strip()) for name, _, number in parts)


MESH = HierarchyFormat(
    key="mesh",
    title="MeSH headings",
    extensions=(".bin",),
    description="MeSH's `mtrees` file, `Name;C04.588` per line; a heading with several tree numbers has several "
    "parents",
    read=read_headings,
    has_lines=_has_headings,
    drops=True,
)
