"""JSON hierarchies in several shapes.

The shapes are nested objects, `{"A": {"B": ["T1", "P1"], "C": null}}`, trees, records and paths of other tools, and node-link documents of networkx.

In nested objects, a class with several parents has its children below one of them. Node-link
documents are read without networkx, because its reader differs between versions.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy, as_label
from hiermeasures.hierarchy.label_notation import RANKS
from hiermeasures.read.hierarchies import building, tables
from hiermeasures.read.hierarchies.format import HierarchyFormat
from hiermeasures.read.reading import ROLES
from hiermeasures.read.source import UPLOAD, Source, check_encodable, check_lengths

SHAPES = (
    'objects inside objects {"A": {"B": ["C"]}}, a tree {"name": "A", "children": [{"name": '
    '"B"}]}, records '
    '[{"id": "B", "parent": "A"}] or [{"id": "A", "child_ids": ["B"]}], and paths [["A", "B"]]'
)
_SHAPES = f"These shapes are read: {SHAPES}"


# --- nested objects -----------------------------------------------------------------------------


def read_nested(document: Any, source: Source) -> Hierarchy:
    if not isinstance(document, (dict, list)):
        raise source.error(
            f"a nested hierarchy must be a JSON object or list, not {type(document).__name__}"
        )
    if keys := _keys_of_records(document):
        listing = ", ".join(shown(key, 30) for key in keys[:5])
        raise source.error(
            f"a list contains records with the keys {listing}, which are not classes. {_SHAPES}"
        )
    try:
        h = Hierarchy.from_nested(document)  # type: ignore[arg-type]
    except InputError as error:
        is_shape = str(error).startswith("a nested hierarchy must contain")
        raise source.error(f"{error}. {_SHAPES}" if is_shape else str(error)) from None
    return building.check_nodes(h, source)


def _keys_of_records(document: Any) -> list[str]:
    """Return the shared keys of the first list of records in a document. Return [] without records."""
    ahead = [document]
    while ahead:
        value = ahead.pop()
        if isinstance(value, list):
            if len(keys := shared_keys(value)) > 1:
                return keys
            ahead += value
        elif isinstance(value, dict):
            ahead += value.values()
    return []


def shared_keys(entries: Sequence[Any]) -> list[str]:
    """Return keys that all objects have. Return [] for other entries.

    >>> shared_keys([{"name": "A", "kind": "x"}, {"name": "B", "kind": "y", "size": 1}])
    ['name', 'kind']
    >>> shared_keys([{"A": None, "B": None}]), shared_keys(["A", {"B": None}])
    ([], [])
    """
    if len(entries) < 2 or not _are_objects(entries):
        return []
    return [key for key in entries[0] if all(key in entry for entry in entries)]


def write_nested(h: Hierarchy) -> str:
    """Write the children of a class below the first of its parents."""
    building.check_unweighted(h, "nested JSON")
    if h.depth + 2 > UPLOAD.nesting:
        raise InputError(
            f"nested JSON contains at most {UPLOAD.nesting - 2} levels, but this hierarchy has "
            f"{h.depth}. Write an edge list"
        )
    check_encodable(h.nodes)
    built: dict[str, dict[str, Any] | None] = {}
    for label in reversed(h.nodes):  # deepest classes first
        below = {c: built[c] if h.parents(c)[0] == label else None for c in h.children(label)}
        built[label] = below or None
    return _as_text({top: built[top] for top in building.tops(h)}, indent=2)


def _as_text(document: Any, indent: int) -> str:
    return json.dumps(document, ensure_ascii=False, indent=indent) + "\n"


NESTED = HierarchyFormat(
    key="json",
    title="Nested JSON",
    extensions=(".json",),
    description='objects inside objects: {"A": {"B": ["T1", "P1"], "C": null}}',
    read=read_nested,
    is_json=True,
    write=write_nested,
    begins=lambda opening: opening.is_json,
)


# --- trees, records and paths of other tools ------------------------------------------------------

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
Object = dict[str, Any]
Reader = Callable[[Any, Source], Hierarchy]


def _are_objects(entries: Iterable[Any]) -> bool:
    return all(isinstance(entry, dict) for entry in entries)


def _is_name(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _key_of(entry: Mapping[str, Any], known: Sequence[str]) -> str | None:
    """Return the first key of an object that is among known ones, in any case."""
    lower = {key.lower(): key for key in entry}
    return next((lower[key] for key in known if key in lower), None)


def _children_of(entry: Any) -> list[Any] | None:
    """Return the children of an object; None if it has no key for them."""
    key = _key_of(entry, _CHILDREN) if isinstance(entry, dict) else None
    below = entry[key] if key is not None else None
    return [below] if isinstance(below, dict) else below if isinstance(below, list) else None


def _recognise(document: Any) -> tuple[Reader | None, Any]:
    """Return the reader of a document from another tool, and its entries. Return None for nested
    classes.
    """
    if isinstance(document, list):
        return _recognise_list(document)
    if not isinstance(document, dict):
        return None, document
    named = [key for known in (_IDS, _NAMES) if (key := _key_of(document, known)) is not None]
    if any(_is_name(document[key]) for key in named) and _children_of(document) is not None:
        return _read_tree, [document]
    key = _key_of(document, _WRAPPERS)
    if key is not None and isinstance(document[key], list) and _are_objects(document[key]):
        reader, entries = _recognise_list(document[key])
        if reader is not None:
            return reader, entries
    values = list(document.values())
    if values and all(isinstance(value, str) for value in values):
        return _read_pairs, document
    keyed = [{"key": name, **value} for name, value in document.items() if isinstance(value, dict)]
    if len(keyed) < max(len(document), 2):
        return None, document
    if all(_has_parents([entry]) for entry in keyed):
        return _read_records, keyed
    are_texts = all(
        isinstance(value, (str, int)) and value for entry in keyed for value in entry.values()
    )
    is_unknown = are_texts and _have_same_keys(keyed) and len(keyed[0]) > 2
    return _read_unknown if is_unknown else None, keyed


def _recognise_list(entries: list[Any]) -> tuple[Reader | None, Any]:
    if not entries:
        return None, entries
    if all(isinstance(path, list) and path and all(map(_is_name, path)) for path in entries):
        return _read_paths, entries
    if not _are_objects(entries):
        return None, entries
    is_named = all(_key_of(entry, (*_IDS, *_NAMES)) is not None for entry in entries)
    children = [child for entry in entries for child in _children_of(entry) or []]
    if is_named and children and _are_objects(children):
        return _read_tree, entries
    if is_named and children and all(map(_is_name, children)):
        return _read_child_ids, entries
    if _has_parents(entries):
        return _read_records, entries
    are_plain = all(
        _is_name(value) or value is None for entry in entries for value in entry.values()
    )
    is_unknown = len(shared_keys(entries)) > 1 or (
        _have_same_keys(entries) and len(entries[0]) > 1 and (is_named or are_plain)
    )
    return _read_unknown if is_unknown else None, entries


def _have_same_keys(entries: Iterable[Object]) -> bool:
    return len({frozenset(entry) for entry in entries}) == 1


def _has_parents(entries: Sequence[Object]) -> bool:
    """Return True if objects name parents, or several levels, as the columns of a table do."""
    first = entries[0]
    names = dict.fromkeys(key for entry in entries for key in entry)
    scalar = [key for key in names if not isinstance(first.get(key), dict)]
    roles = set(tables.table_columns(scalar).values())
    is_known = roles & {"parent", "rank", "path", "tree"} or tables.header_direction(scalar)
    return bool(is_known) and any(not isinstance(v, (dict, float)) for v in first.values())


def read_records(document: Any, source: Source) -> Hierarchy:
    """Read trees, records and paths as other tools write them."""
    reader, entries = _recognise(document)
    return (reader or _read_unknown)(entries, source)


def _read_unknown(entries: Any, source: Source) -> Hierarchy:
    if source.options.keys() & set(ROLES) and isinstance(entries, list) and _are_objects(entries):
        return _read_records(entries, source)
    raise source.error(
        f"these records have an unknown shape. These shapes are read: {SHAPES}. Or give --child "
        "KEY --parent KEY, or --levels KEY,KEY"
    )


def _read_paths(paths: list[list[Any]], source: Source) -> Hierarchy:
    joined = [RANKS.separator.join(map(str, path)) for path in paths]
    return tables.read_labels(joined, range(1, len(joined) + 1), RANKS, source)


def _read_pairs(entries: dict[str, str], source: Source) -> Hierarchy:
    if not {"child", "parent"} <= source.options.keys():
        key, value = (shown(text, 30) for text in next(iter(entries.items())))
        raise source.error(
            f"each key has one name. Is {key} below {value}, or above it? Give --child key "
            "--parent value, or --child value --parent key"
        )
    columns = [list(entries), list(entries.values())]
    lines = range(1, len(entries) + 1)
    return tables.read_columns(tables.NamedColumns(["key", "value"], columns, lines), source)


def _read_records(entries: list[Object], source: Source) -> Hierarchy:
    """Read records as a table. A list of parents in a record means several rows."""
    keys = list(dict.fromkeys(key for entry in entries for key in entry))
    if len(keys) > tables.MOST_COLUMNS:
        raise source.error(
            f"records have {len(keys):,} keys, but the limit is {tables.MOST_COLUMNS:,}"
        )
    lists = [key for key in keys if any(isinstance(entry.get(key), list) for entry in entries)]
    parents = next(filter(tables.is_parent, lists), None)
    names = [key for key in keys if key == parents or all(_is_cell(e.get(key)) for e in entries)]
    several = [_parents_in(entry, parents) for entry in entries]
    if (sum(map(len, several)) + len(entries)) * len(names) > source.limits.bytes:
        raise source.error(f"contains more than {source.limits.bytes:,} values in its records")
    rows, numbers = [], []
    for number, (entry, above) in enumerate(zip(entries, several, strict=True), 1):
        for parent in above:
            row = entry if parents is None else {**entry, parents: parent}
            rows.append(["" if row.get(name) is None else str(row[name]).strip() for name in names])
            numbers.append(number)
    cells = [list(column) for column in zip(*rows, strict=True)]
    others = tuple(key for key in keys if key not in names)
    return tables.read_columns(tables.NamedColumns(names, cells, numbers, others), source)


def _parents_in(entry: Object, key: str | None) -> list[Any]:
    parents = None if key is None else entry.get(key)
    return parents or [None] if isinstance(parents, list) else [parents]


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float))


def _read_child_ids(entries: list[Object], source: Source) -> Hierarchy:
    key, title = _key_of(entries[0], (*_IDS, *_NAMES)), _key_of(entries[0], _NAMES)
    assert key is not None  # says _recognise_list
    labels = _labels(entries, (key,), "record", source)
    parsed = building.ParsedEdges(isolated=labels)
    for label, entry in zip(labels, entries, strict=True):
        below = _children_of(entry) or []
        parsed.parents += [label] * len(below)
        parsed.children += map(as_label, below)
    if unknown := set(parsed.children).difference(labels):
        raise source.error(
            f"{shown(min(unknown))} is named as a child, but has no record. Add its record."
        )
    if title:
        texts = (str(entry.get(title) or "") for entry in entries)
        parsed.titles = list(zip(labels, texts, strict=True))
    used = {key: "child"} | ({title: "title"} if title and title != key else {})
    used[str(_key_of(entries[0], _CHILDREN))] = "child ids"
    return building.build(parsed, source).with_understood(
        columns=tuple(used.items()), unread=tuple(name for name in entries[0] if name not in used)
    )


def _read_tree(tops: list[Object], source: Source) -> Hierarchy:
    """Read objects that contain their children. Ids name classes if they are text, or if names
    repeat. If only names repeat, a class is its whole path.
    """
    nodes, above = _nodes_below(tops, source)
    ids, names = (_values(nodes, known) for known in (_IDS, _NAMES))
    repeats = names is not None and len(set(names)) < len(names)
    if names and (ids is None or (not repeats and all(map(str.isdecimal, ids)))):
        labels, titles, others = names, [], ids or []
    elif ids:
        labels, titles, others = ids, names or [], []
    else:
        word, known = ("id", _IDS) if _values(nodes[:1], _IDS) else ("name", _NAMES)
        odd = next(k for k, node in enumerate(nodes) if _values([node], known) is None)
        raise source.error(
            f"object {odd + 1} has no {word}: {shown(str(nodes[odd]), 60)}. {_SHAPES}"
        )
    if labels is names and repeats:
        return _read_tree_paths(labels, above, source)
    edges = [(labels[p], label) for p, label in zip(above, labels, strict=True) if p is not None]
    parsed = building.ParsedEdges(
        [p for p, _ in edges],
        [c for _, c in edges],
        isolated=labels,
        titles=list(zip(labels, titles, strict=False)),
        other_names=list(zip(others, labels, strict=False)),
    )
    known_names, known_ids = (str(_key_of(nodes[0], known)) for known in (_NAMES, _IDS))
    used = {known_names: "title", known_ids: "child"} if titles else {}
    used = used or {known_names if labels is names else known_ids: "child"}
    read = {*_IDS, *_NAMES, *_CHILDREN}
    unread = dict.fromkeys(key for node in nodes for key in node if key.lower() not in read)
    return building.build(parsed, source).with_understood(
        columns=tuple(used.items()), unread=tuple(unread)
    )


def _nodes_below(tops: list[Object], source: Source) -> tuple[list[Object], list[int | None]]:
    """Return all objects of trees, parents first, and the place of each one's parent."""
    nodes: list[Object] = []
    above: list[int | None] = []
    ahead: list[tuple[Any, int | None]] = [(node, None) for node in reversed(tops)]
    while ahead:
        node, parent = ahead.pop()
        if not (isinstance(node, dict) or _is_name(node)):
            raise source.error(f"a child must be an object or a name, not {shown(repr(node), 40)}")
        nodes.append(node if isinstance(node, dict) else {"name": node})
        above.append(parent)
        ahead += [(child, len(nodes) - 1) for child in reversed(_children_of(node) or [])]
    return nodes, above


def _values(nodes: Sequence[Object], known: Sequence[str]) -> list[str] | None:
    """Return the value of a known key in every object. Return None if an object lacks it."""
    found = [node.get(_key_of(node, known) or "") for node in nodes]
    is_complete = all(_is_name(value) and value != "" for value in found)
    return [str(value).strip() for value in found] if is_complete else None


def _read_tree_paths(names: list[str], above: list[int | None], source: Source) -> Hierarchy:
    mark = RANKS.separator
    if odd := next((name for name in names if mark in name), None):
        raise source.error(
            f"names repeat, and {shown(odd)} contains {shown(mark)}, which separates parts of "
            "paths. Rename the class"
        )
    paths: list[str] = []
    for name, parent in zip(names, above, strict=True):
        paths.append(name if parent is None else f"{paths[parent]}{mark}{name}")
        check_lengths(paths[-1:], source)
    twice, times = Counter(paths).most_common(1)[0]
    if times > 1:
        raise source.error(f"{shown(twice)} occurs twice at the same place. Remove one.")
    h = tables.read_labels(paths, range(1, len(paths) + 1), RANKS, source)
    return building.with_last_parts(h).with_understood(
        rule="names repeat, so a class is its whole path"
    )


RECORDS = HierarchyFormat(
    key="records",
    title="JSON of other tools",
    extensions=(".json",),
    description=(
        'trees `{"name": "A", "children": […]}` (d3, ECharts), records `[{"id": "B", '
        '"parent": "A"}]` or with `child_ids` (COCO, AudioSet), and paths `[["A", "B"]]`'
    ),
    read=read_records,
    is_json=True,
    begins=lambda opening: opening.is_json and _recognise(opening.json)[0] is not None,
    takes=("errors", *ROLES, "rule"),
)


# --- node-link ----------------------------------------------------------------------------------


def _is_node_link(document: Any) -> bool:
    """Return True for a node-link document, False for nested classes with those names."""
    if not isinstance(document, dict):
        return False
    nodes, links = document.get("nodes"), document.get("edges", document.get("links"))
    return isinstance(nodes, list) and isinstance(links, list) and _are_objects((*nodes, *links))


def read_node_link(document: Any, source: Source) -> Hierarchy:
    """Read a node-link document, whose edges lead from parent to child."""
    if not _is_node_link(document):
        raise source.error(
            "node-link JSON must be an object with a list of objects in `nodes` and one in "
            "`edges` or `links`"
        )
    if document.get("directed", True) is not True:
        raise source.error("the graph is undirected. A hierarchy needs edges from parent to child.")
    nodes, links = document["nodes"], document.get("edges", document.get("links"))
    labels = _labels(nodes, ("id",), "node", source)
    ends = _labels(links, ("source", "target"), "edge", source)
    edges = list(zip(ends[::2], ends[1::2], links, strict=True))
    described = list(zip(labels, nodes, strict=True))
    return building.build(building.ParsedEdges.of_graph(described, edges), source)


def _labels(entries: list[Object], keys: Sequence[str], kind: str, source: Source) -> list[str]:
    """Return the labels below some keys of each object."""
    found: list[Any] = [entry.get(key) for entry in entries for key in keys]
    if all(found) and {str}.issuperset(map(type, found)):
        return found
    labels = []
    for k, entry in enumerate(entries, 1):
        for key in keys:
            if key not in entry:
                raise source.error(f"{kind} {k} has no {shown(key)}")
            try:
                labels.append(as_label(entry[key]))
            except InputError as error:
                raise source.error(f"{kind} {k}: {error}") from None
    return labels


def write_node_link(h: Hierarchy) -> str:
    """Write node-link JSON that `networkx.node_link_graph` reads."""
    weights, attributes = building.weights_if_any(h), building.class_weights_if_any(h)
    check_encodable(h.nodes)
    edges = building.written_edges(h)
    nodes = dict.fromkeys(label for edge in edges for label in edge)
    nodes |= dict.fromkeys(building.isolated_classes(h))
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
    return _as_text(document, indent=1)


NODE_LINK = HierarchyFormat(
    key="node-link",
    title="Node-link JSON",
    extensions=(".node-link", ".json"),
    description=(
        "networkx' JSON: a list of nodes with an optional `class_weight`, and a list of edges "
        "with an optional `weight`"
    ),
    read=read_node_link,
    is_json=True,
    write=write_node_link,
    begins=lambda opening: opening.is_json and _is_node_link(opening.json),
    takes=("errors",),
)
