"""The prediction of each rule, and its sentence."""

import math

import pytest
from hypothesis import given

from hiermeasures import InputError
from hiermeasures.evaluation.scores import RULES, predict
from hiermeasures.evaluation.scores.rules import (
    argmax_leaf,
    confidence_threshold,
    expected_information,
    information_threshold,
    leaf_and_parent,
    nearest_leaf,
    plurality,
    threshold,
    top_down_argmax,
    top_down_threshold,
    top_k,
)
from tests.evaluation.scores.strategies import FIGURE_2, any_tables, single_paths


class TestThreshold:
    @pytest.mark.parametrize(
        ("at", "classes"),
        [(0.3, "15"), (0.5, "1"), (0.0, "12345"), (0.75, "1"), (0.35, "15"), (1.0, "")],
    )
    def test_a_class_that_just_reaches_the_threshold_is_predicted(self, at, classes):
        assert threshold(FIGURE_2, at).classes == set(classes)

    @pytest.mark.parametrize("at", [-0.1, 1.5, float("nan"), "high", True])
    def test_a_threshold_is_a_number_in_the_unit_interval(self, at):
        with pytest.raises(InputError, match="threshold"):
            threshold(FIGURE_2, at)


class TestTopDown:
    def test_arg_max_takes_the_likeliest_child_down_to_a_leaf(self):
        got = top_down_argmax(FIGURE_2)
        assert got.classes == {"1", "5"}
        assert got.sentence == "The likeliest child at each class: r > 1 > 5."

    @given(any_tables())
    def test_all_paths_are_the_threshold_rule_without_what_a_parent_cuts_off(self, table):
        h, p = table.hierarchy, table.row(0)
        got = top_down_threshold(p, 0.5, paths="all")
        kept = {c for c in h.nodes[1:] if all(p[a] >= 0.5 for a in h.up(c))}
        assert got.classes == kept


def bits(h, c):
    """The information of a class where leaves are equally likely, by every leaf's paths."""
    below = [leaf for leaf in h.leaves if any(c in path for path in h.paths_from_root(leaf))]
    return math.log2(len(h.leaves) / len(below))


def greatest(values):
    """The classes with the greatest value, but for rounding."""
    return {c for c, v in values.items() if v >= max(values.values()) - 1e-9}


# By rule what the predicted class has the most of, and then; None for a class that cannot be
# predicted.
GREATEST = {
    confidence_threshold: lambda h, p, c: (bits(h, c), p[c]) if p[c] > 0.5 else None,
    information_threshold: lambda h, p, c: (
        (p[c], bits(h, c)) if bits(h, c) >= bits(h, deepest(h)) / 2 - 1e-9 else None
    ),
    expected_information: lambda h, p, c: (p[c] * bits(h, c),),
    leaf_and_parent: lambda h, p, c: (
        (p[c] * max(p[q] for q in h.parents(c)),) if c in h.leaves else None
    ),
    argmax_leaf: lambda h, p, c: (p[c],) if c in h.leaves else None,
}


def deepest(h):
    return sorted(h.leaves)[0]  # each has the most information


@pytest.mark.parametrize("rule", GREATEST, ids=lambda rule: rule.__name__)
@given(table=any_tables())
def test_a_rule_takes_the_class_with_the_most(rule, table):
    h, p = table.hierarchy, table.row(0)
    best = [c for c in h.nodes if GREATEST[rule](h, p, c) is not None]
    for place in range(len(GREATEST[rule](h, p, best[0]))):
        best = sorted(greatest({c: GREATEST[rule](h, p, c)[place] for c in best}))
    assert (rule(p).ends or {h.root}) <= set(best)


@given(any_tables())
def test_plurality_takes_what_every_class_beside_is_behind_of(table):
    h, p = table.hierarchy, table.row(0)
    beside = {c: set(h.nodes) - h.ancestors(c) - h.descendants(c) - {c} for c in h.nodes[1:]}
    leading = {c for c in h.nodes[1:] if all(p[c] > p[d] for d in beside[c])}
    assert plurality(p).ends <= leading <= plurality(p).classes


@given(single_paths(stopping=False))
def test_nearest_leaf_has_the_least_expected_distance(p):
    h = p.hierarchy
    distances = {c: -sum(p[leaf] * h.distance(c, leaf) for leaf in h.leaves) for c in h.leaves}
    assert nearest_leaf(p).ends <= greatest(distances)


class TestOthers:
    def test_top_k_leaves_and_classes_come_with_their_ancestors(self):
        assert top_k(FIGURE_2, 2).classes == {"1", "5", "2"}
        assert top_k(FIGURE_2, 2, among="classes").classes == {"1", "5"}
        assert top_k(FIGURE_2, 0).classes == set()

    @given(any_tables())
    def test_every_rule_of_the_catalogue_answers_with_known_classes_and_a_sentence(self, table):
        for key, rule in RULES.items():
            got = predict(table.row(0), key)
            assert got.rule == key == rule.key
            assert got.classes <= set(table.hierarchy.nodes[1:])
            assert got.sentence.endswith(".")
            assert rule.source

    def test_unknown_rules_and_settings_are_named(self):
        with pytest.raises(InputError, match="'threshold'"):
            predict(FIGURE_2, "treshold")
        with pytest.raises(InputError, match="threshold 'k'"):
            predict(FIGURE_2, "threshold", k=3)
