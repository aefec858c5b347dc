"""Evaluations of label files and of one table for the page Compare, and its example.

Evaluations run in a job, without Streamlit. hiermeasures.evaluation.files reads and evaluates the
files. This module reports progress in words.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from hiermeasures.app.files import File, Given, checked_systems, reading
from hiermeasures.app.job import Progress
from hiermeasures.app.systems.filter_rules import Filter, ValueBetween, places_of
from hiermeasures.draw.text import sentence
from hiermeasures.evaluation import Report, encode
from hiermeasures.evaluation.answers import Policy, Rules, choose_notation
from hiermeasures.evaluation.batch import Request as BatchRequest
from hiermeasures.evaluation.batch import Workers, report_of
from hiermeasures.evaluation.compare import Comparison, compare_reports
from hiermeasures.evaluation.files import Systems, read_one_table, read_systems
from hiermeasures.evaluation.kernel_cache import warnings_to
from hiermeasures.evaluation.scores.probabilities import Kind
from hiermeasures.evaluation.scores.systems import Decision, ScoredSystem, read_scored_systems
from hiermeasures.hierarchy.edge_rows import Errors
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import Notation, notation_of
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import capitalize, write_count
from hiermeasures.measures import CATALOGUE, CORE
from hiermeasures.measures.own import is_definition
from hiermeasures.read import LABEL_FORMATS, UPLOAD
from hiermeasures.read.description import Description, describe_hierarchy, describe_labels
from hiermeasures.read.one_table import first_rows
from hiermeasures.read.sandbox import hierarchy_of_labels

TITLE = "Built-in example"
# 240 objects of a museum and four systems, each with its own kind of mistakes. Drawn once.
# `docs.make.example` writes the columns.
MUSEUM, MUSEUM_COLUMNS = (Path(__file__).with_name(name) for name in ("museum.json", "museum.npz"))
DEFAULT_MEASURES = tuple(k for k in CATALOGUE if k in CORE)
# for results per class; they cost little
ALWAYS = ("precision", "recall", "f1", "hP", "hR", "hF")
WHOLE = "the only one"
# Results that a view may need beside the values: where a report keeps them, and what takes so long.
Need = Literal["classes", "pairs"]
NEEDS: Mapping[Need, tuple[str, str]] = {
    "classes": ("class_counts", "Counting by class; systems"),
    "pairs": ("paired", "Pairing true and predicted labels; systems"),
}
CONFIDENCE = 0.95  # of the intervals
CHUNK = 256  # small, so that progress moves and Stop works


# --- labels ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matching:
    """Policies for unknown labels and missing instances in label files.

    If the systems are `scored`, `numbers` is the kind of their scores.
    """

    task: str = WHOLE
    unknown: Policy = "wrong"
    normalise: tuple[str, ...] = ()
    missing: Literal["empty", "fail"] = "empty"
    errors: Errors = "raise"
    scored: bool = False
    numbers: Kind = "nodes"

    @property
    def sub_task(self) -> str | None:
        return None if self.task == WHOLE else self.task


@dataclass(frozen=True)
class Columns:
    """Settings for reading one table. Empty settings are detected."""

    true: str = ""
    predicted: tuple[str, ...] = ()
    paths: str = ""
    unknown: Policy = "wrong"
    normalise: tuple[str, ...] = ()


@dataclass(frozen=True)
class ComparisonRequest:
    """Measures and options of an evaluation, and the settings of the comparison.

    `decision` turns scores into labels.
    """

    measures: tuple[str, ...] = DEFAULT_MEASURES
    options: Options = field(default_factory=Options.make)
    test: str | None = None
    alpha: float = 0.05
    holm: bool = True
    intervals: bool = True
    average: Literal["samples", "micro", "macro"] = "samples"
    decision: Decision = field(default_factory=Decision)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Reports of all systems, over a common set of instances, for the request `asked`.

    The comparison is None if there is a single system, or if no measure has the average. A single
    system has `intervals` of its values on request. Notes on the files are sorted by field.
    `remarks` list what the numbers leave out or add. `files` are the matched label files, if any.
    `read` describes how each field's files were read. `scored` are the systems with labels decided
    from scores.

    With `filters`, only the instances that satisfy them are included. They are at `places` of
    `whole`, the evaluation of all instances.
    """

    title: str
    systems: Systems
    reports: Mapping[str, Report]
    asked: ComparisonRequest
    comparison: Comparison | None = None
    intervals: pd.DataFrame | None = None
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    files: tuple[Given, Matching] | None = None
    read: Mapping[str, Description] = field(default_factory=dict)
    scored: Mapping[str, ScoredSystem] = field(default_factory=dict)
    filters: tuple[Filter, ...] = ()
    places: np.ndarray | None = None
    whole: "Evaluation | None" = None

    @property
    def hierarchy(self) -> Hierarchy:
        return self.systems.hierarchy

    @property
    def measures(self) -> tuple[str, ...]:
        return self.asked.measures

    @property
    def instances(self) -> int:
        return len(self.systems.true)

    def has(self, needs: Collection[Need]) -> bool:
        """Return True if every report has computed these results."""
        return all(NEEDS[need][0] in vars(r) for need in needs for r in self.reports.values())

    @property
    def size(self) -> int:
        """The approximate size of the labels and columns of all instances in bytes."""
        rows = [report.kept for report in (self.whole or self).reports.values()]
        columns = (column for each in rows for table in each.tables.values() for column in table)
        labels = (side.idx for each in rows for side in (each.true, each.predicted))
        scores = (each.table.values for each in (self.whole or self).scored.values())
        return sum(array.nbytes for array in (*columns, *labels, *scores))


def example() -> tuple[Hierarchy, list[str], list[frozenset[str]], dict[str, list[frozenset[str]]]]:
    """Return the hierarchy, the ids, the true classes, and every system's predicted classes."""
    content = json.loads(MUSEUM.read_text())
    true, *predicted = (
        [frozenset(labels) for labels in side]
        for side in zip(*content["instances"].values(), strict=True)
    )
    hierarchy = Hierarchy.from_nested(content["hierarchy"])
    return (
        hierarchy,
        list(content["instances"]),
        true,
        dict(zip(content["systems"], predicted, strict=True)),
    )


def kept_rows() -> dict[str, dict[str, np.ndarray]]:
    """Return the columns of the example's instances by system and table. They are stored because
    their computation takes seconds.
    """
    rows: dict[str, dict[str, np.ndarray]] = {}
    with np.load(MUSEUM_COLUMNS) as kept:
        for name in kept.files:
            system, _, table = name.partition("|")
            rows.setdefault(system, {})[table] = kept[name]
    return rows


@cache
def evaluated_example() -> Evaluation:
    """Return an evaluation of the built-in example. All sessions share it."""
    hierarchy, ids, true, predictions = example()
    request = BatchRequest.of(
        in_order({*DEFAULT_MEASURES, *ALWAYS}), None, "samples", Options.make()
    )
    predicted = {name: encode(hierarchy, labels) for name, labels in predictions.items()}
    systems = Systems(
        hierarchy, hierarchy, encode(hierarchy, true), predicted, ids=dict.fromkeys(predicted, ids)
    )
    kept = kept_rows()
    reports = {
        name: report_of(
            hierarchy,
            request,
            sides=(systems.true, labels),
            workers=Workers(),
            ids=ids,
            rows=kept[name],
        )
        for name, labels in predicted.items()
    }
    return compared(Evaluation(TITLE, systems, reports, ComparisonRequest()), lambda *_: None)


def evaluate_files(
    given: Given,
    matching: Matching,
    progress: Progress,
    asked: ComparisonRequest = ComparisonRequest(),
) -> Evaluation:
    """Read a hierarchy, true labels and systems, match them, and evaluate. FieldError names an
    unusable file.
    """
    systems, scored = _read_label_files(given, matching, progress, asked)
    truth = systems.truth
    assert truth is not None
    ids = truth.ids or [f"line {k + 1}" for k in range(len(truth))]
    title = given["true"][0].name
    if matching.sub_task and LABEL_FORMATS[truth.format].tasks:
        title += f", task {matching.task}"
    notes: dict[str, list[str]] = {}
    for note in systems.notes:  # the systems' field names the file of each note
        whose = f"{note.file}: " if note.file and note.role == "systems" else ""
        notes.setdefault(note.role, []).append(f"{whose}{note.text}.")
    read = _described(systems, given["hierarchy"][0].name)
    found = Evaluation(title, systems, {}, asked, notes=notes, read=read, scored=scored)
    # Printed numbers read label files again; decided labels are not in a file.
    files = None if scored else (given, matching)
    found = replace(_named(found, ids, ids), files=files)
    return compared(measured(found, progress), progress)


def _read_label_files(
    given: Given, matching: Matching, progress: Progress, asked: ComparisonRequest
) -> tuple[Systems, dict[str, ScoredSystem]]:
    with reading(progress, len(given["systems"])) as stage:
        stage("hierarchy", 0)
        hierarchy = given["hierarchy"][0].checked()
        hierarchy = replace(hierarchy, options={**hierarchy.options, "errors": matching.errors})
        stage("true", 0)
        true = given["true"][0].checked()
        stage("systems", 0)
        files = checked_systems(given)
        chosen = matching.normalise or matching.unknown in ("prefix", "nearest")
        rules = Rules.of(
            matching.unknown, normalise=matching.normalise, first=1, options=asked.options
        )
        how: Any = {
            "rules": replace(rules, if_needed=not chosen),
            "task": matching.sub_task,
            "missing": matching.missing,
            "stage": stage,
        }
        if matching.scored:
            how |= {"kind": matching.numbers, "decision": asked.decision}
            return read_scored_systems(hierarchy, true, files, **how)
        return read_systems(hierarchy, true, files, **how), {}


def _named(evaluation: Evaluation, ids: Sequence[str], places: Sequence[Any]) -> Evaluation:
    """Return an evaluation with the instances' ids, and with remarks on labels that the numbers
    leave out or add.

    The remarks name instances by their `places`.
    """
    systems = evaluation.systems
    remarks = [
        f"{note.file}{': ' * bool(note.file)}{note.text}." for note in systems.notes if note.matters
    ]
    for name, fits in systems.answers.items():
        remarks += [f"{name}: {note}." for note in fits.notes(places)]
    named = dict.fromkeys(systems.predicted, ids)
    # Labels of files and answers are not needed any more.
    systems = replace(systems, ids=named, truth=None, answers={})
    return replace(evaluation, systems=systems, remarks=remarks)


def evaluate_table(
    given: Given,
    columns: Columns,
    progress: Progress,
    asked: ComparisonRequest = ComparisonRequest(),
) -> Evaluation:
    """Read one table and evaluate its systems. FieldError names an unusable file."""
    table = given["table"][0]
    with reading(progress) as stage:
        stage("table", 0)
        rules = Rules.of(
            columns.unknown,
            notation=choose_notation(columns.paths or None),
            normalise=columns.normalise,
            first=1,
            options=asked.options,
        )
        if isinstance(table.source, bytes):  # an upload, which is untrusted
            rules = replace(rules, make=hierarchy_of_labels)
        systems = read_one_table(table.checked(), columns.true, columns.predicted, rules)
    places = range(1, len(systems.true) + 1)
    notes = {"table": [sentence(note.text) for note in systems.notes]}
    read = _described(systems, table.name)
    found = Evaluation(table.name, systems, {}, asked, notes=notes, read=read)
    found = _named(found, [f"row {place}" for place in places], places)
    return compared(measured(found, progress), progress)


def _described(systems: Systems, name: str) -> dict[str, Description]:
    """Describe the hierarchy and the true labels, or the hierarchy made from a table."""
    hierarchy = describe_hierarchy(systems.taxonomy, name)
    if systems.truth is None:
        return {"table": hierarchy}
    return {"hierarchy": hierarchy, "true": describe_labels(systems.truth, systems.taxonomy)}


def brought(
    evaluation: Evaluation,
    asked: ComparisonRequest,
    needs: Collection[Need],
    filters: tuple[Filter, ...],
    progress: Progress,
) -> Evaluation:
    """Evaluate known labels for a new request, with the results that a view needs.

    With `filters`, only the instances that satisfy all of them are evaluated.
    """
    was = evaluation.whole or evaluation
    if was.scored and was.asked.decision != asked.decision:
        was = decided(was, asked.decision)
    whole = was
    if not was.reports or (was.asked.measures, was.asked.options) != (
        asked.measures,
        asked.options,
    ):
        more = {each.measure for each in filters if isinstance(each, ValueBetween)}
        whole = measured(replace(was, asked=asked, comparison=None), progress, more)
    found = evaluation
    if whole is not was or filters != evaluation.filters:
        found = filtered(whole, filters) if filters else whole
    prepare(found, needs, progress)
    if found.asked == asked and found.comparison is not None:
        return found
    return compared(replace(found, asked=asked), progress)


def decided(evaluation: Evaluation, decision: Decision) -> Evaluation:
    """Return the evaluation with the labels of another decision, without reports."""
    systems = evaluation.systems
    labels = {name: scored.decide(decision) for name, scored in evaluation.scored.items()}
    decisions = dict.fromkeys(labels, str(decision))
    predicted = {**systems.predicted, **labels}
    systems = replace(systems, predicted=predicted, decisions=decisions)
    return replace(evaluation, systems=systems, reports={}, comparison=None)


def filtered(whole: Evaluation, filters: tuple[Filter, ...]) -> Evaluation:
    """Return an evaluation of the instances that satisfy all filters, without a comparison."""
    places = places_of(filters, whole.reports)
    reports = {name: report.take(places) for name, report in whole.reports.items()}
    systems = replace(
        whole.systems,
        true=whole.systems.true.taken(places),
        predicted={name: each.taken(places) for name, each in whole.systems.predicted.items()},
        ids={name: report.kept.ids for name, report in reports.items()},
    )
    return replace(
        whole,
        systems=systems,
        reports=reports,
        scored={name: each.take(places) for name, each in whole.scored.items()},
        comparison=None,
        filters=filters,
        places=places,
        whole=whole,
    )


def measured(evaluation: Evaluation, progress: Progress, more: Collection[str] = ()) -> Evaluation:
    """Return the evaluation with new reports of its labels.

    They include the measures of results per class, and `more` measures.
    """
    systems, asked = evaluation.systems, evaluation.asked
    instances, count = len(systems.true), len(systems.predicted)

    def watch(number: int, name: str) -> AbstractContextManager[Callable[[int, int], None]]:
        doing, before = f"Evaluating system {number + 1} of {count}; instances", number * instances
        progress(doing, before, count * instances)
        return nullcontext(lambda done, _: progress(doing, before + done, count * instances))

    with warnings_to(lambda text: progress(_waiting(text, count * instances), 0, 0)):
        reports = systems.reports(
            watch,
            measures=in_order({*asked.measures, *ALWAYS, *more}),
            options=asked.options,
            chunk=CHUNK,
        )
    return replace(evaluation, reports=reports)


def prepare(evaluation: Evaluation, needs: Collection[Need], progress: Progress) -> None:
    """Let the reports compute and keep slow results."""
    for need in needs:
        attribute, doing = NEEDS[need]
        for k, report in enumerate(evaluation.reports.values()):
            progress(doing, k, len(evaluation.reports))
            getattr(report, attribute)


def compared(evaluation: Evaluation, progress: Progress) -> Evaluation:
    """Return the evaluation with a comparison by the measures that have the average."""
    asked = evaluation.asked
    reports = {
        name: replace(report, average=asked.average) for name, report in evaluation.reports.items()
    }
    keys = [k for k in asked.measures if any(report[k] == report[k] for report in reports.values())]
    if len(reports) == 1 or not keys or not evaluation.instances:
        (report, *_), asked_for = reports.values(), asked.intervals and evaluation.instances
        ends = report.intervals(CONFIDENCE) if asked_for and len(reports) == 1 else None
        return replace(evaluation, comparison=None, intervals=ends)
    comparison = compare_reports(
        reports,
        measures=keys,
        test=asked.test,
        alpha=asked.alpha,
        correction="holm" if asked.holm else None,
        intervals=CONFIDENCE if asked.intervals else None,
        progress=lambda done, total: progress("Comparing the systems; measures", done, total),
    )
    return replace(evaluation, comparison=comparison, intervals=None)


def _waiting(text: str, labelled: int) -> str:
    """Return a warning with the number of (instance, system) pairs that wait for the compiler.

    >>> _waiting("compiling …", 4157)
    'Compiling; 4,157 instances wait for it'
    >>> _waiting("numba is not installed, so this takes about 30 seconds.", 4157)
    'numba is not installed, so this takes about 30 seconds.'
    """
    if text.startswith("numba"):
        return text
    waiting = write_count(labelled, "instance waits", "instances wait")
    return f"{capitalize(text).rstrip(' ….')}; {waiting} for it"


def in_order(measures: Collection[str]) -> tuple[str, ...]:
    """Return own measures first, then the others in the catalogue's order."""
    return (
        *sorted(filter(is_definition, measures)),
        *(key for key in CATALOGUE if key in measures),
    )


def first_rows_of(file: File) -> dict[str, list[str]]:
    """Return the first rows of a table for a preview. FieldError if it cannot be read."""
    with reading(lambda *_: None) as stage:
        stage("table", 0)
        return file.checked().read(first_rows)


def understood(labels: Sequence[str], paths: str) -> str:
    """Describe in one line how labels are read, or why they cannot be read."""
    try:
        notation = Notation(paths) if paths else None
        return Hierarchy.from_labels(labels, notation, most_names=UPLOAD.names).notes[0]
    except InputError as error:
        return str(error)


def label_columns(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the columns that look like labels: repeated paths or codes."""
    found = []
    for name, values in columns.items():
        with suppress(InputError):
            if notation_of(values) is not None:
                found.append(name)
    return found or list(columns)
