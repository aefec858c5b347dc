"""The site builds from what is in the repository, and whatever a page points to is there."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow


class Found(HTMLParser):
    """The links of a page, the files that it loads, and the places in it that may be linked."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") != "canonical":
            self.loads.append(given["href"])
        self.loads += [given[name] for name in ("src", "poster", "data") if name in given and tag != "a"]


@cache
def page(path: Path) -> Found:
    return Found(path.read_text(encoding="utf-8"))


def pages(site: Path) -> list[Path]:
    found = [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]
    assert len(found) > 10
    return found


def test_every_link_every_anchor_and_every_picture_of_a_page_is_there(site):
    wrong = []
    for path in pages(site):
        for link in page(path).links + page(path).loads:
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.fragment.startswith("state="):  # no place, but what the Explorer shows
                parts = parts._replace(fragment="")
            if parts.scheme or parts.netloc:
                if not re.fullmatch(r"https?://[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?", link):
                    wrong.append((path.name, link, "no address"))
                continue
            target = path.parent / unquote(parts.path) if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.resolve().is_file() or not target.resolve().is_relative_to(site.resolve()):
                wrong.append((path.name, link, "no file"))
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in page(target).places:
                wrong.append((path.name, link, "no such place"))
    assert wrong == []


def test_reading_the_site_fetches_nothing_from_elsewhere(site):
    assert [load for path in pages(site) for load in page(path).loads if urlsplit(load).netloc] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*|@import[^;]*//[^;]*", styles) == []


def test_every_formula_has_become_mathml(site):
    measures = (site / "measures.html").read_text(encoding="utf-8")
    assert measures.count("<math") > 44  # one of each measure, at least
    assert "\\frac" not in measures
    assert [path.name for path in pages(site) if 'class="arithmatex"' in path.read_text(encoding="utf-8")] == []


def test_every_page_is_in_the_navigation(site):
    start = page(site / "index.html").links
    reached = {(site / urlsplit(link).path).resolve() for link in start if not urlsplit(link).netloc}
    assert [path.name for path in pages(site) if path.resolve() not in reached] == []


def test_examples_in_docstrings_are_code(site):
    reference = "".join(path.read_text(encoding="utf-8") for path in (site / "reference").glob("*.html"))
    assert "iter_labels" in reference
    assert "<blockquote>" not in reference  # what >>> is in Markdown
    assert "mine=0.5*hF + 0.5*F_LCA" in reference  # and not 0.5<em>hF
