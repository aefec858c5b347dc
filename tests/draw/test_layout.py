"""The part of a large hierarchy that is drawn. The layered layout: levels on lines, no overlaps,
few crossings, bends only where a straight line would touch a class.
"""

from itertools import combinations

import pytest
from hypothesis import given

from hiermeasures import Hierarchy
from hiermeasures.draw.layout import READABLE, layered, neighbourhood, next_neighbourhood, unfold
from tests.conftest import edge_lists, hierarchy_of

# 20 groups of 30 classes under one root: 621 classes.
LARGE = Hierarchy.from_edges(
    [("r", f"g{i}") for i in range(20)]
    + [(f"g{i}", f"g{i}.{j}") for i in range(20) for j in range(30)]
)


def test_what_was_unfolded_stays_so_when_the_hierarchy_is_edited() -> None:
    before = unfold(neighbourhood(LARGE, {"g3.7"}), {"g3.7"}, "g19")
    edited = Hierarchy.from_edges([*LARGE.edges, ("g19", "new")])
    assert {"new", *LARGE.children("g19")} <= set(
        next_neighbourhood(before, edited, {"g3.7"}).nodes
    )


def test_of_a_large_one_the_classes_and_their_ancestors_are_drawn_with_siblings_of_each_while_it_can_be_read() -> (
    None
):
    near = neighbourhood(LARGE, {"g3.7", "g9.1"})
    assert {"r", "g3", "g3.7", "g9", "g9.1"} <= set(near.nodes)
    assert len(near.nodes) == READABLE
    assert near.folded == len(LARGE) - len(near.nodes)
    drawn = [len(set(LARGE.children(parent)) & set(near.nodes)) for parent in ("g3", "g9")]
    assert abs(drawn[0] - drawn[1]) <= 1
    assert sum(drawn) == READABLE - 3  # r, g3 and g9 are the others


def test_all_marked_classes_and_their_ancestors_are_drawn_however_many() -> None:
    marked = {f"g{i}.{j}" for i in range(20) for j in range(3)}
    near = neighbourhood(LARGE, marked)
    assert set(near.nodes) == {"r", *(f"g{i}" for i in range(20)), *marked}


def test_every_drawn_class_is_drawn_with_all_its_ancestors() -> None:
    drawn = set(neighbourhood(LARGE, {"g3.7"}).nodes)
    assert all(LARGE.ancestors(c) <= drawn for c in drawn)


def test_what_is_folded_away_is_counted_where_it_hangs() -> None:
    near = neighbourhood(LARGE, {"g3.7"})
    assert near.folded_children == {"r": 19}  # r, g3 and its 30 children are READABLE
    near = neighbourhood(LARGE, ())
    assert near.folded_children["g19"] == 30
    assert "r" not in near.folded_children
    assert sum(near.folded_children.values()) == near.folded


def test_unfolding_a_class_shows_its_children_and_leaves_what_else_was_folded() -> None:
    h = Hierarchy.from_edges(
        [("r", f"g{i}") for i in range(6)]
        + [(f"g{i}", f"g{i}.{j}") for i in range(6) for j in range(5)]
    )
    near = neighbourhood(h, {"g0.0", "g5.4"}, limit=8)
    label = next(iter(near.folded_children))
    opened = unfold(near, {"g0.0", "g5.4"}, label)
    assert set(h.children(label)) <= set(opened.nodes)
    assert {"g0.0", "g5.4"} <= set(opened.nodes)
    assert len(opened.nodes) <= len(near.nodes) + near.folded_children[label]


def laid_out(h: Hierarchy, width: float = 40.0):  # type: ignore[no-untyped-def]
    return layered({v: h.level(v) for v in h.nodes}, h.edges, lambda label: width)


def crossings(h: Hierarchy, positions: dict[str, tuple[float, float]]) -> int:
    """Pairs of edges between the same two levels whose ends are in opposite orders."""
    short = [(u, v) for u, v in h.edges if h.level(v) == h.level(u) + 1]
    return sum(
        h.level(a) == h.level(c)
        and (positions[a][0] - positions[c][0]) * (positions[b][0] - positions[d][0]) < 0
        for (a, b), (c, d) in combinations(short, 2)
    )


@given(edge_lists())
def test_children_are_below_their_parents_and_no_two_classes_overlap(
    edges: list[tuple[str, str]],
) -> None:
    h = Hierarchy.from_edges(edges)
    positions = laid_out(h).positions
    assert all(positions[v][1] > positions[u][1] for u, v in h.edges)
    for v, w in combinations(h.nodes, 2):
        if positions[v][1] == positions[w][1]:
            assert abs(positions[v][0] - positions[w][0]) >= 40


@pytest.mark.parametrize(
    "below", ["c>1 a>2 b>3 c>4 a>5", "c>x b>y a>z b>x a>y"], ids=["tree", "dag"]
)
def test_a_tree_and_a_dag_that_can_be_are_drawn_without_crossings(below: str) -> None:
    # Children are named against their parents' order, so that the order of input would cross.
    h = hierarchy_of(f"r>a r>b r>c {below}")
    assert crossings(h, laid_out(h).positions) == 0
