"""Scorer of a shared task: copy this file, and change the four names in capital letters.

Codabench runs `python shared_task_scorer.py INPUT OUTPUT`. It reads the submission in INPUT/res and
INPUT/ref/truth.csv, and writes OUTPUT/scores.json. Kaggle calls `score`.
"""

import json
import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from hiermeasures import InputError, evaluate, read_hierarchy, read_labels
from hiermeasures.read import align

HIERARCHY = Path(__file__).with_name("hierarchy.txt")
MEASURES = ["hF", "GIE"]  # Kaggle ranks by the first one
OPTIONS = {"dmax": 3}
UNKNOWN = "error"  # or "wrong": a label outside the hierarchy is an error of the system


def scores_of(truth: Path, submission: Path) -> dict[str, float]:
    """Return the measures that have a value; InputError says why a submission cannot be scored."""
    both = align(read_labels(truth), read_labels(submission), missing="fail")
    report = evaluate(
        read_hierarchy(HIERARCHY),
        both.true,
        both.predicted,
        measures=MEASURES,
        unknown=UNKNOWN,
        **OPTIONS,
    )
    return {key: value for key, value in report.values.items() if not math.isnan(value)}


def score_folders(given: Path, output: Path) -> None:
    """Score the only file in `given`/res, as Codabench does."""
    files = [path for path in (given / "res").iterdir() if not path.name.startswith("metadata")]
    if len(files) != 1:
        raise InputError(f"A submission is one file of predictions. This one has {len(files)}.")
    scores = scores_of(given / "ref" / "truth.csv", files[0])
    (output / "scores.json").write_text(json.dumps(scores), encoding="utf-8")


class ParticipantVisibleError(Exception):
    """An error that Kaggle shows to participants. It hides all others."""


def score(solution, submission, row_id_column_name: str) -> float:
    """Return the first measure of two tables with the columns id and labels."""
    with TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("solution.csv", "submission.csv")]
        for table, file in zip((solution, submission), files, strict=True):
            if missing := {row_id_column_name, "labels"} - set(table.columns):
                raise ParticipantVisibleError(f"{file.stem}: no column {missing.pop()}")
            columns = table[[row_id_column_name, "labels"]]
            columns.to_csv(file, index=False, header=["id", "labels"])
        try:
            scores = scores_of(*files)
        except InputError as error:
            raise ParticipantVisibleError(str(error)) from None
    if MEASURES[0] not in scores:
        raise ParticipantVisibleError(f"{MEASURES[0]} is undefined for this submission")
    return scores[MEASURES[0]]


if __name__ == "__main__":
    try:
        score_folders(*map(Path, sys.argv[1:]))
    except InputError as error:
        sys.exit(f"The submission cannot be scored: {error}")
