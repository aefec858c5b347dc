"""Probabilities on a hierarchy: distributions, prediction rules, expected values, optimal
predictions and curves.

Plaud et al. 2024 argue that how probabilities become labels cannot be separated from the measure
that is reported; everything needed to look at that is gathered here, as structures. Nothing here
draws.
"""

from hiermeasures.probabilities.curves import (
    INCOHERENT,
    INTERPOLATIONS,
    ClassAreas,
    Curve,
    FileSweep,
    InstanceAreas,
    MicroCurve,
    class_areas,
    file_sweep,
    instance_areas,
    instance_curve,
    micro_curve,
)
from hiermeasures.probabilities.events import (
    Coherence,
    Distribution,
    Event,
    coherence,
    coherent_sets,
    independent,
    single_path,
    table_coherence,
)
from hiermeasures.probabilities.expected import (
    CandidateTable,
    Optimum,
    ThresholdRange,
    ThresholdSweep,
    bayes_optimal,
    closed_form,
    expected_value,
    search,
    threshold_ranges,
    threshold_sweep,
)
from hiermeasures.probabilities.files import match_labels, read_probabilities, true_classes
from hiermeasures.probabilities.mistakes import MistakeCounts, RankedMistakes, mistakes_of, ranked_mistakes
from hiermeasures.probabilities.operating import OperatingCurve, operating_curve
from hiermeasures.probabilities.probabilities import KINDS, NodeProbabilities, ProbabilityTable
from hiermeasures.probabilities.reports import (
    ScoredReport,
    ThresholdPartial,
    ThresholdReport,
    scored_report,
    scored_report_of_sums,
    threshold_partial,
)
from hiermeasures.probabilities.rules import RULES, Prediction, Rule, predict

__all__ = [
    "INCOHERENT", "INTERPOLATIONS", "KINDS", "RULES",
    "CandidateTable", "ClassAreas", "Coherence", "Curve", "Distribution",
    "Event", "FileSweep", "InstanceAreas", "MicroCurve", "MistakeCounts", "NodeProbabilities",
    "OperatingCurve", "Optimum", "Prediction", "ProbabilityTable", "RankedMistakes", "Rule", "ScoredReport",
    "ThresholdPartial", "ThresholdRange", "ThresholdReport", "ThresholdSweep",
    "bayes_optimal", "class_areas", "closed_form", "coherence", "coherent_sets", "expected_value", "file_sweep",
    "independent", "instance_areas", "instance_curve", "match_labels", "micro_curve", "mistakes_of",
    "operating_curve", "predict", "ranked_mistakes", "read_probabilities", "scored_report", "scored_report_of_sums",
    "search", "single_path", "table_coherence", "threshold_partial", "threshold_ranges", "threshold_sweep",
    "true_classes",
]  # fmt: skip
