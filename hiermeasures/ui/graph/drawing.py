"""A static drawing of a hierarchy and an overlay, as SVG: thumbnails and figures of the Cases page, and the file to
take away.

Positions come from layout.py, marks from overlays.py, colours from palette.py. Nothing can be clicked here; the
clickable graph is another module. Labels are untrusted text: they are escaped, and pages show a drawing as an image, in
which no script runs.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from unicodedata import category, east_asian_width
from xml.sax.saxutils import escape, quoteattr

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.ui.graph.layout import Layout, Point, layered
from hiermeasures.ui.graph.neighbourhood import MOST_DRAWN, Neighbourhood, neighbourhood
from hiermeasures.ui.graph.overlays import PLAIN, Badge, KeyLine, Link, Mark, Overlay, Side
from hiermeasures.ui.palette import DARK, LIGHT, PAPER, Tones

FONT = "'Source Sans 3', 'Source Sans Pro', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
FONT_SIZE = 14.0
LETTER = 0.56  # mean width of a letter of the fonts above, in font sizes
LONGEST_LABEL = 24
MARGIN = 6.0
HALF_HEIGHT = 14.0
NOTE_SIZE = 0.78  # of the font size
NOTE_HEIGHT = 6.0  # what a note adds to the half height
SAG = 40.0  # how far a link hangs below the straight way between its classes
ROUND = 24.0  # how far from its corner a bend begins
RING = 4.0  # how far the box of a class that is both stands off its circle
TIGHTER = 10.0  # how much of layout.py's gap, made for the mouse, a drawing saves between classes
FLATTER, DEEP_FLATTER, DEEP = 0.72, 0.56, 5  # and between levels, more so from five levels on
LEGEND_ROW = 22.0
STRUCK = "struck"  # the kind of badges that a rule left out
SIGN = 24.0  # how wide a sign of the legend is at least


@dataclass(frozen=True)
class Drawing:
    """An SVG document, its size in pixels at zoom 1, and what it shows in words."""

    svg: str
    width: float
    height: float
    words: str

    @property
    def data_uri(self) -> str:
        """The document as an address, for an image."""
        return "data:image/svg+xml;base64," + b64encode(self.svg.encode()).decode()

    def image(self, height: float | None = None) -> str:
        """An HTML image, never wider than its place nor higher than `height`; the words are its alternative text."""
        high = min(self.height, height or self.height)
        style = f"width:auto;height:auto;max-width:100%;max-height:{high:.0f}px"
        return f'<img src="{self.data_uri}" alt={quoteattr(self.words)} style="{style}">'


def drawing(
    hierarchy: Hierarchy,
    overlay: Overlay,
    *,
    notes: Mapping[str, str] | None = None,
    scale: float = 1.0,
    legend: bool = False,
    paper: bool = False,
    limit: int = MOST_DRAWN,
) -> Drawing:
    """Draw a hierarchy with the marks of an overlay: true classes circled, predicted ones boxed, both both; dashed what
    was added.

    Parameters
    ----------
    hierarchy : Hierarchy
    overlay : Overlay
    notes : mapping of class to text, optional
        A second, smaller line in a class, such as its probability.
    scale : float
        The size of the document; the drawing is the same at every size.
    legend : bool
        Whether the meaning of every mark is written below.
    paper : bool
        Dark ink on a white ground, for a file to take away. Otherwise the ground is transparent and the ink follows the
        page's light or dark theme.
    limit : int
        How many classes are drawn at most; a line below says how many are not.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "T"), ("A", "P")])
    >>> d = drawing(h, Overlay("Classes", {"T": Mark(true=Side.CLASS), "P": Mark(predicted=Side.CLASS)}))
    >>> d.words
    'A hierarchy of 3 classes. True: T. Predicted: P.'
    >>> d.svg.startswith("<svg")
    True
    """
    placed = arranged(hierarchy, overlay, notes=notes, limit=limit)
    layout, shapes = placed.layout, placed.shapes
    left, top, right, bottom = _bounds(placed)
    body = [_edge(edge, layout, shapes, _edge_tone(edge, overlay)) for edge in placed.edges]
    curves, tags = zip(*(_link(link, placed) for link in placed.links), strict=True) if placed.links else ((), ())
    body += [*curves, *(_class(shapes[label], layout.positions[label]) for label in placed.near.nodes), *tags]
    body += [_tag(badge.text, *placed.corner(label), badge.kind == STRUCK) for label, badge in placed.badges]
    below = list(_footer(placed, legend))
    indent = max([SIGN, *(tag_width(sign.text) for sign, _ in below if isinstance(sign, Badge))])
    for k, (sign, words) in enumerate(below):
        body.append(_legend_row(sign, words, left, bottom + (k + 0.75) * LEGEND_ROW, indent))
        right = max(right, left + indent + 12 + _text_width(words, FONT_SIZE))
    bottom += LEGEND_ROW * (len(below) + 0.25) if below else 0.0
    frame = (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    return Drawing(
        _document(body, frame, scale, paper, described(hierarchy, overlay)),
        frame[2] * scale,
        frame[3] * scale,
        described(hierarchy, overlay),
    )


@dataclass(frozen=True)
class Arranged:
    """What is drawn of a hierarchy, and where: the same for SVG and TikZ."""

    near: Neighbourhood
    overlay: Overlay
    shapes: Mapping[str, "Shape"]
    layout: Layout
    edges: tuple[tuple[str, str], ...]

    @property
    def links(self) -> tuple[Link, ...]:
        """The links between drawn classes."""
        return tuple(link for link in self.overlay.links if link.start in self.shapes and link.end in self.shapes)

    @property
    def badges(self) -> tuple[tuple[str, Badge], ...]:
        """The badges at drawn classes."""
        return tuple((label, badge) for label, badge in self.overlay.badges.items() if label in self.shapes)

    @property
    def key_lines(self) -> tuple[tuple[Badge | KeyLine, str], ...]:
        """The legend's lines for what is drawn beside marks: a badge like those it explains, or the line of an edge or
        a link.
        """
        lines = self.overlay.key_lines(self.shapes, self.edges)
        return tuple(
            (Badge(line.sample, kind) if line.what == "badge" else line, line.words)
            for kind, line in lines
            if line.what != "focus"
        )

    def corner(self, label: str) -> Point:
        """Where the badge of a class has its middle: above its right border."""
        (x, y), shape = self.layout.positions[label], self.shapes[label]
        return x + shape.half_width, y - shape.half_height - 5


def arranged(
    hierarchy: Hierarchy, overlay: Overlay, *, notes: Mapping[str, str] | None = None, limit: int = MOST_DRAWN
) -> Arranged:
    """The classes of a drawing with their shapes and places; the arguments are those of `drawing`."""
    near = neighbourhood(hierarchy, overlay.marks, limit)
    drawn = set(near.nodes)
    shapes = {
        label: Shape.of(label, overlay.marks.get(label, PLAIN), (notes or {}).get(label, "")) for label in near.nodes
    }
    edges = tuple((u, v) for u, v in hierarchy.edges if u in drawn and v in drawn)
    tags = {label: tag_width(badge.text) for label, badge in overlay.badges.items()}
    room = {v: 2 * shapes[v].half_width - TIGHTER + tags.get(v, 0.0) for v in near.nodes}
    layout = _flat(layered({v: hierarchy.level(v) for v in near.nodes}, edges, room.__getitem__))
    return Arranged(near, overlay, shapes, layout, edges)


def swatch(mark: Mark) -> Drawing:
    """A mark by itself, as legends show it."""
    words = Overlay("", {}).meaning(mark)
    body = [_class(Shape.of("", mark, ""), (0.0, 0.0))]
    return Drawing(_document(body, (-20.0, -20.0, 40.0, 40.0), 0.5, False, words), 20.0, 20.0, words)


def legend_of(overlay: Overlay, drawn: Iterable[str] | None = None) -> tuple[tuple[Mark, str], ...]:
    """Every mark that occurs (among some classes), and what it means: classes before what was added, true before
    predicted.
    """
    labels = overlay.marks if drawn is None else drawn
    marks = {overlay.marks[label] for label in labels if label in overlay.marks} - {PLAIN}
    ordered = sorted(marks, key=lambda m: (m.struck, -max(m.true, m.predicted), -m.true, m.predicted))
    return tuple((mark, overlay.meaning(mark)) for mark in ordered)


def described(hierarchy: Hierarchy, overlay: Overlay) -> str:
    """What a drawing shows, in words, for those who do not see it."""
    groups = [
        (words, [label for label in hierarchy.nodes if overlay.marks.get(label) == mark])
        for mark, words in legend_of(overlay)
    ]
    told = [f"{words[:1].upper()}{words[1:]}: {', '.join(map(_short, labels))}." for words, labels in groups if labels]
    return " ".join([f"A hierarchy of {len(hierarchy)} class{'es' if len(hierarchy) > 1 else ''}.", *told])


# --- shapes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """How one class is drawn: its text, its mark, and the box that edges stop at."""

    label: str
    mark: Mark
    note: str
    half_width: float
    half_height: float

    @classmethod
    def of(cls, label: str, mark: Mark, note: str) -> "Shape":
        text, note = _short(label), _short(note)
        width = max(_text_width(text, FONT_SIZE), _text_width(note, FONT_SIZE * NOTE_SIZE))
        half_height = HALF_HEIGHT + (NOTE_HEIGHT if note else 0.0)
        if mark == PLAIN:
            return cls(text, mark, note, max(width / 2 + 4, 8.0), half_height - 4)
        ring = RING if mark.true and mark.predicted else 0.0
        return cls(text, mark, note, max(width / 2 + 8, half_height) + ring, half_height + ring)


def _class(shape: Shape, at: Point) -> str:
    x, y = at
    mark, tone = shape.mark, tone_of(shape.mark)
    inset = RING if mark.true and mark.predicted else 0.0
    parts = []
    if mark.predicted:
        parts.append(
            _outline(f"predicted {tone}", at, shape.half_width, shape.half_height, 3.0, mark.predicted, not mark.true)
        )
    if mark.ringed and not (mark.true or mark.predicted):
        x1, y1, wide, high = x - shape.half_width, y - shape.half_height, 2 * shape.half_width, 2 * shape.half_height
        parts.append(
            f'<rect class="ringed" x="{x1:.1f}" y="{y1:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{high / 2:.1f}"/>'
        )
    if mark.true:
        half_width, half_height = shape.half_width - inset, shape.half_height - inset
        parts.append(_outline(f"true {tone}", at, half_width, half_height, half_height, mark.true, True))
    lift = NOTE_HEIGHT if shape.note else 0.0
    if shape.label:
        parts.append(_text(shape.label, x, y - lift, FONT_SIZE, "label struck" if mark.struck else "label"))
    if shape.note:
        parts.append(_text(shape.note, x, y + lift + 3, FONT_SIZE * NOTE_SIZE, "note"))
    if mark.struck:
        half_width, half_height = shape.half_width + 3, shape.half_height + 3
        line = f"M{x - half_width:.1f} {y + half_height:.1f}L{x + half_width:.1f} {y - half_height:.1f}"
        parts.append(f'<path class="strike" d="{line}"/>')
    return f"<g>{''.join(parts)}</g>"


def tone_of(mark: Mark) -> str:
    """Whose colour a mark has: that of the true side, of the predicted side, or of both."""
    return "on-both" if mark.true and mark.predicted else "on-true" if mark.true else "on-predicted"


def _outline(
    kind: str, at: Point, half_width: float, half_height: float, corner: float, side: Side, filled: bool
) -> str:
    """The circle (drawn out for a long label) of a true class, or the box of a predicted one; dashed where it was
    added.
    """
    added = side == Side.ADDED
    fill = (0.09 if added else 0.18) if filled else 0
    return (
        f'<rect class="{kind}" x="{at[0] - half_width:.1f}" y="{at[1] - half_height:.1f}" width="{2 * half_width:.1f}" '
        f'height="{2 * half_height:.1f}" rx="{corner:.1f}" fill-opacity="{fill}" '
        + ('stroke-width="1.3" stroke-dasharray="4 3"/>' if added else 'stroke-width="2.2"/>')
    )


def _edge(edge: tuple[str, str], layout: Layout, shapes: Mapping[str, Shape], tone: str) -> str:
    """An edge from border to border, by way of its bends; in the colour of the sides that have it, dashed for predicted
    alone.
    """
    u, v = edge
    points = [layout.positions[u], *layout.bends.get(edge, ()), layout.positions[v]]
    points[0], points[-1] = _border(shapes[u], points[0], points[1]), _border(shapes[v], points[-1], points[-2])
    dashes = ' stroke-dasharray="6 3"' if tone == "on-predicted" else ""
    return f'<path class="{f"edge marked {tone}" if tone else "edge"}"{dashes} d="{_rounded(points)}"/>'


def _edge_tone(edge: tuple[str, str], overlay: Overlay) -> str:
    mark = (overlay.edges or {}).get(edge)
    return tone_of(Mark(Side(2 * mark.true), Side(2 * mark.predicted))) if mark else ""


def _link(link: Link, placed: Arranged) -> tuple[str, str]:
    """A curve that hangs below the two classes, and the text at its middle."""
    a, b = placed.layout.positions[link.start], placed.layout.positions[link.end]
    x, y = sag(a, b)
    middle = (a[0] + 2 * x + b[0]) / 4, (a[1] + 2 * y + b[1]) / 4
    (x1, y1), (x2, y2) = _border(placed.shapes[link.start], a, (x, y)), _border(placed.shapes[link.end], b, (x, y))
    return f'<path class="link {link.kind}" d="M{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"/>', _tag(
        link.text, *middle
    )


def sag(start: Point, end: Point) -> Point:
    """The control point of the curve of a link: below its middle, on the same side whichever way the link goes."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    across = 2 * SAG / max(hypot(dx, dy), 1e-9) * (-1 if dx < 0 or (dx == 0 and dy < 0) else 1)
    return (start[0] + end[0]) / 2 - dy * across, (start[1] + end[1]) / 2 + dx * across


def _tag(text: str, x: float, y: float, struck: bool = False) -> str:
    """A short text on a ground of its own, and struck out where a rule left out what it says."""
    half = tag_width(text) / 2
    line = f'<path class="strike" d="M{x - half:.1f} {y:.1f}H{x + half:.1f}"/>' if struck else ""
    ground = f'<rect class="tag" x="{x - half:.1f}" y="{y - 8:.1f}" width="{2 * half:.1f}" height="16" rx="8"/>'
    return ground + _text(_short(text), x, y, FONT_SIZE * NOTE_SIZE, "tagged struck" if struck else "tagged") + line


def tag_width(text: str) -> float:
    """How wide the ground of a badge or of a link's text is."""
    return max(16.0, _text_width(_short(text), FONT_SIZE * NOTE_SIZE) + 8)


def _rounded(points: Sequence[Point]) -> str:
    """A path through points, round at its bends."""
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        (x1, y1), (x2, y2) = _towards((x, y), before), _towards((x, y), after)
        path += f"L{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"
    return path + f"L{points[-1][0]:.1f} {points[-1][1]:.1f}"


def _towards(a: Point, b: Point) -> Point:
    share = min(0.5, ROUND / max(hypot(b[0] - a[0], b[1] - a[1]), 1e-9))
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _border(shape: Shape, centre: Point, towards: Point) -> Point:
    """Where the way from a class's centre leaves its box."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    share = min(
        (shape.half_width + 1.5) / abs(dx) if dx else float("inf"),
        (shape.half_height + 1.5) / abs(dy) if dy else float("inf"),
        1.0,
    )
    return centre[0] + dx * share, centre[1] + dy * share


# --- the document -------------------------------------------------------------------------------------------------


def _document(
    body: Iterable[str], frame: tuple[float, float, float, float], scale: float, paper: bool, words: str
) -> str:
    x, y, width, height = frame
    ground = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{PAPER}"/>' if paper else ""
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.1f}" height="{height * scale:.1f}" '
        f'viewBox="{x:.1f} {y:.1f} {width:.1f} {height:.1f}" role="img"><title>{escape(_legal(words))}</title>'
        f"<style>{_style(paper)}</style>{ground}{''.join(body)}</svg>"
    )


def _style(paper: bool) -> str:
    """An image takes its light or dark scheme from the page around it, so the colours follow the theme."""
    dark = "" if paper else f"@media (prefers-color-scheme: dark) {{{_toned(DARK)}}} "
    return (
        f"svg {{font-family: {FONT}}} {_toned(LIGHT)} {dark}"
        ".label, .note, .tagged {text-anchor: middle} .note {opacity: 0.8} .struck {opacity: 0.55}"
        " .edge, .link, .ringed {fill: none; stroke-width: 1.3} .edge.marked {fill: none; stroke-width: 2.4}"
        " .link {stroke-dasharray: 2 3; opacity: 0.8} .link.considered {opacity: 0.4} .tag {stroke-width: 0.8}"
    )


def _toned(tones: Tones) -> str:
    sides = {"on-true": tones.true, "on-predicted": tones.predicted, "on-both": tones.both}
    rules = [f".{name} {{fill: {colour}; stroke: {colour}}}" for name, colour in sides.items()]
    rules += [f"text, .dot {{fill: {tones.ink}}}", f".edge, .ringed {{stroke: {tones.line}}}"]
    rules += [f".edge.marked.{name} {{stroke: {colour}}}" for name, colour in sides.items()]
    rules += [f".tag {{fill: {tones.ground}; stroke: {tones.line}}}", f".strike, .link {{stroke: {tones.ink}}}"]
    return " ".join(rules)


def _text(text: str, x: float, y: float, size: float, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}">{escape(text)}</text>'


def _footer(placed: Arranged, legend: bool) -> Iterator[tuple[Mark | Badge | KeyLine | None, str]]:
    if legend:
        yield from legend_of(placed.overlay)
        yield from placed.key_lines
    if placed.near.folded:
        yield None, f"and {placed.near.folded:,} more classes, not drawn"


def _legend_row(sign: Mark | Badge | KeyLine | None, words: str, x: float, y: float, indent: float) -> str:
    if sign is None:
        return _text(words, x, y, FONT_SIZE, "legend")
    return _sign(sign, x + indent / 2, y) + _text(words, x + indent + 6, y, FONT_SIZE, "legend")


def _sign(sign: Mark | Badge | KeyLine, x: float, y: float) -> str:
    """What a line of the legend explains."""
    if isinstance(sign, Mark):
        return f'<g transform="translate({x:.1f} {y:.1f}) scale(0.5)">{_class(Shape.of("", sign, ""), (0.0, 0.0))}</g>'
    if isinstance(sign, Badge):
        return _tag(sign.text, x, y, sign.kind == STRUCK)
    kind = f"edge marked on-{sign.sample}" if sign.what == "edge" else "link"
    dashes = ' stroke-dasharray="6 3"' if kind.endswith("predicted") else ""
    return f'<path class="{kind}"{dashes} d="M{x - 12:.1f} {y:.1f}L{x + 12:.1f} {y:.1f}"/>'


def _flat(layout: Layout) -> Layout:
    levels = len({y for _, y in layout.positions.values()})
    factor = FLATTER if levels < DEEP else DEEP_FLATTER

    def moved(point: Point) -> Point:
        return point[0], point[1] * factor

    bends = {edge: tuple(map(moved, points)) for edge, points in layout.bends.items()}
    return Layout({label: moved(point) for label, point in layout.positions.items()}, bends)


def _bounds(placed: Arranged) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all that is drawn."""
    boxes = [(*placed.layout.positions[v], s.half_width, s.half_height) for v, s in placed.shapes.items()]
    boxes += [(x, y, 0.0, 0.0) for bends in placed.layout.bends.values() for x, y in bends]
    for link in placed.links:
        (x1, y1), (x2, y2) = placed.layout.positions[link.start], placed.layout.positions[link.end]
        x, y = sag((x1, y1), (x2, y2))
        boxes.append(((x1 + 2 * x + x2) / 4, (y1 + 2 * y + y2) / 4, tag_width(link.text) / 2, 9.0))
    boxes += [(*placed.corner(label), tag_width(badge.text) / 2, 9.0) for label, badge in placed.badges]
    return (
        min(x - w for x, _, w, _ in boxes),
        min(y - h for _, y, _, h in boxes),
        max(x + w for x, _, w, _ in boxes),
        max(y + h for _, y, _, h in boxes),
    )


def _text_width(text: str, size: float) -> float:
    return sum(size if east_asian_width(letter) in "WF" else size * LETTER for letter in text)


def _short(label: str) -> str:
    text = _legal(" ".join(label.split()))
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def _legal(text: str) -> str:
    """Without control and direction characters, which XML forbids or which would turn the line around."""
    return "".join(letter if category(letter) not in ("Cc", "Cf", "Cs", "Cn") else "�" for letter in text)


# --- rank lines ---------------------------------------------------------------------------------------------------


def rank_lines(ranks: Mapping[str, tuple[float, ...]], columns: Iterable[str]) -> Drawing:
    """A table of ranks as lines: one column per measure, one line per system, the best on top.

    Parameters
    ----------
    ranks : mapping of system to its rank per column; nan where there is none
    columns : names of the columns

    Examples
    --------
    >>> rank_lines({"A": (1, 2), "B": (2, 1)}, ["hF", "SP"]).words
    'The ranks of 2 systems by hF, SP.'
    """
    names = list(columns)
    deepest = max((r for row in ranks.values() for r in row if r == r), default=1)
    across, down = 64.0, min(18.0, max(9.0, 160.0 / deepest))
    body = []
    for k, name in enumerate(names):
        body.append(_text(_short(name), k * across, -12, 12.0, "label"))
    for row in ranks.values():
        points = [(k * across, r * down) for k, r in enumerate(row) if r == r]
        body += [_rank_line(a, b) for a, b in pairwise(points)]
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" class="dot"/>' for x, y in points]
    words = f"The ranks of {len(ranks)} systems by {', '.join(names)}."
    frame = (-40.0, -26.0, across * max(len(names) - 1, 0) + 80.0, deepest * down + 34.0)
    return Drawing(_document(body, frame, 1.0, False, words), frame[2], frame[3], words)


def _rank_line(a: Point, b: Point) -> str:
    """A line that leaves and arrives level, so that crossings can be told from meetings."""
    middle = (a[0] + b[0]) / 2
    curve = f"M{a[0]:.1f} {a[1]:.1f}C{middle:.1f} {a[1]:.1f} {middle:.1f} {b[1]:.1f} {b[0]:.1f} {b[1]:.1f}"
    return f'<path class="edge" d="{curve}"/>'
