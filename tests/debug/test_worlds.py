"""Small hierarchies: as many as there are, each once, and their masks say what the hierarchy says;
random ones have the wished size and shape.
"""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.debug.random_hierarchies import random_hierarchy
from hiermeasures.debug.worlds import canonical, dags, trees
from hiermeasures.hierarchy.errors import InputError


def test_there_are_as_many_rooted_trees_as_are_known():
    assert [len(trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]  # OEIS A000081


def rooted_dags(n):
    """Every digraph of n classes without a cycle whose only class without a parent is 0, up to
    renaming.
    """
    pairs = [(a, b) for a in range(n) for b in range(1, n) if a != b]
    found = set()
    for present in product((False, True), repeat=len(pairs)):
        edges = {pair for pair, there in zip(pairs, present, strict=True) if there}
        if {b for _, b in edges} != set(range(1, n)):
            continue
        reached, pending = {0}, True
        while pending:  # a class is reached when all its parents are, which fails for a cycle
            pending = [
                b
                for b in range(n)
                if b not in reached and all(a in reached for a, child in edges if child == b)
            ]
            reached |= set(pending)
        if len(reached) == n:
            renamings = ((0, *order) for order in permutations(range(1, n)))
            found.add(
                min(tuple(sorted((name[a], name[b]) for a, b in edges)) for name in renamings)
            )
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_there_are_as_many_rooted_dags_as_brute_force_finds(n):
    assert len(dags(n)) == len(rooted_dags(n))


def test_every_tree_is_among_the_dags_and_no_two_are_isomorphic():
    assert set(trees(5)) == {world for world in dags(5) if world.is_tree}
    assert len({canonical(world.parents)[0] for world in dags(5)}) == len(dags(5))


@pytest.mark.parametrize("world", [*trees(5), *dags(4)], ids=str)
def test_masks_say_what_the_hierarchy_says(world):
    h = world.hierarchy
    for c, label in enumerate(world.labels):
        assert {"R", *world.named(world.above[c])} == h.ancestors(label)
        assert set(world.named(world.below[c])) == h.descendants(label)
        assert set(world.named(world.children[c])) == set(h.children(label))


@given(st.data())
def test_a_random_hierarchy_has_the_wished_shape(data: st.DataObject) -> None:
    depth, branching = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    size = data.draw(st.integers(depth + 1, sum(branching**k for k in range(depth + 1))))
    extra, seed = data.draw(st.sampled_from([0.0, 0.3, 1.0])), data.draw(st.integers(0, 99))
    h = random_hierarchy(size, depth, branching, extra, seed)
    assert (len(h), h.depth, h.virtual_root) == (size, depth, False)
    assert h == random_hierarchy(size, depth, branching, extra, seed)
    if not extra:
        assert h.is_tree
        assert max(len(h.children(c)) for c in h.nodes) <= branching


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ((16, 3, 2), "room for 15"),
        ((3, 3, 2), "at least 4 classes"),
        ((1, 1, 1), "2 to 2,000"),
        ((5000, 5, 9), "2 to 2,000"),
        ((9, 0, 3), "at least 1"),
        ((9, 2, 3, 1.5), "between 0 and 1"),
        ((2000, 10**9, 1), "1,000,000,001 classes"),
    ],
)
def test_wishes_that_do_not_fit_are_refused_with_numbers(wishes: tuple, words: str) -> None:
    with pytest.raises(InputError, match=words):
        random_hierarchy(*wishes)
