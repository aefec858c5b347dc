"""Probabilities on a hierarchy: decision rules, expected values, optimal predictions and curves.

A rule turns probabilities into labels. The best rule depends on the measure (Plaud et al. 2024).
This package computes both, and leaves drawing to `hiermeasures.evaluation.plots`.
"""

from hiermeasures.evaluation.scores.curves import (
    INCOHERENT,
    ClassAreas,
    Curve,
    class_areas,
    instance_curve,
)
from hiermeasures.evaluation.scores.decide import decide
from hiermeasures.evaluation.scores.events import (
    Coherence,
    Distribution,
    Event,
    coherence,
    coherent_sets,
    independent,
    single_path,
)
from hiermeasures.evaluation.scores.expected import (
    CandidateTable,
    Optimum,
    ThresholdRange,
    bayes_optimal,
    closed_form,
    expected_value,
    search,
    threshold_ranges,
    threshold_sweep,
)
from hiermeasures.evaluation.scores.files import match_labels, read_probabilities, true_classes
from hiermeasures.evaluation.scores.probabilities import KINDS, NodeProbabilities, ProbabilityTable
from hiermeasures.evaluation.scores.rules import RULES, DecisionRule, Prediction, predict
from hiermeasures.evaluation.scores.scores import (
    OperatingCurve,
    RankedMistakes,
    ScoredReport,
    mistakes_of,
    operating_curve,
    ranked_mistakes,
    scored_report,
)
from hiermeasures.evaluation.scores.threshold import ThresholdChoice, choose_threshold

__all__ = [
    "INCOHERENT",
    "KINDS",
    "RULES",
    "CandidateTable",
    "ClassAreas",
    "Coherence",
    "Curve",
    "DecisionRule",
    "Distribution",
    "Event",
    "NodeProbabilities",
    "OperatingCurve",
    "Optimum",
    "Prediction",
    "ProbabilityTable",
    "RankedMistakes",
    "ScoredReport",
    "ThresholdChoice",
    "ThresholdRange",
    "bayes_optimal",
    "choose_threshold",
    "class_areas",
    "closed_form",
    "coherence",
    "coherent_sets",
    "decide",
    "expected_value",
    "independent",
    "instance_curve",
    "match_labels",
    "mistakes_of",
    "operating_curve",
    "predict",
    "ranked_mistakes",
    "read_probabilities",
    "scored_report",
    "search",
    "single_path",
    "threshold_ranges",
    "threshold_sweep",
    "true_classes",
]  # fmt: skip
