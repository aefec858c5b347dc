"""Beyond the sizes that are searched whole: random hierarchies and instances, shrinking what breaks
a property, and known instances; and all that was found as text.

That nothing was found is no proof; it is reported as a number of instances and the largest size
they had.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from hiermeasures.behaviour.edits import Instances, Pairs
from hiermeasures.behaviour.properties import PROPERTIES, Property
from hiermeasures.behaviour.search import (
    FIRST_DAG,
    Behaviour,
    Counterexample,
    Evaluated,
    Progress,
    Verdict,
    by_edit,
    chosen_measures,
    judged,
)
from hiermeasures.behaviour.worlds import World, random_world
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.core.package import data_file
from hiermeasures.measures import Measure
from hiermeasures.measures.lca_solvers import members

MOST = 30  # classes of a random hierarchy
FEW_KNOWN = 40  # instances that are left to `explain`, where known ones are tried
_PAIRS = 300  # of one edit in one hierarchy


@dataclass
class Sampled:
    """A random search: pairs with and without both values, the largest hierarchy, the example."""

    instances: int = 0
    undefined: int = 0
    size: int = 0
    example: Counterexample | None = None

    def __str__(self) -> str:
        if self.example is None and not self.instances:
            return "not tested: no pair of instances had two values"
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
    """For every property that a measure kept, a random search in hierarchies of up to `size`
    classes.

    Every second hierarchy is a tree, or every one where only trees were searched. What is found is
    shrunken: classes and labels are taken away as long as the property stays broken. The same seed
    finds the same.
    """
    if not 3 <= size <= MOST:
        raise InputError(f"random hierarchies have 3 to {MOST} classes, not {size}")
    trial = _Trial.of(studied, measures)
    rng = Random(seed)
    for k in range(hierarchies):
        if (stop is not None and stop.is_set()) or not trial.open_measures:
            break
        tree = k % 2 == 0 or studied.dags < FIRST_DAG
        world = random_world(rng, rng.randint(max(3, size - 4), size), tree)
        trial.look(world, *_instances(rng, world), seed=f"{seed} {k}")
        if progress:
            progress(k + 1, hierarchies)
    return trial.found


@dataclass
class _Trial:
    """Instances tried on every property that a measure still keeps."""

    found: dict[str, dict[str, Sampled]]
    measures: Mapping[str, Measure]
    options: Options

    @classmethod
    def of(cls, studied: Behaviour, measures: Sequence[Measure] | None = None) -> "_Trial":
        known = {m.key: m for m in chosen_measures(None)} | {m.key: m for m in measures or ()}
        kept = {p: {m: Sampled() for m, verdict in row.items() if verdict.holds} for p, row in studied.verdicts.items()}
        return cls(kept, known, studied.options)

    @property
    def open_measures(self) -> set[str]:
        return {m for row in self.found.values() for m, sampled in row.items() if sampled.example is None}

    def look(self, world: World, true: np.ndarray, predicted: np.ndarray, seed: str = "") -> None:
        """Try every property; with a seed on some of the pairs, the same for every measure."""
        for edit, sharing in by_edit(PROPERTIES[key] for key in self.found).items():
            keys = {m for p in sharing for m, sampled in self.found[p.key].items() if sampled.example is None}
            evaluated = Evaluated([self.measures[m] for m in sorted(keys)], self.options, 0 if seed else FEW_KNOWN)
            rng = Random(f"{seed} {edit.__name__}") if seed else None
            for pairs in _together(edit(world, true, predicted), rng) if keys else ():
                sides = evaluated.both(pairs, sharing[0].third)
                for p in sharing:
                    for m in evaluated.measures:
                        self._judge(p, m, pairs, sides)

    def _judge(self, p: Property, m: Measure, pairs: Pairs, sides: Sequence[Callable[[str], np.ndarray]]) -> None:
        sampled = self.found[p.key].get(m.key)
        if sampled is None or sampled.example is not None:
            return
        found = judged(p, m, pairs, *(values(m.key) for values in sides))
        sampled.instances += found.defined
        sampled.undefined += found.undefined
        sampled.size = max(sampled.size, *(side.world.size for side in pairs))
        if found.example is not None:
            sampled.example = shrunken(p, m, found.example, self.options)


def as_text(
    found: Behaviour,
    beyond: Mapping[str, Mapping[str, Sampled]] | None = None,
    turned: Mapping[tuple[str, str], Sequence[str]] | None = None,
) -> str:
    """Return the verdicts for a terminal; `turned` are settings under which a cell changes."""
    kinds = f"{found.hierarchies} hierarchies (trees up to {found.trees}, DAGs up to {found.dags} classes)"
    lines = [f"{kinds}, {found.instances:,} instances"]
    if found.stopped:
        lines.append("stopped early: what is not broken was searched only as far as each line says")
    for prop, row in found.verdicts.items():
        lines += ["", f"{prop}: {PROPERTIES[prop].says}"]
        for key, verdict in row.items():
            sampled = (beyond or {}).get(prop, {}).get(key)
            beyond_it = "" if sampled is None or sampled.example or verdict.theorem else f"; beyond: {sampled}"
            lines.append(f"  {key:14}{_in_words(verdict)}{beyond_it}")
            lines += [f"  {'':14}changes under: {name}" for name in (turned or {}).get((prop, key), ())]
    return "\n".join(lines)


def _in_words(verdict: Verdict) -> str:
    undefined = f", {verdict.undefined:,} undefined" if verdict.undefined else ""
    if verdict.kind == "theorem" and verdict.theorem is not None:
        return f"theorem  {verdict.theorem.proof}"
    if verdict.example is not None:
        kept = f"kept to {verdict.kept_to} classes, broken beyond   " if verdict.kept_to else "broken   "
        return f"{kept}{verdict.example}{undefined}"
    if not verdict.tested:
        return f"not tested up to {verdict.size} classes: no pair of instances has two values{undefined}"
    return f"kept     up to {verdict.size} classes, {verdict.instances:,} instances{undefined}"


def with_sampled(studied: Behaviour, sampled: Mapping[str, Mapping[str, Sampled]]) -> Behaviour:
    """Return the verdicts with what was tried beyond, broken where an example was found."""
    verdicts = {p: dict(row) for p, row in studied.verdicts.items()}
    for p, row in sampled.items():
        for m, found in row.items():
            verdicts[p][m] = _with(verdicts[p][m], found)
    return replace(studied, verdicts=verdicts)


def _with(old: Verdict, found: Sampled) -> Verdict:
    if not old.holds:
        return old
    if found.example is None:
        size = max(old.beyond_size, found.size)
        return replace(old, beyond=old.beyond + found.instances, beyond_size=size)
    return replace(
        old,
        size=found.example.size,
        undefined=old.undefined + found.undefined,
        example=found.example,
        kept_to=old.size if old.tested else 0,
    )


def _instances(rng: Random, world: World, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Random true and predicted classes, few of each more often than many; and single ones, every
    second pair with one class at or above the other.
    """

    def chosen(least: int) -> int:
        size = min(world.classes, max(least, int(rng.expovariate(0.6)) + rng.randint(0, 1)))
        return sum(1 << c for c in rng.sample(range(world.classes), size))

    true, predicted = [chosen(1) for _ in range(n)], [chosen(0) for _ in range(n)]
    for k in range(n // 2):
        one, other = (rng.randrange(world.classes) for _ in range(2))
        other = rng.choice([*members(world.above[one]), one]) if k % 2 else other
        for side, label in zip((true, predicted), rng.sample((one, other), 2), strict=True):
            side.append(1 << label)
    return np.array(true), np.array(predicted)


def _together(found: Iterator[Pairs], rng: Random | None) -> Iterator[Pairs]:
    """Join the pairs in the same two hierarchies, and of many keep some."""
    groups: dict[tuple[World, World], list[Pairs]] = {}
    for pairs in found:
        groups.setdefault((pairs.before.world, pairs.after.world), []).append(pairs)
    for parts in groups.values():
        pairs = Pairs(*(Instances.joined(sides) for sides in zip(*parts, strict=True)))
        if rng and pairs.size > _PAIRS:
            pairs = pairs.rows(np.array(sorted(rng.sample(range(pairs.size), _PAIRS))))
        if pairs.size:
            yield pairs


# --- shrinking ----------------------------------------------------------------------------------

Base = tuple[World, int, int]


def shrunken(p: Property, m: Measure, example: Counterexample, options: Options) -> Counterexample:
    """Take classes and labels from a counterexample as long as the property stays broken."""
    pictures = (example.before, example.after)
    bases = [(w.world, w.world.mask(w.true), w.world.mask(w.predicted)) for w in pictures]
    base = next((b for b in bases if broken_at(p, m, b, options) is not None), None)
    while base is not None:
        smaller = next((b for b in _smaller(base) if broken_at(p, m, b, options) is not None), None)
        if smaller is None:
            return broken_at(p, m, base, options) or example
        base = smaller
    return example


def broken_at(p: Property, m: Measure, base: Base, options: Options) -> Counterexample | None:
    """Return the smallest counterexample that the edit makes of one instance."""
    world, true, predicted = base
    evaluated = Evaluated([m], options, explain_up_to=1000)
    found = []
    for pairs in p.edit(world, np.array([true]), np.array([predicted])):
        if pairs.size:
            sides = evaluated.both(pairs, p.third)
            broken = judged(p, m, pairs, *(values(m.key) for values in sides))
            if broken.example is not None:
                found.append((broken.rank, str(broken.example), broken.example))
    return min(found)[2] if found else None


def _smaller(base: Base) -> Iterator[Base]:
    """The instance without one class, its children going to its parents; and without one label."""
    world, true, predicted = base
    for c in reversed(range(world.classes)):
        low = (1 << c) - 1
        left = [(mask & low) | (mask >> 1 & ~low) for mask in (true, predicted)]
        if left[0]:
            yield World(world.closed_over(c).parents), left[0], left[1]
    for c in range(world.classes):
        if true >> c & 1 and true != 1 << c:
            yield world, true & ~(1 << c), predicted
    for c in range(world.classes):
        if predicted >> c & 1:
            yield world, true, predicted & ~(1 << c)


# --- known instances ----------------------------------------------------------------------------

KNOWN = tuple(entry.split("; ") for entry in data_file(__package__, "known.yaml"))
"""Of each known instance the edges, the true classes, and one or two predictions."""


def known_instances() -> Iterator[Base]:
    """Yield each instance; of two predictions both."""
    for world, true, predicted in _known():
        yield from ((world, true, each) for each in predicted)


def _known() -> Iterator[tuple[World, int, list[int]]]:
    for edges, true, predicted in KNOWN:
        world = World.of(Hierarchy.from_edges(edges.split()))
        yield world, world.mask(true), [world.mask(each) for each in predicted.split()]


def try_known(studied: Behaviour) -> dict[str, dict[str, Sampled]]:
    """Try the known instances on every property that a measure kept; as `search_beyond` does."""
    trial = _Trial.of(studied)
    for world, true, predicted in _known():
        if studied.dags >= FIRST_DAG or world.is_tree:
            trial.look(world, np.full(len(predicted), true), np.array(predicted))
    return trial.found
