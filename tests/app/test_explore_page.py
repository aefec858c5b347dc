"""The Explorer in the app: one component, whose gestures reach the model and are acknowledged, and
links.
"""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER, Series, WayBack
from hiermeasures.app.learn.draft_lesson import WRITING
from hiermeasures.app.learn.model import course
from hiermeasures.explorer.library import figure
from hiermeasures.explorer.location import PARAMETER
from hiermeasures.explorer.share_link import encoded
from hiermeasures.explorer.state import History, Shown
from hiermeasures.picture.views import OPENING, with_measure
from tests.conftest import hierarchy_of

from .screen import APP, AppHand, opened, run, sent

FIGURE_15 = "A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2"


def arrived(word: str) -> AppTest:
    """The app opened by a link."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params[PARAMETER] = word
    return run(app)


def test_gestures_change_the_session_once_each_and_are_acknowledged() -> None:
    app = opened()
    at = AppHand(app)
    at.click("P2").set("view", "LCA").press("undo")  # each asserts that it was acknowledged
    assert at.chosen("predicted_classes") == ["P1", "P2"]
    assert at.chosen("view") == "LCA"
    app.run()
    assert at.drawn["seen"] == 3  # what is still in the component's state is not applied again
    assert len(app.session_state[EXPLORER.name].history.future) == 1


def test_nothing_of_streamlit_is_between_the_person_and_the_explorer() -> None:
    app = opened()
    assert len(sent(app, "explorer")) == 1
    assert not any((app.button, app.selectbox, app.multiselect, app.number_input, app.text_input))


def test_a_link_brings_the_same_state() -> None:
    shown = Shown.make(hierarchy_of(FIGURE_15), {"T1"}, {"P1", "P2"}, title="Drawn")
    app = arrived(encoded(shown, with_measure(OPENING, "F_LCA")))
    at = AppHand(app)
    assert (at.chosen("true_classes"), sorted(at.chosen("predicted_classes"))) == (["T1"], ["P1", "P2"])
    assert (at.measure, at.value("F_LCA")) == ("F_LCA", "0.25")  # Table 5
    assert app.session_state[EXPLORER.name].view_state == with_measure(OPENING, "F_LCA")


@pytest.mark.parametrize("word", ["", "1.broken", "2." + "A" * 50, "1." + "A" * 60_000])
def test_a_link_that_cannot_be_used_says_so_until_something_else_is_shown(word: str) -> None:
    at = AppHand(arrived(word))
    assert [words for words in at.words if words.startswith("This link")]
    assert at.chosen("predicted_classes") == ["P1", "P2"]
    at.click("C")
    assert not [words for words in at.words if words.startswith("This link")]


def test_a_link_presents_and_leaving_brings_the_page() -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params.update({"present": "1", "revealed": "1", "measures": "GIE"})
    at = AppHand(app.run())
    assert [row["values"] for row in at.data("present_rows")["rows"]["rows"]] == [["0.57"], ["7.00"]]
    assert at.drawn["location"]["word"] == "&present=1&revealed=1&measures=GIE"
    assert not at.has("values")
    at.do("present_tools", "leave")
    assert at.has("values")


def test_the_address_follows_what_is_done_and_leads_back() -> None:
    at = AppHand(opened())
    assert at.drawn["location"]["word"] == ""
    assert at.click("C").drawn["location"]["word"].startswith("1.")
    assert at.do("location", "walk", word="").chosen("predicted_classes") == ["P1", "P2"]


# --- other pages --------------------------------------------------------------------------------


def test_a_figure_leads_to_what_is_printed_about_it(went: list[Any]) -> None:
    AppHand(opened()).press("to_case")
    assert went == [("cases", {"figure": "kosmopoulos2015/figure-11"})]


def test_the_welcome_leads_to_the_first_card_of_lesson_1(went: list[Any]) -> None:
    AppHand(opened()).do("graph", "course")
    assert went == [("learn", {"lesson": course().lessons[1].key, "card": "1"})]


def with_model(**parts: Any) -> AppHand:
    """The Explorer with what another page brought."""
    app = opened()
    app.session_state[EXPLORER.name] = replace(app.session_state[EXPLORER.name], **parts)
    app.run()
    return AppHand(app)


def test_the_way_back_leads_to_the_page_that_brought_the_instance_however_it_was_changed(went: list[Any]) -> None:
    back = WayBack("Back to card 3", "learn", {"card": "3"})
    at = with_model(back=back).click("C")
    assert at.control("way_back")["words"] == "Back to card 3"
    assert at.has("changed_text")
    at.press("way_back")
    assert went == [("learn", {"card": "3"})]
    assert not at.has("way_back")
    assert not with_model(back=back).press("way_back_close").has("way_back")


def test_a_series_has_the_way_back_to_its_list_beside_it(went: list[Any]) -> None:
    first = figure("kosmopoulos2015/figure-11a")
    series = Series("disagreement", "where they disagree", 3, place=lambda shown: 0, make=lambda place: first)
    at = with_model(series=series, back=WayBack("Back to Systems", "systems"), history=History(first))
    assert (at.control("series_place")["text"], at.control("way_back")["words"]) == (
        "disagreement 1 of 3",
        "Back to Systems",
    )
    at.press("way_back")
    assert went == [("systems", {})]


def test_what_another_page_brings_is_listed_for_it_and_has_no_star_that_nobody_gave() -> None:
    app = AppTest.from_string(
        "import streamlit as st\n"
        "from hiermeasures.app.explore.model import explorer, open_shown\n"
        "from hiermeasures.explorer.library import OPENING, figure\n"
        "open_shown(figure(OPENING), measures=('hF', 'SP'))\n"
        "brought = 'SP' in explorer().listed\n"
        "st.text(f'{explorer().starred or None} {sorted(explorer().kept)} {brought}')",
        default_timeout=60,
    ).run()
    assert app.text[0].value == "None ['SP'] True"


def test_a_series_is_gone_through_and_its_ends_are_its_ends() -> None:
    instances = [
        Shown.make(hierarchy_of("A>B A>C"), {"B"}, predicted, title=f"q{k}").named()
        for k, predicted in enumerate(({"B"}, {"C"}, {"B", "C"}))
    ]
    places = {shown.title: k for k, shown in enumerate(instances)}
    series = Series(
        "disagreement", "where they disagree", 4157, lambda now: places.get(now.title), instances.__getitem__
    )
    at = with_model(series=series, history=History(instances[1]))
    assert at.control("series_place")["text"] == "disagreement 2 of 4,157"
    assert at.control("series_about")["text"] == "where they disagree"
    assert not at.has("lesson_text")
    at.press("series_next")
    assert at.chosen("predicted_classes") == ["B", "C"]
    at.press("series_previous", "series_previous")
    assert at.control("series_previous")["disabled"]
    at.click("C")
    assert at.control("changed_text")["text"] == "No longer what its title says: other predicted classes."
    at.press("back_to_original")
    assert at.control("series_place")["text"] == "disagreement 1 of 4,157"
    assert not with_model(series=replace(series, size=2), history=History(figure("kosmopoulos2015/figure-2e"))).has(
        "series_place"
    )


def test_what_changed_becomes_a_card_of_a_lesson_of_ones_own() -> None:
    at = AppHand(opened()).click("C").set("stepping", "what if").press("why_card")
    assert at.control("why_cards")["text"] == "Cards in My lesson: 1."
    (card,) = at.app.session_state[WRITING.name].lesson.cards
    assert (card["case"], card["second"]["predicted"]) == ("kosmopoulos2015/figure-11a", "C P1 P2")


def test_what_is_shown_becomes_a_card_by_a_button_beside_which_the_lesson_is(went: list[Any]) -> None:
    at = AppHand(opened()).press("pin").click("C")
    assert not at.has("to_my_lesson")
    at.press("add_card")
    (card,) = at.app.session_state[WRITING.name].lesson.cards
    assert (card["title"], card["second"]["predicted"]) == ("Kosmopoulos et al. 2015 · Figure 11(a), changed", "P1 P2")
    at.press("to_my_lesson")
    assert went == [("learn", {"edit": "1"})]


def test_a_card_that_cannot_be_made_says_why_beside_the_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiermeasures.app.learn.draft_lesson.MOST_CARDS", 1)
    at = AppHand(opened()).press("add_card", "add_card")
    assert "1 cards at most" in at.fault("add_card")
    assert len(at.app.session_state[WRITING.name].lesson.cards) == 1
