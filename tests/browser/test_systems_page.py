"""From whole prediction files to a single instance: the page Compare, its spots and its lists, and
the Explorer behind them.
"""

import time

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from .screen import PATIENCE, box_of, go_to

LONG = 240_000  # milliseconds; on a new machine the kernels are compiled first
AGAIN = 10_000  # milliseconds after which files that do not show are chosen again


@pytest.fixture
def systems(page: Page) -> Page:
    """The page Compare with the built-in example."""
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    page.get_by_role("radio", name="Instances").click()
    expect(page.get_by_text("Where the two measures disagree most")).to_be_visible()
    return page


def row(page: Page, number: int) -> Locator:
    """A row of the list; its head is row 0."""
    return page.locator(".st-key-systems_list tr").nth(number)


def at_rest(page: Page) -> None:
    """Wait until the page has been drawn to its end."""
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=LONG
    )


def upload(page: Page, field: str, files: dict[str, bytes]) -> None:
    """Choose files until they are there: a field that is drawn anew just then takes none."""
    region = page.get_by_role("region", name=field, exact=True)
    chosen = [
        FilePayload(name=name, mimeType="text/csv", buffer=content)
        for name, content in files.items()
    ]
    deadline = time.monotonic() + PATIENCE
    while True:
        at_rest(page)
        region.locator("input[type=file]").set_input_files(chosen)
        try:
            expect(region.get_by_text(next(iter(files)))).to_be_visible(timeout=AGAIN)
            return
        except AssertionError:
            assert time.monotonic() < deadline, f"for {PATIENCE} s the field {field} took no files"


def cell(row: Locator, number: int) -> Locator:
    return row.locator("th, td").nth(number)


def test_clicking_a_spot_lists_its_instances(systems: Page) -> None:
    spots = systems.locator(".js-plotly-plot .scatterlayer .points path")
    expect(spots.first).to_be_visible()
    at_rest(systems)  # a chart that is drawn again loses the spot under the mouse
    spots.first.scroll_into_view_if_needed()
    place = box_of(spots.first)
    systems.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, steps=4)
    expect(systems.get_by_text("click: list them")).to_be_visible()
    systems.mouse.down()
    systems.mouse.up()
    expect(systems.get_by_text("selected instance")).to_be_visible()
    at_rest(systems)
    # Every instance of a spot has the same two values.
    rows = systems.locator(".st-key-systems_list tr")
    values = {
        (cell(rows.nth(k), 3).inner_text(), cell(rows.nth(k), 4).inner_text())
        for k in range(1, rows.count())
    }
    assert len(values) == 1


def test_a_reload_keeps_uploads_and_results_and_says_when_it_cannot(page: Page) -> None:
    gone = page.get_by_text("Your files are gone")
    go_to(page, "Compare")
    page.get_by_text("Your own files: a hierarchy").click()
    upload(page, "Hierarchy", {"h.txt": b"A B\nA C\n"})
    upload(page, "True labels", {"t.csv": b"id,labels\n1,B\n2,C\n"})
    upload(page, "Systems", {"one.csv": b"id,labels\n1,B\n2,B\n"})
    expect(page.get_by_text("t.csv · 1 system")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("h.txt", exact=True)).to_be_hidden()  # the results are in sight
    page.get_by_text("Your files: t.csv").click()
    expect(page.get_by_text("h.txt", exact=True)).to_be_visible()
    page.wait_for_url("**uploaded=**")
    for _ in range(2):
        page.reload()
        expect(page.get_by_text("t.csv · 1 system")).to_be_visible(timeout=LONG)
        expect(gone).to_have_count(0)
    page.get_by_role("radio", name="Instances").click()
    row(page, 1).click()
    expect(page.locator(".hm-values")).to_be_visible()
    page.wait_for_url("**uploaded=**")
    page.reload()  # in the Explorer
    expect(page.locator(".hm-values")).to_be_visible(timeout=LONG)
    go_to(page, "Compare")
    expect(page.get_by_text("t.csv · 1 system")).to_be_visible(timeout=LONG)
    page.wait_for_url("**uploaded=**")
    # Another browser has another cookie, and gets nothing by this address.
    browser = page.context.browser
    assert browser is not None
    with browser.new_context() as context:
        other = context.new_page()
        other.goto(page.url)
        expect(other.get_by_text("Your files are gone")).to_be_visible(timeout=LONG)
        expect(other.get_by_text("t.csv · 1 system")).to_have_count(0)
