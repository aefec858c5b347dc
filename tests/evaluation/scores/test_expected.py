"""Expected values: those that Plaud et al. 2024 print, term by term, and sums written out again;
and the prediction a measure wants: never beaten in brute force, the same as in the literature.
"""

import math
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, explain
from hiermeasures.evaluation.scores import (
    NodeProbabilities,
    bayes_optimal,
    closed_form,
    coherent_sets,
    expected_value,
    independent,
    search,
    single_path,
    threshold_ranges,
    threshold_sweep,
)
from hiermeasures.evaluation.scores.expected import expected_values
from hiermeasures.evaluation.scores.rules import threshold
from hiermeasures.measures import CATALOGUE
from tests.evaluation.scores.strategies import FIGURE_2, FIGURE_4, single_paths

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
        assert {
            "".join(sorted(event.classes)): value for event, value in got.rows
        } == pytest.approx(terms)
        assert got.value == pytest.approx(total)


class TestExpectedValue:
    @given(single_paths(), st.data())
    def test_is_the_weighted_sum_of_explain_for_every_measure(self, p, data):
        d = single_path(p)
        predicted = data.draw(st.sampled_from(coherent_sets(p.hierarchy)))
        explained = [
            (e.probability, explain(p.hierarchy, e.classes, predicted))
            for e in d.events
            if e.probability
        ]
        found = expected_values(d, predicted, list(CATALOGUE.values()))
        assert list(found) == list(CATALOGUE)
        for key, got in found.items():
            expected = 0.0
            for probability, x in explained:
                expected += probability * x[key]
            assert got.value == pytest.approx(expected, nan_ok=True), key

    @pytest.mark.parametrize(
        ("measure", "settings", "message"),
        [
            ("hF1", {}, "'hF'"),
            ("hF", {"labels": "some"}, "labels 'some'"),
            ("hF", {"countroot": False}, "'count_root'"),
        ],
    )
    def test_what_is_unknown_is_named(self, measure, settings, message):
        with pytest.raises(InputError, match=message):
            expected_value(E2, set("1"), measure, **settings)


MEASURES = [
    "hF",
    "hP",
    "hR",
    "SDL",
    "hamming",
    "f1",
    "accuracy",
    "H_loss",
    "SP",
    "F_LCA",
    "HCM_F1",
    "CoPHE_F1",
]


def every_coherent_set(h):
    """All subsets of the classes that are closed upwards: listed by definition."""
    rest = h.nodes[1:]
    for s in map(set, chain.from_iterable(combinations(rest, k) for k in range(len(rest) + 1))):
        if all(h.ancestors(c) <= s | {h.root} for c in s):
            yield s


def place(optimum, classes):
    return next(a for a in optimum.alternatives if a.candidate.classes == set(classes))


def plain_expectation(d, predicted, measure):
    possible = [e for e in d.events if e.probability]
    return sum(
        e.probability * explain(d.hierarchy, e.classes, predicted, count_root=False)[measure]
        for e in possible
    )


@st.composite
def distributions(draw, dag=True):
    p = draw(single_paths(max_nodes=6, dag=dag))
    kind = draw(st.sampled_from([single_path, independent]))
    try:
        return kind(p)
    except InputError:  # one path in a DAG need not be possible for independent classes
        return single_path(p)


class TestSearch:
    @given(distributions(), st.sampled_from(MEASURES))
    def test_the_optimum_is_never_beaten_by_any_other_coherent_set(self, d, measure):
        got = bayes_optimal(d, measure, count_root=False)
        values = {
            frozenset(s): plain_expectation(d, s, measure) for s in every_coherent_set(d.hierarchy)
        }
        assert {a.candidate.classes: a.value for a in got.alternatives} == pytest.approx(values)
        best = max(values.values()) if got.measure.better == "higher" else min(values.values())
        assert got.best.value == pytest.approx(best)
        assert {a.candidate.classes for a in got.ties} == {
            s for s, v in values.items() if math.isclose(v, best, abs_tol=1e-9)
        }

    def test_undefined_candidates_come_last_without_a_rank(self):
        got = bayes_optimal(E2, "TIE", labels="most_specific")
        assert got.best.candidate.classes == {"1"}
        last = got.alternatives[-1]
        assert math.isnan(last.value)
        assert last.rank is None

    def test_smaller_spaces_and_own_candidates(self):
        paths = search(E2, ["hF"], space="paths", count_root=False)
        assert {frozenset(c.classes) for c in paths.candidates} == {
            frozenset(s) for s in ["", "1", "2", "13", "14", "15"]
        }
        own = search(E2, ["hF"], candidates=["1", {"1", "5"}], count_root=False)
        assert [c.expected["hF"].value for c in own.candidates] == pytest.approx([0.5, 0.55])

    def test_a_large_hierarchy_is_refused_with_the_bound_and_a_way_out(self):
        h = Hierarchy.from_edges([("r", str(i)) for i in range(1000)])
        d = single_path(NodeProbabilities.of(h, {str(i): 0.001 for i in range(1000)}))
        with pytest.raises(InputError, match="4,096 coherent"):
            search(d, ["hF"])
        with pytest.raises(InputError, match=r"1,001,000 comparisons.* 50,000\..*smaller space"):
            search(d, ["hF"], space="paths")


class TestClosedForms:
    @given(distributions(), st.sampled_from(["hamming", "SDL", "accuracy"]))
    def test_hold_for_any_distribution(self, d, measure):
        got = bayes_optimal(d, measure, count_root=False)
        assert got.closed_form.applies
        assert plain_expectation(d, got.closed_form.classes, measure) == pytest.approx(
            got.best.value
        )

    @given(single_paths(), st.sampled_from(["constant", "level", "exponential"]))
    def test_one_half_is_optimal_for_the_shortest_path_whatever_the_edge_weights(self, p, weights):
        got = bayes_optimal(single_path(p), "SP", edge_weights=weights)
        assert got.closed_form.applies
        assert place(got, got.closed_form.classes).value == pytest.approx(got.best.value)
        assert "Ramaswamy et al. 2015" in got.closed_form.source

    @given(distributions(), st.booleans())
    def test_hierarchical_f1_is_best_for_the_greatest_sums_of_one_size(self, d, count_root):
        got = bayes_optimal(d, "hF", count_root=count_root)
        assert got.closed_form.applies
        assert place(got, got.closed_form.classes).value == pytest.approx(got.best.value)

    def test_hierarchical_f1_is_known_where_no_search_is_possible(self):
        # 400 leaves below 20 classes of which the first has half the probability: hF of it alone is
        # 0.5 · 2/3, and none of its 20 leaves, each with 0.025, is worth its place.
        h = Hierarchy.from_edges(
            [("r", f"{i}") for i in range(20)]
            + [(f"{i}", f"{i}.{j}") for i in range(20) for j in range(20)]
        )
        p = {f"{i}.{j}": 0.025 if i == 0 else 0.5 / 380 for i in range(20) for j in range(20)}
        found = closed_form(
            single_path(NodeProbabilities.of(h, p, kind="leaves")), "hF", count_root=False
        )
        assert found.classes == {"0"}


class TestThresholds:
    @given(single_paths(dag=True), st.floats(0, 1))
    def test_ranges_cover_every_threshold_once(self, p, tau):
        ranges = threshold_ranges(p)
        mine = [s for s, r in ranges.items() if (r.low < tau or not r.low) and tau <= r.high]
        assert threshold(p, tau).classes in mine
        assert len(mine) == 1

    def test_the_best_threshold_depends_on_the_instance(self):
        # Appendix B.1.2: below 0.35 in Figure 3, above it in Figure 4. Below 0.25 class 2 joins,
        # which is better still: {1, 2, 5} is worth (0.2 + 0.2) · 2/5 + 0.35 · 4/5 + 0.25 · 2/4 =
        # 0.565.
        three, four = (threshold_sweep(e, "hF", count_root=False) for e in (E2, E4))
        assert (three.best_threshold.low, three.best_threshold.high) == (0.2, 0.25)
        assert (four.best_threshold.low, four.best_threshold.high) == (0.35, 0.55)
        assert three.best.value == pytest.approx(0.565)

    def test_a_sweep_has_a_step_for_each_distinct_probability(self):
        steps = {r.low: a for r, a in threshold_sweep(E2, "SP", count_root=False).by_threshold}
        assert list(steps) == [0, 0.2, 0.25, 0.35, 0.75]
        assert [steps[low].candidate.classes for low in (0, 0.35, 0.75)] == [
            set("12345"),
            {"1"},
            set(),
        ]
        assert steps[0.25].value == pytest.approx(1.55)
