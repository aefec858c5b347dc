"""From files to reports: what the Systems page evaluates, and what it tells about the files. Runs in a job, without
Streamlit.

Reading is hiermeasures.io's work and evaluating hiermeasures.batch's; here they are called in turn, each fault is tied
to the field that it belongs to, and the page's limits are kept.
"""

import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from hiermeasures.batch import EncodedLabels, Report, encode, evaluate, unknown_in_words
from hiermeasures.compare import PAPER_COLUMNS, Comparison, compare_reports
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io import UPLOAD, LabelFile, Limits, align, hierarchy_of_task, read_hierarchy, read_labels
from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options
from hiermeasures.ui.systems.example import TITLE as EXAMPLE_TITLE
from hiermeasures.ui.systems.example import example

Field = Literal["hierarchy", "true", "systems"]
Progress = Callable[[str, int, int], None]

DEFAULT_MEASURES = tuple(k for k in CATALOGUE if k in {*PAPER_COLUMNS, "f1", "hP", "hR"})
# What results per class are read off; cheap beside the rest.
ALWAYS = ("precision", "recall", "f1", "hP", "hR", "hF")
ON_DISK = Limits(bytes=500_000_000, lines=20_000_000)
CHUNK = 256  # small, so that progress moves and Stop is heard


class FieldError(Exception):
    """A fault and the field beside which it is shown. The message is one plain line."""

    def __init__(self, field: Field, message: str) -> None:
        super().__init__(message)
        self.field: Field = field


@dataclass(frozen=True)
class File:
    """A file to read: uploaded bytes, or a path on this computer. `format` None is recognised."""

    name: str
    source: bytes | Path
    format: str | None = None

    def opened(self) -> tuple[bytes | Path, Limits]:
        """What a reader takes, with its limits. A path must be a regular file of bounded size."""
        if isinstance(self.source, bytes):
            return self.source, UPLOAD
        try:
            path = self.source.expanduser()
            status = path.stat()
        except RuntimeError:
            raise InputError(f"{shown(str(self.source))}: the folder of this person cannot be found") from None
        except (OSError, ValueError) as error:
            raise InputError(f"{shown(str(self.source))}: {getattr(error, 'strerror', None) or error}") from None
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{shown(str(self.source))} is not a regular file")
        return path, ON_DISK


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


# --- the built-in example -----------------------------------------------------------------------------------------


_example: list[Evaluation] = []


def evaluated_example(progress: Progress) -> Evaluation:
    """The built-in example; the same in every session, so it is evaluated once."""
    if not _example:
        progress("Evaluating the built-in example", 0, 0)
        _example.append(_evaluated_example(progress))
    return _example[0]


def _evaluated_example(progress: Progress) -> Evaluation:
    hierarchy, ids, true, systems = example()
    encoded = {name: encode(hierarchy, labels) for name, labels in systems.items()}
    reports = _reports(hierarchy, ids, encode(hierarchy, true), encoded, DEFAULT_MEASURES, Options.make(), progress)
    return Evaluation(EXAMPLE_TITLE, hierarchy, reports, DEFAULT_MEASURES, {})


# --- files --------------------------------------------------------------------------------------------------------


def evaluate_files(request: Request, progress: Progress) -> Evaluation:
    """Read all files, match them, and evaluate every system. Raises FieldError for what cannot be used."""
    notes: dict[str, tuple[str, ...]] = {}
    progress("Reading the hierarchy", 0, 0)
    with _at("hierarchy"):
        source, limits = request.hierarchy.opened()
        hierarchy = read_hierarchy(source, request.hierarchy.format, request.hierarchy.name, limits)
        notes["hierarchy"] = tuple(f"{note}." for note in hierarchy.notes)
    progress("Reading the true labels", 0, 0)
    with _at("true"):
        truth = _labels(request.true, request)
        hierarchy = hierarchy_of_task(hierarchy, truth, request.task)
        true = encode(hierarchy, truth.labels, unknown=request.unknown, name=request.true.name, called=truth.called)
        notes["true"] = _noted(truth.notes, true, "")
    ids = list(truth.ids) if truth.ids is not None else [f"line {k}" for k in range(1, len(truth) + 1)]
    systems: dict[str, EncodedLabels] = {}
    told: list[str] = []
    names = [file.name for file in request.systems]
    for number, (name, file) in enumerate(unique_names(request.systems).items()):
        called = file.name if names.count(file.name) == 1 else name
        progress("Reading the systems' files", number, len(request.systems))
        with _at("systems"):
            prediction = _labels(file, request)
            aligned = align(truth, replace(prediction, name=called), request.missing)
            systems[name] = encode(
                hierarchy, aligned.predicted, unknown=request.unknown, name=called, called=truth.called
            )
            told += [*(f"{called}: {note}." for note in prediction.notes), *(f"{note}." for note in aligned.notes)]
            told += _noted((), systems[name], f"{called}: ")
    notes["systems"] = tuple(told)
    reports = _reports(hierarchy, ids, true, systems, request.measures, request.options, progress)
    title = request.true.name + (f", task {request.task}" if truth.format == "germeval" and request.task else "")
    return Evaluation(title, hierarchy, reports, request.measures, notes)


def measured(evaluation: Evaluation, measures: Sequence[str], options: Options, progress: Progress) -> Evaluation:
    """The same labels by other measures, or with other options."""
    kept = {name: report.kept for name, report in evaluation.reports.items()}
    first = next(iter(kept.values()))
    predicted = {name: instances.predicted for name, instances in kept.items()}
    reports = _reports(evaluation.hierarchy, first.ids, first.true, predicted, measures, options, progress)
    return replace(evaluation, reports=reports, measures=tuple(measures))


@contextmanager
def _at(field: Field) -> Iterator[None]:
    """Faults inside belong to this field."""
    try:
        yield
    except InputError as error:
        raise FieldError(field, str(error)) from None
    except OSError as error:
        raise FieldError(field, f"cannot be read ({error.strerror or error})") from None


def _labels(file: File, request: Request) -> LabelFile:
    source, limits = file.opened()
    return read_labels(source, file.format, request.task, name=file.name, limits=limits)


def _noted(notes: Iterable[str], labels: EncodedLabels, prefix: str) -> tuple[str, ...]:
    return (*(f"{note}." for note in notes), *(f"{prefix}{sentence}." for sentence in unknown_in_words(labels.unknown)))


def _reports(
    hierarchy: Hierarchy,
    ids: Sequence[str],
    true: EncodedLabels,
    systems: Mapping[str, EncodedLabels],
    measures: Iterable[str],
    options: Options,
    progress: Progress,
) -> dict[str, Report]:
    keys = [k for k in CATALOGUE if k in {*measures, *ALWAYS}]
    reports: dict[str, Report] = {}
    total = len(ids) * len(systems)
    for number, (name, predicted) in enumerate(systems.items()):
        before, doing = number * len(ids), f"Evaluating system {number + 1} of {len(systems)}; instances"
        progress(doing, before, total)
        reports[name] = evaluate(
            hierarchy,
            true,
            predicted,
            measures=keys,
            options=options,
            ids=ids,
            chunk=CHUNK,
            announce=lambda text: progress(text.rstrip(" ….").capitalize(), 0, 0),
            # type: ignore[misc]
            progress=lambda done, _, before=before, doing=doing: progress(doing, before + done, total),
        )
    return reports


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
