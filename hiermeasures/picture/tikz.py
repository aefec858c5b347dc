r"""A scene painted as a TikZ picture for LaTeX; it needs the package tikz only.

What is drawn, where and in which role is the scene's; colours and lines are the palette's, thinner
on paper. The names of the styles say the roles. Labels are untrusted: no letter of one acts as a
command.
"""

from collections.abc import Iterable
from dataclasses import replace

from hiermeasures.picture.export import latex_label
from hiermeasures.picture.layout import Point
from hiermeasures.picture.legend import SAMPLE_GAP, legend_rows
from hiermeasures.picture.palette import (
    BADGES,
    EDGES,
    FOCUS,
    FOCUS_FILL,
    LIGHT,
    LINKS,
    OUTLINES,
    RINGED,
    STRIKE,
    Stroke,
)
from hiermeasures.picture.scene import RING, Badge, Edge, LegendLine, Link, Scene, Shape, SideRole, Sizes

CM = 0.025  # centimetres per drawing unit: the text of the drawing is then as large as that of the page
POINTS = 0.45  # of a line's width and dashes, per drawing unit
FOCUS_MARGIN = 6.0
LEGEND_GAP, LEGEND_ROW = 50.0, 26.0


def tikz(scene: Scene) -> str:
    r"""Paint a scene that is arranged for a figure: true classes are circles (drawn out for long
    labels), predicted ones boxes, a class that is both carries both.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.picture.overlay import Mark, Overlay, Side
    >>> from hiermeasures.picture.scene import figure_scene
    >>> h = Hierarchy.from_edges([("A", "50%")])
    >>> drawn = figure_scene(h, Overlay("Classes", {"50%": Mark(true=Side.CLASS)}))
    >>> for line in tikz(drawn).splitlines()[-6:-4]:
    ...     print(line)
      \node[plain class, minimum width=0.4cm, minimum height=0.5cm] (n0) at (0,0) {A};
      \node[true class, minimum width=0.988cm, minimum height=0.7cm, rounded corners=0.35cm] (n1) at (0,-1.656) {50\%};
    """
    body = [_focus(shape) for shape in scene.shapes if shape.focused]
    body += [line for shape in scene.shapes for line in _shape(shape, shape.id)]
    body += map(_edge, scene.edges)
    body += [_link(link, scene) for link in scene.links]
    body += [line for badge in scene.badges for line in _badge(badge)]
    body += _legend(scene)
    return "\n".join(
        [
            f"% {' '.join(scene.words.split())}",
            r"% Needs \usepackage{tikz} in the preamble.",
            r"\begin{tikzpicture}[",
            *(f"  {name}/.style={{{style}}}," for name, style in _STYLES.items()),
            "]",
            *(rf"  \definecolor{{hm{name}}}{{HTML}}{{{colour.lstrip('#')}}}" for name, colour in _COLOURS.items()),
            *(f"  {line}" for line in body),
            r"\end{tikzpicture}",
            "",
        ]
    )


# --- styles -------------------------------------------------------------------------------------

_COLOURS = {"true": LIGHT.true, "predicted": LIGHT.predicted, "both": LIGHT.both, "line": LIGHT.line}


def _line(stroke: Stroke) -> str:
    parts = [f"line width={stroke.width * POINTS:.3g}pt"]
    if stroke.dash:
        on, off = (f"{length * POINTS:.3g}pt" for length in stroke.dash)
        parts.append(f"dash pattern=on {on} off {off}")
    if stroke.opacity < 1:
        parts.append(f"draw opacity={stroke.opacity:g}")
    return ", ".join(parts)


def _class_styles() -> dict[str, str]:
    fills = {"class": LIGHT.class_fill, "added": LIGHT.added_fill}
    styles = {}
    for side, owner in (("true", "true class"), ("predicted", "predicted class"), ("both", "class of both")):
        for role, fill in fills.items():
            name = owner if role == "class" else f"added {owner}"
            styles[name] = f"plain class, draw=hm{side}, fill=hm{side}!{100 * fill:g}, {_line(OUTLINES[role])}"
    return styles


_BADGE = "inner xsep=2pt, inner ysep=1.5pt, rounded corners=2pt, font=\\scriptsize"
_STYLES = {
    "plain class": "inner sep=0pt, outer sep=1.5pt",
    **_class_styles(),
    "outer box": "fill=none",
    "ringed class": f"plain class, draw=black, {_line(RINGED)}",
    "focus": f"draw=black, fill=black, fill opacity={FOCUS_FILL:g}, rounded corners=6pt, {_line(FOCUS)}",
    "strike": _line(STRIKE),
    **{f"edge of {role}": f"draw=hm{role if role != 'none' else 'line'}, {_line(EDGES[role])}" for role in EDGES},
    "link": f"draw=black, {_line(LINKS['firm'])}",
    "faint link": f"draw=black, {_line(LINKS['faint'])}",
    "badge": f"draw=black, fill=black!8, {_line(BADGES['firm'])}, {_BADGE}",
    "faint badge": f"draw=black, fill=white, {_line(BADGES['faint'])}, {_BADGE}",
}


# --- what is drawn ------------------------------------------------------------------------------


def _shape(shape: Shape, name: str) -> list[str]:
    at, label = _point((shape.x, shape.y)), latex_label(shape.text)
    if shape.subtitle:
        label = rf"\shortstack{{{label}\\{{\scriptsize {latex_label(shape.subtitle)}}}}}"
    size, outer = (shape.width, shape.height), (shape.width + 2 * RING, shape.height + 2 * RING)
    lines = []
    if shape.role == "both":
        box, circle = _owner(shape.predicted, "class of both"), _owner(shape.true, "class of both")
        lines.append(rf"\node[{box}, outer box, {_size(outer)}] ({name}) at {at} {{}};")
        lines.append(rf"\node[{circle}, {_size(size, rounded=True)}] at {at} {{{label}}};")
    elif shape.true != "none":
        lines.append(
            rf"\node[{_owner(shape.true, 'true class')}, {_size(size, rounded=True)}] ({name}) at {at} {{{label}}};"
        )
    elif shape.predicted != "none":
        lines.append(
            rf"\node[{_owner(shape.predicted, 'predicted class')}, {_size(size)}] ({name}) at {at} {{{label}}};"
        )
    else:
        kind = "ringed class" if shape.ringed else "plain class"
        lines.append(rf"\node[{kind}, {_size(size, rounded=shape.ringed)}] ({name}) at {at} {{{label}}};")
    if shape.struck:
        lines.append(rf"\draw[strike] ({name}.south west) -- ({name}.north east);")
    return lines


def _owner(role: SideRole, name: str) -> str:
    return name if role == "class" else f"added {name}"


def _focus(shape: Shape) -> str:
    size = (2 * (shape.half_width + FOCUS_MARGIN), 2 * (shape.half_height + FOCUS_MARGIN))
    return rf"\node[focus, {_size(size)}] (f{shape.id}) at {_point((shape.x, shape.y))} {{}};"


def _edge(edge: Edge) -> str:
    bent = ", rounded corners=0.4cm" if edge.bends else ""
    way = " -- ".join([f"({edge.parent})", *map(_point, edge.bends), f"({edge.child})"])
    return rf"\draw[edge of {edge.role}{bent}] {way};"


def _link(link: Link, scene: Scene) -> str:
    """A quadratic curve, which TikZ has as a cubic one with its controls at two thirds of the way."""
    ends = (scene.by_id[link.start], scene.by_id[link.end])
    first, second = (_between((end.x, end.y), link.control, 2 / 3) for end in ends)
    text = rf" node[badge, midway] {{{latex_label(link.text)}}}" if link.text else ""
    kind = ("faint link" if link.faint else "link") + (", ->" if link.arrow else "")
    return rf"\draw[{kind}] ({link.start}) .. controls {_point(first)} and {_point(second)} ..{text} ({link.end});"


def _badge(badge: Badge) -> list[str]:
    kind = "faint badge" if badge.faint else "badge"
    node = rf"\node[{kind}] (b{badge.shape}) at {_point((badge.x, badge.y))} {{{latex_label(badge.text)}}};"
    return [node, rf"\draw[strike] (b{badge.shape}.west) -- (b{badge.shape}.east);"] if badge.struck else [node]


def _legend(scene: Scene) -> Iterable[str]:
    left = min((s.x - s.half_width for s in scene.shapes), default=0.0)
    right = max((s.x + s.half_width for s in scene.shapes), default=0.0)
    top = max((s.y + s.half_height for s in scene.shapes), default=0.0) + LEGEND_GAP
    for k, placed in enumerate(legend_rows(scene, right - left)):
        x, y = left + placed.x, top + placed.row * LEGEND_ROW
        if isinstance(placed.line, LegendLine):
            yield from _sample(placed.line, (x + placed.sample / 2, y), f"l{k}")
            x += placed.sample + SAMPLE_GAP
        yield _words(placed.words, (x, y))


def _words(words: str, at: Point) -> str:
    return rf"\node[anchor=west, inner sep=0pt] at {_point(at)} {{{latex_label(words)}}};"


def _sample(line: LegendLine, at: Point, name: str) -> list[str]:
    x, y = at
    match line.sample:
        case Shape(focused=True):
            return [_focus(replace(line.sample, id=name, x=x, y=y, width=4.0, height=2.0))]
        case Shape():
            return _shape(replace(line.sample, x=x, y=y, width=14.0, height=14.0), name)
        case Badge():
            return _badge(replace(line.sample, shape=name, x=x, y=y))
        case Sizes(least, most):
            return [
                rf"\draw[draw=black] {_point((x + aside, y))} circle ({_cm(7 * share)}cm);"
                for aside, share in ((-7, least), (5, most))
            ]
        case Edge(role=role):
            style = f"edge of {role}"
        case Link(faint=faint, arrow=arrow):
            style = ("faint link" if faint else "link") + (", ->" if arrow else "")
    return [rf"\draw[{style}] {_point((x - 12, y))} -- {_point((x + 12, y))};"]


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _size(size: tuple[float, float], *, rounded: bool = False) -> str:
    width, height = size
    drawn_out = f", rounded corners={_cm(height / 2)}cm"  # for which edges end as at a box
    corners = (", circle" if width == height else drawn_out) if rounded else ""
    return f"minimum width={_cm(width)}cm, minimum height={_cm(height)}cm{corners}"


def _point(point: Point) -> str:
    return f"({_cm(point[0])},{_cm(-point[1])})"


def _cm(units: float) -> str:
    return f"{round(units * CM, 3) + 0.0:g}"
