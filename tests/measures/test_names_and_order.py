"""No value depends on what classes are called, or on the order of edges and labels, where structure is to decide."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiermeasures import Hierarchy, evaluate, explain
from hiermeasures.measures import CATALOGUE
from tests.batch.test_equal_to_explain import ALL_OPTIONS
from tests.conftest import edge_lists, hierarchy_of


def both_engines(h, true, predicted, key, **options):
    found = evaluate(h, [true], [predicted], measures=[key], n_jobs=1, **options)[key]
    assert found == pytest.approx(explain(h, true, predicted, **options)[key])
    return found


def test_the_confusion_matrix_does_not_see_classes_change_their_names():
    # The paths to n2 and to n3 are right: TP n2, n1, n3. The path to n4 is left over: FP n1, n4. F1 = 6 / (6 + 2).
    for a, b, c in permutations(["n0", "n1", "n2"]):
        h = hierarchy_of(f"{a}>{b} {a}>{c} {b}>n3 {b}>n4")
        assert both_engines(h, {a, c, "n3"}, {c, "n3", "n4"}, "HCM_F1", path_ties="structure") == 0.75


def test_the_confusion_matrix_does_not_see_the_order_of_edges():
    # The path to n4 by n2 agrees with the true n0 n1 n2: TP n1, n2; FP n4. F1 = 4 / (4 + 1).
    for edges in permutations(["n0>n1", "n1>n2", "n1>n3", "n2>n4", "n3>n4"]):
        assert both_engines(hierarchy_of(" ".join(edges)), {"n2"}, {"n1", "n4"}, "HCM_F1", path_ties="structure") == 0.8


def test_paths_may_be_matched_in_the_order_of_names_as_in_the_authors_evaluation():
    # Both paths share R A with the true one. By name the path to Z is compared first, by structure the shorter one.
    h = hierarchy_of("R>A A>T A>X X>Z A>B")
    first = {ties: explain(h, {"T"}, {"Z", "B"}, path_ties=ties).confusion.paths[0] for ties in ("names", "structure")}
    assert first["names"].predicted_path == ("R", "A", "X", "Z")
    assert first["structure"].predicted_path == ("R", "A", "B")


# What of the minimal LCA graphs is left to chance is known: equally good ones may have other sizes of the two sides.
LEFT = {key for key, measure in CATALOGUE.items() if measure.structure.key == "lca" and "graphs" not in measure.fixed}


def assert_unchanged(data, options):
    edges = data.draw(edge_lists(9))
    names = sorted({c for edge in edges for c in edge})
    labels = st.sets(st.sampled_from(names), max_size=4)
    true, predicted = data.draw(labels), data.draw(labels)
    renamed = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    others = [tuple(renamed[c] for c in edge) for edge in data.draw(st.permutations(edges))]
    keys = [key for key in CATALOGUE if key not in LEFT]
    options = {**options, "path_ties": "structure"}  # the other value asks for names to decide
    found = []
    for order, sides in ((edges, (true, predicted)), (others, [{renamed[c] for c in s} for s in (true, predicted)])):
        h = Hierarchy.from_edges(order)
        x = explain(h, *sides, **options)
        report = evaluate(h, [sides[0]], [sides[1]], measures=keys, n_jobs=1, **options).instance_values()
        found += [{key: x[key] for key in keys}, {key: float(report[key][0]) for key in keys}]
    for values in found[1:]:
        assert values == pytest.approx(found[0], rel=1e-9, abs=1e-9, nan_ok=True), (edges, others, true, predicted)


@given(data=st.data(), options=ALL_OPTIONS)
def test_no_value_changes_with_names_or_order(data, options):
    assert_unchanged(data, options)


@pytest.mark.slow
@given(data=st.data(), options=ALL_OPTIONS)
@settings(max_examples=500)
def test_no_value_changes_with_names_or_order_in_many_instances(data, options):
    assert_unchanged(data, options)
