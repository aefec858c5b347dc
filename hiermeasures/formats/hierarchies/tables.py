"""Read hierarchies from tables: split lines into cells, find each column's role by the header, and
build a hierarchy from the rows.

A table is an edge list (`parent child`, perhaps with weights), classes with their parents and
titles (`code,title,parent`), codes that begin with their parents (`code,title`), a column for each
rank (`level1,level2`), paths (`Feature ID, Taxon`), or MeSH headings with their tree numbers.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from typing import Literal

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import listed, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.label_notation import RANKS, Notation, notation_of
from hiermeasures.formats.hierarchies.building import ParsedEdges, build, check_nodes, with_notes
from hiermeasures.formats.safe_csv import original_cell
from hiermeasures.formats.source import Limits, Source

_PARENT = re.compile(r"parents?([_-]\w+|id|code|name)?|source|from|broader|superclass|hypernym|supertype")
_CHILD = re.compile(
    r"child(ren)?([_-]\w+|id|code|name)?|target|to|narrower|subclass|hyponym|subtype|id|class|label|name|node|term|code|category|concept"
)
_TITLE = re.compile(r"(\w+_)?(title|name|label|description|heading|term|text)(_\w{2})?")
_CODE = re.compile(r"(\w+_)?(code|id|ui|notation|number|nr)")
_TREE_NUMBER = re.compile(r"(mesh_)?tree_?(num(ber)?s?|nos?|nrs?)")
_PATH = re.compile(r"taxon|taxonomy|(consensus_?)?lineage|((full|category)_?)?path|classification")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_RANK = re.compile(r"(?:level|lvl|l|rank|tier|depth|category|cat)[_-]?(\d{1,2})")
_RANKS = "domain superkingdom realm kingdom phylum division class order family genus species subspecies strain".split()
Role = Literal["child", "parent", "title", "weight", "class_weight", "icm_weight", "tree", "path", "rank"]
TREE_NUMBER = re.compile(r"[A-Z]\d{2}(\.\d{3})*")
_BETWEEN = re.compile(r"[|,;\s]+")  # separators of tree numbers
_BLANKS = " \t\x0b\x0c\r\x1c\x1d\x1e\x1f"  # ASCII whitespace except the line feed
_MARKS = {"\t": "tab", ",": "comma", ";": "semicolon", " ": "blank"}


def header_direction(fields: Sequence[str]) -> int:
    """Return 1 for the header (parent, child), -1 for (child, parent), 0 for other lines.

    >>> header_direction(["CHILD", "PARENT"])
    -1
    """
    if len(fields) in (2, 3) or (len(fields) in (4, 5) and set(map(column_name, fields[3:])) <= set(ATTRIBUTES)):
        first, second = map(column_name, fields[:2])
        if _PARENT.fullmatch(first) and _CHILD.fullmatch(second):
            return 1
        if _CHILD.fullmatch(first) and _PARENT.fullmatch(second):
            return -1
    return 0


def column_name(title: str) -> str:
    return title.lower().replace(" ", "_")


def table_columns(fields: Sequence[str]) -> dict[int, Role]:
    """Return the roles of the columns to read, given a table's header; empty for an edge list's
    header and for other lines.

    >>> table_columns(["code", "title", "parent"])
    {2: 'parent', 0: 'child', 1: 'title'}
    >>> table_columns(["Feature ID", "Taxon", "Confidence"]), table_columns(["level 2", "level 1"])
    ({1: 'path'}, {1: 'rank', 0: 'rank'})
    >>> table_columns(["parent", "child", "weight"])
    {}
    """
    names = [column_name(_CAMEL.sub("_", field.strip().lstrip("\ufeff#"))) for field in fields]
    if len(names) < 2 or len(set(names)) < len(names):
        return {}
    if ranks := _ranks(names):
        return dict.fromkeys(ranks, "rank")
    parents = [k for k, name in enumerate(names) if _PARENT.fullmatch(name)]
    trees = [k for k, name in enumerate(names) if _TREE_NUMBER.fullmatch(name)]
    found: dict[int, Role] = dict.fromkeys(parents, "parent")
    found.update((k, "tree") for k in trees)
    paths = [k for k, name in enumerate(names) if _PATH.fullmatch(name)]
    if len(found) > 1 or (not found and paths):
        return {paths[0]: "path"} if not found else {}
    rest = [k for k in range(len(names)) if k not in found]
    classes = [k for k in rest if _CHILD.fullmatch(names[k]) or _CODE.fullmatch(names[k])]
    classes.sort(key=lambda k: (not names[k].startswith("child"), not _CODE.fullmatch(names[k])))
    texts = [k for k in rest if _TITLE.fullmatch(names[k]) and k not in classes[:1]]
    if not classes and not (trees and texts):
        return {}
    found[(classes or texts)[0]] = "child"
    if classes and texts:
        found[texts[0]] = "title"
    weights: dict[int, Role] = {k: name for k, name in enumerate(names) if name in ("weight", *ATTRIBUTES)}  # type: ignore[misc]
    is_edge_list = header_direction(fields) != 0 and "title" not in found.values()
    is_list = not parents and not trees and not (_CODE.fullmatch(names[classes[0]]) and "title" in found.values())
    return {} if is_edge_list or is_list or len(names) < 2 + bool(parents) else found | weights


def _ranks(names: Sequence[str]) -> list[int]:
    """Return the columns of ranks, top first; empty for fewer than two or with a parent column."""
    numbered = sorted((int(match[1]), k) for k, name in enumerate(names) if (match := _RANK.fullmatch(name)))
    named = sorted((_RANKS.index(name), k) for k, name in enumerate(names) if name in _RANKS)
    found = max(numbered, named, key=len)
    return [k for _, k in found] if len(found) > 1 and not any(_PARENT.fullmatch(name) for name in names) else []


@dataclass(frozen=True)
class Cells:
    """Stripped cells of several lines, one line after another (`flat`). `widths`: the number of
    cells in each line; `lines`: the line numbers.
    """

    flat: list[str]
    widths: Sequence[int]
    lines: Sequence[int]

    @cached_property
    def header(self) -> list[str]:
        """The first line, without empty cells at its end."""
        cells = self.flat[: self.widths[0]]
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def column(self, number: int, start: int = 0) -> list[str]:
        """Return a column's cells from row `start` on; "" for rows that are too short."""
        width = self.widths[0]
        if len(self.flat) == width * len(self.widths) and min(self.widths) == width:
            return self.flat[start * width + number :: width] if number < width else [""] * (len(self.widths) - start)
        places = accumulate(self.widths, initial=0)
        cells = [self.flat[k + number] if number < n else "" for k, n in zip(places, self.widths, strict=False)]
        return cells[start:]

    def beyond(self, width: int) -> int | None:
        """Return the index of the first row with a non-empty cell after `width` cells."""
        if max(self.widths) <= width:
            return None
        ends = accumulate(self.widths)
        cells = (self.flat[end - n + width : end] for end, n in zip(ends, self.widths, strict=True))
        return next((k for k, more in enumerate(cells) if any(more)), None)


def cells_of(lines: Sequence[str], numbers: Sequence[int], delimiter: str, source: Source) -> Cells:
    """Split lines into cells; quoted as in CSV if separated by commas or semicolons."""
    if delimiter in ",;" and any('"' in line for line in lines):
        return _quoted_cells(lines, numbers, delimiter, source)
    mark = None if delimiter == " " else delimiter
    widths = (
        [count + 1 for count in map(str.count, lines, repeat(mark))] if mark else list(map(len, map(str.split, lines)))
    )
    text = delimiter.join(lines)
    flat = text.split(mark)
    if mark and (not text.isascii() or any(blank in text for blank in _BLANKS if blank != mark)):
        flat = list(map(str.strip, flat))
    cells = Cells(list(map(original_cell, flat)) if "'" in text else flat, widths, numbers)
    if mark == "\t" and min(widths) == 1 < max(widths):
        _check_tabs(cells, source)
    return cells


def _quoted_cells(lines: Sequence[str], numbers: Sequence[int], delimiter: str, source: Source) -> Cells:
    flat: list[str] = []
    widths: list[int] = []
    rows = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        for row in rows:
            if rows.line_num > len(widths) + 1:
                raise csv.Error("a quote is not closed")
            widths.append(len(row))
            flat += row
    except csv.Error as error:
        raise source.error(f"the cells cannot be told apart ({error})", numbers[len(widths)]) from None
    return Cells([original_cell(cell.strip()) for cell in flat], widths, numbers)


def _check_tabs(cells: Cells, source: Source) -> None:
    """Refuse a line without a tab if only such lines hold blanks: its tab is missing."""
    first = cells.column(0)
    alone = [row for row, width in enumerate(cells.widths) if width == 1 and " " in first[row]]
    if alone and sum(" " in cell for cell in cells.flat) == len(alone):
        raise source.error(
            f"{shown(first[alone[0]])} has no tab, but other lines separate their names by tabs", cells.lines[alone[0]]
        )


# --- rows ---------------------------------------------------------------------------------------


def read_table(cells: Cells, source: Source, limits: Limits) -> Hierarchy:
    """Return the hierarchy of a table other than an edge list."""
    header = cells.header
    columns = table_columns(header)
    place = {role: k for k, role in columns.items()}
    if (odd := cells.beyond(len(header))) is not None:
        raise source.error(f"{cells.widths[odd]} cells, but the header has {len(header)}", cells.lines[odd])
    lines = cells.lines[1:]
    column = {role: cells.column(k, 1) for role, k in place.items()}
    if "rank" in place:
        ranks = zip(*(cells.column(k, 1) for k in columns), strict=True)
        paths = [_ranked(list(row), source, line) for row, line in zip(ranks, lines, strict=True)]
        h = read_labels(paths, lines, RANKS, source, limits)
    elif "path" in place:
        h = read_labels(column["path"], lines, None, source, limits)
    elif "child" not in place:
        raise source.error(f"no column holds the classes; the columns are {listed(header)}", cells.lines[0])
    elif "tree" in place:
        trees = [_BETWEEN.split(cell) for cell in column["tree"]]
        entries = [
            (label, number, line)
            for label, numbers, line in zip(column["child"], trees, lines, strict=True)
            for number in numbers
        ]
        titles = list(zip(column["child"], column["title"], strict=True)) if "title" in column else []
        h = read_tree_numbers(entries, titles, source, limits)
    elif "parent" in place:
        h = build(edges_of(cells, place, source), source, limits)
    else:
        h = _codes(column["child"], column["title"], lines, source, limits)
    unread = [name for k, name in enumerate(header) if k not in columns and name]
    return with_notes(h, [f"columns that are not read: {listed(unread)}"] if unread else [])


def read_edges(cells: Cells, delimiter: str, source: Source, limits: Limits) -> Hierarchy:
    """Return the hierarchy of an edge list, with or without a header."""
    direction = header_direction(cells.header)
    names = [column_name(title) for title in cells.header] if direction else []
    place: dict[Role, int] = {name: k for k, name in enumerate(names) if name in ATTRIBUTES}  # type: ignore[misc]
    rest = [k for k in range(len(place) + 3) if k not in place.values()]
    place["weight"] = rest[2]
    place["parent"], place["child"] = rest[:2] if direction >= 0 else rest[1::-1]
    if (odd := cells.beyond(len(place))) is not None:
        hint = "; names that hold blanks need a tab or a comma between parent and child" if delimiter == " " else ""
        raise source.error(
            f"parent and child, separated by a {_MARKS[delimiter]}, are expected, but there are {cells.widths[odd]} "
            f"fields{hint}",
            cells.lines[odd],
        )
    parsed = edges_of(cells, place, source, start=abs(direction), is_table=False)
    parsed.complete = source.drop and direction < 0 and bool(parsed.isolated)
    return build(parsed, source, limits)


def edges_of(
    cells: Cells, place: dict[Role, int], source: Source, start: int = 1, *, is_table: bool = True
) -> ParsedEdges:
    """Return the edges in the rows. A class alone in its row is isolated; it may stand in either
    column of an edge list, but only in the class column of a table.
    """
    column = {role: cells.column(k, start) for role, k in place.items()}
    parents, children, lines = column["parent"], column["child"], cells.lines[start:]
    weights = column["weight"] if "weight" in column else [""] * len(lines)
    labels: list[str] = children
    parsed = ParsedEdges()
    if all(parents) and all(children):
        parsed = ParsedEdges(parents, children, lines=lines)
        if any(weights):
            parsed.weights = [weight or 1.0 for weight in weights]
    else:
        labels = [child or ("" if is_table else parent) for parent, child in zip(parents, children, strict=True)]
        for parent, child, label, weight, line in zip(parents, children, labels, weights, lines, strict=True):
            if parent and child:
                parsed.weights.append(weight or 1.0)
                parsed.add(parent, child, line)
            elif weight and not is_table:
                raise source.error("a name between two delimiters is missing", line)
            elif label:
                parsed.isolated.append(label)
            elif is_table:
                parsed.faulty("no class in this row", line, source)
    for name in ("class_weight", "icm_weight"):
        for label, weight, line in zip(labels, column.get(name, []), lines, strict=False):
            if not (label and weight):
                continue
            known = parsed.attributes.get(label)
            if known is None:
                parsed.attributes[label] = {name: weight}
            elif known.setdefault(name, weight) != weight:
                two = " and ".join(shown(str(text), 20)[1:-1] for text in (known[name], weight))
                raise source.error(f"class {shown(label)} has two weights, {two}", line)
    titles = zip(labels, column.get("title", []), strict=False)
    parsed.titles = [(label, title) for label, title in titles if label and title]
    parsed.complete = is_table and bool(parsed.isolated)
    return parsed


# --- paths, codes and tree numbers ----------------------------------------------------------------


def read_labels(
    labels: Sequence[str], lines: Sequence[int], notation: Notation | None, source: Source, limits: Limits
) -> Hierarchy:
    """Return the hierarchy of paths or codes; a notation of None is detected."""
    with source.named():
        found = notation or notation_of(labels)
    if found is None:
        raise source.error("these are neither paths nor codes: what separates their parts cannot be told")
    faults = {label: fault for label in dict.fromkeys(labels) if label.strip() and (fault := found.fault(label))}
    said = [(line, faults[label]) for label, line in zip(labels, lines, strict=True) if label in faults]
    if said and not source.drop:
        raise source.error(said[0][1], said[0][0])
    with source.named():
        h = Hierarchy.from_labels((label for label in labels if label not in faults), found)
    return check_nodes(h, source, limits).without([str(Source("").error(why, line)) for line, why in said])


def _ranked(cells: list[str], source: Source, line: int) -> str:
    """Join a row's ranks to a path; a skipped rank becomes an empty part."""
    while cells and not cells[-1]:
        cells.pop()
    if odd := next((cell for cell in cells if RANKS.separator in cell), None):
        raise source.error(f"{shown(odd)} holds {shown(RANKS.separator)}, which stands between the ranks", line)
    return RANKS.separator.join(cells)


def _codes(
    codes: Sequence[str], titles: Sequence[str], lines: Sequence[int], source: Source, limits: Limits
) -> Hierarchy:
    notation = notation_of(codes)
    if notation is None or not notation.of_codes:
        raise source.error(
            "there is no column of parents, and the codes do not tell them by their beginnings; name a column 'parent'"
        )
    return read_labels(codes, lines, notation, source, limits).with_titles(zip(codes, titles, strict=True))


def read_tree_numbers(
    entries: Sequence[tuple[str, str, int]], titles: Sequence[tuple[str, str]], source: Source, limits: Limits
) -> Hierarchy:
    """Return the hierarchy of (heading, tree number, line) entries: the parent of number C04.588 is
    C04. A heading with several numbers has several parents.
    """
    parsed = ParsedEdges(titles=list(titles))
    heading: dict[str, str] = {}
    for label, number, line in entries:
        if not label:
            parsed.faulty("no heading in this row", line, source)
        elif not TREE_NUMBER.fullmatch(number):
            parsed.faulty(f"{shown(number)} is no tree number, such as C04.588", line, source)
        elif heading.setdefault(number, label) != label:
            two = f"{shown(heading[number])} and {shown(label)}"
            parsed.faulty(f"tree number {number} has two headings, {two}", line, source)
    edges: dict[tuple[str, str], int] = {}
    for label, number, line in entries:
        if heading.get(number) != label:
            continue
        above = number.rpartition(".")[0]
        if above in heading:
            edges.setdefault((heading[above], label), line)
            continue
        parsed.isolated.append(label)
        if above:
            missing = f"no heading has the tree number {above}, which is above {number} of {shown(label)}"
            parsed.faulty(missing, line, source)
    for (above, label), line in edges.items():
        parsed.add(above, label, line)
    return build(parsed, source, limits)
