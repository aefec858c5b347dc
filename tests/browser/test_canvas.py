"""The real canvas draws the scene that Python sent, whole, and says what is true."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from hiermeasures.draw.palette import EDGES, LIGHT

from .screen import (
    box_of,
    click_class,
    edit,
    graph,
    is_drawn,
    name_field,
    paste_hierarchy,
    place_of,
    rests,
    stands_still,
    until,
    value,
)


def test_the_canvas_draws_every_edge_of_figure_11a_in_the_role_that_the_scene_gives_it(
    page: Page,
) -> None:
    drawn = graph(page).evaluate(
        """element => {
            const { nodes, edges } = element.graph;
            const name = (id) => nodes.get(id).name;
            return edges.get().map((e) => [name(e.parent), name(e.child), e.color.color, e.width, e.dashes || []]);
        }"""
    )
    # T1 true, P1 and P2 predicted, all below B below A; C is on neither side.
    roles = {("A", "B"): "both", ("A", "C"): "none", ("B", "T1"): "true", ("B", "P1"): "predicted"}
    roles[("B", "P2")] = "predicted"
    colours = {
        "both": LIGHT.both,
        "none": LIGHT.line,
        "true": LIGHT.true,
        "predicted": LIGHT.predicted,
    }
    assert {
        (parent, child): (colour, width, tuple(dash))
        for parent, child, colour, width, dash in drawn
    } == {
        edge: (colours[role], EDGES[role].width, EDGES[role].dash) for edge, role in roles.items()
    }


# --- tooltips -----------------------------------------------------------------------------------


def rest_on(page: Page, label: str) -> Locator:
    """Let the mouse rest on a class until its tooltip comes."""
    stands_still(page)  # an edit before may still move the drawing
    place = place_of(page, label)
    page.mouse.move(place["x"] - 3, place["y"])
    page.mouse.move(place["x"], place["y"])
    tip = graph(page).locator(".vis-tooltip")
    expect(tip).to_be_visible()
    expect(tip.locator("b")).to_have_text(label)
    return tip


@pytest.mark.slow
def test_a_tooltip_says_what_the_class_is_after_each_click_while_the_mouse_rests(
    page: Page,
) -> None:
    stands_still(page)
    tip = rest_on(page, "C")
    expect(tip.locator("span")).to_have_text("in neither set")
    page.mouse.down()
    page.mouse.up()
    assert tip.locator("span").all_inner_texts() == ["predicted"]  # at once: nothing is waited for
    rests(page)
    expect(tip.locator("span")).to_have_text("predicted")
    page.get_by_role("radio", name="◯ true").click()
    rests(page)
    tip = rest_on(page, "C")
    page.mouse.down()
    page.mouse.up()
    expect(tip.locator("span")).to_have_text("true and predicted")


@pytest.mark.slow
def test_a_tooltip_goes_with_its_class_and_comes_again_for_another(page: Page) -> None:
    edit(page)
    tip = rest_on(page, "P2")
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("P2")
    rest_on(page, "P2")
    page.keyboard.press("Delete")
    until(graph(page), "(element) => element.graph.locate('P2') === null")
    expect(tip).to_be_hidden()
    rest_on(page, "T1")


HOVERED = (
    "e => Object.values(e.graph.network.body.nodes).filter((n) => n.hover).map((n) => n.id).length"
)


def test_the_halo_of_a_class_goes_when_the_mouse_leaves_the_drawing_and_comes_again(
    page: Page,
) -> None:
    stands_still(page)
    canvas = graph(page).locator(".canvas")
    for _ in range(2):
        place = place_of(page, "C")
        page.mouse.move(place["x"] - 3, place["y"])
        page.mouse.move(place["x"], place["y"])
        expect(canvas).to_have_class(re.compile(r"\bover\b"))
        assert graph(page).evaluate(HOVERED) == 1
        page.mouse.move(5, 5)  # out at once, as a quick mouse leaves
        expect(canvas).not_to_have_class(re.compile(r"\bover\b"))
        assert graph(page).evaluate(HOVERED) == 0


def test_on_a_touch_screen_no_words_and_no_halo_stay_on_the_class_just_chosen(
    touched: Page,
) -> None:
    stands_still(touched)
    graph(touched).evaluate(
        "e => { e.shown = []; e.graph.network.on('showPopup', (id) => e.shown.push(id)); }"
    )
    place = place_of(touched, "C")
    touched.touchscreen.tap(place["x"], place["y"])
    expect(value(touched, "hF")).to_have_text("0.50")
    # vis-network would show it after a quarter of a second
    until(graph(touched), "e => e.shown.length > 0")
    expect(graph(touched).locator(".vis-tooltip")).to_be_hidden()
    expect(graph(touched).locator(".canvas")).not_to_have_class(re.compile(r"\bover\b"))


# --- what is in the picture ---------------------------------------------------------------------


@pytest.mark.slow
def test_after_each_edit_every_class_and_the_plus_below_it_stand_whole_in_the_picture(
    page: Page,
) -> None:
    edit(page)
    click_class(page, "P1")
    for level in range(4):
        expect(page.get_by_role("textbox", name="Name", exact=True)).to_be_enabled()
        page.keyboard.press("Enter")
        expect(name_field(page)).to_be_focused()
        page.keyboard.type(f"level {level + 3}")
        page.keyboard.press("Enter")
        is_drawn(page, f"level {level + 3}")
        stands_still(page)
        click_class(page, f"level {level + 3}")
        expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value(
            f"level {level + 3}"
        )
        outside = graph(page).evaluate(
            """(element) => {
                const { scene, network, canvas } = element.graph, scale = network.getScale();
                return scene.shapes.filter(({ id }) => {
                    const { x, y } = network.canvasToDOM(network.getPosition(id));
                    // 18: half of a class; 15 and 9: how far the plus is below it and its radius.
                    return x - 18 * scale < 0 || x + 18 * scale > canvas.clientWidth
                        || y - 18 * scale < 0 || y + (18 + 15 + 9) * scale > canvas.clientHeight;
                }).map((shape) => shape.title);
            }"""
        )
        assert outside == []


@pytest.mark.slow
def test_a_note_about_a_large_hierarchy_stands_above_the_drawing_and_not_on_it(page: Page) -> None:
    paste_hierarchy(
        page,
        "".join(f"r g{i}\n" for i in range(20)) + "".join(f"g{i % 20} c{i}\n" for i in range(979)),
    )
    note = graph(page).locator(".notes")
    expect(note).to_contain_text("of 1,000 classes drawn")
    for width in (1440, 768, 360):
        page.set_viewport_size({"width": width, "height": 900})
        above, canvas = box_of(note), box_of(graph(page).locator(".canvas"))
        assert above["y"] + above["height"] <= canvas["y"]
