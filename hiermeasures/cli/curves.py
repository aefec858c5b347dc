"""`curves`: what is read off scores without a threshold."""

import argparse
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hiermeasures.cli import declare, printing
from hiermeasures.cli.printing import show
from hiermeasures.core.errors import InputError


@declare.command(
    "curves",
    "what is read off scores without a threshold",
    "Areas under the precision-recall curves of classes (Vens et al. 2008), hierarchical distances of the classes "
    "ranked first (Bertinetto et al. 2020), and operating curves (Valmadre 2022), for files of probabilities.",
    declare.HIERARCHY,
    declare.TRUE,
    declare.argument(
        "--probabilities",
        "FILE",
        "a column per class: CSV, Parquet or NPZ; or folders of such files",
        required=True,
        nargs="+",
    ),
    declare.KIND,
    declare.LABEL_FORMAT,
    declare.TASK,
    declare.argument("--top", "K,K", "distances of the first K leaves (1,5)", default="1,5"),
    declare.INTERPOLATION,
    declare.choice(
        "--weights",
        ["leaves", "one"],
        "what a class weighs on operating curves: its information, were every leaf as likely, or 1",
        default="leaves",
    ),
    declare.PARTIAL,
    declare.flag("--json", "print {file: {value: …}} instead of a table"),
)
def curves(arguments: argparse.Namespace) -> int:
    files = declare.files_in(arguments.probabilities)
    printing.check_targets((arguments.partial,), (arguments.hierarchy, arguments.true, *files.values()))
    if arguments.partial is not None:
        declare.check_alone(arguments, "json", "interpolation")
        if len(files) > 1:
            raise InputError("--partial writes the sums of one file of probabilities; name one, and a file for each")
    found = _curves_found(arguments, files)
    if arguments.partial is not None:
        return printing.write_partial(next(iter(found.values())), arguments.partial)
    return print_curves(found, arguments)


def _curves_found(arguments: argparse.Namespace, files: Mapping[str, Path]) -> dict[str, Any]:
    """A report for each file of probabilities, or with --partial only the sums; what is said of
    labels goes to the error stream.
    """
    from hiermeasures.formats import read_hierarchy, read_labels
    from hiermeasures.probabilities import match_labels, read_probabilities, scored_report, threshold_partial

    chosen: dict[str, Any] = {
        "top": [declare.count_of(text, "--top") for text in arguments.top.split(",")],
        "weights": arguments.weights,
    }
    h = read_hierarchy(Path(arguments.hierarchy))
    truth = read_labels(Path(arguments.true), arguments.format, arguments.task)
    printing.print_notes(h.notes, arguments.hierarchy)
    printing.print_notes(truth.notes, arguments.true)
    found: dict[str, Any] = {}
    for name, path in files.items():
        table = read_probabilities(path, h, kind=arguments.kind)
        labels, matched = match_labels(table, truth)
        printing.print_notes((*table.notes, *matched), name)
        if arguments.partial is not None:
            found[name] = threshold_partial(table, labels, **chosen)
        else:
            found[name] = scored_report(table, labels, interpolation=interpolation_of(arguments), **chosen)
    return found


def interpolation_of(arguments: argparse.Namespace) -> Any:
    return arguments.interpolation or "counts"


def print_curves(found: Mapping[str, Any], arguments: argparse.Namespace) -> int:
    for name, report in found.items():
        printing.print_notes(report.notes, name)
    values = {name: report.values for name, report in found.items()}
    if arguments.json:
        print(printing.as_json(values))
    else:
        show("\n".join(_side_by_side(values)).translate(printing.CONTROLS))
    return 0


def _side_by_side(found: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """A column for each file, under its name."""
    keys = list(dict.fromkeys(key for values in found.values() for key in values))
    first, width = max(map(len, keys)), max(10, *map(len, found))
    yield " " * first + "".join(f"  {name:>{width}}" for name in found)
    for key in keys:
        cells = (values.get(key, math.nan) for values in found.values())
        yield f"{key:{first}}" + "".join(f"  {'–' if math.isnan(v) else f'{v:.4f}':>{width}}" for v in cells)
