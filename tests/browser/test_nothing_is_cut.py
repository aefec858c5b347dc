"""Everything drawn lies inside its canvas: in every view, on wide and narrow screens, beside another
drawing, and after one view follows another.
"""

from playwright.sync_api import Locator, Page, expect

from hiermeasures import Hierarchy
from hiermeasures.draw.views import OPENING, VIEWS, with_measure
from hiermeasures.explore.share_link import encoded
from hiermeasures.explore.shown import Shown

from .screen import graph, stands_still, until
from .test_structures import show

SCREENS = ((1440, 900), (1024, 768), (390, 844))
INSIDE = """(element) => {
    const { left, top, right, bottom } = element.graph.drawnBox(), { clientWidth, clientHeight } = element.graph.canvas;
    const legend = element.querySelector(".legend");
    const inside = left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
    return element.graph.scene.shapes.length > 0 && inside && legend.scrollHeight <= legend.clientHeight + 1;
}"""
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
    expect(graph(page)).to_have_attribute("data-painted", "1")
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


def test_every_view_is_drawn_whole_on_every_screen(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        shown_by_link(page, far_apart())
        every_view_is_whole(page)


def test_two_drawings_side_by_side_are_both_whole(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        shown_by_link(page, far_apart(), second="F_LCA")
        for drawing in (graph(page), page.locator(".row.second .hm-graph")):
            is_whole(drawing)
            until(drawing, "(element) => 16 * element.graph.network.getScale() >= 6")
