"""Scorer of a shared task on Codabench. Copy this file and change the names in capital letters.

Codabench runs `python shared_task_scorer.py INPUT OUTPUT`. It reads the submission in INPUT/res and
INPUT/ref/truth.csv, and writes OUTPUT/scores.json.
"""

import json
import math
import sys
from pathlib import Path

from hiermeasures import InputError, evaluate, read_hierarchy, read_labels
from hiermeasures.read import align

HIERARCHY = Path(__file__).with_name("hierarchy.txt")
MEASURES, OPTIONS = ["hF", "GIE"], {"dmax": 3}
UNKNOWN = "error"  # or "wrong": a label outside the hierarchy is an error of the system


def scores_of(truth: Path, submission: Path) -> dict[str, float]:
    """Return the measures that have a value. InputError if a submission cannot be scored."""
    both = align(read_labels(truth), read_labels(submission), missing="fail")
    how = {"measures": MEASURES, "unknown": UNKNOWN, **OPTIONS}
    report = evaluate(read_hierarchy(HIERARCHY), both.true, both.predicted, **how)
    return {key: value for key, value in report.values.items() if not math.isnan(value)}


def score_folders(given: Path, output: Path) -> None:
    """Score the only file in `given`/res."""
    files = [path for path in (given / "res").iterdir() if not path.name.startswith("metadata")]
    if len(files) != 1:
        raise InputError(f"A submission is one file of predictions. This one has {len(files)}.")
    scores = scores_of(given / "ref" / "truth.csv", files[0])
    (output / "scores.json").write_text(json.dumps(scores), encoding="utf-8")


if __name__ == "__main__":
    try:
        score_folders(*map(Path, sys.argv[1:]))
    except InputError as error:
        sys.exit(f"The submission cannot be scored: {error}")
