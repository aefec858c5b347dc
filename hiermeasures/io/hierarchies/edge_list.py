"""Edge lists: a line per edge, `parent child`, by tab, comma, semicolon or blank; `#` starts a comment.

A header such as CHILD,PARENT sets the direction, a third column holds weights, and a name alone on its line is a class
without an edge. Columns that a header calls `class_weight` and `icm_weight` say what the child of the edge weighs, or
the class alone on its line, which may also stand in edges. The delimiter is decided once for the whole file, and a line
that does not fit it is named.
"""

import csv
import io
import re
from collections.abc import Sequence
from contextlib import suppress

from hiermeasures.class_weights import ATTRIBUTES, CLASS_WEIGHT
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import (
    LINE_BREAKS,
    ParsedEdges,
    build,
    check_writable,
    class_weights_if_any,
    isolated_classes,
    tops,
    weights_if_any,
    written_edges,
)
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening, content_lines, find_delimiter
from hiermeasures.io.hierarchies.pairs import build_pairs, content_of, pairs
from hiermeasures.io.safe_csv import SafeWriter, original_cell
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import PADDING, Unusual

_PARENT = re.compile(r"parents?([_-]\w+|id|code|name)?|source|from|broader|superclass|hypernym|supertype")
_CHILD = re.compile(
    r"child(ren)?([_-]\w+|id|code|name)?|target|to|narrower|subclass|hyponym|subtype|id|class|label|name|node|term|code|category|concept"
)
_NAMES = {"\t": "tab", ",": "comma", ";": "semicolon", " ": "blank"}


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of an edge list."""
    with suppress(Unusual):
        return _read_pairs(text, source, limits)
    return _read_line_by_line(text, source, limits)


def _read_pairs(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a list of nothing but edges, perhaps with a header and weights; Unusual for any other."""
    lines = content_of(text)
    data = lines[:-PADDING].tobytes()
    delimiter = next((mark for mark in "\t,;" if mark.encode() in data), " ")
    if (b'"' in data and delimiter not in ",;") or (delimiter == "," and b";" in data):
        raise Unusual
    first = data[: data.index(b"\n")].decode()
    try:
        (titles,) = split_rows([(1, first)], delimiter, source)
    except InputError:
        raise Unusual from None
    direction = header_direction(titles)
    if not direction:
        return build_pairs(pairs(lines, delimiter, limits), source, limits)
    columns = [k for k, title in enumerate(titles) if _column(title) in ATTRIBUTES]
    if columns and (_column(titles[-1]) != CLASS_WEIGHT or columns != [len(titles) - 1]):
        raise Unusual
    lines, of_class = lines[data.index(b"\n") + 1 :], columns[0] if columns else None
    found = pairs(lines, delimiter, limits, upwards=direction < 0, weight_of_class=of_class)
    return build_pairs(found, source, limits)


def _read_line_by_line(text: str, source: Source, limits: Limits) -> Hierarchy:
    lines = content_lines(text)
    if not lines:
        raise source.error("holds no edges, only comments")
    delimiter = find_delimiter([line for _, line in lines], source)
    rows = split_rows(lines, delimiter, source)
    return build(_edges(rows, [n for n, _ in lines], delimiter, source), source, limits)


def split_rows(lines: Sequence[tuple[int, str]], delimiter: str, source: Source) -> list[list[str]]:
    """The fields of each line. Quotes are CSV's in comma and semicolon files, and ordinary characters elsewhere."""
    if delimiter == " ":
        return [line.split() for _, line in lines]
    if delimiter == "\t":
        rows = [[field.strip() for field in line.split("\t")] for _, line in lines]
        _check_tabs(lines, rows, source)
        return rows
    return [_csv_fields(line, delimiter, source, n) for n, line in lines]


def _check_tabs(lines: Sequence[tuple[int, str]], rows: list[list[str]], source: Source) -> None:
    """In a tab file whose names are all single words, a line of two words is more likely a forgotten tab than a
    name.
    """
    alone = [k for k, row in enumerate(rows) if len(row) == 1 and " " in row[0]]
    if alone and not any(" " in field for row in rows if len(row) > 1 for field in row):
        n, line = lines[alone[0]]
        raise source.error(
            f"{shown(line.strip())} has no tab, but other lines separate their names by tabs "
            "(a class on its own whose name holds blanks takes a tab at its end)",
            n,
        )


def _csv_fields(line: str, delimiter: str, source: Source, number: int) -> list[str]:
    if '"' in line:
        try:
            fields = next(csv.reader([line], delimiter=delimiter, strict=True, skipinitialspace=True))
        except csv.Error as error:
            raise source.error(f"the quotes do not fit together ({error})", number) from None
    else:
        fields = line.split(delimiter)
    return [original_cell(field.strip()) if "'" in field else field.strip() for field in fields]


def header_direction(fields: Sequence[str]) -> int:
    """1 for a header parent, child; -1 for child, parent; 0 for no header.

    >>> header_direction(["CHILD", "PARENT"])
    -1
    """
    if len(fields) in (2, 3) or (len(fields) in (4, 5) and set(map(_column, fields[3:])) <= set(ATTRIBUTES)):
        first, second = map(_column, fields[:2])
        if _PARENT.fullmatch(first) and _CHILD.fullmatch(second):
            return 1
        if _CHILD.fullmatch(first) and _PARENT.fullmatch(second):
            return -1
    return 0


def names_weights(fields: Sequence[str]) -> bool:
    """Whether it is a header of parents, children and their weights, which looks like a parent with several children.

    >>> names_weights(["parent", "child", "class_weight"]), names_weights(["parent", "child", "nephew"])
    (True, False)
    """
    return header_direction(fields) != 0 and {"weight", *ATTRIBUTES}.issuperset(map(_column, fields[2:]))


def _column(title: str) -> str:
    return title.lower().replace(" ", "_")


def _edges(rows: list[list[str]], numbers: list[int], delimiter: str, source: Source) -> ParsedEdges:
    parsed = ParsedEdges()
    lines: list[int] = []
    direction = header_direction(rows[0])
    start = 1 if direction else 0
    columns = {k: _column(title) for k, title in enumerate(rows[0]) if start and _column(title) in ATTRIBUTES}
    for number, row in zip(numbers[start:], rows[start:], strict=True):
        if columns:
            row = _without_weights(row, columns, direction, parsed, number, source)
        if len(row) == 2 and row[0] and row[1]:
            parsed.parents.append(row[0])
            parsed.children.append(row[1])
            lines.append(number)
            continue
        fields = _without_empty_end(row)
        if len([field for field in fields if field]) == 1 and len(fields) <= 2:
            parsed.isolated.append(fields[-1])
        elif len(fields) == 3 and fields[0] and fields[1]:
            parsed.weights[len(parsed.parents)] = _weight(fields[2], number, source)
            parsed.parents.append(fields[0])
            parsed.children.append(fields[1])
            lines.append(number)
        elif fields:
            raise source.error(_misfit(fields, delimiter), number)
    if direction < 0:
        parsed.parents, parsed.children = parsed.children, parsed.parents
    parsed.lines = lines
    return parsed


def _without_weights(
    row: list[str], columns: dict[int, str], direction: int, parsed: ParsedEdges, number: int, source: Source
) -> list[str]:
    """The row without the columns of class weights, which are taken down."""
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


def _without_empty_end(row: list[str]) -> list[str]:
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return row[:end]


def _weight(text: str, number: int, source: Source) -> float:
    try:
        weight = float(text)
    except ValueError:
        raise source.error(
            f"the third column is an edge weight, a positive number, but here it is {shown(text)}", number
        ) from None
    if not 0 < weight < float("inf"):
        raise source.error(f"an edge weight is a positive number, not {shown(text)[1:-1]}", number)
    return weight


def _misfit(fields: list[str], delimiter: str) -> str:
    if not all(fields):
        return "a name between two delimiters is missing"
    hint = "; names that hold blanks need a tab or a comma between parent and child" if delimiter == " " else ""
    return (
        f"parent and child, separated by a {_NAMES[delimiter]}, are expected, but there are {len(fields)} fields{hint}"
    )


# --- writing ------------------------------------------------------------------------------------------------------


def write(h: Hierarchy) -> str:
    """The hierarchy as tab-separated edges, a class without an edge as its name and a tab."""
    check_writable(h, "a tab-separated edge list", {"\t": "a tab", **LINE_BREAKS})
    header, rows = _rows(h)
    for row in rows:
        if (first := row[0] or row[1]).startswith("#"):
            raise InputError(
                f"a tab-separated edge list cannot hold class {shown(first)}, which would be a comment; write CSV"
            )
    if len(header) > 3 or header[-1] in ATTRIBUTES or header_direction(rows[0]):
        rows.insert(0, header)
    return "".join("\t".join(row) + "\n" for row in rows)


def write_csv(h: Hierarchy) -> str:
    """The hierarchy as CSV with a header; cells that a spreadsheet could run are made safe."""
    check_writable(h, "a CSV edge list", {"\t": "a tab", **LINE_BREAKS})
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
    """The header and the rows: every edge, and every class that is no child of one, if it has no edge or a weight."""
    edges = written_edges(h)
    lengths = weights_if_any(h, "an edge list", allowed=True)
    attributes = class_weights_if_any(h, "an edge list", allowed=True)
    names = list(next(iter(attributes.values()), ()))
    rows = [
        [p, c, *([repr(lengths[p, c])] if lengths else []), *map(repr, attributes.get(c, {}).values())]
        for p, c in edges
    ]
    if attributes:
        rows += [["", top, *([""] if lengths else []), *map(repr, attributes[top].values())] for top in tops(h)]
    else:
        rows += [[label, ""] for label in isolated_classes(h)]
    return ["parent", "child", *(["weight"] if lengths else []), *names], rows


EDGES = HierarchyFormat(
    "edges",
    "Edge list",
    (".tsv", ".txt", ".edges"),
    "`parent child` per line, separated by tabs, commas, semicolons or blanks, with an optional weight; with a header "
    "also `class_weight`",
    read,
    write,
    has_lines=lambda opening: True,
)


def _is_csv(opening: Opening) -> bool:
    return opening.delimiter in (",", ";")


CSV = HierarchyFormat(
    "csv",
    "Edge list as CSV",
    (".csv",),
    "columns parent and child, in either order if a header names them, with an optional weight and `class_weight`",
    read,
    write_csv,
    has_lines=_is_csv,
)
