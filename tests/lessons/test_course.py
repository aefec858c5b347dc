"""The course that comes with the project: what a student and a teacher may rely on. That its claims and answers hold is
checked in test_reading.py, by `verify_lessons`, so that no number of it is repeated here.
"""

import pytest

from hiermeasures.cases.library import own_cases
from hiermeasures.lessons import KINDS, Card, Lesson, load_lessons
from hiermeasures.lessons.text import plain
from hiermeasures.measures import CATALOGUE

COURSE = load_lessons()
LESSONS = [pytest.param(lesson, id=lesson.key) for lesson in COURSE.lessons]
CARDS = [
    pytest.param(card, id=f"{lesson.key}-{k}") for lesson in COURSE.lessons for k, card in enumerate(lesson.cards, 1)
]
NUMBERED = [f"{k:02}" for k in range(1, len(COURSE.lessons) + 1)]


def asked(lesson: Lesson) -> list[str]:
    return [card.question.kind for card in lesson.cards if card.question is not None]


def test_the_course_has_eight_to_ten_lessons_numbered_in_order():
    assert 8 <= len(COURSE.lessons) <= 10
    assert [lesson.key[:2] for lesson in COURSE.lessons] == NUMBERED


def test_every_kind_of_question_is_asked():
    assert {kind for lesson in COURSE.lessons for kind in asked(lesson)} == set(KINDS)


def test_every_family_of_measures_is_met():
    met = {key for lesson in COURSE.lessons for card in lesson.cards for key in card.measures}
    assert {CATALOGUE[key].family for key in met if key in CATALOGUE} == {m.family for m in CATALOGUE.values()}


def test_every_paper_of_the_library_is_met():
    met = {card.case.partition("/")[0] for lesson in COURSE.lessons for card in lesson.cards if card.case}
    assert met == {paper.key for paper in own_cases().papers if paper.kind == "paper" and paper.cases}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_short_and_asks_more_often_than_it_tells(lesson):
    assert 5 <= lesson.minutes <= 10
    assert 5 <= len(lesson.cards) <= 9
    assert len(asked(lesson)) >= max(3, len(lesson.cards) - 1)
    assert len(set(asked(lesson))) >= 3, "more than one way to answer"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_rests_on_a_figure_of_the_library(lesson):
    assert any(card.case for card in lesson.cards)


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_read_in_a_minute_and_explains_its_answer(card: Card):
    assert 35 <= len(plain(card.text).split()) <= 100
    if card.question is not None:
        assert 5 <= len(card.question.explain.split()) <= 70


@pytest.mark.parametrize("card", CARDS)
def test_a_card_does_not_show_what_it_asks(card: Card):
    if card.question is None or card.question.kind == "make":
        return
    assert "values" in card.hidden
    if card.question.kind in ("click", "pair"):
        assert "view" in card.hidden
