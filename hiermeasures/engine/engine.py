"""`evaluate`: measures over whole batches of instances, or over tables that are too large to
be held; and at every rank.

What a measure means is defined by `explain`, to which tests hold this engine.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from hiermeasures.core.errors import InputError, check_known, repeated
from hiermeasures.core.frames import is_table, plain
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.option_types import Settings
from hiermeasures.core.options import Options
from hiermeasures.engine.answers import Fitted, Policy, Rules, fit
from hiermeasures.engine.batch import (
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
from hiermeasures.engine.encode import UnknownPolicy
from hiermeasures.engine.results import Average, Report
from hiermeasures.engine.run_signature import ARGMAX, Run
from hiermeasures.formats.one_table import columns_of, rows_of
from hiermeasures.measures import Measure

if TYPE_CHECKING:
    import pandas as pd


class Reading(Settings, total=False):
    """Arguments of `evaluate` by keyword, but for `measures` and `predicted`, as types; a test holds them to it."""

    true: str | None
    taxonomy: Hierarchy | None
    paths: str | None
    codes: str | Sequence[int] | None
    separator: str | None
    normalise: Iterable[str] | bool
    define: Mapping[str, str] | None
    average: Average
    columns: tuple[str, str]
    cluster: Any
    ids: Sequence[Any] | None
    classes: Sequence[str] | Mapping[Any, str] | None
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


Asked = Iterable[str | Measure] | str | None


@overload
def evaluate(
    hierarchy: Any,
    y_true: Any = None,
    y_pred: Any = None,
    *,
    predicted: str = ...,
    measures: Asked = None,
    **how: Unpack[Reading],
) -> Report: ...
@overload
def evaluate(
    hierarchy: Any, *, predicted: list[str] | tuple[str, ...], measures: Asked = None, **how: Unpack[Reading]
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
    normalise: Iterable[str] | bool = (),
    measures: Asked = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    columns: tuple[str, str] = ("true", "predicted"),
    cluster: Any = None,
    ids: Sequence[Any] | None = None,
    classes: Sequence[str] | Mapping[Any, str] | None = None,
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
        With `true` and `predicted` one table of pandas, polars or Arrow in its place, which has
        both sides: the hierarchy is made from its labels.
    y_true, y_pred : list, array, matrix, frame or EncodedLabels
        The true and predicted classes of the same n instances: lists of label sets, arrays with a
        label per level, or numbers with `classes`, also as columns or tables of pandas, polars or
        Arrow and as arrays of torch, jax or CuPy; see `encode`. Or, in place of both, a Dask
        dataframe, a folder of Parquet files or one file, of which only sums are kept.
    true, predicted : str
        Columns of the table; several predicted ones, in a list, are several systems, and the result
        is a dictionary of their reports. A cell is a label, a list of labels, or empty.
    taxonomy : Hierarchy, optional
        Decides which classes a table's labels may name; without one the true labels do.
    paths, codes : str, optional
        What separates the parts of labels that are paths, or codes; `codes` may also be numbers of
        letters and digits, (1, 2, 3, 4). Found by looking at the labels where not given, and told
        in the notes.
    separator : str, optional
        What separates several labels in a cell.
    normalise : True, or some of "case", "blanks", "unicode", "quotes", "signs"
        Differences that are overlooked; the report lists every label that was changed. True is all
        but "signs".
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
        one-dimensional whole numbers are indices. Text is a name all the same.
    threshold : float, optional
        `y_pred` is a matrix of scores: the classes above this are predicted.
    argmax : bool
        `y_pred` is a matrix of scores: the class with the largest is predicted, the first of
        several.
    unknown : "error", "wrong", "prefix", "nearest" or "drop"
        Labels that are no classes raise an InputError ("error", the default; also "fail"); count as
        a wrong class under the root ("wrong", the default of tables), as the deepest class on their
        path ("prefix") or as the class whose name is most alike ("nearest"), and where there is
        none as wrong; or are left out ("drop"): the rest of an instance is scored as if they had
        not been there, so that a wrong one costs nothing. The report's `notes` say how many.
    keep_instances : bool
        Keep values and labels per instance in the report. Without, it needs no more memory for more
        instances.
    n_jobs : int, optional
        Threads, and processes for large batches that no kernel fills; all available cores by
        default, as for −1.
    chunk : int
        Instances computed at a time by a thread.
    progress : callable, optional
        Called with (instances done, instances in all) from the calling thread.
    announce : callable, optional
        Called with a sentence if kernels have to be compiled first, which happens once on a
        machine; printed to stderr by default.
    explain_up_to : int, optional
        Batches of at most so many instances are left to the builders of `explain`. By default 250;
        and, while a kernel is still to be compiled, batches whose labels have, with those before
        them, at most 25,000 ancestors for each second that this takes: some thousands of instances.
        All where numba is not installed. Whoever computes many small batches gives 0.
        Values of `explain` and of kernels may differ in the last bits: those of `partial` are the
        default's once the kernels are compiled.
    options : Options, optional
        Or as keyword arguments, as for `explain`.
    like : str, optional
        A report's `signature`: the same measures, average, options and policies, of which none is
        given otherwise.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        For labels in no accepted form, numbers that may mean several things, unknown labels, sides
        of different length, unknown measures or options, and a signature that cannot be taken back.

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
    (0.5, [1])
    """
    for name in settings:  # an argument that is misspelt, too, comes as a setting
        check_known("option", name, (*Options.model_fields, *(evaluate.__kwdefaults__ or ())))
    if like is not None:
        return _evaluated_like(Run.read(like), dict(locals()))
    common: dict[str, Any] = {"measures": measures, "define": define, "average": average, "n_jobs": n_jobs}
    common |= {"options": options, **settings}
    numbers: dict[str, Any] = {"classes": classes, "threshold": threshold, "argmax": argmax}
    no_numbers = classes is None and threshold is None and not argmax
    if true is not None or predicted is not None or unknown not in (None, "error", "fail", "drop"):
        common |= {"keep_instances": keep_instances, "chunk": chunk, "progress": progress, "ids": ids}
        common |= {"announce": announce, "explain_up_to": explain_up_to}
        made = Options.make(options, **settings)
        rules = Rules.of(unknown or "wrong", paths=paths, codes=codes, normalise=normalise, options=made)
        if true is None and predicted is None:
            check_hierarchy(hierarchy)
            sides = named_sides(y_true, y_pred, **numbers)
            expected, answers = (rows_of(side, name) for side, name in zip(sides, ("y_true", "y_pred"), strict=True))
            report = _reports(fit(expected, {"y_pred": answers}, rules, hierarchy), common)["y_pred"]
            return replace(report, scores=_scores(threshold, argmax))
        if not no_numbers:
            raise InputError("a table's labels are names; classes=, threshold= and argmax= are for arrays")
        names = [predicted] if isinstance(predicted, str) else list(predicted or ())
        if true is None or not names or y_true is not None:
            raise InputError(
                "a table has both sides and stands first, with a hierarchy as taxonomy=: name its columns by true= and "
                "predicted="
            )
        labels = columns_of(hierarchy, [true, *names], separator)
        reports = _reports(fit(labels[true], {name: labels[name] for name in names}, rules, taxonomy), common)
        return reports[predicted] if isinstance(predicted, str) else reports
    check_hierarchy(hierarchy)
    policy: UnknownPolicy = "drop" if unknown == "drop" else "fail"
    if y_pred is None and is_table(y_true):
        from hiermeasures.engine.tables import Asked as AskedOfTable
        from hiermeasures.engine.tables import partial_of_table

        if ids is not None or not no_numbers:
            raise InputError("ids and classes are for labels in arrays; a table has its labels by name in two columns")
        return partial_of_table(AskedOfTable(hierarchy, columns, policy, common), y_true, cluster, progress).report()
    request = Request.of(measures, define, average, Options.make(options, **settings))
    sides = encoded_sides(hierarchy, y_true, y_pred, unknown=policy, **numbers)
    workers = Workers(n_jobs, chunk, progress, announce, explain_up_to)
    report = report_of(hierarchy, request, sides, workers, _checked_ids(ids, len(sides[0])))
    report = replace(report, scores=_scores(threshold, argmax))
    return report if keep_instances else without_instances(report)


def _scores(threshold: float | None, argmax: bool) -> str:
    """The rule by which classes were predicted from scores, as in a signature; empty where there were none."""
    return ARGMAX if argmax else "" if threshold is None else str(threshold)


def _evaluated_like(run: Run, given: dict[str, Any]) -> Report | dict[str, Report]:
    """Evaluate as a run was; `given` are the arguments of `evaluate`, of which none may say otherwise."""
    settings = given.pop("settings")
    defaults = {name: parameter.default for name, parameter in inspect.signature(evaluate).parameters.items()}
    for name in (*settings, *run.arguments, "threshold", "argmax"):
        if name in settings or given[name] != defaults[name]:
            raise InputError(f"like= says how {name} is: leave {name}= out")
    found = evaluate(**{**given, **run.arguments, "like": None})
    if isinstance(found, Report):
        return replace(found, like_n=run.n)
    return {name: replace(report, like_n=run.n) for name, report in found.items()}


def _reports(fitted: Fitted, arguments: Mapping[str, Any]) -> dict[str, Report]:
    return {
        name: replace(evaluate(fitted.hierarchy, fitted.true, labels, **arguments), answers=fitted.answers[name])
        for name, labels in fitted.predicted.items()
    }


_AT_RANK = {"precision": "rank_P", "recall": "rank_R", "f1": "rank_F"}


def by_rank(hierarchy: Hierarchy, y_true: Any, y_pred: Any, **settings: Any) -> "pd.DataFrame":
    """Precision, recall and F at every rank, read off the counts of all instances (Bokulich et al.
    2018).

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true, y_pred :
        As for `evaluate`.
    settings :
        Options, and what else `evaluate` takes, but `measures`, `average` and `rank`.

    Returns
    -------
    DataFrame
        A row for each level below the root: TP, FP, FN, precision, recall, f1.

    Examples
    --------
    Of two finches one is called a finch of another kind, one only a bird:

    >>> h = Hierarchy.from_nested({"Animal": {"Bird": {"Finch": ["Siskin", "Serin"]}}})
    >>> table = by_rank(h, [{"Siskin"}, {"Siskin"}], [{"Serin"}, {"Bird"}])
    >>> table.precision.tolist(), table.recall.tolist()
    ([1.0, 1.0, 0.0], [1.0, 0.5, 0.0])
    """
    import pandas as pd

    names = {key: settings.pop(key) for key in READING if key in settings}
    sides, rows = encoded_sides(hierarchy, y_true, y_pred, **names), {}
    for rank in range(1, hierarchy.depth + 1):
        report = evaluate(hierarchy, *sides, measures=_AT_RANK.values(), average="micro", rank=rank, **settings)
        rows[rank] = {**report.counts["ranks"], **{name: report[key] for name, key in _AT_RANK.items()}}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("rank")


def _checked_ids(ids: Sequence[Any] | None, n: int) -> Any:
    names = range(n) if ids is None else ids if isinstance(ids, range) else plain(ids)
    if len(names) != n:
        raise InputError(f"there are {len(names)} ids for {n} instances")
    if not isinstance(names, range) and (fault := repeated("id", names)):
        raise InputError(fault)
    return names
