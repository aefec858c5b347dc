"""Labels as arrays: whatever holds an instance's classes becomes compressed rows of class numbers, with unknown labels
counted.

Accepted are lists of label sets, arrays with a label per level, indicator matrices, and tables of pandas, polars or
Arrow that hold such; files are read elsewhere (hiermeasures.io), measures are computed elsewhere
(hiermeasures.batch.engine).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Literal

import numpy as np

from hiermeasures.arrow_rows import is_arrow_column, rows_of_column
from hiermeasures.errors import InputError, nearest, shown
from hiermeasures.frames import is_frame, plain, read_frame
from hiermeasures.hierarchy import Hierarchy, as_label
from hiermeasures.label_rows import LabelRows, distinct

UnknownPolicy = Literal["fail", "drop"]
_NAMED = 20  # unknown labels for which the nearest class is looked up
_MANY = 20_000  # labels in an array of text that are worth a kernel
_MANY_CODES = 50_000_000


@dataclass(frozen=True)
class UnknownLabel:
    """A label that is no class of the hierarchy: how often it occurs, where first, and the class most like it."""

    label: str
    count: int
    first_instance: int
    nearest: str | None


@dataclass(frozen=True)
class EncodedLabels:
    """The classes of every instance as compressed rows of topological class numbers.

    Instance k has the classes `idx[ptr[k]:ptr[k + 1]]`, rising and each once (ptr int64, idx int32). `unknown` lists
    the labels that were left out, most frequent first.
    """

    ptr: np.ndarray
    idx: np.ndarray
    unknown: tuple[UnknownLabel, ...] = ()

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def numbers(self, instance: int) -> np.ndarray:
        """The class numbers of one instance."""
        return self.idx[self.ptr[instance] : self.ptr[instance + 1]]

    def classes(self, hierarchy: Hierarchy, instance: int) -> frozenset[str]:
        """The classes of one instance, by name."""
        return frozenset(hierarchy.nodes[i] for i in self.numbers(instance))

    def piece(self, start: int, stop: int) -> "EncodedLabels":
        """The instances from `start` up to, not including, `stop`; unknown labels stay with the whole."""
        ends = self.ptr[start : stop + 1]
        return EncodedLabels(ends - ends[0], self.idx[ends[0] : ends[-1]])

    def renumbered(self, numbers: np.ndarray) -> "EncodedLabels":
        """The same labels where class k has the number `numbers[k]`."""
        rows = np.repeat(np.arange(len(self)), np.diff(self.ptr))
        idx = numbers[self.idx].astype(np.int32)
        return EncodedLabels(self.ptr, idx[np.lexsort((idx, rows))], self.unknown)


def joined(pieces: Sequence[EncodedLabels]) -> EncodedLabels:
    """Several batches as one, in order."""
    sizes = np.concatenate([np.diff(p.ptr) for p in pieces]) if pieces else np.zeros(0, np.int64)
    ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    idx = np.concatenate([p.idx for p in pieces]) if pieces else np.zeros(0, np.int32)
    return EncodedLabels(ptr, idx, merged_unknown([p.unknown for p in pieces], [len(p) for p in pieces]))


def merged_unknown(parts: Sequence[tuple[UnknownLabel, ...]], sizes: Sequence[int]) -> tuple[UnknownLabel, ...]:
    """Unknown labels of consecutive batches, counted together."""
    found: dict[str, UnknownLabel] = {}
    for part, start in zip(parts, np.cumsum([0, *sizes])[:-1].tolist(), strict=True):
        for u in part:
            known = found.get(u.label)
            found[u.label] = (
                UnknownLabel(u.label, known.count + u.count, known.first_instance, known.nearest or u.nearest)
                if known
                else UnknownLabel(u.label, u.count, u.first_instance + start, u.nearest)
            )
    return tuple(sorted(found.values(), key=lambda u: (-u.count, u.label)))


def encode(
    hierarchy: Hierarchy,
    labels: Any,
    *,
    classes: Sequence[str] | None = None,
    unknown: UnknownPolicy = "fail",
    name: str = "labels",
    called: Callable[[int], str] | None = None,
) -> EncodedLabels:
    """Labels of many instances as class numbers.

    Parameters
    ----------
    hierarchy : Hierarchy
    labels : list, array, matrix or frame
        A list with the classes of each instance (a set, list or tuple; a lone string is one class; None or an empty
        collection is no class), a 1-d array of classes, an array (instances, levels) or (instances, paths, levels) as
        HiClass uses (empty strings and None are no class), an indicator matrix (dense or scipy.sparse, with `classes`),
        or EncodedLabels, which are returned as they are. A path of levels names the classes on the way to its deepest
        one: a class above the next on the path is not a label of its own. Columns and tables of pandas, polars and
        Arrow are read as the arrays that they hold.
    classes : sequence of str, optional
        The class of each column of an indicator matrix; required for one, and only allowed there.
    unknown : "fail" or "drop"
        What to do with labels that are no classes.
    name : str
        How messages call this input.
    called : callable, optional
        How messages call an instance, by its number from 0; "instance 0" by default.

    Raises
    ------
    InputError
        For labels in no accepted form, and for unknown labels unless they are dropped.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> e = encode(h, [{"B"}, [], ["C", "A"]])
    >>> e.ptr.tolist(), e.idx.tolist()
    ([0, 1, 1, 3], [1, 0, 2])
    """
    if unknown not in ("fail", "drop"):
        raise InputError(f"unknown labels can 'fail' or 'drop', not {shown(str(unknown))}")
    if isinstance(labels, EncodedLabels):
        return labels
    if is_arrow_column(labels) and classes is None and (labelled := rows_of_column(labels)) is not None:
        labels = labelled
    elif is_frame(labels) or hasattr(labels, "to_numpy"):
        labels = _from_frame(labels, None if classes is None else plain(classes), name)
    paths: np.ndarray | None = None
    names: list[Any] | np.ndarray
    numbers: np.ndarray | None = None
    if isinstance(labels, LabelRows) and classes is None:
        rows, names, numbers = _from_rows(hierarchy, labels)
    elif classes is not None:
        rows, names = _indicated(labels, plain(classes), name)
    elif hasattr(labels, "tocsr") or (isinstance(labels, np.ndarray) and _looks_indicated(labels, hierarchy)):
        raise InputError(f"{name} is an indicator matrix; say with classes= which class each column is")
    elif isinstance(labels, np.ndarray) and (labels.ndim > 1 or (labels.ndim == 1 and labels.dtype.kind == "U")):
        rows, names, paths = _per_level(labels)
    else:
        rows, names = _listed(labels, name)
    if numbers is None:
        numbers = _numbers(hierarchy, names)
    left_out = _left_out(hierarchy, names, numbers, rows, named=_NAMED if unknown == "drop" else 1)
    if left_out and unknown == "fail":
        raise InputError(_complaint(left_out, name, called))
    if paths is not None:
        numbers = _deepest(hierarchy, paths, numbers)
    return _compressed(len(hierarchy), rows, numbers, left_out)


# --- the accepted forms: (how many labels each instance has, the labels one after another) ------------------------

_Rows = tuple[np.ndarray, list[Any] | np.ndarray]


def _listed(labels: Any, name: str) -> _Rows:
    if isinstance(labels, np.ndarray):
        if labels.ndim == 0:
            raise InputError(f"{name} is one value, not the classes of several instances")
        labels = labels.tolist()
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InputError(f"{name} holds the classes of each instance in a list; it is {shown(repr(labels))}")
    collected = [_of_one(item) for item in labels]
    return np.fromiter(map(len, collected), np.int64, len(collected)), list(chain.from_iterable(collected))


def _of_one(item: Any) -> Sequence[Any]:
    if isinstance(item, (set, frozenset, list, tuple)):
        return item  # type: ignore[return-value]
    if isinstance(item, np.ndarray):
        return item.ravel().tolist()
    if item is None or item == "" or item != item:
        return ()
    if isinstance(item, (str, int, np.integer)) or not isinstance(item, Iterable):
        return (item,)
    return tuple(item)


def _per_level(table: np.ndarray) -> tuple[np.ndarray, list[Any] | np.ndarray, np.ndarray]:
    """HiClass arrays: (instances, levels) or (instances, paths, levels), padded with empty strings; and for each label
    the number of its path.
    """
    flat = table.reshape(len(table), math.prod(table.shape[1:]))
    if flat.dtype.kind != "U":
        filled = np.asarray((flat != "") & (flat == flat) & (flat != None), bool)  # noqa: E711  (elementwise)
    elif flat.dtype.itemsize:
        filled = (_code_points(flat.ravel()) != 0).any(axis=1).reshape(flat.shape)
    else:
        filled = np.zeros(flat.shape, bool)
    labels = flat[filled]
    paths = np.flatnonzero(filled) // max(table.shape[-1] if table.ndim > 1 else 1, 1)
    return filled.sum(axis=1), labels if flat.dtype.kind == "U" else labels.tolist(), paths


def _deepest(hierarchy: Hierarchy, paths: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The class numbers of labels on paths, with −1 for a class that is above the next one on its path."""
    if len(hierarchy) == 1:
        return numbers
    if (numbers < 0).any():
        known = numbers >= 0
        result = numbers.copy()
        result[known] = _deepest(hierarchy, paths[known], numbers[known])
        return result
    arrays = hierarchy.arrays
    first_parent = arrays.parent_idx[arrays.parent_ptr[:-1]]
    first_parent[0] = -1
    above, below = numbers[:-1], numbers[1:]
    on_one_path = paths[:-1] == paths[1:]
    is_above = on_one_path & (first_parent[below] == above)
    others = np.flatnonzero(on_one_path & ~is_above & (above < below))  # a level is left out, or there are more parents
    pairs, which = np.unique(above[others] * len(hierarchy) + below[others], return_inverse=True)
    nodes = hierarchy.nodes
    known_above = [nodes[a] in hierarchy.up(nodes[b]) for a, b in zip(*divmod(pairs, len(hierarchy)), strict=True)]
    is_above[others] = np.array(known_above, bool)[which]
    return np.where(np.append(is_above, False), -1, numbers)


def _code_points(texts: np.ndarray) -> np.ndarray:
    """An array of text as rows of code points, filled up with zeros."""
    texts = np.ascontiguousarray(texts, texts.dtype.newbyteorder("="))
    return texts.view(np.uint32).reshape(len(texts), texts.dtype.itemsize // 4)


def _from_frame(table: Any, classes: Sequence[Any] | None, name: str) -> Any:
    """The values of a column or table, missing ones as None. Columns named by classes are put into the order of
    `classes`.
    """
    if hasattr(table, "iloc") or not is_frame(table):  # pandas, which makes arrays faster than lists
        named = hasattr(table, "columns") and table.columns.dtype.kind not in "iu"
        if classes is not None and named:
            table = table.iloc[:, _order(list(table.columns), classes, name)]
        values = table.to_numpy()
        return values if values.dtype != object else table.to_numpy(dtype=object, na_value=None)
    frame = read_frame(table)
    if frame.names is None:
        return frame.columns[0]
    chosen = range(len(frame.names)) if classes is None else _order(frame.names, classes, name)
    arrays = [_as_array(frame.columns[k]) for k in chosen]
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]  # a number must not become a text
    return np.column_stack(arrays) if arrays else np.empty((0, 0), object)


def _order(names: Sequence[Any], classes: Sequence[Any], name: str) -> list[int]:
    """The place of each class among the names of columns."""
    columns, wanted = [as_label(c) for c in names], [as_label(c) for c in classes]
    if sorted(columns) != sorted(wanted):
        raise InputError(f"the columns of {name} and classes= name different classes")
    return [columns.index(c) for c in wanted]


def _as_array(values: list[Any]) -> np.ndarray:
    plainly = {type(v) for v in values} <= {bool, int, float, str}
    return np.array(values) if plainly else np.fromiter(values, object, len(values))


def _looks_indicated(table: np.ndarray, hierarchy: Hierarchy) -> bool:
    """Whether an array is an indicator matrix rather than one label per level."""
    if table.dtype == bool:
        return True
    return (
        table.ndim == 2
        and table.dtype.kind in "iuf"
        and table.shape[1] > max(1, hierarchy.depth)
        and bool(np.isin(table, (0, 1)).all())
    )


def _indicated(matrix: Any, classes: Sequence[str], name: str) -> _Rows:
    names = np.array([as_label(c) for c in classes], dtype=object)
    twice = [c for c, n in Counter(names.tolist()).items() if n > 1]
    if twice:
        raise InputError(f"two columns are named {shown(twice[0])}")
    if hasattr(matrix, "tocsr"):
        sparse = matrix.tocsr(copy=True)
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        shape, values, columns, sizes = sparse.shape, sparse.data, sparse.indices, np.diff(sparse.indptr)
    else:
        dense = np.asarray(matrix)
        if dense.ndim != 2 or dense.dtype.kind not in "biuf":
            raise InputError(f"with classes=, {name} is a matrix of 0 and 1, a row per instance")
        shape = dense.shape
        row_numbers, columns = np.nonzero(dense)
        values, sizes = dense[row_numbers, columns], np.bincount(row_numbers, minlength=len(dense))
    if shape[1] != len(names):
        raise InputError(f"{name} has {shape[1]} columns, but classes= names {len(names)}")
    odd = np.flatnonzero(np.asarray(values) != 1)
    if len(odd):
        where = int(np.searchsorted(np.cumsum(sizes), odd[0], side="right"))
        raise InputError(f"{name} holds {values[odd[0]]!s} for instance {where}; an indicator matrix holds 0 and 1")
    return np.asarray(sizes, np.int64), names[columns].tolist()


def _from_rows(hierarchy: Hierarchy, labels: LabelRows) -> tuple[np.ndarray, list[Any] | np.ndarray, np.ndarray]:
    """The rows of a file with their class numbers, and with the labels where some are unknown: only the names are
    looked up, not each label.
    """
    of_names = _numbers(hierarchy, list(labels.names))
    if (of_names >= 0).all():
        return np.diff(labels.ptr), [], of_names[labels.idx]
    labels = labels.without_repeats()  # for unknown ones are counted
    return np.diff(labels.ptr), np.array(labels.names, object)[labels.idx], of_names[labels.idx]


# --- numbers ------------------------------------------------------------------------------------------------------


def _numbers(hierarchy: Hierarchy, names: list[Any] | np.ndarray) -> np.ndarray:
    """The class number of each label; −1 for unknown ones."""
    if isinstance(names, np.ndarray):
        if len(names) > _MANY and len(hierarchy) * max(map(len, hierarchy.nodes)) < _MANY_CODES:
            from hiermeasures.batch.kernels.labels import look_up

            found: np.ndarray = look_up(_code_points(np.array(hierarchy.nodes)), _code_points(names))
            return found
        names = names.tolist()
    known = hierarchy.numbering
    try:
        numbers = np.fromiter(map(known.get, names, repeat(-1)), np.int64, len(names))
    except TypeError:
        for label in names:
            as_label(label)  # says which one is no name
        raise
    for k in np.flatnonzero(numbers < 0).tolist():
        if not isinstance(names[k], str):
            numbers[k] = known.get(as_label(names[k]), -1)
    return numbers


def _left_out(
    hierarchy: Hierarchy, names: list[Any] | np.ndarray, numbers: np.ndarray, rows: np.ndarray, named: int
) -> tuple[UnknownLabel, ...]:
    places = np.flatnonzero(numbers < 0)
    if not len(places):
        return ()
    instances = np.searchsorted(np.cumsum(rows), places, side="right").tolist()
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for k, instance in zip(places.tolist(), instances, strict=True):
        label = str(names[k])
        counts[label] += 1
        first.setdefault(label, instance)
    ordered = sorted(counts, key=lambda c: (-counts[c], first[c], c))
    return tuple(
        UnknownLabel(c, counts[c], first[c], nearest(c, hierarchy.nodes) if k < named else None)
        for k, c in enumerate(ordered)
    )


def _complaint(left_out: tuple[UnknownLabel, ...], name: str, called: Callable[[int], str] | None) -> str:
    u = left_out[0]
    where = called(u.first_instance) if called else f"instance {u.first_instance}"
    times = f", {u.count} times" if u.count > 1 else ""
    like = f"; nearest known: {shown(u.nearest)}" if u.nearest else ""
    rest = len(left_out) - 1
    more = f"; {rest} more unknown label{'s' * (rest > 1)}" if rest else ""
    return f"unknown class {shown(u.label)} in {name}, {where}{times}{like}{more}"


def _compressed(
    n_classes: int, rows: np.ndarray, numbers: np.ndarray, left_out: tuple[UnknownLabel, ...]
) -> EncodedLabels:
    """Rows of rising, distinct numbers, without the unknown ones."""
    n = len(rows)
    instance = np.repeat(np.arange(n, dtype=np.int64), rows)
    key = instance * n_classes + numbers
    if (numbers < 0).any():
        key = key[numbers >= 0]
    if len(key) > 1 and not (np.diff(key) > 0).all():
        key = distinct(key)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(key // n_classes, minlength=n))]).astype(np.int64)
    return EncodedLabels(ptr, (key % n_classes).astype(np.int32), left_out)


def unknown_in_words(labels: Sequence[UnknownLabel]) -> tuple[str, ...]:
    """A sentence about labels that were left out: how many, how often, the first few with the nearest class; none where
    there are none.
    """
    if not labels:
        return ()
    times = sum(u.count for u in labels)
    few = "; ".join(shown(u.label) + (f" (nearest: {shown(u.nearest)})" if u.nearest else "") for u in labels[:3])
    more = f"; and {len(labels) - 3} more" if len(labels) > 3 else ""
    return (
        f"{len(labels)} unknown label{'s' * (len(labels) != 1)}, {times} time{'s' * (times != 1)} in all, left out: "
        f"{few}{more}",
    )


def slices(total: int, size: int) -> Iterator[tuple[int, int]]:
    """Consecutive ranges of at most `size`."""
    for start in range(0, total, size):
        yield start, min(total, start + size)
