"""The confusion matrix of the page Compare, by mouse and keyboard, on narrow screens and under axe."""

import re

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from .screen import go_to, rests, until
from .test_accessibility import clean
from .test_accessibility import themed as themed
from .test_narrow import nothing_is_cut
from .test_systems_page import LONG


def show_matrix(page: Page) -> Locator:
    """Open the view with the built-in example."""
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    page.get_by_role("radio", name="Confusion", exact=True).click()
    matrix = page.get_by_role("grid", name="Confusion matrix of cautious")
    expect(matrix).to_be_visible()
    return matrix


def head(matrix: Locator, name: str, side: str = "row") -> Locator:
    return matrix.get_by_role(
        "rowheader" if side == "row" else "columnheader", name=name, exact=True
    )


def focused(page: Page) -> str:
    """The accessible name or the text of the focused place of the matrix."""
    place = page.locator(".hm-matrix [data-key]:focus")
    return place.get_attribute("aria-label") or place.inner_text()


def test_a_class_opens_a_number_lists_instances_and_one_opens_and_comes_back(page: Page) -> None:
    matrix = show_matrix(page)
    matrix.get_by_role("rowheader").get_by_role("button", name="Painting").click()
    expect(head(matrix, "Still life")).to_be_visible()
    expect(head(matrix, "Still life", "column")).to_be_visible()
    # The built-in system "cautious" answers the class above if it is not sure.
    cell = matrix.get_by_role(
        "button", name=re.compile("^true Still life, predicted Painting itself: 1,")
    )
    cell.hover()
    expect(page.locator(".hm-matrix .reading")).to_contain_text("predicted Painting itself: 1")
    cell.click()
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="1 instance: true Still life")).to_be_visible()
    row = page.locator(".st-key-systems_list tbody tr")
    expect(row).to_have_count(1)
    row.click()
    expect(page.locator(".hm-graph").first).to_be_visible()
    page.get_by_role("button", name="Back to Compare").click()
    expect(page.get_by_role("heading", name="1 instance: true Still life")).to_be_visible()
    expect(head(matrix, "Still life")).to_be_visible()


def test_the_most_mistakes_are_one_click_away(page: Page) -> None:
    show_matrix(page)
    first = page.locator(".hm-matrix .leads button").first
    words, _, count = first.inner_text().partition(", the other way")[0].rpartition(": ")
    first.click()
    expect(page.get_by_role("heading", name=f"{count} instances: {words}")).to_be_visible()
    expect(page.locator(".hm-matrix td .chosen")).to_have_text(count)
    # The list is below the fold. The click brings it into sight.
    expect(page.locator(".st-key-systems_list tbody tr").first).to_be_in_viewport()


def test_arrows_walk_through_the_matrix_and_enter_opens(page: Page) -> None:
    matrix = show_matrix(page)
    head(matrix, "total").first.locator("[data-key]").focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == "Painting"
    page.keyboard.press("Enter")
    expect(head(matrix, "Landscape")).to_be_visible()
    assert focused(page) == "Painting"  # it keeps the focus when the matrix is drawn anew
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert focused(page).startswith("True itself, total")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert focused(page) == "itself"


def saved(page: Page, button: str) -> Download:
    page.get_by_role("button", name="Save", exact=True).last.click()
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    page.keyboard.press("Escape")
    return download.value


def test_the_matrix_is_saved_as_picture_and_as_data(page: Page) -> None:
    show_matrix(page)
    rests(page)
    starts = {"Picture as PNG": b"\x89PNG", "Picture as SVG": b"<svg ", "Data as CSV": b"true,"}
    for button, start in starts.items():
        assert saved(page, button).path().read_bytes().startswith(start), button


SCROLLS = """(box) => box.scrollWidth > box.clientWidth
    && document.documentElement.scrollWidth <= document.documentElement.clientWidth"""


def test_on_a_narrow_page_the_matrix_scrolls_in_its_own_box_and_keeps_its_heads(page: Page) -> None:
    matrix = show_matrix(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("radio", name="2", exact=True).click()
    expect(head(matrix, "Statue")).to_be_visible()
    box = page.locator(".hm-matrix .box")
    until(box, SCROLLS)
    left = head(matrix, "Statue").bounding_box()
    box.evaluate("(box) => box.scrollBy(150, 0)")
    assert head(matrix, "Statue").bounding_box() == left


@pytest.mark.slow
def test_nothing_is_cut_and_axe_finds_nothing(themed: Page) -> None:
    matrix = show_matrix(themed)
    themed.get_by_role("radio", name="2", exact=True).click()
    expect(head(matrix, "Statue")).to_be_visible()
    matrix.get_by_role("button", name=re.compile("^true Statue, predicted Statue: ")).click()
    expect(themed.locator(".st-key-systems_list tbody tr").first).to_be_visible()
    clean(themed, "Confusion")
    minus = themed.get_by_role("combobox", name="minus")
    minus.scroll_into_view_if_needed()
    # a scroll that follows a click closes the list again
    themed.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    minus.click()
    themed.get_by_role("option", name="near miss").click()
    expect(themed.get_by_role("grid", name="cautious − near miss")).to_be_visible()
    clean(themed, "Confusion, difference")
    nothing_is_cut(themed)
