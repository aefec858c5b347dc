"""A running evaluation: add batch after batch, as in a training loop, and get the averages so far.

A meter has a partial result (hiermeasures.evaluation.partials) and adds to it.
"""

from typing import Any, Unpack

from hiermeasures.evaluation.averages import Average
from hiermeasures.evaluation.batch import READING, encoded_sides
from hiermeasures.evaluation.numbered import class_names
from hiermeasures.evaluation.partials import PartialArguments, PartialReport, no_instances
from hiermeasures.evaluation.results import Report
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, split_arguments


class Meter:
    """Measures over instances that come batch by batch.

    You can cut the instances into any batches, use several meters, and merge them in any order. The
    values equal, to the last bit, those of one `evaluate` over all instances. See `partial` for
    weighted edges. A meter's memory does not grow with the number of instances.

    A meter can be pickled and sent to another process. It has no lock. So give each thread and each
    process its own meter, and merge them at the end.

    Parameters
    ----------
    hierarchy : Hierarchy

    Other Parameters
    ----------------
    average : "samples", "micro" or "macro"
        The average that `compute` returns. `report().averages` has all three.
    measures, define, classes, threshold, argmax, unknown, n_jobs, options : optional
        As for `evaluate`.

    Raises
    ------
    InputError
        For unknown measures, averages or options.

    See Also
    --------
    hiermeasures.evaluate : Evaluate all instances at once.

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

    def __init__(self, hierarchy: Hierarchy, **arguments: Unpack[PartialArguments]) -> None:
        self._reading, others = split_arguments(arguments, READING)
        if (classes := self._reading.get("classes")) is not None:
            self._reading["classes"] = class_names(classes)
        self._nothing = no_instances(hierarchy, **others)
        encoded_sides(hierarchy, [], [], **self._reading)  # refuses what cannot be read
        self.reset()

    def reset(self) -> None:
        """Forget all instances."""
        self._partial = self._nothing

    def update(self, y_true: Any, y_pred: Any) -> None:
        """Add instances: their true and predicted classes in any form that `evaluate` takes.

        It raises InputError like `evaluate`, and then the meter does not change. The message counts
        instances from 0 in this batch.
        """
        self._partial = self._partial.plus(y_true, y_pred, **self._reading)

    def merge(self, other: "Meter") -> None:
        """Add the instances of another meter. The other meter stays as it is.

        It raises InputError if the other meter has another hierarchy, other measures, options or
        another average. The message names the difference.
        """
        if not isinstance(other, Meter):
            raise InputError(f"a meter is merged with a meter, not with {type(other).__name__}")
        self._partial = self._partial + other._partial

    def compute(self) -> dict[str, float]:
        """Return every measure, averaged over the instances so far. It is nan if no instance has a
        value.
        """
        return dict(self.report().values)

    def report(self) -> Report:
        """Return the report of `evaluate` so far, without values per instance."""
        return self.partial().report()

    def partial(self) -> PartialReport:
        """Return the instances so far as a partial result. `hiermeasures.to_bytes` can write it."""
        self._partial = self._partial.settled()
        return self._partial

    @property
    def hierarchy(self) -> Hierarchy:
        return self._nothing.hierarchy

    @property
    def options(self) -> Options:
        return self._nothing.sums.options

    @property
    def measures(self) -> tuple[str, ...]:
        """The keys of the measures, in the requested order."""
        return self._nothing.sums.measures

    @property
    def average(self) -> Average:
        return self._nothing.sums.average

    def __len__(self) -> int:
        return len(self._partial)

    def __repr__(self) -> str:
        return f"Meter({', '.join(self.measures[:6])}{', …' * (len(self.measures) > 6)}; {len(self)} instances)"
