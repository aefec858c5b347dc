"""The view "Why" by mouse: from two systems to the parts of their difference, to an instance in the
Explorer and back.
"""

from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import chosen, figure_button, go_to, pick, rests
from .test_accessibility import clean

LONG = 240_000  # milliseconds; on a new machine the kernels are compiled first


@pytest.fixture
def why(page: Page) -> Page:
    """The view "Why" of the built-in example."""
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    pick(page, "View", "Why")
    expect(sentence(page)).to_contain_text("prefers")
    return page


def sentence(page: Page) -> Locator:
    return page.locator(".st-key-systems_why_sentence")


def part(page: Page, table: str, *words: str) -> Locator:
    """The row of a part, by the words in its first cells."""
    rows = page.locator(f".st-key-systems_why_{table} tr")
    for k, word in enumerate(words):
        cell = page.locator(f":is(th, td):nth-child({k + 1})").get_by_text(word, exact=True)
        rows = rows.filter(has=cell)
    return rows


def test_two_systems_that_two_measures_rank_differently_are_shown_at_first(why: Page) -> None:
    # accuracy 0.6458 and 0.4500, hF 0.7506 and 0.9274 in the ranking
    expect(sentence(why)).to_contain_text(
        "accuracy prefers all or nothing by 0.1958, but hF prefers cautious by 0.1768"
    )
    expect(part(why, "kinds", "too general", "other top class")).to_contain_text("0.0000")


def test_a_part_lists_its_instances_which_open_in_the_explorer_and_come_back(why: Page) -> None:
    row = part(why, "kinds", "too general", "other top class")
    row.click()
    expect(why.get_by_role("heading", name="34 instances")).to_be_visible()
    first = why.locator(".st-key-systems_list tr").nth(1)
    name = first.locator("th, td").first.inner_text()
    first.click()
    expect(why.get_by_text(name).first).to_be_visible()
    why.get_by_role("button", name="Back to Compare").click()
    expect(why.get_by_role("heading", name="34 instances")).to_be_visible()
    why.get_by_role("button", name="Back to the most telling ones").click()
    expect(why.get_by_role("heading", name="The most telling instances")).to_be_visible()


def test_a_click_on_a_system_s_answer_opens_that_answer(why: Page) -> None:
    part(why, "kinds", "too general", "other top class").click()
    expect(why.get_by_role("heading", name="34 instances")).to_be_visible()
    row = why.locator(".st-key-systems_list tr").nth(1)
    answer = row.locator("th, td").nth(3).inner_text()  # of “all or nothing”, the second system
    row.locator("th, td").nth(3).click()
    expect(chosen(why, "predicted").first).to_contain_text(answer.split(", ")[0])
    expect(figure_button(why)).to_contain_text("all or nothing")


def test_a_part_becomes_a_filter_of_every_view_and_the_two_systems_stay(why: Page) -> None:
    part(why, "kinds", "too general", "other top class").click()
    why.get_by_role("button", name="Filter all views").click()
    expect(why.get_by_text("34 of 240 instances")).to_be_visible()
    # “near miss” is now the best one by both measures
    expect(sentence(why)).to_contain_text("all or nothing")
    expect(sentence(why)).to_contain_text("cautious")


def test_what_a_system_loses_most_comes_first(why: Page) -> None:
    # By hF, "cautious" is the better one of the two. The other is the second system.
    why.get_by_role("combobox", name="Order of parts").click()
    why.get_by_role("option", name="where cautious loses most by hF").click()
    rows = why.locator(".st-key-systems_why_kinds tr")
    expect(rows.nth(1)).to_contain_text("82")
    expect(rows.nth(1)).to_contain_text("−0.0462")


def test_a_search_without_an_answer_leads_to_why(page: Page) -> None:
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    pick(page, "View", "Search")
    pick(page, "Instances where", "two measures prefer different systems")
    for field, choice in (("Measure", "Accuracy (accuracy)"), ("against", "Hierarchical F1 (hF)")):
        page.get_by_role("combobox", name=field, exact=True).click()
        page.get_by_role("option", name=choice).click()
    expect(page.get_by_role("heading", name="0 of 240 instances")).to_be_visible()
    page.get_by_role("button", name="Why do the means disagree?").click()
    expect(sentence(page)).to_contain_text("accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(why: Page, scheme: Literal["light", "dark"]) -> None:
    why.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    part(why, "kinds", "too general", "other top class").click()
    expect(why.get_by_role("heading", name="34 instances")).to_be_visible()
    clean(why, f"Why, {scheme}")
    why.emulate_media(color_scheme="null", reduced_motion="null")


@pytest.mark.slow
def test_at_390_pixels_no_part_of_the_view_is_wider_than_the_page(why: Page) -> None:
    why.set_viewport_size({"width": 390, "height": 844})
    rests(why)
    main = why.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
