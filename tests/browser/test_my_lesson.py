"""My lesson in the browser: a card is made by mouse, its answer clicked, kept through a reload,
tried and linked.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from hiermeasures.lessons import read_lesson
from tests.browser.screen import click_class, control, is_drawn, lines_box, pick, rests, stands_still, until
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
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("button", name="Save it here")).to_be_visible()
    until(page.locator("body"), "() => localStorage.getItem('hiermeasures-my-lesson') === null")


def test_a_card_made_by_mouse_outlives_a_reload_and_is_tried(page_at: Callable[[str], Page]) -> None:
    page = page_at("learn?edit=1")
    page.get_by_role("button", name="Blank").click()
    expect(lines_box(page)).to_be_visible()
    lines_box(page).fill("A B\nA C\nB T\nB P")
    lines_box(page).press("Control+Enter")
    is_drawn(page, "T")
    pick(page, "Click", "true")
    click_class(page, "T")
    expect(control(page, "true_classes")).to_contain_text("T")
    pick(page, "Click", "predicted")
    click_class(page, "P")
    expect(control(page, "predicted_classes")).to_contain_text("P")
    expect(control(page, "card_title_wrong")).to_have_text("This card has no title yet.")
    enter(page, "Title of the card", "What is above")
    expect(control(page, "card_title_wrong")).to_have_count(0)

    pick(page, "Ask", "click classes")
    expect(page.get_by_role("radio", name="answer")).to_be_checked()
    for label in ("T", "B", "A"):
        click_class(page, label)
    answer = control(page, "card_answer")
    expect(answer).to_have_text("The answer: A, B, T")
    page.get_by_role("button", name="Undo").click()
    expect(answer).to_have_text("The answer: B, T")
    page.get_by_role("button", name="Redo").click()
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


def test_cards_come_from_the_explorer_and_from_cases_and_leave_as_file_and_link(
    page: Page, address: str, tmp_path: Path
) -> None:
    page.get_by_role("button", name="Add to my lesson").click()
    expect(page.get_by_role("button", name="My lesson (1)")).to_be_visible()
    click_class(page, "C")
    stands_still(page)
    page.get_by_role("button", name="Add to my lesson").click()
    page.get_by_role("button", name="My lesson (2)").click()
    heading = page.get_by_role("textbox", name="Title of the card")
    expect(heading).to_have_value("Kosmopoulos et al. 2015 · Figure 11(a), changed")
    enter(page, "Text", "Now hF is {hF}.")
    enter(page, "Title of the card", "One more")
    expect(page.locator(".box.list .hm-table")).to_contain_text("One more")
    page.get_by_role("button", name="File").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as YAML").click()
    saved.value.save_as(tmp_path / "lesson.yaml")
    lesson = read_lesson((tmp_path / "lesson.yaml").read_bytes(), "lesson.yaml")
    assert [sorted(card.instances[0].predicted) for card in lesson.cards] == [["P1", "P2"], ["C", "P1", "P2"]]

    page.get_by_role("button", name="Student link").click()
    link = control(page, "my_address").locator("textarea")
    expect(link).to_be_visible()
    other = page.context.new_page()
    try:
        other.goto(link.input_value().replace("card=1", "card=2"))
        # {A, B, T1} and {A, B, C, P1, P2} share two: 2 * 2 / 8
        expect(other.locator(".hm-prose").first).to_contain_text("Now hF is 0.50.")
    finally:
        other.close()

    page.goto(f"{address}/cases?figure=kosmopoulos2015/figure-15")
    page.get_by_role("button", name="Add to my lesson").first.click()
    page.get_by_role("button", name="My lesson (").click()
    expect(page.locator(".box.list .hm-table tbody tr")).to_have_count(3)
    forget(page)
