"""`cafa`: scored terms of an ontology, evaluated as CAFA does."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hiermeasures.cli import declare, printing
from hiermeasures.cli.printing import show

if TYPE_CHECKING:
    from hiermeasures.cafa.sums import CafaReport
    from hiermeasures.formats.annotations import Annotations


@declare.command(
    "cafa",
    "scored terms of an ontology, as CAFA evaluates them",
    "Precision, recall, F, misinformation and remaining uncertainty at every threshold, for each namespace of an "
    "ontology, as CAFA evaluates predictions of protein function.",
    declare.argument("ontology", "ONTOLOGY", "an OBO file"),
    declare.argument(
        "predictions",
        "PREDICTIONS",
        "files with a line `target term score` each (text, gzip or Parquet), or folders of them",
        nargs="+",
    ),
    declare.argument("truth", "TRUTH", "a file with a line `target term` each"),
    declare.argument("--ia", "FILE", "weights of terms, a line `term weight` each: weighted values, too"),
    declare.choice(
        "--norm",
        ["cafa", "pred", "gt"],
        "what means are taken over: precision over the targets with a prediction and the rest over all (cafa), "
        "everything over those with a prediction (pred), or over all (gt)",
        default="cafa",
    ),
    declare.choice(
        "--propagate",
        ["max", "fill"],
        "a term gets the highest score at or below it (max), or only if it has none of its own (fill)",
        default="max",
    ),
    declare.flag("--no-orphans", "leave terms without a parent out where all weigh the same"),
    declare.argument("--step", "X", "between thresholds (0.01)", type=float, default=0.01),
    declare.argument("--table", "FILE", "write a row per file, namespace and threshold (TSV)"),
    declare.flag("--json", "print {file: {namespace: {value: …}}} instead of a table"),
)
def cafa(arguments: argparse.Namespace) -> int:
    files = declare.files_in(arguments.predictions)
    read = (arguments.ontology, arguments.truth, arguments.ia, *files.values())
    printing.check_targets((arguments.table,), read)
    report = _report(arguments, files)
    printing.print_notes(report.notes)
    if arguments.table is not None:
        table = report.table
        rows, n = table.itertuples(index=False, name=None), f"{len(table):,} rows"
        printing.write_table(list(table.columns), rows, arguments.table, n, delimiter="\t")
    if arguments.json:
        print(printing.as_json(report.as_json()))
    elif arguments.table != "-":
        show(report.as_text().translate(printing.CONTROLS))
    return 0


def _report(arguments: argparse.Namespace, files: Mapping[str, Path]) -> "CafaReport":
    from hiermeasures.cafa.protocol import cafa_evaluate
    from hiermeasures.formats.annotations import read_annotations, read_weights
    from hiermeasures.formats.ontology import read_ontology

    ontology, true = read_ontology(arguments.ontology), read_annotations(arguments.truth, scored=False)
    weights = read_weights(arguments.ia) if arguments.ia is not None else None
    with printing.Progress("", "targets") as progress:

        def read() -> Iterator["Annotations"]:
            for progress.name, path in files.items():
                yield read_annotations(path, scored=True, name=progress.name)

        return cafa_evaluate(
            ontology, true, read(), information=weights, normalisation=arguments.norm, propagation=arguments.propagate,
            orphans=not arguments.no_orphans, step=arguments.step, progress=progress,
        )  # fmt: skip
