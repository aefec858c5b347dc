"""The font of the formulas: the one that we ship, in every host."""

import pytest
from playwright.sync_api import Page, expect

from .screen import rests
from .test_page import Visit, folder, home, visit  # noqa: F401

FONT = "hiermeasures Math"


SIGNS = """(function look(root) {
    const shadows = [...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? look(e.shadowRoot) : []));
    return [...root.querySelectorAll("math :is(mi, mo, mn)"), ...shadows];
})(document)"""


def painted_fonts(page: Page) -> set[str]:
    """Return the fonts with which Chromium paints the signs of all formulas."""
    expect(page.locator("math").first).to_be_visible()
    page.evaluate("() => document.fonts.ready")
    session, fonts = page.context.new_cdp_session(page), set()
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    session.send("DOM.getDocument", {"depth": 0})
    many = page.evaluate(f"{SIGNS}.length")
    assert many > 10
    for place in range(many):
        sent = session.send("Runtime.evaluate", {"expression": f"{SIGNS}[{place}]"})
        node = session.send("DOM.requestNode", {"objectId": sent["result"]["objectId"]})
        found = session.send("CSS.getPlatformFontsForNode", node)["fonts"]
        fonts |= {font["familyName"] for font in found}
    session.detach()
    return fonts


def test_the_app_sets_formulas_in_the_font_that_we_ship(page: Page) -> None:
    rests(page)
    assert painted_fonts(page) == {FONT}


@pytest.mark.slow
def test_the_page_sets_formulas_in_the_font_that_we_ship(visit: Visit) -> None:  # noqa: F811
    assert painted_fonts(visit()) == {FONT}
