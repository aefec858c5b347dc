"""Score functions with scikit-learn's signature, one for each measure of the catalogue, and scorers
made of them.

The functions are made from the catalogue: `function` of a measure is its name here, and
docs/scikit-learn.md lists them. They only read one number off `evaluate`, where labels are read and
everything is computed.

Examples
--------
>>> from hiermeasures import Hierarchy
>>> from hiermeasures.metrics import graph_induced_error, h_f1_score
>>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
>>> h_f1_score(["T1", "C"], ["T1", "B"], hierarchy=h)
0.75
>>> graph_induced_error([{"T1"}], [{"P1", "P2"}], hierarchy=h, dmax=5)
7.0
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.resources import files
from inspect import Parameter, Signature, cleandoc
from typing import TYPE_CHECKING, Any, Protocol, Unpack, overload

import numpy as np

from hiermeasures.evaluation import Report, evaluate
from hiermeasures.evaluation.batch import check_average, check_hierarchy
from hiermeasures.evaluation.encode import UnknownPolicy
from hiermeasures.evaluation.numbered import class_names, scores_read
from hiermeasures.evaluation.results import Average
from hiermeasures.hierarchy.errors import InputError, repeated, shown
from hiermeasures.hierarchy.errors import unknown as unknown_name
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, Settings
from hiermeasures.measures import CATALOGUE, Measure, find_measure
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from hiermeasures.score_types import *  # noqa: F403

ScoreFunction = Callable[..., float]


class Scorer(Protocol):
    """A scorer of scikit-learn for one measure."""

    def __call__(
        self, estimator: Any, X: Any, y_true: Any = None, *, sample_weight: Any = None
    ) -> float: ...


class ScorerOfSeveral(Protocol):
    """A scorer of scikit-learn for several measures."""

    def __call__(
        self, estimator: Any, X: Any, y_true: Any = None, *, sample_weight: Any = None
    ) -> dict[str, float]: ...


class ScoreSettings(Settings, total=False):
    """Arguments of `measure_score` by keyword that a scorer keeps, as types."""

    average: Average
    classes: Sequence[str] | Mapping[Any, str] | None
    threshold: float | None
    argmax: bool
    unknown: UnknownPolicy


def measure_score(
    y_true: Any,
    y_pred: Any,
    *,
    hierarchy: Hierarchy,
    measure: str | Measure,
    average: Average = "samples",
    classes: Sequence[str] | Mapping[Any, str] | None = None,
    threshold: float | None = None,
    argmax: bool = False,
    unknown: UnknownPolicy = "fail",
    sample_weight: "ArrayLike | None" = None,
    **options: Unpack[Settings],
) -> float:
    """One measure, averaged over instances; functions of measures are this with `measure` set.

    Parameters
    ----------
    y_true, y_pred : list, array, matrix or frame
        The classes of n instances: one label each, label sets, numbers with `classes`, or an array
        of instances × levels; see `hiermeasures.evaluation.encode`.
    hierarchy : Hierarchy
        That of the classes on both sides.
    measure : str or Measure
        A key of the catalogue, or the definition of an own measure, `"mine=0.5*hF + 0.5*F_LCA"`.
    average : "samples", "micro" or "macro"
        The mean over the instances that have a value, what is read off their summed counts, or the
        mean over classes.
    classes : sequence of str, or mapping of indices to str, optional
        The class of each column of indicator matrices and scores, or of each index: `classes_` of a
        binarizer, a LabelEncoder or a classifier.
    threshold : float, optional
        `y_pred` is a matrix of scores: the classes of this score or more are
        predicted, a score of exactly this among them.
    argmax : bool
        `y_pred` is a matrix of scores: the class with the largest is predicted, the first of
        several.
    unknown : "fail" or "drop"
        Labels that are not classes are an error, or are left out.
    sample_weight : array of n numbers, optional
        How much each instance counts, from 0; not with average="macro".
    options :
        Those that the measure has.

    Raises
    ------
    InputError
        For labels that cannot be read, unknown classes (instance, class and the nearest known are
        named), sides of different length, an average or an option that the measure does not have,
        and weights that are none.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> measure_score(["T1", "C"], ["T1", "B"], hierarchy=h, measure="hF", sample_weight=[3, 1])
    0.875
    """
    found = _checked(hierarchy, measure, average, options)
    if sample_weight is not None and average == "macro" and found.pooled != "always":
        raise InputError("there are no weights in a macro average; take samples or micro")
    reading: dict[str, Any] = {
        "classes": classes,
        "threshold": threshold,
        "argmax": argmax,
        "unknown": unknown,
    }
    report = evaluate(
        hierarchy, y_true, y_pred, measures=[found], average=average, **reading, **options
    )
    return (
        report[found.key]
        if sample_weight is None
        else _weighted(report, found, average, sample_weight)
    )


@overload
def make_scorer(
    hierarchy: Hierarchy, measure: str | Measure = "hF", **reading: "Unpack[ScoreSettings]"
) -> Scorer: ...
@overload
def make_scorer(
    hierarchy: Hierarchy,
    measure: list[str] | tuple[str, ...] | Sequence[Measure],
    **reading: "Unpack[ScoreSettings]",
) -> ScorerOfSeveral: ...
def make_scorer(
    hierarchy: Hierarchy,
    measure: str | Measure | Sequence[str | Measure] = "hF",
    *,
    average: Average = "samples",
    classes: Sequence[str] | Mapping[Any, str] | None = None,
    threshold: float | None = None,
    argmax: bool = False,
    unknown: UnknownPolicy = "fail",
    **options: Unpack[Settings],
) -> Any:
    """A scorer of scikit-learn, for `scoring=` of cross_validate, GridSearchCV and the like.

    Of several measures it predicts once and gives a dictionary of values; an option goes to those
    that have it. Where lower is better it gives the negative value, as scikit-learn's do. With
    `threshold` or `argmax` it scores `predict_proba`. It can be pickled, cloned and sent to other
    processes. Parameters are those of `measure_score`, checked here.

    Raises
    ------
    InputError
        For a measure, average or option that is none.
    ImportError
        Where scikit-learn is not installed.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> make_scorer(h, "SDL")
    make_scorer(symmetric_difference_loss, greater_is_better=False, ..., average=samples)
    >>> make_scorer(h, ["hF", "SDL"])
    MultiMetricScorer("hF", "SDL")
    """
    try:
        from sklearn import metrics
    except ImportError:
        raise ImportError("make_scorer needs scikit-learn: pip install scikit-learn") from None
    scores_read(classes, threshold, argmax)  # raises InputError for invalid rules
    names = None if classes is None else list(class_names(classes))
    given = {"classes": names, "threshold": threshold, "argmax": argmax or None, "unknown": unknown}
    reading = {
        name: value for name, value in given.items() if value is not None and value != "fail"
    }
    keys = [measure] if isinstance(measure, (str, Measure)) else list(measure)
    asked = {key: _measure(key) for key in keys}
    if not keys:
        raise InputError("a scorer needs a measure; none is named")
    if fault := repeated("measure", [called(_measure(key).key) for key in keys]):
        raise InputError(fault)
    _check_options(asked.values(), options)
    response = "predict_proba" if {"threshold", "argmax"} & reading.keys() else "predict"
    scorers = {}
    for key, found in asked.items():
        settings = {name: value for name, value in options.items() if name in found.options}
        _checked(hierarchy, found, average, settings)
        settings |= {"hierarchy": hierarchy, "average": average, **reading}
        if CATALOGUE.get(found.key) is not found:
            settings["measure"] = key
        function, higher = FUNCTIONS.get(found.function, measure_score), found.better == "higher"
        scorers[called(found.key)] = metrics.make_scorer(
            function, response_method=response, greater_is_better=higher, **settings
        )
    one = isinstance(measure, (str, Measure))
    return scorers.popitem()[1] if one else metrics.check_scoring(None, scoring=scorers)


def _checked(
    hierarchy: Hierarchy, measure: str | Measure, average: Average, options: Mapping[str, Any]
) -> Measure:
    """The measure, which must have the average and the options."""
    check_hierarchy(hierarchy)
    found = _measure(measure)
    check_average(average, [found])
    if average == "macro" and not found.macro and found.pooled != "always":
        raise InputError(f"{found.key} has no macro average, for it has no value for each class")
    _check_options([found], options)
    return found


def _measure(measure: str | Measure) -> Measure:
    return measure if isinstance(measure, Measure) else find_measure(measure)


def _check_options(measures: Collection[Measure], options: Mapping[str, Any]) -> None:
    """Refuse options that none of some measures has."""
    Options.make(options)
    known = dict.fromkeys(option for measure in measures for option in measure.options)
    if others := [name for name in options if name not in known]:
        keys, has = ", ".join(measure.key for measure in measures), ", ".join(known) or "none"
        raise InputError(
            f"the option {shown(others[0])} changes nothing in {keys}; its options: {has}"
        )


def _weighted(report: Report, measure: Measure, average: Average, given: "ArrayLike") -> float:
    """Average a measure over weighted instances, or read it off weighted sums of counts."""
    weights = _checked_weights(given, len(report))
    values = report.instance_values()[measure.key]
    there = ~np.isnan(values)
    if not weights[there].sum():
        return float("nan")
    if measure.pooled == "always" or (average == "micro" and measure.pooled == "micro"):
        tables = {
            name: columns._make(float(weights[there] @ column[there]) for column in columns)
            for name, columns in report.kept.tables.items()
        }
        return float(measure.value(tables, report.options))
    return float(np.average(values[there], weights=weights[there]))


def _checked_weights(given: "ArrayLike", n: int) -> np.ndarray:
    try:
        weights = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError("sample_weight holds a number for each instance") from None
    if weights.shape != (n,):
        raise InputError(f"sample_weight has the shape {weights.shape} for {n} instances")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise InputError(
            f"sample_weight holds {weights[wrong[0]]} for instance {wrong[0]}; weights are from 0"
        )
    return weights


def _function(measure: Measure) -> ScoreFunction:
    def score(y_true: Any, y_pred: Any, *, hierarchy: Hierarchy, **settings: Any) -> float:
        if "measure" in settings:
            raise TypeError(f"{measure.function}() got an unexpected keyword argument 'measure'")
        return measure_score(y_true, y_pred, hierarchy=hierarchy, measure=measure, **settings)

    score.__name__ = score.__qualname__ = measure.function
    score.__module__ = __name__
    score.__doc__ = _documentation(measure)
    score.__signature__ = _signature(measure)  # type: ignore[attr-defined]
    return score


def _signature(measure: Measure) -> Signature:
    """Parameters of measure_score, with the measure's options for `options`."""
    shared = Signature.from_callable(measure_score)
    kept = [
        p
        for p in shared.parameters.values()
        if p.name != "measure" and p.kind != Parameter.VAR_KEYWORD
    ]
    fields = Options.model_fields
    own = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=fields[name].default,
            annotation=fields[name].annotation,
        )
        for name in measure.options
    ]
    return shared.replace(parameters=[*kept, *own])


def _documentation(measure: Measure) -> str:
    low, high = (
        "unbounded" if bound is None else f"{bound:g}" for bound in (measure.low, measure.high)
    )
    lines = [
        f"{measure.name}. {measure.description}",
        "",
        f"{measure.key} of the catalogue, from {low} to {high}; {measure.better} is better. "
        f"{measure.source}.",
        "",
    ]
    if measure.options:
        lines += [
            "Parameters, averages and errors are those of `measure_score`, but for the options:",
            "",
        ]
        lines += [f"{name} : {Options.model_fields[name].description}" for name in measure.options]
    if measure.function in _EXAMPLES:  # which docs.make.generated writes
        lines += [
            "",
            "Examples",
            "--------",
            ">>> from hiermeasures import Hierarchy",
            f">>> from hiermeasures.metrics import {measure.function}",
            '>>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), '
            '("B", "P2")])',
            f'>>> round({measure.function}(["T1", "C"], ["P1", "C"], hierarchy=h), 4)',
            f"{_EXAMPLES[measure.function]}",
        ]
    return cleandoc("\n".join(lines))


_EXAMPLES: dict[str, float] = json.loads(
    files("hiermeasures").joinpath("score_examples.json").read_text("utf-8")
)
FUNCTIONS: dict[str, ScoreFunction] = {
    m.function: _function(m) for m in CATALOGUE.values() if m.function
}
globals().update(FUNCTIONS)
__all__ = ["make_scorer", "measure_score", *FUNCTIONS]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> ScoreFunction:
        raise AttributeError(unknown_name("name in hiermeasures.metrics", name, __all__))
