"""From parsed edges to a Hierarchy, and from a Hierarchy to the parts that a file holds; faults are reported with their
line.

The virtual root is never written: a reader adds it again.
"""

import copy
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import compress, count, repeat
from operator import eq

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy, as_label
from hiermeasures.hierarchy_arrays import numbered
from hiermeasures.io.source import MOST_CLASSES, MOST_EDGES, MOST_MARKED, Limits, Source


@dataclass
class ParsedEdges:
    """Edges as columns, in the order of the file. `lines` are their line numbers, empty where the format has none."""

    parents: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    weights: dict[int, float] = field(default_factory=dict)
    lines: Sequence[int] = ()
    isolated: list[str] = field(default_factory=list)
    attributes: dict[str, dict[str, object]] = field(default_factory=dict)  # of classes: ATTRIBUTES of class_weights
    notes: list[str] = field(default_factory=list)

    def line(self, k: int) -> int | None:
        """The line of edge k."""
        return self.lines[k] if self.lines else None


@dataclass
class NumberedEdges:
    """Edges as arrays of places in `labels`, where each label stands once; `isolated` as there."""

    labels: list[str]
    parent: np.ndarray
    child: np.ndarray
    line: np.ndarray
    isolated: np.ndarray
    weight: np.ndarray | None = None  # positive, within WIDEST_RATIO
    attributes: dict[str, dict[str, object]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def parsed(self) -> ParsedEdges:
        """The same edges by their names."""
        parents, children, isolated = (
            [self.labels[k] for k in column.tolist()] for column in (self.parent, self.child, self.isolated)
        )
        weights = {} if self.weight is None else dict(enumerate(self.weight.tolist()))
        return ParsedEdges(parents, children, weights, self.line.tolist(), isolated, self.attributes, self.notes)


def build_numbered(edges: NumberedEdges, source: Source, limits: Limits) -> Hierarchy:
    """As `build`, without a step of Python for each edge."""
    used = np.concatenate([np.column_stack([edges.parent, edges.child]).ravel(), edges.isolated])
    first = np.full(len(edges.labels), -1)
    first[used[::-1]] = np.arange(len(used))[::-1]  # what is written last stays
    order = np.flatnonzero(first >= 0)
    order = order[np.argsort(first[order])]
    labels = [edges.labels[k] for k in order.tolist()]
    if (edges.parent == edges.child).any() or not all(labels) or max(map(len, labels), default=0) > limits.label:
        return build(edges.parsed(), source, limits)  # which says where
    place = np.empty(len(first), np.int64)
    place[order] = np.arange(len(order))
    try:
        h = Hierarchy.from_numbered(labels, place[edges.parent], place[edges.child], edges.weight)
        h = h.with_class_attributes(edges.attributes)
    except InputError as error:
        raise source.error(str(error)) from None
    return with_notes(check_nodes(h, source, limits), edges.notes)


def build(parsed: ParsedEdges, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of parsed edges; an InputError says where it went wrong."""
    _check_labels(parsed, source, limits)
    own = next(compress(count(), map(eq, parsed.parents, parsed.children)), None)
    if own is not None:
        raise source.error(f"class {shown(parsed.parents[own])} is its own parent", parsed.line(own))
    try:
        h = (_weighted if parsed.weights else _unweighted)(parsed).with_class_attributes(parsed.attributes)
    except InputError as error:
        raise source.error(str(error)) from None
    return with_notes(check_nodes(h, source, limits), parsed.notes)


def _weighted(parsed: ParsedEdges) -> Hierarchy:
    weights = map(parsed.weights.get, range(len(parsed.parents)), repeat(1.0))
    return Hierarchy.from_edges(zip(parsed.parents, parsed.children, weights, strict=True), parsed.isolated)


def _unweighted(parsed: ParsedEdges) -> Hierarchy:
    labels, parent, child = numbered(parsed.parents, parsed.children, parsed.isolated)
    return Hierarchy.from_numbered([as_label(label) for label in labels], parent, child)


def with_notes(h: Hierarchy, notes: Sequence[str]) -> Hierarchy:
    """The same hierarchy with what its reader has to say put before its own notes."""
    if not notes:
        return h
    noted = copy.copy(h)
    noted.notes = (*notes, *h.notes)
    return noted


def _check_labels(parsed: ParsedEdges, source: Source, limits: Limits) -> None:
    columns = (parsed.parents, parsed.children, parsed.isolated)
    longest = max((max(map(len, column), default=0) for column in columns), default=0)
    if longest > limits.label:
        for column in columns:
            for k, label in enumerate(column):
                if len(label) > limits.label:
                    line = parsed.line(k) if column is not parsed.isolated else None
                    raise too_long(label, source, limits, line)


def too_long(label: str, source: Source, limits: Limits, line: int | None = None) -> InputError:
    """The error for a label beyond the limit."""
    return source.error(
        f"a class name of {len(label):,} characters ({shown(label, 20)}); at most {limits.label:,} are read", line
    )


def check_nodes(h: Hierarchy, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy itself, once all its labels are within the limit and can be written as UTF-8."""
    longest = max(h.nodes, key=len)
    if len(longest) > limits.label:
        raise too_long(longest, source, limits)
    try:
        "".join(h.nodes).encode("utf-8")
    except UnicodeEncodeError:
        odd = next(label for label in h.nodes if not encodable(label))
        raise source.error(f"class {shown(odd)} holds half a surrogate pair, which is no character") from None
    return h


def is_small(h: Hierarchy, *sides: Collection[str]) -> bool:
    """Whether a hierarchy and the classes of some sides are no more than may travel in a link or a lesson."""
    edges = len(h.arrays.parent_idx)
    return len(h) <= MOST_CLASSES and edges <= MOST_EDGES and all(len(side) <= MOST_MARKED for side in sides)


def encodable(label: str) -> bool:
    """Whether a label can be written as UTF-8."""
    try:
        label.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# --- what a writer needs ------------------------------------------------------------------------------------------


def written_edges(h: Hierarchy) -> list[tuple[str, str]]:
    """The edges that a file holds: all but those of a virtual root."""
    return [edge for edge in h.edges if not (h.virtual_root and edge[0] == h.root)]


def isolated_classes(h: Hierarchy) -> list[str]:
    """The classes without any edge in the file."""
    if not h.virtual_root:
        return [h.root] if len(h) == 1 else []
    return [top for top in h.children(h.root) if not h.children(top)]


def tops(h: Hierarchy) -> tuple[str, ...]:
    """The classes on top of the file."""
    return h.children(h.root) if h.virtual_root else (h.root,)


def weights_if_any(h: Hierarchy, file_format: str, *, allowed: bool) -> dict[tuple[str, str], float]:
    """The weight of every written edge, or nothing where all are 1; an InputError where the format has no place for
    them.
    """
    if (h.arrays.parent_weight == 1.0).all():
        return {}
    if not allowed:
        raise InputError(
            f"{file_format} holds no edge weights, and this hierarchy has some; write an edge list instead"
        )
    if h.virtual_root and any(h.weight(h.root, top) != 1.0 for top in h.children(h.root)):
        raise InputError(
            "the edges of the virtual root have weights, and a virtual root is not written; name the root first"
        )
    a = h.arrays
    return {
        (h.nodes[a.parent_idx[k]], h.nodes[i]): float(a.parent_weight[k])
        for i in range(len(h))
        for k in range(a.parent_ptr[i], a.parent_ptr[i + 1])
        if not (h.virtual_root and a.parent_idx[k] == 0)
    }


def class_weights_if_any(h: Hierarchy, file_format: str, *, allowed: bool) -> dict[str, dict[str, float]]:
    """What every class weighs, by the names of its attributes, or nothing where every class weighs 1; an InputError
    where the format has no place for it.
    """
    weights = h.class_attributes
    if weights and not allowed:
        raise InputError(
            f"{file_format} holds no class weights, and this hierarchy has some; write an edge list instead"
        )
    if weights and h.virtual_root and any(weights.pop(h.root).values()):
        raise InputError("the virtual root has a class weight, and a virtual root is not written; name the root first")
    return weights


def check_unweighted(h: Hierarchy, file_format: str) -> None:
    """Refuses weights of edges and of classes where the format has no place for them."""
    weights_if_any(h, file_format, allowed=False)
    class_weights_if_any(h, file_format, allowed=False)


def check_writable(h: Hierarchy, file_format: str, reason: dict[str, str]) -> None:
    """Refuses labels that a line-based format would not give back: with characters that it uses itself, or outer
    blanks.

    `reason` gives the word for each forbidden character.
    """
    for label in h.nodes[h.virtual_root :]:
        for character, word in reason.items():
            if character in label:
                raise InputError(f"{file_format} cannot hold class {shown(label)}: it contains {word}")
        if label != label.strip() or label.startswith("\ufeff"):
            raise InputError(f"{file_format} cannot hold class {shown(label)}: it starts or ends with a blank")
        if "\x00" in label or not encodable(label):
            raise InputError(f"{file_format} cannot hold class {shown(label)}: it contains no proper text")


LINE_BREAKS = {"\n": "a line break", "\r": "a line break"}
