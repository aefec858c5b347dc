"""The site as it is read, in Chromium: from the disk and from a server, wide and narrow, light and
dark.
"""

import threading
from collections.abc import Iterator
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


@pytest.fixture
def home(site: Path) -> Iterator[str]:
    """The address of the site on a server: searching and copying do not work from the disk."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


FOUND = {
    "max_ancestor_distance": "measures",
    "cross_val_score": "scikit-learn",
    "LLM": "how-to/one-table",
    "PyTorch": "training-loop",
    "prefix": "how-to/one-table",
    "ICD": "how-to/codes-and-taxonomies",
}


def test_the_search_finds_what_people_ask_for(browser: Browser, home: str) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{home}/reference/index.html")
    field = page.get_by_role("textbox", name="Search")
    for words, name in FOUND.items():
        field.fill("")
        field.press_sequentially(words)  # it looks after every key
        found = page.locator(f".md-search-result__item a[href*='{name}.html']")
        expect(found.first).to_be_attached(timeout=30_000)
    page.close()
    assert [url for url in asked if not url.startswith((home, "data:", "blob:"))] == []


def test_the_copy_button_leaves_prompts_and_what_was_put_out(browser: Browser, home: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    for name, first, last in (
        ("training-loop", "from hiermeasures import Hierarchy, Meter\n", "\nlen(meter)"),
        ("how-to/prediction-files", "hiermeasures evaluate --hierarchy hierarchy.txt", "--measures hP,hR,hF,F_LCA"),
    ):
        page.goto(f"{home}/{name}.html")
        block = page.locator(".highlight", has=page.locator("pre[data-copy]")).first
        block.hover()
        block.get_by_role("button", name="Copy to clipboard").click()
        expect(page.locator(".md-dialog")).to_contain_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(first)
        assert copied.endswith(last)
        assert not [line for line in copied.splitlines() if line.startswith((">>>", "...", "$", "column", "{"))]
    context.close()


def test_no_table_of_the_measures_goes_sideways_on_a_narrow_page(browser: Browser, site: Path) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{site.as_uri()}/measures.html")
    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    wide = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim().slice(0, 40))"
    assert page.locator(".md-typeset__scrollwrap, .md-content math").evaluate_all(wide) == []
    page.close()


def test_the_reference_shows_the_source_of_what_it_describes(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto(f"{site.as_uri()}/reference/explain.html")
    page.get_by_text("Source code in hiermeasures/measures/explain.py").first.click()
    expect(page.get_by_text("def explain(").last).to_be_visible()
    page.close()
