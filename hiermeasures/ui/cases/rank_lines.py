"""A table of ranks as lines, for the Cases page: one column per measure, one line per system."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from hiermeasures.ui.graph.layout import Point
from hiermeasures.ui.graph.scene import shown_label
from hiermeasures.ui.graph.svg import Image, document, text

ACROSS = 64.0
DOWN, CLOSEST, TALLEST = 18.0, 9.0, 160.0


def rank_lines(ranks: Mapping[str, tuple[float, ...]], columns: Iterable[str]) -> Image:
    """Ranks as lines, the best on top.

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
    down = min(DOWN, max(CLOSEST, TALLEST / deepest))
    body = [text(shown_label(name), k * ACROSS, -12, 12.0, "label") for k, name in enumerate(names)]
    for row in ranks.values():
        points = [(k * ACROSS, r * down) for k, r in enumerate(row) if r == r]
        body += [_line(a, b) for a, b in pairwise(points)]
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" class="dot"/>' for x, y in points]
    frame = (-40.0, -26.0, ACROSS * max(len(names) - 1, 0) + 80.0, deepest * down + 34.0)
    return document(body, frame, f"The ranks of {len(ranks)} systems by {', '.join(names)}.")


def _line(a: Point, b: Point) -> str:
    """A line that leaves and arrives level, so that crossings can be told from meetings."""
    middle = (a[0] + b[0]) / 2
    curve = f"M{a[0]:.1f} {a[1]:.1f}C{middle:.1f} {a[1]:.1f} {middle:.1f} {b[1]:.1f} {b[0]:.1f} {b[1]:.1f}"
    return f'<path class="edge edge-none" stroke-width="1.3" d="{curve}"/>'
