"""Numbers as labels, and arrays of other libraries.

Indices of classes, indicator matrices and matrices of scores become rows of names. Arrays of other
libraries become NumPy arrays, by the protocols that they offer. hiermeasures.evaluation.encode
reads labels that are names.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.frames import plain
from hiermeasures.hierarchy.hierarchy import as_label
from hiermeasures.read.label_rows import LabelRows

Scores = float | Literal["argmax"]
CLASSES_NEEDED = (
    "threshold= and argmax=True need the class of each column. Give classes=, or a table with "
    "class names as columns."
)
_SETS, _COLLECTIONS = (set, frozenset), (set, frozenset, list, tuple)


def scores_read(classes: Any, threshold: float | None, argmax: bool) -> Scores | None:
    """Return how scores are read: by a threshold, by the largest of an instance, or not at all."""
    if classes is None and (threshold is not None or argmax):
        raise InputError(CLASSES_NEEDED)
    if threshold is None:
        return "argmax" if argmax else None
    if argmax:
        raise InputError("threshold= and argmax=True exclude each other. Give only one of them.")
    if (
        not isinstance(threshold, Real)
        or isinstance(threshold, bool)
        or not np.isfinite(float(threshold))
    ):
        raise InputError(f"threshold= is {shown(repr(threshold))}. Give a number.")
    return float(threshold)


def class_names(classes: Any) -> tuple[str, ...]:
    """Return the classes of columns and indices, from a list or a model's `id2label`."""
    if isinstance(classes, Mapping):
        named = {str(k): name for k, name in classes.items()}
        missing = next((k for k in range(len(named)) if str(k) not in named), None)
        if missing is not None:
            raise InputError(
                f"the index {missing} is missing in classes=. Map every index 0, 1, … to a class."
            )
        classes = [named[str(k)] for k in range(len(named))]
    if isinstance(classes, (str, bytes)) or not isinstance(classes, Iterable):
        raise InputError(
            f"classes= is {shown(repr(classes))}. Give a list with the class of each column or "
            "index."
        )
    names = tuple(map(as_label, plain(classes)))
    if not names:
        raise InputError("classes= is empty. Give the class of each column or index.")
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise InputError(f"two columns are named {shown(twice[0])}. Give each a different class.")
    return names


def is_foreign_array(given: Any) -> bool:
    """Return whether a value is an array of torch, jax, CuPy or another library, by its protocols."""
    return any(hasattr(given, name) for name in ("__array__", "__dlpack__")) and not isinstance(
        given, np.ndarray
    )


def as_numpy(given: Any, name: str) -> np.ndarray:
    """Return an array of another library as a NumPy array, copied from the device if possible.

    It raises InputError if it cannot be copied. `name` is the array's name in the message.
    """
    try:
        for way in ("detach", "cpu"):  # torch: from the graph, and from the device
            given = getattr(given, way)() if callable(getattr(given, way, None)) else given
        # CuPy
        if hasattr(given, "__cuda_array_interface__") and callable(getattr(given, "get", None)):
            given = given.get()
        try:
            array = np.asarray(given) if hasattr(given, "__array__") else np.from_dlpack(given)
        except TypeError:
            array = np.asarray(given.float())  # torch's bfloat16 is missing in NumPy
    except Exception as error:  # each library has errors of its own
        kind = f"{type(given).__module__.partition('.')[0]}.{type(given).__name__}"
        raise InputError(
            f"{name} is a {kind} that NumPy cannot read ({shown(str(error), 80)}). Copy it to the "
            f"CPU as a dense array."
        ) from None
    return array.astype(np.float32) if array.dtype.kind == "V" else array  # bfloat16 of jax


def rows_of_numbers(labels: Any, names: Sequence[str], scores: Scores | None, name: str) -> Any:
    """Return the classes of numbers as LabelRows, and labels that are names as they are.

    `names` are the classes of indices or columns. `scores` and `name` are as for `encode`.

    >>> list(rows_of_numbers(np.array([1, 0]), ["A", "B"], None, "y"))
    [frozenset({'B'}), frozenset({'A'})]
    >>> list(rows_of_numbers(np.array([[0.2, 0.9]]), ["A", "B"], "argmax", "y"))
    [frozenset({'B'})]
    """
    if isinstance(labels, list) and set(map(type, labels)) == {int}:
        labels = np.array(labels)
    if not hasattr(labels, "tocsr") and not (
        isinstance(labels, np.ndarray) and labels.dtype.kind in "biuf"
    ):
        if isinstance(labels, (str, bytes, LabelRows)) or not isinstance(labels, Iterable):
            return labels
        if isinstance(labels, np.ndarray) and labels.dtype.kind != "O":
            return _names(labels, scores, name)
        labels = [row.tolist() if hasattr(row, "tolist") else row for row in labels]
        if not _are_numbers(labels, name):
            return _names(labels, scores, name)
        if any(isinstance(row, _SETS) for row in labels) or not any(
            isinstance(row, _COLLECTIONS) for row in labels
        ):
            return _listed(labels, names, scores, name)
        labels = _matrix(labels, name)
    if not hasattr(labels, "tocsr") and labels.ndim == 1 and len(labels):
        _check_one_dimension(labels.dtype.kind, labels[:1].tolist(), scores, names, name)
        return _indices(np.ones(len(labels), np.int64), labels, names, name)
    return _of_matrix(labels, names, scores, name) if labels.shape[0] else []


def _names(labels: Any, scores: Scores | None, name: str) -> Any:
    if scores is not None and len(labels):
        raise InputError(
            f"{name} has names of classes. Leave out threshold= and argmax=, which are for a "
            "matrix of scores."
        )
    return labels


def is_missing(value: Any) -> bool:
    """Return True for None, nan and the missing values of pandas."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, Real) and value != value)
    )


def _are_numbers(rows: Sequence[Any], name: str) -> bool:
    """Return True for labels that are numbers and False for names. Missing labels are neither."""
    flat = chain.from_iterable(row if isinstance(row, _COLLECTIONS) else (row,) for row in rows)
    found = {isinstance(part, Real): part for part in flat if not is_missing(part) and part != ""}
    if len(found) > 1:
        raise InputError(
            f"{name} has both names of classes and numbers, such as {shown(str(found[False]))} and "
            f"{found[True]}. "
            "With classes= numbers are indices. Give only names, or only indices."
        )
    return True in found


def _listed(
    rows: Sequence[Any], names: Sequence[str], scores: Scores | None, name: str
) -> LabelRows:
    """Return rows that are an index, a set of indices, or missing."""
    sets = [
        row if isinstance(row, _COLLECTIONS) else () if is_missing(row) else (row,) for row in rows
    ]
    values = list(chain.from_iterable(sets))
    kinds = {
        "b" if isinstance(v, bool) else "i" if isinstance(v, Integral) else "f" for v in values
    }
    odd = [v for v in values if isinstance(v, bool) or not isinstance(v, Integral)]
    _check_one_dimension("i" if kinds == {"i"} else (kinds - {"i"}).pop(), odd, scores, names, name)
    return _indices(np.fromiter(map(len, sets), np.int64, len(sets)), np.array(values), names, name)


def _matrix(rows: Sequence[Any], name: str) -> np.ndarray:
    """Return lists of numbers of the same length as a matrix."""
    width = max(len(row) for row in rows if isinstance(row, _COLLECTIONS))
    for k, row in enumerate(rows):
        if not isinstance(row, _COLLECTIONS) or len(row) != width:
            raise InputError(
                f"{name} has rows of different length: instance {k} does not have {width} numbers "
                f"as the others. "
                "Give a matrix with a column for each class, or each instance's indices as a set."
            )
        if any(map(is_missing, row)) and not all(isinstance(part, Real) for part in row):
            raise InputError(
                f"{name}, instance {k}: a column has no number. Give a number for each class."
            )
    return np.array(
        rows, None if all(isinstance(part, int) for row in rows for part in row) else float
    )


def _check_one_dimension(
    kind: str, odd: Sequence[Any], scores: Scores | None, names: Sequence[str], name: str
) -> None:
    if scores is not None:
        raise InputError(
            f"{name} has one dimension. Give scores as a matrix with a column for each of "
            f"{len(names)} classes."
        )
    if kind == "f":
        raise InputError(
            f"{name} has one dimension and contains {odd[0]}. Give indices as whole "
            f"numbers from 0 to "
            f"{len(names) - 1} (with missing ones as type Int64), or scores as a matrix."
        )
    if kind == "b":
        raise InputError(
            f"{name} contains True and False in one dimension. With classes=, give them as a "
            f"matrix with a column for each class."
        )


def _indices(sizes: np.ndarray, values: np.ndarray, names: Sequence[str], name: str) -> LabelRows:
    wrong = np.flatnonzero((values < 0) | (values >= len(names)))
    if len(wrong):
        instance = int(np.searchsorted(np.cumsum(sizes), wrong[0], side="right"))
        raise InputError(
            f"{name} has the index {values[wrong[0]]} for instance {instance}, but classes= names "
            f"{len(names)}. Give indices from 0 to {len(names) - 1}."
        )
    return _rows(sizes, values, names)


def _rows(sizes: np.ndarray, columns: np.ndarray, names: Sequence[str]) -> LabelRows:
    return LabelRows(
        tuple(names),
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
        columns.astype(np.int32),
    )


def _of_matrix(matrix: Any, names: Sequence[str], scores: Scores | None, name: str) -> LabelRows:
    """Return the classes of each instance in a matrix of 0 and 1, or of scores."""
    shape: Sequence[int] = matrix.shape
    if len(shape) != 2:
        raise InputError(
            f"{name} has a shape that classes= does not allow. Give a matrix with a row per "
            f"instance, or indices in one dimension."
        )
    if shape[1] != len(names):
        raise InputError(
            f"{name} has {shape[1]} columns, but classes= names {len(names)}. Give a matrix with a "
            "column for each class, or indices in one dimension."
        )
    n = shape[0]
    if hasattr(matrix, "tocsr"):
        if scores == "argmax" or (scores is not None and scores <= 0):
            raise InputError(
                f"{name} is sparse, so missing scores would count as 0. Give it as toarray()."
            )
        cells = matrix.tocsr(copy=True)
        cells.sum_duplicates()
        rows, columns, values = (
            np.repeat(np.arange(n), np.diff(cells.indptr)),
            cells.indices,
            cells.data,
        )
        lost = [(rows[k], columns[k]) for k in np.flatnonzero(np.isnan(values))[:1]]
    else:
        lost = [] if scores is None else np.argwhere(np.isnan(matrix))[:1].tolist()
        if scores == "argmax" and not lost:
            return _rows(np.ones(n, np.int64), matrix.argmax(axis=1), names)
        rows, columns = np.nonzero(
            matrix if isinstance(scores, (str, type(None))) else matrix >= scores
        )
        values = matrix[rows, columns]
    for row, column in lost:
        raise InputError(
            f"{name} has no score (nan) for instance {row}, class {shown(names[column])}. Give a "
            "number."
        )
    chosen = values != 0 if scores is None else values >= scores
    odd = np.flatnonzero(chosen & (values != 1) & (scores is None))
    if len(odd):
        raise InputError(
            f"{name} contains {values[odd[0]]!s} for instance {rows[odd[0]]}, but an indicator "
            f"matrix has only 0 and 1. "
            "For scores, add threshold= or argmax=True. Give several indices as a set."
        )
    return _rows(np.bincount(rows[chosen], minlength=n), columns[chosen], names)
