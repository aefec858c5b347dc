"""Each property is kept by a measure made to keep it and broken by one made to break it, and its edit makes exactly the
pairs that its sentence speaks of.
"""

import math

import pytest

from hiermeasures.behaviour import PROPERTIES, study
from hiermeasures.behaviour.edits import (
    add_ancestor,
    add_true_class,
    add_unrelated_class,
    back_off,
    descend_to_the_true_class,
    go_deeper,
    rise_to_the_true_class,
)
from hiermeasures.behaviour.worlds import dags, trees
from tests.behaviour.invented import invented


def closure(h, labels):
    return {above for label in labels for above in h.up(label)}


def jaccard(h, true, predicted):
    return len(true & predicted) / len(true | predicted)


def closure_jaccard(h, true, predicted):
    return jaccard(h, closure(h, true), closure(h, predicted))


def distance(h, true, predicted):
    """The distance of one class from one class; 0 for more."""
    if len(true) != 1 or len(predicted) != 1:
        return 0
    return h.distance(*true, *predicted)


def depth(h, true, predicted):
    """The level of the lowest common ancestor of one class and one class; 0 for more."""
    if len(true) != 1 or len(predicted) != 1:
        return 0
    return min(h.level(c) for c in h.lca(*true, *predicted))


def constant(h, true, predicted):
    return 1


def size(h, true, predicted):
    return len(predicted)


def fewness(h, true, predicted):
    return -len(predicted)


def coverage(h, true, predicted):
    return len(closure(h, predicted))


# For each property a measure that keeps it, and one that breaks it; higher is better.
MADE = {
    "perfect_is_best": (jaccard, size),
    "only_perfect_is_best": (jaccard, closure_jaccard),
    "only_equivalent_is_best": (closure_jaccard, constant),
    "symmetric": (jaccard, size),
    "more_truth_never_hurts": (lambda h, t, p: len(t & p), fewness),
    "unrelated_error_never_pays": (fewness, lambda h, t, p: bool(p)),
    "unrelated_error_never_pays_to_a_prediction": (lambda h, t, p: bool(p), size),
    "unrelated_error_always_costs": (fewness, constant),
    "ancestor_changes_nothing": (coverage, size),
    "backing_off_never_hurts": (lambda h, t, p: -coverage(h, t, p), lambda h, t, p: sum(map(h.level, p))),
    "going_deeper_never_hurts": (coverage, lambda h, t, p: -coverage(h, t, p)),
    "nearer_is_no_worse": (lambda h, t, p: -distance(h, t, p), distance),
    "too_deep_costs": (lambda h, t, p: -distance(h, t, p), coverage),
    "too_high_costs": (lambda h, t, p: -distance(h, t, p), constant),
    "deeper_mistake_is_milder": (depth, lambda h, t, p: -depth(h, t, p)),
    "names_do_not_matter": (jaccard, lambda h, t, p: "a" in p),
    "elsewhere_changes_nothing": (jaccard, lambda h, t, p: len(h)),
    "second_way_changes_nothing": (lambda h, t, p: -distance(h, t, p), coverage),
    "stays_in_range": (constant, lambda h, t, p: len(p) - 1),
}
SIZES = {"second_way_changes_nothing": (0, 5), "deeper_mistake_is_milder": (5, 4)}


def verdict(key, value, better="higher"):
    measure = invented(value, better=better, low=0, high=1)
    trees_up_to, dags_up_to = SIZES.get(key, (5, 4))
    return study([measure], [key], trees=trees_up_to, dags=dags_up_to, n_jobs=1).verdicts[key]["invented"]


def test_every_property_has_measures_made_for_it():
    assert MADE.keys() == PROPERTIES.keys()


@pytest.mark.parametrize("key", MADE)
def test_a_measure_made_to_keep_it_keeps_it(key):
    found = verdict(key, MADE[key][0])
    assert found.holds
    assert found.instances > 0


@pytest.mark.parametrize("key", MADE)
def test_a_measure_made_to_break_it_breaks_it(key):
    found = verdict(key, MADE[key][1])
    assert not found.holds


@pytest.mark.parametrize("key", [key for key in MADE if key not in ("stays_in_range",)])
def test_better_follows_the_direction_of_the_measure(key):
    keeps, breaks = MADE[key]
    assert verdict(key, lambda *instance: -keeps(*instance), better="lower").holds
    assert not verdict(key, lambda *instance: -breaks(*instance), better="lower").holds


def test_an_undefined_value_neither_keeps_nor_breaks():
    found = verdict("more_truth_never_hurts", lambda h, t, p: math.nan if p else 0)
    assert found.holds
    assert found.instances == 0
    assert found.undefined > 0


# --- the pairs, by brute force over sets of names ---------------------------------------------------------------------


def subsets(labels):
    return [frozenset(c for k, c in enumerate(labels) if n >> k & 1) for n in range(1 << len(labels))]


def related(h, true):
    return true | {c for t in true for c in h.ancestors(t) | h.descendants(t)}


def above(h, labels):
    return {c for label in labels for c in h.ancestors(label)} - {h.root}


def nearer(h, true, predicted, way):
    """Of one true and one predicted class: those of `way` that are nearer to the true one."""
    if len(true) != 1 or len(predicted) != 1:
        return []
    (t,), (p,) = true, predicted
    return [{q} for q in way(t, p) if h.distance(q, t) < h.distance(p, t)]


BRUTE = {
    rise_to_the_true_class: lambda h, true, predicted: nearer(
        h, true, predicted, lambda t, p: [q for q in h.parents(p) if t in h.ancestors(p) and t in h.up(q)]
    ),
    descend_to_the_true_class: lambda h, true, predicted: nearer(
        h, true, predicted, lambda t, p: [q for q in h.children(p) if p in h.ancestors(t) and q in h.up(t)]
    ),
    add_true_class: lambda h, t, p: [p | {c} for c in t - p],
    add_unrelated_class: lambda h, t, p: [p | {c} for c in set(h.nodes) - related(h, t) - {h.root} - p],
    add_ancestor: lambda h, t, p: [p | {c} for c in above(h, p) - p],
    back_off: lambda h, t, p: [
        p - {c} | {q}
        for c in p - t - above(h, t)
        for q in h.parents(c)
        if q in above(h, t) and q not in t and q not in p
    ],
    go_deeper: lambda h, t, p: [
        p - {c} | {d} for c in p & above(h, t) for d in h.children(c) if d in t | above(h, t) and c in above(h, {d})
    ],
}


@pytest.mark.parametrize("edit", BRUTE, ids=lambda edit: edit.__name__)
def test_an_edit_makes_the_pairs_of_its_sentence(edit):
    for world in (*trees(5), *dags(4)):
        h = world.hierarchy
        expected = {
            (true, predicted, frozenset(after))
            for true in subsets(world.labels)[1:]
            for predicted in subsets(world.labels)
            for after in BRUTE[edit](h, true, predicted)
        }
        found = {
            tuple(frozenset(world.named(mask)) for mask in row)
            for pairs in edit(world, *world.instances)
            for row in zip(pairs.true, pairs.predicted, pairs.predicted_after, strict=True)
        }
        assert found == expected
