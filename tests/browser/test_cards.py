"""Cards of lessons on a screen: the drawing keeps its place, and the buttons are in sight."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from hiermeasures.teach import Lesson, load_lessons

from .screen import click_class, place_of, rests, stands_still

PAIRS = "learn?lesson=03-pairing&card=3"
MARKED = ("T1", "P1", "P2")
CHECK_ENDS = """(button) => {
    const main = document.querySelector('[data-testid="stMain"]');
    return button.getBoundingClientRect().bottom + main.scrollTop;
}"""


def test_pairs_and_the_right_answer_move_no_class(page_at: Callable[[str], Page]) -> None:
    page = page_at(PAIRS)
    stands_still(page)
    before = {label: place_of(page, label) for label in MARKED}
    for label in ("P1", "T1", "P2", "T1"):
        click_class(page, label)
    stands_still(page)
    assert {label: place_of(page, label) for label in MARKED} == before
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".hm-prose .right")).to_be_visible()
    stands_still(page)
    assert {label: place_of(page, label) for label in MARKED} == before


def test_a_button_that_turns_bold_moves_none(page_at: Callable[[str], Page]) -> None:
    page = page_at("learn?lesson=01-accuracy&card=1")
    choices = page.locator('[data-key^="answer_choice_"]')
    expect(choices.first).to_be_visible()
    before = [choice.bounding_box() for choice in choices.all()]
    choices.first.click()
    expect(choices.first).to_have_attribute("aria-pressed", "true")
    rests(page)
    assert [choice.bounding_box() for choice in choices.all()] == before


def test_a_phone_has_no_tools_for_teachers(page_at: Callable[[str], Page]) -> None:
    page = page_at(PAIRS)
    present = page.get_by_role("button", name="Present")
    expect(present).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(present).to_be_hidden()
    expect(page.get_by_role("button", name="Open in the Explorer")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("lesson", load_lessons().lessons, ids=lambda lesson: lesson.key)
def test_check_is_in_sight_for_every_card(lesson: Lesson, page_at: Callable[[str], Page]) -> None:
    page = page_at(f"learn?lesson={lesson.key}&card=1")
    for number, card in enumerate(lesson.cards, 1):
        expect(page.get_by_role("heading", name=card.title, exact=True)).to_be_visible()
        stands_still(page)
        if card.question is not None:
            ends = page.get_by_role("button", name="Check", exact=True).evaluate(CHECK_ENDS)
            assert ends <= 900, f"card {number} of {lesson.key}: Check ends at {ends} pixels"
        if number < len(lesson.cards):
            page.get_by_role("button", name="Next", exact=True).click()
