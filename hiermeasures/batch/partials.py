"""Partial results: what is kept of some instances so that results of any number of places join to what one `evaluate`
over all of them gives, to the last bit.

A partial result is a report without instances, whose sums are exact (hiermeasures.batch.results), and the labels of
those few instances that are not summed yet. `Meter` keeps one and adds to it. As bytes it is written and read in
hiermeasures.batch.partial_bytes; who computes where is decided elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from hiermeasures.batch.encode import EncodedLabels, UnknownPolicy, encode, joined
from hiermeasures.batch.engine import CHUNK, check_countable, evaluate
from hiermeasures.batch.results import Average, Report
from hiermeasures.errors import InputError, listed
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import Measure
from hiermeasures.measures.own import own_measures
from hiermeasures.options import Options

Sides = tuple[EncodedLabels, EncodedLabels]


@dataclass(frozen=True, eq=False, repr=False)
class PartialReport:
    """The evaluation of some instances, which joins with that of others: `a + b`. Made by `partial`.

    `report()` is what `evaluate` gives for the instances so far, without values per instance. `arguments` are those of
    `evaluate` with which it was made, `sums` the report of what is summed, and `waiting` the labels of what is not:
    `evaluate` leaves a few instances to `explain`, whose values may differ in the last bit from those of the kernels,
    which it takes for more. So the first few are kept as they are until it is known that there are more.
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
        """How many instances are not summed yet."""
        return sum(len(true) for true, _ in self.waiting)

    def __add__(self, other: "PartialReport") -> "PartialReport":
        mine, theirs = self.arguments["define"], other.arguments["define"]
        waiting = other.waiting
        sums = self.sums + other.sums
        if others := [name for name in mine if mine[name] != theirs[name]]:
            raise InputError(f"results that define {listed(others)} differently cannot be joined")
        if waiting and self.hierarchy.nodes != other.hierarchy.nodes:
            numbers = self.hierarchy.numbers_of(other.hierarchy)
            waiting = tuple((true.renumbered(numbers), pred.renumbered(numbers)) for true, pred in waiting)
        return replace(self, sums=sums, waiting=self.waiting + waiting)._unless_many()

    def plus(self, y_true: Any, y_pred: Any, **reading: Any) -> "PartialReport":
        """The same with further instances; `reading` is what `encode` takes."""
        true, predicted = (
            encode(self.hierarchy, labels, name=name, **reading)
            for labels, name in ((y_true, "y_true"), (y_pred, "y_pred"))
        )
        if len(true) != len(predicted):
            raise InputError(f"y_true has {len(true)} instances, y_pred {len(predicted)}")
        return replace(self, waiting=(*self.waiting, (true, predicted)))._unless_many()

    def settled(self) -> "PartialReport":
        """The same, with all instances summed, unless there are only a few in all."""
        return self._summed() if self.waiting and len(self) > _few() else self

    def report(self) -> Report:
        """What `evaluate` gives for these instances, without values per instance."""
        whole = self.settled()
        return whole._evaluated() if whole.waiting else whole.sums

    def _unless_many(self) -> "PartialReport":
        """The same, summed where so many wait that the kernels are worth their call."""
        return self._summed() if self.n_waiting >= max(CHUNK, _few() + 1) else self

    def _summed(self) -> "PartialReport":
        return replace(self, sums=self.sums + self._evaluated(explain_up_to=0), waiting=())

    def _evaluated(self, **arguments: Any) -> Report:
        true, predicted = (joined(side) for side in zip(*self.waiting, strict=True))
        return evaluate(self.hierarchy, true, predicted, keep_instances=False, **self.arguments, **arguments)

    def __getstate__(self) -> dict[str, Any]:
        """Without the measures' formulas, which cannot be pickled."""
        sums = self.sums
        return {
            "hierarchy": self.hierarchy,
            "arguments": self.arguments,
            "waiting": self.waiting,
            "sums": {
                "partial": sums.partial,
                "known_class_counts": sums.class_counts,
                "unknown_true": sums.unknown_true,
                "unknown_predicted": sums.unknown_predicted,
            },
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        empty = no_instances(state["hierarchy"], **state["arguments"])
        self.__dict__.update(
            arguments=empty.arguments, sums=replace(empty.sums, **state["sums"]), waiting=state["waiting"]
        )


def partial(
    hierarchy: Hierarchy,
    y_true: Any,
    y_pred: Any,
    *,
    measures: Iterable[str | Measure] | str | None = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    classes: Sequence[str] | None = None,
    unknown: UnknownPolicy = "fail",
    n_jobs: int | None = None,
    options: Options | None = None,
    **settings: Any,
) -> PartialReport:
    """The measures of some of the instances: a result that joins with those of the others.

    However the instances are cut into parts, and wherever and in whatever order the parts are joined (`merge`), the
    report is, to the last bit, that of one `evaluate` over all of them. What is kept does not grow with the number of
    instances: sums by measure, by class and by label that was dropped.

    Parameters
    ----------
    hierarchy, y_true, y_pred, measures, define, average, classes, unknown, n_jobs, options
        As for `evaluate`. Measures are named by key.

    Returns
    -------
    PartialReport
        Its `report()` is what `evaluate` gives, without values per instance; `len` is the number of instances.

    Raises
    ------
    InputError
        As `evaluate`; and for class weights that are to be counted over all instances (class_weights="information").

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
    return empty.plus(y_true, y_pred, classes=classes, unknown=unknown).settled()


def no_instances(
    hierarchy: Hierarchy,
    *,
    measures: Iterable[str | Measure] | str | None = None,
    define: Mapping[str, str] | None = None,
    average: Average = "samples",
    n_jobs: int | None = None,
    options: Options | None = None,
    **settings: Any,
) -> PartialReport:
    """The result of no instances, to which others are added. InputError for what `evaluate` refuses."""
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    check_countable(chosen)
    arguments: dict[str, Any] = {
        "define": dict(define or {}), "average": average, "n_jobs": n_jobs, "options": chosen
    }  # fmt: skip
    wanted = measures if measures is None else _keys(measures)
    sums = evaluate(hierarchy, [], [], measures=wanted, keep_instances=False, **arguments)
    defined = own_measures(arguments["define"])
    return PartialReport({**arguments, "measures": tuple(k for k in sums.measures if k not in defined)}, sums)


def evaluate_stream(hierarchy: Hierarchy, batches: Iterable[tuple[Any, Any]], **arguments: Any) -> Report:
    """The report over batches of (y_true, y_pred) that need not be in memory together; other arguments as for
    `partial`.

    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> evaluate_stream(h, [([{"B"}], [{"B"}]), ([{"B"}], [{"C"}])], measures=["accuracy"])["accuracy"]
    0.5
    """
    reading = {name: arguments.pop(name) for name in ("classes", "unknown") if name in arguments}
    found = no_instances(hierarchy, **arguments)
    for y_true, y_pred in batches:
        found = found.plus(y_true, y_pred, **reading)
    return found.report()


def _keys(measures: Iterable[str | Measure] | str) -> tuple[str, ...]:
    """The measures by key, for formulas cannot be pickled."""
    each = [measures] if isinstance(measures, str) else measures
    return tuple(m.key if isinstance(m, Measure) else m for m in each)


def _few() -> int:
    from hiermeasures.batch import tasks

    return tasks.FEW_INSTANCES
