"""The graph without a mouse: one tab stop, a cursor that says where it is, and marks in the browser
at once.
"""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import chosen, classes, click_class, graph, pick, rests, stands_still

# In Figure 11(a) A stands above B and C, and B above T1, P1 and P2, from left to right.


def stop(page: Page) -> Locator:
    return graph(page).get_by_role("application")


def announced(page: Page) -> Locator:
    return graph(page).locator(".announced")


def enter(page: Page) -> None:
    """With the tab key from the switch before the graph."""
    stands_still(page)
    page.get_by_role("radio", name="ancestors").focus()
    page.keyboard.press("Tab")
    expect(stop(page)).to_be_focused()


def roles(page: Page, label: str) -> list[str]:
    """Return the marks of a class on the canvas: true, predicted."""
    shape: dict[str, Any] = graph(page).evaluate(
        "(element, label) => element.graph.scene.shapes.find((shape) => shape.title === label)",
        label,
    )
    return [shape["true"], shape["predicted"]]


def test_the_graph_is_one_tab_stop_in_which_arrows_go_to_child_sibling_and_parent_and_say_where(
    page: Page,
) -> None:
    enter(page)
    expect(announced(page)).to_have_text("A: ancestor of both; at the top")
    expect(graph(page).locator(".keys")).to_be_visible()
    for key, where in (
        ("ArrowDown", "B: ancestor of both; 1 of 2 below A"),
        ("ArrowRight", "C: in neither set; 2 of 2 below A"),
        ("ArrowRight", "C: in neither set; 2 of 2 below A"),  # the last one
        ("ArrowLeft", "B: ancestor of both; 1 of 2 below A"),
        ("ArrowDown", "P1: predicted; 2 of 3 below B"),  # straight below
        ("ArrowLeft", "T1: true; 1 of 3 below B"),
        ("ArrowDown", "T1: true; 1 of 3 below B"),  # a leaf
        ("ArrowUp", "B: ancestor of both; 1 of 2 below A"),
        ("Home", "A: ancestor of both; at the top"),
    ):
        page.keyboard.press(key)
        expect(announced(page)).to_have_text(where)
    page.keyboard.press("Tab")
    expect(stop(page)).not_to_be_focused()
    assert not graph(page).evaluate(
        "element => element.contains(element.getRootNode().activeElement)"
    )
    expect(graph(page).locator(".keys")).to_be_hidden()


def test_t_and_p_mark_at_once_and_for_good(page: Page) -> None:
    enter(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    for key, side in (("t", "True"), ("T", "True"), ("p", "Predicted")):
        page.keyboard.press(key)
        # Before Python can have answered: in the very next look at the page.
        assert roles(page, "C") == (["class", "none"] if side == "True" else ["none", "class"])
        expect(announced(page)).to_have_text(f"C: {side.lower()}; 2 of 2 below A")
        expect(chosen(page, side.lower()).filter(has_text="C")).to_have_count(1)
        expect(stop(page)).to_be_focused()
        page.keyboard.press(key)
        expect(chosen(page, side.lower()).filter(has_text="C")).to_have_count(0)


def test_enter_does_what_a_click_does_and_escape_leaves(page: Page) -> None:
    pick(page, "Click", "true")
    enter(page)
    page.keyboard.press("Enter")
    expect(chosen(page, "true").filter(has_text="A")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(stop(page)).not_to_be_focused()
    expect(announced(page)).to_have_text("")


def test_ctrl_z_takes_back_and_ctrl_shift_z_does_again_wherever_the_focus_is(page: Page) -> None:
    predicted, both = chosen(page, "predicted"), ["P1 ✕", "P2 ✕"]
    click_class(page, "P2")
    expect(predicted).to_have_text(both[:1])
    for place in (
        graph(page).get_by_role("application"),
        page.get_by_role("radio", name="ancestors"),
    ):
        place.focus()
        page.keyboard.press("Control+z")
        expect(predicted).to_have_text(both)
        page.keyboard.press("Control+Shift+Z")
        expect(predicted).to_have_text(both[:1])
    classes(page, "predicted").locator(
        "input"
    ).focus()  # is empty, and has nothing of its own to take back
    page.keyboard.press("Control+z")
    expect(predicted).to_have_text(both)


@pytest.mark.slow
def test_in_a_text_field_ctrl_z_is_the_fields_own(page: Page) -> None:
    click_class(page, "P2")
    expect(chosen(page, "predicted")).to_have_text(["P1 ✕"])
    page.get_by_role("button", name="Filter").click()
    field = page.get_by_role("textbox", name="Name", exact=True)
    field.click()
    page.keyboard.type("A B")
    page.keyboard.press("Control+z")
    expect(field).not_to_have_value("A B")
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    rests(page)
    expect(chosen(page, "predicted")).to_have_text(["P1 ✕"])
