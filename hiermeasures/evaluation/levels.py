"""Scores per level: how well the classes of each level are predicted, ancestors included."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, Sides
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.outside import is_raised
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.sets import AUGMENTED

if TYPE_CHECKING:
    import pandas as pd

    from hiermeasures.evaluation.results import Report

CHUNK = 50_000  # instances whose augmented sets are in memory at a time


def scores_by_level(report: "Report") -> "pd.DataFrame":
    """Return precision, recall, F1, IoU and accuracy of each level.

    Labels are first extended by their ancestors. The root's level is included if the root counts.

    Parameters
    ----------
    report : Report

    Returns
    -------
    DataFrame, levels × scores
        - `classes`: the number of classes that occur.
        - `true`, `predicted`, `shared`: the counts of these classes on each side and on both.
        - `precision`, `recall`, `f1`, `iou`: computed from these counts (micro).
        - `macro_precision`, …: the means of these scores over the classes.
        - `accuracy`: the share of instances with equal classes on both sides, among those with a
          class at this level. It is nan if the report keeps only sums.

    Raises
    ------
    InputError
        With `max_ancestor_distance`, or if the report keeps only sums and no measure over ancestor
        sets was evaluated.
    """
    from hiermeasures.evaluation.needs_pandas import pd

    counts = _class_counts(report)
    level = arrays_of(report.hierarchy).level
    occurs = np.flatnonzero(counts.sum(axis=0))
    of_class = read_scores(counts[:, occurs], report.options)
    table = pd.DataFrame({"level": level[occurs], **{f"macro_{k}": v for k, v in of_class.items()}})
    macro = table.groupby("level").mean()
    summed = np.stack([np.bincount(level[occurs], weights=row[occurs]) for row in counts])[
        :, macro.index
    ]
    sizes = dict(zip(("true", "predicted", "shared"), summed.astype(np.int64), strict=True))
    found = {
        "classes": table.groupby("level").size(),
        **sizes,
        **read_scores(summed, report.options),
    }
    found["accuracy"] = _accuracy(report, int(level.max()))[macro.index]
    table = pd.DataFrame(found, index=macro.index).join(macro)
    # a virtual root above the real one, for unknown answers, moves all levels down
    raised = int(is_raised(report.hierarchy))
    return table.set_axis((table.index - raised).rename("level"))


def _class_counts(report: "Report") -> np.ndarray:
    """Return (true, predicted, shared) × classes of the augmented sets."""
    if report.options.max_ancestor_distance is not None:
        raise InputError(
            "levels cannot be counted with max_ancestor_distance, which cuts the hierarchy. Leave "
            "this option out."
        )
    if report.instances is not None and AUGMENTED.key not in report.class_counts:
        sides = (report.instances.true, report.instances.predicted)
        return report.class_counter(sides, [AUGMENTED])[AUGMENTED.key]
    if AUGMENTED.key not in report.class_counts:
        raise InputError(
            "this report keeps only sums, but none of the ancestor sets. Add hF to the measures."
        )
    return report.class_counts[AUGMENTED.key]


def read_scores(counts: np.ndarray, options: Options) -> dict[str, Any]:
    """Return precision, recall, F1 and IoU of counts, (true, predicted, shared) × classes."""
    true, predicted, shared = counts.astype(float)
    row = AUGMENTED.named_row(true, predicted, shared)
    found = {}
    for name, key in (("precision", "hP"), ("recall", "hR"), ("f1", "hF")):
        measure = CATALOGUE[key]
        found[name] = measure.read(row, measure.settled(options))
    return found | {"iou": shared / (true + predicted - shared)}


def _accuracy(report: "Report", deepest: int) -> np.ndarray:
    """Return the share of instances that agree on each level, among those with a class there."""
    agree, present = np.zeros(deepest + 1), np.zeros(deepest + 1)
    if report.instances is None:
        return np.full(deepest + 1, np.nan)
    sides = (report.instances.true, report.instances.predicted)
    for start in range(0, len(report), CHUNK):
        true, predicted, shared = _counts_by_level(report.hierarchy, sides, start, start + CHUNK)
        occurs = true + predicted > 0
        agree += (occurs & (true == predicted) & (true == shared)).sum(axis=0)
        present += occurs.sum(axis=0)
    share: np.ndarray = np.divide(
        agree, present, out=np.full(deepest + 1, np.nan), where=present > 0
    )
    return share


def _counts_by_level(h: Hierarchy, sides: Sides, start: int, end: int) -> tuple[np.ndarray, ...]:
    """Return the sizes of the augmented sets and of their overlap: instances × levels, each."""
    from hiermeasures.evaluation.information import parent_matrix, with_ancestors
    from hiermeasures.evaluation.needs_scipy import sparse

    level = arrays_of(h).level
    of_level = sparse.csr_array((np.ones(len(h), np.int32), (np.arange(len(h)), level)))
    up = parent_matrix(h)
    true, predicted = (with_ancestors(_rows(h, side, start, end), up) for side in sides)
    return tuple((rows @ of_level).toarray() for rows in (true, predicted, true * predicted))


def _rows(h: Hierarchy, side: EncodedLabels, start: int, end: int) -> Any:
    from hiermeasures.evaluation.needs_scipy import sparse

    ptr = side.ptr[start : end + 1]
    idx = side.idx[ptr[0] : ptr[-1]]
    return sparse.csr_array(
        (np.ones(len(idx), np.int32), idx, ptr - ptr[0]), shape=(len(ptr) - 1, len(h))
    )
