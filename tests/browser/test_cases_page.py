"""The Cases page in a real browser: from the overview to a figure and into the Explorer."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from hiermeasures.cases import verify

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
