"""A scene painted as SVG: thumbnails and figures of the Cases page, and the exported file. In TikZ,
too, the lines of the legend stand where they stand here.

What is drawn, where and in which role is the scene's; colours and lines are the palette's. Every
shape, edge, link and badge says in data attributes what it is. Labels are untrusted text: they are
escaped, and pages show a drawing as an image, in which no script runs.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, sqrt
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from hiermeasures.picture.layout import Point
from hiermeasures.picture.palette import (
    BADGES,
    DARK,
    EDGES,
    FOCUS,
    FOCUS_FILL,
    LIGHT,
    LINKS,
    OUTLINES,
    RINGED,
    SIZE,
    STRIKE,
    STRUCK_TEXT,
    Stroke,
    Tones,
)
from hiermeasures.picture.scene import (
    FONT_SIZE,
    SMALL,
    SUBTITLE_HEIGHT,
    Badge,
    Edge,
    LegendLine,
    Link,
    Scene,
    Shape,
    SideRole,
    Sizes,
    shown_label,
    tag_width,
    text_width,
)

SAMPLE = 24.0  # how wide a sample is at least
SAMPLE_GAP = 6.0  # between a sample and its words
GAP = 20.0  # between two lines of one row
NARROWEST = 320.0  # a picture narrower than this still has rows as wide


@dataclass(frozen=True)
class PlacedLine:
    """A line of the legend, or a note: its left end, its row, the widths of sample and line."""

    line: LegendLine | str
    x: float
    row: int
    sample: float
    width: float

    @property
    def words(self) -> str:
        return self.line if isinstance(self.line, str) else self.line.words


def legend_rows(scene: Scene, width: float, *, legend: bool = True) -> tuple[PlacedLine, ...]:
    """The legend, if asked for, and the notes of a scene in rows no wider than a picture.

    A line that is wider by itself has a row of its own, and so has each note.
    """
    placed: list[PlacedLine] = []
    x, row, room = 0.0, 0, max(width, NARROWEST)
    for line in scene.legend if legend else ():
        sample = _sample_width(line)
        wide = sample + SAMPLE_GAP + text_width(line.words)
        if x and x + wide > room:
            x, row = 0.0, row + 1
        placed.append(PlacedLine(line, x=x, row=row, sample=sample, width=wide))
        x += wide + GAP
    first = row + 1 if placed else 0
    placed += _note_rows(scene.notes, first)
    return tuple(placed)


def _note_rows(notes: Iterable[str], first: int) -> Iterable[PlacedLine]:
    return (PlacedLine(note, x=0.0, row=first + k, sample=0.0, width=text_width(note)) for k, note in enumerate(notes))


def _sample_width(line: LegendLine) -> float:
    return max(SAMPLE, tag_width(line.sample.text)) if isinstance(line.sample, Badge) else SAMPLE


FONT = "'Source Sans 3', 'Source Sans Pro', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
MARGIN = 6.0
ROUND = 24.0  # how far from its corner a bend begins
FOCUS_MARGIN = 6.0
TIP = 8.0  # how long the head of an arrow is
LEGEND_ROW = 22.0

# Where a drawing stands: on a page of ours, whose light or dark theme it follows; on a page that
# may not say which it has, with a ground of its own; in a file, dark ink on white.
Ground = Literal["page", "own", "paper"]


@dataclass(frozen=True)
class Image:
    """An SVG document, its size in pixels at zoom 1, and what it shows in words."""

    svg: str
    width: float
    height: float
    words: str

    @property
    def data_uri(self) -> str:
        return "data:image/svg+xml;base64," + b64encode(self.svg.encode()).decode()

    def html(self, height: float | None = None) -> str:
        """An HTML image, no wider than its place nor higher than `height`, and its words."""
        high = min(self.height, height or self.height)
        style = f"width:auto;height:auto;max-width:100%;max-height:{high:.0f}px"
        return f'<img src="{self.data_uri}" alt={quoteattr(self.words)} style="{style}">'


def svg(scene: Scene, *, scale: float = 1.0, legend: bool = False, ground: Ground = "page") -> Image:
    """Paint a scene: true classes circled, predicted ones boxed, both both; dashed what was added.

    Parameters
    ----------
    scene : Scene
        Arranged for a figure.
    scale : float
        The size of the document; the drawing is the same at every size.
    legend : bool
        Whether the meaning of every mark is written below.
    ground : "page", "own" or "paper"
        Where it will stand: on a page that has a light or dark theme, on one that may not tell
        which it has, or in a file. The last two have a ground: that of the theme, as far as it is
        known, and white.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.picture.scene import Overlay
    >>> from hiermeasures.picture.scene import figure_scene
    >>> svg(figure_scene(Hierarchy.from_edges([("A", "B")]), Overlay("Classes", {}))).svg[:4]
    '<svg'
    """
    left, top, right, bottom = _bounds(scene)
    body = [_edge(edge, scene) for edge in scene.edges]
    body += [_curve(link, scene) for link in scene.links]
    body += map(_shape, scene.shapes)
    body += [_tag(link.text, link.x, link.y) for link in scene.links if link.text]
    body += map(_badge, scene.badges)
    lines = legend_rows(scene, right - left, legend=legend)
    body += [_legend_line(line, left + line.x, bottom + (line.row + 0.75) * LEGEND_ROW) for line in lines]
    right = max([right, *(left + line.x + line.width for line in lines)])
    bottom += LEGEND_ROW * (lines[-1].row + 1.25) if lines else 0.0
    frame = (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    return document(body, frame, scene.words, scale=scale, ground=ground)


def swatch(line: LegendLine) -> Image:
    return document([_sample(line, 0.0, 0.0)], (-10.0, -10.0, 20.0, 20.0), line.words)


def legend(scenes: Iterable[Scene]) -> str:
    """The marks of drawings with their meanings, each once, as HTML."""
    lines = dict.fromkeys(line for scene in scenes for line in scene.legend)
    items = (f'<span style="{_SAMPLE}">{swatch(line).html()}{escape(line.words)}</span>' for line in lines)
    return f'<div style="{_SAMPLES}">{"".join(items)}</div>' if lines else ""


_SAMPLES = "display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; font-size: 0.8125rem"
_SAMPLE = "display: inline-flex; align-items: center; gap: 0.4rem"


def _shape(shape: Shape) -> str:
    x, y, both = shape.x, shape.y, shape.role == "both"
    half_width, half_height = shape.width / 2, shape.height / 2
    parts = [_focus(shape)] if shape.focused else []
    if shape.predicted != "none":
        box = (x, y, shape.half_width, shape.half_height, 3.0)
        parts.append(_outline(f"predicted on-{shape.role}", box, shape.predicted, filled=not both))
    if shape.ringed:
        parts.append(f'<rect class="ringed" {_box(x, y, half_width, half_height, half_height)} {_line(RINGED)}/>')
    if shape.true != "none":
        circle = (x, y, half_width, half_height, half_height)
        parts.append(_outline(f"true on-{shape.role}", circle, shape.true, filled=True))
    lift = SUBTITLE_HEIGHT / 2 if shape.subtitle else 0.0
    if shape.text:
        parts.append(text(shape.text, x, y - lift, FONT_SIZE, "label struck" if shape.struck else "label"))
    if shape.subtitle:
        parts.append(text(shape.subtitle, x, y + lift + 3, FONT_SIZE * SMALL, "note"))
    if shape.struck:
        w, h = shape.half_width + 3, shape.half_height + 3
        parts.append(f'<path class="strike" d="M{x - w:.1f} {y + h:.1f}L{x + w:.1f} {y - h:.1f}" {_line(STRIKE)}/>')
    return f"<g {_data(shape=shape.id, true=shape.true, predicted=shape.predicted)}>{''.join(parts)}</g>"


def _outline(kind: str, box: tuple[float, float, float, float, float], role: SideRole, *, filled: bool) -> str:
    fill = f"{role}-fill" if filled else "no-fill"
    return f'<rect class="{kind} {fill}" {_box(*box)} {_line(OUTLINES[role])}/>'


def _box(x: float, y: float, half_width: float, half_height: float, corner: float) -> str:
    return (
        f'x="{x - half_width:.1f}" y="{y - half_height:.1f}" width="{2 * half_width:.1f}" '
        f'height="{2 * half_height:.1f}" rx="{corner:.1f}"'
    )


def _line(stroke: Stroke) -> str:
    dash = f' stroke-dasharray="{" ".join(f"{n:g}" for n in stroke.dash)}"' if stroke.dash else ""
    opacity = f' stroke-opacity="{stroke.opacity:g}"' if stroke.opacity < 1 else ""
    return f'stroke-width="{stroke.width:g}"{dash}{opacity}'


def _data(**fields: str) -> str:
    return " ".join(f"data-{name}={quoteattr(value)}" for name, value in fields.items())


def _focus(shape: Shape) -> str:
    w, h = shape.half_width + FOCUS_MARGIN, shape.half_height + FOCUS_MARGIN
    return f'<rect class="focus" {_box(shape.x, shape.y, w, h, 9.0)} {_line(FOCUS)}/>'


def _edge(edge: Edge, scene: Scene) -> str:
    parent, child = scene.by_id[edge.parent], scene.by_id[edge.child]
    points = [(parent.x, parent.y), *edge.bends, (child.x, child.y)]
    points[0], points[-1] = _border(parent, points[1]), _border(child, points[-2])
    data = _data(parent=edge.parent, child=edge.child, role=edge.role)
    return f'<path class="edge edge-{edge.role}" {data} {_line(EDGES[edge.role])} d="{_rounded(points)}"/>'


def _curve(link: Link, scene: Scene) -> str:
    start, end = scene.by_id[link.start], scene.by_id[link.end]
    (x1, y1), (x, y), (x2, y2) = _border(start, link.control), link.control, _border(end, link.control)
    data = _data(start=link.start, end=link.end, kind=link.kind, text=shown_label(link.text))
    path = f"M{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"
    tip = _tip((x, y), (x2, y2), link.faint) if link.arrow else ""
    return f'<path class="link" {data} {_line(LINKS[_strength(link.faint)])} d="{path}"/>{tip}'


def _tip(start: Point, end: Point, faint: bool) -> str:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    dx, dy = TIP * (end[0] - start[0]) / length, TIP * (end[1] - start[1]) / length
    (x, y), (back_x, back_y) = end, (end[0] - dx, end[1] - dy)
    path = f"M{back_x - dy / 2:.1f} {back_y + dx / 2:.1f}L{x:.1f} {y:.1f}L{back_x + dy / 2:.1f} {back_y - dx / 2:.1f}"
    return f'<path class="link" {_line(replace(LINKS[_strength(faint)], dash=()))} d="{path}"/>'


def _strength(faint: bool) -> str:
    return "faint" if faint else "firm"


def _badge(badge: Badge) -> str:
    data = _data(badge=badge.shape, kind=badge.kind)
    return f"<g {data}>{_tag(badge.text, badge.x, badge.y, faint=badge.faint, struck=badge.struck)}</g>"


def _tag(words: str, x: float, y: float, *, faint: bool = False, struck: bool = False) -> str:
    half = tag_width(words) / 2
    ground = (
        f'<rect class="tag tag-{_strength(faint)}" {_box(x, y, half, 8.0, 4.0)} {_line(BADGES[_strength(faint)])}/>'
    )
    line = (
        f'<path class="strike" d="M{x - half:.1f} {y:.1f}H{x + half:.1f}" {_line(BADGES["firm"])}/>' if struck else ""
    )
    return ground + text(shown_label(words), x, y, FONT_SIZE * SMALL, "tagged struck" if struck else "tagged") + line


def _rounded(points: Sequence[Point]) -> str:
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        (x1, y1), (x2, y2) = _towards((x, y), before), _towards((x, y), after)
        path += f"L{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"
    return path + f"L{points[-1][0]:.1f} {points[-1][1]:.1f}"


def _towards(a: Point, b: Point) -> Point:
    share = min(0.5, ROUND / max(hypot(b[0] - a[0], b[1] - a[1]), 1e-9))
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _border(shape: Shape, towards: Point) -> Point:
    """The point at which the line from the middle of a shape to a point leaves its outline."""
    dx, dy = towards[0] - shape.x, towards[1] - shape.y
    width, height = shape.half_width + 1.5, shape.half_height + 1.5
    share = min(width / abs(dx) if dx else inf, height / abs(dy) if dy else inf, 1.0)
    middle = max(width - height, 0.0)  # how far from the shape's middle that of its round end is
    if shape.round and abs(dx) * share > middle:
        along, length = middle * abs(dx), dx * dx + dy * dy
        share = min((along + sqrt(along * along - length * (middle * middle - height * height))) / length, 1.0)
    return shape.x + dx * share, shape.y + dy * share


def _bounds(scene: Scene) -> tuple[float, float, float, float]:
    boxes = [(s.x, s.y, s.half_width, s.half_height) for s in scene.shapes]
    boxes += [(s.x, s.y, s.half_width + FOCUS_MARGIN, s.half_height + FOCUS_MARGIN) for s in scene.shapes if s.focused]
    boxes += [(x, y, 0.0, 0.0) for edge in scene.edges for x, y in edge.bends]
    tags: list[Link | Badge] = [*scene.links, *scene.badges]
    boxes += [(tag.x, tag.y, tag_width(tag.text) / 2, 9.0) for tag in tags]
    return (
        min(x - w for x, _, w, _ in boxes),
        min(y - h for _, y, _, h in boxes),
        max(x + w for x, _, w, _ in boxes),
        max(y + h for _, y, _, h in boxes),
    )


def _legend_line(placed: PlacedLine, x: float, y: float) -> str:
    if isinstance(placed.line, str):
        return text(placed.line, x, y, FONT_SIZE, "legend")
    words = text(placed.line.words, x + placed.sample + SAMPLE_GAP, y, FONT_SIZE, "legend")
    return _sample(placed.line, x + placed.sample / 2, y) + words


def _sample(line: LegendLine, x: float, y: float) -> str:
    match line.sample:
        case Shape(focused=True):
            return _focus(replace(line.sample, x=x, y=y, width=10.0, height=4.0))
        case Shape():
            shape = replace(line.sample, width=28.0, height=28.0)
            return f'<g transform="translate({x:.1f} {y:.1f}) scale(0.5)">{_shape(shape)}</g>'
        case Badge():
            return _tag(line.sample.text, x, y, faint=line.sample.faint, struck=line.sample.struck)
        case Sizes():
            return _sizes(line.sample, x, y)
        case Edge(role=role):
            kind, stroke = f"edge edge-{role}", EDGES[role]
        case Link(faint=faint):
            kind, stroke = "link", LINKS[_strength(faint)]
    return f'<path class="{kind}" {_line(stroke)} d="M{x - 12:.1f} {y:.1f}L{x + 12:.1f} {y:.1f}"/>'


def _sizes(sizes: Sizes, x: float, y: float) -> str:
    return "".join(
        f'<circle class="ringed" cx="{x + aside:.1f}" cy="{y:.1f}" r="{7 * share:.1f}" {_line(SIZE)}/>'
        for aside, share in ((-7.0, sizes.least), (5.0, sizes.most))
    )


def document(
    body: Iterable[str],
    frame: tuple[float, float, float, float],
    words: str,
    *,
    scale: float = 1.0,
    ground: Ground = "page",
) -> Image:
    """An SVG document of these elements; `frame` is its left, top, width and height."""
    x, y, width, height = frame
    rect = f'<rect class="ground" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
    source = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.1f}" height="{height * scale:.1f}" '
        f'viewBox="{x:.1f} {y:.1f} {width:.1f} {height:.1f}" role="img"><title>{_escaped(words)}</title>'
        f"<style>{_style(ground)}</style>{rect if ground != 'page' else ''}{''.join(body)}</svg>"
    )
    return Image(source, width * scale, height * scale, words)


def text(words: str, x: float, y: float, size: float, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}">{_escaped(words)}</text>'


def _escaped(words: str) -> str:
    """Text without control and direction characters, which XML forbids or which turn lines."""
    return escape("".join(c if c.isprintable() else "�" for c in words))


def _style(ground: Ground) -> str:
    """The style sheet: an image follows the light or dark scheme of the page around it."""
    dark = "" if ground == "paper" else f"@media (prefers-color-scheme: dark) {{{_toned(DARK)}}} "
    return (
        f"svg {{font-family: {FONT}}} {_toned(LIGHT)} {dark}"
        ".label, .note, .tagged {text-anchor: middle} .note {opacity: 0.8} .no-fill {fill-opacity: 0}"
        f" .struck {{opacity: {STRUCK_TEXT:g}}} .edge, .link, .ringed {{fill: none}}"
        f" .focus {{fill-opacity: {FOCUS_FILL:g}}}"
    )


def _toned(tones: Tones) -> str:
    sides = {"true": tones.true, "predicted": tones.predicted, "both": tones.both}
    rules = [f".on-{side} {{fill: {colour}; stroke: {colour}}}" for side, colour in sides.items()]
    rules += [f".edge-{side} {{stroke: {colour}}}" for side, colour in {**sides, "none": tones.line}.items()]
    rules += [
        f".class-fill {{fill-opacity: {tones.class_fill:g}}}",
        f".added-fill {{fill-opacity: {tones.added_fill:g}}}",
        f"text, .dot {{fill: {tones.ink}}}",
        f".strike, .link, .ringed, .focus, .tag {{stroke: {tones.ink}}}",
        f".focus {{fill: {tones.ink}}}",
        f".tag-firm {{fill: {tones.badge}}}",
        f".tag-faint, .ground {{fill: {tones.ground}}}",
    ]
    return " ".join(rules)
