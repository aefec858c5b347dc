"""Make a Hierarchy from parsed edges, and the parts of a file from a Hierarchy.

Faults name their line. The virtual root is never written. A reader adds it again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, compress
from math import isfinite
from typing import Any

from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.edge_rows import checked_weight, faults_of, numbered
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import RANKS, titles_of
from hiermeasures.hierarchy.words import write_count
from hiermeasures.read.source import (
    MOST_CLASSES,
    MOST_EDGES,
    MOST_MARKED,
    Source,
    check_encodable,
    check_lengths,
    encodable,
)


@dataclass
class ParsedEdges:
    """Edges as columns, in the order of the file. `lines` is empty if the format has no lines."""

    parents: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)  # as given, of all edges or of none
    lines: Sequence[int] = field(default_factory=list)
    isolated: list[str] = field(default_factory=list)
    # of classes: ATTRIBUTES of class_weights
    attributes: dict[str, dict[str, object]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    titles: Iterable[tuple[str, str]] = field(default_factory=list)  # of classes
    other_names: list[tuple[str, str]] = field(default_factory=list)  # a name, and its class
    # lines and their faults
    dropped: list[tuple[int, str]] = field(default_factory=list)
    complete: bool = False  # every class has an entry of its own, so that another parent is unknown

    @classmethod
    def of_terms(
        cls,
        terms: Collection[str],
        parents: Sequence[str],
        children: Sequence[str],
        gone: frozenset[str] | set[str],
        kind: str,
    ) -> "ParsedEdges":
        """Return edges between terms that are in use. A note counts skipped terms of this kind."""
        if gone:
            kept = list(map(gone.isdisjoint, zip(parents, children, strict=True)))
            parents, children = list(compress(parents, kept)), list(compress(children, kept))
        parsed = cls(list(parents), list(children))
        parsed.isolated = [term for term in terms if term not in gone]
        if count := len(gone.intersection(terms)):
            parsed.notes.append(f"{write_count(count, kind)} skipped")
        return parsed

    @classmethod
    def of_graph(
        cls,
        nodes: Collection[tuple[str, Mapping[str, object]]],
        edges: Sequence[tuple[str, str, Mapping[str, object]]],
        lines: Sequence[int] = (),
    ) -> "ParsedEdges":
        """Return edges from (parent, child, attributes) between nodes with attributes, which may be
        weights.
        """
        parsed = cls([edge[0] for edge in edges], [edge[1] for edge in edges], lines=lines)
        weights = [edge[2].get("weight") for edge in edges]
        if any(weight is not None for weight in weights):
            parsed.weights = [1.0 if weight is None else weight for weight in weights]
        parsed.isolated = [node for node, _ in nodes]
        for node, values in nodes:
            if given := {k: values[k] for k in ATTRIBUTES if values.get(k) is not None}:
                parsed.attributes[node] = given
        return parsed

    def add(self, parent: str, child: str, line: int) -> None:
        self.parents.append(parent)
        self.children.append(child)
        self.lines.append(line)  # type: ignore[attr-defined]

    def line(self, k: int) -> int | None:
        return self.lines[k] if self.lines else None

    def faulty(self, reason: str, line: int | None, source: Source) -> None:
        """Refuse a faulty entry, or note that it is left out."""
        if not source.drop:
            raise source.error(reason, line)
        self.dropped.append((line or 0, str(Source("").error(reason, line))))


def build(parsed: ParsedEdges, source: Source) -> Hierarchy:
    """Return the hierarchy of parsed edges. InputError names the line of a fault, unless faulty
    edges are left out.
    """
    for column in (parsed.parents, parsed.children):
        check_lengths(column, source, parsed.lines)
    check_lengths(parsed.isolated, source)
    weight = _weights(parsed, source)
    classes = [*dict.fromkeys((*parsed.children, *parsed.isolated))] if parsed.complete else None
    faults = faults_of(parsed.parents, parsed.children, classes, drop=source.drop)
    for k, reason in faults.items():
        parsed.faulty(reason, parsed.line(k), source)
    parents, children, isolated = parsed.parents, parsed.children, parsed.isolated
    if faults:  # the classes below faulty edges stay
        kept = [k for k in range(len(parents)) if k not in faults]
        isolated = [*isolated, *(children[k] for k in faults)]
        parents, children = ([column[k] for k in kept] for column in (parents, children))
        weight = weight and [weight[k] for k in kept]
    labels, parent, child = numbered(parents, children, isolated)
    with source.named():
        if "" in labels:
            raise InputError("a class has an empty name. Give it a name.")
        h = Hierarchy.from_numbered(labels, parent, child, weight).with_class_attributes(
            parsed.attributes
        )
        check_encodable(h.nodes)
    h = h.with_understood(dropped=tuple(said for _, said in sorted(parsed.dropped)))
    h = _named(h, parsed)
    return replace(h, notes=(*parsed.notes, *h.notes))


def _weights(parsed: ParsedEdges, source: Source) -> list[float]:
    with suppress(TypeError, ValueError, OverflowError):
        found = list(map(float, parsed.weights))
        if all(map(isfinite, found)) and min(found, default=1.0) > 0:
            return found
    found = []
    for k, edge in enumerate(zip(parsed.weights, parsed.parents, parsed.children, strict=True)):
        try:
            found.append(checked_weight(*edge))
        except InputError as error:
            raise source.error(str(error), parsed.line(k)) from None
    return found


def _named(h: Hierarchy, parsed: ParsedEdges) -> Hierarchy:
    """Return the hierarchy with titles and other names of classes."""
    if not (parsed.titles or parsed.other_names):
        return h
    h = h.with_titles(parsed.titles)
    if not encodable("".join(h.titles.values())):
        h = h.with_titles(
            {label: title.encode("utf-8", "replace").decode() for label, title in h.titles.items()}
        )
    return with_names(h, parsed.other_names)


def with_last_parts(h: Hierarchy) -> Hierarchy:
    """Return a hierarchy of levels, or of names that repeat, with the last part of each path as
    another name of its class.
    """
    return with_names(h, [(last, path) for path, last in titles_of(h.nodes, RANKS).items()])


def with_names(h: Hierarchy, names: Iterable[tuple[str, str]]) -> Hierarchy:
    """Return the hierarchy whose classes also have these names and their titles. A name of several
    classes is dropped.
    """
    known, found = h.numbering, dict[str, str]()
    doubtful: set[str] = set()
    for name, label in chain(names, zip(h.titles.values(), h.titles, strict=True)):
        if name and label in known and name not in known and found.setdefault(name, label) != label:
            doubtful.add(name)
    for name in doubtful:
        del found[name]
    if not found:
        return h
    note = f"labels can also use {write_count(len(found), 'title or other name', 'titles and other names')}"
    return replace(h, notes=(*h.notes, note), other_names=found)


def check_nodes(h: Hierarchy, source: Source) -> Hierarchy:
    """Return the hierarchy if all its labels are within the limit and can be written as UTF-8."""
    check_lengths(h.nodes, source)
    with source.named():
        check_encodable(h.nodes)
    return h


def is_small(h: Hierarchy, *sides: Collection[str]) -> bool:
    return (
        len(h) <= MOST_CLASSES
        and h.edge_count <= MOST_EDGES
        and all(len(side) <= MOST_MARKED for side in sides)
    )


# --- for writers --------------------------------------------------------------------------------


def written_edges(h: Hierarchy) -> list[tuple[str, str]]:
    """Return the edges for a file: all except those of a virtual root."""
    return [edge for edge in h.edges if not (h.virtual_root and edge[0] == h.root)]


def isolated_classes(h: Hierarchy) -> list[str]:
    """Return the classes without any edge in the file."""
    if not h.virtual_root:
        return [h.root] if len(h) == 1 else []
    return [top for top in h.children(h.root) if not h.children(top)]


def tops(h: Hierarchy) -> tuple[str, ...]:
    """Return the top classes of the file."""
    return h.children(h.root) if h.virtual_root else (h.root,)


def weights_if_any(h: Hierarchy) -> dict[tuple[str, str], float]:
    """Return the weight of each edge, or an empty result if all are 1. Refuse weights below a
    virtual root, because it is not written.
    """
    if not h.has_edge_weights:
        return {}
    if h.virtual_root and any(h.weight(h.root, top) != 1.0 for top in h.children(h.root)):
        raise InputError(
            "the edges of the virtual root have weights, but a virtual root is not written. Name "
            "the root first"
        )
    return {(p, c): h.weight(p, c) for p, c in written_edges(h)}


def class_weights_if_any(h: Hierarchy) -> dict[str, dict[str, float]]:
    """Return weights of every class by the names of their attributes. The result is empty if all
    weigh 1.
    """
    weights = h.class_attributes
    if weights and h.virtual_root and any(weights.pop(h.root).values()):
        raise InputError(
            "the virtual root has a class weight, but a virtual root is not written. Name the "
            "root first"
        )
    return weights


def check_unweighted(h: Hierarchy, file_format: str, *, classes_may: bool = False) -> None:
    """Refuse weights of edges and classes if the format has no place for them."""
    for kind, some in (
        ("edge", h.has_edge_weights),
        ("class", not classes_may and h.class_weights is not None),
    ):
        if some:
            raise InputError(
                f"{file_format} has no place for {kind} weights, and this hierarchy has some. "
                "Write an edge list instead"
            )


def check_writable(
    h: Hierarchy, file_format: str, reason: dict[str, str], *, keeps_blanks: bool = False
) -> None:
    """Refuse labels that a line-based format would change: with outer blanks, or with characters
    that the format uses itself.

    `reason` gives the word for each forbidden character.
    """
    reason = reason | {"\x00": "no proper text"}
    for label in h.nodes[h.virtual_root :]:
        word = next((word for character, word in reason.items() if character in label), "")
        if word or not encodable(label):
            raise InputError(
                f"{file_format} cannot contain class {shown(label)}, because it contains "
                f"{word or 'no proper text'}"
            )
        if not keeps_blanks and (label != label.strip() or label.startswith("\ufeff")):
            raise InputError(
                f"{file_format} cannot contain class {shown(label)}, because it starts or ends "
                "with a blank"
            )


LINE_BREAKS = {"\n": "a line break", "\r": "a line break"}
