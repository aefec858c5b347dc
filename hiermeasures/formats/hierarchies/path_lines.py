"""Lists of paths, a line each: Google's product taxonomy with and without numbers, the taxonomies
of QIIME, Greengenes and SILVA without a header; and MeSH's own list of headings, `Name;C04.588`.
"""

import re
from contextlib import suppress

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.label_notation import notation_of
from hiermeasures.formats.hierarchies.edge_columns import table_columns
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening, content_lines
from hiermeasures.formats.hierarchies.tables import TREE_NUMBER, read_labels, read_rows, read_tree_numbers
from hiermeasures.formats.source import Limits, Source

_LINEAGE = re.compile(r"(([a-z]{1,2}|D_\d+)__[^;]*|[^;]+)(;\s*([a-z]{1,2}|D_\d+)__[^;]*)+;?|([^;]+;)+")


def read_paths(text: str, source: Source, limits: Limits) -> Hierarchy:
    lines = content_lines(text)
    if not lines:
        raise source.error("holds no paths, only comments")
    if table_columns(lines[0][1].split("\t")):
        return read_rows([line.split("\t") for _, line in lines], [number for number, _ in lines], source, limits)
    column = _lineage_column([line for _, line in lines[:1000]])
    labels = [_cell(line, column) for _, line in lines]
    return read_labels(labels, [number for number, _ in lines], None, source, limits)


def _cell(line: str, column: int | None) -> str:
    if column is None:
        return line.strip()
    return dict(enumerate(line.split("\t"))).get(column, "").strip()


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


# --- MeSH ---------------------------------------------------------------------------------------


def read_headings(text: str, source: Source, limits: Limits) -> Hierarchy:
    entries = []
    for number, line in content_lines(text):
        name, mark, tree = line.strip().rpartition(";")
        if not mark and not source.drop:
            raise source.error(
                f"a heading and its tree number, separated by ';', are expected, not {shown(line)}", number
            )
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
