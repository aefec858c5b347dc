"""Beyond the sizes that are searched whole: random hierarchies and instances, and shrinking what breaks a property.

That nothing was found is no proof; it is reported as a number of instances and the largest size they had.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from hiermeasures.behaviour.edits import Pairs
from hiermeasures.behaviour.properties import Property
from hiermeasures.behaviour.search import (
    Behaviour,
    Counterexample,
    Evaluated,
    Progress,
    Verdict,
    chosen_measures,
    chosen_properties,
    judged,
)
from hiermeasures.behaviour.worlds import World, random_world, reordered
from hiermeasures.errors import InputError
from hiermeasures.measures import Measure
from hiermeasures.options import Options

MOST = 26  # classes of a random hierarchy
_PAIRS = 300  # of one edit in one hierarchy


@dataclass
class Sampled:
    """A random search: how many pairs had both values, how many not, the largest hierarchy, the shrunken example."""

    instances: int = 0
    undefined: int = 0
    size: int = 0
    example: Counterexample | None = None

    def __str__(self) -> str:
        if self.example is None:
            return f"none found in {self.instances:,} instances up to {self.size} classes"
        return f"found at random and shrunken to {self.example.size} classes: {self.example}"


def search_beyond(
    studied: Behaviour,
    *,
    size: int = 10,
    hierarchies: int = 60,
    seed: int = 0,
    measures: Sequence[Measure] | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> dict[str, dict[str, Sampled]]:
    """For every property that a measure kept, a random search in hierarchies of up to `size` classes.

    Every second hierarchy is a tree. What is found is shrunken: classes and labels are taken away as long as the
    property stays broken. The same seed finds the same.
    """
    if not 3 <= size <= MOST:
        raise InputError(f"random hierarchies have 3 to {MOST} classes, not {size}")
    known = {m.key: m for m in chosen_measures(None)} | {m.key: m for m in measures or ()}
    found = {p: {m: Sampled() for m, verdict in row.items() if verdict.holds} for p, row in studied.verdicts.items()}
    rng = Random(seed)
    for k in range(hierarchies):
        if stop is not None and stop.is_set():
            break
        world = random_world(rng, rng.randint(max(3, size - 4), size), tree=k % 2 == 0)
        open_keys = sorted({m for row in found.values() for m, sampled in row.items() if sampled.example is None})
        if not open_keys:
            break
        evaluated = Evaluated([known[m] for m in open_keys], studied.options, explain_up_to=0)
        true, predicted = _instances(rng, world)
        for p in chosen_properties(found):
            _try(p, world, true, predicted, evaluated, found[p.key], rng)
        if progress:
            progress(k + 1, hierarchies)
    return found


def with_sampled(studied: Behaviour, sampled: dict[str, dict[str, Sampled]]) -> Behaviour:
    """The verdicts, with those broken for which the random search found an example."""
    verdicts = {p: dict(row) for p, row in studied.verdicts.items()}
    for p, row in sampled.items():
        for m, found in row.items():
            if found.example is not None:
                old = verdicts[p][m]
                verdicts[p][m] = Verdict(
                    found.example.size, old.instances + found.instances, old.undefined + found.undefined, found.example
                )
    return Behaviour(
        verdicts, studied.options, studied.trees, studied.dags, studied.hierarchies, studied.instances, studied.stopped
    )


def _instances(rng: Random, world: World, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Random true and predicted classes, few of each more often than many."""

    def chosen(least: int) -> int:
        size = min(world.classes, max(least, int(rng.expovariate(0.6)) + rng.randint(0, 1)))
        return sum(1 << c for c in rng.sample(range(world.classes), size))

    return np.array([chosen(1) for _ in range(n)]), np.array([chosen(0) for _ in range(n)])


def _try(
    p: Property,
    world: World,
    true: np.ndarray,
    predicted: np.ndarray,
    evaluated: Evaluated,
    row: dict[str, Sampled],
    rng: Random,
) -> None:
    """One property, of the measures that still keep it, in one hierarchy."""
    still = [m for m in evaluated.measures if m.key in row and row[m.key].example is None]
    if not still:
        return
    own = Evaluated(still, evaluated.options, evaluated.explain_up_to)
    for pairs in _together(p.edit(world, true, predicted), rng):
        before, after = own.both(pairs)
        for m in still:
            defined, undefined, example, _ = judged(p, m, pairs, before(m.key), after(m.key))
            sampled = row[m.key]
            sampled.instances += defined
            sampled.undefined += undefined
            sampled.size = max(sampled.size, world.size)
            if example is not None and sampled.example is None:
                sampled.example = shrunken(p, m, example, evaluated.options)


def _together(found: Iterator[Pairs], rng: Random) -> Iterator[Pairs]:
    """The pairs in the same two hierarchies as one, and of many only some."""
    groups: dict[tuple[World, World], list[Pairs]] = {}
    for pairs in found:
        groups.setdefault((pairs.before, pairs.after), []).append(pairs)
    for (before, after), parts in groups.items():
        true, predicted, true_after, predicted_after = (
            np.concatenate([part[k] for part in parts]) for k in (1, 2, 4, 5)
        )
        pairs = Pairs(before, true, predicted, after, true_after, predicted_after)
        if len(true) > _PAIRS:
            pairs = pairs.rows(np.array(sorted(rng.sample(range(len(true)), _PAIRS))))
        if len(pairs.true):
            yield pairs


# --- shrinking ------------------------------------------------------------------------------------------------------

Base = tuple[World, int, int]


def shrunken(p: Property, m: Measure, example: Counterexample, options: Options) -> Counterexample:
    """A counterexample from which no class and no label can be taken without the property holding again."""
    pictures = (example.before, example.after)
    bases = [(w.world, _mask(w.world, w.true), _mask(w.world, w.predicted)) for w in pictures]
    base = next((b for b in bases if _broken(p, m, b, options) is not None), None)
    while base is not None:
        smaller = next((b for b in _smaller(base) if _broken(p, m, b, options) is not None), None)
        if smaller is None:
            return _broken(p, m, base, options) or example
        base = smaller
    return example


def _broken(p: Property, m: Measure, base: Base, options: Options) -> Counterexample | None:
    """The smallest counterexample that the edit makes of one instance."""
    world, true, predicted = base
    evaluated = Evaluated([m], options, explain_up_to=1000)
    found = []
    for pairs in p.edit(world, np.array([true]), np.array([predicted])):
        if len(pairs.true):
            before, after = evaluated.both(pairs)
            _, _, example, rank = judged(p, m, pairs, before(m.key), after(m.key))
            if example is not None:
                found.append((rank, str(example), example))
    return min(found)[2] if found else None


def _smaller(base: Base) -> Iterator[Base]:
    """The instance without one class, its children going to its parents; and without one label."""
    world, true, predicted = base
    for c in reversed(range(world.classes)):
        order = [d for d in range(world.classes) if d != c]
        parents = tuple((q & ~(1 << (c + 1))) | (world.parents[c] if q >> (c + 1) & 1 else 0) for q in world.parents)
        low = (1 << c) - 1
        left = [(mask & low) | (mask >> 1 & ~low) for mask in (true, predicted)]
        if left[0]:
            yield World(reordered(parents, order)), left[0], left[1]
    for c in range(world.classes):
        if true >> c & 1 and true != 1 << c:
            yield world, true & ~(1 << c), predicted
    for c in range(world.classes):
        if predicted >> c & 1:
            yield world, true, predicted & ~(1 << c)


def _mask(world: World, names: Sequence[str]) -> int:
    return sum(1 << world.labels.index(name) for name in names)
