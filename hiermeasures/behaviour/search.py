"""The search of every small hierarchy: which property each measure keeps, and the smallest
counterexample where it does not; and the same under eight settings: trees alone or DAGs, the root
counted or not, classes that weigh 1 or differently.

Smallest: fewest classes, then fewest labels in both pictures, then trees before DAGs, flat before
deep, and the order of the classes, so that it is the same on every machine. Beyond these sizes see
sampling.py.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, product
from typing import Any, Literal, TypeVar

import numpy as np

from hiermeasures.behaviour.edits import Edit, Instances, Pairs
from hiermeasures.behaviour.properties import PROPERTIES, Property, Theorem, proved
from hiermeasures.behaviour.worlds import World, counted, worlds
from hiermeasures.core.errors import InputError, check_known
from hiermeasures.core.errors import shown as shown_name
from hiermeasures.core.options import Options
from hiermeasures.engine.batch import available_cores, measure_values
from hiermeasures.measures import CATALOGUE, Measure, find_measure

Values = Mapping[str, np.ndarray]
Progress = Callable[[int, int], None]
T = TypeVar("T")
NOT_JUDGED = {"inconsistency": "it does not look at the true classes, of which the properties speak"}
JUDGED = tuple(key for key in CATALOGUE if key not in NOT_JUDGED)
FIRST_DAG = 3  # classes of the smallest DAG that is no tree
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
        """Return the instance as the content of a case file."""
        case: dict[str, Any] = {
            "figure": title,
            "hierarchy": self.world.edges,
            "true": list(self.true),
            "predicted": list(self.predicted),
        }
        if options.changed:
            case["options"] = {name: str(getattr(options, name)) for name in options.changed}
        return case

    def __str__(self) -> str:
        return f"{self.world.edges}; T = {{{', '.join(self.true)}}}, P = {{{', '.join(self.predicted)}}}"


@dataclass(frozen=True)
class Counterexample:
    """Two instances, before and after an edit, with the values that break a property."""

    before: Picture
    after: Picture
    values: tuple[float, ...]  # the third, where there is one, is between the two predictions

    @property
    def size(self) -> int:
        """The classes of the larger hierarchy, the root included."""
        return max(self.before.world.size, self.after.world.size)

    @property
    def alone(self) -> bool:
        """True for a single instance, compared with nothing."""
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
        if self.alone:
            return number_text(self.values[0])
        return " → ".join(map(number_text, self.values[:2])) + "".join(
            f" ({number_text(v)} between)" for v in self.values[2:]
        )

    def __str__(self) -> str:
        return f"{self.pictures}: {self.change}"


def number_text(value: float) -> str:
    """A value to four digits, whatever rounding the machine adds."""
    return f"{round(value, 9) + 0.0:.4g}"


Kind = Literal["theorem", "searched", "broken", "broken beyond", "not tested"]


@dataclass
class Verdict:
    """The verdict of a search about one property and one measure.

    `size` is the size of the counterexample, or of the largest hierarchies that were searched;
    `instances` counts the pairs that had both values, up to there, and `undefined` those that had
    not. `kept_to`: the size up to which every pair was searched and kept, where the counterexample
    is a larger one. `beyond` counts the pairs in random hierarchies of up to `beyond_size` classes
    that were tried besides. `theorem` is the proof, where there is one.
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
        """True if a pair had both values; without one a property is neither kept nor broken."""
        return self.instances + self.beyond > 0 or not self.holds

    @property
    def kind(self) -> Kind:
        """The kind of evidence. A proof of what no instance tests says nothing."""
        if not self.holds:
            return "broken beyond" if self.kept_to else "broken"
        if not self.tested:
            return "not tested"
        return "theorem" if self.theorem else "searched"

    @property
    def mark(self) -> str:
        """The verdict as a table has it.

        >>> Verdict(5, instances=52, beyond=310, beyond_size=8).mark, Verdict(5).mark
        ('✓ to 5: 52 + 310', '–')
        """
        if not self.holds:
            return f"✗ {self.size}" + (f", kept to {self.kept_to}" if self.kept_to else "")
        if not self.tested:
            return "–"
        beyond = f" + {self.beyond:,}" if self.beyond else ""
        return "✓ theorem" if self.theorem else f"✓ to {self.size}: {self.instances:,}{beyond}"


@dataclass(frozen=True)
class Behaviour:
    """Verdicts by property and measure, the hierarchies searched, and whether it was stopped."""

    verdicts: Mapping[str, Mapping[str, Verdict]]
    options: Options
    trees: int
    dags: int
    hierarchies: int
    instances: int
    stopped: bool = False

    def as_json(self) -> dict[str, dict[str, dict[str, Any]]]:
        """{property: {measure: {"holds", "known", "proof", "size", "instances", "undefined",
        "example", "after", "values"}}}; `holds` is None where nothing was tested, `example` and
        `after` are contents of case files.
        """
        return {
            prop: {key: self._as_json(prop, key, verdict) for key, verdict in row.items()}
            for prop, row in self.verdicts.items()
        }

    def _as_json(self, prop: str, key: str, verdict: Verdict) -> dict[str, Any]:
        example, title = verdict.example, f"{prop} and {key}"
        return {
            "holds": verdict.holds if verdict.tested else None,
            "known": verdict.kind,
            "proof": verdict.theorem.proof if verdict.kind == "theorem" and verdict.theorem else None,
            "size": verdict.size,
            "instances": verdict.instances,
            "undefined": verdict.undefined,
            "example": example.before.as_case(title, self.options) if example else None,
            "after": example.after.as_case(f"{title}, after", self.options) if example and not example.alone else None,
            "values": list(example.values) if example else None,
        }


@dataclass
class Evaluated:
    """The values of every instance of the hierarchies of one size, and what else is asked for."""

    measures: Sequence[Measure]
    options: Options
    explain_up_to: int
    tables: dict[World, Values] = field(default_factory=dict)

    def fill(self, world: World) -> None:
        self.tables[world] = self.compute(world, *world.instances)

    def compute(self, world: World, true: np.ndarray, predicted: np.ndarray) -> Values:
        sides = world.encoded(true), world.encoded(predicted)
        return measure_values(world.hierarchy, *sides, self.measures, self.options, explain_up_to=self.explain_up_to)

    def both(self, pairs: Pairs, third: bool = False) -> list[Callable[[str], np.ndarray]]:
        """Return two functions that give the values of a measure before and after; and a third, of
        the prediction before where that after is true.
        """
        between = Instances(pairs.before.world, pairs.after.predicted, pairs.before.predicted)
        return [self._side(*side) for side in (*pairs, *[between] * third)]

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
    """Find the properties that each measure keeps on every rooted tree and DAG up to some sizes,
    and the smallest instance where one is broken.

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
        When it is set the search ends, and says in `stopped` that it did; verdicts are those of the
        sizes done.
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
    chosen = Options.make(options, **settings)
    declared = chosen_measures(measures)
    wanted = chosen_properties(properties)
    sizes = sizes_of(trees, dags)
    total = sum(map(len, sizes))
    instances = sum(len(world.instances[0]) for size in sizes for world in size)
    proof = partial(proved, trees=dags < FIRST_DAG, options=chosen)
    verdicts = {p.key: {m.key: Verdict(theorem=proof(p.key, m)) for m in declared} for p in wanted}
    found = Behaviour(verdicts, chosen, trees=trees, dags=dags, hierarchies=total, instances=instances)
    done = counting(progress, 2 * total)
    for level in sizes:
        still = [m for m in declared if any(verdicts[p.key][m.key].holds for p in wanted)]
        size_search = _SizeSearch(Evaluated(still, chosen, few_of(level)), wanted, verdicts, stop)
        in_threads(size_search.fill, level, n_jobs, done)
        results = in_threads(size_search.look, level, n_jobs, done)
        if stop is not None and stop.is_set():
            return replace(found, stopped=True)
        size_search.conclude(level, results)
    return found


def counting(progress: Progress | None, total: int) -> Callable[[], None]:
    """Return what tells the progress of one step more."""
    done = count(1)
    return lambda: progress(next(done), total) if progress else None


def in_threads(
    work: Callable[[World], T], level: Sequence[World], n_jobs: int | None, done: Callable[[], None]
) -> list[T]:
    """Return the results of some work on each hierarchy; `done` is called after each."""
    results = []
    with ThreadPoolExecutor(n_jobs or available_cores()) as pool:
        for result in pool.map(work, level):
            results.append(result)
            done()
    return results


def few_of(level: Sequence[World]) -> int:
    """Return the number of instances at a time left to `explain` in hierarchies of one size."""
    return FEW if sum(len(world.instances[0]) for world in level) <= FEW else 0


def chosen_measures(measures: Iterable[str | Measure] | None) -> list[Measure]:
    """Return measures by key or as they are, each once; by default all that are judged."""
    keys = JUDGED if measures is None else measures
    found = {m.key: m for m in (m if isinstance(m, Measure) else find_measure(m) for m in keys)}
    for key in found.keys() & NOT_JUDGED.keys():
        raise InputError(f"{shown_name(key)} is not judged: {NOT_JUDGED[key]}")
    return list(found.values())


def chosen_properties(properties: Iterable[str] | None) -> list[Property]:
    """Return properties by key; InputError for an unknown one."""
    keys = list(dict.fromkeys(PROPERTIES if properties is None else properties))
    for key in keys:
        check_known("property", key, PROPERTIES)
    return [PROPERTIES[key] for key in keys]


def sizes_of(trees: int, dags: int) -> list[tuple[World, ...]]:
    """Return the hierarchies of each size; InputError for sizes that no search ends in."""
    for kind, size, most in (("trees", trees, MOST_TREE), ("DAGs", dags, MOST_DAG)):
        if not 0 <= size <= most:
            raise InputError(f"{kind} of up to {size} classes: the search goes up to {most}")
    found = [worlds(size, trees, dags) for size in range(2, max(trees, dags) + 1)]
    return [level for level in found if level]


def by_edit(properties: Iterable[Property]) -> dict[Edit, list[Property]]:
    """Group properties by the edit that they speak of."""
    found: dict[Edit, list[Property]] = {}
    for p in properties:
        found.setdefault(p.edit, []).append(p)
    return found


@dataclass(frozen=True)
class Found:
    """Pairs of instances that were looked at: how many had all values and how many had not; and the
    smallest of what was looked for, its rank, and the values of the measures that were asked for.
    """

    defined: int = 0
    undefined: int = 0
    example: Counterexample | None = None
    rank: tuple[int, ...] = ()
    values: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __add__(self, other: "Found") -> "Found":
        mine = other.example is None or (self.example is not None and self.rank <= other.rank)
        first = self if mine else other
        return replace(first, defined=self.defined + other.defined, undefined=self.undefined + other.undefined)

    @classmethod
    def of_level(cls, found: Iterable["Found"]) -> "Found":
        """Add up what was found in the hierarchies of one size: fewest labels first, then their
        order.
        """
        return sum((replace(f, rank=(*f.rank[:1], place, *f.rank[1:])) for place, f in enumerate(found)), cls())


Cells = dict[tuple[str, str], Found]


@dataclass
class _SizeSearch:
    evaluated: Evaluated
    properties: Sequence[Property]
    verdicts: Mapping[str, Mapping[str, Verdict]]
    stop: threading.Event | None

    def stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def fill(self, world: World) -> None:
        if not self.stopped():
            self.evaluated.fill(world)

    def look(self, world: World) -> Cells:
        """Judge each property that is not broken yet in one hierarchy."""
        found: Cells = {}
        for edit, sharing in by_edit(self.properties).items():
            cells = [(p, m) for p in sharing for m in self.evaluated.measures if self.verdicts[p.key][m.key].holds]
            if not cells or self.stopped():
                continue
            for pairs in edit(world, *world.instances):
                if pairs.size:
                    sides = self.evaluated.both(pairs, sharing[0].third)
                    for p, m in cells:
                        key = p.key, m.key
                        found[key] = found.get(key, Found()) + judged(p, m, pairs, *(side(m.key) for side in sides))
        return found

    def conclude(self, level: Sequence[World], results: Sequence[Cells]) -> None:
        for key, row in self.verdicts.items():
            for measure, verdict in row.items():
                if verdict.holds:
                    found = Found.of_level(result.get((key, measure), Found()) for result in results)
                    verdict.size, verdict.example = level[0].size, found.example
                    verdict.instances += found.defined
                    verdict.undefined += found.undefined


def judged(p: Property, m: Measure, pairs: Pairs, *values: np.ndarray) -> Found:
    """Count the pairs with all values and without, and find the smallest that is broken."""
    undefined = np.any([np.isnan(side) for side in values], axis=0)
    if p.third and m.better == "higher" and m.high is None:
        undefined |= True  # no best value, and so no distance
    broken = np.flatnonzero(~(p.relation(m, *values) | undefined))
    missing = int(undefined.sum())
    found = Found(len(undefined) - missing, missing)
    if not len(broken):
        return found
    k, rank = smallest(pairs, broken)
    return replace(found, example=shown(pairs, k, tuple(float(side[k]) for side in values)), rank=rank)


def smallest(pairs: Pairs, rows: np.ndarray) -> tuple[int, tuple[int, ...]]:
    """Return the first pair of those with the fewest labels, and its rank."""
    masks = [side for _, *sides in pairs.rows(rows) for side in sides]
    keys = (np.sum(list(map(counted, masks)), axis=0), *masks)
    first = int(np.lexsort(keys[::-1])[0])
    return int(rows[first]), tuple(int(key[first]) for key in keys)


def shown(pairs: Pairs, k: int, values: tuple[float, ...]) -> Counterexample:
    before, after = (Picture.of(world, int(true[k]), int(predicted[k])) for world, true, predicted in pairs)
    return Counterexample(before, after, values)


WEIGHTS = "leaves"  # class weights that differ, where no others are given


@dataclass(frozen=True)
class Setting:
    """One of the eight; the first has DAGs, the root counted, and weights of 1."""

    trees: bool = False
    uncounted: bool = False
    weighted: bool = False

    @classmethod
    def of(cls, options: Options, trees: bool) -> "Setting":
        return cls(trees, options.count_root is False, options.class_weights != "one")

    @property
    def flags(self) -> tuple[bool, bool, bool]:
        return self.trees, self.uncounted, self.weighted

    @property
    def letters(self) -> str:
        """t for trees, r for a root that is not counted, w for weights; empty for the first.

        >>> Setting(trees=True, weighted=True).letters
        'tw'
        """
        return "".join(letter for letter, flag in zip("trw", self.flags, strict=True) if flag)

    @property
    def name(self) -> str:
        return ", ".join(
            (
                "trees" if self.trees else "DAGs and trees",
                f"the root {'not ' if self.uncounted else ''}counted",
                "class weights that differ" if self.weighted else "all weights 1",
            )
        )

    def options(self, given: Options) -> Options:
        """Return the given options under this setting."""
        weighted = given.class_weights != "one"
        values = given.model_dump(exclude_defaults=True) | {
            "count_root": not self.uncounted if self.uncounted else None,
            "class_weights": "one" if not self.weighted else given.class_weights if weighted else WEIGHTS,
        }
        return Options.make(values)

    def less(self, other: "Setting") -> "Setting":
        """Return the switches that differ, as a setting."""
        return Setting(*(a != b for a, b in zip(self.flags, other.flags, strict=True)))


FIRST = Setting()
SETTINGS = tuple(sorted((Setting(*flags) for flags in product((False, True), repeat=3)), key=lambda s: sum(s.flags)))


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
    """Return what `study` finds under each setting: on DAGs and trees up to `dags` classes, and on
    trees up to `trees`.

    `how` are `n_jobs` and `stop` of `study`; `deepen` searches what was kept further. Measures that
    do not read the weights of classes are not searched anew for other weights.
    """
    chosen, given = chosen_measures(measures), options or Options.make()
    keys = list(properties) if properties is not None else None
    look: Callable[..., Behaviour] = partial(study, properties=keys, **how)
    found: dict[Setting, Behaviour] = {}
    for k, setting in enumerate(SETTINGS):
        largest, largest_dag = (trees, 0) if setting.trees else (dags, dags)
        wanted = [m for m in chosen if not setting.weighted or "class_weights" in m.options]
        found[setting] = deepen(look(wanted, options=setting.options(given), trees=largest, dags=largest_dag))
        if setting.weighted:
            found[setting] = _with_others(found[setting], found[replace(setting, weighted=False)])
        if progress:
            progress(k + 1, len(SETTINGS))
    return found


def _with_others(searched: Behaviour, same: Behaviour) -> Behaviour:
    """The new verdicts, and the old ones of measures that were not searched again."""
    rows = {
        p: {m: searched.verdicts[p].get(m, verdict) for m, verdict in row.items()} for p, row in same.verdicts.items()
    }
    return replace(searched, verdicts=rows)


def changes(found: Mapping[Setting, Behaviour], prop: str, measure: str, base: Setting = FIRST) -> list[Setting]:
    """Return the smallest sets of switches that turn a cell of `base` to another verdict."""
    here = _sign(found[base].verdicts[prop][measure])
    turned = [s.less(base) for s in found if _sign(found[s].verdicts[prop][measure]) != here]
    return [
        s for s in sorted(turned, key=SETTINGS.index) if not any(_within(other, s) for other in turned if other != s)
    ]


def _within(one: Setting, other: Setting) -> bool:
    return all(not a or b for a, b in zip(one.flags, other.flags, strict=True))


def _sign(verdict: Verdict) -> str:
    return verdict.mark[0]
