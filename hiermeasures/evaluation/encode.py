"""Labels as arrays: compressed rows of class numbers, with unknown labels counted.

The input may be lists of label sets, arrays with a label per level, or tables of pandas, polars or
Arrow. hiermeasures.evaluation.numbered reads numbers, hiermeasures.read reads files, and
hiermeasures.evaluation.engine computes measures.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, repeat
from typing import Any, Literal

import numpy as np

from hiermeasures.evaluation.exact import Count, InstanceCount
from hiermeasures.evaluation.hierarchy_arrays import arrays_of, is_above, is_among
from hiermeasures.evaluation.numbered import (
    CLASSES_NEEDED,
    Scores,
    as_numpy,
    class_names,
    is_foreign_array,
    is_missing,
    rows_of_numbers,
)
from hiermeasures.hierarchy.errors import InputError, nearest, separable, shown
from hiermeasures.hierarchy.frames import is_frame, number_columns, read_frame
from hiermeasures.hierarchy.hierarchy import Hierarchy, as_label
from hiermeasures.hierarchy.matching import MismatchError, meanings, mismatch
from hiermeasures.hierarchy.words import agree, write_count, write_list
from hiermeasures.read.label_rows import (
    LabelRows,
    distinct,
    is_arrow_column,
    read_arrow_column,
    runs,
)

UnknownPolicy = Literal["fail", "drop"]
_NAMED = 20  # unknown labels for which the nearest class is looked up


@dataclass(frozen=True)
class UnknownLabel:
    """An unknown label: its count, its first place, and the most similar class."""

    label: str
    count: Count
    first_instance: Count
    nearest: str | None


@dataclass(frozen=True)
class Lost:
    """Unknown labels that encoding a side left out, most frequent first, and their instances."""

    unknown: tuple[UnknownLabel, ...] = ()
    incomplete: InstanceCount = 0

    def append(self, other: "Lost", start: int) -> "Lost":
        """Return the losses of both. The other one's instances are counted from `start`."""
        found = {u.label: u for u in self.unknown}
        for u in other.unknown:
            k = found.get(u.label) or replace(u, count=0, first_instance=u.first_instance + start)
            found[u.label] = replace(k, count=k.count + u.count, nearest=k.nearest or u.nearest)
        ordered = tuple(sorted(found.values(), key=lambda u: (-u.count, u.label)))
        return Lost(ordered, self.incomplete + other.incomplete)

    @property
    def notes(self) -> tuple[str, ...]:
        """A tuple with a sentence about the lost labels, or an empty tuple."""
        labels, instances = self.unknown, self.incomplete
        if not labels:
            return ()
        times = sum(u.count for u in labels)
        few = [
            shown(u.label) + (f" (nearest: {shown(u.nearest)})" if u.nearest else "")
            for u in labels[:3]
        ]
        which = write_list(few, total=len(labels), mark="; ")
        return (
            f"{write_count(len(labels), 'unknown label')} left out, {write_count(times, 'time')} "
            f"in all: {which}. {write_count(instances, 'instance is', 'instances are')} "
            f"scored without {agree(len(labels), 'this label', 'these labels')}",
        )


NOTHING_LOST = Lost()


@dataclass(frozen=True)
class EncodedLabels:
    """The classes of every instance as compressed rows of topological class numbers.

    Instance k has the classes `idx[ptr[k]:ptr[k + 1]]`, in rising order, each once (ptr int64, idx
    int32).
    """

    ptr: np.ndarray
    idx: np.ndarray
    lost: Lost = NOTHING_LOST

    def __len__(self) -> int:
        return len(self.ptr) - 1

    @property
    def instances(self) -> np.ndarray:
        """The instance of each entry of `idx`."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    def numbers(self, instance: int) -> np.ndarray:
        """The class numbers of one instance."""
        return self.idx[self.ptr[instance] : self.ptr[instance + 1]]

    def classes(self, hierarchy: Hierarchy, instance: int) -> frozenset[str]:
        """The classes of one instance, by name."""
        return frozenset(hierarchy.nodes[i] for i in self.numbers(instance))

    def piece(self, start: int, stop: int) -> "EncodedLabels":
        """Return the instances `start` to `stop`, without unknown labels."""
        ends = self.ptr[start : stop + 1]
        return EncodedLabels(ends - ends[0], self.idx[ends[0] : ends[-1]])

    def taken(self, order: np.ndarray) -> "EncodedLabels":
        """Return instances in another order, without unknown labels."""
        sizes = np.diff(self.ptr)[order]
        ptr = np.append(0, np.cumsum(sizes)).astype(np.int64)
        return EncodedLabels(ptr, self.idx[runs(self.ptr[:-1][order], sizes)])

    def renumbered(self, numbers: np.ndarray) -> "EncodedLabels":
        """Return the labels with the number `numbers[k]` for class k."""
        idx = numbers[self.idx].astype(np.int32)
        return replace(self, idx=idx[np.lexsort((idx, self.instances))])

    @property
    def unknown(self) -> tuple[UnknownLabel, ...]:
        """The labels that were left out, most frequent first."""
        return self.lost.unknown


# the true classes of some instances, and the predicted ones
Sides = tuple[EncodedLabels, EncodedLabels]


def concatenate(pieces: Sequence[EncodedLabels]) -> EncodedLabels:
    """Return several batches as one, in order."""
    sizes = np.concatenate([np.diff(p.ptr) for p in pieces]) if pieces else np.zeros(0, np.int64)
    ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    idx = np.concatenate([p.idx for p in pieces]) if pieces else np.zeros(0, np.int32)
    starts = np.cumsum([0, *map(len, pieces)]).tolist()
    lost = reduce(
        lambda a, b: a.append(b[0].lost, b[1]), zip(pieces, starts, strict=False), NOTHING_LOST
    )
    return EncodedLabels(ptr, idx, lost)


def encode(
    hierarchy: Hierarchy,
    labels: Any,
    *,
    classes: Sequence[str] | Mapping[Any, str] | None = None,
    scores: Scores | None = None,
    unknown: UnknownPolicy = "fail",
    name: str = "labels",
    called: Callable[[int], str] = "instance {}".format,
) -> EncodedLabels:
    """Return the labels of many instances as class numbers.

    Parameters
    ----------
    hierarchy : Hierarchy
    labels : list, array, matrix or frame
        The labels of n instances, in one of these forms:

        - A list. Each item is a set, list or tuple of classes, or one class as a string. None and
          an empty collection mean that the instance has no class.
        - A one-dimensional array of classes.
        - An array (instances, levels) or (instances, paths, levels), as HiClass uses. Empty strings
          and None fill the rest of a path. Only the deepest class of a path is a label: a class
          above the next one on the path is not.
        - Numbers, with `classes`.
        - Columns and tables of pandas, polars and Arrow, and arrays of torch, jax, CuPy and others.
        - EncodedLabels. They are returned without a change.
    classes : sequence of str, or mapping of indices to str, optional
        The class of each number. If you give it, one-dimensional whole numbers and sets of them are
        indices, as from a LabelEncoder or an argmax. A matrix, dense or scipy.sparse, then has a
        column for each class. You can leave it out for a table of numbers with class names as
        columns. Text is always a name. Without `classes`, whole numbers are names too.
    scores : float or "argmax", optional
        The rule for a matrix of scores. A number takes the classes with at least this score.
        "argmax" takes the class with the largest score, or the first of several. By default a
        matrix has only 0 and 1.
    unknown : "fail" or "drop"
        Treatment of labels that are not classes.
    name : str
        Name of this input in messages.
    called : callable, optional
        Returns the name of an instance in messages from its number, which starts at 0. By default
        it is "instance 0".

    Returns
    -------
    EncodedLabels

    Raises
    ------
    InputError
        If labels have a form that is not accepted, an index is out of range, or a score is nan.
        Also for whole numbers without `classes` if no class has a number as its name, and for
        unknown labels unless they are dropped.

    See Also
    --------
    evaluate : Measures over labels in these forms.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> e = encode(h, [{"B"}, [], ["C", "A"]])
    >>> e.ptr.tolist(), e.idx.tolist()
    ([0, 1, 1, 3], [1, 0, 2])
    """
    if unknown not in ("fail", "drop"):
        raise InputError(f"unknown is {shown(str(unknown))}. Give 'fail' or 'drop'.")
    if isinstance(labels, EncodedLabels):
        return labels
    classes = classes_of_columns(hierarchy, labels) if classes is None else classes
    labels = by_name(labels, classes=classes, scores=scores, name=name)
    paths: np.ndarray | None = None
    names: list[Any]
    if isinstance(labels, LabelRows):
        rows, names, numbers = _from_rows(hierarchy, labels)
    else:
        rows, names, paths = _from_array_or_list(hierarchy, labels, name)
        numbers = _numbers(hierarchy, names)
        _check_numbers_are_names(hierarchy, names, numbers, name)
    left_out = _left_out(hierarchy, names, numbers, rows, named=_NAMED if unknown == "drop" else 1)
    if left_out and unknown == "fail":
        raise _refused(
            left_out, hierarchy, names, numbers, f"{name}, {called(left_out[0].first_instance)}"
        )
    incomplete = (
        len(np.unique(np.repeat(np.arange(len(rows)), rows)[numbers < 0])) if left_out else 0
    )
    if paths is not None:
        numbers = _deepest(hierarchy, paths, numbers)
    return EncodedLabels(*_compressed(len(hierarchy), rows, numbers), Lost(left_out, incomplete))


def classes_of_columns(hierarchy: Hierarchy, table: Any) -> list[str] | None:
    """Return the columns of a table of numbers if each has the name of a class, else None."""
    names = number_columns(table)
    return names if names and all(name in hierarchy.numbering for name in names) else None


def by_name(
    labels: Any, *, classes: Any, scores: Scores | None = None, name: str = "labels"
) -> Any:
    """Return labels as names.

    Numbers with `classes` become LabelRows, and columns of text become Arrow's form. Everything
    else becomes a list or a NumPy array, unless it is neither a frame nor an array of another
    library.
    """
    if classes is None and scores is not None:
        raise InputError(CLASSES_NEEDED)
    columns = None if classes is None else class_names(classes)
    if is_arrow_column(labels) and (labelled := read_arrow_column(labels)) is not None:
        labels = labelled
    elif is_frame(labels) or hasattr(labels, "to_numpy"):
        labels = _from_frame(labels, columns, name)
    elif is_foreign_array(labels) and not hasattr(labels, "tocsr"):
        labels = as_numpy(labels, name)
    if isinstance(labels, np.ma.MaskedArray) and np.ma.is_masked(labels):
        labels = labels.tolist()  # masked values become None
    return labels if columns is None else rows_of_numbers(labels, columns, scores, name)


def _from_array_or_list(
    hierarchy: Hierarchy, labels: Any, name: str
) -> tuple[np.ndarray, list[Any], np.ndarray | None]:
    """Return the sizes of the rows, their labels, and the path of each label of a path."""
    if not isinstance(labels, np.ndarray) and not hasattr(labels, "tocsr"):
        return *_listed(labels, name), None
    if hasattr(labels, "tocsr") or _looks_indicated(labels, hierarchy):
        raise InputError(
            f"{name} is an indicator matrix. Name the class of each column with classes=."
        )
    if labels.ndim > 1 and labels.dtype.kind == "f" and labels.size:
        raise InputError(
            f"{name} is a matrix of scores. Name the class of each column with classes=, and "
            "choose the predicted classes with threshold= or argmax=True."
        )
    if labels.ndim > 1 or (labels.ndim == 1 and labels.dtype.kind == "U"):
        return _per_level(labels)
    return *_listed(labels, name), None


def _listed(labels: Any, name: str) -> tuple[np.ndarray, list[Any]]:
    if isinstance(labels, np.ndarray):
        if labels.ndim == 0:
            raise InputError(f"{name} is one value. Give a list with the classes of each instance.")
        labels = labels.tolist()
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InputError(
            f"{name} is {shown(repr(labels))}. Give a list with the classes of each instance."
        )
    collected = [_of_one(item) for item in labels]
    return np.fromiter(map(len, collected), np.int64, len(collected)), list(
        chain.from_iterable(collected)
    )


def _of_one(item: Any) -> Sequence[Any]:
    if isinstance(item, (set, frozenset, list, tuple)):
        return item  # type: ignore[return-value]
    if isinstance(item, np.ndarray):
        return item.ravel().tolist()
    if hasattr(item, "tolist"):  # scalars and rows of torch and others
        return _of_one(item.tolist())
    if is_missing(item) or item == "":
        return ()
    if isinstance(item, (str, int, np.integer)) or not isinstance(item, Iterable):
        return (item,)
    return tuple(item)


def _per_level(table: np.ndarray) -> tuple[np.ndarray, list[Any], np.ndarray]:
    """Return the sizes of the rows, the labels and the path of each label of a padded array.

    HiClass makes these arrays: (instances, levels) or (instances, paths, levels).
    """
    flat = table.reshape(len(table), math.prod(table.shape[1:]))
    filled = np.asarray(flat != "", bool)
    if flat.dtype.kind != "U":
        filled &= np.asarray((flat == flat) & (flat != None), bool)  # noqa: E711  (elementwise)
    paths = np.flatnonzero(filled) // max(table.shape[-1] if table.ndim > 1 else 1, 1)
    return filled.sum(axis=1), flat[filled].tolist(), paths


def _deepest(hierarchy: Hierarchy, paths: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return class numbers of labels on paths, and −1 for classes above the next one on their path."""
    found, known = numbers.copy(), numbers >= 0
    if not known.all():
        found[known] = _deepest(hierarchy, paths[known], numbers[known])
        return found
    followed = np.flatnonzero(paths[:-1] == paths[1:])
    found[followed[is_above(hierarchy, numbers[followed], numbers[followed + 1])]] = -1
    return found


def _from_frame(table: Any, classes: Sequence[Any] | None, name: str) -> Any:
    """Return the values of a column or table, with None for missing ones, in the order of
    `classes`.
    """
    # pandas makes arrays faster than lists
    if hasattr(table, "iloc") or not is_frame(table):
        named = hasattr(table, "columns") and table.columns.dtype.kind not in "iu"
        if classes is not None and named:
            table = table.iloc[:, _order(list(table.columns), classes, name)]
        values = table.to_numpy()
        as_floats = (
            values.dtype.kind == "f" and getattr(getattr(table, "dtype", None), "kind", "f") in "iu"
        )
        # whole numbers or text with missing values
        if as_floats or values.dtype == object:
            return table.to_numpy(dtype=object, na_value=None)
        return values
    frame = read_frame(table)
    if frame.names is None:
        return frame.columns[0]
    chosen = range(len(frame.names)) if classes is None else _order(frame.names, classes, name)
    arrays = [_as_array(frame.columns[k]) for k in chosen]
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]  # a number must not become a text
    return np.column_stack(arrays) if arrays else np.empty((0, 0), object)


def _order(names: Sequence[Any], classes: Sequence[Any], name: str) -> list[int]:
    columns = [as_label(c) for c in names]
    if sorted(columns) != sorted(classes):
        raise InputError(
            f"the columns of {name} and classes= name different classes. Use the same names."
        )
    return [columns.index(c) for c in classes]


def _as_array(values: list[Any]) -> np.ndarray:
    plainly = {type(v) for v in values} <= {bool, int, float, str}
    return np.array(values) if plainly else np.fromiter(values, object, len(values))


def _looks_indicated(table: np.ndarray, hierarchy: Hierarchy) -> bool:
    if table.dtype == bool:
        return True
    return (
        table.ndim == 2
        and table.dtype.kind in "iuf"
        and table.shape[1] > max(1, hierarchy.depth)
        and bool(np.isin(table, (0, 1)).all())
    )


def _from_rows(hierarchy: Hierarchy, labels: LabelRows) -> tuple[np.ndarray, list[Any], np.ndarray]:
    """Return the class numbers of a file's rows, and the labels if some are unknown. Each name is
    looked up once.
    """
    of_names = _numbers(hierarchy, list(labels.names))
    if (of_names[labels.idx] >= 0).all():
        return np.diff(labels.ptr), [], of_names[labels.idx]
    labels = labels.without_repeats()  # because unknown labels are counted
    return (
        np.diff(labels.ptr),
        np.array(labels.names, object)[labels.idx].tolist(),
        of_names[labels.idx],
    )


def _numbers(hierarchy: Hierarchy, names: list[Any]) -> np.ndarray:
    known = hierarchy.numbering
    try:
        numbers = np.fromiter(map(known.get, names, repeat(-1)), np.int64, len(names))
    except TypeError:
        for label in names:
            as_label(label)  # its error shows the label that is not a name
        raise
    for k in np.flatnonzero(numbers < 0).tolist():
        if hierarchy.other_names or not isinstance(names[k], str):
            found_number = hierarchy.number(as_label(names[k]))
            numbers[k] = -1 if found_number is None else found_number
    return numbers


def _check_numbers_are_names(
    hierarchy: Hierarchy, names: list[Any], numbers: np.ndarray, name: str
) -> None:
    """Refuse whole numbers if no class has a number as its name, because they must be indices."""
    found = next(
        (names[k] for k in np.flatnonzero(numbers < 0).tolist() if not isinstance(names[k], str)),
        None,
    )
    if found is not None and not any(c.removeprefix("-").isdecimal() for c in hierarchy.nodes):
        raise InputError(
            f"{name} contains the whole number {found}, but the name of no class is a number. If "
            "numbers are indices, give the class of each with classes= (a LabelEncoder's classes_)."
        )


def _left_out(
    hierarchy: Hierarchy, names: list[Any], numbers: np.ndarray, rows: np.ndarray, named: int
) -> tuple[UnknownLabel, ...]:
    """Return the unknown labels. The first `named` of them have the nearest class."""
    places = np.flatnonzero(numbers < 0).tolist()
    labels = [str(names[k]) for k in places]
    counts = Counter(labels)
    first: dict[str, int] = {}
    for label, instance in zip(
        labels, np.searchsorted(np.cumsum(rows), places, side="right").tolist(), strict=True
    ):
        first.setdefault(label, instance)
    ordered = sorted(counts, key=lambda c: (-counts[c], first[c], c))
    return tuple(
        UnknownLabel(c, counts[c], first[c], nearest(c, hierarchy.nodes) if k < named else None)
        for k, c in enumerate(ordered)
    )


def _refused(
    left_out: tuple[UnknownLabel, ...],
    hierarchy: Hierarchy,
    names: Any,
    numbers: np.ndarray,
    where: str,
) -> MismatchError:
    """Return the error for unknown labels. It says how they differ from the classes."""
    u, rest = left_out[0], len(left_out) - 1
    times = f", {u.count} times" if u.count > 1 else ""
    several = separable(u.label, frozenset(hierarchy.nodes))
    several = several or meanings(hierarchy, u.label)
    like = (
        f"; {several}" if several else f" (did you mean {shown(u.nearest)}?)" if u.nearest else ""
    )
    more = f"; {write_count(rest, 'more unknown label')}" if rest else ""
    found = mismatch(
        list(dict.fromkeys(map(str, names))), hierarchy.nodes, others=hierarchy.other_names
    )
    more += f"; {found}" if found.differ or rest else ""
    if not isinstance(names[int(np.argmax(numbers < 0))], str):
        more += "; without classes= whole numbers are names, not indices"
    return MismatchError(
        f"unknown class {shown(u.label)} in {where}{times}{like}{more}", found.repair
    )


def _compressed(
    n_classes: int, rows: np.ndarray, numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    n = len(rows)
    instance = np.repeat(np.arange(n, dtype=np.int64), rows)
    key = instance * n_classes + numbers
    if (numbers < 0).any():
        key = key[numbers >= 0]
    if len(key) > 1 and not (np.diff(key) > 0).all():
        key = distinct(key)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(key // n_classes, minlength=n))]).astype(
        np.int64
    )
    return ptr, (key % n_classes).astype(np.int32)


def slices(total: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges of at most `size`."""
    for start in range(0, total, size):
        yield start, min(total, start + size)


def consistent(hierarchy: Hierarchy, labels: EncodedLabels) -> np.ndarray:
    """Return True for each instance whose classes all have their ancestors (GermEval 2019).

    The root counts as named, because label sets rarely name it. An empty set is consistent.

    >>> h = Hierarchy.from_edges([("R", "A"), ("A", "B")])
    >>> consistent(h, EncodedLabels(np.array([0, 2, 3, 3]), np.array([1, 2, 2]))).tolist()
    [True, False, True]
    """
    n = len(hierarchy)
    arrays = arrays_of(hierarchy)
    root = int(
        hierarchy.base is not None and hierarchy.virtual_root and not hierarchy.base.virtual_root
    )
    instance = labels.instances
    present = instance * n + labels.idx
    parents = np.diff(arrays.parent_ptr)[labels.idx]
    above = arrays.parent_idx[runs(arrays.parent_ptr[labels.idx], parents)]
    owner = np.repeat(instance, parents)
    missing = owner[(above > root) & ~is_among(owner * n + above, present)]
    result = np.ones(len(labels), bool)
    result[missing] = False
    return result
