"""`evaluate`, `evaluate_table` and `evaluate_files`: measures over many instances.

`explain` defines the measures. Tests compare this engine with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast, overload

from hiermeasures.evaluation.answers import ClassesOf, Fitted, Policy, Rules, choose_notation, fit
from hiermeasures.evaluation.averages import Average
from hiermeasures.evaluation.batch import (
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
from hiermeasures.evaluation.encode import Sides, UnknownPolicy
from hiermeasures.evaluation.results import Report
from hiermeasures.evaluation.run_signature import ARGMAX, AT_LEAST
from hiermeasures.evaluation.tasks import Engine
from hiermeasures.hierarchy.errors import InputError, check_known, repeated
from hiermeasures.hierarchy.frames import is_table, plain
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import DECLARED, Options, Settings, split_arguments
from hiermeasures.measures import Measure
from hiermeasures.read.one_table import columns_of, read_column

if TYPE_CHECKING:
    import pandas as pd

MeasureNames = Iterable[str | Measure] | str | None


class Labels(TypedDict, total=False):
    """Settings for reading labels. Each is also a keyword argument of `evaluate`.

    Parameters
    ----------
    classes : sequence of str, or mapping of indices to str, optional
        The class of each column of indicator matrices and scores, and of each index. If you give
        it, one-dimensional whole numbers are indices. Text is always a name. You can leave it out
        for a DataFrame of numbers with class names as columns. For a table with paths or codes it
        is "all" (the default) or "truth". With "truth", classes exist only if a true label names
        them.
    threshold : float, optional
        Predict every class with at least this score. `y_pred` is then a matrix of scores.
    argmax : bool, optional
        Predict the class with the largest score, or the first of several. `y_pred` is then a matrix
        of scores.
    unknown : "error", "wrong", "prefix", "nearest" or "drop", optional
        Treatment of labels that are not classes. The report's `notes` count them. "error" (the
        default, also "fail") raises an InputError. "wrong" (the default of tables) counts them as
        a wrong class, and also as the deepest known class on their path. "prefix" counts them only
        as the deepest known class on their path. "nearest" counts them as the class with the most
        similar name. If "prefix" or "nearest" finds no class, the label counts as with "wrong".
        "drop" leaves them out, so a wrong label has no effect.
    paths, codes : str, optional
        Separator of the parts of labels that are paths, or codes. `codes` can also be the lengths
        at which each level ends, in letters and digits, for example (1, 2, 3, 4). By default the
        labels show whether they are paths or codes, and the notes report it.
    separator : str, optional
        Separator of several labels in a cell.
    normalise : "all", or some of "case", "blanks", "unicode", "quotes", "signs", optional
        Differences between labels to ignore. The report lists every label that was changed. True
        is "all".
    """

    classes: Sequence[str] | Mapping[Any, str] | ClassesOf | None
    threshold: float | None
    argmax: bool
    unknown: Policy | UnknownPolicy | None
    paths: str | None
    codes: str | Sequence[int] | None
    separator: str | None
    normalise: Iterable[str] | str | bool


def _numbers_in(labels: Labels) -> dict[str, Any]:
    """Return the arguments that read numbers as classes, without a word in `classes`."""
    classes = labels.get("classes")
    return {
        "classes": None if isinstance(classes, str) else classes,
        "threshold": labels.get("threshold"),
        "argmax": labels.get("argmax", False),
    }


def _reads_numbers(labels: Labels) -> bool:
    """Return True if an item other than a word in `classes` reads numbers."""
    return any(value is not None and value is not False for value in _numbers_in(labels).values())


def _name_scores(labels: Labels) -> str:
    """Return the rule that turns scores into classes, for signatures, or "" without scores."""
    if labels.get("argmax"):
        return ARGMAX
    threshold = labels.get("threshold")
    return "" if threshold is None else f"{AT_LEAST}{threshold}"


def _rules_for(labels: Labels, first: int, options: Options) -> Rules:
    """Return the rules for labels that may be unknown. Rows are counted from `first`."""
    classes = labels.get("classes")
    return Rules.of(
        labels.get("unknown") or "wrong",
        notation=choose_notation(labels.get("paths"), labels.get("codes")),
        normalise=labels.get("normalise", ()),
        first=first,
        options=options,
        classes=classes if isinstance(classes, str) else "all",
    )


class WorkerSettings(TypedDict, total=False):
    """Types of the fields of `Workers`."""

    n_jobs: int | None
    chunk: int
    progress: Progress | None
    engine: Engine | None


class HowSettings(Settings, Labels, WorkerSettings, total=False):
    """Types of the fields of `Options`, `Labels` and `Workers`."""


class EvaluateArguments(HowSettings, total=False):
    """Types of the keyword arguments of `evaluate` except `measures` (a test checks)."""

    define: Mapping[str, str] | None
    average: Average
    ids: Sequence[Any] | None
    keep_instances: bool
    labels: Labels
    workers: Workers
    options: Options | None


@dataclass(frozen=True)
class EvaluationRun:
    """A request for measures, the way to read labels, and the parts that a report keeps."""

    request: Request
    labels: Labels
    workers: Workers
    ids: Sequence[Any] | None = None
    keep_instances: bool = True

    @classmethod
    def of(
        cls,
        what: Mapping[str, Any],
        labels: Labels,
        workers: Workers,
        options: Options | None,
        settings: Mapping[str, Any],
    ) -> "EvaluationRun":
        """Sort keyword arguments into labels, workers and options. `what` are the other arguments."""
        known = (*DECLARED, *_LABEL_NAMES, *_WORKER_NAMES, *what)
        for name in settings:  # a misspelt argument is also among the settings
            check_known("option", name, known)
        for name in labels:
            check_known("option of labels", name, _LABEL_NAMES)
        own_labels, settings = split_arguments(settings, _LABEL_NAMES)
        own_workers, settings = split_arguments(settings, _WORKER_NAMES)
        chosen = Options.make(options, **settings)
        request = Request.of(what["measures"], what["define"], what["average"], chosen)
        return cls(
            request,
            cast(Labels, {**labels, **own_labels}),
            replace(workers, **own_workers),
            what.get("ids"),
            what.get("keep_instances", True),
        )

    def report(self, hierarchy: Hierarchy, sides: Sides) -> Report:
        """Return the report of two sides whose labels are classes."""
        ids = _checked_ids(self.ids, len(sides[0]))
        report = report_of(hierarchy, self.request, sides, self.workers, ids)
        return report if self.keep_instances else without_instances(report)

    def reports(self, fitted: Fitted) -> dict[str, Report]:
        """Return the report of each system whose labels were read with rules."""
        return {
            name: replace(
                self.report(fitted.hierarchy, (fitted.true, predicted)),
                answers=fitted.answers[name],
            )
            for name, predicted in fitted.predicted.items()
        }


_LABELS, _WORKERS = Labels(), Workers()
_LABEL_NAMES, _WORKER_NAMES = set(Labels.__annotations__), {f.name for f in fields(Workers)}


@overload
def evaluate(
    hierarchy: Any,
    y_true: Any = None,
    y_pred: Any = None,
    *,
    measures: MeasureNames = None,
    **how: Unpack[EvaluateArguments],
) -> Report: ...
@overload
def evaluate(
    hierarchy: Any,
    y_true: None = None,
    y_pred: None = None,
    *,
    true: str,
    predicted: Any,
    **how: Any,
) -> Any: ...
def evaluate(
    hierarchy: Any,
    y_true: Any = None,
    y_pred: Any = None,
    *,
    measures: MeasureNames = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    ids: Sequence[Any] | None = None,
    keep_instances: bool = True,
    labels: Labels = _LABELS,
    workers: Workers = _WORKERS,
    options: Options | None = None,
    **settings: Any,
) -> Any:
    """Compute measures over a batch of instances.

    Parameters
    ----------
    hierarchy : Hierarchy
        With `true=` and `predicted=`, give a table in its place: see `evaluate_table`.
    y_true, y_pred : list, array, matrix, frame or EncodedLabels
        The true and predicted classes of the same n instances. You can give lists of label sets,
        arrays with a label per level, or numbers with `classes`. Columns and tables of pandas,
        polars and Arrow work too, and arrays of torch, jax and CuPy: see `encode`. For a Dask
        dataframe or Parquet files see `evaluate_files`.
    measures : iterable of str or Measure, optional
        Keys of measures, names of groups ("core", "all", a tier or a family: see `find_measures`),
        or measures of your own. The default is "core".
    define : mapping of str to str, optional
        Your own measures, as expressions by name: see `explain` and docs/expressions.md.
    average : "samples", "micro" or "macro"
        The average that `report[key]` returns. `report.averages` has all three.
    ids : sequence, optional
        Names of the n instances, each different. By default they are 0 … n − 1.
    keep_instances : bool
        Keep values and labels per instance in the report. If False, the memory of the report does
        not grow with the number of instances.
    labels : Labels, optional
        Settings for reading labels.
    workers : Workers, optional
        Threads, chunk size, progress and engine.
    options : Options, optional
        Options of the measures.
    **settings
        Fields of `labels`, `workers` and `options` as keyword arguments, for example
        `unknown="drop"`, `n_jobs=2` or `dmax=3`.

    Returns
    -------
    Report
        `report["hF"]` is the value of a measure, and `report.per_instance` has the values of every
        instance.

    Raises
    ------
    InputError
        If labels have a form that is not accepted, numbers have several possible meanings, or both
        sides differ in length. Also if a label, measure or option is unknown.

    See Also
    --------
    evaluate_table : Measures over one table with both sides.
    evaluate_files : Measures over more rows than fit into memory.
    hiermeasures.explain : The definition, for one instance.
    hiermeasures.compare : Several systems on the same instances.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> report = evaluate(h, [{"T1"}, {"C"}], [{"P1", "P2"}, {"C"}], measures=["hF", "SDL"])
    >>> round(report["hF"], 3), report["SDL"]
    (0.786, 1.5)
    >>> report.per_instance["SDL"].tolist()
    [3.0, 0.0]
    """
    what: dict[str, Any] = {"measures": measures, "define": define, "average": average}
    what |= {"ids": ids, "keep_instances": keep_instances}
    how: dict[str, Any] = {"labels": labels, "workers": workers, "options": options, **settings}
    if "true" in settings or "predicted" in settings:
        if y_true is not None or y_pred is not None:
            raise InputError(_TABLE_FIRST)
        both: dict[str, Any] = {"true": None, "predicted": None}
        return evaluate_table(hierarchy, **what, **both | how)
    if y_pred is None and is_table(y_true):
        if ids is not None:
            raise InputError(_BY_NAME)
        asked = {name: what[name] for name in ("measures", "define", "average")}
        return evaluate_files(hierarchy, y_true, **asked, **how)
    run = EvaluationRun.of(what, labels, workers, options, settings)
    labels = run.labels
    check_hierarchy(hierarchy)
    if labels.get("unknown") not in (None, "error", "fail", "drop"):
        names = ("y_true", "y_pred")
        sides = named_sides(y_true, y_pred, **_numbers_in(labels))
        true, predicted = (read_column(side, name) for side, name in zip(sides, names, strict=True))
        rules = _rules_for(labels, 0, run.request.options)
        report = run.reports(fit(true, {"y_pred": predicted}, rules, hierarchy))["y_pred"]
    else:
        policy: UnknownPolicy = "drop" if labels.get("unknown") == "drop" else "fail"
        numbers = {**_numbers_in(labels), "classes": labels.get("classes")}
        encoded = encoded_sides(hierarchy, y_true, y_pred, unknown=policy, **numbers)
        report = run.report(hierarchy, encoded)
    return replace(report, scores=_name_scores(labels))


_BY_NAME = (
    "ids= and classes= are for labels in arrays. Leave them out: a table has its labels by name."
)
_TABLE_FIRST = (
    "one argument should be a table with both sides. Give the table first, name its columns with "
    "true= and predicted=, and give a hierarchy as taxonomy=."
)


def evaluate_table(
    table: Any,
    true: str,
    predicted: str | Sequence[str],
    *,
    taxonomy: Hierarchy | None = None,
    measures: MeasureNames = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    keep_instances: bool = True,
    labels: Labels = _LABELS,
    workers: Workers = _WORKERS,
    options: Options | None = None,
    **settings: Any,
) -> Any:
    """Compute measures over one table that has true labels and the answers of systems.

    Parameters
    ----------
    table : frame
        A table of pandas, polars or Arrow. A cell is a label, a list of labels, or empty.
    true : str
        The column of true labels.
    predicted : str, or list of str
        The column of answers, or a list with a column for each system.
    taxonomy : Hierarchy, optional
        The classes that labels can name. By default the labels define them (see `classes`).
    measures, define, average, keep_instances, labels, workers, options, **settings
        As for `evaluate`. `unknown` is "wrong" by default.

    Returns
    -------
    Report, or dict of str to Report for a list of columns

    Raises
    ------
    InputError
        As for `evaluate`, and if a column is missing.

    See Also
    --------
    evaluate : Measures over labels in memory.
    evaluate_files : Measures over more rows than fit into memory.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"category": ["A > B", "A > C"], "answer": ["A > B", "A > D"]})
    >>> report = evaluate_table(table, true="category", predicted="answer", measures="hF")
    >>> report["hF"], report.answers.rows["unknown"].tolist()
    (0.75, [1])
    """
    what: dict[str, Any] = {"measures": measures, "define": define, "average": average}
    what |= {"keep_instances": keep_instances, "ids": settings.pop("ids", None)}
    run = EvaluationRun.of(what, labels, workers, options, settings)
    labels = run.labels
    if _reads_numbers(labels):
        raise InputError(
            "a table's labels are names. Leave out classes=, threshold= and argmax=, which are for "
            "arrays."
        )
    names = [predicted] if isinstance(predicted, str) else list(predicted or ())
    if true is None or not names:
        raise InputError(_TABLE_FIRST)
    columns = columns_of(table, [true, *names], labels.get("separator"))
    rules = _rules_for(labels, 1, run.request.options)
    systems = {name: columns[name] for name in names}
    reports = run.reports(fit(columns[true], systems, rules, taxonomy))
    return reports[predicted] if isinstance(predicted, str) else reports


def evaluate_files(
    hierarchy: Hierarchy,
    source: Any,
    *,
    columns: tuple[str, str] = ("true", "predicted"),
    cluster: Any = None,
    measures: MeasureNames = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    labels: Labels = _LABELS,
    workers: Workers = _WORKERS,
    options: Options | None = None,
    **settings: Any,
) -> Report:
    """Compute measures over Parquet files or a Dask dataframe, and keep only sums.

    Parameters
    ----------
    hierarchy : Hierarchy
    source : path or Dask dataframe
        A Parquet file, a folder of them, or a frame.
    columns : pair of str
        The columns of true and of predicted classes. A cell is a list of names, or one name.
    cluster : distributed.Client, "local" or an address, optional
        The Dask cluster that evaluates them. By default this process reads Parquet files, row group
        by row group. For a Dask dataframe it uses the client of this process, or else threads.
    measures, define, average, labels, workers, options, **settings
        As for `evaluate`. `unknown` is "error" or "drop". On a cluster `progress` counts tasks.

    Returns
    -------
    Report
        A report without values per instance.

    Raises
    ------
    InputError
        As for `evaluate`, and if you give ids, or numbers as labels.

    See Also
    --------
    evaluate : Measures over labels in memory.
    hiermeasures.partial : The sums of one part, to join with others.
    """
    from hiermeasures.evaluation.tables import TableRequest, partial_of_table

    what = {"measures": measures, "define": define, "average": average}
    run = EvaluationRun.of(what, labels, workers, options, settings)
    check_hierarchy(hierarchy)
    if _reads_numbers(run.labels) or run.labels.get("classes") is not None:
        raise InputError(_BY_NAME)
    policy: UnknownPolicy = "drop" if run.labels.get("unknown") == "drop" else "fail"
    arguments = {**what, "n_jobs": run.workers.n_jobs, "options": run.request.options}
    table = TableRequest(hierarchy, columns, policy, arguments)
    return partial_of_table(table, source, cluster, run.workers.progress).report()


_AT_RANK = {"precision": "rank_P", "recall": "rank_R", "f1": "rank_F"}


def by_rank(hierarchy: Hierarchy, y_true: Any, y_pred: Any, **settings: Any) -> "pd.DataFrame":
    """Return precision, recall and F1 at every rank, computed from summed counts.

    Bokulich et al. 2018 define them.

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
        One row for each level below the root, with TP, FP, FN, precision, recall and f1.

    Raises
    ------
    InputError
        As for `evaluate`.

    See Also
    --------
    Report.by_level : Scores of each level over augmented sets.

    Examples
    --------
    Two instances are siskins. One is predicted as a serin, the other only as a bird:

    >>> h = Hierarchy.from_nested({"Animal": {"Bird": {"Finch": ["Siskin", "Serin"]}}})
    >>> table = by_rank(h, [{"Siskin"}, {"Siskin"}], [{"Serin"}, {"Bird"}])
    >>> table.precision.tolist(), table.recall.tolist()
    ([1.0, 1.0, 0.0], [1.0, 0.5, 0.0])
    """
    from hiermeasures.evaluation.needs_pandas import pd

    reading, settings = split_arguments(settings, READING)
    sides, rows = encoded_sides(hierarchy, y_true, y_pred, **reading), {}
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
        raise InputError(
            f"there are {len(names)} ids for {n} instances. Give one id for each instance."
        )
    if not isinstance(names, range) and (fault := repeated("id", names)):
        raise InputError(fault)
    return names
