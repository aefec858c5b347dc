"""Edits of the hierarchy on the screen.

These are pure functions. Each takes a `Shown` and returns the next one, or raises InputError with a
reason. An edit makes a new hierarchy and updates the true and predicted classes. It keeps the order
of the classes, so that the drawing changes as little as possible.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from hiermeasures.debug.random_hierarchies import letter_names
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.class_weights import CLASS_WEIGHT
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import DEFAULT_ROOT_NAME, Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import Path
from hiermeasures.measures.explain import apply_class_weights
from hiermeasures.read import UPLOAD, read_hierarchy_text, write_hierarchy_text

Edge = tuple[str, str]
MOST_LINES = 3000
NAME_IT = "give it a name to make it a class"


def add_class(now: Shown, label: str, parent: str | None = None) -> Shown:
    """Add a class below `parent`, or on top. A second class on top adds a virtual root.

    InputError if the name is taken or impossible, or the parent is unknown.
    """
    h = now.hierarchy
    label = _free(h, label)
    if parent is None or (h.virtual_root and parent == h.root):
        return _changed(now, _edges(h), [*_tops(h), label])
    h.index(parent)
    return _changed(now, [*_edges(h), (parent, label, 1.0)], _tops(h))


def add_edge(now: Shown, parent: str, child: str) -> Shown:
    """Add an edge between two classes. A second parent turns a tree into a DAG.

    InputError if the edge exists, would close a cycle (the message names its classes), or touches
    the virtual root.
    """
    h, ends = now.hierarchy, f"from {shown(parent)} to {shown(child)}"
    h.index(parent), h.index(child)
    if parent == child:
        raise InputError(f"an edge from {shown(parent)} to itself would close a cycle")
    if h.virtual_root and h.root in (parent, child):
        raise InputError(f"{shown(h.root)} is virtual: it only joins the top classes; {NAME_IT}")
    if child in h.ancestors(parent):
        path = [*reversed(next(h.shortest_upward_paths(parent, child))), child]
        raise InputError(f"an edge {ends} would close a cycle: {' > '.join(map(shown, path))}")
    if child in h.children(parent):
        raise InputError(f"there is already an edge {ends}")
    return _changed(now, [*_edges(h), (parent, child, 1.0)], _tops(h))


def rename(now: Shown, label: str, name: str) -> Shown:
    """Rename a class. A virtual root that gets a name becomes a class."""
    h = now.hierarchy
    h.index(label)
    if name.strip() == label:
        return now
    called = {label: _free(h, name)}
    edges = [
        (called.get(p, p), called.get(c, c), w) for p, c, w in _edges(h, virtual=label == h.root)
    ]
    tops = [called.get(top, top) for top in ([h.root] if label == h.root else _tops(h))]
    return _changed(now, edges, tops, called)


def delete_class(now: Shown, label: str) -> Shown:
    """Delete a class. Children without another parent move up to its parents."""
    h = now.hierarchy
    h.index(label)
    if len(h) == 1:
        raise InputError("a hierarchy needs at least one class")
    if h.virtual_root and label == h.root:
        raise InputError(
            f"{shown(label)} is virtual. It disappears when one class is above all others."
        )
    above = [p for p in h.parents(label) if not (h.virtual_root and p == h.root)]
    orphans = [c for c in h.children(label) if h.parents(c) == (label,)]
    edges: list[tuple[str, str, float]] = []
    for p, c, w in _edges(h):
        if p == label:
            edges += [(a, c, w) for a in above if c in orphans]
        elif c != label:
            edges.append((p, c, w))
    tops = [t for top in _tops(h) for t in (orphans if top == label else [top])]
    return _changed(now, edges, tops)


def delete_edge(now: Shown, parent: str, child: str) -> Shown:
    """Delete an edge. A class that loses its only parent moves to the top."""
    h = now.hierarchy
    h.weight(parent, child)
    if h.virtual_root and parent == h.root:
        why = f"it joins the top classes. Give {shown(child)} a parent instead."
        raise InputError(f"{shown(parent)} is virtual: {why}")
    return _changed(now, [e for e in _edges(h) if e[:2] != (parent, child)], [*_tops(h), child])


def weight_of(now: Shown, label: str) -> float:
    return apply_class_weights(now.hierarchy, now.instance.options).class_weight(label)


def weigh(now: Shown, label: str, weight: float) -> Shown:
    """Change the weight of a class. This makes the hierarchy's weights given weights.

    The other classes keep their weights under the current options. InputError if the weight is
    invalid or the class is the virtual root.
    """
    h = now.hierarchy
    h.index(label)
    if h.virtual_root and label == h.root:
        raise InputError(f"{shown(label)} is virtual and has no weight; {NAME_IT}")
    before = apply_class_weights(h, now.instance.options)
    attributes = before.class_attributes or {c: {CLASS_WEIGHT: 1.0} for c in h.nodes}
    return _on(now, h.with_class_attributes({**attributes, label: {CLASS_WEIGHT: weight}}), {})


def new_name(taken: Iterable[str]) -> str:
    """Return the first free name of A, B, … Z, AA, AB, …"""
    used = set(taken)
    return next(name for name in letter_names() if name not in used)


@dataclass(frozen=True)
class Lines:
    """A hierarchy as `parent child` lines, or the reason why it has no such text (`why_not`)."""

    text: str
    why_not: str = ""


def as_lines(hierarchy: Hierarchy) -> Lines:
    """Return one line per edge, parent first, without weights and titles.

    Names are separated by a blank, or by a tab if names contain blanks or commas.
    """
    if hierarchy.edge_count > MOST_LINES:
        return Lines("", f"To edit more than {MOST_LINES:,} edges, use your own file.")
    try:
        text = write_hierarchy_text(
            replace(hierarchy, class_weights=None, titles={}, other_names={}), "edges"
        )
    except InputError as fault:
        return Lines("", f"As text: {fault}.")
    if any(
        label.split() != [label] or set(',;"') & set(label)
        for label in hierarchy.nodes[hierarchy.virtual_root :]
    ):
        return Lines(text)
    return Lines("".join(line.replace("\t", " ").rstrip() + "\n" for line in text.splitlines()))


def from_lines(now: Shown, text: str) -> Shown:
    """Replace the hierarchy by an edge list. InputError if the lines are invalid."""
    edited = _on(now, read_hierarchy_text(text, format="edges"), {})
    return now if edited.hierarchy == now.hierarchy else edited


def _edges(h: Hierarchy, *, virtual: bool = False) -> list[tuple[str, str, float]]:
    """Return every edge with its weight, in an order that reproduces the hierarchy."""
    hidden = h.root if h.virtual_root and not virtual else None
    return [(p, c, h.weight(p, c)) for c in h.nodes for p in h.parents(c) if p != hidden]


def _tops(h: Hierarchy) -> list[str]:
    return list(h.children(h.root)) if h.virtual_root else [h.root]


def _free(h: Hierarchy, name: str) -> str:
    """Return an unused name for a class. InputError if it is taken or invalid."""
    name = name.strip()
    if not name:
        raise InputError("a class needs a name")
    if name in h:
        raise InputError(f"there is already a class {shown(name)}")
    if len(name) > UPLOAD.label:
        raise InputError(
            f"a class name of {len(name):,} characters is too long. Use at most {UPLOAD.label:,}."
        )
    if re.search("[\\0\n\ud800-\udfff]", name):
        raise InputError(f"{shown(name)} contains characters that are not allowed in names")
    return name


def _changed(
    now: Shown,
    edges: list[tuple[str, str, float]],
    tops: Iterable[str],
    called: dict[str, str] | None = None,
) -> Shown:
    """Return an instance with these edges and classes. `called` maps old names to new ones."""
    h = now.hierarchy
    root_name = h.root if h.virtual_root else DEFAULT_ROOT_NAME
    return _on(now, Hierarchy.from_edges(edges, tops, root_name), called or {})


def _on(now: Shown, hierarchy: Hierarchy, called: dict[str, str]) -> Shown:
    """Return an instance on another hierarchy. Marked classes that exist there stay marked.

    Given paths stay if all of them still lead from the root along edges. If the new hierarchy has
    class weights, they are used. Otherwise remaining classes keep their weights.
    """

    def followed(labels: Iterable[str]) -> frozenset[str]:
        return frozenset(name for name in (called.get(c, c) for c in labels) if name in hierarchy)

    def followed_paths(paths: tuple[Path, ...] | None) -> tuple[Path, ...] | None:
        there, edges = (
            tuple(tuple(called.get(c, c) for c in path) for path in paths or ()),
            set(hierarchy.edges),
        )
        hold = all(path[0] == hierarchy.root and edges.issuperset(pairwise(path)) for path in there)
        return there if paths is not None and hold else None

    i, options = now.instance, now.instance.options
    if hierarchy.class_weights is None:
        hierarchy = hierarchy.with_class_weights_of(i.hierarchy, called)
    else:
        options = Options.make({**options.changed, "class_weights": "given"})
    true, predicted = followed_paths(i.true_paths), followed_paths(i.predicted_paths)
    both = followed(i.true), followed(i.predicted)
    return replace(
        now,
        instance=Instance(hierarchy, *both, options, true_paths=true, predicted_paths=predicted),
    )
