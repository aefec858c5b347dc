"""JSON: nested objects, `{"A": {"B": ["T1", "P1"], "C": null}}`, where a class of several parents
has its children under one of them; and networkx' node-link documents, a list of nodes with `id` and
a list `edges` or `links` of `source`, `target` and perhaps `weight`.

A node's `class_weight` is what the class weighs. Both are read without networkx, whose own reader
of node-link documents differs between versions; what is written, networkx reads.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy, as_label
from hiermeasures.hierarchy.label_notation import RANKS, titles_of
from hiermeasures.read.hierarchies import building, tables
from hiermeasures.read.hierarchies.format import HierarchyFormat
from hiermeasures.read.reading import ROLES
from hiermeasures.read.source import UPLOAD, Source, check_encodable, too_long
from hiermeasures.read.untrusted import parse


def read_nested(text: str, source: Source) -> Hierarchy:
    document = parse(text, source)
    if not isinstance(document, (dict, list)):
        raise source.error(
            f"a nested hierarchy is a JSON object or list, not {type(document).__name__}"
        )
    if keys := _keys_of_records(document):
        listing = ", ".join(shown(key, 30) for key in keys[:5])
        raise source.error(
            f"a list holds records with the keys {listing}, which are no classes. These shapes "
            f"are read: {SHAPES}"
        )
    try:
        h = Hierarchy.from_nested(document)  # type: ignore[arg-type]
    except InputError as error:
        hint = (
            f". These shapes are read: {SHAPES}"
            if str(error).startswith("a nested hierarchy holds")
            else ""
        )
        raise source.error(f"{error}{hint}") from None
    return building.check_nodes(h, source)


def _keys_of_records(document: Any) -> list[str]:
    """Return keys that all objects of a list have, of the first list of such records; else none."""
    ahead = [document]
    while ahead:
        value = ahead.pop()
        if isinstance(value, list) and len(keys := shared_keys(value)) > 1:
            return keys
        ahead += (
            value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        )
    return []


def shared_keys(entries: Sequence[Any]) -> list[str]:
    """Return keys that all of several objects have; none for other entries.

    >>> shared_keys([{"name": "A", "kind": "x"}, {"name": "B", "kind": "y", "size": 1}])
    ['name', 'kind']
    >>> shared_keys([{"A": None, "B": None}]), shared_keys(["A", {"B": None}])
    ([], [])
    """
    if len(entries) < 2 or not all(isinstance(entry, dict) for entry in entries):
        return []
    return [key for key in entries[0] if all(key in entry for entry in entries)]


def write_nested(h: Hierarchy) -> str:
    building.check_unweighted(h, "nested JSON")
    if h.depth + 2 > UPLOAD.nesting:
        raise InputError(
            f"nested JSON holds at most {UPLOAD.nesting - 2} levels, and this hierarchy is "
            f"{h.depth} deep; write an edge list"
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


# --- JSON of other tools ------------------------------------------------------------------------

_IDS = ("id", "code", "key", "labelname", "notation", "uri", "@id", "synset")
_NAMES = ("name", "label", "text", "title", "preflabel", "displayname", "value")
_CHILDREN = (
    "children",
    "subcategory",
    "subcategories",
    "child_ids",
    "childs",
    "subclasses",
    "narrower",
    "subtypes",
    "nodes",
    "items",
)
_WRAPPERS = (
    "categories",
    "taxonomy",
    "classes",
    "ontology",
    "concepts",
    "data",
    "items",
    "records",
    "labels",
)
SHAPES = (
    'objects inside objects {"A": {"B": ["C"]}}, a tree {"name": "A", "children": [{"name": '
    '"B"}]}, records '
    '[{"id": "B", "parent": "A"}] or [{"id": "A", "child_ids": ["B"]}], and paths [["A", "B"]]'
)
Shape = Literal["", "tree", "records", "ids", "paths", "pairs", "unknown"]


def _key_of(entry: Mapping[str, Any], known: Sequence[str]) -> str | None:
    """Return the first key of an object that is among known ones, in any case."""
    lower = {key.lower(): key for key in entry}
    return next((lower[key] for key in known if key in lower), None)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _children_of(entry: Mapping[str, Any]) -> list[Any] | None:
    key = _key_of(entry, _CHILDREN)
    below = entry[key] if key is not None else None
    return [below] if isinstance(below, dict) else below if isinstance(below, list) else None


def _is_tree(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    named = [key for key in (_key_of(entry, _IDS), _key_of(entry, _NAMES)) if key is not None]
    below = _children_of(entry)
    return bool(named) and any(_is_plain(entry[key]) for key in named) and below is not None


def shape_of(document: Any) -> tuple[Shape, Any]:
    """Return the shape of a document of another tool and its entries; "" for nested classes."""
    if isinstance(document, dict):
        if _is_tree(document):
            return "tree", [document]
        key = _key_of(document, _WRAPPERS)
        if key is not None and isinstance(document[key], list) and _is_of_records(document[key]):
            return shape_of(document[key])
        values = list(document.values())
        if values and all(isinstance(value, str) for value in values):
            return "pairs", document
        return _shape_of_keyed(document)
    if not isinstance(document, list) or not document:
        return "", document
    if all(isinstance(path, list) and path and all(map(_is_plain, path)) for path in document):
        return "paths", document
    if not all(isinstance(entry, dict) for entry in document):
        return "", document
    return _shape_of_list(document)


def _shape_of_keyed(document: dict[str, Any]) -> tuple[Shape, Any]:
    """Return the shape of an object that holds records by their names."""
    keyed = [{"key": name, **value} for name, value in document.items() if isinstance(value, dict)]
    if len(keyed) < max(len(document), 2):
        return "", document
    if all(_parent_key([entry]) for entry in keyed):
        return "records", keyed
    texts = all(
        isinstance(value, (str, int)) and value for entry in keyed for value in entry.values()
    )
    same = len({frozenset(entry) for entry in keyed}) == 1
    return ("unknown", keyed) if texts and same and len(keyed[0]) > 2 else ("", document)


def _shape_of_list(entries: list[dict[str, Any]]) -> tuple[Shape, Any]:
    named = all(_key_of(entry, (*_IDS, *_NAMES)) is not None for entry in entries)
    below = [_children_of(entry) or [] for entry in entries]
    some = [child for children in below for child in children]
    if named and some and all(isinstance(child, dict) for child in some):
        return "tree", entries
    if named and some and all(map(_is_plain, some)):
        return "ids", entries
    if _parent_key(entries):
        return "records", entries
    if len(shared_keys(entries)) > 1:
        return "unknown", entries
    keys = {frozenset(entry) for entry in entries}
    plain = all(_is_plain(value) or value is None for entry in entries for value in entry.values())
    return (
        ("unknown", entries)
        if len(keys) == 1 and len(entries[0]) > 1 and (named or plain)
        else ("", entries)
    )


def _is_of_records(entries: list[Any]) -> bool:
    return (
        bool(entries)
        and all(isinstance(entry, dict) for entry in entries)
        and bool(shape_of(entries)[0])
    )


def _parent_key(entries: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if objects name parents, or several levels, as the columns of a table do."""
    scalar = [
        k
        for k in dict.fromkeys(key for entry in entries for key in entry)
        if not isinstance(entries[0].get(k), dict)
    ]
    roles = set(tables.table_columns(scalar).values())
    known = bool(roles & {"parent", "rank", "path", "tree"}) or tables.header_direction(scalar) != 0
    return known and any(
        not isinstance(value, (dict, float)) for entry in entries[:1] for value in entry.values()
    )


def read_records(text: str, source: Source) -> Hierarchy:
    """The hierarchy of trees, records and paths as other tools write them."""
    shape, entries = shape_of(parse(text, source))
    if shape == "tree":
        return _read_tree(entries, source)
    if shape == "ids":
        return _read_child_ids(entries, source)
    if shape == "paths":
        paths = [RANKS.separator.join(map(str, path)) for path in entries]
        return tables.read_labels(paths, range(1, len(paths) + 1), RANKS, source)
    if shape == "pairs":
        return _read_pairs(entries, source)
    if shape == "records" or source.options.keys() & set(ROLES):
        return _read_columns(entries, source)
    raise source.error(
        f"these records match no shape that is read. These shapes are: {SHAPES}. Or say --child "
        "KEY --parent KEY, or --levels KEY,KEY"
    )


def _read_pairs(entries: dict[str, str], source: Source) -> Hierarchy:
    if not {"child", "parent"} <= source.options.keys():
        key, value = (shown(text, 30) for text in next(iter(entries.items())))
        raise source.error(
            f"each key has one name: is {key} below {value}, or above it? Say --child key "
            "--parent value, or --child value --parent key"
        )
    columns = [list(entries), list(entries.values())]
    return tables.read_columns(
        tables.NamedColumns(["key", "value"], columns, range(1, len(entries) + 1)), source
    )


def _read_columns(entries: list[dict[str, Any]], source: Source) -> Hierarchy:
    """Read records as a table; a list in a record stands for several rows."""
    names = list(dict.fromkeys(key for entry in entries for key in entry))
    if len(names) > tables.MOST_COLUMNS:
        raise source.error(
            f"records have {len(names):,} keys; at most {tables.MOST_COLUMNS:,} are read"
        )
    lists = [name for name in names if any(isinstance(entry.get(name), list) for entry in entries)]
    parents = [name for name in lists if tables.is_parent(name)][:1]
    keys, names = (
        names,
        [n for n in names if n in parents or all(_is_cell(entry.get(n)) for entry in entries)],
    )
    others = tuple(key for key in keys if key not in names)
    count = sum(
        len(entry[p]) for entry in entries for p in parents if isinstance(entry.get(p), list)
    ) + len(entries)
    if count * len(names) > source.limits.bytes:
        raise source.error(f"holds more than {source.limits.bytes:,} values in its records")
    rows, numbers = [], []
    for number, entry in enumerate(entries, 1):
        several = entry.get(parents[0]) if parents else None
        for parent in several or [None] if isinstance(several, list) else [several]:
            row = {**entry, parents[0]: parent} if parents else entry
            rows.append(["" if row.get(name) is None else str(row[name]).strip() for name in names])
            numbers.append(number)
    cells = [list(column) for column in zip(*rows, strict=True)]
    return tables.read_columns(tables.NamedColumns(names, cells, numbers, others), source)


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float))


def _read_child_ids(entries: list[dict[str, Any]], source: Source) -> Hierarchy:
    key = _key_of(entries[0], (*_IDS, *_NAMES))
    below = [_children_of(entry) or [] for entry in entries]
    assert key is not None  # says shape_of
    labels = _labels(entries, (key,), "record", source)
    parsed = building.ParsedEdges(isolated=labels)
    for label, children in zip(labels, below, strict=True):
        parsed.parents += [label] * len(children)
        parsed.children += map(as_label, children)
    if unknown := set(parsed.children).difference(labels):
        raise source.error(
            f"{shown(min(unknown))} is named as a child, but has no record of its own"
        )
    title = _key_of(entries[0], _NAMES)
    used = {
        key: "child",
        **({title: "title"} if title and title != key else {}),
        str(_key_of(entries[0], _CHILDREN)): "child ids",
    }
    parsed.titles = (
        [(label, str(entry.get(title) or "")) for label, entry in zip(labels, entries, strict=True)]
        if title
        else []
    )
    unread = tuple(name for name in entries[0] if name not in used)
    return building.build(parsed, source).with_understood(
        columns=tuple(used.items()), unread=unread
    )


def _read_tree(tops: list[dict[str, Any]], source: Source) -> Hierarchy:
    """Read objects that hold their children. Ids name classes where they are text, or names repeat;
    where only names repeat, a class is its whole path.
    """
    nodes: list[Any] = []
    above: list[int | None] = []
    ahead: list[tuple[Any, int | None]] = [(node, None) for node in reversed(tops)]
    while ahead:
        node, parent = ahead.pop()
        if not (isinstance(node, dict) or _is_plain(node)):
            raise source.error(f"a child is an object or a name, not {shown(repr(node), 40)}")
        nodes.append(node if isinstance(node, dict) else {"name": node})
        above.append(parent)
        ahead += [
            (child, len(nodes) - 1)
            for child in reversed((_children_of(node) if isinstance(node, dict) else None) or [])
        ]
    ids, names = (_values(nodes, known) for known in (_IDS, _NAMES))
    repeated = names is not None and len(set(names)) < len(names)
    if names and (ids is None or (not repeated and all(map(str.isdecimal, ids)))):
        labels, titles, others = names, [], ids or []
    elif ids:
        labels, titles, others = ids, names or [], []
    else:
        word, known = ("id", _IDS) if _values(nodes[:1], _IDS) else ("name", _NAMES)
        odd = next(k for k, node in enumerate(nodes) if _values([node], known) is None)
        raise source.error(
            f"object {odd + 1} has no {word}: {shown(str(nodes[odd]), 60)}. These shapes are "
            f"read: {SHAPES}"
        )
    if labels is names and repeated:
        return _read_tree_paths(labels, above, source)
    edges = [(labels[p], label) for p, label in zip(above, labels, strict=True) if p is not None]
    parsed = building.ParsedEdges(
        [p for p, _ in edges], [c for _, c in edges], isolated=list(labels)
    )
    parsed.titles = list(zip(labels, titles, strict=True)) if titles else []
    parsed.other_names = list(zip(others, labels, strict=True)) if others else []
    used = {
        str(_key_of(nodes[0], known)): role
        for known, role in ((_NAMES, "title"), (_IDS, "child"))
        if titles
    }
    used = used or {str(_key_of(nodes[0], _NAMES if labels is names else _IDS)): "child"}
    h = building.build(parsed, source)
    return h.with_understood(columns=tuple(used.items()), unread=_unread(nodes))


def _values(nodes: Sequence[Mapping[str, Any]], known: Sequence[str]) -> list[str] | None:
    """Return what a key of the same kind says in every object; None if one lacks it."""
    found = []
    for node in nodes:
        key = _key_of(node, known)
        if key is None or not _is_plain(node[key]) or node[key] == "":
            return None
        found.append(str(node[key]).strip())
    return found


def _read_tree_paths(
    names: Sequence[str], above: Sequence[int | None], source: Source
) -> Hierarchy:
    mark = RANKS.separator
    if odd := next((name for name in names if mark in name), None):
        raise source.error(
            f"names repeat, and {shown(odd)} holds {shown(mark)}, which stands between parts "
            f"of paths"
        )
    paths: list[str] = []
    for name, parent in zip(names, above, strict=True):
        paths.append(name if parent is None else f"{paths[parent]}{mark}{name}")
        if len(paths[-1]) > source.limits.label:
            raise too_long(paths[-1], source)
    if len(set(paths)) < len(paths):
        twice, _ = Counter(paths).most_common(1)[0]
        raise source.error(f"{shown(twice)} stands twice at the same place")
    edges = [
        (paths[parent], path)
        for path, parent in zip(paths, above, strict=True)
        if parent is not None
    ]
    parsed = building.ParsedEdges([p for p, _ in edges], [c for _, c in edges], isolated=paths)
    h = building.build(parsed, source)
    h = building.with_last_parts(h.with_titles(titles_of(h.nodes, RANKS)))
    return h.with_understood(rule="names repeat, so a class is its whole path")


def _unread(nodes: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    used = {*_IDS, *_NAMES, *_CHILDREN}
    return tuple(dict.fromkeys(key for node in nodes for key in node if key.lower() not in used))


RECORDS = HierarchyFormat(
    key="records",
    title="JSON of other tools",
    extensions=(".json",),
    description='trees `{"name": "A", "children": […]}` (d3, ECharts), records `[{"id": "B", '
    '"parent": "A"}]` or with '
    '`child_ids` (COCO, AudioSet), paths `[["A", "B"]]`',
    read=read_records,
    begins=lambda opening: opening.is_json and bool(shape_of(opening.json)[0]),
    takes=("errors", *ROLES, "rule"),
)


# --- node-link ----------------------------------------------------------------------------------


def is_node_link(document: Any) -> bool:
    """True for a node-link document, False for nested classes with those names."""
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        return False
    links = document.get("edges", document.get("links"))
    return isinstance(links, list) and {dict}.issuperset(map(type, (*document["nodes"], *links)))


def read_node_link(text: str, source: Source) -> Hierarchy:
    """The hierarchy of a node-link document; its edges lead from parent to child."""
    document = parse(text, source)
    if not is_node_link(document):
        raise source.error(
            "node-link JSON is an object with a list of objects in `nodes` and one in `edges` "
            "or `links`"
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
    return building.build(parsed, source)


def _labels(
    entries: list[dict[str, Any]], keys: Sequence[str], kind: str, source: Source
) -> list[str]:
    found: list[Any] = [entry.get(key) for entry in entries for key in keys]
    if all(found) and {str}.issuperset(map(type, found)):
        return found
    return [
        _label(entry, key, f"{kind} {k}", source)
        for k, entry in enumerate(entries, 1)
        for key in keys
    ]


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
    nodes = dict.fromkeys(
        [*(label for edge in edges for label in edge), *building.isolated_classes(h)]
    )
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": label, **attributes.get(label, {})} for label in nodes],
        "edges": [
            {"source": p, "target": c, **({"weight": weights[p, c]} if weights else {})}
            for p, c in edges
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


NODE_LINK = HierarchyFormat(
    key="node-link",
    title="Node-link JSON",
    extensions=(".node-link", ".json"),
    description="networkx' JSON: a list of nodes, perhaps with a `class_weight`, and one of "
    "edges, perhaps with a `weight`",
    read=read_node_link,
    write=write_node_link,
    begins=lambda opening: opening.is_json and is_node_link(opening.json),
    takes=("errors",),
)
