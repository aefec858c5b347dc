"""Small screens and enlarged text: on every page nothing is cut off and nothing goes sideways. The
Explorer has tests of its own. Tables of data alone may scroll inside of themselves: Streamlit's,
and our wide ones.
"""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import FIGURE, opened
from .conftest import PATIENCE as MILLISECONDS
from .screen import PATIENCE, go_to, rests, until
from .test_accessibility import LAST

WIDTHS = (360, 390, 640, 768, 1024)  # 640 is 1280 at 200 %
# What stands outside of the page, or in a box too narrow for it. Formulas are set with a hair's
# breadth to spare.
CUT = """() => {
    const found = [], width = document.documentElement.clientWidth, hair = 4;
    const passed = "[data-testid=stDataFrame], [data-testid=stElementToolbar], svg *, .js-plotly-plot *";
    const look = (root, clipped) => {
        for (const element of root.children) {
            const { left, right, width: wide, height } = element.getBoundingClientRect();
            if (element.matches(passed) || !element.checkVisibility({ visibilityProperty: true })) continue;
            const clips = getComputedStyle(element).overflowX !== "visible" && element.clientWidth > hair;
            const outside = wide && height && !clipped && (right > width + hair || left < -hair);
            const narrow = clips && !element.matches(".wide") && element.scrollWidth > element.clientWidth + hair;
            if (outside || narrow) found.push(`${element.outerHTML.slice(0, 200)}: ${left} to ${right}`);
            if (element.shadowRoot) look(element.shadowRoot, clipped || clips);
            look(element, clipped || clips);
        }
    };
    look(document.querySelector("[data-testid=stMainBlockContainer]"), false);
    return found;
}"""


@pytest.fixture(scope="module")
def small(browser: Browser, address: str) -> Iterator[Page]:
    """The app on a screen of two pixels for one of CSS, as at 200 %."""
    context = browser.new_context(viewport={"width": 1024, "height": 768}, device_scale_factor=2)
    context.set_default_timeout(MILLISECONDS)
    with opened(context.new_page(), f"{address}/{FIGURE}") as page:
        yield page
    context.close()


def nothing_is_cut(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        until(
            page.locator("body"),
            "(body, width) => document.documentElement.clientWidth === width",
            width,
        )
        deadline = time.monotonic() + PATIENCE
        while found := page.evaluate(CUT):
            assert time.monotonic() < deadline, (width, found)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] * (n[0] != "Learn"), id=" ".join(n)) for n in LAST],
)
def test_nothing_is_cut_and_nothing_goes_sideways(small: Page, name: tuple[str, str]) -> None:
    small.set_viewport_size({"width": 1024, "height": 768})
    go_to(small, *name)
    expect(small.get_by_text(LAST[name]).last).to_be_visible()
    rests(small)
    nothing_is_cut(small)


def test_the_menu_of_places_closes_behind_the_place_that_was_tapped(touched: Page) -> None:
    touched.get_by_test_id("stExpandSidebarButton").tap()
    touched.get_by_role("link", name="Help", exact=True).tap()
    expect(touched.get_by_text(LAST["Help", ""]).last).to_be_visible()
    expect(touched.get_by_role("link", name="Help", exact=True)).not_to_be_in_viewport()
    expect(touched.get_by_test_id("stExpandSidebarButton")).to_be_visible()
