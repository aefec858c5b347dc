"""`forensics`: which conventions give a printed number."""

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.printing import Progress, as_json, print_notes
from hiermeasures.core.errors import InputError, shown


@declare.command(
    "forensics",
    "conventions that give a printed number",
    "Which conventions of evaluation give a printed number on the same predictions: averages, ancestors, the root, "
    "labels that are left out, ratios over nothing. The answer says consistent with, never is. Ends with 1 where none "
    "fits.",
    declare.HIERARCHY,
    declare.ERRORS,
    declare.TRUE,
    declare.either(
        declare.argument("--predicted", "FILE", "prediction files, one per printed number", nargs="+"),
        declare.argument(
            "--scores", "FILE", "files of scores instead, a column per class: CSV, Parquet, NPZ", nargs="+"
        ),
    ),
    declare.LABEL_FORMAT,
    declare.TASK,
    declare.choice(
        "--missing",
        ["bounds", "empty"],
        "instances without a prediction: bounds over all sets of classes, or an empty prediction (bounds)",
        default="bounds",
    ),
    declare.KIND,
    declare.argument("--thresholds", "T,T", "thresholds of the scores that are tried (0.5)", default="0.5"),
    declare.argument("--top", "K,K", "numbers of best classes that are tried (1)", default="1"),
    declare.argument("--printed", "NUMBER", "with its digits, such as 0.710 or 71.0%%", required=True, nargs="+"),
    declare.argument("--of", "K", "the quantity: P, R, F (also hP, hR, hF), accuracy or distance; all by default"),
    declare.flag("--json", "print JSON"),
)
def forensics(arguments: argparse.Namespace) -> int:
    from hiermeasures.forensics import forensics as search

    if not (arguments.predicted or arguments.scores):
        raise InputError("predictions are needed: --predicted, or --scores")
    files = declare.named_once(arguments.predicted or arguments.scores)
    if len(arguments.printed) != len(files):
        raise InputError(f"{len(files)} prediction files need as many numbers after --printed")
    hierarchy, truth = _truth(arguments)
    read = _rows if arguments.predicted else partial(_scores, tried=_tried(arguments))
    systems: dict[str, Any] = {}
    missing: dict[str, list[int]] = {}
    for name in files:
        systems[name], absent = read(arguments, hierarchy, truth, name)
        if arguments.missing == "bounds":
            missing[name] = absent
    printed = dict(zip(systems, arguments.printed, strict=True))
    with Progress("conventions", "steps") as progress:
        found = search(hierarchy, truth.labels, systems, printed, of=arguments.of, progress=progress, missing=missing)
    print(as_json(found.as_json()) if arguments.json else found.as_text())
    return 0 if found.consistent else 1


def rows_of(arguments: argparse.Namespace, files: Sequence[str]) -> tuple[Any, Any, dict[str, Any]]:
    """Read the hierarchy and the rows of labels of truth and predictions, or the scores."""
    hierarchy, truth = _truth(arguments)
    read = _scores if arguments.scores else _rows
    return hierarchy, truth.labels, {name: read(arguments, hierarchy, truth, name)[0] for name in files}


def _truth(arguments: argparse.Namespace) -> tuple[Any, Any]:
    from hiermeasures.engine.files import InputFile, read_truth

    hierarchy = InputFile(arguments.hierarchy, Path(arguments.hierarchy), errors=arguments.errors)
    true = InputFile(arguments.true, Path(arguments.true), arguments.format)
    h, truth, notes = read_truth(hierarchy, true, arguments.task)
    print_notes([note.text for note in notes], arguments.hierarchy)
    return h, truth


def _rows(arguments: argparse.Namespace, hierarchy: Any, truth: Any, name: str) -> tuple[Any, list[int]]:
    """The rows of a prediction file in the order of the truth, and the places of missing ones."""
    from hiermeasures.engine.files import InputFile, read_aligned

    file = InputFile(name, Path(name), arguments.format)
    aligned = read_aligned(truth, file, arguments.task, _treatment(arguments))[1]
    print_notes(aligned.notes)  # which name the file
    return aligned.predicted, aligned.missing_places


def _scores(
    arguments: argparse.Namespace, hierarchy: Any, truth: Any, name: str, tried: Mapping[str, Any] | None = None
) -> tuple[Any, list[int]]:
    """The same of a file of scores; `tried` are numbers of decisions in place of the usual ones."""
    import numpy as np

    from hiermeasures.forensics import Scores
    from hiermeasures.formats import LabelFile, align
    from hiermeasures.probabilities import ProbabilityTable
    from hiermeasures.probabilities.files import read_raw_probabilities

    raw = read_raw_probabilities(Path(name))
    table = raw.table(hierarchy, kind=arguments.kind)
    lines = LabelFile(raw.ids, [frozenset({str(k)}) for k in range(len(table))], name=name)
    aligned = align(truth, lines, _treatment(arguments))
    print_notes(table.notes, name)
    print_notes(aligned.notes)
    places = np.array([int(*line) if line else -1 for line in aligned.predicted])
    ordered = ProbabilityTable.of(hierarchy, np.where(places[:, None] < 0, 0.0, table.values[places]))
    return Scores.of(ordered, **(tried or {})), aligned.missing_places


def _tried(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "thresholds": [_share(text) for text in arguments.thresholds.split(",")],
        "top": [declare.count_of(text, "--top") for text in arguments.top.split(",")],
    }


def _treatment(arguments: argparse.Namespace) -> Any:
    given = getattr(arguments, "missing", "empty")
    return "open" if given == "bounds" else given


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--thresholds takes numbers in [0, 1], not {shown(text)}") from None
