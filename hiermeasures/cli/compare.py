"""`compare`: systems against each other."""

import argparse

from hiermeasures.cli import declare
from hiermeasures.cli.evaluate import extent, files_read, named_shortly, reports_of, write_html
from hiermeasures.cli.printing import as_json, check_targets, show, write, write_table
from hiermeasures.hierarchy.errors import InputError


@declare.command(
    "compare",
    "systems against each other",
    "Systems ranked, tested and correlated: prediction files, or columns of one table.",
    [
        declare.TABLE,
        *declare.label_files("two or more prediction files, or columns of the table"),
        declare.WHICH,
        declare.SETTINGS,
        declare.DEFINE,
        declare.ONE_TABLE,
        declare.AVERAGE,
        declare.choice(
            "--test",
            ["sign", "wilcoxon", "permutation", "bootstrap"],
            "paired, two-sided test; sign and wilcoxon test means over instances alone (sign for "
            "these, permutation for values that are read off sums)",
        ),
        declare.argument(
            "--alpha",
            "P",
            "level below which a difference is significant (0.05)",
            type=float,
            default=0.05,
        ),
        declare.choice(
            "--correction", ["holm", "none"], "over all pairs of systems (holm)", default="holm"
        ),
        declare.argument(
            "--intervals",
            "P",
            "add a bootstrap interval of this confidence to each value (0.95)",
            type=float,
            nargs="?",
            const=0.95,
        ),
        declare.HTML,
        declare.OUTPUTS,
    ],
)
def compare(arguments: argparse.Namespace) -> int:
    from hiermeasures.evaluation.compare import compare_reports

    if arguments.table is None and len(arguments.predicted or [""] * 2) < 2:
        raise InputError("compare needs at least two prediction files")
    check_targets((arguments.csv, arguments.latex, arguments.html), files_read(arguments))
    reports = named_shortly(reports_of(arguments, average=arguments.average), arguments)
    comparison = compare_reports(
        reports,
        test=arguments.test,
        alpha=arguments.alpha,
        correction=None if arguments.correction == "none" else arguments.correction,
        intervals=arguments.intervals,
    )
    if arguments.html is not None:
        write_html(reports, comparison, arguments)
    if arguments.json:
        print(as_json(comparison.as_json()))
    elif arguments.csv is not None:
        frame = comparison.to_frame()
        rows = [
            [name, *row]
            for name, row in zip(frame.index, frame.to_numpy(object, na_value=""), strict=True)
        ]
        write_table(["system", *frame.columns], rows, arguments.csv, extent(reports))
    elif arguments.latex is not None:
        write(comparison.to_latex(), arguments.latex, extent(reports))
    else:
        show(comparison.as_text())
    return 0
