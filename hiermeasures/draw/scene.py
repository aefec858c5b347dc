"""The drawing of a structure: all shapes with their positions, for every painter.

A drawing has three steps. A view returns an overlay: marks, badges, links and the legend, by label
and without coordinates. An arrangement gives the classes of a neighbourhood their positions and
sizes. A scene combines both: immutable shapes, edges, links, badges, legend and notes, with
coordinates and roles. The painters are the canvas (paint.js), SVG (svg.py) and TikZ (export.py). A
still figure is smaller and flatter than the screen and leaves room for badges.

Only the browser knows the width of a text in the font of the page (`width` here is an estimate), the
light or dark theme, and the position of the mouse.

Coordinates and sizes are in drawing units (pixels at zoom 1). y grows downwards.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import IntEnum
from functools import cached_property
from math import hypot
from typing import Any, Literal
from unicodedata import east_asian_width

from hiermeasures.draw.lanes import Path, PathEdge, describe, place_paths, place_texts
from hiermeasures.draw.layout import (
    LAYER_HEIGHT,
    MOST_DRAWN,
    Layout,
    Neighbourhood,
    Point,
    layered,
    neighbourhood,
)
from hiermeasures.draw.layout import Edge as ClassPair
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import capitalize, write_count
from hiermeasures.measures import Explanation, SideName
from hiermeasures.measures.catalogue import number

Sides = Literal["none", "true", "predicted", "both"]
SideRole = Literal["none", "added", "class", "uncounted"]
Box = tuple[float, float, float, float]  # x, y, half width, half height

LONGEST_LABEL, LONGEST_SUBTITLE, LONGEST_TITLE = 22, 28, 600
RING = 4.0  # the gap between box and circle if a class has both

# On the screen.
CHARACTER_WIDTH = 8.6
HEIGHT = 36.0
COUNT_WIDTH = 44.0
READABLE_ROOM = (750.0, 340.0)  # visible on a screen of 1280 x 800 pixels in letters of 12 pixels
LEAST_LAYER_HEIGHT, LARGE_LAYER_HEIGHT, MARGIN = 58.0, 46.0, 60.0
FEWER = (24, 16, 12, 8, 0)  # numbers of classes to try; those in focus are always drawn

# In a still figure.
FONT_SIZE = 14.0
SMALL = 0.78  # subtitles and badges, in font sizes
LETTER = 0.56  # mean width of a letter, in font sizes
FIGURE_HEIGHT = 28.0
SUBTITLE_HEIGHT = 12.0  # added by a subtitle
TIGHTER = 10.0  # taken off the gap between classes, because figures have no mouse
FLATTER, DEEP_FLATTER, DEEP = (
    0.72,
    0.56,
    5,
)  # factors on the gap between levels, the second from five levels on

# The sizes at weight 0 and at the largest weight, if sizes show weights. Letters stay readable, and
# classes do not touch. `PADDING` is the room next to the text in a class of usual size.
LIGHTEST, HEAVIEST, PADDING = 0.64, 1.1, 16.0

# The sags of curved links below a straight line, in order of preference.
SAGS = (40.0, -40.0, 72.0, -72.0, 110.0, -110.0, 150.0)
MOST_TRIED = 60  # with more links, all have the first curve


class Side(IntEnum):
    """The part of a class on a side: none, added by a measure, given, or given but not counted."""

    NONE = 0
    ADDED = 1
    CLASS = 2
    UNCOUNTED = 3

    @property
    def role(self) -> SideRole:
        """The name of the part in a scene."""
        return ("none", "added", "class", "uncounted")[self]


@dataclass(frozen=True)
class Mark:
    """The look of one class.

    `true` is its part on the true side (circled), and `predicted` on the predicted side (boxed). A
    `struck` class counts on neither side. A `ringed` class was considered but is on neither side.
    """

    true: Side = Side.NONE
    predicted: Side = Side.NONE
    struck: bool = False
    ringed: bool = False


PLAIN = Mark()


@dataclass(frozen=True)
class Badge:
    """A short text at the upper right corner of a class.

    `kind` names its line in the legend. `words` is its hover text. In a scene, (x, y) is its middle.
    """

    text: str
    kind: str
    words: str = ""
    shape: str = ""
    x: float = 0.0
    y: float = 0.0
    faint: bool = False
    struck: bool = False


@dataclass(frozen=True)
class Link:
    """A connection between two classes, with a text on it.

    A distance has a `path` of edges. Other connections are curves, and so are distances with classes
    that are not drawn. In a scene, `start` and `end` are ids of shapes. A curve is quadratic and
    connects their centres. The text is at (x, y). Only still pictures have arrows.
    """

    start: str
    end: str
    text: str
    kind: str
    control: Point = (0.0, 0.0)
    x: float = 0.0
    y: float = 0.0
    faint: bool = False
    arrow: bool = False
    path: Path = ()


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend for badges, links or edges of one kind: a sample and its meaning.

    Everything of one kind looks the same. `faint` means not chosen or not counted. `struck` means
    removed by a rule.
    """

    what: Literal["badge", "link", "edge", "focus"]
    sample: str
    words: str
    faint: bool = False
    struck: bool = False


FIRM = LegendEntry("badge", "", "")  # for kinds without a legend entry
SAMPLE_PATH = (PathEdge("", "", "predicted"), PathEdge("", "", "true"))  # in the legend


@dataclass(frozen=True)
class Overlay:
    """The marks of a structure on the hierarchy.

    Attributes
    ----------
    title : str
    marks : mapping of str to Mark
        The marks by class. Other classes are plain.
    words : mapping of Mark to str
        The meaning of each kind of mark.
    badges, links
        Short texts at classes, and connections between classes.
    edges : mapping, optional
        The marked edges, as (parent, child). With None the marks of both ends decide.
    focus : frozenset of str
        The classes of the current step.
    legend : mapping of str to LegendEntry
        The meaning of badges and links by kind, of edges ("true", "predicted", "both") and of
        "focus".
    weights : mapping, optional
        The weights of classes, if the drawing shows them by size.
    """

    title: str
    marks: Mapping[str, Mark]
    words: Mapping[Mark, str] = field(default_factory=dict)
    badges: Mapping[str, Badge] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    edges: Mapping[ClassPair, Sides] | None = None
    focus: frozenset[str] = frozenset()
    legend: Mapping[str, LegendEntry] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)

    def meaning(self, mark: Mark) -> str:
        if mark.struck and mark not in self.words:
            return f"{self.meaning(Mark(mark.true, mark.predicted))}, not counted"
        if mark.true is Side.UNCOUNTED:
            return f"{self.meaning(replace(mark, true=Side.CLASS))}, not counted as true"
        if mark.predicted is Side.UNCOUNTED:
            return f"{self.meaning(replace(mark, predicted=Side.CLASS))}, not counted as predicted"
        return self.words.get(mark) or words_for("ancestor").get(mark, "in neither set")

    def legend_entries(
        self, drawn: Iterable[str], edges: Iterable[ClassPair] = ()
    ) -> tuple[tuple[str, LegendEntry], ...]:
        """Return the legend, by kind, for the badges, links and edges that are drawn."""
        classes = set(drawn)
        kinds = {badge.kind for label, badge in self.badges.items() if label in classes}
        kinds |= {link.kind for link in self.links if {link.start, link.end} <= classes}
        kinds |= (
            {self.edges[e] for e in edges if e in self.edges} if self.edges is not None else set()
        )
        kinds |= {"focus"} if self.focus & classes else set()
        return tuple((kind, line) for kind, line in self.legend.items() if kind in kinds)


def marks_of(
    explanation: Explanation,
    true: frozenset[str],
    predicted: frozenset[str],
    uncounted: frozenset[str] = frozenset(),
) -> dict[str, Mark]:
    """Return the marks for the two sets of classes that a measure compares.

    Given classes always have marks, even if the measure leaves them out. Classes in `uncounted`,
    such as the root, are struck out.
    """
    counted = {"true": true - uncounted, "predicted": predicted - uncounted}
    given = {"true": explanation.true, "predicted": explanation.predicted}

    def mark(label: str) -> Mark:
        struck = label not in counted["true"] | counted["predicted"]

        def part(side: SideName, drawn: frozenset[str]) -> Side:
            if label not in given[side]:
                return Side.ADDED if label in drawn else Side.NONE
            return Side.CLASS if struck or label in counted[side] else Side.UNCOUNTED

        return Mark(part("true", true), part("predicted", predicted), struck)

    every = true | predicted | explanation.true | explanation.predicted
    return {c: mark(c) for c in sorted(every, key=explanation.hierarchy.index)}


def sides(true: bool, predicted: bool) -> Sides:
    return (
        "both" if true and predicted else "true" if true else "predicted" if predicted else "none"
    )


def edge_marks(true: Iterable[ClassPair], predicted: Iterable[ClassPair]) -> dict[ClassPair, Sides]:
    of_true, of_predicted = set(true), set(predicted)
    return {e: sides(e in of_true, e in of_predicted) for e in sorted(of_true | of_predicted)}


def edge_legend(true: str, predicted: str, both: str) -> dict[str, LegendEntry]:
    words = {"both": both, "true": true, "predicted": predicted}
    return {kind: LegendEntry("edge", kind, meaning) for kind, meaning in words.items()}


def mark_words(added: tuple[str, str, str], beside: tuple[str, str]) -> dict[Mark, str]:
    """Return the words of the legend for marks.

    `added` are three texts: for classes added to the true side, to the predicted side and to both.
    `beside` are two texts: for true and for predicted classes that were added to the other side.
    """
    none, more, own = Side.NONE, Side.ADDED, Side.CLASS
    marks = (
        (own, none),
        (none, own),
        (own, own),
        (more, none),
        (none, more),
        (more, more),
        (own, more),
        (more, own),
    )
    words = (
        "true",
        "predicted",
        "true and predicted",
        *added,
        f"true, and {beside[0]}",
        f"predicted, and {beside[1]}",
    )
    return {Mark(*sides): said for sides, said in zip(marks, words, strict=True)}


def words_for(added: str) -> dict[Mark, str]:
    """Return the words of the legend for two sets with added classes of one kind."""
    beside = f"among the {added}s of predicted", f"among the {added}s of true"
    return mark_words(
        (f"{added} of true only", f"{added} of predicted only", f"{added} of both"), beside
    )


def words_in(what: str, where: str = "in") -> dict[Mark, str]:
    """Return the words of the legend for a graph, or paths, of each side."""
    true, predicted = f"{where} the true {what}", f"{where} the predicted {what}"
    return mark_words((true, predicted, f"{where} both {what}s"), (predicted, true))


@dataclass(frozen=True)
class Shape:
    """A class in a scene.

    `text` is the drawn text, and `title` is the whole label. `subtitle` is a smaller second line,
    and `called` is this line in full. `width` and `height` are the size of the circle or box. If a
    class has both, the box is larger by RING. `true` and `predicted` are its parts on the sides.

    A rule removed a struck class. A ringed class was considered but is on neither side. A focused
    class belongs to the current step. `folded` is the number of children that are not drawn.
    `words` is the hover text. `weight` is the weight of the class, if its size shows it.
    """

    id: str = ""
    text: str = ""
    title: str = ""
    subtitle: str = ""
    called: str = ""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    true: SideRole = "none"
    predicted: SideRole = "none"
    struck: bool = False
    ringed: bool = False
    focused: bool = False
    folded: int = 0
    words: tuple[str, ...] = ()
    weight: str = ""

    @property
    def role(self) -> Sides:
        return sides(self.true != "none", self.predicted != "none")

    @property
    def round(self) -> bool:
        """True if the outline is a circle or, for a long label, a stretched circle."""
        return self.predicted == "none" and (self.true != "none" or self.ringed)

    @property
    def half_width(self) -> float:
        return self.width / 2 + (RING if self.role == "both" else 0.0)

    @property
    def half_height(self) -> float:
        return self.height / 2 + (RING if self.role == "both" else 0.0)


@dataclass(frozen=True)
class Edge:
    """An edge between two shapes, by id, with its bends.

    `role` names the sides of the edge. If paths of links use the edge (`walked`), only the paths are
    drawn.
    """

    parent: str
    child: str
    bends: tuple[Point, ...] = ()
    role: Sides = "none"
    walked: bool = False


@dataclass(frozen=True)
class Sizes:
    """The sizes of the lightest and the heaviest class, as multiples of the usual size."""

    least: float = LIGHTEST
    most: float = HEAVIEST


Part = Shape | Edge | Link | Badge | Sizes


@dataclass(frozen=True)
class LegendLine:
    """A line of the legend: a sample and its meaning.

    The sample of the focus is the ring around the classes of the current step.
    """

    what: Literal["class", "badge", "link", "edge", "focus", "size"]
    sample: Part
    words: str


@dataclass(frozen=True)
class Scene:
    """A complete drawing. `title` names the overlay, and `words` is the alternative text."""

    title: str
    shapes: tuple[Shape, ...]
    edges: tuple[Edge, ...] = ()
    links: tuple[Link, ...] = ()
    badges: tuple[Badge, ...] = ()
    legend: tuple[LegendLine, ...] = ()
    notes: tuple[str, ...] = ()
    words: str = ""

    @cached_property
    def by_id(self) -> dict[str, Shape]:
        return {shape.id: shape for shape in self.shapes}

    @cached_property
    def lines(self) -> dict[ClassPair, tuple[Point, ...]]:
        """The points of each edge, from the middle of the parent to the middle of the child."""
        ends = {shape.id: (shape.x, shape.y) for shape in self.shapes}
        return {(e.parent, e.child): (ends[e.parent], *e.bends, ends[e.child]) for e in self.edges}

    def as_data(self) -> dict[str, Any]:
        """Return the scene as dicts for a script. Values in PART_DEFAULTS are left out."""
        parts = {
            name: [_data(part) for part in getattr(self, name)]
            for name in ("shapes", "edges", "links", "badges")
        }
        legend = [
            {"what": line.what, "sample": _data(line.sample), "words": line.words}
            for line in self.legend
        ]
        return {"title": self.title, **parts, "legend": legend, "notes": list(self.notes)}


def _defaults(part: type[Part]) -> dict[str, Any]:
    return {field.name: field.default for field in fields(part) if field.default is not MISSING}


_DEFAULTS: dict[type, dict[str, Any]] = {
    part: _defaults(part) for part in (Shape, Edge, Link, Badge, Sizes)
}
PART_DEFAULTS = {  # by the name of the part in the legend
    what: _DEFAULTS[part]
    for what, part in zip(
        ("class", "focus", "edge", "link", "badge", "size"),
        (Shape, Shape, Edge, Link, Badge, Sizes),
        strict=True,
    )
}


def _data(part: Part) -> dict[str, Any]:
    defaults = _DEFAULTS[type(part)]
    return {
        name: value for name, value in vars(part).items() if value != defaults.get(name, MISSING)
    }


@dataclass(frozen=True)
class Arrangement:
    """The positions and sizes of the classes of a neighbourhood, for every overlay."""

    neighbourhood: Neighbourhood
    layout: Layout
    sizes: Mapping[str, tuple[float, float]]
    notes: tuple[str, ...] = ()
    subtitles: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def ids(self) -> dict[str, str]:
        """The ids of the classes for painters. Labels may be any text, so they are not used."""
        return {
            label: f"n{self.neighbourhood.hierarchy.index(label)}"
            for label in self.neighbourhood.nodes
        }

    @cached_property
    def edges(self) -> tuple[ClassPair, ...]:
        return _drawn_edges(self.neighbourhood)


def on_screen(
    near: Neighbourhood, height: float = READABLE_ROOM[1], least: float = LEAST_LAYER_HEIGHT
) -> Arrangement:
    """Arrange classes for the clickable graph. Levels have a distance of at least `least`."""
    h, small, sizes = near.hierarchy, _subtitles(near), {}
    for v in near.nodes:
        subtitle = small.get(v, "")
        letters = max(len(shown_label(h.caption(v)[0])), len(subtitle) * SMALL)
        sizes[v] = (
            max(42.0, letters * CHARACTER_WIDTH + 26.0),
            HEIGHT + SUBTITLE_HEIGHT * bool(subtitle),
        )
    room = {
        v: width + (COUNT_WIDTH if v in near.folded_children else 0.0)
        for v, (width, _) in sizes.items()
    }
    levels = {v: h.level(v) for v in near.nodes}
    between = max(len(set(levels.values())) - 1, 1)
    apart = min(LAYER_HEIGHT, max(least, (height - MARGIN) / between))
    layout = layered(levels, _drawn_edges(near), room.__getitem__, layer_height=apart)
    notes = (*(f"{capitalize(note)}." for note in h.notes), *folded_note(near))
    return Arrangement(near, layout, sizes, notes, subtitles=small)


def _subtitles(near: Neighbourhood) -> dict[str, str]:
    lines = {v: near.hierarchy.caption(v)[1] for v in near.nodes} if near.hierarchy.titles else {}
    return {v: shown_label(line, LONGEST_SUBTITLE) for v, line in lines.items() if line}


def readable_on_screen(
    near: Neighbourhood,
    selected: Collection[str],
    room: tuple[float, float] = READABLE_ROOM,
    *,
    large: bool = False,
) -> Arrangement:
    """Arrange classes for the clickable graph, with readable selected classes and ancestors.

    If these are too far apart for the room, fewer of the other classes are drawn. In a `large`
    drawing, such as a projected one, all drawn classes must fit.
    """
    h, apart = near.hierarchy, LARGE_LAYER_HEIGHT if large else LEAST_LAYER_HEIGHT
    made = on_screen(near, room[1], apart)
    # with very many selected classes, some are not drawn
    focus = set(selected).union(*map(h.ancestors, selected)) & set(near.nodes)
    for most in FEWER:
        seen = made.neighbourhood.nodes if large else focus
        if not seen or _readable(made, seen, room):
            break
        fewer = neighbourhood(h, selected, max(most, len(focus)), unfolded=near.unfolded)
        made = on_screen(fewer, room[1], apart)
    return made


def large_on_screen(
    hierarchy: Hierarchy, selected: Collection[str], room: tuple[float, float]
) -> Arrangement:
    """Arrange classes for a projected drawing: the selected ones, and as many others as fit."""
    return readable_on_screen(neighbourhood(hierarchy, selected), selected, room, large=True)


def _readable(made: Arrangement, labels: Collection[str], room: tuple[float, float]) -> bool:
    """Return whether some classes fit a room, including the counts of folded classes.

    A drawing with many levels may be higher, because folding more classes does not make it lower.
    """
    folded, at = made.neighbourhood.folded_children, made.layout.positions
    places = [(at[v][0], made.sizes[v][0] / 2, COUNT_WIDTH * (v in folded)) for v in labels]
    wide = max(x + half + count for x, half, count in places) - min(
        x - half for x, half, _ in places
    )
    high = max(at[v][1] for v in labels) - min(at[v][1] for v in labels)
    levels = len({made.neighbourhood.hierarchy.level(v) for v in labels})
    return wide <= room[0] and high <= max(room[1] - MARGIN, LEAST_LAYER_HEIGHT * (levels - 1))


def _drawn_edges(near: Neighbourhood) -> tuple[ClassPair, ...]:
    drawn = set(near.nodes)
    return tuple((u, v) for u in near.nodes for v in near.hierarchy.children(u) if v in drawn)


def figure_scene(
    hierarchy: Hierarchy,
    overlay: Overlay,
    *,
    subtitles: Mapping[str, str] | None = None,
    limit: int = MOST_DRAWN,
) -> Scene:
    """Return the scene of a still figure with at most `limit` classes. Some may have `subtitles`."""
    near = neighbourhood(
        hierarchy, (label for label in overlay.marks if label in hierarchy), limit, whole=limit
    )
    small = {label: shown_label(text) for label, text in (subtitles or {}).items()} or _subtitles(
        near
    )
    sizes, room = {}, {}
    for v in near.nodes:
        subtitle, mark = small.get(v, ""), overlay.marks.get(v, PLAIN)
        width = max(
            text_width(shown_label(hierarchy.caption(v)[0])),
            text_width(subtitle, FONT_SIZE * SMALL),
        )
        height = FIGURE_HEIGHT + (SUBTITLE_HEIGHT if subtitle else 0.0)
        sizes[v] = (
            (max(width + 8, 16.0), height - 8)
            if mark == PLAIN
            else (max(width + 16, height), height)
        )
        ring = RING if mark.true and mark.predicted else 0.0
        tag = tag_width(overlay.badges[v].text) if v in overlay.badges else 0.0
        room[v] = sizes[v][0] + 2 * ring - TIGHTER + tag
    layout = layered(
        {v: hierarchy.level(v) for v in near.nodes}, _drawn_edges(near), room.__getitem__
    )
    factor = FLATTER if len({y for _, y in layout.positions.values()}) < DEEP else DEEP_FLATTER
    flat = Layout(
        {label: (x, y * factor) for label, (x, y) in layout.positions.items()},
        {edge: tuple((x, y * factor) for x, y in points) for edge, points in layout.bends.items()},
    )
    notes = (f"and {near.folded:,} more classes, not drawn",) if near.folded else ()
    return scene(Arrangement(near, flat, sizes, notes, subtitles=small), overlay)


def scene(arrangement: Arrangement, overlay: Overlay) -> Scene:
    """Return the scene of an overlay on arranged classes. It ignores marks of hidden classes."""
    ids = arrangement.ids
    heaviest = max((overlay.weights.get(label, 0.0) for label in ids), default=0.0)
    shapes = {label: _shape(label, arrangement, overlay, heaviest) for label in ids}
    links = _links(overlay, shapes, arrangement)
    walked = {edge[:2] for link in links for edge in link.path}
    return Scene(
        title=overlay.title,
        shapes=tuple(shapes.values()),
        edges=tuple(
            Edge(
                ids[u],
                ids[v],
                bends=arrangement.layout.bends.get((u, v), ()),
                role=_edge_role(overlay, u, v),
                walked=(ids[u], ids[v]) in walked,
            )
            for u, v in arrangement.edges
        ),
        links=links,
        badges=tuple(
            _badge(shapes[label], overlay.badges[label], overlay)
            for label in ids
            if label in overlay.badges
        ),
        legend=tuple(_legend(overlay, arrangement, links, heaviest)),
        notes=arrangement.notes,
        words=_described(arrangement.neighbourhood.hierarchy, overlay, shapes),
    )


def _shape(label: str, arrangement: Arrangement, overlay: Overlay, heaviest: float) -> Shape:
    mark, badge = overlay.marks.get(label, PLAIN), overlay.badges.get(label)
    (x, y), (width, height) = arrangement.layout.positions[label], arrangement.sizes[label]
    weight = f"weighs {number(overlay.weights[label])}" if label in overlay.weights else ""
    caption, called = arrangement.neighbourhood.hierarchy.caption(label)
    text = shown_label(caption)
    if weight and heaviest > 0:  # the text keeps its own size
        factor = LIGHTEST + (HEAVIEST - LIGHTEST) * max(overlay.weights[label] / heaviest, 0.0)
        height *= factor
        width = max(height, min(width, text_width(text) + PADDING) + (factor - 1) * PADDING)
    folded = arrangement.neighbourhood.folded_children.get(label, 0)
    words = (
        overlay.meaning(mark),
        weight,
        badge.words if badge else "",
        f"+{folded}: children not drawn. Click the number or press + to see them" if folded else "",
    )
    return Shape(
        arrangement.ids[label],
        text,
        shown_title(label),
        arrangement.subtitles.get(label, ""),
        shown_title(called),
        x=x,
        y=y,
        width=width,
        height=height,
        true=mark.true.role,
        predicted=mark.predicted.role,
        struck=mark.struck,
        ringed=mark.ringed,
        focused=label in overlay.focus,
        folded=folded,
        words=tuple(filter(None, words)),
        weight=weight,
    )


def _edge_role(overlay: Overlay, parent: str, child: str) -> Sides:
    """Return the sides of an edge: from the overlay, or the sides that both its ends share."""
    if overlay.edges is not None:
        return overlay.edges.get((parent, child), "none")
    above, below = overlay.marks.get(parent, PLAIN), overlay.marks.get(child, PLAIN)
    return sides(bool(above.true and below.true), bool(above.predicted and below.predicted))


def _badge(shape: Shape, badge: Badge, overlay: Overlay) -> Badge:
    x, y, look = (
        shape.x + shape.half_width,
        shape.y - shape.half_height - 5,
        overlay.legend.get(badge.kind, FIRM),
    )
    return replace(badge, shape=shape.id, x=x, y=y, faint=look.faint, struck=look.struck)


def _links(
    overlay: Overlay, shapes: Mapping[str, Shape], arrangement: Arrangement
) -> tuple[Link, ...]:
    """Return the links between drawn classes.

    A curve is chosen that meets as few classes and texts as possible. Of equal ones, it is the
    straightest.
    """
    edges = set(arrangement.edges)
    drawn = [
        replace(
            link,
            path=link.path if edges.issuperset(edge[:2] for edge in link.path) else (),
            faint=overlay.legend.get(link.kind, FIRM).faint,
        )
        for link in overlay.links
        if link.start in shapes and link.end in shapes
    ]
    if not drawn:
        return ()
    boxes = [(s.x, s.y, s.width / 2 + 3, s.height / 2 + 3) for s in shapes.values()]
    bends, texts = arrangement.layout.bends, list[Box]()

    def points(parent: str, child: str) -> list[Point]:
        above, below = shapes[parent], shapes[child]
        return [(above.x, above.y), *bends.get((parent, child), ()), (below.x, below.y)]

    def covered(place: Point, before: Sequence[Point]) -> float:
        others = [(x, y, 14.0, 12.0) for x, y in before]
        return 30 * _inside(place, boxes, 10.0) + 30 * _inside(place, others, 12.0)

    paths = place_paths([link.path for link in drawn], points)
    sags, placed = (SAGS if len(drawn) <= MOST_TRIED else SAGS[:1]), []
    for link, path, place in zip(drawn, paths, place_texts(paths, points, covered), strict=True):
        one, other = shapes[link.start], shapes[link.end]
        control = link.control
        if place is None:
            start, end = (one.x, one.y), (other.x, other.y)
            control = _curve(start, end, sags, boxes, texts)
            place = _on_curve(start, control, end, 0.5)
        walked = tuple(
            edge._replace(parent=shapes[edge.parent].id, child=shapes[edge.child].id)
            for edge in path
        )
        known: dict[str, Any] = {
            "start": one.id,
            "end": other.id,
            "control": control,
            "path": walked,
        }
        placed.append(replace(link, **known, x=place[0], y=place[1]))
        texts.append((*place, 14.0, 12.0))
    return tuple(placed)


def _curve(
    start: Point, end: Point, sags: Sequence[float], boxes: Sequence[Box], texts: Sequence[Box]
) -> Point:
    """Return the control point of the curve that meets the fewest boxes and texts."""
    if len(sags) == 1:
        return _control(start, end, sags[0])
    left, right = min(x - w for x, _, w, _ in boxes) - 40, max(x + w for x, _, w, _ in boxes) + 40
    bottom = max(y for _, y, _, _ in boxes) + 55

    def cost(sag: float) -> float:
        control = _control(start, end, sag)
        x, y = middle = _on_curve(start, control, end, 0.5)
        near = _boxes_near([b for b in boxes if b[:2] not in (start, end)], (start, control, end))
        met = sum(_inside(_on_curve(start, control, end, step / 10), near) for step in range(1, 10))
        met += 3 * _inside(middle, near, 10.0)
        outside = not left <= x <= right or y > bottom
        return 10 * met + abs(sag) / 40 + 50 * outside + 30 * _inside(middle, texts, 10.0)

    return _control(start, end, min(sags, key=cost))


def _control(start: Point, end: Point, sag: float) -> Point:
    """Return the control point of a curve. With a positive sag it is below the middle of the line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    across = 2 * sag / (hypot(dx, dy) or 1.0) * (-1 if dx < 0 or (dx == 0 and dy < 0) else 1)
    return (start[0] + end[0]) / 2 - dy * across, (start[1] + end[1]) / 2 + dx * across


def _on_curve(start: Point, control: Point, end: Point, step: float) -> Point:
    """Return the point of a quadratic curve at a share from 0 to 1."""
    a, b, c = (1 - step) ** 2, 2 * step * (1 - step), step**2
    return a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]


def _boxes_near(boxes: Iterable[Box], points: Sequence[Point]) -> list[Box]:
    """Return the boxes that a curve between some points may meet."""
    xs, ys = zip(*points, strict=True)
    left, right, top, bottom = min(xs) - 10, max(xs) + 10, min(ys) - 10, max(ys) + 10
    return [
        b
        for b in boxes
        if left < b[0] + b[2] and b[0] - b[2] < right and top < b[1] + b[3] and b[1] - b[3] < bottom
    ]


def _inside(point: Point, boxes: Iterable[Box], margin: float = 0.0) -> int:
    """Return the number of boxes that contain a point. Each box is enlarged by a margin."""
    px, py = point
    return sum(abs(px - x) < w + margin and abs(py - y) < h + margin for x, y, w, h in boxes)


def _legend(
    overlay: Overlay, arrangement: Arrangement, links: Iterable[Link], heaviest: float
) -> Iterator[LegendLine]:
    """Return a line for each kind of drawn part: given classes, added classes, sizes, others.

    Lines for the true side come first.
    """
    for mark in _marks(overlay, arrangement.ids):
        true, predicted = mark.true.role, mark.predicted.role
        sample = Shape(true=true, predicted=predicted, struck=mark.struck, ringed=mark.ringed)
        yield LegendLine("class", sample, overlay.meaning(mark))
    if heaviest > 0 and any(label in overlay.marks for label in arrangement.ids):
        yield LegendLine("size", Sizes(), f"size: weight, {heaviest:.3g} at most")
    for kind, entry in overlay.legend_entries(arrangement.ids, arrangement.edges):
        part: Part
        words = entry.words
        match entry.what:
            case "badge":
                part = Badge(entry.sample, kind, faint=entry.faint, struck=entry.struck)
            case "link":
                paths = [link.path for link in links if link.kind == kind]
                walked = SAMPLE_PATH if any(paths) else ()
                part = Link("", "", entry.sample, kind, faint=entry.faint, path=walked)
                words += "" if entry.faint else describe(paths)
            case "edge":
                part = Edge(
                    "", "", role=sides(kind in ("true", "both"), kind in ("predicted", "both"))
                )
            case "focus":
                part = Shape(focused=True)
        yield LegendLine(entry.what, part, words)


def _marks(overlay: Overlay, labels: Iterable[str]) -> list[Mark]:
    def order(mark: Mark) -> tuple[bool, bool, bool, bool, int]:
        return (
            mark.struck,
            mark.ringed,
            Side.CLASS not in (mark.true, mark.predicted),
            not mark.true,
            mark.predicted,
        )

    return sorted(
        {overlay.marks[label] for label in labels if label in overlay.marks} - {PLAIN}, key=order
    )


def _described(hierarchy: Hierarchy, overlay: Overlay, shapes: Mapping[str, Shape]) -> str:
    sentences = [f"A hierarchy of {write_count(len(hierarchy), 'class')}."]
    for mark in _marks(overlay, shapes):
        words = overlay.meaning(mark)
        texts = [shape.text for label, shape in shapes.items() if overlay.marks.get(label) == mark]
        sentences.append(f"{capitalize(words)}: {', '.join(texts)}.")
    weighed = [
        f"{s.text} {s.weight}" for label, s in shapes.items() if s.weight and label in overlay.marks
    ]
    sentences += [f"{', '.join(weighed)}."] if weighed else []
    return " ".join(sentences)


def shown_label(label: str, limit: int = LONGEST_LABEL) -> str:
    """Return a label for a drawing: one line with visible control characters, cut if it is long."""
    visible = (
        c if c.isprintable() else chr(0x2400 + ord(c)) if ord(c) < 32 else "�"
        for c in label[: limit + 1]
    )
    text = "".join(visible)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown_title(label: str) -> str:
    """Return a label for the data of the page. Only very long labels are cut."""
    return label if len(label) <= LONGEST_TITLE else label[:LONGEST_TITLE] + "…"


def folded_note(near: Neighbourhood) -> tuple[str, ...]:
    """Return a note about hidden classes, or "" if the whole hierarchy is drawn."""
    if not near.folded:
        return ()
    drawn, all_of_it = f"{len(near.nodes):,}", f"{len(near.hierarchy):,}"
    return (
        f"{drawn} of {all_of_it} classes drawn, {near.folded:,} folded away (+). Values use "
        f"all of them.",
    )


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Return the estimated width of a text in a still figure."""
    return sum(size if east_asian_width(letter) in "WF" else size * LETTER for letter in text)


def tag_width(text: str) -> float:
    """Return the width of the background of a badge, or of a link's text, in a still figure."""
    return max(16.0, text_width(shown_label(text), FONT_SIZE * SMALL) + 8)
