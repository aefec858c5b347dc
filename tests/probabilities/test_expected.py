"""Expected values: those that Plaud et al. 2024 print, term by term, and sums written out again."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, explain
from hiermeasures.measures import CATALOGUE
from hiermeasures.probabilities import assess, coherent_sets, expected_value, independent, single_path
from tests.probabilities.strategies import FIGURE_2, FIGURE_4, single_paths

E2, E4 = single_path(FIGURE_2), single_path(FIGURE_4)


class TestAppendixB1:
    @pytest.mark.parametrize(
        ("distribution", "predicted", "measure", "terms", "total"),
        [
            (E2, "15", "SP", {"13": 2, "14": 2, "15": 0, "2": 3}, 1.55),
            (E2, "1", "SP", {"13": 1, "14": 1, "15": 1, "2": 2}, 1.25),
            (E2, "15", "hF", {"13": 1 / 2, "14": 1 / 2, "15": 1, "2": 0}, 0.55),
            (E2, "1", "hF", {"13": 2 / 3, "14": 2 / 3, "15": 2 / 3, "2": 0}, 0.5),
            (E4, "135", "hF", {"13": 4 / 5, "14": 2 / 5, "15": 4 / 5, "2": 0}, 0.72),
            (E4, "13", "hF", {"13": 1, "14": 1 / 2, "15": 1 / 2, "2": 0}, 0.725),
        ],
    )
    def test_every_event_and_the_sum(self, distribution, predicted, measure, terms, total):
        got = expected_value(distribution, set(predicted), measure, count_root=False)
        assert {"".join(sorted(row.event.classes)): row.value for row in got.rows} == pytest.approx(terms)
        assert got.value == pytest.approx(total)

    def test_the_sum_is_written_out(self):
        got = expected_value(E2, set("15"), "SP", count_root=False)
        assert got.latex == r"0.25 \cdot 3 + 0.2 \cdot 2 + 0.2 \cdot 2 + 0.35 \cdot 0 = 1.55"


class TestExpectedValue:
    @given(single_paths(), st.data())
    def test_is_the_weighted_sum_of_explain_for_every_measure(self, p, data):
        d = single_path(p)
        predicted = data.draw(st.sampled_from(coherent_sets(p.hierarchy)))
        explained = [(e.probability, explain(p.hierarchy, e.classes, predicted)) for e in d.events if e.probability]
        for row in assess(d, predicted).rows:
            key = row.measure.key
            expected = 0.0
            for probability, x in explained:
                expected += probability * x[key]
            assert row.expected.value == pytest.approx(expected, nan_ok=True), key
            assert math.isnan(row.realised)

    def test_all_measures_of_the_catalogue_are_assessed_with_what_came_true_beside(self):
        got = assess(E2, set("15"), "3", count_root=False)
        assert [row.measure.key for row in got.rows] == list(CATALOGUE)
        assert got.true == {"1", "3"}
        by_key = {row.measure.key: row for row in got.rows}
        assert by_key["hF"].realised == 0.5
        assert by_key["SP"].expected.value == pytest.approx(1.55)

    def test_pair_based_measures_can_be_given_the_most_specific_classes_only(self):
        # {1, 5} against {1, 3} pairs two and two; 5 against 3 is the tree-induced error of two
        # leaves.
        assert expected_value(E2, set("15"), "TIE", labels="most_specific").value == pytest.approx(1.55)

    def test_the_root_is_implied(self):
        assert expected_value(E2, ["r", "1"], "f1").value == expected_value(E2, ["1"], "f1").value

    def test_an_event_that_cannot_happen_adds_nothing_even_where_the_measure_is_undefined(self):
        got = expected_value(E4, set("13"), "TIE", labels="all", count_root=False)
        undefined = [row for row in got.rows if math.isnan(row.value)]
        assert {frozenset(row.event.classes) for row in undefined} == {frozenset("2")}
        assert math.isnan(got.value)

    def test_more_than_one_path_can_be_true(self):
        d = independent(FIGURE_2)
        # Hamming is a sum over classes: each wrong with its own probability, whatever depends on
        # what.
        wrong = [0.25, 0.25, 0.2, 0.2, 0.65]
        assert expected_value(d, set("15"), "hamming", count_root=False).value == pytest.approx(sum(wrong) / 5)

    @pytest.mark.parametrize(
        ("measure", "settings", "message"),
        [
            ("hF1", {}, "unknown measure 'hF1'; nearest known: 'hF'"),
            ("hF", {"labels": "some"}, "unknown choice of labels 'some'"),
            ("hF", {"countroot": False}, "unknown option 'countroot'; nearest known: 'count_root'"),
        ],
    )
    def test_what_is_unknown_is_named(self, measure, settings, message):
        with pytest.raises(InputError, match=message):
            expected_value(E2, set("1"), measure, **settings)
