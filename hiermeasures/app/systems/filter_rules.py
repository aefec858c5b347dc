"""Conditions that choose instances of an evaluation, for all views of the page.

A filter describes itself in words and finds the instances that satisfy it. All systems have reports
on the same instances. Filters are plain values, without Streamlit. data.py applies them, and
filters.py draws them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from hiermeasures.evaluation import Report
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.mistakes import find_class_of_mistake, group_classes
from hiermeasures.evaluation.outside import base_of, is_raised
from hiermeasures.evaluation.results import read_values
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures.mistakes import KINDS
from hiermeasures.measures.own import spoken

Reports = Mapping[str, Report]
ROUNDING = 1e-9


class Filter(Protocol):
    """A condition on instances."""

    @property
    def words(self) -> str:
        """The condition in a few words."""

    def find_instances(self, reports: Reports) -> np.ndarray:
        """Return True for each instance that satisfies the condition."""


@dataclass(frozen=True)
class BelowClass:
    """Instances with a true label at or below a class, or with this class `alone`."""

    label: str
    alone: bool = False

    @property
    def words(self) -> str:
        return f"true label {'' if self.alone else 'at or below '}{self.label}"

    def find_instances(self, reports: Reports) -> np.ndarray:
        report = _any_of(reports)
        h, inside = report.hierarchy, np.zeros(len(report.hierarchy), bool)
        below = frozenset() if self.alone else h.descendants(self.label)
        inside[[h.index(label) for label in {self.label, *below}]] = True
        return _have_label(report, inside)


@dataclass(frozen=True)
class AtLevel:
    """Instances with a most specific true label at a level.

    The level is the longest path from the root, in edges.
    """

    level: int

    @property
    def words(self) -> str:
        return f"true label at level {self.level}"

    def find_instances(self, reports: Reports) -> np.ndarray:
        report = _any_of(reports)
        instance, label = _list_most_specific(report)
        found = np.zeros(len(report), bool)
        found[instance[levels_of(report)[label] == self.level]] = True
        return found


@dataclass(frozen=True)
class LabelCount:
    """Instances with a number of most specific true labels."""

    fewest: int
    most: int

    @property
    def words(self) -> str:
        if self.fewest == self.most:
            return write_count(self.fewest, "true label")
        return f"{self.fewest} to {self.most} true labels"

    def find_instances(self, reports: Reports) -> np.ndarray:
        report = _any_of(reports)
        sizes = np.bincount(_list_most_specific(report)[0], minlength=len(report))
        return np.asarray((sizes >= self.fewest) & (sizes <= self.most))


@dataclass(frozen=True)
class HasMistake:
    """Instances with a kind of mistake, or a right label, by a system.

    If `by` is "level" or "subtree", the label must belong to this `group` of `Report.mistakes`.
    """

    system: str
    kind: str
    by: Literal["level", "subtree"] | None = None
    group: int | str | None = None

    @property
    def words(self) -> str:
        where = {"level": f", level {self.group}", "subtree": f", {self.group}"}
        return f"{self.system}: {self.kind}{where[self.by] if self.by else ''}"

    def find_instances(self, reports: Reports) -> np.ndarray:
        paired = reports[self.system].paired
        wanted = paired.kind == KINDS.index(self.kind)
        if self.by is not None:
            weights, names = group_classes(base_of(paired.hierarchy), self.by)
            inside = weights[:, [names.index(self.group)]].toarray()[:, 0] > 0
            wanted &= inside[find_class_of_mistake(paired)]
        found = np.zeros(paired.n, bool)
        found[paired.instance[wanted]] = True
        return found


@dataclass(frozen=True)
class ValueBetween:
    """Instances with a system's value of a measure in a range, ends included."""

    system: str
    measure: str
    low: float
    high: float

    @property
    def words(self) -> str:
        return f"{self.system}: {spoken(self.measure)} from {self.low:g} to {self.high:g}"

    def find_instances(self, reports: Reports) -> np.ndarray:
        values = _values_of(reports[self.system], self.measure)
        return np.asarray((values >= self.low - ROUNDING) & (values <= self.high + ROUNDING))


@dataclass(frozen=True)
class IdContains:
    """Instances with a text in their id, in upper or lower case."""

    text: str

    @property
    def words(self) -> str:
        return f"id contains “{self.text}”"

    def find_instances(self, reports: Reports) -> np.ndarray:
        ids, text = _any_of(reports).kept.ids, self.text.casefold()
        return np.fromiter((text in str(name).casefold() for name in ids), bool, len(ids))


@dataclass(frozen=True, eq=False)
class ChosenInstances:
    """Instances from a view, by their places among all instances."""

    words: str
    places: np.ndarray

    def find_instances(self, reports: Reports) -> np.ndarray:
        found = np.zeros(len(_any_of(reports)), bool)
        found[self.places] = True
        return found


def places_of(filters: Sequence[Filter], reports: Reports) -> np.ndarray:
    """Return the places of the instances that satisfy all filters, in ascending order."""
    found = np.ones(len(_any_of(reports)), bool)
    for each in filters:
        found &= each.find_instances(reports)
    return np.flatnonzero(found)


def levels_of(report: Report) -> np.ndarray:
    """Return the level of each class, counted from the root of the person's hierarchy."""
    level = arrays_of(report.hierarchy).level - int(is_raised(report.hierarchy))
    return np.asarray(np.maximum(level, 0))


def _any_of(reports: Reports) -> Report:
    """Return any report, because all have the same instances and true labels."""
    return next(iter(reports.values()))


def _values_of(report: Report, measure: str) -> np.ndarray:
    wanted = [report.measure(measure)]
    return read_values(report.kept.tables, wanted, report.options)[measure]


def _list_most_specific(report: Report) -> tuple[np.ndarray, np.ndarray]:
    """Return instance and class of the most specific true labels."""
    paired, n = report.paired, len(report.hierarchy)
    there = paired.true >= 0
    keys = np.unique(paired.instance[there] * n + paired.true[there])
    instance, label = np.divmod(keys, n)
    return instance, label


def _have_label(report: Report, classes: np.ndarray) -> np.ndarray:
    """Return True for each instance with a true label among these classes."""
    true = report.kept.true
    found = np.zeros(len(true), bool)
    found[true.instances[classes[true.idx]]] = True
    return found
