"""Read arrays of untrusted NPY, NPZ and Parquet files. Sizes are checked before memory is
allocated.

The readers unpickle no objects. Text in Parquet is read by its dictionary. The length of each value
times its occurrences is checked before the values are repeated.
"""

import math
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, BinaryIO

from hiermeasures.hierarchy.errors import InputError, cause, shown
from hiermeasures.read.label_rows import is_list
from hiermeasures.read.source import Source, size_in_words

NPY = b"\x93NUMPY"
NAME = 64  # bytes of a Python string beside its characters, with its place in a list
LONE = "matrix"  # the key of the array of an NPY file
# NumPy uses only these, and others unpack without a limit
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True)
class Header:
    """The shape and type of an array, read before it is unpacked."""

    shape: tuple[int, ...]
    dtype: Any

    def memory(self, per_cell: int) -> int:
        """Return the bytes that the array takes with the objects made of each cell. Rows of names
        become strings.
        """
        beside = NAME if len(self.shape) <= 1 else per_cell
        return math.prod(self.shape) * (int(self.dtype.itemsize) + beside)


class ArrayFile:
    """Arrays of an NPY or NPZ file by name. Opening the file reads only `headers`."""

    def __init__(self, stream: BinaryIO, source: Source) -> None:
        self._stream, self._source = stream, source
        self._archive: zipfile.ZipFile | None = None
        try:
            lone = stream.read(len(NPY)) == NPY
            stream.seek(0)
            if lone:
                self.headers = {LONE: self._header(stream)}
                return
            self._archive = zipfile.ZipFile(stream)
            self._members = {m.filename.removesuffix(".npy"): m for m in self._archive.infolist()}
            self.headers = {
                key: self._member_header(member) for key, member in self._members.items()
            }
        except InputError:
            raise
        except Exception as error:  # numpy and zipfile raise many kinds for damaged files
            raise self._damaged(error) from None

    def load(self, keys: Iterable[str], memory: int, per_cell: int = 4) -> dict[str, Any]:
        """Load the requested arrays that the file has.

        Raises
        ------
        InputError
            If all of them together would take more than `memory` bytes (each number plus
            `per_cell`), or if an array is damaged or of an unsupported type.
        """
        import numpy as np

        present = [key for key in keys if key in self.headers]
        size = sum(self.headers[key].memory(per_cell) for key in present)
        if size > memory:
            raise self._source.error(
                f"unpacks to {size_in_words(size)}, but the limit is {size_in_words(memory)}"
            )
        try:
            arrays = {}
            for key in present:
                with self._opened(key) as inside:
                    arrays[key] = _checked_text(
                        np.lib.format.read_array(inside, allow_pickle=False)
                    )
            return arrays
        except Exception as error:
            raise self._damaged(error) from None

    def _opened(self, key: str) -> AbstractContextManager[Any]:
        if self._archive is not None:
            return self._archive.open(self._members[key])
        self._stream.seek(0)
        return nullcontext(self._stream)

    def _member_header(self, member: zipfile.ZipInfo) -> Header:
        if member.compress_type not in _PLAIN:
            raise self._source.error(
                f"{shown(member.filename)} is packed in a way that NumPy does not use. Save the "
                "file with NumPy."
            )
        assert self._archive is not None
        with self._archive.open(member) as inside:
            return self._header(inside)

    def _header(self, stream: Any) -> Header:
        import numpy as np

        version = np.lib.format.read_magic(stream)
        read = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        shape, _, dtype = read(stream)
        if dtype.hasobject:
            raise self._source.error(
                "contains Python objects, which are not read. Save names as text arrays (dtype "
                "'U')."
            )
        if dtype.kind not in "biufcSU" or any(not 0 <= n < 2**62 for n in shape):
            raise self._source.error(
                f"contains an array of {shown(str(dtype), 40)} values, which is not read. Save "
                "numbers or text."
            )
        return Header(shape, dtype)

    def _damaged(self, error: Exception) -> InputError:
        reason = "it does not fit into memory" if isinstance(error, MemoryError) else cause(error)
        return self._source.error(
            f"not a NumPy archive that can be read, or incomplete or damaged ({reason})"
        )


def _checked_text(array: Any) -> Any:
    """Return the array. Raise InputError for text with numbers that are not characters."""
    import numpy as np

    if array.dtype.kind == "U":
        codes = (
            np.ascontiguousarray(array)
            .ravel()
            .view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
        )
        if codes.max(initial=0) > sys.maxunicode:
            raise ValueError("it contains numbers that are not characters")
    return array


# --- Parquet ------------------------------------------------------------------------------------

CELL = 8  # the fewest bytes of a cell
BY_PAGES: dict[str, Any] = {"buffer_size": 2**20, "pre_buffer": False}
"""Options of pyarrow's ParquetFile that keep memory low. `iter_batches` then loads some pages of a
row group. By default it reads the whole group first. A file that is mapped into memory would also
count as a worker's memory.
"""


def check_rows(file: Any, source: Source, groups: Sequence[int] | None = None) -> None:
    rows = sum(group.num_rows for group in _groups(file, groups))
    rows = max(rows, file.metadata.num_rows) if groups is None else rows
    if rows > source.limits.lines:
        raise source.error(f"has {rows:,} rows, but the limit is {source.limits.lines:,}")
    check_memory(file, source, source.limits.memory, groups=groups)


def check_memory(
    file: Any, source: Source, memory: int, per_cell: int = 0, groups: Sequence[int] | None = None
) -> None:
    """Refuse too much data. The estimate uses the file's sizes of row groups, plus `per_cell` bytes
    for each value.

    Metadata of columns is not read, because that crashes pyarrow (26) for some damaged files. So
    lists are counted after their row is read.
    """
    read = _groups(file, groups)
    cells = sum(group.num_rows * group.num_columns for group in read)
    size = max(sum(group.total_byte_size for group in read), cells * CELL) + cells * per_cell
    if size > memory:
        raise too_large(size, source, memory)


@contextmanager
def memory_given_back() -> Iterator[None]:
    """Return pyarrow's unused memory to the system. It is over a gigabyte after a large file."""
    try:
        yield
    finally:
        if pyarrow := sys.modules.get("pyarrow"):
            pyarrow.default_memory_pool().release_unused()


def _groups(file: Any, chosen: Sequence[int] | None = None) -> list[Any]:
    return [
        file.metadata.row_group(k)
        for k in (range(file.metadata.num_row_groups) if chosen is None else chosen)
    ]


def too_large(size: int, source: Source, memory: int) -> InputError:
    return source.error(
        f"unpacks to {size_in_words(size)}, but the limit is {size_in_words(memory)}"
    )


def text_columns(file: Any) -> list[str]:
    """Return the paths of the columns that pyarrow can read by their dictionary."""
    columns = [file.schema.column(k) for k in range(len(file.schema))]
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]


def memory_of(array: Any) -> int:
    """Return the bytes of an array without dictionary encoding."""
    import pyarrow.compute as compute
    from pyarrow import types

    if types.is_dictionary(array.type):
        lengths = compute.binary_length(array.dictionary).cast("int64")
        values, counts = compute.value_counts(array.indices.drop_null()).flatten()
        return int(
            compute.sum(compute.multiply(lengths.take(values), counts)).as_py() or 0
        ) + CELL * len(array)
    if is_list(array.type):
        return memory_of(array.flatten()) + CELL * len(array)
    return max(int(array.nbytes), CELL * len(array))
