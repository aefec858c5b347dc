"""What changes in the drawing moves for 200 ms, and with reduced motion nothing does."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from .screen import click_class, graph, measure, pick, stands_still, until, value

RECORD = """element => {
    const { graph } = element;
    element.recorded = [];
    graph.network.on("afterDrawing", () => {
        const named = ({ start, end }) => [start, end].map((id) => graph.nodes.get(id).name).join("-");
        for (const { side, joins, look, part, from, goes, since } of graph.moves.values()) {
            const shape = look && graph.shapes.get(look.id);
            element.recorded.push({
                what: look ? `${look.title} ${joins ? "joins" : "leaves"} ${side}` : part.start ? named(part) : part.shape,
                from: from ? named(from) : null, goes: Boolean(goes), now: shape && shape[side], age: performance.now() - since,
            });
        }
    });
}"""
RESTS = "element => element.graph.moves.size === 0"


@pytest.fixture
def still(page: Page) -> Iterator[Page]:
    """A page of a person who asked for reduced motion."""
    page.emulate_media(reduced_motion="reduce")
    yield page
    page.emulate_media(reduced_motion="no-preference")


def test_a_circle_or_box_closes_in_on_a_class_that_joins_and_opens_around_one_that_leaves(
    page: Page,
) -> None:
    stands_still(page)
    graph(page).evaluate(RECORD)
    click_class(page, "C")
    expect(value(page, "hF")).to_have_text("0.50")
    click_class(page, "P1")
    expect(value(page, "hF")).to_have_text("0.57")
    until(graph(page), RESTS)
    moves = {move["what"]: move for move in graph(page).evaluate("element => element.recorded")}
    assert {"C joins predicted", "P1 leaves predicted"} <= moves.keys()
    # What is new is painted from the first frame of its move on.
    assert moves["C joins predicted"]["now"] == "class"
    assert moves["P1 leaves predicted"]["now"] == "none"


def test_a_pair_that_changes_partners_takes_its_text_along(page: Page) -> None:
    # Figure 11(a): GIE pairs P1 with T1. Without P1 it pairs P2.
    measure(page, "GIE").click()
    until(graph(page), "element => element.graph.scene.links.length === 1")
    stands_still(page)
    graph(page).evaluate(RECORD)
    click_class(page, "P1")
    expect(value(page, "GIE")).to_have_text("2.00")
    until(graph(page), RESTS)
    moves = graph(page).evaluate("element => element.recorded")
    assert any(move["what"] == "P2-T1" and move["from"] == "P1-T1" for move in moves)
    assert any(move["what"] == "P1-T1" and move["goes"] for move in moves)


def test_nothing_moves_when_the_view_changes(page: Page) -> None:
    stands_still(page)
    graph(page).evaluate(RECORD)
    pick(page, "Show", "pairing")
    until(graph(page), "element => element.graph.scene.links.length > 0")
    stands_still(page)
    assert graph(page).evaluate("element => element.recorded") == []


def test_with_reduced_motion_nothing_moves(still: Page) -> None:
    stands_still(still)
    graph(still).evaluate(RECORD)
    click_class(still, "C")
    expect(value(still, "hF")).to_have_text("0.50")
    stands_still(still)
    assert graph(still).evaluate("element => element.recorded") == []
