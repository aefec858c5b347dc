"""The panel beside the graph, and the steps to it: algorithms step by step, what is considered,
what is chosen and why; tables, what they hold for figures of the papers; and the flow network as a
figure, everything from the structure, nothing on top of anything else.
"""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.measures import Explanation
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.picture.panel import MOST_CHIPS, MOST_ROWS, Bar, Cell, Chip, Row, Table, Text
from hiermeasures.picture.views import OPENING, VIEWS, WalkStep, overlay_for, steps, with_measure
from hiermeasures.picture.views.confusion import confusion_table
from hiermeasures.picture.views.lca import best_matches, ranking
from hiermeasures.picture.views.pairing import distances_table, flow_figure, ways_table
from hiermeasures.picture.views.sets import counts_table, sets_table
from tests.app.screen import overlay_of, view_of
from tests.conftest import hierarchy_of

from .test_overlays import CREDITED, FIGURE_11A, X4C, X8B, X15

X11A = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})


def walk(explanation: Explanation, structure: str) -> tuple[WalkStep, ...]:
    return steps(explanation, replace(view_of(structure), step=0))


def sentences(steps: tuple[WalkStep, ...]) -> list[str]:
    return [step.sentence for step in steps]


def test_lca_selection_of_figure_8b_chooses_3_and_3_2_1_and_then_connects_every_class() -> None:
    steps = walk(X8B, "lca")
    found = sentences(steps)
    assert found[0].startswith(
        "Every class meets its nearest classes of the other side in its LCAs: 3, 3.2, 3.2.1 altogether."
    )
    assert found[1:3] == ["3 is chosen: 2.1, 3.1, 3.3 have no other LCA.", "3.2.1 is chosen: 3.2.1 has no other LCA."]
    assert {s.sentence.split()[0] for s in steps if s.phase == "Connecting classes and LCAs"} == {
        "2.1",
        "3.3",
        "3.1",
        "3.2.2",
        "3.2.1",
    }
    assert found[-1] == (
        "The minimal graphs have 4 classes on the true and 4 on the predicted side, 2 shared. Not needed as LCA: 3.2."
    )


def test_before_the_first_lca_is_chosen_only_the_classes_are_drawn_and_at_the_end_the_graphs() -> None:
    steps = walk(X8B, "lca")
    assert steps[0].overlay().marks == overlay_of(X8B, "flat").marks
    assert steps[-1].overlay() == overlay_of(X8B, "lca")


def test_a_step_rings_the_lca_it_is_about_and_badges_those_without_one() -> None:
    first = walk(X8B, "lca")[1].overlay()
    assert first.focus == {"3"}
    assert {label: badge.text for label, badge in first.badges.items()} == {"3": "LCA", "3.2.1": "?"}


def test_pairing_steps_of_figure_11a_keep_the_first_pair_and_leave_p2_alone() -> None:
    # P1 and P2 are both 2 away from T1, and T1 may be in one pair: the first in the hierarchy's
    # order is kept.
    assert sentences(walk(X11A, "pairing_GIE"))[1:] == [
        "P1 and T1, distance 2: kept. Some cheapest pairing has this pair together with those kept before.",
        "P2 and T1, distance 2: not kept. T1 is in 1 pair already, the most it may be in (β_t).",
        "What still needs a partner is paired with a default class, each time at a cost of 5: P2.",
        "All pairs together cost 2 + 5 = 7. Another pairing costs the same; the rule above chose this one.",
    ]


def test_bounds_that_cannot_be_met_end_at_once_and_say_why() -> None:
    _, end = walk(X11A, "pairing_TIE")
    assert end.sentence.endswith("so there is no pairing.")
    assert not end.overlay().links


def test_many_pairs_that_are_not_kept_are_passed_over_together() -> None:
    wide = Hierarchy.from_edges(("R", f"{side}{i}") for side in "TP" for i in range(9))
    steps = walk(explain(wide, [f"T{i}" for i in range(9)], [f"P{i}" for i in range(9)]), "pairing_GIE")
    assert len(steps) < 30
    assert any("none is kept" in sentence for sentence in sentences(steps))


def test_confusion_steps_match_each_path_and_then_count_it() -> None:
    # Both predicted paths of Riehl's Figure 4(c) share two nodes with a true path; equal ones come
    # in falling order of their names.
    steps = walk(X4C, "confusion")
    assert [s.phase for s in steps] == [
        "Start",
        "Path 1: matching",
        "Path 1: counting",
        "Path 2: matching",
        "Path 2: counting",
        "Result",
    ]
    assert steps[1].sentence == (
        "R › B › E › M is next. It is compared with R › B › F, which shares R › B with it. "
        "None of the others still open (I) shares more."
    )
    assert steps[4].sentence.startswith("On both paths, below the root: TP A. On the predicted path only: FP C, H.")
    assert steps[-1].sentence == "Summed over the paths: 2 TP, 4 TN, 4 FP, 3 FN."


def read(cell: Cell) -> str:
    """A cell as a person reads it; framed in brackets, what is struck out between dashes."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Text):
        return f"[{cell.text}]" if cell.strong else cell.text
    if isinstance(cell, Bar):
        return f"{cell.both}+{cell.predicted}+{cell.true}"
    return " ".join(c if isinstance(c, str) else f"-{c.label}-" if c.struck else c.label for c in cell)


def lines(table: Table) -> list[list[str]]:
    return [[read(cell) for cell in row.cells] for row in table.rows]


def test_the_sets_of_figure_11a_by_what_they_share() -> None:
    # T_aug = {A, B, T1}, P_aug = {A, B, P1, P2}.
    table = sets_table(X11A.augmented, X11A, overlay_of(X11A, "augmented"))
    assert lines(table) == [
        ["in both", "2", "A B"],
        ["true only, missed", "1", "T1"],
        ["predicted only, spurious", "2", "P1 P2"],
    ]
    assert table.rows[0].classes == ("A", "B")


def test_h_loss_has_a_row_of_what_is_struck_out() -> None:
    x = explain(FIGURE_11A, {"T1"}, {"C"})
    assert lines(sets_table(x.h_loss, x, overlay_of(x, "h_loss")))[-1] == ["struck out, not counted", "1", "-T1-"]


def test_credited_classes_have_rows_of_their_own() -> None:
    assert lines(sets_table(CREDITED.augmented, CREDITED, overlay_of(CREDITED, "augmented"))) == [
        ["in both", "3", "R A E"],
        ["too specific, counted as right", "2", "B C"],
        ["too general, left out", "1", "-F-"],
        ["true only, missed", "0", ""],
        ["predicted only, spurious", "0", ""],
    ]


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
    assert table.note.startswith(
        "Left out of the minimal graphs: as LCA 3.2; on the true side 3.2; on the predicted side 3.2. "
        "Found by exact search"
    )


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
    assert [c.title if isinstance(c.title, str) else c.title.label for c in table.columns] == [
        "predicted \\ true",
        "T1",
        "alone",
    ]
    assert table.note == "Framed: the chosen pairs, 7 together."


def test_a_pairing_that_is_not_there_says_why() -> None:
    assert distances_table(X11A.pairing("TIE")).note.startswith("No pair is chosen. α_p = 1 cannot be met")


def test_ways_have_a_row_each_with_their_parts() -> None:
    x = explain(FIGURE_11A, {"T1", "C"}, {"P1"})
    table = ways_table(x.structure("ways"))
    # P1 meets C in the root (2 up, 1 down), which is 2 high, and T1 in B (1 up, 1 down), which is 1
    # high.
    assert lines(table) == [["P1", "2", "A", "2", "1", "C"], ["P1", "1", "B", "1", "1", "T1"]]
    assert table.note == "3 up and 2 down together; the hierarchy is 2 high."


def test_confusion_of_riehls_figure_4c_as_printed() -> None:
    table = confusion_table(X4C.confusion, X4C, None)
    by_path = {line[1]: line[2:] for line in lines(table)}
    assert by_path["R › A › C › H"] == ["R › A › D › I", "1: A", "2: B E", "2: C H", "2: D I"]
    assert by_path["R › B › E › M"] == ["R › B › F", "1: B", "2: A G", "2: E M", "1: F"]
    assert lines(table)[-1] == ["Σ", "all paths", "", "2", "4", "4", "3"]
    assert [row.key for row in table.rows] == ["0", "1", "all"]
    assert [row.chosen for row in table.rows] == [False, False, True]


def test_paths_that_are_not_counted_yet_are_blank() -> None:
    first, second = lines(confusion_table(X4C.confusion, X4C, None, upto=1))
    assert first[2] != ""
    assert second[2:] == [""] * 5


def test_counts_by_level_beside_those_of_the_sets() -> None:
    # Figure 15, level 0: A is counted once as true and twice as predicted; as a set it is simply in
    # both. Level 2 holds T1 (true), D (one predicted below) and E (two).
    table = lines(counts_table(X15.counts, X15))
    assert table[0] == ["0", "1+1+0", "0.67", "1+0+0", "1.00"]
    assert table[2] == ["2", "0+3+1", "0.00", "0+2+1", "0.00"]


@pytest.mark.parametrize(("true", "predicted"), [((), ()), (("T1",), ()), ((), ("P1",))])
def test_empty_sides_have_tables_that_say_so(true: tuple[str, ...], predicted: tuple[str, ...]) -> None:
    x = explain(FIGURE_11A, true, predicted)
    assert best_matches(x.lca).note == "One side is empty, so there is nothing to connect."
    assert distances_table(x.pairing("GIE")).note == "One side has no classes."


def test_what_is_sent_is_bounded() -> None:
    many = tuple(Chip(f"c{i}") for i in range(1000))
    sent = Table("many", (), tuple(Row((many,)) for _ in range(1000)), "Note.").as_data()
    assert len(sent["rows"]) == MOST_ROWS
    assert len(sent["rows"][0]["cells"][0]["chips"]) == MOST_CHIPS + 1
    assert sent["note"] == "Note. 800 more rows are not shown."


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


def test_figure_6_used_edges_are_told_apart() -> None:
    # MGIA pairs both predicted classes of Figure 15 with T1.
    used = {ends for ends, text in texts(X15.pairing("MGIA")).items() if "×" in text}
    assert used == {("source", "P1"), ("source", "P2"), ("P1", "T1"), ("P2", "T1"), ("T1", "sink")}


def network_of(m: int, n: int) -> PairingNetwork:
    h = Hierarchy.from_edges([*(("R", f"T{i}") for i in range(n)), *(("R", f"P{i}") for i in range(m))])
    return explain(h, [f"T{i}" for i in range(n)], [f"P{i}" for i in range(m)]).pairing("MGIA")


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (3, 1), (4, 4), (2, 4), (1, 3)])
def test_no_text_covers_another(m: int, n: int) -> None:
    texts = flow_figure(network_of(m, n)).still.badges
    between = [text for text in texts if "source" not in text.words and "sink" not in text.words]
    assert len(between) >= m * n
    for one, other in combinations(between, 2):
        assert (one.x < 350) != (other.x < 350) or abs(one.y - other.y) >= 11


def test_many_classes_leave_room_by_showing_those_in_the_costliest_pairs() -> None:
    figure = flow_figure(network_of(30, 20))
    assert sum(shape.predicted == "class" for shape in figure.scene.shapes) == 12
    between = [b for b in figure.scene.badges if b.words.count(" class ") == 2]
    assert all((b.kind == "quiet") == b.faint for b in between)
    assert f"{18 + 8} classes and their edges are not drawn" in figure.note


def test_bounds_that_cannot_be_met_still_show_the_network_without_flow() -> None:
    assert {"×" in text for text in texts(X11A.pairing("TIE")).values()} == {False}


MUSIC = hierarchy_of("Music>Jazz Music>Rock Jazz>Bebop Jazz>Swing Bebop>Hardbop Rock>Punk")


def parts(x: Explanation, key: str) -> dict[Any, set[str]]:
    """The parts of the table beside the drawing: name and classes."""
    at = with_measure(OPENING, key)
    table = VIEWS[at.view].panel(x, at, overlay_for(x, at))
    return {row.cells[0]: set(row.classes) for row in table.rows}


def test_a_class_without_its_path_has_a_row_of_its_own() -> None:
    x = explain(MUSIC, {"Bebop"}, {"Rock", "Bebop"})
    assert parts(x, "C_F1") == {
        "hits: in both, with all ancestors": {"Music"},
        "no hits: in both, without an ancestor": {"Bebop"},
        "true only, missed": {"Jazz"},
        "predicted only, spurious": {"Rock"},
    }


def test_at_a_rank_what_is_above_the_truth_is_told_from_what_is_wrong_and_from_what_is_deeper() -> None:
    x = explain(MUSIC, {"Hardbop", "Swing"}, {"Jazz", "Punk", "Rock"}, rank=2)
    assert parts(x, "rank_F") == {
        "in both": set(),
        "true only, missed": {"Bebop", "Swing"},
        "predicted only, spurious": {"Punk"},
        "predicted only, above a true class: no false positive": {"Jazz"},
        "struck out, not counted": {"Hardbop", "Rock"},
    }
    marks = overlay_for(x, with_measure(OPENING, "rank_F")).marks
    assert {c for c, mark in marks.items() if mark.struck} == {"Hardbop", "Rock"}
