"""A made-up format of hierarchies: `parent => child` on a line."""

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies.building import ParsedEdges, build, written_edges
from hiermeasures.read.hierarchies.format import HierarchyFormat, content_lines
from hiermeasures.read.source import Source


def read(text: str, source: Source) -> Hierarchy:
    parsed = ParsedEdges()
    for number, line in content_lines(text):
        parent, arrow, child = line.partition("=>")
        if not arrow:
            raise source.error("a line is `parent => child`", number)
        parsed.add(parent.strip(), child.strip(), number)
    return build(parsed, source)


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
