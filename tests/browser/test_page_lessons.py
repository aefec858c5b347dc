"""Lessons on the page without a server, in a real browser: a card is answered by clicks and keys,
what is done stays on the reader's machine, and a phone has room for it.
"""

import pytest
from playwright.sync_api import expect

from .test_learn import answered, verdict
from .test_page import Held, Visit, click, folder, home, ready, value, visit

__all__ = ["folder", "home", "visit"]  # fixtures
FIRST = "01-accuracy"

pytestmark = pytest.mark.slow


def test_a_card_is_answered_and_what_is_done_is_kept(visit: Visit) -> None:
    page = visit("lessons.html")
    expect(page.get_by_role("button", name="1. Why accuracy is not enough")).to_be_visible()
    page.get_by_role(
        "button", name="1. Why accuracy is not enough"
    ).click()  # before Python is there
    expect(page.get_by_role("heading", name="Two wrong answers")).to_be_visible()
    ready(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="What the answer Terrier includes")).to_be_visible()
    assert page.url.endswith("lessons.html#lesson=1&card=2")
    for label in ("Animal", "Dog", "Terrier"):
        click(page, label)
    expect(answered(page)).to_contain_text("Terrier")
    page.get_by_role("button", name="Check").click()
    expect(verdict(page)).to_have_text("✓ Right: Animal, Dog, Terrier")
    expect(page.get_by_text("✓ solved")).to_be_visible()
    page.reload()
    ready(page)
    page.get_by_role("button", name="All lessons").click()
    first = page.get_by_role("button", name="1. Why accuracy is not enough")
    expect(first).to_contain_text("· 1 of")
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(first).not_to_contain_text("· 1 of")
    page.reload()
    expect(first).not_to_contain_text("· 1 of")


def test_a_link_to_a_card_shows_it_before_python_is_asked_for(visit: Visit) -> None:
    page = visit(f"lessons.html#lesson={FIRST}&card=2", prepare=Held("**/worker.js*"))
    expect(page.get_by_role("heading", name="What the answer Terrier includes")).to_be_visible()
    expect(page.locator("#explorer")).not_to_have_attribute("inert", "")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("heading", name="Two wrong answers")).to_be_visible()
    page.wait_for_url("**/lessons.html#lesson=1&card=1")


def test_an_answer_before_python_is_there_is_checked_then(visit: Visit) -> None:
    held = Held("**/pyodide-*/**")
    page = visit(f"lessons.html#lesson={FIRST}&card=2", prepare=held)
    for label in ("Animal", "Dog", "Terrier"):
        click(page, label)
    held.release()
    ready(page)
    expect(answered(page)).to_contain_text("Terrier")
    page.get_by_role("button", name="Check").click()
    expect(verdict(page)).to_have_text("✓ Right: Animal, Dog, Terrier")


def test_explorer_and_lessons_share_one_python_and_keep_what_is_shown(visit: Visit) -> None:
    page = visit()
    ready(page)
    click(page, "Dog")
    expect(value(page, "hF")).to_have_text("0.50")
    page.get_by_role("link", name="Lessons").click()
    page.get_by_role("button", name="1. Why accuracy is not enough").click()
    expect(page.get_by_role("heading", name="Two wrong answers")).to_be_visible()
    page.get_by_role("link", name="Explorer", exact=True).click()
    expect(value(page, "hF")).to_have_text("0.50")
    click(page, "Dog")
    expect(value(page, "hF")).to_have_text("0.67")
    page.go_back()
    expect(value(page, "hF")).to_have_text("0.50")
    page.go_back()
    expect(page.get_by_role("heading", name="Two wrong answers")).to_be_visible()
    assert len(page.workers) == 1
