"""Scenes as SVG: every mark has its shape, any label is only text, and the document is well-formed
and refers to nothing outside. The legend: rows across the picture's width, alike in SVG and TikZ.
"""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, reject
from hypothesis import strategies as some

from hiermeasures import Hierarchy
from hiermeasures.app.cases.html import rank_lines
from hiermeasures.draw.scene import Mark, Overlay, Side, figure_scene, shown_label
from hiermeasures.draw.svg import Image, svg
from hiermeasures.hierarchy.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<img src=x onerror=alert(1)>", "</text><script>alert(1)</script>", "]]>&amp;<!--",
    "\"'><a href=javascript:alert(1)>", "=1+1", "nul\x00bell\x07", "turned \u202e round",
    "two\nlines", "x" * 5000, "漢字", "&lt;b&gt;",
]  # fmt: skip


def parsed(image: Image) -> ElementTree.Element:
    return ElementTree.fromstring(image.svg)


def texts(image: Image, kind: str = "label") -> list[str]:
    return [
        "".join(t.itertext())
        for t in parsed(image).iter(f"{SVG}text")
        if kind in t.get("class", "").split()
    ]


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


def test_rank_lines_have_a_line_per_system_between_columns_and_tolerate_gaps() -> None:
    picture = rank_lines({"<A>": (1, 2, 3), "B": (2, float("nan"), 1)}, ["hF", "<b>", "SP"])
    assert len(list(parsed(picture).iter(f"{SVG}path"))) == 3  # two for A, one for B across its gap
    assert texts(picture) == ["hF", "<b>", "SP"]
