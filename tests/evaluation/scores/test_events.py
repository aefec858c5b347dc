"""Distributions over label sets: they give back the probabilities they came from, and refuse those
they cannot have.
"""

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given

from hiermeasures import Hierarchy, InputError
from hiermeasures.evaluation.scores import (
    NodeProbabilities,
    coherent_sets,
    independent,
    single_path,
)
from tests.conftest import edge_lists
from tests.evaluation.scores.strategies import FIGURE, FIGURE_2, any_tables, single_paths


def subsets(classes):
    return map(
        frozenset, chain.from_iterable(combinations(classes, k) for k in range(len(classes) + 1))
    )


class TestSinglePath:
    def test_figure_2_has_the_events_of_appendix_b(self):
        events = {e.classes: e.probability for e in single_path(FIGURE_2).events}
        assert events == {
            frozenset("2"): 0.25,
            frozenset("13"): 0.2,
            frozenset("14"): 0.2,
            frozenset("15"): 0.35,
        }

    @given(single_paths(dag=True))
    def test_events_sum_to_one_and_give_back_the_probabilities(self, p):
        d = single_path(p)
        assert d.marginals[d.hierarchy.root] == pytest.approx(1)
        assert d.marginals == pytest.approx(dict(p))
        assert all(len(e.ends) <= 1 for e in d.events)

    def test_siblings_over_their_parent_are_refused_by_name(self):
        p = NodeProbabilities.of(FIGURE, {"1": 0.5, "2": 0.5, "3": 0.4, "4": 0.4, "5": 0})
        with pytest.raises(InputError, match="children of '1'"):
            single_path(p)


class TestIndependent:
    @given(edge_lists(max_nodes=7), any_tables(max_nodes=7))
    def test_events_are_products_of_independent_decisions(self, edges, table):
        h = Hierarchy.from_edges(edges)
        rng = np.random.default_rng(len(edges))
        gate = {
            c: float(v)
            for c, v in zip(h.nodes[1:], rng.integers(0, 5, len(h) - 1) / 4, strict=True)
        }
        d = independent(NodeProbabilities.of(h, gate, kind="conditional"))
        expected = {}
        for s in subsets(h.nodes[1:]):
            whole = s | {h.root}
            if all(set(h.parents(c)) <= whole for c in s):
                chance = 1.0
                for c in h.nodes[1:]:
                    if set(h.parents(c)) <= whole:
                        chance *= gate[c] if c in s else 1 - gate[c]
                # A gate below an impossible class cannot be recovered, and does not matter.
                if chance > 0:
                    expected[s] = chance
        assert {e.classes: e.probability for e in d.events} == pytest.approx(expected)
        assert d.marginals[d.hierarchy.root] == pytest.approx(1)

    def test_incoherent_probabilities_are_refused_by_name(self):
        p = NodeProbabilities.of(FIGURE, {"1": 0.5, "2": 0.5, "3": 0.6, "4": 0, "5": 0})
        with pytest.raises(InputError, match=r"'3' .* its parent"):
            independent(p)

    def test_too_many_sets_are_refused_with_the_bound(self):
        h = Hierarchy.from_edges([("r", str(i)) for i in range(20)])
        with pytest.raises(InputError, match="4,096 possible label"):
            independent(NodeProbabilities.of(h, {str(i): 0.5 for i in range(20)}))


class TestCoherentSets:
    @given(edge_lists(max_nodes=7))
    def test_are_all_subsets_that_hold_every_parent_and_come_once(self, edges):
        h = Hierarchy.from_edges(edges)
        expected = {
            s for s in subsets(h.nodes[1:]) if all(set(h.parents(c)) <= s | {h.root} for c in s)
        }
        found = coherent_sets(h)
        assert len(found) == len(expected)
        assert set(found) == expected
