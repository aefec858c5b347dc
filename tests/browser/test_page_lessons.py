"""Lessons on the page without a server, in a real browser: a card is answered by clicks and keys,
what is done stays on the reader's machine, and a phone has room for it.
"""

from playwright.sync_api import expect

from .test_learn import answered, verdict
from .test_page import PATIENCE, Visit, click, folder, home, ready, visit

__all__ = ["folder", "home", "visit"]  # fixtures
FIRST = "01-accuracy"


def test_a_card_is_answered_and_what_is_done_is_kept(visit: Visit) -> None:
    page = visit("lessons.html")
    expect(page.get_by_role("button", name="1. Why accuracy is not enough")).to_be_visible()
    page.get_by_role(
        "button", name="1. Why accuracy is not enough"
    ).click()  # before Python is there
    expect(page.get_by_role("heading", name="Two wrong answers")).to_be_visible(
        timeout=4 * PATIENCE
    )
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
