"""In which order the nodes of an LCA problem are numbered, so that no value depends on what classes are called.

A complete search finds the same values in any order. The greedy algorithms and a search under a bound on work go by
numbers, and where the bound may be met the numbers are given by structure: by level, then by colours (hiermeasures.
signature) over classes, LCAs and ways.
"""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from hiermeasures.measures.lca_problem import Problem
from hiermeasures.signature import Parts, Way, colours_of, mix, mixed

MANY = 1_000_000_000  # as good as any number of ways above it
OWN, NEAR = 1, 2  # kinds of ways
LABEL, PREDICTED = 4, 0x9E6C63D0876A9A35  # marks of classes, once for each side that they are on


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
    parts = Parts(len(level), list(_ways(problem)))
    sides = np.zeros(len(level), np.uint64)
    colour = np.array([mix(one) for one in level], np.uint64)
    for side, classes in enumerate(problem.own):
        colour[list(classes)] += np.uint64(LABEL)
        sides[list(classes)] += np.uint64(PREDICTED if side else 0)
    alike = colour = parts.refined(colour)
    if colours_of(colour) < len(level):
        colour = parts.told_apart(parts.refined(mixed(colour + sides)))
    order: list[int] = np.lexsort((colour, alike, np.asarray(level))).tolist()
    return order


def _ways(problem: Problem) -> Iterator[Way]:
    """Every connection of the extended graphs, once for each side: class, LCA, which of the two is whose, edges."""
    for side in (0, 1):
        for c, own in problem.own[side].items():
            for lca in problem.lcas:
                kind = OWN * (own >> lca & 1) + NEAR * (c in problem.nearest[side].get(lca, ()))
                if kind:
                    ways = problem.ways[c, lca]
                    yield c, lca, kind, [(node, above) for node, parents in ways.above for above in parents]
