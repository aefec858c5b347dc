"""Random instances for exercises: a hierarchy of a wished size with true and predicted classes.

What is not wanted (a tree where a DAG is wished, a structure in which something would have to be chosen) is None, and
is drawn again by who asks. Which question is asked about an instance is random_questions.py's.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from hiermeasures.behaviour.random_hierarchies import random_hierarchy
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.lessons.wishes import Wish
from hiermeasures.measures import Explanation, explain

Classes = frozenset[str]


@dataclass(frozen=True)
class Drawn:
    """A hierarchy with true and predicted classes, and what its measures say."""

    hierarchy: Hierarchy
    true: Classes
    predicted: Classes

    @cached_property
    def explained(self) -> Explanation:
        return explain(self.hierarchy, self.true, self.predicted)

    def with_predicted(self, predicted: Classes) -> "Drawn":
        return Drawn(self.hierarchy, self.true, predicted)

    def entries(self, **more: Any) -> dict[str, Any]:
        """The entries of a card."""
        h = self.hierarchy
        sides = {"true": in_order(h, self.true), "predicted": in_order(h, self.predicted)}
        return {"hierarchy": " ".join(f"{a}>{b}" for a, b in h.edges), **sides, **more}


def in_order(hierarchy: Hierarchy, labels: Classes) -> list[str]:
    """Classes in the order of the hierarchy."""
    return sorted(labels, key=hierarchy.index)


def draw(wish: Wish, rng: Random, family: str) -> Drawn | None:
    """A hierarchy and two different sets of classes in it, or None where the draw is not wanted."""
    hierarchy = _hierarchy(wish, rng)
    if hierarchy is None:
        return None
    most = _most_labels(wish, family)
    sizes = [rng.randint(1, most), most]
    rng.shuffle(sizes)
    true, predicted = (_labels(hierarchy, size, rng) for size in sizes)
    if true is None or predicted is None or true == predicted:
        return None
    drawn = Drawn(hierarchy, true, predicted)
    return drawn if is_clear(drawn, [family]) else None


def _most_labels(wish: Wish, family: str) -> int:
    """How many labels a side has at most: of few classes no more than half, and one where paths are compared, for of
    several it is a choice which with which.
    """
    return 1 if family == "confusion" else min(wish.labels, wish.classes // 2)


def _hierarchy(wish: Wish, rng: Random) -> Hierarchy | None:
    shapes = [(d, b) for d in (2, 3, 4) for b in (2, 3, 4) if d < wish.classes - 1 and _fits(wish.classes, d, b)]
    depth, branching = rng.choice(shapes)
    extra = rng.choice((0.3, 0.5)) if wish.dag else 0.0
    found = random_hierarchy(wish.classes, depth, branching, extra, rng.randrange(10**9))
    return None if wish.dag and (found.is_tree or _has_shortcut(found)) else found


def _fits(classes: int, depth: int, branching: int) -> bool:
    room: int = sum(branching**k for k in range(depth + 1))
    return room >= classes


def _has_shortcut(h: Hierarchy) -> bool:
    """Whether an edge only repeats what other edges say."""
    return any(above in h.ancestors(p) for above, below in h.edges for p in h.parents(below))


def _labels(h: Hierarchy, size: int, rng: Random) -> Classes | None:
    """So many classes below the root, none of them above another: what an ancestor adds would differ by measure."""
    if size >= len(h):
        return None
    labels = frozenset(rng.sample(h.nodes[1:], size))
    return None if any(not labels.isdisjoint(h.ancestors(c)) for c in sorted(labels)) else labels


def _one_choice_of_graphs(drawn: Drawn) -> bool:
    """Whether the minimal LCA graphs are the extended ones, so that nothing was chosen."""
    minimal, extended = drawn.explained.lca.minimal.overlap, drawn.explained.lca.extended.overlap
    return (minimal.true, minimal.predicted) == (extended.true, extended.predicted)


def _one_path_each(drawn: Drawn) -> bool:
    """Whether there is one path from the root to each label, so that none was chosen."""
    h = drawn.hierarchy
    above = {c for label in drawn.true | drawn.predicted for c in h.up(label)}
    return all(len(h.parents(c)) < 2 for c in above)


_CLEAR: Mapping[str, Callable[[Drawn], bool]] = {"lca": _one_choice_of_graphs, "confusion": _one_path_each}


def is_clear(drawn: Drawn, families: Collection[str]) -> bool:
    """Whether the structures of some families are without a choice."""
    return all(check(drawn) for family, check in _CLEAR.items() if family in families)


def other_prediction(drawn: Drawn, wish: Wish, rng: Random, family: str) -> Drawn | None:
    """The same with another prediction, neither that one nor the truth."""
    labels = _labels(drawn.hierarchy, rng.randint(1, _most_labels(wish, family)), rng)
    if labels is None or labels in (drawn.true, drawn.predicted):
        return None
    other = drawn.with_predicted(labels)
    return other if is_clear(other, [family]) else None
