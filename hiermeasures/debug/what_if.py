"""The effect of every edit of one class on every measure of an instance, and why a value changed.

An edit adds a class to a side, removes one, or replaces one by another. `explain` computes the
effects one after the other, in plain Python. If the array engine is ready, it computes all at once
(hiermeasures.evaluation.warm). A structure can declare how to describe its changes (`changes`).
Otherwise the numbers of its rows are compared. properties.py has edits of many instances as bit
masks.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import capitalize
from hiermeasures.measures import (
    Derivation,
    Explanation,
    Instance,
    Measure,
    SideName,
    explain_instance,
)
from hiermeasures.measures.catalogue import SIDES, changed_numbers

Kind = Literal["add", "remove", "move"]
Word = Literal["better", "worse", "same", "undefined"]
Order = Literal["best", "conflict", "class"]
KINDS: tuple[Kind, ...] = ("add", "remove", "move")
MOST_EDITS = 3000
CLOSE = 1e-9  # values that differ by no more are equal

Values = Mapping[str, Sequence[float]]  # of some instances, by measure
Engine = Callable[[Instance, Sequence[Measure]], Callable[[Sequence[Instance]], Values] | None]
"""A function that computes measures of all edited instances at once, or None if it is not ready."""


@dataclass(frozen=True)
class ValueChange:
    """The change of a value: the amount (nan if a value is undefined) and its meaning."""

    amount: float
    word: Word


def change(measure: Measure, before: float, now: float) -> ValueChange:
    """Return the change from one value of a measure to another.

    Values within CLOSE are equal, as in every property.
    """
    if math.isnan(before) or math.isnan(now):
        return ValueChange(
            math.nan, "same" if math.isnan(before) and math.isnan(now) else "undefined"
        )
    amount = 0.0 if before == now else now - before
    if abs(amount) <= CLOSE:
        return ValueChange(0.0, "same")
    return ValueChange(
        amount, "better" if (amount > 0) == (measure.better == "higher") else "worse"
    )


@dataclass(frozen=True)
class ClassEdit:
    """One class added to a side or removed from it, or both if one replaces another."""

    side: SideName
    added: str | None = None
    removed: str | None = None

    @property
    def kind(self) -> Kind:
        return (
            "move"
            if self.added is not None and self.removed is not None
            else "add"
            if self.added
            else "remove"
        )

    @property
    def name(self) -> str:
        """The edit in signs: `+ C`, `− T` or `T → C`."""
        if self.kind == "move":
            return f"{self.removed} → {self.added}"
        return f"+ {self.added}" if self.kind == "add" else f"− {self.removed}"

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(c for c in (self.removed, self.added) if c is not None)

    def of(self, labels: frozenset[str]) -> frozenset[str]:
        return (labels - {self.removed}) | ({self.added} if self.added is not None else frozenset())

    def made(self, instance: Instance) -> Instance:
        labels = instance.true if self.side == "true" else instance.predicted
        return instance.with_classes(self.side, self.of(labels))

    def right(self, instance: Instance) -> bool | None:
        """True if a predicted class becomes like the true ones, False if it becomes unlike them.

        None if neither or both of an edit's classes are true, and for edits of the true side.
        """
        if self.side == "true":
            return None
        gains = (self.added in instance.true) - (self.removed in instance.true)
        if self.kind == "move":
            return None if gains == 0 else gains > 0
        return gains > 0 if self.kind == "add" else gains == 0


def edits_of(
    instance: Instance,
    classes: Iterable[str],
    *,
    sides: Collection[SideName] = ("predicted", "true"),
    kinds: Collection[Kind] = KINDS,
) -> Iterator[ClassEdit]:
    """Yield every edit that adds or removes one of these classes.

    First come the edits of one click, side by side, then the moves. Edits that leave both sides
    empty are left out, because the score of two empty sets is a convention.
    """
    offered = list(dict.fromkeys(classes))
    now: Mapping[SideName, frozenset[str]] = {
        "true": instance.true,
        "predicted": instance.predicted,
    }
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
                yield from (
                    ClassEdit(side, added=label, removed=out)
                    for label in offered
                    if label not in now[side]
                )


@dataclass(frozen=True)
class WhatIf:
    """The values of an instance before and after some edits.

    `after` has the values of each measure, edit by edit. `left_out` counts the edits that were not
    computed because there were too many.
    """

    instance: Instance
    measures: tuple[Measure, ...]
    edits: tuple[ClassEdit, ...]
    before: Mapping[str, float]
    after: Values
    left_out: int = 0

    def measure(self, key: str) -> Measure:
        return next(m for m in self.measures if m.key == key)

    def change(self, k: int, key: str) -> ValueChange:
        return change(self.measure(key), self.before[key], self.after[key][k])

    def words(self, k: int) -> dict[Word, tuple[str, ...]]:
        found: dict[Word, list[str]] = {"better": [], "worse": [], "same": []}
        for m in self.measures:
            word = self.change(k, m.key).word
            found["same" if word == "undefined" else word].append(m.key)
        return {word: tuple(keys) for word, keys in found.items()}

    @cached_property
    def conflicts(self) -> tuple[int, ...]:
        """Return how many measures disagree with the majority about each edit (0: all agree)."""
        words = map(self.words, range(len(self.edits)))
        return tuple(min(len(each["better"]), len(each["worse"])) for each in words)

    def ranked(self, order: Order, key: str) -> list[int]:
        """Return the places of the edits in an order.

        The order is: best for one measure first, most disagreement first, or as they came.
        """
        if order == "class":
            return list(range(len(self.edits)))
        sign = 1 if self.measure(key).better == "higher" else -1

        def place(k: int) -> tuple[float, float]:
            """Return a sort key that puts undefined changes last."""
            moved = round(self.after[key][k] - self.before[key], 9)
            gain = -math.inf if math.isnan(moved) else sign * moved
            return -self.conflicts[k] if order == "conflict" else 0, -gain

        return sorted(range(len(self.edits)), key=place)


def what_if(
    explanation: Explanation,
    measures: Sequence[Measure],
    edits: Iterable[ClassEdit],
    *,
    most: int = MOST_EDITS,
    most_explained: int | None = None,
    seconds: float = math.inf,
    engine: Engine | None = None,
) -> WhatIf:
    """Compute some measures of an instance before and after edits (see `edits_of`).

    Values equal those of `explain` after the edit, within rounding.

    Parameters
    ----------
    explanation : Explanation
        The instance before the edits.
    measures : sequence of Measure
        The measures to compute.
    edits : iterable of ClassEdit
        The edits. Each one starts from the instance.
    most : int
        The largest number of edits to compute.
    most_explained : int, optional
        The largest number of edits if `explain` computes them. It takes milliseconds for each.
    seconds : float
        The processor time that `explain` may use for all edits.
    engine : Engine, optional
        A faster way that computes all edits at once, such as
        hiermeasures.evaluation.warm.all_at_once.

    Returns
    -------
    WhatIf
        The values before and after each edit.

    See Also
    --------
    edits_of : Every edit that adds or removes one of some classes.

    Examples
    --------
    In Figure 11(a) of Kosmopoulos et al. 2015, predicting T1 too makes GIE worse.

    >>> from hiermeasures import Hierarchy, explain
    >>> from hiermeasures.measures import CATALOGUE
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> x = explain(h, {"T1"}, {"P1", "P2"})
    >>> found = what_if(x, [CATALOGUE["GIE"]], [ClassEdit("predicted", "T1")])
    >>> found.before["GIE"], found.after["GIE"], found.change(0, "GIE").word
    (7.0, [10.0], 'worse')
    """
    # without what the options made of it
    given = replace(explanation.instance, hierarchy=explanation.given)
    chosen = tuple({m.key: m for m in measures}.values())
    at_once = engine(given, chosen) if engine else None
    coming = iter(edits)
    taken = tuple(
        islice(coming, most if at_once or most_explained is None else min(most, most_explained))
    )
    after = [edit.made(given) for edit in taken]
    before = {m.key: explanation.value(m) for m in chosen}
    values = at_once(after) if at_once and after else _explained(after, chosen, seconds)
    computed = taken[: min(map(len, values.values()), default=len(taken))]
    left_out = len(taken) - len(computed) + sum(1 for _ in coming)
    return WhatIf(given, chosen, computed, before=before, after=values, left_out=left_out)


def _explained(
    instances: Iterable[Instance], measures: Sequence[Measure], seconds: float
) -> Values:
    found: dict[str, list[float]] = {m.key: [] for m in measures}
    for instance in instances:
        if seconds < 0:
            break
        x = explain_instance(instance)
        for m in measures:
            found[m.key].append(x.value(m))
        seconds -= x.spent
    return found


def edit_between(before: Instance, after: Instance) -> ClassEdit | None:
    """Return the edit of one class that turns an instance into another, or None."""
    if (before.hierarchy, before.options) != (after.hierarchy, after.options):
        return None
    changed = [side for side in SIDES if getattr(before, side) != getattr(after, side)]
    if len(changed) != 1:
        return None
    was, now = getattr(before, changed[0]), getattr(after, changed[0])
    if len(now - was) > 1 or len(was - now) > 1:
        return None
    return ClassEdit(changed[0], *(next(iter(part), None) for part in (now - was, was - now)))


NOTHING = "the structure behind this measure has not changed"


@dataclass(frozen=True)
class ChangeReason:
    """The reason for a change: both derivations, both values, and the changed parts in words."""

    before: Derivation
    after: Derivation
    values: tuple[float, float]
    word: Word
    sentence: str


def why(measure: Measure, before: Explanation, after: Explanation) -> ChangeReason:
    """Return the changes in a measure's structure between two instances.

    This is Figure 11(a) of Kosmopoulos et al. 2015. The change predicts C too.

    >>> from hiermeasures import Hierarchy, explain
    >>> from hiermeasures.measures import CATALOGUE
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> found = why(CATALOGUE["F_LCA"], explain(h, {"T1"}, {"P1", "P2"}), explain(h, {"T1"}, {"P1", "P2", "C"}))
    >>> found.word, found.sentence
    ('better', 'C meets T1 in A, so A joins both graphs; new on the predicted side only: C.')
    """
    parts: list[str] = []
    for structure, options in measure.reads(after.options).values():
        built = [x.built(structure) for x in (before, after)]
        say = structure.changes if _same_names(before.hierarchy, after.hierarchy) else None
        was, now = (structure.read(b, options) for b in built)
        words = {name: name.replace("_", " ") for name in structure.columns}
        parts += (say(built[0], built[1], options) if say else []) or changed_numbers(
            was, now, words
        )
    text = "; ".join(dict.fromkeys(parts)) or NOTHING
    # a class with which it begins keeps its small letter
    if not any(text.startswith((f"{label} ", f"{label}, ")) for label in after.hierarchy.nodes):
        text = capitalize(text)
    values = before.value(measure), after.value(measure)
    return ChangeReason(
        before.derive(measure),
        after.derive(measure),
        values,
        change(measure, *values).word,
        f"{text}.",
    )


def _same_names(before: Hierarchy, after: Hierarchy) -> bool:
    """Return whether a name means the same class in both: one hierarchy is a part of the other."""
    edges = [set(h.edges) for h in (before, after)]
    return edges[0] <= edges[1] or edges[1] <= edges[0]
