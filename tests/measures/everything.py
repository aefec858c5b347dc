"""LCA graphs by trying everything: written from Definitions 1–5 and Problem 2 (Kosmopoulos et al.
2015) over a list of edges, it spells out every upward path, every set of LCAs and every choice of
one cheapest path per connection.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import prod

from hiermeasures import Hierarchy


class Everything:
    """Every path and LCA of an instance, from the edges alone."""

    def __init__(
        self,
        h: Hierarchy,
        true: Iterable[str],
        predicted: Iterable[str],
        uncounted: Iterable[str] = (),
    ) -> None:
        self.parents: dict[str, list[tuple[str, Fraction]]] = {}
        for parent, child in h.edges:
            self.parents.setdefault(child, []).append((parent, Fraction(h.weight(parent, child))))
        self.known: dict[str, list[tuple[tuple[str, ...], Fraction]]] = {}
        self.uncounted = set(uncounted)
        self.sides = tuple(self.lowest(set(side)) for side in (true, predicted))

    def upward(self, n: str) -> list[tuple[tuple[str, ...], Fraction]]:
        """Every path from n to any ancestor, n alone among them, with its cost."""
        if n not in self.known:
            self.known[n] = [((n,), Fraction(0))]
            for parent, weight in self.parents.get(n, []):
                self.known[n] += [((n, *path), weight + cost) for path, cost in self.upward(parent)]
        return self.known[n]

    def lowest(self, labels: set[str]) -> set[str]:
        above = {path[-1] for n in labels for path, _ in self.upward(n) if len(path) > 1}
        return labels - above

    def cheapest(self, n: str, a: str) -> list[tuple[str, ...]]:
        """paths_min(n, a) for an ancestor a."""
        paths = [(path, cost) for path, cost in self.upward(n) if path[-1] == a]
        return [path for path, cost in paths if cost == min(c for _, c in paths)]

    def pair(self, a: str, b: str) -> tuple[Fraction, set[str]]:
        """The cost of the cheapest ways between two classes, and their apexes (Definition 2)."""
        meetings = [
            (p[-1], c + d) for p, c in self.upward(a) for q, d in self.upward(b) if p[-1] == q[-1]
        ]
        least = min(cost for _, cost in meetings)
        return least, {apex for apex, cost in meetings if cost == least}

    def best(self, n: str, others: set[str]) -> set[str]:
        """S_best(n, S)."""
        return {s for s in others if self.pair(n, s)[0] == min(self.pair(n, t)[0] for t in others)}

    def lcas(self, n: str, others: set[str]) -> set[str]:
        """LCA(n, S) (Definition 3)."""
        return set().union(*(self.pair(n, s)[1] for s in self.best(n, others)))

    def own(self, side: int) -> dict[str, set[str]]:
        return {n: self.lcas(n, self.sides[1 - side]) for n in self.sides[side]}

    def partners(self, side: int, a: str) -> list[str]:
        """A side's classes that, through a, best match a class of the other side."""
        mine, others = self.sides[side], self.sides[1 - side]
        return sorted(
            n
            for n in mine
            if any(n in self.best(o, mine) and a in self.pair(o, n)[1] for o in others)
        )

    def extended(self, side: int) -> set[str]:
        """The nodes of the extended graph (Definition 5, both bullets)."""
        pairs = {(n, a) for n, lcas in self.own(side).items() for a in lcas}
        pairs |= {
            (n, a)
            for lcas in self.own(1 - side).values()
            for a in lcas
            for n in self.partners(side, a)
        }
        return {node for n, a in pairs for path in self.cheapest(n, a) for node in path}

    def smallest_sets(self) -> list[set[str]]:
        """Smallest sets of LCAs that have one of each class's own (constraints (i) to (iii))."""
        families = [lcas for side in (0, 1) for lcas in self.own(side).values()]
        every = sorted(set().union(*families))
        for size in range(1, len(every) + 1):
            found = [
                set(c) for c in combinations(every, size) if all(lcas & set(c) for lcas in families)
            ]
            if found:
                return found
        raise AssertionError("there is always the set of all LCAs")

    def choices(self, chosen: set[str], side: int) -> list[list[tuple[str, ...]]]:
        """For each connection of a side, the paths to choose from (constraints (iv) and (v))."""
        found = []
        for a in sorted(chosen):
            owners = sorted(n for n, lcas in self.own(side).items() if a in lcas)
            found += [self.cheapest(n, a) for n in owners]
            if not owners:
                found.append([path for n in self.partners(side, a) for path in self.cheapest(n, a)])
        return found

    def fewer_choices(self, most: int) -> bool:
        """True if no smallest set of LCAs leaves more than so many choices of paths."""
        sets = [
            (*self.choices(chosen, 0), *self.choices(chosen, 1)) for chosen in self.smallest_sets()
        ]
        return all(prod(len(paths) for paths in choices) <= most for choices in sets)

    def minimal(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """The nodes of every pair of graphs that Problem 2 chooses from."""
        found = []
        for chosen in self.smallest_sets():
            both = [self.choices(chosen, side) for side in (0, 1)]
            graphs = [
                {frozenset(self.sides[side].union(*paths)) for paths in product(*both[side])}
                for side in (0, 1)
            ]
            found += list(product(*graphs))
        return found

    def f1(self, graphs: tuple[frozenset[str], frozenset[str]]) -> Fraction:
        true, predicted = (graph - self.uncounted for graph in graphs)
        size = len(true) + len(predicted)
        return Fraction(2 * len(true & predicted), size) if size else Fraction(1)

    def order(self, graphs: tuple[frozenset[str], frozenset[str]]) -> tuple:
        """The order of the solvers' text: F_LCA, fewer nodes, like sizes, small predicted graph."""
        true, predicted = (len(graph - self.uncounted) for graph in graphs)
        return -self.f1(graphs), true + predicted, abs(true - predicted), predicted
