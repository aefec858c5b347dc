"""The Explorer on small and large screens, and what a first visitor is told."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from hiermeasures.app.learn.model import course

from .conftest import PATIENCE, opened
from .screen import (
    box_of,
    classes,
    click_class,
    control,
    graph,
    marked_stand_in_the_picture,
    place_of,
    placement,
    rests,
    stands_still,
    until,
    value,
)
from .test_accessibility import clean

SMALLEST = """(element) => {
    const all = (root) => [...root.children].flatMap((e) => [e, ...all(e), ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
    return Math.min(...all(element).filter((e) => e.matches("p, span, label, button, h1, h2, h3"))
    .filter((e) => !e.matches(".sub, .sup, .better"))
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()) && e.checkVisibility())
    .filter((e) => e.getClientRects().length && e.getBoundingClientRect().width > 2 && !e.closest(".formula"))
    .map((e) => parseFloat(getComputedStyle(e).fontSize)));
}"""


def test_text_grows_with_the_screen_and_the_drawing_reaches_its_foot(page: Page) -> None:
    for width, height, least in ((1280, 800, 12), (1920, 1080, 14)):
        page.set_viewport_size({"width": width, "height": height})
        stands_still(page)
        main = page.get_by_test_id("stMain")
        assert main.evaluate(SMALLEST) >= least
        until(main, "(e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
        box, fields = box_of(graph(page)), box_of(classes(page, "true"))
        assert box["width"] > 0.48 * width
        assert fields["y"] + fields["height"] > 0.95 * height


@pytest.fixture
def first_visit(browser: Browser, address: str) -> Iterator[Page]:
    """The app in a browser that has never seen it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    with opened(context.new_page(), address) as page:
        yield page
    context.close()


def covers_no_class(page: Page, hint: Locator) -> None:
    covered, scale = box_of(hint), placement(page)["scale"]
    for label in ("A", "B", "C", "T1", "P1", "P2"):
        place, half = place_of(page, label), 24 * scale
        beside = place["x"] - half > covered["x"] + covered["width"]
        assert beside or place["y"] - half > covered["y"] + covered["height"], label


@pytest.mark.slow
def test_a_first_visitor_is_told_what_to_click_and_the_hint_is_closed_for_good(
    first_visit: Page,
) -> None:
    page = first_visit
    hint = page.get_by_role("note")
    expect(hint).to_contain_text("Click classes and see what each measure makes of the prediction.")
    clean(page, "the welcome")
    for width, height in ((390, 844), (720, 450), (1024, 768), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        stands_still(page)
        covers_no_class(page, hint)
    click_class(page, "C")
    expect(value(page, "hP")).to_have_text("0.40")  # A and B of A, B, P1, P2 and C
    expect(hint).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(hint).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    stands_still(page)
    drawn = placement(page)
    page.get_by_role("button", name="Close the welcome").click()
    expect(hint).to_have_count(0)
    assert placement(page) == drawn
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


def test_the_table_of_values_stays_in_its_place_at_the_first_click_and_when_pinned(
    page: Page,
) -> None:
    table, pin = page.locator(".hm-values"), control(page, "pin")
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        stands_still(page)
        before = box_of(table)["y"]
        click_class(page, "C")
        expect(value(page, "hP")).to_have_text("0.40")
        assert box_of(table)["y"] == before
        pin.click()
        expect(pin).to_have_text("Unpin")
        assert box_of(table)["y"] == before
        pin.click()
        click_class(page, "C")
        expect(value(page, "hP")).to_have_text("0.50")


def test_on_a_touch_screen_a_tap_tells_what_a_symbol_means(touched: Page) -> None:
    meaning = touched.locator(".component.values .told")
    expect(meaning).to_have_text("▲ higher is better · ▼ lower is better · ☆ list it with the core")
    touched.locator('.hm-values button[data-key="GIE"]').tap()
    expect(meaning).to_have_text("Graph-induced error · ▼ lower is better")
    touched.get_by_role("button", name="Star Graph-induced error").tap()
    expect(meaning).to_have_text("Starred: listed with the core")


@pytest.mark.slow
def test_the_drawings_of_two_measures_are_seen_at_once_and_below_the_values_on_a_narrow_screen(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    control(page, "second").locator("select").select_option(label="with Graph-induced error")
    second = page.locator(".row.second .hm-graph")
    for drawing in (graph(page), second):
        expect(drawing).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 844})
    values = page.locator(".hm-values")
    expect(values).to_be_in_viewport()
    until(second, "(e, y) => e.getBoundingClientRect().top > y", box_of(values)["y"])
