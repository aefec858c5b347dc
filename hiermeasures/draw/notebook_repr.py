"""The outputs of objects in notebooks, in every format.

Hierarchies and instances are still pictures as in the app. In a large hierarchy, only a part that is
readable on a page is drawn. The HTML has no script, loads no other files, and is readable on light
and dark pages. All text is escaped, and the page does not look for formulas in it. Styles are
attributes of elements, so the style sheet of a notebook cannot override them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from hiermeasures.draw.export import latex_label, tikz, values_tabular
from hiermeasures.draw.layout import MOST_DRAWN, neighbourhood
from hiermeasures.draw.scene import FEWER, PLAIN, Overlay, Scene, figure_scene
from hiermeasures.draw.svg import svg
from hiermeasures.draw.text import Values, as_text, family_lines, printable, tree_lines, value_lines
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import capitalize, write_count
from hiermeasures.measures import CORE, Explanation, Measure
from hiermeasures.measures.catalogue import by_family, named
from hiermeasures.measures.own import called

OUTPUT_CLASS = "hiermeasures-output"
# Dark pages that the browser takes for light ones: JupyterLab and nbconvert, Visual Studio Code, and
# themes of Sphinx.
DARK_PAGES = (
    "[data-jp-theme-light=false]",
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    "[data-theme=dark]",
)
_SCHEME = f":is({', '.join(DARK_PAGES)}) .{OUTPUT_CLASS} {{color-scheme: dark}}"
_PARTS = "display:flex; flex-wrap:wrap; gap:1em 2.5em; align-items:flex-start"
_FAINT = "margin:0.5em 0; opacity:0.75"
_WIDE = "overflow-x:auto; max-width:100%; margin:0.5em 0"
_TABLE = "border-collapse:collapse; border:none; margin:0; table-layout:auto"
_ROW = "background:none; border:none"
_RULED = f"{_ROW}; border-bottom:1px solid rgba(128,128,128,0.5)"
_CELL = "border:none; padding:0.2em 1.2em 0.2em 0; white-space:nowrap; vertical-align:baseline"
_NUMBER = f"{_CELL}; text-align:right; font-variant-numeric:tabular-nums"
_WORDS = f"{_CELL}; text-align:left"
_HEADING = f"{_WORDS}; padding-top:0.7em"


def output(*parts: str) -> str:
    """Join parts into a complete output.

    A label may contain dollars, so the page must not look for formulas in it.
    """
    inside = "".join(filter(None, parts))
    return f'<div class="{OUTPUT_CLASS} tex2jax_ignore mathjax_ignore"><style>{_SCHEME}</style>{inside}</div>'


def text(words: str) -> str:
    """Escape a text, and replace control and direction characters. They could reverse the line."""
    return escape(printable(words))


def paragraph(words: str) -> str:
    return f'<p style="{_FAINT}">{text(words)}</p>' if words else ""


def beside(*parts: str) -> str:
    return f'<div style="{_PARTS}">{"".join(f"<div>{part}</div>" for part in parts if part)}</div>'


def table(
    head: Sequence[str],
    groups: Iterable[tuple[str, Iterable[Sequence[str]]]],
    numbers: Collection[int] = (),
) -> str:
    """Return a table with a head and groups of rows. A group may have a heading.

    `numbers` are the positions of columns with numbers.
    """

    def row(cells: Sequence[str], kind: str) -> str:
        styles = (_NUMBER if k in numbers else _WORDS for k in range(len(cells)))
        return "".join(
            f'<{kind} style="{style}">{text(cell)}</{kind}>'
            for style, cell in zip(styles, cells, strict=True)
        )

    lines = [f'<thead><tr style="{_RULED}">{row(head, "th")}</tr></thead>']
    for heading, rows in groups:
        title = f'<th colspan="{len(head)}" style="{_HEADING}">{text(heading)}</th>'
        lines += ["<tbody>", *([f'<tr style="{_RULED}">{title}</tr>'] if heading else [])]
        lines += [f'<tr style="{_ROW}">{row(cells, "td")}</tr>' for cells in rows]
        lines.append("</tbody>")
    return f'<div style="{_WIDE}"><table style="{_TABLE}">{"".join(lines)}</table></div>'


FORMATS = {"text": "text/plain", "html": "text/html", "latex": "text/latex", "svg": "image/svg+xml"}
Bundle = dict[str, str]


def bundle(
    include: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
    **formats: Callable[[], str],
) -> Bundle:
    """Return the requested formats by MIME type.

    `include` and `exclude` contain MIME types. Without `include` all formats are requested.
    """
    asked = {FORMATS[name]: made for name, made in formats.items()}
    return {
        mime: made()
        for mime, made in asked.items()
        if (not include or mime in include) and not (exclude and mime in exclude)
    }


# pixels, because a page makes wider pictures too small to read
WIDEST, HIGHEST = 1300.0, 1500.0
MOST_CLASSES, MOST_LINES = 40, 100  # of a tree as text


@dataclass(frozen=True)
class Drawing:
    """A picture of a hierarchy with its marks. A notebook shows it.

    Use `svg` and `tikz` to save it. A notebook without pictures shows `text`.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> h.drawing()
    Drawing(A hierarchy of 3 classes.)
    >>> h.drawing().svg[:4]
    '<svg'
    """

    scene: Scene
    text: str

    def __repr__(self) -> str:
        return f"Drawing({self.scene.words})"

    @property
    def svg(self) -> str:
        """An SVG document on a white background, with the legend."""
        return svg(self.scene, legend=True, ground="paper").svg

    @property
    def tikz(self) -> str:
        """A TikZ picture with the legend. It needs only the package tikz."""
        return tikz(self.scene)

    @property
    def html(self) -> str:
        """The drawing with its legend, as an image for a page.

        Labels in an image cannot act as HTML or formulas. A notebook shows images even if it does
        not trust its outputs.
        """
        return svg(self.scene, legend=True, ground="own").html(HIGHEST)

    @property
    def latex(self) -> str:
        """The TikZ picture for any LaTeX document.

        The picture is not wider than a line. If the package tikz is not loaded, a sentence replaces
        the picture.
        """
        width = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
        fitted = f"\\resizebox{{{width}}}{{!}}{{\\relax\n{self.tikz.strip()}}}"
        missing = r"(To see this drawing, add \texttt{\textbackslash usepackage\{tikz\}} to the preamble.)"
        return f"\\ifdefined\\tikzpicture\n{fitted}\n\\else\n{missing}\n\\fi\n"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        return bundle(
            include,
            exclude,
            text=lambda: self.text,
            html=lambda: output(self.html),
            latex=lambda: self.latex,
            svg=lambda: self.svg,
        )


def drawing_of_hierarchy(hierarchy: Hierarchy, around: Iterable[str] = ()) -> Drawing:
    chosen = sorted(hierarchy.check(around), key=hierarchy.index)
    overlay = Overlay("Hierarchy", dict.fromkeys(chosen, PLAIN))
    return _drawing(hierarchy, chosen, overlay, {})


def drawing_of_explanation(
    explanation: Explanation,
    view: str | None = None,
    measure: str | None = None,
    *,
    small: bool = False,
) -> Drawing:
    """Draw an instance in a view of the app, or in the view of a measure.

    By default the drawing shows the ancestors. A `small` drawing contains only the marked classes
    and their ancestors.
    """
    from hiermeasures.draw.views import OPENING, VIEWS, overlay_for, with_measure, with_view

    if view is not None and view not in VIEWS:
        raise InputError(unknown("view", view, VIEWS))
    at = OPENING if measure is None else with_measure(OPENING, explanation.measure(measure).key)
    at = at if view is None else with_view(at, view)
    sides = {"true": explanation.true, "predicted": explanation.predicted}
    chosen = explanation.true | explanation.predicted
    words = {
        c: " and ".join(side for side, classes in sides.items() if c in classes) for c in chosen
    }
    overlay, h = overlay_for(explanation, at), explanation.hierarchy
    if small:
        marked = [label for label in overlay.marks if label in h]
        needed = {h.root}.union(marked, *map(h.ancestors, marked))
        return _drawing(h, chosen, overlay, words, limits=(min(len(needed), MOST_DRAWN),))
    return _drawing(h, chosen, overlay, words)


def _drawing(
    hierarchy: Hierarchy,
    chosen: Collection[str],
    overlay: Overlay,
    words: Mapping[str, str],
    limits: Sequence[int] = (MOST_DRAWN, *FEWER),
) -> Drawing:
    least = min(len(set(chosen).union(*map(hierarchy.ancestors, chosen))), MOST_DRAWN)
    for limit in limits:
        scene = figure_scene(hierarchy, overlay, limit=max(limit, least))
        drawn = svg(scene)
        if limit <= least or (drawn.width <= WIDEST and drawn.height <= HIGHEST):
            break
    lines = list(tree_lines(neighbourhood(hierarchy, chosen, max(MOST_CLASSES, least)), words))
    more = [f"… {len(lines) - MOST_LINES:,} more lines"] if len(lines) > MOST_LINES else []
    return Drawing(scene, "\n".join(lines[:MOST_LINES] + more))


Asked = Collection[str] | None
BUDGET = 2.0  # seconds of processor time, after which no more structures are built


def show_hierarchy(hierarchy: Hierarchy, include: Asked = None, exclude: Asked = None) -> Bundle:
    h, drawing = hierarchy, drawing_of_hierarchy(hierarchy)
    kind = "tree" if h.is_tree else "DAG"
    classes, edges = write_count(len(h), "class"), write_count(h.edge_count, "edge")
    about = f"A {kind} of {classes} and {edges}, {write_count(h.depth, 'level')} below the root."
    words = " ".join([about, *(f"{capitalize(note)}." for note in h.notes)])
    return bundle(
        include,
        exclude,
        text=lambda: f"{words}\n{drawing.text}",
        html=lambda: output(drawing.html, paragraph(words)),
        latex=lambda: paragraphs(drawing.latex, latex_label(words)),
    )


def show_explanation(
    explanation: Explanation,
    include: Asked = None,
    exclude: Asked = None,
    drawing: Drawing | None = None,
) -> Bundle:
    """Return the output of an instance: a drawing and values.

    By default the drawing shows the classes and their ancestors. The values are those of the best
    known measures and of your own measures. Without any classes the values are left out, because
    the score of empty sets is only a convention.
    """
    x, drawing = explanation, drawing or drawing_of_explanation(explanation)
    start, values, late = x.spent, {}, []
    for key in (*CORE, *x.defined) if x.true or x.predicted else ():
        if x.spent - start < BUDGET or all(map(x.has_built, x.measure(key).structures)):
            values[key] = x[key]
        else:
            late.append(key)
    measures = [x.measure(key) for key in values]
    words = f"True: {named(x.true)}. Predicted: {named(x.predicted)}."
    settings = ", ".join(f"{name}={value}" for name, value in x.options.changed.items())
    words += f" Options: {settings}." if settings else ""
    left_out = f"Left out, because it takes too long: {', '.join(late)}." if late else ""

    def as_html() -> str:
        table = _value_table({"": measures}, values) if values else ""
        return output(beside(drawing.html, table + paragraph(left_out)), paragraph(words))

    def as_latex() -> str:
        table = values_tabular(measures, values) if values else ""
        return paragraphs(drawing.latex, latex_label(words), table, latex_label(left_out))

    return bundle(
        include,
        exclude,
        text=lambda: _text(
            words, drawing.text, "\n".join(value_lines(measures, [values])), left_out
        ),
        html=as_html,
        latex=as_latex,
    )


def values_shown(
    about: str,
    measures: Sequence[Measure],
    values: Mapping[str, float],
    *,
    cells: Mapping[str, str],
    instances: Mapping[str, int],
    notes: Sequence[str],
) -> dict[str, Callable[[], str]]:
    """Return functions that write values by family as text, HTML and LaTeX.

    `about` is the sentence before the values, and `notes` come after them. `cells` are the printed
    values. The text also contains the number of `instances` of each value.
    """
    columns: list[Values] = (
        [values, {key: f"{n:,}" for key, n in instances.items()}] if instances else [values]
    )
    groups = {family.title: members for family, members in by_family(measures).items()}

    def as_text() -> str:
        lines = family_lines(measures, columns, heads=("value", "n")[: len(columns)])
        return _text(about, "\n".join(lines), "\n".join(notes[:-1]), *notes[-1:])

    return {
        "text": as_text,
        "html": lambda: output(
            paragraph(about), _value_table(groups, cells), *map(paragraph, notes)
        ),
        "latex": lambda: paragraphs(
            latex_label(about), values_tabular(measures, values), latex_label(" ".join(notes))
        ),
    }


def _value_table(groups: Mapping[str, Sequence[Measure]], values: Values) -> str:
    rows = {
        title: [(called(m.key), m.name, as_text(values[m.key]), m.better) for m in measures]
        for title, measures in groups.items()
    }
    return table(("measure", "", "value", "better"), rows.items(), numbers=(2,))


def _text(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def paragraphs(*parts: str) -> str:
    """Return pieces of LaTeX below each other, for a document with any preamble."""
    return "\n\n\\medskip\\noindent\n".join(part.strip() for part in parts if part) + "\n"
