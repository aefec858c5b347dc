"""Arrays of NPY and NPZ files from strangers: every header is looked at first, and nothing is unpacked that would not
fit into memory. Nothing is unpickled.

What the arrays mean is the business of those who ask for them.
"""

import math
import sys
import zipfile
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.io.source import Source, size_in_words

NPY = b"\x93NUMPY"
NAME = 64  # bytes of a Python string beside its characters, with its place in a list
LONE = "matrix"  # the key of the array of an NPY file
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # NumPy writes no other, and others unpack without a bound


@dataclass(frozen=True)
class Header:
    """What an array says of itself before it is unpacked."""

    shape: tuple[int, ...]
    dtype: Any

    def memory(self, per_cell: int) -> int:
        """The bytes that it takes: its own, and what is made of each cell; a row of names becomes strings."""
        beside = NAME if len(self.shape) <= 1 else per_cell
        return math.prod(self.shape) * (int(self.dtype.itemsize) + beside)


class ArrayFile:
    """The arrays of an NPY or NPZ file by name. `headers` are read at once, arrays when they are loaded."""

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
            self.headers = {key: self._member_header(member) for key, member in self._members.items()}
        except InputError:
            raise
        except Exception as error:  # numpy and zipfile raise many kinds for damaged files
            raise self._damaged(error) from None

    def load(self, keys: Iterable[str], memory: int, per_cell: int = 4) -> dict[str, Any]:
        """The arrays of these names, as far as there are any.

        Raises
        ------
        InputError
            Where all of them together would take more than `memory` bytes, with `per_cell` beside each number; for an
            array that is damaged or of no plain kind.
        """
        import numpy as np

        present = [key for key in keys if key in self.headers]
        size = sum(self.headers[key].memory(per_cell) for key in present)
        if size > memory:
            raise self._source.error(f"unpacks to {size_in_words(size)}; up to {size_in_words(memory)} are read")
        try:
            arrays = {}
            for key in present:
                with self._opened(key) as inside:
                    arrays[key] = _checked_text(np.lib.format.read_array(inside, allow_pickle=False))
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
            raise self._source.error(f"{shown(member.filename)} is packed in a way that NumPy does not write")
        assert self._archive is not None
        with self._archive.open(member) as inside:
            return self._header(inside)

    def _header(self, stream: Any) -> Header:
        import numpy as np

        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
        if dtype.hasobject:
            raise self._source.error("holds Python objects, which are not read; save names as text arrays (dtype 'U')")
        if dtype.kind not in "biufcSU" or any(not 0 <= n < 2**62 for n in shape):
            raise self._source.error(f"holds an array of {shown(str(dtype), 40)} values, which is not read")
        return Header(shape, dtype)

    def _damaged(self, error: Exception) -> InputError:
        reason = "it does not fit into memory" if isinstance(error, MemoryError) else shown(str(error), 100)
        return self._source.error(f"no NumPy archive that can be read, or it is cut short or damaged ({reason})")


def _checked_text(array: Any) -> Any:
    """The array; one of text with numbers that are no characters cannot be made into Python's text."""
    import numpy as np

    if array.dtype.kind == "U":
        codes = np.ascontiguousarray(array).ravel().view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
        if codes.max(initial=0) > sys.maxunicode:
            raise ValueError("it holds numbers that are no characters")
    return array
