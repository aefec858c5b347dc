"""Rankings, correlations and judgements on the Cases page, as escaped HTML."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise

from hiermeasures.app.cases.claims import discrepancies
from hiermeasures.app.cases.html import grouped, heading, paragraph, quantity, status_word, table
from hiermeasures.cases import CheckedCell
from hiermeasures.cases.checked import RankingCheck
from hiermeasures.cases.format import SituationEntry
from hiermeasures.cases.ranking_search import Reading
from hiermeasures.cases.rankings import Ranking
from hiermeasures.picture.layout import Point
from hiermeasures.picture.scene import shown_label
from hiermeasures.picture.svg import Image, document, text

ACROSS = 64.0  # sizes of rank lines, in pixels
DOWN, CLOSEST, TALLEST = 18.0, 9.0, 160.0


def ranking_table(ranking: Ranking) -> str:
    """Return the printed scores with ranks."""
    head = "".join(f'<th class="right">{quantity(m)}</th>' for m in ranking.measures)
    rows = []
    for system, scores, ranks in zip(ranking.systems, ranking.scores, ranking.ranks, strict=True):
        cells = "".join(
            f'<td class="right">{escape(score)} <span class="rank" title="printed rank">({escape(rank)})</span></td>'
            for score, rank in zip(scores, ranks, strict=True)
        )
        rows.append(f"<th>{escape(system)}</th>{cells}")
    return table(f"<th>system</th>{head}", rows, "cells lined")


def correlation_table(cells: Sequence[CheckedCell]) -> str:
    """A triangle of printed correlations, ours and the status in each cell."""
    rows = grouped(cells, lambda c: c.row)
    columns = list(dict.fromkeys(c.column for c in cells))
    head = "".join(f"<th>{quantity(c)}</th>" for c in columns)
    body = []
    for row, group in rows.items():
        at = {c.column: c for c in group}
        body.append(f"<th>{quantity(row)}</th>{''.join(_correlation(at.get(c)) for c in columns)}")
    return table(f"<td></td>{head}", body, "cells lined")


def _correlation(cell: CheckedCell | None) -> str:
    if cell is None:
        return "<td></td>"
    ours = f"<small>ours {escape(cell.ours_text)}</small>"
    return f'<td class="kendall {cell.status}">{escape(cell.printed)}{ours}{status_word(cell)}</td>'


def readings_table(check: RankingCheck) -> str:
    """Every way tried to read the ranking, and how much of the correlation table it gives."""
    search = check.search
    numbers = "".join(f"<th class='right'>{title}</th>" for title in ("come out", "as good", "tried"))
    rows = (_reading(r, search.total, r == search.best) for r in search.readings)
    return table(f"<th>read as</th><th>change</th>{numbers}", rows)


def _reading(reading: Reading, total: int, best: bool) -> str:
    changes = "; ".join(map(str, reading.changes)) or "nothing"
    read = f"tau-{reading.tau} of the printed {reading.basis}"
    mark = " <b>(best)</b>" if best else ""
    return (
        f'<td>{read}</td><td class="words">{escape(changes)}{mark}</td>'
        f'<td class="right num">{len(reading.matched)} of {total}</td>'
        f'<td class="right num">{reading.alternatives}</td><td class="right num">{reading.tried}</td>'
    )


def contradictions(check: RankingCheck) -> str:
    """Printed ranks in another order than the printed scores, as sentences."""
    if not check.contradictions:
        return paragraph("The printed ranks are in the order of the printed scores everywhere.")
    items = "".join(
        f"<li>{quantity(m)}: {escape(better)} is ranked before {escape(worse)}, whose printed score is better</li>"
        for m, better, worse in check.contradictions
    )
    return (
        f'<div class="note plain"><b>Printed ranks in another order than the printed scores</b><ul>{items}</ul></div>'
    )


def found(check: RankingCheck, cells: Sequence[CheckedCell]) -> str:
    """Return the result of the search for the smallest explaining change."""
    if all(c.status == "match" for c in cells):
        return paragraph(f"None is needed: all {check.search.total} correlations come out of the printed scores.")
    changes = "; ".join(map(str, check.search.best.changes))
    return paragraph(f"Changed: {changes}." if changes else "") + discrepancies(cells)


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


# --- judgements -----------------------------------------------------------------------------------


def signs(cells: Sequence[CheckedCell]) -> str:
    """A table of judgements in small: the printed signs."""
    rows = "".join(
        f"<tr><td>{escape(row)}</td>"
        + "".join(f'<td class="{c.status}">{escape(c.printed)}</td>' for c in group)
        + "</tr>"
        for row, group in grouped(cells, lambda c: c.row).items()
    )
    return f'<div class="thumbs"><table class="signs">{rows}</table></div>'


def criterion(situation: SituationEntry) -> str:
    """Return the rule of a situation, in words and as it is computed."""
    signs = [
        f"{sign} where {expression(rule)}" for sign, rule in (("+", situation.plus), ("*", situation.star)) if rule
    ]
    read = [f"for {quantity(measure)} the error is {quantity(other)}" for measure, other in situation.read.items()]
    return "".join(
        (
            heading(situation.situation),
            paragraph(situation.criterion),
            paragraph(situation.judgement, "quiet"),
            f'<p class="quiet">Computed: {"; ".join((*signs, *read))}.</p>',
        )
    )


def expression(computed: str) -> str:
    """A criterion as it is computed, names of views in words.

    >>> expression("0 < one_level < two_levels")
    '0 &lt; <i>one level</i> &lt; <i>two levels</i>'
    """
    parts = re.split(r"([A-Za-z_]\w*)", computed.replace("==", "=").replace("*", "·"))
    return "".join(f"<i>{part.replace('_', ' ')}</i>" if k % 2 else escape(part) for k, part in enumerate(parts))
