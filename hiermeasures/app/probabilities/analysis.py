"""Results that the Probabilities page shows for its sheet, computed by hiermeasures.probabilities
and cached; and sets of classes in words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from hiermeasures.app.probabilities.model import ProbabilitiesModel, Reading, Sheet
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.measures import CATALOGUE, explain
from hiermeasures.measures.catalogue import latex_text
from hiermeasures.probabilities import (
    RULES,
    CandidateTable,
    Curve,
    Distribution,
    NodeProbabilities,
    ThresholdRange,
    ThresholdSweep,
    coherence,
    coherent_sets,
    independent,
    instance_curve,
    predict,
    search,
    single_path,
    threshold_ranges,
    threshold_sweep,
)
from hiermeasures.probabilities.events import Coherence, ends_of
from hiermeasures.probabilities.expected import Labels

MOST_COMPARED = 20_000
LIKELIEST: Final = "likeliest"
BEST = {"best_a": "measure_a", "best_b": "measure_b"}
Space = Literal["coherent", "paths", "likeliest"]


@dataclass(frozen=True)
class Prediction:
    """Prediction of the chosen rule; `tau`, if any, is the threshold that gives the same."""

    classes: frozenset[str]
    sentence: str
    source: str
    tau: float | None


@dataclass(frozen=True)
class Analysis:
    """All that the page shows about the sheet. `doubt` says why nothing can be expected."""

    settings: ProbabilitiesModel
    sheet: Sheet
    options: Options
    found: Coherence
    distribution: Distribution | None
    doubt: str
    table: CandidateTable | None
    narrowed: str
    prediction: Prediction
    truth: frozenset[str]
    curve: Curve | None

    @property
    def hierarchy(self) -> Hierarchy:
        return self.sheet.hierarchy


def analysed(at: ProbabilitiesModel) -> Analysis:
    """Return the analysis of the sheet."""
    now, options = at.on_sheet, at.options
    distribution, doubt = _read(now.probabilities, at.reading)
    table, narrowed = None, ""
    if distribution is not None:
        table, narrowed = _searched(distribution, at)
    truth = frozenset(at.truth)
    curve = None
    if truth:
        curve = instance_curve(
            now.probabilities,
            truth,
            interpolation=at.interpolation,
            incoherent=at.incoherent,
            count_root=options.counts_root(now.hierarchy),
        )
    return Analysis(
        settings=at,
        sheet=now,
        options=options,
        found=coherence(now.probabilities),
        distribution=distribution,
        doubt=doubt,
        table=table,
        narrowed=narrowed,
        prediction=_prediction(now.probabilities, at, table),
        truth=truth,
        curve=curve,
    )


def realised(of: Analysis) -> Mapping[str, float]:
    """Return the values of the prediction against the chosen truth."""
    truth = frozenset(a for c in of.truth for a in of.hierarchy.up(c)) - {of.hierarchy.root}
    predicted = of.prediction.classes
    if of.settings.labels == "most_specific":
        truth, predicted = ends_of(of.hierarchy, truth), ends_of(of.hierarchy, predicted)
    return explain(of.hierarchy, truth, predicted, options=of.options)


def sweep_of(of: Analysis) -> ThresholdSweep | None:
    """Return expected hF over all thresholds; None where nothing can be expected."""
    return _swept(of.sheet.probabilities, of.settings.reading, of.settings.labels, of.options)


@lru_cache(maxsize=64)
def _read(probabilities: NodeProbabilities, reading: Reading) -> tuple[Distribution | None, str]:
    try:
        return (single_path if reading == "single_path" else independent)(probabilities), ""
    except InputError as error:
        return None, str(error)


@lru_cache(maxsize=64)
def _found(
    probabilities: NodeProbabilities,
    reading: Reading,
    measures: tuple[str, ...],
    *,
    labels: Labels,
    options: Options,
    space: Space,
) -> CandidateTable:
    distribution, doubt = _read(probabilities, reading)
    if distribution is None:
        raise InputError(doubt)
    if space != LIKELIEST:
        return search(distribution, measures, space=space, labels=labels, options=options)
    many = max(1, MOST_COMPARED // 2 // len(distribution.events) - 1)
    likeliest = sorted(distribution.events, key=lambda e: -e.probability)[:many]
    candidates = dict.fromkeys([frozenset[str](), *(e.classes for e in likeliest)])
    return search(distribution, measures, candidates=candidates, labels=labels, options=options)


def _searched(d: Distribution, at: ProbabilitiesModel) -> tuple[CandidateTable | None, str]:
    """Candidates: all coherent sets if few, else single paths, else likely events; and why."""
    measures = tuple(dict.fromkeys((at.measure_a, at.measure_b)))
    spaces: list[tuple[Space, Callable[[], int], str]] = [
        ("coherent", lambda: len(coherent_sets(d.hierarchy)), ""),
        ("paths", lambda: len(d.hierarchy), "Only single paths are compared: {}."),
        (LIKELIEST, lambda: 0, "Only the likeliest possible truths are compared: {}."),
    ]
    why = ""
    for space, count, words in spaces:
        try:
            several = count() * len(d.events)
            if several <= MOST_COMPARED:
                return _found(
                    d.probabilities, at.reading, measures, labels=at.labels, options=at.options, space=space
                ), words.format(why)
            why = f"there are too many others, which would take {several:,} comparisons"
        except InputError as error:
            why = str(error)
    return None, why


def _prediction(p: NodeProbabilities, at: ProbabilitiesModel, table: CandidateTable | None) -> Prediction:
    if at.rule in BEST:
        return _best_prediction(p, getattr(at, BEST[at.rule]), table)
    rule = RULES[at.rule]
    settings = {"at": at.tau, "k": at.k, "among": at.among, "paths": at.paths}
    try:
        made = predict(p, at.rule, **{name: settings[name] for name in rule.parameters})
    except InputError as error:
        return Prediction(frozenset(), str(error), rule.source, None)
    tau = made.threshold if at.rule == "threshold" else _threshold_of(p, made.classes)
    return Prediction(made.classes, made.sentence, rule.source, tau)


def _best_prediction(p: NodeProbabilities, key: str, table: CandidateTable | None) -> Prediction:
    measure = CATALOGUE[key]
    source = "Plaud et al. 2024, Eq. 2, by comparing all candidates"
    if table is None:
        return Prediction(frozenset(), "There is no best prediction without expected values.", source, None)
    try:
        best = table.optimum(measure.key)
    except InputError as error:
        return Prediction(frozenset(), f"{error}.", source, None)
    classes = best.best.candidate.classes
    sentence = f"The best expected {measure.name} of {table.space}: {braces(p.hierarchy, classes)}."
    return Prediction(classes, sentence, source, _threshold_of(p, classes))


def _threshold_of(p: NodeProbabilities, classes: frozenset[str]) -> float | None:
    found = threshold_ranges(p).get(classes)
    return found.low if found else None


@lru_cache(maxsize=64)
def _swept(p: NodeProbabilities, reading: Reading, labels: Labels, options: Options) -> ThresholdSweep | None:
    distribution, _ = _read(p, reading)
    if distribution is None:
        return None
    try:
        return threshold_sweep(distribution, "hF", labels=labels, options=options)
    except InputError:
        return None


# --- words ----------------------------------------------------------------------------------------


def latex_set(h: Hierarchy, classes: frozenset[str], most: int = 4) -> str:
    """Return a set of classes for a formula; nothing in a label acts as a command."""
    ordered = sorted(classes, key=h.index)
    if not ordered:
        return r"\text{nothing}"
    more = r", \dots" if len(ordered) > most else ""
    return r"\{" + ", ".join(latex_text(c, 16) for c in ordered[:most]) + more + r"\}"


def braces(h: Hierarchy, classes: frozenset[str], most: int = 8) -> str:
    """Return a set of classes as text, in the hierarchy's order.

    >>> braces(Hierarchy.from_nested({"r": {"1": ["5"]}}), frozenset({"5", "1"}))
    '{1, 5}'
    """
    if not classes:
        return "nothing"
    ordered = sorted(classes, key=h.index)
    more = f", and {len(ordered) - most} more" if len(ordered) > most else ""
    return "{" + ", ".join(ordered[:most]) + more + "}"


def range_words(r: ThresholdRange | None) -> str:
    """Return a range of thresholds, or a dash where there is none."""
    return f"{r.low:.3g}–{r.high:.3g}" if r else "–"
