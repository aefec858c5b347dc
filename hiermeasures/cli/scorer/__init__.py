"""`scorer`: scoring programs for Codabench and Kaggle, with submissions to try them by; and what
these programs run, the scores of one submission.
"""

import argparse
import json
import math
import shutil
import sys
from contextlib import chdir
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hiermeasures import __version__
from hiermeasures.cli import declare
from hiermeasures.cli.printing import written
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.read.reading import OPTIONS
from hiermeasures.read.source import filling

if TYPE_CHECKING:
    import pandas as pd

FLOORS = ("hierarchy", "read", "measures", "draw", "evaluation", "cli")
"""The packages of ours that a program brings along."""
_PACKAGE = Path(__file__).resolve().parents[2]


@declare.command(
    "scorer",
    "scoring programs for Codabench and Kaggle",
    "Scoring programs for a shared task, with everything they need: DIR/codabench and DIR/kaggle, "
    "the caption, sample "
    "and bad submissions, and a test of it all. The first measure is the one that Kaggle ranks by.",
    declare.argument("folder", "DIR", "the folder to write; made where it is not there"),
    declare.HIERARCHY,
    *declare.READING,
    declare.TRUE,
    declare.argument(
        "--measures", "K,…", "the measures, by key; the first one ranks", required=True
    ),
    declare.CLASS_WEIGHTS,
    declare.UNKNOWN,
    declare.NORMALISE,
    declare.AVERAGE,
    declare.SETTINGS,
    declare.DEFINE,
)
def scorer(arguments: argparse.Namespace) -> int:
    from hiermeasures.cli import parser
    from hiermeasures.cli.evaluate import reports_of

    out = Path(arguments.folder)
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise InputError(f"{out}: is there already; name a folder that is new or empty")
    weights = (
        {"class-weights": arguments.class_weights} if arguments.class_weights is not None else {}
    )
    for file in (arguments.hierarchy, arguments.true, *weights.values()):
        if Path(file).exists() and not Path(file).is_file():
            raise InputError(f"{file}: a scorer reads its files more than once; name a file")
    read = {"hierarchy": arguments.hierarchy, **weights}
    arguments.unknown = (
        arguments.unknown or "error"
    )  # a submission with an unknown class is refused, unless told
    options = _options(arguments)
    given = [word for name, file in read.items() for word in (f"--{name}", file)]
    same = ["evaluate", *given, "--true", arguments.true, "--predicted", arguments.true, *options]
    (report,) = reports_of(parser().parse_args(same), average=arguments.average).values()
    caption = _caption(report, arguments)
    copied = {name: f"{name}{''.join(Path(file).suffixes)}" for name, file in read.items()}
    program = out / "codabench" / "scoring_program"
    with filling(out):
        program.mkdir(parents=True)
        for name, file in read.items():
            shutil.copyfile(file, program / copied[name])
        _write(program / "task.json", {"files": copied, "options": options, "caption": caption})
        _write_program(out, report, caption)
        _write_data(out, Path(arguments.true), report.hierarchy)
        expected = _expected(out, program)
    print(caption)
    print(
        f"the sample scores "
        f"{', '.join(f'{key} {value:.4f}' for key, value in expected['scores'].items())}"
    )
    print(
        written(
            out, f"README.md says what goes where, and `pytest {out / 'test_scorer.py'}` tries it"
        )
    )
    return 0


def _options(arguments: argparse.Namespace) -> list[str]:
    """Return the options of `evaluate` that are the same for every submission."""
    named = ("errors", *OPTIONS, "measures", "unknown", "normalise", "average")
    found = [(f"--{name}", getattr(arguments, name)) for name in named]
    found += [
        *(("--set", pair) for pair in arguments.settings),
        *(("--define", entry) for entry in arguments.define),
    ]
    return [word for name, value in found if value is not None for word in (name, value)]


def _caption(report: Any, arguments: argparse.Namespace) -> str:
    measures = ", ".join(f"{m.key} ({m.name}; {m.better} is better)" for m in report.declared)
    how = {
        "samples": "means over instances",
        "micro": "ratios of sums",
        "macro": "means over classes",
    }[report.average]
    options = ", ".join(
        f"{name} {getattr(report.options, name)}" for name in report.options.changed
    )
    unknown = {
        None: "refused",
        "error": "refused",
        "fail": "refused",
        "drop": "left out",
        "wrong": "wrong",
    }
    others = unknown.get(arguments.unknown, f"read by {arguments.unknown}")
    parts = [
        f"{measures} over {len(report):,} instances, {how}",
        *([f"options {options}"] if options else []),
        f"labels outside the hierarchy are {others}",
        f"computed with hiermeasures {__version__}",
    ]
    return "; ".join(parts) + "."


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (
        content
        if isinstance(content, str)
        else json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    )
    path.write_text(text, encoding="utf-8")


def _write_program(out: Path, report: Any, caption: str) -> None:
    import yaml

    from hiermeasures.info import info

    program, first = out / "codabench" / "scoring_program", report.declared[0]
    words = {
        "CAPTION": caption,
        "VERSION": __version__,
        "DIRECTION": f"of which {first.better} is better",
    }
    for name, place in {
        "score.py": program,
        "metric.py": out / "kaggle",
        "test_scorer.py": out,
        "README.md": out,
        "Dockerfile": out / "codabench",
    }.items():
        text = files(__package__).joinpath("files", f"{name}.txt").read_text(encoding="utf-8")
        for word, said in words.items():
            text = text.replace(word, said)
        _write(place / name, text)
    _write(
        program / "metadata.yaml",
        "command: python3 /app/program/score.py /app/input/ /app/output/\n",
    )
    about = info()
    packages = {**about["packages"], **about["extras"].get("fast", {})}
    _write(
        out / "codabench" / "requirements.txt",
        "".join(f"{k}=={v}\n" for k, v in packages.items() if v),
    )
    columns = [
        {
            "title": m.key,
            "key": m.key,
            "index": k,
            "sorting": "desc" if m.better == "higher" else "asc",
        }
        for k, m in enumerate(report.declared)
    ]
    board = {"leaderboard": [{"title": "Results", "key": "main", "columns": columns}]}
    _write(out / "codabench" / "leaderboard.yaml", yaml.safe_dump(board, sort_keys=False))
    vendor = program / "vendor" / "hiermeasures"
    without = shutil.ignore_patterns("__pycache__", "*.nb[ci]")
    for floor in FLOORS:
        shutil.copytree(_PACKAGE / floor, vendor / floor, ignore=without)
    shutil.copyfile(_PACKAGE / "__init__.py", vendor / "__init__.py")


def _write_data(out: Path, true: Path, hierarchy: Any) -> None:
    """Write the true labels as both read them, a submission without secrets, and bad ones."""
    from hiermeasures.read import read_labels, write_labels

    truth = read_labels(true)
    ids = truth.ids or tuple(str(k) for k in range(1, len(truth) + 1))
    truth = replace(truth, ids=ids)
    reference = out / "codabench" / "reference_data" / "truth.csv"
    reference.parent.mkdir()
    (out / "submissions").mkdir()
    write_labels(truth, reference)
    shutil.copyfile(reference, out / "kaggle" / "solution.csv")
    one = hierarchy.nodes[hierarchy.virtual_root :][1]
    odd = f"{one}x"
    while odd in hierarchy.nodes:
        odd += "x"
    sample = [frozenset([one])] * len(truth)
    for name, of, labels in (
        ("sample", ids, sample),
        ("missing-row", ids[:-1], sample[:-1]),
        ("unknown-class", ids, [frozenset([odd]), *sample[1:]]),
    ):
        write_labels(
            replace(truth, ids=of, labels=tuple(labels)), out / "submissions" / f"{name}.csv"
        )
    _write(out / "submissions" / "empty.csv", "")


def _expected(out: Path, program: Path) -> dict[str, dict[str, Any]]:
    truth = str((out / "codabench" / "reference_data" / "truth.csv").absolute())
    refused: dict[str, str] = {}
    program = program.absolute()
    with chdir(out / "submissions"):
        scores = defined(report_of(program, truth, "sample.csv"))
        for name in ("missing-row.csv", "unknown-class.csv", "empty.csv"):
            try:
                report_of(program, truth, name)
            except InputError as error:
                refused[name] = str(error)
    found: dict[str, dict[str, Any]] = {"scores": scores, "refused": refused}
    _write(out / "expected.json", found)
    return found


TASK = "task.json"
"""Beside a program: the file of the hierarchy, the options of `evaluate`, and the caption."""
_PAGE = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Scores</title>\n<p>{}</p>\n{}\n</html>\n'
_NOT_SUBMITTED = ("metadata", "metadata.yaml")  # Codabench's own, beside what was submitted


def report_of(program: Path, true: str, predicted: str) -> Any:
    """Return the report on a file of predictions, in which no instance may be missing."""
    from hiermeasures.cli import parser
    from hiermeasures.cli.evaluate import reports_of

    task = json.loads((program / TASK).read_text(encoding="utf-8"))
    files = {name: str(program / file) for name, file in task["files"].items()}
    files |= {"true": true, "predicted": predicted, "missing": "fail"}
    given = [
        f"--{name}={file}" for name, file in files.items()
    ]  # a name such as --json is a file, too
    options = parser().parse_args(["evaluate", *given, *task["options"]])
    (report,) = reports_of(options, average=options.average).values()
    return report


def defined(report: Any) -> dict[str, float]:
    return {key: value for key, value in report.values.items() if not math.isnan(value)}


def score_folders(program: str, given: str, output: str) -> int:
    """Score as Codabench does: read `given`/ref and `given`/res, write scores.json and a page."""
    out = Path(output).absolute()
    try:
        with chdir(Path(given, "res")):
            files = [
                path
                for path in sorted(Path().rglob("*"))
                if path.is_file() and not path.is_symlink()
            ]
            files = [
                path
                for path in files
                if path.name not in _NOT_SUBMITTED and path.name[0] not in "._"
            ]
            if len(files) != 1:
                raise InputError(f"a submission is one file of predictions; there are {len(files)}")
            report = report_of(Path(program), str(Path("..", "ref", "truth.csv")), str(files[0]))
    except InputError as error:
        print(f"The submission cannot be scored: {error}", file=sys.stderr)
        return 1
    caption = json.loads((Path(program) / TASK).read_text(encoding="utf-8"))["caption"]
    (out / "scores.json").write_text(json.dumps(defined(report)), encoding="utf-8")
    tables = report._repr_mimebundle_()["text/html"]
    (out / "detailed_results.html").write_text(
        _PAGE.format(escape(caption), tables), encoding="utf-8"
    )
    print(caption, report, sep="\n\n")
    return 0


def score_frames(
    program: str, solution: "pd.DataFrame", submission: "pd.DataFrame", id_column: str
) -> float:
    """Score as Kaggle does: the first measure of two tables with an id and a column of labels."""
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
