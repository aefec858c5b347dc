"""Metric of a Kaggle competition.

Copy this file into the metric notebook, and change the names in capital letters. Kaggle calls
`score` with two tables. Each has the columns id and labels.
"""

import math

from hiermeasures import InputError, evaluate, read_hierarchy

HIERARCHY = "hierarchy.txt"  # attached to the notebook
MEASURE, OPTIONS = "hF", {}
SEPARATOR = ";"  # between the labels of a row


class ParticipantVisibleError(Exception):
    """An error that Kaggle shows to participants. It hides all others."""


def score(solution, submission, row_id_column_name: str) -> float:
    """Return the measure for a submission."""
    key = row_id_column_name
    if missing := {key, "labels"} - set(submission.columns):
        raise ParticipantVisibleError(f"The submission has no column {missing.pop()}.")
    if submission[key].duplicated().any():
        raise ParticipantVisibleError(f"The column {key} has the same id twice.")
    rows = solution.merge(submission, on=key, how="left", suffixes=("_true", ""))
    if (without := rows[rows["labels"].isna()][key]).size:
        raise ParticipantVisibleError(f"There are no labels for {without.iloc[0]}.")
    true, predicted = (
        [str(cell).split(SEPARATOR) for cell in rows[name]] for name in ("labels_true", "labels")
    )
    try:
        h = read_hierarchy(HIERARCHY)
        value = evaluate(h, true, predicted, measures=MEASURE, unknown="error", **OPTIONS)[MEASURE]
    except InputError as error:
        raise ParticipantVisibleError(str(error)) from None
    if math.isnan(value):
        raise ParticipantVisibleError(f"{MEASURE} is undefined for this submission.")
    return value
