"""Scores of fields that credit an answer beside the truth, written out as their sources define
them, against the settings that docs/coming-from gives for them: on all pairs of classes of all
small trees, and DAGs where it says so.
"""

from collections import Counter
from itertools import product

import pytest

from hiermeasures import explain
from hiermeasures.debug.worlds import dags, trees

TREES = [world.hierarchy for size in (2, 3, 4, 5) for world in trees(size)]
DAGS = [world.hierarchy for size in (3, 4) for world in dags(size)]


def pairs(hierarchies, **options):
    """Every hierarchy with every true and every predicted class, explained."""
    return (
        (h, t, p, explain(h, {t}, {p}, **options))
        for h in hierarchies
        for t, p in product(h.nodes, repeat=2)
    )


def at_or_above(h, c):
    return {c} | h.ancestors(c)


def at_or_below(h, c):
    return {c} | h.descendants(c)


# --- cell typing --------------------------------------------------------------------------------


def hop_scores(h, true, predicted, k):
    """Sensitivity and specificity at a hop of an answer, which counts for all classes above it."""
    near = {true}
    for _ in range(k):
        near |= {parent for c in near for parent in h.parents(c)}
    along = set().union(*(at_or_above(h, c) | at_or_below(h, c) for c in near))
    answer = at_or_above(h, predicted)
    return not answer.isdisjoint(near), answer <= along


# as the page says
@pytest.mark.parametrize(
    ("hierarchies", "compared", "differing"), [(TREES, 1244, 0), (DAGS, 1132, 4)]
)
def test_hop_scores_are_read_off_the_two_parts_of_the_way_in_small_trees_and_most_dags(
    hierarchies, compared, differing
):
    apart = Counter()
    for (h, t, p, x), k in product(pairs(hierarchies), range(4)):
        sensitivity, specificity = hop_scores(h, t, p, k)
        apart["sensitivity"] += sensitivity != (x["SP_down"] <= k)
        apart["specificity"] += specificity == (x["SP_up"] > 0 and x["SP_down"] > k)
        apart["compared"] += 1
    assert (apart["compared"], apart["sensitivity"]) == (compared, differing)
    assert bool(apart["specificity"]) == bool(differing)


def test_a_subtype_counts_as_right_by_accuracy_and_over_prediction():
    for h, t, p, x in pairs([*TREES, *DAGS]):
        assert x["accuracy"] + x["over_prediction"] == (p in at_or_below(h, t))
        assert x["accuracy"] + x["under_prediction"] == (p in at_or_above(h, t))


def match_type(h, true, predicted):
    if predicted == true:
        return "exact"
    if set(h.parents(predicted)) & set(h.parents(true)):
        return "sibling"
    if predicted in h.parents(true):
        return "parent"
    return "child" if true in h.parents(predicted) else "no match"


UP_AND_DOWN = {(0, 0): "exact", (1, 1): "sibling", (0, 1): "parent", (1, 0): "child"}


# as the page says
@pytest.mark.parametrize(
    ("hierarchies", "compared", "differing"), [(TREES, 311, 0), (DAGS, 283, 40)]
)
def test_match_types_are_the_two_parts_of_the_way(hierarchies, compared, differing):
    found = [
        match_type(h, t, p) == UP_AND_DOWN.get((x["SP_up"], x["SP_down"]), "no match")
        for h, t, p, x in pairs(hierarchies)
    ]
    assert (len(found), found.count(False)) == (compared, differing)


# --- privacy ------------------------------------------------------------------------------------


def cut(h, c, rank):
    """The class on the way to another, in a tree, at a level; itself where it is higher."""
    (path,) = h.paths_from_root(c)
    return c if rank is None else path[min(rank, len(path) - 1)]


@pytest.mark.parametrize("rank", [1, 2, None])
def test_levels_compare_cut_labels_and_may_credit_what_is_below(rank):
    for h, t, p, x in pairs(TREES, rank=rank):
        assert x["rank_R"] == (cut(h, p, rank) == cut(h, t, rank))
        assert x["rank_R"] + x["over_prediction"] == (p in at_or_below(h, cut(h, t, rank)))


# --- biodiversity -------------------------------------------------------------------------------


def taxonomic_distance(a, b):
    """Ranks to climb until two lineages are equal: the longer first, both if equally long."""
    steps = 0
    while a != b:
        longest = max(len(a), len(b))
        a, b = (lineage[:-1] if len(lineage) == longest else lineage for lineage in (a, b))
        steps += 1
    return steps


def test_the_taxonomic_distance_is_the_longer_part_of_the_way():
    for h, t, p, x in pairs(TREES):
        ((true,), (predicted,)) = (tuple(h.paths_from_root(c)) for c in (t, p))
        assert taxonomic_distance(true, predicted) == max(x["SP_up"], x["SP_down"])
        assert (len(predicted) > len(true)) == (x["SP_up"] > x["SP_down"])
