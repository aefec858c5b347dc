"""The command line: calls the library, prints. Exit status 0 done, 1 the check failed, 2 bad input.

Each command is one function; heavy libraries are imported inside, so that a small command answers at once.
"""

import argparse
import codecs
import csv
import io
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiermeasures.cli_arguments import parser
from hiermeasures.display.text import as_text, family_lines
from hiermeasures.errors import InputError, listed, shown
from hiermeasures.extras import require

if TYPE_CHECKING:
    from hiermeasures.batch.packing import Packed
    from hiermeasures.hierarchy import Hierarchy


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal or a pipe that may not know every character
            stream.reconfigure(errors=_PLAINER)
    try:
        options = parser().parse_args(arguments)
        status = _COMMANDS[options.command](options)
        sys.stdout.flush()
        return status
    except InputError as error:
        return _refused(str(error))
    except BrokenPipeError:  # the reader, such as head, has seen enough
        sys.stdout = None
        return 0
    except OSError as error:
        if error.filename is None:  # a full disk behind the output; what is left of it would fail again at the end
            sys.stdout = None
        return _refused(f"{error.filename or 'the output'}: {error.strerror or error}")
    except MemoryError:
        return _refused("this needs more memory than there is")
    except KeyboardInterrupt:
        print("hiermeasures: stopped", file=sys.stderr)
        return 130


# What a terminal would take for a command: names in a partial result may be anyone's.
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), "\ufffd")


def _one_line(text: str) -> str:
    return " ".join(text.split()).translate(_CONTROLS)


def _print_notes(notes: Iterable[str], about: str = "") -> None:
    """What is to be known of an input, such as a file, on the error stream."""
    for note in notes:
        print(f"note: {_one_line(f'{about}: {note}' if about else note)}", file=sys.stderr)


_PLAINER = "hiermeasures.plainer"
_IN_ASCII = {"−": "-", "–": "-", "—": "-", "…": "...", "’": "'", "“": '"', "”": '"', "×": "x", "→": "->", "≥": ">="}


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Characters that the output does not know: nearest in ASCII, or escaped as in JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    odd = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(c) or json.dumps(c)[1:-1] for c in odd), error.end


codecs.register_error(_PLAINER, _plainer)


def _exact() -> bool:
    """Whether the output knows every character; where it does not, JSON escapes them itself and loses nothing."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")


def _refused(message: str) -> int:
    print(f"hiermeasures: {_one_line(message)}", file=sys.stderr)
    return 2


# --- score --------------------------------------------------------------------------------------------------------


def _score(arguments: argparse.Namespace) -> int:
    explanation = _explained(arguments)
    hierarchy = explanation.given
    if arguments.json:
        print(as_json(explanation))
    else:
        for note in hierarchy.notes:
            print(f"note: {note}")
        measures = map(explanation.measure, explanation)
        sentences = (lambda key: explanation.derivation(key).sentence) if arguments.explain else (lambda key: "")
        print("\n".join(family_lines(measures, [explanation], sentences)))
    return 0


def _explained(arguments: argparse.Namespace) -> Any:
    """The instance of a case file, or of a hierarchy with the classes given; what the command line says goes before."""
    define = _defined(arguments.define)
    from hiermeasures.cases.writing import case_in
    from hiermeasures.io import read_hierarchy
    from hiermeasures.measures import explain
    from hiermeasures.options import Options

    path = Path(arguments.hierarchy)
    true, predicted = (None if text is None else _classes(text) for text in (arguments.true, arguments.predicted))
    if case := case_in(path):
        options = Options.make({**case.options, **_settings(arguments.settings)})
        if true is None and predicted is None:
            return case.explain(define={**case.define, **define}, **_settings(arguments.settings))
        sides = (case.true if true is None else true, case.predicted if predicted is None else predicted)
        return explain(case.hierarchy, *sides, define={**case.define, **define}, options=options)
    if true is None or predicted is None:
        missing = "--true" if true is None else "--predicted"
        raise InputError(f"{missing} is needed: {path} is no case file, which would name the classes")
    options = Options.make(_settings(arguments.settings))
    return explain(read_hierarchy(path), true, predicted, define=define, options=options)


def _classes(text: str) -> list[str]:
    """Class names separated by commas; a name with a comma stands in double quotes."""
    row = next(csv.reader([text], skipinitialspace=True), [])
    return [name.strip() for name in row if name.strip()]


def _settings(pairs: Sequence[str]) -> dict[str, Any]:
    """Options from NAME=VALUE; a value is a number, true, false, none, or a word."""
    return {name.strip(): _value(value.strip()) for name, value in _named(pairs, "--set takes OPTION=VALUE")}


def _named(entries: Sequence[str], form: str) -> Iterator[tuple[str, str]]:
    """The two sides of every NAME=…; `form` says how an option that takes them is written."""
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not equals:
            raise InputError(f"{form}, not {shown(entry)}")
        yield name, value


def _defined(definitions: Sequence[str]) -> dict[str, str]:
    """Own measures from NAME=EXPRESSION, which --define is given: expressions by name."""
    from hiermeasures.measures.own import own_measures

    found: dict[str, str] = {}
    for head, expression in _named(definitions, "--define takes NAME=EXPRESSION"):
        if head in found:
            raise InputError(f"--define names {shown(head)} twice")
        found[head] = expression
    own_measures(found)
    return found


def _value(text: str) -> Any:
    words = {"true": True, "yes": True, "false": False, "no": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


# --- verify -------------------------------------------------------------------------------------------------------


def _verify(arguments: argparse.Namespace) -> int:
    from hiermeasures.cases import Verification, verify

    only_lessons = arguments.lessons and not (arguments.cases or arguments.paper or arguments.errata)
    report = Verification() if only_lessons else verify(arguments.cases, paper=arguments.paper)
    lessons = _verified_lessons(arguments)
    if arguments.errata:
        from hiermeasures.cases.errata import errata_page
        from hiermeasures.io.source import save

        save(errata_page(report), arguments.errata)
    if arguments.json:
        content = report.as_json() | ({"lessons": lessons.as_json()} if lessons else {})
        print(json.dumps(content, indent=2))
    else:
        print("\n".join([*([] if only_lessons else [report.as_text()]), *([lessons.as_text()] if lessons else [])]))
    for fault in (*report.faults, *(lessons.faults + lessons.broken if lessons else ())):
        print(f"hiermeasures: {fault}", file=sys.stderr)
    unexplained = arguments.strict and report.counts.unexplained > 0
    return max(report.exit_status, lessons.exit_status if lessons else 0, int(unexplained))


def _verified_lessons(arguments: argparse.Namespace) -> Any:
    """The lessons that are asked for: those of --lessons, or the project's where all of it is verified; else None."""
    from hiermeasures.lessons.verify import verify_lessons

    asked = arguments.lessons or not (arguments.cases or arguments.paper)
    return verify_lessons(arguments.lessons) if asked else None


# --- evaluate and compare -----------------------------------------------------------------------------------------


def _evaluate(arguments: argparse.Namespace) -> int:
    targets = (arguments.per_instance, arguments.csv, arguments.latex, arguments.partial)
    _check_targets(targets, _files_read(arguments))
    if arguments.partial is not None:
        return _evaluate_part(arguments)
    reports = _reports(arguments, average=arguments.average)
    if arguments.per_instance is not None:
        _write_instances(reports, arguments.per_instance)
    return _print_reports(reports, arguments)


def _evaluate_part(arguments: argparse.Namespace) -> int:
    """Only the sums, for `merge`."""
    _check_alone(arguments, "per_instance", "json", "csv", "latex")
    if len(arguments.predicted or [""]) > 1:
        raise InputError(
            "--partial writes the sums of one file or column of predictions; name one, and a file for each"
        )
    (found,) = _reports(arguments, partly=True, average=arguments.average).values()
    return _write_partial(found, arguments.partial)


def _check_alone(arguments: argparse.Namespace, *names: str) -> None:
    """Refuse what asks for values where --partial asks for sums."""
    for name in names:
        if getattr(arguments, name):
            raise InputError(f"--partial writes sums in place of values; leave --{name.replace('_', '-')} out")


def _write_partial(found: Any, target: str) -> int:
    from hiermeasures.io.source import save
    from hiermeasures.partial_results import to_bytes

    data = to_bytes(found)
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        save(data, target)
    return 0


def _print_reports(reports: Mapping[str, Any], arguments: argparse.Namespace) -> int:
    values = {name: dict(report.values) for name, report in reports.items()}
    if arguments.json:
        print(as_json(next(iter(values.values()))) if len(values) == 1 else _json_of(values))
    elif arguments.csv is not None:
        _write_csv(
            ["file", *next(iter(values.values()))],
            [[name, *row.values()] for name, row in values.items()],
            arguments.csv,
        )
    elif arguments.latex is not None:
        from hiermeasures.compare import scores_to_latex

        _write(scores_to_latex(reports), arguments.latex)
    else:
        print("\n".join(_report_lines(reports)))
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    from hiermeasures.compare import PAPER_COLUMNS, compare_reports

    if len(arguments.predicted) < 2:
        raise InputError("compare needs at least two prediction files")
    _check_targets((arguments.csv, arguments.latex), _files_read(arguments))
    arguments.measures = ",".join(PAPER_COLUMNS) if arguments.measures is None else arguments.measures
    correction = None if arguments.correction == "none" else arguments.correction
    reports = _reports(arguments)
    stems = [Path(name).stem for name in reports]
    named = dict(zip(stems, reports.values(), strict=True)) if len(set(stems)) == len(stems) else reports
    comparison = compare_reports(named, test=arguments.test, alpha=arguments.alpha, correction=correction)
    if arguments.json:
        print(_json_of(comparison.as_json()))
    elif arguments.csv is not None:
        frame = comparison.to_frame()
        _write_csv(
            ["system", *frame.columns],
            [[name, *row] for name, row in zip(frame.index, frame.to_numpy(object), strict=True)],
            arguments.csv,
        )
    elif arguments.latex is not None:
        _write(comparison.to_latex(), arguments.latex)
    else:
        print(comparison.as_text())
    return 0


def _reports(arguments: argparse.Namespace, **more: Any) -> dict[str, Any]:
    """A report for each prediction file, by the file's name, with the measures that are asked for."""
    from hiermeasures.measures.explain import find_measure
    from hiermeasures.measures.own import own_measures

    define = _defined(arguments.define)
    measures = _keys(arguments.measures, "--measures")
    for key in measures or ():
        find_measure(key, own_measures(define))
    return _evaluated(arguments, measures=measures, define=define, **more)


def _evaluated(arguments: argparse.Namespace, *, partly: bool = False, **more: Any) -> dict[str, Any]:
    """Reports over the files that are named, or partial results; notes and progress go to the error stream."""
    from hiermeasures.batch.files import InputFile, read_systems
    from hiermeasures.batch.tasks import FEW_INSTANCES
    from hiermeasures.options import Options

    weighted = {"class_weights": "given"} if arguments.class_weights is not None else {}
    options = Options.make(weighted | _settings(arguments.settings))
    if getattr(arguments, "parquet", None) is not None:
        return _evaluated_tables(arguments, partly, options=options, **more)
    if missing := [f"--{name}" for name in ("hierarchy", "true", "predicted") if getattr(arguments, name) is None]:
        raise InputError(f"{arguments.command} needs {' and '.join(missing)}")
    if getattr(arguments, "cluster", None) is not None:
        raise InputError("--cluster evaluates Parquet files: name their folder by --parquet")
    systems = read_systems(
        InputFile(arguments.hierarchy, Path(arguments.hierarchy)),
        InputFile(arguments.true, Path(arguments.true), arguments.format),
        {name: InputFile(name, Path(name), arguments.format) for name in _names(arguments.predicted)},
        task=arguments.task,
        unknown=arguments.unknown,
        missing=arguments.missing,
    )
    for note in systems.notes:
        _print_notes([note.text], note.file)
    if arguments.class_weights is not None:
        systems = replace(systems, hierarchy=_weighed(systems.hierarchy, arguments.class_weights))
    if len(systems.true) > FEW_INSTANCES:
        _load_numba_alone()
    if partly:
        return systems.partials(options=options, **more)
    return systems.reports(lambda _, name: _Progress(name), options=options, **more)


def _evaluated_tables(arguments: argparse.Namespace, partly: bool, **more: Any) -> dict[str, Any]:
    """Reports over Parquet files, or partial results, one for each column of predictions, read here or on a cluster."""
    from hiermeasures.batch.tables import Asked, partial_of_table
    from hiermeasures.io import read_hierarchy

    if arguments.hierarchy is None:
        raise InputError("--parquet needs --hierarchy")
    if arguments.per_instance is not None:
        raise InputError("--per-instance is for files that fit into memory; of Parquet files only sums are kept")
    for name, usual in (("format", None), ("task", None), ("missing", "empty")):
        if getattr(arguments, name) != usual:
            raise InputError(f"--{name} is for label files; a row of a Parquet file has both sides")
    hierarchy = read_hierarchy(Path(arguments.hierarchy))
    _print_notes(hierarchy.notes, arguments.hierarchy)
    if arguments.class_weights is not None:
        hierarchy = _weighed(hierarchy, arguments.class_weights)
    found = {}
    for column in _names(arguments.predicted or ["predicted"]):
        asked = Asked(hierarchy, (arguments.true or "true", column), arguments.unknown, more)
        with _Progress(column, "instances" if arguments.cluster is None else "tasks") as progress:
            part = partial_of_table(asked, Path(arguments.parquet), arguments.cluster, progress)
        report = part.report()
        found[column] = part if partly else report
        _print_unknown(report, column)
    return found


def _print_unknown(report: Any, predicted: str) -> None:
    """What is said of labels that were left out; `predicted` is what that side is called."""
    from hiermeasures.batch import unknown_in_words

    for side, labels in (("true", report.unknown_true), (predicted, report.unknown_predicted)):
        _print_notes(unknown_in_words(labels), side)


def _load_numba_alone() -> None:
    """numba looks for SciPy's linear algebra when it loads its first kernel. None of ours needs that, and it takes as
    long to import as numba itself; without it numba has functions of its own. Only here, where the process is ours.
    """
    if "scipy.linalg" not in sys.modules and "numba" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # Python's way to say that it is not there
        try:
            import_module("numba.np.arraymath")
        except ImportError:  # another version of numba, which does without
            return
        finally:
            del sys.modules["scipy.linalg"]


def _weighed(hierarchy: "Hierarchy", file: str) -> "Hierarchy":
    """The hierarchy with the weights of a file; how many classes it leaves out goes to the error stream."""
    from hiermeasures.io.weights import read_weights

    weights = read_weights(file)
    try:
        weighed = hierarchy.with_class_weights(weights)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    left_out = [label for label in hierarchy.nodes[hierarchy.virtual_root :] if label not in weights]
    if left_out:
        _print_notes([f"classes without a weight weigh 0: {listed(left_out)}"], file)
    return weighed


def _names(files: Sequence[str]) -> list[str]:
    """What the systems are called: the files as they were given."""
    if len(set(files)) < len(files):
        raise InputError("a prediction file or column is named twice")
    return list(files)


class _Progress:
    """A line on the error stream that says how far a long evaluation is; nothing where the stream is no terminal."""

    def __init__(self, name: str, what: str = "instances") -> None:
        self.name, self.what, self.start, self.drawn = name, what, time.monotonic(), False

    def __enter__(self) -> "_Progress":
        return self

    def __call__(self, done: int, total: int) -> None:
        spent = time.monotonic() - self.start
        if sys.stderr.isatty() and spent > 1 and done:
            left = spent / done * (total - done)
            print(
                f"\r{self.name}: {done:,} of {total:,} {self.what}, about {left:.0f} s left   ",
                end="",
                file=sys.stderr,
                flush=True,
            )
            self.drawn = True

    def __exit__(self, *_: object) -> None:
        if self.drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _report_lines(reports: Mapping[str, Any]) -> list[str]:
    """A table with a row per measure and a column per file, by family."""
    lines = [f"column {k}: {name}, {len(report):,} instances" for k, (name, report) in enumerate(reports.items(), 1)]
    declared = next(iter(reports.values())).declared
    lines += ["", *family_lines(declared, [report.values for report in reports.values()])]
    for name, report in reports.items():
        undefined = {k: n for k, n in report.undefined.items() if n}
        if undefined:
            lines += [
                "",
                f"left out of a mean, for having no value ({name}): "
                + ", ".join(f"{k} {n:,}" for k, n in undefined.items()),
            ]
    return lines


# --- cafa ---------------------------------------------------------------------------------------------------------


def _cafa(arguments: argparse.Namespace) -> int:
    files = _files_in(arguments.predictions)
    read = (arguments.ontology, arguments.truth, arguments.ia, *files.values())
    _check_targets((arguments.table, arguments.partial), read)
    if arguments.partial is not None:
        _check_alone(arguments, "table", "json")
    found = _cafa_found(arguments, files)
    if arguments.partial is None:
        return _print_cafa(found, arguments)
    _print_notes(found.notes)
    return _write_partial(found, arguments.partial)


def _print_cafa(report: Any, arguments: argparse.Namespace) -> int:
    _print_notes(report.notes)
    if arguments.table is not None:
        _write(report.table.to_csv(sep="\t", index=False, lineterminator="\n").rstrip("\n"), arguments.table)
    if arguments.json:
        print(_json_of(report.as_json()))
    elif arguments.table != "-":
        print(report.as_text().translate(_CONTROLS))
    return 0


def _cafa_found(arguments: argparse.Namespace, files: Mapping[str, Path]) -> Any:
    """The report over files of predictions, read here or on a cluster, or with --partial only the sums."""
    from hiermeasures.inference.cafa import cafa_evaluate, cafa_partial
    from hiermeasures.inference.cafa_cluster import cafa_on_cluster
    from hiermeasures.io.annotations import read_annotations
    from hiermeasures.io.ontology import read_ontology
    from hiermeasures.io.weights import read_weights

    given = (read_ontology(arguments.ontology), read_annotations(arguments.truth, scored=False))
    chosen: dict[str, Any] = {
        "information": read_weights(arguments.ia) if arguments.ia is not None else None,
        "normalisation": arguments.norm,
        "propagation": arguments.propagate,
        "orphans": not arguments.no_orphans,
        "step": arguments.step,
    }
    if arguments.cluster is not None:
        with _Progress("cafa", "tasks") as progress:
            found = cafa_on_cluster(*given, files, cluster=arguments.cluster, progress=progress, **chosen)
        return found.report() if arguments.partial is None else found
    with _Progress("", "targets") as progress:

        def read() -> Iterator[Any]:
            for progress.name, path in files.items():
                yield read_annotations(path, scored=True, name=progress.name)

        compute = cafa_evaluate if arguments.partial is None else cafa_partial
        return compute(*given, read(), progress=progress, **chosen)


# --- merge --------------------------------------------------------------------------------------------------------


def _merge(arguments: argparse.Namespace) -> int:
    from hiermeasures.partial_results import from_packed, merge

    read = (arguments.hierarchy, arguments.class_weights, *arguments.files)
    _check_targets((arguments.csv, arguments.latex, arguments.table), read)
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
            _print_notes([f"{other} and {file} hold the same sums; both count"])
        try:
            part = from_packed(context, packed)
            found = part if found is None else merge([found, part])
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
    if found.partial_kind == "cafa":
        return _print_cafa(found.report(), arguments)
    if found.partial_kind == "sweep":
        return _print_scored_sums(found, arguments)
    report = found.report()
    _print_unknown(report, "predicted")
    return _print_reports({"merged": report}, arguments)


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
    from hiermeasures.batch.packing import unpack
    from hiermeasures.io.source import load

    data, source, _ = load(Path(file), "", None)
    try:
        return unpack(data)
    except InputError as error:
        raise source.error(str(error)) from None


def _context(kind: str, arguments: argparse.Namespace) -> Any:
    """What the sums are of; options that are for those of another kind are refused."""
    from hiermeasures.io import read_hierarchy
    from hiermeasures.io.ontology import read_ontology

    for name, kinds in _MERGED.items():
        if kind in _WROTE and kind not in kinds and getattr(arguments, name) is not None:
            commands = " or ".join(_WROTE[k] for k in kinds)
            raise InputError(f"--{name.replace('_', '-')} is for sums that `hiermeasures {commands} --partial` wrote")
    if kind == "cafa":
        return read_ontology(arguments.hierarchy)
    h = read_hierarchy(Path(arguments.hierarchy))
    return h if arguments.class_weights is None else _weighed(h, arguments.class_weights)


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


def _information(arguments: argparse.Namespace) -> int:
    from hiermeasures.batch.files import InputFile, read_systems
    from hiermeasures.batch.information import accretion

    files = (InputFile(arguments.hierarchy, Path(arguments.hierarchy)), Path(arguments.true))
    read = read_systems(files[0], InputFile(arguments.true, files[1], arguments.format), {}, task=arguments.task)
    h = read.hierarchy
    bits = accretion(h, read.true, smoothing=arguments.smoothing)
    for k in range(h.virtual_root, len(h)):
        print(f"{h.nodes[k]}\t{float(bits[k]) + 0.0!r}")
    return 0


def _curves(arguments: argparse.Namespace) -> int:
    files = _files_in(arguments.probabilities)
    _check_targets((arguments.partial,), (arguments.hierarchy, arguments.true, *files.values()))
    if arguments.partial is not None:
        _check_alone(arguments, "json", "interpolation")
        if len(files) > 1:
            raise InputError("--partial writes the sums of one file of probabilities; name one, and a file for each")
    found = _scored(arguments, files)
    if arguments.partial is not None:
        return _write_partial(next(iter(found.values())), arguments.partial)
    return _print_scored(found, arguments)


def _scored(arguments: argparse.Namespace, files: Mapping[str, Path]) -> dict[str, Any]:
    """A report for each file of probabilities, or with --partial only the sums; what is said of labels goes to the
    error stream.
    """
    from hiermeasures.inference import match_labels, read_probabilities, scored_report, threshold_partial
    from hiermeasures.io import read_hierarchy, read_labels

    top = [_count(text, "--top") for text in arguments.top.split(",")]
    chosen: dict[str, Any] = {"top": top, "weights": arguments.weights}
    h = read_hierarchy(Path(arguments.hierarchy))
    truth = read_labels(Path(arguments.true), arguments.format, arguments.task)
    _print_notes(h.notes, arguments.hierarchy)
    _print_notes(truth.notes, arguments.true)
    found: dict[str, Any] = {}
    for name, path in files.items():
        table = read_probabilities(path, h, kind=arguments.kind)
        labels, matched = match_labels(table, truth)
        _print_notes((*table.notes, *matched), name)
        if arguments.partial is not None:
            found[name] = threshold_partial(table, labels, **chosen)
        else:
            found[name] = scored_report(table, labels, interpolation=_interpolation(arguments), **chosen)
    return found


def _interpolation(arguments: argparse.Namespace) -> Any:
    return arguments.interpolation or "counts"


def _print_scored(found: Mapping[str, Any], arguments: argparse.Namespace) -> int:
    for name, report in found.items():
        _print_notes(report.notes, name)
    values = {name: report.values for name, report in found.items()}
    print(_json_of(values) if arguments.json else "\n".join(_side_by_side(values)).translate(_CONTROLS))
    return 0


def _print_scored_sums(found: Any, arguments: argparse.Namespace) -> int:
    """What `curves` prints, of sums; and the averages at their thresholds as a table."""
    from hiermeasures.inference import scored_report_of_sums

    if arguments.table is not None:
        taus, *columns = vars(found.report().sweep).items()
        rows = zip(taus[1].round(10).tolist(), *(values.tolist() for _, values in columns), strict=True)
        lines = ("\t".join(map(str, row)) for row in (("tau", *(name for name, _ in columns)), *rows))
        _write("\n".join(lines), arguments.table)
    if arguments.table == "-" and not arguments.json:
        return 0
    report = scored_report_of_sums(found, interpolation=_interpolation(arguments))
    return _print_scored({"merged": report}, arguments)


def _count(text: str, option: str) -> int:
    """A whole number from 1."""
    if not text.strip().isdecimal() or not int(text):
        raise InputError(f"{option} takes whole numbers from 1, not {shown(text)}")
    return int(text)


def _side_by_side(found: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """A column for each file, under its name."""
    keys = list(dict.fromkeys(key for values in found.values() for key in values))
    first, width = max(map(len, keys)), max(10, *map(len, found))
    yield " " * first + "".join(f"  {name:>{width}}" for name in found)
    for key in keys:
        cells = (values.get(key, math.nan) for values in found.values())
        yield f"{key:{first}}" + "".join(f"  {'–' if math.isnan(v) else f'{v:.4f}':>{width}}" for v in cells)


def _files_in(paths: Sequence[str]) -> dict[str, Path]:
    """Files by name; a folder stands for all files in and below it, each by its path there."""
    found: dict[str, Path] = {}
    for given in map(Path, paths):
        inside = sorted(p for p in given.rglob("*") if p.is_file()) if given.is_dir() else [given]
        if not inside:
            raise InputError(f"{given}: the folder holds no file")
        for path in inside:
            name = path.relative_to(given).as_posix().replace("/", "_") if given.is_dir() else path.name
            if name in found:
                raise InputError(f"two prediction files are called {shown(name)}")
            found[name] = path
    return found


# --- convert ------------------------------------------------------------------------------------------------------


def _convert(arguments: argparse.Namespace) -> int:
    from hiermeasures.io import convert

    done = convert(
        arguments.source,
        arguments.target,
        source_format=arguments.source_format,
        target_format=arguments.target_format,
        task=arguments.task,
    )
    print(done)
    _print_notes(done.notes)
    return 0


# --- behaviour and find -------------------------------------------------------------------------------------------


def _behaviour(arguments: argparse.Namespace) -> int:
    from hiermeasures.behaviour import report, sampling, study
    from hiermeasures.measures import CATALOGUE
    from hiermeasures.measures.own import own_measures
    from hiermeasures.options import Options

    own = list(own_measures(_defined(arguments.define)).values())
    with _Progress("behaviour", "hierarchies") as progress:
        found = study(
            [*(_keys(arguments.measures, "--measures") or CATALOGUE), *own],
            _keys(arguments.properties, "--properties"),
            trees=arguments.trees,
            dags=arguments.dags,
            progress=progress,
            options=Options.make(_settings(arguments.settings)),
        )
    beyond = None
    if arguments.beyond is not None:
        with _Progress("at random", "hierarchies") as progress:
            beyond = sampling.search_beyond(
                found, measures=own, size=arguments.beyond, seed=arguments.seed, progress=progress
            )
        found = sampling.with_sampled(found, beyond)
    if arguments.json:
        content = found.as_json()
        for prop, row in (beyond or {}).items():
            for key, sampled in row.items():
                content[prop][key]["beyond"] = {"instances": sampled.instances, "size": sampled.size}
        print(_json_of(content))
    else:
        print(report.as_text(found, beyond))
    return 0


def _find(arguments: argparse.Namespace) -> int:
    """Exit status 1 where nothing is found."""
    if arguments.hierarchy or arguments.true or arguments.predicted:
        return _find_in_files(arguments)
    from hiermeasures.behaviour import Question, find
    from hiermeasures.options import Options

    gains, loses = _keys(arguments.better, "--better") or [], _keys(arguments.worse, "--worse") or []
    edit = arguments.edit
    if arguments.disagree is not None:
        pair = _keys(arguments.disagree, "--disagree") or []
        if len(pair) != 2:
            raise InputError("--disagree takes two measures, such as hF,F_LCA")
        if edit is not None:
            raise InputError("--disagree compares any two predictions; leave --edit out")
        edit, gains, loses = "predict", [*gains, pair[0]], [*loses, pair[1]]
    question = Question(arguments.expression, edit, tuple(gains), tuple(loses), arguments.leaves, arguments.single)
    options = Options.make(_settings(arguments.settings))
    with _Progress("find", "hierarchies") as progress:
        found = find(
            question,
            trees=arguments.trees,
            dags=arguments.dags,
            progress=progress,
            define=_defined(arguments.define),
            options=options,
        )
    example = found.example
    if arguments.json:
        case = example.before.as_case("Found", options) if example else None
        after_it = example.after.as_case("Found, after", options) if example and not example.alone else None
        values = {k: (v[0] if example and example.alone else list(v)) for k, v in found.values.items()}
        print(_json_of({"example": case, "after": after_it, "values": values, "instances": found.instances}))
    elif example is None:
        print(
            f"none in {found.instances:,} instances: trees up to {arguments.trees}, DAGs up to {arguments.dags} classes"
        )
    else:
        print(example.pictures)
        for key, (before, after) in found.values.items():
            print(f"  {key:14}{as_text(before):>10}" + ("" if example.alone else f" → {as_text(after)}"))
    return 0 if example is not None else 1


def _find_in_files(arguments: argparse.Namespace) -> int:
    """The same over prediction files."""
    from hiermeasures.compare.finding import Condition, disagreeing, where
    from hiermeasures.measures.explain import find_measure
    from hiermeasures.measures.own import own_measures

    for flag in ("hierarchy", "true", "predicted"):
        if not getattr(arguments, flag):
            raise InputError(f"--{flag} is needed, to find instances in prediction files")
    for flag in ("edit", "better", "worse", "leaves", "single"):
        if getattr(arguments, flag):
            raise InputError(f"--{flag} is about made-up instances; leave it out for those of prediction files")
    if (arguments.expression is None) == (arguments.disagree is None):
        raise InputError("instances of prediction files are found by a condition, or by --disagree A,B")
    defined = own_measures(_defined(arguments.define))
    if arguments.disagree is None:
        condition = Condition.of(arguments.expression, len(arguments.predicted), defined)
        reports = _evaluated(arguments, measures=condition.measures)
        found = where(list(reports.values()), condition)
    else:
        pair = [find_measure(key, defined) for key in _keys(arguments.disagree, "--disagree") or []]
        if len(pair) != 2 or len(arguments.predicted) != 2:
            raise InputError("--disagree takes two measures, such as hF,F_LCA, and --predicted two files")
        reports = _evaluated(arguments, measures=pair)
        found = disagreeing(reports, *pair)
    _print_found(found, reports, arguments)
    return 0 if len(found.table) else 1


def _print_found(found: Any, reports: Mapping[str, Any], arguments: argparse.Namespace) -> None:
    first = next(iter(reports.values()))
    examples = []
    for id_, row in found.table.head(max(arguments.most, 0)).iterrows():
        number = int(row["number"])
        sides = {name: sorted(r.kept.predicted.classes(r.hierarchy, number)) for name, r in reports.items()}
        true = sorted(first.kept.true.classes(first.hierarchy, number))
        values = {name: float(row[name]) for name in found.columns}
        extreme = float(row["extreme"])
        name = id_.item() if hasattr(id_, "item") else id_
        examples.append({"id": name, "extreme": extreme, "values": values, "true": true, "predicted": sides})
    if arguments.json:
        counts = {"instances": found.instances, "found": len(found.table), "undefined": found.undefined}
        print(_json_of({**counts, "extreme": found.by, "examples": examples}))
        return
    undefined = f" ({found.undefined:,} without a value)" if found.undefined else ""
    print(f"{len(found.table):,} of {found.instances:,} instances{undefined}, most extreme first: {found.by}")
    for example in examples:
        numbers = ", ".join(f"{name} {as_text(value)}" for name, value in example["values"].items())
        print(f"{example['id']}: {as_text(example['extreme'])}; {numbers}")
        predicted = "; ".join(f"predicted {', '.join(sides) or 'none'}" for sides in example["predicted"].values())
        print(f"  true {', '.join(example['true']) or 'none'}; {predicted}")


def _keys(text: str | None, flag: str) -> list[str] | None:
    """Names separated by commas; None where the flag is not given."""
    if text is None:
        return None
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if not keys:
        raise InputError(f"{flag} names nothing")
    return keys


# --- sheet --------------------------------------------------------------------------------------------------------


def _sheet(arguments: argparse.Namespace) -> int:
    from hiermeasures.io.source import save
    from hiermeasures.lessons.format import KIND_NAMES
    from hiermeasures.lessons.sheets import MOST_VARIANTS, TITLE, formats_of, sheets
    from hiermeasures.lessons.wishes import Wish, left_out, with_families
    from hiermeasures.measures.catalogue import counted
    from hiermeasures.ui.sheet_files import file_names, sheet_files

    measures = with_families(_keys(arguments.measures, "--measures") or ())
    kinds: Any = _keys(arguments.questions, "--questions")
    if kinds is None:  # all that can be asked about these; where none can, Wish says why
        impossible = left_out(KIND_NAMES, arguments.labels, measures)
        kinds = [kind for kind in KIND_NAMES if kind not in impossible] or KIND_NAMES
    wish = Wish(tuple(kinds), arguments.classes, arguments.dag, arguments.labels, measures)
    formats = formats_of(_keys(arguments.format, "--format"))
    folder, names = Path(arguments.out), file_names(min(arguments.variants, MOST_VARIANTS), formats)
    there = [name for name in names if (folder / name).exists()]
    if there and not arguments.overwrite:
        raise InputError(f"{folder / there[0]} is there already; --overwrite replaces it")
    title = TITLE if arguments.title is None else arguments.title
    with _Progress("sheet", "sheets") as progress:
        made = sheets(wish, arguments.seed, arguments.number, arguments.variants, title=title, progress=progress)
    folder.mkdir(exist_ok=True)
    for name, text in sheet_files(made, formats):
        save(text, folder / name)
    what = f"{counted(len(made), 'worksheet')} of {counted(arguments.number, 'exercise')}"
    print(f"{what}, with solutions, in {folder} ({', '.join(formats)})")
    _print_notes(f"{folder / name} was replaced" for name in there)
    return 0


# --- app ----------------------------------------------------------------------------------------------------------


def _app(arguments: argparse.Namespace) -> int:
    require("app", "hiermeasures app")
    from hiermeasures.ui.launch import run
    from hiermeasures.ui.opening import Opening

    opening = Opening(
        arguments.hierarchy,
        arguments.case,
        None if arguments.true is None else _classes(arguments.true),
        None if arguments.predicted is None else _classes(arguments.predicted),
        _settings(arguments.settings),
    )
    return run(arguments.port, arguments.address, arguments.lessons, opening)


# --- info ---------------------------------------------------------------------------------------------------------


def _info(arguments: argparse.Namespace) -> int:
    from hiermeasures.info import info, info_lines

    found = info()
    print(_json_of(found) if arguments.json else "\n".join(info_lines(found)))
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "score": _score,
    "verify": _verify,
    "evaluate": _evaluate,
    "compare": _compare,
    "cafa": _cafa,
    "merge": _merge,
    "information": _information,
    "curves": _curves,
    "convert": _convert,
    "behaviour": _behaviour,
    "find": _find,
    "app": _app,
    "sheet": _sheet,
    "info": _info,
}


# --- printing -----------------------------------------------------------------------------------------------------


def as_json(values: Mapping[str, Any]) -> str:
    """Values as one JSON object; undefined ones are null."""
    return json.dumps(
        {key: None if value != value else value for key, value in values.items()}, ensure_ascii=not _exact(), indent=2
    )


def _json_of(content: Any) -> str:
    """Nested mappings as JSON; undefined numbers are null."""

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {k: clean(v) for k, v in value.items()}
        return None if isinstance(value, float) and math.isnan(value) else value

    return json.dumps(clean(content), ensure_ascii=not _exact(), indent=2)


def _check_targets(targets: Iterable[str | None], read: Iterable[str | Path | None]) -> None:
    """Before a long evaluation: what cannot be written in the end, or would take the place of a file that is read?"""
    inputs = [Path(file) for file in read if file is not None]
    for target in targets:
        if target is None or target == "-":
            continue
        if not Path(target).parent.is_dir() or Path(target).is_dir():
            reason = "a folder" if Path(target).is_dir() else "no such folder"
            raise InputError(f"{target or repr(target)}: cannot be written ({reason})")
        if any(_is_same(Path(target), file) for file in inputs):
            raise InputError(f"{target}: cannot be written (it is read)")


def _is_same(a: Path, b: Path) -> bool:
    """Whether two paths are of one file that is there."""
    try:
        return a.samefile(b)
    except (OSError, ValueError):
        return False


def _files_read(arguments: argparse.Namespace) -> list[str | None]:
    """What evaluate and compare read; with --parquet, --true and --predicted name columns."""
    table = getattr(arguments, "parquet", None)
    sides = [arguments.true, *(arguments.predicted or ())] if table is None else [table]
    return [arguments.hierarchy, arguments.class_weights, *sides]


def _write(text: str, target: str) -> None:
    """Text into a file, whole or not at all; "-" prints it."""
    from hiermeasures.io.source import save

    if target == "-":
        print(text)
    else:
        save(text + "\n", target)


def _write_csv(head: Sequence[str], rows: Sequence[Sequence[Any]], target: str) -> None:
    from hiermeasures.io import csv_text

    _write(csv_text(head, rows).rstrip("\n"), target)


def _write_instances(reports: Mapping[str, Any], target: str) -> None:
    keys = list(next(iter(reports.values())).measures)
    rows = [
        [name, *cells]
        for name, report in reports.items()
        for cells in report.per_instance.reset_index().itertuples(index=False, name=None)
    ]
    _write_csv(["file", "id", *keys], rows, target)
