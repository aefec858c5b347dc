"""Small changes of the data, with the number that a convention gives after each change.

A change affects one instance, one class in an instance, or one edge of the hierarchy. There are
three changes of an edge. A class moves from a parent to a grandparent, it loses one of several
parents, or a sibling of a parent becomes a parent too. Only instances with a label at or below the
class are counted again.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from hiermeasures.hierarchy.edge_rows import compressed, levels
from hiermeasures.hierarchy.errors import shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.verify.forensics.counts import (
    ROOT,
    BothSums,
    Counted,
    LabelMatrices,
    Space,
    row_of,
)
from hiermeasures.verify.forensics.grid import Convention
from hiermeasures.verify.forensics.readings import (
    AverageReading,
    Key,
    depths_of,
    distances,
    mean,
    number_of,
    ratios,
    readings,
)

MOST = 2_000  # changes of the hierarchy to try
SECONDS = 5.0  # time for them
# conventions, each with the labels of every system
Asked = Sequence[tuple[Convention, Sequence[LabelMatrices]]]


def of_one(counted: Counted, convention: Convention, value: float) -> Iterator[tuple[str, float]]:
    """Yield changes of one instance or one counted class in words, with the value after each."""
    rows, chosen = counted.by_instance, dict(convention.choices)
    if convention.measure == "accuracy":
        yield "one more instance right", value + 1 / rows.shape[1]
        yield "one fewer instance right", value - 1 / rows.shape[1]
    elif (
        chosen["average"] == "samples"
        and chosen.get("f_of", "each") == "each"
        and chosen["empty"] != "left_out"
    ):
        each = ratios(rows, convention.measure, chosen["empty"])
        for goal, word in ((1.0, "right"), (0.0, "wrong")):
            for k in np.unique(each, return_index=True)[1].tolist():
                place = int(np.flatnonzero(counted.kept)[k])
                yield (
                    f"instance {place} (from 0) all {word}",
                    value + (goal - float(each[k])) / len(each),
                )
    elif chosen["average"] == "micro":
        t, p, s = (int(column.sum()) for column in rows)
        for what, sums in {
            "one more hit among the predicted classes": (t, p, s + 1),
            "one fewer hit among the predicted classes": (t, p, s - 1),
            "one more predicted class, a wrong one": (t, p + 1, s),
            "one fewer predicted class, a wrong one": (t, p - 1, s),
            "one more true class, a missed one": (t + 1, p, s),
            "one fewer true class, a missed one": (t - 1, p, s),
        }.items():
            yield what, mean(np.array([sums]).T, convention.measure, "zero")


@dataclass(frozen=True)
class ParentsChange:
    """A change of the parents of a class.

    `parents` are the parents after it with the weights of the edges. `words` describe the change.
    """

    child: int
    parents: Mapping[int, float]
    words: str

    def made_in(self, h: Hierarchy) -> Hierarchy:
        rows, own = h.rows, slice(*h.rows.parent_ptr[self.child : self.child + 2])
        parent, child, weight = list(rows.parent_idx), rows.child_of_edge, list(rows.parent_weight)
        parent[own], child[own], weight[own] = (
            self.parents,
            [self.child] * len(self.parents),
            self.parents.values(),
        )
        level = levels(h.nodes, parent, child)
        edges = compressed(len(h), parent, child, weight, level)
        return Hierarchy(h.nodes, edges, virtual_root=h.virtual_root)

    def touched(self, h: Hierarchy) -> np.ndarray:
        """Return True for each class that can change the counts of an instance as a label."""
        found = np.zeros(len(h), bool)
        label = h.nodes[self.child]
        found[[self.child, *(h.numbering[below] for below in h.descendants(label))]] = True
        found[list(self.parents.keys() ^ set(h.rows.parents(self.child)))] = (
            True  # may be a leaf or not
        )
        return found


def changes_of(h: Hierarchy, uses: np.ndarray) -> Iterator[ParentsChange]:
    used = sorted((c for c in range(1, len(h)) if uses[c]), key=lambda c: (-uses[c], h.nodes[c]))
    done = set()
    for among in (_higher, _lower):
        for c in used:
            for change in among(h, c, dict(h.rows.weighted_parents(c))):
                if change.parents and (found := (c, frozenset(change.parents))) not in done:
                    done.add(found)
                    yield change


def _higher(h: Hierarchy, c: int, above: Mapping[int, float]) -> Iterator[ParentsChange]:
    """Yield changes that move a class to a grandparent or remove a parent."""
    label = shown(h.nodes[c])
    for q in sorted(above, key=h.nodes.__getitem__):
        rest = {p: weight for p, weight in above.items() if p != q}
        yield ParentsChange(c, rest, f"{label} is not below {shown(h.nodes[q])}")
        for g in sorted(h.rows.parents(q), key=h.nodes.__getitem__):
            if g == ROOT and h.virtual_root:
                yield ParentsChange(
                    c, rest or {ROOT: 1.0}, f"{label} is a top class, not below {shown(h.nodes[q])}"
                )
            else:
                words = f"{label} is below {shown(h.nodes[g])} in place of {shown(h.nodes[q])}"
                yield ParentsChange(c, {**rest, g: above[q]}, words)


def _lower(h: Hierarchy, c: int, above: Mapping[int, float]) -> Iterator[ParentsChange]:
    """Yield changes that make a sibling of a parent a parent too."""
    level = h.rows.level
    for q in sorted(above, key=h.nodes.__getitem__):
        siblings = {
            s for g in h.rows.parents(q) for s in h.rows.children(g) if level[s] < level[c]
        } - {*above, c}
        for s in sorted(siblings, key=h.nodes.__getitem__):
            yield ParentsChange(
                c, {**above, s: above[q]}, f"{shown(h.nodes[c])} is also below {shown(h.nodes[s])}"
            )


def tried(h: Hierarchy, asked: Asked) -> Iterator[tuple[int, int, str, list[list[float]]]]:
    """Yield each change: its number, the number of all changes, its words, and the values after it.

    Values are by convention, for every system. After `SECONDS` the search stops.
    """
    wholes = [
        [pair.counted(c.marking) if c.marking else None for pair in pairs] for c, pairs in asked
    ]
    every = {id(pair): pair for _, pairs in asked for pair in pairs}
    usual = [
        pair.counted(Convention.of("accuracy").marking).by_class[:2] for pair in every.values()
    ]
    listed = list(islice(changes_of(h, np.sum(usual, axis=(0, 1))), MOST))
    ends = time.monotonic() + SECONDS
    for k, change in enumerate(listed):
        if time.monotonic() > ends:
            return
        after, touched = change.made_in(h), change.touched(h)
        anew = {key: _Anew(pair, after, touched) for key, pair in every.items()}
        values = [
            [anew[id(pair)].value(c, whole) for pair, whole in zip(pairs, of_pairs, strict=True)]
            for (c, pairs), of_pairs in zip(asked, wholes, strict=True)
        ]
        yield k, len(listed), change.words, values


class _Anew:
    """The labels of a system in a changed hierarchy. Only some instances are counted again."""

    def __init__(self, pair: LabelMatrices, after: Hierarchy, touched: np.ndarray) -> None:
        self.pair, self.after = pair, after
        self.sums: dict[Key, BothSums] = {}  # by the choices that count classes
        self.read: dict[Key, list[AverageReading]] = {}
        mask = np.append(touched, np.zeros(pair.width - pair.classes, bool))
        self.places = np.unique(
            np.concatenate([row_of(raw)[mask[raw.indices]] for raw in pair.raw.values()])
        )
        used = np.unique(np.concatenate([raw[self.places].indices for raw in pair.raw.values()]))
        self.space = Space(after, pair.space.unknown, used)
        self.part = pair.part(self.places, self.space)

    def value(self, c: Convention, whole: Counted | None) -> float:
        """Return the number of a convention. `whole` is its count before the change, or None."""
        average, marking = dict(c.choices).get("average"), tuple(c.marking.items())
        key = (c.measure, average, *marking)
        if key not in self.read:
            if whole is None:
                made = distances(self.pair.part(np.arange(self.pair.n), self.space))
            else:
                if marking not in self.sums:
                    self.sums[marking] = whole.replaced(self.places, self.part.counted(c.marking))
                depths = depths_of(self.part) if average == "levels" else {}
                made = readings(
                    self.sums[marking], self.after, depths, c["root"], of=c.measure, average=average
                )
            self.read[key] = list(made)
        return number_of(c, self.read[key])
