"""`merge`: sums that were written in parts."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiermeasures.cli import declare, printing
from hiermeasures.cli.cafa import print_cafa
from hiermeasures.cli.evaluate import print_reports, print_unknown, weighed
from hiermeasures.core.errors import InputError

if TYPE_CHECKING:
    from hiermeasures.engine.codec import Packed


_WROTE = {"report": "evaluate", "cafa": "cafa"}
"""The kinds of sums, and the command that writes each."""


_MERGED = {"csv": ("report",), "latex": ("report",), "class_weights": ("report",), "table": ("cafa",)}
"""Options of `merge`, and the kinds of sums that they are for."""


@declare.command(
    "merge",
    "sums that were written in parts",
    "Joins what evaluate or cafa wrote with --partial over parts of the instances, and prints what one run over all of "
    "them would, to the last bit.",
    declare.argument("hierarchy", "HIERARCHY", "the hierarchy of the parts, or for cafa their ontology"),
    declare.argument("files", "FILE", "what was written, in any order", nargs="+"),
    declare.argument("--class-weights", "FILE", "the weights that evaluate was given"),
    declare.argument("--table", "FILE", "write for cafa a row per file, namespace and threshold (TSV)"),
    declare.OUTPUTS,
)
def merge(arguments: argparse.Namespace) -> int:
    from hiermeasures.engine.codec import from_packed
    from hiermeasures.engine.codec import merge as merged

    read = (arguments.hierarchy, arguments.class_weights, *arguments.files)
    printing.check_targets((arguments.csv, arguments.latex, arguments.table), read)
    _check_different(arguments.files)
    context: Any = None
    found: Any = None
    first: dict[bytes, str] = {}
    for file in arguments.files:
        packed = _packed(file)
        if context is None:
            context = _context(packed.kind, arguments)
        if (other := first.setdefault(packed.check, file)) != file:
            # A note only: parts of different instances may have equal sums.
            printing.print_notes([f"{other} and {file} hold the same sums; both count"])
        try:
            part = from_packed(context, packed)
            found = part if found is None else merged([found, part])
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
    if found.partial_kind == "cafa":
        return print_cafa(found.report(), arguments)
    report = found.report()
    print_unknown(report, "predicted")
    return print_reports({"merged": report}, arguments)


def _check_different(files: Sequence[str]) -> None:
    """Refuse a file that is given twice, also under two names."""
    first: dict[tuple[int, int], str] = {}
    for file in files:
        try:
            about = os.stat(file)
        except (OSError, ValueError):
            continue  # it is named when it is read
        if (place := (about.st_dev, about.st_ino)) in first:
            both = file if first[place] == file else f"{first[place]} and {file}"
            what = "is given twice" if first[place] == file else "are the same file"
            raise InputError(f"{both} {what}; its instances would count twice")
        first[place] = file


def _packed(file: str) -> "Packed":
    """A partial result in a file, before it is understood."""
    from hiermeasures.engine.codec import unpack
    from hiermeasures.formats.source import load

    data, source, _ = load(Path(file), "", None)
    try:
        return unpack(data)
    except InputError as error:
        raise source.error(str(error)) from None


def _context(kind: str, arguments: argparse.Namespace) -> Any:
    """Read the hierarchy or ontology of the sums; refuse options for those of another kind."""
    from hiermeasures.formats import read_hierarchy
    from hiermeasures.formats.ontology import read_ontology

    for name, kinds in _MERGED.items():
        if kind in _WROTE and kind not in kinds and getattr(arguments, name) is not None:
            commands = " or ".join(_WROTE[k] for k in kinds)
            raise InputError(f"--{name.replace('_', '-')} is for sums that `hiermeasures {commands} --partial` wrote")
    if kind == "cafa":
        return read_ontology(arguments.hierarchy)
    return weighed(read_hierarchy(Path(arguments.hierarchy)), arguments.class_weights)
