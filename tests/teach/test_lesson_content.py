"""What lessons show besides text and drawing: groups, tables, probabilities and definitions."""

from collections import Counter
from typing import Any

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.teach import Lesson, load_lessons, read_lesson
from hiermeasures.teach.cards import Card
from hiermeasures.teach.kinds.value import COMBINED
from hiermeasures.teach.player.card import PREFERRED, card_controls, values_of
from hiermeasures.teach.player.drawing import CardDrawing, choose_view
from hiermeasures.teach.player.inputs import AnswerState
from hiermeasures.teach.player.model import Player, PlayerHost
from hiermeasures.teach.quiz import moodle_xml, quiz_of_lesson

HEAD = "lesson: One\nlearns: A thing.\nminutes: 1\ncards:\n"
CARD = "  - title: A card\n    hierarchy: A>B A>C B>D\n    true: D\n    predicted: B\n"


def lesson(number: int) -> Lesson:
    return next(each for each in load_lessons().lessons if each.number == number)


def written(more: str, head: str = HEAD) -> Lesson:
    return read_lesson(f"{head}{CARD}{more}".encode(), "one.yaml")


def player() -> Player:
    return Player(PlayerHost(lambda key: lesson(0)))


def parts(card: Card) -> dict[str, Any]:
    return {part.key: part.as_data({}) for part in card_controls(player(), card, "k").all()}


def test_the_course_has_three_groups():
    groups = Counter(each.group for each in load_lessons().lessons)
    assert groups == {"Start": 3, "Families": 6, "Comparing systems": 9}


def test_a_lesson_without_a_group_is_still_read():
    assert written("").group == ""
    assert written("", HEAD.replace("cards:", "group: Mine\ncards:")).group == "Mine"


def test_lesson_11_shows_its_four_products_and_both_systems():
    card = lesson(11).cards[0]
    assert [row[0] for row in card.table[1:]] == ["Wok", "Kettle", "Spade", "Rake"]
    assert [row[2] for row in card.table[1:]] == ["Wok", "Kettle", "Rake", "Wok"]
    # hF of B, with the root: 1, 1, {Shop, Garden, Tools} of 4 and 4: 0.75, {Shop}: 2·1/8
    assert [float(row[4]) for row in lesson(11).cards[1].table[1:]] == [1, 1, 0.75, 0.25]
    assert "learn_table" in parts(card)
    assert "learn_table" not in parts(lesson(0).cards[0])


@pytest.mark.parametrize(
    "more",
    [
        "    table: [[One, Two], [A]]\n",
        '    table: [[One], ["{hF = 0.1}"]]\n',
        "    probabilities: {Nobody: 0.5}\n",
        "    probabilities: {B: 1.5}\n",
        "    probabilities: {B: often}\n",
    ],
)
def test_a_faulty_table_or_probability_is_refused(more: str):
    with pytest.raises(InputError):
        written(more)


def test_probabilities_are_printed_at_their_classes():
    card = lesson(16).cards[0]
    for k in (0, 1):
        drawing = CardDrawing(card, k, "k", AnswerState())
        overlay = drawing.overlay(choose_view(player(), card, "k"))
        printed = {label: badge.text.split()[0] for label, badge in overlay.badges.items()}
        assert printed == {
            "Jazz": "0.75",
            "Rock": "0.25",
            "Swing": "0.35",
            "Bebop": "0.2",
            "Cool": "0.2",
        }


@pytest.mark.parametrize(
    ("second", "boxed"),
    [
        ("{predicted: C}", True),
        ("{true: C}", False),
        ("{options: {count_root: no}}", False),
        ("{true: C, predicted: D}", False),
    ],
)
def test_a_value_is_boxed_only_where_one_instance_has_two_predictions(second: str, boxed: bool):
    card = written(f"    second: {second}\n    measures: hF\n").cards[0]
    assert (values_of(player(), card, "k").note == PREFERRED) is boxed


@pytest.mark.parametrize("key", ["SDL", "P_LCA", "hF", "TIE", "CoPHE_F1"])
def test_a_question_for_a_value_defines_the_measure(key: str):
    more = f"    question: {{kind: value, value: {key}, answer: {{}}}}\n"
    try:  # the fault names the value
        found = written(more.replace("{}", "-77"))
    except InputError as fault:
        value = str(fault).split("the answer is ")[1].split(" ")[0].split(",")[0]
        found = written(more.replace("{}", value))
    question = found.cards[0].question
    assert question is not None
    defined = [key, *COMBINED.get(key, ())]
    for each in defined:
        assert CATALOGUE[each].description.split(".")[0] in question.definition
    assert question.definition in question.on_paper
    assert "answer_about" in parts(found.cards[0])
    quiz = moodle_xml(quiz_of_lesson(found)).decode()
    assert CATALOGUE[defined[-1]].name in quiz


def test_a_question_for_classes_defines_nothing():
    asked = "    question: {kind: prefers, measure: hF, answer: first}\n"
    card = written(f"    second: {{predicted: C}}\n{asked}").cards[0]
    assert card.question is not None
    assert card.question.definition == ""
    assert "answer_about" not in parts(card)
