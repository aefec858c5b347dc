"""The array engine: the measures over whole batches, equal to `explain` instance by instance. numba is imported on
first use.
"""

from hiermeasures.batch.encode import EncodedLabels, UnknownLabel, encode, unknown_in_words
from hiermeasures.batch.engine import evaluate
from hiermeasures.batch.partials import PartialReport, evaluate_stream, partial
from hiermeasures.batch.ranks import by_rank
from hiermeasures.batch.results import Partial, Report

__all__ = [
    "EncodedLabels",
    "Partial",
    "PartialReport",
    "Report",
    "UnknownLabel",
    "by_rank",
    "encode",
    "evaluate",
    "evaluate_stream",
    "partial",
    "unknown_in_words",
]
