"""Present: what is sent to the browser while values are hidden, what reveals them, and what a link opens."""

from pathlib import Path
from typing import Any

import pytest
import segno
from streamlit.testing.v1 import AppTest

from hiermeasures import Hierarchy
from hiermeasures.errors import InputError
from hiermeasures.ui.explore.location import PARAMETER
from hiermeasures.ui.explore.model import EXPLORER
from hiermeasures.ui.explore.share_link import encoded
from hiermeasures.ui.launch import LESSONS
from hiermeasures.ui.library import figure
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.present.qr import LOCAL, LONGEST, code, code_data
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import OPENING, with_measure

from .screen import APP, gesture, opened, sent
from .test_learn_page import PAGE

# Table 1 of Kosmopoulos et al. 2015, Figure 11(a): F_H 0.57, F_LCA 0.40, GIE 7 with D_max 5.
FIRST = figure("kosmopoulos2015/figure-11a")


def presented(**parameters: str) -> AppTest:
    """The app opened from a link that presents."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params.update({"present": "1", **parameters})
    app.run()
    assert not app.exception
    return app


def pair() -> str:
    """The word of Figure 11(a) before and after its true class T1 is predicted, too."""
    return encoded(FIRST.with_classes("predicted", {"P1", "P2", "T1"}), with_measure(OPENING, "GIE"), FIRST)


def foot(app: AppTest) -> dict[str, Any]:
    """What is sent of the values and of what can be done next."""
    parts = [data.get("rows", {}) | data.get("tools", {}) for data in sent(app, "present")]
    return {name: value for part in parts for name, value in part.items()}


def values(app: AppTest) -> dict[str, list[str | None]]:
    return {row["key"]: row["values"] for row in foot(app)["rows"]}


def test_a_link_presents_the_instance_with_its_values_hidden_and_nothing_else() -> None:
    app = presented()
    assert values(app) == {key: [None] for key in ("hF", "F_LCA", "MGIA", "GIE", "HCM_F1", "CoPHE_F1")}
    assert len(sent(app, "graph")) == 1
    assert not sent(app, "values")
    assert not app.multiselect
    assert "0.57" not in str(sent(app, "present"))


def test_values_are_revealed_one_by_one_by_choice_or_all() -> None:
    app = gesture(presented(), "reveal")
    assert values(app)["hF"] == ["0.57"]
    assert values(gesture(app, "reveal", item="GIE")) == {
        **{key: [None] for key in ("F_LCA", "MGIA", "HCM_F1", "CoPHE_F1")},
        "hF": ["0.57"],
        "GIE": ["7.00"],
    }
    assert [None] not in values(gesture(app, "all")).values()
    assert foot(app)["hidden"] == []
    assert sent(app, "mailbox")[0]["location"]["word"] == "&present=1&revealed=1"
    assert values(gesture(app, "hide"))["hF"] == [None]


def test_a_link_says_whether_values_are_revealed_and_which_are_asked_for() -> None:
    app = presented(revealed="1", measures="GIE;F_LCA;no_measure")
    assert values(app) == {"hF": ["0.57"], "GIE": ["7.00"], "F_LCA": ["0.40"]}
    assert sent(app, "mailbox")[0]["location"]["word"].startswith("&present=1&revealed=1&measures=GIE%3BF_LCA")


def test_the_pinned_state_faces_what_is_shown_and_its_values_are_known() -> None:
    app = presented(**{PARAMETER: pair()})
    assert values(app)["GIE"] == ["7.00", None]
    assert values(app)["hF"] == ["0.57", None]
    assert foot(app)["captions"] == ["before: predicted {P1, P2}", "after: predicted {P1, P2, T1}"]
    assert foot(app)["question"] == "T1 is true and is now predicted too. Does each value get better?"
    assert [len(data["scene"]["shapes"]) for data in sent(app, "graph")] == [6, 6]
    gesture(app, "all")
    # GIE: T1 with itself costs nothing, and P1 and P2 each need a default class at 5: 10 against 2 + 5. MGIA: P1 and P2
    # are each 2 from T1, so 4 of 15 as before. hF: 2·3/8 against 2·2/7. F_LCA: nothing is missed any more.
    assert {row["key"]: row["word"] for row in foot(app)["rows"]} == {
        "GIE": "worse",
        "hF": "better",
        "F_LCA": "better",
        "MGIA": "same",
    }
    assert values(app)["GIE"] == ["7.00", "10.00"]


def test_arrows_walk_the_steps_of_a_view_and_end_at_its_ends() -> None:
    app = presented(**{PARAMETER: pair()})
    count = foot(app)["steps"]
    assert (foot(app)["step"], foot(app)["about"]) == (None, [])
    assert foot(gesture(app, "go", by=1))["step"] == 1
    assert len(foot(app)["about"]) == 2
    for _ in range(count):
        gesture(app, "go", by=1)
    assert foot(app)["step"] == count
    for _ in range(count):
        gesture(app, "go", by=-1)
    assert foot(app)["step"] is None


def test_p_presents_the_starred_measures_and_escape_comes_back_to_the_same_instance() -> None:
    app = opened()
    before = app.session_state[EXPLORER.name].history.present
    gesture(app, "star", component="measures", key="SP", on=True)
    gesture(app, "press", component="present_key")
    assert list(values(app)) == ["hF", "SP"]
    gesture(app, "leave")
    assert app.session_state[EXPLORER.name].history.present is before
    assert sent(app, "values")
    assert sent(app, "mailbox")[0]["location"]["word"] == ""


def test_back_and_forward_of_the_browser_walk_in_and_out() -> None:
    app = gesture(opened(), "walk", component="location", word="&present=1&revealed=1")
    assert values(app)["hF"] == ["0.57"]
    assert sent(gesture(app, "walk", component="location", word=""), "values")


def test_where_nothing_is_marked_no_value_is_asked_for() -> None:
    empty = FIRST.with_classes("true", ()).with_classes("predicted", ())
    app = presented(**{PARAMETER: encoded(empty, OPENING)})
    assert (foot(app)["question"], foot(app)["rows"]) == ("No class is marked yet.", [])


def test_a_hostile_label_travels_as_data_only() -> None:
    label = "<img src=x onerror=alert(1)>"
    h = Hierarchy.from_edges([("top", label), ("top", "other")])
    before = Shown.make(h, {label}, {"other"}, title=label)
    app = presented(**{PARAMETER: encoded(before.with_classes("predicted", {label}), OPENING, before)})
    assert label in foot(app)["question"]
    assert not any(label in shown.value for shown in (*app.markdown, *app.get("html")))


def test_the_last_thing_revealed_makes_it_all() -> None:
    assert Presenting().reveal("a", ("a", "b")).reveal("b", ("a", "b")).everything


# --- the QR code --------------------------------------------------------------------------------------------------


def test_the_code_holds_the_link_and_white_stands_around_it() -> None:
    link = "http://192.168.1.20:8501/?state=1.eNq_-x&present=1"
    found = code_data(link)
    assert code(link) == segno.make_qr(link, error="l")
    assert found["link"] == link
    assert found["note"] == ""
    modules = code(link).symbol_size(border=4)[0]
    assert f"0 0 {modules} {modules}" in found["image"].replace("%20", " ")


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"])
def test_a_link_that_only_this_computer_opens_says_so(host: str) -> None:
    assert code_data(f"http://{host}/?present=1")["note"] == LOCAL


def test_a_link_too_long_to_be_scanned_has_no_code_and_says_why() -> None:
    found = code_data("http://example.org/?" + "x" * LONGEST)
    assert "image" not in found
    assert "1,200" in found["note"]
    with pytest.raises(InputError):
        code("x" * (LONGEST + 1))


def test_the_code_is_of_what_is_shown_now() -> None:
    app = gesture(gesture(presented(), "all"), "code", open=True)
    assert foot(app)["code"]["link"].endswith("/?present=1&revealed=1")
    assert "image" in foot(app)["code"]
    assert foot(gesture(app, "code", open=False))["code"] is None


# --- a card of a lesson -------------------------------------------------------------------------------------------

LESSON = """
lesson: A lesson to present
learns: What Present shows of a card.
minutes: 2
cards:
  - title: Which one?
    text: hF of the first is {hF}.
    hierarchy: A>B A>C B>T1 B>P1 B>P2
    true: T1
    predicted: P1
    second: {predicted: C}
    measures: hF F_LCA
    hidden: values
    question: {kind: prefers, measure: hF, answer: first, explain: P1 is nearer than C.}
  - title: The augmented set
    text: Every class with what stands above it.
    hierarchy: A>B A>C B>T1 B>P1 B>P2
    true: T1
    predicted: P1 P2
    view: ancestors
    measures: hF
    hidden: values view
    question: {kind: click, set: augmented(predicted), answer: A B P1 P2}
  - title: Nothing is asked
    text: All the same, hF is {hF}.
    hierarchy: A>B A>C B>T1 B>P1 B>P2
    true: T1
    predicted: P1 P2
    measures: hF
    hidden: values
"""


@pytest.fixture
def lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher's folder with the lesson."""
    (tmp_path / "shown.yaml").write_text(LESSON, "utf-8")
    monkeypatch.setenv(LESSONS, str(tmp_path))


def card(number: int, **parameters: str) -> AppTest:
    """A card of the lesson, presented from a link."""
    app = AppTest.from_string(PAGE, default_timeout=60)
    app.query_params.update({"lesson": "teacher/shown", "card": str(number), "present": "1", **parameters})
    app.run()
    assert not app.exception
    return app


def head(app: AppTest) -> dict[str, Any]:
    return next(data["head"] for data in sent(app, "present") if "head" in data)


def prose(app: AppTest) -> str:
    return str(sent(app, "prose"))


@pytest.mark.usefixtures("lessons")
def test_a_card_shows_its_drawings_its_question_and_its_values_hidden_and_no_text() -> None:
    app = card(1)
    assert head(app) == {"title": "Which one?", "place": "1 / 3"}
    assert values(app) == {"hF": [None, None], "F_LCA": [None, None]}
    assert len(sent(app, "graph")) == 2
    assert "hF of the first" not in prose(app)
    # {A, B, P1} against {A, B, T1} share two: 2·2/6 = 0.67, which nobody may read yet.
    assert "0.67" not in prose(app) + str(sent(app, "present"))


@pytest.mark.usefixtures("lessons")
def test_the_answer_comes_last_and_brings_why() -> None:
    app = gesture(gesture(card(1), "reveal"), "reveal")
    assert values(app)["hF"] == ["0.67", "0.40"]  # {A, C} against {A, B, T1} share one: 2·1/5
    assert "P1 is nearer than C." not in prose(app)
    app = gesture(app, "reveal")
    assert "P1 is nearer than C." in prose(app)
    assert foot(app)["hidden"] == []
    assert app.query_params["revealed"] == "1"
    app = gesture(app, "hide")
    assert values(app)["hF"] == [None, None]
    assert "P1 is nearer than C." not in prose(app)


@pytest.mark.usefixtures("lessons")
def test_a_link_opens_a_card_revealed() -> None:
    app = card(1, revealed="1")
    assert values(app)["hF"] == ["0.67", "0.40"]
    assert "P1 is nearer than C." in prose(app)
    link = foot(gesture(app, "code", open=True))["code"]["link"]
    assert link.endswith("/learn?lesson=teacher%2Fshown&card=1&present=1&revealed=1")


@pytest.mark.usefixtures("lessons")
def test_a_class_answers_and_is_told() -> None:
    app = card(1)
    app.button(key="answer_choice_2").click().run()
    app.button(key="present_check").click().run()
    assert "Not right" in prose(app)
    assert values(app)["hF"] == ["0.67", "0.40"]


@pytest.mark.usefixtures("lessons")
def test_the_set_is_clicked_on_the_drawing_while_the_view_is_hidden() -> None:
    app = card(2)
    drawn = sent(app, "graph")[0]
    ids = {shape["title"]: shape["id"] for shape in drawn["scene"]["shapes"]}
    assert {s["title"] for s in drawn["scene"]["shapes"] if s["predicted"] != "none"} == {"P1", "P2"}
    for name in ("A", "B", "P1", "P2"):
        gesture(app, "click", component="present_graph_0", id=ids[name], name=name, mode="answer")
    app.button(key="present_check").click().run()
    assert "Right" in prose(app)


@pytest.mark.usefixtures("lessons")
def test_arrows_turn_the_cards_and_stop_at_the_ends_and_escape_leaves() -> None:
    app = gesture(card(1), "go", by=-1)
    assert head(app)["place"] == "1 / 3"
    assert head(gesture(app, "go", by=1))["title"] == "The augmented set"
    assert head(gesture(app, "go", by=1))["title"] == "Nothing is asked"
    assert head(gesture(app, "go", by=1))["title"] == "Nothing is asked"
    assert app.query_params["card"] == "3"
    gesture(app, "leave")
    assert "present" not in app.query_params
    assert not sent(app, "present")
    app.button(key="learn_present").click().run()
    assert head(app)["title"] == "Nothing is asked"


@pytest.mark.usefixtures("lessons")
def test_of_a_card_that_asks_nothing_the_text_comes_with_the_values() -> None:
    app = card(3)
    assert "hF is" not in prose(app)
    app = gesture(app, "reveal")
    assert values(app)["hF"] == ["0.57"]
    assert "hF is" in prose(app)
