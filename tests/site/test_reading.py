"""The site as it is read, in Chromium: from the disk and from a server, wide and narrow, light and dark."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow
LOOKED_AT = (
    "index",
    "measures",
    "choose",
    "tutorials/first-instance",
    "tutorials/which-system",
    "how-to/prediction-files",
    "reference/hierarchy",
)
RULES = {"runOnly": ["wcag2a", "wcag2aa"]}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_can_be_read_by_everyone_and_never_go_sideways(browser: Browser, site: Path, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in LOOKED_AT:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{site.as_uri()}/{name}.html")
        shown = {"light": "default", "dark": "slate"}[scheme]
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", shown)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(name, fault["id"], fault["nodes"][0]["target"]) for fault in found] == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_picture_goes_with_the_page(browser: Browser, site: Path) -> None:
    for scheme, other in (("light", "dark"), ("dark", "light")):
        page = browser.new_page(color_scheme=scheme)
        page.goto(f"{site.as_uri()}/index.html")
        expect(page.locator(f"img[src*='what-if-{scheme}']")).to_be_visible()
        expect(page.locator(f"img[src*='what-if-{other}']")).to_be_hidden()
        page.close()


def test_the_search_finds_an_option(browser: Browser, site: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}"
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{home}/index.html")
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("max_ancestor_distance")
    results = page.locator(".md-search-result__item a[href*='measures.html']")
    expect(results.first).to_be_attached()
    page.close()
    server.shutdown()
    server.server_close()
    assert [url for url in asked if not url.startswith((home, "data:", "blob:"))] == []
