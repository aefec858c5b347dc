"""Before and after, and which measures the table shows."""

import math
from dataclasses import replace

import pytest

from hiermeasures.behaviour.what_if import change
from hiermeasures.explorer.screen import stage
from hiermeasures.measures import CATALOGUE, CORE

from .hand import Hand

FIGURE_13B = "kosmopoulos2015/figure-13b"
PINNED = "true T1; predicted P1, P2 (Kosmopoulos et al. 2015 · Figure 11(a))"


def test_every_row_shows_its_change_and_what_it_means() -> None:
    # P = {A, B, P1, P2} against T = {A, B, T1}: 2/4; then 2/3. GIE: 2 + 5 with one class left over,
    # then 2.
    at = Hand().press("pin").set("predicted_classes", ["P1"])
    assert at.control("values_caption")["text"] == f"Change since: {PINNED}"
    shown = {key: (row["value"], row["change"], row["word"]) for key, row in at.rows.items()}
    assert (shown["hP"], shown["GIE"]) == (("0.67", "+0.17", "better"), ("2.00", "-5.00", "better"))
    assert (shown["hR"][1:], at.rows["hR"]["moved"], at.rows["hP"]["before"]) == (("", ""), "no change", "0.5")
    assert shown["TIE"] == ("2.00", "–", "")  # not defined for one true and two predicted classes
    assert "change" not in at.press("pin").rows["hP"]


def test_with_a_pin_of_another_hierarchy_nothing_is_compared_until_that_is_back() -> None:
    at = Hand().press("pin").show(FIGURE_13B)
    assert not at.data("values")["pinned"]
    assert "word" not in at.rows["hF"]
    assert at.control("values_caption")["text"] == f"Not compared: pinned on another hierarchy, {PINNED}"
    assert at.press("undo").data("values")["pinned"]


def test_without_a_marked_class_there_are_no_values_but_a_way_to_them_and_nothing_is_compared() -> None:
    at = Hand().press("pin")
    for side in ("true", "predicted"):
        assert {row["value"] for row in at.rows.values()} != {"–"}
        at.set(f"{side}_classes", [])
    assert not at.data("values")["pinned"]
    assert {row["value"] for row in at.rows.values()} == {"–"}
    assert {row["share"] for row in at.rows.values()} == {None}
    assert "click a true class" in at.control("nothing_marked")["text"]
    assert not [control for control in at.all() if control["kind"] == "formula"]
    assert at.press("pin").control("pin")["disabled"]
    assert at.set("true_classes", ["T1"]).value("hR") == "0.00"


@pytest.mark.parametrize(
    ("key", "before", "now", "word"),
    [
        ("hF", 0.5, 0.6, "better"),
        ("hF", 0.6, 0.5, "worse"),
        ("GIE", 1.0, 2.0, "worse"),
        ("GIE", 2.0, 1.0, "better"),
        ("hF", 0.1 + 0.2, 0.3, "same"),
        ("TIE", math.nan, 1.0, "undefined"),
        ("TIE", math.nan, math.nan, "same"),
    ],
)
def test_better_and_worse_follow_the_direction_of_the_measure(key: str, before: float, now: float, word: str) -> None:
    assert change(CATALOGUE[key], before, now).word == word


def test_the_table_begins_with_the_core_and_all_are_one_click_away() -> None:
    at = Hand()
    core = [key for key in CATALOGUE if key in CORE]
    assert list(at.data("values")["rows"]) == core
    assert list(at.press("all_measures").data("values")["rows"]) == list(CATALOGUE)
    assert list(at.press("all_measures").data("values")["rows"]) == core


def test_starred_measures_and_the_chosen_one_are_among_the_core() -> None:
    at = Hand()
    for key in ("SP", "H_loss"):
        at.do("values", "star", key=key, on=True)
    listed = list(at.data("values")["rows"])
    assert listed == [key for key in CATALOGUE if key in (*CORE, "SP", "H_loss")]
    assert {*at.do("values", "choose", key="HCM_F1").data("values")["rows"]} - {*listed} == {"HCM_F1"}
    assert "SP" not in at.do("values", "star", key="SP", on=False).data("values")["rows"]


def test_what_another_page_brings_is_listed_and_presented_without_a_star_that_nobody_gave() -> None:
    at = Hand(replace(Hand().state, brought=frozenset({"SP"})))
    assert list(at.data("values")["rows"]) == [key for key in CATALOGUE if key in (*CORE, "SP")]
    assert at.data("values")["starred"] == []
    assert "SP" in stage(at.press("present").state).measures


def test_the_printed_ones_alone_are_one_click_away_until_the_figure_is_changed() -> None:
    at = Hand().press("printed_measures")
    assert len(at.data("values")["rows"]) == 10
    at.press("printed_measures").click("C")
    assert at.control("printed_measures")["disabled"]  # and in its place, so that the others stay in theirs


def test_the_filter_shows_measures_by_family_and_name_in_the_catalogues_order() -> None:
    at = Hand().open("measures_filter")
    at.set("filter_families", ["LCA graphs", "Ancestor sets"]).set("filter_text", " F1 ")
    assert list(at.rows) == ["hF", "F_LCA", "F_LCA_ext"]
    assert list(at.press("filter_none").rows) == list(CATALOGUE)
