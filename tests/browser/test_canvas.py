"""The real canvas draws the scene that Python sent, whole, and says what is true."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from hiermeasures.draw.palette import EDGES, LIGHT

from .screen import box_of, graph, measure, pick, place_of, stands_still, until, value


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


# Whether a colour (red, green, blue) is painted near the middle of the edge between two classes.
HAS_COLOUR = """({ graph }, [parent, child, wanted]) => {
    const [a, b] = [parent, child].map((name) => graph.shapes.get(graph.nodes.get().find((n) => n.name === name).id));
    const { x, y } = graph.network.canvasToDOM({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    const pixels = graph.canvas.querySelector("canvas").getContext("2d").getImageData(x - 25, y - 12, 50, 24).data;
    for (let i = 0; i < pixels.length; i += 4) {
        if (wanted.every((part, k) => Math.abs(part - pixels[i + k]) < 12)) return true;
    }
    return false;
}"""


IS_LIT = "element.graph.lit.has(JSON.stringify([edge.parent, edge.child].map(name)))"


def is_coloured(page: Page, parent: str, child: str, colour: str, *, coloured: bool = True) -> None:
    wanted = list(bytes.fromhex(colour.lstrip("#")))
    test = HAS_COLOUR if coloured else f"(e, a) => !({HAS_COLOUR})(e, a)"
    until(graph(page), test, [parent, child, wanted])


def test_a_distance_is_a_path_that_is_coloured_when_its_row_is_pointed_at(
    page_at: Callable[[str], Page],
) -> None:
    # Of Figure 8(b), MGIA pairs 3.1 with 2.1 and 3.2.2 with 3.3, both by 3.
    page = page_at("?figure=kosmopoulos2015/figure-8b")
    measure(page, "MGIA").click()
    pick(page, "Show", "distances")
    stands_still(page)
    for parent, child, colour in (
        ("3", "2.1", LIGHT.true),
        ("3", "3.3", LIGHT.true),
        ("3", "3.1", LIGHT.predicted),
        ("3", "3.2.2", LIGHT.predicted),
    ):
        is_coloured(page, parent, child, colour)
    page.locator(".hm-table tr", has_text="3.2.2").hover()
    is_coloured(page, "3", "3.3", LIGHT.true)
    is_coloured(page, "3", "3.1", LIGHT.predicted, coloured=False)


def test_the_paths_of_a_best_match_light_up_when_its_row_is_pointed_at(
    page_at: Callable[[str], Page],
) -> None:
    # The text around Figure 8: S_best(3.1) = {2.1, 3.3}, by 3.
    page = page_at("?figure=kosmopoulos2015/figure-8b")
    measure(page, "F_LCA").click()
    stands_still(page)
    lit = """element => {
        const { scene, shapes } = element.graph, name = (id) => shapes.get(id).title;
        return scene.edges.filter((edge) => IS_LIT).map((e) => [e.parent, e.child].map(name).join(">")).sort();
    }""".replace("IS_LIT", IS_LIT)
    assert graph(page).evaluate(lit) == []
    page.locator('.hm-table tr:has(td:first-child .chip[data-name="3.1"])').hover()
    until(graph(page), f"element => String(({lit})(element)) === '3>2.1,3>3.1,3>3.3'")


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
