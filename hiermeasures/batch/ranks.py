"""Precision, recall and F of every rank of a batch: the measures at a rank, once for each level of the hierarchy."""

from typing import TYPE_CHECKING, Any

from hiermeasures.batch.encode import encode
from hiermeasures.batch.engine import evaluate
from hiermeasures.hierarchy import Hierarchy

if TYPE_CHECKING:
    import pandas as pd

MEASURES = {"precision": "rank_P", "recall": "rank_R", "f1": "rank_F"}


def by_rank(hierarchy: Hierarchy, y_true: Any, y_pred: Any, **settings: Any) -> "pd.DataFrame":
    """Precision, recall and F at every rank, read off the counts of all instances (Bokulich et al. 2018).

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true, y_pred :
        As for `evaluate`.
    settings :
        Options, and what else `evaluate` takes, but `measures`, `average` and `rank`.

    Returns
    -------
    DataFrame
        A row for each level below the root: TP, FP, FN, precision, recall, f1.

    Examples
    --------
    Of two finches one is called a finch of another kind, one only a bird:

    >>> h = Hierarchy.from_nested({"Animal": {"Bird": {"Finch": ["Siskin", "Serin"]}}})
    >>> table = by_rank(h, [{"Siskin"}, {"Siskin"}], [{"Serin"}, {"Bird"}])
    >>> table.precision.tolist(), table.recall.tolist()
    ([1.0, 1.0, 0.0], [1.0, 0.5, 0.0])
    """
    import pandas as pd

    names = {key: settings.pop(key) for key in ("classes", "unknown") if key in settings}
    true, predicted = (
        encode(hierarchy, labels, name=name, **names) for labels, name in ((y_true, "y_true"), (y_pred, "y_pred"))
    )
    rows = {}
    for rank in range(1, hierarchy.depth + 1):
        report = evaluate(
            hierarchy, true, predicted, measures=MEASURES.values(), average="micro", rank=rank, **settings
        )
        rows[rank] = {**report.counts["ranks"], **{name: report[key] for name, key in MEASURES.items()}}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("rank")
