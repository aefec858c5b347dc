"""Edge lists: `parent child` on each line, separated by a tab, comma, semicolon or blank.

`#` starts a comment. A header such as CHILD,PARENT sets the direction. A third column contains
weights. A name alone on its line is a class. The columns `class_weight` and `icm_weight` contain
the weight of the child, or of a class alone on its line. All lines use one separator. Tables with
other headers are read by tables.py.

Files of HEMKit (the tool of Kosmopoulos et al., the LSHTC data) are edge lists of whole numbers.
"""

import io
from collections.abc import Sequence
from itertools import repeat

from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies import building
from hiermeasures.read.hierarchies.format import (
    FormatText,
    HierarchyFormat,
    content_lines,
    delimiter_of,
    said_lines,
)
from hiermeasures.read.hierarchies.lines import is_lineage
from hiermeasures.read.hierarchies.tables import (
    FIXED,
    cells_of,
    fixed_columns,
    header_direction,
    is_doubtful_header,
    is_list_of_pairs,
    read_codes,
    read_edges,
    read_table,
    table_columns,
    title_above,
)
from hiermeasures.read.reading import ROLES
from hiermeasures.read.safe_csv import SafeWriter, safe_row
from hiermeasures.read.source import Source


def read(text: str, source: Source) -> Hierarchy:
    if (at := text.find("\r")) >= 0:
        reason = (
            "contains a carriage return (CR) inside a line. Save it with Unix or Windows line ends."
        )
        raise source.error(reason, text.count("\n", 0, at) + 1)
    delimiter = delimiter_of(text, source)
    lines, numbers = said_lines(text)
    if not lines:
        raise source.error("contains only comments and no edges")
    if _has_bars(lines, numbers, source):
        delimiter = "|"
    if fixed := fixed_columns(lines):
        return read_codes(*fixed, numbers, source).with_understood(columns=FIXED)
    skipped = ""
    if delimiter != " " and title_above([line.split(delimiter) for line in lines[:3]]):
        skipped, lines, numbers = (
            f"line {numbers[0]}, above the header, is not read",
            lines[1:],
            numbers[1:],
        )
    cells = cells_of(lines, numbers, delimiter, source)
    bare = [cell.replace('"', "") for cell in cells.header]
    if bare != cells.header and (table_columns(bare) or header_direction(bare)):
        raise source.error(
            "the header contains a quote that belongs to no cell. Remove it.", numbers[0]
        )
    if source.options.keys() & set(ROLES) or (delimiter != " " and table_columns(cells.header)):
        return read_table(cells, source).with_understood(skipped=skipped)
    return read_edges(cells, source)


def _has_bars(lines: Sequence[str], numbers: Sequence[int], source: Source) -> bool:
    """Return True if bars separate the columns of a table. Raise InputError if each line has bars
    but no header shows that they separate columns.
    """
    counts = set(map(str.count, lines, repeat("|")))
    if 0 in counts or len(lines) < 2 or any("\t" in line for line in lines):
        return False
    header = [cell.strip() for cell in lines[0].split("|")]
    asked = bool(source.options.keys() & set(ROLES))
    if len(counts) == 1 and (asked or table_columns(header) or header_direction(header)):
        return True
    raise source.error(
        "each line contains '|'. If it separates columns, add a header such as parent|child or "
        "code|title, or name the columns (--child, --parent, --code). If the lines are paths, "
        "separate their parts by ' > '",
        numbers[0],
    )


# --- writing ------------------------------------------------------------------------------------


def write(h: Hierarchy) -> str:
    """Return the hierarchy as tab-separated edges. The line of a class without an edge is its name
    and a tab.
    """
    building.check_writable(h, "a tab-separated edge list", {"\t": "a tab", **building.LINE_BREAKS})
    header, rows = _rows(h)
    for row in rows:
        if (first := row[0] or row[1]).startswith("#"):
            raise InputError(
                f"a tab-separated edge list cannot contain class {shown(first)}, because it would "
                "be a comment. Write CSV"
            )
    named = len(header) > 3 or header[-1] in (*ATTRIBUTES, "title")
    named = named or any(is_lineage(cell) for row in rows for cell in row[:2])
    if named or header_direction(rows[0]) or is_doubtful_header(rows) or is_list_of_pairs(rows):
        rows.insert(0, header)
    return "".join("\t".join(safe_row(row)) + "\n" for row in rows)


def write_csv(h: Hierarchy) -> str:
    """Return the hierarchy as CSV with a header. Cells that a spreadsheet could run are made safe."""
    building.check_writable(h, "a CSV edge list", {"\t": "a tab", **building.LINE_BREAKS})
    header, rows = _rows(h)
    out = io.StringIO()
    writer = SafeWriter(out)
    writer.writerow(header)
    for row in rows:
        if row[0].startswith("#"):
            out.write('"' + row[0].replace('"', '""') + '",')
            writer.writerow(row[1:])
        else:
            writer.writerow(row)
    return out.getvalue()


def _rows(h: Hierarchy) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows: edges, and classes that have no parent but need a row."""
    edges = building.written_edges(h)
    lengths, attributes = building.weights_if_any(h), building.class_weights_if_any(h)
    names = list(next(iter(attributes.values()), ()))
    called = {label: text for label in h.titles if (text := h.caption(label)[1])}

    def of_class(label: str) -> list[str]:
        return [
            *map(repr, attributes.get(label, {}).values()),
            *([called.get(label, "")] if called else []),
        ]

    rows = [[p, c, *([repr(lengths[p, c])] if lengths else []), *of_class(c)] for p, c in edges]
    if attributes or called:
        rows += [["", top, *([""] if lengths else []), *of_class(top)] for top in building.tops(h)]
    else:
        rows += [[label, ""] for label in building.isolated_classes(h)]
    return [
        "parent",
        "child",
        *(["weight"] if lengths else []),
        *names,
        *(["title"] if called else []),
    ], rows


EDGES = HierarchyFormat(
    key="edges",
    title="Edge list",
    extensions=(".tsv", ".txt", ".edges"),
    description=(
        "`parent child` per line, separated by tabs, commas, semicolons or blanks, with an "
        "optional weight. A header also allows `class_weight` and the tables below"
    ),
    read=read,
    write=write,
    has_lines=lambda opening: True,
    takes=("errors", *ROLES, "rule"),
    titles=True,
)


CSV = HierarchyFormat(
    key="csv",
    title="Edge list as CSV",
    extensions=(".csv",),
    description=(
        "columns parent and child, with an optional weight and `class_weight`. A header can "
        "change their order. Also the tables below"
    ),
    read=read,
    write=write_csv,
    has_lines=lambda opening: opening.delimiter in (",", ";"),
    takes=("errors", *ROLES, "rule"),
    titles=True,
)


# --- HEMKit -------------------------------------------------------------------------------------


def read_hemkit(text: str, source: Source) -> Hierarchy:
    for number, line in () if _is_of_pairs(text) else content_lines(text):
        if not _is_of_numbers(line):
            raise source.error(
                f"a line of a HEMKit file must be two whole numbers, not {shown(line, 40)}", number
            )
    return read(text, source)


def _is_of_pairs(text: str) -> bool:
    """Return True if each line is two numbers with a blank between them. This check is quick."""
    numbers = text.replace(" ", "").replace("\n", "").isdecimal()
    return numbers and set(map(str.count, text.rstrip("\n").split("\n"), repeat(" "))) == {1}


def _is_of_numbers(line: str) -> bool:
    words = line.split()
    return len(words) <= 2 and all(map(str.isdecimal, words))


def write_hemkit(h: Hierarchy) -> str:
    building.check_unweighted(h, "a HEMKit file")
    for label in h.nodes[h.virtual_root :]:
        if not (label.isascii() and label.isdecimal()):
            raise InputError(
                f"a HEMKit file contains only whole numbers, and class {shown(label)} is not one. "
                "Write an edge list instead"
            )
    if alone := building.isolated_classes(h):
        raise InputError(
            f"a HEMKit file contains only edges, and class {shown(alone[0])} has no edge. "
            "Write an edge list instead"
        )
    return "".join(f"{p} {c}\n" for p, c in building.written_edges(h))


def _is_hemkit(opening: FormatText) -> bool:
    return opening.delimiter == " " and all(
        " " in line.strip() and _is_of_numbers(line) for line in opening.lines
    )


HEMKIT = HierarchyFormat(
    key="hemkit",
    title="HEMKit",
    extensions=(".hemkit",),
    description="`parent child` in whole numbers per line",
    read=read_hemkit,
    write=write_hemkit,
    has_lines=_is_hemkit,
)
