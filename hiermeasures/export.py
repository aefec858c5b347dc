"""What a person takes away as text: the values of one instance as CSV or a LaTeX table, and a drawing as TikZ.

Positions and marks of a drawing are given; where they come from is the caller's. Labels are untrusted: no cell of a CSV
can be run by a spreadsheet, and in LaTeX no letter of a label acts as a command.
"""

import io
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hiermeasures.io.safe_csv import SafeWriter
from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, Measure
from hiermeasures.measures.catalogue import escaped_latex

Point = tuple[float, float]
Side = Literal["true", "predicted", "both"]

# --- values -------------------------------------------------------------------------------------------------------


def values_csv(
    explanation: Explanation,
    keys: Iterable[str] = tuple(CATALOGUE),
    *,
    title: str = "",
    before: Mapping[str, float] | None = None,
) -> str:
    """One row per measure with all digits of its value; an undefined value is an empty cell.

    Parameters
    ----------
    explanation : Explanation
    keys : iterable of measure keys
        The rows, in this order.
    title : str
        What the instance is called; repeated in every row with its classes and changed options, so that files can be
        joined.
    before : mapping of measure key to value, optional
        Values to compare with; adds two columns, the value before and the change.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(values_csv(x, ["hF"], title="=1+1"))
    instance,true,predicted,options,measure,name,family,better,value
    '=1+1,B,C,,hF,Hierarchical F1,Ancestor sets,higher,0.5
    <BLANKLINE>
    """
    out = io.StringIO()
    writer = SafeWriter(out)
    head = ["instance", "true", "predicted", "options", "measure", "name", "family", "better", "value"]
    writer.writerow([*head, "before", "change"] if before is not None else head)
    settings = "; ".join(f"{name}={getattr(explanation.options, name)}" for name in explanation.options.changed)
    given = [title, ", ".join(sorted(explanation.true)), ", ".join(sorted(explanation.predicted)), settings]
    for key in keys:
        m, value = CATALOGUE[key], explanation[key]
        row = [*given, key, m.name, FAMILIES[m.family].title, m.better, _all_digits(value)]
        if before is not None:
            row += [_all_digits(before[key]), _all_digits(value - before[key])]
        writer.writerow(row)
    return out.getvalue()


def values_latex(
    explanation: Explanation,
    keys: Iterable[str] = tuple(CATALOGUE),
    *,
    caption: str = "",
    before: Mapping[str, float] | None = None,
) -> str:
    r"""A LaTeX table by family: symbol, name, which way is better, and the value to four decimals. It needs no package.

    Parameters are those of `values_csv`; the caption is plain text.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(values_latex(x, ["hF"]).splitlines()[7])
    $F_H$ & Hierarchical F1 & $\uparrow$ & 0.5000 \\
    """
    wanted = [CATALOGUE[key] for key in keys]
    columns, head = "llcr", "Symbol & Measure & Better & Value"
    if before is not None:
        columns, head = "llcrrr", f"{head} & Before & Change"
    body: list[str] = []
    for family in FAMILIES.values():
        rows = [_latex_row(m, explanation[m.key], before) for m in wanted if m.family == family.key]
        if rows:
            heading = rf"\multicolumn{{{len(columns)}}}{{l}}{{\textit{{{latex_label(family.title)}}}}}"
            body += [r"\hline", rf"{heading} \\", *(rf"{row} \\" for row in rows)]
    below = [rf"\caption{{{latex_label(caption)}}}"] if caption else []
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\hline",
            rf"{head} \\",
            *body,
            r"\hline",
            r"\end{tabular}",
            *below,
            r"\end{table}",
            "",
        ]
    )


def _latex_row(measure: Measure, value: float, before: Mapping[str, float] | None) -> str:
    arrow = r"$\uparrow$" if measure.better == "higher" else r"$\downarrow$"
    cells = [f"${measure.symbol}$", latex_label(measure.name), arrow, _latex_number(value)]
    if before is not None:
        cells += [_latex_number(before[measure.key]), _latex_number(value - before[measure.key], sign="+")]
    return " & ".join(cells)


def _latex_number(value: float, sign: Literal["", "+"] = "") -> str:
    if math.isnan(value):
        return "--"
    text = f"{round(value, 4) + 0.0:{sign}.4f}"
    return f"${text}$" if text[0] in "+-" else text


def _all_digits(value: float) -> str | float:
    return "" if math.isnan(value) else value


# --- labels in LaTeX ----------------------------------------------------------------------------------------------

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u030c": "v", "\u0304": "=",
    "\u0306": "u", "\u0307": ".", "\u030b": "H", "\u0327": "c",
}  # fmt: skip
_LETTERS = {
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}",
    "ı": r"\i{}", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "×": r"$\times$", "−": r"$-$",
    "·": r"$\cdot$", "▲": r"$\bigtriangleup$", "▼": r"$\bigtriangledown$",
    "≤": r"$\leq$", "≥": r"$\geq$", "→": r"$\rightarrow$", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$",
    "δ": r"$\delta$", "ε": r"$\varepsilon$", "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$", "σ": r"$\sigma$",
    "τ": r"$\tau$", "ω": r"$\omega$", "Δ": r"$\Delta$", "Σ": r"$\Sigma$", "Ω": r"$\Omega$",
    '"': "{''}", "|": r"\textbar{}", "-": "-{}", "'": "'{}", "`": "`{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
_LETTERS |= {letter: f"$^{digit}$" for digit, letter in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def latex_label(text: str) -> str:
    r"""Text for LaTeX in which nothing acts as a command, for every engine and font encoding.

    Letters with accents are written with LaTeX's own accents. What is left beyond ASCII appears as itself in XeTeX and
    LuaTeX, and as its number in pdfTeX, which has no letters for it.

    >>> latex_label(r"R&D_1 \input{x}"), latex_label("Zoë")
    ('R\\&D\\_1 \\textbackslash{}input\\{x\\}', 'Zo\\"{e}')
    >>> latex_label("鸟")
    '\\ifdefined\\Umathcode 鸟\\else{[}U+9E1F{]}\\fi{}'
    """
    return "".join(_latex_letter(letter) for letter in unicodedata.normalize("NFC", text))


def _latex_letter(letter: str) -> str:
    if letter in _LETTERS:
        return _LETTERS[letter]
    if letter.isascii() or not letter.isprintable():
        return escaped_latex(letter)
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[1] in _ACCENTS and parts[0].isascii() and parts[0].isalpha():
        return rf"\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return rf"\ifdefined\Umathcode {letter}\else{{[}}U+{ord(letter):04X}{{]}}\fi{{}}"


# --- drawings -----------------------------------------------------------------------------------------------------

CM = 0.025  # centimetres per pixel: the text of the drawing is then as large as that of the page
RING = 4.0  # how far the box of a class that is both stands off its circle, in pixels


@dataclass(frozen=True)
class DrawnClass:
    """One class of a drawing: its text, its centre, width and height in pixels (y grows downwards), and its marks.

    `true` and `predicted` are 0 for not on that side, 1 for put there by a measure (dashed), 2 for a class of its own.
    """

    label: str
    at: Point
    width: float
    height: float
    true: int = 0
    predicted: int = 0
    struck: bool = False
    ringed: bool = False


@dataclass(frozen=True)
class DrawnEdge:
    """A line from one class to another, by their places in the list of classes, with the points where it bends and its
    side's colour.
    """

    start: int
    end: int
    bends: tuple[Point, ...] = ()
    side: Side | None = None


@dataclass(frozen=True)
class DrawnLink:
    """A curve between two classes, drawn towards a point, with a short text on it."""

    start: int
    end: int
    towards: Point
    text: str = ""


@dataclass(frozen=True)
class DrawnBadge:
    """A short text on a ground of its own, where its middle is, and whether it is struck out."""

    text: str
    at: Point = (0.0, 0.0)
    struck: bool = False


Sample = (
    DrawnClass | DrawnBadge | Side | Literal["link"]
)  # what a line of the legend shows: a mark, a badge, an edge of a side, a link


def tikz(
    classes: Sequence[DrawnClass],
    edges: Iterable[DrawnEdge],
    *,
    colours: Mapping[Side, str],
    links: Iterable[DrawnLink] = (),
    badges: Iterable[DrawnBadge] = (),
    legend: Iterable[tuple[Sample, str]] = (),
    about: str = "",
) -> str:
    r"""A TikZ picture: true classes are circles (drawn out for long labels), predicted ones boxes, a class that is both
    carries both.

    Parameters
    ----------
    classes, edges, links, badges : what is drawn
    colours : mapping of "true", "predicted" and "both" to #RRGGBB
        Defined in the picture itself.
    legend : pairs of a sample and its words
        Written below the drawing.
    about : str
        What the drawing shows, for a comment at the top.

    Examples
    --------
    >>> colours = {"true": "#0072B2", "predicted": "#E69F00", "both": "#009E73"}
    >>> classes = [DrawnClass("A", (0, 0), 28, 28), DrawnClass("50%", (0, 60), 40, 28, true=2)]
    >>> print(tikz(classes, [DrawnEdge(0, 1)], colours=colours).splitlines()[-3])
      \node[true class, minimum width=1cm, minimum height=0.7cm, rounded corners=0.35cm] (n1) at (0,-1.5) {50\%};
    """
    body = [_tikz_class(c, f"n{k}") for k, c in enumerate(classes)]
    body += [_tikz_edge(edge) for edge in edges]
    body += [_tikz_link(link, classes) for link in links]
    body += [_tikz_badge(badge) for badge in badges]
    body += _tikz_legend(classes, legend)
    comment = [f"% {' '.join(about.split())}"] if about else []
    return "\n".join(
        [
            *comment,
            r"% Needs \usepackage{tikz} in the preamble.",
            r"\begin{tikzpicture}[",
            *(f"  {style}," for style in _STYLES),
            "]",
            *(rf"  \definecolor{{{_COLOUR[side]}}}{{HTML}}{{{colours[side].lstrip('#').upper()}}}" for side in _COLOUR),
            *(f"  {line}" for part in body for line in part),
            r"\end{tikzpicture}",
            "",
        ]
    )


_COLOUR: dict[Side, str] = {"true": "hmtrue", "predicted": "hmpredicted", "both": "hmboth"}
_STYLES = (
    "plain class/.style={inner sep=0pt, outer sep=1.5pt}",
    "marked class/.style={plain class, draw=#1, fill=#1!18, line width=1pt}",
    "added class/.style={plain class, draw=#1, fill=#1!9, line width=0.6pt, densely dashed}",
    "ring/.style={fill=none}",
    "true class/.style={marked class=hmtrue}, added true class/.style={added class=hmtrue}",
    "predicted class/.style={marked class=hmpredicted}, added predicted class/.style={added class=hmpredicted}",
    "class of both/.style={marked class=hmboth}, added class of both/.style={added class=hmboth}",
    "edge/.style={draw=black!45, line width=0.5pt}, edge of/.style={draw=#1, line width=1.1pt}",
    "ringed class/.style={plain class, draw=black!45, line width=0.5pt}",
    "link/.style={draw=black!75, line width=0.6pt, densely dotted}",
    "badge/.style={draw=black!45, line width=0.3pt, fill=white, inner xsep=2pt, inner ysep=1.5pt, rounded corners=4pt, font=\\scriptsize}",
)


def _tikz_class(c: DrawnClass, name: str) -> list[str]:
    at, label = _point(c.at), latex_label(c.label)
    lines = []
    if c.true and c.predicted:
        inner = replace(c, width=c.width - 2 * RING, height=c.height - 2 * RING)
        lines.append(
            rf"\node[{_style(c.predicted, 'class of both')}, ring, {_size(c, boxed=True)}] ({name}) at {at} {{}};"
        )
        lines.append(rf"\node[{_style(c.true, 'class of both')}, {_size(inner)}] at {at} {{{label}}};")
    elif c.true or c.predicted:
        style = _style(c.true, "true class") if c.true else _style(c.predicted, "predicted class")
        lines.append(rf"\node[{style}, {_size(c, boxed=not c.true)}] ({name}) at {at} {{{label}}};")
    else:
        lines.append(
            rf"\node[{'ringed' if c.ringed else 'plain'} class, {_size(c, boxed=not c.ringed)}] ({name}) at {at} {{{label}}};"
        )
    if c.struck:
        lines.append(rf"\draw[line width=0.8pt] ({name}.south west) -- ({name}.north east);")
    return lines


def _tikz_edge(edge: DrawnEdge) -> list[str]:
    bent = ", rounded corners=0.4cm" if edge.bends else ""
    way = " -- ".join([f"(n{edge.start})", *map(_point, edge.bends), f"(n{edge.end})"])
    return [rf"\draw[{_edge_style(edge.side)}{bent}] {way};"]


def _edge_style(side: Side | None) -> str:
    if side is None:
        return "edge"
    return f"edge of={_COLOUR[side]}" + (", densely dashed" if side == "predicted" else "")


def _tikz_link(link: DrawnLink, classes: Sequence[DrawnClass]) -> list[str]:
    """A quadratic curve, which TikZ has as a cubic one with its controls at two thirds of the way."""
    first, second = (_between(classes[k].at, link.towards, 2 / 3) for k in (link.start, link.end))
    text = rf" node[badge, midway] {{{latex_label(link.text)}}}" if link.text else ""
    return [rf"\draw[link] (n{link.start}) .. controls {_point(first)} and {_point(second)} ..{text} (n{link.end});"]


def _tikz_badge(badge: DrawnBadge) -> list[str]:
    at, text = _point(badge.at), latex_label(badge.text)
    if not badge.struck:
        return [rf"\node[badge] at {at} {{{text}}};"]
    return [rf"\node[badge, text=black!55] (b) at {at} {{{text}}};", r"\draw[line width=0.5pt] (b.west) -- (b.east);"]


def _tikz_legend(classes: Sequence[DrawnClass], legend: Iterable[tuple[Sample, str]]) -> list[list[str]]:
    left = min((c.at[0] - c.width / 2 for c in classes), default=0.0)
    bottom = max((c.at[1] + c.height / 2 for c in classes), default=0.0)
    entries = list(legend)
    indent = max([12.0, *(4.5 * len(sample.text) for sample, _ in entries if isinstance(sample, DrawnBadge))])
    rows = []
    for k, (sample, words) in enumerate(entries):
        x, y = left + indent, bottom + 50 + 26 * k
        text = rf"\node[anchor=west, inner sep=0pt] at {_point((x + indent + 8, y))} {{{latex_label(words)}}};"
        rows.append([*_tikz_sample(sample, (x, y), f"l{k}"), text])
    return rows


def _tikz_sample(sample: Sample, at: Point, name: str) -> list[str]:
    if isinstance(sample, DrawnClass):
        side = 14 + 2 * RING * bool(sample.true and sample.predicted)
        return _tikz_class(replace(sample, label="", at=at, width=side, height=side), name)
    if isinstance(sample, DrawnBadge):
        return _tikz_badge(replace(sample, at=at))
    style = "link" if sample == "link" else _edge_style(sample)
    return [rf"\draw[{style}] {_point((at[0] - 12, at[1]))} -- {_point((at[0] + 12, at[1]))};"]


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _style(strength: int, name: str) -> str:
    return name if strength > 1 else f"added {name}"


def _size(c: DrawnClass, boxed: bool = False) -> str:
    size = f"minimum width={_cm(c.width)}cm, minimum height={_cm(c.height)}cm"
    return size if boxed else f"{size}, rounded corners={_cm(c.height / 2)}cm"


def _point(point: Point) -> str:
    return f"({_cm(point[0])},{_cm(-point[1])})"


def _cm(pixels: float) -> str:
    return f"{round(pixels * CM, 3) + 0.0:g}"
