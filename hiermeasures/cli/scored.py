"""`cafa`, `curves` and `merge`: scores at every threshold, and sums that were written in parts."""

import argparse
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiermeasures.cli import declare, printing
from hiermeasures.cli.systems import print_reports, print_unknown, weighed
from hiermeasures.core.errors import InputError

if TYPE_CHECKING:
    from hiermeasures.engine.codec import Packed


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
        return _print_cafa(found, arguments)
    printing.print_notes(found.notes)
    return printing.write_partial(found, arguments.partial)


def _cafa_found(arguments: argparse.Namespace, files: Mapping[str, Path]) -> Any:
    """The report over files of predictions, read here or on a cluster, or with --partial only the sums."""
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


def _print_cafa(report: Any, arguments: argparse.Namespace) -> int:
    printing.print_notes(report.notes)
    if arguments.table is not None:
        table = report.table
        printing.write_table(
            list(table.columns), table.itertuples(index=False, name=None), arguments.table, delimiter="\t"
        )
    if arguments.json:
        print(printing.as_json(report.as_json()))
    elif arguments.table != "-":
        print(report.as_text().translate(printing.CONTROLS))
    return 0


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
    declare.choice(
        "--kind",
        ["nodes", "leaves", "conditional", "conditional_softmax", "conditional_sigmoid"],
        "what the numbers are: probabilities of all classes (nodes), of the leaves, given the parent (conditional), or "
        "logits",
        default="nodes",
    ),
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
    return _print_curves(found, arguments)


def _curves_found(arguments: argparse.Namespace, files: Mapping[str, Path]) -> dict[str, Any]:
    """A report for each file of probabilities, or with --partial only the sums; what is said of labels goes to the
    error stream.
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
            found[name] = scored_report(table, labels, interpolation=_interpolation(arguments), **chosen)
    return found


def _interpolation(arguments: argparse.Namespace) -> Any:
    return arguments.interpolation or "counts"


def _print_curves(found: Mapping[str, Any], arguments: argparse.Namespace) -> int:
    for name, report in found.items():
        printing.print_notes(report.notes, name)
    values = {name: report.values for name, report in found.items()}
    print(printing.as_json(values) if arguments.json else "\n".join(_side_by_side(values)).translate(printing.CONTROLS))
    return 0


def _side_by_side(found: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """A column for each file, under its name."""
    keys = list(dict.fromkeys(key for values in found.values() for key in values))
    first, width = max(map(len, keys)), max(10, *map(len, found))
    yield " " * first + "".join(f"  {name:>{width}}" for name in found)
    for key in keys:
        cells = (values.get(key, math.nan) for values in found.values())
        yield f"{key:{first}}" + "".join(f"  {'–' if math.isnan(v) else f'{v:.4f}':>{width}}" for v in cells)


# --- merge --------------------------------------------------------------------------------------------------------

_WROTE = {"report": "evaluate", "cafa": "cafa", "sweep": "curves"}
"""The kinds of sums, and the command that writes each."""
_MERGED = {
    "csv": ("report",),
    "latex": ("report",),
    "class_weights": ("report",),
    "table": ("cafa", "sweep"),
    "interpolation": ("sweep",),
}
"""Options of `merge`, and the kinds of sums that they are for."""


@declare.command(
    "merge",
    "sums that were written in parts",
    "Joins what evaluate, cafa or curves wrote with --partial over parts of the instances, and prints what one run "
    "over all of them would, to the last bit; but areas under curves only by their points at 101 thresholds.",
    declare.argument("hierarchy", "HIERARCHY", "the hierarchy of the parts, or for cafa their ontology"),
    declare.argument("files", "FILE", "what was written, in any order", nargs="+"),
    declare.argument("--class-weights", "FILE", "the weights that evaluate was given"),
    declare.argument(
        "--table", "FILE", "for cafa: a row per file, namespace and threshold; for curves: per threshold (TSV)"
    ),
    declare.INTERPOLATION,
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
        return _print_cafa(found.report(), arguments)
    if found.partial_kind == "sweep":
        return _print_curve_sums(found, arguments)
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


def _print_curve_sums(found: Any, arguments: argparse.Namespace) -> int:
    """Print sums as `curves` does, and the averages at their thresholds as a table."""
    from hiermeasures.probabilities import scored_report_of_sums

    if arguments.table is not None:
        taus, *columns = vars(found.report().sweep).items()
        rows = zip(taus[1].round(10).tolist(), *(values.tolist() for _, values in columns), strict=True)
        printing.write_table(["tau", *(name for name, _ in columns)], rows, arguments.table, delimiter="\t")
    if arguments.table == "-" and not arguments.json:
        return 0
    report = scored_report_of_sums(found, interpolation=_interpolation(arguments))
    return _print_curves({"merged": report}, arguments)
