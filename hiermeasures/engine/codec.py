"""Partial results of every kind, joined, and as bytes that are safe to read wherever they are from.

    "hiermeasures", version (2 bytes), a check of the rest (BLAKE2b, 16 bytes) | an NPZ archive

An array of the archive is called as the kind and holds JSON, the others what the JSON names in
their places: whole numbers without a sign, in the smallest type that holds them. A kind declares
its fields once, as a dataclass: pydantic checks types and bounds, and the classes below shapes and
bounds of arrays (`Counts`, `Classes`, `Integers`). Nothing that is read is run, and reading needs
memory in proportion to the length of the bytes and to the hierarchy.
"""

import io
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from importlib import import_module
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import PydanticSerializationError, core_schema

from hiermeasures.core.errors import InputError, shown
from hiermeasures.engine.exact import DIGIT, MOST_COUNTED, PLACES, parts_of, sum_of_few

VERSION = 3
"""Of the bytes: another as soon as a field changes, or a number that is written means otherwise."""
_MAGIC = b"hiermeasures"
_HEAD = struct.Struct("<12sH16s")
_DAMAGED = "the bytes of a partial result are damaged"

# Where each kind is declared. An object that joins is `sent` as that dataclass, and `received`
# gives it back.
_KINDS = {"report": ("hiermeasures.engine.partials", "SentReport"), "cafa": ("hiermeasures.cafa.sums", "CafaPartial")}


T = TypeVar("T")


def merge(partials: Iterable[T]) -> T:
    """The partial result of all the instances that some partial results are of.

    The order does not matter, and any of them may have been joined before. Results do not know
    which instances they are of: what is given twice counts twice.

    Parameters
    ----------
    partials : iterable of PartialReport, or of CafaPartial
        At least one; an iterator is taken one by one, so that no more than two are in memory.

    Raises
    ------
    InputError
        Where there is none, and for results of another hierarchy, other measures, options,
        definitions or another average; the message says which.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, merge, partial
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> merge(partial(h, [{true}], [{"B"}], measures="accuracy") for true in "BC").report()["accuracy"]
    0.5
    """
    found: T | None = None
    for each in partials:
        if _kind(each) != _kind(each if found is None else found):
            raise InputError("partial results of different kinds cannot be joined")
        found = each if found is None else found + each  # type: ignore[operator]
    if found is None:
        raise InputError("there are no partial results to merge")
    return found


def to_bytes(partial: Any) -> bytes:
    """A partial result as bytes, for `from_bytes` on another machine or another day.

    They hold sums, the labels of a few instances at most, names of measures, options, and the
    fingerprint of the hierarchy, but not the hierarchy; for each class that occurs ten to twenty
    bytes. Nothing in them is run when they are read.

    Raises
    ------
    InputError
        For what no partial result is, and for one that `from_bytes` would refuse.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, from_bytes, partial, to_bytes
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> data = to_bytes(partial(h, [{"B"}], [{"C"}], measures="hF"))
    >>> from_bytes(h, data).report()["hF"]
    0.5
    """
    kind = _kind(partial)
    parts, model = Parts(None, {}), _model(kind)
    with _refusing("the partial result cannot be written"):
        words = model.model_construct(sums=partial.sent()).model_dump_json(context=parts).encode()
        model.model_validate_json(words, context=Parts(parts.known, parts.arrays.copy()))
    archive = io.BytesIO()
    np.savez(archive, **{kind: np.frombuffer(words, np.uint8)}, **parts.arrays)  # type: ignore[arg-type]
    content = archive.getvalue()
    return _HEAD.pack(_MAGIC, VERSION, blake2b(content, digest_size=16).digest()) + content


def from_bytes(hierarchy: Any, data: bytes | bytearray | memoryview) -> Any:
    """The partial result that `to_bytes` wrote.

    Parameters
    ----------
    hierarchy : Hierarchy, or Ontology
        The one of the partial result, or an equal one; CAFA's results are of an ontology.
    data : bytes
        From anywhere: all of it is checked, nothing is run, and reading needs memory in proportion
        to its length and to the hierarchy.

    Raises
    ------
    InputError
        For bytes that are no partial result, were cut or changed, are of another hierarchy, or come
        from a release that wrote another version of the format or counts other things.
    """
    return from_packed(hierarchy, unpack(data))


class Packed(NamedTuple):
    """Arrays not understood yet; `check` is the same for equal bytes, another for others."""

    kind: str
    arrays: Mapping[str, np.ndarray]
    check: bytes


def unpack(data: bytes | bytearray | memoryview) -> Packed:
    """The kind and the arrays of some bytes. InputError for others than `to_bytes` writes."""
    from hiermeasures.formats.bounded import ArrayFile
    from hiermeasures.formats.source import Source

    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(f"a partial result is read from bytes, not from {type(data).__name__}")
    content = bytes(data)
    if not content.startswith(_MAGIC):
        raise InputError("these bytes are no partial result of hiermeasures")
    if len(content) < _HEAD.size:
        raise InputError(f"{_DAMAGED}: they end too early")
    _, version, seal = _HEAD.unpack_from(content)
    if version != VERSION:
        raise InputError(f"the partial result has version {version} of its format; this release reads {VERSION}")
    archive = content[_HEAD.size :]
    with _refusing(_DAMAGED):
        check(blake2b(archive, digest_size=16).digest() == seal, "they were cut or changed on their way")
        file = ArrayFile(io.BytesIO(archive), Source(_DAMAGED))
        size = sum(math.prod(header.shape) * header.dtype.itemsize for header in file.headers.values())
        check(size <= len(archive), "their arrays do not fit")
        kinds = [kind for kind in _KINDS if kind in file.headers]
        check(len(kinds) == 1, "what they are of is not known")
        return Packed(kinds[0], file.load(file.headers, 2**62), seal)


def from_packed(hierarchy: Any, packed: Packed) -> Any:
    """The partial result in bytes that are unpacked already."""
    arrays = dict(packed.arrays)
    words = arrays.pop(packed.kind)
    with _refusing(_DAMAGED):
        check(words.dtype == np.uint8, "their head cannot be read")
        parts = Parts(hierarchy, arrays)
        found: Any = _model(packed.kind).model_validate_json(words.tobytes(), context=parts)
        check(not parts.arrays, "they have arrays of which nothing is said")
        return found.sums.received()


def _kind(result: Any) -> str:
    kind: str = getattr(type(result), "partial_kind", "")
    if kind not in _KINDS:
        raise InputError(f"a partial result is needed, such as `partial` makes, not {type(result).__name__}")
    return kind


@cache
def _model(kind: str) -> type[BaseModel]:
    module, name = _KINDS[kind]
    strict = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
    declared: Any = getattr(import_module(module), name)
    return create_model(kind, __config__=strict, sums=(declared, ...))


# --- refusing -------------------------------------------------------------------------------------


class _Unfit(ValueError):
    """A relation that does not hold in what was read."""


def check(fits: Any, what: str) -> None:
    """Refuse what does not hold of what was read; the reader says of what."""
    if not fits:
        raise _Unfit(what)


@contextmanager
def _refusing(of: str) -> Iterator[None]:
    """Raise what a declaration refuses as an InputError that says where."""
    try:
        yield
    except _Unfit as error:
        raise InputError(f"{of}: {error}") from None
    except PydanticSerializationError:
        raise InputError(f"{of}: a name in it is no text that UTF-8 can hold, or a number too large") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, InputError):
            raise cause from None
        place = shown(".".join(map(str, first["loc"][1:])) or "what they say", 200)[1:-1]
        raise InputError(f"{of}: {cause or f'{place} cannot be read'}") from None


# --- declaring ------------------------------------------------------------------------------------

Count = Annotated[int, Field(ge=0, lt=2**63)]
InstanceCount = Annotated[int, Field(ge=0, lt=MOST_COUNTED)]


class _Exact:
    """An exact sum as up to 64 floats (40 suffice) of at most 1e300, so no sum overflows."""

    def __get_pydantic_core_schema__(self, *_: Any) -> Any:
        part = core_schema.float_schema(ge=-1e300, le=1e300, allow_inf_nan=False)
        return core_schema.no_info_after_validator_function(
            sum_of_few,
            core_schema.list_schema(part, max_length=64),
            serialization=core_schema.plain_serializer_function_ser_schema(parts_of),
        )


ExactSum = Annotated[Fraction, _Exact()]


@dataclass(eq=False)
class Parts:
    """The arrays of a partial result that are not read yet, what is given to read it with (`known`:
    it is that), and the sizes that are known so far.
    """

    given: Any
    arrays: dict[str, np.ndarray]
    sizes: dict[str, int] = field(default_factory=dict)
    known: Any = None

    def fit(self, axes: str, shape: tuple[int, ...]) -> None:
        """Refuse a shape that is not of these axes; a name that is new takes its size."""
        expected = axes.split()
        check(len(expected) == len(shape), "an array is of another shape")
        for axis, size in zip(expected, shape, strict=True):
            known = int(axis) if axis.isdecimal() else self.sizes.setdefault(axis, size)
            check(size == known, f"an array has {size:,} {axis}, not {known:,}")

    def number(self, most: str | int) -> int:
        """A number, or that of a name."""
        check(isinstance(most, int) or most in self.sizes, f"{most} cannot be read")
        return most if isinstance(most, int) else self.sizes[most]


@dataclass(frozen=True)
class Named:
    """A field whose number, or one that follows from it, others name for shapes and bounds."""

    name: str
    number: Callable[[Any], int] = int

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        def named(value: Any, info: Any) -> Any:
            info.context.sizes[self.name] = self.number(value)
            return value

        return core_schema.with_info_after_validator_function(named, handler(source))


def _schema(written: Callable[[Any, Any], Any], read: Callable[[Any, Any], Any]) -> Any:
    """The schema of a field, of two functions of it and of what has `Parts` as its context."""
    serialization = core_schema.plain_serializer_function_ser_schema(written, info_arg=True)
    return core_schema.with_info_plain_validator_function(read, serialization=serialization)


class Of:
    """A field with the hierarchy or the ontology, of which only the fingerprint is written."""

    def __get_pydantic_core_schema__(self, source: Any, _: Any) -> Any:
        what = source.__name__.lower()

        def written(of: Any, info: Any) -> str:
            info.context.known = of
            return str(of.fingerprint)

        def read(fingerprint: object, info: Any) -> Any:
            given = info.context.given
            if not isinstance(given, source):
                raise InputError(f"this partial result is read with its {what}, not with {type(given).__name__}")
            if fingerprint != given.fingerprint:
                raise InputError(f"the partial result is of another {what} than the one given")
            info.context.known = given
            return given

        return _schema(written, read)


@dataclass(frozen=True)
class Counts:
    """An array of whole numbers from 0 to `most`; this and axes ("3 thresholds") may be names."""

    axes: str
    most: str | int = MOST_COUNTED - 1

    def __get_pydantic_core_schema__(self, *_: Any) -> Any:
        def written(array: np.ndarray, info: Any) -> str:
            arrays = info.context.arrays
            arrays[name := str(len(arrays))] = self._packed(array, info.context)
            return name

        def read(name: Any, info: Any) -> np.ndarray:
            check(isinstance(name, str) and name in info.context.arrays, "an array is missing")
            array = info.context.arrays.pop(name)
            check(array.dtype.kind == "u", "an array holds no counts")
            return self._checked(array, info.context)

        return _schema(written, read)

    def _packed(self, array: np.ndarray, parts: Parts) -> np.ndarray:
        check(array.min(initial=0) >= 0, "a count is negative")
        return array.astype(np.min_scalar_type(int(array.max(initial=0))))

    def _checked(self, array: np.ndarray, parts: Parts) -> np.ndarray:
        parts.fit(self.axes, array.shape)
        check(int(array.max(initial=0)) <= parts.number(self.most), "a count is too large")
        return array.astype(np.int64)


@dataclass(frozen=True)
class Integers(Counts):
    """An array of Python's integers, of either sign, as bytes along a last axis of its own. With
    `most` each is the sum of at most so many numbers from 0 to 1 that `summed` gives.
    """

    most: str | int = -1
    widest: ClassVar = 256  # bytes of a number

    def _packed(self, array: np.ndarray, parts: Parts) -> np.ndarray:
        width = max((n.bit_length() for n in array.flat), default=0) // 8 + 1
        data = b"".join(n.to_bytes(width, "little", signed=True) for n in array.flat)
        return np.frombuffer(data, np.uint8).reshape(*array.shape, width)

    def _checked(self, array: np.ndarray, parts: Parts) -> np.ndarray:
        check(array.dtype == np.uint8 and array.ndim and 0 < array.shape[-1] <= self.widest, "sums are missing")
        *shape, width = array.shape
        parts.fit(self.axes, tuple(shape))
        data, found = array.tobytes(), np.empty(array.size // width, object)
        found[:] = [int.from_bytes(data[k : k + width], "little", signed=True) for k in range(0, len(data), width)]
        if self.most != -1:
            most = parts.number(self.most) << DIGIT * PLACES
            check(all(0 <= number <= most for number in found), "a sum is out of range")
        return found.reshape(shape)


@dataclass(frozen=True)
class Classes(Counts):
    """An array of class numbers, each once, written by names: equal for equal hierarchies."""

    def _packed(self, array: np.ndarray, parts: Parts) -> np.ndarray:
        return super()._packed(np.argsort(parts.known.by_name)[array], parts)

    def _checked(self, array: np.ndarray, parts: Parts) -> np.ndarray:
        check(parts.known is not None, "what they are of is not known")
        places = super()._checked(array, parts)
        check(places.max(initial=-1) < len(parts.known), "a class is out of range")
        check(np.bincount(places).max(initial=0) <= 1, "a class is there twice")
        by_name: np.ndarray = np.asarray(parts.known.by_name)[places]
        return by_name
