"""HTML of counts, published cells, figures, rankings, judgements and claims on the Cases page, by
pure functions of a report.

Everything that comes from a case file is escaped. A status is always a word; colour repeats it.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import TypeVar
from urllib.parse import urlsplit

from hiermeasures.cases import Case, CheckedCell, Fault, Paper
from hiermeasures.cases.format import FigureFile, SituationEntry
from hiermeasures.cases.quantities import KINDS
from hiermeasures.cases.rankings import Ranking, Reading
from hiermeasures.cases.verification import KIND_WORDS, STATUSES, Claim, Counts, RankingCheck, Status, cells_in_words
from hiermeasures.core.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.layout import Point
from hiermeasures.picture.scene import shown_label
from hiermeasures.picture.svg import Image, document, text

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

THUMBNAIL, LARGE = 150.0, 300.0  # heights in pixels
CARD = 300.0  # width in pixels
OPENS = "Open in the Explorer"

MEANINGS: Mapping[str, str] = {
    "match": "Our value, rounded or truncated to the printed digits, is what is printed.",
    "explained": "Our value differs from the print, and we know why: a variant reproduces the printed value.",
    "unexplained": "Our value differs from the print, and nothing tried reproduces it.",
}


def block(*parts: str) -> str:
    """Parts under the page's style."""
    return f'<div class="hm">{"".join(parts)}</div>'


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of text; nothing for no text."""
    return f'<p class="{kind}">{escape(text)}</p>' if text else ""


def heading(text: str, level: int = 3) -> str:
    """Return a heading of a level."""
    return f"<h{level}>{escape(text)}</h{level}>"


def citation(paper: Paper) -> str:
    """Where a paper was published, with a link where it gives an address of the web."""
    text = escape(f"{paper.authors}: {paper.title}. {paper.citation}.")
    safe = urlsplit(paper.url).scheme in ("http", "https")
    link = (
        f' <a href="{escape(paper.url)}" target="_blank">{"Read it" if paper.kind == "paper" else "Its home"}</a>'
        if safe
        else ""
    )
    return f'<p class="quiet cite">{text}{link}</p>'


# --- figures --------------------------------------------------------------------------------------


def thumbnails(drawn: Sequence[tuple[str, Image]]) -> str:
    """Small drawings side by side, each with its caption."""
    figures = [
        f"<figure>{d.html(THUMBNAIL)}{f'<figcaption>{escape(caption)}</figcaption>' if caption else ''}</figure>"
        for caption, d in drawn
    ]
    return f'<div class="thumbs">{"".join(figures)}</div>'


def card(drawn: Sequence[tuple[str, Image]], of: int) -> str:
    """Return as many drawings as a card has room for at a readable size, and of how many."""
    room, chosen = CARD, 0
    for _, d in drawn:
        room -= d.width * min(1.0, THUMBNAIL / d.height) + 16.0
        chosen += room >= 0.0 or not chosen
    more = f'<span class="more">{chosen} of {of}</span>' if chosen < of else ""
    return thumbnails(drawn[:chosen]).replace("</div>", f"{more}</div>")


def part(case: Case, entries: FigureFile, drawn: Image) -> str:
    """A sub-figure: its title, drawing, and what is not said about the figure as a whole."""
    several = bool(entries.cases)
    title = f"({case.part}) {case.title}" if case.part else case.title
    return "".join(
        (
            heading(title) if several else "",
            paragraph(case.teaches if several and case.teaches != entries.teaches else ""),
            f'<div class="drawn">{drawn.html(LARGE)}</div>',
            facts(case),
            reconstructed(case.reconstructed) if case.reconstructed != entries.reconstructed else "",
        )
    )


def reconstructed(text: str) -> str:
    """Return a paragraph on what of a drawing had to be inferred."""
    return paragraph(f"Reconstructed: {text}" if text else "", "quiet")


def facts(case: Case) -> str:
    """The classes of a case, and how it is evaluated."""
    parts = [_set("true", case.true, case.true_paths), _set("predicted", case.predicted, case.predicted_paths)]
    parts += [
        f"<abbr{titled(_described(name))}>{escape(name)}</abbr> {escape(_setting(value))}"
        for name, value in case.options.items()
    ]
    return f'<p class="quiet">{" · ".join(filter(None, parts))}</p>'


def _set(side: str, classes: frozenset[str], paths: Sequence[Sequence[str]] | None) -> str:
    if paths:
        return f"{side} path{'s' if len(paths) > 1 else ''} {escape('; '.join(' > '.join(path) for path in paths))}"
    return f"{side} {escape(', '.join(sorted(classes)))}" if classes else ""


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _described(option: str) -> str:
    field = Options.model_fields.get(option)
    return field.description or "" if field else ""


# --- counts ---------------------------------------------------------------------------------------


def summary(counts: Counts) -> str:
    """The four counts, large."""
    values = ((counts.cells, "cells checked", ""), *((getattr(counts, s), s, s) for s in STATUSES))
    entries = "".join(
        f"<div><dt{titled(MEANINGS.get(status))}>{_swatch(status)}{word}</dt><dd>{n}</dd></div>"
        for n, word, status in values
    )
    return f'<dl class="counts">{entries}</dl>'


def _swatch(status: str) -> str:
    return f'<i class="swatch {status}"></i>' if status else ""


def paper_counts(papers: Iterable[tuple[str, Counts]]) -> str:
    """A table of the four counts per paper."""
    head = "".join(f'<th class="right"{titled(MEANINGS.get(name))}>{name}</th>' for name in ("cells", *STATUSES))
    rows = [
        f'<tr><td>{escape(name)}</td><td class="right num">{c.cells}</td>'
        + "".join(f'<td class="right num">{getattr(c, status)}</td>' for status in STATUSES)
        + f"<td>{_bar(c)}</td></tr>"
        for name, c in papers
    ]
    header = f"<thead><tr><th>paper</th>{head}<td></td></tr></thead>"
    return f'<table class="lined papers">{header}<tbody>{"".join(rows)}</tbody></table>'


def _bar(counts: Counts) -> str:
    parts = "".join(f'<i class="{s}" style="flex:{getattr(counts, s)}"></i>' for s in STATUSES if getattr(counts, s))
    return f'<div class="bar" aria-hidden="true">{parts}</div>'


def chips(counts: Counts) -> str:
    """The counts of one figure in words."""
    if not counts.cells:
        return '<div class="chips"><span class="status">no published values</span></div>'
    words = [chip(status, f"{getattr(counts, status)} {status}") for status in STATUSES if getattr(counts, status)]
    return f'<div class="chips">{"".join(words)}</div>'


def chip(status: Status, words: str, meaning: str = "") -> str:
    return f'<span class="status {status}"{titled(meaning or MEANINGS[status])}>{escape(words)}</span>'


# --- published cells ------------------------------------------------------------------------------


def published(cells: Sequence[CheckedCell], label: Callable[[str], str], address: str) -> str:
    """All published cells beside ours. `label` names a case by its key; a row of one case leads to
    it in the Explorer, in another tab to the figure's `address`.
    """
    parts = []
    for source, group in grouped(cells, lambda c: c.source).items():
        in_table, single = [c for c in group if c.row], [c for c in group if not c.row]
        parts += [heading(source), _table(in_table, address), _singles(single, label, address)]
    return "".join(parts)


def leading(key: str, address: str, words: str, about: str = "") -> str:
    """A link that gives its key to the page (contents.js)."""
    return f'<a href="{escape(address)}" data-leads="{escape(key)}"{titled(about)}>{escape(words)}</a>'


def _leading_to(cells: Iterable[CheckedCell], address: str, words: str) -> str:
    cases = {c.case for c in cells}
    return escape(words) if len(cases) > 1 or "" in cases else leading(f"case {cases.pop()}", address, words, OPENS)


def _table(cells: Sequence[CheckedCell], address: str) -> str:
    """A printed table: under every printed row ours, and the status."""
    if not cells:
        return ""
    doubled = {c.column for c in cells if "," in c.column}
    name = {c: (c.quantity if c.column in doubled else c.column) for c in cells}
    columns = list(dict.fromkeys(name.values()))
    head = "".join(f"<th>{quantity(column)}</th>" for column in columns)
    lines = {
        "printed": lambda cell: _value(cell, lambda c: c.printed),
        "ours": lambda cell: _value(cell, lambda c: c.ours_text),
        "status": _status,
    }
    body = []
    for row, group in grouped(cells, lambda c: c.row).items():
        at = {name[c]: c for c in group}
        texts = [
            f'<th class="side">{side}</th>' + "".join(show(at.get(c)) for c in columns) for side, show in lines.items()
        ]
        name_of_row = _leading_to(group, address, row)
        body.append(f'<tbody class="row"><tr><th rowspan="3">{name_of_row}</th>{"</tr><tr>".join(texts)}</tr></tbody>')
    header = f"<thead><tr><td></td><td></td>{head}</tr></thead>"
    return f'<div class="scroll"><table class="cells">{header}{"".join(body)}</table></div>'


def _value(cell: CheckedCell | None, read: Callable[[CheckedCell], str]) -> str:
    return f'<td class="{cell.status}">{escape(read(cell))}</td>' if cell else "<td></td>"


def _status(cell: CheckedCell | None) -> str:
    return f'<td class="{cell.status}">{status_word(cell)}</td>' if cell else "<td></td>"


def status_word(cell: CheckedCell) -> str:
    """The status of a cell as a word, with its meaning for those who point at it."""
    if cell.truncated:
        return chip(
            cell.status, "match (truncated)", "The printed digits are those of our value, truncated instead of rounded."
        )
    return chip(cell.status, cell.status)


def _singles(cells: Sequence[CheckedCell], label: Callable[[str], str], address: str) -> str:
    if not cells:
        return ""
    several = len({c.case for c in cells}) > 1
    head = "<th>value</th>" + ("<th>figure</th>" if several else "") + "<th>printed</th><th>ours</th><th>status</th>"
    rows = [
        f"<td>{quantity(c.quantity)}</td>"
        + (f'<td class="words">{_leading_to([c], address, label(c.case))}</td>' if several else "")
        + _value(c, lambda cell: cell.printed)
        + _value(c, lambda cell: cell.ours_text)
        + _status(c)
        for c in cells
    ]
    return table(head, rows, "cells lined")


def quantity(text: str) -> str:
    """A quantity as the papers write it, with what it means for those who point at it."""
    rest = re.sub(r"\A\w+", "", text)
    name = text[: len(text) - len(rest)]
    if name in CATALOGUE:
        measure = CATALOGUE[name]
        return f"<abbr{titled(f'{measure.name}: {measure.description}')}>{symbol(measure.symbol)}</abbr>{escape(rest)}"
    if name in KINDS:
        return f"<abbr{titled(KINDS[name].meaning.capitalize())}>{escape(name)}</abbr>{escape(rest)}"
    return escape(text)


SIGNS = {r"\Delta": "Δ", r"\ell": "ℓ", r"\hat": ""}


def symbol(latex: str) -> str:
    r"""A symbol of the catalogue as HTML.

    >>> symbol(r"F_{LCA}^{ex}"), symbol(r"l_\Delta"), symbol(r"\mathrm{MGIA}")
    ('F<sub>LCA</sub><sup>ex</sup>', 'l<sub>Δ</sub>', 'MGIA')
    """
    text = escape(latex)
    for sign, letter in SIGNS.items():
        text = text.replace(sign, letter)
    text = re.sub(r"\\math(?:rm|it)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"_(?:\{([^{}]*)\}|(\w))", r"<sub>\1\2</sub>", text)
    return re.sub(r"\^(?:\{([^{}]*)\}|(\w))", r"<sup>\1\2</sup>", text)


# --- faults and papers ----------------------------------------------------------------------------


def unchecked(paper: Paper) -> str:
    """The published tables that cannot be checked, with why."""
    rows = "".join(f"<li><b>{escape(table)}</b>: {escape(why)}</li>" for table, why in paper.unchecked.items())
    return f'<p>Published tables that are not checked, and why:</p><ul class="quiet">{rows}</ul>' if rows else ""


def faults(title: str, entries: Sequence[Fault]) -> str:
    """Return case files, or entries in them, that could not be used: file, line and reason."""
    rows = [
        f'<td class="num">{escape(f.file)}</td><td class="right num">{f.line}</td>'
        f'<td class="words">{escape(f.reason)}</td>'
        for f in entries
    ]
    head = '<th>file</th><th class="right">line</th><th>reason</th>'
    return f'<div class="fault" role="alert"><b>{escape(title)}</b>{table(head, rows)}</div>'


# --- helpers --------------------------------------------------------------------------------------


def table(head: str, rows: Iterable[str], kind: str = "lined") -> str:
    """Return a table that scrolls sideways, of cells of a head and of rows."""
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by a key, keys in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def titled(text: str | None) -> str:
    """A `title` attribute with this text; nothing for none."""
    return f' title="{escape(text)}"' if text else ""


def discrepancies(cells: Iterable[CheckedCell], made: Iterable[Claim] = ()) -> str:
    """Return cells that do not match with both numbers, by explanation, with its claim."""
    chosen = [c for c in cells if c.status != "match"]
    groups = grouped(chosen, lambda c: (c.status, c.explanation, c.source))
    of_cell = {cell: claim for claim in made for cell in claim.cells}
    return "".join(_note(group, of_cell.get(group[0])) for group in groups.values())


def _note(cells: Sequence[CheckedCell], claim: Claim | None) -> str:
    first = cells[0]
    shared = first.variant if len(cells) > 1 and len({c.variant for c in cells}) == 1 else ""
    items = "".join(f"<li>{_difference(c, shared)}</li>" for c in cells)
    variant = f"<p>Variant: {quantity(shared)}.</p>" if shared and shared not in first.explanation else ""
    reason = first.explanation or "Nothing tried so far reproduces the printed value."
    status = chip(first.status, first.status)
    head, rest = (_head(claim), _quotes(claim) + _considered(claim)) if claim else ("", "")
    return f'<div class="note {first.status}">{head}{status}<ul>{items}</ul>{variant}{paragraph(reason)}{rest}</div>'


def _difference(cell: CheckedCell, shared: str) -> str:
    """One cell with both numbers and the variant's, which is named once if cells share it."""
    if cell.row in CATALOGUE:
        where = f"{escape(cell.source)}, {quantity(cell.row)} and {quantity(cell.column)}"
    else:
        where = f"{escape(cell.source)}{f', row {escape(cell.row)}' if cell.row else ''}, {quantity(cell.quantity)}"
    numbers = f'printed <b class="num">{escape(cell.printed)}</b>, ours <b class="num">{escape(cell.ours_text)}</b>'
    if not cell.variant:
        return f"{where}: {numbers}."
    word = "reproduced by" if cell.status == "explained" else "tried"
    gives = "the variant gives" if shared else f"{word} {quantity(cell.variant)}:"
    return f'{where}: {numbers}; {gives} <b class="num">{escape(cell.variant_text)}</b>.'


def claims(entries: Iterable[Claim], link: Callable[[Claim], str] = lambda claim: "") -> str:
    """Claims about a paper; `link` gives the address of the case of one, or nothing."""
    return "".join(_claim(claim, link(claim)) for claim in entries)


def _claim(claim: Claim, address: str) -> str:
    shown = "".join(f"<li>{escape(text)}</li>" for text in claim.checked)
    cells = f": {cells_in_words(claim)}" if claim.cells else ""
    where = f"<div><b>{escape(claim.where)}</b>{escape(cells)}</div>" if claim.where else ""
    return (
        f'<div class="note erratum">{_head(claim, address)}{where}{_quotes(claim)}{paragraph(claim.explanation)}'
        + _considered(claim)
        + (f'<p class="quiet">Checked:</p><ul class="quiet">{shown}</ul>' if shown else "")
        + "</div>"
    )


def _head(claim: Claim, address: str = "") -> str:
    meaning = "" if claim.withdrawn else KIND_WORDS[claim.kind][1]
    label = leading(f"claim {claim.label}", address, claim.label, "Beside its case") if address else escape(claim.label)
    return (
        f'<div class="claim"><span class="num" id="{escape(claim.label)}">{label}</span> '
        f'<span class="status"{titled(meaning)}>{escape(claim.kind_words)}</span></div>'
    )


def _quotes(claim: Claim) -> str:
    quotes = "".join(
        f'<blockquote>{escape(quote)}</blockquote><p class="quiet">{escape(place)}</p>'
        for quote, place in claim.quotes()
    )
    return f"<details><summary>What is printed</summary>{quotes}</details>" if quotes else ""


def _considered(claim: Claim) -> str:
    return f'<p class="quiet">Considered: {escape(claim.considered)}</p>' if claim.considered else ""


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
    found = check.printed.contradictions()
    if not found:
        return paragraph("The printed ranks are in the order of the printed scores everywhere.")
    items = "".join(
        f"<li>{quantity(m)}: {escape(better)} is ranked before {escape(worse)}, whose printed score is better</li>"
        for m, better, worse in found
    )
    return (
        f'<div class="note plain"><b>Printed ranks in another order than the printed scores</b><ul>{items}</ul></div>'
    )


def smallest_change(check: RankingCheck, cells: Sequence[CheckedCell]) -> str:
    """Return the result of the search for the smallest explaining change."""
    if all(c.status == "match" for c in cells):
        return paragraph(f"None is needed: all {check.search.total} correlations come out of the printed scores.")
    changes = "; ".join(map(str, check.search.best.changes))
    return paragraph(f"Changed: {changes}." if changes else "") + discrepancies(cells)


def rank_lines(ranks: Mapping[str, tuple[float, ...]], columns: Iterable[str]) -> Image:
    """Ranks as lines, the best on top; nan where a system has none in a column.

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
