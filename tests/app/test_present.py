"""Present on the Learn page: what is sent of a card, what reveals it, and what a link opens."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.server import LESSONS

from .screen import controls, play
from .test_learn_page import learn

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


@pytest.fixture(autouse=True)
def lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher's folder with the lesson."""
    (tmp_path / "shown.yaml").write_text(LESSON, "utf-8")
    monkeypatch.setenv(LESSONS, str(tmp_path))


def card(number: int, **parameters: str) -> AppTest:
    """A card of the lesson, presented from a link."""
    return learn(lesson="teacher/shown", card=str(number), present="1", **parameters)


def tell(app: AppTest, kind: str, **value: Any) -> AppTest:
    return play(app, kind, component="present_tools", **value)


def tools(app: AppTest) -> dict[str, Any]:
    shown: dict[str, Any] = controls(app)["present_tools"]["data"]["tools"]
    return shown


def values(app: AppTest) -> dict[str, list[str | None]]:
    return {row["key"]: row["values"] for row in controls(app)["present_rows"]["data"]["rows"]["rows"]}


def head(app: AppTest) -> dict[str, Any]:
    shown: dict[str, Any] = controls(app)["present_head"]["data"]["head"]
    return shown


def prose(app: AppTest) -> str:
    return str(controls(app).get("answer_words"))


def test_a_card_shows_its_drawings_its_question_and_its_values_hidden_and_no_text() -> None:
    app = card(1)
    assert (head(app)["title"], head(app)["place"]) == ("Which one?", "1 / 3")
    assert values(app) == {"hF": [None, None], "F_LCA": [None, None]}
    assert {"present_graph_0", "present_graph_1"} <= controls(app).keys()
    assert "hF of the first" not in prose(app)
    # {A, B, P1} against {A, B, T1} share two: 2·2/6 = 0.67, which nobody may read yet.
    assert "0.67" not in str(controls(app))


def test_the_answer_comes_last_and_brings_why() -> None:
    app = tell(tell(card(1), "reveal"), "reveal")
    assert values(app)["hF"] == ["0.67", "0.40"]  # {A, C} against {A, B, T1} share one: 2·1/5
    assert "P1 is nearer than C." not in prose(app)
    app = tell(app, "reveal")
    assert "P1 is nearer than C." in prose(app)
    assert tools(app)["hidden"] == []
    assert app.query_params["revealed"] == "1"
    app = tell(app, "hide")
    assert values(app)["hF"] == [None, None]
    assert "P1 is nearer than C." not in prose(app)


def test_a_link_opens_a_card_revealed_and_the_code_leads_to_where_it_is_answered() -> None:
    app = card(1, revealed="1")
    assert values(app)["hF"] == ["0.67", "0.40"]
    assert "P1 is nearer than C." in prose(app)
    link = tools(tell(app, "code", open=True))["code"]["link"]
    assert link.endswith("/learn?lesson=teacher%2Fshown&card=1")


def test_a_class_answers_and_is_told() -> None:
    app = card(1)
    play(play(app, "press", key="answer_choice_2"), "press", key="present_check")
    assert "Not right" in prose(app)
    assert values(app)["hF"] == [None, None]  # until the second try
    play(play(app, "press", key="answer_choice_1"), "press", key="present_check")
    assert values(app)["hF"] == ["0.67", "0.40"]


def test_what_belongs_to_a_hidden_view_is_not_sent() -> None:
    shapes = controls(card(2))["present_graph_0"]["data"]["scene"]["shapes"]
    assert {shape["title"] for shape in shapes if "predicted" in shape} == {"P1", "P2"}


def test_arrows_turn_the_cards_and_stop_at_the_ends_and_escape_leaves() -> None:
    app = tell(card(1), "go", by=-1)
    assert head(app)["place"] == "1 / 3"
    assert head(tell(app, "go", by=1))["title"] == "The augmented set"
    assert head(tell(app, "go", by=1))["title"] == "Nothing is asked"
    assert head(tell(app, "go", by=1))["title"] == "Nothing is asked"
    assert app.query_params["card"] == "3"
    tell(app, "leave")
    assert "present" not in app.query_params
    assert "present_head" not in controls(app)
    play(app, "press", key="learn_present")
    assert head(app)["title"] == "Nothing is asked"


def test_of_a_card_that_asks_nothing_the_text_comes_with_the_values() -> None:
    app = card(3)
    assert "hF is" not in prose(app)
    app = tell(app, "reveal")
    assert values(app)["hF"] == ["0.57"]
    assert "hF is" in prose(app)
