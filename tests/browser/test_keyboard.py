"""The graph without a mouse: one tab stop, a cursor that says where it is, and marks in the browser
at once.
"""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import (
    box_of,
    chosen,
    classes,
    click_class,
    edit,
    edit_message,
    graph,
    lines_box,
    name_field,
    paste_hierarchy,
    pick,
    place_of,
    rests,
    stands_still,
    tool,
    until,
)

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
        "(element, label) => element.graph.scene.shapes.find((shape) => shape.title === label)", label
    )
    return [shape["true"], shape["predicted"]]


def test_the_graph_is_one_tab_stop_in_which_arrows_go_to_child_sibling_and_parent_and_say_where(page: Page) -> None:
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
    assert not graph(page).evaluate("element => element.contains(element.getRootNode().activeElement)")
    expect(graph(page).locator(".keys")).to_be_hidden()


@pytest.mark.slow
def test_below_two_parents_the_way_up_is_the_way_down(page: Page) -> None:
    paste_hierarchy(page, "A B\nA C\nB X\nC X\nC Y\nB Z")
    expect(announced(page)).to_have_count(1)
    until(graph(page), "(element) => element.graph.locate('Z') !== null")
    page.keyboard.press("Escape")
    enter(page)
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    child = announced(page)
    expect(child).to_contain_text("of 2 below C")
    page.keyboard.press("ArrowUp")
    expect(announced(page)).to_contain_text("C: ")


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


def test_many_keys_while_the_page_runs_are_all_applied_in_order(page: Page) -> None:
    enter(page)
    for key in ("ArrowDown", "ArrowDown", "t", "ArrowRight", "t", "p", "ArrowLeft", "ArrowLeft", "p"):
        page.keyboard.press(key)
    # P1 and P2 become true as well, then P2 is no longer predicted, then T1 is predicted.
    expect(chosen(page, "true")).to_have_text(["T1 ✕", "P1 ✕", "P2 ✕"])
    expect(chosen(page, "predicted")).to_have_text(["T1 ✕", "P1 ✕"])


def test_enter_does_what_a_click_does_and_escape_leaves(page: Page) -> None:
    pick(page, "Click", "true")
    enter(page)
    page.keyboard.press("Enter")
    expect(chosen(page, "true").filter(has_text="A")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(stop(page)).not_to_be_focused()
    expect(announced(page)).to_have_text("")


def test_the_cursor_has_a_ring_that_the_mouse_takes_away(page: Page) -> None:
    ring = """async (element) => {
        const { network, cursor } = element.graph, at = network.canvasToDOM(network.getPosition(cursor));
        network.redraw();
        const canvas = element.querySelector("canvas"), ratio = canvas.width / canvas.clientWidth;
        const radius = Math.round((18 + 4 + 7) * network.getScale() * ratio), ctx = canvas.getContext("2d");
        const [r, g, b, alpha] = ctx.getImageData(at.x * ratio, at.y * ratio + radius, 1, 1).data;
        return alpha > 200 && r + g + b < 150;
    }"""
    enter(page)
    page.keyboard.press("ArrowDown")
    until(graph(page), ring)
    box = box_of(graph(page).locator(".canvas"))
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    until(graph(page), f"async (element) => !(await ({ring})(element))")


@pytest.mark.slow
def test_plus_shows_the_children_that_are_not_drawn(page: Page) -> None:
    paste_hierarchy(page, "".join(f"r g{i}\n" for i in range(6)) + "".join(f"g{i % 6} c{i}\n" for i in range(420)))
    expect(graph(page).locator(".notes")).to_contain_text("of 427 classes drawn")
    page.keyboard.press("Escape")
    enter(page)
    page.keyboard.press("ArrowDown")
    expect(announced(page)).to_contain_text("+70: children not drawn")
    page.keyboard.press("+")
    expect(announced(page)).not_to_contain_text("not drawn")
    page.keyboard.press("ArrowDown")
    expect(announced(page)).to_contain_text("of 70 below g")


@pytest.mark.slow
def test_editing_goes_on_from_the_selected_class(page: Page) -> None:
    edit(page)
    enter(page)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("C")
    expect(tool(page, "New child")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(name_field(page)).to_be_focused()
    page.keyboard.type("below C")
    page.keyboard.press("Enter")
    until(lines_box(page), "(box) => box.value.includes('below C')")
    expect(announced(page)).to_contain_text("C: ")
    page.keyboard.press("Escape")  # lets go
    expect(stop(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(stop(page)).not_to_be_focused()


@pytest.mark.slow
def test_a_deleted_class_leaves_the_cursor_at_its_parent(page: Page) -> None:
    edit(page)
    click_class(page, "P2")
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("P2")
    page.keyboard.press("ArrowLeft")  # shows the cursor
    expect(announced(page)).to_contain_text("P2: ")
    page.keyboard.press("Delete")
    expect(announced(page)).to_contain_text("B: ")


def test_ctrl_z_takes_back_and_ctrl_shift_z_does_again_wherever_the_focus_is(page: Page) -> None:
    predicted, both = chosen(page, "predicted"), ["P1 ✕", "P2 ✕"]
    click_class(page, "P2")
    expect(predicted).to_have_text(both[:1])
    for place in (graph(page).get_by_role("application"), page.get_by_role("radio", name="ancestors")):
        place.focus()
        page.keyboard.press("Control+z")
        expect(predicted).to_have_text(both)
        page.keyboard.press("Control+Shift+Z")
        expect(predicted).to_have_text(both[:1])
    classes(page, "predicted").locator("input").focus()  # is empty, and has nothing of its own to take back
    page.keyboard.press("Control+z")
    expect(predicted).to_have_text(both)


@pytest.mark.slow
def test_quick_keys_count_among_the_clicks_and_the_buttons_say_them(page: Page) -> None:
    for label in ("P2", "P1"):
        click_class(page, label)
    for keys in ("Control+z", "Control+z", "Control+Shift+z"):
        page.keyboard.press(keys)
    expect(chosen(page, "predicted")).to_have_text(["P1 ✕"])
    for name, keys in (("Undo", "Ctrl+Z"), ("Redo", "Ctrl+Shift+Z")):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("title", f"{name} ({keys})")


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


@pytest.mark.slow
def test_escape_ends_an_edge_that_was_begun_by_its_button(page: Page) -> None:
    edit(page)
    tool(page, "Connect").click()
    expect(edit_message(page)).to_contain_text("the child")
    page.keyboard.press("Escape")
    expect(edit_message(page)).not_to_contain_text("the child")


@pytest.mark.slow
def test_escape_takes_the_words_about_a_class_away(page: Page) -> None:
    place = place_of(page, "T1")
    page.mouse.move(place["x"], place["y"])
    expect(graph(page).locator(".vis-tooltip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(graph(page).locator(".vis-tooltip")).to_be_hidden()
