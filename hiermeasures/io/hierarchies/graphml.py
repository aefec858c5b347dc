"""GraphML: node ids are classes, edges lead from parent to child, their attribute `weight` is read and the nodes'
`class_weight`. What is not ordinary, and every fault, is for networkx' reader.

A document type, an entity declaration or the long name of a namespace is refused before the XML is parsed: none has a
place in GraphML, and they can be made to read other files or to fill the memory.
"""

import io
import re
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from xml.parsers import expat

import numpy as np

from hiermeasures.class_weights import ATTRIBUTES
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import (
    NumberedEdges,
    build_numbered,
    check_nodes,
    class_weights_if_any,
    isolated_classes,
    weights_if_any,
    written_edges,
)
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.hierarchies.pairs import Pairs, check_pairs
from hiermeasures.io.source import Limits, Source
from hiermeasures.io.words import Unusual

if TYPE_CHECKING:
    import networkx as nx

_XML = re.compile(r"\s*(<\?xml|<!--|<!doctype|<graphml)", re.IGNORECASE)
_DECLARATION = re.compile(r"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
# An XML parser repeats the name of a namespace for each attribute of a tag that has its prefix. A hundred characters of
# any part of a declaration end the search at once, which therefore takes no longer than the text is.
_LONG_NAMESPACE = re.compile(
    r"""xmlns(?::[^\s"'=<>]{100}|(?::[^\s"'=<>]*+)?+(?:\s{100}|\s*+=(?:\s{100}|\s*+(?:"[^"]{101}|'[^']{101}))))"""
)
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a GraphML document with one directed graph."""
    found = _DECLARATION.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise source.error(f"<!{found[1].upper()} is not accepted in GraphML: it could pull in other files", line)
    if found := _LONG_NAMESPACE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise source.error("declares a namespace (xmlns) of more than 100 characters", line)
    if text.count("<") > limits.lines:
        raise source.error(f"has more than {limits.lines:,} tags, which is the most that is read here")
    with suppress(Unusual):
        return build_numbered(_edges(text, limits), source, limits)
    return _read_by_networkx(text, source, limits)


def _read_by_networkx(text: str, source: Source, limits: Limits) -> Hierarchy:
    graph = _graph(text, source)
    try:
        h = Hierarchy.from_networkx(graph)
    except InputError as error:
        raise source.error(str(error)) from None
    return check_nodes(h, source, limits)


def _graph(text: str, source: Source) -> "nx.DiGraph":
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        return nx.parse_graphml(text)
    except ParseError as error:
        line, column = error.position
        raise source.error(f"not XML ({str(error).split(':')[0]}, character {column})", line) from None
    except Exception as error:  # networkx raises many kinds for what its reader does not expect
        raise source.error(f"no GraphML that can be read ({type(error).__name__}: {shown(str(error))})") from None


# --- ordinary files -----------------------------------------------------------------------------------------------

_NODE, _EDGE, _DATA, _KEY, _GRAPH, _GRAPHML = (
    f"http://graphml.graphdrawing.org/xmlns}}{name}" for name in ("node", "edge", "data", "key", "graph", "graphml")
)
_INSIDE = {"": [_GRAPHML], _GRAPHML: [_KEY, _GRAPH], _GRAPH: [_NODE, _EDGE, _DATA], _NODE: [_DATA], _EDGE: [_DATA]}
_TYPES: dict[str, Callable[[str], float | str]] = {
    "float": float,
    "double": float,
    "int": int,
    "long": int,
    "string": str,
}


class _Elements:
    """Nodes and edges, as the elements of a document come: one directed graph, its nodes before its edges."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8", "}")
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.nodes: dict[str, int] = {}
        self.parents, self.children = array("q"), array("q")
        self.weights: dict[int, float] = {}  # of edges
        self.attributes: dict[str, dict[str, object]] = {}  # of nodes
        self._open, self._has_graph = [""], False
        self._keys: dict[str, tuple[str, Callable[[str], float | str]]] = {}  # what they name, and of which type
        self._node = self._key = ""
        self._text: list[str] = []

    def _start(self, tag: str, given: dict[str, str]) -> None:
        if tag not in _INSIDE.get(self._open[-1], ()):
            raise Unusual
        self._open.append(tag)
        if tag == _EDGE:
            if len(given) != 2 + ("id" in given):
                raise Unusual
            self.parents.append(self.nodes.setdefault(given["source"], len(self.nodes)))
            self.children.append(self.nodes.setdefault(given["target"], len(self.nodes)))
        elif tag == _NODE:
            if len(given) != 1 or self.parents:
                raise Unusual
            self._node = given["id"]
            self.nodes.setdefault(self._node, len(self.nodes))
        elif tag == _DATA:
            self._key = given["key"]
            self.parser.CharacterDataHandler = self._text.append
        elif tag == _KEY:
            if len(given) != 4 or given["id"] in self._keys:
                raise Unusual
            self._keys[given["id"]] = given["attr.name"], _TYPES[given["attr.type"]]
        elif tag == _GRAPH:
            if self._has_graph or given["edgedefault"] != "directed":
                raise Unusual
            self._has_graph = True

    def _end(self, tag: str) -> None:
        self._open.pop()
        if tag == _DATA:
            self.parser.CharacterDataHandler = None
            name, kind = self._keys[self._key]
            value = kind("".join(self._text))
            if not self._text:
                raise Unusual
            self._text.clear()
            if self._open[-1] == _EDGE and name == "weight":
                self.weights[len(self.parents) - 1] = float(value)
            elif self._open[-1] == _NODE and name in ATTRIBUTES:
                self.attributes.setdefault(self._node, {})[name] = value


def _edges(text: str, limits: Limits) -> NumberedEdges:
    """The edges of an ordinary document, those of a class together, as networkx has them."""
    found = _Elements()
    try:
        found.parser.Parse(text.encode("utf-8"), True)
    except (expat.ExpatError, KeyError, ValueError, OverflowError):
        raise Unusual from None
    finally:
        del found.parser  # which knows `found`, so that neither would be freed
    names = list(found.nodes)
    if "" in found.nodes or max(map(len, names), default=0) > limits.label:
        raise Unusual
    weights = np.array([found.weights.get(k, 1.0) for k in range(len(found.parents))], np.float64)
    order = np.argsort(found.parents, kind="stable")
    pairs = Pairs(names, np.array(found.parents)[order], np.array(found.children)[order], weights[order])
    check_pairs(pairs)
    if len(np.unique(pairs.parent * len(names) + pairs.child)) < len(order):
        raise Unusual  # two edges of one id are one edge
    return NumberedEdges(
        names, pairs.parent, pairs.child, np.zeros(0, np.int64), np.arange(len(names)), pairs.weight, found.attributes
    )


# --- writing ------------------------------------------------------------------------------------------------------


def write(h: Hierarchy) -> str:
    """The hierarchy as a GraphML document."""
    import networkx as nx

    for label in h.nodes:
        if _NO_XML.search(label):
            raise InputError(
                f"GraphML cannot hold class {shown(label)}: it contains a character that XML has no place for"
            )
    weights = weights_if_any(h, "GraphML", allowed=True)
    graph = nx.DiGraph()
    graph.add_nodes_from(isolated_classes(h))
    graph.add_nodes_from(class_weights_if_any(h, "GraphML", allowed=True).items())
    for parent, child in written_edges(h):
        graph.add_edge(parent, child, **({"weight": weights[parent, child]} if weights else {}))
    out = io.BytesIO()
    nx.write_graphml_xml(graph, out)
    return out.getvalue().decode("utf-8")


def _begins(opening: Opening) -> bool:
    return opening.extension == ".graphml" or _XML.match(opening.text) is not None


FORMAT = HierarchyFormat(
    "graphml",
    "GraphML",
    (".graphml",),
    "a directed graph with edges from parent to child, perhaps with a `weight`; nodes perhaps with a `class_weight`",
    read,
    write,
    begins=_begins,
)
