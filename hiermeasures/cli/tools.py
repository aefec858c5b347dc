"""`convert`, `information`, `page` and `info`: other formats, weights of classes, static files, the machine."""

import argparse
from pathlib import Path

from hiermeasures.cli.declare import ERRORS, HIERARCHY, LABEL_FORMAT, TASK, TRUE, argument, choice, command, flag
from hiermeasures.cli.printing import as_json, print_notes
from hiermeasures.core.extras import require


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


@command(
    "page",
    "the Explorer as static files, for any host of them",
    "The Explorer as a folder of static files, which any host serves as they are: Python runs in the reader's browser, "
    "and nothing that a reader does leaves it. Pyodide and its wheels are fetched once, by npm and pip, and kept.",
    argument("--out", "DIR", "the folder to write; made where it is not there", required=True),
    argument("--pyodide", "DIR", "a folder that has Pyodide's files and the wheels, where nothing can be fetched"),
    flag("--serve", "serve the folder to this machine, until Ctrl+C ends it"),
    argument("--port", "N", "where --serve answers (any port that is free)", type=int, default=0),
)
def page(arguments: argparse.Namespace) -> int:
    require("page", "hiermeasures page")
    from hiermeasures.page.build import write_page
    from hiermeasures.page.server import serve

    out = Path(arguments.out)
    written = write_page(out, Path(arguments.pyodide) if arguments.pyodide else None)
    for file in sorted(written, key=lambda file: -file.sent):
        print(f"{file.sent:>10,}  {file.path}")
    print(f"{sum(file.sent for file in written):>10,}  bytes in all with gzip, in {out}", flush=True)
    if arguments.serve:
        serve(out, arguments.port)
    return 0


@command(
    "info",
    "versions and the machine, for a bug report",
    "Versions, cores, compiled kernels and places: what a bug report should say.",
    flag("--json", "print JSON instead of lines"),
)
def info(arguments: argparse.Namespace) -> int:
    from hiermeasures.info import info, info_lines

    found = info()
    print(as_json(found) if arguments.json else "\n".join(info_lines(found)))
    return 0
