"""Behind every instance that a page writes stands the way to the live Explorer with it."""

import html
import re
from pathlib import Path

import pytest

from docs.make.try_it import with_links
from hiermeasures.explorer import share_link
from hiermeasures.explorer.share_link import Shared

LINK = re.compile(r'<a class="try" href="([^"#]*)#state=([^"]+)">')


def opened(page: str) -> list[Shared]:
    return [share_link.decoded(word) for _, word in LINK.findall(page)]


def test_an_instance_opens_with_its_options_and_the_measure_that_is_named_behind_it() -> None:
    text = "R>a R>b; T = {a}, P = {b} | count_root=false"
    (found,) = opened(with_links(f"<li><code>{html.escape(text)}</code>: <code>GIE</code> 2</li>", "../"))
    instance = found.shown.instance
    assert instance.hierarchy.edges == (("R", "a"), ("R", "b"))
    assert (instance.true, instance.predicted) == ({"a"}, {"b"})
    assert instance.options.count_root is False
    assert found.view_state.measure == "GIE"


def test_of_two_instances_the_second_opens_with_the_first_pinned() -> None:
    (found,) = opened(with_links("<p><code>R&gt;a R&gt;b; T = {a}, P = {b} → {a, b}</code></p>", ""))
    assert found.shown.instance.predicted == {"a", "b"}
    assert found.pinned is not None
    assert found.pinned.instance.predicted == {"b"}


def test_a_case_opens_as_the_figure_and_an_erratum_as_the_figure_that_it_is_about() -> None:
    page = with_links("<p><code>kosmopoulos2015/figure-11a</code> <strong>kosmopoulos2015-3.</strong></p>", "")
    assert [found.shown.case for found in opened(page)] == ["kosmopoulos2015/figure-11a", "kosmopoulos2015/figure-15"]


@pytest.mark.parametrize("text", ["hF + 1", "cases/none", "R&gt;a; T = {x}, P = {a}", "a/b and c/d", "T = {a}"])
def test_what_is_no_instance_has_no_link(text: str) -> None:
    page = f"<p><code>{text}</code></p>"
    assert with_links(page, "") == page


@pytest.mark.slow
def test_every_link_of_the_site_opens_an_instance_on_the_page_that_is_built_beside_it(site: Path) -> None:
    found = 0
    for path in site.rglob("*.html"):
        for address, word in LINK.findall(path.read_text(encoding="utf-8")):
            assert (path.parent / address).resolve() == site / "explorer" / "index.html"
            share_link.decoded(word)
            found += 1
    assert found > 250
    assert "embed=1" in (site / "index.html").read_text(encoding="utf-8")
    assert len(list((site / "coming-from").glob("*.html"))) == 9
    assert all(LINK.search(path.read_text(encoding="utf-8")) for path in (site / "coming-from").glob("*.html"))
