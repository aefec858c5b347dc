"""Colours of nodes depend on structure alone, and all differ in the end."""

import random
from itertools import combinations, permutations, product

import numpy as np
import pytest

from hiermeasures.evaluation.compiled import kernel
from hiermeasures.evaluation.kernels import refinement as compiled
from hiermeasures.hierarchy.refinement import mix, refine, tell_apart


def colours(n, edges, marks=()):
    """Colours of n nodes and of one more, the role of every edge."""
    colour = [mix(k in marks) for k in range(n)] + [mix(2)]
    links = [a for a, _ in edges], [b for _, b in edges], [n] * len(edges)
    tell_apart(colour, links)
    return colour


def renamed(edges, order):
    return [(order[a], order[b]) for a, b in edges]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_in_every_small_graph_colours_are_the_same_whatever_the_nodes_are_called(n):
    """Up to an exchange of nodes that look alike, which leaves the edges as they are."""
    pairs = list(combinations(range(n), 2))
    for taken in product((False, True), repeat=len(pairs)):
        edges = [pair for pair, is_taken in zip(pairs, taken, strict=True) if is_taken]
        first = colours(n, edges)
        assert len(set(first)) == n + 1
        for order in permutations(range(n)):
            found = colours(n, renamed(edges, order))
            assert sorted(found) == sorted(first)
            by_colour = [first.index(c) for c in found]
            assert sorted(renamed(renamed(edges, order), by_colour)) == edges


def test_sums_of_colours_do_not_follow_from_sums_of_numbers():
    """Sums of weights along paths decide ties, and level, parents and children are small numbers."""
    of_sum = {}
    for low, high in combinations(range(64), 2):
        of_sum.setdefault(low + high, []).append((mix(low) >> 26) + (mix(high) >> 26))
    assert all(len(set(sums)) == len(sums) for sums in of_sum.values())


def ring(first, n):
    """n lower nodes, each below two neighbours of n upper ones."""
    return [(first + k, first + n + (k + j) % n) for k in range(n) for j in (0, 1)]


def test_rings_of_other_lengths_are_told_apart_though_every_node_has_two_neighbours():
    edges = [*ring(0, 4), *ring(8, 2), *ring(12, 2)]
    colour = [mix(0)] * 16 + [mix(2)]
    assert refine(colour, ([a for a, _ in edges], [b for _, b in edges], [16] * 16)) == 3
    whole = colours(16, edges)
    order = [*range(8, 16), *range(8)]  # the small rings first
    assert [colours(16, renamed(edges, order))[order[k]] for k in range(8)] == whole[:8]


@kernel
def tell_arrays_apart(colour, below, above, role):
    compiled.tell_apart(colour, (below, above, role))


def test_compiled_they_are_the_same():
    for seed in range(20):
        chance = random.Random(seed)
        n = chance.randint(2, 12)
        links = np.array([[chance.randrange(n) for _ in range(20)] for _ in range(3)])
        found = [mix(chance.randrange(2)) for _ in range(n)]
        array = np.array(found)
        tell_apart(found, links.tolist())
        tell_arrays_apart(array, *links)
        assert found == array.tolist()
