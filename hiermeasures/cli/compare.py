"""`compare`: rank and test systems."""

import argparse

from hiermeasures.cli import declare
from hiermeasures.cli.evaluate import extent, files_read, named_shortly, reports_of, write_html
from hiermeasures.cli.forensics import SCORES
from hiermeasures.cli.printing import as_json, check_targets, show, write, write_table
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.extras import require


@declare.command(
    "compare",
    "compare systems",
    "Rank systems, test their differences, and correlate the measures. A system is a prediction "
    "file or a column of one table. Example: hiermeasures compare --hierarchy hierarchy.txt "
    "--true true.csv --predicted one.csv two.csv --measures hF,F_LCA",
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
            "the paired, two-sided test (sign for means over instances, permutation for values "
            "from sums). sign and wilcoxon only test means over instances",
        ),
        declare.argument(
            "--alpha",
            "P",
            "differences with a smaller p-value are significant (0.05)",
            type=float,
            default=0.05,
        ),
        declare.choice(
            "--correction",
            ["holm", "none"],
            "the correction over all pairs of systems (holm)",
            default="holm",
        ),
        declare.INTERVALS,
        SCORES,
        declare.group(
            "why two measures disagree",
            "Take the difference of two systems by two measures, and split it by kinds of "
            "mistakes, levels and top classes.",
            [
                declare.argument("--why", "K,K", "two measures, such as accuracy,hF"),
                declare.argument(
                    "--between", "A,B", "two of the systems, by their names in the table"
                ),
            ],
        ),
        declare.HTML,
        declare.OUTPUTS,
    ],
)
def compare(arguments: argparse.Namespace) -> int:
    from hiermeasures.evaluation.compare import compare_reports

    require("compare", "comparing systems", "pandas", "scipy")
    files = arguments.predicted or arguments.scores
    if arguments.table is None and len(files or [""] * 2) < 2:
        raise InputError("compare needs at least two prediction files")
    if arguments.decision is not None and not arguments.scores:
        raise InputError("--decision turns scores into labels: name their files by --scores")
    why = _read_why(arguments)
    check_targets((arguments.csv, arguments.latex, arguments.html), files_read(arguments))
    reports = named_shortly(reports_of(arguments, average=arguments.average), arguments)
    comparison = compare_reports(
        reports,
        test=arguments.test,
        alpha=arguments.alpha,
        correction=None if arguments.correction == "none" else arguments.correction,
        intervals=arguments.intervals,
    )
    split = comparison.why(*why) if why else None
    if arguments.html is not None:
        write_html(reports, comparison, arguments, split)
    if arguments.json:
        print(as_json(comparison.as_json() | ({"why": split.to_dict()} if split else {})))
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
        if split:
            show(f"\n{split}")
    return 0


def _read_why(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the two measures of --why, then the two systems of --between. These measures are
    evaluated too.
    """
    measures = declare.keys_of(arguments.why, "--why") or []
    systems = declare.classes_of(arguments.between) or []
    if arguments.between is not None and not measures:
        raise InputError("--between names the systems of --why. Add --why, such as accuracy,hF")
    if not measures:
        return ()
    if len(measures) != 2:
        raise InputError("--why takes two measures, such as accuracy,hF")
    files = arguments.predicted or arguments.scores or []
    many = arguments.table is None and len(files) > 2
    if len(systems) != 2 and (many or arguments.between is not None):
        raise InputError("--why compares two systems. Name them with --between A,B")
    if arguments.csv is not None or arguments.latex is not None:
        raise InputError("--why is text or JSON. Leave out --csv and --latex")
    arguments.measures = ",".join([arguments.measures or "core", *measures])
    return (*measures, *systems)
