"""networkx' node-link JSON: a list of nodes with `id`, and a list `edges` or `links` of `source`, `target` and perhaps
`weight`. A node's `class_weight` is what the class weighs.

It is read without networkx, whose own reader differs between versions; what is written, networkx reads.
"""

import json
from collections.abc import Sequence
from typing import Any

from hiermeasures.class_weights import ATTRIBUTES
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy, as_label
from hiermeasures.io.hierarchies.building import (
    ParsedEdges,
    build,
    class_weights_if_any,
    encodable,
    isolated_classes,
    weights_if_any,
    written_edges,
)
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.json_text import parse
from hiermeasures.io.source import Limits, Source


def is_node_link(document: Any) -> bool:
    """Whether a JSON value is a node-link document rather than a hierarchy with classes of those names."""
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        return False
    links = document.get("edges", document.get("links"))
    return isinstance(links, list) and {dict}.issuperset(map(type, (*document["nodes"], *links)))


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a node-link document; its edges lead from parent to child."""
    document = parse(text, source, limits)
    if not is_node_link(document):
        raise source.error(
            "node-link JSON is an object with a list of objects in `nodes` and one in `edges` or `links`"
        )
    if document.get("directed", True) is not True:
        raise source.error("the graph is undirected; a hierarchy needs edges from parent to child")
    nodes, links = document["nodes"], document.get("edges", document.get("links"))
    labels = _labels(nodes, ("id",), "node", source)
    ends = _labels(links, ("source", "target"), "edge", source)
    weighed = (
        (label, {name: node[name] for name in ATTRIBUTES if node.get(name) is not None})
        for label, node in zip(labels, nodes, strict=True)
        if not node.keys().isdisjoint(ATTRIBUTES)
    )
    parsed = ParsedEdges(
        ends[::2],
        ends[1::2],
        {k: edge["weight"] for k, edge in enumerate(links) if edge.get("weight") is not None},
        isolated=labels,
        attributes={label: weights for label, weights in weighed if weights},
    )
    return build(parsed, source, limits)


def _labels(entries: list[dict[str, Any]], keys: Sequence[str], kind: str, source: Source) -> list[str]:
    """The labels by these keys, one entry after another."""
    found: list[Any] = [entry.get(key) for entry in entries for key in keys]
    if all(found) and {str}.issuperset(map(type, found)):
        return found
    return [_label(entry, key, f"{kind} {k}", source) for k, entry in enumerate(entries, 1) for key in keys]


def _label(entry: dict[str, Any], key: str, where: str, source: Source) -> str:
    if key not in entry:
        raise source.error(f"{where} has no {shown(key)}")
    try:
        return as_label(entry[key])
    except InputError as error:
        raise source.error(f"{where}: {error}") from None


def write(h: Hierarchy) -> str:
    """The hierarchy as node-link JSON that `networkx.node_link_graph` reads."""
    weights = weights_if_any(h, "node-link JSON", allowed=True)
    attributes = class_weights_if_any(h, "node-link JSON", allowed=True)
    if not all(map(encodable, h.nodes)):
        raise InputError("a class name holds half a surrogate pair, which no file can hold")
    edges = written_edges(h)
    nodes = dict.fromkeys([*(label for edge in edges for label in edge), *isolated_classes(h)])
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": label, **attributes.get(label, {})} for label in nodes],
        "edges": [{"source": p, "target": c, **({"weight": weights[p, c]} if weights else {})} for p, c in edges],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _begins(opening: Opening) -> bool:
    return opening.is_json and is_node_link(opening.json)


FORMAT = HierarchyFormat(
    "node-link",
    "Node-link JSON",
    (".node-link", ".json"),
    "networkx' JSON: a list of nodes, perhaps with a `class_weight`, and one of edges, perhaps with a `weight`",
    read,
    write,
    begins=_begins,
)
