"""Structures on the hierarchy, the tables beside them, and the steps to them, for figures of the
papers; and the flow network, nothing of it on top of anything else.
"""

from dataclasses import replace
from typing import Any

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.draw.panel import (
    MOST_CHIPS,
    MOST_ROWS,
    Cell,
    Chip,
    CountBar,
    PanelTable,
    Row,
    Text,
)
from hiermeasures.draw.scene import Link, Mark, Overlay, Side, figure_scene
from hiermeasures.draw.views import OPENING, VIEWS, WalkStep, overlay_for, steps, with_measure
from hiermeasures.draw.views.confusion import confusion_overlay, confusion_table
from hiermeasures.draw.views.lca import best_matches, ranking
from hiermeasures.draw.views.pairing import distances_table, flow_figure, ways_table
from hiermeasures.draw.views.sets import counts_table, sets_table
from hiermeasures.measures import Explanation
from hiermeasures.measures.pairs import PairingNetwork
from tests.app.screen import overlay_of, view_of
from tests.conftest import FIGURE_11A, hierarchy_of

X11A = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
TRUE, PREDICTED = Mark(Side.CLASS), Mark(Side.NONE, Side.CLASS)


CREDITED = explain(
    Hierarchy.from_edges(e.split(">") for e in "R>A A>B B>C A>D R>E E>F".split()),
    {"A", "F"},
    {"C", "E"},
    too_specific="right",
    too_general="ignored",
)


def test_credited_classes_have_a_badge_with_a_line_in_the_legend_and_keep_their_sides() -> None:
    overlay = overlay_of(CREDITED, "augmented")
    assert badges(overlay) == {"B": "↓", "C": "↓", "F": "↑"}
    assert [line.sample for line in overlay.legend.values()] == ["↓", "↑"]
    assert (overlay.marks["C"], overlay.marks["B"]) == (PREDICTED, Mark(Side.NONE, Side.ADDED))
    assert overlay.marks["F"] == Mark(Side.CLASS, struck=True)
    assert overlay.marks["E"] == Mark(Side.ADDED, Side.CLASS)


# --- badges, links and edges --------------------------------------------------------------------

# Figures 8(b) and 15 of Kosmopoulos et al. 2015, and Figure 4(c) of Riehl et al. 2023, third
# prediction.
FIGURE_8B = Hierarchy.from_edges(
    edge.split(">")
    for edge in "0>1 0>2 0>3 1>1.1 1>1.2 2>2.1 3>3.1 3>3.2 3>3.3 3.2>3.2.1 3.2>3.2.2 "
    "3>2.1 3>3.2.2".split()
)
X8B = explain(FIGURE_8B, {"2.1", "3.2.1", "3.3"}, {"3.1", "3.2.1", "3.2.2"})
X15 = explain(
    Hierarchy.from_edges(edge.split(">") for edge in "A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2".split()),
    {"T1"},
    {"P1", "P2"},
)
X4C = explain(
    Hierarchy.from_edges(
        e.split(">") for e in "R>A R>B A>C A>D A>E C>H D>I D>J D>K E>L E>M B>F B>G B>E".split()
    ),
    {"I", "F"},
    {"H", "M"},
    true_paths=["RADI", "RBF"],
    predicted_paths=["RACH", "RBEM"],
)
IN_BOTH, BOTH_CLASSES = Mark(Side.ADDED, Side.ADDED), Mark(Side.CLASS, Side.CLASS)
BOTH, OF_TRUE, OF_PREDICTED = "both", "true", "predicted"


def badges(overlay: Overlay) -> dict[str, str]:
    return {label: badge.text for label, badge in overlay.badges.items()}


def test_minimal_lca_graphs_of_figure_8b_leave_3_2_out_and_say_so() -> None:
    # Figure 10: G_t = {3, 2.1, 3.3, 3.2.1}, G_p = {3, 3.1, 3.2.2, 3.2.1}; of the LCAs {3, 3.2,
    # 3.2.1} two are enough.
    overlay = overlay_of(X8B, "lca")
    assert overlay.marks == {
        "3": IN_BOTH,
        "2.1": TRUE,
        "3.3": TRUE,
        "3.1": PREDICTED,
        "3.2.2": PREDICTED,
        "3.2.1": BOTH_CLASSES,
        "3.2": Mark(ringed=True),
    }
    assert overlay.edges == {
        ("3", "2.1"): OF_TRUE,
        ("3", "3.3"): OF_TRUE,
        ("3", "3.1"): OF_PREDICTED,
        ("3", "3.2.2"): OF_PREDICTED,
    }
    assert {label: badge.kind for label, badge in overlay.badges.items()} == {
        "3": "lca",
        "3.2.1": "lca",
        "3.2": "struck",
    }


def walked(link: Link) -> dict[str, set[str]]:
    """The edges of a link's path by the side that walks them, such as "AB"."""
    return {
        side: {edge.parent + edge.child for edge in link.path if edge.side == side}
        for side in ("predicted", "true")
    }


def test_pairs_of_figure_15_are_all_the_shortest_paths_of_their_distance() -> None:
    # Both predicted classes are 2 + 3 edges away from T1, P1 by D and by E; in GIE one of them stays
    # alone at a cost of D_max = 5.
    first, second = overlay_of(X15, "pairing_MGIA").links
    assert (first.start, first.end, first.text) == ("P1", "T1", "5")
    assert walked(first) == {"predicted": {"DP1", "EP1", "CD", "CE", "AC"}, "true": {"AB", "BT1"}}
    assert (second.start, second.end, second.text) == ("P2", "T1", "5")
    assert walked(second) == {"predicted": {"EP2", "CE", "AC"}, "true": {"AB", "BT1"}}
    gie = overlay_of(X15, "pairing_GIE")
    assert [(link.start, link.end, link.text) for link in gie.links] == [("P1", "T1", "5")]
    assert badges(gie) == {"P2": "+5"}


def test_the_legend_says_that_all_of_several_shortest_paths_are_drawn_where_one_pair_has_them() -> (
    None
):
    # P1 of Figure 15 has two ways to T1. In Figure 11(a) each pair has one.
    words = [
        line.words
        for x in (X15, X11A)
        for line in figure_scene(x.hierarchy, overlay_of(x, "pairing_MGIA")).legend
        if line.what == "link"
    ]
    assert ["All shortest paths" in each for each in words] == [True, False]


def test_a_path_in_any_direction_walks_down_to_a_common_descendant_and_up() -> None:
    h = Hierarchy.from_edges(e.split(">") for e in "A>B A>C B>D D>E C>F F>E".split())
    [link] = overlay_of(explain(h, {"F"}, {"D"}, path="any"), "shortest_path").links
    assert link.text == "2"
    assert walked(link) == {"predicted": {"FE"}, "true": {"DE"}}


def test_confusion_cells_of_riehls_figure_4c_by_path() -> None:
    # The figure's table: path RACH has TP {A}, TN {B, E}, FP {C, H}, FN {D, I}; path RBEM has TP
    # {B}, TN {A, G}, FP {E, M}, FN {F}.
    first, second = (
        next(i for i, p in enumerate(X4C.confusion.paths) if p.predicted_path[-1] == end)
        for end in "HM"
    )
    assert badges(confusion_overlay(X4C.confusion, X4C, first)) == {
        "A": "TP",
        "B": "TN",
        "E": "TN",
        "C": "FP",
        "H": "FP",
        "D": "FN",
        "I": "FN",
    }
    alone = confusion_overlay(X4C.confusion, X4C, second)
    assert badges(alone) == {"B": "TP", "A": "TN", "G": "TN", "E": "FP", "M": "FP", "F": "FN"}
    assert alone.edges == {
        ("R", "B"): BOTH,
        ("B", "E"): OF_PREDICTED,
        ("E", "M"): OF_PREDICTED,
        ("B", "F"): OF_TRUE,
    }
    assert alone.marks["G"] == Mark(ringed=True)


def test_the_way_up_and_the_way_down_are_edges_that_meet_in_the_lowest_common_ancestor() -> None:
    overlay = overlay_of(explain(FIGURE_11A, {"C"}, {"P1"}), "ways")
    assert overlay.edges == {
        ("A", "B"): OF_PREDICTED,
        ("B", "P1"): OF_PREDICTED,
        ("A", "C"): OF_TRUE,
    }
    assert badges(overlay) == {"A": "LCA"}


def test_the_legend_explains_what_is_drawn_and_nothing_else() -> None:
    overlay = overlay_of(X4C, "confusion")
    every = {kind for kind, _ in overlay.legend_entries(overlay.marks, overlay.edges or ())}
    assert every == {"true", "predicted", "both", "TN", "FP", "FN", "cells"}
    assert {kind for kind, _ in overlay.legend_entries(["G"], ())} == {"TN"}


# --- the panel and the steps ----------------------------------------------------------------------


def walk(explanation: Explanation, structure: str) -> tuple[WalkStep, ...]:
    return steps(explanation, replace(view_of(structure), step=0))


def sentences(steps: tuple[WalkStep, ...]) -> list[str]:
    return [step.sentence for step in steps]


def test_many_pairs_that_are_not_kept_are_passed_over_together() -> None:
    wide = Hierarchy.from_edges(("R", f"{side}{i}") for side in "TP" for i in range(9))
    steps = walk(
        explain(wide, [f"T{i}" for i in range(9)], [f"P{i}" for i in range(9)]), "pairing_GIE"
    )
    assert len(steps) < 30
    assert any(": not kept" in sentence for sentence in sentences(steps))


def read(cell: Cell) -> str:
    """A cell as a person reads it; framed in brackets, what is struck out between dashes."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Text):
        return f"[{cell.text}]" if cell.strong else cell.text
    if isinstance(cell, CountBar):
        return f"{cell.both}+{cell.predicted}+{cell.true}"
    return " ".join(
        c if isinstance(c, str) else f"-{c.label}-" if c.struck else c.label for c in cell
    )


def lines(table: PanelTable) -> list[list[str]]:
    return [[read(cell) for cell in row.cells] for row in table.rows]


def test_the_sets_of_figure_11a_by_what_they_share() -> None:
    # T_aug = {A, B, T1}, P_aug = {A, B, P1, P2}.
    table = sets_table(X11A.augmented, X11A, overlay_of(X11A, "augmented"))
    assert [line[1:] for line in lines(table)] == [["2", "A B"], ["1", "T1"], ["2", "P1 P2"]]
    assert table.rows[0].classes == ("A", "B")


def test_best_matches_of_figure_8b() -> None:
    # The text around Figure 8: S_best(3.1) = {2.1, 3.3}, LCA(3.2.2) = {3, 3.2}, of which the
    # minimal graphs need 3 alone.
    table = best_matches(X8B.lca)
    by_class = {line[0]: line[1:] for line in lines(table)[3:]}
    assert by_class["3.1"] == ["2", "2.1 3.3", "3", "3.1 – 3 – 2.1; 3.1 – 3 – 3.3"]
    assert by_class["3.2.2"] == [
        "2",
        "2.1 3.2.1 3.3",
        "3 -3.2-",
        "3.2.2 – 3 – 2.1; 3.2.2 – 3.2 – 3.2.1; 3.2.2 – 3 – 3.3",
    ]
    assert by_class["3.2.1"][:3] == ["0", "3.2.1", "3.2.1"]
    [row] = (row for row in table.rows if row.classes[0] == "3.1")
    assert set(row.edges) == {("3.1", "3"), ("3", "2.1"), ("3", "3.3")}
    assert table.note.count("3.2") == 3  # left out, as LCA and of both sides


def test_the_ranking_of_lcas_says_what_became_of_each_after_a_step() -> None:
    # Most classes first: 3 is an LCA of 2.1, 3.3, 3.1 and 3.2.2.
    steps = X8B.lca.minimal.steps
    before, after = (lines(ranking(X8B.lca, X8B, at)) for at in (None, steps[0]))
    assert [line[:2] for line in before] == [["3", "4"], ["3.2.1", "2"], ["3.2", "1"]]
    assert [line[-1] for line in before] == ["–", "–", "–"]
    assert [line[-1] for line in after] == ["[chosen]", "not chosen", "not chosen"]


def test_the_matrix_frames_the_pairs_of_the_pairing() -> None:
    # GIE on Figure 11(a): both are 2 away from T1, P1 comes first and P2 stays alone.
    table = distances_table(X11A.pairing("GIE"))
    assert lines(table) == [["P1", "[2]", ""], ["P2", "2", "[5]"]]
    assert "7" in table.note


def test_ways_have_a_row_each_with_their_parts() -> None:
    x = explain(FIGURE_11A, {"T1", "C"}, {"P1"})
    table = ways_table(x.structure("ways"))
    # P1 meets C in the root (2 up, 1 down), which is 2 high, and T1 in B (1 up, 1 down), which is 1
    # high.
    assert lines(table) == [["P1", "2", "A", "2", "1", "C"], ["P1", "1", "B", "1", "1", "T1"]]
    edges = [{parent + child for parent, child in row.edges} for row in table.rows]
    assert edges == [{"BP1", "AB", "AC"}, {"BP1", "BT1"}]


def test_confusion_of_riehls_figure_4c_as_printed() -> None:
    table = confusion_table(X4C.confusion, X4C, None)
    by_path = {line[1]: line[2:] for line in lines(table)}
    assert by_path["R › A › C › H"] == ["R › A › D › I", "1: A", "2: B E", "2: C H", "2: D I"]
    assert by_path["R › B › E › M"] == ["R › B › F", "1: B", "2: A G", "2: E M", "1: F"]
    assert lines(table)[-1] == ["Σ", "all paths", "", "2", "4", "4", "3"]
    assert [row.key for row in table.rows] == ["0", "1", "all"]
    assert [row.chosen for row in table.rows] == [False, False, True]


def test_counts_by_level_beside_those_of_the_sets() -> None:
    # Figure 15, level 0: A is counted once as true and twice as predicted; as a set it is simply in
    # both. Level 2 holds T1 (true), D (one predicted below) and E (two).
    table = lines(counts_table(X15.counts, X15))
    assert table[0] == ["0", "1+1+0", "0.67", "1+0+0", "1.00"]
    assert table[2] == ["2", "0+3+1", "0.00", "0+2+1", "0.00"]


@pytest.mark.parametrize(("true", "predicted"), [((), ()), (("T1",), ()), ((), ("P1",))])
def test_empty_sides_have_tables_that_say_so(
    true: tuple[str, ...], predicted: tuple[str, ...]
) -> None:
    x = explain(FIGURE_11A, true, predicted)
    assert best_matches(x.lca).note
    assert distances_table(x.pairing("GIE")).note


def test_what_is_sent_is_bounded() -> None:
    many = tuple(Chip(f"c{i}") for i in range(1000))
    sent = PanelTable("many", (), tuple(Row((many,)) for _ in range(1000)), "Note.").as_data()
    assert len(sent["rows"]) == MOST_ROWS
    assert len(sent["rows"][0]["cells"][0]["chips"]) == MOST_CHIPS + 1
    assert "800" in sent["note"]


def texts(network: PairingNetwork) -> dict[tuple[str, str], str]:
    """The texts of the edges by the labels of their ends."""
    drawn = flow_figure(network).scene
    label = {shape.id: shape.text for shape in drawn.shapes}
    ends = [(label[link.start], label[link.end]) for link in drawn.links]
    return {pair: badge.text for pair, badge in zip(ends, drawn.badges, strict=True)}


def test_figure_5_the_network_of_gie_has_its_intervals_costs_and_flow() -> None:
    assert texts(X11A.pairing("GIE")) == {
        ("source", "P1"): "[1;1], ×1",
        ("source", "P2"): "[1;1], ×1",
        ("source", "DP"): "[0;1]",
        ("P1", "T1"): "[0;1], 2, ×1",
        ("P2", "T1"): "[0;1], 2",
        ("P1", "DT"): "[0;1], 5",
        ("P2", "DT"): "[0;1], 5, ×1",
        ("DP", "T1"): "[0;1], 5",
        ("T1", "sink"): "[1;1], ×1",
        ("DT", "sink"): "[0;2], ×1",
    }


MUSIC = hierarchy_of("Music>Jazz Music>Rock Jazz>Bebop Jazz>Swing Bebop>Hardbop Rock>Punk")


def parts(x: Explanation, key: str) -> dict[Any, set[str]]:
    """The parts of the table beside the drawing: name and classes."""
    at = with_measure(OPENING, key)
    table = VIEWS[at.view].panel(x, at, overlay_for(x, at))
    return {row.cells[0]: set(row.classes) for row in table.rows}


def test_a_class_without_its_path_has_a_row_of_its_own() -> None:
    x = explain(MUSIC, {"Bebop"}, {"Rock", "Bebop"})
    assert [*parts(x, "C_F1").values()] == [{"Music"}, {"Bebop"}, {"Jazz"}, {"Rock"}]


def test_at_a_rank_what_is_above_the_truth_is_told_from_what_is_wrong_and_from_what_is_deeper() -> (
    None
):
    x = explain(MUSIC, {"Hardbop", "Swing"}, {"Jazz", "Punk", "Rock"}, rank=2)
    struck = {"Hardbop", "Rock"}
    assert [*parts(x, "rank_F").values()] == [set(), {"Bebop", "Swing"}, {"Punk"}, {"Jazz"}, struck]
    marks = overlay_for(x, with_measure(OPENING, "rank_F")).marks
    assert {c for c, mark in marks.items() if mark.struck} == struck
