"""The Explorer on small and large screens, and what a first visitor is told."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from hiermeasures.app.learn.model import course

from .conftest import PATIENCE, opened
from .screen import click_class, rests, value
from .test_accessibility import clean


@pytest.fixture
def first_visit(browser: Browser, address: str) -> Iterator[Page]:
    """The app in a browser that has never seen it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    with opened(context.new_page(), address) as page:
        yield page
    context.close()


@pytest.mark.slow
def test_a_first_visitor_is_told_what_to_click_and_the_hint_is_closed_for_good(
    first_visit: Page,
) -> None:
    page = first_visit
    hint = page.get_by_role("note")
    expect(hint).to_be_visible()
    clean(page, "the welcome")
    click_class(page, "Dog")
    # Animal and Bird of Animal, Bird, Eagle, Mammal and Dog
    expect(value(page, "hP")).to_have_text("0.40")
    expect(hint).to_be_visible()
    page.get_by_role("button", name="Close the welcome").click()
    expect(hint).to_have_count(0)
    page.reload()
    expect(page.locator(".hm-graph[data-painted]")).to_be_attached()
    rests(page)
    expect(hint).to_have_count(0)
    page.evaluate("localStorage.clear()")
    page.reload()
    page.get_by_role("link", name="New to this? Start with lesson 1").click()
    expect(page).to_have_url(re.compile(r"/learn\?lesson=1&card=1$"))
    expect(page.locator("[data-key=learn_place_words]")).to_contain_text(course().lessons[1].title)
