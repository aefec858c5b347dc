"""Small hierarchies as bit masks, and many instances of one hierarchy.

You get every rooted tree and every rooted DAG of some number of classes, one of each shape. A set of
classes is a whole number. Its bit c is 1 if class c is in the set. The root is not a class here,
because neither side of an instance contains it. Edits of instances are in properties.py.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, permutations, product
from random import Random
from typing import NamedTuple

import numpy as np

from hiermeasures.evaluation import EncodedLabels
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.lca_solvers import members

ROOT = "R"
Parents = tuple[int, ...]  # of each class: bit 0 is the root, bit c + 1 class c
Masks = np.ndarray


@dataclass(frozen=True)
class World:
    """A small hierarchy, with the parents of every class except the root, and the names.

    >>> World((1, 1, 2)).hierarchy.edges
    (('R', 'a'), ('R', 'b'), ('a', 'c'))
    """

    parents: Parents
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> "World":
        """Return a hierarchy as a world. Its classes keep their names."""
        place = {name: k for k, name in enumerate(hierarchy.nodes)}
        parents = (
            sum(1 << place[above] for above in hierarchy.parents(name))
            for name in hierarchy.nodes[1:]
        )
        return cls(tuple(parents), hierarchy.nodes[1:])

    @property
    def classes(self) -> int:
        return len(self.parents)

    @property
    def size(self) -> int:
        return len(self.parents) + 1

    @property
    def is_tree(self) -> bool:
        return all(mask.bit_count() == 1 for mask in self.parents)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the classes, by default a, b, c …"""
        return self.names or tuple(
            chr(ord("a") + c) if c < 26 else f"c{c}" for c in range(self.classes)
        )

    @cached_property
    def hierarchy(self) -> Hierarchy:
        names = (ROOT, *self.labels)
        return Hierarchy.from_edges(
            (
                (names[q], names[c + 1])
                for c, mask in enumerate(self.parents)
                for q in members(mask)
            ),
            [ROOT],
        )

    @property
    def edges(self) -> str:
        return " ".join(f"{above}>{below}" for above, below in self.hierarchy.edges)

    def _masks(self, related: Callable[[str], Iterable[str]]) -> tuple[int, ...]:
        bit = {label: 1 << c for c, label in enumerate(self.labels)}
        return tuple(sum(bit.get(other, 0) for other in related(label)) for label in self.labels)

    @cached_property
    def above(self) -> tuple[int, ...]:
        """The mask of the classes above each class."""
        return self._masks(self.hierarchy.ancestors)

    @cached_property
    def below(self) -> tuple[int, ...]:
        return self._masks(self.hierarchy.descendants)

    @cached_property
    def children(self) -> tuple[int, ...]:
        return self._masks(self.hierarchy.children)

    @cached_property
    def leaves(self) -> int:
        return sum(1 << c for c in range(self.classes) if not self.below[c])

    def reached(self, masks: Masks, steps: Sequence[int]) -> Masks:
        """Return the union of `steps` (such as `above`) over the classes in each mask."""
        found = np.zeros_like(masks)
        for c, mask in enumerate(steps):
            found |= np.where(masks >> c & 1, mask, 0)
        return found

    def closed(self, masks: Masks) -> Masks:
        """Return the classes in each mask with all their ancestors."""
        found: Masks = masks | self.reached(masks, self.above)
        return found

    @cached_property
    def instances(self) -> tuple[Masks, Masks]:
        n = 1 << self.classes
        return np.repeat(np.arange(1, n), n), np.tile(np.arange(n), n - 1)

    def place(self, true: Masks, predicted: Masks) -> Masks:
        """Return the positions of instances among all of them."""
        found: Masks = ((true - 1) << self.classes) | predicted
        return found

    def encoded(self, masks: Masks) -> EncodedLabels:
        number = {label: c for c, label in enumerate(self.labels)}
        order = np.array([number[label] for label in self.hierarchy.nodes[1:]], np.int64)
        bits = (masks[:, None] >> order[None, :]) & 1
        ends = np.concatenate([[0], np.cumsum(bits.sum(axis=1))]).astype(np.int64)
        return EncodedLabels(ends, (np.nonzero(bits)[1] + 1).astype(np.int32))

    def mask(self, names: Iterable[str]) -> int:
        return sum(1 << self.labels.index(name) for name in names)

    def named(self, mask: int) -> tuple[str, ...]:
        return tuple(self.labels[c] for c in members(int(mask)))

    def reordered(self, order: Sequence[int]) -> "World":
        """Return the hierarchy with class order[k] as class k."""
        return World(reordered(self.parents, order))

    def without(self, c: int) -> "World":
        """Return the hierarchy without a leaf. The other classes keep their names."""
        low = (1 << (c + 1)) - 1
        parents = (q for d, q in enumerate(self.parents) if d != c)
        names = tuple(name for d, name in enumerate(self.labels) if d != c)
        return World(tuple((q & low) | (q >> 1 & ~low) for q in parents), names)

    def closed_over(self, c: int) -> "World":
        """Return the hierarchy without a class. Its children move to its parents. Names stay."""
        over = self.parents[c]
        parents = ((q & ~(1 << (c + 1))) | (over if q >> (c + 1) & 1 else 0) for q in self.parents)
        return World(tuple(parents), self.labels).without(c)

    def without_edge(self, q: int, c: int) -> "World":
        """Return the hierarchy without the edge from node q to class c. c has another parent."""
        parents = (mask & ~(1 << q) if d == c else mask for d, mask in enumerate(self.parents))
        return World(tuple(parents), self.labels)


class WorldInstances(NamedTuple):
    """Many instances of one hierarchy, row by row."""

    world: World
    true: Masks
    predicted: Masks

    def rows(self, chosen: np.ndarray) -> "WorldInstances":
        return WorldInstances(self.world, self.true[chosen], self.predicted[chosen])


class WorldPairs(NamedTuple):
    """Many instances before an edit and after it, row by row."""

    before: WorldInstances
    after: WorldInstances

    @property
    def size(self) -> int:
        return len(self.before.true)

    def rows(self, chosen: np.ndarray) -> "WorldPairs":
        return WorldPairs(self.before.rows(chosen), self.after.rows(chosen))


def moved(masks: Masks, order: Sequence[int]) -> Masks:
    """Return sets of classes after `reordered(order)`."""
    found = np.zeros_like(masks)
    for new, old in enumerate(order):
        found |= (masks >> old & 1) << new
    return found


def counted(masks: Masks) -> Masks:
    found = np.zeros_like(masks)
    for c in range(int(masks.max(initial=0)).bit_length()):
        found += masks >> c & 1
    return found


def reordered(parents: Sequence[int], order: Sequence[int]) -> Parents:
    """Return the parents with class order[k] as class k. Classes left out have no children."""
    place = {0: 0, **{old + 1: new + 1 for new, old in enumerate(order)}}
    return tuple(sum(1 << place[q] for q in members(parents[old])) for old in order)


@cache
def canonical(parents: Parents) -> tuple[Parents, tuple[int, ...]]:
    """Return parents that are equal for all isomorphic hierarchies, and the order that makes them.

    Classes are sorted by level and by numbers that no renaming changes. Ties go to the order with
    the smallest parents.
    """
    world = World(parents)
    alike: dict[tuple[int, ...], list[int]] = {}
    for c in range(world.classes):
        above = sorted(world.children[q - 1].bit_count() for q in members(parents[c]) if q)
        traits = (
            world.hierarchy.level(world.labels[c]),
            parents[c].bit_count(),
            world.below[c].bit_count(),
        )
        alike.setdefault((*traits, world.children[c].bit_count(), *above), []).append(c)
    groups = [alike[traits] for traits in sorted(alike)]
    orders = (tuple(chain(*parts)) for parts in product(*map(permutations, groups)))
    return min((reordered(parents, order), order) for order in orders)


@cache
def trees(size: int) -> tuple[World, ...]:
    """Return every rooted tree with `size` classes: each smaller tree with one more leaf.

    >>> [len(trees(n)) for n in range(1, 7)]
    [1, 1, 2, 4, 9, 20]
    """
    if size == 1:
        return (World(()),)
    return _in_order((*tree.parents, 1 << q) for tree in trees(size - 1) for q in range(size - 1))


@cache
def dags(size: int) -> tuple[World, ...]:
    """Return every rooted DAG with `size` classes, including trees.

    Each class has every choice of parents among the classes before it.

    >>> [len(dags(n)) for n in range(1, 5)]
    [1, 1, 3, 16]
    """
    return _in_order(product(*(range(1, 1 << (c + 1)) for c in range(size - 1))))


def _in_order(found: Iterable[Parents]) -> tuple[World, ...]:
    """Return each hierarchy once: trees first, flat before deep ones, then by the parents."""
    worlds = map(World, {canonical(parents)[0] for parents in found})
    return tuple(sorted(worlds, key=lambda w: (not w.is_tree, w.hierarchy.depth, w.parents)))


def random_world(rng: Random, size: int, tree: bool) -> World:
    """Return a random hierarchy. A class has one earlier parent, or at times two in a DAG."""
    parents = []
    for c in range(size - 1):
        mask = 1 << rng.randrange(c + 1)
        if not tree and rng.random() < 0.3:
            mask |= 1 << rng.randrange(c + 1)
        parents.append(mask)
    return World(tuple(parents))
