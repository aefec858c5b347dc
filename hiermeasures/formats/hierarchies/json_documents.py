"""JSON: nested objects, `{"A": {"B": ["T1", "P1"], "C": null}}`, where a class of several parents
has its children under one of them; and networkx' node-link documents, a list of nodes with `id` and
a list `edges` or `links` of `source`, `target` and perhaps `weight`.

A node's `class_weight` is what the class weighs. Both are read without networkx, whose own reader
of node-link documents differs between versions; what is written, networkx reads.
"""

import json
from collections.abc import Sequence
from typing import Any

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy, as_label
from hiermeasures.formats.hierarchies import building
from hiermeasures.formats.hierarchies.format import HierarchyFormat
from hiermeasures.formats.source import UPLOAD, Limits, Source, check_encodable
from hiermeasures.formats.untrusted import parse


def read_nested(text: str, source: Source, limits: Limits) -> Hierarchy:
    document = parse(text, source, limits)
    if not isinstance(document, (dict, list)):
        raise source.error(f"a nested hierarchy is a JSON object or list, not {type(document).__name__}")
    with source.named():
        h = Hierarchy.from_nested(document)  # type: ignore[arg-type]
    return building.check_nodes(h, source, limits)


def write_nested(h: Hierarchy) -> str:
    building.check_unweighted(h, "nested JSON")
    if h.depth + 2 > UPLOAD.nesting:
        raise InputError(
            f"nested JSON holds at most {UPLOAD.nesting - 2} levels, and this hierarchy is {h.depth} deep; "
            "write an edge list"
        )
    check_encodable(h.nodes)
    return json.dumps(_nested(h), ensure_ascii=False, indent=2) + "\n"


def _nested(h: Hierarchy) -> dict[str, Any]:
    """Nest the children of a class under the first of its parents, deepest classes first."""
    built: dict[str, dict[str, Any] | None] = {}
    for label in reversed(h.nodes):
        first = {c: built[c] if h.parents(c)[0] == label else None for c in h.children(label)}
        built[label] = first or None
    return {top: built[top] for top in building.tops(h)}


NESTED = HierarchyFormat(
    key="json",
    title="Nested JSON",
    extensions=(".json",),
    description='objects inside objects: {"A": {"B": ["T1", "P1"], "C": null}}',
    read=read_nested,
    write=write_nested,
    begins=lambda opening: opening.is_json,
)


# --- node-link ----------------------------------------------------------------------------------


def is_node_link(document: Any) -> bool:
    """True for a node-link document, False for nested classes with those names."""
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        return False
    links = document.get("edges", document.get("links"))
    return isinstance(links, list) and {dict}.issuperset(map(type, (*document["nodes"], *links)))


def read_node_link(text: str, source: Source, limits: Limits) -> Hierarchy:
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
    parsed = building.ParsedEdges(
        ends[::2],
        ends[1::2],
        [1.0 if edge.get("weight") is None else edge["weight"] for edge in links],
        isolated=labels,
        attributes={label: weights for label, weights in weighed if weights},
    )
    return building.build(parsed, source, limits)


def _labels(entries: list[dict[str, Any]], keys: Sequence[str], kind: str, source: Source) -> list[str]:
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


def write_node_link(h: Hierarchy) -> str:
    """The hierarchy as node-link JSON that `networkx.node_link_graph` reads."""
    weights = building.weights_if_any(h)
    attributes = building.class_weights_if_any(h)
    check_encodable(h.nodes)
    edges = building.written_edges(h)
    nodes = dict.fromkeys([*(label for edge in edges for label in edge), *building.isolated_classes(h)])
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": label, **attributes.get(label, {})} for label in nodes],
        "edges": [{"source": p, "target": c, **({"weight": weights[p, c]} if weights else {})} for p, c in edges],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


NODE_LINK = HierarchyFormat(
    key="node-link",
    title="Node-link JSON",
    extensions=(".node-link", ".json"),
    description="networkx' JSON: a list of nodes, perhaps with a `class_weight`, and one of edges, perhaps with a "
    "`weight`",
    read=read_node_link,
    write=write_node_link,
    begins=lambda opening: opening.is_json and is_node_link(opening.json),
    drops=True,
)
