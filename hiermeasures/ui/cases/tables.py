"""Printed rankings, their correlations and tables of judgements on the Cases page, as HTML text.

Pure functions; what they share with the rest of the page is html.py's. Everything that comes from a case file is
escaped.
"""

import re
from collections.abc import Sequence
from html import escape

from hiermeasures.cases import CheckedCell
from hiermeasures.cases.checked import RankingCheck
from hiermeasures.cases.format import SituationEntry
from hiermeasures.cases.ranking_search import Change, Reading
from hiermeasures.cases.rankings import Ranking
from hiermeasures.ui.cases.claims import discrepancies
from hiermeasures.ui.cases.html import grouped, heading, paragraph, quantity, status_word, titled


def ranking_table(ranking: Ranking, changes: Sequence[Change]) -> str:
    """The printed ranking, scores with ranks; entries that the smallest explaining change touches are named."""
    touched = {
        (c.measure, system): c for c in changes for system in ((c.first, c.second) if c.kind == "swap" else (c.first,))
    }
    head = "".join(f'<th class="right">{quantity(m)}</th>' for m in ranking.measures)
    rows = []
    for system, scores, ranks in zip(ranking.systems, ranking.scores, ranking.ranks, strict=True):
        cells = "".join(
            _scored(score, rank, touched.get((m, system)))
            for m, score, rank in zip(ranking.measures, scores, ranks, strict=True)
        )
        rows.append(f"<tr><th>{escape(system)}</th>{cells}</tr>")
    body = f"<tbody>{''.join(rows)}</tbody>"
    header = f"<thead><tr><th>system</th>{head}</tr></thead>"
    return f'<div class="scroll"><table class="cells lined">{header}{body}</table></div>'


def _scored(score: str, rank: str, change: Change | None) -> str:
    word = "" if change is None else f" <span class='status explained'{titled(str(change))}>{_done(change)}</span>"
    kind = "right changed" if change else "right"
    printed = f'<span class="rank" title="printed rank">({escape(rank)})</span>'
    return f'<td class="{kind}">{word} {escape(score)} {printed}</td>'


def _done(change: Change) -> str:
    return "swapped" if change.kind == "swap" else "changed"


def correlation_table(cells: Sequence[CheckedCell]) -> str:
    """A triangle of printed correlations, ours and the status in each cell."""
    rows = grouped(cells, lambda c: c.row)
    columns = list(dict.fromkeys(c.column for c in cells))
    head = "".join(f"<th>{quantity(c)}</th>" for c in columns)
    body = []
    for row, group in rows.items():
        at = {c.column: c for c in group}
        body.append(f"<tr><th>{quantity(row)}</th>{''.join(_correlation(at.get(c)) for c in columns)}</tr>")
    table = f'<table class="cells lined"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'
    return f'<div class="scroll">{table}</div>'


def _correlation(cell: CheckedCell | None) -> str:
    if cell is None:
        return "<td></td>"
    ours = f"<small>ours {escape(cell.ours_text)}</small>"
    return f'<td class="kendall {cell.status}">{escape(cell.printed)}{ours}{status_word(cell)}</td>'


def readings_table(check: RankingCheck) -> str:
    """Every way tried to read the ranking, and how much of the correlation table it gives."""
    search = check.search
    rows = "".join(_reading(r, search.total, r == search.best) for r in search.readings)
    numbers = "".join(f"<th class='right'>{title}</th>" for title in ("come out", "as good", "tried"))
    head = f"<th>read as</th><th>change</th>{numbers}"
    return f'<div class="scroll"><table class="lined"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _reading(reading: Reading, total: int, best: bool) -> str:
    changes = "; ".join(map(str, reading.changes)) or "nothing"
    read = f"tau-{reading.tau} of the printed {reading.basis}"
    mark = " <b>(best)</b>" if best else ""
    return (
        f'<tr><td>{read}</td><td class="words">{escape(changes)}{mark}</td>'
        f'<td class="right num">{len(reading.matched)} of {total}</td>'
        f'<td class="right num">{reading.alternatives}</td><td class="right num">{reading.tried}</td></tr>'
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
    """What the search for the smallest explaining change found, with the correlations it is about."""
    if all(c.status == "match" for c in cells):
        return paragraph(f"None is needed: all {check.search.total} correlations come out of the printed scores.")
    return discrepancies(cells)


# --- judgements ---------------------------------------------------------------------------------------------------


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
    """How a situation is judged, in words and as it is computed."""
    signs = [
        f"{sign} where {expression(text)}" for sign, text in (("+", situation.plus), ("*", situation.star)) if text
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


def expression(text: str) -> str:
    """A criterion as it is computed, names of views in words.

    >>> expression("0 < one_level < two_levels")
    '0 &lt; <i>one level</i> &lt; <i>two levels</i>'
    """
    parts = re.split(r"([A-Za-z_]\w*)", text.replace("==", "=").replace("*", "·"))
    return "".join(f"<i>{part.replace('_', ' ')}</i>" if k % 2 else escape(part) for k, part in enumerate(parts))
