"""The tables beside the graph: what they hold for figures of the papers, and that nothing breaks
them.
"""

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.picture.linked_table import MOST_CHIPS, MOST_ROWS, TRUE, Bar, Cell, Chip, Row, Table, Text
from hiermeasures.picture.views.confusion import confusion_table
from hiermeasures.picture.views.counts import counts_table
from hiermeasures.picture.views.distances import distances_table, specific_table, ways_table
from hiermeasures.picture.views.lca import best_matches, ranking
from hiermeasures.picture.views.sets import sets_table
from tests.app.screen import overlay_of

from .test_overlays import CREDITED, FIGURE_11A, X4C, X8B, X15

X11A = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})


def read(cell: Cell) -> str:
    """A cell as a person reads it; what is framed in brackets, what is struck out between dashes."""
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


def test_a_true_class_left_alone_has_a_row() -> None:
    x = explain(FIGURE_11A, {"T1", "C"}, {"P1"})
    assert lines(distances_table(x.pairing("GIE")))[-1] == ["alone", "[5]", ""]


def test_a_pairing_that_is_not_there_says_why() -> None:
    assert distances_table(X11A.pairing("TIE")).note.startswith("No pair is chosen. α_p = 1 cannot be met")


def test_shortest_paths_frame_every_pair() -> None:
    assert lines(specific_table(X15.shortest_path)) == [["P1", "[5]"], ["P2", "[5]"]]


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


def test_true_classes_left_over_have_a_row() -> None:
    x = explain(FIGURE_11A, {"T1", "C"}, {"P1"})
    assert ["", "no prediction left", "A › C", "", "", "", "1: C"] in lines(confusion_table(x.confusion, x, None))


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


def test_labels_are_sent_as_they_are_and_drawn_short() -> None:
    hostile = "<img src=x onerror=alert(1)>" + "x" * 10_000
    h = Hierarchy.from_edges([("R", hostile), ("R", "P")])
    x = explain(h, [hostile], ["P"])
    table = distances_table(x.pairing("GIE"))
    assert table.columns[1].title == Chip(hostile, TRUE)
