"""What all partial results have in common, whatever was computed: they are joined, and go as bytes from one machine to
another.

What a partial result holds is known where it is made: hiermeasures.batch.partials for `evaluate`,
hiermeasures.inference.cafa_sums for CAFA's evaluation, hiermeasures.inference.threshold_sums for probabilities.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar

from hiermeasures.errors import InputError

if TYPE_CHECKING:
    from hiermeasures.batch.packing import Packed


class Joinable(Protocol):
    """A partial result, of one of the kinds that are listed here."""

    partial_kind: ClassVar[str]

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Joinable)

# Where the bytes of each kind are written and read: by `write(result)` and `read(context, packed)` there.
_KINDS = {
    "report": "hiermeasures.batch.partial_bytes",
    "cafa": "hiermeasures.inference.cafa_bytes",
    "sweep": "hiermeasures.inference.threshold_bytes",
}


def merge(partials: Iterable[T]) -> T:
    """The partial result of all the instances that some partial results are of.

    The order does not matter, and any of them may have been joined before. Results do not know which instances they are
    of: what is given twice counts twice.

    Parameters
    ----------
    partials : iterable of PartialReport, of CafaPartial, or of ThresholdPartial
        At least one; an iterator is taken one by one, so that no more than two are in memory.

    Raises
    ------
    InputError
        Where there is none, and for results of another hierarchy, other measures, options, definitions or another
        average; the message says which.

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
        found = each if found is None else found + each
    if found is None:
        raise InputError("there are no partial results to merge")
    return found


def to_bytes(partial: Any) -> bytes:
    """A partial result as bytes, for `from_bytes` on another machine or another day.

    They hold sums, the labels of a few instances at most, names of measures, options, and the fingerprint of the
    hierarchy, but not the hierarchy; for each class that occurs ten to twenty bytes. Nothing in them is run when they
    are read.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, from_bytes, partial, to_bytes
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> data = to_bytes(partial(h, [{"B"}], [{"C"}], measures="hF"))
    >>> from_bytes(h, data).report()["hF"]
    0.5
    """
    written: bytes = import_module(_KINDS[_kind(partial)]).write(partial)
    return written


def from_bytes(hierarchy: Any, data: bytes | bytearray | memoryview) -> Any:
    """The partial result that `to_bytes` wrote.

    Parameters
    ----------
    hierarchy : Hierarchy, or Ontology
        The one of the partial result, or an equal one; CAFA's results are of an ontology.
    data : bytes
        From anywhere: all of it is checked, nothing is run, and reading needs memory in proportion to its length and
        to the hierarchy.

    Raises
    ------
    InputError
        For bytes that are no partial result, were cut or changed, are of another hierarchy, or come from a release that
        wrote another version of the format or counts other things.
    """
    from hiermeasures.batch.packing import unpack

    return from_packed(hierarchy, unpack(data))


def from_packed(hierarchy: Any, packed: "Packed") -> Any:
    """The same of bytes that are unpacked already."""
    from hiermeasures.batch.packing import broken

    if packed.kind not in _KINDS:
        broken("what they are of is not known")
    return import_module(_KINDS[packed.kind]).read(hierarchy, packed)


def _kind(result: Any) -> str:
    kind: str = getattr(type(result), "partial_kind", "")
    if kind not in _KINDS:
        raise InputError(f"a partial result is needed, such as `partial` makes, not {type(result).__name__}")
    return kind
