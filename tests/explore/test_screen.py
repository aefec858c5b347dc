"""The Explorer's screen: what it opens with, how it follows what a person does, and what a refusal
leaves.
"""

from collections.abc import Callable

import pytest

from hiermeasures.app.explore.model import ExplorerState as AppState
from hiermeasures.debug.random_hierarchies import random_hierarchy
from hiermeasures.draw.layout import READABLE
from hiermeasures.draw.views import OPENING
from hiermeasures.explore.loading import start
from hiermeasures.explore.model import State
from hiermeasures.explore.share_link import decoded, encoded
from hiermeasures.explore.shown import History, Shown
from hiermeasures.measures import CATALOGUE
from hiermeasures.notebook import Explorer as Widget

from .hand import Hand

FIGURE_11A, FIGURE_13B = "kosmopoulos2015/figure-11a", "kosmopoulos2015/figure-13b"


def test_every_measure_of_the_catalogue_has_a_row_with_all_its_digits() -> None:
    rows = Hand().rows
    assert sorted(rows) == sorted(CATALOGUE)
    assert rows["hR"]["exact"] == "0.6666666666666666"
    # One true and two predicted classes: no pairing one to one.
    assert (rows["TIE"]["value"], rows["TIE"]["exact"]) == ("–", "not defined here")


def test_values_and_marks_follow_the_fields_and_the_clicks() -> None:
    at = Hand().set("predicted_classes", ["P1"])
    assert at.value("hP") == "0.67"  # {A, B, P1} against {A, B, T1}
    assert {title: (shape["true"], shape["predicted"]) for title, shape in at.shapes.items()} == {
        "A": ("added", "added"),
        "B": ("added", "added"),
        "C": ("none", "none"),
        "T1": ("class", "none"),
        "P1": ("none", "class"),
        "P2": ("none", "none"),
    }
    assert at.click("C", "true").chosen("true_classes") == ["C", "T1"]
    assert at.click("C", "true").chosen("true_classes") == ["T1"]


def test_every_control_that_is_used_has_a_name() -> None:
    at = Hand().open("own")
    for mode in ("◯ true", "✎ edit"):
        at.set("click", mode)
        used = [
            c for c in at.all() if c["kind"] not in ("row", "box", "words", "formula", "component")
        ]
        assert all(
            (c["words"] if c["kind"] in ("button", "menu", "sheet") else c["label"]) for c in used
        )
        keys = [c["key"] for c in at.all() if "key" in c]
        assert len(set(keys)) == len(keys)


# --- the pencil -----------------------------------------------------------------------------------


EDIT = "✎ edit"


def editing(at: Hand | None = None) -> Hand:
    return (at or Hand()).set("click", EDIT)


def lines(at: Hand) -> str:
    return str(at.chosen("lines"))


def test_a_blank_root_grows_by_the_tools() -> None:
    at = editing(Hand(Shown.make(start("blank"), title="drawn")))
    assert lines(at) == "A\n"
    at.set("edit_selected", "A").press("edit_child", "edit_child")
    assert lines(at) == "A B\nA C\n"
    at.press("edit_class")
    assert lines(at) == "A B\nA C\nD\n"
    at.set("edit_selected", "D").press("edit_delete").set("edit_selected", "A → C").press(
        "edit_delete"
    )
    assert lines(at) == "A B\nC\n"
    assert lines(at.press(*["undo"] * 5)) == "A\n"


def test_two_clicks_draw_an_edge_while_that_is_asked_for() -> None:
    at = editing().click("C", "edit").press("edit_connect")
    assert at.control("edit_connect")["pressed"]
    assert "C T1\n" in lines(at.click("T1", "edit"))
    assert not at.control("edit_connect")["pressed"]


def test_the_lines_are_read_and_a_malformed_one_is_named_below_them() -> None:
    at = editing().set("lines", "A B\nB T1\nB P1\n")
    assert list(at.shapes) == ["A", "B", "T1", "P1"]
    assert at.value("hP") == "0.67"  # {A, B, P1} against {A, B, T1}
    at.set("lines", "A B\nB T1 P1\n")
    assert "Line 2" in at.fault("lines")
    assert list(at.shapes) == ["A", "B", "T1", "P1"]
    at.click("P1", "edit")  # which only selects
    assert at.fault("lines")
    at.do("graph", "edit", do="delete")
    assert (lines(at), at.fault("lines")) == ("A B\nB T1\n", "")
    at.set("lines", "A B\nB T1 P1\n").press("undo", "undo")
    assert (lines(at), at.fault("lines")) == ("A B\nA C\nB T1\nB P1\nB P2\n", "")


# --- large hierarchies ----------------------------------------------------------------------------


DAG = Shown.make(random_hierarchy(200, 5, 6, 0.3, 1), title="dag")


@pytest.mark.parametrize(
    "begun",
    [
        lambda: State(History(DAG)),
        lambda: Hand().state.showing(DAG),
        lambda: AppState(History(decoded(encoded(DAG, OPENING)).shown)),
        lambda: Widget(DAG.hierarchy)._state,
    ],
    ids=["opened with it", "loaded later", "by a link", "in a notebook"],
)
def test_a_large_dag_begins_folded_by_every_way_in(begun: Callable[[], State]) -> None:
    at = Hand(begun())
    (note,) = at.data("graph")["scene"]["notes"][-1:]
    assert f"of {len(DAG.hierarchy)} classes drawn" in note
    assert len(at.shapes) <= READABLE


def test_a_click_on_a_count_draws_the_children_too_and_they_can_be_folded_again() -> None:
    at = Hand(DAG)
    folded = next(shape for shape in at.shapes.values() if shape["folded"])
    before = len(at.shapes)
    at.do("graph", "unfold", id=folded["id"], name=folded["title"])
    assert len(at.shapes) > before
    assert at.data("graph")["anchor"] == at.shapes[folded["title"]]["id"]
    assert at.data("graph")["unfolded"]
    at.do("graph", "fold")
    assert len(at.shapes) == before
    assert "unfolded" not in at.data("graph")


def test_a_new_class_is_drawn_for_its_name_is_awaited() -> None:
    at = Hand(DAG).set("click", "✎ edit")
    at.set("edit_selected", [*at.shapes][-1]).press("edit_child")
    assert at.data("graph")["editing"]["naming"]
    assert at.state.pencil.naming in at.shapes
