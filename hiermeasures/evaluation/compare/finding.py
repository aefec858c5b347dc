"""Find instances of prediction files, the most extreme first.

They are the instances where a condition is true, where two measures prefer different systems, or
where they disagree about one system. Values come from existing reports, and
hiermeasures.hierarchy.expressions has the conditions. hiermeasures.debug.find finds the smallest
made-up instance.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.own import called, named_value

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation import Report

CLOSE = 1e-9
BY_MARGIN = (
    "by the margin of the condition: the difference between the sides of a comparison (the smallest "
    "for “and”, the largest for “or”)"
)
BY_ADVANTAGE = (
    "by the smaller of the two advantages, each divided by its measure's largest advantage on any "
    "instance"
)
_OF_SYSTEM = re.compile(r"_([1-9])$")


@dataclass(frozen=True)
class FoundInstances:
    """Instances found in some reports.

    Attributes
    ----------
    table : DataFrame, indexed by id
        The most extreme instances first. Its columns are `number` (position in the reports),
        `extreme`, and the requested values (`columns`).
    columns : tuple of str
    by : str
        The meaning of `extreme`, in words.
    instances : int
        The number of all instances.
    undefined : int
        The number of instances that cannot be judged, because they miss a value.
    """

    table: "pd.DataFrame"
    columns: tuple[str, ...]
    by: str
    instances: int
    undefined: int


@dataclass(frozen=True)
class Condition:
    """A condition on instances, such as `hF > 0.6 and F_LCA < 0.5`.

    `names` has the measure and the system of each name. `hF` is a value of the first system, and
    `hF_2` a value of the second.
    """

    expression: Expression
    names: Mapping[str, tuple[Measure, int]]

    @classmethod
    def of(cls, text: str, systems: int, defined: Mapping[str, Measure]) -> "Condition":
        """Read a condition about a number of systems, or raise ExpressionError."""
        expression = Expression(text)
        expression.must_be(condition=True)
        names = {}
        for name, node in expression.used.items():
            ending = None if name in defined else _OF_SYSTEM.search(name)
            number = int(ending[1]) if ending else 1
            if number > systems:
                there = "one system" if systems == 1 else f"{systems} systems"
                raise expression.fault(
                    f"you gave only {there}. Number {number} does not exist", *node.place
                )
            names[name] = (
                named_value(expression, name, defined, ending[0] if ending else ""),
                number - 1,
            )
        if not names:
            raise expression.fault("names no measure")
        return cls(expression, names)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures in the condition, each once."""
        return tuple({measure.key: measure for measure, _ in self.names.values()}.values())


def where(reports: Sequence["Report"], condition: Condition) -> FoundInstances:
    """Find the instances where a condition is true.

    Parameters
    ----------
    reports : sequence of Report
        Reports over the same instances, one for each system.
    condition : Condition

    Returns
    -------
    FoundInstances

    Raises
    ------
    InputError
        If a report has only sums or not the values that the condition needs.

    See Also
    --------
    disagreeing : Find instances where two measures prefer different systems.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, evaluate
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("C", "D")])
    >>> report = evaluate(h, [{"D"}, {"B"}], [{"C"}, {"D"}], measures=["hF", "f1"])
    >>> where([report], Condition.of("hF < 0.9 and len_P == 1", 1, {})).table["extreme"].round(2).to_dict()
    {1: 0.5, 0: 0.1}
    """
    check_same_size(reports)
    columns = {name: values_of(reports[k], m) for name, (m, k) in condition.names.items()}
    n = len(reports[0])
    known = ~np.any([np.isnan(v) for v in columns.values()], axis=0)
    holds = condition.expression.over(columns, n) & known
    margin = condition.expression.margin(columns, n)
    return _found(reports[0], columns, extreme=margin, holds=holds, known=known, by=BY_MARGIN)


def disagreeing(reports: Mapping[str, "Report"], first: Measure, second: Measure) -> FoundInstances:
    """Find the instances where two measures prefer different systems.

    Parameters
    ----------
    reports : mapping from a system's name to its Report
        Two reports over the same instances.
    first, second : Measure

    Returns
    -------
    FoundInstances

    Raises
    ------
    InputError
        If there are not two reports, or if they have only sums or not the values of both measures.

    See Also
    --------
    where : Find the instances where a condition is true.
    disagreement : Compare two measures on one system.
    """
    if len(reports) != 2:
        raise InputError(f"you gave {len(reports)} systems. Give two to compare two measures.")
    (a, b), (one, other) = reports.keys(), reports.values()
    check_same_size([one, other])
    columns: dict[str, np.ndarray] = {}
    gains = []
    for measure in (first, second):
        mine, theirs = (values_of(report, measure) for report in (one, other))
        columns |= {f"{called(measure.key)}, {a}": mine, f"{called(measure.key)}, {b}": theirs}
        gains.append(mine - theirs if measure.better == "higher" else theirs - mine)
    known = ~np.any(np.isnan(gains), axis=0)
    shares = [gain / (np.nanmax(np.abs(gain), initial=0.0) or 1.0) for gain in gains]
    apart = (np.minimum(*np.abs(gains)) > CLOSE) & (np.sign(gains[0]) != np.sign(gains[1])) & known
    return _found(
        one, columns, extreme=np.minimum(*np.abs(shares)), holds=apart, known=known, by=BY_ADVANTAGE
    )


def disagreement(report: "Report", first: str, second: str) -> "pd.DataFrame":
    """Sort the instances of a report by how much two measures disagree, most first.

    Measures have different ranges. So an instance is placed by its *standing*, from 0 (the worst)
    to 1 (the best). This is the share of the instances that it beats by a measure. Ties count half.
    Instances without a value by either measure are left out.

    Parameters
    ----------
    report : Report
    first, second : str
        Keys of the measures.

    Returns
    -------
    DataFrame, indexed by id
        Its columns are `number` (position in the report), `first` and `second` (the values),
        `first_standing`, `second_standing` and `difference`. The difference is the first standing
        minus the second, from −1 to 1. The largest differences come first.

    Raises
    ------
    InputError
        If the report has only sums, or not the values of both measures.

    See Also
    --------
    disagreeing : Compare two measures on two systems.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation import evaluate
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("C", "D")])
    >>> report = evaluate(h, [{"D"}, {"B"}, {"B"}], [{"C"}, {"B", "D"}, {"A"}], measures=["hF", "SDL"])
    >>> disagreement(report, "hF", "SDL")["difference"].round(2).tolist()
    [-0.33, 0.17, 0.17]
    """

    table = report.per_instance[[first, second]].set_axis(["first", "second"], axis=1)
    table.insert(0, "number", range(len(report)))
    table = table.dropna()
    for side, key in (("first", first), ("second", second)):
        # values that differ only by the order of their sums are equal
        ranks = table[side].round(12).rank(ascending=report.measure(key).better == "higher")
        table[f"{side}_standing"] = (ranks - 0.5) / len(table)
    table["difference"] = table["first_standing"] - table["second_standing"]
    return table.sort_values("difference", key=abs, ascending=False, kind="stable")


def check_same_size(reports: Iterable["Report"]) -> None:
    """Refuse reports with different numbers of instances."""
    sizes = {len(report) for report in reports}
    if len(sizes) > 1:
        raise InputError(
            f"the systems were evaluated on different numbers of instances: {sorted(sizes)}. "
            "Evaluate them on equal instances."
        )


def values_of(report: "Report", measure: Measure) -> np.ndarray:
    """Return a measure of every instance.

    The report does not need to have the measure, but it must have the counts that the measure
    uses. Otherwise it raises InputError.
    """
    tables = report.kept.tables
    if missing := [
        s for name, (s, _) in measure.reads(report.options).items() if name not in tables
    ]:
        raise InputError(
            f"neither {shown(measure.key)} nor another measure of "
            f"{missing[0].family.title} was evaluated. Add one to the measures."
        )
    values: np.ndarray = np.asarray(measure.value(tables, report.options), float)
    return values


def not_evaluated(report: "Report", measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return the keys of measures that a report lacks to compute other measures."""
    missing: dict[str, None] = {}
    for measure in measures:
        for table in measure.reads(report.options):
            if table not in report.kept.tables:
                own = measure.key if measure.key in CATALOGUE else None
                reading = (key for key, m in CATALOGUE.items() if table in m.reads(report.options))
                missing[own or next(reading)] = None
    return tuple(missing)


def _found(
    report: "Report",
    columns: Mapping[str, np.ndarray],
    *,
    extreme: np.ndarray,
    holds: np.ndarray,
    known: np.ndarray,
    by: str,
) -> FoundInstances:
    from hiermeasures.evaluation.needs_pandas import pd

    rows = np.flatnonzero(holds)
    rows = rows[np.argsort(-extreme[rows], kind="stable")]
    ids = report.kept.ids
    values = {"number": np.arange(len(extreme)), "extreme": extreme, **columns}
    index = pd.Index([ids[k] for k in rows], name="id")
    table = pd.DataFrame({name: each[rows] for name, each in values.items()}, index=index)
    return FoundInstances(table, tuple(columns), by, len(holds), int((~known).sum()))
