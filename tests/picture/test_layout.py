"""The layered layout: levels on lines, no overlaps, few crossings, bends only where a straight line
would touch a class.
"""

from itertools import combinations, pairwise

from hypothesis import given

from hiermeasures import Hierarchy
from hiermeasures.picture.layout import LAYER_HEIGHT, layered
from tests.conftest import edge_lists


def laid_out(h: Hierarchy, width: float = 40.0):  # type: ignore[no-untyped-def]
    return layered({v: h.level(v) for v in h.nodes}, h.edges, lambda label: width)


def crossings(h: Hierarchy, positions: dict[str, tuple[float, float]]) -> int:
    """Pairs of edges between the same two levels whose ends are in opposite orders."""
    short = [(u, v) for u, v in h.edges if h.level(v) == h.level(u) + 1]
    return sum(
        h.level(a) == h.level(c) and (positions[a][0] - positions[c][0]) * (positions[b][0] - positions[d][0]) < 0
        for (a, b), (c, d) in combinations(short, 2)
    )


@given(edge_lists())
def test_children_are_below_their_parents_and_no_two_classes_overlap(edges: list[tuple[str, str]]) -> None:
    h = Hierarchy.from_edges(edges)
    positions = laid_out(h).positions
    assert all(positions[v][1] > positions[u][1] for u, v in h.edges)
    for v, w in combinations(h.nodes, 2):
        if positions[v][1] == positions[w][1]:
            assert abs(positions[v][0] - positions[w][0]) >= 40


@given(edge_lists())
def test_equal_input_gives_equal_output(edges: list[tuple[str, str]]) -> None:
    h = Hierarchy.from_edges(edges)
    assert laid_out(h) == laid_out(Hierarchy.from_edges(h.edges, h.nodes))


@given(edge_lists())
def test_bends_lead_down_from_parent_to_child(edges: list[tuple[str, str]]) -> None:
    h = Hierarchy.from_edges(edges)
    layout = laid_out(h)
    for (u, v), points in layout.bends.items():
        heights = [layout.positions[u][1], *(y for _, y in points), layout.positions[v][1]]
        assert all(above < below for above, below in pairwise(heights))


def test_a_tree_is_drawn_without_crossings() -> None:
    # Children named against their parents' order, so that the order of input would cross.
    h = Hierarchy.from_edges(
        [("r", "a"), ("r", "b"), ("r", "c"), ("c", "1"), ("a", "2"), ("b", "3"), ("c", "4"), ("a", "5")]
    )
    assert crossings(h, laid_out(h).positions) == 0


def test_a_dag_is_untangled_by_its_barycentres() -> None:
    # a has 2 and 3, b has 1: in the order of input both edges of a cross that of b.
    h = Hierarchy.from_edges(
        [("r", "a"), ("r", "b"), ("r", "c"), ("c", "x"), ("b", "y"), ("a", "z"), ("b", "x"), ("a", "y")]
    )
    assert crossings(h, laid_out(h).positions) == 0


def test_a_parent_stands_above_the_middle_of_its_children() -> None:
    positions = laid_out(Hierarchy.from_edges([("r", "a"), ("r", "b"), ("r", "c")])).positions
    assert positions["r"][0] == positions["b"][0]
    assert positions["a"][1] == positions["c"][1] == LAYER_HEIGHT


def test_a_long_edge_bends_around_a_class_in_its_way_and_else_is_straight() -> None:
    in_the_way = laid_out(Hierarchy.from_edges([("r", "a"), ("a", "b"), ("r", "b")]))
    assert in_the_way.bends["r", "b"] == () or all(
        abs(x - in_the_way.positions["a"][0]) >= 20 for x, _ in in_the_way.bends["r", "b"]
    )
    aside = laid_out(Hierarchy.from_edges([("r", "a"), ("r", "s"), ("s", "t"), ("a", "b"), ("b", "c"), ("r", "t")]))
    assert aside.positions["t"][1] > aside.positions["r"][1]


def test_many_leaves_of_one_parent_are_stacked_instead_of_running_off_the_screen() -> None:
    h = Hierarchy.from_edges([("r", f"leaf {i}") for i in range(60)])
    layout = laid_out(h, width=120.0)
    across = [x for x, _ in layout.positions.values()]
    assert max(across) - min(across) < 1500
    assert len(set(layout.positions.values())) == 61
