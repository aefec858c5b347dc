"""Arrays and a few words about them as bytes that are safe to read wherever they come from.

    "hiermeasures", version, kind, two lengths | words (JSON) | names, types and lengths of the arrays (JSON) |
    the arrays, one after another, little-endian | a check of all that (BLAKE2b, 16 bytes)

Nothing that is read is run, and what reading needs of memory is bounded by the number of bytes. What the words and the
arrays mean is known to those who write them: they check all that they read.
"""

import json
import math
import struct
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hiermeasures.errors import InputError, shown

MAGIC = b"hiermeasures"
VERSION = 1
"""Of the bytes. Another number as soon as something is written otherwise, or a number that is written means another
thing.
"""
CHECK = 16  # bytes
MOST_PARTS = 64  # floats of an exact sum: more than the 40 that can be needed

_HEAD = struct.Struct("<12sH8sII")
_Type = Literal["u1", "u2", "u4", "u8", "i4", "i8", "f8"]
_ARRAYS = TypeAdapter(tuple[tuple[str, _Type, Annotated[int, Field(ge=0, lt=2**40)]], ...])
Words = TypeVar("Words", bound="PackedWords")

LARGEST_PART = 1e300
MOST_COUNTED = 2**53
"""Both leave room: thousands of such results, which someone made up, join without an overflow."""

Count = Annotated[int, Field(ge=0, lt=2**63)]
Instances = Annotated[int, Field(ge=0, lt=MOST_COUNTED)]
Exact = Annotated[tuple[float, ...], Field(max_length=MOST_PARTS)]
"""An exact sum: see hiermeasures.batch.exact."""


class PackedWords(BaseModel):
    """What is said beside the arrays; each kind declares its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Packed(NamedTuple):
    """What was read, before it is understood; `check` is the same for equal bytes, and differs for others."""

    kind: str
    words: bytes
    arrays: Mapping[str, np.ndarray]
    check: bytes


def pack(kind: str, words: PackedWords, arrays: Mapping[str, np.ndarray]) -> bytes:
    """The bytes of some arrays of numbers, one-dimensional."""
    written = {name: np.ascontiguousarray(a, a.dtype.newbyteorder("<")) for name, a in arrays.items()}
    table = json.dumps([(name, f"{a.dtype.kind}{a.itemsize}", a.size) for name, a in written.items()]).encode()
    said = words.model_dump_json().encode()
    head = _HEAD.pack(MAGIC, VERSION, kind.encode(), len(said), len(table))
    content = b"".join([head, said, table, *(a.tobytes() for a in written.values())])
    return content + blake2b(content, digest_size=CHECK).digest()


def unpack(data: bytes | bytearray | memoryview) -> Packed:
    """What `pack` wrote.

    Raises
    ------
    InputError
        For anything else, and for bytes that were cut or changed.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(f"a partial result is read from bytes, not from {type(data).__name__}")
    view = memoryview(data)
    view = memoryview(view if view.contiguous else view.tobytes()).cast("B")
    if view[: len(MAGIC)] != MAGIC:
        raise InputError("these bytes are no partial result of hiermeasures")
    if len(view) < _HEAD.size + CHECK:
        broken("they end too early")
    _, version, kind, n_words, n_table = _HEAD.unpack_from(view)
    if version != VERSION:
        raise InputError(f"the partial result has version {version} of its format; this release reads {VERSION}")
    content, seal = view[:-CHECK], bytes(view[-CHECK:])
    if blake2b(content, digest_size=CHECK).digest() != seal:
        broken("they were cut or changed on their way")
    place = _HEAD.size + n_words
    try:
        table = _ARRAYS.validate_json(bytes(content[place : place + n_table]))
    except ValidationError:
        broken("the list of their arrays cannot be read")
    name = kind.rstrip(b"\0").decode("ascii", "replace")
    return Packed(name, bytes(content[_HEAD.size : place]), _arrays(table, content[place + n_table :]), seal)


def _arrays(table: tuple[tuple[str, _Type, int], ...], content: memoryview) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    start = 0
    for name, kind, size in table:
        stop = start + size * int(kind[1])
        if stop > len(content) or name in arrays:
            broken("their arrays do not fit")
        arrays[name] = np.frombuffer(content[start:stop], f"<{kind}")
        start = stop
    if start != len(content):
        broken("their arrays do not fit")
    return arrays


def read_words(words: type[Words], packed: Packed) -> Words:
    """The words, checked against their declaration."""
    try:
        return words.model_validate_json(packed.words)
    except ValidationError as error:
        first = error.errors()[0]
        broken(f"{'.'.join(map(str, first['loc'])) or 'what they say'} cannot be read")


def broken(why: str) -> NoReturn:
    """Refuse bytes that no release wrote."""
    raise InputError(f"the bytes of a partial result are damaged: {shown(why, 200)[1:-1]}")


def narrowed(numbers: np.ndarray) -> np.ndarray:
    """The same counts in the smallest type that holds them."""
    most = int(numbers.max(initial=0))
    return numbers.astype(
        np.uint8 if most < 2**8 else np.uint16 if most < 2**16 else np.uint32 if most < 2**32 else np.uint64
    )


def bytes_of_integers(numbers: Iterable[int], width: int) -> np.ndarray:
    """Python's integers, of either sign, in so many bytes each."""
    return np.frombuffer(b"".join(n.to_bytes(width, "little", signed=True) for n in numbers), np.uint8)


def integers_of_bytes(packed: Packed, name: str, width: int, shape: tuple[int, ...]) -> np.ndarray:
    """What `bytes_of_integers` wrote, as an array of Python's integers."""
    count = math.prod(shape)
    array = packed.arrays.get(name, np.zeros(0))
    check(array.dtype == np.uint8 and len(array) == width * count, "sums are missing")
    data = array.tobytes()
    found = np.empty(count, object)
    found[:] = [int.from_bytes(data[k : k + width], "little", signed=True) for k in range(0, len(data), width)]
    return found.reshape(shape)


def check(fits: Any, what: str) -> None:
    """Refuse what does not hold of what was read."""
    if not fits:
        broken(what)


def check_rows(ptr: np.ndarray, idx: np.ndarray, n: int, classes: int) -> None:
    """Refuse what is no n compressed rows of rising class numbers."""
    check(ptr.dtype == np.int64 and idx.dtype == np.int32 and len(ptr) == n + 1, "rows are missing")
    check(ptr[0] == 0 and ptr[-1] == len(idx) and (ptr[1:] >= ptr[:-1]).all(), "rows do not fit")
    if len(idx):
        check(idx.min() >= 0 and idx.max() < classes, "a class is out of range")
        begins = np.zeros(len(idx) + 1, bool)
        begins[ptr] = True
        check((begins[1:-1] | (idx[1:] > idx[:-1])).all(), "classes are not in order")


def is_finite_sum(parts: Exact) -> bool:
    """Whether an exact sum is a number, and stays one when it is joined with others."""
    return all(abs(part) <= LARGEST_PART for part in parts)
