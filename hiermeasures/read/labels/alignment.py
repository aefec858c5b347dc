"""True and predicted labels of the same instances, matched by id, or line by line without ids."""

from dataclasses import dataclass
from itertools import repeat
from typing import Literal

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.words import write_count
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.read.labels.label_file import LabelFile, first_few

Missing = Literal["empty", "fail", "open"]


@dataclass(frozen=True, repr=False)
class Aligned:
    """Instances in the order of the true file.

    `missing` are ids without a prediction. `extra` are ids that only the prediction has. `notes`
    report both as text.
    """

    ids: tuple[str, ...] | None
    true: LabelRows
    predicted: LabelRows
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.true)

    @property
    def missing_places(self) -> list[int]:
        """Places, from 0, of the instances without a prediction."""
        absent = frozenset(self.missing)
        return [place for place, key in enumerate(self.ids or ()) if key in absent]

    def __repr__(self) -> str:
        return (
            f"Aligned({len(self)} instances, {len(self.missing)} missing, {len(self.extra)} extra)"
        )


def align(truth: LabelFile, prediction: LabelFile, missing: Missing = "empty") -> Aligned:
    """Match predictions to true labels.

    Parameters
    ----------
    truth, prediction : LabelFile
        Matched by id if both have ids, else line by line.
    missing : "empty", "fail" or "open"
        The treatment of true ids without a prediction: an empty prediction, an InputError, or an
        empty row that the caller does not count as a prediction. Extra ids of the prediction are
        left out.

    Raises
    ------
    InputError
        If files without ids have different numbers of lines, if no id occurs in both files, or if
        an id is missing and `missing` is "fail".

    Examples
    --------
    >>> truth = LabelFile(("1", "2"), LabelRows.of(["A", "B"]))
    >>> a = align(truth, LabelFile(("2", "3"), LabelRows.of(["B", "C"])))
    >>> list(a.predicted), a.missing, a.extra
    ([frozenset(), frozenset({'B'})], ('1',), ('3',))
    """
    if missing not in ("empty", "fail", "open"):
        raise InputError(
            unknown("treatment of missing ids", str(missing), ["empty", "fail", "open"])
        )
    if truth.ids is None or prediction.ids is None:
        return _by_line(truth, prediction)
    if prediction.ids == truth.ids and len(set(truth.ids)) == len(truth.ids):
        return Aligned(truth.ids, truth.labels, prediction.labels)
    return _by_id(truth, prediction, missing)


def _by_id(truth: LabelFile, prediction: LabelFile, missing: Missing) -> Aligned:
    assert truth.ids is not None, "both have ids"
    assert prediction.ids is not None, "both have ids"
    found = dict(zip(prediction.ids, range(len(prediction)), strict=True))
    places = np.fromiter(map(found.get, truth.ids, repeat(-1)), np.int64, len(truth))
    absent = tuple(truth.ids[k] for k in np.flatnonzero(places < 0).tolist())
    is_known = np.zeros(len(prediction), bool)
    is_known[places[places >= 0]] = True
    of_truth = frozenset(truth.ids)
    extra = () if is_known.all() else tuple(key for key in prediction.ids if key not in of_truth)
    where = shown(prediction.name or "the prediction")[1:-1]
    if truth.ids and len(absent) == len(truth.ids):
        raise InputError(
            f"{where}: no id occurs in {truth.name or 'the true labels'} too (not there: "
            f"{first_few(extra)}). Check that both files use the same ids."
        )
    notes = []
    if absent:
        instances = write_count(len(absent), "instance")
        sentence = f"{where}: {instances} without a prediction ({first_few(absent)})"
        if missing == "fail":
            raise InputError(sentence)
        notes.append(sentence + ", taken as empty" * (missing == "empty"))
    if extra:
        notes.append(
            f"{where}: {write_count(len(extra), 'prediction')} for unknown ids ({first_few(extra)}), "
            f"left out"
        )
    predicted = prediction.labels.take(places)
    return Aligned(
        truth.ids, truth.labels, predicted, missing=absent, extra=extra, notes=tuple(notes)
    )


def _by_line(truth: LabelFile, prediction: LabelFile) -> Aligned:
    a, b = truth.name or "the true labels", prediction.name or "the prediction"
    if len(truth) != len(prediction):
        sizes = (
            f"{b} has {write_count(len(prediction.labels), 'instance')} and {a} has {len(truth):,}"
        )
        raise InputError(
            "; ".join(
                [sizes, "without ids in both, these numbers must be equal", *prediction.notes]
            )
        )
    notes: tuple[str, ...] = ()
    if (truth.ids is None) != (prediction.ids is None):
        notes = (
            f"only {a if truth.ids is not None else b} has ids, so instances are matched "
            f"line by line",
        )
    return Aligned(
        truth.ids if truth.ids is not None else prediction.ids,
        truth.labels,
        prediction.labels,
        notes=notes,
    )
