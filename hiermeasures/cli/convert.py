"""`convert`: one file format into another."""

import argparse

from hiermeasures.cli.declare import ERRORS, TASK, argument, command
from hiermeasures.cli.printing import print_notes


@command(
    "convert",
    "one file format into another",
    "A hierarchy or label file in another format, told by its ending.",
    argument("source", "IN", None),
    argument("target", "OUT", None),
    argument("--from", "NAME", "the format of IN, where it is not recognised", dest="source_format"),
    argument("--to", "NAME", "the format of OUT, where its ending does not tell", dest="target_format"),
    TASK,
    ERRORS,
)
def convert(arguments: argparse.Namespace) -> int:
    from hiermeasures.formats import convert

    done = convert(
        arguments.source,
        arguments.target,
        source_format=arguments.source_format,
        target_format=arguments.target_format,
        task=arguments.task,
        errors=arguments.errors,
    )
    print(done)
    print_notes(done.notes)
    return 0
