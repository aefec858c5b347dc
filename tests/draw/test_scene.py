"""One scene, three painters: of every case of the library and every view of it, the canvas' data,
the SVG and the TikZ have the same shapes, edges, links and badges, in the same roles and places.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.draw.export import latex_label, tikz
from hiermeasures.draw.layout import neighbourhood
from hiermeasures.draw.scene import (
    PART_DEFAULTS,
    PLAIN,
    Overlay,
    Scene,
    figure_scene,
    on_screen,
    readable_on_screen,
    scene,
    shown_label,
)
from hiermeasures.draw.svg import svg
from hiermeasures.draw.views import VIEWS, ViewState, overlay_for, steps
from hiermeasures.explore.library import figure, figures
from hiermeasures.measures import CATALOGUE, Explanation

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Facts:
    """A painter's output: per shape its text and sides, per edge its role, and so on."""

    shapes: dict[str, tuple[str, str, str, bool, bool, bool]]
    edges: dict[tuple[str, str], str]
    links: list[tuple[str, str, str, bool]]
    badges: list[tuple[str, str, bool, bool]]


# --- what each painter has ----------------------------------------------------------------------


def of_canvas(data: dict[str, Any]) -> Facts:
    shapes, edges, links, badges = (
        [PART_DEFAULTS[what] | part for part in data[parts]]
        for what, parts in (
            ("class", "shapes"),
            ("edge", "edges"),
            ("link", "links"),
            ("badge", "badges"),
        )
    )
    return Facts(
        {
            s["id"]: (s["text"], s["true"], s["predicted"], s["struck"], s["ringed"], s["focused"])
            for s in shapes
        },
        {(e["parent"], e["child"]): e["role"] for e in edges},
        sorted((k["start"], k["end"], k["text"], k["faint"]) for k in links),
        sorted((b["shape"], b["text"], b["faint"], b["struck"]) for b in badges),
    )


def of_svg(source: str) -> Facts:
    """Read off the painted elements: circles are true, boxes predicted, dashes added."""
    root = ElementTree.fromstring(source)
    groups, paths = list(root.iter(f"{SVG}g")), list(root.iter(f"{SVG}path"))
    links = [p for p in (*paths, *groups) if "data-start" in p.attrib]
    return Facts(
        {
            group.attrib["data-shape"]: _painted_shape(group)
            for group in groups
            if "data-shape" in group.attrib
        },
        {
            (p.attrib["data-parent"], p.attrib["data-child"]): p.attrib["class"].partition("edge-")[
                2
            ]
            for p in paths
            if "data-parent" in p.attrib
        },
        sorted(
            (
                p.attrib["data-start"],
                p.attrib["data-end"],
                p.attrib["data-text"],
                next(p.iter(f"{SVG}path")).get("stroke-dasharray") == "2 4",
            )
            for p in links
        ),
        sorted(_painted_badge(group) for group in groups if "data-badge" in group.attrib),
    )


def _classes(element: ElementTree.Element) -> list[str]:
    return element.get("class", "").split()


def _painted_shape(group: ElementTree.Element) -> tuple[str, str, str, bool, bool, bool]:
    rects = list(group.iter(f"{SVG}rect"))
    sides = {
        side: [rect for rect in rects if side in _classes(rect)] for side in ("true", "predicted")
    }
    roles = {side: _painted_role(found) for side, found in sides.items()}
    on = "both" if all(sides.values()) else "true" if sides["true"] else "predicted"
    assert all(f"on-{on}" in _classes(rect) for found in sides.values() for rect in found)
    struck = any("strike" in _classes(path) for path in group.iter(f"{SVG}path"))
    ringed, focused = (
        any(kind in _classes(rect) for rect in rects) for kind in ("ringed", "focus")
    )
    [label] = [t.text or "" for t in group.iter(f"{SVG}text") if "label" in _classes(t)]
    return label, roles["true"], roles["predicted"], struck, ringed, focused


def _painted_role(rects: list[ElementTree.Element]) -> str:
    roles = {None: "class", "4 3": "added", "1 3": "uncounted"}  # by the dashes of the outline
    return roles[rects[0].get("stroke-dasharray")] if rects else "none"


def _painted_badge(group: ElementTree.Element) -> tuple[str, str, bool, bool]:
    [ground], [text] = group.iter(f"{SVG}rect"), group.iter(f"{SVG}text")
    struck = any("strike" in _classes(path) for path in group.iter(f"{SVG}path"))
    return group.attrib["data-badge"], text.text or "", "tag-faint" in _classes(ground), struck


NODE = re.compile(r"^  \\node\[(.*?), minimum .*\] \((n\d+)\) at \S+ \{(.*)\};$")
INNER = re.compile(r"^  \\node\[(.*?), minimum .*?\] at \S+ \{(.*)\};$")
EDGE = re.compile(r"^  \\draw\[edge of (\w+).*?\] \((n\d+)\) -- .*\((n\d+)\);$")
LINK = re.compile(r"^  \\draw\[(faint )?link\] \((n\d+)\) \.\. .* \{(.*)\} \((n\d+)\);$")
PATH_TEXT = re.compile(r"^  \\node\[(faint )?badge\] \((n\d+)-(n\d+)\) at \S+ \{(.*)\};$")
BADGE = re.compile(r"^  \\node\[(faint )?badge\] \(b(n\d+)\) at \S+ \{(.*)\};$")
FOCUS = re.compile(r"^  \\node\[focus, .*\] \(f(n\d+)\) at")
STRIKE = re.compile(r"^  \\draw\[strike\] \((b?)(n\d+)\.")


def of_tikz(source: str) -> Facts:
    """Read off the emitted commands, whose styles say the roles."""
    shapes, edges, links, badges = {}, {}, [], []
    struck, focused, lines = set(), set(), source.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if found := NODE.match(line):
            style, name, label = found.groups()
            inner = INNER.match(following) if "outer box" in style else None
            circle, text = inner.groups() if inner else (style, label)
            true = _tikz_role(circle) if "true class" in style or inner else "none"
            predicted = _tikz_role(style) if "predicted class" in style or inner else "none"
            shapes[name] = (text, true, predicted, style == "ringed class")
        elif found := EDGE.match(line):
            edges[found[2], found[3]] = found[1]
        elif found := LINK.match(line):
            links.append((found[2], found[4], found[3], bool(found[1])))
        elif found := PATH_TEXT.match(line):
            links.append((found[2], found[3], found[4], bool(found[1])))
        elif found := BADGE.match(line):
            badges.append((found[2], found[3], bool(found[1])))
        elif found := STRIKE.match(line):
            struck.add(found[1] + found[2])
        elif found := FOCUS.match(line):
            focused.add(found[1])
    return Facts(
        {
            n: (text, t, p, n in struck, ringed, n in focused)
            for n, (text, t, p, ringed) in shapes.items()
        },
        edges,
        sorted(links),
        sorted((*badge, f"b{badge[0]}" in struck) for badge in badges),
    )


def _tikz_role(style: str) -> str:
    return next((role for role in ("added", "uncounted") if style.startswith(role)), "class")


def in_latex(facts: Facts) -> Facts:
    """The same facts with their texts as LaTeX has them."""
    return replace(
        facts,
        shapes={name: (latex_label(shape[0]), *shape[1:]) for name, shape in facts.shapes.items()},
        links=[(start, end, latex_label(text), faint) for start, end, text, faint in facts.links],
        badges=[
            (shape, latex_label(text), faint, struck) for shape, text, faint, struck in facts.badges
        ],
    )


# --- every case and every view ------------------------------------------------------------------


def view_states(view: str, x: Explanation) -> Iterator[ViewState]:
    """Every structure of a view, both kinds of graphs, every path, and some steps."""
    of_structure = {measure.structure.key: key for key, measure in reversed(CATALOGUE.items())}
    for structure in VIEWS[view].structures:
        at = ViewState(of_structure[structure], view)
        yield at
        if view == "lca":
            yield from (replace(at, graphs=kind) for kind in ("minimal", "extended"))
        if view == "confusion":
            yield from (replace(at, path=k) for k in range(len(x.confusion.paths)))
        count = len(steps(x, replace(at, step=0)))
        yield from (
            replace(at, step=k)
            for k in sorted({0, 1, count // 2, count - 2, count - 1})
            if 0 <= k < count
        )


@cache
def explained(case: str) -> Explanation:
    return figure(case).explained()


def drawn(overlay: Overlay, hierarchy: Hierarchy) -> tuple[Scene, Scene]:
    """The scene on the screen, and in a figure."""
    near = neighbourhood(hierarchy, (label for label in overlay.marks if label in hierarchy))
    return scene(on_screen(near), overlay), figure_scene(hierarchy, overlay)


@cache
def drawn_states(view: str) -> list[tuple[str, ViewState, Overlay, Facts, Scene]]:
    """Every state of a view in every case: its overlay, its data, and its scene in a figure."""
    found = []
    for case in figures():
        x = explained(case)
        for at in view_states(view, x):
            overlay = overlay_for(x, at)
            on_canvas, in_figure = drawn(overlay, figure(case).hierarchy)
            found.append(
                (
                    case,
                    at,
                    overlay,
                    of_canvas(json.loads(json.dumps(on_canvas.as_data()))),
                    in_figure,
                )
            )
    return found


@pytest.mark.parametrize("view", VIEWS)
def test_canvas_svg_and_tikz_of_every_case_have_the_same_shapes_edges_links_and_badges(
    view: str,
) -> None:
    for case, at, _, facts, in_figure in drawn_states(view):
        assert len(facts.shapes) == len(figure(case).hierarchy)
        assert of_svg(svg(in_figure).svg) == facts, (case, at)
        assert of_tikz(tikz(in_figure)) == in_latex(facts), (case, at)


@pytest.mark.parametrize("view", VIEWS)
def test_every_scene_says_what_its_overlay_does(view: str) -> None:
    for case, at, overlay, facts, _ in drawn_states(view):
        hierarchy = figure(case).hierarchy
        ids = {label: f"n{hierarchy.index(label)}" for label in hierarchy.nodes}
        assert facts.shapes == {ids[c]: _marked(c, overlay) for c in hierarchy.nodes}, (case, at)
        assert facts.edges == {
            (ids[u], ids[v]): _role(overlay, u, v) for u, v in hierarchy.edges
        }, (case, at)
        assert {(start, end) for start, end, *_ in facts.links} == {
            (ids[link.start], ids[link.end]) for link in overlay.links
        }
        assert {shape: text for shape, text, *_ in facts.badges} == {
            ids[c]: badge.text for c, badge in overlay.badges.items() if c in ids
        }


def _marked(label: str, overlay: Overlay) -> tuple[str, str, str, bool, bool, bool]:
    mark, roles = overlay.marks.get(label, PLAIN), ("none", "added", "class", "uncounted")
    focused = label in overlay.focus
    return (
        shown_label(label),
        roles[mark.true],
        roles[mark.predicted],
        mark.struck,
        mark.ringed,
        focused,
    )


def _role(overlay: Overlay, parent: str, child: str) -> str:
    """The sides of an edge: those that the overlay gives it, else those of both its ends."""
    if overlay.edges is not None:
        return overlay.edges.get((parent, child), "none")
    ends = [overlay.marks.get(c, PLAIN) for c in (parent, child)]
    sides = {side for side in ("true", "predicted") if all(getattr(mark, side) for mark in ends)}
    return "both" if len(sides) == 2 else next(iter(sides), "none")


# --- what the scene says ------------------------------------------------------------------------


def test_marked_classes_that_stand_far_apart_are_brought_together_by_folding_others_away() -> None:
    h = Hierarchy.from_edges(
        [("r", f"g{i}") for i in range(5)]
        + [(f"g{i}", f"g{i}.{j}") for i in range(5) for j in range(3)]
    )
    near, marked = neighbourhood(h, ()), {"g0.0", "g4.2"}
    focus = {*marked, "g0", "g4", "r"}

    def spread(at: dict[str, tuple[float, float]]) -> float:
        return max(at[c][0] for c in focus) - min(at[c][0] for c in focus)

    made = readable_on_screen(near, marked)
    assert spread(on_screen(near).layout.positions) > 1100  # 15 leaves, 86 from one to the next
    assert spread(made.layout.positions) < 760
    assert focus <= set(made.neighbourhood.nodes)
    assert made.notes
    assert readable_on_screen(near, {"g2.1", "g2.2"}).neighbourhood is near


def test_the_paths_of_very_many_pairs_are_on_the_edges_and_little_data() -> None:
    branches = [f"{a}{b}" for a in range(6) for b in range(5)]
    h = Hierarchy.from_edges(
        [("r", str(a)) for a in range(6)]
        + [(branch[0], branch) for branch in branches]
        + [(branch, branch + leaf) for branch in branches for leaf in "TP"]
    )
    sides = ([branch + leaf for branch in branches] for leaf in "TP")
    x = explain(h, *sides)
    drawn_links = drawn(VIEWS["distances"].overlay(x, ViewState("SP", "distances")), h)[0].links
    assert len(drawn_links) == 900
    assert not any(edge.points for link in drawn_links for edge in link.path)
    # 360 bytes a pair: six edges, and what a curve has
    assert len(json.dumps([vars(link) for link in drawn_links])) < 900 * 360
