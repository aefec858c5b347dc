"""The legend of an exported picture: rows across its width, alike in SVG and TikZ."""

import re

from hiermeasures import Hierarchy, explain
from hiermeasures.picture.export import CM, tikz
from hiermeasures.picture.overlay import Overlay
from hiermeasures.picture.scene import Scene, figure_scene, text_width
from hiermeasures.picture.svg import legend_rows, svg
from hiermeasures.picture.views import OPENING, overlay_for, with_view

WIDE = Hierarchy.from_nested({"A": {f"group {i}": [f"class {i}.{j}" for j in range(4)] for i in range(4)}})


def _scene() -> Scene:
    x = explain(WIDE, {"class 0.1", "class 2.1"}, {"class 0.2", "class 2.1", "group 3"})
    return figure_scene(WIDE, overlay_for(x, with_view(OPENING, "ancestors")))


def test_the_lines_follow_each_other_in_rows_and_none_overlaps_or_is_wider_than_the_picture() -> None:
    drawn, width = _scene(), 420.0
    placed = legend_rows(drawn, width)
    assert [line.words for line in placed] == [line.words for line in drawn.legend]
    assert 1 < placed[-1].row + 1 < len(placed)
    for before, after in zip(placed, placed[1:], strict=False):
        assert after.row > before.row or after.x >= before.x + before.width
    assert all(line.x + line.width <= width for line in placed)
    assert all(line.width > line.sample + text_width(line.words) for line in placed)


def test_svg_and_tikz_have_the_same_few_rows() -> None:
    drawn = _scene()
    words = {line.words for line in drawn.legend}
    assert len(words) > 3
    rows = re.findall(r'<text class="legend" x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]+)<', svg(drawn, legend=True).svg)
    assert {text for _, _, text in rows} == words
    assert len({y for _, y, _ in rows}) == 2
    nodes = re.findall(r"\\node\[anchor=west, inner sep=0pt\] at \(([-\d.]+),([-\d.]+)\) \{([^}]+)\}", tikz(drawn))
    assert {text for _, _, text in nodes} == words
    assert [y == rows[0][1] for _, y, _ in rows] == [y == nodes[0][1] for _, y, _ in nodes]
    # As far from the first in both: drawing units in SVG, centimetres in TikZ.
    for (x, _, _), (cm, _, _) in zip(rows, nodes, strict=True):
        assert abs((float(x) - float(rows[0][0])) * CM - (float(cm) - float(nodes[0][0]))) < 0.01


def test_a_legend_is_no_reason_for_a_picture_wider_than_its_drawing() -> None:
    drawn = _scene()
    assert svg(drawn, legend=True).width == svg(drawn).width


def test_a_note_has_a_row_of_its_own_below_the_legend() -> None:
    h = Hierarchy.from_edges([("root", f"c{i}") for i in range(100)])
    placed = legend_rows(figure_scene(h, Overlay("", {}), limit=10), 400.0)
    assert [(line.words, line.x, line.row) for line in placed] == [("and 91 more classes, not drawn", 0.0, 0)]
