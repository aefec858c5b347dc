"""The Explorer's screen: what it opens with, how it follows what a person does, and what a refusal
leaves.
"""

import time

from hiermeasures.measures import CATALOGUE

from .hand import Hand

FIGURE_11A, FIGURE_13B = "kosmopoulos2015/figure-11a", "kosmopoulos2015/figure-13b"


def test_a_click_is_answered_within_a_twentieth_of_a_second() -> None:
    """Of the processor, as the share of the half second in which a browser repaints."""
    at, spent = Hand(), []
    for number in ("0.67", "0.50", "0.67"):
        assert at.drawn
        before = time.process_time()
        at.click("P2")
        assert at.drawn
        spent.append(time.process_time() - before)
        assert at.value("hP") == number
    assert min(spent) < 0.05, spent


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


def test_undo_and_redo_walk_over_classes_and_figures() -> None:
    at = Hand()
    assert at.control("undo")["disabled"]
    at.set("predicted_classes", ["P1"]).show(FIGURE_13B).press("undo")
    assert (at.state.shown.case, at.chosen("predicted_classes")) == (FIGURE_11A, ["P1"])
    assert at.press("undo").chosen("predicted_classes") == ["P1", "P2"]
    assert at.press("redo").chosen("predicted_classes") == ["P1"]
    assert (at.control("undo")["keys"], at.control("redo")["keys"]) == ("Ctrl+Z", "Ctrl+Shift+Z")


def test_what_is_closed_is_not_drawn_and_one_menu_is_open_at_a_time() -> None:
    at = Hand()
    assert not at.has("filter_text")
    assert at.open("measures_filter").has("filter_text")
    assert at.open("own").has("own_expression")
    assert not at.has("filter_text")
    assert not at.open("own", False).has("own_expression")


def test_every_control_that_is_used_has_a_name() -> None:
    at = Hand().open("own")
    for mode in ("◯ true", "✎ edit"):
        at.set("click", mode)
        used = [c for c in at.all() if c["kind"] not in ("row", "box", "words", "formula", "component")]
        assert all((c["words"] if c["kind"] in ("button", "menu", "sheet") else c["label"]) for c in used)
        keys = [c["key"] for c in at.all() if "key" in c]
        assert len(set(keys)) == len(keys)
