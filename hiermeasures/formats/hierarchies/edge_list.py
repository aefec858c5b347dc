"""Edge lists: a line per edge, `parent child`, by tab, comma, semicolon or blank; `#` starts a
comment.

A header such as CHILD,PARENT sets the direction, a third column holds weights, and a name alone on
its line is a class without an edge. Columns that a header calls `class_weight` and `icm_weight` say
what the child of the edge weighs, or the class alone on its line, which may also stand in edges.
The delimiter is decided once for the whole file, and a line that does not fit it is named.

HEMKit's files (the tool of Kosmopoulos et al., the LSHTC data) are edge lists of whole numbers
between blanks.
"""

import csv
import io
import re
from collections.abc import Sequence
from contextlib import suppress

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies import building
from hiermeasures.formats.hierarchies.edge_columns import column_name, edge_weight, header_direction, table_columns
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening, content_lines, delimiter_of
from hiermeasures.formats.hierarchies.tables import read_rows
from hiermeasures.formats.safe_csv import SafeWriter, original_cell, safe_row
from hiermeasures.formats.source import Limits, Source, Unusual

_NUMBER = re.compile(r"[0-9]+")
_NAMES = {"\t": "tab", ",": "comma", ";": "semicolon", " ": "blank"}
_LINE = re.compile(r"\d+(\s+\d+)?")


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    delimiter = delimiter_of(text, source)
    if (table := _table(text, delimiter, source, limits)) is not None:
        return table
    return _read(text, delimiter, source, limits)


def _read(text: str, delimiter: str, source: Source, limits: Limits, *, whole_numbers: bool = False) -> Hierarchy:
    """An edge list by arrays, where there is NumPy and nothing unusual in it, else line by line."""
    with suppress(Unusual, ModuleNotFoundError):
        from hiermeasures.formats.hierarchies import edge_arrays

        if not source.drop:
            return edge_arrays.read(text, delimiter, source, limits, whole_numbers=whole_numbers)
    lines = content_lines(text)
    for number, line in lines if whole_numbers else ():
        if not _LINE.fullmatch(line.strip()):
            raise source.error(f"a line of a HEMKit file is two whole numbers, not {shown(line, 40)}", number)
    if not lines:
        raise source.error("holds no edges, only comments")
    rows = split_rows(lines, delimiter, source)
    return building.build(_edges(rows, [n for n, _ in lines], delimiter, source), source, limits)


def _table(text: str, delimiter: str, source: Source, limits: Limits) -> Hierarchy | None:
    """The hierarchy of a table whose header has more columns than an edge list; else None."""
    first = next((line for line in text.split("\n", 1000)[:1000] if line.strip() and line.lstrip()[0] != "#"), "")
    if delimiter == " " or not table_columns(first.replace('"', "").split(delimiter)):
        return None
    lines = content_lines(text)
    return read_rows(split_rows(lines, delimiter, source), [n for n, _ in lines], source, limits)


def split_rows(lines: Sequence[tuple[int, str]], delimiter: str, source: Source) -> list[list[str]]:
    """Return the fields of each line; quotes are CSV's between commas and semicolons only."""
    if delimiter == " ":
        return [line.split() for _, line in lines]
    if delimiter == "\t":
        rows = [[original_cell(field.strip()) for field in line.split("\t")] for _, line in lines]
        _check_tabs(lines, rows, source)
        return rows
    return [_csv_fields(line, delimiter, source, n) for n, line in lines]


def _check_tabs(lines: Sequence[tuple[int, str]], rows: list[list[str]], source: Source) -> None:
    """Refuse a line of two words without a tab where names elsewhere are single words."""
    alone = [k for k, row in enumerate(rows) if len(row) == 1 and " " in row[0]]
    if alone and not any(" " in field for row in rows if len(row) > 1 for field in row):
        number, line = lines[alone[0]]
        raise source.error(
            f"{shown(line.strip())} has no tab, but other lines separate their names by tabs "
            "(a class on its own whose name holds blanks takes a tab at its end)",
            number,
        )


def _csv_fields(line: str, delimiter: str, source: Source, number: int) -> list[str]:
    try:
        fields = next(csv.reader([line], delimiter=delimiter, strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise source.error(f"the cells cannot be told apart ({error})", number) from None
    return [original_cell(field.strip()) for field in fields]


def _edges(rows: list[list[str]], numbers: list[int], delimiter: str, source: Source) -> building.ParsedEdges:
    parsed = building.ParsedEdges()
    direction = header_direction(rows[0])
    start = 1 if direction else 0
    columns = {k: column_name(title) for k, title in enumerate(rows[0]) if start and column_name(title) in ATTRIBUTES}
    for number, row in zip(numbers[start:], rows[start:], strict=True):
        if columns:
            row = _without_weights(row, columns, direction, parsed=parsed, number=number, source=source)
        fields = _without_empty_end(row)
        if len(fields) == 2 and all(fields):
            parsed.add(fields[0], fields[1], number)
            continue
        if len([field for field in fields if field]) == 1 and len(fields) <= 2:
            parsed.isolated.append(fields[-1])
        elif len(fields) == 3 and fields[0] and fields[1]:
            parsed.weights[len(parsed.parents)] = edge_weight(fields[2], source, number)
            parsed.add(fields[0], fields[1], number)
        elif fields:
            raise source.error(_misfit(fields, delimiter), number)
    if direction < 0:
        parsed.parents, parsed.children = parsed.children, parsed.parents
        parsed.complete = source.drop and bool(parsed.isolated)
    return parsed


def _without_weights(
    row: list[str], columns: dict[int, str], direction: int, parsed: building.ParsedEdges, number: int, source: Source
) -> list[str]:
    """Remove the columns of class weights from a row; note the weights in `parsed`."""
    rest = _without_empty_end([field for k, field in enumerate(row) if k not in columns])
    child = rest[:2][::direction][-1:]
    label = (child and child[0]) or "".join(rest[:2])
    for k, name in columns.items():
        if k < len(row) and row[k] and label:
            known = parsed.attributes.setdefault(label, {})
            if known.setdefault(name, row[k]) != row[k]:
                two = " and ".join(shown(str(text), 20)[1:-1] for text in (known[name], row[k]))
                raise source.error(f"class {shown(label)} has two weights, {two}", number)
    return rest


def _misfit(fields: list[str], delimiter: str) -> str:
    if not all(fields):
        return "a name between two delimiters is missing"
    hint = "; names that hold blanks need a tab or a comma between parent and child" if delimiter == " " else ""
    mark = _NAMES[delimiter]
    return f"parent and child, separated by a {mark}, are expected, but there are {len(fields)} fields{hint}"


def _without_empty_end(row: list[str]) -> list[str]:
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return row[:end]


# --- writing ------------------------------------------------------------------------------------


def write(h: Hierarchy) -> str:
    """The hierarchy as tab-separated edges; a class without an edge is its name and a tab."""
    building.check_writable(h, "a tab-separated edge list", {"\t": "a tab", **building.LINE_BREAKS})
    header, rows = _rows(h)
    for row in rows:
        if (first := row[0] or row[1]).startswith("#"):
            raise InputError(
                f"a tab-separated edge list cannot hold class {shown(first)}, which would be a comment; write CSV"
            )
    if len(header) > 3 or header[-1] in (*ATTRIBUTES, "title") or header_direction(rows[0]):
        rows.insert(0, header)
    return "".join("\t".join(safe_row(row)) + "\n" for row in rows)


def write_csv(h: Hierarchy) -> str:
    """The hierarchy as CSV with a header; cells that a spreadsheet could run are made safe."""
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
    lengths = building.weights_if_any(h, "an edge list", allowed=True)
    attributes = building.class_weights_if_any(h, "an edge list", allowed=True)
    names = list(next(iter(attributes.values()), ()))
    called = {label: text for label in h.titles if (text := h.caption(label)[1])}

    def of_class(label: str) -> list[str]:
        return [*map(repr, attributes.get(label, {}).values()), *([called.get(label, "")] if called else [])]

    rows = [[p, c, *([repr(lengths[p, c])] if lengths else []), *of_class(c)] for p, c in edges]
    if attributes or called:
        rows += [["", top, *([""] if lengths else []), *of_class(top)] for top in building.tops(h)]
    else:
        rows += [[label, ""] for label in building.isolated_classes(h)]
    return ["parent", "child", *(["weight"] if lengths else []), *names, *(["title"] if called else [])], rows


EDGES = HierarchyFormat(
    key="edges",
    title="Edge list",
    extensions=(".tsv", ".txt", ".edges"),
    description="`parent child` per line, separated by tabs, commas, semicolons or blanks, with an optional weight; "
    "with a header also `class_weight`; and the tables below",
    read=read,
    write=write,
    has_lines=lambda opening: True,
    drops=True,
    titles=True,
)


CSV = HierarchyFormat(
    key="csv",
    title="Edge list as CSV",
    extensions=(".csv",),
    description="columns parent and child, in either order if a header names them, with an optional weight "
    "and `class_weight`; and the tables below",
    read=read,
    write=write_csv,
    has_lines=lambda opening: opening.delimiter in (",", ";"),
    drops=True,
    titles=True,
)


# --- HEMKit -------------------------------------------------------------------------------------


def read_hemkit(text: str, source: Source, limits: Limits) -> Hierarchy:
    return _read(text, " ", source, limits, whole_numbers=True)


def write_hemkit(h: Hierarchy) -> str:
    building.check_unweighted(h, "a HEMKit file")
    for label in h.nodes[h.virtual_root :]:
        if not _NUMBER.fullmatch(label):
            raise InputError(f"a HEMKit file holds whole numbers only, and class {shown(label)} is none")
    alone = building.isolated_classes(h)
    if alone:
        raise InputError(f"a HEMKit file holds edges only, and class {shown(alone[0])} has none")
    return "".join(f"{p} {c}\n" for p, c in building.written_edges(h))


def _is_hemkit(opening: Opening) -> bool:
    rows = map(str.split, opening.lines)
    return opening.delimiter == " " and all(len(row) == 2 and all(map(str.isdecimal, row)) for row in rows)


HEMKIT = HierarchyFormat(
    key="hemkit",
    title="HEMKit",
    extensions=(".hemkit",),
    description="`parent child` in whole numbers per line",
    read=read_hemkit,
    write=write_hemkit,
    has_lines=_is_hemkit,
)
