"""The course that comes with the project: what a student and a teacher may rely on. That its claims
and answers hold is checked in test_reading.py, by `verify_lessons`, so that no number of it is
repeated here.
"""

from collections import Counter
from math import comb
from statistics import mean

import pytest

from hiermeasures.teach import Card, Question, load_lessons

COURSE = load_lessons()
LESSONS = [pytest.param(lesson, id=lesson.key) for lesson in COURSE.lessons]
CARDS = [
    pytest.param(card, id=f"{lesson.key}-{k}")
    for lesson in COURSE.lessons
    for k, card in enumerate(lesson.cards, 1)
]
QUESTIONS = [
    card.question for lesson in COURSE.lessons for card in lesson.cards if card.question is not None
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_asks_in_several_ways_and_ends_with_a_question_on_its_summary(lesson):
    asked = [card.question.kind for card in lesson.cards if card.question is not None]
    assert len(set(asked)) >= 3
    assert lesson.summary
    assert asked[-1] == "why"


def chance(question: Question) -> float:
    """The probability that a blind answer is right: 0 where there are no choices."""
    n = len(question.choices())
    return 1 / comb(n, question.to_choose()) if n else 0.0


def test_blind_guessing_is_right_less_often_than_once_in_four():
    choices = [question for question in QUESTIONS if question.choices()]
    assert mean(map(chance, QUESTIONS)) < 0.15
    assert mean(map(chance, choices)) < 0.25
    # nor is there a place or a word that is right more often than half
    for kind in ("prefers", "why"):
        answers = Counter(question.answer() for question in choices if question.kind == kind)
        assert max(answers.values()) < 0.5 * answers.total()


def test_nor_is_the_longest_reason_right_or_the_shortest():
    reasons = [question.entry.reasons for question in QUESTIONS if question.kind == "why"]
    for extreme in (max, min):
        assert sum(words[0] == extreme(words, key=len) for words in reasons) < len(reasons) / 4


@pytest.mark.parametrize("card", CARDS)
def test_a_card_does_not_show_what_it_asks_and_explains_its_answer(card: Card):
    if (question := card.question) is not None:
        assert question.explain
        assert "values" in card.hidden or question.kind == "make"
        assert "view" in card.hidden or question.kind not in ("click", "pair")
