"""The menu of figures, and what a figure brings along: its lesson, its other parts, and the printed
values; and the welcome that lies on the opening figure.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hiermeasures.explore.library import (
    NAMES,
    figure,
    figures,
    printed_values,
    printed_words,
    published,
)
from hiermeasures.measures import CATALOGUE

from .hand import HOST, Hand
from .test_changed import FIGURE, found


def with_pages() -> tuple[Hand, list[Any]]:
    """A host that has other pages, and where it was led."""
    went: list[Any] = []

    def to_page(state: Any, name: str, parameters: Mapping[str, str]) -> Any:
        went.append((name, dict(parameters)))
        return state

    return Hand(FIGURE, replace(HOST, to_page=to_page, course={"lesson": "one", "card": "1"})), went


# --- the menu -----------------------------------------------------------------------------------


def test_the_menu_lists_every_figure_below_its_paper_with_title_and_topics() -> None:
    at = Hand()
    assert not at.has("figure_list")
    menu = at.open("figures").data("figure_list")
    listed = {
        paper["name"]: [entry["key"] for entry in paper["figures"]] for paper in menu["papers"]
    }
    assert sorted(key for keys in listed.values() for key in keys) == sorted(figures())
    assert "plaud2024/figure-2-left" in listed["Plaud et al. 2024"]
    titles = {
        entry["key"]: (entry["title"], entry["topics"])
        for paper in menu["papers"]
        for entry in paper["figures"]
    }
    title = "Figure 11(a): Two predicted classes for one true class"
    assert titles["kosmopoulos2015/figure-11a"] == (title, ["pairing"])
    assert menu["chosen"] == "kosmopoulos2015/figure-11a"


def test_a_figure_is_chosen_from_the_menu_which_closes() -> None:
    at = Hand().open("figures").do("figure_list", "choose", key="kosmopoulos2015/figure-2e")
    assert at.state.shown == figure("kosmopoulos2015/figure-2e")
    assert not at.control("figures").get("open")
    assert at.control("figures")["words"] == "Figure 2(e): Long distance problem"


# --- the row ------------------------------------------------------------------------------------


def test_a_figure_comes_with_its_lesson_and_the_values_that_its_paper_prints() -> None:
    at = Hand()
    assert at.control("lesson_text")["text"].startswith("One class beside two.")
    # Table 1, first row.
    printed = {
        "GIE": "7",
        "MGIA": "0.73",
        "MGIA_error": "4",
        "hP": "0.5",
        "hR": "0.66",
        "hF": "0.57",
        "SDL": "3",
    }
    printed |= {"P_LCA": "0.33", "R_LCA": "0.5", "F_LCA": "0.4"}
    assert {key: row["printed"] for key, row in at.rows.items() if "printed" in row} == printed
    assert {row["status"] for row in at.rows.values() if "printed" in row} == {"match"}
    assert at.rows["hF"]["paper"] == "Table 1 prints 0.57, which matches."


def test_a_value_that_differs_says_why_and_whether_it_is_explained() -> None:
    # Table 2 prints 2 for GIE of Figure 12(a); with D_max 5 the class left over is charged 5.
    row = Hand("kosmopoulos2015/figure-12a").rows["GIE"]
    assert (row["value"], row["printed"], row["status"]) == ("5.00", "2", "explained")
    assert "differs and is explained" in row["paper"]
    assert "MGIA's pairing" in row["paper"]


def test_every_cell_that_prints_a_measure_is_shown_beside_its_value() -> None:
    for key in figures():
        found = printed_values(figure(key))
        cells = [
            cell for cell in published(key) if NAMES.get(cell.quantity, cell.quantity) in CATALOGUE
        ]
        assert sorted(map(str, cells)) == sorted(
            str(cell) for of_one in found.values() for cell in of_one
        )
        assert all(printed_words(of_one) for of_one in found.values())


def test_what_is_printed_about_a_figure_is_a_page_away_where_there_are_pages() -> None:
    assert not Hand().has("to_case")
    at, went = with_pages()
    assert at.control("to_case")["words"] == "10 printed values: 10 match"
    at.press("to_case")
    assert went == [("cases", {"figure": "kosmopoulos2015/figure-11"})]


# --- a changed one ------------------------------------------------------------------------------


def test_a_changed_figure_or_named_instance_has_no_lesson_and_a_way_back() -> None:
    named = {"Figure 11(a)": with_pages()[0], "what its title says": Hand(found())}
    for name, at in named.items():
        before, lesson = at.chosen("predicted_classes"), at.control("lesson_text")
        at.set("predicted_classes", [])
        assert not at.has("to_case")
        assert not at.has("lesson_text")
        assert at.control("changed_text")["text"] == f"No longer {name}: other predicted classes."
        at.press("back_to_original")
        assert (at.chosen("predicted_classes"), at.control("lesson_text")) == (before, lesson)
        assert not at.has("back_to_original")


# --- the welcome --------------------------------------------------------------------------------


def hint(at: Hand) -> Any:
    return at.data("graph").get("hint")


def test_it_leads_to_the_first_card_of_the_first_lesson_where_there_are_pages() -> None:
    at, _ = with_pages()
    assert hint(at)["course"] == "learn?lesson=one&card=1"
    assert hint(Hand()).get("course") is None


def test_closed_it_stays_away_for_the_session() -> None:
    at = Hand().do("graph", "welcomed")
    assert hint(at) is None
    assert hint(at.click("C")) is None


def test_it_lies_on_the_opening_figure_in_a_window_only_whose_classes_leave_room_for_it() -> None:
    assert hint(Hand("kosmopoulos2015/figure-2e")) is None
    assert hint(Hand(FIGURE, replace(HOST, window=False))) is None
