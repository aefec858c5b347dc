"""Everything drawn lies inside its canvas: in every view, on wide and narrow screens, beside another
drawing, and after one view follows another.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from hiermeasures import Hierarchy
from hiermeasures.draw.views import OPENING, VIEWS, with_measure
from hiermeasures.explore.library import figure, figures
from hiermeasures.explore.share_link import encoded
from hiermeasures.explore.shown import Shown

from .screen import graph, measure, stands_still, until
from .test_structures import show

SCREENS = ((1440, 900), (1024, 768), (390, 844))
INSIDE = """(element) => {
    const { left, top, right, bottom } = element.graph.drawnBox(), { clientWidth, clientHeight } = element.graph.canvas;
    const legend = element.querySelector(".legend");
    const inside = left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
    return element.graph.scene.shapes.length > 0 && inside && legend.scrollHeight <= legend.clientHeight + 1;
}"""
# as large as the room allows, but for a hundredth
FITTED = "({ graph }) => Math.abs(graph.network.getScale() / graph.viewOf().scale - 1) < 0.01"
# 30 classes whose names are long, of which some are far apart.
WIDE = Hierarchy.from_edges(
    [("Root of everything", f"Section number {i}") for i in range(5)]
    + [(f"Section number {i}", f"Subject {i}.{j} of a section") for i in range(5) for j in range(5)]
)


def is_whole(drawing: Locator) -> None:
    """Wait until all that is drawn is inside its canvas."""
    until(drawing, INSIDE)


def shown_by_link(page: Page, shown: Shown, second: str = "") -> None:
    address = page.url.split("/?")[0].rstrip("/")
    page.goto(f"{address}/?state={encoded(shown, with_measure(OPENING, 'hF'), second=second)}")
    expect(graph(page)).to_have_attribute("data-painted", re.compile(r"\d"))
    stands_still(page)


def every_view_is_whole(page: Page) -> None:
    for view in VIEWS.values():
        show(page, view.title)
        is_whole(graph(page))


def far_apart() -> Shown:
    true, predicted = (
        ["Subject 0.0 of a section", "Subject 2.2 of a section"],
        ["Subject 4.4 of a section"],
    )
    return Shown.make(WIDE, true, predicted, title="Wide")


def test_the_distances_of_mgia_are_drawn_whole_after_a_click_on_the_first_screen(
    page: Page,
) -> None:
    stands_still(page)
    measure(page, "MGIA").click()
    until(graph(page), "(element) => element.graph.scene.links.length > 0")
    is_whole(graph(page))


def test_every_view_is_drawn_whole_on_every_screen(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        shown_by_link(page, far_apart())
        every_view_is_whole(page)


def test_every_view_is_as_large_as_its_room_allows_and_a_large_screen_has_more(page: Page) -> None:
    scales = []
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(page.url.split("?")[0])  # the story, whose links hang below its classes
        expect(graph(page)).to_have_attribute("data-painted", re.compile(r"\d"))
        for view in ("distances", "confusion", "counts", "classes"):
            show(page, view)
            is_whole(graph(page))
            until(graph(page), FITTED)
        scales.append(graph(page).evaluate("(element) => element.graph.network.getScale()"))
    assert scales[1] > 1.3 * scales[0]


def test_two_drawings_side_by_side_are_both_whole(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        shown_by_link(page, far_apart(), second="F_LCA")
        for drawing in (graph(page), page.locator(".row.second .hm-graph")):
            is_whole(drawing)
            until(drawing, "(element) => 16 * element.graph.network.getScale() >= 6")


def test_what_is_not_marked_is_left_out_where_it_would_make_the_drawing_too_small(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    shown_by_link(page, far_apart())
    until(graph(page), "({ graph }) => graph.scene.shapes.length < graph.data.scene.shapes.length")
    graph(page).get_by_role("button", name="Show all").click()
    until(
        graph(page), "({ graph }) => graph.scene.shapes.length === graph.data.scene.shapes.length"
    )
    is_whole(graph(page))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_view_of_twenty_instances_is_drawn_whole_on_every_screen(
    page: Page, part: int
) -> None:
    for key in list(figures())[part:20:4]:
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            shown_by_link(page, figure(key))
            every_view_is_whole(page)
