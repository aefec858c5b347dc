"""Drawing on the Explorer's screen: the tools, the names, and the lines of text."""

from hiermeasures.explorer.loading import start
from hiermeasures.explorer.state import Shown
from hiermeasures.picture.scene import shown_label

from .hand import Hand

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
    at.set("edit_selected", "D").press("edit_delete").set("edit_selected", "A → C").press("edit_delete")
    assert lines(at) == "A B\nC\n"
    assert lines(at.press(*["undo"] * 5)) == "A\n"


def test_a_name_is_taken_or_refused_in_the_drawing() -> None:
    at = editing().set("edit_selected", "P2").set("edit_name", "T2")
    assert lines(at).endswith("B T2\n")
    at.set("edit_selected", "T2").set("edit_name", "T1")
    assert at.data("graph")["editing"]["fault"] == "There is a class 'T1' already."
    assert lines(at).endswith("B T2\n")


def test_two_clicks_draw_an_edge_while_that_is_asked_for() -> None:
    at = editing().click("C", "edit").press("edit_connect")
    assert at.control("edit_connect")["pressed"]
    assert at.data("graph")["editing"]["hint"] == f"Click the child of {shown_label('C')}."
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
