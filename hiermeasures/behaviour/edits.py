"""Pairs of instances, before and after an edit: what properties and questions compare.

An edit takes a hierarchy and any of its instances (sets of classes as bit masks, see worlds.py) and yields pairs that
begin, or end, with them. Nothing here knows a measure.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from hiermeasures.behaviour.worlds import World, counted, members, moved


class Pairs(NamedTuple):
    """Many instances before an edit and after it, row by row."""

    before: World
    true: np.ndarray
    predicted: np.ndarray
    after: World
    true_after: np.ndarray
    predicted_after: np.ndarray

    def rows(self, chosen: np.ndarray) -> "Pairs":
        """Some of the pairs."""
        before, true, predicted, after, true_after, predicted_after = self
        return Pairs(before, true[chosen], predicted[chosen], after, true_after[chosen], predicted_after[chosen])

    @property
    def labels(self) -> np.ndarray:
        """How many labels there are in both pictures of each pair."""
        return sum((counted(masks) for masks in (self[1], self[2], self[4], self[5])), np.zeros_like(self.true))


Edit = Callable[[World, np.ndarray, np.ndarray], Iterator[Pairs]]
Masks = np.ndarray


def _predict(world: World, true: Masks, predicted: Masks, chosen: Masks, after: Masks | np.int64) -> Pairs:
    """The same true classes with another prediction, for the chosen rows."""
    rows = np.flatnonzero(chosen)
    return Pairs(world, true[rows], predicted[rows], world, true[rows], np.broadcast_to(after, true.shape)[rows])


def nothing(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """One instance alone."""
    yield Pairs(world, true, predicted, world, true, predicted)


def perfect_to_other(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """Of the perfect prediction to any other."""
    rows = np.flatnonzero(true != predicted)
    yield Pairs(world, true[rows], true[rows], world, true[rows], predicted[rows])


def perfect_to_other_closure(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """Of the perfect prediction to any with other ancestors-or-selves."""
    closed = [masks | world.reached(masks, world.above) for masks in (true, predicted)]
    rows = np.flatnonzero(closed[0] != closed[1])
    yield Pairs(world, true[rows], true[rows], world, true[rows], predicted[rows])


def exchange(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """True and predicted classes exchanged; neither is empty, and each pair comes once."""
    rows = np.flatnonzero((predicted > 0) & (true < predicted))
    yield Pairs(world, true[rows], predicted[rows], world, predicted[rows], true[rows])


def add_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """Any class added to the prediction."""
    for c in range(world.classes):
        yield _predict(world, true, predicted, ~predicted >> c & 1, predicted | 1 << c)


def remove_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A class taken out of the prediction."""
    for c in range(world.classes):
        yield _predict(world, true, predicted, predicted >> c & 1, predicted & ~(1 << c))


def move_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A class of the prediction replaced by one outside it."""
    for c in range(world.classes):
        for d in range(world.classes):
            if c != d:
                chosen = (predicted >> c & 1) & (~predicted >> d & 1)
                yield _predict(world, true, predicted, chosen, predicted & ~(1 << c) | 1 << d)


def predict_otherwise(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """Any other prediction."""
    for other in range(1 << world.classes):
        yield _predict(world, true, predicted, predicted != other, np.int64(other))


def add_true_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A true class added to the prediction."""
    for c in range(world.classes):
        yield _predict(world, true, predicted, (true >> c & 1) & (~predicted >> c & 1), predicted | 1 << c)


def add_unrelated_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A class that is neither in, above nor below the true ones added to the prediction."""
    related = true | world.reached(true, world.above) | world.reached(true, world.below)
    for c in range(world.classes):
        yield _predict(world, true, predicted, ~(related | predicted) >> c & 1, predicted | 1 << c)


def add_unrelated_to_a_prediction(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """The same, where something is predicted already."""
    rows = np.flatnonzero(predicted)
    return add_unrelated_class(world, true[rows], predicted[rows])


def add_ancestor(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A class above a predicted one added to the prediction."""
    implied = world.reached(predicted, world.above)
    for c in range(world.classes):
        yield _predict(world, true, predicted, (implied & ~predicted) >> c & 1, predicted | 1 << c)


def back_off(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A predicted class that is neither in nor above the true ones replaced by a parent that is above them, in neither
    set.
    """
    over = world.reached(true, world.above)
    for c in range(world.classes):
        for q in members(world.parents[c] >> 1):
            wrong = (predicted >> c & 1) & (~(true | over) >> c & 1)
            chosen = wrong & (over & ~true & ~predicted) >> q & 1
            yield _predict(world, true, predicted, chosen, predicted & ~(1 << c) | 1 << q)


def go_deeper(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A predicted class above a true one replaced by its child in or above that true class."""
    toward = true | world.reached(true, world.above)
    for c in range(world.classes):
        for d in members(world.children[c]):
            chosen = (predicted >> c & 1) & (toward >> d & 1)
            yield _predict(world, true, predicted, chosen, predicted & ~(1 << c) | 1 << d)


def come_nearer(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """One predicted class replaced by one that is nearer to the one true class."""
    return _nearer(world, true, predicted, lambda t, p: range(world.classes))


def rise_to_the_true_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """One predicted class below the one true class replaced by its parent that is it or below it, where that is
    nearer.
    """

    def parents(t: int, p: int) -> Iterable[int]:
        within = 1 << t | world.below[t]
        return members(world.parents[p] >> 1 & within if world.above[p] >> t & 1 else 0)

    return _nearer(world, true, predicted, parents)


def descend_to_the_true_class(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """One predicted class above the one true class replaced by its child that is it or above it, where that is
    nearer.
    """

    def children(t: int, p: int) -> Iterable[int]:
        within = 1 << t | world.above[t]
        return members(world.children[p] & within if world.above[t] >> p & 1 else 0)

    return _nearer(world, true, predicted, children)


def deepen(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """One true and one wrong class replaced by two as far from their lowest common ancestor, which lies deeper; where
    there is one such ancestor.
    """
    shapes: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    shape_of: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}
    for t in range(world.classes):
        for p in range(world.classes):
            common = world.lowest_common(t + 1, p + 1)
            if t != p and len(common) == 1:
                shape, level = (world.up[t + 1][common[0]], world.up[p + 1][common[0]]), world.levels[common[0]]
                shapes.setdefault(shape, []).append((level, t, p))
                shape_of[t, p] = shape, level
    for t, p, rows in _single(world, true, predicted):
        if (t, p) in shape_of:
            shape, level = shape_of[t, p]
            for deeper, t_after, p_after in shapes[shape]:
                if deeper > level:
                    ones = np.ones(len(rows), np.int64)
                    yield Pairs(world, true[rows], predicted[rows], world, ones << t_after, ones << p_after)


def _single(world: World, true: Masks, predicted: Masks) -> Iterator[tuple[int, int, Masks]]:
    """For each true class alone and each predicted class alone, the rows that hold just them."""
    for t in range(world.classes):
        for p in range(world.classes):
            rows = np.flatnonzero((true == 1 << t) & (predicted == 1 << p))
            if len(rows):
                yield t, p, rows


def _nearer(
    world: World, true: Masks, predicted: Masks, candidates: Callable[[int, int], Iterable[int]]
) -> Iterator[Pairs]:
    """The one predicted class replaced by each candidate, of the true and the predicted class, that is nearer."""
    for t, p, rows in _single(world, true, predicted):
        for q in candidates(t, p):
            if world.distance(t + 1, q + 1) < world.distance(t + 1, p + 1):
                yield _predict(world, true[rows], predicted[rows], np.ones(len(rows), bool), np.int64(1 << q))


def rename(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """The names, and the order of siblings, reversed."""
    order = list(reversed(range(world.classes)))
    other = world.reordered(order)
    yield Pairs(world, true, predicted, other, moved(true, order), moved(predicted, order))


def grow_elsewhere(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """A new leaf below a class that is not in, above or below any true or predicted one; it is in this hierarchy, and
    the instance before is in that without it.
    """
    labels = true | predicted
    related = labels | world.reached(labels, world.above) | world.reached(labels, world.below)
    for c in members(world.leaves):
        above = world.parents[c]
        if above.bit_count() > 1 or above == 1:
            continue  # the root is above every class
        rows = np.flatnonzero(~(related | labels) >> ((above >> 1).bit_length() - 1) & ~labels >> c & 1)
        order = [d for d in range(world.classes) if d != c]
        before = (moved(true[rows], order), moved(predicted[rows], order))
        yield Pairs(world.without(c), *before, world, true[rows], predicted[rows])


def add_second_way(world: World, true: Masks, predicted: Masks) -> Iterator[Pairs]:
    """An edge into a wrong leaf, which gives it a further way from the root, as long as the shortest one before.

    The leaf is predicted and not below a true class; its distances from the true classes and their lowest common
    ancestors stay as they are, and neither set holds a class that becomes an ancestor of it.
    """
    for c in members(world.leaves):
        for q in members(world.parents[c]) if world.parents[c].bit_count() > 1 else ():
            before = world.without_edge(q, c)
            if before.up[c + 1][0] != before.up[q][0] + 1:
                continue
            gained = world.above[c] & ~before.above[c]
            steady = sum(1 << t for t in range(world.classes) if _meet_as_before(before, world, t + 1, c + 1))
            unfit = ~steady | world.above[c] | 1 << c
            chosen = (predicted >> c & 1 > 0) & (true & unfit == 0) & (predicted & gained == 0)
            rows = np.flatnonzero(chosen)
            yield Pairs(before, true[rows], predicted[rows], world, true[rows], predicted[rows])


def _meet_as_before(before: World, after: World, a: int, b: int) -> bool:
    """Whether two nodes have the same distance and the same lowest common ancestors in both hierarchies."""
    if before.distance(a, b) != after.distance(a, b):
        return False
    return set(before.lowest_common(a, b)) == set(after.lowest_common(a, b))
