"""GraphML, by networkx' reader; node ids are classes, edges lead from parent to child, their attribute `weight` is read
and the nodes' `class_weight`.

A document type or an entity declaration is refused before the XML is parsed: neither has a place in GraphML, and both
can be made to read other files or to fill the memory.
"""

import io
import re
from typing import TYPE_CHECKING

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import (
    check_nodes,
    class_weights_if_any,
    isolated_classes,
    weights_if_any,
    written_edges,
)
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.source import Limits, Source

if TYPE_CHECKING:
    import networkx as nx

_XML = re.compile(r"\s*(<\?xml|<!--|<!doctype|<graphml)", re.IGNORECASE)
_DECLARATION = re.compile(r"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a GraphML document with one directed graph."""
    found = _DECLARATION.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise source.error(f"<!{found[1].upper()} is not accepted in GraphML: it could pull in other files", line)
    if text.count("<") > limits.lines:
        raise source.error(f"has more than {limits.lines:,} tags, which is the most that is read here")
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
