"""Which classes of a large hierarchy are drawn: those near the true and predicted ones. Values are always over the
whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hiermeasures.hierarchy import Hierarchy

MOST_DRAWN = 300
ENOUGH_OF_THE_TOP = 60


@dataclass(frozen=True)
class Neighbourhood:
    """The classes that are drawn, in the hierarchy's order, and for each of them how many of its children are folded
    away.

    `unfolded` are the classes whose children a person asked to see.
    """

    hierarchy: Hierarchy
    nodes: tuple[str, ...]
    folded_children: dict[str, int]
    unfolded: frozenset[str] = frozenset()

    @property
    def folded(self) -> int:
        """How many classes are not drawn."""
        return len(self.hierarchy) - len(self.nodes)

    def shows(self, labels: Iterable[str]) -> bool:
        """Whether these classes and all their ancestors are drawn."""
        drawn = set(self.nodes)
        return all(c in drawn and self.hierarchy.ancestors(c) <= drawn for c in labels)


def neighbourhood(
    hierarchy: Hierarchy, selected: Iterable[str], limit: int = MOST_DRAWN, *, unfolded: Iterable[str] = ()
) -> Neighbourhood:
    """All classes up to `limit`; in a larger hierarchy those that matter first.

    In order: the root and the selected classes with their ancestors, the children of unfolded classes, what stands
    below and beside the selected and their ancestors; and while that is little, the hierarchy from the top. A class is
    drawn only with all its ancestors, so the root is always on top.

    >>> h = Hierarchy.from_nested({"A": {"B": ["T1", "T2"], "C": ["P1", "P2"]}})
    >>> near = neighbourhood(h, {"T1"}, limit=4)
    >>> near.nodes, near.folded, near.folded_children
    (('A', 'B', 'T1', 'T2'), 3, {'A': 1})
    """
    if len(hierarchy) <= limit:
        return Neighbourhood(hierarchy, hierarchy.nodes, {})
    chosen, opened = (sorted(set(labels), key=hierarchy.index) for labels in (selected, unfolded))
    drawn = {hierarchy.root}
    _draw(drawn, hierarchy, _kin(hierarchy, chosen, opened), limit)
    _draw(drawn, hierarchy, hierarchy.nodes, min(limit, ENOUGH_OF_THE_TOP))
    nodes = tuple(sorted(drawn, key=hierarchy.index))
    hidden = {v: sum(c not in drawn for c in hierarchy.children(v)) for v in nodes}
    return Neighbourhood(hierarchy, nodes, {v: n for v, n in hidden.items() if n}, frozenset(opened))


def next_neighbourhood(before: Neighbourhood | None, hierarchy: Hierarchy, selected: Iterable[str]) -> Neighbourhood:
    """The neighbourhood drawn before while it still shows what is selected, so that a click moves nothing; else a new
    one.
    """
    chosen = frozenset(selected)
    if before is None or before.hierarchy is not hierarchy:
        return neighbourhood(hierarchy, chosen)
    return before if before.shows(chosen) else neighbourhood(hierarchy, chosen, unfolded=before.unfolded)


def _draw(drawn: set[str], hierarchy: Hierarchy, labels: Iterable[str], limit: int) -> None:
    for label in labels:
        if len(drawn) >= limit:
            return
        if label not in drawn:
            more = {label, *hierarchy.ancestors(label)} - drawn
            if len(drawn) + len(more) <= limit:
                drawn |= more


def _kin(hierarchy: Hierarchy, selected: list[str], unfolded: list[str]) -> Iterator[str]:
    yield from selected
    for label in unfolded:
        yield from hierarchy.children(label)
    for label in selected:
        yield from hierarchy.children(label)
    for label in selected:
        for parent in hierarchy.parents(label):
            yield from hierarchy.children(parent)
    for label in selected:
        for ancestor in sorted(hierarchy.ancestors(label), key=hierarchy.index, reverse=True):
            yield from hierarchy.children(ancestor)
