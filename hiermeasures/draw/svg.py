"""Paint a scene as SVG: thumbnails and figures of the library page, and exported files.

The scene contains content, positions and roles. The palette contains colours and lines. The TikZ
picture has the lines of the legend at the same positions. Every shape, edge, link and badge has data
attributes. Labels are untrusted text. They are escaped, and pages show a drawing as an image, where
no script runs.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, sqrt
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from hiermeasures.draw import palette
from hiermeasures.draw.lanes import PathEdge
from hiermeasures.draw.layout import Point
from hiermeasures.draw.scene import (
    FONT_SIZE,
    SMALL,
    SUBTITLE_HEIGHT,
    Badge,
    Edge,
    LegendLine,
    Link,
    Scene,
    Shape,
    Sizes,
    shown_label,
    tag_width,
    text_width,
)
from hiermeasures.draw.text import printable

SAMPLE = 24.0  # the smallest width of a sample
SAMPLE_GAP = 6.0  # between a sample and its words
GAP = 20.0  # between two lines of one row
NARROWEST = 320.0  # the smallest width of the rows of a legend
FONT = "'Source Sans 3', 'Source Sans Pro', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
MARGIN = 6.0
ROUND = 24.0  # the distance between a corner and the start of its bend
FOCUS_MARGIN = 6.0
TIP = 8.0  # the length of the head of an arrow
LEGEND_ROW = 22.0

# The place of a drawing. "page" is our own page, and the drawing follows its light or dark theme.
# "own" is a page with an unknown theme, so the drawing has its own background. "paper" is a file with
# dark ink on white.
Ground = Literal["page", "own", "paper"]


@dataclass(frozen=True)
class PlacedLine:
    """A line of the legend, or a note: its left end, its row, and the widths of sample and line."""

    line: LegendLine | str
    x: float
    row: int
    sample: float
    width: float

    @property
    def words(self) -> str:
        return self.line if isinstance(self.line, str) else self.line.words


def legend_rows(scene: Scene, width: float, *, legend: bool = True) -> tuple[PlacedLine, ...]:
    """Arrange the legend, if requested, and the notes of a scene in rows.

    The rows are as wide as the picture. A wider line has its own row, and each note, too.
    """
    placed: list[PlacedLine] = []
    x, row, room = 0.0, 0, max(width, NARROWEST)
    for line in scene.legend if legend else ():
        sample = (
            max(SAMPLE, tag_width(line.sample.text)) if isinstance(line.sample, Badge) else SAMPLE
        )
        wide = sample + SAMPLE_GAP + text_width(line.words)
        if x and x + wide > room:
            x, row = 0.0, row + 1
        placed.append(PlacedLine(line, x=x, row=row, sample=sample, width=wide))
        x += wide + GAP
    first = row + 1 if placed else 0
    for k, note in enumerate(scene.notes, first):
        placed.append(PlacedLine(note, x=0.0, row=k, sample=0.0, width=text_width(note)))
    return tuple(placed)


@dataclass(frozen=True)
class Image:
    """An SVG document, its size in pixels at zoom 1, and its alternative text."""

    svg: str
    width: float
    height: float
    words: str

    @property
    def data_uri(self) -> str:
        return "data:image/svg+xml;base64," + b64encode(self.svg.encode()).decode()

    def html(self, height: float | None = None) -> str:
        """Return an HTML image with its alternative text.

        The image is not wider than its place on the page, and not higher than `height`.
        """
        high = min(self.height, height or self.height)
        style = f"width:auto;height:auto;max-width:100%;max-height:{high:.0f}px"
        return f'<img src="{self.data_uri}" alt={quoteattr(self.words)} style="{style}">'


def svg(
    scene: Scene, *, scale: float = 1.0, legend: bool = False, ground: Ground = "page"
) -> Image:
    """Paint a scene as SVG.

    A circle is a true class, a box is a predicted class, and both together are a class of both
    sides. Classes that a measure added are dashed.

    Parameters
    ----------
    scene : Scene
        A scene that is arranged for a figure.
    scale : float
        The size of the document. It does not change the drawing.
    legend : bool
        True adds the meaning of every mark below.
    ground : "page", "own" or "paper"
        "page" is for a page with a light or dark theme. "own" is for a page with an unknown theme.
        It adds a background in the colour of the theme, if the browser knows it. "paper" is for a
        file. It adds a white background.

    Returns
    -------
    Image

    See Also
    --------
    hiermeasures.draw.export.tikz : Paint a scene as a TikZ picture.
    """
    left, top, right, bottom = _bounds(scene)
    body = [_edge(edge, scene) for edge in scene.edges]
    body += [(_path if link.path else _curve)(link, scene) for link in scene.links]
    body += map(_shape, scene.shapes)
    body += [_tag(link.text, link.x, link.y) for link in scene.links if link.text]
    for badge in scene.badges:
        tag = _tag(badge.text, badge.x, badge.y, faint=badge.faint, struck=badge.struck)
        body.append(f"<g {_data(badge=badge.shape, kind=badge.kind)}>{tag}</g>")
    lines = legend_rows(scene, right - left, legend=legend)
    for line in lines:
        x, y = left + line.x, bottom + (line.row + 0.75) * LEGEND_ROW
        if isinstance(line.line, LegendLine):
            body.append(_sample(line.line, x + line.sample / 2, y))
            x += line.sample + SAMPLE_GAP
        body.append(text(line.words, x, y, FONT_SIZE, "legend"))
    right = max([right, *(left + line.x + line.width for line in lines)])
    bottom += LEGEND_ROW * (lines[-1].row + 1.25) if lines else 0.0
    frame = (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    return document(body, frame, scene.words, scale=scale, ground=ground)


def legend(scenes: Iterable[Scene]) -> str:
    """Return the marks of drawings with their meanings as HTML, each mark once."""
    row = "display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; font-size: 0.8125rem"
    each = "display: inline-flex; align-items: center; gap: 0.4rem"
    items = [
        f'<span style="{each}">{swatch(line).html()}{escape(line.words)}</span>'
        for line in dict.fromkeys(line for scene in scenes for line in scene.legend)
    ]
    return f'<div style="{row}">{"".join(items)}</div>' if items else ""


def swatch(line: LegendLine) -> Image:
    """Paint the sample of one line of the legend."""
    return document([_sample(line, 0.0, 0.0)], (-10.0, -10.0, 20.0, 20.0), line.words)


def _shape(shape: Shape) -> str:
    x, y, half_width, half_height = shape.x, shape.y, shape.width / 2, shape.height / 2
    parts = [_focus(shape)] if shape.focused else []
    if shape.predicted != "none":
        fill = "no" if shape.role == "both" else shape.predicted
        box = f"{_box(x, y, shape.half_width, shape.half_height, 3.0)} {_line(palette.OUTLINES[shape.predicted])}"
        parts.append(f'<rect class="predicted on-{shape.role} {fill}-fill" {box}/>')
    circle = _box(x, y, half_width, half_height, half_height)
    if shape.ringed:
        parts.append(f'<rect class="ringed" {circle} {_line(palette.RINGED)}/>')
    if shape.true != "none":
        line = _line(palette.OUTLINES[shape.true])
        parts.append(f'<rect class="true on-{shape.role} {shape.true}-fill" {circle} {line}/>')
    lift = SUBTITLE_HEIGHT / 2 if shape.subtitle else 0.0
    if shape.text:
        parts.append(
            text(shape.text, x, y - lift, FONT_SIZE, "label struck" if shape.struck else "label")
        )
    if shape.subtitle:
        parts.append(text(shape.subtitle, x, y + lift + 3, FONT_SIZE * SMALL, "note"))
    if shape.struck:
        w, h = shape.half_width + 3, shape.half_height + 3
        way = f"M{x - w:.1f} {y + h:.1f}L{x + w:.1f} {y - h:.1f}"
        parts.append(f'<path class="strike" d="{way}" {_line(palette.STRIKE)}/>')
    return f"<g {_data(shape=shape.id, true=shape.true, predicted=shape.predicted)}>{''.join(parts)}</g>"


def _box(x: float, y: float, half_width: float, half_height: float, corner: float) -> str:
    return (
        f'x="{x - half_width:.1f}" y="{y - half_height:.1f}" width="{2 * half_width:.1f}" '
        f'height="{2 * half_height:.1f}" rx="{corner:.1f}"'
    )


def _line(stroke: palette.Stroke) -> str:
    dash = f' stroke-dasharray="{" ".join(f"{n:g}" for n in stroke.dash)}"' if stroke.dash else ""
    opacity = f' stroke-opacity="{stroke.opacity:g}"' if stroke.opacity < 1 else ""
    return f'stroke-width="{stroke.width:g}"{dash}{opacity}'


def _data(**fields: str) -> str:
    return " ".join(f"data-{name}={quoteattr(value)}" for name, value in fields.items())


def _focus(shape: Shape) -> str:
    w, h = shape.half_width + FOCUS_MARGIN, shape.half_height + FOCUS_MARGIN
    return f'<rect class="focus" {_box(shape.x, shape.y, w, h, 9.0)} {_line(palette.FOCUS)}/>'


def _edge(edge: Edge, scene: Scene) -> str:
    parent, child = scene.by_id[edge.parent], scene.by_id[edge.child]
    points = list(scene.lines[edge.parent, edge.child])
    points[0], points[-1] = _border(parent, points[1]), _border(child, points[-2])
    data = _data(parent=edge.parent, child=edge.child, role=edge.role)
    line = 'visibility="hidden"' if edge.walked else _line(palette.EDGES[edge.role])
    return f'<path class="edge edge-{edge.role}" {data} {line} d="{_rounded(points)}"/>'


def _curve(link: Link, scene: Scene) -> str:
    """Return a link. The head of its arrow is a separate line without dashes."""
    start, end = scene.by_id[link.start], scene.by_id[link.end]
    (x1, y1), (x, y), (x2, y2) = (
        _border(start, link.control),
        link.control,
        _border(end, link.control),
    )
    data = _data(start=link.start, end=link.end, kind=link.kind, text=shown_label(link.text))
    stroke, tip = palette.LINKS[_strength(link.faint)], ""
    if link.arrow:
        length = hypot(x2 - x, y2 - y) or 1.0
        dx, dy = TIP * (x2 - x) / length, TIP * (y2 - y) / length
        left, top = x2 - dx, y2 - dy
        head = f"M{left - dy / 2:.1f} {top + dx / 2:.1f}L{x2:.1f} {y2:.1f}L{left + dy / 2:.1f} {top - dx / 2:.1f}"
        tip = f'<path class="link" {_line(replace(stroke, dash=()))} d="{head}"/>'
    path = f"M{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"
    return f'<path class="link" {data} {_line(stroke)} d="{path}"/>{tip}'


def _path(link: Link, scene: Scene) -> str:
    """Return a link along edges. Each edge has the line of its side, or a faint line."""
    data = _data(start=link.start, end=link.end, kind=link.kind, text=shown_label(link.text))
    lines = (_walked(edge, between_outlines(edge, scene), faint=link.faint) for edge in link.path)
    return f"<g {data}>{''.join(lines)}</g>"


def _walked(edge: PathEdge, points: Sequence[Point], *, faint: bool) -> str:
    kind = "link" if faint else f"edge edge-{edge.side}"
    stroke = palette.LINKS["faint"] if faint else palette.EDGES[edge.side]
    return f'<path class="{kind}" {_line(stroke)} d="{_rounded(points)}"/>'


def between_outlines(edge: PathEdge, scene: Scene) -> list[Point]:
    """Return the points of an edge between the outlines of its parent and its child."""
    points = edge.points or scene.lines[edge.parent, edge.child]
    parent, child = scene.by_id[edge.parent], scene.by_id[edge.child]
    first, last = _leave(parent, *points[:2]), _leave(child, *points[:-3:-1])
    return [first, *points[1:-1], last]


def _leave(shape: Shape, start: Point, towards: Point) -> Point:
    """Return the point where a line that starts near the middle of a shape crosses its outline."""
    (x, y), (to_x, to_y) = start, towards
    out_x, out_y = _border(shape, (shape.x + to_x - x, shape.y + to_y - y))
    return out_x + x - shape.x, out_y + y - shape.y


def _strength(faint: bool) -> str:
    return "faint" if faint else "firm"


def _tag(words: str, x: float, y: float, *, faint: bool = False, struck: bool = False) -> str:
    """Return a short text on its own background. `struck` draws a line through it."""
    half, strength, line = tag_width(words) / 2, _strength(faint), ""
    ground = f'<rect class="tag tag-{strength}" {_box(x, y, half, 8.0, 4.0)} {_line(palette.BADGES[strength])}/>'
    if struck:
        way = f"M{x - half:.1f} {y:.1f}H{x + half:.1f}"
        line = f'<path class="strike" d="{way}" {_line(palette.BADGES["firm"])}/>'
    return (
        ground
        + text(shown_label(words), x, y, FONT_SIZE * SMALL, "tagged struck" if struck else "tagged")
        + line
    )


def _rounded(points: Sequence[Point]) -> str:
    def towards(a: Point, b: Point) -> Point:
        share = min(0.5, ROUND / max(hypot(b[0] - a[0], b[1] - a[1]), 1e-9))
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        (x1, y1), (x2, y2) = towards((x, y), before), towards((x, y), after)
        path += f"L{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"
    return path + f"L{points[-1][0]:.1f} {points[-1][1]:.1f}"


def _border(shape: Shape, towards: Point) -> Point:
    """Return the point where the line from the middle of a shape to a point crosses its outline."""
    dx, dy = towards[0] - shape.x, towards[1] - shape.y
    width, height = shape.half_width + 1.5, shape.half_height + 1.5
    share = min(width / abs(dx) if dx else inf, height / abs(dy) if dy else inf, 1.0)
    middle = max(width - height, 0.0)  # from the middle of the shape to that of its round end
    if shape.round and abs(dx) * share > middle:
        along, length = middle * abs(dx), dx * dx + dy * dy
        share = min(
            (along + sqrt(along * along - length * (middle * middle - height * height))) / length,
            1.0,
        )
    return shape.x + dx * share, shape.y + dy * share


def _bounds(scene: Scene) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a drawing."""
    boxes = [(s.x, s.y, s.half_width, s.half_height) for s in scene.shapes]
    boxes += [
        (s.x, s.y, s.half_width + FOCUS_MARGIN, s.half_height + FOCUS_MARGIN)
        for s in scene.shapes
        if s.focused
    ]
    boxes += [(x, y, 0.0, 0.0) for edge in scene.edges for x, y in edge.bends]
    boxes += [
        (tag.x, tag.y, tag_width(tag.text) / 2, 9.0)
        for tags in (scene.links, scene.badges)
        for tag in tags
    ]
    xs = [edge for x, _, w, _ in boxes for edge in (x - w, x + w)]
    ys = [edge for _, y, _, h in boxes for edge in (y - h, y + h)]
    return min(xs), min(ys), max(xs), max(ys)


def _sample(line: LegendLine, x: float, y: float) -> str:
    match line.sample:
        case Shape(focused=True):
            return _focus(replace(line.sample, x=x, y=y, width=10.0, height=4.0))
        case Shape():
            shape = replace(line.sample, width=28.0, height=28.0)
            return f'<g transform="translate({x:.1f} {y:.1f}) scale(0.5)">{_shape(shape)}</g>'
        case Badge(words, faint=faint, struck=struck):
            return _tag(words, x, y, faint=faint, struck=struck)
        case Sizes(least, most):
            return "".join(
                f'<circle class="ringed" cx="{x + aside:.1f}" cy="{y:.1f}" r="{7 * share:.1f}" '
                f"{_line(palette.SIZE)}/>"
                for aside, share in ((-7.0, least), (5.0, most))
            )
        case Edge(role=role):
            kind, stroke = f"edge edge-{role}", palette.EDGES[role]
        case Link(path=path, faint=False) if path:
            halves = ((x - 12.0, y), (x - 1.0, y)), ((x + 1.0, y), (x + 12.0, y))
            return "".join(
                _walked(edge, half, faint=False) for edge, half in zip(path, halves, strict=True)
            )
        case Link(faint=faint):
            kind, stroke = "link", palette.LINKS[_strength(faint)]
    return f'<path class="{kind}" {_line(stroke)} d="M{x - 12:.1f} {y:.1f}L{x + 12:.1f} {y:.1f}"/>'


def document(
    body: Iterable[str],
    frame: tuple[float, float, float, float],
    words: str,
    *,
    scale: float = 1.0,
    ground: Ground = "page",
    rules: Callable[[palette.Tones], str] = lambda tones: "",
) -> Image:
    """Return an SVG document with some elements.

    `frame` is its left, top, width and height. `rules` are added to its style sheet. As an image it
    follows the light or dark scheme of the page around it.
    """
    x, y, width, height = frame
    rect = (
        f'<rect class="ground" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
    )
    dark = (
        ""
        if ground == "paper"
        else f"@media (prefers-color-scheme: dark) {{{_toned(palette.DARK)} {rules(palette.DARK)}}} "
    )
    style = (
        f"svg {{font-family: {FONT}}} {_toned(palette.LIGHT)} {rules(palette.LIGHT)}{dark}"
        ".label, .note, .tagged {text-anchor: middle} .note {opacity: 0.8} .no-fill "
        "{fill-opacity: 0}"
        f" .struck {{opacity: {palette.STRUCK_TEXT:g}}} .edge, .link, .ringed {{fill: none}}"
        f" .focus {{fill-opacity: {palette.FOCUS_FILL:g}}}"
    )
    source = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.1f}" '
        f'height="{height * scale:.1f}" '
        f'viewBox="{x:.1f} {y:.1f} {width:.1f} {height:.1f}" '
        f'role="img"><title>{escape_text(words)}</title>'
        f"<style>{style}</style>{rect if ground != 'page' else ''}{''.join(body)}</svg>"
    )
    return Image(source, width * scale, height * scale, words)


def text(words: str, x: float, y: float, size: float, kind: str) -> str:
    """Return a text with its middle at y. The style of its `kind` sets the alignment at x."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}">{escape_text(words)}</text>'


def escape_text(words: str) -> str:
    """Escape a text, and replace control and direction characters.

    XML forbids control characters. Direction characters can reverse a line.
    """
    return escape(printable(words))


def _toned(tones: palette.Tones) -> str:
    sides = {"true": tones.true, "predicted": tones.predicted, "both": tones.both}
    rules = [f".on-{side} {{fill: {colour}; stroke: {colour}}}" for side, colour in sides.items()]
    rules += [
        f".edge-{side} {{stroke: {colour}}}"
        for side, colour in {**sides, "none": tones.line}.items()
    ]
    rules += [
        f".class-fill {{fill-opacity: {tones.class_fill:g}}}",
        f".added-fill, .uncounted-fill {{fill-opacity: {tones.added_fill:g}}}",
        f"text, .dot {{fill: {tones.ink}}}",
        f".strike, .link, .ringed, .focus, .tag {{stroke: {tones.ink}}}",
        f".focus {{fill: {tones.ink}}}",
        f".tag-firm {{fill: {tones.badge}}}",
        f".tag-faint, .ground {{fill: {tones.ground}}}",
    ]
    return " ".join(rules)
