"""`cafa`: scored terms of an ontology, evaluated as CAFA does."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hiermeasures.cli import declare, printing
from hiermeasures.cli.printing import show


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
    declare.CLUSTER,
    declare.PARTIAL,
    declare.argument("--table", "FILE", "write a row per file, namespace and threshold (TSV)"),
    declare.flag("--json", "print {file: {namespace: {value: …}}} instead of a table"),
)
def cafa(arguments: argparse.Namespace) -> int:
    files = declare.files_in(arguments.predictions)
    read = (arguments.ontology, arguments.truth, arguments.ia, *files.values())
    printing.check_targets((arguments.table, arguments.partial), read)
    if arguments.partial is not None:
        declare.check_alone(arguments, "table", "json")
    found = _cafa_found(arguments, files)
    if arguments.partial is None:
        return print_cafa(found, arguments)
    printing.print_notes(found.notes)
    return printing.write_partial(found, arguments.partial)


def _cafa_found(arguments: argparse.Namespace, files: Mapping[str, Path]) -> Any:
    """The report over files of predictions, read here or on a cluster; with --partial the sums."""
    from hiermeasures.cafa.cluster import cafa_on_cluster
    from hiermeasures.cafa.protocol import cafa_evaluate, cafa_partial
    from hiermeasures.formats.annotations import read_annotations, read_weights
    from hiermeasures.formats.ontology import read_ontology

    given = (read_ontology(arguments.ontology), read_annotations(arguments.truth, scored=False))
    chosen: dict[str, Any] = {
        "information": read_weights(arguments.ia) if arguments.ia is not None else None,
        "normalisation": arguments.norm,
        "propagation": arguments.propagate,
        "orphans": not arguments.no_orphans,
        "step": arguments.step,
    }
    if arguments.cluster is not None:
        with printing.Progress("cafa", "tasks") as progress:
            found = cafa_on_cluster(*given, files, cluster=arguments.cluster, progress=progress, **chosen)
        return found.report() if arguments.partial is None else found
    with printing.Progress("", "targets") as progress:

        def read() -> Iterator[Any]:
            for progress.name, path in files.items():
                yield read_annotations(path, scored=True, name=progress.name)

        compute = cafa_evaluate if arguments.partial is None else cafa_partial
        return compute(*given, read(), progress=progress, **chosen)


def print_cafa(report: Any, arguments: argparse.Namespace) -> int:
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
