"""One's own hierarchies in the browser: hostile labels, faults beside the field, folding."""

import pytest
from playwright.sync_api import Page, expect

from .screen import (
    chosen,
    click_class,
    enter_class,
    graph,
    marked_stand_in_the_picture,
    measure,
    paste_hierarchy,
    place_of,
    placement,
    tool,
    until,
)

HOSTILE = "<img src=x onerror=alert(1)>"
MARKUP = "**bold** $x^2$ :red[red] <b>b</b>"


def test_hostile_labels_are_shown_as_their_characters(page: Page) -> None:
    # The fixture fails the test if a dialog opens, a request leaves the app, or a script fails.
    paste_hierarchy(page, f"top\t{HOSTILE}\ntop\t{MARKUP}\ntop\t__proto__\n")
    expect(chosen(page, "predicted").filter(has_text="P1")).to_have_count(0)
    for label in (HOSTILE, MARKUP, "__proto__"):
        click_class(page, label)
        expect(chosen(page, "predicted").filter(has_text=label)).to_have_count(1)
    place = place_of(page, HOSTILE)
    page.mouse.move(place["x"] + 30, place["y"] + 60)
    page.mouse.move(place["x"], place["y"], steps=4)
    expect(page.locator(".hm-graph .vis-tooltip b")).to_have_text(HOSTILE)
    # In the sentence of the evidence too.
    measure(page, "SDL").click()
    expect(
        page.get_by_text(f"Spurious: **bold** $x^2$ :red[red] <b>b</b>, {HOSTILE}, __proto__")
    ).to_be_visible()
    assert page.locator("img[src='x']").count() == 0


@pytest.mark.slow
def test_in_a_large_hierarchy_the_marked_classes_and_their_ancestors_are_in_the_picture(
    page: Page,
) -> None:
    groups = "".join(f"top{i % 5} group{i}\n" for i in range(30)) + "".join(
        f"all top{i}\n" for i in range(5)
    )
    paste_hierarchy(page, groups + "".join(f"group{i % 30} class{i}\n" for i in range(990)))
    expect(page.locator(".hm-graph .notes")).to_contain_text("of 1,026 classes drawn")
    page.keyboard.press("Escape")
    for side, label in (("true", "class3"), ("predicted", "class989"), ("predicted", "group7")):
        enter_class(page, side, label)
    for width in (1440, 1024, 768):
        page.set_viewport_size({"width": width, "height": 900})
        marked_stand_in_the_picture(page)
    readable = placement(page)["scale"]
    tool(page, "Show all").click()
    until(
        graph(page),
        "(element, readable) => element.graph.network.getScale() < readable / 2",
        readable,
    )
    tool(page, "Fit what is marked").click()
    marked_stand_in_the_picture(page)
    expect(tool(page, "Fit what is marked")).to_be_hidden()
