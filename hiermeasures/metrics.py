"""Score functions with scikit-learn's signature, one for each measure, and scorers.

The functions are at the end. Each calls `measure_score` with its measure. docs/scikit-learn.md lists
them, and docs/measures.md defines the measures. `evaluate` reads the labels and computes the values.

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

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, Required, Unpack, overload

import numpy as np

from hiermeasures.evaluation import Report, evaluate
from hiermeasures.evaluation.averages import Average
from hiermeasures.evaluation.batch import READING, ReadingSettings, check_average, check_hierarchy
from hiermeasures.evaluation.encode import UnknownPolicy
from hiermeasures.evaluation.numbered import class_names, scores_read
from hiermeasures.hierarchy.errors import InputError, repeated, shown
from hiermeasures.hierarchy.errors import unknown as unknown_name
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, Settings, split_arguments
from hiermeasures.measures import CATALOGUE, Measure, find_measure
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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


class ScoreSettings(Settings, ReadingSettings, total=False):
    """Types of a measure's options and of the arguments for reading labels."""


class ScorerSettings(ScoreSettings, total=False):
    """Types of the settings that a scorer keeps."""

    average: Average


class ScoreArguments(ScorerSettings, total=False):
    """Types of the keyword arguments of a score function."""

    hierarchy: Required[Hierarchy]
    sample_weight: "ArrayLike | None"


def measure_score(
    y_true: Any,
    y_pred: Any,
    *,
    hierarchy: Hierarchy,
    measure: str | Measure,
    average: Average = "samples",
    sample_weight: "ArrayLike | None" = None,
    **settings: Unpack[ScoreSettings],
) -> float:
    """Return one measure, averaged over instances.

    Parameters
    ----------
    y_true, y_pred : list, array, matrix or frame
        The classes of n instances: one label each, label sets, numbers with `classes`, or an array
        of instances × levels. See `hiermeasures.evaluation.encode`.
    hierarchy : Hierarchy
        The hierarchy of the classes.
    measure : str or Measure
        A key of the catalogue, or the definition of an own measure, `"mine=0.5*hF + 0.5*F_LCA"`.
    average : "samples", "micro" or "macro"
        The mean over instances with a value, the value of their summed counts, or the mean over
        classes.
    sample_weight : array of n numbers, optional
        The weight of each instance, 0 or more. It does not work with average="macro".
    **settings
        Arguments for reading labels (`classes`, `threshold`, `argmax`, and `unknown`: "fail" or
        "drop", see `hiermeasures.evaluation.engine.Labels`), and the options of the measure.

    Returns
    -------
    float
        The value, or nan if every instance is undefined.

    Raises
    ------
    InputError
        If labels, weights or classes are invalid, the sides differ in length, or the measure does
        not have the average or option.

    See Also
    --------
    make_scorer : A scorer for scikit-learn's model selection.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> measure_score(["T1", "C"], ["T1", "B"], hierarchy=h, measure="hF", sample_weight=[3, 1])
    0.875
    """
    _, options = split_arguments(settings, READING)
    found = _checked(hierarchy, measure, average, options)
    if sample_weight is not None and average == "macro" and found.pooled != "always":
        raise InputError("a macro average has no weights. Use average='samples' or 'micro'.")
    report = evaluate(hierarchy, y_true, y_pred, measures=[found], average=average, **settings)
    if sample_weight is None:
        return report[found.key]
    return _weighted(report, found, average, sample_weight)


@overload
def make_scorer(
    hierarchy: Hierarchy, measure: str | Measure = "hF", **reading: "Unpack[ScorerSettings]"
) -> Scorer: ...
@overload
def make_scorer(
    hierarchy: Hierarchy,
    measure: list[str] | tuple[str, ...] | Sequence[Measure],
    **reading: "Unpack[ScorerSettings]",
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
    """Return a scorer for `scoring=` of cross_validate, GridSearchCV and similar tools.

    The parameters are those of `measure_score`. For several measures, the scorer predicts once and
    returns a dictionary. Each option goes to the measures that have it. If lower is better, the
    value is negative. With `threshold` or `argmax`, it scores `predict_proba`. You can pickle and
    clone it.

    Raises
    ------
    InputError
        If a measure, average or option is unknown.
    ImportError
        If scikit-learn is not installed.

    See Also
    --------
    measure_score : One measure of labels that you have.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> make_scorer(h, "SDL")
    make_scorer(symmetric_difference_loss, greater_is_better=False, ..., average=samples)
    >>> make_scorer(h, ["hF", "SDL"])
    MultiMetricScorer("hF", "SDL")
    """
    metrics = _sklearn_metrics()
    reading = _reading_of_scorer(classes, threshold, argmax, unknown)
    asked = _measures_of_scorer(measure, options)
    response = "predict_proba" if {"threshold", "argmax"} & reading.keys() else "predict"
    scorers = {}
    for key, found in asked.items():
        settings = {name: value for name, value in options.items() if name in found.options}
        _checked(hierarchy, found, average, settings)
        settings |= {"hierarchy": hierarchy, "average": average, **reading}
        function, higher = globals().get(found.function), found.better == "higher"
        if function is None or CATALOGUE.get(found.key) is not found:
            function, settings["measure"] = measure_score, key
        scorers[called(found.key)] = metrics.make_scorer(
            function, response_method=response, greater_is_better=higher, **settings
        )
    if isinstance(measure, (str, Measure)):
        return scorers.popitem()[1]
    return metrics.check_scoring(None, scoring=scorers)


def _sklearn_metrics() -> Any:
    try:
        from sklearn import metrics
    except ImportError:
        raise ImportError("make_scorer needs scikit-learn: pip install scikit-learn") from None
    return metrics


def _reading_of_scorer(
    classes: Any, threshold: float | None, argmax: bool, unknown: str
) -> dict[str, Any]:
    """Return the settings that differ from the defaults. A scorer prints only these."""
    scores_read(classes, threshold, argmax)  # raises InputError for invalid rules
    names = None if classes is None else list(class_names(classes))
    given: dict[str, Any] = {"classes": names, "threshold": threshold, "argmax": argmax or None}
    given["unknown"] = None if unknown == "fail" else unknown
    return {name: value for name, value in given.items() if value is not None}


def _measures_of_scorer(
    measure: str | Measure | Sequence[str | Measure], options: Mapping[str, Any]
) -> dict[str | Measure, Measure]:
    keys = [measure] if isinstance(measure, (str, Measure)) else list(measure)
    asked = {key: _measure(key) for key in keys}
    if not keys:
        raise InputError("name at least one measure for a scorer")
    if fault := repeated("measure", [called(_measure(key).key) for key in keys]):
        raise InputError(fault)
    _check_options(asked.values(), options)
    return asked


def _checked(
    hierarchy: Hierarchy, measure: str | Measure, average: Average, options: Mapping[str, Any]
) -> Measure:
    """Return the measure, after a check that it has the average and the options."""
    check_hierarchy(hierarchy)
    found = _measure(measure)
    check_average(average, [found])
    if average == "macro" and not found.macro and found.pooled != "always":
        raise InputError(f"{found.key} has no macro average, because it has no value per class")
    _check_options([found], options)
    return found


def _measure(measure: str | Measure) -> Measure:
    return measure if isinstance(measure, Measure) else find_measure(measure)


def _check_options(measures: Collection[Measure], options: Mapping[str, Any]) -> None:
    """Raise InputError for an option that none of the measures has."""
    Options.make(options)
    known = dict.fromkeys(option for measure in measures for option in measure.options)
    if others := [name for name in options if name not in known]:
        keys, has = ", ".join(measure.key for measure in measures), ", ".join(known) or "none"
        raise InputError(
            f"the option {shown(others[0])} does not change {keys}. Options that do: {has}"
        )


def _weighted(report: Report, measure: Measure, average: Average, given: "ArrayLike") -> float:
    """Average a measure over weighted instances, or compute it from weighted sums of counts."""
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
        raise InputError("sample_weight must contain one number for each instance") from None
    if weights.shape != (n,):
        raise InputError(
            f"sample_weight has the shape {weights.shape}, but there are {n} instances"
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise InputError(
            f"sample_weight is {weights[wrong[0]]} for instance {wrong[0]}. Weights must be 0 or more."
        )
    return weights


# --- one function per measure -------------------------------------------------------------------


def h_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the hierarchical F1 (`hF`)."""
    return measure_score(y_true, y_pred, measure="hF", **settings)


def h_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the hierarchical precision (`hP`)."""
    return measure_score(y_true, y_pred, measure="hP", **settings)


def h_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the hierarchical recall (`hR`)."""
    return measure_score(y_true, y_pred, measure="hR", **settings)


def path_accuracy_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the exact path accuracy (`path_accuracy`)."""
    return measure_score(y_true, y_pred, measure="path_accuracy", **settings)


def symmetric_difference_loss(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the symmetric difference loss (`SDL`)."""
    return measure_score(y_true, y_pred, measure="SDL", **settings)


def h_loss(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the H-loss (`H_loss`)."""
    return measure_score(y_true, y_pred, measure="H_loss", **settings)


def lca_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the LCA F1 (`F_LCA`)."""
    return measure_score(y_true, y_pred, measure="F_LCA", **settings)


def lca_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the LCA precision (`P_LCA`)."""
    return measure_score(y_true, y_pred, measure="P_LCA", **settings)


def lca_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the LCA recall (`R_LCA`)."""
    return measure_score(y_true, y_pred, measure="R_LCA", **settings)


def lca_symmetric_difference_loss(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the LCA symmetric difference loss (`SDL_LCA`)."""
    return measure_score(y_true, y_pred, measure="SDL_LCA", **settings)


def lca_extended_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the LCA F1, extended graphs (`F_LCA_ext`)."""
    return measure_score(y_true, y_pred, measure="F_LCA_ext", **settings)


def lca_extended_precision_score(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the LCA precision, extended graphs (`P_LCA_ext`)."""
    return measure_score(y_true, y_pred, measure="P_LCA_ext", **settings)


def lca_extended_recall_score(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the LCA recall, extended graphs (`R_LCA_ext`)."""
    return measure_score(y_true, y_pred, measure="R_LCA_ext", **settings)


def mgia_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the multi-label graph-induced accuracy (`MGIA`)."""
    return measure_score(y_true, y_pred, measure="MGIA", **settings)


def mgia_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the MGIA error (`MGIA_error`)."""
    return measure_score(y_true, y_pred, measure="MGIA_error", **settings)


def graph_induced_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the graph-induced error (`GIE`)."""
    return measure_score(y_true, y_pred, measure="GIE", **settings)


def tree_induced_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the tree-induced error (`TIE`)."""
    return measure_score(y_true, y_pred, measure="TIE", **settings)


def all_pairs_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the all pairs error (`all_pairs`)."""
    return measure_score(y_true, y_pred, measure="all_pairs", **settings)


def own_pairing_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the own pairing error (`own_pairing`)."""
    return measure_score(y_true, y_pred, measure="own_pairing", **settings)


def own_pairing_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the own pairing accuracy (`own_accuracy`)."""
    return measure_score(y_true, y_pred, measure="own_accuracy", **settings)


def hcm_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM F1 (`HCM_F1`)."""
    return measure_score(y_true, y_pred, measure="HCM_F1", **settings)


def hcm_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM precision (`HCM_PPV`)."""
    return measure_score(y_true, y_pred, measure="HCM_PPV", **settings)


def hcm_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM recall (`HCM_TPR`)."""
    return measure_score(y_true, y_pred, measure="HCM_TPR", **settings)


def hcm_accuracy_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM accuracy (`HCM_ACC`)."""
    return measure_score(y_true, y_pred, measure="HCM_ACC", **settings)


def hcm_matthews_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM Matthews correlation (`HCM_MCC`)."""
    return measure_score(y_true, y_pred, measure="HCM_MCC", **settings)


def hcm_specificity_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM specificity (`HCM_TNR`)."""
    return measure_score(y_true, y_pred, measure="HCM_TNR", **settings)


def hcm_false_negative_rate_error(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the HCM false negative rate (`HCM_FNR`)."""
    return measure_score(y_true, y_pred, measure="HCM_FNR", **settings)


def hcm_false_positive_rate_error(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the HCM false positive rate (`HCM_FPR`)."""
    return measure_score(y_true, y_pred, measure="HCM_FPR", **settings)


def hcm_prevalence_threshold_error(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the HCM prevalence threshold (`HCM_PT`)."""
    return measure_score(y_true, y_pred, measure="HCM_PT", **settings)


def hcm_true_positives_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM true positives (`HCM_TP`)."""
    return measure_score(y_true, y_pred, measure="HCM_TP", **settings)


def hcm_true_negatives_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the HCM true negatives (`HCM_TN`)."""
    return measure_score(y_true, y_pred, measure="HCM_TN", **settings)


def hcm_false_positives_error(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the HCM false positives (`HCM_FP`)."""
    return measure_score(y_true, y_pred, measure="HCM_FP", **settings)


def hcm_false_negatives_error(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the HCM false negatives (`HCM_FN`)."""
    return measure_score(y_true, y_pred, measure="HCM_FN", **settings)


def cophe_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the CoPHE F1 (`CoPHE_F1`)."""
    return measure_score(y_true, y_pred, measure="CoPHE_F1", **settings)


def cophe_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the CoPHE precision (`CoPHE_P`)."""
    return measure_score(y_true, y_pred, measure="CoPHE_P", **settings)


def cophe_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the CoPHE recall (`CoPHE_R`)."""
    return measure_score(y_true, y_pred, measure="CoPHE_R", **settings)


def path_constrained_f1_score(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the path-constrained F1 (`C_F1`)."""
    return measure_score(y_true, y_pred, measure="C_F1", **settings)


def path_constrained_precision_score(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the path-constrained precision (`C_P`)."""
    return measure_score(y_true, y_pred, measure="C_P", **settings)


def path_constrained_recall_score(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the path-constrained recall (`C_R`)."""
    return measure_score(y_true, y_pred, measure="C_R", **settings)


def inconsistency_loss(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the share of inconsistent predictions (`inconsistency`)."""
    return measure_score(y_true, y_pred, measure="inconsistency", **settings)


def rank_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the F at a rank (`rank_F`)."""
    return measure_score(y_true, y_pred, measure="rank_F", **settings)


def rank_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the precision at a rank (`rank_P`)."""
    return measure_score(y_true, y_pred, measure="rank_P", **settings)


def rank_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the recall at a rank (`rank_R`)."""
    return measure_score(y_true, y_pred, measure="rank_R", **settings)


def over_prediction_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the over-prediction (`over_prediction`)."""
    return measure_score(y_true, y_pred, measure="over_prediction", **settings)


def under_prediction_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the under-prediction (`under_prediction`)."""
    return measure_score(y_true, y_pred, measure="under_prediction", **settings)


def shortest_path_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the length of the shortest path (`SP`)."""
    return measure_score(y_true, y_pred, measure="SP", **settings)


def shortest_path_up_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the length of the shortest path, way up (`SP_up`)."""
    return measure_score(y_true, y_pred, measure="SP_up", **settings)


def shortest_path_down_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the length of the shortest path, way down (`SP_down`)."""
    return measure_score(y_true, y_pred, measure="SP_down", **settings)


def lca_height_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the height of the LCA (`LCA_height`)."""
    return measure_score(y_true, y_pred, measure="LCA_height", **settings)


def hop_accuracy_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the hop-k accuracy (`hop_accuracy`)."""
    return measure_score(y_true, y_pred, measure="hop_accuracy", **settings)


def weighted_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the weighted F1 (`wF`)."""
    return measure_score(y_true, y_pred, measure="wF", **settings)


def weighted_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the weighted precision (`wP`)."""
    return measure_score(y_true, y_pred, measure="wP", **settings)


def weighted_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the weighted recall (`wR`)."""
    return measure_score(y_true, y_pred, measure="wR", **settings)


def sim_gic_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the shared graph information (`simGIC`)."""
    return measure_score(y_true, y_pred, measure="simGIC", **settings)


def misinformation_loss(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the misinformation (`mi`)."""
    return measure_score(y_true, y_pred, measure="mi", **settings)


def remaining_uncertainty_loss(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the remaining uncertainty (`ru`)."""
    return measure_score(y_true, y_pred, measure="ru", **settings)


def semantic_distance_loss(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the semantic distance (`S`)."""
    return measure_score(y_true, y_pred, measure="S", **settings)


def icm_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the information contrast (`ICM`)."""
    return measure_score(y_true, y_pred, measure="ICM", **settings)


def icm_norm_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the normalised information contrast (`ICM_norm`)."""
    return measure_score(y_true, y_pred, measure="ICM_norm", **settings)


def descendant_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the descendant F1 (`hF_desc`)."""
    return measure_score(y_true, y_pred, measure="hF_desc", **settings)


def descendant_precision_score(
    y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]
) -> float:
    """Return the descendant precision (`hP_desc`)."""
    return measure_score(y_true, y_pred, measure="hP_desc", **settings)


def descendant_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the descendant recall (`hR_desc`)."""
    return measure_score(y_true, y_pred, measure="hR_desc", **settings)


def flat_accuracy_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the accuracy (`accuracy`)."""
    return measure_score(y_true, y_pred, measure="accuracy", **settings)


def flat_precision_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the precision (`precision`)."""
    return measure_score(y_true, y_pred, measure="precision", **settings)


def flat_recall_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the recall (`recall`)."""
    return measure_score(y_true, y_pred, measure="recall", **settings)


def flat_f1_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the F1 (`f1`)."""
    return measure_score(y_true, y_pred, measure="f1", **settings)


def flat_hamming_loss(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the Hamming loss (`hamming`)."""
    return measure_score(y_true, y_pred, measure="hamming", **settings)


def wu_palmer_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the Wu–Palmer similarity (`Wu_Palmer`)."""
    return measure_score(y_true, y_pred, measure="Wu_Palmer", **settings)


def leacock_chodorow_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the Leacock–Chodorow similarity (`Leacock_Chodorow`)."""
    return measure_score(y_true, y_pred, measure="Leacock_Chodorow", **settings)


def resnik_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the Resnik similarity (`Resnik`)."""
    return measure_score(y_true, y_pred, measure="Resnik", **settings)


def lin_score(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the Lin similarity (`Lin`)."""
    return measure_score(y_true, y_pred, measure="Lin", **settings)


def jiang_conrath_error(y_true: Any, y_pred: Any, **settings: Unpack[ScoreArguments]) -> float:
    """Return the Jiang–Conrath distance (`Jiang_Conrath`)."""
    return measure_score(y_true, y_pred, measure="Jiang_Conrath", **settings)


__all__ = ["make_scorer", "measure_score", *(m.function for m in CATALOGUE.values() if m.function)]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> ScoreFunction:
        """Return the function of a measure that this file does not list, such as your own."""
        for measure in CATALOGUE.values():
            if name and name == measure.function:
                return partial(measure_score, measure=measure.key)
        raise AttributeError(unknown_name("name in hiermeasures.metrics", name, __all__))
