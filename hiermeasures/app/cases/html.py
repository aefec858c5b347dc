"""Markup of the library page.

The template parts.html has the macros. The functions here prepare what the macros read: counts,
published cells, figures, rankings and judgements.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from hiermeasures.draw.layout import Point
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.svg import Image, document, svg, text
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.hierarchy.words import agree
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import SIDES
from hiermeasures.verify import Case, CheckedCell
from hiermeasures.verify.errata import (
    case_scene,
    cells_in_words,
    computed,
    in_table,
    printed_and_ours,
    read_as,
)
from hiermeasures.verify.quantities import KINDS
from hiermeasures.verify.verification import (
    KIND_WORDS,
    MATCHES,
    MOST_READABLE,
    SEVERITY_WORDS,
    STATUS_NAMES,
    STATUSES,
    CaseClaim,
)

THUMBNAIL, LARGE = 150.0, 300.0  # heights in pixels
CARD = 300.0  # width in pixels
ACROSS = 64.0  # sizes of rank lines, in pixels
DOWN, CLOSEST, TALLEST = 18.0, 9.0, 160.0
SIGNS = {r"\Delta": "Δ", r"\ell": "ℓ", r"\hat": ""}
MEANINGS: Mapping[str, str] = {
    "match": "Our value, rounded or truncated to the printed digits, equals the printed one.",
    "by_criterion": "The paper prints a judgement, such as a sign. It is right by the criterion shown.",
    "explained": "Our value differs from the printed one, and we know why: a variant "
    "reproduces it.",
    "conjectured": "Our value differs from the printed one. A guess, such as two exchanged "
    "numbers, reproduces it, but we cannot prove the guess.",
    "unexplained": "Our value differs from the printed one. No variant that we tried reproduces it.",
}


def block(*parts: str) -> str:
    """Wrap parts in the page's style. Escape everything that is not markup."""
    return Markup('<div class="hm">{}</div>').format(Markup().join(parts))


def grouped(items: Iterable[Any], *names: str) -> list[tuple[Any, list[Any]]]:
    """Group items by attributes. Groups are in the order of their first item."""
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(attrgetter(*names)(item), []).append(item)
    return list(groups.items())


def card(drawn: Sequence[tuple[str, Image]], of: int) -> Markup:
    """Return the drawings that fit on a card, with a note such as "2 of 5"."""
    room, chosen = CARD, 0
    for _, image in drawn:
        room -= image.width * min(1.0, THUMBNAIL / image.height) + 16.0
        chosen += room >= 0.0 or not chosen
    made: Markup = macros().thumbnails(drawn[:chosen], f"{chosen} of {of}" if chosen < of else "")
    return made


def facts(case: Case) -> Iterator[tuple[str, str | None, str]]:
    """Yield the classes and options of a case: name, meaning (of an option) and value."""
    for side in SIDES:
        classes, paths = getattr(case, side), getattr(case, f"{side}_paths")
        if paths:
            yield (
                agree(len(paths), f"{side} path"),
                None,
                "; ".join(" > ".join(path) for path in paths),
            )
        elif classes:
            yield side, None, ", ".join(sorted(classes))
    for name, value in case.options.items():
        said = ("yes" if value else "no") if isinstance(value, bool) else value
        yield (
            name,
            DECLARED[name].description,
            f"{said:g}" if isinstance(said, float) else str(said),
        )


def columns_of(cells: Iterable[CheckedCell]) -> dict[str, dict[str, CheckedCell]]:
    """Return a printed table as {column: {row: cell}}.

    A column with several quantities becomes one column for each quantity.
    """
    columns: dict[str, dict[str, CheckedCell]] = {}
    for cell in cells:
        columns.setdefault(cell.quantity if "," in cell.column else cell.column, {})[cell.row] = (
            cell
        )
    return columns


def quantity(text: str) -> str:
    """Return a quantity as the papers write it, with its meaning as a tooltip."""
    rest = re.sub(r"\A\w+", "", text)
    name = text[: len(text) - len(rest)]
    abbreviated = Markup('<abbr title="{}">{}</abbr>{}')
    if (measure := CATALOGUE.get(name)) is not None:
        return abbreviated.format(
            f"{measure.name}: {measure.description}", symbol(measure.symbol), rest
        )
    return (
        abbreviated.format(KINDS[name].words.format("a", "b").capitalize(), name, rest)
        if name in KINDS
        else text
    )


def symbol(latex: str) -> str:
    r"""Return a symbol of the catalogue as HTML.

    >>> print(symbol(r"F_{LCA}^{ex}"), symbol(r"l_\Delta"), symbol(r"\mathrm{MGIA}"))
    F<sub>LCA</sub><sup>ex</sup> l<sub>Δ</sub> MGIA
    """
    text = str(escape(latex))
    for sign, letter in SIGNS.items():
        text = text.replace(sign, letter)
    text = re.sub(r"\\math(?:rm|it)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"_(?:\{([^{}]*)\}|(\w))", r"<sub>\1\2</sub>", text)
    return Markup(re.sub(r"\^(?:\{([^{}]*)\}|(\w))", r"<sup>\1\2</sup>", text))


def expression(computed: str) -> str:
    """Return a criterion as HTML, with the names of views in words.

    >>> print(expression("0 < one_level < two_levels"))
    0 &lt; <i>one level</i> &lt; <i>two levels</i>
    """
    parts = re.split(r"([A-Za-z_]\w*)", computed.replace("==", "=").replace("*", "·"))
    name = Markup("<i>{}</i>")
    return Markup().join(
        name.format(part.replace("_", " ")) if k % 2 else part for k, part in enumerate(parts)
    )


def rank_lines(ranks: Mapping[str, tuple[float, ...]], columns: Iterable[str]) -> Image:
    """Draw ranks as lines with the best on top. A system without a rank in a column has nan there.

    >>> rank_lines({"A": (1, 2), "B": (2, 1)}, ["hF", "SP"]).words
    'The ranks of 2 systems by hF, SP.'
    """
    names = list(columns)
    deepest = max((r for row in ranks.values() for r in row if r == r), default=1)
    down = min(DOWN, max(CLOSEST, TALLEST / deepest))
    body = [text(shown_label(name), k * ACROSS, -12, 12.0, "label") for k, name in enumerate(names)]
    for row in ranks.values():
        points = [(k * ACROSS, r * down) for k, r in enumerate(row) if r == r]
        body += [_line(a, b) for a, b in pairwise(points)]
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" class="dot"/>' for x, y in points]
    frame = (-40.0, -26.0, ACROSS * max(len(names) - 1, 0) + 80.0, deepest * down + 34.0)
    return document(body, frame, f"The ranks of {len(ranks)} systems by {', '.join(names)}.")


def _line(a: Point, b: Point) -> str:
    """Draw a curve with horizontal ends, so that crossing lines do not seem to touch."""
    middle = (a[0] + b[0]) / 2
    curve = f"M{a[0]:.1f} {a[1]:.1f}C{middle:.1f} {a[1]:.1f} {middle:.1f} {b[1]:.1f} {b[0]:.1f} {b[1]:.1f}"
    return f'<path class="edge edge-none" stroke-width="1.3" d="{curve}"/>'


_ENVIRONMENT = Environment(
    loader=PackageLoader("hiermeasures.app.cases", ""),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.tests["contains"] = lambda items, item: item in items
for used in (
    cells_in_words,
    columns_of,
    computed,
    expression,
    facts,
    grouped,
    in_table,
    printed_and_ours,
    quantity,
    read_as,
):
    _ENVIRONMENT.globals[used.__name__] = used
_ENVIRONMENT.globals |= {
    "STATUSES": list(STATUSES),
    "STATUS_NAMES": STATUS_NAMES,
    "MATCHES": MATCHES,
}
_ENVIRONMENT.globals |= {"MEANINGS": MEANINGS, "KIND_WORDS": KIND_WORDS}
_ENVIRONMENT.globals |= {"SEVERITY_WORDS": SEVERITY_WORDS}
_ENVIRONMENT.globals |= {"CATALOGUE": CATALOGUE, "THUMBNAIL": THUMBNAIL, "LARGE": LARGE}


def claim_drawing(claim: CaseClaim) -> str:
    """Return the instance of a claim as an image, or "" without one."""
    return (
        "" if claim.drawn is None else svg(case_scene(claim.drawn, MOST_READABLE)).html(THUMBNAIL)
    )


_ENVIRONMENT.globals["claim_drawing"] = claim_drawing


@cache
def macros() -> Any:
    """Return the macros of parts.html as functions that return markup."""
    return _ENVIRONMENT.get_template("parts.html").module
