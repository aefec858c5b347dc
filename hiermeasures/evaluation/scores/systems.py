"""Systems with files of scores: a rule turns the scores into labels.

The Compare page uses it. The labels are those of `evaluate --scores --decision`. Files of labels
are read unchanged.
"""

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels, concatenate
from hiermeasures.evaluation.files import InputFile, Note, Role, Systems, read_systems
from hiermeasures.evaluation.scores.decide import decide
from hiermeasures.evaluation.scores.files import RawProbabilities, read_raw_probabilities
from hiermeasures.evaluation.scores.probabilities import Kind, ProbabilityTable
from hiermeasures.evaluation.scores.rules import RULES
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.read.labels import LabelFile
from hiermeasures.read.labels.alignment import Aligned, Missing, align
from hiermeasures.read.source import Limits, is_number

_NO_LABELS = EncodedLabels(np.zeros(2, np.int64), np.zeros(0, np.int32))  # of one instance


@dataclass(frozen=True)
class Decision:
    """A rule of `RULES` with its settings. A rule ignores settings that are not its own."""

    rule: str = "threshold"
    at: float = 0.5
    k: int = 1
    among: Literal["leaves", "classes"] = "leaves"
    paths: Literal["best", "all"] = "best"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that the rule takes."""
        return {name: getattr(self, name) for name in RULES[self.rule].parameters}

    def __str__(self) -> str:
        numbers = [f"{self.settings[name]:g}" for name in ("at", "k") if name in self.settings]
        return "@".join([self.rule, *numbers])


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """The scores of a system. `places` has the row of each instance in the table, or −1."""

    table: ProbabilityTable
    places: np.ndarray

    def decide(self, decision: Decision) -> EncodedLabels:
        """Return the labels that a rule predicts. An instance without scores gets no labels."""
        labels = decide(self.table, decision.rule, **decision.settings)
        order = np.where(self.places < 0, len(labels), self.places)
        return concatenate([labels, _NO_LABELS]).taken(order)

    def take(self, instances: np.ndarray) -> "ScoredSystem":
        """Return the scores of some of the instances."""
        return replace(self, places=self.places[instances])

    @property
    def in_order(self) -> ProbabilityTable:
        """The scores of all instances, in their order. An instance without scores has only 0."""
        values = np.where(self.places[:, None] < 0, 0.0, self.table.values[self.places])
        ids = tuple(map(str, range(1, len(values) + 1)))
        return replace(self.table, values=values, ids=ids)

    def match(self, true: EncodedLabels) -> tuple[ProbabilityTable, EncodedLabels]:
        """Return scores and true labels of the instances that have scores, in the same order."""
        there = np.flatnonzero(self.places >= 0)
        rows = self.places[there]
        ids = tuple(self.table.ids[k] for k in rows.tolist())
        return replace(self.table, values=self.table.values[rows], ids=ids), true.taken(there)


def read_scored_systems(
    hierarchy: InputFile,
    true: InputFile,
    systems: Mapping[str, InputFile],
    *,
    kind: Kind,
    decision: Decision,
    missing: Missing = "empty",
    stage: Callable[[Role, int], None] = lambda role, number: None,
    **settings: Any,
) -> tuple[Systems, dict[str, ScoredSystem]]:
    """Read and match all files. Return the systems with their labels, and their scores.

    A file with a column of numbers for each class has scores of this `kind`. Other files have
    labels. `stage` and the other settings are those of `read_systems`.
    """
    raw: dict[str, RawProbabilities] = {}
    for number, (name, file) in enumerate(systems.items()):
        stage("systems", number)
        if (scores := file.read(read_scores)) is not None:
            raw[name] = scores
    if not raw:
        raise InputError(
            "these files have no scores: a column of numbers for each class. If they have labels, "
            "choose Labels above."
        )
    labels = {name: file for name, file in systems.items() if name not in raw}
    read = read_systems(hierarchy, true, labels, missing=missing, stage=stage, **settings)
    assert read.truth is not None
    predicted, ids, notes = dict(read.predicted), dict(read.ids), list(read.notes)
    scored: dict[str, ScoredSystem] = {}
    for number, name in enumerate(systems):
        if name not in raw:
            continue
        stage("systems", number)
        scored[name], aligned = match_scores(
            raw[name], read.hierarchy, read.truth, kind=kind, missing=missing, name=name
        )
        predicted[name] = scored[name].decide(decision)
        ids[name] = aligned.ids or range(1, len(aligned) + 1)
        notes += [Note("systems", name, note) for note in scored[name].table.notes]
        notes += [Note("systems", "", note, matters=True) for note in aligned.notes]
    predicted = {name: predicted[name] for name in systems}
    decisions = dict.fromkeys(scored, str(decision))
    made = replace(read, predicted=predicted, ids=ids, notes=tuple(notes), decisions=decisions)
    return made, scored


def match_scores(
    raw: RawProbabilities,
    hierarchy: Hierarchy,
    truth: LabelFile,
    *,
    kind: Kind,
    missing: Missing,
    name: str,
) -> tuple[ScoredSystem, Aligned]:
    """Match the scores in a file to the true labels. Return both results.

    `missing` is as for `align`. `name` is the name of the file in messages.
    """
    table = raw.table(hierarchy, kind=kind)
    rows = LabelFile(raw.ids, LabelRows.of([str(k)] for k in range(len(table))), name=name)
    aligned = align(truth, rows, missing)
    places = np.array([int(*row) if row else -1 for row in aligned.predicted], np.int64)
    return ScoredSystem(table, places), aligned


def read_scores(
    source: Path | bytes, *, name: str = "", limits: Limits | None = None
) -> RawProbabilities | None:
    """Read a file of scores. Return None for a file of labels (fewer than two number columns)."""
    if not _has_scores(source):
        return None
    return read_raw_probabilities(source, name=name, limits=limits)


def _has_scores(source: Path | bytes) -> bool:
    with io.BytesIO(source) if isinstance(source, bytes) else open(source, "rb") as content:
        start = content.read(4)
        content.seek(0)
        if start == b"PAR1":
            return _has_numbers(content)
        if start.startswith(b"PK"):
            return True
        lines = (line.decode("utf-8-sig", "replace") for line in content if line.strip())
        first = [line.rstrip("\r\n") for line in islice(lines, 2)]
    separator = max(",;\t", key=first[0].count) if first else ","
    try:
        rows = list(csv.reader(first, delimiter=separator))
    except csv.Error:
        return False
    if len(rows) < 2:
        return False
    return sum(is_number(cell) for cell in rows[1]) >= 2 and len(rows[0]) == len(rows[1])


def _has_numbers(content: Any) -> bool:
    """Return True for a Parquet file with two number columns. Its reader reports a damaged file."""
    require("files", "reading Parquet", "pyarrow")
    import pyarrow.parquet as parquet
    from pyarrow import ArrowException, types

    try:
        fields = parquet.read_schema(content)
    except (ArrowException, OSError):
        return True
    numbers = [field for field in fields if types.is_floating(field.type)]
    return len(numbers) >= 2
