"""What the Cases page shows, as HTML text: counts, tables of published cells beside ours, discrepancies in words,
rankings.

Pure functions of a report's values; page.py puts the text on the screen. Everything that comes from a case file is
escaped. A status is always a word; colour repeats it.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from html import escape
from typing import TypeVar
from urllib.parse import urlsplit

from hiermeasures.cases import Case, CheckedCell, Fault, Paper
from hiermeasures.cases.claims import KIND_WORDS, Claim
from hiermeasures.cases.errata import cells_told
from hiermeasures.cases.format import FigureFile, SituationEntry
from hiermeasures.cases.quantities import KINDS
from hiermeasures.cases.rankings import Change, Ranking, Reading
from hiermeasures.cases.report import STATUSES, Counts, RankingCheck, Status
from hiermeasures.measures import CATALOGUE
from hiermeasures.options import Options
from hiermeasures.ui.graph.svg import Image
from hiermeasures.ui.palette import EXPLAINED, UNEXPLAINED

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

THUMBNAIL, LARGE = 150.0, 300.0  # heights in pixels
CARD = 300.0  # width in pixels

MEANINGS: Mapping[str, str] = {
    "match": "Our value, rounded or cut to the printed digits, is what is printed.",
    "explained": "Our value differs from the print, and we know why: a variant reproduces the printed value.",
    "unexplained": "Our value differs from the print, and nothing tried reproduces it.",
}

STYLE = f"""<style>
.hm {{ font-size: 0.9375rem; line-height: 1.5; --faint: color-mix(in srgb, currentColor 14%, transparent); overflow-wrap: anywhere; }}
.hm h1, .hm h2, .hm h3 {{ padding: 0; margin: 0; line-height: 1.25; }}
.hm h1 {{ font-size: 1.9rem; font-weight: 650; }}
.hm h2 {{ font-size: 1.3rem; font-weight: 600; }}
.hm h3 {{ font-size: 1.05rem; font-weight: 600; }}
.hm .scroll + h3 {{ margin-top: 1.25rem; }}
.hm .cite {{ max-width: 66rem; }}
.hm p {{ margin: 0.25rem 0 0; max-width: 46rem; }}
.hm .lead {{ font-size: 1.0625rem; margin-top: 0.5rem; max-width: 52rem; }}
.hm a {{ color: inherit; }}
.hm .quiet {{ opacity: 0.72; font-size: 0.875rem; }}
.hm .num, .hm table.cells td {{ font-family: "Source Code Pro", ui-monospace, monospace; font-variant-numeric: tabular-nums; }}
.hm abbr {{ text-decoration: underline dotted; text-underline-offset: 0.2em; text-decoration-thickness: 1px; cursor: help; }}
.hm .scroll {{ overflow-x: auto; margin: 0.5rem 0 0.75rem; }}
.hm table {{ border-collapse: collapse; margin: 0; width: auto; }}
.hm th, .hm td {{ border: 0; padding: 0.2rem 0.7rem; text-align: left; vertical-align: baseline; font-size: 0.875rem; }}
.hm thead th {{ font-weight: 600; border-bottom: 1px solid color-mix(in srgb, currentColor 35%, transparent); white-space: nowrap; }}
.hm tbody.row {{ border-bottom: 1px solid var(--faint); }}
.hm table.lined tbody tr {{ border-bottom: 1px solid var(--faint); }}
.hm table.lined td {{ overflow-wrap: normal; }}
.hm td.told {{ overflow-wrap: anywhere; min-width: 9rem; }}
.hm th.side {{ font-weight: 400; opacity: 0.72; white-space: nowrap; }}
.hm tbody th {{ font-weight: 600; }}
.hm td.right, .hm th.right {{ text-align: right; }}
.hm td.ours {{ opacity: 0.85; }}
.hm table.cells td {{ font-size: 0.8125rem; }}
.hm table.cells td.words {{ font-family: inherit; font-size: 0.875rem; }}
.hm td.explained {{ background: {EXPLAINED}2e; }}
.hm td.unexplained {{ background: {UNEXPLAINED}40; }}
.hm .status, .hm table.cells td .status {{ display: inline-block; font-size: 0.75rem; line-height: 1.35; padding: 0 0.45rem;
  border-radius: 0.6rem; white-space: nowrap;
  background: color-mix(in srgb, currentColor 7%, transparent); cursor: help; font-family: "Source Sans", "Source Sans Pro", sans-serif; }}
.hm .status.explained, .hm table.cells td .status.explained {{ background: {EXPLAINED}5c; }}
.hm .status.unexplained, .hm table.cells td .status.unexplained {{ background: {UNEXPLAINED}80; font-weight: 600; }}
.hm .counts {{ display: flex; gap: 2.25rem; flex-wrap: wrap; margin: 0.25rem 0 0; padding: 0; }}
.hm .counts div {{ display: flex; flex-direction: column-reverse; }}
.hm .counts dt {{ font-weight: 400; font-size: 0.9375rem; }}
.hm .counts dd {{ margin: 0; font-size: 2.35rem; line-height: 1.15; font-weight: 600; font-variant-numeric: tabular-nums; }}
.hm .swatch {{ display: inline-block; width: 0.7rem; height: 0.7rem; border-radius: 0.2rem; margin-right: 0.4rem;
  background: color-mix(in srgb, currentColor 22%, transparent); }}
.hm .swatch.explained {{ background: {EXPLAINED}; }}
.hm .swatch.unexplained {{ background: {UNEXPLAINED}; }}
.hm .bar {{ display: flex; width: 9rem; height: 0.55rem; border-radius: 0.2rem; overflow: hidden; gap: 1px; }}
.hm .bar i {{ display: block; background: color-mix(in srgb, currentColor 22%, transparent); }}
.hm .bar i.explained {{ background: {EXPLAINED}; }}
.hm .bar i.unexplained {{ background: {UNEXPLAINED}; }}
.hm .told {{ border-left: 3px solid {EXPLAINED}; padding: 0 0 0 0.9rem; margin: 0.75rem 0 1rem; max-width: 52rem; }}
.hm .told.unexplained {{ border-color: {UNEXPLAINED}; }}
.hm .told.erratum, .hm .told.plain {{ border-color: var(--faint); }}
.hm .claim {{ display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; font-size: 0.8125rem; }}
.hm details {{ font-size: 0.9375rem; }}
.hm summary {{ cursor: pointer; opacity: 0.8; font-size: 0.875rem; }}
.hm blockquote {{ margin: 0.25rem 0 0; padding: 0 0 0 0.8rem; border-left: 2px solid var(--faint);
  font-style: italic; }}
.hm .told ul {{ margin: 0.15rem 0 0; padding-left: 1.1rem; }}
.hm .told li {{ margin: 0; font-size: 0.9375rem; }}
.hm .fault {{ border: 1px solid {UNEXPLAINED}; border-radius: 0.5rem; padding: 0.6rem 0.9rem; }}
.hm .thumbs {{ position: relative; display: flex; justify-content: center; align-items: center; gap: 1.1rem; height: 168px; }}
.hm .thumbs figure {{ margin: 0; min-width: 0; text-align: center; font-size: 0.75rem; line-height: 1.2; }}
.hm .thumbs figcaption {{ opacity: 0.72; margin-top: 0.25rem; }}
.hm .thumbs .more {{ position: absolute; top: -0.25rem; right: 0; font-size: 0.75rem; opacity: 0.72; }}
.hm table.signs td {{ font-size: 0.75rem; padding: 0.05rem 0.4rem; }}
.hm .drawn {{ display: flex; align-items: flex-end; justify-content: center; padding: 0.25rem 0 0.5rem; }}
.hm .legend {{ display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; font-size: 0.8125rem; align-items: center; }}
.hm .legend span {{ display: inline-flex; align-items: center; gap: 0.4rem; }}
.hm td .rank {{ opacity: 0.6; font-size: 0.75rem; }}
.hm td.changed {{ background: {EXPLAINED}2e; }}
.hm td.kendall {{ line-height: 1.35; padding: 0.35rem 0.7rem; }}
.hm td.kendall small {{ display: block; font-size: 0.75rem; opacity: 0.8; }}
.hm .card-title {{ font-weight: 400; font-size: 0.875rem; line-height: 1.35; }}
.hm .chips {{ display: flex; flex-wrap: wrap; gap: 0.3rem; margin-top: 0.35rem; }}
</style>"""


def block(*parts: str) -> str:
    """Parts under the page's style."""
    return f'<div class="hm">{"".join(parts)}</div>'


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of text; nothing for no text."""
    return f'<p class="{kind}">{escape(text)}</p>' if text else ""


def heading(text: str, level: int = 3) -> str:
    """A heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def citation(paper: Paper) -> str:
    """Where a paper was published, with a link where it gives an address of the web."""
    text = escape(f"{paper.authors}: {paper.title}. {paper.citation}.")
    safe = urlsplit(paper.url).scheme in ("http", "https")
    link = f' <a href="{escape(paper.url)}" target="_blank">Read it</a>' if safe else ""
    return f'<p class="quiet cite">{text}{link}</p>'


# --- figures ------------------------------------------------------------------------------------------------------


def thumbnails(drawn: Sequence[tuple[str, Image]]) -> str:
    """Small drawings side by side, each with its caption."""
    figures = [
        f"<figure>{d.html(THUMBNAIL)}{f'<figcaption>{escape(caption)}</figcaption>' if caption else ''}</figure>"
        for caption, d in drawn
    ]
    return f'<div class="thumbs">{"".join(figures)}</div>'


def card(drawn: Sequence[tuple[str, Image]], of: int) -> str:
    """The drawings of a card: as many as stand beside each other at a readable size, and of how many they are."""
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
    """What of a drawing had to be inferred."""
    return paragraph(f"Reconstructed: {text}" if text else "", "quiet")


def facts(case: Case) -> str:
    """The classes of a case, and how it is evaluated."""
    told = [_set("true", case.true, case.true_paths), _set("predicted", case.predicted, case.predicted_paths)]
    told += [
        f"<abbr{_titled(_described(name))}>{escape(name)}</abbr> {escape(_setting(value))}"
        for name, value in case.options.items()
    ]
    return f'<p class="quiet">{" · ".join(filter(None, told))}</p>'


def _set(side: str, classes: frozenset[str], paths: Sequence[Sequence[str]] | None) -> str:
    if paths:
        return f"{side} path{'s' if len(paths) > 1 else ''} {escape('; '.join(' > '.join(path) for path in paths))}"
    return f"{side} {escape(', '.join(sorted(classes)))}" if classes else ""


def _setting(value: object) -> str:
    # type: ignore[call-overload]
    return f"{value:g}" if isinstance(value, float) else {True: "yes", False: "no"}.get(value, str(value))


def _described(option: str) -> str:
    field = Options.model_fields.get(option)
    return field.description or "" if field else ""


def legend(entries: Iterable[tuple[Image, str]]) -> str:
    """What the marks of the drawings mean."""
    return f'<div class="legend">{"".join(f"<span>{d.html()}{escape(words)}</span>" for d, words in entries)}</div>'


# --- counts -------------------------------------------------------------------------------------------------------


def summary(counts: Counts) -> str:
    """The four counts, large."""
    values = ((counts.cells, "cells checked", ""), *((getattr(counts, s), s, s) for s in STATUSES))
    entries = "".join(
        f"<div><dt{_titled(MEANINGS.get(status))}>{_swatch(status)}{word}</dt><dd>{n}</dd></div>"
        for n, word, status in values
    )
    return f'<dl class="counts">{entries}</dl>'


def _swatch(status: str) -> str:
    return f'<i class="swatch {status}"></i>' if status else ""


def paper_counts(papers: Iterable[tuple[str, Counts]]) -> str:
    """A table of the four counts per paper."""
    head = "".join(f'<th class="right"{_titled(MEANINGS.get(name))}>{name}</th>' for name in ("cells", *STATUSES))
    rows = [
        f'<tr><td>{escape(name)}</td><td class="right num">{c.cells}</td>'
        + "".join(f'<td class="right num">{getattr(c, status)}</td>' for status in STATUSES)
        + f"<td>{_bar(c)}</td></tr>"
        for name, c in papers
    ]
    return f'<table class="lined"><thead><tr><th>paper</th>{head}<th></th></tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _bar(counts: Counts) -> str:
    parts = "".join(f'<i class="{s}" style="flex:{getattr(counts, s)}"></i>' for s in STATUSES if getattr(counts, s))
    return f'<div class="bar" aria-hidden="true">{parts}</div>'


def chips(counts: Counts) -> str:
    """The counts of one figure in words."""
    if not counts.cells:
        return '<div class="chips"><span class="status">no published values</span></div>'
    words = [_chip(status, f"{getattr(counts, status)} {status}") for status in STATUSES if getattr(counts, status)]
    return f'<div class="chips">{"".join(words)}</div>'


def _chip(status: Status, words: str, meaning: str = "") -> str:
    return f'<span class="status {status}"{_titled(meaning or MEANINGS[status])}>{escape(words)}</span>'


# --- published cells ----------------------------------------------------------------------------------------------


def published(cells: Sequence[CheckedCell], label: Callable[[str], str]) -> str:
    """All published cells of a figure beside ours, place by place.

    `label` tells the name of a case by its key.
    """
    parts = []
    for source, group in grouped(cells, lambda c: c.source).items():
        table = [c for c in group if c.row]
        single = [c for c in group if not c.row]
        parts += [heading(source), _table(table) if table else "", _singles(single, label) if single else ""]
    return "".join(parts)


def _table(cells: Sequence[CheckedCell]) -> str:
    """A printed table: under every printed row ours, and how they compare."""
    doubled = {c.column for c in cells if "," in c.column}
    name = {c: (c.quantity if c.column in doubled else c.column) for c in cells}
    columns = list(dict.fromkeys(name.values()))
    head = "".join(f"<th>{quantity(column)}</th>" for column in columns)
    body = []
    for row, group in grouped(cells, lambda c: c.row).items():
        at = {name[c]: c for c in group}
        body.append(
            f'<tbody class="row"><tr><th rowspan="3">{escape(row)}</th><th class="side">printed</th>'
            + "".join(_value(at.get(c), lambda cell: cell.printed) for c in columns)
            + '</tr><tr><th class="side">ours</th>'
            + "".join(_value(at.get(c), lambda cell: cell.ours_text) for c in columns)
            + '</tr><tr><th class="side">status</th>'
            + "".join(_status(at.get(c)) for c in columns)
            + "</tr></tbody>"
        )
    return f'<div class="scroll"><table class="cells"><thead><tr><th></th><th></th>{head}</tr></thead>{"".join(body)}</table></div>'


def _value(cell: CheckedCell | None, read: Callable[[CheckedCell], str]) -> str:
    return f'<td class="{cell.status}">{escape(read(cell))}</td>' if cell else "<td></td>"


def _status(cell: CheckedCell | None) -> str:
    return f'<td class="{cell.status}">{status_word(cell)}</td>' if cell else "<td></td>"


def status_word(cell: CheckedCell) -> str:
    """The status of a cell as a word, with its meaning for those who point at it."""
    if cell.truncated:
        return _chip(
            cell.status, "match (cut)", "The printed digits are those of our value, cut off instead of rounded."
        )
    return _chip(cell.status, cell.status)


def _singles(cells: Sequence[CheckedCell], label: Callable[[str], str]) -> str:
    """Values printed in the text, one per line."""
    several = len({c.case for c in cells}) > 1
    head = "<th>value</th>" + ("<th>figure</th>" if several else "") + "<th>printed</th><th>ours</th><th>status</th>"
    rows = [
        f"<tr><td>{quantity(c.quantity)}</td>"
        + (f'<td class="words">{escape(label(c.case))}</td>' if several else "")
        + _value(c, lambda cell: cell.printed)
        + _value(c, lambda cell: cell.ours_text)
        + _status(c)
        + "</tr>"
        for c in cells
    ]
    body = f"<tbody>{''.join(rows)}</tbody>"
    return f'<div class="scroll"><table class="cells lined"><thead><tr>{head}</tr></thead>{body}</table></div>'


def quantity(text: str) -> str:
    """A quantity as the papers write it, with what it means for those who point at it."""
    name, rest = _leading_name(text)
    if name in CATALOGUE:
        measure = CATALOGUE[name]
        return f"<abbr{_titled(f'{measure.name}: {measure.description}')}>{symbol(measure.symbol)}</abbr>{escape(rest)}"
    if name in KINDS:
        return f"<abbr{_titled(KINDS[name].meaning.capitalize())}>{escape(name)}</abbr>{escape(rest)}"
    return escape(text)


def _leading_name(text: str) -> tuple[str, str]:
    found = re.match(r"\w+", text)
    return (found[0], text[found.end() :]) if found else ("", text)


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


# --- discrepancies ------------------------------------------------------------------------------------------------


def discrepancies(cells: Iterable[CheckedCell], made: Iterable[Claim] = ()) -> str:
    """Every cell that does not match, in words with both numbers; cells with the same explanation together, with the
    claim about them.
    """
    chosen = [c for c in cells if c.status != "match"]
    groups = grouped(chosen, lambda c: (c.status, c.explanation, c.source))
    of_cell = {cell: claim for claim in made for cell in claim.cells}
    return "".join(_told(group, of_cell.get(group[0])) for group in groups.values())


def _told(cells: Sequence[CheckedCell], claim: Claim | None) -> str:
    first = cells[0]
    shared = first.variant if len(cells) > 1 and len({c.variant for c in cells}) == 1 else ""
    items = "".join(f"<li>{_difference(c, shared)}</li>" for c in cells)
    variant = f"<p>Variant: {quantity(shared)}.</p>" if shared and shared not in first.explanation else ""
    reason = first.explanation or "Nothing tried so far reproduces the printed value."
    head = _claim_head(claim) if claim else ""
    rest = _quotes(claim) + _considered(claim) if claim else ""
    chip = _chip(first.status, first.status)
    return f'<div class="told {first.status}">{head}{chip}<ul>{items}</ul>{variant}{paragraph(reason)}{rest}</div>'


def _difference(cell: CheckedCell, shared: str) -> str:
    """One cell with both numbers, and what the variant gives; a variant that several cells share is told once for
    all.
    """
    if cell.row in CATALOGUE:
        where = f"{escape(cell.source)}, {quantity(cell.row)} and {quantity(cell.column)}"
    else:
        where = f"{escape(cell.source)}{f', row {escape(cell.row)}' if cell.row else ''}, {quantity(cell.quantity)}"
    numbers = f'printed <b class="num">{escape(cell.printed)}</b>, ours <b class="num">{escape(cell.ours_text)}</b>'
    if not cell.variant:
        return f"{where}: {numbers}."
    word = "reproduced by" if cell.status == "explained" else "tried"
    told = "the variant gives" if shared else f"{word} {quantity(cell.variant)}:"
    return f'{where}: {numbers}; {told} <b class="num">{escape(cell.variant_text)}</b>.'


def claims(entries: Iterable[Claim], link: Callable[[Claim], str] = lambda claim: "") -> str:
    """Claims about a paper: the label, the kind, the disputed words and where they stand, and what was checked.

    `link` gives the address of the case that a claim is about, or nothing.
    """
    return "".join(_claim(claim, link(claim)) for claim in entries)


def _claim(claim: Claim, address: str) -> str:
    shown = "".join(f"<li>{escape(text)}</li>" for text in claim.checked)
    cells = f": {cells_told(claim)}" if claim.cells else ""
    where = f"<div><b>{escape(claim.where)}</b>{escape(cells)}</div>" if claim.where else ""
    return (
        f'<div class="told erratum">{_claim_head(claim, address)}{where}{_quotes(claim)}{paragraph(claim.explanation)}'
        + _considered(claim)
        + (f'<p class="quiet">Checked:</p><ul class="quiet">{shown}</ul>' if shown else "")
        + "</div>"
    )


def _claim_head(claim: Claim, address: str = "") -> str:
    """The label and the kind, and a way to the case."""
    meaning = "" if claim.withdrawn else KIND_WORDS[claim.kind][1]
    way = f' <a href="{escape(address)}" target="_blank">beside its case</a>' if address else ""
    return (
        f'<div class="claim"><span class="num">{escape(claim.label)}</span> '
        f'<span class="status"{_titled(meaning)}>{escape(claim.kind_words)}</span>{way}</div>'
    )


def _quotes(claim: Claim) -> str:
    """The disputed words, to be opened."""
    quotes = "".join(
        f'<blockquote>{escape(quote)}</blockquote><p class="quiet">{escape(place)}</p>'
        for quote, place in claim.quotes()
    )
    return f"<details><summary>What is printed</summary>{quotes}</details>" if quotes else ""


def _considered(claim: Claim) -> str:
    return f'<p class="quiet">Considered: {escape(claim.considered)}</p>' if claim.considered else ""


def unchecked(paper: Paper) -> str:
    """The published tables that cannot be checked, with why."""
    rows = "".join(f"<li><b>{escape(table)}</b>: {escape(why)}</li>" for table, why in paper.unchecked.items())
    return f'<p>Published tables that are not checked, and why:</p><ul class="quiet">{rows}</ul>' if rows else ""


def faults(title: str, entries: Sequence[Fault]) -> str:
    """Case files, or entries in them, that could not be used: file, line and reason."""
    rows = "".join(
        f'<tr><td class="num">{escape(f.file)}</td><td class="right num">{f.line}</td><td class="told">{escape(f.reason)}</td></tr>'
        for f in entries
    )
    head = '<thead><tr><th>file</th><th class="right">line</th><th>reason</th></tr></thead>'
    table = f'<table class="lined">{head}<tbody>{rows}</tbody></table>'
    return f'<div class="fault" role="alert"><b>{escape(title)}</b><div class="scroll">{table}</div></div>'


# --- rankings -----------------------------------------------------------------------------------------------------


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
    return f'<div class="scroll"><table class="cells lined"><thead><tr><th>system</th>{head}</tr></thead>{body}</table></div>'


def _scored(score: str, rank: str, change: Change | None) -> str:
    word = "" if change is None else f" <span class='status explained'{_titled(str(change))}>{_done(change)}</span>"
    kind = "right changed" if change else "right"
    return f'<td class="{kind}">{word} {escape(score)} <span class="rank" title="printed rank">({escape(rank)})</span></td>'


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
    head = "<th>read as</th><th>change</th><th class='right'>come out</th><th class='right'>as good</th><th class='right'>tried</th>"
    return f'<div class="scroll"><table class="lined"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _reading(reading: Reading, total: int, best: bool) -> str:
    changes = "; ".join(map(str, reading.changes)) or "nothing"
    read = f"tau-{reading.tau} of the printed {reading.basis}"
    mark = " <b>(best)</b>" if best else ""
    return (
        f'<tr><td>{read}</td><td class="told">{escape(changes)}{mark}</td><td class="right num">{len(reading.matched)} of {total}</td>'
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
        f'<div class="told plain"><b>Printed ranks in another order than the printed scores</b><ul>{items}</ul></div>'
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
        f"<tr><td>{escape(row)}</td>{''.join(f'<td class={chr(34)}{c.status}{chr(34)}>{escape(c.printed)}</td>' for c in group)}</tr>"
        for row, group in grouped(cells, lambda c: c.row).items()
    )
    return f'<div class="thumbs"><table class="signs">{rows}</table></div>'


def criterion(situation: SituationEntry) -> str:
    """How a situation is judged, in words and as it is computed."""
    told = [f"{sign} where {expression(text)}" for sign, text in (("+", situation.plus), ("*", situation.star)) if text]
    read = [f"for {quantity(measure)} the error is {quantity(other)}" for measure, other in situation.read.items()]
    return "".join(
        (
            heading(situation.situation),
            paragraph(situation.criterion),
            paragraph(situation.judgement, "quiet"),
            f'<p class="quiet">Computed: {"; ".join((*told, *read))}.</p>',
        )
    )


def expression(text: str) -> str:
    """A criterion as it is computed, names of views in words.

    >>> expression("0 < one_level < two_levels")
    '0 &lt; <i>one level</i> &lt; <i>two levels</i>'
    """
    parts = re.split(r"([A-Za-z_]\w*)", text.replace("==", "=").replace("*", "·"))
    return "".join(f"<i>{part.replace('_', ' ')}</i>" if k % 2 else escape(part) for k, part in enumerate(parts))


# --- helpers ------------------------------------------------------------------------------------------------------


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by a key, keys in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _titled(text: str | None) -> str:
    return f' title="{escape(text)}"' if text else ""
