"""Outlines: a class per line, below the nearest line before it that is indented less. The indentation is of tabs or of
spaces, and a class that stands in several places has several parents.
"""

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import LINE_BREAKS, ParsedEdges, build, check_unweighted, check_writable, tops
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening, content_lines
from hiermeasures.io.source import Limits, Source

SEPARATORS = {**LINE_BREAKS, "\t": "a tab", "#": "a #, which may begin a comment"}
DEEPEST = 200  # levels that are written


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of an outline."""
    parsed = ParsedEdges()
    lines: list[int] = []
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
            parsed.parents.append(above[-1][1])
            parsed.children.append(name)
            lines.append(number)
        elif depth:
            raise source.error("the first line of an outline is not indented", number)
        else:
            parsed.isolated.append(name)
        above.append((depth, name))
    parsed.lines = lines
    return build(parsed, source, limits)


def write(h: Hierarchy) -> str:
    """The hierarchy as an outline; what is below a class with several parents is written once."""
    check_unweighted(h, "an outline")
    check_writable(h, "an outline", SEPARATORS)
    if h.depth > DEEPEST:
        raise InputError(f"an outline of {h.depth:,} levels would be too wide to read; write an edge list instead")
    written: set[str] = set()
    lines: list[str] = []
    ahead = [(0, label) for label in reversed(tops(h))]
    while ahead:
        depth, label = ahead.pop()
        lines.append("\t" * depth + label + "\n")
        if label not in written:
            written.add(label)
            ahead += [(depth + 1, child) for child in reversed(h.children(label))]
    return "".join(lines)


def _has_lines(opening: Opening) -> bool:
    """Indented lines below one that is not, of which not every one could be an edge."""
    if opening.extension in FORMAT.extensions:
        return True
    lines = [line.rstrip() for line in opening.lines]
    indented = [line for line in lines if line[0] in " \t"]
    if not indented or indented[0] is lines[0]:
        return False
    names = [line.strip() for line in lines]
    if any("\t" in name for name in names):
        return False
    return not all(len(name.split()) in (2, 3) or "," in name for name in names)


FORMAT = HierarchyFormat(
    "outline",
    "Outline",
    (".outline",),
    "a class per line, indented below its parent with tabs or spaces",
    read,
    write,
    has_lines=_has_lines,
)
