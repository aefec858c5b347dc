"""Conventions behind printed numbers for the Systems page. They are looked for in a job, without
Streamlit.

The search is hiermeasures.forensics'; here the labels are read once more as they stand in the
files, for conventions differ on those that an evaluation leaves out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hiermeasures.app.job import Progress
from hiermeasures.app.systems.data import Evaluation, Request, checked_systems
from hiermeasures.core.errors import InputError
from hiermeasures.forensics.grid import Convention
from hiermeasures.forensics.search import Finding, Forensics, forensics, values_of
from hiermeasures.formats import align
from hiermeasures.formats.label_rows import LabelRows

MOST = 20  # values that are listed; the files have all
SAMPLE = "F|average:micro|root:tops_out"  # the convention of the number to try
Rows = tuple[Sequence[Any], Mapping[str, Sequence[Any]], Mapping[str, Sequence[int]]]  # and what is missing


@dataclass(frozen=True, eq=False)
class Answer:
    """The result of a search for the numbers of some systems.

    `listed` are the findings to show, of those of one value the nearest to the usual convention and
    the others; `telling` are the values of the first of each over the telling instance alone,
    `usual` those of `ours`, the usual convention, by system; `asked` is the question: numbers,
    quantity and treatment of missing predictions.
    """

    asked: tuple[Mapping[str, str], str, str]
    found: Forensics
    listed: tuple[tuple[Finding, ...], ...]
    telling: tuple[float, ...]
    ours: Convention
    usual: Mapping[str, float]


def answered(
    evaluation: Evaluation, printed: Mapping[str, str], of: str, progress: Progress, missing: str = "bounds"
) -> Answer:
    """Return the conventions of one quantity, "" for any, that give the numbers of these systems.
    Missing predictions have "bounds", or are "empty".
    """
    true, predicted, lost = _rows(evaluation, printed, progress)
    found = forensics(
        evaluation.hierarchy,
        true,
        predicted,
        printed,
        of=of or None,
        progress=lambda done, total: progress("Trying conventions; steps", done, total),
        missing=lost if missing == "bounds" else {},
    )
    listed = found.groups[:MOST]
    firsts = [group[0].convention for group in listed]
    telling: list[float] = []
    if found.telling is not None:
        place = slice(found.telling, found.telling + 1)
        telling = values_of(evaluation.hierarchy, true[place], next(iter(predicted.values()))[place], firsts)
    ours = Convention.of(of or (firsts[0].measure if firsts else "F"))
    usual = {name: values_of(evaluation.hierarchy, true, rows, [ours])[0] for name, rows in predicted.items()}
    return Answer((printed, of, missing), found, listed, tuple(telling), ours, usual)


def sample(evaluation: Evaluation) -> tuple[str, str]:
    """Return a number that an unusual convention gives to the first system, and what it is called."""
    report = next(iter(evaluation.reports.values()))
    true, predicted = (_named(evaluation, side) for side in (report.kept.true, report.kept.predicted))
    convention = Convention.parse(SAMPLE)
    (value,) = values_of(evaluation.hierarchy, true, predicted, [convention])
    return f"{value:.3f}", convention.measure


def some_missing(evaluation: Evaluation) -> bool:
    """True where a file may lack the predictions of some instances: they were evaluated as empty."""
    kept = (report.kept.predicted.ptr for report in evaluation.reports.values())
    return evaluation.request is not None and any((ptr[1:] == ptr[:-1]).any() for ptr in kept)


def _rows(evaluation: Evaluation, systems: Mapping[str, str], progress: Progress) -> Rows:
    """The labels of the truth and of some systems: of files as they stand there, else as they were
    evaluated.
    """
    if evaluation.request is not None:
        rows = _read(evaluation.request, systems, progress)
        if len(rows[0]) != evaluation.instances:
            raise InputError("The files were changed after they were evaluated; evaluate them again.")
        return rows
    kept = {name: evaluation.reports[name].kept for name in systems}
    true = next(iter(kept.values())).true
    return _named(evaluation, true), {name: _named(evaluation, of.predicted) for name, of in kept.items()}, {}


def _named(evaluation: Evaluation, labels: Any) -> LabelRows:
    return LabelRows(evaluation.hierarchy.nodes, labels.ptr, labels.idx)


def _read(request: Request, systems: Mapping[str, str], progress: Progress) -> Rows:
    progress("Reading the labels", 0, 0)
    truth = request.true.checked().labels(request.task)
    files = checked_systems(request)
    predicted, missing = {}, {}
    for name in systems:
        progress("Reading the labels", 0, 0)
        aligned = align(truth, files[name].labels(request.task))
        predicted[name], missing[name] = aligned.predicted, aligned.missing_places
    return truth.labels, predicted, missing
