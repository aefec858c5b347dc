"""From a printed number to the conventions that give it, and on to the instance that tells them
apart, by mouse.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import figure_button, rests
from .test_systems_page import LONG


def number(page: Page, system: str) -> Locator:
    return page.get_by_role("textbox", name=system, exact=True)


@pytest.mark.slow
def test_a_printed_number_its_conventions_the_instance_that_tells_them_apart_and_back(page: Page) -> None:
    page.get_by_role("link", name="Systems").click()
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    page.get_by_role("radio", name="A paper prints").click()
    page.get_by_role("button", name="Try a number").click()
    verdict = page.get_by_text(re.compile(r"^Consistent with \d+ of \d+ conventions .* by chance"))
    expect(verdict).to_be_visible(timeout=LONG)
    tried = number(page, "cautious")
    expect(tried).to_have_value(re.compile(r"^0\.\d{3}$"))
    rows = page.locator(".st-key-printed_table .hm-table tbody tr")
    expect(rows.first).to_contain_text(f"{tried.input_value()[:4]}")
    rests(page)
    wrong = number(page, "near miss")
    wrong.click()
    page.keyboard.type("0,7")
    page.get_by_role("button", name="Find conventions").click()
    expect(page.get_by_text("near miss: A printed number is a fraction or per cent")).to_be_visible()
    rests(page)
    opening = page.get_by_role("button", name=re.compile("^Open M.* in the Explorer$"))
    name = opening.inner_text().split()[-4]
    opening.click()
    expect(figure_button(page)).to_contain_text(name)
    rests(page)
    page.go_back()
    expect(verdict).to_be_visible(timeout=LONG)
    expect(tried).to_have_value(re.compile(r"^0\.\d{3}$"))
    expect(wrong).to_have_value("0,7")
    wrong.click(click_count=3)
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Find conventions").click()
    expect(page.get_by_text("near miss: A printed number")).to_have_count(0)
    expect(page.get_by_text("results from before")).to_have_count(0)
    expect(verdict).to_be_visible()
