"""In Chromium: the Cases page, from the overview to a figure and into the Explorer; and the
selector on the page of the site, which decides in a script, and on the page of the app.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from docs.make.generated import FOLDER
from hiermeasures.cases import verify
from hiermeasures.guide.selector import complete, protocol
from tests.guide.test_selector import CARDS

from .screen import rests, value


def test_from_the_overview_to_a_figure_and_into_the_explorer(page_at: Callable[[str], Page]) -> None:
    page = page_at("cases")
    report = verify()
    published = report.counts_of(paper for paper in report.papers if paper.kind == "paper")
    expect(page.locator(".hm .counts dd").first).to_have_text(str(published.cells))
    rests(page)
    page.get_by_role("button", name="Figure 11", exact=True).click()
    expect(page).to_have_url(re.compile("figure=kosmopoulos2015"))
    expect(
        page.get_by_role("heading", name="Figure 11: Different numbers of true and predicted classes")
    ).to_be_in_viewport()
    expect(page.locator(".hm td.explained").filter(has_text="0,33")).to_be_visible()
    page.get_by_role("button", name="Open in Explorer").nth(1).click()
    # Figure 11(b): P_aug = {A, B, P1}, T_aug = {A, B, T1, T2}, two of three and two of four shared.
    expect(value(page, "hP")).to_have_text("0.67")
    expect(value(page, "hR")).to_have_text("0.50")


def test_drawings_are_drawn_and_tell_what_they_show(page_at: Callable[[str], Page]) -> None:
    page = page_at("cases?figure=kosmopoulos2015/figure-11")
    picture = page.get_by_role("img", name="A hierarchy of 6 classes. True: T1. Predicted: P1, P2.")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")


def test_the_words_that_a_claim_disputes_open_beside_its_case(page_at: Callable[[str], Page]) -> None:
    page = page_at("cases?figure=kosmopoulos2015/figure-18")
    claim = page.locator(".hm .note", has_text="kosmopoulos2015-26")
    quote = claim.get_by_text("As shown in Table 8 the two cases receive the same scores.")
    expect(quote).to_be_hidden()
    claim.get_by_text("What is printed").click()
    expect(quote).to_be_visible()


PARTS = ("report", "beside", "not_alone", "command", "python", "caption")


@pytest.fixture
def still(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, str]]:
    """A page with only what the script of docs/choose.md needs, and its address."""
    text = (FOLDER / "choose.md").read_text("utf-8")
    data, form = (re.search(rf"<{part}.*?</{part.split()[0]}>", text, re.S) for part in ("script type", "form"))
    places = re.findall(r'^<(?:div|p) id="choose-.*$', text, re.M)
    parts = [f"{line}{k}</div>" for k, line in enumerate(re.findall(r"^<div class=.*data-when=.*$", text, re.M))]
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
        assert found == {part: list(w) if isinstance(w := getattr(wanted, part), tuple) else w for part in PARTS}


def test_the_page_of_the_site_takes_answers_from_its_address_and_puts_them_there(still: tuple[Page, str]) -> None:
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
    page.get_by_role("group", name="Do siblings exclude each other?").get_by_role("radio", name="yes").check()
    expect(page.locator(".choose-conflict:visible")).to_have_count(1)


@pytest.mark.slow
def test_the_browsers_back_takes_an_answer_back(page: Page) -> None:
    page.goto(f"{page.url.partition('?')[0].rstrip('/')}/choose?shape=dag")
    expect(page.get_by_role("radio", name="DAG", exact=True)).to_be_checked()
    page.get_by_role("radio", name="one or several", exact=True).click()
    expect(page.locator(".st-key-choose_card")).to_contain_text("MGIA,hF,hP,hR")
    rests(page)
    page.go_back()
    expect(page.get_by_role("radio", name="one", exact=True).first).to_be_checked()
    expect(page.get_by_role("radio", name="DAG", exact=True)).to_be_checked()
