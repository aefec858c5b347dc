"""The real canvas draws the scene that Python sent, in the colours and lines of the palette."""

from playwright.sync_api import Page

from hiermeasures.ui.palette import EDGES, LIGHT

from .screen import graph


def test_the_canvas_draws_every_edge_of_figure_11a_in_the_role_that_the_scene_gives_it(page: Page) -> None:
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
    colours = {"both": LIGHT.both, "none": LIGHT.screen_line, "true": LIGHT.true, "predicted": LIGHT.predicted}
    assert {(parent, child): (colour, width, tuple(dash)) for parent, child, colour, width, dash in drawn} == {
        edge: (colours[role], EDGES[role].width, EDGES[role].dash) for edge, role in roles.items()
    }
