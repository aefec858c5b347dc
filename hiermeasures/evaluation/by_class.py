"""Counts, scores and mean measures of each class, and of each class with everything below it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.levels import CHUNK, read_scores
from hiermeasures.evaluation.mistakes import find_ancestors
from hiermeasures.evaluation.needs_scipy import sparse
from hiermeasures.evaluation.outside import base_of, number_in_base
from hiermeasures.hierarchy.hierarchy import Hierarchy

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation.results import Report

MEAN = "mean_"  # before the key of a measure, because keys such as recall are also scores


def count_by_class(report: "Report", *, subtrees: bool = False) -> "pd.DataFrame":
    """Return the scores of each class as a table (`Report.by_class`, `Report.by_subtree`)."""
    from hiermeasures.evaluation.needs_pandas import pd

    h, kept = base_of(report.hierarchy), report.kept
    values = np.stack([*report.instance_values().values(), np.zeros(len(report))], axis=1)
    counts = np.zeros((3, len(h)), np.int64)
    sums, defined = np.zeros((2, len(h), values.shape[1]))
    number = number_in_base(report.hierarchy)
    for start in range(0, len(report), CHUNK):
        true, predicted = (
            _rows(h, number, side.piece(start, min(start + CHUNK, len(report))), subtrees)
            for side in (kept.true, kept.predicted)
        )
        shared = true.multiply(predicted)
        counts += np.stack([rows.sum(axis=0) for rows in (true, predicted, shared)])
        some = values[start : start + CHUNK]
        sums += true.T @ np.nan_to_num(some)
        defined += true.T @ ~np.isnan(some)
    seen = np.flatnonzero(counts.any(axis=0))
    if h.virtual_root:
        seen = seen[seen > 0]
    scores = read_scores(counts[:, seen], report.options)
    means = np.divide(sums, defined, out=np.full(sums.shape, np.nan), where=defined > 0)[seen]
    table: dict[str, Any] = {"level": arrays_of(h).level[seen]}
    table |= dict(zip(("support", "predicted", "right"), counts[:, seen], strict=True))
    table |= {name: scores[name] for name in ("precision", "recall", "f1")}
    table |= {f"{MEAN}{key}": means[:, k] for k, key in enumerate(report.measures)}
    return pd.DataFrame(table, index=pd.Index([h.nodes[k] for k in seen], name="class"))


def _rows(h: Hierarchy, number: np.ndarray, side: EncodedLabels, subtrees: bool) -> Any:
    """Return instances × classes, 1 for each label, with the classes above it if `subtrees`."""
    numbers, instance = number[side.idx], side.instances
    known = numbers >= 0
    rows = sparse.csr_array(
        (np.ones(int(known.sum()), np.int32), (instance[known], numbers[known])),
        shape=(len(side), len(h)),
    )
    if subtrees:
        rows = sparse.csr_array(rows @ find_ancestors(h))
        rows.data[:] = 1
    return rows
