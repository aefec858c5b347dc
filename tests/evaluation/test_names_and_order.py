"""No value depends on what classes are called, or on the order of edges and labels, where structure
is to decide.
"""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, evaluate, explain
from hiermeasures.measures import CATALOGUE, lca_solvers
from tests.conftest import edge_lists, hierarchy_of
from tests.evaluation.test_equal_to_explain import ALL_OPTIONS


def both_engines(h, true, predicted, key, **options):
    found = evaluate(h, [true], [predicted], measures=[key], n_jobs=1, **options)[key]
    assert found == pytest.approx(explain(h, true, predicted, **options)[key])
    return found


def test_of_two_ways_that_hold_as_many_labels_one_is_taken_whatever_the_classes_are_called():
    # R a c e holds c and e, R b d e holds b and e; what is left has a path of 1 class, b, or of 2,
    # a c.
    found = set()
    for order in permutations(range(5)):
        a, b, c, d, e = (f"n{k}" for k in order)
        h = hierarchy_of(f"R>{a} R>{b} {a}>{c} {b}>{d} {c}>{e} {d}>{e}")
        found.add(both_engines(h, {b, c, e}, {b, c, e}, "HCM_TP"))
    assert len(found) == 1
    assert found <= {4.0, 5.0}


def test_paths_may_be_matched_in_the_order_of_names_as_in_the_authors_evaluation():
    # Both paths share R A with the true one. By name the path to Z is compared first, by structure
    # the shorter one.
    h = hierarchy_of("R>A A>T A>X X>Z A>B")
    first = {
        ties: explain(h, {"T"}, {"Z", "B"}, path_ties=ties).confusion.paths[0]
        for ties in ("names", "structure")
    }
    assert first["names"].predicted_path == ("R", "A", "X", "Z")
    assert first["structure"].predicted_path == ("R", "A", "B")


def test_of_equally_good_minimal_graphs_those_of_like_sizes_are_taken_in_every_order_of_the_edges():
    # T and F meet in C. E is as far from T by B (2 + 2) as by A (1 + 3). With A the graphs are T C
    # B A and F C, E A; with B they are T C B and F C, E D B. Both share two classes of eight, F_LCA
    # 0.5; the first are of like sizes, and so P_LCA is 2 / 4, not 2 / 5, and R_LCA 2 / 4, not 2 /
    # 3.
    edges = ["A>B", "B>C", "B>D", "D>E", "A>E", "C>F", "C>T"]
    for k in range(len(edges)):
        for order in (edges[k:] + edges[:k], edges[k::-1] + edges[:k:-1]):
            h = hierarchy_of(" ".join(order))
            assert [
                both_engines(h, {"T"}, {"E", "F"}, key) for key in ("P_LCA", "R_LCA", "F_LCA")
            ] == [0.5] * 3


def assert_unchanged(data, options, edges, most=4):
    names = sorted({c for edge in edges for c in edge})
    labels = st.sets(st.sampled_from(names), max_size=most)
    true, predicted = data.draw(labels), data.draw(labels)
    # then names are to decide, and only the order changes
    by_name = options.get("path_ties") == "names"
    renamed = dict(zip(names, names if by_name else data.draw(st.permutations(names)), strict=True))
    others = [tuple(renamed[c] for c in edge) for edge in data.draw(st.permutations(edges))]
    keys = list(CATALOGUE)
    found = []
    for order, sides in (
        (edges, (true, predicted)),
        (others, [{renamed[c] for c in s} for s in (true, predicted)]),
    ):
        h = Hierarchy.from_edges(order)
        report = evaluate(h, [sides[0]], [sides[1]], measures=keys, n_jobs=1, **options)
        # with the information that was counted, if it was
        x = explain(report.hierarchy, *sides, **options)
        values = report.instance_values()
        found += [{key: x[key] for key in keys}, {key: float(values[key][0]) for key in keys}]
    for values in found[1:]:
        assert values == pytest.approx(found[0], rel=1e-9, abs=1e-9, nan_ok=True), (
            edges,
            others,
            true,
            predicted,
        )


@given(data=st.data(), options=ALL_OPTIONS)
def test_no_value_changes_with_names_or_order(data, options):
    assert_unchanged(data, options, data.draw(edge_lists(9)))


@st.composite
def lattices(draw):
    """Edges of a DAG where ways cross everywhere: rows of classes, each below some of the row
    above, or every one below its two neighbours in rings, so that much of it looks alike.
    """
    if draw(st.booleans()):
        rings = draw(st.sampled_from([(2,), (3,), (4,), (2, 2), (3, 2), (4, 2, 2), (4, 4)]))
        around = [
            (f"u{ring}.{k}", f"v{ring}.{j % n}")
            for ring, n in enumerate(rings)
            for k in range(n)
            for j in (k, k + 1)
        ]
        return sorted({("r", above) for above, _ in around} | set(around))
    edges, above = [], ["r"]
    for depth in range(draw(st.integers(2, 4))):
        row = [f"n{depth}.{k}" for k in range(draw(st.integers(2, 4)))]
        edges += [
            (a, b)
            for b in row
            for a in sorted(draw(st.sets(st.sampled_from(above), min_size=1, max_size=3)))
        ]
        above = row
    return edges


@pytest.mark.parametrize("work", [10, 100])
@given(data=st.data(), solver=st.sampled_from(["auto", "greedy"]))
def test_neither_the_greedy_graphs_nor_where_they_are_taken_depend_on_names(work, data, solver):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lca_solvers, "AUTO_WORK", work)
        assert_unchanged(data, {"solver": solver}, data.draw(lattices()), most=6)
