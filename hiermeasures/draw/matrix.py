"""The picture of a confusion matrix whose rows and columns are classes of a hierarchy.

`MatrixPicture` contains plain texts and shades. `svg` paints it for reports and files. The app's
component paints it as a table (explore/scripts/matrix.js). hiermeasures.evaluation counts the
numbers in its cells. Labels are untrusted text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Literal

from hiermeasures.draw import svg as drawing
from hiermeasures.draw.palette import Tones
from hiermeasures.draw.scene import shown_label, shown_title, text_width
from hiermeasures.draw.svg import Ground, Image

Role = Literal["right", "mistake", "better", "worse", "neutral"]
State = Literal["", "closed", "open"]
LONGEST_HEAD = 32
SIZE, SMALL = 13.0, 12.0  # font sizes
HEIGHT, INDENT, GAP, PAD = 22.0, 14.0, 8.0, 4.0
# the signs before a horizontal name, and before a vertical one
MARKS: Mapping[State, tuple[str, str]] = {"": ("", ""), "closed": ("▸", "▴"), "open": ("▾", "▸")}
MARK_WIDTH = 13.0
FAINTEST, DARKEST = 0.06, 0.5  # opacities of the smallest and the largest number
LEGEND_ROW, SAMPLE = 20.0, 22.0
NARROWEST = 420.0  # words below a smaller matrix have lines of this width
BAR = 3  # height of the bar for mistakes inside a cell


@dataclass(frozen=True)
class MatrixHead:
    """A row or a column of the picture.

    `depth` is its level in the tree of shown classes. The parts of an "open" head follow it, and it
    has no own cells. `about` describes it completely. A `special` head is not a class.
    """

    key: str
    label: str
    total: str = ""
    depth: int = 0
    state: State = ""
    about: str = ""
    special: bool = False

    @property
    def words(self) -> str:
        return shown_label(self.label, LONGEST_HEAD)

    @property
    def extent(self) -> float:
        """The length of the text, including its indentation."""
        return self.depth * INDENT + MARK_WIDTH + text_width(self.words, SIZE)

    def as_data(self) -> dict[str, Any]:
        given = {
            "depth": self.depth,
            "state": self.state,
            "about": shown_title(self.about),
            "special": self.special,
        }
        kept = {name: value for name, value in given.items() if value}
        return {"key": self.key, "words": self.words, "total": self.total, **kept}


@dataclass(frozen=True)
class MatrixCell:
    """A cell of the picture: its number as text, and its shade from 0 to 1.

    `about` describes it for screen readers. A `framed` cell has the same class on both sides. A bar
    shows `inside`, the share of mistakes further down in the hierarchy.
    """

    text: str
    shade: float = 0.0
    role: Role = "mistake"
    framed: bool = False
    about: str = ""
    inside: float = 0.0

    @property
    def kind(self) -> str:
        """The CSS classes of the head."""
        return f"{self.role} framed" if self.framed else self.role


@dataclass(frozen=True)
class MatrixPicture:
    """A confusion matrix: its heads, and its cells by the positions of row and column.

    `legend` explains the roles. `notes` are sentences below the picture. `largest` are the
    positions of some cells with the words that lead to them, and `leads_to` is their heading.
    """

    caption: str
    rows: tuple[MatrixHead, ...]
    columns: tuple[MatrixHead, ...]
    cells: Mapping[tuple[int, int], MatrixCell]
    total: str = ""
    legend: tuple[tuple[Role, str], ...] = ()
    notes: tuple[str, ...] = ()
    leads_to: str = ""
    largest: tuple[tuple[tuple[int, int], str], ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the data for the component."""
        cells = [
            {
                "place": place,
                "text": cell.text,
                "shade": round(cell.shade, 3),
                "kind": cell.kind,
                "about": shown_title(cell.about),
                **({"inside": round(cell.inside, 3)} if cell.inside else {}),
            }
            for place, cell in self.cells.items()
        ]
        return {
            "caption": self.caption,
            "rows": [head.as_data() for head in self.rows],
            "columns": [head.as_data() for head in self.columns],
            "cells": cells,
            "total": self.total,
            "legend": [list(line) for line in self.legend],
            "notes": list(self.notes),
            "leads_to": self.leads_to,
            "largest": [[*place, shown_title(words)] for place, words in self.largest],
        }


def svg(picture: MatrixPicture, *, scale: float = 1.0, ground: Ground = "page") -> Image:
    """Paint a confusion matrix as SVG.

    The names of classes are at the left and above, and each cell has a number. Right cells have a
    frame, so you can tell them from mistakes without colours. `ground` chooses the
    background, as in `hiermeasures.draw.svg.svg`.
    """
    measures = _Measures.of(picture)
    width, height = measures.left + measures.across, measures.top + measures.down
    width = max(width, NARROWEST)
    below, bottom = _words_below(picture, width, height + GAP)
    body = [*_heads(picture, measures), *_cells(picture, measures), *below]
    frame = (-GAP, -GAP, width + 2 * GAP, bottom + 2 * GAP)
    return drawing.document(body, frame, picture.caption, scale=scale, ground=ground, rules=_rules)


def _words_below(picture: MatrixPicture, width: float, y: float) -> tuple[list[str], float]:
    """Return the legend, the caption and the notes in lines of a width, and their lower end."""
    painted = []
    for line in (*picture.legend, picture.caption, *picture.notes):
        role, words = line if isinstance(line, tuple) else ("", line)
        x = SAMPLE + GAP if role else 0.0
        if role:
            kind = f"{role} framed" if role == "right" else role
            painted.append(_square(kind, (0.0, y + 3), (SAMPLE, 14.0), 0.7))
        for part in wrap(words, int((width - x) / text_width("x", SMALL))):
            painted.append(drawing.text(part, x, y + LEGEND_ROW / 2, SMALL, "legend"))
            y += LEGEND_ROW
    return painted, y


@dataclass(frozen=True)
class _Measures:
    """The sizes of the picture: its heads at the left and above, its totals and its cells."""

    left: float
    top: float
    wide: float
    across: float
    down: float
    totals: float

    @staticmethod
    def of(picture: MatrixPicture) -> "_Measures":
        """Compute the sizes that fit all texts of a picture."""
        numbers = [cell.text for cell in picture.cells.values()]
        above = [head.total for head in picture.columns]
        wide = max([HEIGHT, *(text_width(text, SMALL) + 2 * PAD for text in (*numbers, *above))])
        beside = (picture.total, *(head.total for head in picture.rows))
        totals = max(text_width(text, SMALL) for text in beside) + 2 * PAD
        corner = text_width(CORNER, SMALL)
        names = max([corner, *(head.extent for head in picture.rows)]) + GAP
        top = max([HEIGHT, *(head.extent for head in picture.columns)]) + GAP
        return _Measures(
            left=names + totals,
            top=top + HEIGHT,
            wide=wide,
            across=wide * len(picture.columns),
            down=HEIGHT * len(picture.rows),
            totals=totals,
        )


CORNER = "true ↓   predicted →"


def _heads(picture: MatrixPicture, at: _Measures) -> Iterable[str]:
    """Return the names of rows and columns, their totals, and the lines between them."""
    yield drawing.text(CORNER, 0, at.top - HEIGHT - GAP, SMALL, "legend")
    yield drawing.text("total", 0, at.top - HEIGHT / 2, SMALL, "legend")
    yield drawing.text(picture.total, at.left - PAD, at.top - HEIGHT / 2, SMALL, "amount")
    for k, head in enumerate(picture.rows):
        y = at.top + (k + 0.5) * HEIGHT
        yield f"<g><title>{drawing.escape_text(head.about)}</title>{_name(head, y, 0)}</g>"
        yield drawing.text(head.total, at.left - PAD, y, SMALL, "amount")
    for k, head in enumerate(picture.columns):
        x = at.left + (k + 0.5) * at.wide
        turned = f'transform="translate({x:.1f} 0) rotate(90)"'
        yield f"<g {turned}><title>{drawing.escape_text(head.about)}</title>{_name(head, 0, 1)}</g>"
        yield drawing.text(head.total, x, at.top - HEIGHT / 2, SMALL, "label")


def _name(head: MatrixHead, y: float, turned: int) -> str:
    kind = "special" if head.special else "strong" if head.state == "open" else "plain"
    x = head.depth * INDENT
    mark = drawing.text(MARKS[head.state][turned], x, y, SIZE, "plain")
    return mark + drawing.text(head.words, x + MARK_WIDTH, y, SIZE, kind)


def _cells(picture: MatrixPicture, at: _Measures) -> Iterable[str]:
    right, bottom = at.left + at.across, at.top + at.down
    for k in range(len(picture.rows) + 1):
        y = at.top + k * HEIGHT
        yield f'<path class="rule" d="M{at.left:.1f} {y:.1f}H{right:.1f}"/>'
    for k in range(len(picture.columns) + 1):
        x = at.left + k * at.wide
        yield f'<path class="rule" d="M{x:.1f} {at.top:.1f}V{bottom:.1f}"/>'
    for (row, column), cell in picture.cells.items():
        x, y = at.left + column * at.wide, at.top + row * HEIGHT
        box = _square(cell.kind, (x + 1, y + 1), (at.wide - 2, HEIGHT - 2), cell.shade)
        if cell.inside:
            wide = max(2.0, (at.wide - 6) * cell.inside)
            box += (
                f'<rect class="inside" x="{x + 3:.1f}" y="{y + HEIGHT - 5:.1f}" '
                f'width="{wide:.1f}" height="{BAR}"/>'
            )
        number = drawing.text(cell.text, x + at.wide / 2, y + HEIGHT / 2, SMALL, "label")
        yield f"<g><title>{drawing.escape_text(cell.about)}</title>{box}{number}</g>"


def _square(kind: str, corner: tuple[float, float], size: tuple[float, float], shade: float) -> str:
    opacity = FAINTEST + (DARKEST - FAINTEST) * shade if shade else 0.0
    return (
        f'<rect class="cell {kind}" x="{corner[0]:.1f}" y="{corner[1]:.1f}" '
        f'width="{size[0]:.1f}" height="{size[1]:.1f}" fill-opacity="{opacity:.2f}"/>'
    )


def _rules(tones: Tones) -> str:
    """Return the style of the cells."""
    colours = {
        "right": tones.better,
        "mistake": tones.mistake,
        "better": tones.better,
        "worse": tones.worse,
        "neutral": tones.line,
    }
    rules = [f".cell.{role} {{fill: {colour}}}" for role, colour in colours.items()]
    rules += [
        *(
            f".framed.{role} {{stroke: {colour}; stroke-width: 1.5}}"
            for role, colour in colours.items()
        ),
        f".inside {{fill: {tones.mistake}}}",
        f".rule {{stroke: {tones.line}; stroke-width: 0.5; stroke-opacity: 0.4}}",
        ".amount {text-anchor: end} .special {font-style: italic} .strong {font-weight: 600}",
    ]
    return " ".join(rules)
