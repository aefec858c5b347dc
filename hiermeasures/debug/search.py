"""Search every small hierarchy for the properties that each measure keeps.

A broken property gets its smallest counterexample.
The search has four settings: only trees or DAGs, and the root counted or not. Beyond the sizes that
are searched completely, it tries random hierarchies and instances, shrinks counterexamples, and
tries known instances.

The smallest counterexample has the fewest classes, then the fewest labels in both pictures. Ties go
to trees before DAGs, flat before deep ones, and the order of the classes. So every machine finds the
same one. A random search without a counterexample is no proof. We report its number of instances
and their largest size.
"""

import re
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import count, product
from random import Random
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from hiermeasures.debug.properties import NOTATION, PROPERTIES, Edit, Property, Theorem, proved
from hiermeasures.debug.worlds import World, WorldInstances, WorldPairs, counted, random_world
from hiermeasures.debug.worlds import dags as every_dag
from hiermeasures.debug.worlds import trees as every_tree
from hiermeasures.evaluation.batch import available_cores, measure_values
from hiermeasures.evaluation.tasks import Engine
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.errors import shown as shown_name
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, split_arguments
from hiermeasures.hierarchy.package import data_file
from hiermeasures.measures import CATALOGUE, Measure, find_measure
from hiermeasures.measures.lca_solvers import members

Values = Mapping[str, np.ndarray]
Progress = Callable[[int, int], None]
T = TypeVar("T")
NOT_JUDGED = {
    "inconsistency": "it does not use the true classes, and the properties are about them"
}
JUDGED = tuple(key for key in CATALOGUE if key not in NOT_JUDGED)
FIRST_DAG = 3  # classes of the smallest DAG that is not a tree
MOST_TREE, MOST_DAG = 8, 6  # classes: beyond, the search takes hours
MOST = 30  # classes of a random hierarchy
_PAIRS = 300  # of one edit in one random hierarchy


@dataclass(frozen=True)
class SmallInstance:
    """One instance of a small hierarchy."""

    world: World
    true: tuple[str, ...]
    predicted: tuple[str, ...]

    @classmethod
    def of(cls, world: World, true: int, predicted: int) -> "SmallInstance":
        return cls(world, world.named(true), world.named(predicted))

    def as_case(self, title: str, options: Options) -> dict[str, Any]:
        sides = {"true": list(self.true), "predicted": list(self.predicted)}
        case: dict[str, Any] = {"figure": title, "hierarchy": self.world.edges, **sides}
        if options.changed:
            case["options"] = {name: str(value) for name, value in options.changed.items()}
        return case

    def __str__(self) -> str:
        return f"{self.world.edges}; T = {{{', '.join(self.true)}}}, P = {{{', '.join(self.predicted)}}}"


@dataclass(frozen=True)
class Counterexample:
    """Two instances, before and after an edit, with the values that break a property."""

    before: SmallInstance
    after: SmallInstance
    values: tuple[float, ...]  # a third one compares the two predictions

    @property
    def size(self) -> int:
        """The number of classes of the larger hierarchy, including the root."""
        return max(self.before.world.size, self.after.world.size)

    @property
    def alone(self) -> bool:
        """True for a single instance that is not compared."""
        return self.before == self.after

    @property
    def pictures(self) -> str:
        """Both instances in one line. The common part is printed once."""
        before, after = self.before, self.after
        if self.alone:
            return str(before)
        if before.world == after.world and before.true == after.true:
            return f"{before} → {{{', '.join(after.predicted)}}}"
        return f"{before} → {after}"

    @property
    def change(self) -> str:
        first, *more = map(number_text, self.values)
        between = "".join(f" ({value} between)" for value in more[1:])
        return first if self.alone else f"{first} → {more[0]}{between}"

    def as_cases(
        self, title: str, options: Options
    ) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Return both instances as contents of case files, or the one if it is single."""
        after = None if self.alone else self.after.as_case(f"{title}, after", options)
        return self.before.as_case(title, options), after

    def __str__(self) -> str:
        return f"{self.pictures}: {self.change}"


def number_text(value: float) -> str:
    """Return a value to four digits, without floating-point noise."""
    return f"{round(value, 9) + 0.0:.4g}"


Kind = Literal["theorem", "searched", "broken", "broken beyond", "not tested"]


@dataclass
class PropertyVerdict:
    """The verdict of a search about one property and one measure.

    `size` is the size of the counterexample, or of the largest hierarchies that were searched.
    `instances` counts the pairs with both values, up to that size, and `undefined` the pairs
    without. If the counterexample is larger, `kept_to` is the size up to which we searched every
    pair and the property was kept. `beyond` counts the pairs that were also tried in random hierarchies
    of up to `beyond_size` classes. `theorem` is the proof, if there is one.
    """

    size: int = 0
    instances: int = 0
    undefined: int = 0
    example: Counterexample | None = None
    kept_to: int = 0
    beyond: int = 0
    beyond_size: int = 0
    theorem: Theorem | None = None

    @property
    def holds(self) -> bool:
        return self.example is None

    @property
    def tested(self) -> bool:
        """True if a pair had both values. Without one, a property is neither kept nor broken."""
        return self.instances + self.beyond > 0 or not self.holds

    @property
    def kind(self) -> Kind:
        """The kind of evidence. A proof without a tested instance does not count."""
        if not self.holds:
            return "broken beyond" if self.kept_to else "broken"
        if not self.tested:
            return "not tested"
        return "theorem" if self.theorem else "searched"

    @property
    def mark(self) -> str:
        """The verdict as a table shows it.

        >>> PropertyVerdict(5, instances=52, beyond=310, beyond_size=8).mark, PropertyVerdict(5).mark
        ('✓ to 5: 52 + 310', '–')
        """
        if not self.holds:
            return f"✗ {self.size}" + (f", kept to {self.kept_to}" if self.kept_to else "")
        if not self.tested:
            return "–"
        beyond = f" + {self.beyond:,}" if self.beyond else ""
        return "✓ theorem" if self.theorem else f"✓ to {self.size}: {self.instances:,}{beyond}"

    def add(self, found: "PairCounts") -> None:
        self.instances += found.defined
        self.undefined += found.undefined
        self.example = found.example

    def with_beyond(self, sampled: "PropertyVerdict") -> "PropertyVerdict":
        """Return the verdict with the trials beyond. It is broken if an example was found."""
        if not self.holds:
            return self
        if sampled.example is None:
            most = max(self.beyond_size, sampled.size)
            return replace(self, beyond=self.beyond + sampled.instances, beyond_size=most)
        return replace(
            self,
            size=sampled.example.size,
            undefined=self.undefined + sampled.undefined,
            example=sampled.example,
            kept_to=min(self.size, sampled.example.size - 1) if self.tested else 0,
        )


Verdicts = Mapping[str, Mapping[str, PropertyVerdict]]  # by property and measure


@dataclass(frozen=True)
class Behaviour:
    """Verdicts by property and measure, the hierarchies searched, and whether it was stopped."""

    verdicts: Verdicts
    options: Options
    trees: int
    dags: int
    hierarchies: int
    instances: int
    stopped: bool = False

    def as_json(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the verdicts as {property: {measure: verdict}}.

        A verdict has "holds", "known", "proof", "size", "instances", "undefined", "example",
        "after" and "values". `holds` is None if nothing was tested. `example` and `after` are
        contents of case files.
        """
        return {
            prop: {key: self._as_json(f"{prop} and {key}", verdict) for key, verdict in row.items()}
            for prop, row in self.verdicts.items()
        }

    def _as_json(self, title: str, verdict: PropertyVerdict) -> dict[str, Any]:
        example, theorem = verdict.example, verdict.theorem
        before, after = example.as_cases(title, self.options) if example else (None, None)
        return {
            "holds": verdict.holds if verdict.tested else None,
            "known": verdict.kind,
            "proof": theorem.proof if theorem and verdict.kind == "theorem" else None,
            "size": verdict.size,
            "instances": verdict.instances,
            "undefined": verdict.undefined,
            "example": before,
            "after": after,
            "values": list(example.values) if example else None,
        }

    def with_proofs(self, measures: Iterable[Measure]) -> "Behaviour":
        """Return the verdicts with the known proofs for these measures."""
        proof = partial(proved, trees=self.dags < FIRST_DAG, options=self.options)
        verdicts = {
            p: {m.key: replace(row[m.key], theorem=proof(p, m)) for m in measures}
            for p, row in self.verdicts.items()
        }
        return replace(self, verdicts=verdicts)

    def with_sampled(self, sampled: Verdicts) -> "Behaviour":
        """Return the verdicts with the trials beyond. They are broken if an example was found."""
        verdicts = {p: dict(row) for p, row in self.verdicts.items()}
        for p, row in sampled.items():
            verdicts[p] |= {m: verdicts[p][m].with_beyond(found) for m, found in row.items()}
        return replace(self, verdicts=verdicts)

    def as_text(
        self,
        beyond: Verdicts | None = None,
        turned: Mapping[tuple[str, str], Sequence[str]] | None = None,
        proofs: bool = False,
    ) -> str:
        """Return the verdicts for a terminal.

        `turned` has the settings that change a cell. With `proofs`, the proofs of theorems follow,
        after the meaning of their letters.
        """
        kinds = f"{self.hierarchies} hierarchies (trees up to {self.trees}, DAGs up to {self.dags} classes)"
        lines = [f"{kinds}, {self.instances:,} instances"]
        if self.stopped:
            lines.append("stopped early: each line shows how far a property was searched")
        for prop, row in self.verdicts.items():
            lines += ["", f"{prop}: {PROPERTIES[prop].says}"]
            for key, verdict in row.items():
                sampled = (beyond or {}).get(prop, {}).get(key)
                tried = sampled is not None and not (sampled.example or verdict.theorem)
                more = f"; beyond: {_beyond(sampled)}" if sampled and tried else ""
                lines.append(f"  {key:14}{_in_words(verdict)}{more}")
                settings = (turned or {}).get((prop, key), ())
                lines += [f"  {'':14}changes under: {name}" for name in settings]
        if theorems := self._theorems():
            lines += [
                "",
                *(_proof_lines(theorems) if proofs else ["Add --proofs to read the proofs."]),
            ]
        return "\n".join(lines)

    def _theorems(self) -> dict[str, list[str]]:
        """Return the cells of each proof, by the text of the proof."""
        cells: dict[str, list[str]] = {}
        for prop, row in self.verdicts.items():
            for key, verdict in row.items():
                if verdict.kind == "theorem" and verdict.theorem is not None:
                    cells.setdefault(verdict.theorem.proof, []).append(f"{key} {prop}")
        return cells


def _proof_lines(theorems: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the meaning of the letters, then each proof below its cells."""
    yield "Letters in the proofs"
    yield ""
    yield re.sub(r"(?<!\w)\*(\S[^*]*)\*", r"\1", NOTATION)
    for proof, cells in theorems.items():
        yield ""
        yield from (f"{cell}:" for cell in cells)
        yield from textwrap.wrap(proof, 100, initial_indent="  ", subsequent_indent="  ")


def _in_words(verdict: PropertyVerdict) -> str:
    undefined = f", {verdict.undefined:,} undefined" if verdict.undefined else ""
    if verdict.kind == "theorem":
        return "theorem  proved"
    if verdict.example is not None:
        kept = f"kept to {verdict.kept_to} classes, " if verdict.kept_to else ""
        return f"{kept}broken{' beyond' * bool(kept)}   {verdict.example}{undefined}"
    if not verdict.tested:
        return f"not tested up to {verdict.size} classes: no pair of instances has two values{undefined}"
    return f"kept     up to {verdict.size} classes, {verdict.instances:,} instances{undefined}"


def _beyond(sampled: PropertyVerdict) -> str:
    if not sampled.instances:
        return "not tested: no pair of instances had two values"
    return f"no counterexample in {sampled.instances:,} instances up to {sampled.size} classes"


@dataclass
class EvaluatedWorlds:
    """The values of every instance of the hierarchies of one size, with other requested data."""

    measures: Sequence[Measure]
    options: Options
    engine: Engine | None = None
    tables: dict[World, Values] = field(default_factory=dict)

    def fill(self, world: World) -> None:
        self.tables[world] = self.compute(world, *world.instances)

    def compute(self, world: World, true: np.ndarray, predicted: np.ndarray) -> Values:
        sides = world.encoded(true), world.encoded(predicted)
        return measure_values(
            world.hierarchy, *sides, self.measures, self.options, engine=self.engine
        )

    def both(self, pairs: WorldPairs, third: bool = False) -> list[Callable[[str], np.ndarray]]:
        """Return three functions for the values of a measure: before, after, and for a third pair.

        The third pair has the prediction before, and the prediction after as the truth.
        """
        between = WorldInstances(pairs.before.world, pairs.after.predicted, pairs.before.predicted)
        return [self._side(*side) for side in (*pairs, *[between] * third)]

    def _side(
        self, world: World, true: np.ndarray, predicted: np.ndarray
    ) -> Callable[[str], np.ndarray]:
        if world in self.tables:
            table, places = self.tables[world], world.place(true, predicted)
            return lambda key: table[key][places]
        found = self.compute(world, true, predicted)
        return lambda key: found[key]


@dataclass(frozen=True)
class PairCounts:
    """The result over the searched pairs of instances.

    It has the number of pairs with all values and without, the smallest counterexample with its
    rank, and the values of the requested measures.
    """

    defined: int = 0
    undefined: int = 0
    example: Counterexample | None = None
    rank: tuple[int, ...] = ()
    values: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __add__(self, other: "PairCounts") -> "PairCounts":
        mine = other.example is None or (self.example is not None and self.rank <= other.rank)
        first = self if mine else other
        return replace(
            first, defined=self.defined + other.defined, undefined=self.undefined + other.undefined
        )

    @classmethod
    def of_level(cls, found: Iterable["PairCounts"]) -> "PairCounts":
        """Add the results in hierarchies of one size: fewest labels first, then in order."""
        return sum(
            (replace(f, rank=(*f.rank[:1], place, *f.rank[1:])) for place, f in enumerate(found)),
            cls(),
        )


Cells = dict[tuple[str, str], PairCounts]  # by property and measure


@dataclass(frozen=True)
class SearchRun:
    """The threads of a search, its progress, and the event that stops it (see `study`)."""

    n_jobs: int | None = None
    progress: Progress | None = None
    stop: threading.Event | None = None

    @classmethod
    def take(cls, settings: Mapping[str, Any]) -> tuple["SearchRun", dict[str, Any]]:
        """Split settings into those of the search and the options of the measures."""
        own, others = split_arguments(settings, {f.name for f in fields(cls)})
        return cls(**own), others

    @property
    def stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def counting(self, total: int) -> Callable[[], None]:
        """Return a function to call after each of `total` steps."""
        done, progress = count(1), self.progress
        return lambda: progress(next(done), total) if progress else None

    def over(
        self, level: Sequence[World], work: Callable[[World], T], done: Callable[[], None]
    ) -> list[T]:
        """Return the results of some work on each hierarchy, fewer if the search is stopped.

        `done` is called after each hierarchy. An exception, such as Ctrl+C, cancels all work that
        has not begun and does not wait for the rest.
        """
        results = []
        pool = ThreadPoolExecutor(self.n_jobs or available_cores())
        try:
            for coming in [pool.submit(work, world) for world in level]:
                if self.stopped:
                    break
                results.append(coming.result())
                done()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown(cancel_futures=True)
        return results


def study(
    measures: Iterable[str | Measure] | None = None,
    properties: Iterable[str] | None = None,
    *,
    trees: int = 5,
    dags: int = 4,
    options: Options | None = None,
    **settings: Any,
) -> Behaviour:
    """Find the properties that each measure keeps on every rooted tree and DAG up to some sizes.

    A broken property gets its smallest counterexample.

    Parameters
    ----------
    measures : iterable of str or Measure, optional
        Keys of the catalogue, or own measures. The default is the whole catalogue.
    properties : iterable of str, optional
        Keys of PROPERTIES. The default is all properties.
    trees, dags : int
        The largest number of classes, including the root. Trees go up to 8 and DAGs up to 6.
    options : Options, optional
        The options of the measures. You can also give them as keyword arguments, as in `explain`.

    Other Parameters
    ----------------
    n_jobs : int, optional
        The number of threads. The default is all available cores.
    progress : callable, optional
        Called with (hierarchies done, hierarchies in all).
    stop : threading.Event, optional
        Set it to end the search early. Then `stopped` is True, and the verdicts are about the sizes
        that were finished.

    Returns
    -------
    Behaviour
        The verdict on each property and measure.

    Raises
    ------
    InputError
        If a measure, property or option is unknown, or a size is out of range.

    See Also
    --------
    survey : Study all four settings.

    Examples
    --------
    >>> found = study(["GIE"], ["more_truth_never_hurts"], trees=3, dags=3).verdicts["more_truth_never_hurts"]["GIE"]
    >>> str(found.example)
    'R>a R>b; T = {a}, P = {b} → {a, b}: 2 → 5'
    """
    run, settings = SearchRun.take(settings)
    sizes, declared = sizes_of(trees, dags), chosen_measures(measures)
    found = _unsearched(
        declared,
        properties,
        sizes,
        trees=trees,
        dags=dags,
        options=Options.make(options, **settings),
    )
    done = run.counting(2 * found.hierarchies)
    for level in sizes:
        _search_level(level, found, declared, run, done)
        if run.stopped:
            return replace(found, stopped=True)
    return found


def _unsearched(
    measures: Sequence[Measure],
    properties: Iterable[str] | None,
    sizes: Sequence[Sequence[World]],
    **settings: Any,
) -> Behaviour:
    """Return the verdicts before a search, with the known proofs."""
    keys = list(dict.fromkeys(PROPERTIES if properties is None else properties))
    for key in keys:
        check_known("property", key, PROPERTIES)
    verdicts = {key: {m.key: PropertyVerdict() for m in measures} for key in keys}
    instances = sum(len(world.instances[0]) for size in sizes for world in size)
    hierarchies = sum(map(len, sizes))
    found = Behaviour(verdicts, hierarchies=hierarchies, instances=instances, **settings)
    return found.with_proofs(measures)


def _search_level(
    level: Sequence[World],
    found: Behaviour,
    measures: Sequence[Measure],
    run: SearchRun,
    done: Callable[[], None],
) -> None:
    """Search the hierarchies of one size. Verdicts change unless the search is stopped."""
    verdicts = found.verdicts
    still = [m for m in measures if any(row[m.key].holds for row in verdicts.values())]
    evaluated = EvaluatedWorlds(still, found.options)
    run.over(level, evaluated.fill, done)
    results = run.over(level, partial(_look, verdicts=verdicts, evaluated=evaluated), done)
    for prop, row in verdicts.items():
        for key, verdict in row.items():
            if verdict.holds and not run.stopped:
                verdict.size = level[0].size
                cells = (result.get((prop, key), PairCounts()) for result in results)
                verdict.add(PairCounts.of_level(cells))


def _look(world: World, verdicts: Verdicts, evaluated: EvaluatedWorlds) -> Cells:
    """Judge each property that is not broken yet in one hierarchy."""
    found: Cells = {}
    for edit, sharing in by_edit(verdicts).items():
        cells = [
            (p, m) for p in sharing for m in evaluated.measures if verdicts[p.key][m.key].holds
        ]
        for pairs in edit(world, *world.instances) if cells else ():
            if pairs.size:
                sides = evaluated.both(pairs, sharing[0].third)
                for p, m in cells:
                    key = p.key, m.key
                    found[key] = found.get(key, PairCounts()) + judged(
                        p, m, pairs, *(side(m.key) for side in sides)
                    )
    return found


def chosen_measures(measures: Iterable[str | Measure] | None) -> list[Measure]:
    """Return measures by key or as they are, each once. The default is all judged measures."""
    keys = JUDGED if measures is None else measures
    found = {m.key: m for m in (m if isinstance(m, Measure) else find_measure(m) for m in keys)}
    for key in found.keys() & NOT_JUDGED.keys():
        raise InputError(f"{shown_name(key)} is not judged: {NOT_JUDGED[key]}")
    return list(found.values())


def sizes_of(trees: int, dags: int) -> list[tuple[World, ...]]:
    """Return the hierarchies of each size. InputError for sizes that a search cannot finish."""
    for kind, size, most in (("trees", trees, MOST_TREE), ("DAGs", dags, MOST_DAG)):
        if not 0 <= size <= most:
            raise InputError(
                f"{kind} of up to {size} classes are out of range. The search goes up to {most}"
            )
    return [every_dag(n) if n <= dags else every_tree(n) for n in range(2, max(trees, dags) + 1)]


def by_edit(properties: Iterable[str]) -> dict[Edit, list[Property]]:
    found: dict[Edit, list[Property]] = {}
    for p in map(PROPERTIES.__getitem__, properties):
        found.setdefault(p.edit, []).append(p)
    return found


def judged(p: Property, m: Measure, pairs: WorldPairs, *values: np.ndarray) -> PairCounts:
    """Count the pairs with all values and without, and find the smallest broken pair."""
    undefined = np.any([np.isnan(side) for side in values], axis=0)
    if p.third and m.better == "higher" and m.high is None:
        undefined |= True  # no best value, and so no distance
    broken = np.flatnonzero(~(p.relation(m, *values) | undefined))
    missing = int(undefined.sum())
    found = PairCounts(len(undefined) - missing, missing)
    if not len(broken):
        return found
    k, rank = smallest(pairs, broken)
    return replace(
        found, example=shown(pairs, k, tuple(float(side[k]) for side in values)), rank=rank
    )


def smallest(pairs: WorldPairs, rows: np.ndarray) -> tuple[int, tuple[int, ...]]:
    """Return the first pair with the fewest labels, and its rank."""
    masks = [side for _, *sides in pairs.rows(rows) for side in sides]
    keys = (np.sum(list(map(counted, masks)), axis=0), *masks)
    first = int(np.lexsort(keys[::-1])[0])
    return int(rows[first]), tuple(int(key[first]) for key in keys)


def shown(pairs: WorldPairs, k: int, values: tuple[float, ...]) -> Counterexample:
    before, after = (
        SmallInstance.of(world, int(true[k]), int(predicted[k])) for world, true, predicted in pairs
    )
    return Counterexample(before, after, values)


def search_beyond(
    studied: Behaviour,
    *,
    size: int = 10,
    hierarchies: int = 60,
    seed: int = 0,
    measures: Sequence[Measure] = (),
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Verdicts:
    """Search in random hierarchies of up to `size` classes, for every property that was kept.

    Every second hierarchy is a tree, or every one if only trees were searched. A counterexample is
    shrunk: classes and labels are removed while the property stays broken. Equal seeds find equal
    counterexamples.
    """
    if not 3 <= size <= MOST:
        raise InputError(f"a random hierarchy has 3 to {MOST} classes, not {size}")
    found, known, rng = _kept(studied), [*chosen_measures(None), *measures], Random(seed)
    for k in range(hierarchies):
        every = (verdict for row in found.values() for verdict in row.values())
        if (stop is not None and stop.is_set()) or not any(verdict.holds for verdict in every):
            break
        tree = k % 2 == 0 or studied.dags < FIRST_DAG
        world = random_world(rng, rng.randint(max(3, size - 4), size), tree)
        _try(
            found,
            known,
            studied.options,
            WorldInstances(world, *_instances(rng, world)),
            seed=f"{seed} {k}",
        )
        if progress:
            progress(k + 1, hierarchies)
    return found


def try_known(
    studied: Behaviour, measures: Sequence[Measure] = (), stop: threading.Event | None = None
) -> Verdicts:
    """Try the known instances on every property that a measure kept, like `search_beyond`."""
    found, every = _kept(studied), [*chosen_measures(None), *measures]
    for world, true, predicted in _known():
        if stop is not None and stop.is_set():
            break
        if studied.dags >= FIRST_DAG or world.is_tree:
            at = WorldInstances(world, np.full(len(predicted), true), np.array(predicted))
            _try(found, every, studied.options, at)
    return found


def _kept(studied: Behaviour) -> Verdicts:
    return {
        p: {m: PropertyVerdict() for m, verdict in row.items() if verdict.holds}
        for p, row in studied.verdicts.items()
    }


def _try(
    found: Verdicts, known: Sequence[Measure], options: Options, at: WorldInstances, seed: str = ""
) -> None:
    """Try instances on every property that a measure still keeps.

    With a seed, it tries only some of the pairs. These are equal for every measure.
    """
    declared = {m.key: m for m in known}
    for edit, sharing in by_edit(found).items():
        cells = [
            (p, declared[m], verdict)
            for p in sharing
            for m, verdict in found[p.key].items()
            if verdict.holds
        ]
        measures = list({m.key: m for _, m, _ in cells}.values())
        evaluated = EvaluatedWorlds(measures, options)
        rng = Random(f"{seed} {edit.__name__}") if seed else None
        for pairs in _together(edit(*at), rng) if cells else ():
            sides = evaluated.both(pairs, sharing[0].third)
            for p, m, verdict in cells:
                if verdict.holds:
                    broken = judged(p, m, pairs, *(values(m.key) for values in sides))
                    example = broken.example and _shrunken(p, m, broken.example, options)
                    verdict.add(replace(broken, example=example))
                    verdict.size = max(verdict.size, *(side.world.size for side in pairs))


def _instances(rng: Random, world: World, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return random true and predicted classes, few of each more often than many.

    Single classes come too. In every second pair of these, one class is at or above the other.
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


def _together(found: Iterator[WorldPairs], rng: Random | None) -> Iterator[WorldPairs]:
    """Join the pairs that share their two hierarchies. If there are many, keep some."""
    groups: dict[tuple[World, World], list[WorldPairs]] = {}
    for pairs in found:
        groups.setdefault((pairs.before.world, pairs.after.world), []).append(pairs)
    for worlds, parts in groups.items():
        sides = zip(worlds, zip(*parts, strict=True), strict=True)
        joined = (
            WorldInstances(w, *(np.concatenate([part[k] for part in side]) for k in (1, 2)))
            for w, side in sides
        )
        pairs = WorldPairs(*joined)
        if rng and pairs.size > _PAIRS:
            pairs = pairs.rows(np.array(sorted(rng.sample(range(pairs.size), _PAIRS))))
        if pairs.size:
            yield pairs


Base = tuple[World, int, int]


def _shrunken(p: Property, m: Measure, example: Counterexample, options: Options) -> Counterexample:
    """Remove classes and labels from a counterexample while the property stays broken."""
    bases = (
        (w.world, w.world.mask(w.true), w.world.mask(w.predicted))
        for w in (example.before, example.after)
    )
    smaller: Iterable[Base] = bases
    while found := next(
        ((b, broken) for b in smaller if (broken := _broken_at(p, m, b, options))), None
    ):
        base, example = found
        smaller = _smaller(base)
    return example


def _broken_at(p: Property, m: Measure, base: Base, options: Options) -> Counterexample | None:
    """Return the smallest counterexample that the edit makes of one instance."""
    world, true, predicted = base
    evaluated = EvaluatedWorlds([m], options, engine="explain")
    found = []
    for pairs in p.edit(world, np.array([true]), np.array([predicted])):
        if pairs.size:
            sides = evaluated.both(pairs, p.third)
            broken = judged(p, m, pairs, *(values(m.key) for values in sides))
            if broken.example is not None:
                found.append((broken.rank, str(broken.example), broken.example))
    return min(found)[2] if found else None


def _smaller(base: Base) -> Iterator[Base]:
    """Yield the instance without one class, then without one label.

    The children of a removed class move to its parents.
    """
    world, true, predicted = base
    for c in reversed(range(world.classes)):
        low = (1 << c) - 1
        left = [(mask & low) | (mask >> 1 & ~low) for mask in (true, predicted)]
        if left[0]:
            yield World(world.closed_over(c).parents), left[0], left[1]
    yield from ((world, true & ~(1 << c), predicted) for c in members(true) if true != 1 << c)
    yield from ((world, true, predicted & ~(1 << c)) for c in members(predicted))


KNOWN = tuple(entry.split("; ") for entry in data_file(__package__, "known.yaml"))
"""The edges, the true classes, and one or two predictions of each known instance."""


def known_instances() -> Iterator[Base]:
    """Yield each known instance. With two predictions, yield both."""
    for world, true, predicted in _known():
        yield from ((world, true, each) for each in predicted)


def _known() -> Iterator[tuple[World, int, list[int]]]:
    for edges, true, predicted in KNOWN:
        world = World.of(Hierarchy.from_edges(edges.split()))
        yield world, world.mask(true), [world.mask(each) for each in predicted.split()]


class Setting(NamedTuple):
    """One of the four settings of a search. The first has DAGs and a counted root."""

    trees: bool = False
    uncounted: bool = False

    @classmethod
    def of(cls, options: Options, trees: bool) -> "Setting":
        return cls(trees, options.count_root is False)

    @property
    def letters(self) -> str:
        """The letters of the setting: t for only trees, r for a root that is not counted.

        The first setting has no letters.

        >>> Setting(trees=True, uncounted=True).letters
        'tr'
        """
        return "".join(letter for letter, flag in zip("tr", self, strict=True) if flag)

    @property
    def name(self) -> str:
        kinds = "trees" if self.trees else "DAGs and trees"
        return f"{kinds}, the root {'not ' if self.uncounted else ''}counted"

    def options(self, given: Options) -> Options:
        """Return the given options with this setting."""
        changed = {"count_root": False if self.uncounted else None}
        return Options.make(given.changed | changed)

    def less(self, other: "Setting") -> "Setting":
        """Return the switches that differ, as a setting."""
        return Setting(*(a != b for a, b in zip(self, other, strict=True)))


FIRST = Setting()
SETTINGS = tuple(sorted((Setting(*flags) for flags in product((False, True), repeat=2)), key=sum))


def survey(
    measures: Iterable[str | Measure] | None = None,
    properties: Iterable[str] | None = None,
    *,
    trees: int = 5,
    dags: int = 4,
    options: Options | None = None,
    deepen: Callable[[Behaviour], Behaviour] = lambda found: found,
    progress: Progress | None = None,
    **how: Any,
) -> dict[Setting, Behaviour]:
    """Return the result of `study` for each setting.

    DAGs have up to `dags` classes. Settings with only trees go up to `trees` classes. `how` are
    `n_jobs` and `stop` of `study`. `deepen` continues the search for the properties that were kept.
    """
    chosen, given = chosen_measures(measures), options or Options.make()
    keys = list(properties) if properties is not None else None
    look: Callable[..., Behaviour] = partial(study, properties=keys, **how)
    found: dict[Setting, Behaviour] = {}
    for k, setting in enumerate(SETTINGS):
        largest, largest_dag = (trees, 0) if setting.trees else (dags, dags)
        options_here = setting.options(given)
        searched = deepen(look(chosen, options=options_here, trees=largest, dags=largest_dag))
        found[setting] = searched
        if progress:
            progress(k + 1, len(SETTINGS))
    return found


def changes(
    found: Mapping[Setting, Behaviour], prop: str, measure: str, base: Setting = FIRST
) -> list[Setting]:
    """Return the smallest sets of switches that change the verdict of a cell of `base`."""
    sign = {setting: each.verdicts[prop][measure].mark[0] for setting, each in found.items()}
    turned = [setting.less(base) for setting in found if sign[setting] != sign[base]]

    def within(one: Setting, other: Setting) -> bool:
        return all(b or not a for a, b in zip(one, other, strict=True))

    smallest = [s for s in turned if not any(within(other, s) for other in turned if other != s)]
    return sorted(smallest, key=SETTINGS.index)
