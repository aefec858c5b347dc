"""Text files: the values of one instance as CSV or a LaTeX table, and a scene as a TikZ picture.

The picture needs only the package tikz. The scene contains content, positions and roles. The palette
contains colours and lines. Lines are thinner on paper. Styles have the names of the roles. Labels
are untrusted. So a spreadsheet cannot execute a cell of the CSV, and all LaTeX commands in labels
are escaped.
"""

import io
import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from hiermeasures.draw import palette
from hiermeasures.draw.lanes import PathEdge
from hiermeasures.draw.layout import Point
from hiermeasures.draw.palette import LIGHT
from hiermeasures.draw.scene import RING, Badge, Edge, LegendLine, Link, Scene, Shape, Sizes
from hiermeasures.draw.svg import SAMPLE_GAP, between_outlines, legend_rows
from hiermeasures.measures import CATALOGUE, Explanation, Measure
from hiermeasures.measures.catalogue import by_family, escaped_latex
from hiermeasures.measures.own import called


def values_csv(
    explanation: Explanation,
    keys: Iterable[str] = tuple(CATALOGUE),
    *,
    title: str = "",
    before: Mapping[str, float] | None = None,
) -> str:
    """Return the values of an instance as CSV: one row for each measure, with all digits.

    An undefined value is an empty cell.

    Parameters
    ----------
    explanation : Explanation
    keys : iterable of measure keys
        The rows, in this order.
    title : str
        The name of the instance. Every row contains it, with the classes and changed options, so
        you can join files.
    before : mapping of measure key to value, optional
        Values for a comparison. They add two columns: the value before, and the change.
    """
    from hiermeasures.read.safe_csv import SafeWriter  # other modules of read need NumPy

    out = io.StringIO()
    writer = SafeWriter(out)
    head = "instance true predicted options measure name family better value".split()
    writer.writerow([*head, "before", "change"] if before is not None else head)
    options, sides = explanation.options, (explanation.true, explanation.predicted)
    settings = "; ".join(f"{name}={value}" for name, value in options.changed.items())
    given = [title, *(", ".join(sorted(side)) for side in sides), settings]
    for key in keys:
        m, value = explanation.measure(key), explanation[key]
        numbers = [value] if before is None else [value, before[key], value - before[key]]
        digits = ["" if math.isnan(n) else n for n in numbers]
        writer.writerow([*given, called(key), m.name, m.group.title, m.better, *digits])
    return out.getvalue()


def values_latex(
    explanation: Explanation,
    keys: Iterable[str] = tuple(CATALOGUE),
    *,
    caption: str = "",
    before: Mapping[str, float] | None = None,
) -> str:
    r"""Return the values of an instance as a LaTeX table, grouped by family.

    A row has the symbol, the name, the direction, and the value with four decimals. The table needs
    no package. The parameters are explained in `values_csv`. The caption is plain text.
    """
    tabular = values_tabular(map(explanation.measure, keys), explanation, before=before)
    return latex_table(tabular, latex_label(caption)) + "\n"


def values_tabular(
    measures: Iterable[Measure],
    values: Mapping[str, float],
    *,
    before: Mapping[str, float] | None = None,
) -> str:
    """Return values as a LaTeX tabular, without a number and a caption."""
    columns, head = "llcr", "Symbol & Measure & Better & Value"
    if before is not None:
        columns, head = "llcrrr", f"{head} & Before & Change"
    body: list[str] = []
    for family, members in by_family(measures).items():
        heading = rf"\multicolumn{{{len(columns)}}}{{l}}{{\textit{{{latex_label(family.title)}}}}}"
        body += [r"\hline", rf"{heading} \\"]
        for measure in members:
            arrow, value = (
                r"$\uparrow$" if measure.better == "higher" else r"$\downarrow$",
                values[measure.key],
            )
            cells = [f"${measure.symbol}$", latex_label(measure.name), arrow, _latex_number(value)]
            if before is not None:
                cells += [
                    _latex_number(before[measure.key]),
                    _latex_number(value - before[measure.key], sign="+"),
                ]
            body.append(rf"{' & '.join(cells)} \\")
    return latex_tabular(columns, head, body)


def latex_tabular(columns: str, head: str, body: Iterable[str]) -> str:
    """Return a LaTeX tabular that does not float. `body` contains its lines."""
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        rf"{head} \\",
        *body,
        r"\hline",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def latex_table(tabular: str, caption: str = "") -> str:
    """Put a tabular into a floating table, with a number and a caption (LaTeX)."""
    below = [rf"\caption{{{caption}}}"] if caption else []
    return "\n".join([r"\begin{table}", r"\centering", tabular, *below, r"\end{table}"])


def _latex_number(value: float, sign: Literal["", "+"] = "") -> str:
    if math.isnan(value):
        return "--"
    text = f"{round(value, 4) + 0.0:{sign}.4f}"
    return f"${text}$" if text[0] in "+-" else text


_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u030c": "v",
    "\u0304": "=", "\u0306": "u", "\u0307": ".", "\u030b": "H", "\u0327": "c",
}  # fmt: skip
_LETTERS = {
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''",
    "…": r"\ldots{}", "×": r"$\times$", "−": r"$-$", "·": r"$\cdot$",
    "▲": r"$\bigtriangleup$", "▼": r"$\bigtriangledown$",
    "≤": r"$\leq$", "≥": r"$\geq$", "→": r"$\rightarrow$", "↑": r"$\uparrow$", "↓": r"$\downarrow$",
    "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ε": r"$\varepsilon$",
    "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$",
    "σ": r"$\sigma$", "τ": r"$\tau$", "ω": r"$\omega$", "Δ": r"$\Delta$", "Σ": r"$\Sigma$", "Ω": r"$\Omega$",
    '"': "{''}", "|": r"\textbar{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
_LETTERS |= {letter: f"$^{digit}$" for digit, letter in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_JOINED = ("--", "''", "``", "?`", "!`", ",,")


def latex_label(text: str) -> str:
    r"""Escape all LaTeX commands in a text, for every engine and font encoding.

    Letters with accents use LaTeX's own accents. An empty group separates signs that a font would
    join, such as two hyphens. XeTeX and LuaTeX print all other signs beyond ASCII. pdfTeX prints
    their numbers, because it has no letters for them.
    """
    pieces = [*map(_latex_letter, unicodedata.normalize("NFC", text)), " "]
    return "".join(one + "{}" * (one[-1] + other[0] in _JOINED) for one, other in pairwise(pieces))


def _latex_letter(letter: str) -> str:
    if letter in _LETTERS:
        return _LETTERS[letter]
    if letter.isascii() or not letter.isprintable():
        return escaped_latex(letter)
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[1] in _ACCENTS and parts[0].isascii() and parts[0].isalpha():
        return rf"\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return rf"\ifdefined\Umathcode {letter}\else{{[}}U+{ord(letter):04X}{{]}}\fi{{}}"


# centimetres per drawing unit, so the text of the drawing is as large as the text of the page
CM = 0.025
POINTS = 0.45  # of a line's width and dashes, per drawing unit
FOCUS_MARGIN = 6.0
LEGEND_GAP, LEGEND_ROW = 50.0, 26.0


def tikz(scene: Scene) -> str:
    r"""Paint a scene as a TikZ picture. The scene must be arranged for a figure.

    True classes are circles, stretched for long labels. Predicted classes are boxes. A class of both
    sides has both.
    """
    body = [_focus(shape) for shape in scene.shapes if shape.focused]
    body += [line for shape in scene.shapes for line in _shape(shape, shape.id)]
    for edge in scene.edges:
        bent = ", rounded corners=0.4cm" if edge.bends else ""
        bent += ", opacity=0" if edge.walked else ""
        way = " -- ".join([f"({edge.parent})", *map(_point, edge.bends), f"({edge.child})"])
        body.append(rf"\draw[edge of {edge.role}{bent}] {way};")
    for link in scene.links:
        body += _path(link, scene) if link.path else [_link(link, scene)]
    body += [line for badge in scene.badges for line in _badge(badge)]
    body += _legend(scene)
    styles = (f"  {name}/.style={{{style}}}," for name, style in _STYLES.items())
    colours = (
        (name, getattr(LIGHT, name).lstrip("#")) for name in ("true", "predicted", "both", "line")
    )
    return "\n".join(
        [
            f"% {' '.join(scene.words.split())}",
            r"% Needs \usepackage{tikz} in the preamble.",
            r"\begin{tikzpicture}[",
            *styles,
            "]",
            *(rf"  \definecolor{{hm{name}}}{{HTML}}{{{colour}}}" for name, colour in colours),
            *(f"  {line}" for line in body),
            r"\end{tikzpicture}",
            "",
        ]
    )


def _line(stroke: palette.Stroke) -> str:
    parts = [f"line width={stroke.width * POINTS:.3g}pt"]
    if stroke.dash:
        on, off = (f"{length * POINTS:.3g}pt" for length in stroke.dash)
        parts.append(f"dash pattern=on {on} off {off}")
    if stroke.opacity < 1:
        parts.append(f"draw opacity={stroke.opacity:g}")
    return ", ".join(parts)


KINDS = {"class": "", "added": "added ", "uncounted": "uncounted "}
OWNERS = {"true": "true class", "predicted": "predicted class", "both": "class of both"}
_BADGE = "inner xsep=2pt, inner ysep=1.5pt, rounded corners=2pt, font=\\scriptsize"
_STYLES = {
    "plain class": "inner sep=0pt, outer sep=1.5pt",
    **{
        f"{KINDS[role]}{owner}": f"plain class, draw=hm{side}, fill=hm{side}!{100 * fill:g}, "
        f"{_line(palette.OUTLINES[role])}"
        for side, owner in OWNERS.items()
        for role, fill in (
            ("class", LIGHT.class_fill),
            ("added", LIGHT.added_fill),
            ("uncounted", LIGHT.added_fill),
        )
    },
    "outer box": "fill=none",
    "ringed class": f"plain class, draw=black, {_line(palette.RINGED)}",
    "focus": f"draw=black, fill=black, fill opacity={palette.FOCUS_FILL:g}, rounded corners=6pt, "
    f"{_line(palette.FOCUS)}",
    "strike": _line(palette.STRIKE),
    **{
        f"edge of {role}": f"draw=hm{role if role != 'none' else 'line'}, {_line(stroke)}"
        for role, stroke in palette.EDGES.items()
    },
    "link": f"draw=black, {_line(palette.LINKS['firm'])}",
    "faint link": f"draw=black, {_line(palette.LINKS['faint'])}",
    "badge": f"draw=black, fill=black!8, {_line(palette.BADGES['firm'])}, {_BADGE}",
    "faint badge": f"draw=black, fill=white, {_line(palette.BADGES['faint'])}, {_BADGE}",
}


def _shape(shape: Shape, name: str) -> list[str]:
    at, label = _point((shape.x, shape.y)), latex_label(shape.text)
    if shape.subtitle:
        label = rf"\shortstack{{{label}\\{{\scriptsize {latex_label(shape.subtitle)}}}}}"
    size, outer = (shape.width, shape.height), (shape.width + 2 * RING, shape.height + 2 * RING)
    owner = OWNERS.get(shape.role, "")
    box, circle = (f"{KINDS.get(role, '')}{owner}" for role in (shape.predicted, shape.true))
    round_size = _size(size, rounded=True)
    match shape.role:
        case "both":
            nodes = [
                (f"{box}, outer box, {_size(outer)}", f" ({name})", ""),
                (f"{circle}, {round_size}", "", label),
            ]
        case "true":
            nodes = [(f"{circle}, {round_size}", f" ({name})", label)]
        case "predicted":
            nodes = [(f"{box}, {_size(size)}", f" ({name})", label)]
        case _:
            kind = f"ringed class, {round_size}" if shape.ringed else f"plain class, {_size(size)}"
            nodes = [(kind, f" ({name})", label)]
    lines = [rf"\node[{style}]{called} at {at} {{{inside}}};" for style, called, inside in nodes]
    strike = rf"\draw[strike] ({name}.south west) -- ({name}.north east);"
    return [*lines, strike] if shape.struck else lines


def _focus(shape: Shape) -> str:
    size = (2 * (shape.half_width + FOCUS_MARGIN), 2 * (shape.half_height + FOCUS_MARGIN))
    return rf"\node[focus, {_size(size)}] (f{shape.id}) at {_point((shape.x, shape.y))} {{}};"


def _link(link: Link, scene: Scene) -> str:
    """Return a quadratic curve as a cubic curve with its controls at two thirds of the length."""
    (x, y), share = link.control, 2 / 3
    ends = (scene.by_id[link.start], scene.by_id[link.end])
    first, second = (
        _point((end.x + (x - end.x) * share, end.y + (y - end.y) * share)) for end in ends
    )
    text = rf" node[badge, midway] {{{latex_label(link.text)}}}" if link.text else ""
    return rf"\draw[{_kind(link)}] ({link.start}) .. controls {first} and {second} ..{text} ({link.end});"


def _path(link: Link, scene: Scene) -> list[str]:
    """Return a link along edges, and its text."""
    lines = [
        rf"\draw[{_walked(link, edge)}] {' -- '.join(map(_point, between_outlines(edge, scene)))};"
        for edge in link.path
    ]
    kind = "faint badge" if link.faint else "badge"
    name, place = f"{link.start}-{link.end}", _point((link.x, link.y))
    return [*lines, rf"\node[{kind}] ({name}) at {place} {{{latex_label(link.text)}}};"]


def _walked(link: Link, edge: PathEdge) -> str:
    return "faint link" if link.faint else f"edge of {edge.side}"


def _kind(link: Link) -> str:
    return ("faint link" if link.faint else "link") + (", ->" if link.arrow else "")


def _badge(badge: Badge) -> list[str]:
    kind = "faint badge" if badge.faint else "badge"
    node = rf"\node[{kind}] (b{badge.shape}) at {_point((badge.x, badge.y))} {{{latex_label(badge.text)}}};"
    return (
        [node, rf"\draw[strike] (b{badge.shape}.west) -- (b{badge.shape}.east);"]
        if badge.struck
        else [node]
    )


def _legend(scene: Scene) -> Iterable[str]:
    left = min((s.x - s.half_width for s in scene.shapes), default=0.0)
    right = max((s.x + s.half_width for s in scene.shapes), default=0.0)
    top = max((s.y + s.half_height for s in scene.shapes), default=0.0) + LEGEND_GAP
    for k, placed in enumerate(legend_rows(scene, right - left)):
        x, y = left + placed.x, top + placed.row * LEGEND_ROW
        if isinstance(placed.line, LegendLine):
            yield from _sample(placed.line, (x + placed.sample / 2, y), f"l{k}")
            x += placed.sample + SAMPLE_GAP
        yield rf"\node[anchor=west, inner sep=0pt] at {_point((x, y))} {{{latex_label(placed.words)}}};"


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
        case Link(path=path, faint=False) if path:
            return [
                rf"\draw[{_walked(line.sample, edge)}] {_point((left, y))} -- {_point((left + 11, y))};"
                for edge, left in zip(path, (x - 12, x + 1), strict=True)
            ]
        case Link():
            style = _kind(line.sample)
    return [rf"\draw[{style}] {_point((x - 12, y))} -- {_point((x + 12, y))};"]


def _size(size: tuple[float, float], *, rounded: bool = False) -> str:
    width, height = size
    drawn_out = f", rounded corners={_cm(height / 2)}cm"  # edges end as at a box
    corners = (", circle" if width == height else drawn_out) if rounded else ""
    return f"minimum width={_cm(width)}cm, minimum height={_cm(height)}cm{corners}"


def _point(point: Point) -> str:
    return f"({_cm(point[0])},{_cm(-point[1])})"


def _cm(units: float) -> str:
    return f"{round(units * CM, 3) + 0.0:g}"
