"""What an evaluation gives back: sums that join exactly, and a report that reads averages off them.

A `Partial` is what remains of any number of instances: integer sums of the counts, exact sums of the values. A `Report`
adds, where they were kept, the counts of every instance and the labels behind them. Nothing is computed from labels
here but counts per class, when they are asked for.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from hiermeasures.batch.encode import EncodedLabels, UnknownLabel, joined, merged_unknown
from hiermeasures.batch.exact import ExactSum, added, exact_sum, value
from hiermeasures.errors import InputError, listed, unknown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE, STRUCTURES, Measure
from hiermeasures.measures.catalogue import Structure
from hiermeasures.measures.sets import OVERLAP
from hiermeasures.options import Options

if TYPE_CHECKING:
    import pandas as pd

Average = Literal["samples", "micro", "macro"]
AVERAGES: tuple[Average, ...] = ("samples", "micro", "macro")
Tables = Mapping[str, Any]  # by name of a table: its columns, a named tuple of arrays with a number per instance
ClassCounts = Mapping[str, np.ndarray]  # by key of a structure: (true, predicted, shared) × classes


@dataclass(frozen=True)
class Partial:
    """Sums over some instances, from which every average can be read; `a + b` are the sums over both.

    `sums` holds the sum of every column of every table (integers, or exact sums of distances) over the instances that
    have a value there, `values` the exact sum of each measure's values and `defined` over how many instances;
    `explained` counts, per table, the instances that no kernel computed. All of it is plain data, which can be pickled.
    """

    n: int
    sums: Mapping[str, tuple[int | ExactSum, ...]]
    values: Mapping[str, ExactSum]
    defined: Mapping[str, int]
    explained: Mapping[str, int]

    @classmethod
    def of(cls, n: int, tables: Tables, values: Mapping[str, np.ndarray], explained: Mapping[str, int]) -> "Partial":
        """The sums over all rows of some tables, and of the values read off them."""
        finite = {key: v[~np.isnan(v)] for key, v in values.items()}
        return cls(
            n,
            {name: _summed(columns) for name, columns in tables.items()},
            {key: exact_sum(v) for key, v in finite.items()},
            {key: len(v) for key, v in finite.items()},
            dict(explained),
        )

    def __add__(self, other: "Partial") -> "Partial":
        if self.values.keys() != other.values.keys():
            raise InputError("results can be joined only where they hold the same measures")
        return Partial(
            self.n + other.n,
            {name: tuple(map(_plus, sums, other.sums[name])) for name, sums in self.sums.items()},
            {key: added(a, other.values[key]) for key, a in self.values.items()},
            {key: a + other.defined[key] for key, a in self.defined.items()},
            {name: a + other.explained[name] for name, a in self.explained.items()},
        )

    def mean(self, key: str) -> float:
        """The mean of a measure over the instances that have a value; nan where none has."""
        return _mean(value(self.values[key]), self.defined[key])

    def pooled(self, measure: Measure, options: Options) -> float:
        """A measure read off the summed columns; nan where no instance has a value."""
        if not self.defined[measure.key]:
            return math.nan
        return float(measure.value(self.totals(measure, options), options))

    def totals(self, measure: Measure, options: Options) -> dict[str, Any]:
        """The sums of the columns, by name, of the tables that a measure reads."""
        return {
            table: structure.named_row(*(s if isinstance(s, int) else value(s) for s in self.sums[table]))
            for table, (structure, _) in measure.reads(options).items()
        }


def _summed(columns: Any) -> tuple[int | ExactSum, ...]:
    """The sum of each column, over the rows without nan: an instance without a pairing adds no classes to divide by."""
    if columns[0].dtype.kind == "i":
        return tuple(int(column.sum(dtype=np.int64)) for column in columns)
    complete = ~np.isnan(columns).any(axis=0)
    return tuple(exact_sum(column[complete]) for column in columns)


def _plus(a: int | ExactSum, b: int | ExactSum) -> int | ExactSum:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    return added(cast(ExactSum, a), cast(ExactSum, b))


def _mean(total: float, n: int) -> float:
    return total / n if n else math.nan


@dataclass(frozen=True)
class Instances:
    """What is kept of every instance: ids, labels, and the columns of every table."""

    ids: Any
    true: EncodedLabels
    predicted: EncodedLabels
    tables: Tables


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The measures of a batch. Made by `evaluate`; `a + b` is the report of both batches, exactly as if they had been
    one.

    `report["hF"]` is the average that was asked for; `averages` has all of them, `levels` and `per_class` what the
    counts per class give, `per_instance` the value of every instance. `undefined` says for how many instances a measure
    has no value (they are left out of its mean), `counts` the summed counts by structure, `unknown_true` and
    `unknown_predicted` the labels that were dropped.
    """

    hierarchy: Hierarchy
    options: Options
    declared: tuple[Measure, ...]
    average: Average
    partial: Partial
    instances: Instances | None
    class_counter: Callable[[EncodedLabels, EncodedLabels, Sequence[Structure[Any]]], ClassCounts]
    known_class_counts: ClassCounts | None = None
    unknown_true: tuple[UnknownLabel, ...] = ()
    unknown_predicted: tuple[UnknownLabel, ...] = ()

    def __len__(self) -> int:
        return self.partial.n

    def __repr__(self) -> str:
        return f"Report({len(self):,} instances, {len(self.declared)} measures, average {self.average!r})"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from hiermeasures.display.shown import show_report

        return show_report(self, include, exclude)

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, in the order asked for."""
        return tuple(measure.key for measure in self.declared)

    def measure(self, key: str) -> Measure:
        """The measure of a key; InputError for one that was not evaluated."""
        for measure in self.declared:
            if measure.key == key:
                return measure
        known = key in CATALOGUE
        raise InputError(f"measure {key!r} was not evaluated" if known else unknown("measure", str(key), self.measures))

    def __getitem__(self, key: str) -> float:
        return self.values[self.measure(key).key]

    @cached_property
    def values(self) -> dict[str, float]:
        """Every measure, averaged as asked for."""
        return self.averaged(self.average)

    def averaged(self, average: Average) -> dict[str, float]:
        """Every measure, averaged in one of three ways.

        "samples": the mean over the instances that have a value. "micro": read off the summed counts; a measure that is
        no ratio of counts has its mean, and an own measure of other measures nan. "macro": read off the counts of each
        class that occurs on either side, and averaged over the classes; nan for measures that have no counts per class.
        Measures on the hierarchical confusion matrix are always read off its summed cells.
        """
        return {measure.key: self._averaged(measure, average) for measure in self.declared}

    def _averaged(self, measure: Measure, average: Average) -> float:
        if measure.pooled == "always" or (average == "micro" and measure.pooled == "micro"):
            return self.partial.pooled(measure, self.options)
        if average == "micro" and measure.pooled == "undefined":
            return math.nan
        if average == "macro":
            return self._macro.get(measure.key, math.nan)
        return self.partial.mean(measure.key)

    @property
    def undefined(self) -> dict[str, int]:
        """For each measure, the number of instances without a value."""
        return {key: len(self) - n for key, n in self.partial.defined.items()}

    @property
    def counts(self) -> dict[str, dict[str, float]]:
        """The summed counts by table: {"confusion": {"TP": …, …}, "augmented": {"true": …, "predicted": …, "shared":
        …}, …}.
        """
        tables = [self.partial.totals(measure, self.options) for measure in self.declared]
        return {name: columns._asdict() for totals in tables for name, columns in totals.items()}

    @cached_property
    def averages(self) -> "pd.DataFrame":
        """All averages: measures × (samples, micro, macro)."""
        import pandas as pd

        return pd.DataFrame({average: self.averaged(average) for average in AVERAGES}, index=list(self.measures))

    @cached_property
    def per_instance(self) -> "pd.DataFrame":
        """Every measure of every instance, ids as the index. InputError where only sums were kept."""
        import pandas as pd

        kept = self._kept("values per instance")
        return pd.DataFrame(self.instance_values(), index=pd.Index(kept.ids, name="id"))

    def instance_values(self) -> dict[str, np.ndarray]:
        """Every measure of every instance, as arrays."""
        return read_values(self._kept("values per instance").tables, self.declared, self.options)

    # --- counts per class -----------------------------------------------------------------------------------------

    @cached_property
    def class_counts(self) -> ClassCounts:
        """For each structure that has counts per class and was evaluated: (true, predicted, shared) × classes, counts
        over the instances.
        """
        if self.known_class_counts is not None:
            return self.known_class_counts
        kept = self._kept("counts per class")
        return self.class_counter(kept.true, kept.predicted, self._by_class)

    @property
    def _by_class(self) -> list[Structure[Any]]:
        evaluated = [measure.structure for measure in self.declared]
        return [s for s in STRUCTURES.values() if s.row_of_class is not None and s in evaluated]

    @cached_property
    def per_class(self) -> "pd.DataFrame":
        """Classes that occur on either side × (level; for each structure true, predicted, shared, and the measures
        read off them).
        """
        import pandas as pd

        seen = np.flatnonzero(
            sum((t.sum(axis=0) for t in self.class_counts.values()), np.zeros(len(self.hierarchy), np.int64))
        )
        table: dict[str, Any] = {"level": self.hierarchy.arrays.level[seen]}
        for name, counts in self.class_counts.items():
            table |= {f"{name}_{c}": counts[k, seen] for k, c in enumerate(OVERLAP)}
            table |= self._read_classes(name, counts[:, seen])
        return pd.DataFrame(table, index=pd.Index([self.hierarchy.nodes[i] for i in seen], name="class"))

    @cached_property
    def levels(self) -> "pd.DataFrame":
        """Levels × measures, each read off the counts of a level's classes. Levels without a class on either side are
        left out.
        """
        import pandas as pd

        level = self.hierarchy.arrays.level
        found: dict[str, Any] = {}
        for name, counts in self.class_counts.items():
            summed = np.stack([np.bincount(level, weights=row, minlength=int(level.max()) + 1) for row in counts])
            there = np.flatnonzero(summed.sum(axis=0))
            for key, v in self._read_classes(name, summed[:, there]).items():
                found[key] = pd.Series(v, index=there)
        return pd.DataFrame(found).rename_axis("level")

    @cached_property
    def _macro(self) -> dict[str, float]:
        found = {}
        for name, counts in self.class_counts.items():
            occurring = counts[:, counts.sum(axis=0) > 0]
            for key, v in self._read_classes(name, occurring).items():
                found[key] = _mean(value(v.tolist()), len(v))
        return found

    def _read_classes(self, name: str, counts: np.ndarray) -> dict[str, np.ndarray]:
        structure = STRUCTURES[name]
        assert structure.row_of_class is not None, "counted per class"
        row = structure.named_row(*structure.row_of_class(*counts))
        mine = (m for m in self.declared if m.structure is structure and m.macro)
        return {m.key: np.asarray(m.read(row, m.settled(self.options)), float) for m in mine}

    # --- joining --------------------------------------------------------------------------------------------------

    @property
    def kept(self) -> Instances:
        """The labels and columns of every instance. InputError where only sums were kept."""
        return self._kept("instances")

    def _kept(self, what: str) -> Instances:
        if self.instances is None:
            raise InputError(f"there are no {what}: only sums were kept (keep_instances=False)")
        return self.instances

    def __add__(self, other: "Report") -> "Report":
        check_alike(self, other)
        if self.hierarchy.nodes != other.hierarchy.nodes:
            other = _renumbered(other, self.hierarchy)
        sizes = (len(self), len(other))
        whole = self.instances is not None and other.instances is not None
        return replace(
            self,
            partial=self.partial + other.partial,
            instances=_joined(self.instances, other.instances) if self.instances and other.instances else None,
            known_class_counts=None if whole else {k: a + other.class_counts[k] for k, a in self.class_counts.items()},
            unknown_true=merged_unknown((self.unknown_true, other.unknown_true), sizes),
            unknown_predicted=merged_unknown((self.unknown_predicted, other.unknown_predicted), sizes),
        )


def check_alike(a: Report, b: Report) -> None:
    """Refuse to join reports that are not of the same thing."""
    if a.hierarchy != b.hierarchy:
        only = set(a.hierarchy.nodes) ^ set(b.hierarchy.nodes)
        how = (
            f"only one of them has {listed(only, limit=3)}"
            if only
            else "the classes are the same, the edges or weights are not"
        )
        raise InputError(f"results of different hierarchies cannot be joined: {how}")
    if a.measures != b.measures:
        only = set(a.measures) ^ set(b.measures)
        how = f"only one of them has {listed(only, limit=3)}" if only else "they have them in different order"
        raise InputError(f"results of different measures cannot be joined: {how}")
    for name in Options.model_fields:
        mine, theirs = getattr(a.options, name), getattr(b.options, name)
        if mine != theirs:
            raise InputError(
                f"results of different options cannot be joined: {name} is {mine} in one, {theirs} in the other"
            )
    if a.average != b.average:
        raise InputError(f"results of different averages cannot be joined: {a.average} and {b.average}")


def _renumbered(report: Report, hierarchy: Hierarchy) -> Report:
    """The same report where an equal hierarchy numbers the classes, whose edges came in another order."""
    number, back = hierarchy.numbers_of(report.hierarchy), report.hierarchy.numbers_of(hierarchy)
    known, kept = report.known_class_counts, report.instances
    return replace(
        report,
        hierarchy=hierarchy,
        instances=kept
        and replace(kept, true=kept.true.renumbered(number), predicted=kept.predicted.renumbered(number)),
        known_class_counts=known and {key: counts[:, back] for key, counts in known.items()},
    )


def read_values(tables: Tables, measures: Sequence[Measure], options: Options) -> dict[str, np.ndarray]:
    """Every measure of every instance of some tables."""
    return {m.key: np.asarray(m.value(tables, options), float) for m in measures}


def _joined(a: Instances, b: Instances) -> Instances:
    tables = {
        name: columns._make(map(np.concatenate, zip(columns, b.tables[name], strict=True)))
        for name, columns in a.tables.items()
    }
    counted = isinstance(a.ids, range) and isinstance(b.ids, range)
    ids = range(len(a.ids) + len(b.ids)) if counted else [*a.ids, *b.ids]
    return Instances(ids, joined([a.true, b.true]), joined([a.predicted, b.predicted]), tables)
