"""Every page, with its views and popovers open, under axe-core."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from hiermeasures.measures import CATALOGUE
from hiermeasures.teach.library import own_keys

from .conftest import FIGURE, opened
from .screen import close_menu, go_to, rests

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
FOUND = """async () => {
    const { violations } = await axe.run(document, { rules: {
        "label-content-name-mismatch": { enabled: true },
        region: { enabled: false },  // the overlays of Streamlit lie beside its landmarks
    } });
    const streamlits = (id, { html }) => id === "presentation-role-conflict" && html.includes("stFileUploaderDropzone");   // its own, and nothing is lost
    return violations.flatMap(({ id, nodes }) => nodes.filter((node) => !streamlits(id, node)).map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}"""


@pytest.fixture(params=["light", pytest.param("dark", marks=pytest.mark.slow)])
def themed(window: Page, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The app in one of its themes, with no movement that a scan could fall into."""
    window.emulate_media(color_scheme=request.param, reduced_motion="reduce")
    with opened(window, f"{address}/{FIGURE}") as page:
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
    themed.get_by_role("button", name=f"All {len(CATALOGUE)} measures", exact=True).click()
    expect(themed.locator(".hm-values .row")).to_have_count(len(CATALOGUE))
    themed.get_by_role("button", name="Pin", exact=True).click()
    expect(themed.locator(".hm-values.pinned")).to_be_visible()
    clean(themed, "all measures, pinned")
    for view in ("classes", "descendants", "LCA", "pairing", "confusion", "counts", "distances"):
        themed.get_by_role("radio", name=view, exact=True).click()
        expect(themed.get_by_role("radio", name=view, exact=True)).to_be_checked()
        clean(themed, view)
    themed.get_by_role("radio", name="What if", exact=True).click()
    expect(themed.locator(".hm-what-if tbody tr").first).to_be_visible()
    themed.get_by_role("button", name="Why, + C", exact=True).click()
    expect(themed.get_by_text("Why would")).to_be_visible()
    clean(themed, "what if")
    themed.get_by_role("radio", name="Why", exact=True).click()
    expect(themed.locator(".hm-what-if")).to_have_count(0)
    for menu in ("Figure 11", "Draw or load", "Share", "Export", "Filter"):
        themed.get_by_role("button", name=menu).first.click()
        expect(themed.get_by_role("dialog")).to_be_visible()
        clean(themed, menu)
        close_menu(themed)
    themed.get_by_role("button", name="Options").click()
    expect(themed.get_by_role("spinbutton", name="D_max", exact=True)).to_be_visible()
    clean(themed, "options")


LAST = {  # what a page, by its place and word there, draws last, once all is worked out
    ("Learn", ""): "Load a lesson",
    ("Compare", ""): "Who changes places?",
    ("Compare", "Scores"): "Best {1, 2, 5}",
    ("Measures", ""): "Terms",
    ("Measures", "Properties"): "All properties",
    ("Measures", "Which one to report"): "Link to these answers",
    ("Papers", ""): "Plaud et al. 2024",
    ("Papers", "Your own paper"): "Add the instance on the screen",
    ("Papers", "A printed number"): "Find conventions",
    ("Help", ""): "To report a fault",
}


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", LAST)
def test_the_other_pages(themed: Page, name: tuple[str, str], narrow: bool) -> None:
    go_to(themed, *name)
    expect(themed.get_by_text(LAST[name]).last).to_be_visible()
    if narrow:
        themed.set_viewport_size({"width": 390, "height": 844})
        expect(themed.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    clean(themed, " ".join(name))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("part", range(3))
def test_the_cards_of_every_lesson_before_and_after_the_answer(
    themed: Page, address: str, width: int, part: int
) -> None:
    themed.set_viewport_size({"width": width, "height": 844})
    for number in range(part, len(own_keys()), 3):
        themed.goto(f"{address}/?lesson={number}&card=2")
        expect(themed.locator("[data-key=learn_place_words]")).to_contain_text("2 / ")
        clean(themed, f"lesson {number}, card 2, {width} wide")
        if (answer := themed.locator("[data-key=learn_reveal]")).count():
            answer.click()
            expect(answer).to_have_count(0)
            clean(themed, f"lesson {number}, card 2, answered, {width} wide")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1920, 390])
@pytest.mark.parametrize("at", ["?lesson=2&card=3", "?figure=kosmopoulos2015/figure-15"])
def test_what_is_presented_and_its_code(themed: Page, address: str, at: str, width: int) -> None:
    themed.set_viewport_size({"width": width, "height": 1080})
    themed.goto(f"{address}/{at}&present=1")
    clean(themed, f"{at}, presented, {width} wide")
    themed.get_by_role("button", name="QR code").click()
    expect(themed.locator("dialog .link")).to_be_visible()
    clean(themed, f"{at}, QR code, {width} wide")


def scan_opened(page: Page, buttons: tuple[str, ...], place: str, under: str = "") -> None:
    """Scan what each of some buttons opens, while it is open; they stand `under` another button."""
    opened = (
        page.get_by_test_id("stPopoverBody")
        .or_(page.get_by_role("dialog"))
        .or_(page.locator("[data-key=option_dmax]"))
    )
    for name in buttons:
        button = page.get_by_role("button", name=name).first
        rests(page)
        if under:
            page.get_by_role("button", name=under).click()
        expect(button).to_be_visible()
        button.click()
        expect(opened.first).to_be_visible()
        clean(page, f"{place}, {name}")
        page.keyboard.press("Escape")
        if name != "Options":  # they stay open beside the values
            expect(opened).to_have_count(0)


@pytest.mark.slow
def test_the_explorer_presented_and_on_a_small_screen(themed: Page) -> None:
    themed.keyboard.press("p")
    expect(themed.locator(".hm-present .row").first).to_be_visible()
    clean(themed, "presented")
    themed.keyboard.press("Escape")
    expect(themed.locator(".hm-present")).to_have_count(0)
    themed.set_viewport_size({"width": 390, "height": 844})
    expect(themed.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    clean(themed, "390 wide")
    scan_opened(themed, ("Figure 11",), "390 wide")
    scan_opened(themed, ("Draw or load", "Share", "Export", "Options"), "390 wide", under="More")


POPOVERS = {  # what opens on the pages beside the Explorer
    ("Learn", ""): ("Questions", "Make worksheets"),
    ("Compare", ""): ("Measures (", "Export", "Options"),
    ("Compare", "Scores"): ("Settings",),
    ("Measures", "Properties"): ("Options",),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", POPOVERS)
def test_the_popovers_of_the_other_pages(themed: Page, name: tuple[str, str]) -> None:
    go_to(themed, *name)
    expect(themed.get_by_text(LAST[name]).last).to_be_visible()
    if name[0] == "Learn":
        themed.get_by_role("radio", name="Practice").click()
    scan_opened(themed, POPOVERS[name], " ".join(name))


@pytest.mark.slow
def test_what_a_search_finds(themed: Page) -> None:
    go_to(themed, "Measures")
    themed.get_by_role("searchbox").fill("augmented")
    expect(themed.locator(".hm-contents a").first).to_be_visible()
    clean(themed, "glossary, found")
    go_to(themed, "Papers")
    themed.get_by_role("searchbox", name="Search figures and errata").fill("kosmopoulos2015-2")
    expect(themed.locator(".hm-contents a").first).to_be_visible()
    clean(themed, "library, found")
