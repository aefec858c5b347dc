"""From page to page and back: what was chosen or typed is still there."""

import pytest
from playwright.sync_api import Page, expect

from .screen import rests


def go(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    rests(page)


@pytest.mark.slow
def test_what_is_chosen_on_a_page_is_still_chosen_after_another(page: Page) -> None:
    page.get_by_role("radio", name="edit").click()
    expect(page.get_by_role("textbox", name="Lines: parent child")).to_be_visible()
    go(page, "Cases")
    page.get_by_role("radio", name="with a discrepancy").click()
    expect(page.get_by_role("radio", name="with a discrepancy")).to_be_checked()
    go(page, "Glossary")
    search = page.get_by_role("searchbox", name="Search measures and words")
    search.fill("recall")
    expect(page.locator(".hm-contents a").first).to_contain_text("recall")
    go(page, "Cases")
    expect(page.get_by_role("radio", name="with a discrepancy")).to_be_checked()
    go(page, "Explore")
    expect(page.get_by_role("textbox", name="Lines: parent child")).to_be_visible()
    go(page, "Glossary")
    expect(search).to_have_value("recall")
