"""Where two measures disagree about one system: which instances stand high by one measure and low by the other."""

from typing import TYPE_CHECKING

from hiermeasures.measures import Measure

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.batch import Report


def disagreement(report: "Report", first: str, second: str) -> "pd.DataFrame":
    """The instances of a report, those on which two measures disagree most first.

    Measures have different ranges, so an instance is placed by its *standing*: the share of the instances that it beats
    by a measure, ties counted half, from 0 (the worst) to 1 (the best). Instances without a value by either measure are
    left out.

    Parameters
    ----------
    report : Report
        With its instances kept.
    first, second : str
        Keys of two evaluated measures.

    Returns
    -------
    DataFrame
        Indexed by id; columns `number` (position in the report), `first` and `second` (the values), `first_standing`
        and `second_standing`, and `difference` (of the standings: first minus second, from −1 to 1), by falling size of
        the difference.

    Raises
    ------
    InputError
        For a measure that was not evaluated.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.batch import evaluate
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("C", "D")])
    >>> report = evaluate(h, [{"D"}, {"B"}, {"B"}], [{"C"}, {"B", "D"}, {"A"}], measures=["hF", "SDL"])
    >>> disagreement(report, "hF", "SDL")["difference"].round(2).tolist()
    [-0.33, 0.17, 0.17]
    """
    import pandas as pd

    measures = report.measure(first), report.measure(second)
    values = report.instance_values()
    table = pd.DataFrame(
        {"number": range(len(report)), "first": values[first], "second": values[second]},
        index=pd.Index(report.kept.ids, name="id"),
    ).dropna()
    table["first_standing"] = _standing(measures[0], table["first"])
    table["second_standing"] = _standing(measures[1], table["second"])
    table["difference"] = table["first_standing"] - table["second_standing"]
    return table.sort_values("difference", key=abs, ascending=False, kind="stable")


def _standing(measure: Measure, values: "pd.Series") -> "pd.Series":
    # Values that differ only by the order of their sums are equal.
    ranks = values.round(12).rank(ascending=measure.better == "higher")
    return (ranks - 0.5) / len(values)
