"""The Learn page without a browser: its list, cards, questions of every kind, and lessons from files and links."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.ui.explore.model import EXPLORER
from hiermeasures.ui.launch import LESSONS
from tests.ui.screen import errors, sent

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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A teacher's lessons, with which the app is started."""
    (tmp_path / "two.yaml").write_text(TWO)
    monkeypatch.setenv(LESSONS, str(tmp_path))
    return tmp_path


PAGE = "from hiermeasures.ui.learn.page import page\npage()"


def learn(**address: str) -> AppTest:
    """The page, opened at an address."""
    app = AppTest.from_string(PAGE, default_timeout=60)
    for name, value in address.items():
        app.query_params[name] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, [e.stack_trace for e in app.exception]
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return run(app)


def texts(app: AppTest) -> list[str]:
    """The paragraphs of the page."""
    return ["".join(part[0] for part in p["parts"]) for each in sent(app, "prose") for p in each["paragraphs"]]


def place(app: AppTest) -> str:
    """Where the page says that one is; "" on the list."""
    return next((each["text"] for each in sent(app, "text") if " / " in each["text"]), "")


def address(app: AppTest) -> dict[str, Any]:
    return {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}


def test_the_list_names_every_lesson_with_what_it_teaches_and_how_long(folder: Path) -> None:
    rows = [row for table in sent(learn(), "table") for row in table["rows"]]
    cells = next([cell["text"] for cell in row["cells"]] for row in rows if row["key"] == "teacher/two")
    assert cells == ["1", "Two wrong answers", "What accuracy cannot see.", "5", ""]


def test_a_file_with_a_fault_is_named_with_card_and_reason_and_the_others_are_there(folder: Path) -> None:
    (folder / "wrong.yaml").write_text(TWO.replace("true: T1", "true: T9"))
    app = learn()
    assert any("wrong.yaml" in text and "card 2" in text and "T9" in text for text in errors(app))
    assert any(row["key"] == "teacher/two" for table in sent(app, "table") for row in table["rows"])


def test_an_address_opens_exactly_that_card_and_follows_to_the_next(folder: Path) -> None:
    app = learn(lesson="teacher/two", card="1")
    assert place(app).endswith("1 / 2")
    assert texts(app)[0] == "Both are wrong"
    press(app, "learn_next")
    assert place(app).endswith("2 / 2")
    assert address(app) == {"lesson": "teacher/two", "card": "2"}
    press(app, "learn_back")
    assert address(app) == {"lesson": "teacher/two", "card": "1"}


@pytest.mark.parametrize("wrong", [{"lesson": "nowhere"}, {"lesson": "teacher/two", "card": "x"}, {"own": "nonsense"}])
def test_an_address_that_leads_nowhere_says_so_on_the_list(folder: Path, wrong: dict[str, str]) -> None:
    app = learn(**wrong)
    assert len(errors(app)) == 1
    assert place(app) == ""


def test_two_predictions_stand_side_by_side_and_what_a_measure_prefers_is_in_a_box(folder: Path) -> None:
    app = learn(lesson="teacher/two", card="2")
    assert [
        sorted(s["title"] for s in g["scene"]["shapes"] if s["predicted"] == "class") for g in sent(app, "graph")
    ] == [["P1"], ["P2"]]
    rows = {row["key"]: row["cells"][2:] for table in sent(app, "table") for row in table["rows"]}
    # {A, B, T1} and {A, B, P1} share two of three, {A, C, P2} shares one: 2 * 2 / 6 and 2 * 1 / 6
    assert [(cell["text"], cell["strong"]) for cell in rows["hF"]] == [("0.67", True), ("0.33", False)]
    assert [(cell["text"], cell["strong"]) for cell in rows["accuracy"]] == [("0.00", False), ("0.00", False)]


def test_a_lesson_is_done_when_its_last_card_was_read(folder: Path) -> None:
    app = learn(lesson="teacher/two")
    press(app, "learn_next")
    press(app, "learn_next")
    rows = [row for table in sent(app, "table") for row in table["rows"] if row["key"] == "teacher/two"]
    assert rows[0]["cells"][-1]["text"] == "✓ done"
    assert address(app) == {}


def test_a_card_opens_in_the_explorer_as_it_stands_with_the_way_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[str] = []
    monkeypatch.setattr("hiermeasures.ui.learn.explorer.switch_to", lambda page, *rest: went.append(page))
    app = press(learn(lesson="teacher/two", card="2"), "learn_explorer")
    explorer = app.session_state[EXPLORER.name]
    assert went == ["explore"]
    assert explorer.history.present.instance.predicted == {"P2"}
    assert explorer.pinned.shown.instance.predicted == {"P1"}
    assert (explorer.view_state.measure, explorer.view_state.view) == ("hF", "ancestors")
    assert explorer.back.words == "Back to Two wrong answers, card 2"
    assert explorer.back.parameters == {"lesson": "teacher/two", "card": "2"}
