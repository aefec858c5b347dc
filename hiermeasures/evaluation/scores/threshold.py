"""The threshold with the best value of a measure, chosen on labelled data and applied to other
data.

Choose it on validation data. If you choose it on the test data, the system looks better than it is.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiermeasures.evaluation.averages import Average
from hiermeasures.evaluation.encode import EncodedLabels, encode
from hiermeasures.evaluation.engine import evaluate
from hiermeasures.evaluation.results import Report
from hiermeasures.evaluation.scores.decide import decide
from hiermeasures.evaluation.scores.probabilities import ProbabilityTable
from hiermeasures.evaluation.scores.rules import RULES, check_threshold
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_list
from hiermeasures.measures import find_measure
from hiermeasures.measures.catalogue import Measure

GRID = tuple(k / 100 for k in range(101))
"""The thresholds to try by default."""
RULES_WITH_THRESHOLD = tuple(key for key, rule in RULES.items() if "at" in rule.parameters)


@dataclass(frozen=True, eq=False)
class ThresholdChoice:
    """The values of a measure at several thresholds, and the best of them.

    `choose_threshold` makes it.

    Attributes
    ----------
    thresholds : array of float
        The thresholds that were tried, rising.
    values : array of float
        The value of the measure at each, or nan if it is undefined.
    at, value : float
        The lowest threshold with the best value, and this value.
    settings : mapping
        The other settings of the rule.
    run : str
        How the values were computed, in words.
    """

    rule: str
    measure: Measure
    average: Average
    thresholds: np.ndarray
    values: np.ndarray
    settings: dict[str, Any]
    run: str

    @property
    def _best(self) -> int:
        values = self.values if self.measure.better == "higher" else -self.values
        return int(np.nanargmax(values))

    @property
    def at(self) -> float:
        """The lowest threshold with the best value."""
        return float(self.thresholds[self._best])

    @property
    def value(self) -> float:
        """The best value, on the validation data."""
        return float(self.values[self._best])

    @property
    def notes(self) -> tuple[str, ...]:
        """A hint if a threshold between 0 and the lowest one tried could be better."""
        tried = self.thresholds[self.thresholds > 0]
        if len(tried) and self.at <= tried[0]:
            words = f"the best threshold, {self.at:g}, is the lowest one tried. Try lower ones too"
            return (words,)
        return ()

    def decide(self, table: ProbabilityTable) -> EncodedLabels:
        """Return the most specific classes that the rule predicts at the chosen threshold."""
        return decide(table, self.rule, at=self.at, **self.settings)


def choose_threshold(
    table: ProbabilityTable,
    true: Any,
    measure: str = "hF",
    *,
    rule: str = "threshold",
    thresholds: Iterable[float] = GRID,
    average: Average = "samples",
    **settings: Any,
) -> ThresholdChoice:
    """Find the threshold at which a rule's predictions have the best value of a measure.

    Parameters
    ----------
    table : ProbabilityTable
        Probabilities of n instances, the validation data.
    true
        Their labels, as `evaluate` takes them.
    measure : str
        A key of the catalogue, or your own expression.
    rule : str
        A rule of `RULES` with a threshold. The default predicts each class that reaches it.
    thresholds : iterable of float
        The thresholds to try, from 0 to 1. By default 0, 0.01, …, 1.
    average : str
        An average of `evaluate`.
    **settings
        Settings of the rule (`paths="all"`) and of `evaluate`: options (`count_root=False`), or
        `progress`, which gets the number of evaluated instances over all thresholds, and their
        total.

    Returns
    -------
    ThresholdChoice

    Raises
    ------
    InputError
        For a rule without a threshold, a threshold outside 0 to 1, a measure that is undefined at
        all thresholds, and as `evaluate` does.

    See Also
    --------
    decide : Turn probabilities into labels.
    hiermeasures.evaluation.plots.plot_sweep : Draw the values at all thresholds.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> validation = ProbabilityTable.of(h, [[0.9, 0.1, 0.3, 0.6]], ["1", "2", "3", "4"])
    >>> choice = choose_threshold(validation, [{"4"}], "hF", count_root=False)
    >>> choice.at, choice.value
    (0.31, 1.0)
    >>> test = ProbabilityTable.of(h, [[0.7, 0.3, 0.5, 0.2]], ["1", "2", "3", "4"])
    >>> choice.decide(test).classes(h, 0)
    frozenset({'3'})
    """
    tried = _check_thresholds(rule, thresholds, settings)
    of_rule = {name: settings.pop(name) for name in RULES[rule].parameters if name in settings}
    how = {"measures": [measure], "average": average, **settings}
    values, run = _values_at(table, true, tried, (rule, of_rule), how)
    known: dict[str, Any] = {"values": values, "settings": of_rule, "run": run}
    return ThresholdChoice(rule, find_measure(measure), average, tried, **known)


def _check_thresholds(
    rule: str, thresholds: Iterable[float], settings: Mapping[str, Any]
) -> np.ndarray:
    """Return the thresholds to try, rising. InputError for a bad rule or threshold."""
    if rule not in RULES_WITH_THRESHOLD:
        check_known("rule", rule, RULES)
        raise InputError(
            f"the rule {rule} has no threshold. Use {write_list(RULES_WITH_THRESHOLD)}."
        )
    if "at" in settings:
        raise InputError(
            "choose_threshold finds `at` itself. Give the thresholds to try as thresholds=."
        )
    tried = np.unique([check_threshold(float(at)) for at in thresholds])
    if not len(tried):
        raise InputError("thresholds= is empty. Give at least one threshold to try.")
    return tried


def _values_at(
    table: ProbabilityTable,
    true: Any,
    tried: np.ndarray,
    rule: tuple[str, Mapping[str, Any]],
    how: dict[str, Any],
) -> tuple[np.ndarray, str]:
    """Return the value of a measure at each threshold of a rule, and how it was computed."""
    (measure,), (key, of_rule) = how["measures"], rule
    truth = encode(table.hierarchy, true, name="the true labels")
    predictions = (decide(table, key, at=at, **of_rule) for at in tried.tolist())
    values, run = np.empty(len(tried)), ""
    reports = _evaluate_each(table.hierarchy, truth, predictions, len(tried), how)
    for k, report in enumerate(reports):
        values[k], run = report[measure], run or report.describe_run(measure)
    if np.isnan(values).all():
        raise InputError(
            f"{find_measure(measure).name} (average {how['average']}) is undefined at every "
            "threshold. Choose another measure or average."
        )
    return values, run


def _evaluate_each(
    h: Hierarchy,
    true: EncodedLabels,
    predictions: Iterable[EncodedLabels],
    count: int,
    how: dict[str, Any],
) -> Iterator[Report]:
    """Yield a report for each of `count` predictions. Equal neighbours are evaluated once."""
    progress = how.pop("progress", None)
    before: EncodedLabels | None = None
    for k, predicted in enumerate(predictions):
        if before is None or not _are_equal(before, predicted):
            done = k * len(true)
            watch = progress and (lambda i, _, done=done: progress(done + i, count * len(true)))
            report = evaluate(h, true, predicted, progress=watch, **how)
        before = predicted
        yield report


def _are_equal(a: EncodedLabels, b: EncodedLabels) -> bool:
    return np.array_equal(a.ptr, b.ptr) and np.array_equal(a.idx, b.idx)
