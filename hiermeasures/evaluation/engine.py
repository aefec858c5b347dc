"""`evaluate` and `by_rank`: measures over batches of instances, or tables too large for memory.

`explain` defines the measures; tests compare this engine with it.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from hiermeasures.evaluation.answers import ClassesOf, Fitted, Policy, Rules, fit
from hiermeasures.evaluation.batch import (
    CHUNK,
    READING,
    Progress,
    Request,
    Workers,
    check_hierarchy,
    encoded_sides,
    named_sides,
    report_of,
    without_instances,
)
from hiermeasures.evaluation.encode import UnknownPolicy
from hiermeasures.evaluation.results import Average, Report
from hiermeasures.evaluation.run_signature import ARGMAX, AT_LEAST, Run
from hiermeasures.hierarchy.errors import InputError, check_known, repeated
from hiermeasures.hierarchy.frames import is_table, plain
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, Settings
from hiermeasures.measures import Measure
from hiermeasures.read.one_table import columns_of, rows_of

if TYPE_CHECKING:
    import pandas as pd


class EvaluateArguments(Settings, total=False):
    """Types of `evaluate`'s keyword arguments except `measures` and `predicted` (a test checks)."""

    true: str | None
    taxonomy: Hierarchy | None
    paths: str | None
    codes: str | Sequence[int] | None
    separator: str | None
    normalise: Iterable[str] | str | bool
    define: Mapping[str, str] | None
    average: Average
    columns: tuple[str, str]
    cluster: Any
    ids: Sequence[Any] | None
    classes: Sequence[str] | Mapping[Any, str] | ClassesOf | None
    threshold: float | None
    argmax: bool
    unknown: Policy | UnknownPolicy | None
    keep_instances: bool
    n_jobs: int | None
    chunk: int
    progress: Progress | None
    announce: Callable[[str], None] | None
    explain_up_to: int | None
    options: Options | None
    like: str | None


TableRequest = Iterable[str | Measure] | str | None


@overload
def evaluate(
    hierarchy: Any,
    y_true: Any = None,
    y_pred: Any = None,
    *,
    predicted: str = ...,
    measures: TableRequest = None,
    **how: Unpack[EvaluateArguments],
) -> Report: ...
@overload
def evaluate(
    hierarchy: Any,
    *,
    predicted: list[str] | tuple[str, ...],
    measures: TableRequest = None,
    **how: Unpack[EvaluateArguments],
) -> dict[str, Report]: ...
def evaluate(
    hierarchy: Any,
    y_true: Any = None,
    y_pred: Any = None,
    *,
    true: str | None = None,
    predicted: str | Sequence[str] | None = None,
    taxonomy: Hierarchy | None = None,
    paths: str | None = None,
    codes: str | Sequence[int] | None = None,
    separator: str | None = None,
    normalise: Iterable[str] | str | bool = (),
    measures: TableRequest = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    columns: tuple[str, str] = ("true", "predicted"),
    cluster: Any = None,
    ids: Sequence[Any] | None = None,
    classes: Sequence[str] | Mapping[Any, str] | ClassesOf | None = None,
    threshold: float | None = None,
    argmax: bool = False,
    unknown: Policy | UnknownPolicy | None = None,
    keep_instances: bool = True,
    n_jobs: int | None = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
    explain_up_to: int | None = None,
    options: Options | None = None,
    like: str | None = None,
    **settings: Any,
) -> Report | dict[str, Report]:
    """Measures over a batch of instances.

    Parameters
    ----------
    hierarchy : Hierarchy or frame
        With `true` and `predicted`, one table of pandas, polars or Arrow that has both sides; the
        hierarchy is made from its labels.
    y_true, y_pred : list, array, matrix, frame or EncodedLabels
        The true and predicted classes of the same n instances: lists of label sets, arrays with a
        label per level, or numbers with `classes`, also as columns or tables of pandas, polars or
        Arrow and as arrays of torch, jax or CuPy; see `encode`. Or, in place of both, a Dask
        dataframe, a folder of Parquet files or one file, of which only sums are kept.
    true, predicted : str
        Columns of the table; several predicted ones, in a list, are several systems, and the result
        is a dictionary of their reports. A cell is a label, a list of labels, or empty.
    taxonomy : Hierarchy, optional
        Decides which classes a table's labels may name; without one the labels do (`classes`).
    paths, codes : str, optional
        Separator of the parts of labels that are paths, or codes; `codes` may also be the numbers
        of letters and digits after which each level ends, (1, 2, 3, 4). By default both are found
        in the labels, and the notes tell them.
    separator : str, optional
        Separator of several labels in a cell.
    normalise : "all", or some of "case", "blanks", "unicode", "quotes", "signs"
        Differences between labels to ignore; the report lists every label that was changed. True
        is "all".
    measures : iterable of str or Measure, optional
        Keys of the catalogue, names of several measures ("core", the default, "all", a tier's or a
        family's; see `find_measures`), or measures of one's own.
    define : mapping of str to str, optional
        Own measures, expressions by name, evaluated beside the others; see `explain` and
        docs/expressions.md.
    average : "samples", "micro" or "macro"
        What `report[key]` is; `report.averages` has all three.
    columns : pair of str
        The true and the predicted classes in a Dask dataframe or Parquet files: lists of names, or
        one name each.
    cluster : distributed.Client, "local" or an address, optional
        Whose workers evaluate these. By default Parquet files are read here, row group by row
        group, and a Dask dataframe is evaluated by the client that there is, or by threads. On a
        cluster `progress` counts tasks.
    ids : sequence, optional
        Names of the instances, each once; 0 … n − 1 by default.
    classes : sequence of str, or mapping of indices to str, optional
        The class of each column of indicator matrices and scores, and of each index: with it
        one-dimensional whole numbers are indices. Text is a name all the same. A DataFrame of
        numbers whose columns are class names does not need it. Of a table whose labels are paths
        or codes: "all" (the default) if classes that only answers name exist, or "truth".
    threshold : float, optional
        `y_pred` is a matrix of scores: the classes of this score or more are
        predicted, a score of exactly this among them.
    argmax : bool
        `y_pred` is a matrix of scores: the class with the largest is predicted, the first of
        several.
    unknown : "error", "wrong", "prefix", "nearest" or "drop"
        Treatment of labels that are not classes; the report's `notes` count them. "error" (the
        default; also "fail") raises an InputError. "wrong" (the default of tables) counts them as a
        wrong class, and as the deepest class on their path if there is one. "prefix" counts them as
        the deepest class on their path and "nearest" as the one class with the most similar name;
        where there is none, as "wrong" does. "drop" leaves them out and scores the rest of the
        instance, so that a wrong label costs nothing.
    keep_instances : bool
        Keep values and labels per instance in the report. If False, its memory does not grow with
        the number of instances.
    n_jobs : int, optional
        Number of threads; all available cores by default and for −1.
    chunk : int
        Instances computed at a time by a thread.
    progress : callable, optional
        Called with (instances done, instances in all) from the calling thread.
    announce : callable, optional
        Called with a sentence if kernels have to be compiled first, which happens once on a
        machine; printed to stderr by default.
    explain_up_to : int, optional
        Largest number of instances that is computed by the builders of `explain` rather than by
        kernels. By default, loaded kernels compute every batch. Before that, `explain` computes as
        many instances of a process as it can in the time that loading the kernels takes (some
        hundred), or compiling them (some thousand). Where edges or classes do not weigh 1, values
        of `explain` and of kernels may differ in the last bits.
    options : Options, optional
        Or as keyword arguments, as for `explain`.
    like : str, optional
        A report's `signature`, which sets measures, average, options and policies as there; none of
        these may be given beside it.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        For labels in no accepted form, numbers with several possible meanings, unknown labels,
        sides of different length, unknown measures or options, and a signature that cannot be read.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> report = evaluate(h, [{"T1"}, {"C"}], [{"P1", "P2"}, {"C"}], measures=["hF", "SDL"])
    >>> round(report["hF"], 3), report["SDL"]
    (0.786, 1.5)
    >>> report.per_instance["SDL"].tolist()
    [3.0, 0.0]
    >>> import pandas as pd
    >>> table = pd.DataFrame({"category": ["A > B", "A > C"], "answer": ["A > B", "A > D"]})
    >>> report = evaluate(table, true="category", predicted="answer", measures="hF")
    >>> report["hF"], report.answers.rows["unknown"].tolist()
    (0.75, [1])
    """
    for name in settings:  # a misspelt argument is also among the settings
        check_known("option", name, (*Options.model_fields, *(evaluate.__kwdefaults__ or ())))
    if like is not None:
        return _evaluated_like(Run.read(like), dict(locals()))
    common: dict[str, Any] = {
        "measures": measures,
        "define": define,
        "average": average,
        "n_jobs": n_jobs,
    }
    common |= {"options": options, **settings}
    numbers: dict[str, Any] = {"classes": classes, "threshold": threshold, "argmax": argmax}
    no_numbers = classes is None and threshold is None and not argmax
    if true is not None or predicted is not None or unknown not in (None, "error", "fail", "drop"):
        common |= {
            "keep_instances": keep_instances,
            "chunk": chunk,
            "progress": progress,
            "ids": ids,
        }
        common |= {"announce": announce, "explain_up_to": explain_up_to}
        made = Options.make(options, **settings)
        first = 0 if true is None and predicted is None else 1
        named = classes if isinstance(classes, str) else None
        if named is not None:
            numbers["classes"], no_numbers = None, threshold is None and not argmax
        rules = Rules.of(
            unknown or "wrong",
            paths=paths,
            codes=codes,
            normalise=normalise,
            first=first,
            options=made,
            classes=named or "all",
        )
        if true is None and predicted is None:
            check_hierarchy(hierarchy)
            sides = named_sides(y_true, y_pred, **numbers)
            expected, answers = (
                rows_of(side, name) for side, name in zip(sides, ("y_true", "y_pred"), strict=True)
            )
            report = _reports(fit(expected, {"y_pred": answers}, rules, hierarchy), common)[
                "y_pred"
            ]
            return replace(report, scores=_scores(threshold, argmax))
        if not no_numbers:
            raise InputError(
                "a table's labels are names; classes=, threshold= and argmax= are for arrays"
            )
        names = [predicted] if isinstance(predicted, str) else list(predicted or ())
        if true is None or not names or y_true is not None:
            raise InputError(
                "a table has both sides and stands first, with a hierarchy as taxonomy=: name its "
                "columns by true= and "
                "predicted="
            )
        labels = columns_of(hierarchy, [true, *names], separator)
        reports = _reports(
            fit(labels[true], {name: labels[name] for name in names}, rules, taxonomy), common
        )
        return reports[predicted] if isinstance(predicted, str) else reports
    check_hierarchy(hierarchy)
    policy: UnknownPolicy = "drop" if unknown == "drop" else "fail"
    if y_pred is None and is_table(y_true):
        from hiermeasures.evaluation.tables import TableRequest as AskedOfTable
        from hiermeasures.evaluation.tables import partial_of_table

        if ids is not None or not no_numbers:
            raise InputError(
                "ids and classes are for labels in arrays; a table has its labels by name in "
                "two columns"
            )
        return partial_of_table(
            AskedOfTable(hierarchy, columns, policy, common), y_true, cluster, progress
        ).report()
    request = Request.of(measures, define, average, Options.make(options, **settings))
    sides = encoded_sides(hierarchy, y_true, y_pred, unknown=policy, **numbers)
    workers = Workers(n_jobs, chunk, progress, announce, explain_up_to)
    report = report_of(hierarchy, request, sides, workers, _checked_ids(ids, len(sides[0])))
    report = replace(report, scores=_scores(threshold, argmax))
    return report if keep_instances else without_instances(report)


def _scores(threshold: float | None, argmax: bool) -> str:
    """Return the rule that made classes of scores, as signatures write it; "" without scores."""
    return ARGMAX if argmax else "" if threshold is None else f"{AT_LEAST}{threshold}"


def _evaluated_like(run: Run, given: dict[str, Any]) -> Report | dict[str, Report]:
    """Evaluate with a run's settings; refuse those also `given` as arguments of `evaluate`."""
    settings = given.pop("settings")
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(evaluate).parameters.items()
    }
    for name in (*settings, *run.arguments, "threshold", "argmax"):
        if name in settings or given[name] != defaults[name]:
            raise InputError(f"like= already sets {name}: leave {name}= out")
    found = evaluate(**{**given, **run.arguments, "like": None})
    if isinstance(found, Report):
        return replace(found, like_n=run.n)
    return {name: replace(report, like_n=run.n) for name, report in found.items()}


def _reports(fitted: Fitted, arguments: Mapping[str, Any]) -> dict[str, Report]:
    return {
        name: replace(
            evaluate(fitted.hierarchy, fitted.true, labels, **arguments),
            answers=fitted.answers[name],
        )
        for name, labels in fitted.predicted.items()
    }


_AT_RANK = {"precision": "rank_P", "recall": "rank_R", "f1": "rank_F"}


def by_rank(hierarchy: Hierarchy, y_true: Any, y_pred: Any, **settings: Any) -> "pd.DataFrame":
    """Return precision, recall and F at every rank, computed from summed counts (Bokulich et al.
    2018).

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true, y_pred :
        As for `evaluate`.
    settings :
        Options and other arguments of `evaluate`, except `measures`, `average` and `rank`.

    Returns
    -------
    DataFrame
        A row for each level below the root: TP, FP, FN, precision, recall, f1.

    Examples
    --------
    Two siskins; one is predicted as a serin, one only as a bird:

    >>> h = Hierarchy.from_nested({"Animal": {"Bird": {"Finch": ["Siskin", "Serin"]}}})
    >>> table = by_rank(h, [{"Siskin"}, {"Siskin"}], [{"Serin"}, {"Bird"}])
    >>> table.precision.tolist(), table.recall.tolist()
    ([1.0, 1.0, 0.0], [1.0, 0.5, 0.0])
    """
    import pandas as pd

    names = {key: settings.pop(key) for key in READING if key in settings}
    sides, rows = encoded_sides(hierarchy, y_true, y_pred, **names), {}
    for rank in range(1, hierarchy.depth + 1):
        report = evaluate(
            hierarchy, *sides, measures=_AT_RANK.values(), average="micro", rank=rank, **settings
        )
        rows[rank] = {
            **report.counts["ranks"],
            **{name: report[key] for name, key in _AT_RANK.items()},
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("rank")


def _checked_ids(ids: Sequence[Any] | None, n: int) -> Any:
    names = range(n) if ids is None else ids if isinstance(ids, range) else plain(ids)
    if len(names) != n:
        raise InputError(f"there are {len(names)} ids for {n} instances")
    if not isinstance(names, range) and (fault := repeated("id", names)):
        raise InputError(fault)
    return names
