"""The first screen of a first visit: few controls, one click to a figure, What if in sight."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import opened
from .screen import click_class, control, rests, value
from .test_accessibility import clean

MOST = 25
CONTROLS = """(explorer) => {
    const found = [], shown = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 1;
    const look = (root) => {
        for (const e of root.querySelectorAll("*")) {
            if (e.shadowRoot) look(e.shadowRoot);
            if (e.matches("button, a[href], input, select, textarea") && shown(e)) found.push(e.getAttribute("aria-label") ?? e.textContent);
        }
    };
    look(explorer.shadowRoot);
    return found;
}"""


@pytest.fixture(params=[(1440, 900), (1920, 1080), (390, 844)], ids=lambda size: str(size[0]))
def visitor(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The app in a browser that was never here."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    with opened(context.new_page(), address) as page:
        rests(page)
        yield page
    context.close()


def test_a_first_visit_has_few_controls_and_the_whole_drawing(visitor: Page) -> None:
    found = visitor.locator(".hiermeasures").evaluate(CONTROLS)
    assert 15 < len(found) <= MOST, found
    assert visitor.locator(".hm-graph").first.evaluate("(e) => e.graph.allInSight()")
    expect(visitor.get_by_text("Click Dog")).to_be_in_viewport()
    control(visitor, "paper_figure").click()
    expect(control(visitor, "figures")).to_contain_text("Figure 11(a)")
    expect(visitor).to_have_url(re.compile(r"/\?figure=kosmopoulos2015/figure-11a$"))
    visitor.reload()
    expect(control(visitor, "figures")).to_contain_text("Figure 11(a)")


def test_the_third_click_offers_what_if_which_is_in_sight_with_the_drawing(visitor: Page) -> None:
    for label, hF in (("Dog", "0.50"), ("Cat", "0.44"), ("Bird", "0.44")):
        click_class(visitor, label)
        expect(value(visitor, "hF")).to_have_text(hF)
    visitor.get_by_role("button", name="Show me").click()
    table = visitor.locator(".hm-what-if table")
    expect(table).to_be_visible()
    if (visitor.viewport_size or {})["width"] > 1000:
        expect(table.locator("tbody tr").first).to_be_in_viewport(ratio=0.95)
        expect(visitor.locator(".hm-graph .frame").first).to_be_in_viewport(ratio=0.99)
    effects = visitor.locator(".hm-graph").first.evaluate(
        "(e) => Object.keys(e.graph.effects).length"
    )
    assert effects == 7


def test_the_choice_of_the_tools_for_papers_is_remembered(visitor: Page) -> None:
    if (visitor.viewport_size or {})["width"] != 1440:
        pytest.skip("once is enough")
    expect(control(visitor, "own")).to_have_count(0)
    control(visitor, "more").locator("> .opens").click()
    visitor.get_by_role("checkbox", name="Paper").check()
    expect(control(visitor, "own")).to_be_visible()
    rests(visitor)
    visitor.reload()
    expect(control(visitor, "own")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_with_its_menu_its_hints_and_what_if(visitor: Page, scheme: str) -> None:
    visitor.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    clean(visitor, "first")
    outer = control(visitor, "tools").locator("> .opens")
    (outer if outer.is_visible() else control(visitor, "more").locator("> .opens")).click()
    expect(visitor.get_by_role("checkbox", name="Paper")).to_be_visible()
    clean(visitor, "More")
    visitor.keyboard.press("Escape")
    for label in ("Dog", "Cat", "Bird"):
        click_class(visitor, label)
    offer = visitor.get_by_role("button", name="Show me")
    expect(offer).to_be_visible()
    clean(visitor, "the hint at What if")
    offer.click()
    expect(visitor.locator(".hm-what-if table")).to_be_visible()
    clean(visitor, "What if")
