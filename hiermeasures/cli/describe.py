"""`describe`: show how files are read."""

import argparse
from pathlib import Path

from hiermeasures.cli import declare, printing


@declare.command(
    "describe",
    "show how files are read",
    "Show how hierarchies and label files are read: format, classes, levels, first paths, and "
    "warnings. If the first file is a hierarchy, labels are checked against it. Example: "
    "hiermeasures describe hierarchy.txt true.csv",
    [
        declare.argument("files", "FILE", None, nargs="+"),
        declare.TASK,
        *declare.READING,
        declare.flag("--json", "print {file: {…}}"),
    ],
)
def describe(arguments: argparse.Namespace) -> int:
    from hiermeasures.read import describe, kind_of, read_hierarchy

    first, *others = declare.named_once(arguments.files)
    reading = declare.reading_of(arguments)
    asked = bool(reading.keys() - {"errors"})
    of_both = others and (asked or kind_of(Path(first), Path()) == "hierarchy")
    h = read_hierarchy(Path(first), **reading) if of_both else None
    source = first if h is None else h
    found = {first: describe(source, name=first, task=arguments.task, **reading)}
    for name in others:
        found[name] = describe(name, hierarchy=h, task=arguments.task, **reading)
    if arguments.json:
        print(
            printing.as_json({name: description.to_dict() for name, description in found.items()})
        )
    else:
        printing.show("\n\n".join(map(repr, found.values())).translate(printing.CONTROLS))
    return 0
