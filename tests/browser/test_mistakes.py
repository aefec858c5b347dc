"""Which mistakes, which classes, and filters by mouse on the page Compare."""

from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import box_of, go_to
from .test_accessibility import clean
from .test_systems_page import LONG, at_rest


@pytest.fixture
def mistakes(page: Page) -> Page:
    """The view of mistakes of the built-in example."""
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    page.get_by_role("radio", name="Mistakes").click()
    expect(bar(page, "near miss: sibling")).to_be_visible()
    return page


def bar(page: Page, name: str) -> Locator:
    return page.locator(".st-key-systems_kinds").get_by_role("button", name=name)


def chips(page: Page) -> Locator:
    return page.locator(".st-key-systems_filters")


def value(page: Page, row: int) -> Locator:
    """The first score of a system in the ranking."""
    return page.locator(".st-key-systems_ranking tr").nth(row).locator("td").nth(1)


def test_a_bar_filters_the_ranking_and_all_views_until_its_cross(mistakes: Page) -> None:
    before = value(mistakes, 2).text_content()
    assert before is not None
    words = bar(mistakes, "near miss: sibling").get_attribute("aria-label")
    assert words is not None
    number = words.split(", ")[-1].split()[0]
    bar(mistakes, "near miss: sibling").click()
    count = chips(mistakes).get_by_text(f"{number} of 240 instances")
    expect(count).to_be_visible()
    expect(value(mistakes, 2)).not_to_have_text(before)
    chips(mistakes).get_by_role("button", name="List them").click()
    expect(mistakes.get_by_text("Where the two measures disagree most")).to_be_visible()
    expect(count).to_be_visible()
    chips(mistakes).get_by_role("button", name="near miss: sibling").click()
    expect(chips(mistakes)).to_have_count(0)
    expect(value(mistakes, 2)).to_have_text(before)


def test_a_bar_is_chosen_by_the_keyboard(mistakes: Page) -> None:
    bar(mistakes, "cautious: too general").focus()
    mistakes.keyboard.press("Enter")
    expect(chips(mistakes).get_by_role("button", name="cautious: too general")).to_be_visible()


def test_filters_add_up_and_are_cleared_together(mistakes: Page) -> None:
    mistakes.get_by_role("button", name="Filter", exact=True).click()
    menu = mistakes.get_by_test_id("stPopoverBody")
    menu.get_by_role("combobox", name="Show only instances with").click()
    mistakes.get_by_role("option", name="a text in the id").click()
    menu.get_by_role("textbox", name="Text").fill("M000")
    menu.get_by_role("button", name="Add", exact=True).click()
    expect(chips(mistakes).get_by_text("9 of 240 instances")).to_be_visible()
    mistakes.keyboard.press("Escape")
    bar(mistakes, "generous: extra").click()
    expect(chips(mistakes).get_by_role("button", name="generous: extra")).to_be_visible()
    expect(chips(mistakes).get_by_role("button")).to_have_count(4)  # two crosses, list, clear
    chips(mistakes).get_by_role("button", name="Clear all").click()
    expect(chips(mistakes)).to_have_count(0)


def test_where_the_labels_of_a_class_went_is_a_filter_too(mistakes: Page) -> None:
    table = mistakes.locator(".st-key-systems_destinations")
    wrong = table.get_by_role("button").filter(has_text="%").nth(1)
    wrong.scroll_into_view_if_needed()
    wrong.click()
    expect(chips(mistakes).get_by_role("button", name="cautious: Painting →")).to_be_visible()


def test_a_row_of_the_classes_filters(mistakes: Page) -> None:
    mistakes.get_by_role("radio", name="Classes").click()
    table = mistakes.locator('[class*="st-key-systems_classes"] canvas').first
    table.scroll_into_view_if_needed()
    at_rest(mistakes)
    place = box_of(table)
    mistakes.mouse.click(place["x"] + 16, place["y"] + 52)
    choose = mistakes.get_by_role("button", name="Show only instances with true label at or below")
    expect(choose).to_be_visible()
    words = (
        choose.get_by_text("Show only")
        .inner_text()
        .removeprefix("Show only instances with ")
        .strip()
    )
    choose.click()
    expect(chips(mistakes).get_by_role("button", name=words, exact=True)).to_be_visible()


def test_all_bars_of_a_table_have_one_scale(mistakes: Page) -> None:
    bars = mistakes.locator(".st-key-systems_kinds button.share")
    widths = bars.evaluate_all("bars => bars.map((bar) => bar.offsetWidth)")
    assert max(widths) - min(widths) <= 1


@pytest.mark.slow
def test_at_390_pixels_no_part_of_the_view_is_wider_than_the_page(mistakes: Page) -> None:
    mistakes.set_viewport_size({"width": 390, "height": 844})
    bar(mistakes, "near miss: sibling").scroll_into_view_if_needed()
    at_rest(mistakes)
    main = mistakes.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(mistakes: Page, scheme: Literal["light", "dark"]) -> None:
    mistakes.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    at_rest(mistakes)
    clean(mistakes, "mistakes")
    bar(mistakes, "near miss: sibling").click()
    expect(chips(mistakes)).to_be_visible()
    clean(mistakes, "filtered")
    mistakes.get_by_role("button", name="Filter", exact=True).click()
    expect(mistakes.get_by_test_id("stPopoverBody")).to_be_visible()
    clean(mistakes, "the menu of filters")
    mistakes.emulate_media(color_scheme="null", reduced_motion="null")
