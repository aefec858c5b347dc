"""Pinning, options and taking away, in a real browser."""

from pathlib import Path

from playwright.sync_api import Download, Page, expect

from .screen import measure, until


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
