"""`evaluate`: whole prediction files."""

import argparse
from itertools import repeat
from typing import Any

from hiermeasures.cli import declare
from hiermeasures.cli.printing import check_targets, print_notes, write, write_partial, write_table
from hiermeasures.cli.protocols import CAPTION, SCORES, numbers_of
from hiermeasures.cli.systems import extent, files_read, print_reports, reports_of
from hiermeasures.core.errors import InputError, shown
from hiermeasures.picture.text import as_text


@declare.command(
    "evaluate",
    "whole prediction files",
    "Measures over whole prediction files, or over one table.",
    declare.argument("table", "TABLE", "one table with both sides; --true and --predicted name its columns", nargs="?"),
    *declare.label_files("prediction files, one per system", required=False),
    declare.WHICH,
    declare.LIKE,
    declare.SETTINGS,
    declare.DEFINE,
    declare.group(
        "one table",
        "A CSV or TSV file with a header, JSON lines or Parquet. --predicted takes columns, separated by commas; the "
        "hierarchy is made from the true labels, unless --hierarchy names one.",
        declare.argument(
            "--paths", "SEPARATOR", "labels are paths, with this between their parts (found where not given)"
        ),
        declare.argument(
            "--codes",
            "SEPARATOR|N,…",
            "labels are codes, with this between their parts, or cut after so many letters and digits, such as 1,2,3,4",
        ),
        declare.argument("--several", "SEPARATOR", "what separates several labels in a cell"),
    ),
    declare.group(
        "more than fits into memory",
        "With --parquet, --true and --predicted name columns: lists of classes, or one class each (true, predicted).",
        declare.argument("--parquet", "DIR", "a folder of Parquet files, or one of them"),
        declare.CLUSTER,
        declare.flag("--resume", "go on from the files that the same command had finished when it was stopped"),
    ),
    declare.AVERAGE,
    declare.argument(
        "--protocol", "NAME|ID", "the numbers of a named convention in place of measures (see protocols), or of an id"
    ),
    CAPTION,
    SCORES,
    declare.argument("--per-instance", "FILE", "write every instance's values (CSV)"),
    declare.argument(
        "--worst", "FILE", "draw the instance that is worst by the first measure, in the first file or column (SVG)"
    ),
    declare.PARTIAL,
    declare.SIGNATURE,
    declare.OUTPUTS,
)
def evaluate(arguments: argparse.Namespace) -> int:
    targets = (arguments.per_instance, arguments.worst, arguments.csv, arguments.latex, arguments.partial)
    check_targets(targets, files_read(arguments))
    if arguments.protocol is not None or arguments.caption is not None:
        others = ["table", "parquet", "like", "define", "class_weights", "normalise", "signature"]
        others += ["per_instance", "worst", "partial", "csv", "latex", *["json"] * (arguments.caption is not None)]
        others += ["paths", "codes", "several", "cluster", "resume"]
        declare.check_alone(arguments, *others, why="--protocol and --caption read label files as they are")
        if arguments.protocol is not None:
            others = ["measures", "all", "unknown", "settings", *["average"] * (arguments.average != "samples")]
            declare.check_alone(arguments, *others, why="--protocol says what is computed")
        return numbers_of(arguments, arguments.protocol, arguments.predicted)
    declare.check_alone(arguments, "scores", "decision", why="scores are read with --caption and --protocol alone")
    if arguments.partial is not None:
        return _evaluate_part(arguments)
    reports = reports_of(arguments, average=arguments.average)
    if arguments.per_instance is not None:
        keys = list(next(iter(reports.values())).measures)
        has_kinds = all(report.answers is not None for report in reports.values())
        rows = [
            [name, *cells, *([kind] * has_kinds)]
            for name, report in reports.items()
            for cells, kind in zip(
                report.per_instance.reset_index().itertuples(index=False, name=None),
                report.answers.kinds if has_kinds else repeat(""),
                strict=False,
            )
        ]
        head = ["file", "id", *keys, *["answer"] * has_kinds]
        write_table(head, rows, arguments.per_instance, f"each value of {extent(reports)}")
    if arguments.worst is not None:
        _draw_worst(*next(iter(reports.items())), arguments.worst)
    return print_reports(reports, arguments)


def _draw_worst(name: str, report: Any, file: str) -> None:
    """Write the picture of the worst instance, and say which one it is."""
    place, x = report.worst()
    key, ids = report.measures[0], report.kept.ids
    where = f"row {ids[place]}" if isinstance(ids, range) else f"instance {shown(str(ids[place]))}"
    marked = (("true", x.true), ("predicted", x.predicted))
    sides = "; ".join(f"{side} {', '.join(sorted(classes)) or 'none'}" for side, classes in marked)
    print_notes([f"worst by {key}: {where}, {as_text(x[key])}; {sides}"], name)
    write(x.drawing(measure=key).svg, file, f"this instance, by {key}")


def _evaluate_part(arguments: argparse.Namespace) -> int:
    """Only the sums, for `merge`."""
    declare.check_alone(arguments, "per_instance", "worst", "json", "csv", "latex")
    if len(arguments.predicted or [""]) > 1:
        raise InputError(
            "--partial writes the sums of one file or column of predictions; name one, and a file for each"
        )
    (found,) = reports_of(arguments, partly=True, average=arguments.average).values()
    return write_partial(found, arguments.partial)
