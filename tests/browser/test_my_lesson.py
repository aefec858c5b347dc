"""My lesson in the browser: a card is made by mouse, kept through a reload, tried and linked."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import click_class, control, is_drawn, lines_box, pick, rests, until
from tests.browser.test_accessibility import clean

pytestmark = pytest.mark.slow


def enter(page: Page, field: str, text: str) -> None:
    place = page.get_by_role("textbox", name=field, exact=True)
    place.fill(text)
    place.blur()
    rests(page)


@pytest.fixture(autouse=True)
def nothing_kept(window: Page, address: str) -> Iterator[None]:
    """The browser of all tests keeps no lesson for the next one."""
    yield
    window.goto(f"{address}/_stcore/health")
    window.evaluate("localStorage.removeItem('hiermeasures-my-lesson')")


def forget(page: Page) -> None:
    """Take the copy out of the browser."""
    page.get_by_role("button", name="Stop saving in this browser").click()
    expect(page.get_by_role("button", name="Save it here")).to_be_visible()
    until(page.locator("body"), "() => localStorage.getItem('hiermeasures-my-lesson') === null")


def test_a_card_made_by_mouse_outlives_a_reload_and_is_tried(
    page_at: Callable[[str], Page],
) -> None:
    page = page_at("learn?edit=1")
    page.get_by_role("button", name="Blank").click()
    expect(lines_box(page)).to_be_visible()
    lines_box(page).fill("A B\nA C\nB T\nB P")
    lines_box(page).press("Control+Enter")
    is_drawn(page, "T")
    pick(page, "Click", "true")
    click_class(page, "T")
    expect(page.get_by_role("application", name="true: 'T'")).to_be_visible()
    pick(page, "Click", "predicted")
    click_class(page, "P")
    expect(page.get_by_role("application", name="predicted: 'P'")).to_be_visible()
    enter(page, "Title of the card", "What is above")

    pick(page, "Ask", "click classes")
    sets = control(page, "question_set").locator("select")
    sets.select_option(label="the augmented set of the true classes: A, B, T")
    answer = control(page, "card_answer")
    expect(answer).to_have_text("The answer: A, B, T")
    clean(page, "My lesson")

    page.reload()
    expect(page.get_by_role("textbox", name="Title of the card")).to_have_value("What is above")
    expect(answer).to_have_text("The answer: A, B, T")
    page.get_by_role("button", name="Try it as a student").click()
    expect(page.get_by_role("heading", name="What is above")).to_be_visible()
    for label in ("T", "B", "A"):
        click_class(page, label)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".hm-prose .right")).to_have_text("✓ Right: A, B, T")
    page.get_by_role("button", name="Back to the form").click()
    forget(page)
    page.reload()
    expect(control(page, "my_empty")).to_be_visible()
