"""Read and match the files of a hierarchy, true labels and several systems, and evaluate them.

The page Compare and the command line both use this module. hiermeasures.read has the file formats.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial as with_first
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from hiermeasures.evaluation.answers import Fitted, Policy, Rules, fit
from hiermeasures.evaluation.encode import EncodedLabels, UnknownPolicy, encode
from hiermeasures.evaluation.engine import evaluate
from hiermeasures.evaluation.partials import PartialReport, partial
from hiermeasures.evaluation.results import Report
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.matching import MismatchError
from hiermeasures.hierarchy.words import write_count, write_list
from hiermeasures.read import (
    LabelFile,
    Limits,
    align,
    hierarchy_of_task,
    read_hierarchy,
    read_labels,
)
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.read.labels.alignment import Aligned, Missing
from hiermeasures.read.one_table import read_table
from hiermeasures.read.sandbox import sandboxed

T = TypeVar("T")
NO_LABELS = EncodedLabels(np.zeros(1, np.int64), np.zeros(0, np.int32))
Role = Literal["hierarchy", "true", "systems"]
Watch = Callable[[int, str], AbstractContextManager[Callable[[int, int], None] | None]]


@dataclass(frozen=True)
class InputFile:
    """A file to read: a path, or the bytes of an upload. The sandbox reads uploads.

    If `format` is None, the reader recognises it. If `limits` is None, the reader uses its own.
    `alias` is the file's name in notes, if its own name is ambiguous. `options` are those of
    `read_hierarchy`.
    """

    name: str
    source: Path | bytes
    format: str | None = None
    limits: Limits | None = None
    alias: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def read(self, read: Callable[..., T], **settings: Any) -> T:
        """Call a reader that takes `name` and `limits`."""
        return self._by(read)(self.source, name=self.name, limits=self.limits, **settings)

    def hierarchy(self) -> Hierarchy:
        """Return the hierarchy in the file."""
        return self._by(read_hierarchy)(
            self.source, self.format, self.name, self.limits, **self.options
        )

    def labels(self, task: str | None, h: Hierarchy) -> LabelFile:
        """Read the label sets in the file.

        The classes of `h` help to recognise a header, and several labels in one cell.
        """
        classes: Container[str] = h
        if isinstance(self.source, bytes):  # the sandbox gets a copy
            classes = frozenset((*h.nodes, *h.other_names))
        file = self._by(read_labels)(
            self.source,
            self.format,
            task,
            name=self.name,
            limits=self.limits,
            known_classes=classes,
        )
        return replace(file, name=self.alias or self.name)

    def _by(self, read: Callable[..., T]) -> Callable[..., T]:
        return with_first(sandboxed, read) if isinstance(self.source, bytes) else read


@dataclass(frozen=True)
class Note:
    """A sentence about a file, or about a file that the sentence names if `file` is empty.

    `matters` is true if something was left out.
    """

    role: Role
    file: str
    text: str
    matters: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Systems(Fitted):
    """True classes and the predictions of several systems for the same instances.

    `ids` are numbers from 1 if no file has ids. `unknown` is the policy for labels that are not
    classes. `truth` is the file of the true labels, or None. For systems with scores, `decisions`
    are the rules that turned scores into labels.
    """

    ids: Mapping[str, Sequence[Any]]
    unknown: Policy = "error"
    truth: LabelFile | None = None
    notes: tuple[Note, ...] = ()
    decisions: Mapping[str, str] = field(default_factory=dict)

    def reports(self, watch: Watch | None = None, **arguments: Any) -> dict[str, Report]:
        """Return a report for each system.

        `watch` is called with a system's number, from 0, and its name. It returns a context for the
        evaluation: the argument `progress` of `evaluate`. The other arguments are those of
        `evaluate`.
        """
        reports = {}
        for number, (name, predicted) in enumerate(self.predicted.items()):
            with watch(number, name) if watch else nullcontext() as progress:
                report = evaluate(
                    self.hierarchy,
                    self.true,
                    predicted,
                    ids=self.ids[name],
                    progress=progress,
                    **arguments,
                )
                reports[name] = replace(
                    report,
                    answers=self.answers.get(name),
                    unknown=self.unknown,
                    scores=self.decisions.get(name, ""),
                )
        return reports

    def partials(self, **arguments: Any) -> dict[str, PartialReport]:
        """Return a partial result for each system. The arguments are those of `partial`."""
        found = {}
        for name, each in self.predicted.items():
            part = partial(self.hierarchy, self.true, each, **arguments)
            policy = self.answers[name].policy if name in self.answers else self.unknown
            found[name] = replace(part, sums=replace(part.sums, unknown=policy))
        return found


def read_systems(
    hierarchy: InputFile,
    true: InputFile,
    systems: Mapping[str, InputFile],
    *,
    rules: Rules,
    task: str | None = None,
    missing: Missing = "empty",
    stage: Callable[[Role, int], None] = lambda role, number: None,
) -> Systems:
    """Read all files and match them. `systems` are predictions by the name of the system.

    `rules` decide about labels that do not fit. An unknown true label is refused unless they drop
    it. `task` is the sub-task of GermEval files. Task a is scored in the topmost classes only.
    `stage` is called before each file with its role and the number of its system, from 0. An
    InputError is about the file of the last call.
    """
    h, truth, notes = read_truth(hierarchy, true, task, stage)
    policy: UnknownPolicy = "fail" if rules.unknown == "error" else "drop"
    fits, expected = not rules.if_needed, NO_LABELS
    if rules.if_needed:
        expected = encode(h, truth.labels, unknown=policy, name=truth.name, called=truth.called)
        if expected.lost.unknown and rules.unknown == "wrong":
            # raises its error here, before anything else is read
            _fit_named(truth.name, truth.labels, {}, rules, h)
            fits = True
        else:
            notes += [Note("true", truth.name, note, matters=True) for note in expected.lost.notes]
    notes += [Note("true", truth.name, note) for note in truth.notes]
    rows: dict[str, LabelRows] = {}
    predicted: dict[str, EncodedLabels] = {}
    ids: dict[str, Sequence[Any]] = {}
    for number, (name, file) in enumerate(systems.items()):
        stage("systems", number)
        labels, aligned = read_aligned(h, truth, file, task, missing)
        ids[name] = aligned.ids or range(1, len(aligned.predicted) + 1)
        notes += [Note("systems", labels.name, note) for note in labels.notes]
        if fits or rules.unknown == "wrong":
            rows[name] = aligned.predicted
        if not fits:
            how: Any = {"unknown": policy, "name": labels.name, "called": truth.called}
            predicted[name] = encode(h, aligned.predicted, **how)
            lost = predicted[name].lost.notes if rules.unknown == "drop" else ()
            notes += [Note("systems", labels.name, note, matters=True) for note in lost]
        notes += [Note("systems", "", note, matters=True) for note in aligned.notes]
    fits |= rules.unknown == "wrong" and any(each.lost.unknown for each in predicted.values())
    fitted = fit(truth.labels, rows, rules, h) if fits else Fitted(h, h, expected, predicted)
    return Systems(**vars(fitted), ids=ids, unknown=rules.unknown, truth=truth, notes=tuple(notes))


def _fit_named(
    name: str,
    true: LabelRows,
    predicted: Mapping[str, LabelRows],
    rules: Rules,
    h: Hierarchy | None,
) -> Fitted:
    """Return the labels as classes. An InputError names the file."""
    try:
        return fit(true, predicted, rules, h)
    except InputError as error:
        raise MismatchError(f"{name}: {error}", getattr(error, "repair", "")) from None


def read_truth(
    hierarchy: InputFile,
    true: InputFile,
    task: str | None,
    stage: Callable[[Role, int], None] = lambda role, number: None,
) -> tuple[Hierarchy, LabelFile, list[Note]]:
    """Read a hierarchy for the task, and the rows of true labels, with notes about both."""
    stage("hierarchy", 0)
    h = hierarchy.hierarchy()
    notes = notes_of(h, hierarchy.name)
    stage("true", 0)
    truth = true.labels(task, h)
    return hierarchy_of_task(h, truth, task), truth, notes


def read_aligned(
    h: Hierarchy, truth: LabelFile, file: InputFile, task: str | None, missing: Missing
) -> tuple[LabelFile, Aligned]:
    """Read a system's predictions without changes, and match them to the true labels."""
    labels = file.labels(task, h)
    return labels, align(truth, labels, missing)


def notes_of(h: Hierarchy, name: str) -> list[Note]:
    """Return notes about a hierarchy and its file, with everything that was left out."""
    left_out = [Note("hierarchy", name, f"left out: {entry}", matters=True) for entry in h.dropped]
    return [*(Note("hierarchy", name, note) for note in h.notes), *left_out]


def read_one_table(
    table: InputFile,
    true: str,
    predicted: Sequence[str],
    rules: Rules,
    *,
    separator: str | None = None,
    hierarchy: InputFile | None = None,
) -> Systems:
    """Read one file with a column of true labels and a column for each system.

    `separator` is between several labels in a cell. The classes are those of `hierarchy`, or else
    those of the true labels.
    """
    h = hierarchy.hierarchy() if hierarchy is not None else None
    labels = table.read(read_table, names=[true, *predicted], separator=separator)
    absent = np.flatnonzero(np.diff(labels[true].ptr) == 0)
    if len(absent) == len(labels[true]):
        raise InputError(
            f"{table.name}: the column {shown(true)} is empty. Name the column of true labels."
        )
    notes = []
    if len(absent):
        rows = [str(k + rules.first) for k in absent[:5].tolist()]
        which = write_list(rows, total=len(absent))
        sentence = f"no true class in {write_count(len(absent), 'row')} ({which})"
        notes.append(Note("true", table.name, sentence, matters=True))
    fitted = _fit_named(
        table.name, labels[true], {name: labels[name] for name in predicted}, rules, h
    )
    notes += notes_of(fitted.hierarchy, (hierarchy or table).name)
    ids = dict.fromkeys(predicted, range(rules.first, rules.first + len(fitted.true)))
    return Systems(**vars(fitted), ids=ids, unknown=rules.unknown, notes=tuple(notes))
