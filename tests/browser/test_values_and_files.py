"""Pinning, options and taking away, in a real browser."""

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Download, Page, expect

from .screen import CORE, click_class, measure, open_menu, paste_hierarchy, rests, until, value

HOSTILE = '{"root": ["=1+1", "b"]}'


def taken(page: Page, label: str, tmp_path: Path) -> bytes:
    """The file behind a button of the popover, which is open."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    download: Download = waiting.value
    path = tmp_path / download.suggested_filename
    download.save_as(path)
    return path.read_bytes()


def change_of(page: Page, key: str) -> list[str]:
    row = measure(page, key)
    return row.locator(".change, .word").all_inner_texts()


def test_after_pinning_every_row_shows_how_it_changed(page: Page) -> None:
    # 2/4 of the predicted side is right, then 2/3; R_H stays 2/3.
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator(".hm-values.pinned")).to_be_visible()
    click_class(page, "P2")
    expect(value(page, "hP")).to_have_text("0.67")
    assert change_of(page, "hP") == ["+0.17", "better"]
    assert change_of(page, "hR") == ["", ""]
    page.get_by_role("button", name="Unpin").click()
    expect(page.locator(".hm-values.pinned")).to_have_count(0)
    expect(value(page, "hP")).to_have_text("0.67")


def test_an_option_changes_the_values_while_its_panel_stays_open(page: Page) -> None:
    # GIE of Figure 11(a): 2 for the pair and D_max for the class left over.
    expect(value(page, "GIE")).to_have_text("7.00")
    page.get_by_role("button", name="Options").click()
    field = page.get_by_role("spinbutton", name="D_max", exact=True)
    field.fill("-1")
    field.press("Enter")
    expect(page.get_by_text("-1 should be greater than 0; it stays 5")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("3")
    field.press("Enter")
    expect(value(page, "GIE")).to_have_text("5.00")
    expect(page.get_by_role("button", name="Options · 1 changed")).to_be_visible()
    expect(field).to_be_visible()


def test_the_csv_cannot_start_a_formula_and_holds_all_digits(page: Page, tmp_path: Path) -> None:
    paste_hierarchy(page, HOSTILE)
    expect(value(page, "hP")).to_have_text("–")
    click_class(page, "=1+1")
    expect(value(page, "hP")).to_have_text("0.00")
    page.get_by_role("button", name="Export").click()
    rows = list(csv.DictReader(io.StringIO(taken(page, "CSV", tmp_path).decode(), newline="")))
    assert {row["predicted"] for row in rows} == {"'=1+1"}
    assert all(not cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_the_drawing_comes_as_svg_png_and_tikz_and_the_case_as_yaml(page: Page, tmp_path: Path) -> None:
    page.get_by_role("button", name="Export").click()
    assert taken(page, "SVG", tmp_path).startswith(b"<svg")
    png = taken(page, "PNG", tmp_path)
    assert png.startswith(b"\x89PNG")
    wide, high = (int.from_bytes(png[k : k + 4], "big") for k in (16, 20))
    assert wide > 200
    assert high > 200
    assert rb"\begin{tikzpicture}" in taken(page, "TikZ", tmp_path)
    assert rb"$\mathrm{hF}$" in taken(page, "LaTeX table", tmp_path)
    page.get_by_role("button", name="Share").click()
    assert b"hierarchy: A>B A>C B>T1 B>P1 B>P2" in taken(page, "Save as YAML", tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    stem = "kosmopoulos2015-figure-11a"
    assert names == sorted(f"{stem}{end}" for end in (".svg", ".png", "-figure.tex", "-table.tex", ".yaml"))


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


@pytest.mark.slow
def test_a_starred_measure_is_listed_with_the_core(page: Page) -> None:
    star = measure(page, "SP").locator("xpath=..").get_by_role("button", name="Star Shortest path")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="The core", exact=True).click()
    expect(page.locator(".hm-values .row")).to_have_count(len(CORE) + 1)
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    expect(page.locator(".hm-values .row")).to_have_count(len(CORE))


def test_the_table_is_one_tab_stop_with_arrow_keys_inside_and_rows_that_are_read_aloud(page: Page) -> None:
    expect(page.get_by_role("button", name="Hierarchical F1 0.57 , higher is better")).to_be_visible()
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


def test_what_was_pasted_is_there_when_the_menu_is_opened_again(page: Page) -> None:
    open_menu(page, "Load")
    page.get_by_role("textbox", name="Paste a hierarchy").fill("A B\nA C")
    page.keyboard.press("Tab")
    rests(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Paste a hierarchy")).to_be_hidden()
    open_menu(page, "Load")
    expect(page.get_by_role("textbox", name="Paste a hierarchy")).to_have_value("A B\nA C")
