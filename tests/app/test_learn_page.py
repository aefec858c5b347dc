"""The Learn page without a browser: its list, its cards, and lessons from files and links."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.server import LESSONS
from tests.app.screen import controls, errors, page_at, play, run

TWO = """
lesson: Two wrong answers
learns: What accuracy cannot see.
minutes: 5
cards:
  - title: Both are wrong
    text: |
      One is near.

      The other is far.
    case: kosmopoulos2015/figure-11a
    measures: hF F_LCA
  - title: Two predictions
    hierarchy: A>B A>C B>T1 B>P1 C>P2
    true: T1
    predicted: P1
    second: {predicted: P2}
    measures: hF accuracy
    view: ancestors
"""

KINDS = """
lesson: Two questions
learns: How each is answered.
minutes: 5
cards:
  - title: Prefers
    case: kosmopoulos2015/figure-11a
    second: {predicted: C}
    measures: hF
    hidden: values
    question: {kind: prefers, measure: hF, answer: first}
  - title: Value
    case: kosmopoulos2015/figure-11a
    measures: hF
    hidden: values
    question: {kind: value, value: hF, answer: 4/7}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A teacher's lessons, with which the app is started."""
    (tmp_path / "two.yaml").write_text(TWO)
    (tmp_path / "kinds.yaml").write_text(KINDS)
    monkeypatch.setenv(LESSONS, str(tmp_path))
    return tmp_path


def learn(**address: str) -> AppTest:
    """The page, opened at an address."""
    return run(page_at("learn", **address))


def press(app: AppTest, key: str) -> AppTest:
    """Press a button of a card, or of the page."""
    if key in controls(app):
        return play(app, key)
    return run(app, app.button(key=key).click())


def texts(app: AppTest) -> list[str]:
    """The paragraphs of the card and its question."""
    return [
        "".join(part[0] for part in p["parts"])
        for p in paragraphs(app, "learn_text", "answer_words")
    ]


def paragraphs(app: AppTest, *keys: str) -> list[dict[str, Any]]:
    shown = controls(app)
    return [p for key in keys if key in shown for p in shown[key]["data"]["paragraphs"]]


def place(app: AppTest) -> str:
    """Where the page says that one is; "" on the list."""
    return str(controls(app).get("learn_place_words", {}).get("text", ""))


def listed(app: AppTest) -> dict[str, dict[str, Any]]:
    """The lessons of the list, by their keys."""
    shelves = [
        part["data"]["lessons"]
        for part in controls(app).values()
        if part.get("component") == "lessons"
    ]
    return {lesson["key"]: lesson for lessons in shelves for lesson in lessons}


def choose(app: AppTest, key: str) -> AppTest:
    return play(app, "learn_teachers", {"kind": "choose", "key": key})


def address(app: AppTest) -> dict[str, Any]:
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in app.query_params.items()
    }


def test_a_lesson_is_chosen_from_the_list_which_names_a_file_with_a_fault(folder: Path) -> None:
    (folder / "wrong.yaml").write_text(TWO.replace("true: T1", "true: T9"))
    app = learn()
    assert any("wrong.yaml" in text and "card 2" in text and "T9" in text for text in errors(app))
    entry = listed(app)["teacher/two"]
    assert [entry[name] for name in ("number", "minutes", "cards", "learns")] == [
        2,
        5,
        2,
        "What accuracy cannot see.",
    ]
    assert place(choose(app, "teacher/two")) == "Two wrong answers  ·  1 / 2"
    assert "teacher/two" in listed(press(app, "learn_list"))


def test_an_address_opens_exactly_that_card_and_follows_to_the_next(folder: Path) -> None:
    app = learn(lesson="teacher/two", card="1")
    assert texts(app)[:3] == ["Both are wrong", "One is near.", "The other is far."]
    assert place(press(app, "learn_next")).endswith("2 / 2")
    assert address(app) == {"lesson": "teacher/two", "card": "2"}


def test_a_card_opens_in_the_explorer_as_it_stands_with_the_way_back(
    folder: Path, went: list[Any]
) -> None:
    app = press(learn(lesson="teacher/two", card="2"), "learn_explorer")
    explorer = app.session_state[EXPLORER.name]
    assert went == [("explore", {})]
    assert explorer.history.present.instance.predicted == {"P2"}
    assert explorer.pinned.shown.instance.predicted == {"P1"}
    assert (explorer.view_state.measure, explorer.view_state.view) == ("hF", "ancestors")
    assert explorer.back.words == "Back to Two wrong answers, card 2"
    assert explorer.back.parameters == {"lesson": "teacher/two", "card": "2"}


# Each kind of question, without a page, is tested in tests/teach/test_player.py.


def test_a_question_is_answered_on_its_card_and_the_list_counts_it(folder: Path) -> None:
    app = learn(lesson="teacher/kinds")
    assert "0.57" not in str(controls(app))
    press(press(app, "answer_choice_1"), "learn_check")
    assert [p["look"] for p in paragraphs(app, "answer_words")][:2] == ["question", "right"]
    assert "0.57" in str(controls(app)["learn_values"])
    press(press(app, "learn_next"), "learn_check")
    assert controls(app)["answer_number"]["fault"] == "Enter a number first."
    play(app, "answer_number", "1/2")
    press(press(app, "learn_check"), "learn_list")
    assert listed(app)["teacher/kinds"]["done"] == "1 of 2 solved · 1 of 2 seen"
