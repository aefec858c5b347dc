"""The page for a colleague: saved from Compare, and opened from the disk."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from hiermeasures import Hierarchy, compare

from .screen import go_to
from .test_accessibility import AXE, FOUND
from .test_systems_page import LONG


@pytest.fixture
def saved(page: Page, tmp_path: Path) -> Path:
    """The page on the built-in example, as the menu Export saves it."""
    go_to(page, "Compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    page.get_by_role("radio", name="Why").click()
    field = page.get_by_role("combobox", name="compared with")
    field.click()
    page.get_by_role("option", name="generous").click()
    expect(field).to_have_value("generous")
    page.get_by_role("radio", name="Confusion").click()
    expect(page.get_by_role("grid", name="Confusion matrix of")).to_be_visible(timeout=LONG)
    system = page.get_by_role("combobox", name="System")
    system.click()
    page.get_by_role("option", name="generous").click()
    expect(page.get_by_role("grid", name="Confusion matrix of generous")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download(timeout=LONG) as waiting:
        page.get_by_role("button", name="One page for a colleague").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_the_saved_page_opens_from_the_disk_without_server_and_faults(
    page: Page, saved: Path
) -> None:
    browser = page.context.browser
    assert browser is not None
    assert saved.name == "built-in-example-report.html"
    assert re.search("Why accuracy and hF differ on .*generous", saved.read_text("utf-8"))
    for scheme, width in (("light", 1440), ("dark", 390)):
        with browser.new_context(
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 900},
            offline=True,
        ) as context:
            colleague = context.new_page()
            faults: list[str] = []
            colleague.on("console", lambda message, to=faults: to.append(message.text))
            colleague.on("pageerror", lambda error, to=faults: to.append(str(error)))
            colleague.goto(saved.as_uri())
            expect(colleague.get_by_role("heading", level=1)).to_have_text("Built-in example")
            matrices = colleague.locator("section", has=colleague.get_by_text("Confusion matrices"))
            expect(matrices.locator("details[open] > summary")).to_have_text("generous")
            for closed in colleague.locator("details:not([open]) > summary").all():
                if closed.is_visible():
                    closed.click()
            images = colleague.locator("details[open] img")
            expect(images.first).to_be_visible()
            assert images.first.evaluate("image => image.naturalWidth") > 50
            assert not faults
            assert colleague.evaluate("document.documentElement.scrollWidth") <= width
    with browser.new_context() as context:
        colleague = context.new_page()
        # The page allows no script, so axe reads it without that rule.
        colleague.set_content(saved.read_text("utf-8").replace("Content-Security-Policy", "none"))
        colleague.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        colleague.evaluate(AXE)
        assert not colleague.evaluate(FOUND)


def test_long_names_leave_room_for_the_numbers_on_a_narrow_screen(page: Page) -> None:
    h = Hierarchy.from_edges([("A", "A1"), ("A", "A2"), ("B", "B1")], ["A", "B"])
    name = "system__with_hierarchical_threshold_and_roots_baseline_thresholding"
    systems = {name: ["A2", "B"], "AnotherTeam__with_a_long_name_A6C1": ["B1", "B1"]}
    comparison = compare(h, ["A1", "B1"], systems, measures=["accuracy", "hF", "hP", "hR", "GIE"])
    page.set_viewport_size({"width": 390, "height": 900})
    page.set_content(comparison.to_html())
    reason = page.locator("section", has=page.get_by_role("heading", name="Why "))
    # Every cell is in sight: the mistakes of both systems, the instances and both measures.
    cells = reason.locator("table").first.locator("th, td").all()
    assert len(cells) >= 10
    for cell in cells:
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    # The scores are wider than the screen: a shadow says so, at the side to which they go on.
    scores = page.locator(".wide").first
    assert scores.evaluate("e => e.scrollWidth > e.clientWidth")
    box = scores.bounding_box()
    assert box is not None

    def edges() -> tuple[object, object]:
        picture = Image.open(BytesIO(scores.screenshot())).convert("RGB")
        return picture.getpixel((0, 1)), picture.getpixel((picture.width - 1, 1))

    plain, shadow = edges()
    assert plain != shadow
    scores.evaluate("e => { e.scrollLeft = e.scrollWidth }")
    assert edges() == (shadow, plain)
