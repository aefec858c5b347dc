"""What the Systems page evaluates, and what it tells about the files. Runs in a job, without Streamlit.

Reading and evaluating is the work of hiermeasures.batch.files; here the page's limits are kept, each fault is tied to
the field that it belongs to, and progress is put into words.
"""

import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from hiermeasures.batch import Report, encode
from hiermeasures.batch.files import InputFile, Note, Systems, read_systems
from hiermeasures.compare import PAPER_COLUMNS, Comparison, compare_reports
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io import LABEL_FORMATS, UPLOAD, Limits
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import is_definition
from hiermeasures.options import Options
from hiermeasures.ui.job import FieldError, Progress
from hiermeasures.ui.systems.example import TITLE as EXAMPLE_TITLE
from hiermeasures.ui.systems.example import example

Field = Literal["hierarchy", "true", "systems"]

DEFAULT_MEASURES = tuple(k for k in CATALOGUE if k in {*PAPER_COLUMNS, "f1", "hP", "hR"})
# What results per class are read off; cheap beside the rest.
ALWAYS = ("precision", "recall", "f1", "hP", "hR", "hF")
ON_DISK = Limits(bytes=500_000_000, lines=20_000_000)
CHUNK = 256  # small, so that progress moves and Stop is heard


@dataclass(frozen=True)
class File:
    """A file to read: uploaded bytes, or a path on this computer. `format` None is recognised."""

    name: str
    source: bytes | Path
    format: str | None = None

    def checked(self, alias: str = "") -> InputFile:
        """What is read, with its limits. A path must be a regular file of bounded size."""
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


@dataclass(frozen=True)
class Request:
    """Everything that an evaluation is asked with."""

    hierarchy: File
    true: File
    systems: tuple[File, ...]
    measures: tuple[str, ...] = DEFAULT_MEASURES
    task: str | None = None
    unknown: Literal["drop", "fail"] = "drop"
    missing: Literal["empty", "fail"] = "empty"
    options: Options = field(default_factory=Options.make)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Reports of all systems over the same instances, the measures to show, and the notes on the files by field."""

    title: str
    hierarchy: Hierarchy
    reports: Mapping[str, Report]
    measures: tuple[str, ...]
    notes: Mapping[str, tuple[str, ...]]

    @property
    def instances(self) -> int:
        return len(next(iter(self.reports.values())))

    @property
    def options(self) -> Options:
        return next(iter(self.reports.values())).options

    @property
    def counted(self) -> bool:
        """Whether what results per class are read off is there."""
        return all(report.known_class_counts is not None for report in self.reports.values())


@dataclass(frozen=True)
class Ranked:
    """How systems are compared."""

    test: str = "sign"
    alpha: float = 0.05
    holm: bool = True
    average: Literal["samples", "micro", "macro"] = "samples"


def compared(evaluation: Evaluation, how: Ranked, progress: Progress) -> Comparison:
    """The systems of an evaluation held against each other. Measures that have no such average are left out."""
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
    """An evaluation with what results per class are read off."""
    progress("Counting by class", 0, 0)
    reports = {name: replace(r, known_class_counts=r.class_counts) for name, r in evaluation.reports.items()}
    return replace(evaluation, reports=reports)


# --- the built-in example -----------------------------------------------------------------------------------------


_example: list[Evaluation] = []


def evaluated_example(progress: Progress) -> Evaluation:
    """The built-in example; the same in every session, so it is evaluated once."""
    if not _example:
        progress("Evaluating the built-in example", 0, 0)
        _example.append(_evaluated_example(progress))
    return _example[0]


def _evaluated_example(progress: Progress) -> Evaluation:
    hierarchy, ids, true, predictions = example()
    predicted = {name: encode(hierarchy, labels) for name, labels in predictions.items()}
    systems = Systems(hierarchy, encode(hierarchy, true), predicted, dict.fromkeys(predicted, ids))
    reports = _reports(systems, DEFAULT_MEASURES, Options.make(), progress)
    return Evaluation(EXAMPLE_TITLE, hierarchy, reports, DEFAULT_MEASURES, {})


# --- files --------------------------------------------------------------------------------------------------------


READING = {
    "hierarchy": "Reading the hierarchy",
    "true": "Reading the true labels",
    "systems": "Reading the systems' files",
}


def evaluate_files(request: Request, progress: Progress) -> Evaluation:
    """Read all files, match them, and evaluate every system. Raises FieldError for what cannot be used."""
    at: Field = "hierarchy"

    def stage(field: Field, number: int) -> None:
        nonlocal at
        at = field
        progress(READING[field], number, len(request.systems) if field == "systems" else 0)

    try:
        hierarchy = request.hierarchy.checked()
        at = "true"
        true = request.true.checked()
        at = "systems"
        files = _named(request.systems)
        systems = read_systems(
            hierarchy, true, files, task=request.task, unknown=request.unknown, missing=request.missing, stage=stage
        )
    except InputError as error:
        raise FieldError(at, str(error)) from None
    except OSError as error:
        raise FieldError(at, f"cannot be read ({error.strerror or error})") from None
    truth = systems.truth
    assert truth is not None
    ids = truth.ids or [f"line {k}" for k in range(1, len(truth) + 1)]
    systems = replace(systems, ids=dict.fromkeys(files, ids))
    reports = _reports(systems, request.measures, request.options, progress)
    title = request.true.name + (f", task {request.task}" if request.task and LABEL_FORMATS[truth.format].tasks else "")
    return Evaluation(title, systems.hierarchy, reports, request.measures, _notes_by_field(systems.notes))


def _named(files: Sequence[File]) -> dict[str, InputFile]:
    """The files by the names of their systems, which notes use where two files have one name."""
    names = [file.name for file in files]
    return {name: f.checked(name if names.count(f.name) > 1 else "") for name, f in unique_names(files).items()}


def _notes_by_field(notes: Iterable[Note]) -> dict[str, tuple[str, ...]]:
    """The notes as sentences; beside the systems' field each says whose it is."""
    found: dict[str, tuple[str, ...]] = {"hierarchy": (), "true": (), "systems": ()}
    for note in notes:
        whose = f"{note.file}: " if note.file and note.role == "systems" else ""
        found[note.role] += (f"{whose}{note.text}.",)
    return found


def measured(evaluation: Evaluation, measures: Sequence[str], options: Options, progress: Progress) -> Evaluation:
    """The same labels by other measures, or with other options."""
    instances = {name: report.kept for name, report in evaluation.reports.items()}
    systems = Systems(
        evaluation.hierarchy,
        next(iter(instances.values())).true,
        {name: of.predicted for name, of in instances.items()},
        {name: of.ids for name, of in instances.items()},
    )
    reports = _reports(systems, measures, options, progress)
    return replace(evaluation, reports=reports, measures=tuple(measures))


def _reports(systems: Systems, measures: Iterable[str], options: Options, progress: Progress) -> dict[str, Report]:
    """A report for each system over the measures asked for and those that results per class need."""
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
    """Own measures first, and then in the catalogue's order."""
    return (*sorted(filter(is_definition, measures)), *(key for key in CATALOGUE if key in measures))


def _waiting(text: str, labelled: int) -> str:
    """What is announced, and how many pairs of an instance and a system wait for it.

    >>> _waiting("compiling …", 4157)
    'Compiling; 4,157 instances wait for it'
    """
    wait = "instance waits" if labelled == 1 else "instances wait"
    return f"{text[:1].upper()}{text[1:].rstrip(' ….')}; {labelled:,} {wait} for it"


def unique_names(files: Iterable[File]) -> dict[str, File]:
    """The files by the names of their systems: the file's name without its ending, numbered where two are the same.

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
