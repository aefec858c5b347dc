"""Results of an evaluation: sums that join exactly, and a report that computes averages from them.

A `Partial` summarises any number of instances: integer sums of counts, and exact sums of values. A
`Report` may also have the counts and labels of every instance. It uses the labels only to count by
class, when you ask for it.
"""

import math
from collections.abc import Callable, Collection, ItemsView, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hiermeasures.draw.text import as_text
from hiermeasures.evaluation.answers import Answers
from hiermeasures.evaluation.averages import (
    AVERAGES,
    Average,
    average_in_words,
    basis_of,
    convention_in_words,
    read_classes,
    root_in_words,
)
from hiermeasures.evaluation.encode import (
    NOTHING_LOST,
    EncodedLabels,
    Lost,
    Sides,
    UnknownLabel,
    concatenate,
)
from hiermeasures.evaluation.exact import Count, ExactSum, InstanceCount, exact_sum, sum_of_fields
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.outside import base_of, count_wrong, hierarchy_for, is_raised
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import DECLARED, Options
from hiermeasures.hierarchy.words import capitalize, join_words, quote_names, write_count
from hiermeasures.measures import CATALOGUE, STRUCTURES, Explanation, Measure, explain
from hiermeasures.measures.catalogue import Structure
from hiermeasures.measures.own import called
from hiermeasures.measures.paths_and_ranks import caution
from hiermeasures.measures.sets import OVERLAP

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation.mistakes import By, PairedLabels

REPEATED = 4  # measures in the short form of a report
# by name of a table: its columns, as a named tuple of arrays with one number per instance
Tables = Mapping[str, Any]
ClassCounts = Mapping[str, np.ndarray]  # by key of a structure: (true, predicted, shared) × classes


@dataclass(frozen=True)
class Partial:
    """Sums over some instances, enough to compute every average. `a + b` adds two of them.

    `sums` has the sum of every column of every table (integers, or exact sums of distances) over
    the instances with a value. `values` has the exact sum of each measure's values, and `defined`
    the number of instances in it. `explained` counts, per table, the instances that no kernel
    computed. All fields are plain data and can be pickled.
    """

    n: InstanceCount
    sums: Mapping[str, tuple[Count | ExactSum, ...]]
    values: Mapping[str, ExactSum]
    defined: Mapping[str, Count]
    explained: Mapping[str, Count]

    @classmethod
    def of(
        cls, n: int, tables: Tables, values: Mapping[str, np.ndarray], explained: Mapping[str, int]
    ) -> "Partial":
        """Return the sums over all rows of some tables, and the sums of their values."""
        finite = {key: v[~np.isnan(v)] for key, v in values.items()}
        return cls(
            n=n,
            sums={name: _summed(columns) for name, columns in tables.items()},
            values={key: exact_sum(v) for key, v in finite.items()},
            defined={key: len(v) for key, v in finite.items()},
            explained=dict(explained),
        )

    def __add__(self, other: "Partial") -> "Partial":
        if self.values.keys() != other.values.keys():
            raise InputError(
                "results with different measures cannot be joined. Evaluate all parts with the "
                "same measures."
            )
        return Partial(*map(sum_of_fields, vars(self).values(), vars(other).values()))

    def mean(self, key: str) -> float:
        """Return the mean of a measure over the instances with a value, or nan without any."""
        return float(self.values[key]) / self.defined[key] if self.defined[key] else math.nan

    def pooled(self, measure: Measure, options: Options) -> float:
        """Return a measure computed from the summed columns, or nan if no instance has a value."""
        if not self.defined[measure.key]:
            return math.nan
        return float(measure.value(self.totals(measure, options), options))

    def totals(self, measure: Measure, options: Options) -> dict[str, Any]:
        """Return the summed columns of each table that a measure reads, by name of the table."""
        return {
            table: structure.named_row(
                *(s if isinstance(s, int) else float(s) for s in self.sums[table])
            )
            for table, (structure, _) in measure.reads(options).items()
        }


def _summed(columns: Any) -> tuple[int | ExactSum, ...]:
    if columns[0].dtype.kind == "i":
        return tuple(int(column.sum(dtype=np.int64)) for column in columns)
    complete = ~np.isnan(columns).any(axis=0)
    return tuple(exact_sum(column[complete]) for column in columns)


@dataclass(frozen=True)
class InstanceColumns:
    """Ids, labels and columns of every instance."""

    ids: Any
    true: EncodedLabels
    predicted: EncodedLabels
    tables: Tables


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The measures of a batch, made by `evaluate`. `a + b` is the exact report of both batches.

    `report["hF"]` is the average that you asked for. `averages` has all averages. `levels` has
    precision, recall, F1 and accuracy of each level. `measures_by_level` and `per_class` have the
    measures by level and class, and `per_instance` the value of every instance.

    The mean of a measure leaves out instances without a value. `undefined` counts them. `counts`
    are the summed counts by structure. `unknown_true` and `unknown_predicted` are the dropped
    labels. `notes` are remarks about both sides. `answers` is set if labels were read as in a table
    (hiermeasures.evaluation.answers). `unknown` is the policy for unknown labels if you changed it.
    `scores` names the threshold that predicted classes.

    `keys`, `items` and `dict` give the values by measure. `print` shows them with the number of
    instances and the dropped labels.

    See Also
    --------
    evaluate : Make a report.
    hiermeasures.evaluation.compare.compare : Compare the reports of several systems.
    """

    hierarchy: Hierarchy
    options: Options
    declared: tuple[Measure, ...]
    average: Average
    partial: Partial
    instances: InstanceColumns | None
    class_counter: Callable[[Sides, Sequence[Structure[Any]]], ClassCounts]
    known_class_counts: ClassCounts | None = None
    lost: tuple[Lost, Lost] = (NOTHING_LOST, NOTHING_LOST)
    answers: Answers | None = None
    unknown: str = ""
    scores: str = ""

    def __len__(self) -> int:
        return self.partial.n

    def __repr__(self) -> str:
        first = ", ".join(
            f"{called(key)} {cell}" for key, cell in list(self.cells(as_text).items())[:REPEATED]
        )
        more = ", …" * (len(self.declared) > REPEATED)
        return (
            f"Report({first}{more}; {write_count(len(self), 'instance')}, average {self.average!r})"
        )

    def __str__(self) -> str:
        return str(self._repr_mimebundle_(include={"text/plain"})["text/plain"])

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from hiermeasures.draw.notebook_repr import bundle, values_shown

        misleading = self.cautions
        shown = values_shown(
            f"{write_count(len(self), 'instance')}, {self.convention}.",
            self.declared,
            {key: math.nan if key in misleading else value for key, value in self.values.items()},
            cells=self.cells(as_text),
            instances={} if self.average == "macro" else self.partial.defined,
            notes=[
                *(f"{capitalize(note)}." for note in (*self.hierarchy.notes, *self.notes)),
                self.signature,
            ],
        )
        return bundle(include, exclude, **shown)

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, in the requested order."""
        return tuple(measure.key for measure in self.declared)

    def measure(self, key: str) -> Measure:
        """Return the measure with this key. InputError if it was not evaluated."""
        for measure in self.declared:
            if measure.key == key:
                return measure
        if key in CATALOGUE:
            raise InputError(f"measure {key!r} was not evaluated. Name it in measures=.")
        raise InputError(unknown("measure", str(key), self.measures))

    def __getitem__(self, key: str) -> float:
        return self.values[self.measure(key).key]

    @property
    def policy(self) -> str:
        """The policy for labels that are not classes: one of POLICIES."""
        if self.answers:
            return self.answers.policy
        return self.unknown or ("drop" if any(lost.unknown for lost in self.lost) else "error")

    @property
    def counts_root(self) -> bool:
        """True if the root was counted by the measures whose options count it."""
        return self.options.counts_root(base_of(self.hierarchy))

    @property
    def convention(self) -> str:
        """The average in words, and whether the root was counted if a measure can count it."""
        return convention_in_words(
            self.declared, self.options, base_of(self.hierarchy), self.average
        )

    def describe_run(self, *measures: str, average: bool = True) -> str:
        """Return words for a caption: average, root, decision, unknown labels, number of instances.

        Parameters
        ----------
        *measures : str
            Keys of the measures in the caption. The default is all measures.
        average : bool
            Use False for values of single instances. They have no average.

        See Also
        --------
        signature : One line with all settings, for machines.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> report = evaluate(h, ["A", "A"], ["A", "B"], measures=["accuracy", "hF"])
        >>> report.describe_run("hF")
        'mean over the instances; the root is counted; unknown labels: error; 2 instances'
        >>> report.describe_run("accuracy", average=False)
        'unknown labels: error; 2 instances'
        """
        declared = [self.measure(key) for key in measures] or self.declared
        words = [
            average_in_words(declared, self.average) if average else "",
            root_in_words(declared, self.options, base_of(self.hierarchy)),
            f"labels of scores by {self.scores}" if self.scores else "",
            f"unknown labels: {self.policy}",
            write_count(len(self), "instance"),
        ]
        return "; ".join(filter(None, words))

    @property
    def signature(self) -> str:
        """The signature of the run: one line on how the values were computed.

        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> evaluate(h, ["A", "A"], ["A", "B"], measures=["hF", "GIE"], dmax=3).signature.rpartition("|v")[0]
        'hF,GIE|root:counted|empty:0|avg:samples|unknown:error|dmax:3|n:2'
        """
        from hiermeasures.evaluation.run_signature import signature_of

        return signature_of(self)

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the measures, so that `dict(report)` has their values."""
        return self.measures

    def items(self) -> "ItemsView[str, float]":
        """Return the values by measure."""
        return self.values.items()

    def to_dict(self) -> dict[str, Any]:
        """Return the printed results as plain data.

        Returns
        -------
        dict
            `signature`, `n`, `values` by measure, `notes`, and `fewer`: the number of instances
            in the average, for each measure that misses some.

        See Also
        --------
        to_frame : Return the values as a DataFrame.
        """
        return {
            "signature": self.signature,
            "n": len(self),
            "values": dict(self.values),
            "fewer": self.fewer,
            "notes": list(self.notes),
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the values as a table: measures × (value, n, better).

        Returns
        -------
        DataFrame
            `n` is the number of instances with a value. `better` is "higher" or "lower".
            `attrs["signature"]` is the signature of the run.

        See Also
        --------
        to_dict : Return the results as plain data.
        """
        from hiermeasures.evaluation.needs_pandas import pd

        rows = {
            m.key: (self.values[m.key], self.partial.defined[m.key], m.better)
            for m in self.declared
        }
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=["value", "n", "better"])
        frame.attrs["signature"] = self.signature
        return frame.rename_axis("measure")

    def to_html(self, title: str = "", intervals: float | None = None) -> str:
        """Return one HTML page for a colleague: scores, mistakes, worst instances, settings.

        The page needs no server, network or script.

        Parameters
        ----------
        title : str
            The heading, such as the name of the data set.
        intervals : float, optional
            The confidence of an interval for each value, such as 0.95.

        Raises
        ------
        InputError
            If `intervals` is not between 0 and 1, or if you ask for intervals and only sums were
            kept.

        See Also
        --------
        hiermeasures.evaluation.compare.Comparison.to_html : Write a page about several systems.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> page = evaluate(h, ["A", "A"], ["A", "B"], measures=["hF"]).to_html("My data")
        >>> page[:15], "<h1>My data</h1>" in page
        ('<!doctype html>', True)
        """
        from hiermeasures.evaluation.html_report import write_page

        return write_page({"": self}, title=title, intervals=intervals)

    @cached_property
    def values(self) -> dict[str, float]:
        """The value of every measure, by the requested average."""
        return self.averaged(self.average)

    def averaged(self, average: Average) -> dict[str, float]:
        """Return every measure, averaged in one of three ways.

        Measures on the hierarchical confusion matrix are always computed from its summed cells.

        Parameters
        ----------
        average : "samples", "micro" or "macro"
            - "samples": the mean over the instances with a value.
            - "micro": the measure of the summed counts. A measure that is not a ratio of counts has
              its mean instead. Your own measure of other measures has nan.
            - "macro": the mean over the classes on either side. The value of a class is computed
              from its counts. Measures without counts per class have nan.

        See Also
        --------
        averages : All three averages in one table.
        """
        return {measure.key: self._averaged(measure, average) for measure in self.declared}

    def _averaged(self, measure: Measure, average: Average) -> float:
        basis = basis_of(measure, average)
        if basis == "sums":
            return self.partial.pooled(measure, self.options)
        if basis == "classes":
            return self._macro.get(measure.key, math.nan)
        return self.partial.mean(measure.key) if basis == "instances" else math.nan

    def intervals(self, confidence: float = 0.95) -> "pd.DataFrame":
        """Return a confidence interval for each value, by resampling the instances.

        Parameters
        ----------
        confidence : float
            Between 0 and 1.

        Returns
        -------
        DataFrame, measures × (low, high)
            Percentiles of 2,000 bootstrap resamples. They are nan if a measure has no value.

        Raises
        ------
        InputError
            If the confidence is not between 0 and 1, and if only sums were kept.

        See Also
        --------
        hiermeasures.evaluation.compare.compare : Test whether systems differ.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> report = evaluate(h, ["A"] * 200, ["A"] * 100 + ["B"] * 100, measures=["accuracy"])
        >>> report.intervals().round(1).loc["accuracy"].tolist()
        [0.4, 0.6]
        """
        from hiermeasures.evaluation.compare.resampling import find_intervals

        return find_intervals(self, confidence)

    @property
    def undefined(self) -> dict[str, int]:
        """The number of instances without a value, for each measure."""
        return {key: len(self) - n for key, n in self.partial.defined.items()}

    @property
    def fewer(self) -> dict[str, int]:
        """The number of instances in the average of a measure, for measures that miss some."""
        defined = self.partial.defined if self.average != "macro" else {}
        return {key: n for key, n in defined.items() if n < len(self)}

    def cells(self, written: Callable[[float], str]) -> dict[str, str]:
        """Return the values as text for a table.

        A mean over fewer instances shows their number. A misleading value is a dash.
        """
        number = {key: f" n={n:,}" for key, n in self.fewer.items() if n}
        misleading = self.cautions
        return {
            k: "–" if k in misleading else written(v) + number.get(k, "")
            for k, v in self.values.items()
        }

    @property
    def cautions(self) -> dict[str, str]:
        """The reason why a value misleads with these labels, for each such measure."""
        said = {m.key: caution(m, self.partial.totals(m, self.options)) for m in self.declared}
        return {key: sentence for key, sentence in said.items() if sentence}

    @property
    def unknown_true(self) -> tuple[UnknownLabel, ...]:
        """The unknown true labels that were left out, most frequent first."""
        return self.lost[0].unknown

    @property
    def unknown_predicted(self) -> tuple[UnknownLabel, ...]:
        """The unknown predicted labels that were left out, most frequent first."""
        return self.lost[1].unknown

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about dropped labels, odd rows, fewer instances, and unsuitable measures."""
        sides = zip(("true", "predicted"), self.lost, strict=True)
        return (
            *(f"{side}: {note}" for side, lost in sides for note in lost.notes),
            *self.value_notes,
        )

    @property
    def value_notes(self) -> tuple[str, ...]:
        """The `notes` about values, without those about labels."""
        found: list[str] = []
        cautions = self.cautions
        found += self.options.describe_idle(measure.options for measure in self.declared)
        if self.answers is not None:
            found += self.answers.notes(self.instances and self.instances.ids)
        for key, n in self.fewer.items():
            left_out = write_count(len(self) - n, "instance")
            found.append(f"the mean of {key} leaves out {left_out} without a value")
        for sentence in dict.fromkeys(cautions.values()):
            found.append(
                f"no value of {', '.join(k for k, s in cautions.items() if s == sentence)}: "
                f"{sentence}"
            )
        return tuple(found)

    @property
    def counts(self) -> dict[str, dict[str, float]]:
        """The summed counts of each table, as {"confusion": {"TP": …, …}, …}."""
        tables = [self.partial.totals(measure, self.options) for measure in self.declared]
        return {name: columns._asdict() for totals in tables for name, columns in totals.items()}

    @cached_property
    def averages(self) -> "pd.DataFrame":
        """All averages: measures × (samples, micro, macro)."""
        from hiermeasures.evaluation.needs_pandas import pd

        return pd.DataFrame(
            {average: self.averaged(average) for average in AVERAGES}, index=list(self.measures)
        )

    @cached_property
    def per_instance(self) -> "pd.DataFrame":
        """The measures of every instance: ids × measures. InputError if only sums were kept."""
        from hiermeasures.evaluation.needs_pandas import pd

        return pd.DataFrame(self.instance_values(), index=pd.Index(self.kept.ids, name="id"))

    def instance_values(self) -> dict[str, np.ndarray]:
        """Return the values of every instance, as one array for each measure."""
        return read_values(self.kept.tables, self.declared, self.options)

    # --- counts per class -----------------------------------------------------------------------

    @cached_property
    def class_counts(self) -> ClassCounts:
        """The counts by evaluated structure: (true, predicted, shared) × classes."""
        if self.known_class_counts is not None:
            return self.known_class_counts
        evaluated = [measure.structure for measure in self.declared]
        by_class = [s for s in STRUCTURES.values() if s.row_of_class is not None and s in evaluated]
        return self.class_counter((self.kept.true, self.kept.predicted), by_class)

    @cached_property
    def per_class(self) -> "pd.DataFrame":
        """The classes that occur × (level, counts and measures of each structure)."""
        from hiermeasures.evaluation.needs_pandas import pd

        none = np.zeros((1, len(self.hierarchy)), np.int64)
        seen = np.flatnonzero(np.vstack([none, *self.class_counts.values()]).any(axis=0))
        table: dict[str, Any] = {"level": arrays_of(self.hierarchy).level[seen]}
        for name, counts in self.class_counts.items():
            table |= {f"{name}_{c}": counts[k, seen] for k, c in enumerate(OVERLAP)}
            table |= self._read_classes(name, counts[:, seen])
        return pd.DataFrame(
            table, index=pd.Index([self.hierarchy.nodes[i] for i in seen], name="class")
        )

    @cached_property
    def levels(self) -> "pd.DataFrame":
        """Precision, recall, F1, IoU and accuracy of each level, by `scores_by_level`."""
        from hiermeasures.evaluation.levels import scores_by_level

        return scores_by_level(self)

    @cached_property
    def measures_by_level(self) -> "pd.DataFrame":
        """Levels × measures, computed from the counts of the classes on each level."""
        from hiermeasures.evaluation.needs_pandas import pd

        raised = int(is_raised(self.hierarchy))
        level = np.maximum(arrays_of(self.hierarchy).level - raised, 0)
        found: dict[str, Any] = {}
        for name, counts in self.class_counts.items():
            summed = np.stack(
                [np.bincount(level, weights=row, minlength=int(level.max()) + 1) for row in counts]
            )
            there = np.flatnonzero(summed.sum(axis=0))
            read = self._read_classes(name, summed[:, there])
            found |= {key: pd.Series(values, index=there) for key, values in read.items()}
        return pd.DataFrame(found).rename_axis("level")

    @cached_property
    def _macro(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, counts in self.class_counts.items():
            read = self._read_classes(name, counts[:, counts.sum(axis=0) > 0])
            found |= {
                key: math.fsum(v.tolist()) / len(v) if len(v) else math.nan
                for key, v in read.items()
            }
        return found

    def _read_classes(self, name: str, counts: np.ndarray) -> dict[str, np.ndarray]:
        mine = (m for m in self.declared if m.structure is STRUCTURES[name] and m.macro)
        return {m.key: read_classes(m, counts, self.options) for m in mine}

    def worst_first(self, measure: str | None = None) -> np.ndarray:
        """Return the places of the instances from the worst to the best value of a measure.

        Instances without a value are left out. Equal values keep their order.

        Parameters
        ----------
        measure : str, optional
            The key of a measure. The default is the first measure.

        Returns
        -------
        array of int
            Places of instances, from 0.

        Raises
        ------
        InputError
            For a measure that was not evaluated, and if only sums were kept.

        See Also
        --------
        worst : Explain the worst instance.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> evaluate(h, ["A", "A", "B"], ["A", "B", "A"], measures=["hF"]).worst_first().tolist()
        [1, 2, 0]
        """
        asked = self.measure(measure or self.measures[0])
        values = self.instance_values()[asked.key]
        rising = values if asked.better == "higher" else -values
        order: np.ndarray = np.argsort(rising, kind="stable")[: np.sum(~np.isnan(values))]
        return order

    def worst(self, measure: str | None = None, *, after: int = 0) -> tuple[int, Explanation]:
        """Find the instance with the worst value of a measure, and explain it.

        Parameters
        ----------
        measure : str, optional
            The key of a measure. The default is the first measure.
        after : int
            Skip this many worse instances (see `worst_first`).

        Returns
        -------
        place : int
            The place of the instance, from 0.
        explanation : Explanation
            The explained instance. It draws itself in a notebook.

        Raises
        ------
        InputError
            For a measure that was not evaluated, for `after` beyond the last instance, and if only
            sums were kept.

        See Also
        --------
        explain_instance : Explain any instance.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> place, x = evaluate(h, ["A", "A"], ["A", "B"], measures=["hF"]).worst()
        >>> place, sorted(x.predicted), x["hF"], x.drawing().svg[:4]
        (1, ['B'], 0.5, '<svg')
        """
        key = measure or self.measures[0]
        order = self.worst_first(key)
        if not 0 <= after < len(order):
            raise InputError(
                f"{key} has a value for {len(order):,} instances only. Choose a smaller after=."
            )
        place = int(order[after])
        return place, self.explain_instance(place)

    def explain_instance(self, place: int) -> Explanation:
        """Explain the instance at a place, counted from 0. The result draws itself in a notebook.

        Raises
        ------
        InputError
            If only sums were kept.

        See Also
        --------
        worst : Find the worst instance.
        hiermeasures.explain : Explain labels that you give.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> evaluate(h, ["A", "A"], ["A", "B"], measures=["hF"]).explain_instance(1)["GIE"]
        2.0
        """
        kept = self.kept
        sides = (side.classes(self.hierarchy, place) for side in (kept.true, kept.predicted))
        hierarchy = hierarchy_for(self.hierarchy, kept.predicted, place)
        return explain(hierarchy, *sides, options=self.options)

    # --- mistakes -------------------------------------------------------------------------------

    @cached_property
    def paired(self) -> "PairedLabels":
        """The true and predicted classes of each instance in pairs, with the kind of mistake."""
        from hiermeasures.evaluation.mistakes import pair_all

        return pair_all(self.hierarchy, self.kept.true, self.kept.predicted)

    def confusion(
        self,
        level: int | None = None,
        below: str | None = None,
        share: Literal["true", "predicted"] | None = None,
    ) -> "pd.DataFrame":
        """Return the confusion matrix: rows true, columns predicted, with `total`.

        A cell counts pairs of a true and a predicted class. Each most specific true class counts 1
        in its row, and each predicted one 1 in its column. hiermeasures.measures.mistakes defines
        the pairs.

        Parameters
        ----------
        level : int, optional
            Show the classes of this level, each with everything below it. By default it shows the
            top classes, or the children of `below`. A label above this level has a row "(itself)".
        below : str, optional
            Show the part of one class. The other classes are "(elsewhere)".
        share : "true" or "predicted", optional
            Show shares of a row or of a column, in place of counts.

        Returns
        -------
        DataFrame
            The classes that occur. "(none)" is a missing class, and "(unknown)" a label that is not
            a class. Above a million cells the columns are sparse.

        Raises
        ------
        InputError
            For an unknown class, a level that is not below it, and if only sums were kept.

        See Also
        --------
        mistakes : Count the kinds of mistakes.
        hiermeasures.evaluation.plots.plot_confusion : Draw the matrix.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
        >>> report = evaluate(h, ["a", "a", "c"], ["b", "a", "a"], measures="hF")
        >>> report.confusion().loc["B"].tolist()
        [1.0, 0.0, 1.0]
        >>> report.confusion(level=2).loc["a"].tolist()
        [1.0, 1.0, 0.0, 2.0]
        """
        from hiermeasures.evaluation.confusion_matrix import confuse_systems

        return confuse_systems({"": self.paired}, level, below, share)[""]

    def mistakes(self, by: "By | None" = None) -> "pd.DataFrame":
        """Count the kinds of mistakes.

        Parameters
        ----------
        by : "level", "subtree" or "height", optional
            Group the pairs. "level" is the level of the true class (or of an extra one). "subtree"
            is its top class. If it has k top classes, it counts 1/k in each. "height" is the height
            of the lowest common ancestor of true and predicted class.

        Returns
        -------
        DataFrame, kinds × (count, share, instances), or kinds × groups
            `count` is the number of pairs, `share` their share of all, and `instances` the number
            of instances with one of these pairs.

        Raises
        ------
        InputError
            For another value of `by`, and if only sums were kept.

        See Also
        --------
        confusion : Count pairs of classes.
        hiermeasures.evaluation.plots.plot_mistakes : Draw the kinds.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
        >>> report = evaluate(h, ["a", "a", "c"], ["b", "a", "a"], measures="hF")
        >>> report.mistakes()["count"].loc[["right", "sibling", "other top class"]].tolist()
        [1.0, 1.0, 1.0]
        """
        from hiermeasures.evaluation.mistakes import tabulate_mistakes

        return tabulate_mistakes(self.paired, by)

    def by_class(self) -> "pd.DataFrame":
        """Compute the scores of each class. Labels count without their ancestors.

        Returns
        -------
        DataFrame, classes that occur × columns
            `level`, `support` (the instances with this true label), `predicted` and `right`
            instances, `precision`, `recall`, `f1`, and `mean_hF`, …: the mean of each measure over
            the instances in `support` that have a value.

        Raises
        ------
        InputError
            If only sums were kept.

        See Also
        --------
        by_subtree : Count each class with everything below it.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
        >>> report = evaluate(h, ["a", "a", "c"], ["b", "a", "a"], measures="hF")
        >>> report.by_class().loc["a", ["support", "predicted", "right", "f1"]].tolist()
        [2.0, 2.0, 1.0, 0.5]
        """
        from hiermeasures.evaluation.by_class import count_by_class

        return count_by_class(self)

    def by_subtree(self) -> "pd.DataFrame":
        """Compute the scores of each class with everything below it.

        The columns are those of `by_class`. An instance belongs to a class if it has a label there
        or below.

        Raises
        ------
        InputError
            If only sums were kept.

        See Also
        --------
        by_class : Count each class alone.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
        >>> report = evaluate(h, ["a", "a", "c"], ["b", "a", "a"], measures="hF")
        >>> report.by_subtree().loc["A", ["support", "predicted", "right", "f1"]].tolist()
        [2.0, 3.0, 2.0, 0.8]
        """
        from hiermeasures.evaluation.by_class import count_by_class

        return count_by_class(self, subtrees=True)

    # --- joining --------------------------------------------------------------------------------

    @property
    def kept(self) -> InstanceColumns:
        """The labels and columns of every instance. Raise InputError if only sums were kept."""
        if self.instances is None:
            raise InputError(
                "this report has only sums, without instances (keep_instances=False). Evaluate the "
                "labels in memory, with keep_instances=True."
            )
        return self.instances

    def take(self, places: Any) -> "Report":
        """Return the report of some of the instances, in the given order.

        Each instance keeps its values. Sums, averages and counts are those of the chosen instances.
        Notes on labels that were left out are about all instances, so they are dropped.

        Parameters
        ----------
        places : array of int or of bool
            Places of the instances, from 0, or True for each chosen instance.

        Returns
        -------
        Report

        Raises
        ------
        InputError
            If the report keeps only sums.

        See Also
        --------
        worst_first : Order the instances by a measure.

        Examples
        --------
        >>> from hiermeasures import Hierarchy, evaluate
        >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
        >>> report = evaluate(h, ["A", "A", "B"], ["A", "B", "A"], measures=["accuracy"])
        >>> part = report.take([0, 2])
        >>> len(part), part["accuracy"], list(part.per_instance.index)
        (2, 0.5, [0, 2])
        """
        kept, chosen = self.kept, np.asarray(places)
        rows = np.flatnonzero(chosen) if chosen.dtype == bool else chosen.astype(np.int64)
        tables = {
            name: columns._make(column[rows] for column in columns)
            for name, columns in kept.tables.items()
        }
        explained = {name: min(n, len(rows)) for name, n in self.partial.explained.items()}
        values = read_values(tables, self.declared, self.options)
        return replace(
            self,
            partial=Partial.of(len(rows), tables, values, explained),
            instances=InstanceColumns(
                [kept.ids[k] for k in rows.tolist()],
                kept.true.taken(rows),
                kept.predicted.taken(rows),
                tables,
            ),
            known_class_counts=None,
            lost=(NOTHING_LOST, NOTHING_LOST),
            answers=None,
            unknown=self.policy if self.policy != "error" else self.unknown,
        )

    def __add__(self, other: "Report") -> "Report":
        check_alike(self, other)
        if count_wrong(self.hierarchy) < count_wrong(other.hierarchy):
            self = _renumbered(self, other.hierarchy)
        elif self.hierarchy.nodes != other.hierarchy.nodes:
            other = _renumbered(other, self.hierarchy)
        mine, theirs = self.instances, other.instances
        kept = _joined(mine, theirs) if mine and theirs else None
        counts = None if kept else sum_of_fields(self.class_counts, other.class_counts)
        true, predicted = (
            a.append(b, len(self)) for a, b in zip(self.lost, other.lost, strict=True)
        )
        return replace(
            self,
            partial=self.partial + other.partial,
            instances=kept,
            known_class_counts=counts,
            lost=(true, predicted),
            answers=self.answers and other.answers and self.answers + other.answers,
        )


def check_alike(a: Report, b: Report) -> None:
    """Refuse to join reports about different things."""
    mine, theirs = base_of(a.hierarchy), base_of(b.hierarchy)
    if mine != theirs:
        same = "the classes are the same, the edges or weights are not"
        _refuse("hierarchies", set(mine.nodes) ^ set(theirs.nodes), same)
    if a.measures != b.measures:
        _refuse("measures", set(a.measures) ^ set(b.measures), "they have them in different order")
    for name in DECLARED:
        mine, theirs = getattr(a.options, name), getattr(b.options, name)
        if mine != theirs:
            _refuse("options", (), f"{name} is {mine} in one, {theirs} in the other")
    if a.average != b.average:
        _refuse("averages", (), f"{a.average} and {b.average}")
    if len(policies := {report.unknown for report in (a, b) if report.unknown}) > 1:
        _refuse("policies for unknown labels", (), join_words(sorted(policies)))


def _refuse(what: str, only: Collection[str], else_how: str) -> None:
    how = f"only one of them has {quote_names(only, limit=3)}" if only else else_how
    raise InputError(f"results of different {what} cannot be joined: {how}")


def _renumbered(report: Report, hierarchy: Hierarchy) -> Report:
    """Return the report with the class numbers of another hierarchy.

    It is an equal hierarchy, or one with more wrong classes.
    """
    number = np.array(hierarchy.numbers_of(report.hierarchy))
    known, kept = report.known_class_counts, report.instances

    def counted(counts: np.ndarray) -> np.ndarray:
        found = np.zeros((len(counts), len(hierarchy)), counts.dtype)
        found[:, number] = counts
        return found

    return replace(
        report,
        hierarchy=hierarchy,
        instances=kept
        and replace(
            kept, true=kept.true.renumbered(number), predicted=kept.predicted.renumbered(number)
        ),
        known_class_counts=known and {key: counted(counts) for key, counts in known.items()},
    )


def read_values(
    tables: Tables, measures: Sequence[Measure], options: Options
) -> dict[str, np.ndarray]:
    """Return every measure of every instance of some tables."""
    return {m.key: np.asarray(m.value(tables, options), float) for m in measures}


def _joined(a: InstanceColumns, b: InstanceColumns) -> InstanceColumns:
    tables = {
        name: columns._make(map(np.concatenate, zip(columns, b.tables[name], strict=True)))
        for name, columns in a.tables.items()
    }
    counted = isinstance(a.ids, range) and isinstance(b.ids, range)
    ids = range(len(a.ids) + len(b.ids)) if counted else [*a.ids, *b.ids]
    return InstanceColumns(
        ids, concatenate([a.true, b.true]), concatenate([a.predicted, b.predicted]), tables
    )
