"""What every edit of one class would do to every measure of one instance: a class added to a side, taken off it, or
replaced by another there.

All edits are one batch of the array engine, so that the answer comes with a click. Why a value changes is said by
why.py; the edits of whole hierarchies, as bit masks, are edits.py's.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal

import numpy as np

from hiermeasures.batch.encode import encode
from hiermeasures.batch.engine import measure_values
from hiermeasures.batch.warm import kernels_ready
from hiermeasures.behaviour.properties import CLOSE, Relation, better, worse
from hiermeasures.measures import Explanation, Instance, Measure, SideName, explain_instance

Kind = Literal["add", "remove", "move"]
Word = Literal["better", "worse", "same", "undefined"]
Order = Literal["best", "conflict", "class"]
KINDS: tuple[Kind, ...] = ("add", "remove", "move")
MOST_EDITS = 3000


@dataclass(frozen=True)
class Change:
    """How a value moved: by how much (nan where one of the two is undefined), and what that means."""

    amount: float
    word: Word


def change(measure: Measure, before: float, now: float) -> Change:
    """From one value of a measure to another; equal within CLOSE, as in every property.

    >>> from hiermeasures.measures import CATALOGUE
    >>> change(CATALOGUE["hF"], 0.5, 0.75), change(CATALOGUE["GIE"], 5.0, 7.0).word
    (Change(amount=0.25, word='better'), 'worse')
    >>> change(CATALOGUE["hF"], 0.5, 0.5).word
    'same'
    """
    if math.isnan(before) or math.isnan(now):
        return Change(math.nan, "same" if math.isnan(before) and math.isnan(now) else "undefined")
    amount = 0.0 if before == now else now - before
    if abs(amount) <= CLOSE:
        return Change(0.0, "same")
    return Change(amount, "better" if (amount > 0) == (measure.better == "higher") else "worse")


@dataclass(frozen=True)
class ClassEdit:
    """One class added to a side or taken off it; both where one is replaced by another."""

    side: SideName
    added: str | None = None
    removed: str | None = None

    @property
    def kind(self) -> Kind:
        return "move" if self.added is not None and self.removed is not None else "add" if self.added else "remove"

    @property
    def name(self) -> str:
        """The edit in signs.

        >>> [e.name for e in (ClassEdit("predicted", "C"), ClassEdit("true", None, "T"), ClassEdit("true", "C", "T"))]
        ['+ C', '− T', 'T → C']
        """
        if self.kind == "move":
            return f"{self.removed} → {self.added}"
        return f"+ {self.added}" if self.kind == "add" else f"− {self.removed}"

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that it changes."""
        return tuple(c for c in (self.removed, self.added) if c is not None)

    def of(self, labels: frozenset[str]) -> frozenset[str]:
        """The side's classes after it."""
        return (labels - {self.removed}) | ({self.added} if self.added is not None else frozenset())

    def made(self, instance: Instance) -> Instance:
        """The instance after it."""
        labels = instance.true if self.side == "true" else instance.predicted
        return instance.with_classes(self.side, self.of(labels))

    def right(self, instance: Instance) -> bool | None:
        """Whether a predicted class is brought in line with the true ones; None where neither or both of an edit's
        classes are, and for the true side.
        """
        if self.side == "true":
            return None
        gains = (self.added is not None and self.added in instance.true) - (
            self.removed is not None and self.removed in instance.true
        )
        if self.kind == "move":
            return None if gains == 0 else gains > 0
        return self.added in instance.true if self.kind == "add" else self.removed not in instance.true


def edits_of(
    instance: Instance,
    classes: Iterable[str],
    *,
    sides: Collection[SideName] = ("predicted", "true"),
    kinds: Collection[Kind] = KINDS,
) -> Iterator[ClassEdit]:
    """Every edit that puts in one of these classes or takes out one of them: those of one click first, side by side,
    then moves. One that leaves no class on either side is left out: what two empty sets score is a convention.

    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.options import Options
    >>> x = Instance(Hierarchy.from_edges([("A", "B"), ("A", "C")]), frozenset("B"), frozenset("C"), Options())
    >>> [e.name for e in edits_of(x, "ABC", sides=["predicted"])]
    ['+ A', '+ B', '− C', 'C → A', 'C → B']
    """
    offered = list(dict.fromkeys(classes))
    now: Mapping[SideName, frozenset[str]] = {"true": instance.true, "predicted": instance.predicted}
    for side in sides:
        other = now["true" if side == "predicted" else "predicted"]
        for label in offered:
            if label not in now[side] and "add" in kinds:
                yield ClassEdit(side, added=label)
            elif label in now[side] and "remove" in kinds and (other or len(now[side]) > 1):
                yield ClassEdit(side, removed=label)
    if "move" in kinds:
        for side in sides:
            for out in (c for c in offered if c in now[side]):
                yield from (ClassEdit(side, added=label, removed=out) for label in offered if label not in now[side])


@dataclass(frozen=True)
class WhatIf:
    """The values of an instance before and after each of some edits.

    `after` has an array by measure, edit by edit; `left_out` counts the edits that were too many to be computed.
    """

    instance: Instance
    measures: tuple[Measure, ...]
    edits: tuple[ClassEdit, ...]
    before: Mapping[str, float]
    after: Mapping[str, np.ndarray]
    left_out: int = 0

    def measure(self, key: str) -> Measure:
        """The measure of a key."""
        return next(m for m in self.measures if m.key == key)

    def change(self, k: int, key: str) -> Change:
        """What the edit at a place does to a measure."""
        return change(self.measure(key), self.before[key], float(self.after[key][k]))

    def words(self, k: int) -> dict[Word, tuple[str, ...]]:
        """The measures by what the edit at a place does to them."""
        found: dict[Word, list[str]] = {"better": [], "worse": [], "same": []}
        for row, m in enumerate(self.measures):
            word: Word = "better" if self._better[row, k] else "worse" if self._worse[row, k] else "same"
            found[word].append(m.key)
        return {word: tuple(keys) for word, keys in found.items()}

    @cached_property
    def conflicts(self) -> np.ndarray:
        """For each edit on how many measures its minority stands, of those that it makes better or worse; 0: none
        disagrees with another.
        """
        found: np.ndarray = np.minimum(self._better.sum(axis=0), self._worse.sum(axis=0))
        return found

    def ranked(self, order: Order, key: str) -> list[int]:
        """The places of the edits: the best for one measure first, those on which the measures disagree most, or as
        they came.
        """
        gains = self._gain(key)
        if order == "class":
            return list(range(len(self.edits)))
        keys = (-gains,) if order == "best" else (-gains, -self.conflicts)
        return [int(k) for k in np.lexsort(keys)]

    def _gain(self, key: str) -> np.ndarray:
        """How much better each edit makes a measure; undefined ones come last."""
        m = self.measure(key)
        with np.errstate(invalid="ignore"):
            moved = np.round(self.after[key] - self.before[key], 9)
        return np.nan_to_num(moved if m.better == "higher" else -moved, nan=-np.inf)

    @cached_property
    def _better(self) -> np.ndarray:
        return self._related(better)

    @cached_property
    def _worse(self) -> np.ndarray:
        return self._related(worse)

    def _related(self, relation: Relation) -> np.ndarray:
        rows = [relation(m, np.asarray(self.before[m.key]), self.after[m.key]) for m in self.measures]
        return np.array(rows).reshape(len(self.measures), len(self.edits))


def what_if(
    explanation: Explanation,
    measures: Sequence[Measure],
    edits: Iterable[ClassEdit],
    *,
    most: int = MOST_EDITS,
    most_explained: int | None = None,
) -> WhatIf:
    """What edits would do to some measures of an instance.

    Parameters
    ----------
    explanation : Explanation
        The instance as it is.
    measures : sequence of Measure
    edits : iterable of ClassEdit
        See `edits_of`.
    most : int
        How many edits are computed, the first ones.
    most_explained : int, optional
        How many where `explain` has to compute them, which takes milliseconds for each: until the kernels are ready
        (hiermeasures.batch.warm), and where they lack an option. By default all of `most`, for which kernels are
        compiled if need be.

    Returns
    -------
    WhatIf
        Its values are those of `explain` after the edit, within rounding.

    Examples
    --------
    Figure 11(a) of Kosmopoulos et al. 2015: predicting T1, too, makes GIE worse.

    >>> from hiermeasures import Hierarchy, explain
    >>> from hiermeasures.measures import CATALOGUE
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> x = explain(h, {"T1"}, {"P1", "P2"})
    >>> found = what_if(x, [CATALOGUE["GIE"]], [ClassEdit("predicted", "T1")])
    >>> found.before["GIE"], found.after["GIE"].tolist(), found.change(0, "GIE").word
    (7.0, [10.0], 'worse')
    """
    given = _as_given(explanation)
    chosen = tuple({m.key: m for m in measures}.values())
    ready = _all_at_once(given, chosen)
    coming = iter(edits)
    taken = tuple(islice(coming, most if ready or most_explained is None else min(most, most_explained)))
    explained = 0 if ready else None if most_explained is None else len(taken)
    before = {m.key: explanation.value(m) for m in chosen}
    return WhatIf(given, chosen, taken, before, _values(given, chosen, taken, explained), sum(1 for _ in coming))


def _as_given(explanation: Explanation) -> Instance:
    """The instance in the hierarchy that was given, to which options such as edge weights were not applied yet."""
    return replace(explanation.instance, hierarchy=explanation.given)


def _all_at_once(instance: Instance, measures: Sequence[Measure]) -> bool:
    """Whether kernels can compute all of these measures now."""
    if not kernels_ready() or _is_for_explain(instance):
        return False
    from hiermeasures.batch.tasks import has_kernel

    return all(has_kernel(*read) for m in measures for read in m.reads(instance.options).values())


def _is_for_explain(instance: Instance) -> bool:
    """Whether something came with it that only `explain` knows of: paths, or a bound of the exact search."""
    bounded = instance.exact_work is not None and instance.options.solver == "exact"
    return bounded or instance.true_paths is not None or instance.predicted_paths is not None


def _values(
    instance: Instance, measures: Sequence[Measure], edits: Sequence[ClassEdit], explain_up_to: int | None
) -> dict[str, np.ndarray]:
    after = [edit.made(instance) for edit in edits]
    if _is_for_explain(instance) or not after:
        explained = [explain_instance(each) for each in after]
        return {m.key: np.array([x.value(m) for x in explained], float) for m in measures}
    h = instance.hierarchy
    sides = (
        encode(h, [each.true for each in after], name="true"),
        encode(h, [each.predicted for each in after], name="predicted"),
    )
    return measure_values(h, *sides, measures, instance.options, explain_up_to=explain_up_to)


def edit_between(before: Instance, after: Instance) -> ClassEdit | None:
    """The edit of one class that leads from one instance to another; None where it takes more, or something else."""
    if (before.hierarchy, before.options) != (after.hierarchy, after.options):
        return None
    sides: tuple[SideName, ...] = ("true", "predicted")
    changed = [side for side in sides if getattr(before, side) != getattr(after, side)]
    if len(changed) != 1:
        return None
    was, now = getattr(before, changed[0]), getattr(after, changed[0])
    if len(now - was) > 1 or len(was - now) > 1:
        return None
    return ClassEdit(changed[0], *(next(iter(part), None) for part in (now - was, was - now)))
