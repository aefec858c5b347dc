"""The first screen: a story with few controls, what shows the others, and how a visit meets What if."""

import pytest

from hiermeasures.draw.views import VIEWS
from hiermeasures.explore.library import OPENING, figure
from hiermeasures.explore.loading import CLICKS, story
from hiermeasures.explore.location import KEY, link, opening
from hiermeasures.explore.model import Host, State
from hiermeasures.explore.share_link import decoded
from hiermeasures.explore.shown import History, Shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE

from .hand import Hand

H = Hierarchy.from_edges([("A", "B"), ("A", "C")])


def first() -> Hand:
    return Hand(story(), quiet=True)


def keys(at: Hand) -> set[str]:
    return {control.get("key", "") for control in at.all()}


def test_the_story_asks_for_one_click_and_a_figure_is_one_click_away() -> None:
    at = first()
    # {Animal, Bird, Penguin} and {Animal, Bird, Eagle} share two: 2 · 2 / (3 + 3).
    assert at.value("hF") == "0.67"
    assert "Dog" in at.control("lesson_text")["text"]
    at.click("Dog")
    assert at.value("hF") == "0.50"  # and {…, Mammal, Dog}: 2 · 2 / (3 + 5)
    assert at.press("back_to_original").state.shown == story()
    assert at.press("paper_figure").state.shown == figure(OPENING)


def test_the_tools_for_papers_appear_with_a_figure_or_when_asked_for_and_stay_as_chosen() -> None:
    tools = {"type_printed", "own", "pin", "measures_filter", "printed_measures", "true_classes"}
    assert not tools & keys(first())
    assert tools <= keys(Hand(OPENING, quiet=True))
    at = first().use("paper_tools", True)
    assert tools - {"printed_measures"} <= keys(at)
    at.use("paper_tools", False)
    assert not tools & keys(at.show(OPENING))


def test_what_is_in_use_stays_in_sight() -> None:
    options = story().instance.options.make(dmax=2)
    at = Hand(story().with_options(options), quiet=True)
    assert any("ption" in key for key in keys(at) - keys(first()))
    at = first().use("paper_tools", True).press("pin").use("paper_tools", False)
    assert "pin" in keys(at)


def test_classes_that_are_not_drawn_can_be_typed() -> None:
    large = Hierarchy.from_edges([("R", f"c{k}") for k in range(400)])
    assert "true_classes" not in keys(Hand(Shown.make(H, title="small"), quiet=True))
    assert "true_classes" in keys(Hand(Shown.make(large, title="large"), quiet=True))


@pytest.mark.parametrize("measure", ["hF", "GIE", "mi"])
def test_a_switch_of_views_appears_where_more_than_one_draws_the_measure(measure: str) -> None:
    at = first().do("values", "choose", key=measure)
    drawing = {view.title for view in VIEWS.values() if view.draws(CATALOGUE[measure])}
    shown = set(at.control("view")["words"]) if at.has("view") else set()
    assert shown == (drawing if len(drawing) > 1 else set())


def test_after_the_third_click_what_if_is_offered_once() -> None:
    at = first().do("graph", "welcomed")
    assert "hint" not in at.data("graph")
    for label in ("Dog", "Cat", "Bird")[:CLICKS]:
        at.click(label)
    assert at.data("graph")["hint"] == {"name": "what-if"}
    at.do("graph", "try_what_if")
    assert at.chosen("stepping") == "What if"
    assert at.data("graph")["effects"]["predicted"]
    assert "hint" not in at.set("stepping", "Why").data("graph")


def test_a_link_names_a_figure_and_one_that_is_not_there_is_said() -> None:
    state = State(History(story()))
    assert opening(state, {"figure": OPENING}).shown == figure(OPENING)
    at = Hand(opening(state, {"figure": "kosmopoulos/figure-15"}))
    fault = at.control("link_fault")["text"]
    assert "'kosmopoulos/figure-15'" in fault
    assert "'kosmopoulos2015/figure-15'" in fault  # the nearest
    assert at.state.shown == story()
    walked = first().use(KEY, {"kind": "walk", "word": "&figure=nobody/figure-1"})
    assert "nobody/figure-1" in walked.control("link_fault")["text"]


def test_share_gives_the_short_address_until_something_is_changed() -> None:
    host = Host(window=True, address_bar=True, address="https://example.org")
    at = Hand(quiet=True, host=host).open("sharing")
    short = "https://example.org/?figure=kosmopoulos2015/figure-11a"
    assert at.control("link_address")["content"] == short
    assert f'src="{short}&amp;embed=1"' in at.control("link_embed")["content"]
    changed = at.click("C").open("sharing").control("link_address")["content"]
    assert changed.startswith("https://example.org/?state=1.")
    bare = Hand(story(), host, quiet=True).open("sharing")
    assert bare.control("link_address")["content"] == "https://example.org"
    assert 'src="https://example.org/?embed=1"' in bare.control("link_embed")["content"]


def test_the_address_of_a_figure_is_short_until_something_is_changed_and_back_leads_there() -> None:
    at = Hand(story(), quiet=True)
    assert at.word == ""
    at.press("paper_figure")
    short = "&figure=kosmopoulos2015/figure-11a"
    assert at.word == short
    assert link(at.state, "http://host") == f"http://host/?{short[1:]}"
    at.click("C")
    assert decoded(at.word).shown.instance.predicted == {"C", "P1", "P2"}
    at.use(KEY, {"kind": "walk", "word": short})
    assert (at.state.shown, at.word) == (figure(OPENING), short)
    assert at.state.history.future  # back was undo
    again = Hand(story(), quiet=True).use(KEY, {"kind": "walk", "word": short})
    assert again.word == short


def test_why_tells_what_the_last_click_changed() -> None:
    at = first()
    assert not at.has("why")
    at.click("Dog")
    assert "hF fall with + Dog" in at.control("why_question")["text"]
    assert "Mammal" in at.control("why_sentence")["text"]
    assert not at.show(OPENING).has("why")  # another figure is no edit of one class


def test_the_values_show_what_the_last_click_changed() -> None:
    at = first()
    at.click("Dog")  # before anything was drawn, as the answers that the page stores
    rows = at.data("values")["rows"]
    assert (rows["hF"]["step"], rows["hF"]["step_word"]) == ("−.17", "worse")  # 1/2 − 2/3
    assert (rows["GIE"]["step"], rows["GIE"]["step_word"]) == ("+5", "worse")
    assert "step" not in rows["hR"]  # 2/3 before and after
    rows = at.use("paper_tools", True).press("pin").data("values")["rows"]
    assert "step" not in rows["hF"]  # where the table shows the change since the pin


def test_only_the_last_two_states_keep_their_structures() -> None:
    at = first()
    for label in ("Dog", "Cat", "Mammal"):
        at.data("values")
        at.click(label)
    at.data("values")
    kept = [shown for shown in at.state.history.past if "_explanation" in vars(shown)]
    assert kept == [at.state.before]


def test_why_begins_with_what_the_family_looks_at() -> None:
    at = first()
    assert "ancestors" in at.control("family")["text"]
    assert "D_max" in at.do("values", "choose", key="GIE").control("family")["text"]
