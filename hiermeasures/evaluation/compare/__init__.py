"""Compare systems: scores, ranks with ties, significance, and agreement of the measures."""

from hiermeasures.evaluation.compare.comparison import (
    Comparison,
    compare,
    compare_reports,
    scores_to_latex,
)
from hiermeasures.evaluation.compare.significance import TESTS, holm, sign_test, wilcoxon_test

__all__ = [
    "TESTS",
    "Comparison",
    "compare",
    "compare_reports",
    "holm",
    "scores_to_latex",
    "sign_test",
    "wilcoxon_test",
]
