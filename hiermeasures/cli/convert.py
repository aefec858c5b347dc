"""`convert`: convert between file formats. `information`: the information of each class."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from hiermeasures.cli.declare import (
    HIERARCHY,
    LABEL_FORMAT,
    READING,
    TASK,
    TRUE,
    argument,
    choice,
    command,
    reading_of,
)
from hiermeasures.cli.printing import PRINTED, print_notes, write


@command(
    "convert",
    "convert a file to another format",
    "Convert a hierarchy or label file. The ending of OUT decides the format. Example: "
    "hiermeasures convert hierarchy.txt hierarchy.json",
    [
        argument("source", "IN", None),
        argument("target", "OUT", None),
        argument("--from", "NAME", "the format of IN (detected by default)", dest="source_format"),
        argument(
            "--to", "NAME", "the format of OUT (by default from its ending)", dest="target_format"
        ),
        TASK,
        *READING,
    ],
)
def convert(arguments: argparse.Namespace) -> int:
    """Convert a file. With `-` for OUT, the output is only the file."""
    from hiermeasures.read import convert

    printed = arguments.target in PRINTED
    with TemporaryDirectory() as folder:
        done = convert(
            arguments.source,
            Path(folder, "-") if printed else arguments.target,
            source_format=arguments.source_format,
            target_format=arguments.target_format,
            task=arguments.task,
            **reading_of(arguments),
        )
        if printed:
            write(Path(folder, "-").read_bytes(), "-", str(done))
        else:
            print(done)
    print_notes(done.notes)
    return 0


@command(
    "information",
    "count the information of each class",
    "Count the information accretion of each class over true labels, in bits. Each line is "
    "`class weight`. CAFA's tools read it with -ia, and evaluate with --class-weights. "
    "Example: hiermeasures information --hierarchy hierarchy.txt --true true.csv",
    [
        HIERARCHY,
        *READING,
        TRUE,
        LABEL_FORMAT,
        TASK,
        choice(
            "--smoothing",
            ["unseen", "dummy"],
            "count each class without an instance once, as ICM does (unseen), or add one to "
            "every class, as CAFA does (dummy)",
            default="unseen",
        ),
    ],
)
def information(arguments: argparse.Namespace) -> int:
    from hiermeasures.evaluation.answers import Rules
    from hiermeasures.evaluation.files import InputFile, read_systems
    from hiermeasures.evaluation.information import accretion

    hierarchy = InputFile(
        arguments.hierarchy, Path(arguments.hierarchy), options=reading_of(arguments)
    )
    true = InputFile(arguments.true, Path(arguments.true), arguments.format)
    rules = Rules(first=1, if_needed=True)
    read = read_systems(hierarchy, true, {}, rules=rules, task=arguments.task)
    h = read.hierarchy
    bits = accretion(h, read.true, smoothing=arguments.smoothing)
    for k in range(h.virtual_root, len(h)):
        print(f"{h.nodes[k]}\t{float(bits[k]) + 0.0!r}")
    return 0
