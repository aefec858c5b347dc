"""The Explorer on small and large screens, and its first line."""

from playwright.sync_api import Page, expect

from .screen import figure_button, graph, stands_still, until

SMALLEST = """(element) => Math.min(...[...element.querySelectorAll("p, span, label, button, h1, h2, h3")]
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()) && e.checkVisibility())
    .filter((e) => e.getClientRects().length && e.getBoundingClientRect().width > 2 && !e.closest(".katex"))
    .map((e) => parseFloat(getComputedStyle(e).fontSize)))"""


def test_text_grows_with_the_screen_and_the_drawing_reaches_its_foot(page: Page) -> None:
    for width, height, least in ((1280, 800, 12), (1920, 1080, 14)):
        page.set_viewport_size({"width": width, "height": height})
        stands_still(page)
        main = page.get_by_test_id("stMain")
        assert main.evaluate(SMALLEST) >= least
        until(main, "(e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
        box, fields = graph(page).bounding_box(), page.get_by_test_id("stMultiSelect").first.bounding_box()
        assert box is not None
        assert fields is not None
        assert box["width"] > 0.48 * width
        assert fields["y"] + fields["height"] > 0.95 * height


def test_the_first_line_is_closed_for_the_session(page: Page) -> None:
    line = page.locator(".st-key-first_words")
    expect(line).to_contain_text("blue: true")
    page.get_by_role("button", name="Close this line").click()
    expect(line).to_have_count(0)
    page.get_by_role("link", name="Glossary").click()
    page.get_by_role("link", name="Explore", exact=True).click()
    expect(figure_button(page)).to_be_visible()
    expect(line).to_have_count(0)


def test_classes_in_a_table_stand_side_by_side(page: Page) -> None:
    chips = [page.locator(".hm-table .chip").get_by_text(label, exact=True).bounding_box() for label in ("P1", "P2")]
    assert chips[0] is not None
    assert chips[1] is not None
    assert chips[0]["y"] == chips[1]["y"]
    assert chips[0]["width"] < 60
