"""How much a Parquet file from a stranger takes in memory, found out before it does.

Text is read by its dictionary, each different value once, and its length times its occurrences is counted before it is
repeated. What the columns mean is the business of those who read them.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hiermeasures.errors import InputError
from hiermeasures.io.source import Limits, Source, size_in_words

CELL = 8  # bytes that any cell takes at the least
BY_PAGES: dict[str, Any] = {"buffer_size": 2**20, "pre_buffer": False}
"""For pyarrow's ParquetFile, whose `iter_batches` then holds some pages of a row group. By default it reads all of one
first, and a file that is mapped into memory counts as a worker's, too.
"""


def check_rows(file: Any, source: Source, limits: Limits, groups: Sequence[int] | None = None) -> None:
    """Refuses too many rows, and too much data; of some row groups, or of all."""
    rows = sum(group.num_rows for group in _groups(file, groups))
    rows = max(rows, file.metadata.num_rows) if groups is None else rows
    if rows > limits.lines:
        raise source.error(f"has {rows:,} rows; at most {limits.lines:,} are read here")
    check_memory(file, source, limits.memory, groups=groups)


def check_memory(
    file: Any, source: Source, memory: int, per_cell: int = 0, groups: Sequence[int] | None = None
) -> None:
    """Refuses too much data, by what the file says of its row groups, with `per_cell` bytes beside each value.

    What it says of their columns is not asked: for some damaged files pyarrow (26) ends the process then. So the values
    of a row that holds a list are counted after the row is read.
    """
    read = _groups(file, groups)
    cells = sum(group.num_rows * group.num_columns for group in read)
    size = max(sum(group.total_byte_size for group in read), cells * CELL) + cells * per_cell
    if size > memory:
        raise too_large(size, source, memory)


@contextmanager
def memory_given_back() -> Iterator[None]:
    """At the end the system gets back what pyarrow keeps of the memory that it no longer uses: after a large file more
    than a gigabyte.
    """
    try:
        yield
    finally:
        if pyarrow := sys.modules.get("pyarrow"):
            pyarrow.default_memory_pool().release_unused()


def _groups(file: Any, chosen: Sequence[int] | None = None) -> list[Any]:
    return [file.metadata.row_group(k) for k in (range(file.metadata.num_row_groups) if chosen is None else chosen)]


def too_large(size: int, source: Source, memory: int) -> InputError:
    """The error for what would take this many bytes."""
    return source.error(f"unpacks to {size_in_words(size)}; up to {size_in_words(memory)} are read")


def text_columns(file: Any) -> list[str]:
    """The paths of the columns that pyarrow can read by their dictionary."""
    columns = [file.schema.column(k) for k in range(len(file.schema))]
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]


def memory_of(array: Any) -> int:
    """The bytes of an array once every value stands for itself."""
    import pyarrow.compute as compute
    from pyarrow import types

    if types.is_dictionary(array.type):
        lengths = compute.binary_length(array.dictionary).cast("int64")
        values, counts = compute.value_counts(array.indices.drop_null()).flatten()
        return int(compute.sum(compute.multiply(lengths.take(values), counts)).as_py() or 0) + CELL * len(array)
    if types.is_list(array.type) or types.is_large_list(array.type):
        return memory_of(array.flatten()) + CELL * len(array)
    return max(int(array.nbytes), CELL * len(array))


def as_python(array: Any) -> list[Any]:
    """The values as Python's, each different text once."""
    from pyarrow import types

    if types.is_dictionary(array.type):
        if len(array.dictionary) > len(array):  # that of many batches
            array = array.dictionary.take(array.indices).dictionary_encode()
        values = array.dictionary.to_pylist()
        return [None if k is None else values[k] for k in array.indices.to_pylist()]
    if types.is_list(array.type) or types.is_large_list(array.type):
        values, ends = as_python(array.values), array.offsets.to_pylist()
        there = array.is_valid().to_pylist()
        return [values[ends[k] : ends[k + 1]] if there[k] else None for k in range(len(there))]
    found: list[Any] = array.to_pylist()
    return found
