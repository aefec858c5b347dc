"""What each rule predicts, and that it says so."""

import pytest
from hypothesis import given

from hiermeasures import InputError
from hiermeasures.inference import RULES, NodeProbabilities, predict
from hiermeasures.inference.rules import argmax_leaf, threshold, top_down_argmax, top_down_threshold, top_k
from tests.inference.strategies import FIGURE, FIGURE_2, FIGURE_4, any_tables, single_paths


class TestThreshold:
    @pytest.mark.parametrize(
        ("at", "classes"), [(0.3, "15"), (0.5, "1"), (0.0, "12345"), (0.75, ""), (0.35, "1"), (1.0, "")]
    )
    def test_figure_2_is_cut_strictly(self, at, classes):
        assert threshold(FIGURE_2, at).classes == set(classes)

    def test_incoherent_predictions_are_shown_as_such(self):
        p = NodeProbabilities.of(FIGURE, {"1": 0.4, "2": 0.3, "3": 0.9, "4": 0, "5": 0})
        got = threshold(p, 0.5)
        assert got.classes == {"3"}
        assert not got.coherent

    @pytest.mark.parametrize("at", [-0.1, 1.5, float("nan"), "high", True])
    def test_a_threshold_is_a_number_in_the_unit_interval(self, at):
        with pytest.raises(InputError, match="a threshold is a number"):
            threshold(FIGURE_2, at)


class TestTopDown:
    def test_arg_max_takes_the_likeliest_child_down_to_a_leaf(self):
        got = top_down_argmax(FIGURE_2)
        assert got.classes == {"1", "5"}
        assert [(s.at, s.taken) for s in got.steps] == [("r", ("1",)), ("1", ("5",))]

    def test_arg_max_names_ties_and_takes_the_first(self):
        p = NodeProbabilities.of(FIGURE, {"1": 1, "2": 0, "3": 0.2, "4": 0.4, "5": 0.4})
        assert top_down_argmax(p).steps[1].tied == ("5",)
        assert top_down_argmax(p).ends == {"4"}

    def test_arg_max_may_miss_the_likeliest_leaf(self):
        p = NodeProbabilities.of(FIGURE, {"1": 0.6, "2": 0.4, "3": 0.2, "4": 0.2, "5": 0.2})
        assert top_down_argmax(p).ends == {"3"}
        assert argmax_leaf(p).ends == {"2"}

    def test_a_threshold_stops_the_way_down(self):
        got = top_down_threshold(FIGURE_2, 0.5)
        assert got.ends == {"1"}
        assert got.steps[-1].taken == ()

    @given(any_tables())
    def test_all_paths_are_the_threshold_rule_without_what_a_parent_cuts_off(self, table):
        h, p = table.hierarchy, table.row(0)
        got = top_down_threshold(p, 0.5, paths="all")
        kept = {c for c in h.nodes[1:] if all(p[a] > 0.5 for a in h.up(c))}
        assert got.classes == kept
        assert got.coherent

    @given(single_paths())
    def test_for_a_single_path_above_one_half_all_top_down_rules_are_the_threshold_rule(self, p):
        expected = threshold(p, 0.5).classes
        assert top_down_threshold(p, 0.5).classes == top_down_threshold(p, 0.5, paths="all").classes == expected


class TestOthers:
    def test_arg_max_leaf(self):
        assert argmax_leaf(FIGURE_4).classes == {"1", "3"}

    def test_top_k_leaves_and_classes_come_with_their_ancestors(self):
        assert top_k(FIGURE_2, 2).classes == {"1", "5", "2"}
        assert top_k(FIGURE_2, 2, among="classes").classes == {"1", "5"}
        assert top_k(FIGURE_2, 0).classes == set()

    @pytest.mark.parametrize("k", [-1, 5, 1.5, True])
    def test_k_has_bounds(self, k):
        with pytest.raises(InputError, match="k is a whole number from 0 to 4, the number of leaves"):
            top_k(FIGURE_2, k)

    @given(any_tables())
    def test_every_rule_of_the_catalogue_answers_with_known_classes_and_a_sentence(self, table):
        for key, rule in RULES.items():
            got = predict(table.row(0), key)
            assert got.rule == key == rule.key
            assert got.classes <= set(table.hierarchy.nodes[1:])
            assert got.sentence.endswith(".")
            assert rule.source

    def test_unknown_rules_and_settings_are_named(self):
        with pytest.raises(InputError, match="unknown rule 'treshold'; nearest known: 'threshold'"):
            predict(FIGURE_2, "treshold")
        with pytest.raises(InputError, match="unknown setting of threshold 'k'"):
            predict(FIGURE_2, "threshold", k=3)
