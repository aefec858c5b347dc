"""GraphML: node ids are classes, and edges lead from parent to child.

The attribute `weight` of edges and `class_weight` of nodes are read.
"""

import io
import re

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies import building
from hiermeasures.read.hierarchies.format import HierarchyFormat
from hiermeasures.read.source import Source
from hiermeasures.read.untrusted import walk_xml

_XML = re.compile(r"\s*(<\?xml|<!--|<!doctype|<graphml)", re.IGNORECASE)
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_UNDIRECTED = "a hierarchy needs a directed graph with edges from parent to child"
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(text: str, source: Source) -> Hierarchy:
    graph = _Graph(source)
    walk_xml(
        text, source, kind="GraphML", start=graph.start, end=graph.end, characters=graph.characters
    )
    return building.build(graph.parsed(), source)


class _Graph:
    """Nodes and edges of the graph, read tag by tag. Graphs inside nodes are included."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: list[str] = []  # tags, "" for those of other namespaces
        self._keys: dict[str, str] = {}  # names of attributes by the ids of their keys
        self._defaults: dict[str, str] = {}  # by the names
        # attributes of the open nodes and edges
        self._owners: list[dict[str, object]] = [{}]
        self._text: list[str] | None = None
        self._key = ""
        self._graphs = 0
        self._nodes: dict[str, dict[str, object]] = {}
        self._edges: list[tuple[str, str, int, dict[str, object]]] = []

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        space, _, tag = name.rpartition(" ")
        tag = tag if space in ("", _NAMESPACE) or space.startswith(f"{_NAMESPACE}/") else ""
        if tag == "graph":
            self._begin_graph(attributes, line)
        elif tag == "node":
            self._owners.append(
                self._nodes.setdefault(self._given("id", tag, attributes, line), {})
            )
        elif tag == "edge":
            if attributes.get("directed") == "false":
                raise self._source.error(_UNDIRECTED, line)
            above, below = (self._given(end, tag, attributes, line) for end in ("source", "target"))
            self._owners.append({})
            self._edges.append((above, below, line, self._owners[-1]))
        elif tag == "hyperedge":
            raise self._source.error(
                "a hyperedge joins more than two classes. Replace it by edges from parent to "
                "child.",
                line,
            )
        elif tag == "key":
            self._key = attributes.get("id", "")
            if "yfiles.type" not in attributes:
                self._given("attr.name", tag, attributes, line)
            self._keys[self._key] = attributes.get("attr.name", "")
        elif tag == "data":
            self._key = attributes.get("key", "")
            if self._key not in self._keys:
                raise self._source.error(
                    f"data of the key {shown(self._key)}, but no <key> declares it", line
                )
        if tag in ("data", "default"):
            self._text = []
        self._open.append(tag)

    def characters(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def end(self) -> None:
        tag = self._open.pop()
        if tag in ("node", "edge"):
            self._owners.pop()
        elif tag in ("data", "default") and self._text is not None:
            values = self._owners[-1] if tag == "data" else self._defaults
            values[self._keys.get(self._key, "")] = "".join(self._text)
            self._text = None

    def _begin_graph(self, attributes: dict[str, str], line: int) -> None:
        self._graphs += "graph" not in self._open
        if self._graphs > 1:
            raise self._source.error("contains several graphs. A hierarchy is one graph.", line)
        if attributes.get("edgedefault") != "directed":
            raise self._source.error(_UNDIRECTED, line)

    def _given(self, name: str, tag: str, attributes: dict[str, str], line: int) -> str:
        if name not in attributes:
            raise self._source.error(f"<{tag}> has no {name}", line)
        return attributes[name]

    def parsed(self) -> building.ParsedEdges:
        """Return edges in the order of their parent nodes."""
        if not self._graphs:
            raise self._source.error(
                "not a GraphML file that can be read, because it contains no <graph>"
            )
        for above, below, *_ in self._edges:
            self._nodes.setdefault(above, {})
            self._nodes.setdefault(below, {})
        place = dict(zip(self._nodes, range(len(self._nodes)), strict=True))
        edges = sorted(self._edges, key=lambda edge: place[edge[0]])
        return building.ParsedEdges.of_graph(
            [(node, self._defaults | values) for node, values in self._nodes.items()],
            [(above, below, self._defaults | values) for above, below, _, values in edges],
            [line for _, _, line, _ in edges],
        )


# --- writing ------------------------------------------------------------------------------------


def write(h: Hierarchy) -> str:
    import networkx as nx

    for label in h.nodes:
        if _NO_XML.search(label):
            raise InputError(
                f"GraphML cannot contain class {shown(label)}, because one of its characters is "
                "not allowed in XML"
            )
    weights = building.weights_if_any(h)
    graph = nx.DiGraph()
    graph.add_nodes_from(building.isolated_classes(h))
    graph.add_nodes_from(building.class_weights_if_any(h).items())
    for parent, child in building.written_edges(h):
        graph.add_edge(parent, child, **({"weight": weights[parent, child]} if weights else {}))
    out = io.BytesIO()
    nx.write_graphml_xml(graph, out)
    return out.getvalue().decode("utf-8")


FORMAT = HierarchyFormat(
    key="graphml",
    title="GraphML",
    extensions=(".graphml",),
    description=(
        "a directed graph with edges from parent to child and an optional `weight`. Nodes can "
        "have a `class_weight`"
    ),
    read=read,
    write=write,
    begins=lambda opening: opening.extension == ".graphml" or _XML.match(opening.text) is not None,
)
