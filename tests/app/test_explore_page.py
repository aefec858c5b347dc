"""The Explorer in the app: one component, whose gestures reach the model and are acknowledged, and
links.
"""

from dataclasses import replace
from typing import Any

from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER, Series, WayBack
from hiermeasures.app.learn.draft_lesson import WRITING
from hiermeasures.draw.views import OPENING, with_measure
from hiermeasures.explore.library import figure
from hiermeasures.explore.location import PARAMETER
from hiermeasures.explore.share_link import encoded
from hiermeasures.explore.shown import History, Shown
from tests.conftest import hierarchy_of

from .screen import APP, AppHand, opened, run

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


def test_a_link_brings_the_same_state() -> None:
    shown = Shown.make(hierarchy_of(FIGURE_15), {"T1"}, {"P1", "P2"}, title="Drawn")
    app = arrived(encoded(shown, with_measure(OPENING, "F_LCA")))
    at = AppHand(app).use("paper_tools", True)
    assert (at.chosen("true_classes"), sorted(at.chosen("predicted_classes"))) == (
        ["T1"],
        ["P1", "P2"],
    )
    assert (at.measure, at.value("F_LCA")) == ("F_LCA", "0.25")  # Table 5
    assert app.session_state[EXPLORER.name].view_state == with_measure(OPENING, "F_LCA")


# --- other pages --------------------------------------------------------------------------------


def with_model(**parts: Any) -> AppHand:
    """The Explorer with what another page brought."""
    app = opened()
    app.session_state[EXPLORER.name] = replace(app.session_state[EXPLORER.name], **parts)
    app.run()
    return AppHand(app)


def test_the_way_back_leads_to_the_page_that_brought_the_instance_however_it_was_changed(
    went: list[Any],
) -> None:
    back = WayBack("Back to card 3", "learn", {"card": "3"})
    at = with_model(back=back).click("C")
    assert at.control("way_back")["words"] == "Back to card 3"
    assert at.has("changed_text")
    at.press("way_back")
    assert went == [("learn", {"card": "3"})]
    assert not at.has("way_back")
    assert not with_model(back=back).press("way_back_close").has("way_back")


def test_a_series_is_gone_through_to_its_ends_with_the_way_back_beside_it() -> None:
    instances = [
        Shown.make(hierarchy_of("A>B A>C"), {"B"}, predicted, title=f"q{k}").named()
        for k, predicted in enumerate(({"B"}, {"C"}, {"B", "C"}))
    ]
    places = {shown.title: k for k, shown in enumerate(instances)}
    series = Series(
        "disagreement",
        "where they disagree",
        4157,
        lambda now: places.get(now.title),
        instances.__getitem__,
    )
    back = WayBack("Back to Compare", "systems")
    at = with_model(series=series, history=History(instances[1]), back=back, paper_tools=True)
    assert at.control("way_back")["words"] == "Back to Compare"
    assert at.control("series_place")["text"] == "disagreement 2 of 4,157"
    assert at.control("series_about")["text"] == "where they disagree"
    assert not at.has("lesson_text")
    at.press("series_next")
    assert at.chosen("predicted_classes") == ["B", "C"]
    at.press("series_previous", "series_previous")
    assert at.control("series_previous")["disabled"]
    at.click("C")
    assert (
        at.control("changed_text")["text"]
        == "No longer what its title says: other predicted classes."
    )
    at.press("back_to_original")
    assert at.control("series_place")["text"] == "disagreement 1 of 4,157"
    assert not with_model(
        series=replace(series, size=2), history=History(figure("kosmopoulos2015/figure-2e"))
    ).has("series_place")


def test_what_is_shown_and_what_changed_become_cards_by_buttons_beside_which_the_lesson_is(
    went: list[Any],
) -> None:
    at = AppHand(opened()).press("pin").click("C")
    assert not at.has("to_my_lesson")
    at.press("add_card").set("stepping", "What if").press("why_card")
    assert at.control("why_cards")["text"] == "Cards in My lesson: 2."
    one, other = at.app.session_state[WRITING.name].lesson.cards
    assert (one["title"], one["second"]["predicted"]) == (
        "Kosmopoulos et al. 2015 · Figure 11(a), changed",
        "P1 P2",
    )
    assert (other["case"], other["second"]["predicted"]) == (
        "kosmopoulos2015/figure-11a",
        "C P1 P2",
    )
    at.press("to_my_lesson")
    assert went == [("learn", {"edit": "1"})]
