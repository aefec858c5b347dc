"""Small hierarchies: as many as there are, each once, and their masks say what the hierarchy says."""

from itertools import permutations, product

import numpy as np
import pytest

from hiermeasures.behaviour.worlds import World, canonical, dags, trees


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
                b for b in range(n) if b not in reached and all(a in reached for a, child in edges if child == b)
            ]
            reached |= set(pending)
        if len(reached) == n:
            renamings = ((0, *order) for order in permutations(range(1, n)))
            found.add(min(tuple(sorted((name[a], name[b]) for a, b in edges)) for name in renamings))
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


def test_every_instance_stands_at_its_place():
    world = World((1, 1, 2))
    true, predicted = world.instances
    assert len(true) == 7 * 8
    assert len(set(zip(true.tolist(), predicted.tolist(), strict=True))) == 7 * 8
    assert (world.place(true, predicted) == np.arange(len(true))).all()


def test_sets_are_encoded_by_name():
    world = World((2 << 1, 1))  # R>b, b>a: the numbers of the hierarchy are not those of the masks
    masks = np.array([0, 1, 2, 3])
    encoded = world.encoded(masks)
    assert [set(encoded.classes(world.hierarchy, k)) for k in range(4)] == [set(), {"a"}, {"b"}, {"a", "b"}]


def test_a_leaf_is_taken_away_and_the_others_keep_their_names():
    smaller = World((1, 2, 1, 8)).without(1)  # R>a a>b R>c c>d
    assert set(smaller.hierarchy.edges) == {("R", "a"), ("R", "c"), ("c", "d")}
