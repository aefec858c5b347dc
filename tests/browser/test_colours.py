"""The sides have the palette's colours wherever drawn, on light and dark pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from hiermeasures.picture.palette import DARK, LIGHT, Tones

from .conftest import opened
from .screen import graph


@pytest.fixture
def dark_page(window: Page, address: str) -> Iterator[Page]:
    window.emulate_media(color_scheme="dark")
    with opened(window, address) as page:
        yield page
    window.emulate_media(color_scheme="null")


def _css(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def _look(page: Page, tones: Tones) -> None:
    expect(page.locator(".hm-table .chip.true.predicted").first).to_have_css("border-top-color", _css(tones.both))
    page.get_by_role("radio", name="pairing").click()
    flow = page.locator(".hm-flow")
    expect(flow.locator(".node.true rect").first).to_have_css("stroke", _css(tones.true))
    expect(flow.locator(".node.predicted rect").first).to_have_css("stroke", _css(tones.predicted))
    theme = graph(page).evaluate("element => element.graph.theme")
    assert (theme["true"], theme["predicted"], theme["both"]) == (tones.true, tones.predicted, tones.both)


def test_table_flow_figure_and_graph_have_the_light_colours_on_a_light_page(page: Page) -> None:
    _look(page, LIGHT)


def test_and_the_dark_ones_on_a_dark_page(dark_page: Page) -> None:
    _look(dark_page, DARK)
