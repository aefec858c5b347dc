"""The search of every small hierarchy: which property each measure keeps, and the smallest counterexample where it does
not.

Smallest: fewest classes, then fewest labels in both pictures, then trees before DAGs, flat before deep, and the order
of the classes, so that it is the same on every machine. Beyond these sizes see sampling.py.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hiermeasures.batch.engine import available_cores, measure_values
from hiermeasures.behaviour.edits import Edit, Pairs
from hiermeasures.behaviour.properties import PROPERTIES, Property
from hiermeasures.behaviour.worlds import World, worlds
from hiermeasures.errors import InputError, unknown
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.explain import find_measure
from hiermeasures.options import Options

Values = Mapping[str, np.ndarray]
Progress = Callable[[int, int], None]
MOST_TREE, MOST_DAG = 8, 6  # classes: beyond, the search takes hours
FEW = 400  # instances of a size that are left to `explain`, so that the smallest searches need no kernels


@dataclass(frozen=True)
class Picture:
    """One instance of a small hierarchy."""

    world: World
    true: tuple[str, ...]
    predicted: tuple[str, ...]

    @classmethod
    def of(cls, world: World, true: int, predicted: int) -> "Picture":
        return cls(world, world.named(true), world.named(predicted))

    def as_case(self, title: str, options: Options) -> dict[str, Any]:
        """The instance as the content of a case file."""
        hierarchy = self.world.hierarchy
        case: dict[str, Any] = {
            "figure": title,
            "hierarchy": " ".join(f"{above}>{below}" for above, below in hierarchy.edges),
            "true": list(self.true),
            "predicted": list(self.predicted),
        }
        if options.changed:
            case["options"] = {name: str(getattr(options, name)) for name in options.changed}
        return case

    def __str__(self) -> str:
        edges = " ".join(f"{above}>{below}" for above, below in self.world.hierarchy.edges)
        return f"{edges}; T = {{{', '.join(self.true)}}}, P = {{{', '.join(self.predicted)}}}"


@dataclass(frozen=True)
class Counterexample:
    """Two instances, before and after an edit, with the values that break a property."""

    before: Picture
    after: Picture
    values: tuple[float, float]

    @property
    def size(self) -> int:
        """The classes of the larger hierarchy, the root included."""
        return max(self.before.world.size, self.after.world.size)

    @property
    def alone(self) -> bool:
        """Whether it is one instance, which nothing is compared with."""
        return self.before == self.after

    @property
    def pictures(self) -> str:
        """Both instances in one line; what both share is said once."""
        before, after = self.before, self.after
        if self.alone:
            return str(before)
        if before.world == after.world and before.true == after.true:
            return f"{before} → {{{', '.join(after.predicted)}}}"
        return f"{before} → {after}"

    @property
    def change(self) -> str:
        """The values in one line."""
        return _number(self.values[0]) if self.alone else " → ".join(map(_number, self.values))

    def __str__(self) -> str:
        return f"{self.pictures}: {self.change}"


def _number(value: float) -> str:
    """A value to four digits, whatever rounding the machine adds."""
    return f"{round(value, 9) + 0.0:.4g}"


@dataclass
class Verdict:
    """What a search found of one property and one measure.

    `size` is the size of the counterexample, or of the largest hierarchies that were searched; `instances` counts the
    pairs that had both values, up to there, and `undefined` those that had not.
    """

    size: int = 0
    instances: int = 0
    undefined: int = 0
    example: Counterexample | None = None

    @property
    def holds(self) -> bool:
        """Whether no counterexample was found."""
        return self.example is None


@dataclass(frozen=True)
class Behaviour:
    """Verdicts by property and measure; how many hierarchies were searched; whether the search was stopped early."""

    verdicts: Mapping[str, Mapping[str, Verdict]]
    options: Options
    trees: int
    dags: int
    hierarchies: int
    instances: int
    stopped: bool = False

    def as_json(self) -> dict[str, dict[str, dict[str, Any]]]:
        """{property: {measure: {"holds", "size", "instances", "undefined", "example", "after", "values"}}}; `example`
        and `after` are contents of case files.
        """
        return {
            prop: {key: self._as_json(prop, key, verdict) for key, verdict in row.items()}
            for prop, row in self.verdicts.items()
        }

    def _as_json(self, prop: str, key: str, verdict: Verdict) -> dict[str, Any]:
        example, title = verdict.example, f"{prop} and {key}"
        return {
            "holds": verdict.holds,
            "size": verdict.size,
            "instances": verdict.instances,
            "undefined": verdict.undefined,
            "example": example.before.as_case(title, self.options) if example else None,
            "after": example.after.as_case(f"{title}, after", self.options) if example and not example.alone else None,
            "values": list(example.values) if example else None,
        }


@dataclass
class Evaluated:
    """The values of every instance of the hierarchies of one size, and of what else is asked for."""

    measures: Sequence[Measure]
    options: Options
    explain_up_to: int
    tables: dict[World, Values] = field(default_factory=dict)

    def fill(self, world: World) -> None:
        """Compute every instance of a hierarchy."""
        self.tables[world] = self.compute(world, *world.instances)

    def compute(self, world: World, true: np.ndarray, predicted: np.ndarray) -> Values:
        """Every measure of some instances."""
        sides = world.encoded(true), world.encoded(predicted)
        return measure_values(world.hierarchy, *sides, self.measures, self.options, explain_up_to=self.explain_up_to)

    def both(self, pairs: Pairs) -> list[Callable[[str], np.ndarray]]:
        """For the instances before and after, what gives the values of a measure."""
        sides = ((pairs.before, pairs.true, pairs.predicted), (pairs.after, pairs.true_after, pairs.predicted_after))
        return [self._side(*side) for side in sides]

    def _side(self, world: World, true: np.ndarray, predicted: np.ndarray) -> Callable[[str], np.ndarray]:
        if world in self.tables:
            table, places = self.tables[world], world.place(true, predicted)
            return lambda key: table[key][places]
        found = self.compute(world, true, predicted)
        return lambda key: found[key]


def study(
    measures: Iterable[str | Measure] | None = None,
    properties: Iterable[str] | None = None,
    *,
    trees: int = 5,
    dags: int = 4,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    options: Options | None = None,
    **settings: Any,
) -> Behaviour:
    """Which property each measure keeps on every rooted tree and DAG up to some sizes, and the smallest instance where
    one does not.

    Parameters
    ----------
    measures : iterable of str or Measure, optional
        Keys of the catalogue, or measures of one's own; the whole catalogue by default.
    properties : iterable of str, optional
        Keys of PROPERTIES; all by default.
    trees, dags : int
        The largest number of classes, the root included: trees to 8, DAGs to 6.
    n_jobs : int, optional
        Threads; all available cores by default.
    progress : callable, optional
        Called with (hierarchies done, hierarchies in all).
    stop : threading.Event, optional
        When it is set the search ends, and says in `stopped` that it did; verdicts are those of the sizes done.
    options : Options, optional
        Or as keyword arguments, as for `explain`.

    Raises
    ------
    InputError
        For an unknown measure, property or option, and a size out of range.

    Examples
    --------
    >>> found = study(["GIE"], ["more_truth_never_hurts"], trees=3, dags=3).verdicts["more_truth_never_hurts"]["GIE"]
    >>> str(found.example)
    'R>a R>b; T = {a}, P = {b} → {a, b}: 2 → 5'
    """
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    declared = chosen_measures(measures)
    wanted = chosen_properties(properties)
    sizes = sizes_of(trees, dags)
    total = sum(map(len, sizes))
    instances = sum(len(world.instances[0]) for size in sizes for world in size)
    verdicts = {p.key: {m.key: Verdict() for m in declared} for p in wanted}
    done = 0
    for level in sizes:
        still = [m for m in declared if any(verdicts[p.key][m.key].holds for p in wanted)]
        evaluated = Evaluated(still, chosen, few_of(level))
        size_search = _SizeSearch(evaluated, wanted, verdicts, stop)
        with ThreadPoolExecutor(n_jobs or available_cores()) as pool:
            for _ in pool.map(size_search.fill, level):
                done += 1
                if progress:
                    progress(done, 2 * total)
            found = pool.map(size_search.look, level)
            results = []
            for result in found:
                results.append(result)
                done += 1
                if progress:
                    progress(done, 2 * total)
        if stop is not None and stop.is_set():
            return Behaviour(verdicts, chosen, trees, dags, total, instances, stopped=True)
        size_search.conclude(level, results)
    return Behaviour(verdicts, chosen, trees, dags, total, instances)


def few_of(level: Sequence[World]) -> int:
    """How many instances at a time are left to `explain` in hierarchies of one size."""
    return FEW if sum(len(world.instances[0]) for world in level) <= FEW else 0


def chosen_measures(measures: Iterable[str | Measure] | None) -> list[Measure]:
    """Measures by key or as they are; each once."""
    found = (m if isinstance(m, Measure) else find_measure(m) for m in (CATALOGUE if measures is None else measures))
    return list({m.key: m for m in found}.values())


def chosen_properties(properties: Iterable[str] | None) -> list[Property]:
    """Properties by key; InputError for an unknown one."""
    keys = list(dict.fromkeys(PROPERTIES if properties is None else properties))
    for key in keys:
        if key not in PROPERTIES:
            raise InputError(unknown("property", key, PROPERTIES))
    return [PROPERTIES[key] for key in keys]


def sizes_of(trees: int, dags: int) -> list[tuple[World, ...]]:
    """The hierarchies of each size that has any instance; InputError for sizes that no search ends in."""
    for kind, size, most in (("trees", trees, MOST_TREE), ("DAGs", dags, MOST_DAG)):
        if not 0 <= size <= most:
            raise InputError(f"{kind} of up to {size} classes: the search goes up to {most}")
    found = [worlds(size, trees, dags) for size in range(2, max(trees, dags) + 1)]
    return [level for level in found if level]


Row = tuple[int, int, Counterexample | None, tuple[int, ...]]  # defined, undefined, the smallest, its rank


@dataclass
class _SizeSearch:
    """The search of all hierarchies of one size."""

    evaluated: Evaluated
    properties: Sequence[Property]
    verdicts: Mapping[str, Mapping[str, Verdict]]
    stop: threading.Event | None

    def stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def fill(self, world: World) -> None:
        if not self.stopped():
            self.evaluated.fill(world)

    def look(self, world: World) -> dict[tuple[str, str], Row]:
        """What each measure shows of each property that is not broken yet, in one hierarchy."""
        found: dict[tuple[str, str], Row] = {}
        edits: dict[Edit, list[Property]] = {}
        for p in self.properties:
            edits.setdefault(p.edit, []).append(p)
        for edit, sharing in edits.items():
            cells = [(p, m) for p in sharing for m in self.evaluated.measures if self.verdicts[p.key][m.key].holds]
            if not cells or self.stopped():
                continue
            for pairs in edit(world, *world.instances):
                if len(pairs.true):
                    before, after = self.evaluated.both(pairs)
                    for p, m in cells:
                        row = judged(p, m, pairs, before(m.key), after(m.key))
                        found[p.key, m.key] = _joined(found.get((p.key, m.key)), row)
        return found

    def conclude(self, level: Sequence[World], results: Sequence[Mapping[tuple[str, str], Row]]) -> None:
        """The verdicts after all hierarchies of this size."""
        for key, row in self.verdicts.items():
            for measure, verdict in row.items():
                if not verdict.holds:
                    continue
                verdict.size = level[0].size
                best: tuple[tuple[int, ...], Counterexample] | None = None
                for place, result in enumerate(results):
                    if (key, measure) not in result:
                        continue
                    defined, undefined, example, rank = result[key, measure]
                    verdict.instances += defined
                    verdict.undefined += undefined
                    ranked = (*rank[:1], place, *rank[1:])
                    if example is not None and (best is None or ranked < best[0]):
                        best = ranked, example
                if best is not None:
                    verdict.example = best[1]


def judged(p: Property, m: Measure, pairs: Pairs, before: np.ndarray, after: np.ndarray) -> Row:
    """How many pairs have both values, how many not, and the smallest that breaks the property."""
    undefined = np.isnan(before) | np.isnan(after)
    broken = np.flatnonzero(~(p.relation(m, before, after) | undefined))
    missing = int(undefined.sum())
    if not len(broken):
        return len(before) - missing, missing, None, ()
    k, rank = smallest(pairs, broken)
    return len(before) - missing, missing, shown(pairs, k, (float(before[k]), float(after[k]))), rank


def smallest(pairs: Pairs, rows: np.ndarray) -> tuple[int, tuple[int, ...]]:
    """Which of some pairs has the fewest labels, and comes first; and by what it is ranked."""
    few = pairs.rows(rows)
    keys = (few.labels, few.true, few.predicted, few.true_after, few.predicted_after)
    first = int(np.lexsort(keys[::-1])[0])
    return int(rows[first]), tuple(int(key[first]) for key in keys)


def shown(pairs: Pairs, k: int, values: tuple[float, float]) -> Counterexample:
    """One pair as pictures."""
    return Counterexample(
        Picture.of(pairs.before, int(pairs.true[k]), int(pairs.predicted[k])),
        Picture.of(pairs.after, int(pairs.true_after[k]), int(pairs.predicted_after[k])),
        values,
    )


def _joined(a: Row | None, b: Row) -> Row:
    if a is None:
        return b
    first = b if a[2] is None or (b[2] is not None and b[3] < a[3]) else a
    return a[0] + b[0], a[1] + b[1], first[2], first[3]
