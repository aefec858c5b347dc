"""In which order the nodes of an LCA problem are numbered, so that no value depends on what classes are called.

A complete search finds the same values in any order. The greedy algorithms and a search under a bound on work go by
numbers, and where these may run out the numbers are given by structure: by level, then by colour refinement (Weisfeiler
and Leman) over classes, LCAs and ways. Parts of the graphs that refinement cannot tell apart are numbered one after
another, with a refinement after each, so that numbers agree across the graph. Only where two parts look alike from
everywhere without being so, which takes a graph as regular as a cube, is the order left to that of the hierarchy.
"""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from hiermeasures.measures.lca_problem import Problem, Ways
from hiermeasures.signature import mix, mixed

MOST_MARKS = 32  # how often what looks alike is told apart
MANY = 1_000_000_000  # as good as any number of ways above it
OWN, NEAR, LABEL, PREDICTED = (
    1,
    2,
    4,
    0x9E6C63D0876A9A35,
)  # marks of ways, of classes on both sides, of predicted ones
OF_LCA, UPWARD, DOWNWARD, PART = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F, 0xD1B54A32D192ED03


def most_work(problem: Problem) -> float:
    """No exact search takes more steps than this, however the nodes are numbered."""
    open_lcas = 0
    for side in problem.own:
        for mask in side.values():
            open_lcas |= mask if mask & mask - 1 else 0
    links = problem.connections(problem.lcas)
    paths = [min(MANY, sum(min(ways.count, MANY) for ways in link.ways)) for link in links]
    listing = sum(
        (len(ways.above) + 1) * _compared(min(ways.count, MANY)) for link in links for ways in link.ways
    ) + sum(map(_compared, paths))
    choices = 2.0 ** min(open_lcas.bit_count(), 64)
    return choices * (open_lcas.bit_count() + 2 + len(links) + listing + 2 * prod(map(float, paths)))


def _compared(many: int) -> float:
    """What it takes to compare so many ways, at most."""
    return many * (1 + many / 8)


def by_structure(problem: Problem, level: Sequence[int]) -> list[int]:
    """The numbers of all nodes, of which there are as many as levels, in the order that structure gives them.

    Parents come before their children. Exchanging the sides changes the order only where nothing else tells them apart.
    """
    parts = _Parts.of(problem, len(level))
    sides = np.zeros(len(level), np.uint64)
    colour = np.array([mix(one) for one in level], np.uint64)
    for side, classes in enumerate(problem.own):
        colour[list(classes)] += np.uint64(LABEL)
        sides[list(classes)] += np.uint64(PREDICTED if side else 0)
    alike = colour = parts.refined(colour)
    if _tied(colour).any():
        colour = parts.refined(mixed(colour + sides))
    for _ in range(MOST_MARKS):
        tied = _tied(colour)
        if not tied.any():
            break
        marked = parts.refined(colour + parts.marks(colour, tied))
        if len(np.unique(marked)) == len(np.unique(colour)):
            first = np.lexsort((colour, alike, np.asarray(level), ~tied))[0]
            one = np.zeros(len(level), np.uint64)
            one[first] = PART
            marked = parts.refined(colour + one)
        colour = marked
    order: list[int] = np.lexsort((colour, alike, np.asarray(level))).tolist()
    return order


def _tied(colour: np.ndarray) -> np.ndarray:
    """Which nodes share their colour with another."""
    _, which, times = np.unique(colour, return_inverse=True, return_counts=True)
    tied: np.ndarray = times[which] > 1
    return tied


class _Parts:
    """Ways and their edges as arrays: way w leads from `start[w]` to `end[w]`, edge e, of `way[e]`, from `below[e]` to
    `above[e]`.
    """

    def __init__(self, n: int, links: list[tuple[int, int, int, Ways]]) -> None:
        self.n = n
        self.start, self.end = (np.array([link[k] for link in links], np.int64) for k in (0, 1))
        self.kind = np.array([mix(link[2]) for link in links], np.uint64)
        edges = [(w, node, p) for w, link in enumerate(links) for node, above in link[3].above for p in above]
        self.way, self.below, self.above = np.array(edges, np.int64).reshape(-1, 3).T

    @classmethod
    def of(cls, problem: Problem, n: int) -> "_Parts":
        return cls(n, list(_links(problem)))

    def refined(self, colour: np.ndarray) -> np.ndarray:
        """Colours that tell apart what has different colours around it, as far as that goes."""
        many, before = len(np.unique(colour)), 0
        while many > before and many < self.n:
            way = mixed(mixed(colour[self.start] + self.kind) + mixed(colour[self.end] ^ np.uint64(OF_LCA)))
            around = np.zeros(self.n, np.uint64)
            np.add.at(around, self.start, mixed(way))
            np.add.at(around, self.above, mixed(colour[self.below] + way[self.way] ^ np.uint64(UPWARD)))
            np.add.at(around, self.below, mixed(colour[self.above] + way[self.way] ^ np.uint64(DOWNWARD)))
            colour = mixed(colour + around)
            many, before = len(np.unique(colour)), many
        return colour

    def marks(self, colour: np.ndarray, tied: np.ndarray) -> np.ndarray:
        """Marks for the nodes that are tied: another one for each of the parts that hang together by such nodes.

        Parts with equal colours may be exchanged, because only nodes that are not tied lie between them.
        """
        part = np.arange(self.n)

        def top(k: int) -> int:
            while part[k] != k:
                k = int(part[k])
            return k

        def join(a: int, b: int) -> None:
            low, high = sorted((top(a), top(b)))
            part[high] = low

        for w, below, above in zip(self.way.tolist(), self.below.tolist(), self.above.tolist(), strict=True):
            start, end = int(self.start[w]), int(self.end[w])
            if tied[below] and tied[above]:
                join(below, above)
            for one in (start, end):
                for node in (below, above):
                    if tied[one] and tied[node]:
                        join(one, node)
        tops = [top(k) for k in range(self.n)]
        sums = dict.fromkeys(tops, 0)
        for k in np.flatnonzero(tied).tolist():
            sums[tops[k]] += mix(int(colour[k]))
        met: dict[int, int] = {}
        mark = {}
        for k in sorted(set(tops)):
            kind = sums[k] & (1 << 64) - 1
            met[kind] = met.get(kind, 0) + 1
            mark[k] = mix(kind + met[kind] * PART & (1 << 64) - 1)
        return np.array([mark[t] if alike else 0 for t, alike in zip(tops, tied.tolist(), strict=True)], np.uint64)


def _links(problem: Problem) -> Iterator[tuple[int, int, int, Ways]]:
    """Every connection of the extended graphs, once for each side: class, LCA, which of the two is whose, ways."""
    for side in (0, 1):
        for c, own in problem.own[side].items():
            for lca in problem.lcas:
                near = c in problem.nearest[side].get(lca, ())
                kind = OWN * (own >> lca & 1) + NEAR * near
                if kind:
                    yield c, lca, kind, problem.ways[c, lca]
