"""Controls in the menus of the toolbar, in the browser: what was entered gives way to what Python
says.
"""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from .screen import open_menu


def control(page: Page, key: str) -> Locator:
    return page.locator(f'[data-key="{key}"]')


def test_a_file_that_is_no_text_is_refused_in_the_browser(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "odd.csv"
    file.write_bytes(b"A,\xff\xfe\n")
    open_menu(page, "Load")
    control(page, "uploaded").locator("input").set_input_files(file)
    expect(control(page, "uploaded").get_by_role("alert")).to_contain_text("UTF-8")
