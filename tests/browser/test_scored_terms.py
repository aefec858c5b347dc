"""From files of scored terms to a single target, by mouse: upload, the curves, the targets behind a
point, the Explorer.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import box_of, figure_button, marked_stand_in_the_picture, rests, value
from .test_systems_page import LONG, upload

FILES = {
    "Ontology": {
        "o.obo": "[Term]\nid: R\nnamespace: N\n"
        "[Term]\nid: A\nnamespace: N\nis_a: R\n"
        "[Term]\nid: B\nnamespace: N\nrelationship: part_of R\n"
        "[Term]\nid: C\nnamespace: N\nis_a: A\n"
    },
    "Truth": {"truth.tsv": "P1\tC\nP2\tB\n"},
    "Predictions": {"one.tsv": "P1\tC\t0.305\nP1\tB\t0.605\nP2\tA\t0.405\n", "two.tsv": "P1\tC\t0.905\nP2\tB\t0.805\n"},
    "Information (optional)": {"ia.tsv": "R\t0\nA\t1\nB\t2\nC\t3\n"},
}


def point_on(chart: Locator, system: int, number: int) -> Locator:
    """A threshold of a system on its curve; lines of equal values, without points, come before."""
    return chart.locator(".scatterlayer .trace:has(.points path)").nth(system).locator(".points path").nth(number)


@pytest.mark.slow
def test_files_to_curves_to_the_targets_of_a_point_to_the_explorer(page: Page) -> None:
    page.get_by_role("link", name="Systems").click()
    rests(page)
    page.get_by_role("radio", name="Scored terms (CAFA)").click()
    expect(page.get_by_text("Largest S first")).to_be_visible(timeout=LONG)
    page.get_by_text("Your own files: an ontology").click()
    for field, files in FILES.items():
        upload(page, field, {name: text.encode() for name, text in files.items()})
    expect(page.get_by_text("information from ia.tsv")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("heading", name="Targets of one at τ")).to_be_visible(timeout=LONG)
    rests(page)
    # From 0.31 to 0.4 C of P1 is not predicted any more by one.tsv; that is the second point of its
    # curve.
    spot = point_on(page.locator(".js-plotly-plot").nth(1), 0, 1)
    spot.scroll_into_view_if_needed()
    place = box_of(spot)
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, steps=4)
    hover = page.locator(".hoverlayer .hovertext").first
    expect(hover).to_contain_text("click: these targets")
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("heading", name="Targets of one at τ = 0.31")).to_be_visible()
    # P1 has {B, R} for {C, A, R}: mi 2, ru 4; P2 has {A, R} for {B, R}: mi 1, ru 2.
    rows = page.locator(".st-key-systems_list tr")
    expect(rows.nth(1)).to_contain_text("4.47")
    rows.nth(2).click()
    expect(figure_button(page)).to_contain_text("P2")
    expect(value(page, "S")).to_have_text("2.24")
    marked_stand_in_the_picture(page)
    page.get_by_role("link", name="Systems").click()
    expect(rows.nth(1)).to_contain_text("4.47", timeout=LONG)
