"""The site builds from what is in the repository, whatever a page points to is there, and it can be
read in Chromium: from the disk and from a server, wide and narrow, light and dark.
"""

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from hiermeasures.explore import share_link

pytestmark = pytest.mark.slow


LOADED = re.compile(r'<(?:a|link|script|img|source|iframe)\b[^>]*?\b(?:href|src|srcset)="([^"#?]+)')
ELSEWHERE = re.compile(
    r'<(?!a\b|link rel="canonical")\w+\b[^>]*?\b(?:href|src|srcset|data)="((?:https?:)?//[^"]*)'
)


def test_every_file_that_a_page_links_or_loads_is_there_and_none_comes_from_elsewhere(site):
    """MkDocs itself looks for the places in pages, and for pages that are not in the navigation."""
    missing, elsewhere = [], []
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        elsewhere += ELSEWHERE.findall(text)
        for link in map(unquote, LOADED.findall(text)):
            if not re.match(r"[a-z]+:|//", link) and path.name != "404.html":
                target = path.parent / link
                if not (target / "index.html" if target.is_dir() else target).is_file():
                    missing.append((path.name, link))
    assert (missing, elsewhere) == ([], [])
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*|@import[^;]*//[^;]*", styles) == []


LINK = re.compile(r'<a class="try" href="([^"#]*)#state=([^"]+)">')


def test_every_link_of_the_site_opens_an_instance_on_the_page_that_is_built_beside_it(
    site: Path,
) -> None:
    found = 0
    for path in site.rglob("*.html"):
        for address, word in LINK.findall(path.read_text(encoding="utf-8")):
            assert (path.parent / address).resolve() == site / "explorer" / "index.html"
            share_link.decoded(word)
            found += 1
    assert found > 250
    assert "embed=1" in (site / "index.html").read_text(encoding="utf-8")
    pages = list((site / "coming-from").glob("*.html"))
    assert len(pages) == 9
    assert all(LINK.search(path.read_text(encoding="utf-8")) for path in pages)


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
def test_pages_can_be_read_by_everyone_and_never_go_sideways(
    browser: Browser, site: Path, scheme: str
) -> None:
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


@pytest.fixture
def home(site: Path) -> Iterator[str]:
    """The address of the site on a server: searching and copying do not work from the disk."""
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site))
    ) as server:
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
        (
            "how-to/prediction-files",
            "hiermeasures evaluate --hierarchy hierarchy.txt",
            "--measures hP,hR,hF,F_LCA",
        ),
    ):
        page.goto(f"{home}/{name}.html")
        block = page.locator(".highlight", has=page.locator("pre[data-copy]")).first
        block.hover()
        block.get_by_role("button", name="Copy to clipboard").click()
        expect(page.locator(".md-dialog")).to_contain_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(first)
        assert copied.endswith(last)
        assert not [
            line
            for line in copied.splitlines()
            if line.startswith((">>>", "...", "$", "column", "{"))
        ]
    context.close()
