"""`evaluate`: evaluate whole prediction files.

The module also reads and evaluates such files for other commands, and prints their reports.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiermeasures.cli import declare, mistakes, printing
from hiermeasures.cli.forensics import CAPTION, DECISION, SCORES, decided, numbers_of, policy_of
from hiermeasures.cli.printing import print_notes
from hiermeasures.draw.text import about_intervals, as_text, family_lines, sentence, write_interval
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.matching import MismatchError
from hiermeasures.hierarchy.words import join_classes, join_words, quote_names, write_count
from hiermeasures.read.weights import read_weights

if TYPE_CHECKING:
    from hiermeasures.evaluation.answers import Rules
    from hiermeasures.evaluation.files import InputFile, Systems
    from hiermeasures.hierarchy.hierarchy import Hierarchy
    from hiermeasures.hierarchy.options import Options


MOST_NOTES = 5  # below a table
UNKNOWN = {  # by policy, how labels that are not classes count
    "wrong": "Labels that are not classes count as wrong",
    "prefix": "Labels that are not classes count as the deepest class on their paths",
    "nearest": "Labels that are not classes count as the nearest class",
    "drop": "Labels that are not classes are left out",
}


@declare.command(
    "evaluate",
    "evaluate prediction files",
    "Compute measures over whole prediction files, or over one table. Example: hiermeasures "
    "evaluate --hierarchy hierarchy.txt --true true.csv --predicted one.csv two.csv "
    "--measures hP,hR,hF",
    [
        declare.TABLE,
        *declare.label_files("prediction files, one per system"),
        declare.WHICH,
        declare.SETTINGS,
        declare.DEFINE,
        declare.ONE_TABLE,
        declare.group(
            "data larger than memory",
            "With --parquet, --true and --predicted name columns (by default true and "
            "predicted). A cell contains a list of classes or one class.",
            [
                declare.argument(
                    "--parquet", "DIR", "a folder of Parquet files, or one Parquet file"
                ),
                declare.CLUSTER,
                declare.flag(
                    "--resume",
                    "continue this command after a stop, without repeating finished files",
                ),
            ],
        ),
        declare.AVERAGE,
        declare.INTERVALS,
        declare.argument(
            "--protocol",
            "NAME|ID",
            "compute the numbers of a named convention (see protocols) or of an id, instead of "
            "measures",
        ),
        CAPTION,
        SCORES,
        declare.flag(
            "--by-level",
            "print precision, recall, F1, IoU and accuracy of each level, micro and macro",
        ),
        declare.argument("--per-instance", "FILE", "write the values of every instance (CSV)"),
        declare.argument(
            "--worst",
            "FILE",
            "draw the worst instance by the first measure, in the first file or column (SVG)",
        ),
        declare.HTML,
        mistakes.GROUP,
        declare.PARTIAL,
        declare.SIGNATURE,
        declare.flag("--all-notes", "print all notes below the table, instead of the first five"),
        declare.OUTPUTS,
    ],
)
def evaluate(arguments: argparse.Namespace) -> int:
    targets = ("per_instance", "worst", "html", "csv", "latex", "partial", *mistakes.TARGETS)
    printing.check_targets([getattr(arguments, name) for name in targets], files_read(arguments))
    if arguments.protocol is not None or arguments.caption is not None:
        _check_protocol(arguments)
        return numbers_of(arguments, arguments.protocol, arguments.predicted or ())
    if arguments.decision is not None and not arguments.scores:
        raise InputError("--decision turns scores into labels: name their files by --scores")
    mistakes.check_matrix_options(arguments)
    if arguments.intervals is not None:
        _check_intervals(arguments)
    if arguments.partial is not None:
        return _write_sums(arguments)
    with printing.hold_notes() as notes:
        reports = reports_of(arguments, average=arguments.average)
    if arguments.per_instance is not None:
        _write_instances(reports, arguments.per_instance)
    if arguments.worst is not None:
        _draw_worst(*next(iter(reports.items())), arguments.worst)
    if arguments.html is not None:
        write_html(named_shortly(reports, arguments), None, arguments)
    mistakes.write_tables(reports, arguments)
    if arguments.by_level:
        from hiermeasures.cli.by_level import print_levels

        print_notes(notes)
        return print_levels(reports, arguments)
    return print_reports(reports, arguments, notes)


def write_html(
    reports: Mapping[str, Any], comparison: Any, arguments: argparse.Namespace, split: Any = None
) -> None:
    """Write the page of `--html`. Its title is the name of the file with the true labels."""
    from hiermeasures.evaluation.html_report import write_page

    table = getattr(arguments, "table", None) or getattr(arguments, "parquet", None)
    title, remarks = Path(table or arguments.true).name, []
    for note in getattr(arguments, "file_notes", []):
        for file in filter(None, files_read(arguments)):
            note = note.replace(file, Path(file).name)
        remarks.append(note)
    level = arguments.intervals
    page = write_page(
        reports, comparison, title=title, remarks=remarks, split=split, intervals=level
    )
    printing.write(page, arguments.html, f"a page on {extent(reports)}")


def _check_intervals(arguments: argparse.Namespace) -> None:
    """Refuse arguments that do not work with intervals."""
    why = "--intervals resamples instances, so it needs the values of each instance"
    declare.check_alone(arguments, "parquet", "partial", why=why)
    why = "--intervals works with text, JSON or CSV only"
    declare.check_alone(arguments, "by_level", "latex", why=why)


def _check_protocol(arguments: argparse.Namespace) -> None:
    """Refuse arguments that --protocol and --caption would ignore."""
    files = "table parquet define class_weights normalise intervals signature per_instance worst html partial csv"
    files += " latex paths codes several cluster resume by_level"
    files += " json" * (arguments.caption is not None)
    why = "--protocol and --caption read label files as they are"
    declare.check_alone(arguments, *files.split(), *mistakes.TARGETS, why=why)
    if arguments.protocol is not None:
        numbers = "measures all unknown settings" + " average" * (arguments.average != "samples")
        declare.check_alone(
            arguments, *numbers.split(), why="--protocol decides the numbers to compute"
        )


def _write_sums(arguments: argparse.Namespace) -> int:
    why = "--partial writes sums instead of values"
    others = ("by_level", "per_instance", "worst", "html", "json", "csv", "latex")
    declare.check_alone(arguments, *others, *mistakes.TARGETS, why=why)
    if len(arguments.predicted or arguments.scores or [""]) > 1:
        raise InputError(
            "--partial writes the sums of one file or column of predictions. Run the command "
            "once for each"
        )
    (found,) = reports_of(arguments, partly=True, average=arguments.average).values()
    return printing.write_partial(found, arguments.partial)


def _write_instances(reports: Mapping[str, Any], file: str) -> None:
    """Write the values of each instance. If labels were fitted, write their kind too."""
    has_kinds = all(report.answers is not None for report in reports.values())
    rows = []
    for name, report in reports.items():
        table, kinds = report.per_instance, report.answers.kinds if has_kinds else repeat("")
        for id_, values, kind in zip(table.index, table.to_numpy().tolist(), kinds, strict=False):
            rows.append([name, id_, *values, *[kind] * has_kinds])
    head = ["file", "id", *next(iter(reports.values())).measures, *["answer"] * has_kinds]
    printing.write_table(head, rows, file, f"each value of {extent(reports)}")


def _draw_worst(name: str, report: Any, file: str) -> None:
    place, x = report.worst()
    key, ids = report.measures[0], report.kept.ids
    where = f"row {ids[place]}" if isinstance(ids, range) else f"instance {shown(str(ids[place]))}"
    marked = (("true", x.true), ("predicted", x.predicted))
    sides = "; ".join(f"{side} {join_classes(classes)}" for side, classes in marked)
    print_notes([f"worst by {key}: {where}, {as_text(x[key])}; {sides}"], name)
    printing.write(x.drawing(measure=key).svg, file, f"this instance, by {key}")


def files_read(arguments: argparse.Namespace) -> list[str | None]:
    """Return the files that evaluate and compare read. With --parquet, both sides are columns."""
    table = getattr(arguments, "table", None) or getattr(arguments, "parquet", None)
    systems = (*(arguments.predicted or ()), *(arguments.scores or ()))
    sides = [arguments.true, *systems] if table is None else [table]
    return [arguments.hierarchy, arguments.class_weights, *sides]


def reports_of(arguments: argparse.Namespace, **more: Any) -> dict[str, Any]:
    """Return a report for each prediction file, by the file's name, with the requested measures."""
    from hiermeasures.measures import find_measures
    from hiermeasures.measures.own import own_measures

    define, measures = declare.definitions_of(arguments.define), declare.measures_of(arguments)
    find_measures(measures, own_measures(define))
    return evaluated(arguments, measures=measures, define=define, **more)


def evaluated(
    arguments: argparse.Namespace,
    *,
    partly: bool = False,
    options: "Options | None" = None,
    **more: Any,
) -> dict[str, Any]:
    """Return reports over the named files, or partial results. Notes and progress go to stderr."""
    from hiermeasures.hierarchy.options import Options

    weighted = {"class_weights": "given"} if arguments.class_weights is not None else {}
    options = options or Options.make(weighted | declare.settings_of(arguments.settings))
    scores = getattr(arguments, "scores", None)
    if scores:
        others = ("predicted", "table", "parquet")
        declare.check_alone(arguments, *others, why="--scores names the predictions, file by file")
    if getattr(arguments, "parquet", None) is not None:
        return _evaluated_tables(arguments, partly, options=options, **more)
    if getattr(arguments, "table", None) is not None:
        systems = _one_table(arguments, options)
    else:
        systems = _label_files(arguments, options, () if scores else None)
    if scores:
        systems = _with_scores(systems, arguments)
    return _results(systems, arguments, partly, options=options, **more)


def _label_files(
    arguments: argparse.Namespace, options: "Options", predicted: Sequence[str] | None
) -> "Systems":
    """Read a file of true labels and files of predictions (by default from --predicted)."""
    from hiermeasures.evaluation.files import InputFile, read_systems

    _check_label_files(arguments, ("hierarchy", "true", *["predicted"] * (predicted is None)))
    chosen = arguments.unknown in ("wrong", "prefix", "nearest") or arguments.normalise
    paths = declare.named_once(arguments.predicted) if predicted is None else predicted
    return read_systems(
        _hierarchy_file(arguments),
        InputFile(arguments.true, Path(arguments.true), arguments.format),
        {name: InputFile(name, Path(name), arguments.format) for name in paths},
        rules=replace(_rules(arguments, options), if_needed=not chosen),
        task=arguments.task,
        missing=arguments.missing,
    )


def _check_label_files(arguments: argparse.Namespace, needed: Sequence[str]) -> None:
    """Refuse arguments for one table or Parquet files. If arguments are missing, name all of them."""
    for name in ("paths", "codes", "several", "classes"):
        if getattr(arguments, name, None) is not None:
            table = f"hiermeasures {arguments.command} TABLE --true COLUMN --predicted COLUMN"
            raise InputError(f"--{name} is for one table: {table}")
    if missing := [f"--{name}" for name in needed if getattr(arguments, name) is None]:
        other = ", or one TABLE" if arguments.command in ("evaluate", "compare") else ""
        names = join_words(missing)
        raise InputError(
            f"{arguments.command} needs {names}{other} (see hiermeasures "
            f"{arguments.command} --help)"
        )
    for name in ("cluster", "resume"):
        if getattr(arguments, name, None):
            raise InputError(f"--{name} evaluates Parquet files: name their folder by --parquet")


def _hierarchy_file(arguments: argparse.Namespace) -> "InputFile":
    from hiermeasures.evaluation.files import InputFile

    file = arguments.hierarchy
    return InputFile(file, Path(file), options=declare.reading_of(arguments))


def _with_scores(systems: "Systems", arguments: argparse.Namespace) -> "Systems":
    """Return the systems from files of scores, with labels by the decision."""
    predicted, ids, decision = {}, {}, arguments.decision or DECISION
    for name in declare.named_once(arguments.scores):
        predicted[name], aligned = decided(
            arguments, systems.hierarchy, systems.truth, systems.true, name
        )
        ids[name] = aligned.ids
        print_notes(aligned.notes)
        print_notes([f"the decision {decision} turns the scores into labels"], name)
    decisions = dict.fromkeys(predicted, decision)
    return replace(systems, predicted=predicted, ids=ids, decisions=decisions)


def _rules(arguments: argparse.Namespace, options: "Options") -> "Rules":
    from hiermeasures.evaluation.answers import Rules, choose_notation

    codes: Any = getattr(arguments, "codes", None)
    if codes is not None and codes[:1].isdecimal():
        codes = [declare.count_of(n, "--codes") for n in codes.split(",")]
    forms = declare.keys_of(arguments.normalise, "--normalise") or []
    return Rules.of(
        policy_of(arguments),
        notation=choose_notation(getattr(arguments, "paths", None), codes),
        normalise=forms,
        first=1,
        options=options,
        classes=getattr(arguments, "classes", None) or "all",
    )


def _one_table(arguments: argparse.Namespace, options: "Options") -> "Systems":
    from hiermeasures.evaluation.files import InputFile, read_one_table

    if missing := [
        f"--{name}" for name in ("true", "predicted") if getattr(arguments, name) is None
    ]:
        raise InputError(
            f"{arguments.table} is taken for one table, of which {' and '.join(missing)} must "
            "name columns; a file of predictions follows --predicted"
        )
    _check_one_file(arguments, "table")
    columns = [name for given in arguments.predicted for name in declare.classes_of(given) or ()]
    return read_one_table(
        InputFile(arguments.table, Path(arguments.table)),
        arguments.true,
        declare.named_once(columns),
        _rules(arguments, options),
        separator=arguments.several,
        hierarchy=_hierarchy_file(arguments) if arguments.hierarchy is not None else None,
    )


def _check_one_file(arguments: argparse.Namespace, what: str) -> None:
    for name, usual in (("format", None), ("task", None), ("missing", "empty")):
        if getattr(arguments, name) != usual:
            raise InputError(f"--{name} is for label files; a row of a {what} has both sides")


def _results(
    systems: "Systems", arguments: argparse.Namespace, partly: bool, **more: Any
) -> dict[str, Any]:
    files: dict[str, dict[str, None]] = {}
    for note in systems.notes:
        files.setdefault(note.text, {})[note.file] = None
    matters = {note.text for note in systems.notes if note.matters}
    for text, names in files.items():
        print_notes([text], ", ".join(names), at_once=text in matters)
    arguments.file_notes = [
        sentence(f"{', '.join(names)}: {text}".removeprefix(": ")) for text, names in files.items()
    ]
    systems = replace(
        systems, hierarchy=weighed(systems.hierarchy, arguments.class_weights, systems.added)
    )
    if partly:
        for name, answers in systems.answers.items():
            print_notes(answers.notes(systems.ids[name]), name)
        return systems.partials(**more)
    return systems.reports(lambda _, name: printing.Progress(name), **more)


def _evaluated_tables(arguments: argparse.Namespace, partly: bool, **more: Any) -> dict[str, Any]:
    """Return reports over Parquet files, or partial results, one for each column of predictions."""
    from hiermeasures.evaluation.files import notes_of
    from hiermeasures.evaluation.tables import TableRequest
    from hiermeasures.read import read_hierarchy

    if arguments.hierarchy is None:
        raise InputError("--parquet needs --hierarchy")
    of_instances = ("per_instance", "worst", *mistakes.TARGETS)
    declare.check_alone(arguments, *of_instances, why="for Parquet files, only sums are kept")
    _check_one_file(arguments, "Parquet file")
    hierarchy = read_hierarchy(Path(arguments.hierarchy), **declare.reading_of(arguments))
    print_notes([note.text for note in notes_of(hierarchy, "")], arguments.hierarchy)
    hierarchy = weighed(hierarchy, arguments.class_weights)
    found = {}
    for column in declare.named_once(arguments.predicted or ["predicted"]):
        policy = _policy_of_sums(arguments.unknown)
        asked = TableRequest(hierarchy, (arguments.true or "true", column), policy, more)
        part = _partial_of_files(asked, column, arguments)
        report = part.report()
        found[column] = part if partly else report
        print_unknown(report, column)
    return found


def _policy_of_sums(unknown: str | None) -> Any:
    """Return the policy for unknown labels of Parquet files. They allow few, because only sums are
    kept.
    """
    if unknown not in (None, "error", "fail", "drop"):
        raise InputError(
            f"--parquet can refuse unknown labels (error) or leave them out (drop), not {unknown}. "
            "Label files and one table can have all policies"
        )
    return "drop" if unknown == "drop" else "fail"


def _partial_of_files(asked: Any, column: str, arguments: argparse.Namespace) -> Any:
    """Evaluate Parquet files. After a stop or a failure, the finished part is kept."""
    from hiermeasures.evaluation import to_bytes
    from hiermeasures.evaluation.tables import KeptParts, partial_of_table

    folder = Path(arguments.parquet)
    what = repr((str(folder.absolute()), asked.columns, asked.unknown)).encode() + to_bytes(
        asked.nothing
    )
    kept = KeptParts.of_evaluation(asked.of, what, arguments.resume)
    try:
        with printing.Progress(
            column, "instances" if arguments.cluster is None else "tasks"
        ) as progress:
            found = partial_of_table(asked, folder, arguments.cluster, progress, kept)
    except BaseException as error:
        if done := kept.files:
            files = f"{write_count(done, 'finished file is', 'finished files are')} kept"
            print_notes([f"{files}. Add --resume to the command to continue from there"], column)
        if isinstance(error, MismatchError):
            hint = "Correct these labels, or leave them out with --unknown drop"
            raise MismatchError(f"{error}. {hint}", error.repair) from None
        raise
    kept.remove()
    return found


def weighed(hierarchy: "Hierarchy", file: str | None, added: Sequence[str] = ()) -> "Hierarchy":
    """Return the hierarchy with the weights of a file, if any.

    The error stream lists classes without a weight. Classes that were added for unknown answers
    weigh 1, as in Python.
    """
    if file is None:
        return hierarchy
    weights = {**dict.fromkeys(added, 1.0), **read_weights(file)}
    try:
        found = hierarchy.with_class_weights(weights)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    left_out = [
        label for label in hierarchy.nodes[hierarchy.virtual_root :] if label not in weights
    ]
    if left_out:
        print_notes([f"classes without a weight get the weight 0: {quote_names(left_out)}"], file)
    return found


def print_unknown(report: Any, predicted: str) -> None:
    """Print notes about dropped labels. `predicted` is the name of that side."""
    for lost, side in zip(report.lost, ("true", predicted), strict=True):
        print_notes(lost.notes, side)


def extent(reports: Mapping[str, Any]) -> str:
    from hiermeasures.hierarchy.words import write_count

    first = next(iter(reports.values()))
    sides = (
        f"{write_count(len(first.measures), 'measure')} of {write_count(len(reports), 'system')}"
    )
    return f"{sides} over {write_count(len(first), 'instance')}"


def print_reports(
    reports: Mapping[str, Any], arguments: argparse.Namespace, notes: Sequence[str] = ()
) -> int:
    """Print values as a table with notes below it, or in the requested format."""
    values: dict[str, dict[str, Any]] = {name: dict(r.values) for name, r in reports.items()}
    level = getattr(arguments, "intervals", None)
    ends = {name: r.intervals(level) for name, r in reports.items()} if level is not None else {}
    signatures: dict[str, None] = {}
    if getattr(arguments, "signature", False):
        for name, report in reports.items():
            values[name]["signature"] = report.signature
            signatures[report.signature] = None
    if arguments.json or arguments.csv is not None or arguments.latex is not None:
        print_notes(notes)
        for name, report in reports.items():
            print_notes(report.value_notes, name)
    first = next(iter(reports))
    if arguments.json:
        for name, frame in ends.items():
            values[name]["intervals"] = frame.to_dict("index")
        print(printing.as_json(values[first] if len(values) == 1 else values))
    elif arguments.csv is not None:
        for name, frame in ends.items():
            values[name] |= {f"{k} {end}": x for (k, end), x in frame.stack().items()}
        rows = [[name, *row.values()] for name, row in values.items()]
        printing.write_table(["file", *values[first]], rows, arguments.csv, extent(reports))
    elif arguments.latex is not None:
        from hiermeasures.evaluation.compare import scores_to_latex

        printing.write(
            scores_to_latex(named_shortly(reports, arguments)), arguments.latex, extent(reports)
        )
    else:
        lines = [_title(reports, arguments, level), ""]
        lines += _table_lines(named_shortly(reports, arguments), ends)
        lines += _note_lines(reports, notes, getattr(arguments, "all_notes", True))
        printing.show("\n".join([*lines, *([""] if signatures else []), *signatures]))
    return 0


def _title(reports: Mapping[str, Any], arguments: argparse.Namespace, level: float | None) -> str:
    """Return sentences on the number of instances, their file, and how the values were computed."""
    files = (getattr(arguments, k, None) for k in ("table", "parquet", "true"))
    file = next(filter(None, files), "")
    first = next(iter(reports.values()))
    n = write_count(len(first), "instance")
    said = [f"{n} of {file}." if file else f"{n}."]
    conventions = dict.fromkeys(report.convention for report in reports.values())
    said += [sentence(part) for words in conventions for part in words.split("; ")]
    said += [f"{UNKNOWN[first.policy]}."] if first.policy in UNKNOWN else []
    said += [about_intervals(level)] if level is not None else []
    return " ".join(said)


def _note_lines(reports: Mapping[str, Any], notes: Sequence[str], all_notes: bool) -> list[str]:
    """Return at most MOST_NOTES notes as sentences, each once, those on values first."""
    from hiermeasures.evaluation.averages import notes_about_values

    found = list(dict.fromkeys(map(sentence, (*notes_about_values(reports), *notes))))
    more = 0 if all_notes else len(found) - MOST_NOTES
    lines = [f"- {note}" for note in (found[:MOST_NOTES] if more > 0 else found)]
    if more > 0:
        lines.append(f"{write_count(more, 'more note')}: add --all-notes.")
    return ["", "Notes:", *lines] if lines else []


def named_shortly(reports: Mapping[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the reports of files by their stems, or by longer parts of their paths if stems are
    equal.

    Columns of a table keep their names.
    """
    if getattr(arguments, "table", None) or getattr(arguments, "parquet", None):
        return dict(reports)
    paths = [Path(name) for name in reports]
    for short in (
        lambda path: path.stem,
        lambda path: path.name,
        lambda path: str(path.with_suffix("")),
    ):
        names = [short(path) for path in paths]
        if len(set(names)) == len(names):
            return dict(zip(names, reports.values(), strict=True))
    return dict(reports)


def _table_lines(reports: Mapping[str, Any], ends: Mapping[str, Any]) -> list[str]:
    """Return the table of values, with their intervals."""
    first = next(iter(reports.values()))
    columns = {name: report.cells(as_text) for name, report in reports.items()}
    for name, frame in zip(columns, ends.values(), strict=False):
        for key, cell in columns[name].items():
            columns[name][key] = f"{cell} {write_interval(*frame.loc[key])}".rstrip()
    heads = [*columns] if len(columns) > 1 else ()
    return family_lines(first.declared, [*columns.values()], heads=heads)
