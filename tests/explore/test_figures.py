"""The menu of figures, and what a figure brings along: its lesson, its other parts, and the printed
values; and the welcome that lies on the opening figure.
"""

from typing import Any

from hiermeasures.explore.library import (
    NAMES,
    figure,
    figures,
    printed_values,
    printed_words,
    published,
)
from hiermeasures.explore.loading import story
from hiermeasures.measures import CATALOGUE

from .hand import Hand

# --- the menu -----------------------------------------------------------------------------------


def test_a_figure_is_chosen_from_the_menu_which_closes() -> None:
    at = Hand().open("figures")
    papers = at.data("figure_list")["papers"]
    assert {e["key"] for paper in papers for e in paper["figures"]} == set(figures())
    at.do("figure_list", "choose", key="kosmopoulos2015/figure-2e")
    assert at.state.shown == figure("kosmopoulos2015/figure-2e")
    assert not at.control("figures").get("open")


# --- the row ------------------------------------------------------------------------------------


def test_a_figure_comes_with_its_lesson_and_the_values_that_its_paper_prints() -> None:
    at = Hand()
    assert at.has("lesson_text")
    # Table 1, first row.
    printed = {
        "GIE": "7",
        "MGIA": "0.73",
        "MGIA_error": "4",
        "hP": "0.5",
        "hR": "0.66",
        "hF": "0.57",
    }
    printed |= {"SDL": "3", "P_LCA": "0.33", "R_LCA": "0.5", "F_LCA": "0.4"}
    rows = {key: row for key, row in at.rows.items() if "printed" in row}
    assert {key: row["printed"] for key, row in rows.items()} == printed
    assert {row["status"] for row in rows.values()} == {"match"}
    assert "Table 1" in rows["hF"]["paper"]


def test_a_value_that_differs_says_why_and_whether_it_is_explained() -> None:
    # Table 2 prints 2 for GIE of Figure 12(a); with D_max 5 the class left over is charged 5.
    row = Hand("kosmopoulos2015/figure-12a").rows["GIE"]
    assert (row["value"], row["printed"], row["status"]) == ("5.00", "2", "explained")
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


# --- a changed one ------------------------------------------------------------------------------


# --- the welcome --------------------------------------------------------------------------------


def hint(at: Hand) -> Any:
    return at.data("graph").get("hint")


def test_closed_it_stays_away_for_the_session() -> None:
    at = Hand(story())
    assert hint(at) == {"name": "welcome", "course": None}
    at.do("graph", "welcomed")
    assert hint(at) is None
    assert hint(at.click("Dog")) is None
