"""From parsed edges to a Hierarchy, and from a Hierarchy to the parts that a file holds; faults are
reported with their line.

The virtual root is never written: a reader adds it again.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from hiermeasures.core.edge_rows import faults_of, numbered
from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy, as_label
from hiermeasures.formats.source import (
    MOST_CLASSES,
    MOST_EDGES,
    MOST_MARKED,
    Limits,
    Source,
    check_encodable,
    encodable,
    too_long,
)


@dataclass
class ParsedEdges:
    """Edges as columns, in the order of the file; `lines` are empty where the format has none."""

    parents: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    weights: dict[int, float] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    isolated: list[str] = field(default_factory=list)
    attributes: dict[str, dict[str, object]] = field(default_factory=dict)  # of classes: ATTRIBUTES of class_weights
    notes: list[str] = field(default_factory=list)
    titles: list[tuple[str, str]] = field(default_factory=list)  # of classes
    other_names: list[tuple[str, str]] = field(default_factory=list)  # a name, and the class that it stands for
    dropped: list[tuple[int, str]] = field(default_factory=list)  # lines, and what was wrong with them
    complete: bool = False  # every class has an entry of its own, so that another parent is unknown

    def add(self, parent: str, child: str, line: int) -> None:
        self.parents.append(parent)
        self.children.append(child)
        self.lines.append(line)

    def line(self, k: int) -> int | None:
        return self.lines[k] if self.lines else None


def build(parsed: ParsedEdges, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of parsed edges; InputError says where, unless faulty edges are left out."""
    _check_labels(parsed, source, limits)
    classes = [*dict.fromkeys((*parsed.children, *parsed.isolated))] if parsed.complete else None
    faults = faults_of(parsed.parents, parsed.children, classes, drop=source.drop)
    if faults and not source.drop:
        first = next(iter(faults))
        raise source.error(faults[first], parsed.line(first))
    parsed.dropped += _dropped(parsed, faults)
    with source.named():
        h = (_weighted if parsed.weights else _unweighted)(parsed).with_class_attributes(parsed.attributes)
    h = check_nodes(h, source, limits).without([said for _, said in sorted(parsed.dropped)])
    return with_notes(named(h, parsed.titles, parsed.other_names, limits), parsed.notes)


def named(
    h: Hierarchy, titles: Iterable[tuple[str, str]], other_names: Iterable[tuple[str, str]], limits: Limits
) -> Hierarchy:
    """Return the same hierarchy with titles, and names that stand for classes: titles among them. A
    name that stands for several classes stands for none.
    """
    known = h.numbering
    h = h.with_titles((label, _text(title[: limits.label])) for label, title in titles)
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for name, label in chain(other_names, ((title, label) for label, title in h.titles.items())):
        if name and label in known and name not in known and found.setdefault(name, label) != label:
            doubtful.add(name)
    for name in doubtful:
        del found[name]
    if not found:
        return h
    note = f"classes are also known by {len(found):,} titles and other names"
    return h.described((*h.notes, note), h.titles, dropped=h.dropped, other_names=found)


def _text(title: str) -> str:
    return title if encodable(title) else title.encode("utf-8", "replace").decode()


def _dropped(parsed: ParsedEdges, faults: dict[int, str]) -> list[tuple[int, str]]:
    """Take faulty edges out, and say which, with their lines; the classes below them stay."""
    if not faults:
        return []
    said = [(parsed.line(k) or 0, str(Source("").error(reason, parsed.line(k)))) for k, reason in faults.items()]
    kept = [k for k in range(len(parsed.parents)) if k not in faults]
    below = [parsed.children[k] for k in faults]
    parsed.weights = {new: parsed.weights[k] for new, k in enumerate(kept) if k in parsed.weights}
    parsed.parents, parsed.children = ([column[k] for k in kept] for column in (parsed.parents, parsed.children))
    parsed.lines = [parsed.lines[k] for k in kept] if parsed.lines else []
    parsed.isolated = [*parsed.isolated, *below]
    return said


def build_numbered(
    labels: list[str],
    parent: list[int],
    child: list[int],
    source: Source,
    limits: Limits,
    weight: list[float] | None = None,
) -> Hierarchy:
    with source.named():
        h = Hierarchy.from_numbered(labels, parent, child, weight)
    return check_nodes(h, source, limits)


def _weighted(parsed: ParsedEdges) -> Hierarchy:
    weights = map(parsed.weights.get, range(len(parsed.parents)), repeat(1.0))
    return Hierarchy.from_edges(zip(parsed.parents, parsed.children, weights, strict=True), parsed.isolated)


def _unweighted(parsed: ParsedEdges) -> Hierarchy:
    labels, parent, child = numbered(parsed.parents, parsed.children, parsed.isolated)
    return Hierarchy.from_numbered([as_label(label) for label in labels], parent, child)


def with_notes(h: Hierarchy, notes: Sequence[str]) -> Hierarchy:
    """Return the same hierarchy with notes of its reader before its own."""
    return h.described((*notes, *h.notes), h.titles, dropped=h.dropped, other_names=h.other_names)


def _check_labels(parsed: ParsedEdges, source: Source, limits: Limits) -> None:
    for column in (parsed.parents, parsed.children, parsed.isolated):
        if max(map(len, column), default=0) > limits.label:
            k = next(k for k, label in enumerate(column) if len(label) > limits.label)
            raise too_long(column[k], source, limits, None if column is parsed.isolated else parsed.line(k))


def check_nodes(h: Hierarchy, source: Source, limits: Limits) -> Hierarchy:
    """Return the hierarchy if all its labels are within the limit and can be written as UTF-8."""
    longest = max(h.nodes, key=len)
    if len(longest) > limits.label:
        raise too_long(longest, source, limits)
    with source.named():
        check_encodable(h.nodes)
    return h


def is_small(h: Hierarchy, *sides: Collection[str]) -> bool:
    return len(h) <= MOST_CLASSES and h.edge_count <= MOST_EDGES and all(len(side) <= MOST_MARKED for side in sides)


# --- what a writer needs ------------------------------------------------------------------------


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
    """Return the weight of each edge, or nothing where all are 1; InputError unless `allowed`."""
    if not h.has_edge_weights:
        return {}
    if not allowed:
        raise InputError(
            f"{file_format} holds no edge weights, and this hierarchy has some; write an edge list instead"
        )
    if h.virtual_root and any(h.weight(h.root, top) != 1.0 for top in h.children(h.root)):
        raise InputError(
            "the edges of the virtual root have weights, and a virtual root is not written; name the root first"
        )
    return {
        (h.nodes[parent], label): weight
        for i, label in enumerate(h.nodes)
        for parent, weight in h.rows.weighted_parents(i)
        if not (h.virtual_root and parent == 0)
    }


def class_weights_if_any(h: Hierarchy, file_format: str, *, allowed: bool) -> dict[str, dict[str, float]]:
    """Weights of every class, by the names of its attributes, or nothing where all weigh 1.

    InputError where the format has no place for them.
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
    """Refuse weights of edges and of classes where the format has no place for them."""
    weights_if_any(h, file_format, allowed=False)
    class_weights_if_any(h, file_format, allowed=False)


def check_writable(h: Hierarchy, file_format: str, reason: dict[str, str], *, keeps_blanks: bool = False) -> None:
    """Refuse labels that a line-based format would not give back: with characters that it uses
    itself, or outer blanks.

    `reason` gives the word for each forbidden character.
    """
    reason = reason | {"\x00": "no proper text"}
    for label in h.nodes[h.virtual_root :]:
        word = next((word for character, word in reason.items() if character in label), "")
        if word or not encodable(label):
            raise InputError(f"{file_format} cannot hold class {shown(label)}: it contains {word or 'no proper text'}")
        if not keeps_blanks and (label != label.strip() or label.startswith("\ufeff")):
            raise InputError(f"{file_format} cannot hold class {shown(label)}: it starts or ends with a blank")


LINE_BREAKS = {"\n": "a line break", "\r": "a line break"}
