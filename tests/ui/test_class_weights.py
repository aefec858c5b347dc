"""Weighted classes in the Explorer: what the option changes, what one instance cannot count, how classes are drawn that
weigh differently, and the field for a weight.
"""

import re

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures import explain
from hiermeasures.measures import Explanation
from hiermeasures.ui.explore.model import EXPLORER
from hiermeasures.ui.graph.neighbourhood import neighbourhood
from hiermeasures.ui.graph.scene import HEAVIEST, LIGHTEST, Scene, Shape, figure_scene, on_screen, scene
from hiermeasures.ui.graph.svg import svg
from hiermeasures.ui.graph.tikz import tikz
from hiermeasures.ui.views import OPENING, overlay_for, with_measure
from tests.conftest import hierarchy_of

from .screen import bound, errors, opened, sent, shapes, value

FIGURE_11A = hierarchy_of("A>B A>C B>T1 B>P1 B>P2")
WEIGHTS = {"A": 0.0, "B": 1.0, "T1": 3.0, "P1": 2.0, "P2": 4.0, "C": 0.5}


def test_leaves_weigh_and_the_table_says_how_much() -> None:
    # Of Figure 11(a)'s leaves T1, P1, P2 and C three are below B: B log2(4/3), its leaves log2(3), A 0.
    app = opened("options")
    bound(app, "option_class_weights").set_value("leaves").run()
    assert not app.exception
    assert value(app, "wF") == "0.15"  # 2·0.415 / (2·0.415 + 2·1.585 + 1.585)
    assert value(app, "hF") == "0.57"


def test_information_of_one_instance_is_refused_beside_the_field_and_the_values_stay() -> None:
    app = opened("options")
    bound(app, "option_class_weights").set_value("information").run()
    assert not app.exception
    assert any("information is counted over" in message for message in errors(app))
    assert bound(app, "option_class_weights").value == "one"
    assert value(app, "wF") == "0.57"


# --- the drawing --------------------------------------------------------------------------------------------------


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


def test_weights_of_icm_below_nothing_are_drawn_as_nothing() -> None:
    h = FIGURE_11A.with_class_weights(WEIGHTS)
    attributes = {c: {**found, "icm_weight": -2.0 if c == "T1" else 1.0} for c, found in h.class_attributes.items()}
    x = explain(h.with_class_attributes(attributes), {"T1"}, {"P1"}, class_weights="given")
    shapes = by_text(drawn(x, "ICM"))
    assert shapes["T1"].height == pytest.approx(LIGHTEST / HEAVIEST * shapes["P1"].height)
    assert shapes["T1"].words[1] == "weighs -2"


# --- the field ----------------------------------------------------------------------------------------------------


def editing() -> AppTest:
    app = opened()
    next(group for group in app.button_group if group.key == "click").set_value("edit").run()
    return next(box for box in app.selectbox if box.label == "Selected").set_value("P2").run()


def test_a_weight_is_typed_beside_its_class_and_undone() -> None:
    app = editing()
    assert bound(app, "edit_weight").value == 1.0
    bound(app, "edit_weight").set_value(4.0).run()
    assert not app.exception
    shown = app.session_state[EXPLORER.name].history.present
    assert shown.instance.options.class_weights == "given"
    # tp: A and B; mi: P1 and P2, 1 + 4; ru: T1.
    assert value(app, "wF") == "0.40"
    assert value(app, "mi") == "5.00"
    app.button(key="undo").click().run()
    assert bound(app, "edit_weight").value == 1.0
    assert value(app, "mi") == "2.00"


def test_the_field_shows_what_the_option_gives() -> None:
    app = opened("options")
    bound(app, "option_class_weights").set_value("depth").run()
    next(group for group in app.button_group if group.key == "click").set_value("edit").run()
    next(box for box in app.selectbox if box.label == "Selected").set_value("P2").run()
    assert bound(app, "edit_weight").value == 2.0


@pytest.mark.slow
def test_a_weight_that_no_edge_could_have_is_refused_in_the_drawing() -> None:
    app = opened("options")
    bound(app, "option_edge_weights").set_value("classes").run()
    next(group for group in app.button_group if group.key == "click").set_value("edit").run()
    next(box for box in app.selectbox if box.label == "Selected").set_value("P2").run()
    bound(app, "edit_weight").set_value(0.0).run()
    fault = sent(app, "graph")[0]["editing"]["fault"]
    assert "class 'P2' weighs 0, and an edge weight is a positive number" in fault
    assert "P2" in shapes(app)
    assert bound(app, "edit_weight").value == 1.0
