"""The real canvas draws the scene that Python sent, whole, and says what is true."""

import re

from playwright.sync_api import Page, expect

from hiermeasures.draw.palette import EDGES, LIGHT

from .screen import box_of, graph, place_of, stands_still, until, value


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


def test_the_words_of_a_class_leave_its_name_in_sight(page: Page) -> None:
    stands_still(page)
    words = graph(page).locator(".vis-tooltip")
    for label in ("A", "C", "P2"):
        place = place_of(page, label)
        page.mouse.move(place["x"] + 3, place["y"] + 3)
        expect(words.locator("b")).to_have_text(label)
        expect(words).to_be_visible()
        box = box_of(words)
        assert not box["y"] - 8 < place["y"] < box["y"] + box["height"] + 8, label
        page.mouse.move(5, 5)


# --- what is in the picture ---------------------------------------------------------------------
