"""Label sets of many instances as arrays. Labels have this form between a file and a kernel.

The labels need not be classes of a hierarchy. Columns of Arrow become rows without a Python object
for each cell.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, overload

import numpy as np


@dataclass(frozen=True, eq=False, repr=False)
class LabelRows(Sequence[frozenset[str]]):
    """A sequence of label sets, stored as compressed rows of name numbers.

    Instance k has the names with the numbers `idx[ptr[k]:ptr[k + 1]]` (ptr int64, idx int32). A
    name can occur twice.

    >>> rows = LabelRows(("A", "B"), np.array([0, 2, 2]), np.array([1, 0], np.int32))
    >>> rows[1], len(rows), rows == (frozenset("AB"), frozenset())
    (frozenset(), 2, True)
    """

    names: tuple[str, ...]
    ptr: np.ndarray
    idx: np.ndarray

    @classmethod
    def of(cls, cells: Iterable[Iterable[str]]) -> "LabelRows":
        """Return the rows of lists or sets of labels, one per instance."""
        place: dict[str, int] = {}
        rows = [[place.setdefault(label, len(place)) for label in cell] for cell in cells]
        sizes = np.fromiter(map(len, rows), np.int64, len(rows))
        idx = np.fromiter(chain.from_iterable(rows), np.int32)
        return cls(tuple(place), np.append(0, np.cumsum(sizes)), idx)

    def __len__(self) -> int:
        return len(self.ptr) - 1

    @overload
    def __getitem__(self, place: int) -> frozenset[str]: ...
    @overload
    def __getitem__(self, place: slice) -> "LabelRows": ...
    def __getitem__(self, place: int | slice) -> "frozenset[str] | LabelRows":
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        k = range(len(self))[place]
        return frozenset(
            map(self.names.__getitem__, self.idx[self.ptr[k] : self.ptr[k + 1]].tolist())
        )

    def __iter__(self) -> Iterator[frozenset[str]]:
        name = self.names.__getitem__
        ends = self.ptr.tolist()
        for start, end in zip(ends, ends[1:], strict=False):
            yield frozenset(map(name, self.idx[start:end].tolist()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (LabelRows, tuple, list)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"LabelRows({len(self):,} instances)"

    def take(self, instances: np.ndarray) -> "LabelRows":
        """Return the rows of these instances, in this order. −1 means an instance without labels."""
        starts = self.ptr[instances]
        sizes = np.where(instances < 0, 0, self.ptr[instances + 1] - starts)
        ptr = np.concatenate([[0], np.cumsum(sizes)])
        return LabelRows(self.names, ptr, self.idx[runs(starts, sizes)])

    def without_repeats(self) -> "LabelRows":
        """Return rows in which each name occurs once."""
        instance = np.repeat(np.arange(len(self)), np.diff(self.ptr))
        key = distinct(instance * len(self.names) + self.idx)
        ends = np.searchsorted(key, np.arange(len(self) + 1) * len(self.names))
        return LabelRows(self.names, ends, (key % len(self.names)).astype(np.int32))


def runs(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the numbers of several ranges, one after another.

    >>> runs(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    return np.asarray(
        np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    )


def distinct(numbers: np.ndarray) -> np.ndarray:
    """Return different numbers in rising order. They are sorted, because np.unique is slower here."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=ordered[:1] - 1) > 0]


# --- columns of Arrow ---------------------------------------------------------------------------


def is_arrow_column(given: Any) -> bool:
    """Return True for an array of pyarrow, without importing pyarrow."""
    return type(given).__module__.partition(".")[0] == "pyarrow" and hasattr(given, "type")


def read_arrow_column(column: Any) -> LabelRows | None:
    """Return the labels of an Arrow column, each different one once. Return None if they are not
    text.
    """
    from pyarrow import compute, types

    if hasattr(column, "combine_chunks"):
        column = column.combine_chunks()
    if is_list(column.type):
        sizes, flat = (
            compute.fill_null(compute.list_value_length(column), 0),
            compute.list_flatten(column),
        )
    else:
        column = (
            compute.if_else(compute.equal(column, ""), None, column)
            if _is_text(column.type)
            else column
        )
        sizes, flat = compute.cast(compute.is_valid(column), "int32"), column.drop_null()
    coded = flat.dictionary_encode() if _is_text(flat.type) else flat
    if (
        not types.is_dictionary(coded.type)
        or not _is_text(coded.type.value_type)
        or coded.null_count
    ):
        return None
    names = tuple(coded.dictionary.to_pylist())
    if None in names or "" in names:
        return None
    ptr = np.zeros(len(column) + 1, np.int64)
    np.cumsum(sizes.to_numpy(zero_copy_only=False), out=ptr[1:])
    return LabelRows(names, ptr, coded.indices.to_numpy(zero_copy_only=False))


def is_list(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_list(kind) or types.is_large_list(kind))


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))
