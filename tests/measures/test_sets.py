"""Set-based measures: the papers' numbers, and the definitions written out again as plain loops."""

import pytest
from hypothesis import given

from hiermeasures import explain
from hiermeasures.measures.sets import per_level
from tests.conftest import hierarchy_of, instances

FIGURE_11A = hierarchy_of("A>B A>C B>T1 B>P1 B>P2")
CHAIN = hierarchy_of("A>B B>C")


def closure(labels, related):
    return set(labels) | {a for c in labels for a in related(c)}


class TestPapers:
    def test_figure_11a(self):
        x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
        # {T1, B, A} against {P1, P2, B, A}: two shared of four and of three; T1, P1, P2 on one side only.
        assert x["hP"] == 2 / 4
        assert x["hR"] == 2 / 3
        assert x["hF"] == pytest.approx(4 / 7)
        assert x["SDL"] == 3
        assert x.augmented.shared == {"A", "B"}
        assert (x.augmented.missed, x.augmented.spurious) == ({"T1"}, {"P1", "P2"})

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

    def test_set_based_rows_of_cophe_table_1(self):
        h = hierarchy_of(
            "364>364.1 364>364.2 364>364.3 364>364.4 364>364.9 364.1>364.11 364.2>364.21 364.2>364.24 364.4>364.41"
        )
        x = explain(h, {"364.11", "364.24", "364.9"}, {"364.11", "364.21", "364.3", "364.41"})
        rows = {c.level: (c.tp, c.fp, c.fn) for c in per_level(h, x.augmented, x.options)}
        assert rows == {2: (1, 2, 1), 1: (2, 2, 1), 0: (1, 0, 0)}


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
    def test_two_empty_sets_agree(self):
        x = explain(FIGURE_11A, set(), set())
        assert [x[k] for k in ("hP", "hR", "hF", "precision", "recall", "f1", "accuracy")] == [1] * 7
        assert [x[k] for k in ("SDL", "H_loss", "hamming")] == [0] * 3

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
    def test_swapping_the_sides_swaps_precision_and_recall(self, instance):
        h, true, predicted = instance
        x, y = explain(h, true, predicted), explain(h, predicted, true)
        for p, r, f in (("hP", "hR", "hF"), ("hP_desc", "hR_desc", "hF_desc"), ("precision", "recall", "f1")):
            assert (x[p], x[r], x[f]) == (y[r], y[p], y[f])
        assert all(x[k] == y[k] for k in ("SDL", "H_loss", "hamming", "accuracy"))

    @given(instances())
    def test_proposition_1_of_plaud_coherent_predictions_have_hf1_equal_to_f1(self, instance):
        h, true, predicted = instance
        coherent = [closure(labels, h.ancestors) for labels in (true, predicted)]
        x = explain(h, *coherent)
        assert x["hF"] == x["f1"]
        without_root = [labels - {h.root} for labels in coherent]
        y = explain(h, *without_root, count_root=False)
        assert y["hF"] == y["f1"]
