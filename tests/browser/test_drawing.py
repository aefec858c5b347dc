"""Drawing with the mouse and by tools: refusals, names, undo, and lines in step."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import (
    chosen,
    click_class,
    drag,
    edit,
    edit_message,
    graph,
    lines_box,
    name_field,
    open_menu,
    pick,
    place_of,
    placement,
    rests,
    stands_still,
    tool,
    undo,
    value,
)

TREE_OF_FIGURE_15 = ["A B", "A C", "B T1", "C D", "C E", "D P1", "E P2"]


def blank_root(page: Page) -> None:
    open_menu(page, "Start from")
    tool(page, "Blank root").click()
    expect(lines_box(page)).to_have_value("A\n")


def selected(page: Page) -> Locator:
    """Return the chosen option of the field Selected."""
    return page.get_by_role("combobox", name="Selected").locator("option:checked")


def select(page: Page, label: str) -> None:
    click_class(page, label)
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value(label)


def has_line(page: Page, *lines: str) -> None:
    for line in lines:
        expect(lines_box(page)).to_have_value(re.compile(rf"^{re.escape(line)}$", re.MULTILINE))


def add_child(page: Page, parent: str, name: str) -> None:
    select(page, parent)
    tool(page, "New child").click()
    expect(name_field(page)).to_be_focused()
    rests(page)
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    has_line(page, f"{parent} {name}")


def draw_figure_15(page: Page) -> None:
    blank_root(page)
    for line in TREE_OF_FIGURE_15:
        add_child(page, *line.split())
    stands_still(page)
    drag(page, "E", "P1")
    has_line(page, "E P1")


def mark(page: Page, side: str, *labels: str) -> None:
    pick(page, "Click", side)
    expect(lines_box(page)).to_have_count(0)
    for label in labels:
        click_class(page, label)
        expect(chosen(page, side).filter(has_text=label)).to_have_count(1)


@pytest.mark.slow
def test_figure_15_drawn_with_the_mouse_has_the_papers_value_and_is_undone_to_the_blank_root(
    page: Page,
) -> None:
    draw_figure_15(page)
    assert sorted(lines_box(page).input_value().split("\n")[:-1]) == sorted(
        [*TREE_OF_FIGURE_15, "E P1"]
    )
    mark(page, "true", "T1")
    mark(page, "predicted", "P1", "P2")
    expect(value(page, "F_LCA")).to_have_text("0.25")  # Table 5
    edit(page)
    rests(page)
    # The lines beside the drawing may be painted after it.
    while (
        graph(page).evaluate("(element) => Object.keys(element.graph.placement().positions).length")
        > 1
    ):
        address = page.url  # says what is shown, and changes once that is painted
        undo(page).click()
        expect(page).not_to_have_url(address)
    expect(lines_box(page)).to_have_value("A\n")


def test_an_edge_is_drawn_by_two_clicks_selected_by_a_click_and_deleted(page: Page) -> None:
    edit(page)
    tool(page, "Connect").click()
    expect(edit_message(page)).to_contain_text("parent, then the child")
    click_class(page, "C")
    expect(edit_message(page)).to_contain_text("child of C")
    click_class(page, "P1")
    has_line(page, "C P1")
    ends = [place_of(page, label) for label in ("C", "P1")]
    page.mouse.click(*((ends[0][axis] + ends[1][axis]) / 2 for axis in "xy"))
    expect(selected(page)).to_have_text("C → P1")
    page.keyboard.press("Delete")
    expect(lines_box(page)).to_have_value("A B\nA C\nB T1\nB P1\nB P2\n")


def test_what_is_typed_at_once_after_the_plus_is_the_name_of_the_child(page: Page) -> None:
    edit(page)
    select(page, "C")
    place, scale = place_of(page, "C"), placement(page)["scale"]
    page.mouse.click(place["x"], place["y"] + 33 * scale)
    page.keyboard.type("Pt")  # P presents and T marks, where no name is awaited
    page.keyboard.press("Enter")
    has_line(page, "C Pt")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(lines_box(page)).to_have_value("A B\nA C\nB T1\nB P1\nB P2\nC Pt\n")


def test_everything_can_be_edited_with_the_keyboard(page: Page) -> None:
    page.get_by_role("radio", name="predicted").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="edit")).to_be_focused()
    expect(lines_box(page)).to_be_visible()
    page.get_by_role("combobox", name="Selected").focus()
    page.keyboard.type("C")
    name = page.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_have_value("C")
    name.fill("X")
    page.keyboard.press("Enter")
    has_line(page, "A X")
    tool(page, "New child").focus()
    page.keyboard.press("Enter")
    expect(name_field(page)).to_be_focused()
    page.keyboard.type("Y")
    page.keyboard.press("Enter")
    has_line(page, "X Y")
    page.keyboard.press("F2")
