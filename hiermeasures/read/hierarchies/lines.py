"""Formats with one class or one path on each line.

- Taxonomy lines: a parent and its children, separated by tabs.
- Outlines: a class is below the nearest line above it with a smaller indent.
- Reports of Kraken, and lists of `child is-a parent`.
- Paths, such as Google's product taxonomy, QIIME, Greengenes and SILVA.
- MeSH headings: `Name;C04.588`.

A class on several lines has several parents.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import notation_of
from hiermeasures.read.hierarchies import building
from hiermeasures.read.hierarchies.format import (
    FormatText,
    HierarchyFormat,
    content_lines,
    said_lines,
)
from hiermeasures.read.hierarchies.tables import (
    TREE_NUMBER,
    cells_of,
    column_name,
    header_direction,
    read_labels,
    read_table,
    read_tree_numbers,
    table_columns,
    title_above,
)
from hiermeasures.read.source import Source

# of outlines
SEPARATORS = {**building.LINE_BREAKS, "\t": "a tab", "#": "a #, which can begin a comment"}
WEIGHTS = {"weight", *ATTRIBUTES}
DEEPEST = 200  # levels of an outline that are written


def read_taxonomy(text: str, source: Source) -> Hierarchy:
    parsed = building.ParsedEdges()
    if text.count("\t") > source.limits.lines:
        raise source.error(f"has more than {source.limits.lines:,} tabs, the limit")
    for number, line in content_lines(text):
        names = [name.strip() for name in line.rstrip("\t\n ").split("\t")]
        if not all(names):
            raise source.error("a name between two tabs is missing", number)
        if len(names) == 1:
            parsed.isolated.append(names[0])
        for child in names[1:]:
            parsed.add(names[0], child, number)
    return building.build(parsed, source)


def write_taxonomy(h: Hierarchy) -> str:
    building.check_unweighted(h, "a taxonomy file")
    building.check_writable(h, "a taxonomy file", {"\t": "a tab", **building.LINE_BREAKS})
    rows = [(label, *h.children(label)) for label in h.nodes[h.virtual_root :] if h.children(label)]
    rows += [(label, "") for label in building.isolated_classes(h)]
    for row in rows:
        if row[0].startswith("#"):
            raise InputError(
                f"a taxonomy file cannot start a line with class {shown(row[0])}, because it would "
                "be a comment. Write CSV"
            )
    return "".join("\t".join(row) + "\n" for row in rows)


def _has_taxonomy(opening: FormatText) -> bool:
    if opening.extension in TAXONOMY.extensions:
        return True
    if opening.delimiter != "\t":
        return False
    if title_above([line.split("\t") for line in opening.lines[:3]]):
        return False
    first = opening.lines[0].strip().split("\t")
    if table_columns(first) or (
        header_direction(first) and WEIGHTS.issuperset(map(column_name, first[2:]))
    ):
        return False
    rows = [line.rstrip("\t ").split("\t") for line in opening.lines]
    # a table, if no line continues another one
    if len(rows) > 1 and len(set(map(len, rows))) == 1 and len(rows[0]) > 2:
        if {row[0] for row in rows}.isdisjoint(cell for row in rows for cell in row[1:]):
            return False
        if all(cell.replace(".", "").isdecimal() for row in rows for cell in row[1:3]):
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
    takes=("errors",),
)


# --- outlines -----------------------------------------------------------------------------------


_BULLET = re.compile(r"[-*+•]\s+(?=\S)")
_LIST_NUMBER = re.compile(r"\d+[.)]\s+(?=\S)")
_HEADING_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\.?\s+(?=[^\s\d])")
_MARKDOWN_HEADING = re.compile(r"(#{1,6})\s+(?=\S)")


def read_outline(text: str, source: Source) -> Hierarchy:
    parsed = building.ParsedEdges()
    above: list[
        tuple[int, str]
    ] = []  # the classes that the last line stood in and its own, with their depths
    for number, depth, name in _outline_entries(text, source):
        left = depth
        while above and above[-1][0] >= depth:
            left, _ = above.pop()
        if left != depth:
            raise source.error(
                f"{shown(name)} is indented less than the line before, but no line above has this "
                "indent. Align it with one.",
                number,
            )
        if above:
            parsed.add(above[-1][1], name, number)
        elif depth > 1:
            raise source.error("the first line of an outline must not be indented", number)
        else:
            parsed.isolated.append(name)
        above.append((depth, name))
    h = building.build(parsed, source)
    comments = (
        0 if _is_markdown(text) else sum(line.lstrip()[:1] == "#" for line in text.split("\n"))
    )
    said = (
        f"{comments:,} lines that begin with # are ignored"
        if comments > 1
        else "a line that begins with # is ignored"
    )
    return h.with_understood(skipped=said) if comments else h


def _is_markdown(text: str) -> bool:
    """Return True if all lines are Markdown headings on several levels."""
    levels = [_MARKDOWN_HEADING.match(line) for line in text[:200_000].split("\n") if line.strip()]
    return all(levels) and len({found[1] for found in levels if found}) > 1


def _outline_entries(text: str, source: Source) -> Iterator[tuple[int, int, str]]:
    """Return the number, the depth and the name of each line of an outline."""
    if _is_markdown(text):
        lines = [(k, line.strip()) for k, line in enumerate(text.split("\n"), 1) if line.strip()]
        found = [(k, line, _MARKDOWN_HEADING.match(line)) for k, line in lines]
        if odd := next((k for k, _, heading in found if heading is None), None):
            raise source.error("this line is not a heading such as `## Mammals`", odd)
        first = min(len(heading[1]) for *_, heading in found if heading)
        return (
            (k, len(heading[1]) - first, line[heading.end() :])
            for k, line, heading in found
            if heading
        )
    numbered = list(content_lines(text))
    names = [line.strip() for _, line in numbered]
    if _has_numbered_headings(names):
        return _numbered_headings(numbered, source)
    return _indented(numbered, names, source)


def _has_numbered_headings(names: Sequence[str]) -> bool:
    found = [_HEADING_NUMBER.match(name) for name in names]
    return len(names) > 1 and all(found) and any(match and "." in match[1] for match in found)


def _numbered_headings(
    lines: Sequence[tuple[int, str]], source: Source
) -> Iterator[tuple[int, int, str]]:
    way: list[str] = []
    for number, line in lines:
        found = _HEADING_NUMBER.match(name := line.strip())
        assert found is not None  # says _has_numbered_headings
        above, _, _ = found[1].rpartition(".")
        while way and way[-1] != above:
            way.pop()
        if above and not way:
            raise source.error(f"the heading {found[1]} needs a heading {above} above it", number)
        way.append(found[1])
        yield number, found[1].count("."), name[found.end() :]


def _indented(
    lines: Sequence[tuple[int, str]], names: list[str], source: Source
) -> Iterator[tuple[int, int, str]]:
    """Return the entries of indented lines, which may have bullets, numbers, or the form of YAML."""
    depths = []
    used = ""
    for number, line in lines:
        depth = len(line) - len(line.lstrip(" \t"))
        used = used or line[:depth][:1]
        if line[:depth] != used * depth:
            raise source.error(
                "is indented with tabs, but the lines before use spaces, or it mixes both. Use "
                "one of them.",
                number,
            )
        depths.append(depth)
    marks = [_BULLET.match(name) or _LIST_NUMBER.match(name) for name in names]
    if all(marks):
        names = [name[mark.end() :] for name, mark in zip(names, marks, strict=True) if mark]
    bullets = [_BULLET.match(name) for name in names]
    steps = [2 * depth + bool(bullet) for depth, bullet in zip(depths, bullets, strict=True)]
    inner = [
        name for name, (step, below) in zip(names, pairwise(steps), strict=False) if below > step
    ]
    if inner and all(name.endswith(":") for name in inner):  # YAML
        names = [
            name[bullet.end() if bullet else 0 :]
            for name, bullet in zip(names, bullets, strict=True)
        ]
        if source.name.lower().endswith((".yaml", ".yml")):
            _check_no_values(lines, names, source)
        names = [name.removesuffix(":").strip("'\"") for name in names]
        depths = steps
    return zip((number for number, _ in lines), depths, names, strict=True)


def write_outline(h: Hierarchy) -> str:
    """Write the hierarchy as an outline. Classes below a class with several parents are written
    once.
    """
    building.check_unweighted(h, "an outline")
    building.check_writable(h, "an outline", SEPARATORS)
    if h.depth > DEEPEST:
        raise InputError(
            f"an outline of {h.depth:,} levels would be too wide to read. Write an edge list "
            "instead"
        )
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


def _check_no_values(
    lines: Sequence[tuple[int, str]], names: Sequence[str], source: Source
) -> None:
    odd = next((k for k, name in enumerate(names) if ": " in name), None)
    if odd is not None:
        raise source.error(
            f"{shown(names[odd])} is a key with a value. In a YAML outline, classes are items, or "
            "keys without values.",
            lines[odd][0],
        )


def _has_outline(opening: FormatText) -> bool:
    if opening.extension in OUTLINE.extensions:
        return True
    lines = [line.rstrip() for line in opening.lines]
    bare = [line.strip() for line in lines]
    listed = len(bare) > 1 and (_is_yaml(bare) or all(map(_LIST_NUMBER.match, bare)))
    if listed or _has_numbered_headings(bare):
        return True
    indented = [line for line in lines if line[0] in " \t"]
    if not indented or indented[0] is lines[0]:
        return False
    names = [line.strip() for line in lines]
    if any("\t" in name for name in names):
        return False
    return not all(len(name.split()) in (2, 3) or "," in name for name in names)


def _is_yaml(names: Sequence[str]) -> bool:
    """Return True for lines that are all bullets, or all keys and items of YAML."""
    if all(map(_BULLET.match, names)):
        return True
    return names[0].endswith(":") and all(
        name.endswith(":") or _BULLET.match(name) for name in names
    )


OUTLINE = HierarchyFormat(
    key="outline",
    title="Outline",
    extensions=(".outline",),
    description=(
        "a class per line, indented below its parent with tabs or spaces. Bullets, YAML, "
        "headings of Markdown and numbered headings (`1.1 Mammals`) work too"
    ),
    read=read_outline,
    write=write_outline,
    begins=lambda opening: _is_markdown(opening.text),
    has_lines=_has_outline,
    takes=("errors",),
)


# --- reports of Kraken --------------------------------------------------------------------------

_KRAKEN = re.compile(r"\s*\d+\.\d+\t\d+\t\d+\t(?:\d+\t\d+\t)?([A-Z-]\d*)\t(\d+)\t( *)(\S.*)")
_KRAKEN_UNIQ = re.compile(r"\s*[\d.e-]+\t\d+\t\d+\t\d+\t\S+\t\S+\t(\d+)\t[^\t]+\t( *)(\S.*)")
_UNIQ_HEADER = "%\treads\ttaxReads\t"


def _of_kraken(line: str) -> tuple[str, str, str] | None:
    """Return taxon, indent and name of a report's line. The taxon of unclassified reads is 0."""
    if found := _KRAKEN.fullmatch(line.rstrip()):
        return ("0" if found[1] == "U" else found[2]), found[3], found[4]
    uniq = _KRAKEN_UNIQ.fullmatch(line.rstrip())
    return (uniq[1], uniq[2], uniq[3]) if uniq else None


def _is_kraken(lines: Sequence[str]) -> bool:
    rows = lines[1:] if lines and lines[0].startswith(_UNIQ_HEADER) else lines
    return bool(rows) and all(map(_of_kraken, rows))


def read_kraken(text: str, source: Source) -> Hierarchy:
    parsed = building.ParsedEdges()
    titles: list[tuple[str, str]] = []
    above: list[tuple[int, str]] = []
    unclassified = 0
    for number, line in content_lines(text):
        if line.startswith(_UNIQ_HEADER):
            continue
        if (found := _of_kraken(line)) is None:
            raise source.error(
                "this line of the report needs six columns: share, reads, reads, rank, taxon, "
                "indented name",
                number,
            )
        taxon, indent, name = found
        if taxon == "0":
            unclassified += 1
            continue
        while above and above[-1][0] >= len(indent):
            above.pop()
        if above:
            parsed.add(above[-1][1], taxon, number)
        else:
            parsed.isolated.append(taxon)
        above.append((len(indent), taxon))
        titles.append((taxon, name))
    parsed.titles = titles
    h = building.build(parsed, source)
    return h.with_understood(
        skipped="the row of unclassified reads is ignored" if unclassified else ""
    )


KRAKEN = HierarchyFormat(
    key="kraken",
    title="Kraken report",
    extensions=(".kreport",),
    description=(
        "reports of Kraken, KrakenUniq and Bracken: numbers of taxa are classes, indented "
        "names are titles"
    ),
    read=read_kraken,
    has_lines=lambda opening: _is_kraken(opening.lines),
    takes=("errors",),
)


# --- is-a lists ---------------------------------------------------------------------------------

_IS_A = re.compile(r"[\s,;]is[-_ ]?an?[\s,;]", re.IGNORECASE)


def read_is_a(text: str, source: Source) -> Hierarchy:
    parsed = building.ParsedEdges()
    for number, line in content_lines(text):
        names = [name.strip(" \t,;") for name in _IS_A.split(line)]
        if len(names) != 2 or not all(names):
            raise source.error(f"a line must be `child is-a parent`, not {shown(line, 40)}", number)
        parsed.add(names[1], names[0], number)
    if not parsed.lines:
        raise source.error("contains only comments and no edges")
    return building.build(parsed, source)


IS_A = HierarchyFormat(
    key="is-a",
    title="Is-a list",
    extensions=(".isa",),
    description="`child is-a parent` per line, such as `cat is-a carnivore` or "
    "`Q146,is_a,Q3395974`",
    read=read_is_a,
    has_lines=lambda opening: bool(opening.lines) and all(map(_IS_A.search, opening.lines)),
)


# --- paths and MeSH headings ---------------------------------------------------------------------

_LINEAGE = re.compile(
    r"(([a-z]{1,2}|D_\d+)__[^;]*|[^;]+)(;\s*([a-z]{1,2}|D_\d+)__[^;]*)+;?|([^;]+;)+"
)


def read_paths(text: str, source: Source) -> Hierarchy:
    lines, numbers = said_lines(text)
    if not lines:
        raise source.error("contains only comments and no paths")
    if table_columns(lines[0].split("\t")):
        return read_table(cells_of(lines, numbers, "\t", source), source)
    column = _lineage_column(lines[:1000])
    labels = (
        lines if column is None else [(*line.split("\t"), *[""] * column)[column] for line in lines]
    )
    return read_labels(list(map(str.strip, labels)), numbers, None, source)


def is_lineage(name: str) -> bool:
    """Return True for taxonomic paths, such as k__Bacteria; p__Firmicutes."""
    return _LINEAGE.fullmatch(name) is not None


def _lineage_column(lines: list[str]) -> int | None:
    """Return the column of tab-separated lines with taxonomic paths, such as k__Bacteria;
    p__Firmicutes.
    """
    rows = [line.split("\t") for line in lines]
    for k in range(max(map(len, rows), default=0)):
        some = [row[k].strip() for row in rows if len(row) > k and row[k].strip()]
        has_levels = any(";" in cell[:-1] for cell in some)  # a lone name may end with a semicolon
        if has_levels and 2 * sum(map(is_lineage, some)) > len(lines):
            return k
    return None


def _has_paths(opening: FormatText) -> bool:
    if opening.extension in PATHS.extensions:
        return True
    lines = opening.lines
    if lines and any(header_direction(lines[0].split(mark)) for mark in "\t,;"):
        return False
    if _lineage_column(lines) is not None:
        return not _has_headings(opening)
    bare = [line.strip() for line in lines]
    # /person/artist
    if lines and all(line[0] == "/" for line in bare) and any("/" in line[1:] for line in bare):
        return True
    mark = opening.delimiter
    if (
        opening.extension == ".csv"
        or "\t" in mark
        or (mark in (",", ";") and all(mark in line for line in lines))
    ):
        return False
    with suppress(InputError):
        found = notation_of(lines)
        return found is not None and found.separator.strip() == ">" and found.separator != ">"
    return False


PATHS = HierarchyFormat(
    key="paths",
    title="Paths",
    extensions=(".paths",),
    description=(
        "a path per line, and a class is its whole path: `Audio > Headphones`, also after a "
        "number (Google's product taxonomy), types such as `/person/artist`, or `k__Bacteria; "
        "p__Firmicutes` in a column (QIIME, Greengenes, SILVA)"
    ),
    read=read_paths,
    has_lines=_has_paths,
    takes=("errors",),
)


def read_headings(text: str, source: Source) -> Hierarchy:
    entries = []
    for number, line in content_lines(text):
        name, mark, tree = line.strip().rpartition(";")
        if not mark and not source.drop:
            raise source.error(
                f"';' must separate a heading and its tree number, but the line is {shown(line)}",
                number,
            )
        entries.append((name.strip(), tree.strip(), number))
    if not entries:
        raise source.error("contains only comments and no headings")
    return read_tree_numbers(entries, (), source)


def _has_headings(opening: FormatText) -> bool:
    if opening.extension in MESH.extensions:
        return True
    parts = [line.strip().rpartition(";") for line in opening.lines]
    return bool(parts) and all(
        name and TREE_NUMBER.fullmatch(number.strip()) for name, _, number in parts
    )


MESH = HierarchyFormat(
    key="mesh",
    title="MeSH headings",
    extensions=(".bin",),
    description=(
        "MeSH's `mtrees` file, `Name;C04.588` per line. A heading with several tree numbers "
        "has several parents"
    ),
    read=read_headings,
    has_lines=_has_headings,
    takes=("errors",),
)
