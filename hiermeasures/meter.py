"""A running evaluation: batch after batch goes in, as in a training loop, and the averages so far come out.

A meter keeps what `evaluate` with keep_instances=False keeps, the exact sums of hiermeasures.batch.results; nothing is
computed here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hiermeasures.batch.encode import EncodedLabels, UnknownPolicy, encode, joined
from hiermeasures.batch.engine import CHUNK, check_countable, evaluate
from hiermeasures.batch.results import Average, Report
from hiermeasures.errors import InputError, listed
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import Measure
from hiermeasures.options import Options


class Meter:
    """Measures over instances that come batch by batch.

    However the instances are cut into batches, shared out to meters and merged, in whatever order, the values are, to
    the last bit, those of one `evaluate` over all of them. A meter's memory does not grow with the number of
    instances.

    A meter can be pickled and sent to another process. It has no lock: let each thread and each process update a meter
    of its own, and merge them at the end.

    Parameters
    ----------
    hierarchy : Hierarchy
    measures : iterable of str or Measure, optional
        Keys of the catalogue, or definitions of own measures; the whole catalogue by default.
    define : mapping of str to str, optional
        Own measures, expressions by name.
    average : "samples", "micro" or "macro"
        What `compute` gives; `report().averages` has all three.
    classes : sequence of str, optional
        The class of each column of indicator matrices.
    unknown : "fail" or "drop"
        Labels that are no classes raise an InputError, or are left out and counted.
    n_jobs : int, optional
        Threads, as for `evaluate`.
    options : Options, optional
        Or as keyword arguments, as for `evaluate`.

    Raises
    ------
    InputError
        For unknown measures, averages or options.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> meter = Meter(h, measures=["hF", "SDL"])
    >>> meter.update(["C"], ["C"])
    >>> other = Meter(h, measures=["hF", "SDL"])
    >>> other.update([{"T1"}], [{"P1", "P2"}])
    >>> meter.merge(other)
    >>> len(meter), meter.compute()
    (2, {'hF': 0.7857142857142857, 'SDL': 1.5})
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        *,
        measures: Iterable[str | Measure] | str | None = None,
        define: Mapping[str, str] | None = None,
        average: Average = "samples",
        classes: Sequence[str] | None = None,
        unknown: UnknownPolicy = "fail",
        n_jobs: int | None = None,
        options: Options | None = None,
        **settings: Any,
    ) -> None:
        self._read: dict[str, Any] = {"classes": classes, "unknown": unknown}
        self._settings: dict[str, Any] = {
            "measures": measures if measures is None else _keys(measures),
            "define": dict(define or {}),
            "average": average,
            "n_jobs": n_jobs,
            "options": Options.make(options.model_dump(exclude_unset=True) if options else None, **settings),
        }
        check_countable(self._settings["options"])
        self._nothing = evaluate(hierarchy, [], [], keep_instances=False, **self._settings)
        encode(hierarchy, [], unknown=unknown)  # refuses what is no policy
        self.reset()

    def reset(self) -> None:
        """Forget all instances."""
        self._sums = self._nothing
        self._pending: list[tuple[EncodedLabels, EncodedLabels]] = []

    def update(self, y_true: Any, y_pred: Any) -> None:
        """Add instances.

        Parameters
        ----------
        y_true, y_pred : list, array, matrix or frame
            The true and predicted classes of the same instances, in any form that `evaluate` takes.

        Raises
        ------
        InputError
            As `evaluate`, where instances are counted from 0 in this batch; the meter is as it was before.
        """
        true, predicted = (
            encode(self.hierarchy, labels, name=name, **self._read)
            for labels, name in ((y_true, "y_true"), (y_pred, "y_pred"))
        )
        if len(true) != len(predicted):
            raise InputError(f"y_true has {len(true)} instances, y_pred {len(predicted)}")
        self._add([(true, predicted)])

    def merge(self, other: "Meter") -> None:
        """Add the instances of another meter, which stays as it is.

        Raises
        ------
        InputError
            For a meter of another hierarchy, other measures, options or another average; the message says which.
        """
        if not isinstance(other, Meter):
            raise InputError(f"a meter is merged with a meter, not with {type(other).__name__}")
        _check_alike(self._nothing, other._nothing)
        mine, theirs = self._settings["define"], other._settings["define"]
        if others := [name for name in mine if mine[name] != theirs[name]]:
            raise InputError(f"the meters define {listed(others)} differently")
        self._sums = self._sums + other._sums
        self._add(list(other._pending))

    def compute(self) -> dict[str, float]:
        """Every measure, averaged over the instances so far; nan where no instance has a value."""
        return dict(self.report().values)

    def report(self) -> Report:
        """What `evaluate` gives for the instances so far, without values per instance."""
        if self._pending and len(self) > _few():
            self._flush()
        return self._evaluated() if self._pending else self._sums

    @property
    def hierarchy(self) -> Hierarchy:
        return self._nothing.hierarchy

    @property
    def options(self) -> Options:
        return self._nothing.options

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, in the order asked for."""
        return self._nothing.measures

    @property
    def average(self) -> Average:
        return self._nothing.average

    def __len__(self) -> int:
        return len(self._sums) + self._waiting

    def __repr__(self) -> str:
        return f"Meter({', '.join(self.measures[:6])}{', …' * (len(self.measures) > 6)}; {len(self)} instances)"

    # --- batches that are not yet summed --------------------------------------------------------------------------
    # `evaluate` leaves a few instances to `explain`, whose values may differ in the last bit from those of the kernels,
    # which it takes for more. So a meter keeps the first few as they are, until it is known that there are more.

    @property
    def _waiting(self) -> int:
        return sum(len(true) for true, _ in self._pending)

    def _add(self, batches: list[tuple[EncodedLabels, EncodedLabels]]) -> None:
        self._pending += batches
        if self._waiting >= max(CHUNK, _few() + 1):
            self._flush()

    def _flush(self) -> None:
        self._sums = self._sums + self._evaluated(explain_up_to=0)
        self._pending = []

    def _evaluated(self, **arguments: Any) -> Report:
        true, predicted = (joined(side) for side in zip(*self._pending, strict=True))
        return evaluate(self.hierarchy, true, predicted, keep_instances=False, **self._settings, **arguments)

    # --- pickling -------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        sums = self._sums
        return {
            "hierarchy": self.hierarchy,
            "settings": {**self._settings, **self._read},
            "pending": self._pending,
            "sums": {
                "partial": sums.partial,
                "known_class_counts": sums.class_counts,
                "unknown_true": sums.unknown_true,
                "unknown_predicted": sums.unknown_predicted,
            },
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["hierarchy"], **state["settings"])  # type: ignore[misc]
        self._sums = replace(self._nothing, **state["sums"])
        self._pending = list(state["pending"])


def _keys(measures: Iterable[str | Measure] | str) -> tuple[str, ...]:
    """The measures by key, for formulas cannot be pickled."""
    each = [measures] if isinstance(measures, str) else measures
    return tuple(m.key if isinstance(m, Measure) else m for m in each)


def _few() -> int:
    from hiermeasures.batch import tasks

    return tasks.FEW_INSTANCES


def _check_alike(a: Report, b: Report) -> None:
    """Refuse to join sums that are not of the same thing."""
    if a.hierarchy != b.hierarchy:
        only = set(a.hierarchy.nodes) ^ set(b.hierarchy.nodes)
        how = f"only one of them has {listed(only, limit=3)}" if only else "the classes are the same, the edges are not"
        raise InputError(f"the meters have different hierarchies: {how}")
    if a.measures != b.measures:
        only = set(a.measures) ^ set(b.measures)
        how = f"only one of them has {listed(only, limit=3)}" if only else "they have them in different order"
        raise InputError(f"the meters have different measures: {how}")
    for name in Options.model_fields:
        mine, theirs = getattr(a.options, name), getattr(b.options, name)
        if mine != theirs:
            raise InputError(f"the meters have different options: {name} is {mine} in one, {theirs} in the other")
    if a.average != b.average:
        raise InputError(f"the meters have different averages: {a.average} and {b.average}")
