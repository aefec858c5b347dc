"""The address bar, whose word follows what is shown and brings it back, and what the app opens with."""

from dataclasses import replace
from pathlib import Path

import pytest

from hiermeasures import Hierarchy
from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.draw.views import OPENING, with_measure
from hiermeasures.explore import location
from hiermeasures.explore.library import OPENING as FIGURE
from hiermeasures.explore.library import figure
from hiermeasures.explore.loading import start
from hiermeasures.explore.location import (
    MOST_VISITED,
    PARAMETER,
    TOO_LARGE,
    StartInstance,
    link,
    opening,
)
from hiermeasures.explore.model import Pinned, State
from hiermeasures.explore.share_link import decoded, encoded
from hiermeasures.explore.shown import DEEPEST, History, Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import explain
from hiermeasures.measures.own import parted
from hiermeasures.read import read_hierarchy
from hiermeasures.read.source import UPLOAD
from hiermeasures.verify.library import write_case
from tests.app import screen as app_screen
from tests.app.screen import AppHand

from .hand import HOST, Hand

FIRST = figure("kosmopoulos2015/figure-11a")
LARGE = Shown.make(
    Hierarchy.from_edges([("root", f"{k:09d}" * 12) for k in range(6_000)]), title="Large"
)


def opened(word: str) -> Hand:
    """The Explorer as another session opens the word."""
    return Hand(opening(State(History(FIRST)), {PARAMETER: word}))


def test_a_reload_gives_back_the_instance_the_view_the_pin_and_own_measures() -> None:
    at = Hand().press("pin").click("C").set("view", "pairing").open("own")
    at.set("own_name", "mine").set("own_expression", "0.5*hF + 0.5*F_LCA").press("own_save")
    again = opened(at.word).state
    assert again.shown == at.state.shown
    assert again.view_state == at.state.view_state
    assert again.pinned == Pinned(FIRST)
    assert again.own.definitions == at.state.own.definitions
    assert [name for name, _ in map(parted, again.definitions)] == ["mine"]
    assert opened(at.word).word == at.word


def test_back_and_forward_are_undo_and_redo_where_they_lead_to_the_same() -> None:
    at = Hand()
    words = [at.word, at.click("C").word, at.click("B").word]
    assert len(set(words)) == 3
    at.do("location", "walk", word=words[1])
    assert at.state.shown == FIRST.toggled("predicted", "C")
    assert (len(at.state.history.past), len(at.state.history.future)) == (1, 1)
    assert at.word == words[1]
    at.do("location", "walk", word=words[2])
    assert (len(at.state.history.past), len(at.state.history.future)) == (2, 0)


def test_a_word_from_a_stranger_is_shown_with_the_own_measures_of_both() -> None:
    theirs = replace(
        State(History(FIRST.toggled("true", "C"))), view_state=with_measure(OPENING, "theirs=hP*hR")
    )
    mine = Hand(State(History(FIRST), view_state=with_measure(OPENING, "mine=hP+hR")))
    mine.become(replace(mine.state, own=replace(mine.state.own, definitions=("mine=hP+hR",))))
    mine.do("location", "walk", word=Hand(theirs).word)
    assert mine.state.shown.instance.true == {"T1", "C"}
    assert mine.state.shown.hierarchy is FIRST.hierarchy  # so that its drawing stays
    assert [d.split("=")[0] for d in mine.state.definitions] == ["mine", "theirs"]


@pytest.mark.parametrize(
    "given", ["1.broken", "unnamed-00000000", "2." + "A" * 50, "1." + "A" * 60_000]
)
def test_a_word_that_stands_for_nothing_says_so_until_something_else_is_shown(given: str) -> None:
    at = opened(given)
    assert at.has("link_fault")
    assert not at.click("C").has("link_fault")
    assert not at.press("undo").has("link_fault")
    shown = at.state.shown
    at.do("location", "walk", word=given)
    assert at.state.shown is shown
    assert at.has("link_fault")


def test_what_is_too_large_for_an_address_has_a_name_in_this_session_only() -> None:
    at = Hand(LARGE)
    large = at.word
    assert large.startswith("unnamed-")
    with pytest.raises(InputError, match="A link can contain at most 5,000 classes"):
        link(at.state, "http://example.org")
    at.show(FIRST).do("location", "walk", word=large)
    assert at.state.shown is LARGE
    assert at.word == large  # and is not an entry more in the browser's history
    assert TOO_LARGE in opened(large).control("link_fault")["text"]


def test_the_oldest_visits_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_VISITED > 100
    monkeypatch.setattr(location, "MOST_VISITED", 3)
    at = Hand()
    for view in ("classes", "counts", "pairing", "distances"):
        at.set("view", view)
    assert len(at.state.visiting.visits) == 3
    assert [visit.view_state.view for visit in at.state.visiting.visits.values()] == [
        "counts",
        "pairing",
        "distances",
    ]


def test_a_host_without_an_address_bar_keeps_no_visits() -> None:
    at = Hand(FIRST, replace(HOST, address_bar=False)).click("C")
    assert "location" not in at.drawn
    assert at.state.visiting.visits == {}


# --- what the app was started with ----------------------------------------------------------------


BEASTS = Hierarchy.from_edges([("animal", "bird"), ("animal", "fish"), ("bird", "owl")])


@pytest.fixture
def beasts(tmp_path, monkeypatch):
    """The app is started with a file of one's own."""
    file = tmp_path / "beasts.txt"
    file.write_text("animal bird\nanimal fish\nbird owl\n")
    for name, text in (
        StartInstance(str(file), true=["owl"], predicted=["bird"]).environment().items()
    ):
        monkeypatch.setenv(name, text)


def test_a_session_begins_with_the_instance_and_every_address_says_what_is_shown(beasts) -> None:
    app = app_screen.opened(figure="")
    at = AppHand(app).use("paper_tools", True)
    assert set(at.shapes) == {"animal", "bird", "fish", "owl"}
    assert (at.chosen("true_classes"), at.chosen("predicted_classes")) == (["owl"], ["bird"])
    # The ancestors of owl are bird and animal: two of three true classes are predicted, and nothing
    # else. 2·2/(3 + 2)
    assert at.value("hF") == "0.80"
    shown = decoded(AppHand(app).word).shown
    assert (shown.hierarchy, shown.instance.true, shown.instance.predicted) == (
        BEASTS,
        {"owl"},
        {"bird"},
    )

    model = app.session_state[EXPLORER.name]
    app.session_state[EXPLORER.name] = replace(model, history=model.history.to(figure(FIGURE)))
    # a bare address opens the file
    assert AppHand(app.run()).word == "&figure=kosmopoulos2015/figure-11a"


def test_a_case_file_brings_its_options_and_own_measures(tmp_path) -> None:
    file, instance = tmp_path / "mine.yaml", explain(BEASTS, ["owl"], ["fish"], dmax=2).instance
    file.write_text(
        write_case(instance, title="Mine", year=2026, define={"mine": "hP / 2"}), "utf-8"
    )
    given = StartInstance(str(file), predicted=["bird"]).opened()
    assert given.own == ("mine=hP / 2",)
    assert given.shown.instance.options.dmax == 2
    assert (given.shown.instance.true, given.shown.instance.predicted) == ({"owl"}, {"bird"})


def test_a_case_file_keeps_its_printed_values_also_after_a_reload(tmp_path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "figure: F\nhierarchy: A>B A>C\ntrue: B\npredicted: C\n"
        "published: [{source: Table 1, cells: {hP: 0.50}}]\n"
    )
    given = StartInstance(str(file)).opened()
    state = State(History(given.shown), paper=given.paper)
    assert {key: cells[0].printed for key, cells in state.printed.items()} == {"hP": "0.50"}
    word = encoded(given.shown.toggled("predicted", "B"), OPENING)
    reloaded = opening(state, {PARAMETER: word})
    assert reloaded.part == ""
    assert reloaded.printed["hP"][0].status == "unexplained"  # A and B of A, B, C


def test_a_file_is_bounded_as_an_upload_is(tmp_path) -> None:
    deep, large = tmp_path / "deep.txt", tmp_path / "large.txt"
    deep.write_text("".join(f"c{k} c{k + 1}\n" for k in range(DEEPEST + 1)))
    large.write_bytes(b"a b\n" * (UPLOAD.bytes // 4 + 1))
    with pytest.raises(InputError, match=rf"1,001 levels deep; at most {DEEPEST:,}"):
        StartInstance(str(deep)).environment()
    with pytest.raises(InputError, match="larger than 20 MB"):
        StartInstance(str(large)).environment()


# --- what a drawing can start from --------------------------------------------------------------


def test_the_family_364_is_that_of_icd_9(data: Path) -> None:
    whole = read_hierarchy(data / "icd9/icd9_hierarchy.csv")
    family = {"364", *whole.descendants("364")}
    assert start("icd9") == Hierarchy.from_edges([e for e in whole.edges if set(e) <= family])
