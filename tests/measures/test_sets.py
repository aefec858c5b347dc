"""Set-based measures: the papers' numbers, and the definitions written out again as plain loops."""

import pytest
from hypothesis import given

from hiermeasures import explain
from tests.conftest import FIGURE_11A, hierarchy_of, instances

CHAIN = hierarchy_of("A>B B>C")


def closure(labels, related):
    return set(labels) | {a for c in labels for a in related(c)}


class TestPapers:
    @pytest.mark.parametrize(("true", "predicted"), [("A", "C"), ("C", "A")])
    def test_figure_7_tolerates_over_and_under_specialization(self, true, predicted):
        # B is the first class that differs and counts; C only follows from it.
        x = explain(CHAIN, {true}, {predicted})
        assert x["H_loss"] == 1
        assert x["SDL"] == 2
        assert x.h_loss.true_removed | x.h_loss.predicted_removed == {"C"}

    def test_descendants_give_the_maximum_penalty_in_different_subtrees(self):
        # Section 2.4.1: no descendant is shared, however many ancestors are.
        h = hierarchy_of("R>A A>B A>C B>b C>c")
        assert explain(h, {"B"}, {"C"})["hF_desc"] == 0
        assert explain(h, {"B"}, {"C"})["hF"] == pytest.approx(2 * 2 / 6)


class TestRoot:
    def test_a_real_root_counts_and_a_virtual_one_does_not(self):
        real = hierarchy_of("R>A R>B")
        virtual = hierarchy_of("A>a B>b")
        assert explain(real, {"A"}, {"B"})["hF"] == 0.5
        assert explain(virtual, {"A"}, {"B"})["hF"] == 0
        assert explain(virtual, {"A"}, {"B"}, count_root=True)["hF"] == 0.5

    def test_a_prediction_of_the_root_alone_is_empty_where_the_root_does_not_count(self):
        h = hierarchy_of("R>A R>B")
        assert explain(h, {"A"}, {"R"})["hP"] == 1
        x = explain(h, {"A"}, {"R"}, count_root=False)
        assert (x["hP"], x["hR"], x["hF"]) == (0, 0, 0)


class TestEmptySets:
    def test_an_empty_prediction_has_the_precision_that_was_asked_for(self):
        assert explain(FIGURE_11A, {"T1"}, set())["hP"] == 0
        assert explain(FIGURE_11A, {"T1"}, set(), zero_division=1)["hP"] == 1
        assert explain(FIGURE_11A, {"T1"}, set(), zero_division=1)["hF"] == 0

    def test_an_empty_prediction_misses_the_root_in_h_loss(self):
        assert explain(FIGURE_11A, {"T1"}, set())["H_loss"] == 1


class TestDefinitions:
    @given(instances())
    def test_ratios_equal_the_counts_of_plain_sets(self, instance):
        h, true, predicted = instance
        x = explain(h, true, predicted)
        for keys, related in ((("hP", "hR", "hF"), h.ancestors), (("hP_desc", "hR_desc", "hF_desc"), h.descendants)):
            t, p = closure(true, related), closure(predicted, related)
            both = sum(c in p for c in t)
            expected = [both / len(p) if p else float(not t), both / len(t) if t else float(not p)]
            expected.append(2 * both / (len(t) + len(p)) if t or p else 1.0)
            assert [x[k] for k in keys] == pytest.approx(expected)

    @given(instances())
    def test_h_loss_counts_the_first_errors_on_each_way_down(self, instance):
        h, true, predicted = instance
        t, p = closure(true, h.ancestors), closure(predicted, h.ancestors)
        first = [c for c in t ^ p if not h.parents(c) or any(a in t and a in p for a in h.parents(c))]
        assert explain(h, true, predicted)["H_loss"] == len(first)

    @given(instances())
    def test_proposition_1_of_plaud_coherent_predictions_have_hf1_equal_to_f1(self, instance):
        h, true, predicted = instance
        coherent = [closure(labels, h.ancestors) for labels in (true, predicted)]
        x = explain(h, *coherent)
        assert x["hF"] == x["f1"]
        without_root = [labels - {h.root} for labels in coherent]
        y = explain(h, *without_root, count_root=False)
        assert y["hF"] == y["f1"]
