"""`compare`: systems against each other."""

import argparse
from pathlib import Path

from hiermeasures.cli import declare
from hiermeasures.cli.evaluate import extent, files_read, reports_of
from hiermeasures.cli.printing import as_json, check_targets, show, write, write_table
from hiermeasures.core.errors import InputError


@declare.command(
    "compare",
    "systems against each other",
    "Systems ranked, tested and correlated.",
    *declare.label_files("two or more prediction files", required=True),
    declare.WHICH,
    declare.LIKE,
    declare.SETTINGS,
    declare.DEFINE,
    declare.choice("--test", ["sign", "wilcoxon", "bootstrap"], "paired test (sign)", default="sign"),
    declare.argument("--alpha", "P", "level below which a difference is significant (0.05)", type=float, default=0.05),
    declare.choice("--correction", ["holm", "none"], "over all pairs of systems (holm)", default="holm"),
    declare.OUTPUTS,
)
def compare(arguments: argparse.Namespace) -> int:
    from hiermeasures.compare import compare_reports

    if len(arguments.predicted) < 2:
        raise InputError("compare needs at least two prediction files")
    check_targets((arguments.csv, arguments.latex), files_read(arguments))
    correction = None if arguments.correction == "none" else arguments.correction
    reports = reports_of(arguments)
    stems = [Path(name).stem for name in reports]
    named = dict(zip(stems, reports.values(), strict=True)) if len(set(stems)) == len(stems) else reports
    comparison = compare_reports(named, test=arguments.test, alpha=arguments.alpha, correction=correction)
    if arguments.json:
        print(as_json(comparison.as_json()))
    elif arguments.csv is not None:
        frame = comparison.to_frame()
        rows = [[name, *row] for name, row in zip(frame.index, frame.to_numpy(object), strict=True)]
        write_table(["system", *frame.columns], rows, arguments.csv, extent(reports))
    elif arguments.latex is not None:
        write(comparison.to_latex(), arguments.latex, extent(reports))
    else:
        show(comparison.as_text())
    return 0
