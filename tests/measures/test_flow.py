"""Cheapest flows: held to a linear programme on random networks, and to hand-made ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from hiermeasures.measures.flow import FlowEdge, FlowNode, cheapest_flow, left_short

A, B, C = (FlowNode("true", label) for label in "ABC")


@st.composite
def networks(draw):
    nodes = [FlowNode("true", str(i)) for i in range(draw(st.integers(2, 5)))]
    ends = draw(
        st.sets(st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)).filter(lambda e: e[0] != e[1]), max_size=12)
    )
    bounds = st.tuples(st.integers(0, 2), st.integers(0, 3)).map(lambda b: (b[0], b[0] + b[1]))
    costs = st.sampled_from([0.0, 1.0, 2.5, 0.1, -1.0, math.inf])
    edges = [
        FlowEdge(u, v, *draw(bounds), draw(costs)) for u, v in sorted(ends, key=lambda e: (e[0].label, e[1].label))
    ]
    return [e if e.cost < math.inf else FlowEdge(e.tail, e.head, 0, e.upper, e.cost) for e in edges]


@given(networks())
def test_no_feasible_flow_is_cheaper(edges):
    found = cheapest_flow(edges, [])
    nodes = sorted({node.label for e in edges for node in (e.tail, e.head)})
    if not nodes:
        assert found is not None
        return
    balance = np.array([[(e.head.label == n) - (e.tail.label == n) for e in edges] for n in nodes])
    bounds = [(e.lower, e.upper if e.cost < math.inf else 0) for e in edges]
    cost = [e.cost if e.cost < math.inf else 0 for e in edges]
    best = linprog(cost, A_eq=balance, b_eq=np.zeros(len(nodes)), bounds=bounds)
    assert (found is None) == (best.status == 2)
    if found is not None:
        assert sum(e.cost * e.flow for e in found.edges if e.flow) == pytest.approx(best.fun, abs=1e-9)
        assert not (balance @ [e.flow for e in found.edges]).any()


def test_a_lower_bound_forces_flow_along_a_costly_edge():
    found = cheapest_flow([FlowEdge(A, B, 1, 2, 7.0), FlowEdge(B, A, 0, 5)], [0])
    assert [e.flow for e in found.edges] == [1, 1]


def test_a_lower_bound_that_nothing_returns_has_no_flow():
    assert cheapest_flow([FlowEdge(A, B, 1, 2)], []) is None


def test_of_two_equal_ways_the_better_ranked_one_is_taken_and_the_flow_is_not_unique():
    edges = [FlowEdge(A, B, 1, 1), FlowEdge(B, A, 0, 1, 2.0), FlowEdge(B, C, 0, 1, 1.0), FlowEdge(C, A, 0, 1, 1.0)]
    for ranked in ([1, 2], [2, 1]):
        found = cheapest_flow(edges, ranked)
        assert found.edges[ranked[0]].flow == 1
        assert not found.unique


def test_a_class_without_any_partner_is_left_short():
    assert left_short({"P1": [], "P2": ["T1"]}, alpha=1, beta=1) == {"P1"}
    assert not left_short({"P1": ["T1"], "P2": ["T1"]}, alpha=1, beta=2)
