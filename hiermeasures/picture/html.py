"""Pieces of HTML for an output of a notebook: no script, nothing from elsewhere, and readable on
light and dark pages.

All text is escaped, and the page is told not to look for formulas in it. Styles stand at the
elements, where no style sheet of a notebook overrides them.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from html import escape

OUTPUT_CLASS = "hiermeasures-output"
# Notebooks that are dark and do not tell the browser: JupyterLab and nbconvert, Visual Studio Code,
# Sphinx' themes.
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
    """A whole output. Nobody looks for formulas in it: a label may hold dollars."""
    inside = "".join(filter(None, parts))
    return f'<div class="{OUTPUT_CLASS} tex2jax_ignore mathjax_ignore"><style>{_SCHEME}</style>{inside}</div>'


def text(words: str) -> str:
    """Escaped, without control and direction characters, which would turn the line around.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape("".join(c if c.isprintable() else "�" for c in words))


def paragraph(words: str) -> str:
    """A line of words below or above a picture; none where there are no words."""
    return f'<p style="{_FAINT}">{text(words)}</p>' if words else ""


def beside(*parts: str) -> str:
    """Parts beside each other, or below each other where the page is narrow."""
    return f'<div style="{_PARTS}">{"".join(f"<div>{part}</div>" for part in parts if part)}</div>'


def table(
    head: Sequence[str], groups: Iterable[tuple[str, Iterable[Sequence[str]]]], numbers: Collection[int] = ()
) -> str:
    """A table: its head, and groups of rows, each under a heading where it has one; `numbers` are
    the columns that hold numbers.

    >>> html = table(["measure", "value"], [("Pairing", [("GIE", "7")])], numbers=[1])
    >>> html.count("<tr"), html.count("<th"), html.count("<td"), html.count("text-align:right")
    (3, 4, 2, 2)
    """

    def row(cells: Sequence[str], kind: str) -> str:
        styles = (_NUMBER if k in numbers else _WORDS for k in range(len(cells)))
        return "".join(
            f'<{kind} style="{style}">{text(cell)}</{kind}>' for style, cell in zip(styles, cells, strict=True)
        )

    lines = [f'<thead><tr style="{_RULED}">{row(head, "th")}</tr></thead>']
    for heading, rows in groups:
        title = f'<th colspan="{len(head)}" style="{_HEADING}">{text(heading)}</th>'
        lines += ["<tbody>", *([f'<tr style="{_RULED}">{title}</tr>'] if heading else [])]
        lines += [f'<tr style="{_ROW}">{row(cells, "td")}</tr>' for cells in rows]
        lines.append("</tbody>")
    return f'<div style="{_WIDE}"><table style="{_TABLE}">{"".join(lines)}</table></div>'


# --- the same thing in several formats, each made only where it is asked for --------------------

FORMATS = {"text": "text/plain", "html": "text/html", "latex": "text/latex", "svg": "image/svg+xml"}
Bundle = dict[str, str]


def bundle(
    include: Collection[str] | None = None, exclude: Collection[str] | None = None, **formats: Callable[[], str]
) -> Bundle:
    """The formats (names of FORMATS) by their MIME types: those in `include`, where it says any,
    and not in `exclude`.

    >>> bundle(None, {"text/html"}, text=lambda: "A", html=lambda: "<b>A</b>")
    {'text/plain': 'A'}
    """
    asked = {FORMATS[name]: made for name, made in formats.items()}
    return {
        mime: made()
        for mime, made in asked.items()
        if (not include or mime in include) and not (exclude and mime in exclude)
    }
