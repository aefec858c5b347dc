"""Each property is kept by a measure made to keep it and broken by one made to break it, and its
edit makes exactly the pairs that its sentence speaks of.
"""

import math

import pytest

from hiermeasures.debug import PROPERTIES, study
from hiermeasures.debug.properties import (
    add_ancestor,
    add_new_truth,
    add_true_class,
    add_unrelated_class,
    add_unrelated_to_a_hit,
    back_off,
    back_off_by_a_class,
    descend_to_the_true_class,
    go_by_a_third,
    go_deeper,
    go_deeper_by_a_class,
    perfect_to_one_class,
    rise_to_the_true_class,
    share_nothing_otherwise,
    share_something,
    subdivide_an_edge,
)
from hiermeasures.debug.worlds import dags, trees
from tests.debug.invented import invented


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


def dice(h, true, predicted):
    return 2 * len(true & predicted) / (len(true) + len(predicted))


def shared(h, true, predicted):
    """The classes that both sides are in or below, without the root."""
    return len(closure(h, true) & closure(h, predicted) - {h.root})


# For each property a measure that keeps it, and one that breaks it; higher is better.
MADE = {
    "perfect_is_best": (jaccard, size),
    "only_perfect_is_best": (jaccard, closure_jaccard),
    "only_equivalent_is_best": (closure_jaccard, constant),
    "perfect_is_the_same": (jaccard, size),
    "nothing_shared_is_worst": (shared, lambda h, t, p: -shared(h, t, p)),
    "something_shared_is_better": (shared, constant),
    "nothing_shared_is_the_same": (shared, coverage),
    "symmetric": (jaccard, size),
    "detours_are_no_shorter": (jaccard, dice),
    "more_truth_never_hurts": (lambda h, t, p: len(t & p), fewness),
    "more_truth_pays": (lambda h, t, p: len(t & p), constant),
    "unrelated_error_never_pays": (fewness, lambda h, t, p: bool(p)),
    "unrelated_error_never_pays_to_a_prediction": (lambda h, t, p: bool(p), size),
    "unrelated_error_always_costs": (fewness, constant),
    "ancestor_changes_nothing": (coverage, size),
    "backing_off_never_hurts": (
        lambda h, t, p: -coverage(h, t, p),
        lambda h, t, p: sum(map(h.level, p)),
    ),
    "backing_off_pays": (lambda h, t, p: -coverage(h, t, p), constant),
    "going_deeper_pays": (coverage, constant),
    "going_deeper_never_hurts": (coverage, lambda h, t, p: -coverage(h, t, p)),
    "nearer_is_no_worse": (lambda h, t, p: -distance(h, t, p), distance),
    "nearer_is_better": (lambda h, t, p: -distance(h, t, p), constant),
    "too_deep_costs": (lambda h, t, p: -distance(h, t, p), coverage),
    "too_high_costs": (lambda h, t, p: -distance(h, t, p), constant),
    "deeper_mistake_is_milder": (depth, lambda h, t, p: -depth(h, t, p)),
    "deeper_mistake_is_better": (depth, constant),
    "names_do_not_matter": (jaccard, lambda h, t, p: "a" in p),
    "elsewhere_changes_nothing": (jaccard, lambda h, t, p: len(h)),
    "passing_through_changes_nothing": (jaccard, distance),
    "second_way_changes_nothing": (lambda h, t, p: -distance(h, t, p), coverage),
    "stays_in_range": (constant, lambda h, t, p: len(p) - 1),
}
SIZES = {
    "second_way_changes_nothing": (0, 5),
    "deeper_mistake_is_milder": (5, 4),
    "detours_are_no_shorter": (4, 3),
}


def verdict(key, value, better="higher"):
    measure = invented(value, better=better, low=0, high=1)
    trees_up_to, dags_up_to = SIZES.get(key, (5, 4))
    return study([measure], [key], trees=trees_up_to, dags=dags_up_to, n_jobs=1).verdicts[key][
        "invented"
    ]


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


def test_an_undefined_value_neither_keeps_nor_breaks():
    found = verdict("more_truth_never_hurts", lambda h, t, p: math.nan if p else 0)
    assert found.holds
    assert found.instances == 0
    assert found.undefined > 0


# --- the pairs, by brute force over sets of names -----------------------------------------------


def subsets(labels):
    return [
        frozenset(c for k, c in enumerate(labels) if n >> k & 1) for n in range(1 << len(labels))
    ]


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


def says(h, labels):
    return closure(h, labels) - {h.root}


def new(edit):
    """The pairs of an edit after which other classes are stated, as they are or above."""
    return lambda h, t, p: [after for after in BRUTE[edit](h, t, p) if says(h, after) != says(h, p)]


def others(h, p):
    return [other for other in subsets([c for c in h.nodes if c != h.root]) if other and other != p]


BRUTE = {
    add_new_truth: new(add_true_class),
    back_off_by_a_class: new(back_off),
    go_deeper_by_a_class: new(go_deeper),
    add_unrelated_to_a_hit: lambda h, t, p: new(add_unrelated_class)(h, t, p) if t & p else [],
    share_something: lambda h, t, p: [
        q for q in others(h, p) if p and not shared(h, t, p) and shared(h, t, q)
    ],
    share_nothing_otherwise: lambda h, t, p: [
        q for q in others(h, p) if len(q) == 1 and p and not shared(h, t, p) and not shared(h, t, q)
    ],
    go_by_a_third: lambda h, t, p: [q for q in others(h, p) if p and p != t and q != t],
    rise_to_the_true_class: lambda h, true, predicted: nearer(
        h,
        true,
        predicted,
        lambda t, p: [q for q in h.parents(p) if t in h.ancestors(p) and t in h.up(q)],
    ),
    descend_to_the_true_class: lambda h, true, predicted: nearer(
        h,
        true,
        predicted,
        lambda t, p: [q for q in h.children(p) if p in h.ancestors(t) and q in h.up(t)],
    ),
    add_true_class: lambda h, t, p: [p | {c} for c in t - p],
    add_unrelated_class: lambda h, t, p: [
        p | {c} for c in set(h.nodes) - related(h, t) - {h.root} - p
    ],
    add_ancestor: lambda h, t, p: [p | {c} for c in above(h, p) - p],
    back_off: lambda h, t, p: [
        p - {c} | {q}
        for c in p - t - above(h, t)
        for q in h.parents(c)
        if q in above(h, t) and q not in t and q not in p
    ],
    go_deeper: lambda h, t, p: [
        p - {c} | {d}
        for c in p & above(h, t)
        for d in h.children(c)
        if d in t | above(h, t) and c in above(h, {d})
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
            for row in zip(*pairs.before[1:], pairs.after.predicted, strict=True)
        }
        assert found == expected


def test_perfect_predictions_are_compared_with_those_of_single_classes():
    """The tree R→a, b has three: {a}, {b}, {a, b}. Two are compared with {a}, two with {b}."""
    (world,) = (w for w in trees(3) if len(w.hierarchy.children("R")) == 2)
    found = [
        tuple(world.named(int(side.true[k])) for side in pairs)
        for pairs in perfect_to_one_class(world, *world.instances)
        for k in range(pairs.size)
        if all(side.true[k] == side.predicted[k] for side in pairs)
    ]
    assert sorted(found) == [
        (("a",), ("b",)),
        (("a", "b"), ("a",)),
        (("a", "b"), ("b",)),
        (("b",), ("a",)),
    ]


def test_an_edge_is_cut_in_two_by_a_class_that_is_in_neither_set():
    """R→a→b, cut: R→b is the whole edge, and a is in neither set. The others have no such class."""
    found = [
        (*(side.world.hierarchy.edges for side in pairs), pairs.size)
        for world in trees(3)
        for pairs in subdivide_an_edge(world, *world.instances)
    ]
    assert found == [((("R", "b"),), (("R", "a"), ("a", "b")), 2)]  # T = {b}, P = {} or {b}


def test_the_triangle_inequality_is_of_three_values():
    """One less Dice is 1 between {a} and {b}, and 1/3 between each and {a, b}: 1 > 2/3."""
    broken = verdict("detours_are_no_shorter", dice).example
    assert broken.size == 3
    assert broken.values == pytest.approx((0, 2 / 3, 2 / 3))
    assert broken.change == "0 → 0.6667 (0.6667 between)"
