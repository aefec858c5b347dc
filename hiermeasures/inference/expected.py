"""Expected values: what a measure is worth, on average over everything that can be the truth, for one prediction.

A value is the sum over the events of a distribution of probability times the measure as `explain` defines it; every
term is kept. Which prediction has the best one is searched in optimal.py.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from hiermeasures.errors import InputError, unknown
from hiermeasures.inference.events import Distribution, Event, closed, ends_of
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import Measure, number
from hiermeasures.measures.explain import Explanation, explain, find_measure
from hiermeasures.options import Options

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
    """The expected value of a measure for one prediction, with one row for each event. nan where the measure is
    undefined.
    """

    measure: Measure
    predicted: frozenset[str]
    rows: tuple[EventValue, ...]

    @property
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
    """A measure's expected value for a prediction beside the value it has if a chosen truth holds (nan where none is
    chosen).
    """

    measure: Measure
    expected: ExpectedValue
    realised: float


@dataclass(frozen=True)
class Assessment:
    """Every asked-for measure of one prediction: expected, and realised for a chosen truth. Made by `assess`."""

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
    **settings: Any,
) -> ExpectedValue:
    """The expected value of a measure for a prediction (Plaud et al. 2024, Eq. 2, without the arg min).

    Parameters
    ----------
    distribution : Distribution
    predicted : iterable of str
        The predicted classes. The root is implied and left out.
    measure : str
        A key of the catalogue.
    labels : "all" or "most_specific"
        What the measure is given, of the events and of the prediction: all classes (as Plaud et al. do), or the most
        specific ones only (as pair-based measures are meant).
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
    >>> from hiermeasures.inference import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}))
    >>> round(expected_value(d, {"1", "5"}, "hF", count_root=False).value, 4)
    0.55
    """
    found = find_measure(measure)
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    classes = distribution.hierarchy.check(predicted)
    (rows,) = rows_of([found], _explained(distribution, classes, labels, chosen))
    return ExpectedValue(found, classes, _zipped(distribution, rows))


def assess(
    distribution: Distribution,
    predicted: Iterable[str],
    true: Iterable[str] | None = None,
    measures: Iterable[str] | None = None,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Any,
) -> Assessment:
    """Expected values of a prediction beside realised ones for a chosen truth, for several measures (all of the
    catalogue).

    `true` is augmented with its ancestors, as events are; None where no truth is chosen. Otherwise as `expected_value`.
    """
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    h = distribution.hierarchy
    keys = [find_measure(m) for m in (CATALOGUE if measures is None else measures)]
    classes = h.check(predicted)
    truth = None if true is None else closed(h, true)
    columns = rows_of(keys, _explained(distribution, classes, labels, chosen))
    real = None if truth is None else explain(h, *_given(distribution, truth, classes, labels), options=chosen)
    rows = tuple(
        AssessedMeasure(
            m, ExpectedValue(m, classes, _zipped(distribution, column)), math.nan if real is None else real[m.key]
        )
        for m, column in zip(keys, columns, strict=True)
    )
    return Assessment(classes, truth, rows)


def rows_of(measures: Sequence[Measure], explained: Sequence[Mapping[str, float]]) -> list[list[float]]:
    """For each measure its value at each event."""
    return [[x[m.key] for x in explained] for m in measures]


def _explained(d: Distribution, predicted: frozenset[str], labels: Labels, options: Options) -> list[Explanation]:
    return [explain(d.hierarchy, *_given(d, e.classes, predicted, labels), options=options) for e in d.events]


def _given(
    d: Distribution, true: frozenset[str], predicted: frozenset[str], labels: str
) -> tuple[frozenset[str], frozenset[str]]:
    check_labels(labels)
    predicted = predicted - {d.hierarchy.root}
    if labels == "all":
        return true, predicted
    return ends_of(d.hierarchy, true), ends_of(d.hierarchy, predicted)


def check_labels(labels: str) -> None:
    """InputError for an unknown choice of labels; the nearest is named."""
    if labels not in get_args(Labels):
        raise InputError(unknown("choice of labels", str(labels), get_args(Labels)))


def _zipped(d: Distribution, values: Sequence[float]) -> tuple[EventValue, ...]:
    return tuple(EventValue(e, v) for e, v in zip(d.events, values, strict=True))
