"""Scenes as SVG: every mark has its shape, any label is only text, and the document is well-formed
and refers to nothing outside. The legend: rows across the picture's width, alike in SVG and TikZ.
"""

import re
from html.parser import HTMLParser
from math import hypot
from xml.etree import ElementTree

import pytest
from hypothesis import given, reject
from hypothesis import strategies as some

from hiermeasures import Hierarchy, explain
from hiermeasures.app.cases.html import rank_lines
from hiermeasures.draw.export import CM, tikz
from hiermeasures.draw.scene import (
    Edge,
    Mark,
    Overlay,
    Scene,
    Shape,
    Side,
    figure_scene,
    shown_label,
    text_width,
)
from hiermeasures.draw.svg import Image, legend_rows, svg
from hiermeasures.draw.views import OPENING, overlay_for, with_view
from hiermeasures.hierarchy.errors import InputError
from tests.app.screen import overlay_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<img src=x onerror=alert(1)>", "</text><script>alert(1)</script>", "]]>&amp;<!--",
    "\"'><a href=javascript:alert(1)>", "=1+1", "nul\x00bell\x07", "turned \u202e round",
    "two\nlines", "x" * 5000, "漢字", "&lt;b&gt;",
]  # fmt: skip
TREE = Hierarchy.from_nested({"A": {"B": ["T1", "P1", "P2"], "C": None}})
FIGURE = overlay_of(explain(TREE, {"T1"}, {"P1", "P2"}), "augmented")
SCENE = figure_scene(TREE, FIGURE)


def parsed(image: Image) -> ElementTree.Element:
    return ElementTree.fromstring(image.svg)


def shapes(image: Image, kind: str) -> list[ElementTree.Element]:
    return [r for r in parsed(image).iter(f"{SVG}rect") if kind in r.get("class", "").split()]


def texts(image: Image, kind: str = "label") -> list[str]:
    return [
        "".join(t.itertext())
        for t in parsed(image).iter(f"{SVG}text")
        if kind in t.get("class", "").split()
    ]


@pytest.mark.parametrize("width", [30.0, 120.0])
@pytest.mark.parametrize("x", [-200.0, -60.0, -10.0, 0.0, 60.0])
def test_an_edge_ends_at_the_circle_of_a_true_class(x: float, width: float) -> None:
    # The circle has the radius 15, drawn out to the label's width, and the edge ends 1.5 before it.
    ends = (
        Shape("p", "A", x=x, y=-60, width=30, height=30),
        Shape("c", "B", width=width, height=30, true="class"),
    )
    picture = svg(Scene("", ends, (Edge("p", "c"),)))
    (path,) = (e.get("d", "") for e in parsed(picture).iter(f"{SVG}path"))
    across, down = map(float, path.split("L")[1].split())
    assert hypot(max(abs(across) - (width / 2 - 15), 0), down) == pytest.approx(16.5, abs=0.1)


@pytest.mark.parametrize("label", HOSTILE)
def test_a_hostile_label_is_only_text(label: str) -> None:
    hierarchy = Hierarchy.from_edges([("root", label)])
    picture = svg(
        figure_scene(hierarchy, Overlay("", {label: Mark(Side.CLASS)}), subtitles={label: label}),
        legend=True,
    )
    assert {e.tag.removeprefix(SVG) for e in parsed(picture).iter()} <= {
        "svg",
        "title",
        "style",
        "g",
        "path",
        "rect",
        "text",
    }
    attributes = {name for e in parsed(picture).iter() for name in e.attrib}
    assert not {name for name in attributes if name.startswith("on") or "href" in name}
    assert "url(" not in picture.svg
    shown = texts(picture)[1]
    assert shown[:8] == shown_label(label)[:8]
    assert shown.isprintable()


@given(some.text(min_size=1, max_size=40).filter(lambda label: label.strip() not in ("", "root")))
def test_any_label_gives_a_well_formed_document(label: str) -> None:
    try:
        hierarchy = Hierarchy.from_edges([("root", label)])
    except InputError:
        reject()
    overlay = Overlay("", {hierarchy.nodes[1]: Mark(Side.CLASS)})
    assert (
        parsed(svg(figure_scene(hierarchy, overlay, subtitles={"root": label}))).tag == f"{SVG}svg"
    )


def test_the_image_s_alternative_text_is_one_attribute_whatever_the_label() -> None:
    label = '"><img src=x onerror=alert(1)>'
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    picture = svg(
        figure_scene(
            Hierarchy.from_edges([("root", label)]), Overlay("", {label: Mark(Side.CLASS)})
        )
    )
    Reader().feed(picture.html(160))
    [(tag, attributes)] = found
    assert tag == "img"
    assert set(attributes) == {"src", "alt", "style"}
    assert str(attributes["src"]).startswith("data:image/svg+xml;base64,")


def test_subtitles_stand_in_their_classes() -> None:
    assert texts(svg(figure_scene(TREE, FIGURE, subtitles={"T1": "0.75"})), "note") == ["0.75"]


def test_an_exported_drawing_has_a_white_ground_and_one_scheme() -> None:
    paper, page, own = (svg(SCENE, ground=ground).svg for ground in ("paper", "page", "own"))
    assert '<rect class="ground"' in paper
    assert ".ground {fill: #FFFFFF}" in paper
    assert "prefers-color-scheme" not in paper
    assert '<rect class="ground"' not in page
    assert '<rect class="ground"' in own
    assert "prefers-color-scheme: dark" in page
    assert "prefers-color-scheme: dark" in own


def test_nothing_is_drawn_outside_the_frame() -> None:
    picture = svg(SCENE, legend=True)
    left, top, width, height = map(float, str(parsed(picture).get("viewBox")).split())
    for rect in [r for side in ("true", "predicted") for r in shapes(picture, side)][:3]:
        assert left <= float(rect.get("x", 0))
        assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= left + width
        assert top <= float(rect.get("y", 0))
        assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= top + height


def test_rank_lines_have_a_line_per_system_between_columns_and_tolerate_gaps() -> None:
    picture = rank_lines({"<A>": (1, 2, 3), "B": (2, float("nan"), 1)}, ["hF", "<b>", "SP"])
    assert len(list(parsed(picture).iter(f"{SVG}path"))) == 3  # two for A, one for B across its gap
    assert texts(picture) == ["hF", "<b>", "SP"]


WIDE = Hierarchy.from_nested(
    {"A": {f"group {i}": [f"class {i}.{j}" for j in range(4)] for i in range(4)}}
)


def _scene() -> Scene:
    x = explain(WIDE, {"class 0.1", "class 2.1"}, {"class 0.2", "class 2.1", "group 3"})
    return figure_scene(WIDE, overlay_for(x, with_view(OPENING, "ancestors")))


def test_the_lines_follow_each_other_in_rows_and_none_overlaps_or_is_wider_than_the_picture() -> (
    None
):
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
    rows = re.findall(
        r'<text class="legend" x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]+)<',
        svg(drawn, legend=True).svg,
    )
    assert {text for _, _, text in rows} == words
    assert len({y for _, y, _ in rows}) == 2
    nodes = re.findall(
        r"\\node\[anchor=west, inner sep=0pt\] at \(([-\d.]+),([-\d.]+)\) \{([^}]+)\}", tikz(drawn)
    )
    assert {text for _, _, text in nodes} == words
    assert [y == rows[0][1] for _, y, _ in rows] == [y == nodes[0][1] for _, y, _ in nodes]
    # As far from the first in both: drawing units in SVG, centimetres in TikZ.
    for (x, _, _), (cm, _, _) in zip(rows, nodes, strict=True):
        assert abs((float(x) - float(rows[0][0])) * CM - (float(cm) - float(nodes[0][0]))) < 0.01
