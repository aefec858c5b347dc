"""`information`: how informative each class is."""

import argparse
from pathlib import Path

from hiermeasures.cli.declare import HIERARCHY, LABEL_FORMAT, TASK, TRUE, choice, command


@command(
    "information",
    "how informative each class is, counted over true labels",
    "The information accretion of each class, in bits, a line `class weight` each: what CAFA's tools read, and --ia "
    "and --class-weights here.",
    HIERARCHY,
    TRUE,
    LABEL_FORMAT,
    TASK,
    choice(
        "--smoothing",
        ["unseen", "dummy"],
        "count a class that no instance has once, as ICM does (unseen), or every class once more, as CAFA does (dummy)",
        default="unseen",
    ),
)
def information(arguments: argparse.Namespace) -> int:
    from hiermeasures.engine.files import InputFile, read_systems
    from hiermeasures.engine.information import accretion

    files = (InputFile(arguments.hierarchy, Path(arguments.hierarchy)), Path(arguments.true))
    read = read_systems(files[0], InputFile(arguments.true, files[1], arguments.format), {}, task=arguments.task)
    h = read.hierarchy
    bits = accretion(h, read.true, smoothing=arguments.smoothing)
    for k in range(h.virtual_root, len(h)):
        print(f"{h.nodes[k]}\t{float(bits[k]) + 0.0!r}")
    return 0
