"""Tables whose header says what is in their columns: classes with their parents and titles
(`code,title,parent`), codes that begin with their parents (`code,title`), a column for each rank
(`level1,level2`), paths (`Feature ID, Taxon`), and MeSH headings with their tree numbers.

Edge lists call this where a header is no edge list's; which columns are read, edge_columns.py
decides.
"""

import re
from collections.abc import Sequence

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import listed, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.label_notation import RANKS, Notation, notation_of
from hiermeasures.formats.hierarchies.building import ParsedEdges, build, check_nodes, with_notes
from hiermeasures.formats.hierarchies.edge_columns import Role, edge_weight, table_columns
from hiermeasures.formats.source import Limits, Source

TREE_NUMBER = re.compile(r"[A-Z]\d{2}(\.\d{3})*")
_BETWEEN = re.compile(r"[|,;\s]+")  # tree numbers


def read_rows(rows: Sequence[Sequence[str]], numbers: Sequence[int], source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a table's rows, header first; `numbers` are those of the lines."""
    columns = table_columns(rows[0])
    place = {role: k for k, role in columns.items()}
    below = [list(row) + [""] * (len(rows[0]) - len(row)) for row in rows[1:]]
    for row, number in zip(below, numbers[1:], strict=True):
        if len(row) > len(rows[0]) and any(row[len(rows[0]) :]):
            raise source.error(f"{len(row)} cells, but the header has {len(rows[0])}", number)
    lines = numbers[1:]
    unread = [rows[0][k] for k in range(len(rows[0])) if k not in columns and rows[0][k]]
    notes = [f"columns that are not read: {listed(unread)}"] if unread else []
    if "rank" in place:
        ranks = list(columns)
        paths = [_ranked([row[k] for k in ranks], source, line) for row, line in zip(below, lines, strict=True)]
        h = read_labels(paths, lines, RANKS, source, limits)
    elif "path" in place:
        h = read_labels([row[place["path"]] for row in below], lines, None, source, limits)
    elif "child" not in place:
        raise source.error(f"no column holds the classes; the columns are {listed(rows[0])}", numbers[0])
    elif "tree" in place:
        h = read_tree_numbers(*_tree_columns(below, lines, place), source, limits)
    elif "parent" in place:
        h = build(_parsed(below, lines, place, source), source, limits)
    else:
        h = _codes(below, lines, place, source, limits)
    return with_notes(h, notes)


def _parsed(rows: list[list[str]], lines: Sequence[int], place: dict[Role, int], source: Source) -> ParsedEdges:
    parsed = ParsedEdges()
    for row, line in zip(rows, lines, strict=True):
        given = {role: row[k] for role, k in place.items() if row[k]}
        label, parent = given.get("child", ""), given.get("parent", "")
        if not label:
            if not source.drop:
                raise source.error("no class in this row", line)
            parsed.dropped.append((line, str(Source("").error("no class in this row", line))))
            continue
        if "title" in given:
            parsed.titles.append((label, given["title"]))
        for name in ATTRIBUTES:
            weight = given.get(name)  # type: ignore[call-overload]
            if weight and parsed.attributes.setdefault(label, {}).setdefault(name, weight) != weight:
                raise source.error(f"class {shown(label)} has two weights", line)
        if not parent:
            parsed.isolated.append(label)
            continue
        if weight := given.get("weight"):
            parsed.weights[len(parsed.parents)] = edge_weight(weight, source, line)
        parsed.add(parent, label, line)
    parsed.complete = bool(parsed.isolated)
    return parsed


# --- paths and codes ----------------------------------------------------------------------------


def read_labels(
    labels: Sequence[str], lines: Sequence[int], notation: Notation | None, source: Source, limits: Limits
) -> Hierarchy:
    """The hierarchy of paths or codes, whose notation is found where it is not given."""
    with source.named():
        found = notation or notation_of(labels)
    if found is None:
        raise source.error("these are neither paths nor codes: what separates their parts cannot be told")
    faults = {label: fault for label in dict.fromkeys(labels) if label.strip() and (fault := found.fault(label))}
    said = [
        (line, faults[label]) for label, line in zip(labels, lines, strict=True) if label in faults
    ]  # fmt: skip
    if said and not source.drop:
        raise source.error(said[0][1], said[0][0])
    with source.named():
        h = Hierarchy.from_labels((label for label in labels if label not in faults), found)
    return check_nodes(h, source, limits).without([str(Source("").error(why, line)) for line, why in said])


def _ranked(cells: list[str], source: Source, line: int) -> str:
    """The path of a row with a cell for each rank; a skipped rank is an empty part."""
    while cells and not cells[-1]:
        cells.pop()
    if odd := next((cell for cell in cells if RANKS.separator in cell), None):
        raise source.error(f"{shown(odd)} holds {shown(RANKS.separator)}, which stands between the ranks", line)
    return RANKS.separator.join(cells)


def _codes(
    rows: list[list[str]], lines: Sequence[int], place: dict[Role, int], source: Source, limits: Limits
) -> Hierarchy:
    codes = [row[place["child"]] for row in rows]
    notation = notation_of(codes)
    if notation is None or not notation.of_codes:
        raise source.error(
            "there is no column of parents, and the codes do not tell them by their beginnings; name a column 'parent'"
        )
    h = read_labels(codes, lines, notation, source, limits)
    return h.with_titles((code, row[place["title"]]) for code, row in zip(codes, rows, strict=True))


# --- MeSH ---------------------------------------------------------------------------------------


def _tree_columns(
    rows: list[list[str]], lines: Sequence[int], place: dict[Role, int]
) -> tuple[list[tuple[str, str, int]], list[tuple[str, str]]]:
    """Return (heading, tree number, line) and (heading, title)."""
    entries = [
        (row[place["child"]], number, line)
        for row, line in zip(rows, lines, strict=True)
        for number in _BETWEEN.split(row[place["tree"]].strip()) or [""]
    ]
    return entries, [(row[place["child"]], row[place["title"]]) for row in rows] if "title" in place else []


def read_tree_numbers(
    entries: Sequence[tuple[str, str, int]], titles: Sequence[tuple[str, str]], source: Source, limits: Limits
) -> Hierarchy:
    """The hierarchy of headings, (heading, tree number, line): below the headings of the numbers
    without their last parts. A heading with several numbers has several parents.
    """
    parsed = ParsedEdges(titles=list(titles))
    heading: dict[str, str] = {}
    faults: list[tuple[str, int]] = []
    for label, number, line in entries:
        if not label:
            faults.append(("no heading in this row", line))
        elif not TREE_NUMBER.fullmatch(number):
            faults.append((f"{shown(number)} is no tree number, such as C04.588", line))
        elif heading.setdefault(number, label) != label:
            faults.append((f"tree number {number} has two headings, {shown(heading[number])} and {shown(label)}", line))
    edges: dict[tuple[str, str], int] = {}
    for label, number, line in entries:
        if heading.get(number) != label:
            continue
        above = number.rpartition(".")[0]
        if above and above not in heading:
            faults.append((f"no heading has the tree number {above}, which is above {number} of {shown(label)}", line))
        if above in heading:
            edges.setdefault((heading[above], label), line)
        else:
            parsed.isolated.append(label)
    if faults and not source.drop:
        raise source.error(*min(faults, key=lambda fault: fault[1]))
    parsed.dropped = [(line, str(Source("").error(reason, line))) for reason, line in faults]
    for (above, label), line in edges.items():
        parsed.add(above, label, line)
    return build(parsed, source, limits)
