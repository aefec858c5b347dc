"""Answers of exercises by brute force: sets over a list of edges, fractions, every assignment of
pairs.

Written from the papers' definitions. Only the brute force of the LCA graphs is shared, with
tests/measures.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, permutations, product

from hiermeasures import Hierarchy
from hiermeasures.teach.cards import CardEntry
from tests.measures.everything import Everything

DMAX = 5
Pairs = frozenset[tuple[str, str]]  # a predicted and a true class; "" for a default class
LOWER_IS_BETTER = {"SDL", "GIE", "TIE", "all_pairs", "SP"}


class World:
    """A hierarchy as a list of edges, with true and predicted classes."""

    def __init__(
        self, edges: Iterable[tuple[str, str]], true: Iterable[str], predicted: Iterable[str]
    ) -> None:
        self.edges = list(edges)
        self.true, self.predicted = frozenset(true), frozenset(predicted)
        self.classes = frozenset(chain(*self.edges))
        (self.root,) = self.classes - {child for _, child in self.edges}

    @classmethod
    def of(cls, entry: CardEntry, second: bool = False) -> "World":
        """The instance that a card's text speaks of."""
        edges = [tuple(edge.split(">")) for edge in entry.hierarchy.edges.split()]
        return cls(edges, entry.true, entry.second.predicted if second else entry.predicted)

    def predicting(self, classes: Iterable[str]) -> "World":
        return World(self.edges, self.true, classes)

    # --- the hierarchy --------------------------------------------------------------------------

    def parents(self, c: str) -> set[str]:
        return {p for p, child in self.edges if child == c}

    def children(self, c: str) -> set[str]:
        return {child for p, child in self.edges if p == c}

    def above(self, c: str) -> set[str]:
        """A class and its ancestors."""
        return {c}.union(*(self.above(p) for p in self.parents(c)))

    def below(self, c: str) -> set[str]:
        """A class and its descendants."""
        return {c}.union(*(self.below(d) for d in self.children(c)))

    def ways(self, c: str) -> list[tuple[str, ...]]:
        """Every path from the root to a class."""
        return (
            [(c,)]
            if c == self.root
            else [(*way, c) for p in sorted(self.parents(c)) for way in self.ways(p)]
        )

    def steps_up(self, c: str, to: str) -> int:
        return min(len(way) - 1 - way.index(to) for way in self.ways(c) if to in way)

    def distance(self, a: str, b: str) -> int:
        return min(
            self.steps_up(a, over) + self.steps_up(b, over)
            for over in self.above(a) & self.above(b)
        )

    # --- values ---------------------------------------------------------------------------------

    def value(self, key: str) -> Fraction | None:
        """The value of a measure; None where it has none, or the definition leaves a choice."""
        if key in SETS_OF:
            share, grown = SETS_OF[key]
            true, predicted = (
                set().union(*(grown(self, c) for c in side)) for side in (self.true, self.predicted)
            )
            return share(len(true & predicted), len(predicted - true), len(true - predicted))
        if key.startswith("HCM"):
            cells = self.cells
            return (
                None
                if cells is None
                else HCM[key](*(len(cells[name]) for name in ("TP", "TN", "FP", "FN")))
            )
        if key.startswith("CoPHE"):
            return SHARES[key[-1]](*self.counts)
        if key.endswith("_LCA"):
            true, predicted = self.graphs
            return SHARES[key[0]](
                len(true & predicted), len(predicted - true), len(true - predicted)
            )
        if key in ("GIE", "TIE", "MGIA"):
            costs = [self.cost(pairs) for pairs in self.pairings(key)]
            if not costs:
                return None
            return (
                1 - Fraction(min(costs), len(self.true | self.predicted) * DMAX)
                if key == "MGIA"
                else min(costs)
            )
        assert key in ("all_pairs", "SP")
        most = {"all_pairs": lambda side: side, "SP": self.lowest}[key]
        pairs = list(product(most(self.predicted), most(self.true)))
        return Fraction(sum(self.distance(p, t) for p, t in pairs)) if pairs else None

    def lowest(self, side: frozenset[str]) -> set[str]:
        """The classes above no other of their side; the root for an empty side."""
        return {c for c in side if not any(c in self.above(d) - {d} for d in side)} or {self.root}

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """TP, FP and FN of CoPHE: at every class, how many true and predicted classes lie there or
        below.
        """
        both = [
            [len(self.below(c) & side) for side in (self.true, self.predicted)]
            for c in self.classes
        ]
        return (
            sum(min(t, p) for t, p in both),
            sum(max(p - t, 0) for t, p in both),
            sum(max(t - p, 0) for t, p in both),
        )

    @cached_property
    def cells(self) -> dict[str, set[str]] | None:
        """The hierarchical confusion matrix of one path against one; None without a single path."""
        ways = [way for side in (self.predicted, self.true) for c in side for way in self.ways(c)]
        if len(ways) != 2 or not (self.true and self.predicted):
            return None
        predicted, true = ways
        common = [p for p, t in zip(predicted, true, strict=False) if p == t]
        beside = {s for c in common for p in self.parents(c) for s in self.children(p)} - set(
            common
        )
        return {
            "TP": set(common) - {self.root},
            "FP": set(predicted) - set(true),
            "FN": set(true) - set(predicted),
            "TN": (beside | self.children(common[-1]))
            - set(true)
            - (set(predicted) if common else set()),
        }

    # --- LCA graphs -----------------------------------------------------------------------------

    @cached_property
    def everything(self) -> Everything:
        return Everything(Hierarchy.from_edges(self.edges), self.true, self.predicted)

    @cached_property
    def graphs(self) -> tuple[frozenset[str], frozenset[str]]:
        """The nodes of the true and of the predicted minimal graph."""
        return (
            min(self.everything.minimal(), key=self.everything.order)
            if self.true and self.predicted
            else (self.true, self.predicted)
        )

    @property
    def graphs_are_unique(self) -> bool:
        """Return True if no other choice of Problem 2 is as good."""
        found, best = set(self.everything.minimal()), self.everything.f1(self.graphs)
        return [g for g in found if self.everything.f1(g) == best] == [self.graphs]

    def asked_set(self, form: str) -> set[str]:
        """The classes of a quantity as cards write it."""
        name, _, rest = form.partition("(")
        arguments = [part.strip() for part in rest.rstrip(")").split(",")]
        if name == "augmented":
            return set().union(*map(self.above, getattr(self, arguments[0])))
        if name in ("G_t", "G_p"):
            assert self.graphs_are_unique
            return set(self.graphs[name == "G_p"])
        if name == "cell":
            assert self.cells is not None
            return self.cells[arguments[0]]
        of = {"LCA": self.everything.lcas, "S_best": self.everything.best}[name]
        return set(of(arguments[0], set(getattr(self, arguments[1]))))

    # --- pairs ----------------------------------------------------------------------------------

    def pairings(self, key: str) -> Iterator[Pairs]:
        """Every pairing that a measure may choose from."""
        predicted, true = sorted(self.predicted), sorted(self.true)
        if key == "TIE":
            if len(predicted) == len(true):
                yield from (
                    frozenset(zip(predicted, order, strict=True)) for order in permutations(true)
                )
        elif key == "GIE":
            for size in range(min(len(predicted), len(true)) + 1):
                for some in combinations(predicted, size):
                    yield from (
                        self.completed(zip(some, order, strict=True))
                        for order in permutations(true, size)
                    )
        else:
            every = list(product(predicted, true))
            for size in range(len(every) + 1):
                yield from map(self.completed, combinations(every, size))

    def completed(self, pairs: Iterable[tuple[str, str]]) -> Pairs:
        """With a default class for each class that is in no pair."""
        chosen = frozenset(pairs)
        alone = {(p, "") for p in self.predicted - {p for p, _ in chosen}}
        return chosen | alone | {("", t) for t in self.true - {t for _, t in chosen}}

    def cost(self, pairs: Pairs) -> Fraction:
        return Fraction(sum(self.distance(p, t) if p and t else DMAX for p, t in pairs))

    def cheapest(self, key: str) -> set[Pairs]:
        """The pairings that cost least."""
        every = set(self.pairings(key))
        least = min(map(self.cost, every))
        return {pairs for pairs in every if self.cost(pairs) == least}


# --- formulas -----------------------------------------------------------------------------------


def _share(part: int, whole: int, wrong: int) -> Fraction:
    """part / whole; of nothing it is perfect where nothing is wrong on the other side, else 0."""
    return Fraction(part, whole) if whole else Fraction(wrong == 0)


SHARES = {
    "P": lambda tp, fp, fn: _share(tp, tp + fp, fn),
    "R": lambda tp, fp, fn: _share(tp, tp + fn, fp),
    "F": lambda tp, fp, fn: _share(2 * tp, 2 * tp + fp + fn, 0),
    "1": lambda tp, fp, fn: _share(2 * tp, 2 * tp + fp + fn, 0),
    "D": lambda tp, fp, fn: Fraction(fp + fn),
}
SETS_OF = {
    **{f"h{s}": (SHARES[s], World.above) for s in "PRF"},
    **{f"h{s}_desc": (SHARES[s], World.below) for s in "PRF"},
    "SDL": (SHARES["D"], World.above),
    "precision": (SHARES["P"], lambda world, c: {c}),
    "recall": (SHARES["R"], lambda world, c: {c}),
    "f1": (SHARES["F"], lambda world, c: {c}),
}
HCM = {
    "HCM_F1": lambda tp, tn, fp, fn: SHARES["F"](tp, fp, fn),
    "HCM_PPV": lambda tp, tn, fp, fn: SHARES["P"](tp, fp, fn),
    "HCM_TPR": lambda tp, tn, fp, fn: SHARES["R"](tp, fp, fn),
    "HCM_ACC": lambda tp, tn, fp, fn: Fraction(tp + tn, tp + tn + fp + fn),
}
