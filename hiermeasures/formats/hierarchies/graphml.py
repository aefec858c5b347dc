"""GraphML, read by networkx: node ids are classes, edges lead from parent to child, their attribute
`weight` is read and the nodes' `class_weight`.
"""

import io
import re

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies import building
from hiermeasures.formats.hierarchies.format import HierarchyFormat
from hiermeasures.formats.source import Limits, Source
from hiermeasures.formats.untrusted import check_xml

_XML = re.compile(r"\s*(<\?xml|<!--|<!doctype|<graphml)", re.IGNORECASE)
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    check_xml(text, source, limits, "GraphML")
    import networkx as nx

    try:
        graph = nx.parse_graphml(text)
    except Exception as error:  # networkx raises many kinds for what its reader does not expect
        raise source.error(f"no GraphML that can be read ({type(error).__name__}: {shown(str(error), 200)})") from None
    with source.named():
        h = Hierarchy.from_networkx(graph)
    return building.check_nodes(h, source, limits)


# --- writing ------------------------------------------------------------------------------------


def write(h: Hierarchy) -> str:
    import networkx as nx

    for label in h.nodes:
        if _NO_XML.search(label):
            raise InputError(
                f"GraphML cannot hold class {shown(label)}: it contains a character that XML has no place for"
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
    description="a directed graph with edges from parent to child, perhaps with a `weight`; nodes perhaps "
    "with a `class_weight`",
    read=read,
    write=write,
    begins=lambda opening: opening.extension == ".graphml" or _XML.match(opening.text) is not None,
)
