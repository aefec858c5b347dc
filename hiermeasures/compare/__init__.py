"""Systems against each other: scores, ranks with ties, significance, and how far the measures agree."""

from hiermeasures.compare.comparison import Comparison, compare, compare_reports
from hiermeasures.compare.significance import TESTS, bootstrap_interval, holm, sign_test, wilcoxon_test

__all__ = ["TESTS", "Comparison", "bootstrap_interval", "compare", "compare_reports", "holm", "sign_test", "wilcoxon_test"]
