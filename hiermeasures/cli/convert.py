"""`convert`: one file format into another."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from hiermeasures.cli.declare import ERRORS, TASK, argument, command
from hiermeasures.cli.printing import PRINTED, print_notes, write


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
    """With `-` for OUT, the file is the output and nothing else."""
    from hiermeasures.formats import convert

    printed = arguments.target in PRINTED
    with TemporaryDirectory() as folder:
        done = convert(
            arguments.source,
            Path(folder, "-") if printed else arguments.target,
            source_format=arguments.source_format,
            target_format=arguments.target_format,
            task=arguments.task,
            errors=arguments.errors,
        )
        if printed:
            write(Path(folder, "-").read_bytes(), "-", str(done))
        else:
            print(done)
    print_notes(done.notes)
    return 0
