"""Faulty rows of taxonomies as people keep them, a class and its parent each: which they are, and
why.
"""

from collections.abc import Collection, Sequence
from itertools import compress, count
from operator import eq
from typing import Literal

from hiermeasures.core.errors import InputError, shown, unknown

Errors = Literal["raise", "drop"]
ERRORS = {"raise": "a faulty row is refused", "drop": "faulty rows are left out and listed"}
_MOST_COMPARED = 1_000_000  # pairs of an unknown parent and a class, where the nearest is sought


def checked_errors(errors: str) -> bool:
    """Return True for "drop", False for "raise"; InputError for other words."""
    if errors not in ERRORS:
        raise InputError(unknown("way to take faulty rows", str(errors), ERRORS) + f"; there are {', '.join(ERRORS)}")
    return errors == "drop"


def faults_of(
    parents: Sequence[str], children: Sequence[str], classes: Collection[str] | None = None, *, drop: bool = False
) -> dict[int, str]:
    """Return why some edges cannot be used, by their places: of a class to itself, and from a
    parent that is no class, where all classes are given. With `drop` also repeated edges, and all
    edges of cycles.

    >>> faults_of(["A", "B", "L928"], ["B", "B", "X"], ["A", "B", "X", "L92.8"])
    {1: "class 'B' is its own parent", 2: "class 'X' has the unknown parent 'L928'; nearest known: 'L92.8'"}
    """
    found = {k: f"class {shown(parents[k])} is its own parent" for k in compress(count(), map(eq, parents, children))}
    if classes is not None:
        known, most = frozenset(classes), _MOST_COMPARED // max(len(classes), 1) + 1
        for number, k in enumerate(compress(count(), (parent not in known for parent in parents))):
            words = unknown("parent", parents[k], classes if number < most else ())
            found[k] = f"class {shown(children[k])} has the {words}"
    if drop:
        _add_repeated(found, parents, children)
        _add_cycles(found, parents, children)
    return dict(sorted(found.items()))


def _add_repeated(found: dict[int, str], parents: Sequence[str], children: Sequence[str]) -> None:
    seen: set[tuple[str, str]] = set()
    for k, edge in enumerate(zip(parents, children, strict=True)):
        if edge in seen and k not in found:
            found[k] = f"class {shown(edge[1])} is below {shown(edge[0])} in an earlier row already"
        seen.add(edge)


def _add_cycles(found: dict[int, str], parents: Sequence[str], children: Sequence[str]) -> None:
    """All edges of a cycle are faulty: which of them is wrong, structure does not say."""
    import networkx as nx

    left = {k: (p, c) for k, (p, c) in enumerate(zip(parents, children, strict=True)) if k not in found}
    part = {
        label: number
        for number, some in enumerate(nx.strongly_connected_components(nx.DiGraph(left.values())))
        for label in some
        if len(some) > 1
    }
    for k, (parent, child) in left.items():
        if parent in part and part[parent] == part.get(child):
            found[k] = f"class {shown(child)} below {shown(parent)} is part of a cycle"
