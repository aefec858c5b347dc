"""A made-up format of hierarchies: `parent => child` on a line."""

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build, written_edges
from hiermeasures.formats.hierarchies.format import HierarchyFormat, content_lines
from hiermeasures.formats.source import Limits, Source


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    parsed = ParsedEdges()
    for number, line in content_lines(text):
        parent, arrow, child = line.partition("=>")
        if not arrow:
            raise source.error("a line is `parent => child`", number)
        parsed.add(parent.strip(), child.strip(), number)
    return build(parsed, source, limits)


def write(h: Hierarchy) -> str:
    return "".join(f"{p} => {c}\n" for p, c in written_edges(h))


FORMAT = HierarchyFormat(
    key="arrows",
    title="Arrows",
    extensions=(".arrows",),
    description="`parent => child` per line",
    read=read,
    write=write,
    begins=lambda opening: "=>" in opening.lines[0],
)
