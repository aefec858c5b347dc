"""Measures over many instances: arrays, kernels, reports, and results that come in parts.

Each value equals that of `explain`, instance by instance. `compare/` ranks systems, and `scores/`
turns scores and probabilities into labels. numba is imported on first use.
"""

from hiermeasures.evaluation.encode import EncodedLabels, UnknownLabel, encode
from hiermeasures.evaluation.engine import Labels, by_rank, evaluate, evaluate_files, evaluate_table
from hiermeasures.evaluation.partials import (
    PartialReport,
    evaluate_stream,
    from_bytes,
    merge,
    partial,
    to_bytes,
)
from hiermeasures.evaluation.results import Partial, Report

__all__ = [
    "EncodedLabels",
    "Labels",
    "Partial",
    "PartialReport",
    "Report",
    "UnknownLabel",
    "by_rank",
    "encode",
    "evaluate",
    "evaluate_files",
    "evaluate_stream",
    "evaluate_table",
    "from_bytes",
    "merge",
    "partial",
    "to_bytes",
]
