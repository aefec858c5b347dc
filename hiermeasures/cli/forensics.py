"""`forensics`: which conventions give a printed number."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.printing import Progress, as_json, print_notes
from hiermeasures.core.errors import InputError


@declare.command(
    "forensics",
    "conventions that give a printed number",
    "Which conventions of evaluation give a printed number on the same predictions: averages, ancestors, the root, "
    "labels that are left out, ratios over nothing. The answer says consistent with, never is. Ends with 1 where none "
    "fits.",
    declare.HIERARCHY,
    declare.ERRORS,
    declare.TRUE,
    declare.argument("--predicted", "FILE", "prediction files, one per printed number", required=True, nargs="+"),
    declare.LABEL_FORMAT,
    declare.TASK,
    declare.argument("--printed", "NUMBER", "with its digits, such as 0.710 or 71.0%%", required=True, nargs="+"),
    declare.argument("--of", "K", "the quantity: P, R, F (also hP, hR, hF), accuracy or distance; all by default"),
    declare.flag("--json", "print JSON"),
)
def forensics(arguments: argparse.Namespace) -> int:
    from hiermeasures.forensics import forensics as search

    if len(arguments.printed) != len(arguments.predicted):
        raise InputError(f"{len(arguments.predicted)} prediction files need as many numbers after --printed")
    hierarchy, true, systems = rows_of(arguments, arguments.predicted)
    printed = dict(zip(systems, arguments.printed, strict=True))
    with Progress("conventions", "ways to count classes") as progress:
        found = search(hierarchy, true, systems, printed, of=arguments.of, progress=progress)
    print(as_json(found.as_json()) if arguments.json else found.as_text())
    return 0 if found.consistent else 1


def rows_of(arguments: argparse.Namespace, predicted: Sequence[str]) -> tuple[Any, Any, dict[str, Any]]:
    """Read the hierarchy, and the rows of labels of the truth and of each prediction file as they stand there."""
    from hiermeasures.engine.files import notes_of
    from hiermeasures.formats import read_hierarchy, read_labels
    from hiermeasures.formats.labels.alignment import align
    from hiermeasures.formats.labels.lines import hierarchy_of_task

    hierarchy = read_hierarchy(Path(arguments.hierarchy), errors=arguments.errors)
    print_notes([note.text for note in notes_of(hierarchy, "")], arguments.hierarchy)
    truth = read_labels(Path(arguments.true), arguments.format, arguments.task)
    hierarchy = hierarchy_of_task(hierarchy, truth, arguments.task)
    systems = {}
    for name in predicted:
        aligned = align(truth, read_labels(Path(name), arguments.format, arguments.task))
        print_notes(aligned.notes, name)
        systems[name] = aligned.predicted
    return hierarchy, truth.labels, systems
