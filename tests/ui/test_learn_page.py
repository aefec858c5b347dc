"""The Learn page without a browser: its list, cards, questions of every kind, and lessons from files and links."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.lessons import Lesson, load_lessons
from hiermeasures.ui.explore.model import EXPLORER
from hiermeasures.ui.launch import LESSONS
from hiermeasures.ui.learn.model import next_lesson
from tests.ui.screen import bound, errors, sent

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

# Figure 11(a). The true classes are {A, B, T1} with their ancestors, the predicted ones {A, B, P1, P2}: hF is 2·2/7.
# T1 is at distance 2 of both, and the class left over costs 5: GIE is 7.
KINDS = """
lesson: Every kind
learns: How each is answered.
minutes: 5
cards:
  - title: Prefers
    case: kosmopoulos2015/figure-11a
    second: {predicted: C}
    measures: hF
    hidden: values
    question: {kind: prefers, measure: hF, answer: first}
  - title: Click
    text: "The value is {hF}."
    case: kosmopoulos2015/figure-11a
    view: ancestors
    measures: hF
    hidden: values
    question: {kind: click, set: augmented(predicted), answer: A B P1 P2, explain: Every ancestor counts.}
  - title: Pair
    case: kosmopoulos2015/figure-11a
    question: {kind: pair, measure: GIE, answer: P1>T1 P2>}
  - title: Value
    case: kosmopoulos2015/figure-11a
    measures: hF
    hidden: values
    question: {kind: value, value: hF, answer: 4/7}
  - title: Make
    case: kosmopoulos2015/figure-11a
    measures: hF
    question: {kind: make, condition: hF > 0.9, answer: T1}
  - title: Which
    case: kosmopoulos2015/figure-11a
    measures: hF GIE
    hidden: values
    question: {kind: which, choices: hF accuracy GIE, says: X = 7, answer: GIE}
  - title: Draw
    case: kosmopoulos2015/figure-11a
    measures: hF
    question: {kind: make, change: hierarchy, condition: hF > 0.6, answer: A>B A>C B>T1 T1>P1 B>P2}
"""
PREFERS, CLICK, PAIR, VALUE, MAKE, WHICH, DRAW = map(str, range(1, 8))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A teacher's lessons, with which the app is started."""
    (tmp_path / "two.yaml").write_text(TWO)
    (tmp_path / "kinds.yaml").write_text(KINDS)
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
    assert cells == ["2. Two wrong answers", "What accuracy cannot see.", "5", ""]


def test_a_file_with_a_fault_is_named_with_card_and_reason_and_the_others_are_there(folder: Path) -> None:
    (folder / "wrong.yaml").write_text(TWO.replace("true: T1", "true: T9"))
    app = learn()
    assert any("wrong.yaml" in text and "card 2" in text and "T9" in text for text in errors(app))
    assert any(row["key"] == "teacher/two" for table in sent(app, "table") for row in table["rows"])


def test_an_address_opens_exactly_that_card_and_follows_to_the_next(folder: Path) -> None:
    app = learn(lesson="teacher/two", card="1")
    assert place(app).endswith("1 / 2")
    assert texts(app)[:3] == ["Both are wrong", "One is near.", "The other is far."]
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


def test_after_the_last_card_comes_the_next_lesson(folder: Path) -> None:
    app = learn(lesson="teacher/kinds", card="7")
    press(app, "learn_next")
    assert address(app) == {"lesson": "teacher/two", "card": "1"}


def test_a_card_opens_in_the_explorer_as_it_stands_with_the_way_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[str] = []
    monkeypatch.setattr("hiermeasures.ui.pages.switch_to", lambda page, *rest: went.append(page))
    app = press(learn(lesson="teacher/two", card="2"), "learn_explorer")
    explorer = app.session_state[EXPLORER.name]
    assert went == ["explore"]
    assert explorer.history.present.instance.predicted == {"P2"}
    assert explorer.pinned.shown.instance.predicted == {"P1"}
    assert (explorer.view_state.measure, explorer.view_state.view) == ("hF", "ancestors")
    assert explorer.back.words == "Back to Two wrong answers, card 2"
    assert explorer.back.parameters == {"lesson": "teacher/two", "card": "2"}


# --- questions ----------------------------------------------------------------------------------------------------


def card(number: str) -> AppTest:
    return learn(lesson="teacher/kinds", card=number)


def enter(app: AppTest, field: str, value: Any) -> AppTest:
    bound(app, field).set_value(value)
    return run(app)


def said(app: AppTest) -> list[str]:
    """The question with its verdict."""
    return next(
        ["".join(part[0] for part in p["parts"]) for p in each["paragraphs"]]
        for each in sent(app, "prose")
        if each["announced"]
    )


def looks(app: AppTest) -> list[str]:
    return [p["look"] for each in sent(app, "prose") if each["announced"] for p in each["paragraphs"]]


def marks(app: AppTest) -> dict[str, tuple[str, str]]:
    """What is drawn at each class of the first drawing: as true, as predicted."""
    return {s["title"]: (s["true"], s["predicted"]) for s in sent(app, "graph")[0]["scene"]["shapes"]}


def legend(app: AppTest) -> list[str]:
    return [line["words"] for line in sent(app, "graph")[0]["scene"]["legend"]]


def cells(app: AppTest) -> list[str]:
    return [cell["text"] for table in sent(app, "table") for row in table["rows"] for cell in row["cells"][2:]]


def test_a_preference_is_chosen_and_checked(folder: Path) -> None:
    app = card(PREFERS)
    assert cells(app) == ["▒▒▒", "▒▒▒"]
    press(app, "answer_choice_1")
    press(app, "learn_check")
    assert looks(app)[:2] == ["question", "right"]
    assert cells(app) == ["0.57", "0.40"]


def test_a_wrong_preference_is_met_with_the_right_one_and_asked_again(folder: Path) -> None:
    app = press(press(card(PREFERS), "answer_choice_2"), "learn_check")
    assert looks(app)[:2] == ["question", "wrong"]
    assert any("first" in text for text in said(app))
    press(app, "learn_again")
    assert looks(app) == ["question"]
    assert cells(app) == ["▒▒▒", "▒▒▒"]


def test_what_is_hidden_does_not_reach_the_browser(folder: Path) -> None:
    app = card(VALUE)
    messages = [e.proto.json for e in app.get("bidi_component")]
    assert not any("0.57" in message or "0.571" in message for message in messages)


def test_classes_are_answered_by_a_field_in_step_with_the_drawing(folder: Path) -> None:
    app = enter(card(CLICK), "answer_classes", ["A", "B"])
    assert [s["title"] for s in sent(app, "graph")[0]["scene"]["shapes"] if s["focused"]] == ["A", "B"]
    assert marks(app)["A"] == ("none", "none")  # the view, which would give the answer away, waits for it
    assert "your answer" in legend(app)


def test_what_was_clicked_is_marked_beside_what_is_right_by_shape_and_words(folder: Path) -> None:
    app = press(enter(card(CLICK), "answer_classes", ["A", "B", "P1", "C"]), "learn_check")
    drawn = marks(app)
    assert drawn["A"] == drawn["B"] == drawn["P1"] == ("class", "class")
    assert (drawn["P2"], drawn["C"], drawn["T1"]) == (("class", "none"), ("none", "class"), ("none", "none"))
    meanings = ["in the right answer only", "in your answer and in the right one", "in your answer only"]
    assert legend(app) == [*meanings, "a true class", "a predicted class"]
    assert sorted(badge["text"] for badge in sent(app, "graph")[0]["scene"]["badges"]) == ["p", "p", "t"]
    assert said(app)[-1] == "Every ancestor counts."


def test_a_wrong_set_says_for_what_it_would_be_right(folder: Path) -> None:
    app = press(enter(card(CLICK), "answer_classes", ["A", "B", "T1"]), "learn_check")
    assert any("true classes" in text for text in said(app)[2:])


def test_the_structure_is_drawn_instead_of_the_answer_on_request(folder: Path) -> None:
    app = press(enter(card(CLICK), "answer_classes", ["A"]), "learn_check")
    enter(app, "answer_drawn", "structure")
    assert marks(app)["P1"] == ("none", "class")
    assert marks(app)["A"] == ("added", "added")


def test_a_pairing_is_drawn_with_what_is_right_missed_and_wrong(folder: Path) -> None:
    app = enter(card(PAIR), "answer_pairs", [("P1", "T1")])
    assert [link["kind"] for link in sent(app, "graph")[0]["scene"]["links"]] == ["yours"]
    press(app, "learn_check")
    assert looks(app)[1] == "right"
    other = press(enter(card(PAIR), "answer_pairs", [("P2", "T1")]), "learn_check")
    assert looks(other)[1] == "right"  # costs as little
    wrong = press(enter(card(PAIR), "answer_pairs", [("P1", ""), ("P2", "")]), "learn_check")
    assert looks(wrong)[1] == "wrong"
    assert [link["kind"] for link in sent(wrong, "graph")[0]["scene"]["links"]] == ["missed"]


@pytest.mark.parametrize("text", ["4/7", "0.57", ".571", "4 / 7"])
def test_a_value_is_entered_as_a_fraction_or_a_decimal(folder: Path, text: str) -> None:
    app = press(enter(card(VALUE), "answer_number", text), "learn_check")
    assert looks(app)[1] == "right"


def test_what_is_no_number_is_said_beside_the_field_and_stays_there(folder: Path) -> None:
    app = press(enter(card(VALUE), "answer_number", "abc"), "learn_check")
    assert looks(app) == ["question"]
    assert len(errors(app)) == 1
    assert bound(app, "answer_number").value == "abc"


def test_a_prediction_is_changed_until_the_condition_holds_and_its_values_follow(folder: Path) -> None:
    app = enter(card(MAKE), "answer_classes", ["T1", "P1"])
    # {A, B, T1} and {A, B, T1, P1}: 2·3/7
    assert cells(app) == ["0.86"]
    assert marks(app)["T1"] == ("class", "class")
    press(app, "learn_check")
    assert looks(app)[1] == "wrong"
    press(app, "learn_again")
    press(enter(app, "answer_classes", ["T1"]), "learn_check")
    assert looks(app)[1] == "right"


def test_a_hierarchy_is_changed_by_its_lines_and_a_fault_is_said_beside_them(folder: Path) -> None:
    app = enter(card(DRAW), "answer_lines", "A B\nB A")
    assert len(errors(app)) == 1
    enter(app, "answer_lines", "A B\nA C\nB T1\nB P1")
    assert any("P2" in text for text in errors(app))
    press(enter(app, "answer_lines", "A B\nA C\nB T1\nT1 P1\nB P2"), "learn_check")
    # {A, B, T1} and {A, B, T1, P1, P2}: 2·3/8
    assert looks(app)[1] == "right"


def test_which_measure_could_have_said_it(folder: Path) -> None:
    assert looks(press(press(card(WHICH), "answer_choice_3"), "learn_check"))[1] == "right"
    assert looks(press(press(card(WHICH), "answer_choice_1"), "learn_check"))[1] == "wrong"


@pytest.mark.parametrize("number", [PREFERS, CLICK, PAIR, VALUE, MAKE, WHICH, DRAW])
def test_every_question_can_be_revealed_and_none_is_checked_before_it_is_answered(folder: Path, number: str) -> None:
    app = press(card(number), "learn_check")
    assert len(errors(app)) == 1
    press(app, "learn_reveal")
    assert looks(app)[:2] == ["question", "right"]
    assert said(app)[1].startswith("The answer: ")
    assert errors(app) == []


def test_an_answer_stays_when_one_goes_on_and_comes_back(folder: Path) -> None:
    app = press(press(card(PREFERS), "answer_choice_1"), "learn_check")
    press(app, "learn_next")
    press(app, "learn_back")
    assert looks(app)[1] == "right"


def test_a_revealed_change_shows_the_answers_instance_with_its_values(folder: Path) -> None:
    app = press(enter(card(MAKE), "answer_classes", ["C"]), "learn_reveal")
    assert (marks(app)["T1"], marks(app)["C"]) == (("class", "class"), ("none", "none"))
    assert cells(app) == ["1.00"]


def test_the_list_tells_how_many_questions_were_right(folder: Path) -> None:
    app = press(press(card(PREFERS), "answer_choice_1"), "learn_check")
    for _ in range(6):
        press(press(app, "learn_next"), "learn_reveal")
    press(app, "learn_list")
    row = next(row for table in sent(app, "table") for row in table["rows"] if row["key"] == "teacher/kinds")
    assert row["cells"][-1]["text"] == "✓ 1 of 7 right"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", load_lessons().lessons, ids=lambda lesson: lesson.key)
def test_every_card_of_the_course_is_shown_and_revealed(lesson: Lesson) -> None:
    app = learn(lesson=lesson.key)
    for card in lesson.cards:
        assert texts(app)[0] == card.title
        if card.question is not None:
            press(app, "learn_reveal")
            assert looks(app)[:2] == ["question", "right"]
        assert errors(app) == []
        press(app, "learn_next")
    assert address(app).get("lesson", "") == next_lesson(lesson.key)
