"""Expected values: what a measure is worth, on average over everything that can be the truth, for
one prediction.

A value is the sum over the events of a distribution of probability times the measure as `explain`
defines it; every term is kept. Which prediction has the best one is searched in optimal.py.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Unpack, get_args

from hiermeasures.core.errors import check_known
from hiermeasures.core.option_types import Settings
from hiermeasures.core.options import Options
from hiermeasures.measures import CATALOGUE, Explanation, explain, find_measure
from hiermeasures.measures.catalogue import Measure, number
from hiermeasures.probabilities.events import Distribution, Event, closed, ends_of

Labels = Literal["all", "most_specific"]


@dataclass(frozen=True)
class EventValue:
    """One event, the measure's value if it is the truth, and what it adds to the expected value."""

    event: Event
    value: float

    @property
    def contribution(self) -> float:
        """Probability times value; 0 for an event that cannot happen, whatever its value."""
        return self.event.probability * self.value if self.event.probability else 0.0


@dataclass(frozen=True)
class ExpectedValue:
    """The expected value of a measure for one prediction (nan: undefined), with a row per event."""

    measure: Measure
    predicted: frozenset[str]
    rows: tuple[EventValue, ...]

    @cached_property
    def value(self) -> float:
        return math.fsum(row.contribution for row in self.rows)

    @property
    def latex(self) -> str:
        """The sum in numbers, of the events that can happen; the first twelve terms."""
        possible = [row for row in self.rows if row.event.probability]
        terms = [rf"{number(row.event.probability)} \cdot {number(row.value)}" for row in possible[:12]]
        return " + ".join(terms + [r"\dots"] * (len(possible) > 12)) + f" = {number(self.value)}"


@dataclass(frozen=True)
class AssessedMeasure:
    """A measure's expected value beside that for a chosen truth (nan where none is chosen)."""

    measure: Measure
    expected: ExpectedValue
    realised: float


@dataclass(frozen=True)
class Assessment:
    """Measures of one prediction, expected and for a chosen truth. Made by `assess`."""

    predicted: frozenset[str]
    true: frozenset[str] | None
    rows: tuple[AssessedMeasure, ...]


def expected_value(
    distribution: Distribution,
    predicted: Iterable[str],
    measure: str,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> ExpectedValue:
    """The expected value of a measure for a prediction (Plaud et al. 2024, Eq. 2, without the arg
    min).

    Parameters
    ----------
    distribution : Distribution
    predicted : iterable of str
        The predicted classes. The root is implied and left out.
    measure : str
        A key of the catalogue.
    labels : "all" or "most_specific"
        What the measure is given, of the events and of the prediction: all classes (as Plaud et al.
        do), or the most specific ones only (as pair-based measures are meant).
    options : Options, optional
        Or as keyword arguments. Plaud et al. do not count the root: `count_root=False`.

    Returns
    -------
    ExpectedValue

    Raises
    ------
    InputError
        For an unknown class, measure or option.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.probabilities import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}))
    >>> round(expected_value(d, {"1", "5"}, "hF", count_root=False).value, 4)
    0.55
    """
    found = find_measure(measure)
    chosen = Options.make(options, **settings)
    classes = distribution.hierarchy.check(predicted)
    return expected_of(found, distribution, classes, explained(distribution, classes, labels, chosen))


def assess(
    distribution: Distribution,
    predicted: Iterable[str],
    true: Iterable[str] | None = None,
    measures: Iterable[str] | None = None,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> Assessment:
    """Expected values of a prediction beside realised ones for a chosen truth, for several measures
    (all of the catalogue).

    `true` is augmented with its ancestors, as events are; None where no truth is chosen. Otherwise
    as `expected_value`.
    """
    chosen = Options.make(options, **settings)
    h = distribution.hierarchy
    keys = [find_measure(m) for m in (CATALOGUE if measures is None else measures)]
    classes = h.check(predicted)
    truth = None if true is None else closed(h, true)
    found = explained(distribution, classes, labels, chosen)
    real: Mapping[str, float] = {}
    if truth is not None:
        sides = (_given(distribution, side, labels) for side in (truth, classes - {h.root}))
        real = explain(h, *sides, options=chosen)
    rows = tuple(
        AssessedMeasure(m, expected_of(m, distribution, classes, found), real[m.key] if truth is not None else math.nan)
        for m in keys
    )
    return Assessment(classes, truth, rows)


def explained(d: Distribution, predicted: frozenset[str], labels: Labels, options: Options) -> list[Explanation]:
    """A prediction explained for each event, by the classes that `labels` chooses."""
    given = _given(d, predicted - {d.hierarchy.root}, labels)
    return [explain(d.hierarchy, e.classes if labels == "all" else e.ends, given, options=options) for e in d.events]


def _given(d: Distribution, classes: frozenset[str], labels: str) -> frozenset[str]:
    check_known("choice of labels", labels, get_args(Labels))
    return classes if labels == "all" else ends_of(d.hierarchy, classes)


def expected_of(
    measure: Measure, d: Distribution, predicted: frozenset[str], values: Sequence[Mapping[str, float]]
) -> ExpectedValue:
    """The expected value of a measure, from the values by key at each event."""
    rows = (EventValue(event, each[measure.key]) for event, each in zip(d.events, values, strict=True))
    return ExpectedValue(measure, predicted, tuple(rows))
