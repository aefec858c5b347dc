"""Partial results: what is kept of some instances so that results of any number of places join to
what one `evaluate` over all of them gives, to the last bit.

A partial result is a report without instances, whose sums are exact (hiermeasures.engine.results),
and the labels of those few instances that are not summed yet. `Meter` keeps one and adds to it. As
bytes it is what `SentReport` declares (hiermeasures.engine.codec); who computes where is decided
elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Unpack

import numpy as np
from pydantic import Field, JsonValue

from hiermeasures.core.errors import InputError, listed
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options, Settings
from hiermeasures.engine import tasks
from hiermeasures.engine.batch import (
    CHUNK,
    READING,
    Request,
    Workers,
    check_countable,
    check_hierarchy,
    encoded_sides,
    report_of,
    without_instances,
)
from hiermeasures.engine.codec import Classes, Counts, Of, check, from_bytes, to_bytes
from hiermeasures.engine.encode import EncodedLabels, Lost, Sides, UnknownPolicy, encode, joined
from hiermeasures.engine.results import Average, Partial, Report
from hiermeasures.measures import Measure
from hiermeasures.measures.own import own_measures


@dataclass(frozen=True, eq=False, repr=False)
class PartialReport:
    """The evaluation of some instances, which joins with that of others: `a + b`. Made by
    `partial`.

    `report()` is what `evaluate` gives for the instances so far, without values per instance.
    `arguments` are those of `evaluate` with which it was made, `sums` the report of what is summed,
    and `waiting` the labels of what is not: `evaluate` leaves a few instances to `explain`, whose
    values may differ in the last bit from those of the kernels, which it takes for more. So the
    first few are kept as they are until it is known that there are more.
    """

    partial_kind: ClassVar = "report"
    arguments: Mapping[str, Any]
    sums: Report
    waiting: tuple[Sides, ...] = ()

    def __len__(self) -> int:
        return len(self.sums) + self.n_waiting

    def __repr__(self) -> str:
        keys = self.sums.measures
        return f"PartialReport({', '.join(keys[:6])}{', …' * (len(keys) > 6)}; {len(self)} instances)"

    @property
    def hierarchy(self) -> Hierarchy:
        return self.sums.hierarchy

    @property
    def n_waiting(self) -> int:
        """Number of instances that are not summed yet."""
        return sum(len(true) for true, _ in self.waiting)

    def __add__(self, other: "PartialReport") -> "PartialReport":
        mine, theirs = self.arguments["define"], other.arguments["define"]
        waiting = other.waiting
        sums = self.sums + other.sums
        if others := [name for name in mine if mine[name] != theirs[name]]:
            raise InputError(f"results that define {listed(others)} differently cannot be joined")
        if waiting and self.hierarchy.nodes != other.hierarchy.nodes:
            numbers = np.array(self.hierarchy.numbers_of(other.hierarchy))
            waiting = tuple((true.renumbered(numbers), pred.renumbered(numbers)) for true, pred in waiting)
        return replace(self, sums=sums, waiting=self.waiting + waiting)._unless_many()

    def plus(self, y_true: Any, y_pred: Any, **reading: Any) -> "PartialReport":
        """Return a copy with further instances; `reading` are arguments of `encoded_sides`."""
        sides = encoded_sides(self.hierarchy, y_true, y_pred, **reading)
        return replace(self, waiting=(*self.waiting, sides))._unless_many()

    def settled(self) -> "PartialReport":
        """The same, with all instances summed, unless there are only a few in all."""
        return self._summed() if self.waiting and len(self) > tasks.FEW_INSTANCES else self

    def report(self) -> Report:
        """Return what `evaluate` gives for these instances, without values per instance."""
        whole = self.settled()
        return whole._evaluated() if whole.waiting else whole.sums

    def _unless_many(self) -> "PartialReport":
        """The same, summed where so many wait that the kernels are worth their call."""
        return self._summed() if self.n_waiting >= max(CHUNK, tasks.FEW_INSTANCES + 1) else self

    def _summed(self) -> "PartialReport":
        return replace(self, sums=self.sums + self._evaluated(explain_up_to=0), waiting=())

    def _evaluated(self, explain_up_to: int | None = None) -> Report:
        true, predicted = (joined(side) for side in zip(*self.waiting, strict=True))
        return _sums(self.hierarchy, (true, predicted), explain_up_to=explain_up_to, **self.arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        """By its bytes, for the measures' formulas cannot be pickled."""
        return _unpickled, (self.hierarchy, to_bytes(self), self.arguments["n_jobs"])

    def sent(self) -> "SentReport":
        """The fields that are written."""
        whole = self.settled()
        sums, arguments, h = whole.sums, whole.arguments, whole.hierarchy
        true, predicted = (joined([pair[side] for pair in whole.waiting]) for side in (0, 1))
        counts = np.array([*sums.class_counts.values()], np.int64).reshape(-1, 3, len(h))
        seen = np.flatnonzero(counts.any(axis=(0, 1)))
        lost = sums.lost[0].joined(true.lost, len(sums)), sums.lost[1].joined(predicted.lost, len(sums))
        options, waiting = sums.options.model_dump(mode="json"), (_by_name(h, true), _by_name(h, predicted))
        return SentReport(
            h, arguments["measures"], arguments["define"], sums.average, options, _columns(sums), sums.partial,
            seen, counts[..., seen], *lost, *waiting,
        )  # fmt: skip


def _unpickled(hierarchy: Hierarchy, data: bytes, n_jobs: int | None) -> PartialReport:
    found: PartialReport = from_bytes(hierarchy, data)
    return replace(found, arguments={**found.arguments, "n_jobs": n_jobs})


_Rows = tuple[tuple[Annotated[int, Field(ge=0)], ...], ...]  # of places of classes in the order of names


@dataclass(frozen=True, eq=False)
class SentReport:
    """A partial result as it is written. `columns` are those of each table, so that one that counts
    otherwise than this release is refused; `counts` are those per class, of each structure that has
    them, and `waiting_…` the labels of the instances that are not summed.
    """

    hierarchy: Annotated[Hierarchy, Of()]
    measures: Annotated[tuple[str, ...], Field(max_length=1000)]
    define: dict[str, str]
    average: Average
    options: dict[str, JsonValue]
    columns: dict[str, tuple[str, ...]]
    sums: Partial
    classes: Annotated[np.ndarray, Classes("classes")]
    counts: Annotated[np.ndarray, Counts("structures 3 classes")]
    lost_true: Lost
    lost_predicted: Lost
    waiting_true: _Rows
    waiting_predicted: _Rows

    def received(self) -> PartialReport:
        """The partial result, where all of it fits together."""
        h, options, sums = self.hierarchy, Options.make(self.options), self.sums
        empty = no_instances(h, measures=self.measures, define=self.define, average=self.average, options=options)
        none = empty.sums.class_counts
        if self.columns != _columns(empty.sums) or _kinds(sums) != _kinds(empty.sums.partial):
            raise InputError("the partial result was written by a release that counts other things")
        check(len(self.counts) == len(none), "counts per class are missing")
        most = max([*sums.defined.values(), *sums.explained.values()], default=0)
        check(most <= sums.n, "there are more values than instances")
        counts = np.zeros((len(none), 3, len(h)), np.int64)
        counts[..., self.classes] = self.counts
        found = replace(empty.sums, partial=sums, known_class_counts=dict(zip(none, counts, strict=True)))
        true = replace(_numbered(h, self.waiting_true), lost=self.lost_true)
        predicted = replace(_numbered(h, self.waiting_predicted), lost=self.lost_predicted)
        check(len(true) == len(predicted) and not (len(true) and sums.n), "labels are missing")
        if not len(true):
            return replace(empty, sums=replace(found, lost=(self.lost_true, self.lost_predicted)))
        return replace(empty, sums=found, waiting=((true, predicted),))


def _columns(report: Report) -> dict[str, tuple[str, ...]]:
    """The names of the columns of every table that a report has sums of."""
    read = {name: what for m in report.declared for name, (what, _) in m.reads(report.options).items()}
    return {name: tuple(structure.columns) for name, structure in read.items()}


def _kinds(sums: Partial) -> tuple[Any, ...]:
    """The tables and measures that there are sums of, and which sums are whole numbers."""
    tables = {name: [isinstance(column, int) for column in row] for name, row in sums.sums.items()}
    return tables, sums.values.keys(), sums.defined.keys(), sums.explained.keys()


def _by_name(h: Hierarchy, labels: EncodedLabels) -> tuple[tuple[int, ...], ...]:
    places = np.argsort(h.by_name)
    return tuple(tuple(places[labels.numbers(k)].tolist()) for k in range(len(labels)))


def _numbered(h: Hierarchy, rows: Sequence[Sequence[int]]) -> EncodedLabels:
    check(all(place < len(h) for row in rows for place in row), "a class is out of range")
    return encode(h, [[h.nodes[h.by_name[place]] for place in row] for row in rows])


def partial(
    hierarchy: Hierarchy,
    y_true: Any,
    y_pred: Any,
    *,
    measures: Iterable[str | Measure] | str | None = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    classes: Sequence[str] | Mapping[Any, str] | None = None,
    threshold: float | None = None,
    argmax: bool = False,
    unknown: UnknownPolicy = "fail",
    n_jobs: int | None = None,
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> PartialReport:
    """The measures of some of the instances: a result that joins with those of the others.

    However the instances are cut into parts, and wherever and in whatever order the parts are
    joined (`merge`), the report is, to the last bit, that of one `evaluate` over all of them with
    the default `explain_up_to` and compiled kernels. What is kept does not grow with the number of
    instances: sums by measure, by class and by label that was dropped.

    Parameters are those of `evaluate`, measures are named by key. `report()` of what is returned is
    what `evaluate` gives, without values per instance; `len` is the number of instances.

    Raises
    ------
    InputError
        As `evaluate`; and for class weights that are to be counted over all instances
        (class_weights="information").

    Examples
    --------
    >>> from hiermeasures import Hierarchy, merge, partial
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> here = partial(h, [{"T1"}], [{"P1", "P2"}], measures=["hF", "SDL"])
    >>> there = partial(h, [{"C"}], [{"C"}], measures=["hF", "SDL"])
    >>> merge([here, there]).report().values
    {'hF': 0.7857142857142857, 'SDL': 1.5}
    """
    empty = no_instances(
        hierarchy, measures=measures, define=define, average=average, n_jobs=n_jobs, options=options, **settings
    )
    reading: dict[str, Any] = {"classes": classes, "threshold": threshold, "argmax": argmax, "unknown": unknown}
    return empty.plus(y_true, y_pred, **reading).settled()


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
    """The result of no instances, to which others are added; InputError as `evaluate`."""
    chosen = Options.make(options, **settings)
    check_countable(chosen)
    check_hierarchy(hierarchy)
    arguments: dict[str, Any] = {"define": dict(define or {}), "average": average, "n_jobs": n_jobs, "options": chosen}
    each = [measures] if isinstance(measures, str) else measures
    keys = each and tuple(m.key if isinstance(m, Measure) else m for m in each)  # formulas cannot be pickled
    none = encode(hierarchy, [])
    sums = _sums(hierarchy, (none, none), measures=keys, **arguments)
    defined = own_measures(arguments["define"])
    return PartialReport({**arguments, "measures": tuple(k for k in sums.measures if k not in defined)}, sums)


def _sums(
    hierarchy: Hierarchy, sides: Sides, *, n_jobs: int | None, explain_up_to: int | None = None, **asked: Any
) -> Report:
    workers = Workers(n_jobs, explain_up_to=explain_up_to)
    return without_instances(report_of(hierarchy, Request.of(**asked), sides, workers))


def evaluate_stream(hierarchy: Hierarchy, batches: Iterable[tuple[Any, Any]], **arguments: Any) -> Report:
    """The report over batches of (y_true, y_pred) that need not be in memory together; other
    arguments as for `partial`.

    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> evaluate_stream(h, [([{"B"}], [{"B"}]), ([{"B"}], [{"C"}])], measures=["accuracy"])["accuracy"]
    0.5
    """
    reading = {name: arguments.pop(name) for name in READING if name in arguments}
    found = no_instances(hierarchy, **arguments)
    for y_true, y_pred in batches:
        found = found.plus(y_true, y_pred, **reading)
    return found.report()
