"""What the popover "Take away" hands out, for every figure of the library and every view of it."""

import re
from xml.etree import ElementTree

import pytest

from hiermeasures import Hierarchy
from hiermeasures.measures import STRUCTURES
from hiermeasures.options import Options
from hiermeasures.ui.explore.take_away import on_the_hierarchy, tikz_text
from hiermeasures.ui.graph.drawing import arranged, drawing
from hiermeasures.ui.library import figure
from hiermeasures.ui.state import Shown

from ..test_export import NASTY, check
from .screen import opened, overlay_of

FIGURES = ("kosmopoulos2015/figure-8b", "kosmopoulos2015/figure-15", "riehl2023/figure-4b2", "falis2021/figure-1")


@pytest.mark.parametrize("key", FIGURES)
def test_every_view_of_a_figure_compiles_as_tikz(key: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    shown = figure(key)
    pictures = [tikz_text(shown, overlay_of(shown.explained(), structure)) for structure in STRUCTURES]
    check("\n\n".join(pictures), tmp_path)


def test_tikz_and_svg_have_the_same_places() -> None:
    shown = figure("kosmopoulos2015/figure-15")
    overlay = overlay_of(shown.explained(), "augmented")
    placed, text = arranged(shown.hierarchy, overlay), tikz_text(shown, overlay)
    for k, label in enumerate(placed.near.nodes):
        x, y = placed.layout.positions[label]
        (at,) = re.findall(rf"\(n{k}\) at \((.*?),(.*?)\)", text)
        assert [float(n) for n in at] == pytest.approx([x / 40, -y / 40], abs=1e-3)


def test_hostile_labels_are_text_in_the_drawings(tmp_path) -> None:  # type: ignore[no-untyped-def]
    labels = list(dict.fromkeys(label.strip() or "blank" for label in NASTY))
    shown = Shown.make(
        Hierarchy.from_edges([("root", label) for label in labels]), labels[:9], labels[6:], title="]]><script>"
    )
    overlay = overlay_of(shown.explained(), "augmented")
    check(tikz_text(shown, overlay), tmp_path)
    root = ElementTree.fromstring(drawing(shown.hierarchy, overlay, legend=True).svg)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg",
        "title",
        "style",
        "g",
        "rect",
        "path",
        "text",
    }


def test_the_ancestor_that_a_cut_puts_in_is_no_class_of_the_drawing() -> None:
    chain = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("C", "E")])
    shown = Shown.make(chain, {"D"}, {"E"}, title="cut", options=Options.make(max_ancestor_distance=1))
    explanation = shown.explained()
    overlay = on_the_hierarchy(shown, overlay_of(explanation, "augmented"))
    assert set(overlay.marks) <= set(chain.nodes)
    assert "<svg" in drawing(shown.hierarchy, overlay).svg


def test_links_badges_and_their_legend_are_drawn() -> None:
    shown = figure("kosmopoulos2015/figure-15")
    svg = drawing(shown.hierarchy, overlay_of(shown.explained(), "pairing_GIE"), legend=True).svg
    # T1 pairs with P1 or P2 at distance 5 (A in the middle), the other is left at D_max = 5.
    assert svg.count('class="link pair"') == 1
    assert ">+5<" in svg
    assert "a pair and its distance" in svg


def test_the_files_are_made_only_when_the_popover_is_open() -> None:
    app = opened()
    assert not [button for button in app.get("download_button") if "take" in button.proto.id]
