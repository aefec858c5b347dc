"""Scores of one submission: what the programs run that `hiermeasures scorer` writes."""

import json
import math
import sys
from contextlib import chdir
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hiermeasures.core.errors import InputError, check_known, shown

if TYPE_CHECKING:
    import pandas as pd

TASK = "task.json"
"""Beside a program: the file of the hierarchy, the options of `evaluate`, and the caption."""
_PAGE = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Scores</title>\n<p>{}</p>\n{}\n</html>\n'
_NOT_SUBMITTED = ("metadata", "metadata.yaml")  # Codabench's own, beside what was submitted


def report_of(program: Path, true: str, predicted: str) -> Any:
    """Return the report on a file of predictions, in which no instance may be missing."""
    from hiermeasures.cli import parser
    from hiermeasures.cli.systems import reports_of

    task = json.loads((program / TASK).read_text(encoding="utf-8"))
    files = {name: str(program / file) for name, file in task["files"].items()}
    files |= {"true": true, "predicted": predicted, "missing": "fail"}
    given = [f"--{name}={file}" for name, file in files.items()]  # a name such as --json is a file, too
    options = parser().parse_args(["evaluate", *given, *task["options"]])
    (report,) = reports_of(options, average=options.average).values()
    return report


def defined(report: Any) -> dict[str, float]:
    """Return the measures that have a value."""
    return {key: value for key, value in report.values.items() if not math.isnan(value)}


def score_folders(program: str, given: str, output: str) -> int:
    """Score as Codabench does: read `given`/ref and `given`/res, and write scores.json and a page
    to `output`.
    """
    out = Path(output).absolute()
    try:
        with chdir(Path(given, "res")):
            files = [path for path in sorted(Path().rglob("*")) if path.is_file() and not path.is_symlink()]
            files = [path for path in files if path.name not in _NOT_SUBMITTED and path.name[0] not in "._"]
            if len(files) != 1:
                raise InputError(f"a submission is one file of predictions; there are {len(files)}")
            report = report_of(Path(program), str(Path("..", "ref", "truth.csv")), str(files[0]))
    except InputError as error:
        print(f"The submission cannot be scored: {error}", file=sys.stderr)
        return 1
    caption = json.loads((Path(program) / TASK).read_text(encoding="utf-8"))["caption"]
    (out / "scores.json").write_text(json.dumps(defined(report)), encoding="utf-8")
    tables = report._repr_mimebundle_()["text/html"]
    (out / "detailed_results.html").write_text(_PAGE.format(escape(caption), tables), encoding="utf-8")
    print(caption, report, sep="\n\n")
    return 0


def score_frames(program: str, solution: "pd.DataFrame", submission: "pd.DataFrame", id_column: str) -> float:
    """Score as Kaggle does: return the first measure, both sides tables with an id and a column of
    labels.
    """
    labels = next((name for name in solution.columns if name not in (id_column, "Usage")), "labels")
    with TemporaryDirectory() as folder, chdir(folder):
        for name, frame in {"solution": solution, "submission": submission}.items():
            columns = list(map(str, frame.columns))
            for column in (id_column, labels):
                check_known(f"column: the {name} lacks", column, columns)
                if columns.count(column) > 1:
                    raise InputError(f"the {name} has several columns {shown(column)}")
            if not len(frame):
                raise InputError(f"the {name} has no row")
            table = frame.set_axis(columns, axis=1)[[id_column, labels]]
            table.to_csv(name, index=False, header=["id", "labels"], errors="replace")
        report = report_of(Path(program), "solution", "submission")
    if (key := report.measures[0]) not in defined(report):
        raise InputError(f"{key} is undefined for this submission")
    return float(report[key])
