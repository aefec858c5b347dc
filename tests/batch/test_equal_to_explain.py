"""The array engine gives what `explain` gives: on random trees and DAGs, for every measure and option."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.batch import evaluate
from hiermeasures.measures import CATALOGUE
from tests.conftest import edge_lists


@st.composite
def batches(draw, max_nodes=12, max_classes=5, dag=True, weighted=False, instances=4):
    """A random hierarchy, under a virtual root or not, and some instances."""
    edges = draw(edge_lists(max_nodes, dag))
    if weighted:
        edges = [(*edge, draw(st.sampled_from([0.1, 0.2, 0.3, 0.5, 1.0, 2.0]))) for edge in edges]
    if draw(st.booleans()):
        edges = [edge for edge in edges if edge[0] != "n0"] or edges
    h = Hierarchy.from_edges(edges)
    labels = st.sets(st.sampled_from(h.nodes), max_size=max_classes)
    pairs = draw(st.lists(st.tuples(labels, labels), min_size=1, max_size=instances))
    return h, [t for t, _ in pairs], [p for _, p in pairs]


def assert_equal_to_explain(h, true, predicted, keys, **options):
    values = evaluate(h, true, predicted, measures=keys, n_jobs=1, **options).instance_values()
    for k, (t, p) in enumerate(zip(true, predicted, strict=True)):
        x = explain(h, t, p, **options)
        expected = {key: x[key] for key in keys}
        found = {key: float(values[key][k]) for key in keys}
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True), (h.edges, t, p, options)


OPTIONS = {
    "flat": [{}],
    "ancestors": [{}, {"count_root": True}, {"count_root": False}, {"zero_division": 1.0}],
    "descendants": [{}, {"count_root": False}],
    "confusion": [{}, {"negatives": "descendants"}, {"path_derivation": "benevolent"}],
    "counts": [{}, {"max_level": 1}, {"count_root": True}],
    "pairs": [
        {},
        {"dmax": 1.5},
        {"max_pair_distance": 2.0},
        {"normaliser": "symmetric_difference"},
        {"path": "any"},
        {"beta_t": 2, "default_classes": False},
        {"default_classes": False},
    ],
    "paths": [{}, {"path": "any"}],
    "lca": [{}, {"graphs": "extended"}, {"solver": "greedy"}, {"count_root": False}],
}
CASES = [(family, options) for family, several in OPTIONS.items() for options in several]


def keys_of(family):
    return [key for key, measure in CATALOGUE.items() if measure.family == family]


def test_every_family_of_the_catalogue_is_compared():
    assert set(OPTIONS) == {measure.family for measure in CATALOGUE.values()}


@pytest.mark.parametrize(("family", "options"), CASES)
@given(batch=batches())
@settings(max_examples=40)
def test_each_instance_has_the_value_that_explain_gives(family, options, batch):
    assert_equal_to_explain(*batch, keys_of(family), **options)


@pytest.mark.parametrize("family", ["ancestors", "confusion", "pairs", "paths", "lca"])
@given(batch=batches(max_nodes=25, dag=False))
@settings(max_examples=40)
def test_in_trees_too(family, batch):
    assert_equal_to_explain(*batch, keys_of(family))


@pytest.mark.parametrize("family", ["pairs", "paths", "lca"])
@given(batch=batches(weighted=True))
@settings(max_examples=40)
def test_with_weighted_edges(family, batch):
    assert_equal_to_explain(*batch, keys_of(family))


@given(batch=batches(max_nodes=8, instances=2), distance=st.integers(1, 3))
@settings(max_examples=15)
def test_with_the_hierarchy_cut_at_a_distance_per_instance(batch, distance):
    assert_equal_to_explain(*batch, list(CATALOGUE), max_ancestor_distance=distance)


@given(batch=batches(max_nodes=8, instances=2), scheme=st.sampled_from(["constant", "level", "exponential"]))
@settings(max_examples=15)
def test_with_other_edge_weights(batch, scheme):
    assert_equal_to_explain(*batch, list(CATALOGUE), edge_weights=scheme)


def test_an_undefined_value_is_nan_and_counted():
    h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    report = evaluate(h, [{"B"}, {"B"}], [{"B", "C"}, {"C"}], measures=["TIE"])
    assert math.isnan(report.per_instance["TIE"][0])
    assert (report["TIE"], report.undefined["TIE"]) == (2.0, 1)
