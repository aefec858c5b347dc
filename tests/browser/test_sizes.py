"""The Explorer on small and large screens, and what a first visitor is told."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from hiermeasures.app.learn.model import course

from .conftest import PATIENCE, opened
from .screen import (
    box_of,
    click_class,
    control,
    graph,
    marked_stand_in_the_picture,
    rests,
    stands_still,
    value,
)
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
    click_class(page, "C")
    expect(value(page, "hP")).to_have_text("0.40")  # A and B of A, B, P1, P2 and C
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
    expect(page).to_have_url(re.compile(r"/learn\?lesson=01-.*card=1$"))
    expect(page.locator("[data-key=learn_place_words]")).to_contain_text(course().lessons[1].title)


def test_on_a_narrow_screen_the_drawing_and_the_values_come_first_and_one_row_of_tools_has_the_rest(
    page: Page,
) -> None:
    for width, height in ((390, 844), (720, 450)):  # 720 x 450 is 1440 x 900 at 200 %
        page.set_viewport_size({"width": width, "height": height})
        stands_still(page)
        assert box_of(page.locator(".hiermeasures .area.toolbar"))["height"] < 48
        assert box_of(graph(page).locator(".canvas"))["y"] < 190
        expect(page.locator('.hm-values button[data-key="hF"]')).to_be_in_viewport()
        marked_stand_in_the_picture(page)
        more = page.get_by_role("button", name="More", exact=True)
        more.click()
        clean(page, "the tools")
        page.get_by_role("button", name="Share").click()
        menu = page.get_by_role("dialog", name="Share")
        expect(menu.get_by_role("textbox", name="Address")).to_be_visible()
        box = box_of(menu)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        more.click()
        page.get_by_role("button", name="Draw or load").click()
        page.get_by_role("button", name="Binary tree").click()
        expect(
            page.get_by_role("button", name="Draw or load")
        ).to_be_hidden()  # done, and the tree is seen
        more.click()
        control(page, "options").click()
        expect(page.get_by_role("spinbutton", name="D_max", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Draw or load")).to_be_hidden()
        more.click()
        control(page, "options").click()
        control(page, "undo").click()
        expect(value(page, "hF")).to_have_text("0.57")
