"""Partial results: sums over some instances, which can be merged.

Merged results equal one `evaluate` over all instances, to the last bit. A partial result is a
report without instances whose sums are exact (hiermeasures.evaluation.results). New labels wait
until there are enough for a call of the kernels. A `Meter` has one partial result and adds to it.

As bytes, a partial result is a version, a checksum (BLAKE2b) and JSON. pydantic checks the JSON
when it is read. Reading never executes code. It needs memory in proportion to the length of the
bytes and to the hierarchy.
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
    instance. `arguments` are the arguments of `evaluate`. `sums` is the report of the summed
    instances, and `waiting` has the labels of the others.

    See Also
    --------
    partial : Makes a partial result.
    merge : Joins any number of them.
    to_bytes : Saves one.
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
        return self.sums.hierarchy

    @property
    def n_waiting(self) -> int:
        """The number of instances that are not summed yet."""
        return sum(len(true) for true, _ in self.waiting)

    def __add__(self, other: "PartialReport") -> "PartialReport":
        mine, theirs = self.arguments["define"], other.arguments["define"]
        sums = self.sums + other.sums
        if others := [name for name in mine if mine[name] != theirs[name]]:
            raise InputError(
                f"the results define {quote_names(others)} differently. Use equal definitions to "
                "join them."
            )
        both = (*self._numbered_as(sums.hierarchy), *other._numbered_as(sums.hierarchy))
        return replace(self, sums=sums, waiting=both)._settle_if_many()

    def _numbered_as(self, hierarchy: Hierarchy) -> tuple[Sides, ...]:
        """Return the waiting labels, numbered as in an equal hierarchy or one with more wrong
        classes.
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
        """Sum the waiting instances once there are enough for a call of the kernels."""
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
    """Return the sums of one part of a data set. You can join them with those of other parts.

    You can cut the instances into parts in any way, and join the parts in any order (`merge`). The
    report equals, to the last bit, that of one `evaluate` over all instances. If edges or classes
    have weights other than 1, this needs compiled kernels on both sides, because values from
    `explain` may differ in their last bits. A partial result does not grow with the number of
    instances. It has sums by measure, by class and by dropped label.

    Parameters
    ----------
    hierarchy : Hierarchy
    y_true, y_pred :
        True and predicted classes of the same instances, as for `evaluate`.
    **arguments
        Arguments of `evaluate` (`PartialArguments`). Name measures by key.

    Returns
    -------
    PartialReport
        `report()` is the report of `evaluate`, without values per instance. `len` is the number of
        instances.

    Raises
    ------
    InputError
        As for `evaluate`. Also for class_weights="information", because these weights are counted
        over all instances.

    See Also
    --------
    merge : Joins partial results.
    to_bytes, from_bytes : Save and read a partial result.
    hiermeasures.Meter : Collects batches one after another.

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
    """Return the result of no instances, as a start for sums. It raises InputError like `evaluate`."""
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
    """Return the report over batches of (y_true, y_pred). You need memory for one batch at a time.

    The other arguments are those of `partial`.

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

    The order does not matter, and results may have been joined before. A result does not know its
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
        If `partials` is empty, or if hierarchy, measures, options, definitions or average differ.
        The message names the difference.

    See Also
    --------
    partial : Makes a partial result.

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
"""Version of the bytes. It changes if a field changes, or if a number gets another meaning."""
_MAGIC = b"hiermeasures"
_HEAD = struct.Struct("<12sH16s")
_DAMAGED = "the bytes of a partial result are damaged"


def to_bytes(partial: PartialReport) -> bytes:
    """Return a partial result as bytes. `from_bytes` reads them on another machine or another day.

    They contain sums, names of measures, options, and the fingerprint of the hierarchy. They do not
    contain the hierarchy or labels of instances. Each class that occurs needs ten to twenty bytes.
    Reading the bytes never executes code.

    Raises
    ------
    InputError
        If `partial` is not a partial result, or is one that `from_bytes` would refuse.

    See Also
    --------
    from_bytes : Reads the bytes.

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
    """Return the partial result that `to_bytes` wrote.

    Parameters
    ----------
    hierarchy : Hierarchy
        The hierarchy of the partial result, or an equal one.
    data : bytes
        The bytes may be untrusted. Reading checks all of them and never executes code. It needs
        memory in proportion to their length and to the hierarchy.

    Returns
    -------
    PartialReport

    Raises
    ------
    InputError
        If the bytes are not a partial result, were cut or changed, or belong to another hierarchy.
        Also if they come from a release with another format or other counts.

    See Also
    --------
    to_bytes : Writes the bytes.
    """
    from hiermeasures.evaluation.written_partial import WrittenPartial

    check_hierarchy(hierarchy)
    hierarchy = base_of(hierarchy)
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(f"data is of type {type(data).__name__}. Give the bytes of to_bytes.")
    head, content = bytes(data[: _HEAD.size]), bytes(data[_HEAD.size :])
    if not head.startswith(_MAGIC):
        raise InputError(
            "these bytes are not a partial result of hiermeasures. Give the bytes of to_bytes."
        )
    if len(head) < _HEAD.size:
        raise InputError(f"{_DAMAGED}: they end too early. Copy the file again.")
    _, version, seal = _HEAD.unpack(head)
    if version != VERSION:
        raise InputError(
            f"the partial result has version {version} of its format, but this release reads "
            f"{VERSION}. Use the same release to write and to read."
        )
    with _refusing(_DAMAGED):
        _check(_seal(content) == seal, "they were cut or changed on their way")
        written = WrittenPartial.model_validate_json(content)
        if written.hierarchy != hierarchy.fingerprint:
            raise InputError(
                "the partial result belongs to another hierarchy. Give the hierarchy that made it."
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
            "the partial result comes from a release with other counts. Use the same release to "
            "write and to read."
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
        raise InputError(
            f"this is of type {type(given).__name__}. Give a partial result, as `partial` makes it."
        )


def _packed(numbers: np.ndarray) -> str:
    """Return whole numbers from 0 as text: the bytes per number, then all numbers in base 64."""
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
            f"{of}: a name cannot be written as UTF-8, or a number is too large"
        ) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = shown(".".join(map(str, first["loc"])) or "what they say", 200)[1:-1]
        raise InputError(f"{of}: {place} cannot be read") from None
