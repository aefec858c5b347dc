"""The menu, the pages of a place, and their addresses."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from .screen import go_to, rests

PLACES = ["Explore", "Learn", "Compare", "Measures", "Papers", "Help"]


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1, name=name, exact=True)).to_be_visible()


def test_a_place_shows_each_of_its_pages_at_an_address_and_the_browser_goes_back(
    page: Page,
) -> None:
    expect(page.get_by_test_id("stTopNavLink")).to_have_text(PLACES)
    go_to(page, "Measures")
    heading(page, "Glossary")
    rests(page)
    go_to(page, "Measures", "Which one to report")
    heading(page, "Which one to report")
    page.wait_for_url("**/measures?show=choose")
    rests(page)
    go_to(page, "Papers", "Your own paper")
    heading(page, "Your own paper")
    page.wait_for_url("**/papers?show=own")
    rests(page)
    page.go_back()
    heading(page, "Library")
    page.go_back()
    heading(page, "Which one to report")
    page.reload()
    heading(page, "Which one to report")


def test_an_earlier_address_opens_the_page_of_today(page_at: Callable[[str], Page]) -> None:
    page = page_at("choose?shape=dag")
    heading(page, "Which one to report")
    expect(page).to_have_url(re.compile(r"/measures\?show=choose&shape=dag$"))
    expect(page.get_by_role("radio", name="DAG")).to_be_checked()
