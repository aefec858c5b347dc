"""The page of properties as a newcomer finds it: the smallest example of a disagreement."""

from playwright.sync_api import Page, expect

from .screen import go_to, graph, rests, until, value


def choose(page: Page, label: str, measure: str) -> None:
    """Choose a measure in a field. A page that is still being drawn closes the list of a field."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    field = page.get_by_test_id("stSelectbox").filter(has_text=label).first.get_by_role("combobox")
    field.fill(measure)
    page.get_by_role("option", name=f"({measure})").first.click()


def test_from_the_start_page_to_the_smallest_disagreement_with_both_pictures(page: Page) -> None:
    go_to(page, "Measures", "Properties")
    choose(page, "“After” is better by", "hF")
    choose(page, "“Before” is better by", "GIE")
    # R→a, b, T = {a}, P = {b}: with a predicted, too, hF goes from 2·1/4 to 2·2/5, and GIE's error
    # from 2 to 5.
    expect(page.get_by_text("GIE 2 → 5").first).to_be_visible()
    for k in range(2):
        expect(page.locator(f".st-key-behaviour_picture_instance_{k} img").first).to_be_visible()
    page.locator(".st-key-behaviour_open_instance button").first.click()
    expect(value(page, "GIE")).to_have_text("5.00")
    rests(page)
    until(graph(page), "(element) => element.graph.scene.shapes.length === 3")
    expect(page.locator(".hm-values.pinned")).to_be_attached()
