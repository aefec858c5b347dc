"""Scenes as TikZ. LaTeX is parsed, and compiled by the slow tests."""

from collections.abc import Callable

import pytest

from hiermeasures import Hierarchy
from hiermeasures.explorer.library import figure
from hiermeasures.measures import STRUCTURES
from hiermeasures.picture.export import tikz
from hiermeasures.picture.overlay import Badge, LegendEntry, Link, Mark, Overlay, Side
from hiermeasures.picture.scene import RING, Scene, Shape, figure_scene
from tests.app.screen import overlay_of
from tests.latex import NASTY

FIGURES = ("kosmopoulos2015/figure-8b", "kosmopoulos2015/figure-15", "riehl2023/figure-4b2", "falis2021/figure-1")


def only(shape: Shape) -> Scene:
    return Scene("", (shape,), words="A class.")


@pytest.mark.parametrize("key", FIGURES)
def test_every_view_of_a_figure_compiles(key: str, latex: Callable[[str], None]) -> None:
    shown = figure(key)
    overlays = [overlay_of(shown.explained(), structure) for structure in STRUCTURES]
    latex("\n\n".join(tikz(figure_scene(shown.hierarchy, overlay)) for overlay in overlays))


def test_a_figure_of_every_mark_compiles_whatever_its_labels_are(latex: Callable[[str], None]) -> None:
    labels = list(dict.fromkeys(label.strip() for label in NASTY))
    hierarchy = Hierarchy.from_edges([("root", label) for label in labels] + [(labels[0], labels[1])])
    marks = [Mark(t, p, struck, not (t or p)) for t in Side for p in Side for struck in (False, True)]
    kinds = ("pair", "considered", "struck", "both", "focus")
    whats = ("link", "link", "badge", "edge", "focus")
    overlay = Overlay(
        "Every mark",
        {label: marks[k % len(marks)] for k, label in enumerate(labels)},
        {mark: labels[k % len(labels)] for k, mark in enumerate(marks)},
        badges={label: Badge(label, ("struck", "TN", "lca")[k % 3]) for k, label in enumerate(labels)},
        links=(Link(labels[3], labels[4], labels[5], "pair"), Link(labels[6], labels[7], "2", "considered")),
        edges={("root", labels[0]): "both", ("root", labels[1]): "predicted"},
        focus=frozenset(labels[:2]),
        legend={kind: LegendEntry(what, labels[8], labels[9]) for kind, what in zip(kinds, whats, strict=True)},
    )
    drawn = figure_scene(hierarchy, overlay, subtitles={label: label for label in labels})
    assert {line.what for line in drawn.legend} == {"class", "badge", "link", "edge", "focus"}
    latex(tikz(drawn))


def test_a_class_that_is_both_has_a_circle_in_a_box() -> None:
    text = tikz(only(Shape("n0", "A", width=28, height=28, true="class", predicted="class")))
    box, circle = (line for line in text.splitlines() if r"\node" in line)
    assert f"minimum width={(28 + 2 * RING) / 40:g}cm" in box
    assert "circle" not in box
    assert "minimum height=0.7cm, circle]" in circle
    assert circle.endswith("{A};")


def test_places_are_those_of_the_scene_the_right_way_up() -> None:
    # 40 drawing units are one centimetre; down is negative.
    assert "at (1,-2)" in tikz(only(Shape("n0", "A", x=40, y=80)))
