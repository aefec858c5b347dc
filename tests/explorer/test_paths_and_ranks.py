"""Drawings of path-constrained sets and of comparisons at a rank: the parts that the numbers are
made of.
"""

from hiermeasures import explain
from hiermeasures.picture.views import OPENING, VIEWS, overlay_for, with_measure
from tests.conftest import hierarchy_of

MUSIC = hierarchy_of("Music>Jazz Music>Rock Jazz>Bebop Jazz>Swing Bebop>Hardbop Rock>Punk")


def rows(x, key):
    """The parts of the table beside the drawing: name and classes."""
    at = with_measure(OPENING, key)
    view = VIEWS[at.view]
    table = view.panel(x, at, overlay_for(x, at))
    return {row.cells[0]: set(row.classes) for row in table.rows}


def test_a_class_without_its_path_has_a_row_of_its_own():
    x = explain(MUSIC, {"Bebop"}, {"Rock", "Bebop"})
    assert rows(x, "C_F1") == {
        "hits: in both, with all ancestors": {"Music"},
        "no hits: in both, without an ancestor": {"Bebop"},
        "true only, missed": {"Jazz"},
        "predicted only, spurious": {"Rock"},
    }


def test_at_a_rank_what_is_above_the_truth_is_told_from_what_is_wrong_and_from_what_is_deeper():
    x = explain(MUSIC, {"Hardbop", "Swing"}, {"Jazz", "Punk", "Rock"}, rank=2)
    assert rows(x, "rank_F") == {
        "in both": set(),
        "true only, missed": {"Bebop", "Swing"},
        "predicted only, spurious": {"Punk"},
        "predicted only, above a true class: no false positive": {"Jazz"},
        "struck out, not counted": {"Hardbop", "Rock"},
    }
    marks = overlay_for(x, with_measure(OPENING, "rank_F")).marks
    assert {c for c, mark in marks.items() if mark.struck} == {"Hardbop", "Rock"}
