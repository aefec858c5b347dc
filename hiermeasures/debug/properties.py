"""Properties of measures and their theorems.

A property is an edit and a relation between the values before and after it (properties.yaml
declares them). A theorem is a proof that a measure keeps a property in every hierarchy
(theorems.yaml).

An edit takes a hierarchy and any of its instances (sets of classes as bit masks, see worlds.py). It
yields pairs of instances before and after it. The given instances are the first or the second ones
of the pairs. "Better" follows the direction of the measure, and values within 1e-9 are equal. If one
value of a pair is undefined, the pair neither keeps nor breaks a property. A property that is kept
without a proof was only searched for a counterexample. tests/debug/test_theorems.py tries every theorem on large random
instances.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from itertools import permutations, product
from typing import Any

import numpy as np

from hiermeasures.debug.what_if import CLOSE
from hiermeasures.debug.worlds import Masks, World, WorldInstances, WorldPairs, moved
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.package import data_file
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.lca_solvers import members

Edit = Callable[[World, Masks, Masks], Iterator[WorldPairs]]
Relation = Callable[..., np.ndarray]  # of a measure and its values before and after


def _predict(
    world: World, true: Masks, predicted: Masks, chosen: Masks, after: Masks | np.int64
) -> WorldPairs:
    """Give the chosen rows another prediction. The true classes stay."""
    other = WorldInstances(world, true, np.broadcast_to(after, true.shape))
    return WorldPairs(WorldInstances(world, true, predicted), other).rows(np.flatnonzero(chosen))


def nothing(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Yield one instance alone."""
    yield WorldPairs(WorldInstances(world, true, predicted), WorldInstances(world, true, predicted))


def perfect_to_other(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace the perfect prediction by any other."""
    yield _predict(world, true, true, true != predicted, predicted)


def perfect_to_other_closure(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace the perfect prediction by one with other ancestors-or-selves."""
    yield _predict(world, true, true, world.closed(true) != world.closed(predicted), predicted)


def exchange(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Exchange true and predicted classes. Neither is empty, and each pair comes once."""
    rows = np.flatnonzero((predicted > 0) & (true < predicted))
    yield WorldPairs(
        WorldInstances(world, true, predicted), WorldInstances(world, predicted, true)
    ).rows(rows)


def add_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add any class to the prediction."""
    return _add(world, true, predicted, ~predicted)


def _add(world: World, true: Masks, predicted: Masks, fit: Masks) -> Iterator[WorldPairs]:
    for c in range(world.classes):
        yield _predict(world, true, predicted, fit >> c & 1, predicted | 1 << c)


def remove_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Remove a class from the prediction."""
    for c in range(world.classes):
        yield _predict(world, true, predicted, predicted >> c & 1, predicted & ~(1 << c))


def move_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a class of the prediction by one outside it."""
    for c in range(world.classes):
        for d in range(world.classes):
            if c != d:
                chosen = (predicted >> c & 1) & (~predicted >> d & 1)
                yield _predict(world, true, predicted, chosen, predicted & ~(1 << c) | 1 << d)


def predict_otherwise(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace the prediction by any other."""
    for other in range(1 << world.classes):
        yield _predict(world, true, predicted, predicted != other, np.int64(other))


def add_true_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add a true class to the prediction."""
    return _add(world, true, predicted, true & ~predicted)


def add_unrelated_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add a class that is neither true nor above or below a true class."""
    related = world.closed(true) | world.reached(true, world.below)
    return _add(world, true, predicted, ~(related | predicted))


def add_unrelated_to_a_prediction(
    world: World, true: Masks, predicted: Masks
) -> Iterator[WorldPairs]:
    """Add an unrelated class to a prediction that is not empty."""
    rows = np.flatnonzero(predicted)
    return add_unrelated_class(world, true[rows], predicted[rows])


def add_ancestor(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add a class above a predicted one to the prediction."""
    return _add(world, true, predicted, world.reached(predicted, world.above) & ~predicted)


def back_off(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a wrong predicted class by a parent of it.

    The class is neither true nor above a true class. The parent is above a true class and in
    neither set.
    """
    over = world.reached(true, world.above)
    for c in range(world.classes):
        for q in members(world.parents[c] >> 1):
            wrong = (predicted >> c & 1) & (~(true | over) >> c & 1)
            chosen = wrong & (over & ~true & ~predicted) >> q & 1
            yield _predict(world, true, predicted, chosen, predicted & ~(1 << c) | 1 << q)


def go_deeper(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a predicted class above a true one by its child at or above that true class."""
    toward = world.closed(true)
    for c in range(world.classes):
        for d in members(world.children[c]):
            chosen = (predicted >> c & 1) & (toward >> d & 1)
            yield _predict(world, true, predicted, chosen, predicted & ~(1 << c) | 1 << d)


def come_nearer(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace one predicted class by one that is nearer to the one true class."""
    return _nearer(world, true, predicted, lambda t, p: range(world.classes))


def rise_to_the_true_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a predicted class below the one true class by a nearer parent at or below it."""

    def parents(t: int, p: int) -> Iterable[int]:
        within = 1 << t | world.below[t]
        return members(world.parents[p] >> 1 & within if world.above[p] >> t & 1 else 0)

    return _nearer(world, true, predicted, parents)


def descend_to_the_true_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a predicted class above the one true class by a nearer child at or above it."""

    def children(t: int, p: int) -> Iterable[int]:
        within = 1 << t | world.above[t]
        return members(world.children[p] & within if world.above[t] >> p & 1 else 0)

    return _nearer(world, true, predicted, children)


def deepen(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace one true and one wrong class by two that are equally far from a deeper LCA.

    Both pairs must have a single LCA.
    """
    h = world.hierarchy
    shapes: dict[tuple[float, float], list[tuple[int, int, int]]] = {}
    shape_of: dict[tuple[int, int], tuple[tuple[float, float], int]] = {}
    for (t, true_class), (p, wrong) in permutations(enumerate(world.labels), 2):
        common = h.lca(true_class, wrong)
        if len(common) == 1:
            (top,) = common
            shape, level = (h.up(true_class)[top], h.up(wrong)[top]), h.level(top)
            shapes.setdefault(shape, []).append((level, t, p))
            shape_of[t, p] = shape, level
    for t, p, rows in _single(world, true, predicted):
        if (t, p) in shape_of:
            shape, level = shape_of[t, p]
            for deeper, t_after, p_after in shapes[shape]:
                if deeper > level:
                    ones = np.ones(len(rows), np.int64)
                    before = WorldInstances(world, true, predicted).rows(rows)
                    yield WorldPairs(
                        before, WorldInstances(world, ones << t_after, ones << p_after)
                    )


def _single(world: World, true: Masks, predicted: Masks) -> Iterator[tuple[int, int, Masks]]:
    """Return the rows with one true and one predicted class, for each such pair."""
    for t in range(world.classes):
        for p in range(world.classes):
            rows = np.flatnonzero((true == 1 << t) & (predicted == 1 << p))
            if len(rows):
                yield t, p, rows


def _nearer(
    world: World, true: Masks, predicted: Masks, candidates: Callable[[int, int], Iterable[int]]
) -> Iterator[WorldPairs]:
    """Replace the one predicted class by each candidate that is nearer to the true class."""
    distance, labels = world.hierarchy.distance, world.labels
    for t, p, rows in _single(world, true, predicted):
        for q in candidates(t, p):
            if distance(labels[t], labels[q]) < distance(labels[t], labels[p]):
                yield _predict(
                    world, true[rows], predicted[rows], np.ones(len(rows), bool), np.int64(1 << q)
                )


def rename(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Reverse the names, and the order of siblings."""
    order = list(reversed(range(world.classes)))
    other = world.reordered(order)
    yield WorldPairs(
        WorldInstances(world, true, predicted),
        WorldInstances(other, moved(true, order), moved(predicted, order)),
    )


def grow_elsewhere(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add a leaf below a class that is not in, above or below any true or predicted one.

    The leaf is in this hierarchy. The instance before is in the hierarchy without it.
    """
    labels = true | predicted
    related = world.closed(labels) | world.reached(labels, world.below)
    for c in members(world.leaves):
        above = world.parents[c]
        if above.bit_count() > 1 or above == 1:
            continue  # the root is above every class
        rows = np.flatnonzero(
            ~(related | labels) >> ((above >> 1).bit_length() - 1) & ~labels >> c & 1
        )
        yield _lacking(c, world.without(c), WorldInstances(world, true, predicted).rows(rows))


def _lacking(c: int, before: World, after: WorldInstances) -> WorldPairs:
    """Pair instances without class c with themselves in a hierarchy without this class."""
    order = [d for d in range(after.world.classes) if d != c]
    return WorldPairs(
        WorldInstances(before, moved(after.true, order), moved(after.predicted, order)), after
    )


def add_second_way(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add an edge into a wrong leaf. The new path from the root is as long as the shortest old one.

    The leaf is predicted and not below a true class. Its distances from the true classes and their
    lowest common ancestors stay as they are. Neither set contains a class that becomes an ancestor
    of it.
    """
    for c in members(world.leaves):
        for q in members(world.parents[c]) if world.parents[c].bit_count() > 1 else ():
            before = world.without_edge(q, c)
            h, label = before.hierarchy, world.labels[c]
            if h.up(label)[h.root] != h.distance(h.root, (h.root, *world.labels)[q]) + 1:
                continue
            gained = world.above[c] & ~before.above[c]
            steady = sum(
                1 << t
                for t, other in enumerate(world.labels)
                if _meet_as_before(before, world, other, label)
            )
            unfit = ~steady | world.above[c] | 1 << c
            chosen = (predicted >> c & 1 > 0) & (true & unfit == 0) & (predicted & gained == 0)
            both = WorldPairs(
                WorldInstances(before, true, predicted), WorldInstances(world, true, predicted)
            )
            yield both.rows(np.flatnonzero(chosen))


def _meet_as_before(before: World, after: World, a: str, b: str) -> bool:
    """Return whether the distance and the LCAs of two classes are equal in both hierarchies."""
    one, other = (
        (world.hierarchy.distance(a, b), world.hierarchy.lca(a, b)) for world in (before, after)
    )
    return one == other


def _says_more(edit: Edit) -> Edit:
    """Keep only the pairs in which the predicted classes and their ancestors change."""

    @wraps(edit)
    def kept(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
        for pairs in edit(world, true, predicted):
            before, after = (world.closed(side.predicted) for side in pairs)
            yield pairs.rows(np.flatnonzero(before != after))

    return kept


add_new_truth = _says_more(add_true_class)
back_off_by_a_class = _says_more(back_off)
go_deeper_by_a_class = _says_more(go_deeper)


def add_unrelated_to_a_hit(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Add an unrelated class, not above a predicted one, to a prediction with a true class."""
    rows = np.flatnonzero(true & predicted)
    return _says_more(add_unrelated_class)(world, true[rows], predicted[rows])


def perfect_to_one_class(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace the perfect prediction of some true classes by that of each single class."""
    every = np.unique(true)
    for c in range(world.classes):
        others = every[every != 1 << c]
        one = np.full(len(others), 1 << c, np.int64)
        yield WorldPairs(WorldInstances(world, others, others), WorldInstances(world, one, one))


def _shares(world: World, true: Masks, predicted: Masks) -> Masks:
    """Return whether both sides have a common class or ancestor other than the root."""
    found: Masks = (world.closed(true) & world.closed(predicted)) > 0
    return found


def share_something(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a prediction that shares no class below the root by one that shares some.

    Neither prediction is empty.
    """
    for other in np.unique(
        np.concatenate([predicted[predicted > 0], 1 << np.arange(world.classes)])
    ):
        after = np.full(len(true), other, np.int64)
        chosen = (predicted > 0) & ~_shares(world, true, predicted) & _shares(world, true, after)
        yield _predict(world, true, predicted, chosen, after)


def share_nothing_otherwise(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace a prediction that shares no class below the root by one class of this kind."""
    nothing_shared = (predicted > 0) & ~_shares(world, true, predicted)
    for c in range(world.classes):
        after = np.full(len(true), 1 << c, np.int64)
        chosen = nothing_shared & (predicted != after) & ~_shares(world, true, after)
        yield _predict(world, true, predicted, chosen, after)


def go_by_a_third(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Replace the prediction by a third set of classes. No set is empty, and no two are equal."""
    thirds = np.unique(np.concatenate([predicted[predicted > 0], 1 << np.arange(world.classes)]))
    for third in thirds:
        chosen = (predicted > 0) & (true != predicted) & (third != predicted) & (third != true)
        yield _predict(world, true, predicted, chosen, third)


def subdivide_an_edge(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """Put a class into the middle of an edge, in neither set.

    The class is in this hierarchy. The instance before is in the hierarchy with the whole edge.
    """
    for c in range(world.classes):
        above, below = world.parents[c], world.children[c]
        if (
            above.bit_count() == below.bit_count() == 1
            and not world.parents[below.bit_length() - 1] & above
        ):
            rows = np.flatnonzero(~(true | predicted) >> c & 1)
            yield _lacking(
                c, world.closed_over(c), WorldInstances(world, true, predicted).rows(rows)
            )


def gain(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return by how much the second values are better. Equal infinite values have gain 0."""
    with np.errstate(invalid="ignore"):
        difference = np.where(before == after, 0.0, after - before)
    better_by: np.ndarray = difference if measure.better == "higher" else -difference
    return better_by


def _where(holds: Callable[[np.ndarray], np.ndarray]) -> Relation:
    """Return the relation of values whose gain `holds`."""
    return lambda measure, before, after: holds(gain(measure, before, after))


no_worse = _where(lambda gained: gained >= -CLOSE)
no_better = _where(lambda gained: gained <= CLOSE)
worse = _where(lambda gained: gained < -CLOSE)
better = _where(lambda gained: gained > CLOSE)
the_same = _where(lambda gained: np.abs(gained) <= CLOSE)


def in_range(measure: Measure, before: np.ndarray, _: np.ndarray) -> np.ndarray:
    low = -np.inf if measure.low is None else measure.low - CLOSE
    high = np.inf if measure.high is None else measure.high + CLOSE
    return (before >= low) & (before <= high)


def detour_no_shorter(
    measure: Measure, before: np.ndarray, after: np.ndarray, rest: np.ndarray
) -> np.ndarray:
    """Compare a distance with the distance over a third set."""
    best = measure.high or 0.0
    one, other, last = (
        side if measure.better == "lower" else best - side for side in (before, after, rest)
    )
    shorter: np.ndarray = one <= other + last + CLOSE
    return shorter


@dataclass(frozen=True, kw_only=True)
class Property:
    """One property. properties.yaml explains its fields."""

    key: str
    name: str
    says: str
    edit: Edit
    relation: Relation
    choice: str = ""
    third: bool = False


PROPERTIES: dict[str, Property] = {
    entry["key"]: Property(
        **entry | {name: globals()[entry[name]] for name in ("edit", "relation")}
    )
    for entry in data_file(__package__, "properties.yaml")
}


@dataclass(frozen=True, kw_only=True)
class Theorem:
    """Properties that measures keep in hierarchies of every size, with a proof.

    With `trees`, the proof is only for trees. With `alike`, all classes weigh 1. `root` is True if
    the root must be counted, False if it must not, and None if both are proved. All other options
    of a measure have their defaults.
    """

    properties: tuple[str, ...]
    measures: tuple[str, ...]
    proof: str
    trees: bool = False
    root: bool | None = None
    alike: bool = False

    def covers(self, trees: bool, options: Options) -> bool:
        """Return whether the theorem is proved for these hierarchies and options."""
        counted = options.count_root is not False
        return (
            (trees or not self.trees)
            and self.root in (None, counted)
            and (not self.alike or options.class_weights == "one")
        )

    @property
    def where(self) -> str:
        """The settings of the theorem in words, or "" for all settings."""
        parts = ["trees"] * self.trees + ["all weights 1"] * self.alike
        parts += [] if self.root is None else [f"the root {'' if self.root else 'not '}counted"]
        return ", ".join(parts)


_DATA: Mapping[str, Any] = data_file(__package__, "theorems.yaml")
NOTATION: str = _DATA["notation"].rstrip()


def _theorem(keeps: str, measures: str, proof: str, **settings: bool) -> Theorem:
    keys = " ".join(_DATA["groups"].get(word, word) for word in measures.split()).split()
    proof = proof.replace("{ranks}", _DATA["ranks"])
    return Theorem(properties=tuple(keeps.split()), measures=tuple(keys), proof=proof, **settings)


THEOREMS = tuple(_theorem(**entry) for entry in _DATA["theorems"])
_SETTINGS = {"count_root", "class_weights"}
BY_CELL: dict[tuple[str, str], list[Theorem]] = {}
"""The theorems of a property and a measure."""
for _each in THEOREMS:
    for _cell in product(_each.properties, _each.measures):
        BY_CELL.setdefault(_cell, []).append(_each)


def proved(prop: str, measure: Measure, *, trees: bool, options: Options) -> Theorem | None:
    """Return the theorem that proves a property of a measure with these options, or None.

    Examples
    --------
    >>> deeper = ("deeper_mistake_is_better", CATALOGUE["hF"])
    >>> proved(*deeper, trees=True, options=Options()) is not None, proved(*deeper, trees=False, options=Options())
    (True, None)
    """
    if (
        CATALOGUE.get(measure.key) is not measure
        or set(options.changed) & set(measure.options) - _SETTINGS
    ):
        return None
    return next((t for t in BY_CELL.get((prop, measure.key), ()) if t.covers(trees, options)), None)
