"""A lesson of one's own: cards made of what the Explorer shows, edited in the form, saved, linked and opened again."""

import string
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER, Explorer
from hiermeasures.app.learn import location
from hiermeasures.app.learn.draft_lesson import DRAFT_LESSON, DraftLesson, as_file
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.library import figure
from hiermeasures.explorer.model import Pinned
from hiermeasures.explorer.packed_text import unpacked
from hiermeasures.explorer.state import History
from hiermeasures.lessons import Lesson, read_lesson
from hiermeasures.lessons.cards import MOST_CARDS
from hiermeasures.lessons.writing import lesson_yaml
from hiermeasures.picture.views import OPENING, with_measure, with_view
from tests.app.screen import AppHand, bound, errors, opened, sent
from tests.app.test_learn_page import PAGE, learn, place, press, run, texts

FIGURE = "kosmopoulos2015/figure-11a"
CARD = {"title": "A card", "case": FIGURE, "measures": ["hF"]}


def form(*cards: dict[str, Any]) -> AppTest:
    """The form with these cards."""
    app = AppTest.from_string(PAGE, default_timeout=60)
    app.session_state[DRAFT_LESSON.name] = DraftLesson(cards=cards or (CARD,))
    app.query_params["edit"] = "1"
    return run(app)


def enter(app: AppTest, field: str, value: Any) -> AppTest:
    bound(app, field).set_value(value)
    return run(app)


def now(app: AppTest) -> DraftLesson:
    lesson: DraftLesson = app.session_state[DRAFT_LESSON.name]
    return lesson


def read(app: AppTest) -> Lesson:
    """The file of the lesson, read again."""
    return read_lesson(as_file(now(app)).encode(), "saved.yaml")


# --- from the Explorer --------------------------------------------------------------------------------------------


def made_of(**parts: Any) -> AppTest:
    """The Explorer with a state of its own, of which a card was made."""
    app = opened()
    app.session_state[EXPLORER.name] = Explorer(**parts)
    app.run()
    AppHand(app).open("sharing").press("make_card")
    return app


def test_a_card_is_made_of_what_the_explorer_shows() -> None:
    shown = figure(FIGURE).with_classes("predicted", ["C"])
    at = with_view(with_measure(OPENING, "GIE"), "distances")
    app = made_of(history=History(shown), view_state=at, starred=frozenset({"hF"}))
    card = read(app).cards[0]
    assert card.instances[0].predicted == {"C"}
    assert card.instances[0].options == shown.instance.options
    assert (card.measures, card.view) == (("GIE", "hF"), "distances")


def test_a_figure_as_it_is_stays_that_figure_and_the_pinned_state_is_the_second_prediction() -> None:
    shown = figure(FIGURE)
    app = made_of(history=History(shown), pinned=Pinned(shown.with_classes("predicted", ["C"])))
    assert now(app).cards[0]["case"] == FIGURE
    card = read(app).cards[0]
    assert [i.predicted for i in card.instances] == [{"P1", "P2"}, {"C"}]
    assert card.case == FIGURE


def test_a_measure_of_ones_own_comes_along() -> None:
    own = "mine:0..1=0.5*hF + 0.5*F_LCA"
    app = made_of(history=History(figure(FIGURE)), view_state=with_view(with_measure(OPENING, own), "lca"))
    assert read(app).cards[0].measures == (own,)


# --- the form -----------------------------------------------------------------------------------------------------


def test_a_card_gets_its_text_and_a_question_whose_answer_is_computed() -> None:
    app = enter(enter(form(), "card_title", "Two for one"), "card_text", "hF is {hF = 0.57}.")
    enter(app, "card_kind", "click")
    assert len(errors(app)) == 1  # nothing to click is named yet
    enter(app, "question_set", "augmented(true)")
    assert errors(app) == []
    assert "The answer: A, B, T1" in [each["text"] for each in sent(app, "text")]
    card = read(app).cards[0]
    assert (card.title, "".join(piece.text for piece in card.text[0])) == ("Two for one", "hF is 0.57.")
    assert card.question is not None
    assert card.question.answer() == {"A", "B", "T1"}


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("card_text", "hF is {hF = 0.66}.", "0.57"),
        ("card_text", "hF is 0.57.", "0.57"),
        ("card_text", "{hG}", "hG"),
        ("card_title", "", "title"),
    ],
)
def test_what_is_wrong_is_said_in_the_form_and_nothing_is_lost(field: str, value: str, reason: str) -> None:
    app = enter(form(), field, value)
    assert any(reason in text for text in errors(app))
    assert now(app).cards[0][field.removeprefix("card_")] == value
    with pytest.raises(InputError, match="Card 1: "):
        as_file(now(app))


QUESTIONS = [
    {"kind": "prefers", "measure": "hF"},
    {"kind": "click", "set": "augmented(predicted)"},
    {"kind": "pair", "measure": "GIE"},
    {"kind": "value", "value": "hF", "tolerance": "0.01"},
    {"kind": "make", "condition": "hF > 0.9", "answer": "T1"},
    {"kind": "make", "condition": "hF > 0.6", "change": "hierarchy"},
    {"kind": "which", "choices": ["hF", "GIE"], "says": "X = 7", "explain": "T1 pairs with one of them."},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["kind"])
def test_every_kind_of_question_is_written_and_reads_back_the_same(question: dict[str, Any]) -> None:
    second = {"second": {"predicted": "C"}} if question["kind"] == "prefers" else {}
    app = form({**CARD, **second, "question": question})
    assert errors(app) == []
    asked = read(app).cards[0].question
    assert asked is not None
    assert asked.kind == question["kind"]
    verdict = asked.judge(asked.answer())
    assert (verdict.right, verdict.would_be) == (True, "")
    assert verdict.why
    assert verdict.answer_words


def test_cards_are_put_in_order_and_deleted() -> None:
    app = form({**CARD, "title": "one"}, {**CARD, "title": "two"}, {**CARD, "title": "three"})
    press(app, "my_down")
    assert [card["title"] for card in now(app).cards] == ["two", "one", "three"]
    press(app, "my_delete")
    assert [card["title"] for card in now(app).cards] == ["two", "three"]
    press(app, "my_restore")
    assert [card["title"] for card in now(app).cards] == ["two", "three", "one"]


def test_a_deleted_card_comes_back_only_where_there_is_room_for_it() -> None:
    app = press(form(CARD, CARD), "my_delete")
    app.session_state[DRAFT_LESSON.name] = replace(now(app), cards=(CARD,) * MOST_CARDS)
    assert run(app).button(key="my_restore").disabled


@pytest.mark.parametrize("field", ["my_title", "my_learns"])
def test_a_lesson_without_a_title_or_an_aim_is_not_saved_and_says_why(field: str) -> None:
    app = enter(form(), field, " ")
    assert not app.get("download_button")
    assert app.button(key="my_preview").disabled
    assert any(each["kind"] == "note" and "yet" in each["text"] for each in sent(app, "text"))


def test_a_preview_shows_the_card_and_leads_back_to_the_form() -> None:
    app = press(form({**CARD, "text": "hF is {hF}."}), "my_preview")
    assert place(app) == "My lesson  ·  1 / 1"
    assert texts(app)[:2] == ["A card", "hF is 0.57."]
    press(app, "learn_form")
    assert bound(app, "card_title").value == "A card"


# --- file and link ------------------------------------------------------------------------------------------------


def content(lesson: Lesson) -> str:
    """All that a lesson says, to be compared."""
    return lesson.entries.model_dump_json()


def test_the_saved_file_and_the_link_give_the_same_lesson_and_so_does_the_form() -> None:
    cards = [{**CARD, "text": "hF is {hF}.", "question": question} for question in QUESTIONS[1:]]
    app = form(*cards)
    text = as_file(now(app))
    saved = read_lesson(text.encode(), "saved.yaml")
    linked = learn(own=location.lesson_word(text), card="2")
    assert place(linked).endswith("2 / 6")
    model = linked.session_state["learn_model"]
    assert content(model.opened) == content(saved)
    press(linked, "learn_list")
    press(linked, "learn_edit")
    assert content(read(linked)) == content(saved)


@pytest.mark.parametrize(
    "text",
    ["lesson: x", "[1, 2", "lesson: {a: b}\ncards: 3", "lesson: x\nlearns: y\nminutes: z\ncards: []", "\x00", ""],
)
def test_a_link_with_anything_else_says_so_on_the_list(text: str) -> None:
    app = learn(own=location.lesson_word(text))
    assert len(errors(app)) == 1
    assert place(app) == ""


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xfe", "not YAML"),
        (b"x" * 1_100_000, "larger than 1000 kB"),
        (b"lesson: x\nlearns: y\nminutes: 5\ncards: []", "cards"),
    ],
)
def test_an_uploaded_file_that_is_no_lesson_is_refused_by_name(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        location.open_file(data, "wrong.yaml")
    assert "wrong.yaml" in str(caught.value)


def test_a_lesson_that_is_too_large_for_a_link_is_still_a_file() -> None:
    numbers = Random(1)
    app = form(*({**CARD, "text": " ".join(numbers.choices(string.ascii_letters, k=900))} for _ in range(30)))
    assert any("too large for a link" in each["text"] for each in sent(app, "text"))
    assert len(read(app).cards) == 30


def test_a_lesson_that_compresses_well_has_no_link_that_would_be_refused() -> None:
    text = "x" * (location.UNPACKED.bytes + 1)
    with pytest.raises(InputError, match="too large for a link"):
        location.lesson_word(text)
    assert unpacked(location.lesson_word(text[1:]), location.UNPACKED) == text[1:]


def test_labels_and_texts_are_data_of_components_and_never_markup() -> None:
    nasty = "<img src=x onerror=alert(1)> **b** $x$ {{}}"
    card = {"title": nasty, "text": nasty, "hierarchy": {"nested": {"A": ["<b>", "B"]}}, "true": ["<b>"]}
    text = lesson_yaml({"lesson": nasty, "learns": nasty, "minutes": "1", "cards": [card]})
    app = learn(own=location.lesson_word(text))
    drawn = [element.value for element in (*app.markdown, *app.title, *app.caption)]
    assert not any("<img" in value for value in drawn)
    assert texts(app)[:2] == [nasty, nasty.replace("{{}}", "{}")]  # doubled braces are single ones in a text
