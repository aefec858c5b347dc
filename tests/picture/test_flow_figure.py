"""The flow network as a figure: everything from the structure, nothing on top of anything else."""

from itertools import combinations

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.picture.views.pairing import FigureEdge, FlowFigure, flow_figure

from .test_overlays import FIGURE_11A, X8B, X15

X11A = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})


def named(figure: FlowFigure) -> dict[tuple[str, str], FigureEdge]:
    return {(e.edge.tail.label, e.edge.head.label): e for e in figure.edges}


def test_figure_5_the_network_of_gie_has_its_intervals_costs_and_flow() -> None:
    edges = named(flow_figure(X11A.pairing("GIE")))
    shown = {ends: (e.interval, e.cost, e.edge.flow) for ends, e in edges.items()}
    assert shown == {
        ("source", "P1"): ("[1;1]", "", 1),
        ("source", "P2"): ("[1;1]", "", 1),
        ("source", "DP"): ("[0;1]", "", 0),
        ("P1", "T1"): ("[0;1]", "2", 1),
        ("P2", "T1"): ("[0;1]", "2", 0),
        ("P1", "DT"): ("[0;1]", "5", 0),
        ("P2", "DT"): ("[0;1]", "5", 1),
        ("DP", "T1"): ("[0;1]", "5", 0),
        ("T1", "sink"): ("[1;1]", "", 1),
        ("DT", "sink"): ("[0;2]", "", 1),
    }


def test_figure_4_without_default_classes_none_are_drawn() -> None:
    figure = flow_figure(X8B.pairing("TIE"))
    assert {n.node.kind for n in figure.nodes} == {"source", "predicted", "true", "sink"}


def test_figure_6_used_edges_are_told_apart() -> None:
    # MGIA pairs both predicted classes of Figure 15 with T1.
    edges = named(flow_figure(X15.pairing("MGIA")))
    assert {ends for ends, e in edges.items() if e.used} == {
        ("source", "P1"),
        ("source", "P2"),
        ("P1", "T1"),
        ("P2", "T1"),
        ("T1", "sink"),
    }


def network_of(m: int, n: int) -> PairingNetwork:
    h = Hierarchy.from_edges([*(("R", f"T{i}") for i in range(n)), *(("R", f"P{i}") for i in range(m))])
    return explain(h, [f"T{i}" for i in range(n)], [f"P{i}" for i in range(m)]).pairing("MGIA")


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (3, 1), (4, 4), (2, 4), (1, 3)])
def test_no_text_covers_another(m: int, n: int) -> None:
    figure = flow_figure(network_of(m, n))
    between = [e for e in figure.edges if e.cost and not e.quiet]
    for anchor in ("start", "end"):
        heights = [e.text_y for e in between if e.anchor == anchor]
        assert all(abs(a - b) >= 11 for a, b in combinations(heights, 2)), sorted(heights)


def test_many_classes_leave_room_by_showing_those_in_the_costliest_pairs() -> None:
    figure = flow_figure(network_of(30, 20))
    assert sum(n.node.kind == "predicted" for n in figure.nodes) == 12
    assert figure.left_out == 18 + 8
    assert all(e.quiet == (bool(e.cost) and not e.used) for e in figure.edges)
    assert "26 classes and their edges are not drawn" in figure.as_data()["note"]


def test_bounds_that_cannot_be_met_still_show_the_network_without_flow() -> None:
    figure = flow_figure(X11A.pairing("TIE"))
    assert figure.edges
    assert not any(e.used for e in figure.edges)


def test_empty_sides_are_drawn_too() -> None:
    for true, predicted in (((), ()), (("T1",), ()), ((), ("P1",))):
        for name in ("GIE", "MGIA", "TIE", "all_pairs", "own"):
            assert flow_figure(explain(FIGURE_11A, true, predicted).pairing(name)).nodes


def test_labels_travel_as_data() -> None:
    h = Hierarchy.from_edges([("R", "<script>alert(1)</script>"), ("R", "P")])
    data = flow_figure(explain(h, ["<script>alert(1)</script>"], ["P"]).pairing("GIE")).as_data()
    node = next(n for n in data["nodes"] if n["kind"] == "true")
    assert (node["label"], node["name"]) == ("<script>…", "<script>alert(1)</script>")
