"""Columns of edge lists and tables by their names, and the weights in them."""

import re
from collections.abc import Sequence
from typing import Literal

from hiermeasures.core.class_weights import ATTRIBUTES
from hiermeasures.core.errors import shown
from hiermeasures.formats.source import Source

_PARENT = re.compile(r"parents?([_-]\w+|id|code|name)?|source|from|broader|superclass|hypernym|supertype")
_CHILD = re.compile(
    r"child(ren)?([_-]\w+|id|code|name)?|target|to|narrower|subclass|hyponym|subtype|id|class|label|name|node|term|code|category|concept"
)
_TITLE = re.compile(r"(\w+_)?(title|name|label|description|heading|term|text)(_\w{2})?")
_CODE = re.compile(r"(\w+_)?(code|id|ui|notation|number|nr)")
_TREE_NUMBER = re.compile(r"(mesh_)?tree_?(num(ber)?s?|nos?|nrs?)")
_PATH = re.compile(r"taxon|taxonomy|(consensus_?)?lineage|((full|category)_?)?path|classification")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_RANK = re.compile(r"(?:level|lvl|l|rank|tier|depth|category|cat)[_-]?(\d{1,2})")
_RANKS = "domain superkingdom realm kingdom phylum division class order family genus species subspecies strain".split()
Role = Literal["child", "parent", "title", "weight", "class_weight", "icm_weight", "tree", "path", "rank"]
_PARENT_ROLE: Role = "parent"
_TREE_ROLE: Role = "tree"


def header_direction(fields: Sequence[str]) -> int:
    """Return 1 for a header parent, child; -1 for child, parent; 0 for no header.

    >>> header_direction(["CHILD", "PARENT"])
    -1
    """
    if len(fields) in (2, 3) or (len(fields) in (4, 5) and set(map(column_name, fields[3:])) <= set(ATTRIBUTES)):
        first, second = map(column_name, fields[:2])
        if _PARENT.fullmatch(first) and _CHILD.fullmatch(second):
            return 1
        if _CHILD.fullmatch(first) and _PARENT.fullmatch(second):
            return -1
    return 0


def names_weights(fields: Sequence[str]) -> bool:
    """True for a header of parents, children and weights, which looks like a parent with children.

    >>> names_weights(["parent", "child", "class_weight"]), names_weights(["parent", "child", "nephew"])
    (True, False)
    """
    return header_direction(fields) != 0 and {"weight", *ATTRIBUTES}.issuperset(map(column_name, fields[2:]))


def column_name(title: str) -> str:
    return title.lower().replace(" ", "_")


def table_columns(fields: Sequence[str]) -> dict[int, Role]:
    """Return the role of each column that is read of a table whose header this is; none for other
    lines, and for headers of edge lists.

    >>> table_columns(["code", "title", "parent"])
    {2: 'parent', 0: 'child', 1: 'title'}
    >>> table_columns(["Feature ID", "Taxon", "Confidence"]), table_columns(["level 2", "level 1"])
    ({1: 'path'}, {1: 'rank', 0: 'rank'})
    >>> table_columns(["parent", "child", "weight"])
    {}
    """
    names = [column_name(_CAMEL.sub("_", field.strip().lstrip("\ufeff#"))) for field in fields]
    if len(names) < 2 or len(set(names)) < len(names):
        return {}
    if ranks := _ranks(names):
        return dict.fromkeys(ranks, "rank")
    parents = [k for k, name in enumerate(names) if _PARENT.fullmatch(name)]
    trees = [k for k, name in enumerate(names) if _TREE_NUMBER.fullmatch(name)]
    found: dict[int, Role] = {**dict.fromkeys(parents, _PARENT_ROLE), **dict.fromkeys(trees, _TREE_ROLE)}
    paths = [k for k, name in enumerate(names) if _PATH.fullmatch(name)]
    if len(found) > 1 or (not found and paths):
        return {paths[0]: "path"} if not found else {}
    rest = [k for k in range(len(names)) if k not in found]
    classes = [k for k in rest if _CHILD.fullmatch(names[k]) or _CODE.fullmatch(names[k])]
    classes.sort(key=lambda k: (not names[k].startswith("child"), not _CODE.fullmatch(names[k])))
    texts = [k for k in rest if _TITLE.fullmatch(names[k]) and k not in classes[:1]]
    if not classes and not (trees and texts):
        return {}
    found[(classes or texts)[0]] = "child"
    if classes and texts:
        found[texts[0]] = "title"
    weights: dict[int, Role] = {k: name for k, name in enumerate(names) if name in ("weight", *ATTRIBUTES)}  # type: ignore[misc]
    is_edge_list = header_direction(fields) != 0 and "title" not in found.values()
    is_list = not parents and not trees and not (_CODE.fullmatch(names[classes[0]]) and "title" in found.values())
    return {} if is_edge_list or is_list or len(names) < 2 + bool(parents) else found | weights


def _ranks(names: Sequence[str]) -> list[int]:
    """Return the columns of ranks, the top one first, of a header with at least two of one kind."""
    numbered = sorted((int(match[1]), k) for k, name in enumerate(names) if (match := _RANK.fullmatch(name)))
    named = sorted((_RANKS.index(name), k) for k, name in enumerate(names) if name in _RANKS)
    found = max(numbered, named, key=len)
    return [k for _, k in found] if len(found) > 1 and not any(_PARENT.fullmatch(name) for name in names) else []


def edge_weight(text: str, source: Source, line: int | None = None) -> float:
    """The weight of an edge, a positive number; InputError for another text."""
    try:
        weight = float(text)
    except ValueError:
        reason = f"the third column is an edge weight, a positive number, but here it is {shown(text)}"
        raise source.error(reason, line) from None
    if not 0 < weight < float("inf"):
        raise source.error(f"an edge weight is a positive number, not {shown(text)[1:-1]}", line)
    return weight
