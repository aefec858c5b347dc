"""Answers that are not classes, as wrong classes of a hierarchy.

An instance is evaluated with as many wrong classes as it needs. So its values do not depend on
other instances, and parts of a data set can be joined. A hierarchy with wrong classes remembers the
original one as `base`. hiermeasures.evaluation.answers decides which labels are unknown.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, Sides
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.explain import apply_weights

WRONG = "(unknown answer)"
MOST_WRONG = 10_000  # limit on wrong classes in a partial result


def wrong_names(h: Hierarchy, count: int) -> tuple[str, ...]:
    """Return names for wrong classes that no class of the hierarchy has."""
    name = WRONG
    while name in h:
        name = f"({name})"
    return tuple(name if k == 0 else f"{name} {k + 1}" for k in range(count))


def with_wrong_classes(h: Hierarchy, count: int, options: Options) -> Hierarchy:
    """Return the hierarchy with wrong classes under its root.

    If the real root counts, it gets a virtual root above it. So a wrong answer and a right one have
    no counted class in common. Wrong classes weigh 1.
    """
    if not count:
        return h
    raised = not h.virtual_root and options.counts_root(h)
    # remember the last one, because many parts of a data set use it
    kept: dict[tuple[int, bool], Hierarchy] = vars(h).setdefault("extended", {})
    if (count, raised) not in kept:
        kept.clear()
        kept[count, raised] = _extended(h, count, raised)
    return kept[count, raised]


def _extended(h: Hierarchy, count: int, raised: bool) -> Hierarchy:
    wrong, start = wrong_names(h, count), int(h.virtual_root)
    child = h.rows.child_of_edge
    edges = [
        (p - start, c - start, w)
        for p, c, w in zip(h.rows.parent_idx, child, h.rows.parent_weight, strict=True)
        if p >= start
    ]
    if not (h.virtual_root or raised):
        edges += [(0, len(h) + k, 1.0) for k in range(count)]
    columns = zip(*edges, strict=True) if edges else ((), (), ())
    parent, below, weight = map(list, columns)
    names, top = [*h.nodes[start:], *wrong], h.root if start else "(root)"
    made = Hierarchy.from_numbered(names, parent, below, weight, top).with_class_weights_of(h)
    kept = {name: getattr(h, name) for name in ("notes", "titles", "other_names", "understood")}
    return replace(made, **kept, base=h)


def is_raised(h: Hierarchy) -> bool:
    """Return True if wrong classes brought a virtual root above the real one."""
    return h.base is not None and h.virtual_root and not h.base.virtual_root


def count_wrong(h: Hierarchy) -> int:
    """Return the number of wrong classes in a hierarchy."""
    return 0 if h.base is None else len(h) - len(h.base) - is_raised(h)


def base_of(h: Hierarchy) -> Hierarchy:
    """Return the hierarchy without wrong classes, with the same weights."""
    if h.base is None:
        return h
    if h.class_weights is None:
        return h.base if h.base.class_weights is None else h.base.with_class_weights(None)
    places = [h.numbering[c] for c in h.base.nodes]
    return h.base.with_class_weights([[column[k] for k in places] for column in h.class_weights])


def number_in_base(hierarchy: Hierarchy) -> np.ndarray:
    """Return each class's number in the hierarchy without wrong classes, or −1 for those."""
    base = hierarchy.base
    if base is None:
        return np.arange(len(hierarchy))
    return np.array([base.numbering.get(label, -1) for label in hierarchy.nodes])


def raised_options(h: Hierarchy, options: Options) -> Options:
    """Translate options for a hierarchy with wrong classes, so that their meaning stays."""
    if not is_raised(h):
        return options
    levels = {
        name: at + 1 for name in ("rank", "max_level") if (at := getattr(options, name)) is not None
    }
    return options.with_values(count_root=None, **levels)


def hierarchy_for(h: Hierarchy, predicted: EncodedLabels, place: int) -> Hierarchy:
    """Return the hierarchy for one instance, before the options change its weights."""
    return h if h.base is None or _wrong_in(h, predicted)[place] else base_of(h)


@dataclass(frozen=True, eq=False)
class Group:
    """Instances with the same number of wrong classes, in the hierarchy with that number."""

    rows: np.ndarray
    hierarchy: Hierarchy
    options: Options
    sides: Sides


def group_by_wrong(h: Hierarchy, options: Options, sides: Sides) -> Iterator[Group]:
    """Yield the instances of a hierarchy with wrong classes in groups."""
    counts, base = _wrong_in(h, sides[1]), base_of(h)
    weighed = apply_weights(base, options)
    for count in np.unique(counts).tolist():
        rows = np.flatnonzero(counts == count)
        into, chosen = base, options
        if count:
            into = with_wrong_classes(weighed, count, options)
            given = {"edge_weights": "given", "class_weights": "given"}
            chosen = raised_options(into, options.with_values(**given))
        number = np.array([into.numbering.get(c, -1) for c in h.nodes])
        taken = tuple(side.taken(rows).renumbered(number) for side in sides)
        yield Group(rows, into, chosen, (taken[0], taken[1]))


def _wrong_in(h: Hierarchy, predicted: EncodedLabels) -> np.ndarray:
    """Return the number of wrong classes of each instance."""
    is_wrong = number_in_base(h) < 0
    return np.bincount(predicted.instances[is_wrong[predicted.idx]], minlength=len(predicted))
