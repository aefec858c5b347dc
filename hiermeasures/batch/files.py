"""From files to reports: a hierarchy, true labels and the predictions of several systems, read, matched and evaluated.

The Systems page and the command line both read here. How a file is laid out is hiermeasures.io's work; what is shown of
the reports, and where a fault is shown, is decided by who asks.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from hiermeasures.batch.encode import EncodedLabels, UnknownPolicy, encode, unknown_in_words
from hiermeasures.batch.engine import evaluate
from hiermeasures.batch.partials import PartialReport, partial
from hiermeasures.batch.results import Report
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io import LabelFile, Limits, align, hierarchy_of_task, read_hierarchy, read_labels
from hiermeasures.io.apart import apart
from hiermeasures.io.labels.alignment import Missing

P = ParamSpec("P")
T = TypeVar("T")
Role = Literal["hierarchy", "true", "systems"]
Watch = Callable[[int, str], AbstractContextManager[Callable[[int, int], None] | None]]


@dataclass(frozen=True)
class InputFile:
    """A file to read: a path, or the bytes of an upload, which are read apart. `format` None is recognised, `limits`
    None are the reader's own. `alias` is what notes call it, where its name does not tell it from others.
    """

    name: str
    source: Path | bytes
    format: str | None = None
    limits: Limits | None = None
    alias: str = ""

    def read(self, read: Callable[..., T], **settings: Any) -> T:
        """What a reader that takes `name` and `limits` finds in the file."""
        return self._by(read)(self.source, name=self.name, limits=self.limits, **settings)

    def hierarchy(self) -> Hierarchy:
        """The hierarchy in the file."""
        return self._by(read_hierarchy)(self.source, self.format, self.name, self.limits)

    def labels(self, task: str | None) -> LabelFile:
        """The label sets in the file."""
        file = self._by(read_labels)(self.source, self.format, task, name=self.name, limits=self.limits)
        return replace(file, name=self.alias or self.name)

    def _by(self, read: Callable[P, T]) -> Callable[P, T]:
        def in_another_process(*arguments: P.args, **settings: P.kwargs) -> T:
            return apart(read, *arguments, **settings)

        return in_another_process if isinstance(self.source, bytes) else read


@dataclass(frozen=True)
class Note:
    """A sentence about a file, without its full stop. `file` is empty where the sentence names the file itself."""

    role: Role
    file: str
    text: str


@dataclass(frozen=True, eq=False)
class Systems:
    """True classes and what several systems predicted for the same instances. `ids` of a system is None where neither
    its file nor the truth has any; `truth` is the file of the true labels, if there was one.
    """

    hierarchy: Hierarchy
    true: EncodedLabels
    predicted: Mapping[str, EncodedLabels]
    ids: Mapping[str, Sequence[str] | None]
    truth: LabelFile | None = None
    notes: tuple[Note, ...] = ()

    def reports(self, watch: Watch | None = None, **arguments: Any) -> dict[str, Report]:
        """A report for each system.

        `watch` is called with a system's number, from 0, and name, and gives a context in which it is evaluated: what
        `evaluate` takes for `progress`. The other arguments are those of `evaluate`.
        """
        reports = {}
        for number, (name, predicted) in enumerate(self.predicted.items()):
            with watch(number, name) if watch else nullcontext() as progress:
                reports[name] = evaluate(
                    self.hierarchy, self.true, predicted, ids=self.ids[name], progress=progress, **arguments
                )
        return reports

    def partials(self, **arguments: Any) -> dict[str, PartialReport]:
        """A partial result for each system; the arguments are those of `partial`."""
        return {name: partial(self.hierarchy, self.true, each, **arguments) for name, each in self.predicted.items()}


def read_systems(
    hierarchy: InputFile,
    true: InputFile,
    systems: Mapping[str, InputFile],
    *,
    task: str | None = None,
    unknown: UnknownPolicy = "fail",
    missing: Missing = "empty",
    stage: Callable[[Role, int], None] = lambda role, number: None,
) -> Systems:
    """Read all files and match them.

    Parameters
    ----------
    hierarchy, true : InputFile
    systems : mapping of str to InputFile
        The predictions, by the name of the system.
    task : str, optional
        The sub-task of GermEval files; its task a is scored in the topmost classes only.
    unknown : "fail" or "drop"
        Labels that are no classes.
    missing : "empty" or "fail"
        Instances without a prediction.
    stage : callable, optional
        Called with what is read next: its role, and which of the systems it is, from 0.

    Raises
    ------
    InputError
        For the first file that cannot be used; it was the one last given to `stage`.
    """
    stage("hierarchy", 0)
    h = hierarchy.hierarchy()
    notes = [Note("hierarchy", hierarchy.name, note) for note in h.notes]
    stage("true", 0)
    truth = true.labels(task)
    h = hierarchy_of_task(h, truth, task)
    expected = encode(h, truth.labels, unknown=unknown, name=truth.name, called=truth.called)
    notes += [Note("true", truth.name, note) for note in (*truth.notes, *unknown_in_words(expected.unknown))]
    predicted: dict[str, EncodedLabels] = {}
    ids: dict[str, Sequence[str] | None] = {}
    for number, (name, file) in enumerate(systems.items()):
        stage("systems", number)
        labels = file.labels(task)
        aligned = align(truth, labels, missing)
        encoded = encode(h, aligned.predicted, unknown=unknown, name=labels.name, called=truth.called)
        predicted[name], ids[name] = encoded, aligned.ids
        notes += [Note("systems", labels.name, note) for note in (*labels.notes, *unknown_in_words(encoded.unknown))]
        notes += [Note("systems", "", note) for note in aligned.notes]
    return Systems(h, expected, predicted, ids, truth, tuple(notes))
