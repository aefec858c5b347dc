"""Partial results: sums over some instances. You can merge them.

Merged results equal one `evaluate` over all instances, to the last bit. A partial result is a
report with exact sums and without instances (hiermeasures.evaluation.results). New labels wait
until they are enough for a call of the kernels. A `Meter` has one partial result and adds to it.

As bytes, a partial result is a version, a checksum (BLAKE2b) and JSON. pydantic checks the JSON
when you read it. Reading runs no code from the bytes. It needs memory in proportion to their length
and to the hierarchy.
"""

import struct
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from hiermeasures.evaluation.averages import Average
from hiermeasures.evaluation.batch import (
    CHUNK,
    READING,
    ReadingSettings,
    Request,
    Workers,
    check_countable,
    check_hierarchy,
    encoded_sides,
    report_of,
    without_instances,
)
from hiermeasures.evaluation.encode import Sides, concatenate, encode
from hiermeasures.evaluation.exact import MOST_COUNTED
from hiermeasures.evaluation.outside import base_of, count_wrong, with_wrong_classes
from hiermeasures.evaluation.results import Partial, Report
from hiermeasures.evaluation.tasks import Engine
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, Settings, split_arguments
from hiermeasures.hierarchy.words import quote_names
from hiermeasures.measures import Measure
from hiermeasures.measures.own import own_measures

if TYPE_CHECKING:
    from hiermeasures.evaluation.written_partial import WrittenPartial


@dataclass(frozen=True, eq=False, repr=False)
class PartialReport:
    """The evaluation of some instances, made by `partial`. Join two with `a + b`.

    `report()` returns the report of `evaluate` for the instances so far, without values per
    instance. `len` is the number of instances. `arguments` are the arguments of `evaluate`. `sums`
    is the report of the summed instances, and `waiting` has the labels of the others.

    See Also
    --------
    merge : Join many partial results.
    to_bytes : Store a partial result, or send it to another machine.
    """

    arguments: Mapping[str, Any]
    sums: Report
    waiting: tuple[Sides, ...] = ()

    def __len__(self) -> int:
        return len(self.sums) + self.n_waiting

    def __repr__(self) -> str:
        keys = self.sums.measures
        return (
            f"PartialReport({', '.join(keys[:6])}{', …' * (len(keys) > 6)}; {len(self)} instances)"
        )

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of the sums. It has wrong classes if labels needed them."""
        return self.sums.hierarchy

    @property
    def n_waiting(self) -> int:
        """The number of instances that still wait to be summed."""
        return sum(len(true) for true, _ in self.waiting)

    def __add__(self, other: "PartialReport") -> "PartialReport":
        mine, theirs = self.arguments["define"], other.arguments["define"]
        sums = self.sums + other.sums
        if others := [name for name in mine if mine[name] != theirs[name]]:
            raise InputError(
                f"results that define {quote_names(others)} differently cannot be joined. Use the "
                "same definitions everywhere."
            )
        both = (*self._numbered_as(sums.hierarchy), *other._numbered_as(sums.hierarchy))
        return replace(self, sums=sums, waiting=both)._settle_if_many()

    def _numbered_as(self, hierarchy: Hierarchy) -> tuple[Sides, ...]:
        """Return the waiting labels with the class numbers of another hierarchy.

        It is an equal hierarchy, or one with more wrong classes.
        """
        if self.hierarchy.nodes == hierarchy.nodes:
            return self.waiting
        numbers = np.array(hierarchy.numbers_of(self.hierarchy))
        return tuple(
            (true.renumbered(numbers), pred.renumbered(numbers)) for true, pred in self.waiting
        )

    def plus(self, y_true: Any, y_pred: Any, **reading: Any) -> "PartialReport":
        """Return a copy with more instances. `reading` are arguments of `encoded_sides`."""
        sides = encoded_sides(self.hierarchy, y_true, y_pred, **reading)
        return replace(self, waiting=(*self.waiting, sides))._settle_if_many()

    def settled(self) -> "PartialReport":
        """Return a copy with all instances summed."""
        if not self.waiting:
            return self
        true, predicted = (concatenate(side) for side in zip(*self.waiting, strict=True))
        return replace(
            self,
            sums=self.sums + _sums(self.hierarchy, (true, predicted), **self.arguments),
            waiting=(),
        )

    def report(self) -> Report:
        """Return the report of `evaluate` for these instances, without values per instance."""
        return self.settled().sums

    def _settle_if_many(self) -> "PartialReport":
        """Sum the waiting instances once they are enough for a call of the kernels."""
        return self.settled() if self.n_waiting >= CHUNK else self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as bytes, because the measures' formulas cannot be pickled."""
        return _unpickled, (base_of(self.hierarchy), to_bytes(self), self.arguments["n_jobs"])


def _unpickled(hierarchy: Hierarchy, data: bytes, n_jobs: int | None) -> PartialReport:
    found = from_bytes(hierarchy, data)
    return replace(found, arguments={**found.arguments, "n_jobs": n_jobs})


class PartialArguments(Settings, ReadingSettings, total=False):
    """Types of the keyword arguments of `partial` and of `Meter`."""

    measures: Iterable[str | Measure] | str | None
    define: Mapping[str, str] | None
    average: Average
    n_jobs: int | None
    options: Options | None


def partial(
    hierarchy: Hierarchy, y_true: Any, y_pred: Any, **arguments: Unpack[PartialArguments]
) -> PartialReport:
    """Evaluate some instances, to join the result with those of other instances.

    You can cut the instances into parts in any way, and join the parts in any order (`merge`). The
    report equals one `evaluate` over all instances, to the last bit. If edges or classes have
    weights other than 1, this needs compiled kernels on both sides, because values from `explain`
    may differ in their last bits. A partial result does not grow with the number of instances: it
    has sums by measure, by class and by dropped label.

    Parameters
    ----------
    hierarchy, y_true, y_pred
        As for `evaluate`.
    **arguments
        The other arguments of `evaluate` (`PartialArguments`). Name measures by key.

    Returns
    -------
    PartialReport
        `report()` returns the report of `evaluate`, without values per instance. `len` is the
        number of instances.

    Raises
    ------
    InputError
        As `evaluate`, and for class weights from counts over all instances
        (class_weights="information").

    See Also
    --------
    merge : Join partial results.
    evaluate_stream : Evaluate batches one by one.
    to_bytes : Store a partial result.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, merge, partial
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> here = partial(h, [{"T1"}], [{"P1", "P2"}], measures=["hF", "SDL"])
    >>> there = partial(h, [{"C"}], [{"C"}], measures=["hF", "SDL"])
    >>> merge([here, there]).report().values
    {'hF': 0.7857142857142857, 'SDL': 1.5}
    """
    reading, others = split_arguments(arguments, READING)
    return no_instances(hierarchy, **others).plus(y_true, y_pred, **reading).settled()


def no_instances(
    hierarchy: Hierarchy,
    *,
    measures: Iterable[str | Measure] | str | None = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    n_jobs: int | None = None,
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> PartialReport:
    """Return an empty result, as a start for sums. It raises InputError like `evaluate`."""
    chosen = Options.make(options, **settings)
    check_countable(chosen)
    check_hierarchy(hierarchy)
    arguments: dict[str, Any] = {
        "define": dict(define or {}),
        "average": average,
        "n_jobs": n_jobs,
        "options": chosen,
    }
    each = [measures] if isinstance(measures, str) else measures
    # formulas cannot be pickled
    keys = each and tuple(m.key if isinstance(m, Measure) else m for m in each)
    none = encode(hierarchy, [])
    sums = _sums(hierarchy, (none, none), measures=keys, **arguments)
    defined = own_measures(arguments["define"])
    return PartialReport(
        {**arguments, "measures": tuple(k for k in sums.measures if k not in defined)}, sums
    )


def _sums(hierarchy: Hierarchy, sides: Sides, *, n_jobs: int | None, **asked: Any) -> Report:
    # With uneven weights `explain` and kernels may differ in the last bits, so parts use kernels
    # alike.
    is_uneven = hierarchy.has_edge_weights or hierarchy.class_weights is not None
    engine: Engine | None = "kernels" if is_uneven and len(sides[0]) >= _ALIKE else None
    return without_instances(
        report_of(hierarchy, Request.of(**asked), sides, Workers(n_jobs, engine=engine))
    )


def evaluate_stream(
    hierarchy: Hierarchy, batches: Iterable[tuple[Any, Any]], **arguments: Any
) -> Report:
    """Evaluate batches of labels one by one. They need not fit in memory together.

    Parameters
    ----------
    hierarchy : Hierarchy
    batches : iterable of (y_true, y_pred)
        Labels as `evaluate` takes them.
    **arguments
        The other arguments of `partial`.

    Returns
    -------
    Report
        Without values per instance.

    Raises
    ------
    InputError
        As `partial` does.

    See Also
    --------
    partial : Evaluate parts on several machines.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> evaluate_stream(h, [([{"B"}], [{"B"}]), ([{"B"}], [{"C"}])], measures=["accuracy"])["accuracy"]
    0.5
    """
    reading, others = split_arguments(arguments, READING)
    found = no_instances(hierarchy, **others)
    for y_true, y_pred in batches:
        found = found.plus(y_true, y_pred, **reading)
    return found.report()


def merge(partials: Iterable[PartialReport]) -> PartialReport:
    """Join partial results into one.

    The order does not matter, and you can merge merged results again. A result does not know its
    instances: if you give it twice, they count twice.

    Parameters
    ----------
    partials : iterable of PartialReport
        At least one. An iterator is read one by one, so that at most two are in memory.

    Returns
    -------
    PartialReport

    Raises
    ------
    InputError
        If `partials` is empty, or if their hierarchy, measures, options, definitions or average
        differ. The message names the difference.

    See Also
    --------
    partial : Evaluate some instances.
    from_bytes : Read a stored partial result.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, merge, partial
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> merge(partial(h, [{true}], [{"B"}], measures="accuracy") for true in "BC").report()["accuracy"]
    0.5
    """
    found: PartialReport | None = None
    for each in partials:
        _check_partial(each)
        found = each if found is None else found + each
    if found is None:
        raise InputError("there are no partial results to merge. Give at least one.")
    return found


# --- as bytes -------------------------------------------------------------------------------------

_ALIKE = 100  # a part with at least so many instances is worth compiling kernels
VERSION = 6
"""The version of the bytes. Raise it if a field changes, or if a number gets another meaning."""
_MAGIC = b"hiermeasures"
_HEAD = struct.Struct("<12sH16s")
_DAMAGED = "the bytes of a partial result are damaged"


def to_bytes(partial: PartialReport) -> bytes:
    """Write a partial result as bytes. `from_bytes` reads them on another machine or another day.

    They contain sums, names of measures, options, and the fingerprint of the hierarchy. They do not
    contain the hierarchy or labels of instances. Each class that occurs needs ten to twenty bytes.

    Parameters
    ----------
    partial : PartialReport

    Returns
    -------
    bytes

    Raises
    ------
    InputError
        If the argument is not a partial result, or `from_bytes` would refuse it.

    See Also
    --------
    from_bytes : Read the bytes.
    merge : Join partial results.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, from_bytes, partial, to_bytes
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> data = to_bytes(partial(h, [{"B"}], [{"C"}], measures="hF"))
    >>> from_bytes(h, data).report()["hF"]
    0.5
    """
    from hiermeasures.evaluation.written_partial import WrittenPartial

    _check_partial(partial)
    whole = partial.settled()
    sums, arguments, h = whole.sums, whole.arguments, whole.hierarchy
    place = np.argsort(h.by_name)
    counts = np.array([*sums.class_counts.values()], np.int64).reshape(-1, 3, len(h))
    seen = np.flatnonzero(counts.any(axis=(0, 1)))
    with _refusing("the partial result cannot be written"):
        written = WrittenPartial.model_construct(
            hierarchy=base_of(h).fingerprint, wrong=count_wrong(h), unknown=sums.unknown,
            measures=arguments["measures"], define=arguments["define"], average=sums.average,
            options=sums.options.as_dict(), columns=_columns(sums), sums=sums.partial,
            classes=_packed(place[seen]), counts=_packed(counts[..., seen]), lost_true=sums.lost[0],
            lost_predicted=sums.lost[1],
        )  # fmt: skip
        content = written.model_dump_json(warnings=False).encode()
        WrittenPartial.model_validate_json(content)
    return _HEAD.pack(_MAGIC, VERSION, _seal(content)) + content


def from_bytes(hierarchy: Hierarchy, data: bytes | bytearray | memoryview) -> PartialReport:
    """Read a partial result that `to_bytes` wrote.

    Parameters
    ----------
    hierarchy : Hierarchy
        The hierarchy of the partial result, or an equal one.
    data : bytes
        You need not trust them: every part is checked, and no code in them runs. Reading needs
        memory in proportion to their length and to the hierarchy.

    Returns
    -------
    PartialReport

    Raises
    ------
    InputError
        For bytes that are not a partial result, were cut or changed, or belong to another
        hierarchy. Also for bytes of a release with another format or with other counts.

    See Also
    --------
    to_bytes : Write the bytes, with an example.
    """
    from hiermeasures.evaluation.written_partial import WrittenPartial

    check_hierarchy(hierarchy)
    hierarchy = base_of(hierarchy)
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(f"from_bytes needs bytes of to_bytes, not {type(data).__name__}")
    head, content = bytes(data[: _HEAD.size]), bytes(data[_HEAD.size :])
    if not head.startswith(_MAGIC):
        raise InputError(
            "these bytes are not a partial result of hiermeasures. Write one with to_bytes."
        )
    if len(head) < _HEAD.size:
        raise InputError(f"{_DAMAGED}: they end too early. Copy the file again.")
    _, version, seal = _HEAD.unpack(head)
    if version != VERSION:
        raise InputError(
            f"the partial result has format version {version}, but this release reads {VERSION}. "
            "Evaluate the instances again with this release."
        )
    with _refusing(_DAMAGED):
        _check(_seal(content) == seal, "they were cut or changed. Send or copy them again")
        written = WrittenPartial.model_validate_json(content)
        if written.hierarchy != hierarchy.fingerprint:
            raise InputError(
                "the partial result belongs to another hierarchy. Give the hierarchy that it was "
                "made with."
            )
        return _read(hierarchy, written)


def _read(h: Hierarchy, written: "WrittenPartial") -> PartialReport:
    """Return the partial result if all its parts fit together."""
    options, sums = Options.make(written.options), written.sums
    h = with_wrong_classes(h, written.wrong, options)
    empty = no_instances(
        h,
        measures=written.measures,
        define=written.define,
        average=written.average,
        options=options,
    )
    none = empty.sums.class_counts
    if written.columns != _columns(empty.sums) or _kinds(sums) != _kinds(empty.sums.partial):
        raise InputError(
            "the partial result comes from a release with other counts. Evaluate the instances "
            "again with this release."
        )
    most = max([*sums.defined.values(), *sums.explained.values()], default=0)
    _check(most <= sums.n, "there are more values than instances")
    places = _unpacked(written.classes)
    _check(places.max(initial=-1) < len(h), "a class is out of range")
    _check(np.bincount(places).max(initial=0) <= 1, "a class occurs twice")
    found, counts = _unpacked(written.counts), np.zeros((len(none), 3, len(h)), np.int64)
    _check(len(found) == 3 * len(none) * len(places), "counts per class are missing")
    counts[..., np.asarray(h.by_name)[places]] = found.reshape(len(none), 3, len(places))
    lost = (written.lost_true, written.lost_predicted)
    known = dict(zip(none, counts, strict=True))
    report = replace(
        empty.sums, partial=sums, known_class_counts=known, lost=lost, unknown=written.unknown
    )
    return replace(empty, sums=report)


def _seal(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


def _check_partial(given: Any) -> None:
    if not isinstance(given, PartialReport):
        raise InputError(f"this needs a result of `partial`, not {type(given).__name__}")


def _packed(numbers: np.ndarray) -> str:
    """Return whole numbers from 0 as text.

    The first character is the number of bytes per number, as few as possible. All numbers follow in
    base 64.
    """
    _check(numbers.min(initial=0) >= 0, "a count is negative")
    size = np.min_scalar_type(int(numbers.max(initial=0))).itemsize
    return f"{size}{b64encode(numbers.astype(f'<u{size}').tobytes()).decode()}"


def _unpacked(text: str) -> np.ndarray:
    _check(text[:1] in ("1", "2", "4", "8"), "counts cannot be read")
    try:
        numbers = np.frombuffer(b64decode(text[1:], validate=True), f"<u{text[0]}")
    except ValueError:
        raise _Unfit("counts cannot be read") from None
    _check(int(numbers.max(initial=0)) < MOST_COUNTED, "a count is too large")
    return numbers.astype(np.int64)


def _columns(report: Report) -> dict[str, tuple[str, ...]]:
    """Return the names of the columns of every table that a report sums."""
    read = {
        name: what for m in report.declared for name, (what, _) in m.reads(report.options).items()
    }
    return {name: tuple(structure.columns) for name, structure in read.items()}


def _kinds(sums: Partial) -> tuple[Any, ...]:
    """Return the tables and measures that have sums, and which of the sums are whole numbers."""
    tables = {name: [isinstance(column, int) for column in row] for name, row in sums.sums.items()}
    return tables, sums.values.keys(), sums.defined.keys(), sums.explained.keys()


class _Unfit(ValueError):
    """Raised for data whose parts contradict each other."""


def _check(fits: Any, what: str) -> None:
    if not fits:
        raise _Unfit(what)


@contextmanager
def _refusing(of: str) -> Iterator[None]:
    """Turn errors of reading into an InputError with the place."""
    from pydantic import ValidationError
    from pydantic_core import PydanticSerializationError

    try:
        yield
    except _Unfit as error:
        raise InputError(f"{of}: {error}") from None
    except PydanticSerializationError:
        raise InputError(
            f"{of}: it has a name that UTF-8 cannot write, or a number that is too large"
        ) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = shown(".".join(map(str, first["loc"])) or "what they say", 200)[1:-1]
        raise InputError(f"{of}: {place} cannot be read") from None
