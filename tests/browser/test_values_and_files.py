"""Pinning, options and taking away, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Download, Page, expect

from .screen import measure, rests, until


def taken(page: Page, label: str, tmp_path: Path) -> bytes:
    """The file behind a button of the popover, which is open."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    download: Download = waiting.value
    path = tmp_path / download.suggested_filename
    download.save_as(path)
    return path.read_bytes()


def test_a_file_is_taken_away_under_its_name_and_the_browser_paints_the_png(
    page: Page, tmp_path: Path
) -> None:
    page.get_by_role("button", name="Export").click()
    assert rb"\begin{tikzpicture}" in taken(page, "TikZ", tmp_path)
    png = taken(page, "PNG", tmp_path)
    assert png.startswith(b"\x89PNG")
    assert min(int.from_bytes(png[k : k + 4], "big") for k in (16, 20)) > 200
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["kosmopoulos2015-figure-11a-figure.tex", "kosmopoulos2015-figure-11a.png"]


# --- the table of values ------------------------------------------------------------------------

SEEN = """row => {
    const box = row.closest(".hm-values").getBoundingClientRect(), line = row.getBoundingClientRect();
    return line.top >= box.top && line.bottom <= box.bottom - 17.6;  // 1.1rem at its lower edge fade out
}"""
CUT = """host => [...host.querySelectorAll(".value, .better, .star")].filter((cell) => {
    const box = host.getBoundingClientRect(), part = cell.getBoundingClientRect();
    const cut = part.width === 0 || part.right > box.right + 1 || cell.scrollWidth > cell.clientWidth + 1;
    return cell.checkVisibility() && cut;
}).map((cell) => cell.parentElement.textContent)"""


def test_the_table_is_one_tab_stop_with_arrow_keys_inside_and_rows_that_are_read_aloud(
    page: Page,
) -> None:
    expect(
        page.get_by_role("button", name="Hierarchical F1 0.57 , higher is better")
    ).to_be_visible()
    measure(page, "SP")  # all are listed
    reached = page.locator('.hm-values button[tabindex="0"]')
    expect(reached).to_have_count(1)
    reached.focus()
    meaning = page.locator(".told")
    expect(meaning).to_have_text("Hierarchical F1 · ▲ higher is better")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(measure(page, "hP")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Star Hierarchical precision")).to_be_focused()
    expect(meaning).to_have_text("List with the core")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(measure(page, "hP")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Hierarchical precision", exact=True).last).to_be_visible()
    page.keyboard.press("End")
    last = page.locator(".hm-values button[data-key]").last
    expect(last).to_be_focused()
    until(last, SEEN)


@pytest.mark.slow
def test_the_chosen_row_is_seen_after_choosing_pinning_and_resizing(page: Page) -> None:
    pinned = page.locator(".hm-values.pinned")
    for key in ("hR_desc", "SP", "hamming"):
        row = measure(page, key)
        row.click()
        until(row, SEEN)
        page.get_by_role("button", name="Pin", exact=True).click()
        expect(pinned).to_be_visible()
        until(row, SEEN)
        for width, height in ((1440, 760), (1024, 900), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            until(row, SEEN)
        page.get_by_role("button", name="Unpin").click()
        expect(pinned).to_have_count(0)


@pytest.mark.slow
def test_no_number_of_the_table_is_cut(page: Page) -> None:
    table = page.locator(".hm-values")
    for key in ("hF", "SP"):  # in the core, and among all
        measure(page, key)
        for width in (360, 390, 640, 768, 900, 1024, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            until(table, f"table => innerWidth === {width} && ({CUT})(table).length === 0")


@pytest.mark.slow
def test_a_formula_is_never_cut(page: Page) -> None:
    for key in ("hF", "HCM_MCC", "HCM_PT", "F_LCA"):
        measure(page, key).click()
        expect(measure(page, key)).to_have_attribute("aria-pressed", "true")
        rests(page)
        for width in (360, 768, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            formula = page.locator(".formula")
            fits = f"formula => innerWidth === {width} && formula.scrollWidth <= formula.clientWidth + 1"
            until(formula, fits)
            assert formula.locator("mo").count() > 1
