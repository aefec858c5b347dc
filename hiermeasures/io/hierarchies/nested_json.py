"""Nested JSON: `{"A": {"B": ["T1", "P1"], "C": null}}`. A class of several parents has its children under one of
them.
"""

import json
from typing import Any

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import check_nodes, check_unweighted, encodable, tops
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.json_text import parse
from hiermeasures.io.source import UPLOAD, Limits, Source


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of a nested JSON object or list."""
    document = parse(text, source, limits)
    if not isinstance(document, (dict, list)):
        raise source.error(f"a nested hierarchy is a JSON object or list, not {type(document).__name__}")
    try:
        h = Hierarchy.from_nested(document)  # type: ignore[arg-type]
    except InputError as error:
        raise source.error(str(error)) from None
    return check_nodes(h, source, limits)


def write(h: Hierarchy) -> str:
    """The hierarchy as nested JSON objects, two blanks per level."""
    check_unweighted(h, "nested JSON")
    if h.depth + 2 > UPLOAD.nesting:
        raise InputError(
            f"nested JSON holds at most {UPLOAD.nesting - 2} levels, and this hierarchy is {h.depth} deep; "
            "write an edge list"
        )
    if not all(map(encodable, h.nodes)):
        raise InputError("a class name holds half a surrogate pair, which no file can hold")
    return json.dumps(_nested(h), ensure_ascii=False, indent=2) + "\n"


def _nested(h: Hierarchy) -> dict[str, Any]:
    """Objects inside objects, deepest classes first; the children of a class go under the parent that comes first."""
    built: dict[str, dict[str, Any] | None] = {}
    for label in reversed(h.nodes):
        first = {c: built[c] if h.parents(c)[0] == label else None for c in h.children(label)}
        built[label] = first or None
    return {top: built[top] for top in tops(h)}


def _begins(opening: Opening) -> bool:
    return opening.is_json


FORMAT = HierarchyFormat(
    "json",
    "Nested JSON",
    (".json",),
    'objects inside objects: {"A": {"B": ["T1", "P1"], "C": null}}',
    read,
    write,
    begins=_begins,
)
