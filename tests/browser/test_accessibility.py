"""Every page, with its views and popovers open, under axe-core, which finds what readers of the screen, keyboards and
weak eyes stumble on.
"""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from hiermeasures.measures import CATALOGUE

from .conftest import opened
from .screen import close_menu, rests

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
FOUND = """async () => {
    const { violations } = await axe.run(document, { rules: {
        "label-content-name-mismatch": { enabled: true },
        region: { enabled: false },  // the overlays of Streamlit lie beside its landmarks
    } });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}"""


@pytest.fixture(params=["light", pytest.param("dark", marks=pytest.mark.slow)])
def themed(window: Page, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The app in one of its themes, with no movement that a scan could fall into."""
    window.emulate_media(color_scheme=request.param, reduced_motion="reduce")
    with opened(window, address) as page:
        yield page
    window.emulate_media(color_scheme="null", reduced_motion="null")


def clean(page: Page, place: str) -> None:
    """Wait until the page rests, and scan it; Streamlit fades what is being replaced."""
    rests(page)
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    page.evaluate(AXE)
    found = page.evaluate(FOUND)
    assert not found, f"{place}: {found}"


@pytest.mark.slow
def test_the_explorer_with_all_measures_its_views_and_its_popovers(themed: Page) -> None:
    clean(themed, "Explore")
    themed.get_by_role("button", name=f"All {len(CATALOGUE)}", exact=True).click()
    expect(themed.locator(".hm-values .row")).to_have_count(len(CATALOGUE))
    themed.get_by_role("button", name="Pin", exact=True).click()
    expect(themed.locator(".hm-values.pinned")).to_be_visible()
    clean(themed, "all measures, pinned")
    for view in ("classes", "descendants", "LCA", "pairing", "confusion", "counts", "distances"):
        themed.get_by_role("radio", name=view, exact=True).click()
        expect(themed.get_by_role("radio", name=view, exact=True)).to_be_checked()
        clean(themed, view)
    themed.get_by_role("radio", name="what if", exact=True).click()
    expect(themed.locator(".hm-what-if tbody tr").first).to_be_visible()
    themed.get_by_role("button", name="Why, + C", exact=True).click()
    expect(themed.locator(".st-key-why")).to_be_visible()
    clean(themed, "what if")
    themed.get_by_role("radio", name="result", exact=True).click()
    expect(themed.locator(".hm-what-if")).to_have_count(0)
    for menu in ("Figure 11", "Draw or load", "Options", "Share", "Export", "Find"):
        themed.get_by_role("button", name=menu).first.click()
        expect(themed.get_by_test_id("stPopoverBody")).to_be_visible()
        clean(themed, menu)
        close_menu(themed)


LAST = {  # what a page draws last, once all that it works out is there
    "Learn": "Load a lesson",
    "Cases": "Plaud et al. 2024",
    "Systems": "Who changes places?",
    "Behaviour": "Properties",
    "Probabilities": "Best {1, 2, 5}",
    "Glossary": "Words",
}


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", LAST)
def test_the_other_pages(themed: Page, name: str, narrow: bool) -> None:
    themed.get_by_role("link", name=name, exact=True).click()
    expect(themed.get_by_text(LAST[name]).last).to_be_visible()
    if narrow:
        themed.set_viewport_size({"width": 390, "height": 844})
        expect(themed.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    clean(themed, name)
