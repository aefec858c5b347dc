"""In Chromium: the library, from the overview to a figure and into the Explorer; and the
selector on the page of the site, which decides in a script, and on the page of the app.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from docs.make.generated import FOLDER, make_part
from hiermeasures.verify.selector import complete, protocol
from tests.verify.test_selector import CARDS

from .screen import rests, until


def test_drawings_are_drawn_and_tell_what_they_show(page_at: Callable[[str], Page]) -> None:
    page = page_at("papers?figure=kosmopoulos2015/figure-11")
    picture = page.get_by_role("img", name="A hierarchy of 6 classes. True: T1. Predicted: P1, P2.")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")


def test_the_numbers_of_papers_need_no_scrolling_on_a_phone(page_at: Callable[[str], Page]) -> None:
    page = page_at("papers")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_text("published values are checked").click()
    table = page.locator(".papers")
    expect(table).to_be_visible()
    until(table, "({ parentElement: e }) => e.scrollWidth <= e.clientWidth")


PARTS = ("report", "beside", "not_alone", "command", "python", "caption")


@pytest.fixture
def still(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, str]]:
    """A page with only what the script of docs/choose.md needs, and its address."""
    text = make_part("selector")
    data, form = (
        re.search(rf"<{part}.*?</{part.split()[0]}>", text, re.S)
        for part in ("script type", "form")
    )
    places = re.findall(r'^<(?:div|p) id="choose-.*$', text, re.M)
    parts = [
        f"{line}{k}</div>"
        for k, line in enumerate(re.findall(r"^<div class=.*data-when=.*$", text, re.M))
    ]
    assert data
    assert form
    assert parts
    script = (FOLDER / "style" / "choose.js").read_text("utf-8")
    body = "\n".join([data[0], form[0], *places, *parts, f"<script>{script}</script>"])
    place = tmp_path / "choose.html"
    place.write_text(f"<!doctype html><meta charset=utf-8><body>{body}</body>", "utf-8")
    page = browser.new_page()
    yield page, place.as_uri()
    page.close()


def test_the_script_of_the_site_makes_the_same_cards_as_python(still: tuple[Page, str]) -> None:
    page, address = still
    page.goto(address)
    rules = "JSON.parse(document.getElementById('choose-data').textContent)"
    made = page.evaluate(f"all => all.map((answers) => hiermeasuresCard(answers, {rules}))", CARDS)
    for answers, found in zip(CARDS, made, strict=True):
        wanted = protocol(answers)
        assert found == {
            part: list(w) if isinstance(w := getattr(wanted, part), tuple) else w for part in PARTS
        }


def test_the_page_of_the_site_takes_answers_from_its_address_and_puts_them_there(
    still: tuple[Page, str],
) -> None:
    page, address = still
    page.goto(f"{address}?shape=dag&labels=lots")
    expect(page.get_by_role("radio", name="DAG")).to_be_checked()
    expect(page.get_by_role("radio", name="one", exact=True).first).to_be_checked()
    expect(page.locator("#choose-faults")).to_contain_text("“lots”")
    page.get_by_role("radio", name="one or several").check()
    expect(page.locator("#choose-faults")).to_be_empty()
    assert page.url == f"{address}?shape=dag&labels=several"
    wanted = protocol(complete({"shape": "dag", "labels": "several"})[0])
    expect(page.locator("#choose-command code")).to_have_text(wanted.command)
    expect(page.locator(".choose-conflict:visible")).to_have_count(0)
    page.get_by_role("group", name="Do siblings exclude each other?").get_by_role(
        "radio", name="yes"
    ).check()
    expect(page.locator(".choose-conflict:visible")).to_have_count(1)


@pytest.mark.slow
def test_the_browsers_back_takes_an_answer_back(page: Page) -> None:
    page.goto(f"{page.url.partition('?')[0].rstrip('/')}/measures?show=choose&shape=dag")
    expect(page.get_by_role("radio", name="DAG", exact=True)).to_be_checked()
    page.get_by_role("radio", name="one or several", exact=True).click()
    expect(page.locator(".st-key-choose_card")).to_contain_text("MGIA,hF,hP,hR")
    rests(page)
    page.go_back()
    expect(page.get_by_role("radio", name="one", exact=True).first).to_be_checked()
    expect(page.get_by_role("radio", name="DAG", exact=True)).to_be_checked()
