"""A lesson of one's own: cards made of what is drawn, edited beside it, kept, saved, linked and
opened again.
"""

import json
from functools import cached_property
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.learn import draft_form, model
from hiermeasures.app.learn.draft_lesson import (
    WRITING,
    DraftLesson,
    Entries,
    Writing,
    as_file,
    as_text,
    finish_lesson,
    from_file,
    from_text,
)
from hiermeasures.draw.views import OPENING, with_measure, with_view
from hiermeasures.explore.library import figure
from hiermeasures.explore.model import Pinned, State
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.shown import History
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach import Lesson, read_lesson
from hiermeasures.teach.library import lesson_yaml
from tests.app.screen import controls, errors, page_at, play, run
from tests.app.test_learn_page import learn, place, press, texts
from tests.explore.hand import Hand


class WritingHand(Hand):
    """On a lesson of some cards, by default of none."""

    def __init__(self, *cards: Entries, at: Writing | None = None) -> None:
        self.now = (at or Writing(History(DraftLesson(cards=cards)))).ready()

    def use(self, key: str, value: Any = None) -> "WritingHand":
        self.__dict__.pop("drawn", None)
        self.now = draft_form.after(self.now, key, value)
        return self

    def click(self, label: str, mode: str = "") -> "WritingHand":
        mode = mode or getattr(self.now.editor, "click", "")
        return self.do("my_graph", "click", **ident(self, label), mode=mode)

    @cached_property
    def drawn(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            json.dumps(draft_form.draw_form(self.now, Inbox("token")), allow_nan=False)
        )
        return found

    @property
    def shapes(self) -> dict[str, dict[str, Any]]:
        return {shape["title"]: shape for shape in self.data("my_graph")["scene"]["shapes"]}

    @property
    def lesson(self) -> DraftLesson:
        return self.now.lesson

    @property
    def card(self) -> Entries:
        return self.lesson.card

    @property
    def wrong(self) -> dict[str, str]:
        """The faults of the card, by the key of what says it."""
        faults = (control for control in self.all() if control.get("style") == "error")
        return {control.get("key", ""): control["text"] for control in faults}

    @property
    def dots(self) -> list[bool]:
        """For each card, whether it is marked as unfinished."""
        return [bool(row["cells"][-1]["text"]) for row in self.data("my_cards")["rows"]]

    def read(self) -> Lesson:
        """The file of the lesson, read again."""
        return read_lesson(as_file(self.lesson).encode(), "saved.yaml")


FIGURE = "kosmopoulos2015/figure-11a"
CARD = {"title": "A card", "case": FIGURE, "measures": ["hF"]}


def test_a_card_is_drawn_from_nothing_and_asks_for_a_set_by_its_words() -> None:
    at = WritingHand().press("my_blank").set("lines", "A B\nA C\nB T\nB P")
    at.set("click", "◯ true").click("T").set("click", "▢ predicted").click("P")
    assert list(at.wrong) == ["card_title_wrong"]
    at.set("card_title", "Above").set("card_kind", "click classes")
    assert at.dots == [True]
    # the ancestors of T with itself are A, B and T
    at.set("question_set", "the augmented set of the true classes: A, B, T")
    assert at.dots == [False]
    question = at.read().cards[0].question
    assert question is not None
    assert question.answer() == {"A", "B", "T"}


def test_a_figure_becomes_a_card_and_stays_that_figure_while_its_classes_change() -> None:
    at = WritingHand().open("my_figure").do("my_figures", "choose", key=FIGURE)
    assert at.card["case"] == FIGURE
    at.click("C")
    card = at.read().cards[0]
    assert (card.case, card.instances[0].predicted) == (FIGURE, {"C", "P1", "P2"})
    at.set("click", "✎ edit").do("my_graph", "edit", do="child", **{"class": ident(at, "C")})
    assert "case" not in at.card
    card = at.read().cards[0]
    assert len(card.instances[0].hierarchy) == 7
    assert card.instances[0].options == figure(FIGURE).instance.options


def ident(at: WritingHand, label: str) -> dict[str, str]:
    return {"id": at.shapes[label]["id"], "name": label}


def test_a_second_prediction_follows_the_hierarchy_and_the_true_classes_of_the_first() -> None:
    at = WritingHand(CARD).press("card_second").click("P1").set("card_which", "First prediction")
    at.set("click", "✎ edit").do(
        "my_graph", "edit", do="rename", to="Q", **{"class": ident(at, "P2")}
    )
    at.set("click", "◯ true").click("C")
    first, second = at.read().cards[0].instances
    assert first.hierarchy == second.hierarchy
    assert (first.true, first.predicted) == ({"C", "T1"}, {"P1", "Q"})
    assert (second.true, second.predicted) == ({"C", "T1"}, {"Q"})
    at.press("card_one")
    assert len(at.read().cards[0].instances) == 1


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("text", "hF is {hF = 0.66}.", "0.57"),
        ("text", "hF is 0.57.", "0.57"),
        ("text", "{hG}", "hG"),
        ("title", "", "title"),
    ],
)
def test_what_is_wrong_is_said_below_its_field_and_nothing_is_lost(
    field: str, value: str, reason: str
) -> None:
    at = WritingHand(CARD).set(f"card_{field}", value)
    assert list(at.wrong) == [f"card_{field}_wrong"]
    assert reason in at.wrong[f"card_{field}_wrong"]
    assert at.control(f"card_{field}")["value"] == value
    assert at.has("my_graph")
    with pytest.raises(InputError, match="finished"):
        finish_lesson(at.lesson)
    assert from_text(as_text(at.lesson)).card[field] == value


QUESTIONS = [
    {"kind": "prefers", "measure": "hF"},
    {"kind": "click", "set": "augmented(predicted)"},
    {"kind": "pair", "measure": "GIE"},
    {"kind": "value", "value": "hF", "tolerance": "0.01"},
    {"kind": "make", "condition": "hF > 0.9", "answer": "T1"},
    {
        "kind": "make",
        "condition": "hF > 0.6",
        "change": "hierarchy",
        "answer": "A>B A>C B>T1 T1>P1 B>P2",
    },
    {"kind": "which", "choices": ["hF", "GIE"], "says": "X = 7", "explain": "A pair."},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["kind"])
def test_every_kind_of_question_is_written_and_reads_back_the_same(
    question: dict[str, Any],
) -> None:
    second = {"second": {"predicted": "C"}} if question["kind"] == "prefers" else {}
    at = WritingHand({**CARD, **second, "question": question})
    assert (at.wrong, at.dots) == ({}, [False])
    asked = at.set("click", "answer").read().cards[0].question
    assert asked is not None
    assert asked.kind == question["kind"]
    verdict = asked.judge(asked.answer())
    assert (verdict.right, verdict.would_be) == (True, "")
    assert verdict.answer_words in at.control("card_answer")["text"]


def titles(at: WritingHand) -> list[str]:
    return [card["title"] for card in at.lesson.cards]


def test_cards_are_put_in_order_doubled_and_deleted_and_all_of_it_is_undone() -> None:
    at = WritingHand(*({**CARD, "title": name} for name in ("one", "two", "three")))
    at.press("my_down")
    assert titles(at) == ["two", "one", "three"]
    at.press("my_twice", "my_delete", "my_delete")
    assert titles(at) == ["two", "three"]
    at.press("undo", "undo", "undo", "undo")
    assert titles(at) == ["one", "two", "three"]
    at.press("redo")
    assert titles(at) == ["two", "one", "three"]


def test_what_is_not_finished_is_left_out_of_the_students_lesson_and_kept_in_the_file() -> None:
    unasked = {**CARD, "title": "Asks", "question": {"kind": "click"}}
    lesson = DraftLesson(cards=({**CARD, "title": ""}, CARD, unasked))
    found = finish_lesson(lesson)
    read = read_lesson(found.text.encode(), "student.yaml")
    assert [(card.title, card.question) for card in read.cards] == [
        ("A card", None),
        ("Asks", None),
    ]
    assert ["card 1" in found.notes[0], "question of card 3" in found.notes[1]] == [True, True]
    assert [found.place(k) for k in range(3)] == [0, 0, 1]
    kept = from_file(as_file(lesson).encode(), "mine.yaml").cards[2]
    assert kept["question"] == {"kind": "click"}
    strange = lesson_yaml({"cards": [{**CARD, "question": {"kind": ["click"]}}]})
    assert "question" not in from_file(strange.encode(), "strange.yaml").cards[0]
    assert WritingHand(at=Writing(History(lesson))).open("my_file").has("my_file_note")


def test_what_the_browser_kept_comes_back_and_what_was_made_before_it_was_read_comes_behind() -> (
    None
):
    old, new = ({**CARD, "title": title} for title in ("old", "new"))
    kept = as_text(DraftLesson(title="Tuesday", cards=(old, {**CARD, "title": ""})))
    at = Writing(History(DraftLesson(cards=(new,)))).told({"text": kept})
    assert at.lesson.title == "Tuesday"
    assert [card["title"] for card in at.lesson.cards] == ["old", "", "new"]
    assert at.kept_text() == as_text(at.lesson)
    for message in (None, 1, {}, {"text": "x"}, {"fault": 7}):
        assert at.told(message).lesson == at.lesson  # no message
    # told by another page as well
    assert at.told({"text": kept, "begins": True}).lesson == at.lesson
    other = at.told({"text": kept})  # another window changed it
    assert len(other.lesson.cards) == 2
    assert len(other.history.undo().present.cards) == 3


def test_nothing_is_kept_before_the_copy_was_read_nor_once_it_is_to_be_forgotten() -> None:
    at = WritingHand(CARD)
    assert at.now.kept_text() is None
    at.now = at.now.told({"text": ""})
    assert at.now.kept_text() is not None
    at.press("my_forget")
    assert at.now.kept_text() is None
    assert at.press("my_keep").now.kept_text() is not None


NO_COPY = (
    "",
    "x",
    "[]",
    "{}",
    '{"cards": 1}',
    '{"cards": [1]}',
    '{"cards": [{"true": 1}]}',
    "[" * 99_999,
)


@pytest.mark.parametrize("text", [*NO_COPY, '{"cards": [' + "{}," * 70 + "{}]}"])
def test_a_copy_that_is_none_is_refused_and_loses_nothing(text: str) -> None:
    at = WritingHand(at=Writing(History(DraftLesson(cards=(CARD,)))).told({"text": text}))
    assert at.lesson.cards == (CARD,)
    assert bool(at.now.kept.fault) == bool(text)


def test_a_file_takes_the_place_of_the_lesson_and_can_be_undone() -> None:
    entries = {"lesson": "Other", "learns": "y", "minutes": "7", "options": {"dmax": "3"}}
    file = {"name": "other.yaml", "text": lesson_yaml({**entries, "cards": [CARD]})}
    at = WritingHand(CARD, CARD).open("my_file").set("my_open", file)
    assert (at.lesson.title, at.lesson.minutes, len(at.lesson.cards)) == ("Other", 7, 1)
    assert at.read().cards[0].instances[0].options.dmax == 3
    assert len(at.press("undo").lesson.cards) == 2


@pytest.mark.parametrize("text", ["x: [", "- 1", "lesson: x", "cards: 3", "cards: [1]", "\x00", ""])
def test_a_file_that_is_no_lesson_is_refused_by_name(text: str) -> None:
    at = WritingHand(CARD).open("my_file").set("my_open", {"name": "wrong.yaml", "text": text})
    assert "wrong.yaml" in at.fault("my_open")
    assert at.lesson.cards == (CARD,)


def test_entries_of_strangers_are_texts_or_nothing() -> None:
    text = """cards:
  - {title: [a], text: {b: c}, case: FIGURE, question: click, measures: [[hF]], hidden: nobody,
     define: x, options: y, claims: {a: b}, other: x}
  - {title: two, case: [x], hierarchy: {nested: x}, second: x, view: x,
     question: {kind: which, choices: [[hF]], says: {a: b}, explain: kept}}
  - {case: FIGURE, question: {kind: nobody}, second: {predicted: [C]}}
""".replace("FIGURE", FIGURE)
    at = WritingHand(at=Writing(History(from_file(text.encode(), "x.yaml"))))
    empty = {"title": "", "text": "", "view": ""}
    assert dict(at.card) == {**empty, "case": FIGURE, "hidden": "nobody"}
    second = at.do("my_cards", "choose", key="1").card
    assert second["question"] == {"kind": "which", "explain": "kept"}
    assert at.has("card_drawing_wrong")
    assert at.do("my_cards", "choose", key="2").has("my_graph")
    assert at.dots == [True, True, True]


def form(*cards: dict[str, Any]) -> AppTest:
    """The page with these cards."""
    app = page_at("learn", edit="1")
    app.session_state[WRITING.name] = Writing(History(DraftLesson(cards=cards or (CARD,))))
    return run(app)


def pressed(app: AppTest, key: str) -> AppTest:
    """A control of the screen is pressed."""
    return play(app, key)


def test_a_card_is_tried_as_a_student_has_it_and_leads_back() -> None:
    app = pressed(form({**CARD, "title": ""}, {**CARD, "text": "hF is {hF}."}), "my_try")
    assert place(app) == "My lesson  ·  1 / 1"
    assert texts(app)[:2] == ["A card", "hF is 0.57."]
    press(app, "learn_form")
    assert "card_title" in controls(app)


def test_a_card_is_made_of_what_the_explorer_shows_and_the_pinned_state_is_its_second_prediction() -> (
    None
):
    start, shown = figure(FIGURE), figure(FIGURE).with_classes("predicted", ["C"])
    at = with_view(with_measure(OPENING, "GIE"), "distances")
    state = State(History(shown), view_state=at, starred=frozenset({"hF"}))
    card = WritingHand(at=Writing().with_shown(state)).read().cards[0]
    assert (card.instances[0].predicted, card.measures) == ({"C"}, ("GIE", "hF"))
    assert (card.instances[0].options, card.view) == (shown.instance.options, "distances")
    made = WritingHand(at=Writing().with_shown(State(History(start), pinned=Pinned(shown))))
    assert made.card["case"] == FIGURE
    assert [i.predicted for i in made.read().cards[0].instances] == [{"P1", "P2"}, {"C"}]


def content(lesson: Lesson) -> str:
    """All that a lesson says, to be compared."""
    return lesson.entries.model_dump_json()


def test_the_saved_file_and_the_link_give_the_same_lesson_and_so_does_the_form() -> None:
    lesson = DraftLesson(
        cards=tuple({**CARD, "text": "hF is {hF}.", "question": q} for q in QUESTIONS[1:])
    )
    saved = read_lesson(as_file(lesson).encode(), "saved.yaml")
    linked = learn(own=model.lesson_word(finish_lesson(lesson).text), card="2")
    assert place(linked).endswith("2 / 6")
    assert content(linked.session_state["learn_model"].opened) == content(saved)
    press(linked, "learn_list")
    press(linked, "learn_edit")
    assert content(WritingHand(at=linked.session_state[WRITING.name]).read()) == content(saved)


@pytest.mark.parametrize("text", ["lesson: x", "lesson: {a: b}\ncards: 3", ""])
def test_a_link_with_anything_else_says_so_on_the_list(text: str) -> None:
    app = learn(own=model.lesson_word(text))
    assert len(errors(app)) == 1
    assert place(app) == ""


@pytest.mark.parametrize(
    ("text", "question", "warned"),
    [
        ("hF is {hF}.", {"kind": "value", "value": "hF"}, True),
        ("GIE is {GIE}.", {"kind": "value", "value": "hF"}, False),
        ("hF is {hF} and {hF_second}.", {"kind": "prefers", "measure": "hF"}, True),
        ("GIE is {GIE}.", {"kind": "prefers", "measure": "hF"}, False),
        ("Look.", {"kind": "value", "value": "hF"}, False),
    ],
)
def test_a_text_that_contains_the_answer_gets_a_warning(
    text: str, question: Entries, warned: bool
) -> None:
    card = {"title": "One", "hierarchy": "A>B A>C B>D B>E", "true": "D E", "predicted": "D C"}
    second = {"second": {"predicted": "C"}, "measures": "hF"}
    at = WritingHand({**card, **second, "text": text, "question": question})
    assert bool(at.now.checked.spoiler) is warned
    assert ("card_text_spoils" in {c.get("key") for c in at.all()}) is warned
    assert at.now.checked.card is not None
    assert "values" in at.now.checked.card.hidden  # preset: the question asks about values


def test_a_lesson_keeps_the_tables_probabilities_and_group_of_its_file() -> None:
    head = "lesson: One\nlearns: A thing.\nminutes: 1\ngroup: Mine\ncards:\n"
    more = "    table: [[One, Two], [A, B]]\n    probabilities: {B: 0.5}\n"
    text = f"{head}  - title: A card\n    hierarchy: A>B A>C\n    true: B\n{more}"
    again = read_lesson(as_file(from_file(text.encode(), "one.yaml")).encode(), "again.yaml")
    assert (again.group, again.cards[0].table) == ("Mine", (("One", "Two"), ("A", "B")))
    assert again.cards[0].probabilities == {"B": "0.5"}
