"""Weighted classes in the Explorer: how classes are drawn that weigh differently, and the field for
a weight.
"""

import re

import pytest

from hiermeasures import explain
from hiermeasures.core.options import Options
from hiermeasures.explorer.library import OPENING as OPENING_FIGURE
from hiermeasures.explorer.library import figure
from hiermeasures.measures import Explanation
from hiermeasures.picture.export import tikz
from hiermeasures.picture.layout import neighbourhood
from hiermeasures.picture.scene import HEAVIEST, LIGHTEST, Scene, Shape, figure_scene, on_screen, scene
from hiermeasures.picture.svg import svg
from hiermeasures.picture.views import OPENING, overlay_for, with_measure
from tests.conftest import hierarchy_of

from .hand import Hand

FIGURE_11A = hierarchy_of("A>B A>C B>T1 B>P1 B>P2")
WEIGHTS = {"A": 0.0, "B": 1.0, "T1": 3.0, "P1": 2.0, "P2": 4.0, "C": 0.5}


# --- the drawing --------------------------------------------------------------------------------


def weighted(**options: str) -> Explanation:
    return explain(FIGURE_11A.with_class_weights(WEIGHTS), {"T1"}, {"P1", "P2"}, **options)


def drawn(x: Explanation, measure: str = "wF") -> Scene:
    return figure_scene(x.hierarchy, overlay_for(x, with_measure(OPENING, measure)))


def by_text(found: Scene) -> dict[str, Shape]:
    return {shape.text: shape for shape in found.shapes}


def test_the_heavier_a_class_the_larger_it_is_drawn_and_its_tooltip_says_its_weight() -> None:
    found = drawn(weighted(class_weights="given"))
    usual, now = by_text(drawn(weighted())), by_text(found)
    # Evenly from what weighs nothing to P2, the heaviest.
    for label, weight in WEIGHTS.items():
        factor = LIGHTEST + (HEAVIEST - LIGHTEST) * weight / 4
        assert now[label].height == pytest.approx(factor * usual[label].height)
        assert now[label].words[1] == f"weighs {weight:g}"
    assert now["B"].width < now["P2"].width
    assert [line.words for line in found.legend if line.what == "size"] == ["size: weight, 4 at most"]
    assert "B weighs 1, T1 weighs 3, P1 weighs 2, P2 weighs 4." in found.words


def test_the_screen_has_the_same_sizes_and_stacks_stay_apart() -> None:
    x = weighted(class_weights="given")
    found = scene(on_screen(neighbourhood(x.hierarchy, x.true)), overlay_for(x, with_measure(OPENING, "wF")))
    assert by_text(found)["P2"].height == pytest.approx(36 * HEAVIEST)
    assert 36 * HEAVIEST <= 40  # the rows of a stack


def test_svg_and_tikz_paint_the_sizes_and_their_line_of_the_legend() -> None:
    found = drawn(weighted(class_weights="given"))
    source = svg(found, legend=True).svg
    heights = {text: height for height, text in re.findall(r'height="([\d.]+)" rx[^>]*/><text[^>]*>(\w+)<', source)}
    assert float(heights["P2"]) > float(heights["T1"]) > float(heights["P1"]) > float(heights["A"])
    small, large = map(float, re.findall(r'<circle [^>]*r="([\d.]+)"', source))
    assert small < large
    assert tikz(found).count(" circle (") == 2


def test_sizes_are_those_of_weighted_structures_alone() -> None:
    usual = drawn(weighted(), "hF")
    for found in (drawn(weighted(class_weights="given"), "hF"), drawn(weighted())):
        assert [s.height for s in found.shapes] == [s.height for s in usual.shapes]
        assert not any("weighs" in words for s in found.shapes for words in s.words)
        assert not [line for line in found.legend if line.what == "size"]


# --- the field ----------------------------------------------------------------------------------


def editing(**options: str) -> Hand:
    """Figure 11(a) with options, while clicks edit P2."""
    at = Hand(figure(OPENING_FIGURE).with_options(Options.make(options)))
    return at.set("click", "✎ edit").set("edit_selected", "P2")


def test_a_weight_is_typed_beside_its_class_and_undone() -> None:
    at = editing()
    assert at.chosen("edit_weight") == 1.0
    at.set("edit_weight", 4.0)
    assert at.state.shown.instance.options.class_weights == "given"
    # tp: A and B; mi: P1 and P2, 1 + 4; ru: T1.
    assert (at.value("wF"), at.value("mi")) == ("0.40", "5.00")
    at.press("undo")
    assert (at.chosen("edit_weight"), at.value("mi")) == (1.0, "2.00")


def test_a_weight_that_no_edge_could_have_is_refused_in_the_drawing() -> None:
    at = editing(edge_weights="classes").set("edit_weight", 0.0)
    fault = at.data("graph")["editing"]["fault"]
    assert "class 'P2' weighs 0, and an edge weight is a positive number" in fault
    assert "P2" in at.shapes
    assert at.chosen("edit_weight") == 1.0
