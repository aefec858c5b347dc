"""Charts of the page Compare are saved as SVG, PNG and CSV, with the caption in the picture."""

import csv
import io
import struct
from pathlib import Path

import pytest
from defusedxml import ElementTree
from playwright.sync_api import Page, expect

from .screen import go_to

LONG = 240_000  # milliseconds; on a new machine the kernels are compiled first
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def ranks(page: Page) -> Page:
    """The chart of ranks of the built-in example, with its menu open."""
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    chart = page.locator(".st-key-chart_ranks")
    expect(chart.locator(".main-svg").first).to_be_visible()
    chart.get_by_role("button", name="Save").click()
    return page


def save(page: Page, name: str, folder: Path) -> bytes:
    """The content of the file that a button of the open menu saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes()


def size_of(png: bytes) -> tuple[int, ...]:
    """Width and height in the header of a PNG."""
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


def test_a_saved_picture_has_what_is_drawn_and_the_caption(ranks: Page, tmp_path: Path) -> None:
    svg = ElementTree.fromstring(save(ranks, "Picture as SVG", tmp_path).decode())
    words = " ".join("".join(text.itertext()) for text in svg.iter(f"{SVG}text"))
    for fact in ("cautious", "F_LCA", "sign test", "root is counted", "240 instances"):
        assert fact in words
    lines = [path for path in svg.iter(f"{SVG}path") if path.get("class") == "js-line"]
    assert len(lines) == 4
    # in a viewer with other fonts, text keeps its length
    assert all(text.get("textLength") for text in svg.iter(f"{SVG}text") if text.text)
    drawn = ranks.locator(".st-key-chart_ranks .main-svg").first.bounding_box()
    assert drawn is not None
    assert float(svg.get("width")) == pytest.approx(drawn["width"], abs=1)
    assert float(svg.get("height")) > drawn["height"]
    png = size_of(save(ranks, "Picture as PNG", tmp_path))
    assert png == pytest.approx([2 * float(svg.get(side)) for side in ("width", "height")], abs=2)


def test_the_data_of_a_picture_are_its_numbers(ranks: Page, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(save(ranks, "Data as CSV", tmp_path).decode())))
    # as the table of the page prints them
    table = ranks.locator(".st-key-systems_ranking tr").nth(1)
    expect(table).to_contain_text(f"({rows[0]['hF']})")
    assert [row["system"] for row in rows] == [
        "cautious",
        "near miss",
        "generous",
        "all or nothing",
    ]
