"""Operations on columns of numbers that build a hierarchy.

Short columns are lists. Long columns are NumPy arrays, if NumPy is installed. `Lists` and `Arrays`
have equal operations, so one builder (edge_rows.py) uses both.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, MutableSequence, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import accumulate, repeat
from operator import add
from typing import Any

Column = Any  # a list, or a NumPy array of 64 bits a number

LONG = 20_000
"""The number of edges from which arrays are faster, including the import of NumPy (0.1 s)."""


class Lists:
    """Operations on columns that are lists."""

    @staticmethod
    def column(values: Sequence[Any]) -> list[Any]:
        return values if isinstance(values, list) else list(values)

    as_list = column

    @staticmethod
    def packed(kind: str, values: Iterable[Any]) -> "array[Any]":
        """Return an array of the standard library. `kind` is "i" for integers or "d" for floats."""
        return array(kind, values)

    @staticmethod
    def extended(values: list[Any], more: Sequence[Any]) -> list[Any]:
        return [*values, *more]

    @staticmethod
    def take(values: Sequence[Any], places: Iterable[int]) -> list[Any]:
        """Return the values at some positions."""
        return list(map(values.__getitem__, places))

    @staticmethod
    def order(keys: Sequence[int]) -> list[int]:
        """Return the positions of the keys in rising order. Equal keys keep their order."""
        return sorted(range(len(keys)), key=keys.__getitem__)

    @staticmethod
    def places(order: Sequence[int]) -> list[int]:
        """Return the position of each number in an order of the numbers 0, 1, …"""
        place = [0] * len(order)
        for k, i in enumerate(order):
            place[i] = k
        return place

    @staticmethod
    def sizes(n: int, keys: Iterable[int]) -> list[int]:
        """Return the number of occurrences of each key from 0 to n - 1."""
        return list(map(Counter(keys).get, range(n), repeat(0)))

    @staticmethod
    def ends(sizes: Iterable[int]) -> list[int]:
        """Return 0 and the end of each run, from the sizes of the runs."""
        return list(accumulate(sizes, initial=0))

    @staticmethod
    def zeros(values: Iterable[int]) -> list[int]:
        """Return the positions of zeros."""
        return [k for k, value in enumerate(values) if not value]

    @staticmethod
    def distinct_pairs(n: int, some: list[int], others: list[int]) -> int:
        """Return the number of different pairs of numbers below n."""
        if len(set(others)) == len(others):
            return len(others)
        return len(set(map(add, map(n.__mul__, some), others)))  # faster than pairs

    @staticmethod
    def rows(ptr: Sequence[int], values: Sequence[int], some: Iterable[int]) -> list[int]:
        """Return the values of some compressed rows, one row after another."""
        return [value for i in some for value in values[ptr[i] : ptr[i + 1]]]

    @staticmethod
    def count_down(left: MutableSequence[int], reached: Iterable[int]) -> list[int]:
        """Subtract 1 at each position. Return the positions that reach 0."""
        done = []
        for i in reached:
            left[i] -= 1
            if not left[i]:
                done.append(i)
        return done

    @staticmethod
    def fill(values: MutableSequence[int], places: Iterable[int], value: int) -> None:
        for i in places:
            values[i] = value


class Arrays:
    """Operations on columns that are NumPy arrays. `Lists` describes them."""

    def __init__(self) -> None:
        import numpy as np

        self.np = np

    def column(self, values: Any) -> Any:
        found = self.np.asarray(values, None if len(values) else self.np.int64)
        return found.astype(self.np.int64, copy=False) if found.dtype.kind == "i" else found

    @staticmethod
    def as_list(values: Any) -> list[Any]:
        return list(values.tolist())

    def packed(self, kind: str, values: Any) -> "array[Any]":
        column: array[Any] = array(kind)
        column.frombytes(self.np.ascontiguousarray(values, kind).tobytes())
        return column

    def extended(self, values: Any, more: Any) -> Any:
        return self.np.append(values, self.column(more))

    @staticmethod
    def take(values: Any, places: Any) -> Any:
        return values[places]

    def order(self, keys: Any) -> Any:
        return self.np.argsort(keys, kind="stable")

    def places(self, order: Any) -> Any:
        place = self.np.empty_like(order)
        place[order] = self.np.arange(len(order))
        return place

    def sizes(self, n: int, keys: Any) -> Any:
        return self.np.bincount(keys, minlength=n)

    def ends(self, sizes: Any) -> Any:
        return self.np.append(0, self.np.cumsum(sizes))

    def zeros(self, values: Any) -> Any:
        return self.np.flatnonzero(values == 0)

    def distinct_pairs(self, n: int, some: Any, others: Any) -> int:
        keys = self.np.sort(some * n + others)
        return len(keys) - int(self.np.count_nonzero(keys[1:] == keys[:-1]))

    def rows(self, ptr: Any, values: Any, some: Any) -> Any:
        sizes = ptr[some + 1] - ptr[some]
        ends = self.np.cumsum(sizes)
        steps = self.np.arange(ends[-1]) if len(ends) else ends
        return values[steps + self.np.repeat(ptr[some] - (ends - sizes), sizes)]

    def count_down(self, left: Any, reached: Any) -> Any:
        some, times = self.np.unique(reached, return_counts=True)
        left[some] -= times
        return some[left[some] == 0]

    @staticmethod
    def fill(values: Any, places: Any, value: int) -> None:
        values[places] = value


@cache
def arrays() -> Arrays | None:
    """Return the operations on arrays, or None if NumPy is not installed."""
    return Arrays() if find_spec("numpy") else None


def operations_for(n: int) -> Any:
    """Return the operations that are faster for columns of n edges."""
    return (n >= LONG and arrays()) or Lists


def operations_on(column: Column) -> Any:
    """Return the operations for a column."""
    return Lists if isinstance(column, (list, tuple, array)) else arrays()
