"""`merge`: join the sums of parts."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hiermeasures.cli import declare, printing
from hiermeasures.cli.evaluate import print_reports, print_unknown, weighed
from hiermeasures.hierarchy.errors import InputError

if TYPE_CHECKING:
    from hiermeasures.evaluation import PartialReport

HEAD = 30  # the first bytes of a partial result, with a checksum of the others


@declare.command(
    "merge",
    "join the sums of parts",
    "Join the files that evaluate wrote with --partial for parts of the instances. The values "
    "equal those of one run over all instances, to the last bit. Example: hiermeasures merge "
    "hierarchy.txt part-1.sums part-2.sums",
    [
        declare.argument("hierarchy", "HIERARCHY", "the hierarchy of the parts"),
        declare.argument("files", "FILE", "the files of sums, in any order", nargs="+"),
        declare.argument("--class-weights", "FILE", "the weights that you gave to evaluate"),
        declare.OUTPUTS,
    ],
)
def merge(arguments: argparse.Namespace) -> int:
    from hiermeasures.evaluation import from_bytes
    from hiermeasures.read import read_hierarchy
    from hiermeasures.read.source import load

    read = (arguments.hierarchy, arguments.class_weights, *arguments.files)
    printing.check_targets((arguments.csv, arguments.latex), read)
    _check_different(arguments.files)
    hierarchy = weighed(read_hierarchy(Path(arguments.hierarchy)), arguments.class_weights)
    found: PartialReport | None = None
    first: dict[bytes, str] = {}
    for file in arguments.files:
        data, *_ = load(Path(file), "", None)
        try:
            part = from_bytes(hierarchy, data)
            found = part if found is None else found + part
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        if (other := first.setdefault(data[:HEAD], file)) != file:
            # only a note, because parts with different instances can have equal sums
            printing.print_notes([f"{other} and {file} contain equal sums. Both count"])
    assert found is not None, "the command line takes at least one file"
    report = found.report()
    print_unknown(report, "predicted")
    return print_reports({"merged": report}, arguments)


def _check_different(files: Sequence[str]) -> None:
    """Refuse a repeated file, even under two names."""
    first: dict[tuple[int, int], str] = {}
    for file in files:
        try:
            about = os.stat(file)
        except (OSError, ValueError):
            continue  # the reader names it
        if (place := (about.st_dev, about.st_ino)) in first:
            both = file if first[place] == file else f"{first[place]} and {file}"
            what = "is given twice" if first[place] == file else "are the same file"
            raise InputError(f"{both} {what}, so its instances would count twice. Name it once")
        first[place] = file
