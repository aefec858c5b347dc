"""Controls in the menus of the toolbar, in the browser: what was entered gives way to what Python
says.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import open_menu


def control(page: Page, key: str) -> Locator:
    return page.locator(f'[data-key="{key}"]')


@pytest.mark.parametrize("name", ["", "behaviour"])
def test_a_choice_and_a_refused_number_show_the_options_as_they_are_after_reset(
    page_at: Callable[[str], Page], name: str
) -> None:
    page = page_at(name)
    page.get_by_role("button", name="Options").click()
    weights, dmax = (
        control(page, "option_edge_weights").locator("select"),
        control(page, "option_dmax").locator("input"),
    )
    weights.select_option("exponential")
    expect(control(page, "option_weight_base")).to_be_visible()
    dmax.fill("-3")
    dmax.press("Enter")
    expect(control(page, "option_dmax").get_by_role("alert")).to_contain_text("-3")
    expect(dmax).to_have_value("-3")
    page.get_by_role("button", name="Reset").click()
    expect(control(page, "option_weight_base")).to_have_count(0)
    expect(weights.locator("option:checked")).to_have_text("given")
    expect(dmax).to_have_value("5")


def test_a_file_that_is_no_text_is_refused_in_the_browser(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "odd.csv"
    file.write_bytes(b"A,\xff\xfe\n")
    open_menu(page, "Load")
    control(page, "uploaded").locator("input").set_input_files(file)
    expect(control(page, "uploaded").get_by_role("alert")).to_contain_text("UTF-8")
