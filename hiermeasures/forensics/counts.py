"""The classes that a convention counts, as arrays: from the labels of many instances to the sums
per instance and per class off which every average is read.

A side, true or predicted, is an array of entries (instance, class), each with the number of times
it counts. Labels that are no class are numbered after the classes. Of scores a decision makes
labels: a choice on the axis `decision`, with its number behind an @ where it has one. Equal scores
are decided alike, and a class of score 0 is not predicted. A threshold that is tuned is the largest
with the best micro F1 on the very data, of labels as they stand (`best`) or with the ancestors on
both sides (`best_grown`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy, as_label
from hiermeasures.engine.hierarchy_arrays import arrays_of, runs
from hiermeasures.formats.label_rows import LabelRows
from hiermeasures.probabilities.probabilities import ProbabilityTable

Labels = tuple[np.ndarray, np.ndarray]  # instance and class number of each label
TUNED = ("best", "best_grown")
FORM = re.compile(r"(?:above|at_least)@[0-9]{1,4}(?:\.[0-9]{1,12})?|top@[1-9][0-9]{0,8}|levels|best|best_grown")


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the classes for every instance, and the decisions that are tried.

    >>> from hiermeasures import Hierarchy
    >>> table = ProbabilityTable.of(Hierarchy.from_edges([("A", "B"), ("A", "C")]), [[0.9, 0.5]], ["B", "C"])
    >>> Scores.of(table, thresholds=[0.3]).decisions
    ('above@0.3', 'at_least@0.3', 'levels', 'top@1', 'best', 'best_grown')
    """

    table: ProbabilityTable
    decisions: tuple[str, ...]

    @classmethod
    def of(cls, table: ProbabilityTable, thresholds: Sequence[float] = (0.5,), top: Sequence[int] = (1,)) -> "Scores":
        """The usual decisions with these thresholds and numbers of classes."""
        for t in thresholds:
            if not 0 <= t <= 1:
                raise InputError(f"a threshold is a number in [0, 1], not {t!r}")
        for k in top:
            if k < 1:
                raise InputError(f"the number of best classes is 1 or more, not {k!r}")
        texts = [f"{t:.12f}".rstrip("0").rstrip(".") for t in thresholds]
        at = [f"{rule}@{text}" for text in texts for rule in ("above", "at_least")]
        return cls(table, (*at, "levels", *(f"top@{k}" for k in top), *TUNED))

    def __len__(self) -> int:
        return len(self.table)

    def others(self, decision: str) -> list[str]:
        """The decisions beside one: those tried, and the same threshold with the other sign."""
        rule, _, number = decision.partition("@")
        signs = [f"{sign}@{number}" for sign in ("above", "at_least")] if rule in ("above", "at_least") else []
        return [other for other in dict.fromkeys((*self.decisions, *signs)) if other != decision]

    def decide(self, decision: str, true: Labels) -> Labels:
        """The labels that a decision predicts; what is tuned looks at the true ones."""
        if not FORM.fullmatch(decision):
            raise InputError(f"a decision is above@0.5, at_least@0.5, levels, top@1, best …, not {shown(decision)}")
        scores = np.array(self.table.values.T, order="C")  # of each class
        scores[0] = 0  # the root
        rule, _, number = decision.partition("@")
        if rule == "above":
            taken = scores > float(number)
        elif rule == "at_least":
            taken = scores >= float(number)
        elif rule == "top":
            k = min(int(number), len(scores))
            taken = scores >= np.partition(scores, len(scores) - k, axis=0)[len(scores) - k]
        elif rule == "levels":
            level, taken = arrays_of(self.table.hierarchy).level, np.zeros(scores.shape, bool)
            for depth in range(1, int(level.max()) + 1):
                taken[level == depth] = scores[level == depth] == scores[level == depth].max(axis=0)
        else:
            taken = scores >= self._tuned(scores, true, grown=rule == "best_grown")
        instance, code = np.nonzero((taken & (scores > 0)).T)
        return instance, code

    def _tuned(self, scores: np.ndarray, true: Labels, *, grown: bool) -> float:
        """The largest threshold of the best micro F1; it is the score of a true class."""
        is_true = np.zeros(scores.shape, bool)
        instance, code = true
        known = code < len(scores)
        is_true[code[known], instance[known]] = True
        if grown:
            arrays, scores = arrays_of(self.table.hierarchy), scores.copy()
            for k in range(len(scores) - 1, 0, -1):  # children come last
                for parent in arrays.parent_idx[arrays.parent_ptr[k] : arrays.parent_ptr[k + 1]].tolist():
                    np.maximum(scores[parent], scores[k], out=scores[parent])
                    is_true[parent] |= is_true[k]
            scores[0], is_true[0] = 0, False
        unknown = len(np.unique(instance[~known] * (int(code.max(initial=0)) + 1) + code[~known]))
        at = np.sort(scores[is_true & (scores > 0)])[::-1]
        predicted = scores.size - np.searchsorted(np.sort(scores, axis=None), at, side="left")
        hits = np.searchsorted(-at, -at, side="right")
        f1 = 2 * hits / (predicted + is_true.sum() + unknown)
        return float(at[np.argmax(f1)]) if len(at) else 1.0


ROOT = 0  # the topological number of the root
LABELS = ("unknown", "duplicates", "denominator")  # the axes that decide which labels of which instances are looked at
# By side: the axis that gives it credit, the choice on "ancestors" that adds them to it alone, and
# the other side.
SIDES = {"true": ("too_general", "truth", "predicted"), "predicted": ("too_specific", "prediction", "true")}


@dataclass(frozen=True)
class Entries:
    """Classes of instances: `key` is instance * width + class, distinct, rising; with a count."""

    key: np.ndarray
    count: np.ndarray

    @classmethod
    def of(cls, key: np.ndarray, count: np.ndarray, *, once: bool) -> "Entries":
        """Add up equal keys; with `once` each counts 1."""
        order = np.argsort(key, kind="stable")
        key, count = key[order], count[order]
        starts = np.flatnonzero(np.diff(key, prepend=key[:1] - 1))
        sums = np.ones(len(starts), np.int64) if once or not len(key) else np.add.reduceat(count, starts)
        return cls(key[starts], sums)

    def where(self, keep: np.ndarray) -> "Entries":
        return Entries(self.key[keep], self.count[keep])

    def holds(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tell which of some keys are entries, and the places of those."""
        if not len(self.key):
            return np.zeros(len(keys), bool), np.zeros(0, np.int64)
        place = np.minimum(np.searchsorted(self.key, keys), len(self.key) - 1)
        found = np.asarray(self.key[place] == keys)
        return found, place[found]

    def marked(self, keys: np.ndarray) -> np.ndarray:
        """Tell which entries have one of some keys."""
        found = np.zeros(len(self.key), bool)
        found[self.holds(keys)[1]] = True
        return found

    def shared(self, other: "Entries") -> "Entries":
        """The entries on both sides; each counts as often as on the side where it counts less."""
        found, place = other.holds(self.key)
        return Entries(self.key[found], np.minimum(self.count[found], other.count[place]))

    @cached_property
    def digest(self) -> bytes:
        return blake2b(self.key.tobytes() + self.count.tobytes(), digest_size=16).digest()


@dataclass(frozen=True)
class Sums:
    """Counts of true, predicted and shared classes by row: an instance, a class or a level."""

    true: np.ndarray
    predicted: np.ndarray
    shared: np.ndarray

    def pooled(self) -> "Sums":
        return Sums(*(np.array([column.sum()]) for column in (self.true, self.predicted, self.shared)))

    def rows(self, keep: np.ndarray) -> "Sums":
        return Sums(self.true[keep], self.predicted[keep], self.shared[keep])

    def by(self, group: np.ndarray, groups: int) -> "Sums":
        """Sums over the rows of each group."""
        return Sums(*(np.bincount(group, column, groups) for column in (self.true, self.predicted, self.shared)))


@dataclass(frozen=True)
class BothSums:
    """Sums of each instance and of each class."""

    by_instance: Sums
    by_class: Sums


@dataclass(frozen=True)
class Counted:
    """Classes that a convention counts of one system: `kept` are the evaluated instances."""

    true: Entries
    predicted: Entries
    shared: Entries
    kept: np.ndarray
    width: int

    @cached_property
    def by_instance(self) -> Sums:
        sides = (self.true, self.predicted, self.shared)
        found = (np.bincount(side.key // self.width, side.count, len(self.kept))[self.kept] for side in sides)
        return Sums(*found)

    @cached_property
    def by_class(self) -> Sums:
        sides = (self.true, self.predicted, self.shared)
        return Sums(*(np.bincount(side.key % self.width, side.count, self.width) for side in sides))

    def replaced(self, places: np.ndarray, part: "Counted") -> BothSums:
        """The sums where some of the instances are counted as in `part`."""
        others = np.ones(len(self.kept), bool)
        others[places] = False
        t, p, s = (side.where(others[side.key // self.width]) for side in (self.true, self.predicted, self.shared))
        rest = Counted(t, p, s, kept=self.kept, width=self.width)
        at = (np.cumsum(self.kept) - 1)[places][part.kept]
        for column, own in zip(vars(rest.by_instance).values(), vars(part.by_instance).values(), strict=True):
            column[at] = own
        by_class = zip(vars(rest.by_class).values(), vars(part.by_class).values(), strict=True)
        return BothSums(rest.by_instance, Sums(*(a + b for a, b in by_class)))

    @cached_property
    def digest(self) -> tuple[bytes, ...]:
        """A fingerprint: where it is the same, the same classes are counted."""
        return self.true.digest, self.predicted.digest, self.shared.digest, np.packbits(self.kept).tobytes()


def codes(hierarchy: Hierarchy, labels: Sequence[Any], unseen: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Instance and class number of each label, which may be a title or another name; what names no
    class is numbered behind the classes, kept in `unseen`.
    """

    def number(name: Any) -> int:
        label = as_label(name) if name != "" else ""  # what a script reads behind a last tab
        found = hierarchy.number(label)
        return unseen.setdefault(label, len(hierarchy) + len(unseen)) if found is None else found

    if isinstance(labels, LabelRows):
        numbers = np.array([number(name) for name in labels.names], np.int64)
        return np.repeat(np.arange(len(labels)), np.diff(labels.ptr)), numbers[labels.idx]
    rows = [[row] if isinstance(row, str) else list(row if row is not None else ()) for row in labels]
    instance = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return instance, np.array([number(name) for row in rows for name in row], np.int64)


class Space:
    """Classes and labels that are none (`unknown`), by number; ancestors of those in use."""

    def __init__(self, hierarchy: Hierarchy, unknown: Sequence[str], used: np.ndarray) -> None:
        self.hierarchy, self.unknown, self.classes = hierarchy, tuple(unknown), len(hierarchy)
        self.width, self._used = self.classes + len(unknown), used

    @cached_property
    def tops(self) -> list[int]:
        """The top classes."""
        return [self.hierarchy.numbering[c] for c in self.hierarchy.children(self.hierarchy.root)]

    @cached_property
    def above(self) -> tuple[np.ndarray, np.ndarray]:
        """Proper ancestors of every class in use, compressed rows; the root for unknown labels."""
        h, number = self.hierarchy, self.hierarchy.numbering
        above: list[list[int]] = [[] for _ in range(self.width)]
        for code in self._used.tolist():
            above[code] = [number[a] for a in h.ancestors(h.nodes[code])] if code < self.classes else [ROOT]
        for code in sorted({a for row in above for a in row}):
            above[code] = above[code] or [number[a] for a in h.ancestors(h.nodes[code])]
        ptr = np.cumsum([0, *map(len, above)])
        return ptr, np.array([a for row in above for a in row], np.int64)

    @cached_property
    def within(self) -> tuple[np.ndarray, np.ndarray]:
        """The same without ancestors that share no nearest top class with the class."""
        arrays, (ptr, idx) = arrays_of(self.hierarchy), self.above
        tops: dict[int, tuple[int, frozenset[int]]] = {}  # by class: the nearest top classes, behind their distance
        for code in sorted({*self._used[self._used < self.classes].tolist(), *idx.tolist()} - {ROOT}):
            parents = arrays.parent_idx[arrays.parent_ptr[code] : arrays.parent_ptr[code + 1]].tolist()
            if ROOT in parents:
                tops[code] = 1, frozenset({code})
            else:
                least = min(tops[q][0] for q in parents)
                tops[code] = least + 1, frozenset().union(*(tops[q][1] for q in parents if tops[q][0] == least))
        of = np.repeat(np.arange(self.width), np.diff(ptr))
        pairs = zip(idx.tolist(), of.tolist(), strict=True)
        keep = np.array([a == ROOT or not tops[a][1].isdisjoint(tops[c][1]) for a, c in pairs], np.bool_)
        return np.concatenate([[0], np.cumsum(np.bincount(of[keep], minlength=self.width))]), idx[keep]


def pairs_of(hierarchy: Hierarchy, true: Sequence[Any], systems: Mapping[str, Any]) -> dict[str, list["Pair"]]:
    """Encode truth and predictions, which are rows of labels, or scores. Return by decision (""
    where there are no scores) a pair for each system.
    """
    for name, rows in systems.items():
        if len(rows) != len(true):
            raise InputError(f"{name} has {len(rows):,} instances and the truth has {len(true):,}")
    unseen: dict[str, int] = {}
    truth = codes(hierarchy, true, unseen)
    given = {name: codes(hierarchy, rows, unseen) for name, rows in systems.items() if not isinstance(rows, Scores)}
    scored = {name: scores for name, scores in systems.items() if isinstance(scores, Scores)}
    if any(scores.table.hierarchy != hierarchy for scores in scored.values()):
        raise InputError("the scores are of classes of another hierarchy")
    decisions = dict.fromkeys(decision for scores in scored.values() for decision in scores.decisions)
    sides = {
        decision: [given[name] if name in given else scored[name].decide(decision, truth) for name in systems]
        for decision in decisions or ("",)
    }
    used = np.unique(np.concatenate([truth[1], *(code for each in sides.values() for _, code in each)]))
    space = Space(hierarchy, tuple(unseen), used)
    return {decision: [Pair(space, len(true), truth, side) for side in each] for decision, each in sides.items()}


class Pair:
    """True and predicted labels by instance and number, and what conventions count of them."""

    def __init__(
        self, space: Space, n: int, true: tuple[np.ndarray, np.ndarray], predicted: tuple[np.ndarray, np.ndarray]
    ) -> None:
        self.space, self.hierarchy, self.n = space, space.hierarchy, n
        self.classes, self.width = space.classes, space.width
        self.raw = {
            side: instance.astype(np.int64) * self.width + code
            for side, (instance, code) in {"true": true, "predicted": predicted}.items()
        }
        self.missing = np.bincount(predicted[0], minlength=n) == 0
        self._labels: tuple[str, ...] = ()
        self._done: dict[tuple[str, ...], Entries] = {}

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The labels that are no class."""
        found = np.unique(np.concatenate([raw % self.width for raw in self.raw.values()]))
        return tuple(self.space.unknown[code - self.classes] for code in found[found >= self.classes].tolist())

    @cached_property
    def repeated(self) -> bool:
        """True where a label stands twice in a row."""
        return any(len(np.unique(raw)) < len(raw) for raw in self.raw.values())

    def _ancestors(self, entries: Entries, way: str = "across") -> tuple[np.ndarray, np.ndarray]:
        """Keys of the proper ancestors of entries, and for each the place of its entry."""
        ptr, idx = self.space.above if way == "across" else self.space.within
        instance, code = np.divmod(entries.key, self.width)
        sizes = ptr[code + 1] - ptr[code]
        return np.repeat(instance * self.width, sizes) + idx[runs(ptr[code], sizes)], np.repeat(
            np.arange(len(code)), sizes
        )

    def part(self, places: np.ndarray, space: Space | None = None) -> "Pair":
        """Some of the instances; over another hierarchy of these numbers if `space` is of one."""
        renumbered = np.full(self.n, -1)
        renumbered[places] = np.arange(len(places))
        sides = []
        for raw in self.raw.values():
            instance, code = renumbered[raw // self.width], raw % self.width
            sides.append((instance[instance >= 0], code[instance >= 0]))
        return Pair(space or self.space, len(places), *sides)

    def counted(self, chosen: Mapping[str, str]) -> Counted:
        """The classes that are counted by the choices on the axes of grid.MARKING."""
        kept = self._kept(chosen)
        true, predicted = self._sides(kept, chosen)
        path = chosen["ancestors"] == "path"
        shared = true.shared(predicted)
        return Counted(true, predicted, self._with_path(shared) if path else shared, kept, self.width)

    def _kept(self, chosen: Mapping[str, str]) -> np.ndarray:
        """True for each instance that is evaluated."""
        kept = ~self.missing if chosen["denominator"] == "predicted" else np.ones(self.n, bool)
        if chosen["unknown"] == "skip":
            for key in self.raw.values():
                kept[key[key % self.width >= self.classes] // self.width] = False
        return kept

    def _sides(self, kept: np.ndarray, chosen: Mapping[str, str]) -> tuple[Entries, Entries]:
        """Both sides. Steps are kept while conventions look at the same labels."""
        labels = tuple(chosen[axis] for axis in LABELS)
        if labels != self._labels:
            self._labels, self._done = labels, {}
        return self._side("true", kept, chosen), self._side("predicted", kept, chosen)

    def _side(self, side: str, kept: np.ndarray, chosen: Mapping[str, str]) -> Entries:
        once, levels, root = chosen["duplicates"] == "set", chosen["levels"], chosen["root"]
        credit, ancestors, other = SIDES[side]
        name: tuple[str, ...] = (side, levels)
        own = self._step(name, lambda: self._restricted(self._entries(side, kept), levels))
        if chosen[credit] == "right":
            ends = self._step((other, levels), lambda: self._restricted(self._entries(other, kept), levels))
            name, labels = (*name, "credited"), own
            own = self._step(name, lambda: self._raised(labels, ends, once))
        if chosen["ancestors"] in ("both", ancestors):
            name, lower, way = (*name, chosen["namespaces"]), own, chosen["namespaces"]
            own = self._step(name, lambda: self._grown(lower, once, way))
        whole = own
        return self._step((*name, root), lambda: self._cut(whole, root))

    def _step(self, name: tuple[str, ...], make: Callable[[], Entries]) -> Entries:
        if name not in self._done:
            self._done[name] = make()
        return self._done[name]

    def _entries(self, side: str, kept: np.ndarray) -> Entries:
        unknown, duplicates, _ = self._labels
        key = self.raw[side]
        keep = kept[key // self.width]
        if unknown != "wrong":
            keep &= key % self.width < self.classes
        return Entries.of(key[keep], np.ones(int(keep.sum()), np.int64), once=duplicates == "set")

    # --- what the choices do --------------------------------------------------------------------

    def _grown(self, entries: Entries, once: bool, way: str) -> Entries:
        above, of = self._ancestors(entries, way)
        both = np.concatenate([entries.key, above]), np.concatenate([entries.count, entries.count[of]])
        return Entries.of(*both, once=once)

    def _cut(self, entries: Entries, root: str) -> Entries:
        if root == "in":
            return entries
        code = entries.key % self.width
        if root == "out":
            return entries.where(code != ROOT)
        top = np.zeros(self.width, bool)
        top[[ROOT, *self.space.tops]] = True
        return entries.where(~top[code])

    def _restricted(self, entries: Entries, levels: str) -> Entries:
        if levels == "leaves":
            is_leaf = np.ones(self.width, bool)
            is_leaf[: self.classes] = np.diff(arrays_of(self.hierarchy).child_ptr) == 0
            return entries.where(is_leaf[entries.key % self.width])
        return entries.where(self._is_deepest(entries)) if levels == "deepest" else entries

    def _is_deepest(self, entries: Entries) -> np.ndarray:
        """True for entries without a class below them in the same instance."""
        return ~entries.marked(self._ancestors(entries)[0])

    def _raised(self, entries: Entries, other: Entries, once: bool) -> Entries:
        """The entries, of which those below a deepest class of the other side become that class."""
        ends = other.where(self._is_deepest(other) & (other.key % self.width != ROOT))
        above, of = self._ancestors(entries)
        met = ends.holds(above)[0]
        below = np.zeros(len(entries.key), bool)
        below[of[met]] = True
        keys = np.concatenate([entries.key[~below], above[met]])
        return Entries.of(keys, np.concatenate([entries.count[~below], entries.count[of[met]]]), once=once)

    def _with_path(self, hits: Entries) -> Entries:
        """The hits all of whose ancestors but the root are hits."""
        above, of = self._ancestors(hits)
        inner = above % self.width != ROOT
        lost = np.zeros(len(hits.key), bool)
        lost[of[inner & ~hits.holds(above)[0]]] = True
        return hits.where(~lost)
