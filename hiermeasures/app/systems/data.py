"""Evaluations of label files and of scored terms for the Systems page, and the files of its forms.
They run in a job, without Streamlit.

Files are read and evaluated by hiermeasures.engine.files and hiermeasures.cafa.protocol; here the
page's limits are kept, each fault is tied to the field of its file, and progress is put into words.
"""

import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import Literal, TypeVar

import pandas as pd

from hiermeasures.app.job import FieldError, Progress
from hiermeasures.app.systems.examples import TITLE, example, example_files, kept_rows
from hiermeasures.cafa.protocol import ScoredTargets, cafa_evaluate, counted_information
from hiermeasures.cafa.sums import CafaReport, Normalisation, Propagation
from hiermeasures.compare import Comparison, compare_reports
from hiermeasures.core.edge_rows import Errors
from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.label_notation import Notation, notation_of
from hiermeasures.core.options import Options
from hiermeasures.engine import Report, encode
from hiermeasures.engine.answers import Policy, Rules
from hiermeasures.engine.batch import Request as Asked
from hiermeasures.engine.batch import Workers, report_of
from hiermeasures.engine.files import InputFile, Note, Systems, read_one_table, read_systems
from hiermeasures.explorer.state import Shown
from hiermeasures.formats import LABEL_FORMATS, UPLOAD, Limits
from hiermeasures.formats.annotations import Annotations, read_annotations, read_weights
from hiermeasures.formats.one_table import first_rows
from hiermeasures.formats.ontology import Ontology, read_ontology
from hiermeasures.measures import CATALOGUE, CORE
from hiermeasures.measures.own import is_definition
from hiermeasures.measures.sets import SpecificClasses

Made = TypeVar("Made")
DEFAULT_MEASURES = tuple(k for k in CATALOGUE if k in CORE)
ALWAYS = ("precision", "recall", "f1", "hP", "hR", "hF")  # for results per class; cheap beside the rest
ON_DISK = Limits(bytes=500_000_000, lines=20_000_000)
CHUNK = 256  # small, so that progress moves and Stop is heard
READING = {
    "hierarchy": "Reading the hierarchy",
    "ontology": "Reading the ontology",
    "true": "Reading the true labels",
    "table": "Reading the table",
    "systems": "Reading the systems' files",
    "information": "Weighing the terms",
}


# --- files ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class File:
    """A file to read: uploaded bytes, or a path on this computer. `format` None is recognised."""

    name: str
    source: bytes | Path
    format: str | None = None

    def checked(self, alias: str = "") -> InputFile:
        """Return the file with its limits. A path must be a regular file of bounded size."""
        if isinstance(self.source, bytes):
            return InputFile(self.name, self.source, self.format, UPLOAD, alias)
        try:
            path = self.source.expanduser()
            status = path.stat()
        except RuntimeError:
            raise InputError(f"{shown(str(self.source))}: the folder of this person cannot be found") from None
        except (OSError, ValueError) as error:
            raise InputError(f"{shown(str(self.source))}: {getattr(error, 'strerror', None) or error}") from None
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{shown(str(self.source))} is not a regular file")
        return InputFile(self.name, path, self.format, ON_DISK, alias)


def unique_names(files: Iterable[File]) -> dict[str, File]:
    """Return the files by system: the file's name without its ending, numbered where two are the
    same.

    >>> list(unique_names([File("a/x.txt", b""), File("x.csv", b""), File("y", b"")]))
    ['x', 'x (2)', 'y']
    """
    named: dict[str, File] = {}
    for file in files:
        stem = Path(file.name.replace("\x00", "")).stem or "system"
        name, number = stem, 2
        while name in named:
            name, number = f"{stem} ({number})", number + 1
        named[name] = file
    return named


@contextmanager
def reading(progress: Progress, systems: int) -> Iterator[Callable[[str, int], None]]:
    """Give a function that is told which field is read next; errors become its FieldErrors."""
    at = ""

    def stage(field: str, number: int = 0) -> None:
        nonlocal at
        at = field
        progress(READING[field], number, systems if field == "systems" else 0)

    try:
        yield stage
    except InputError as error:
        raise FieldError(at, str(error)) from None
    except OSError as error:
        raise FieldError(at, f"cannot be read ({error.strerror or error})") from None


def once(make: Callable[[Progress], Made]) -> Callable[[Progress], Made]:
    """Keep the result of the first call for all sessions."""
    made: list[Made] = []

    @wraps(make)
    def kept(progress: Progress) -> Made:
        if not made:
            made.append(make(progress))
        return made[0]

    return kept


# --- evaluations ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """Files of an evaluation, its measures, and what is done with what does not fit."""

    hierarchy: File
    true: File
    systems: tuple[File, ...]
    measures: tuple[str, ...] = DEFAULT_MEASURES
    task: str | None = None
    unknown: Literal["drop", "fail"] = "drop"
    missing: Literal["empty", "fail"] = "empty"
    errors: Errors = "raise"
    options: Options = field(default_factory=Options.make)


@dataclass(frozen=True)
class TableRequest:
    """One table with both sides: its columns, and how its labels are read."""

    table: File
    true: str
    predicted: tuple[str, ...]
    unknown: Policy = "wrong"
    paths: str | None = None
    measures: tuple[str, ...] = DEFAULT_MEASURES
    options: Options = field(default_factory=Options.make)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Reports of all systems over the same instances, the measures to show, and notes on the files
    by field; `remarks` are the notes on what the numbers leave out or add. `request` has the label
    files that it is of, if it is of such.
    """

    title: str
    hierarchy: Hierarchy
    reports: Mapping[str, Report]
    measures: tuple[str, ...]
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    request: Request | None = None

    @property
    def instances(self) -> int:
        return len(next(iter(self.reports.values())))

    @property
    def options(self) -> Options:
        return next(iter(self.reports.values())).options

    @property
    def counted(self) -> bool:
        """True if the counts for results per class are there."""
        return all(report.known_class_counts is not None for report in self.reports.values())


@dataclass(frozen=True)
class Ranked:
    """Settings of a comparison of systems."""

    test: str = "sign"
    alpha: float = 0.05
    holm: bool = True
    average: Literal["samples", "micro", "macro"] = "samples"


def compared(evaluation: Evaluation, how: Ranked, progress: Progress) -> Comparison:
    """Return a comparison of the systems by the measures that have the chosen average."""
    progress("Comparing", 0, 0)
    reports = {name: replace(report, average=how.average) for name, report in evaluation.reports.items()}
    keys = [k for k in evaluation.measures if any(report[k] == report[k] for report in reports.values())]
    if not keys:
        raise InputError(f"None of the chosen measures has an average over {how.average}.")
    return compare_reports(
        reports,
        measures=keys,
        test=how.test,
        alpha=how.alpha,
        correction="holm" if how.holm else None,
        progress=lambda done, total: progress("Comparing the systems; measures", done, total),
    )


def counted(evaluation: Evaluation, progress: Progress) -> Evaluation:
    """Return an evaluation with the counts for results per class."""
    progress("Counting by class", 0, 0)
    reports = {name: replace(r, known_class_counts=r.class_counts) for name, r in evaluation.reports.items()}
    return replace(evaluation, reports=reports)


@once
def evaluated_example(progress: Progress) -> Evaluation:
    """Return an evaluation of the built-in example."""
    progress("Evaluating the built-in example", 0, 0)
    hierarchy, ids, true, predictions = example()
    request = Asked.of(in_order({*DEFAULT_MEASURES, *ALWAYS}), None, "samples", Options.make())
    expected, kept = encode(hierarchy, true), kept_rows()
    reports = {
        name: report_of(hierarchy, request, (expected, encode(hierarchy, labels)), Workers(), ids, kept[name])
        for name, labels in predictions.items()
    }
    return Evaluation(TITLE, hierarchy, reports, DEFAULT_MEASURES)


def evaluate_files(request: Request, progress: Progress) -> Evaluation:
    """Read all files, match them, and evaluate. Raises FieldError for what cannot be used."""
    with reading(progress, len(request.systems)) as stage:
        stage("hierarchy", 0)
        hierarchy = replace(request.hierarchy.checked(), errors=request.errors)
        stage("true", 0)
        true = request.true.checked()
        stage("systems", 0)
        files = checked_systems(request)
        systems = read_systems(
            hierarchy, true, files, task=request.task, unknown=request.unknown, missing=request.missing, stage=stage
        )
    truth = systems.truth
    assert truth is not None
    ids = truth.ids or [f"line {k}" for k in range(1, len(truth) + 1)]
    systems = replace(systems, ids=dict.fromkeys(files, ids))
    reports = _reports(systems, request.measures, request.options, progress)
    title = request.true.name + (f", task {request.task}" if request.task and LABEL_FORMATS[truth.format].tasks else "")
    remarks = tuple(f"{note.file}{': ' * bool(note.file)}{note.text}." for note in systems.notes if note.matters)
    notes = _notes_by_field(systems.notes)
    return Evaluation(
        title, systems.hierarchy, reports, request.measures, notes=notes, remarks=remarks, request=request
    )


def checked_systems(request: Request) -> dict[str, InputFile]:
    """Return the files by system, with limits; notes name a system where two names are equal."""
    names = [file.name for file in request.systems]
    return {
        name: file.checked(name if names.count(file.name) > 1 else "")
        for name, file in unique_names(request.systems).items()
    }


def evaluate_table(request: TableRequest, progress: Progress) -> Evaluation:
    """Read one table and evaluate its systems. Raises FieldError for what cannot be used."""
    with reading(progress, 0) as stage:
        stage("table", 0)
        rules = Rules.of(request.unknown, paths=request.paths, first=1, options=request.options)
        systems = read_one_table(request.table.checked(), request.true, request.predicted, rules)
    counted = range(1, len(systems.true) + 1)
    ids = [f"row {k}" for k in counted]
    counted_once = replace(systems, ids=dict.fromkeys(systems.predicted, ids), answers={})  # told above the table
    reports = _reports(counted_once, request.measures, request.options, progress)
    of_answers = [f"{name}: {note}." for name, fits in systems.answers.items() for note in fits.notes(counted)]
    remarks = (*(f"{note.file}: {note.text}." for note in systems.notes if note.matters), *of_answers)
    notes = {"table": tuple(f"{note.text[:1].upper()}{note.text[1:]}." for note in systems.notes)}
    return Evaluation(
        request.table.name, systems.hierarchy, reports, measures=request.measures, notes=notes, remarks=remarks
    )


def first_rows_of(file: File) -> dict[str, list[str]]:
    """Return the first rows of a table, for a person to look at. Raises FieldError."""
    with reading(lambda *_: None, 0) as stage:
        stage("table", 0)
        checked = file.checked()
        return checked.read(first_rows)


def understood(labels: Sequence[str], paths: str | None) -> str:
    """Return in one line how labels are read, or why they cannot be."""
    try:
        return Hierarchy.from_labels(labels, Notation(paths) if paths else None).notes[0]
    except InputError as error:
        return str(error)


def label_columns(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the columns that look like labels: paths or codes, which repeat."""
    found = []
    for name, values in columns.items():
        with suppress(InputError):
            if notation_of(values) is not None:
                found.append(name)
    return found or list(columns)


def _notes_by_field(notes: Iterable[Note]) -> dict[str, tuple[str, ...]]:
    """The notes as sentences; beside the systems' field each says whose it is."""
    found: dict[str, tuple[str, ...]] = {"hierarchy": (), "true": (), "systems": ()}
    for note in notes:
        whose = f"{note.file}: " if note.file and note.role == "systems" else ""
        found[note.role] += (f"{whose}{note.text}.",)
    return found


def measured(evaluation: Evaluation, measures: Sequence[str], options: Options, progress: Progress) -> Evaluation:
    """Return an evaluation of the same labels by other measures, or with other options."""
    instances = {name: report.kept for name, report in evaluation.reports.items()}
    systems = Systems(
        evaluation.hierarchy,
        next(iter(instances.values())).true,
        {name: of.predicted for name, of in instances.items()},
        ids={name: of.ids for name, of in instances.items()},
    )
    reports = _reports(systems, measures, options, progress)
    return replace(evaluation, reports=reports, measures=tuple(measures))


def _reports(systems: Systems, measures: Iterable[str], options: Options, progress: Progress) -> dict[str, Report]:
    """A report for each system, also over the measures that results per class need."""
    instances, count = len(systems.true), len(systems.predicted)

    def watch(number: int, name: str) -> AbstractContextManager[Callable[[int, int], None]]:
        doing, before = f"Evaluating system {number + 1} of {count}; instances", number * instances
        progress(doing, before, count * instances)
        return nullcontext(lambda done, _: progress(doing, before + done, count * instances))

    return systems.reports(
        watch,
        measures=in_order({*measures, *ALWAYS}),
        options=options,
        chunk=CHUNK,
        announce=lambda text: progress(_waiting(text, count * instances), 0, 0),
    )


def in_order(measures: Collection[str]) -> tuple[str, ...]:
    """Return own measures first, and then the others in the catalogue's order."""
    return (*sorted(filter(is_definition, measures)), *(key for key in CATALOGUE if key in measures))


def _waiting(text: str, labelled: int) -> str:
    """An announcement, and how many pairs of an instance and a system wait for it.

    >>> _waiting("compiling …", 4157)
    'Compiling; 4,157 instances wait for it'
    """
    wait = "instance waits" if labelled == 1 else "instances wait"
    return f"{text[:1].upper()}{text[1:].rstrip(' ….')}; {labelled:,} {wait} for it"


# --- scored terms -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Protocol:
    """Settings of the protocol."""

    normalisation: Normalisation = "cafa"
    propagation: Propagation = "max"
    orphans: bool = True


@dataclass(frozen=True)
class ScoredRequest:
    """Files of an evaluation. Without `information` it is counted over the truth."""

    ontology: File
    true: File
    systems: tuple[File, ...]
    information: File | None = None
    protocol: Protocol = Protocol()


@dataclass(frozen=True, eq=False)
class ScoredFiles:
    """Files as read; `weights` are those of `weights_from`."""

    title: str
    ontology: Ontology
    true: Annotations
    systems: Mapping[str, Annotations]
    weights: Mapping[str, float]
    weights_from: str


@dataclass(frozen=True, eq=False)
class ScoredEvaluation:
    """The report on some files."""

    files: ScoredFiles
    protocol: Protocol
    report: CafaReport

    @cached_property
    def best_values(self) -> pd.DataFrame:
        """Best values of the report, by system and namespace."""
        return self.report.best().set_index(["filename", "ns"])

    def best(self, system: str, namespace: str, value: str) -> float:
        """Return the threshold that reaches a best value."""
        return float(self.best_values.at[(system, namespace), f"{value}_tau"])

    def curve(self, system: str, namespace: str) -> pd.DataFrame:
        """Return the rows of a system and a namespace, in the order of the thresholds."""
        table = self.report.table
        return table[(table["filename"] == system) & (table["ns"] == namespace)]

    @property
    def namespaces(self) -> list[str]:
        """Namespaces in which something was evaluated."""
        return list(dict.fromkeys(self.report.table["ns"]))

    def systems(self, namespace: str) -> list[str]:
        """Return the systems that predict something in a namespace."""
        table = self.report.table
        return list(dict.fromkeys(table["filename"][table["ns"] == namespace]))


@dataclass(frozen=True)
class Point:
    """A point of a curve: a system in a namespace at a threshold, its terms weighted or not."""

    system: str
    namespace: str
    tau: float
    weighted: bool


@dataclass(frozen=True, eq=False)
class TargetsAt:
    """The targets behind a point of an evaluation, those with the largest error first."""

    evaluation: ScoredEvaluation
    point: Point
    table: pd.DataFrame

    @property
    def scored(self) -> ScoredTargets:
        return self.evaluation.report.scored[self.point.system, self.point.namespace]

    def terms(self, number: int) -> tuple[frozenset[str], frozenset[str]]:
        """Return the true and the predicted terms of a target; ancestors of others are left out."""
        h = self.scored.space.hierarchy
        sides = self.scored.terms(number, self.point.tau)
        true, predicted = (frozenset(SpecificClasses.of(h, side).classes) for side in sides)
        return true, predicted

    def shown(self, number: int, title: str) -> Shown:
        """Return the target as an instance for the Explorer."""
        true, predicted = self.terms(number)
        h = self.scored.hierarchy
        chosen: dict[str, object] = {"class_weights": "given"} if self.point.weighted else {}
        if not self.evaluation.protocol.orphans and not h.virtual_root:
            chosen["count_root"] = False
        return Shown.make(h, true, predicted, title=title, options=Options.make(chosen)).named()


def evaluate_scored_files(request: ScoredRequest, progress: Progress) -> ScoredEvaluation:
    """Read all files and evaluate them. Raises FieldError for a file that cannot be used."""
    with reading(progress, len(request.systems)) as stage:
        stage("ontology", 0)
        ontology = request.ontology.checked().read(read_ontology)
        stage("true", 0)
        true = request.true.checked().read(read_annotations, scored=False)
        systems = {}
        for number, (name, file) in enumerate(unique_names(request.systems).items()):
            stage("systems", number)
            systems[name] = replace(file.checked().read(read_annotations, scored=True), name=name)
        stage("information", 0)
        given = request.information
        weights = counted_information(ontology, true) if given is None else given.checked().read(read_weights)
    files = ScoredFiles(
        title=request.true.name,
        ontology=ontology,
        true=true,
        systems=systems,
        weights=weights,
        weights_from=given.name if given else "",
    )
    return evaluate_by(request.protocol, files, progress)


def evaluate_by(protocol: Protocol, files: ScoredFiles, progress: Progress) -> ScoredEvaluation:
    """Return an evaluation of the same files by a protocol."""
    doing, count = "", len(files.systems)

    def in_turn() -> Iterator[Annotations]:
        nonlocal doing
        for number, annotations in enumerate(files.systems.values(), 1):
            doing = f"Evaluating system {number} of {count}; targets"
            progress(doing, 0, 0)
            yield annotations

    report = cafa_evaluate(
        files.ontology,
        files.true,
        in_turn(),
        information=files.weights,
        normalisation=protocol.normalisation,
        propagation=protocol.propagation,
        orphans=protocol.orphans,
        keep=True,
        progress=lambda done, total: progress(doing, done, total),
        announce=lambda text: progress(text[:1].upper() + text[1:].rstrip(" …."), 0, 0),
    )
    return ScoredEvaluation(files, protocol, report)


@once
def evaluated_scored_example(progress: Progress) -> ScoredEvaluation:
    """Return an evaluation of the built-in example."""
    ontology, true, *systems = (File(name.rpartition("/")[2], text.encode()) for name, text in example_files().items())
    read = evaluate_scored_files(ScoredRequest(ontology, true, tuple(systems)), progress)
    return replace(read, files=replace(read.files, title=TITLE))


def targets_at(evaluation: ScoredEvaluation, point: Point, progress: Progress) -> TargetsAt:
    """Return the targets behind a point of a curve."""
    scored = evaluation.report.scored[point.system, point.namespace]
    table = scored.at(
        point.tau, weighted=point.weighted, progress=lambda done, total: progress("Looking at the targets", done, total)
    )
    return TargetsAt(evaluation, point, table)
