"""Which classes of a large hierarchy are drawn: those near the true and predicted ones. Values are
always over the whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from hiermeasures.core.hierarchy import Hierarchy

WHOLE = 40  # a hierarchy of no more classes is drawn whole
MOST_DRAWN = 300  # of a larger one so many at most
READABLE = 32  # so many of it are read at a glance; what was asked for may be more


@dataclass(frozen=True)
class Neighbourhood:
    """The classes that are drawn, in the hierarchy's order, and for each of them how many of its
    children are folded away.

    `unfolded` are the classes whose children a person asked to see.
    """

    hierarchy: Hierarchy
    nodes: tuple[str, ...]
    folded_children: dict[str, int]
    unfolded: frozenset[str] = frozenset()

    @property
    def folded(self) -> int:
        """The number of classes that are not drawn."""
        return len(self.hierarchy) - len(self.nodes)

    def shows(self, labels: Iterable[str]) -> bool:
        """True where these classes and all their ancestors are drawn."""
        drawn = set(self.nodes)
        return all(c in drawn and self.hierarchy.ancestors(c) <= drawn for c in labels)


def neighbourhood(
    hierarchy: Hierarchy,
    selected: Iterable[str],
    limit: int = MOST_DRAWN,
    *,
    unfolded: Iterable[str] = (),
    whole: int = WHOLE,
) -> Neighbourhood:
    """All classes where they are no more than `whole` and `limit`; in a larger hierarchy those that
    matter first.

    In order: the root and the selected classes with their ancestors, and the children of unfolded
    classes. While that is little (READABLE), what stands below and beside the selected and their
    ancestors; where nothing is selected, whole levels from the top. A class is drawn only with all
    its ancestors, so the root is always on top.

    >>> h = Hierarchy.from_nested({"A": {"B": ["T1", "T2"], "C": ["P1", "P2"]}})
    >>> near = neighbourhood(h, {"T1"}, limit=4)
    >>> near.nodes, near.folded, near.folded_children
    (('A', 'B', 'T1', 'T2'), 3, {'A': 1})
    """
    if len(hierarchy) <= min(limit, whole):
        return Neighbourhood(hierarchy, hierarchy.nodes, {})
    chosen, opened = (sorted(set(labels), key=hierarchy.index) for labels in (selected, unfolded))
    drawn = {hierarchy.root}
    _draw(drawn, hierarchy, chosen, limit)
    _draw(drawn, hierarchy, (c for label in opened for c in hierarchy.children(label)), limit)
    _draw(drawn, hierarchy, _kin(hierarchy, chosen) if chosen else _top(hierarchy), min(limit, READABLE))
    nodes = tuple(sorted(drawn, key=hierarchy.index))
    hidden = {v: sum(c not in drawn for c in hierarchy.children(v)) for v in nodes}
    return Neighbourhood(hierarchy, nodes, {v: n for v, n in hidden.items() if n}, frozenset(opened))


def next_neighbourhood(before: Neighbourhood | None, hierarchy: Hierarchy, selected: Iterable[str]) -> Neighbourhood:
    """The neighbourhood drawn before while it still shows what is selected, so that a click moves
    nothing; else a new one, in which the same classes are unfolded, also after an edit.
    """
    chosen = frozenset(selected)
    if before is None:
        return neighbourhood(hierarchy, chosen)
    if before.hierarchy is not hierarchy:
        return neighbourhood(hierarchy, chosen, unfolded=before.unfolded.intersection(hierarchy.nodes))
    return before if before.shows(chosen) else neighbourhood(hierarchy, chosen, unfolded=before.unfolded)


def unfold(near: Neighbourhood, selected: Iterable[str], label: str) -> Neighbourhood:
    """Return a neighbourhood that also shows the children of one more class."""
    h, opened = near.hierarchy, near.unfolded | {label}
    limit = MOST_DRAWN if len(h) > WHOLE else len(near.nodes) + near.folded_children.get(label, 0)
    return neighbourhood(h, selected, limit, unfolded=opened)


def in_sight(hierarchy: Hierarchy, chosen: frozenset[str]) -> list[str]:
    """The classes that are in sight at first in a large drawing: the chosen with their ancestors,
    or the top.
    """
    if not chosen:
        return [hierarchy.root, *hierarchy.children(hierarchy.root)[:3]]
    return sorted(chosen.union(*map(hierarchy.ancestors, chosen)), key=hierarchy.index)


def _draw(drawn: set[str], hierarchy: Hierarchy, labels: Iterable[str], limit: int) -> None:
    for label in labels:
        if len(drawn) >= limit:
            return
        if label not in drawn:
            more = {label, *hierarchy.ancestors(label)} - drawn
            if len(drawn) + len(more) <= limit:
                drawn |= more


def _top(hierarchy: Hierarchy) -> list[str]:
    """The levels from the top that are readable together, or what there is room for of the first
    below the root.
    """
    by_level: dict[int, list[str]] = {}
    for label in hierarchy.nodes:
        by_level.setdefault(hierarchy.level(label), []).append(label)
    top: list[str] = []
    for level in sorted(by_level):
        if level > 1 and len(top) + len(by_level[level]) > READABLE:
            break
        top += by_level[level]
    return top


def _kin(hierarchy: Hierarchy, selected: list[str]) -> Iterator[str]:
    """The classes below the selected, beside them, and beside their ancestors from the nearest up;
    of all in turn.
    """
    yield from _in_turn(hierarchy, selected)
    yield from _in_turn(hierarchy, [parent for label in selected for parent in hierarchy.parents(label)])
    above = {c for label in selected for c in hierarchy.ancestors(label)}
    for ancestor in sorted(above, key=hierarchy.index, reverse=True):
        yield from hierarchy.children(ancestor)


def _in_turn(hierarchy: Hierarchy, parents: Iterable[str]) -> Iterator[str]:
    for siblings in zip_longest(*(hierarchy.children(parent) for parent in dict.fromkeys(parents))):
        yield from (c for c in siblings if c is not None)
